// SPDX-License-Identifier: GPL-3.0-or-later
// The game on the board, where one is in it, and what is shown.

import { computed, signal } from '@preact/signals';
import type { Choices, Place, Value } from './protocol';
import { glyphOf } from './pgn';
import { endingOf, turnOf, type Color } from './rules';
import { play as sound } from './sound';
import { addMove, lineTo, mainline, movesTo, newGame, type Game, type Node } from './tree';

export type View = 'play' | 'analyze' | 'inside' | 'watch';
export type Dialog = 'help' | 'import' | 'export' | 'editor' | 'games' | 'settings' | 'comment' | null;

export const view = signal<View>('play');
export const dialog = signal<Dialog>(null);
export const choices = signal<Choices>({ networks: [], modes: ['alphabeta'], minElo: 1000, maxElo: 3200, threads: 1, runs: false, tables: 0 });

export const game = signal<Game>(newGame());
export const node = signal<Node>(game.value.root);
/** Counts changes inside of the game, which is changed in place. */
export const revision = signal(0);
export const orientation = signal<Color>('white');
/** Bumped when the board must show the position again, although it is the same. */
export const redraw = signal(0);

export const line = computed(() => (revision.value, lineTo(node.value)));
export const ending = computed(() => {
  const fens = line.value.map(each => each.fen);
  return endingOf(node.value.fen, fens.slice(0, -1));
});

export function touch(): void {
  revision.value += 1;
}

export function place(at: Node): Place {
  return { fen: game.value.root.fen, moves: movesTo(at) };
}

export function mainPlace(): Place {
  const moves = mainline(game.value.root).map(each => each.uci);
  return { fen: game.value.root.fen, moves };
}

/** Shows another game. */
export function open(next: Game, at: Node = next.root): void {
  game.value = next;
  node.value = at;
  touch();
}

export function goTo(next: Node | null | undefined): void {
  if (!next || next === node.value) return;
  const isStep = next.parent === node.value;
  node.value = next;
  if (isStep) soundOf(next);
}

export function soundOf(at: Node): void {
  sound(at.san.endsWith('#') ? 'end' : at.san.endsWith('+') ? 'check' : at.san.includes('x') ? 'capture' : 'move');
}

/** Plays a move in the position that is shown; nothing if it is not legal. */
export function playMove(uci: string): Node | null {
  const next = addMove(node.value, uci);
  if (!next) {
    redraw.value += 1;
    return null;
  }
  touch();
  goTo(next);
  return next;
}

export const first = () => goTo(game.value.root);
export const last = () => goTo(mainline(node.value).at(-1));
export const back = () => goTo(node.value.parent);
export const forth = () => goTo(node.value.children[0]);

/** The next or previous variation at this point. */
export function sideways(step: number): void {
  const siblings = node.value.parent?.children ?? [];
  goTo(siblings[siblings.indexOf(node.value) + step]);
}

/** Into the variation that begins here, or out of it to where it begins. */
export function intoVariation(): void {
  goTo(node.value.children[1] ?? node.value.children[0]);
}

export function outOfVariation(): void {
  let at: Node | null = node.value;
  while (at?.parent && at.parent.children[0] === at) at = at.parent;
  goTo(at?.parent ?? game.value.root);
}

export function flip(): void {
  orientation.value = orientation.value === 'white' ? 'black' : 'white';
}

/** The clock of a side where the game is shown; nothing if the game tells none. */
export function clockAt(side: Color): number | null {
  const isOwn = (each: Node) => each.parent !== null && turnOf(each.parent.fen) === side;
  return line.value.findLast(each => each.clock !== null && isOwn(each))?.clock ?? null;
}

export function marksOf(at: Node): string {
  return at.nags.map(glyphOf).join('');
}

export function scoreText(value: Value | null | undefined): string {
  if (!value) return '';
  if (value.mate != null) return value.mate === 0 ? '#' : `#${value.mate}`;
  const pawns = (value.cp ?? 0) / 100;
  return `${pawns > 0 ? '+' : pawns < 0 ? '−' : ''}${Math.abs(pawns).toFixed(Math.abs(pawns) >= 10 ? 1 : 2)}`;
}

/** White's winning chance from 0 to 1, by the formula that Lichess uses. */
export function chanceOf(value: Value): number {
  if (value.mate === 0) return value.wdl[0] > 0 ? 1 : 0;
  const cp = value.mate != null ? Math.sign(value.mate) * (21 - Math.min(10, Math.abs(value.mate))) * 100 : (value.cp ?? 0);
  return 1 / (1 + Math.exp(-0.00368208 * Math.max(-1000, Math.min(1000, cp))));
}
