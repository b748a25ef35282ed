// SPDX-License-Identifier: GPL-3.0-or-later
// The engine beside the board: what it searches, and what it has found.

import { computed, effect, signal, untracked } from '@preact/signals';
import * as play from './play';
import type { Branch, Findings, Place } from './protocol';
import { passed } from './rules';
import { settings } from './settings';
import { isConnected, listen, nextId, send } from './socket';
import { ending, node, place, view } from './state';
import type { Node } from './tree';

export const isOn = signal(false);
export const isThreat = signal(false);
export const isWaiting = signal(false);
export const isDone = signal(false);
/** What was found, and where. */
export const found = signal<{ at: Node; isThreat: boolean; found: Findings } | null>(null);
/** The tree of a tree search, or alpha-beta's moves at the root. */
export const tree = signal<{ at: Node; line: string[]; node: Branch } | null>(null);
export const focus = signal<string[]>([]);

let current = 0;
let at: Node | null = null;
/** Kept by node, so that going back shows at once what was known. */
const memory = new WeakMap<Node, Findings>();

/** What is known of the position that is shown. */
export const shown = computed(() => {
  if (found.value?.at === node.value && found.value.isThreat === isThreat.value) return found.value.found;
  return isThreat.value ? null : (memory.get(node.value) ?? null);
});

export function toggle(): void {
  isOn.value = !isOn.value;
}

export function toggleThreat(): void {
  isOn.value = true;
  isThreat.value = !isThreat.value;
}

function where(target: Node): Place | null {
  if (!isThreat.value) return place(target);
  const fen = passed(target.fen);
  return fen ? { fen, moves: [] } : null;
}

/** Whether the view that is shown has an engine. */
const isWanted = computed(
  () => isOn.value && isConnected.value && (view.value === 'analyze' || view.value === 'inside') && settings.value.mind.network !== ''
    // A tab has one search at a time, and that of a game goes first.
    && !play.isThinking.value,
);

function start(target: Node): void {
  const asked = where(target);
  at = target;
  isWaiting.value = false;
  isDone.value = false;
  if (!asked || ending.value) {
    stop();
    return;
  }
  const { mind, lines, threads } = settings.value;
  current = nextId();
  focus.value = [];
  send({ type: 'analyze', id: current, place: asked, mind, lines, threads, focus: [] });
}

export function stop(): void {
  if (current && !play.isThinking.value) send({ type: 'stop' });
  current = 0;
}

export function look(line: string[]): void {
  focus.value = line;
  send({ type: 'focus', line });
}

effect(() => {
  const { mind, lines, threads } = settings.value;
  void [mind, lines, threads, isThreat.value];
  const target = node.value;
  if (isWanted.value) untracked(() => start(target));
  else untracked(stop);
});

listen(reply => {
  if (!('id' in reply) || reply.id !== current || !at) return;
  switch (reply.type) {
    case 'info':
      isWaiting.value = false;
      if (reply.found.lines.length === 0) return;
      found.value = { at, isThreat: isThreat.value, found: reply.found };
      if (!isThreat.value) {
        memory.set(at, reply.found);
        at.value = reply.found.lines[0]?.value ?? at.value;
      }
      break;
    case 'tree':
      tree.value = { at, line: reply.line, node: reply.node };
      break;
    case 'waiting':
      isWaiting.value = true;
      break;
    case 'done':
      isDone.value = true;
  }
});
