// SPDX-License-Identifier: GPL-3.0-or-later
// A game between people and engines, with clocks.

import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { Findings, Mind, Pace } from './protocol';
import { INITIAL_FEN, positionOf, turnOf, type Color } from './rules';
import { isConnected, listen, nextId, say, send } from './socket';
import { ending, game, goTo, node, open, orientation, playMove, touch, view } from './state';
import { play as sound } from './sound';
import { lineTo, newGame, type Node } from './tree';

export interface Engine {
  mind: Mind;
  pace: Pace;
}

export interface Setup {
  fen: string;
  /** Who is played by which engine; nobody if by a person. */
  engines: { white: Engine | null; black: Engine | null };
  /** Milliseconds; nothing without a clock. */
  clock: { start: number; increment: number } | null;
}

export interface Match extends Setup {
  result: string | null;
  reason: string;
  /** Milliseconds left when the side to move began to think. */
  left: { white: number; black: number };
  isPaused: boolean;
}

export const match = signal<Match | null>(null);
/** The node that the match has come to, which need not be the one that is shown. */
export const tip = signal<Node | null>(null);
/** What the engine found when it moved last. */
export const thought = signal<{ at: Node; found: Findings } | null>(null);
/** When the side to move began to think. */
const began = signal(0);
export const now = signal(Date.now());
setInterval(() => (now.value = Date.now()), 100);

let request = 0;
export const isThinking = signal(false);

export const isRunning = computed(() => match.value !== null && match.value.result === null);
export const turn = computed<Color>(() => turnOf(tip.value?.fen ?? INITIAL_FEN));

/** The side that a person plays; nothing if both or none is. */
export function humanSide(of: Match | null): Color | null {
  if (!of) return null;
  const { white, black } = of.engines;
  return white && !black ? 'black' : black && !white ? 'white' : null;
}

export function engineName(engine: Engine): string {
  const { mind, pace } = engine;
  const how = pace.kind === 'elo' ? `${pace.elo}` : pace.kind === 'nodes' ? `${pace.nodes} nodes` : pace.kind === 'time' ? `${pace.ms / 1000} s` : 'by the clock';
  const mode = mind.mode === 'alphabeta' ? '' : `, ${mind.mode}`;
  return `Quincunx (${mind.network}${mode}, ${how})`;
}

export function start(setup: Setup, from?: Node): void {
  const fresh = from ? game.value : newGame(setup.fen);
  const { headers } = fresh;
  headers.set('Event', setup.engines.white && setup.engines.black ? 'Engines' : 'Casual game');
  headers.set('Site', 'Quincunx board');
  headers.set('Date', new Date().toISOString().slice(0, 10).replaceAll('-', '.'));
  headers.set('Round', '-');
  headers.set('White', setup.engines.white ? engineName(setup.engines.white) : 'Human');
  headers.set('Black', setup.engines.black ? engineName(setup.engines.black) : 'Human');
  headers.set('Result', '*');
  if (setup.clock) headers.set('TimeControl', `${setup.clock.start / 1000}+${setup.clock.increment / 1000}`);
  else headers.delete('TimeControl');
  const time = setup.clock?.start ?? 0;
  open(fresh, from ?? fresh.root);
  tip.value = from ?? fresh.root;
  thought.value = null;
  orientation.value = humanSide({ ...setup } as Match) ?? 'white';
  began.value = Date.now();
  match.value = { ...setup, fen: from?.fen ?? setup.fen, result: null, reason: '', left: { white: time, black: time }, isPaused: false };
  view.value = 'play';
}

/** Goes on with a game after a reload. The clock stood still meanwhile. */
export function resume(kept: Match, at: Node): void {
  tip.value = at;
  began.value = Date.now();
  match.value = kept;
}

/** Milliseconds left on a clock. */
export function timeLeft(side: Color): number {
  const at = match.value;
  if (!at) return 0;
  const isTicking = at.result === null && !at.isPaused && turn.value === side && lineTo(tip.value!).length > 2;
  return Math.max(0, at.left[side] - (isTicking ? now.value - began.value : 0));
}

/** Plays a move of the match at its tip. */
export function move(uci: string): boolean {
  const at = match.value;
  if (!at || at.result !== null || !tip.value) return false;
  const mover = turn.value;
  goTo(tip.value);
  now.value = Date.now();
  const left = timeLeft(mover);
  const next = playMove(uci);
  if (!next) return false;
  // At once, so that nobody sees the clock of one position with the side to move of another.
  batch(() => {
    if (at.clock) {
      const isCounted = lineTo(next).length > 2;
      next.clock = left + (isCounted ? at.clock.increment : 0);
      match.value = { ...at, left: { ...at.left, [mover]: next.clock } };
    }
    tip.value = next;
    began.value = Date.now();
  });
  const over = ending.value;
  if (over) finish(over.winner, over.reason);
  return true;
}

export function finish(winner: Color | null, reason: string): void {
  const at = match.value;
  if (!at || at.result !== null) return;
  const result = winner === 'white' ? '1-0' : winner === 'black' ? '0-1' : '1/2-1/2';
  game.value.headers.set('Result', result);
  game.value.headers.set('Termination', reason);
  match.value = { ...at, result, reason };
  if (request) send({ type: 'stop' });
  request = 0;
  isThinking.value = false;
  sound('end');
  touch();
}

