// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of a piece when a pawn arrives.

import { node, orientation, redraw } from '../state';
import { turnOf } from '../rules';
import { enter, promotion } from './ground';

const PIECES = [['q', 'queen'], ['n', 'knight'], ['r', 'rook'], ['b', 'bishop']] as const;

export function Promotion() {
  const { from, to } = promotion.value!;
  const color = turnOf(node.value.fen);
  const file = to.charCodeAt(0) - 97;
  const column = orientation.value === 'white' ? file : 7 - file;
  const isTop = color === orientation.value;
  const end = () => {
    promotion.value = null;
    redraw.value += 1;
  };
  const choose = (letter: string) => {
    promotion.value = null;
    enter(from + to + letter);
  };
  return (
    <div class="promotion" role="dialog" aria-label="Promote to" onClick={end}>
      <div class="promotion-list" style={{ left: `${column * 12.5}%`, [isTop ? 'top' : 'bottom']: 0, flexDirection: isTop ? 'column' : 'column-reverse' }}>
        {PIECES.map(([letter, name]) => (
          <button key={letter} aria-label={name} onClick={event => (event.stopPropagation(), choose(letter))}>
            <span class="cg-wrap still"><piece class={`${color} ${name}`} /></span>
          </button>
        ))}
      </div>
    </div>
  );
}

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      piece: { class: string; key?: string | number };
    }
  }
}
