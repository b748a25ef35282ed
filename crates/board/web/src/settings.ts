// SPDX-License-Identifier: GPL-3.0-or-later
// What the user has chosen, kept by the browser.

import { effect, signal } from '@preact/signals';
import type { Mind } from './protocol';

export interface Settings {
  theme: 'auto' | 'light' | 'dark';
  sound: boolean;
  /** From 0 to 1. */
  volume: number;
  board: 'wood' | 'blue' | 'green' | 'gray';
  animation: boolean;
  /** How moves are listed where there is room. */
  moves: 'columns' | 'inline';
  /** Whether the opponent's evaluation is shown while one plays. */
  thoughts: boolean;
  lines: number;
  threads: number;
  arrows: boolean;
  evalBar: boolean;
  reviewNodes: number;
  mind: Mind;
}

const KEY = 'quincunx-settings';

const DEFAULTS: Settings = {
  theme: 'auto',
  sound: true,
  volume: 0.7,
  board: 'wood',
  animation: true,
  moves: 'columns',
  thoughts: true,
  lines: 3,
  threads: 0,
  arrows: true,
  evalBar: true,
  reviewNodes: 100_000,
  mind: { network: '', mode: 'alphabeta' },
};

function load(): Settings {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept ? { ...DEFAULTS, ...kept } : DEFAULTS;
  } catch {
    return DEFAULTS;
  }
}

export const settings = signal<Settings>(load());

export function set(change: Partial<Settings>): void {
  settings.value = { ...settings.value, ...change };
}

effect(() => {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings.value));
  } catch {
    // Private windows may refuse; the settings last as long as the page then.
  }
});

const darkPreferred = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(darkPreferred.matches);
darkPreferred.addEventListener('change', event => (systemIsDark.value = event.matches));

export function isDark(): boolean {
  const { theme } = settings.value;
  return theme === 'dark' || (theme === 'auto' && systemIsDark.value);
}

effect(() => {
  document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light';
  document.documentElement.dataset['board'] = settings.value.board;
});

const wide = matchMedia('(min-width: 861px)');
export const isWide = signal(wide.matches);
wide.addEventListener('change', event => (isWide.value = event.matches));
