// SPDX-License-Identifier: GPL-3.0-or-later
// The page: a bar above, and below it one of four views.

import { useEffect, useState } from 'preact/hooks';
import { set, settings, isDark } from '../settings';
import { another } from '../session';
import { isConnected, notice } from '../socket';
import * as state from '../state';
import { readText } from '../import';
import { AnalyzeView } from './analyze';
import { Dialogs } from './dialogs';
import { Icon } from './icon';
import { InsideView } from './inside';
import { PlayView } from './playview';
import { WatchView } from './watch';

const VIEWS: [state.View, string][] = [
  ['play', 'Play'],
  ['analyze', 'Analyze'],
  ['inside', 'Look inside'],
  ['watch', 'Watch'],
];

function Header() {
  const { sound } = settings.value;
  return (
    <header>
      <a class="brand" href="#play" onClick={event => (event.preventDefault(), (state.view.value = 'play'))}>
        <img src="/icon.svg" alt="" width="26" height="26" />
        <span>Quincunx</span>
      </a>
      <nav aria-label="Views">
        {VIEWS.map(([view, name]) => (
          <button key={view} aria-current={state.view.value === view ? 'page' : undefined} onClick={() => (state.view.value = view)}>{name}</button>
        ))}
      </nav>
      <div class="tools">
        <button class="icon wide-only" onClick={another} title="New tab with another game" aria-label="New tab"><Icon name="plus" /></button>
        <button class="icon" onClick={() => set({ sound: !sound })} aria-label="Sound" aria-pressed={sound} title={sound ? 'Sound is on' : 'Sound is off'}><Icon name={sound ? 'sound' : 'silent'} /></button>
        <button class="icon" onClick={() => set({ theme: isDark() ? 'light' : 'dark' })} aria-label={isDark() ? 'Light mode' : 'Dark mode'} title="Light or dark"><Icon name={isDark() ? 'sun' : 'moon'} /></button>
        <button class="icon" onClick={() => (state.dialog.value = 'settings')} aria-label="Settings" title="Settings"><Icon name="gear" /></button>
        <button class="icon wide-only" onClick={() => (state.dialog.value = 'help')} aria-label="Help" title="Keyboard (?)"><Icon name="help" /></button>
      </div>
    </header>
  );
}

function Main() {
  switch (state.view.value) {
    case 'play':
      return <PlayView />;
    case 'analyze':
      return <AnalyzeView />;
    case 'inside':
      return <InsideView />;
    case 'watch':
      return <WatchView />;
  }
}

/** Files and texts may be dropped anywhere on the page. */
function useDrop(): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      const types = event.dataTransfer?.types ?? [];
      if (!types.includes('Files') && !types.includes('text/plain')) return;
      event.preventDefault();
      setOver(true);
    };
    const drop = async (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer?.files[0];
      readText(file ? await file.text() : (event.dataTransfer?.getData('text/plain') ?? ''));
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const paste = (event: ClipboardEvent) => {
      if (/^(INPUT|TEXTAREA)$/.test((event.target as HTMLElement).tagName)) return;
      const text = event.clipboardData?.getData('text/plain');
      if (text) readText(text);
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
      document.removeEventListener('paste', paste);
    };
  }, []);
  return isOver;
}

export function App() {
  const isOver = useDrop();
  return (
    <div class={`app ${isOver ? 'dropping' : ''}`}>
      <Header />
      <main><Main /></main>
      <Dialogs />
      <div class="notices" aria-live="polite">
        {!isConnected.value && <div class="notice">The server cannot be reached; trying again…</div>}
        {notice.value && <div class="notice" data-testid="notice">{notice.value}</div>}
      </div>
    </div>
  );
}
