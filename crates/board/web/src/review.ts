// SPDX-License-Identifier: GPL-3.0-or-later
// The review of the game, and how each network would have judged it.

import { signal } from '@preact/signals';
import * as analysis from './analysis';
import type { Judged, Opinion, SideReview, Value, View } from './protocol';
import { settings } from './settings';
import { ask, listen, nextId, say, send } from './socket';
import { game, mainPlace, place, touch } from './state';
import { nagOf } from './pgn';
import { addMove, mainline, type Node } from './tree';

export interface Review {
  root: Node;
  start: Value;
  moves: Judged[];
  sides: [SideReview, SideReview];
}

export const review = signal<Review | null>(null);
export const progress = signal<{ id: number; done: number; all: number } | null>(null);

export async function begin(): Promise<void> {
  const { root } = game.value;
  const asked = mainPlace();
  if (asked.moves.length === 0) return say('There are no moves to review.');
  analysis.isOn.value = false;
  const id = nextId();
  progress.value = { id, done: 0, all: asked.moves.length + 1 };
  const { mind, reviewNodes } = settings.value;
  try {
    const reply = await ask({ type: 'review', id, place: asked, mind, nodes: reviewNodes }, 'reviewed');
    if (game.value.root !== root) return;
    review.value = { root, start: reply.start, moves: reply.moves, sides: reply.sides };
    annotate(root, reply.moves);
  } catch (error) {
    say(String(error instanceof Error ? error.message : error));
  } finally {
    if (progress.value?.id === id) progress.value = null;
  }
}

export function cancel(): void {
  send({ type: 'stop' });
  progress.value = null;
}

listen(reply => {
  if (reply.type === 'progress' && reply.id === progress.value?.id) progress.value = reply;
  if (reply.type === 'done' && reply.id === progress.value?.id) progress.value = null;
});

/** Writes values, marks and better lines into the game. */
function annotate(root: Node, moves: Judged[]): void {
  mainline(root).forEach((node, i) => {
    const judged = moves[i];
    if (!judged || !node.parent) return;
    node.value = judged.value;
    node.nags = node.nags.filter(nag => nag > 6);
    if (judged.mark) node.nags.unshift(nagOf(judged.mark));
    let at: Node | null = node.parent;
    for (const uci of judged.better.slice(0, 6)) at = at && addMove(at, uci);
  });
  touch();
}

export const views = signal<{ at: Node; views: View[] } | null>(null);
export const opinions = signal<{ root: Node; count: number; opinions: Opinion[] } | null>(null);

export async function lookInside(at: Node): Promise<void> {
  try {
    const reply = await ask({ type: 'look', id: nextId(), place: place(at) }, 'looked');
    views.value = { at, views: reply.views };
  } catch {
    // The connection is gone; the view asks again when it is back.
  }
}

export async function askJudges(): Promise<void> {
  const { root } = game.value;
  const asked = mainPlace();
  try {
    const reply = await ask({ type: 'judges', id: nextId(), place: asked }, 'judges');
    opinions.value = { root, count: asked.moves.length, opinions: reply.opinions };
  } catch {
    opinions.value = null;
  }
}
