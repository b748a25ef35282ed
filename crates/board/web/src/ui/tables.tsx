// SPDX-License-Identifier: GPL-3.0-or-later
// What endgame tables say of the position, where the server has some.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { TableMove } from '../protocol';
import { sanOf, turnOf } from '../rules';
import { ask, isConnected, nextId } from '../socket';
import { choices, ending, node, place, playMove } from '../state';
import type { Node } from '../tree';

const told = signal<{ at: Node; moves: TableMove[] } | null>(null);

const RESULTS: Record<number, [string, string]> = {
  2: ['win', 'Win'], 1: ['draw', 'Win, spoilt by the fifty-move rule'], 0: ['draw', 'Draw'], [-1]: ['draw', 'Loss, saved by the fifty-move rule'], [-2]: ['loss', 'Loss'],
};

/** Whether tables may know the position. */
function isKnown(fen: string): boolean {
  const [pieces = '', , castling] = fen.split(' ');
  return castling === '-' && pieces.replace(/[^a-zA-Z]/g, '').length <= choices.value.tables;
}

function verdictOf(best: TableMove, fen: string): string {
  const side = turnOf(fen) === 'white' ? 'White' : 'Black';
  const other = side === 'White' ? 'Black' : 'White';
  return best.wdl === 2 ? `${side} wins` : best.wdl === -2 ? `${other} wins` : 'A draw';
}

function distance({ dtz, mate }: TableMove): string {
  return mate ? 'mate' : dtz === null || dtz === 0 ? '' : `DTZ ${Math.abs(dtz)}`;
}

export function TablePanel() {
  const at = node.value;
  const canAsk = isKnown(at.fen) && isConnected.value && !ending.value;
  useEffect(() => {
    if (!canAsk) return;
    ask({ type: 'tables', id: nextId(), place: place(at) }, 'tables')
      .then(reply => node.value === at && (told.value = { at, moves: reply.moves }))
      .catch(() => undefined);
  }, [at, canAsk]);
  const moves = canAsk && told.value?.at === at ? told.value.moves : [];
  const [best] = moves;
  if (!best) return null;
  return (
    <section class="panel" aria-label="Endgame tables" data-testid="tables">
      <div class="row"><h2>Endgame tables</h2><span class="spring" /><b>{verdictOf(best, at.fen)}</b></div>
      <ul class="list table-moves">
        {moves.map(move => {
          const [kind, text] = RESULTS[move.wdl] ?? ['draw', '?'];
          return (
            <li key={move.mv}>
              <button class="run table-move" onClick={() => playMove(move.mv)}>
                <b>{sanOf(at.fen, move.mv)}</b><span>{distance(move)}</span><span class={`verdict ${kind}`}>{text}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
