// SPDX-License-Identifier: GPL-3.0-or-later
// Text that comes from elsewhere: a FEN, or games.

import { signal } from '@preact/signals';
import { listPgn, type Listed } from './pgn';
import * as play from './play';
import { readFen } from './rules';
import { say } from './socket';
import { dialog, goTo, open, view } from './state';
import { mainline, newGame } from './tree';

/** The games of a text with more than one, to choose from. */
export const choice = signal<Listed[]>([]);

/** Opens what a text holds; `false` if it is not understood, which is said. */
export function readText(text: string): boolean {
  const trimmed = text.trim();
  if (!trimmed) return false;
  if (/^([pnbrqkPNBRQK1-8]+\/){7}[pnbrqkPNBRQK1-8]+(\s|$)/.test(trimmed) && !trimmed.includes('\n')) {
    return openFen(trimmed);
  }
  const games = listPgn(text);
  const [only, ...others] = games;
  if (!only) return fail('There is no game and no position in this text.');
  if (others.length === 0) return openListed(only);
  choice.value = games;
  dialog.value = 'import';
  return true;
}

export function openFen(fen: string): boolean {
  const position = readFen(fen.split(/\s+/).length === 1 ? `${fen} w - - 0 1` : fen);
  if (typeof position === 'string') return fail(position);
  play.leave();
  open(newGame(fen.split(/\s+/).length === 1 ? `${fen} w - - 0 1` : fen));
  leaveDialog();
  return true;
}

export function openListed(listed: Listed): boolean {
  const game = listed.read();
  if (typeof game === 'string') return fail(`This game cannot be read: ${game}`);
  play.leave();
  open(game);
  if (!game.headers.get('FEN')) goTo(mainline(game.root)[0]);
  leaveDialog();
  return true;
}

function leaveDialog(): void {
  dialog.value = null;
  if (view.value === 'play' || view.value === 'watch') view.value = 'analyze';
}

function fail(message: string): false {
  say(message);
  return false;
}