/** The same opponent again, with colors swapped. */
export function rematch(): void {
  const at = match.value;
  if (!at) return;
  const isFirst = at.fen === INITIAL_FEN;
  const engines = { white: at.engines.black, black: at.engines.white };
  start({ fen: isFirst ? INITIAL_FEN : at.fen, engines, clock: at.clock });
}

export function resign(): void {
  const human = humanSide(match.value);
  if (human) finish(human === 'white' ? 'black' : 'white', 'resignation');
}

/** The engine takes a draw if it is no better off and the game is no longer young. */
export function offerDraw(): void {
  const human = humanSide(match.value);
  const value = thought.value?.found.lines[0]?.value;
  if (!human || !tip.value) return;
  const cp = value?.mate != null ? Math.sign(value.mate) * 10_000 : (value?.cp ?? 0);
  const engines = human === 'white' ? -cp : cp;
  if (value && tip.value.ply > 40 && engines < 15) finish(null, 'agreement');
  else say('The engine declines the draw.');
}

/** Takes the last move of the person back, and the answer to it. */
export function takeBack(): void {
  const at = match.value;
  const human = humanSide(at);
  if (!at || !tip.value || at.engines.white && at.engines.black) return;
  let target = tip.value.parent;
  while (human && target && turnOf(target.fen) !== human) target = target.parent;
  if (!target) return;
  cancel();
  const after = lineTo(tip.value).find(each => each.parent === target);
  target.children = target.children.filter(child => child !== after);
  game.value.headers.set('Result', '*');
  batch(() => {
    tip.value = target;
    node.value = target;
    began.value = Date.now();
    match.value = { ...at, result: null, reason: '' };
    touch();
  });
}

export function pause(isPaused: boolean): void {
  const at = match.value;
  if (!at) return;
  if (isPaused) {
    match.value = { ...at, left: { ...at.left, [turn.value]: timeLeft(turn.value) }, isPaused };
    cancel();
  } else {
    began.value = Date.now();
    match.value = { ...at, isPaused };
  }
}

function cancel(): void {
  if (request) send({ type: 'stop' });
  request = 0;
  isThinking.value = false;
}

export function leave(): void {
  cancel();
  match.value = null;
  tip.value = null;
}

// Asks the engine whose turn it is.
effect(() => {
  if (!isConnected.value) {
    request = 0;
    isThinking.value = false;
    return;
  }
  askIfDue();
});

function askIfDue(): void {
  const at = match.value;
  const where = tip.value;
  if (!at || !where || at.result !== null || at.isPaused || request) return;
  const engine = at.engines[turn.value];
  if (engine) untracked(() => askEngine(engine, where));
}

function askEngine(engine: Engine, where: Node): void {
  request = nextId();
  isThinking.value = true;
  const moves = lineTo(where).slice(1).map(each => each.uci);
  const clock = match.value?.clock;
  const pace: Pace = engine.pace.kind === 'clock' && clock
    ? { kind: 'clock', ms: Math.round(timeLeft(turn.value)), increment: clock.increment }
    : engine.pace.kind === 'clock' ? { kind: 'time', ms: 1000 } : engine.pace;
  send({ type: 'play', id: request, place: { fen: game.value.root.fen, moves }, mind: engine.mind, pace });
}

listen(reply => {
  if (reply.type === 'error' && reply.id === request && request) {
    request = 0;
    isThinking.value = false;
    pause(true);
  }
  // Another search has taken the place of this one, which must be asked for again.
  if (reply.type === 'done' && reply.id === request && request) {
    request = 0;
    isThinking.value = false;
    setTimeout(askIfDue, 100);
  }
  if (reply.type !== 'move' || reply.id !== request) return;
  request = 0;
  isThinking.value = false;
  const isHere = node.value === tip.value;
  const shown = node.value;
  if (tip.value) {
    tip.value.value = reply.found.lines[0]?.value ?? null;
    thought.value = { at: tip.value, found: reply.found };
  }
  if (reply.mv) move(reply.mv);
  // Who looks at an earlier position goes on looking at it.
  if (!isHere) goTo(shown);
});

// A clock that has run out.
effect(() => {
  const at = match.value;
  if (!at?.clock || at.result !== null) return;
  const side = turn.value;
  if (timeLeft(side) > 0) return;
  const other = side === 'white' ? 'black' : 'white';
  const canMate = !positionOf(tip.value!.fen).hasInsufficientMaterial(other);
  untracked(() => finish(canMate ? other : null, 'time'));
});

/** Below this a clock is about to run out. */
export const LOW = 10_000;

// A warning when a person's clock gets low.
let warned: Node | null = null;
effect(() => {
  const at = match.value;
  const side = turn.value;
  if (!at?.clock || at.result !== null || at.engines[side] || at.clock.start <= 2 * LOW) return;
  const left = timeLeft(side);
  if (left > LOW) warned = null;
  else if (!warned) {
    warned = untracked(() => tip.value);
    sound('low');
  }
});

// The title tells who looks at another tab that it is their turn.
effect(() => {
  const at = match.value;
  const isTurn = at !== null && at.result === null && !at.engines[turn.value] && (at.engines.white !== null || at.engines.black !== null);
  document.title = isTurn ? 'Your turn – Quincunx' : at?.result ? `${at.result.replaceAll('1/2', '½')} – Quincunx` : 'Quincunx';
});
