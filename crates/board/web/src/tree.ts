// SPDX-License-Identifier: GPL-3.0-or-later
// A game with its variations.

import type { Value } from './protocol';
import { INITIAL_FEN, playUci } from './rules';

export interface Node {
  id: number;
  ply: number;
  fen: string;
  /** Empty at the root. */
  uci: string;
  san: string;
  parent: Node | null;
  children: Node[];
  comments: string[];
  nags: number[];
  value: Value | null;
  /** Milliseconds left on the mover's clock. */
  clock: number | null;
}

let lastId = 0;

export function newNode(parent: Node | null, fen: string, uci = '', san = ''): Node {
  const ply = parent ? parent.ply + 1 : plyOf(fen);
  return { id: ++lastId, ply, fen, uci, san, parent, children: [], comments: [], nags: [], value: null, clock: null };
}

function plyOf(fen: string): number {
  const parts = fen.split(' ');
  return 2 * (Number(parts[5] ?? 1) - 1) + (parts[1] === 'b' ? 1 : 0);
}

export interface Game {
  headers: Map<string, string>;
  root: Node;
}

export function newGame(fen = INITIAL_FEN): Game {
  return { headers: new Map(), root: newNode(null, fen) };
}

/** The node after a move, which is made if it is not there; nothing if the move is not legal. */
export function addMove(node: Node, uci: string): Node | null {
  const played = playUci(node.fen, uci);
  if (!played) return null;
  const known = node.children.find(child => child.uci === played.uci);
  if (known) return known;
  const child = newNode(node, played.fen, played.uci, played.san);
  node.children.push(child);
  return child;
}

/** The nodes from the root to this one, both included. */
export function lineTo(node: Node): Node[] {
  const line: Node[] = [];
  for (let at: Node | null = node; at; at = at.parent) line.unshift(at);
  return line;
}

/** The main line from a node on, without the node. */
export function mainline(from: Node): Node[] {
  const line: Node[] = [];
  for (let at = from.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

export function movesTo(node: Node): string[] {
  return lineTo(node).slice(1).map(each => each.uci);
}

export function isMainline(node: Node): boolean {
  return !node.parent || (node.parent.children[0] === node && isMainline(node.parent));
}

/** Makes the line that leads here the main line. */
export function promote(node: Node): void {
  for (let at: Node | null = node; at?.parent; at = at.parent) {
    const { children } = at.parent;
    children.splice(children.indexOf(at), 1);
    children.unshift(at);
  }
}

/** Takes a node and all that follows out of the game. */
export function remove(node: Node): Node | null {
  const parent = node.parent;
  parent?.children.splice(parent.children.indexOf(node), 1);
  return parent;
}

export function find(root: Node, id: number): Node | null {
  const todo = [root];
  for (let at = todo.pop(); at; at = todo.pop()) {
    if (at.id === id) return at;
    todo.push(...at.children);
  }
  return null;
}

/** The last node of a line of moves, as far as the game goes along. */
export function follow(root: Node, moves: string[]): Node {
  let node = root;
  for (const uci of moves) {
    const next = node.children.find(child => child.uci === uci);
    if (!next) break;
    node = next;
  }
  return node;
}
