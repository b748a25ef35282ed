// SPDX-License-Identifier: GPL-3.0-or-later
// What the server keeps of this tab: saved after each change, and read when the page is loaded.

import { effect, signal, untracked } from '@preact/signals';
import { isConnected, listen, send } from './socket';
import { choices, game, node, open, orientation, revision, view, type View } from './state';
import { listPgn, writePgn } from './pgn';
import * as play from './play';
import { set, settings } from './settings';
import { follow, movesTo } from './tree';

interface State {
  view?: View;
  moves?: string[];
  orientation?: 'white' | 'black';
  match?: play.Match | null;
  tip?: string[];
}

export const name = signal<string | null>(readAddress());
const isRestored = signal(false);
let isFirst = true;

function readAddress(): string | null {
  return /^#(?:[a-z]+\/)?([0-9a-f]{32})$/.exec(location.hash)?.[1] ?? null;
}

export function readView(): View | null {
  const word = /^#([a-z]+)/.exec(location.hash)?.[1];
  return word === 'play' || word === 'analyze' || word === 'inside' || word === 'watch' ? word : null;
}

effect(() => {
  if (name.value) history.replaceState(null, '', `#${view.value}/${name.value}`);
});

/** A new tab with a game of its own. */
export function another(): void {
  window.open(`${location.pathname}#${view.value}`, '_blank');
}

export function restore(pgn: string, text: string, isOwn: boolean): void {
  const read = listPgn(pgn)[0]?.read();
  if (!read || typeof read === 'string') return;
  const state = JSON.parse(text || '{}') as State;
  open(read, follow(read.root, state.moves ?? []));
  orientation.value = state.orientation ?? 'white';
  if (!isOwn) return play.leave();
  if (state.match && state.tip) play.resume(state.match, follow(read.root, state.tip));
  view.value = readView() ?? state.view ?? 'play';
}

listen(reply => {
  if (reply.type === 'loaded') restore(reply.document.pgn, reply.document.state, false);
  if (reply.type !== 'welcome') return;
  name.value = reply.session;
  choices.value = reply.choices;
  const known = reply.choices.networks.includes(settings.value.mind.network);
  if (!known) set({ mind: { ...settings.value.mind, network: reply.choices.networks[0] ?? 'material' } });
  // After a broken connection the tab knows better than the file.
  if (isFirst && reply.document) restore(reply.document.pgn, reply.document.state, true);
  isFirst = false;
  isRestored.value = true;
});

let saving: ReturnType<typeof setTimeout> | undefined;

function save(): void {
  const current = play.match.value;
  const left = current && { white: play.timeLeft('white'), black: play.timeLeft('black') };
  const state: State = {
    view: view.value,
    moves: movesTo(node.value),
    orientation: orientation.value,
    match: current && left && { ...current, left },
    tip: play.tip.value ? movesTo(play.tip.value) : [],
  };
  send({ type: 'save', document: { pgn: writePgn(game.value), state: JSON.stringify(state) } });
}

effect(() => {
  void [revision.value, node.value, orientation.value, view.value, play.match.value, play.tip.value];
  if (!isRestored.value || !isConnected.value) return;
  const isEmpty = untracked(() => game.value.root.children.length === 0 && !play.match.value);
  clearTimeout(saving);
  if (!isEmpty || game.value.headers.size > 0) saving = setTimeout(save, 250);
});
addEventListener('pagehide', () => {
  if (game.value.root.children.length > 0) save();
});
