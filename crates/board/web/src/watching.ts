// SPDX-License-Identifier: GPL-3.0-or-later
// Runs and games that are played elsewhere at the moment.

import { effect, signal } from '@preact/signals';
import * as play from './play';
import type { LiveBoard, Reply, Run, Value } from './protocol';
import { INITIAL_FEN, turnOf } from './rules';
import { isConnected, listen, say, send } from './socket';
import { game, goTo, node, open, touch, view } from './state';
import { addMove, mainline, newGame, type Game, type Node } from './tree';

export const runs = signal<Run[]>([]);
/** The run that was chosen, its page, and its boards. */
export const chosen = signal<string | null>(null);
export const shown = signal<Extract<Reply, { type: 'run' }> | null>(null);
export const boards = signal<LiveBoard[]>([]);
/** The game that is followed on the analysis board. */
export const followed = signal<{ run: string; id: string; root: Node } | null>(null);
/** When a game's last move came, by its id: its clock has run since. */
const moved = new Map<string, { moves: number; at: number }>();

export function choose(name: string): void {
  if (chosen.value === name) return;
  chosen.value = name;
  shown.value = null;
  boards.value = [];
}

/** A side's clock in a live game, which runs between messages. */
export function clockOf(board: LiveBoard, side: 'white' | 'black', now: number): number | null {
  const left = board.clocks[side === 'white' ? 0 : 1];
  const since = moved.get(board.id)?.at;
  const isTicking = turnOf(board.fen) === side && since !== undefined;
  return left === null ? null : Math.max(0, left - (isTicking ? now - since : 0));
}

/** The board of the followed game, as long as it is played. */
export function followedBoard(): LiveBoard | undefined {
  const at = followed.value;
  return at && at.root === game.value.root ? boards.value.find(board => board.id === at.id) : undefined;
}

/** Opens a live game on the analysis board, where it goes on. */
export function follow(board: LiveBoard): void {
  if (!chosen.value) return;
  play.leave();
  const live = gameOf(board);
  open(live, mainline(live.root).at(-1) ?? live.root);
  followed.value = { run: chosen.value, id: board.id, root: live.root };
  view.value = 'analyze';
}

function gameOf(board: LiveBoard): Game {
  const live = newGame(board.start || INITIAL_FEN);
  for (const [key, value] of [['Event', 'Live'], ['White', board.white], ['Black', board.black], ['Result', '*']] as const) live.headers.set(key, value);
  extend(live, board);
  return live;
}

/** Adds the moves that are new; `false` if the game went another way. */
function extend(live: Game, board: LiveBoard): boolean {
  const known = mainline(live.root);
  if (board.moves.length < known.length) return false;
  let at = known.at(-1) ?? live.root;
  for (const uci of board.moves.slice(known.length)) {
    const next = addMove(at, uci);
    if (!next) return false;
    at = next;
  }
  const before = at.parent;
  const [own, other] = turnOf(at.fen) === 'black' ? board.clocks : [board.clocks[1], board.clocks[0]];
  at.clock = own;
  if (before) before.clock = other;
  at.value = valueOf(board.score) ?? at.value;
  return true;
}

/** A score as PGN writes it. */
function valueOf(score: string | null): Value | null {
  if (score === null) return null;
  const isMate = score.startsWith('#');
  const number = Number(isMate ? score.slice(1) : score);
  return Number.isNaN(number) ? null : { cp: isMate ? null : Math.round(100 * number), mate: isMate ? number : null, wdl: [0, 0, 0] };
}

function goOn(): void {
  const at = followed.value;
  if (!at) return;
  if (game.value.root !== at.root) {
    followed.value = null;
    return;
  }
  const board = boards.value.find(each => each.id === at.id);
  if (!board) {
    followed.value = null;
    say('The game is over.');
    return;
  }
  const last = mainline(at.root).at(-1) ?? at.root;
  const wasLast = node.value === last;
  if (!extend(game.value, board)) return follow(board);
  touch();
  // Who looks at an earlier position goes on looking at it.
  if (wasLast) mainline(last).forEach(next => goTo(next));
}

listen(reply => {
  if (reply.type === 'runs') runs.value = reply.runs;
  if (reply.type === 'run' && reply.name === chosen.value) shown.value = reply;
  if (reply.type === 'live' && reply.name === chosen.value) {
    for (const { id, moves } of reply.games) {
      if (moved.get(id)?.moves !== moves.length) moved.set(id, { moves: moves.length, at: Date.now() });
    }
    boards.value = reply.games;
    goOn();
  }
});

// The server tells of one run: the one that is shown, or whose game is followed.
effect(() => {
  const wanted = view.value === 'watch' || followed.value ? chosen.value : null;
  if (isConnected.value) send({ type: 'watch', name: wanted });
});
