// SPDX-License-Identifier: GPL-3.0-or-later
// The rules, by chessops: positions, moves and their names.

import { Chess, normalizeMove } from 'chessops/chess';
import { chessgroundDests } from 'chessops/compat';
import { makeFen, parseFen, INITIAL_FEN } from 'chessops/fen';
import { makeSan, makeSanAndPlay } from 'chessops/san';
import { isNormal, type Color, type Role } from 'chessops/types';
import { kingCastlesTo, makeSquare, makeUci, parseSquare, parseUci } from 'chessops/util';
import { castlingSide } from 'chessops/chess';

export { INITIAL_FEN };
export type { Color, Role };
export type Key = `${'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h'}${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`;

/** The position of a FEN, or a sentence that says what is wrong with it. */
export function readFen(fen: string): Chess | string {
  const setup = parseFen(fen.trim());
  if (setup.isErr) return `This is not a FEN: ${setup.error.message}`;
  const position = Chess.fromSetup(setup.value);
  if (position.isErr) return `This position cannot occur: ${position.error.message.replace('ERR_', '').toLowerCase().replaceAll('_', ' ')}`;
  return position.value;
}

export function positionOf(fen: string): Chess {
  const position = readFen(fen);
  return typeof position === 'string' ? Chess.default() : position;
}

export interface Played {
  uci: string;
  san: string;
  fen: string;
}

/** Plays a move in UCI notation; nothing if it is not legal. */
export function playUci(fen: string, uci: string): Played | null {
  const position = positionOf(fen);
  const parsed = parseUci(uci);
  if (!parsed) return null;
  const move = normalizeMove(position, parsed);
  if (!position.isLegal(move)) return null;
  const san = makeSanAndPlay(position, move);
  return { uci: makeUci(move), san, fen: makeFen(position.toSetup()) };
}

/** A line of moves with numbers, one entry for each move. */
export function lineSans(fen: string, moves: string[]): Played[] {
  const line: Played[] = [];
  for (const uci of moves) {
    const played = playUci(line.at(-1)?.fen ?? fen, uci);
    if (!played) break;
    line.push(played);
  }
  return line;
}

export function sanOf(fen: string, uci: string): string {
  const position = positionOf(fen);
  const move = parseUci(uci);
  return move ? makeSan(position, normalizeMove(position, move)) : uci;
}

export function turnOf(fen: string): Color {
  return fen.split(' ')[1] === 'b' ? 'black' : 'white';
}

export function moveNumber(fen: string): number {
  return Number(fen.split(' ')[5] ?? 1);
}

/** The squares of a move as the board marks them: castling by where the king goes. */
export function squaresOf(fen: string, uci: string): [Key, Key] {
  const move = parseUci(uci);
  if (!move || !isNormal(move)) return ['a1', 'a1'];
  const side = castlingSide(positionOf(fen), move);
  const to = side ? kingCastlesTo(turnOf(fen), side) : move.to;
  return [makeSquare(move.from) as Key, makeSquare(to) as Key];
}

export function destsOf(fen: string): Map<Key, Key[]> {
  return chessgroundDests(positionOf(fen)) as Map<Key, Key[]>;
}

/** Whether a move of a pawn needs a piece to be chosen. */
export function isPromotion(fen: string, from: string, to: string): boolean {
  const square = parseSquare(from);
  const piece = square === undefined ? undefined : positionOf(fen).board.get(square);
  return piece?.role === 'pawn' && (to[1] === '8' || to[1] === '1');
}

export interface Ending {
  winner: Color | null;
  reason: string;
}

/** How a game has ended by itself; `earlier` are the FENs before this one. */
export function endingOf(fen: string, earlier: string[]): Ending | null {
  const position = positionOf(fen);
  if (position.isCheckmate()) return { winner: position.turn === 'white' ? 'black' : 'white', reason: 'checkmate' };
  if (position.isStalemate()) return { winner: null, reason: 'stalemate' };
  if (position.isInsufficientMaterial()) return { winner: null, reason: 'insufficient material' };
  if (position.halfmoves >= 100) return { winner: null, reason: 'fifty-move rule' };
  const key = (text: string) => text.split(' ').slice(0, 4).join(' ');
  const times = earlier.filter(other => key(other) === key(fen)).length;
  return times >= 2 ? { winner: null, reason: 'threefold repetition' } : null;
}

/** The position with the other side to move, to see what it threatens; nothing if the side to move is in check. */
export function passed(fen: string): string | null {
  const position = positionOf(fen);
  if (position.isCheck()) return null;
  const parts = fen.split(' ');
  parts[1] = parts[1] === 'w' ? 'b' : 'w';
  parts[3] = '-';
  const other = parts.join(' ');
  return typeof readFen(other) === 'string' ? null : other;
}

/** A start of Chess960 by its number, from 0 to 959. */
export function chess960(number: number): string {
  const row: (string | null)[] = Array<string | null>(8).fill(null);
  const free = () => row.flatMap((piece, i) => (piece ? [] : [i]));
  let n = number;
  row[2 * (n % 4) + 1] = 'b';
  n = Math.floor(n / 4);
  row[2 * (n % 4)] = 'b';
  n = Math.floor(n / 4);
  row[free()[n % 6]!] = 'q';
  n = Math.floor(n / 6);
  const knights: [number, number][] = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];
  const [first, second] = knights[n]!;
  const places = free();
  row[places[first]!] = 'n';
  row[places[second]!] = 'n';
  const [a, b, c] = free();
  row[a!] = 'r';
  row[b!] = 'k';
  row[c!] = 'r';
  const black = row.join('');
  return `${black}/pppppppp/8/8/8/8/PPPPPPPP/${black.toUpperCase()} w KQkq - 0 1`;
}

export type Surplus = { roles: Role[]; points: number };

const POINTS: [Role, number][] = [['queen', 9], ['rook', 5], ['bishop', 3], ['knight', 3], ['pawn', 1]];

/** The pieces that a side has more than the other, and by how many points it is ahead. */
export function surplusOf(fen: string, side: Color): Surplus {
  const { board } = positionOf(fen);
  const roles: Role[] = [];
  let points = 0;
  for (const [role, worth] of POINTS) {
    const more = board.pieces(side, role).size() - board.pieces(side === 'white' ? 'black' : 'white', role).size();
    for (let i = 0; i < more; i++) roles.push(role);
    points += more * worth;
  }
  return { roles, points };
}
