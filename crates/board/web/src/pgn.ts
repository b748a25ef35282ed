// SPDX-License-Identifier: GPL-3.0-or-later
// Games as text, by chessops.

import {
  ChildNode, Node as PgnNode, makeComment, makePgn, parseComment, parsePgn, type Game as PgnGame, type PgnNodeData,
} from 'chessops/pgn';
import { makeFen, parseFen } from 'chessops/fen';
import { parseSan } from 'chessops/san';
import { makeUci } from 'chessops/util';
import { INITIAL_FEN, positionOf, readFen } from './rules';
import { addMove, newGame, type Game, type Node } from './tree';

const MAX_GAMES = 500;

export interface Listed {
  title: string;
  /** The game, or a sentence that says what is wrong with it. */
  read: () => Game | string;
}

/** The games of a text; each is read when it is wanted. */
export function listPgn(text: string): Listed[] {
  const games = parsePgn(text.replace(/^\uFEFF/, ''));
  const real = games.filter(game => game.headers.size > 0 || game.moves.children.length > 0);
  return real.slice(0, MAX_GAMES).map((game, index) => ({ title: titleOf(game.headers, index), read: () => readGame(game) }));
}

function titleOf(headers: Map<string, string>, index: number): string {
  const name = (key: string) => headers.get(key)?.replace(/^\?$/, '') || '…';
  const about = [headers.get('Result'), headers.get('Date')?.replaceAll('.??', '')].filter(text => text && text !== '?' && text !== '????');
  return `${index + 1}. ${name('White')} – ${name('Black')} ${about.join(' · ')}`;
}

function readGame(pgn: PgnGame<PgnNodeData>): Game | string {
  const fen = pgn.headers.get('FEN');
  if (fen) {
    const position = readFen(fen);
    if (typeof position === 'string') return position;
  }
  const start = fen ? parseFen(fen).unwrap(setup => makeFen(setup), () => INITIAL_FEN) : INITIAL_FEN;
  const game = newGame(start);
  game.headers = new Map(pgn.headers);
  game.root.comments = pgn.comments ?? [];
  const todo: [Node, PgnNode<PgnNodeData>][] = [[game.root, pgn.moves]];
  for (let pair = todo.pop(); pair; pair = todo.pop()) {
    const [node, from] = pair;
    for (const child of from.children) {
      const move = parseSan(positionOf(node.fen), child.data.san);
      const next = move && addMove(node, makeUci(move));
      if (!next) return `the move ${child.data.san} is not legal after ${node.san || 'the start'}.`;
      takeComments(next, child.data);
      todo.push([next, child]);
    }
  }
  return game;
}

function takeComments(node: Node, data: PgnNodeData): void {
  node.nags = data.nags ?? [];
  for (const text of [...(data.startingComments ?? []), ...(data.comments ?? [])]) {
    const comment = parseComment(text);
    if (comment.clock !== undefined) node.clock = comment.clock * 1000;
    const { evaluation } = comment;
    if (evaluation) {
      const cp = 'pawns' in evaluation ? Math.round(evaluation.pawns * 100) : null;
      node.value = { cp, mate: 'mate' in evaluation ? evaluation.mate : null, wdl: [0, 0, 0] };
    }
    if (comment.text) node.comments.push(comment.text);
  }
}

/** A game as text. */
export function writePgn(game: Game): string {
  const headers = new Map(game.headers);
  if (game.root.fen !== INITIAL_FEN) {
    headers.set('SetUp', '1');
    headers.set('FEN', game.root.fen);
  }
  const moves = new PgnNode<PgnNodeData>();
  const todo: [Node, PgnNode<PgnNodeData>][] = [[game.root, moves]];
  for (let pair = todo.pop(); pair; pair = todo.pop()) {
    const [node, to] = pair;
    for (const child of node.children) {
      const next = new ChildNode<PgnNodeData>(dataOf(child));
      to.children.push(next);
      todo.push([child, next]);
    }
  }
  return makePgn({ headers, comments: game.root.comments, moves });
}

function dataOf(node: Node): PgnNodeData {
  const { value, clock } = node;
  const evaluation =
    value?.mate != null ? { mate: value.mate } : value?.cp != null ? { pawns: value.cp / 100 } : undefined;
  const [first = '', ...rest] = node.comments;
  const comment = makeComment({ text: first, evaluation, clock: clock === null ? undefined : clock / 1000 });
  const comments = [comment, ...rest].filter(text => text !== '');
  return { san: node.san, nags: node.nags.length ? node.nags : undefined, comments: comments.length ? comments : undefined };
}

const GLYPHS: Record<number, string> = {
  1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 10: '=', 13: '∞', 14: '⩲', 15: '⩱', 16: '±', 17: '∓', 18: '+−', 19: '−+',
};

export function glyphOf(nag: number): string {
  return GLYPHS[nag] ?? '';
}

export function nagOf(glyph: string): number {
  return Number(Object.entries(GLYPHS).find(([, text]) => text === glyph)?.[0] ?? 0);
}
