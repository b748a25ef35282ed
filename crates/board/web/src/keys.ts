// SPDX-License-Identifier: GPL-3.0-or-later
// The keyboard, as on Lichess.

import * as analysis from './analysis';
import { settings, set } from './settings';
import * as state from './state';

type Action = () => void;

const ACTIONS: Record<string, Action> = {
  ArrowLeft: state.back,
  ArrowRight: state.forth,
  ArrowUp: state.first,
  ArrowDown: state.last,
  '0': state.first,
  Home: state.first,
  $: state.last,
  End: state.last,
  j: state.forth,
  k: state.back,
  f: state.flip,
  l: analysis.toggle,
  x: analysis.toggleThreat,
  a: () => set({ arrows: !settings.value.arrows }),
  z: () => set({ evalBar: !settings.value.evalBar }),
  ' ': playBest,
  '/': () => (state.dialog.value = 'help'),
  '?': () => (state.dialog.value = state.dialog.value === 'help' ? null : 'help'),
  Escape: () => (state.dialog.value = null),
};

const SHIFTED: Record<string, Action> = {
  ArrowLeft: () => state.sideways(-1),
  ArrowRight: () => state.sideways(1),
  J: state.intoVariation,
  K: state.outOfVariation,
  I: () => set({ moves: settings.value.moves === 'columns' ? 'inline' : 'columns' }),
};

/** Plays the engine's best move where one is. */
function playBest(): void {
  if (state.view.value === 'play') return;
  const best = analysis.shown.value?.lines[0]?.moves[0];
  if (best && !analysis.isThreat.value) state.playMove(best);
  else analysis.isOn.value = true;
}

export function installKeys(): void {
  document.addEventListener('keydown', event => {
    const target = event.target as HTMLElement;
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey || (isTyping && event.key !== 'Escape')) return;
    // A button that has the focus is pressed by the space bar.
    if (event.key === ' ' && target.tagName === 'BUTTON') return;
    if (state.dialog.value && event.key !== 'Escape' && event.key !== '?') return;
    const action = event.shiftKey ? (SHIFTED[event.key] ?? ACTIONS[event.key]) : ACTIONS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
