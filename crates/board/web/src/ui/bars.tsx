// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation as bars: beside the board, and with the chances of all three results.

import { computed } from '@preact/signals';
import * as analysis from '../analysis';
import type { Value } from '../protocol';
import { chanceOf, ending, node, orientation, scoreText } from '../state';

const value = computed<Value | null>(() => {
  const over = ending.value;
  if (over) return { cp: over.winner ? null : 0, mate: over.winner ? 0 : null, wdl: over.winner === 'white' ? [1000, 0, 0] : over.winner ? [0, 0, 1000] : [0, 1000, 0] };
  if (analysis.isThreat.value) return node.value.value;
  return analysis.shown.value?.lines[0]?.value ?? node.value.value;
});

export function EvalBar() {
  const chance = value.value ? chanceOf(value.value) : 0.5;
  const isWhiteBelow = orientation.value === 'white';
  const text = scoreText(value.value) || '0.0';
  return (
    <div class={`eval-bar ${isWhiteBelow ? '' : 'turned'}`} role="meter" aria-label="Evaluation" aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(chance * 100)} aria-valuetext={text} data-testid="eval-bar">
      <div class="eval-white" style={{ height: `${chance * 100}%` }} />
      <span class={chance >= 0.5 ? 'for-white' : 'for-black'}>{text.replace('+', '').replace(/^([−\d]*\.\d)\d$/, '$1')}</span>
    </div>
  );
}

export function WdlBar({ wdl }: { wdl: readonly number[] }) {
  const [win = 0, draw = 0, loss = 0] = wdl;
  const part = (name: string, share: number, label: string) =>
    share > 0 && (
      <div class={name} style={{ flexGrow: share }} title={`${label} ${(share / 10).toFixed(1)} %`}>
        {share >= 90 ? `${Math.round(share / 10)} %` : ''}
      </div>
    );
  return (
    <div class="wdl" role="img" data-testid="wdl" aria-label={`White wins ${win / 10} %, drawn ${draw / 10} %, Black wins ${loss / 10} %`}>
      {part('white', win, 'White wins')}
      {part('draw', draw, 'Drawn')}
      {part('black', loss, 'Black wins')}
    </div>
  );
}
