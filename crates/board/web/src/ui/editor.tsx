// SPDX-License-Identifier: GPL-3.0-or-later
// Setting up a position.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Color, Piece, Role } from '@lichess-org/chessground/types';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { openFen } from '../import';
import { chess960, INITIAL_FEN, readFen } from '../rules';
import { dialog, node, orientation, view } from '../state';

const ROLES: Role[] = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];

function Palette({ color, chosen, choose }: { color: Color; chosen: Piece | 'erase' | null; choose: (piece: Piece, event: MouseEvent) => void }) {
  return (
    <div class="palette">
      {ROLES.map(role => (
        <button key={role} type="button" aria-label={`${color} ${role}`} aria-pressed={chosen !== null && chosen !== 'erase' && chosen.color === color && chosen.role === role}
          onMouseDown={event => choose({ color, role }, event)}>
          <span class="cg-wrap still"><piece class={`${color} ${role}`} /></span>
        </button>
      ))}
    </div>
  );
}

export function Editor() {
  const element = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  const [placing = INITIAL_FEN, turn = 'w', castling = '-'] = node.value.fen.split(' ');
  const pieces = useSignal(placing);
  const side = useSignal(turn);
  const rights = useSignal(castling);
  const spare = useSignal<Piece | 'erase' | null>(null);
  useEffect(() => {
    const api = Chessground(element.current!, {
      fen: pieces.value,
      orientation: orientation.value,
      movable: { free: true, color: 'both' },
      premovable: { enabled: false },
      draggable: { deleteOnDropOff: true, showGhost: false },
      selectable: { enabled: false },
      animation: { enabled: false },
      drawable: { enabled: false },
      highlight: { lastMove: false, check: false },
      events: {
        change: () => (pieces.value = api.getFen()),
        select: key => {
          if (spare.value === null) return;
          api.setPieces(new Map([[key, spare.value === 'erase' ? undefined : spare.value]]));
          pieces.value = api.getFen();
        },
      },
    });
    ground.current = api;
    return () => api.destroy();
  }, []);
  const fen = () => `${pieces.value} ${side.value} ${rights.value === '' ? '-' : rights.value} - 0 1`;
  const position = readFen(fen());
  const show = (text: string) => {
    const [placed = '', turn = 'w', castling = '-'] = text.trim().split(/\s+/);
    if (typeof readFen(`${placed} w - - 0 1`) === 'string' && typeof readFen(text) === 'string' && !/^([pnbrqkPNBRQK1-8]+\/){7}/.test(placed)) return;
    ground.current?.set({ fen: placed });
    pieces.value = placed;
    side.value = turn === 'b' ? 'b' : 'w';
    rights.value = castling;
  };
  const choose = (piece: Piece, event: MouseEvent) => {
    spare.value = piece;
    ground.current?.dragNewPiece(piece, event, true);
  };
  const use = (next: 'analyze' | 'play') => openFen(fen()) && (view.value = next);
  const right = (letter: string) => {
    const all = 'KQkq'.split('').filter(each => (each === letter ? !rights.value.includes(each) : rights.value.includes(each)));
    rights.value = all.join('');
  };
  return (
    <div class="editor">
      <div class="editor-board">
        <Palette color="black" chosen={spare.value} choose={choose} />
        <div class="board-square"><div ref={element} class="ground" data-testid="editor-board" /></div>
        <Palette color="white" chosen={spare.value} choose={choose} />
      </div>
      <div class="editor-form">
        <div class="row buttons">
          <button onClick={() => show(INITIAL_FEN)}>Start</button>
          <button onClick={() => show('8/8/8/8/8/8/8/8 w - - 0 1')}>Clear</button>
          <button onClick={() => show(chess960(Math.floor(Math.random() * 960)))}>Chess960</button>
          <button onClick={() => ground.current?.toggleOrientation()}>Flip</button>
          <button aria-pressed={spare.value === 'erase'} onClick={() => (spare.value = spare.value === 'erase' ? null : 'erase')}>Erase</button>
        </div>
        <div class="segments" role="radiogroup" aria-label="To move">
          {[['w', 'White to move'], ['b', 'Black to move']].map(([value, name]) => <button key={value} role="radio" aria-checked={side.value === value} onClick={() => (side.value = value!)}>{name}</button>)}
        </div>
        <fieldset>
          <legend>Castling</legend>
          <div class="row">
            {[['K', 'White O-O'], ['Q', 'White O-O-O'], ['k', 'Black O-O'], ['q', 'Black O-O-O']].map(([letter, name]) => (
              <label key={letter} class="switch"><input type="checkbox" checked={rights.value.includes(letter!)} onChange={() => right(letter!)} /><span>{name}</span></label>
            ))}
          </div>
        </fieldset>
        <label><span>FEN</span><input type="text" value={fen()} onChange={event => show(event.currentTarget.value)} data-testid="editor-fen" /></label>
        {typeof position === 'string' && <p class="error" role="alert">{position}</p>}
        <div class="row buttons">
          <button class="primary" disabled={typeof position === 'string'} onClick={() => use('analyze')}>Analyze</button>
          <button disabled={typeof position === 'string'} onClick={() => use('play')}>Play from here</button>
          <button onClick={() => (dialog.value = null)}>Cancel</button>
        </div>
      </div>
    </div>
  );
}
