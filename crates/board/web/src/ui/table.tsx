// SPDX-License-Identifier: GPL-3.0-or-later
// The board with what stands beside, above and below it.

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { signal } from '@preact/signals';
import type { Named } from '../protocol';
import { settings } from '../settings';
import { ask, isConnected, nextId } from '../socket';
import { game, line, marksOf, node, orientation, place, view } from '../state';
import { squaresOf } from '../rules';
import { EvalBar } from './bars';
import { Ground } from './ground';

const names = signal<{ root: unknown; names: Named[] }>({ root: null, names: [] });

/** The opening's name, asked for after each move. */
export function Opening() {
  const at = node.value;
  useEffect(() => {
    if (!isConnected.value || at.ply > 60) return;
    const { root } = game.value;
    ask({ type: 'openings', id: nextId(), place: place(at) }, 'openings')
      .then(reply => node.value === at && (names.value = { root, names: reply.names }))
      .catch(() => undefined);
  }, [at, isConnected.value]);
  if (names.value.root !== game.value.root) return null;
  const last = names.value.names.findLast(each => each.ply <= line.value.length - 1);
  return last ? <div class="opening" data-testid="opening"><b>{last.eco}</b> {last.name}</div> : null;
}

/** The mark of the last move, on its square. */
function Glyph() {
  const at = node.value;
  const marks = marksOf(at);
  if (!marks || !at.parent) return null;
  const [, to] = squaresOf(at.parent.fen, at.uci);
  const file = to.charCodeAt(0) - 97;
  const rank = Number(to[1]) - 1;
  const [x, y] = orientation.value === 'white' ? [file, 7 - rank] : [7 - file, rank];
  return <div class={`glyph nag-${at.nags[0]}`} style={{ left: `${(x + 1) * 12.5}%`, top: `${y * 12.5}%` }} aria-hidden="true">{marks}</div>;
}

interface Props {
  above?: ComponentChildren;
  below?: ComponentChildren;
  under?: ComponentChildren;
  overlay?: ComponentChildren;
  bar?: boolean;
}

export function Table({ above, below, under, overlay, bar = true }: Props) {
  const hasBar = bar && settings.value.evalBar;
  return (
    <div class={`table ${hasBar ? '' : 'no-bar'}`}>
      {above}
      <div class="board-row">
        {hasBar && <EvalBar />}
        <div class="board-box">
          <Ground under={under} />
          {view.value !== 'play' && <div class="over"><Glyph /></div>}
          {overlay && <div class="over">{overlay}</div>}
        </div>
      </div>
      {below}
    </div>
  );
}
