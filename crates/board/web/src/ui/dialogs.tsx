// SPDX-License-Identifier: GPL-3.0-or-later
// What opens over the page.

import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { choice, openListed, readText } from '../import';
import type { Kept } from '../protocol';
import { listen, say, send } from '../socket';
import { set, settings } from '../settings';
import { play as sound } from '../sound';
import { choices, dialog, game, node, revision, touch, view } from '../state';
import { writePgn } from '../pgn';
import { Editor } from './editor';
import { Icon } from './icon';

function Frame({ title, children }: { title: string; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  const close = () => (dialog.value = null);
  return (
    <dialog ref={element} aria-label={title} onClose={close} onClick={event => event.target === element.current && close()}>
      <div class="dialog-head"><h2>{title}</h2><button class="icon" aria-label="Close" onClick={close}><Icon name="close" /></button></div>
      {children}
    </dialog>
  );
}

const KEYS: [string, string][] = [
  ['← → or k j', 'Back, forth'], ['↑ ↓ or 0 $', 'First, last move'], ['Shift ← →', 'Other variation'], ['Shift J K', 'Into a variation, out of it'], ['Shift I', 'Moves in columns or as a text'], ['f', 'Flip the board'], ['l', 'Engine on or off'],
  ['Space', "Play the engine's best move"], ['a', 'Arrows'], ['x', 'Show the threat'], ['z', 'Evaluation bar'], ['?', 'This help'],
];

function Help() {
  return (
    <Frame title="Keyboard and mouse">
      <dl class="keys">{KEYS.map(([key, text]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{text}</dd></div>)}</dl>
      <p class="hint">Drop or paste a PGN or a FEN anywhere. Draw arrows and circles with the right mouse button. A right click or a long touch on a move opens its menu.</p>
    </Frame>
  );
}

function Import() {
  const text = useSignal('');
  const file = async (event: Event) => {
    const chosen = (event.currentTarget as HTMLInputElement).files?.[0];
    if (chosen) readText(await chosen.text());
  };
  useEffect(() => () => void (choice.value = []), []);
  if (choice.value.length > 0) {
    return (
      <Frame title={`${choice.value.length} games`}>
        <ul class="list tall">{choice.value.map(listed => <li key={listed.title}><button class="link" onClick={() => openListed(listed)}>{listed.title}</button></li>)}</ul>
      </Frame>
    );
  }
  return (
    <Frame title="Import">
      <label><span>A PGN or a FEN</span><textarea rows={10} value={text.value} onInput={event => (text.value = event.currentTarget.value)} data-testid="import-text" /></label>
      <div class="row buttons">
        <button class="primary" onClick={() => readText(text.value)} data-testid="import-go">Open</button>
        <label class="file"><span>or a file</span><input type="file" accept=".pgn,.fen,.txt" onChange={event => void file(event)} /></label>
      </div>
    </Frame>
  );
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say('Copied.');
  } catch {
    say('The browser does not allow copying: select the text and copy it.');
  }
}

function Export() {
  void revision.value;
  const pgn = writePgn(game.value);
  const link = `data:application/x-chess-pgn;charset=utf-8,${encodeURIComponent(pgn)}`;
  return (
    <Frame title="Export">
      <label><span>FEN of this position</span><input type="text" readOnly value={node.value.fen} data-testid="export-fen" /></label>
      <label><span>PGN</span><textarea rows={12} readOnly value={pgn} data-testid="export-pgn" /></label>
      <div class="row buttons">
        <button onClick={() => void copy(node.value.fen)}>Copy the FEN</button>
        <button class="primary" onClick={() => void copy(pgn)}>Copy the PGN</button>
        <a class="button" href={link} download="quincunx.pgn">Save as a file</a>
      </div>
    </Frame>
  );
}

function Comment() {
  const at = node.value;
  const text = useSignal(at.comments.join('\n\n'));
  const keep = () => {
    // A brace would end the comment in a PGN.
    const parts = text.value.replaceAll('}', ')').split(/\n\s*\n/);
    at.comments = parts.map(part => part.trim()).filter(part => part !== '');
    dialog.value = null;
    touch();
  };
  return (
    <Frame title={at.san ? `Comment after ${at.san}` : 'Comment before the first move'}>
      <label><span>Text</span><textarea rows={5} autoFocus value={text.value} onInput={event => (text.value = event.currentTarget.value)} data-testid="comment-text" /></label>
      <div class="row buttons">
        <button class="primary" onClick={keep} data-testid="comment-keep">Keep</button>
        <button onClick={() => (dialog.value = null)}>Cancel</button>
      </div>
    </Frame>
  );
}

function Choice<T extends string>({ name, value, all, onChange }: { name: string; value: T; all: readonly (readonly [T, string])[]; onChange: (value: T) => void }) {
  return (
    <div class="setting">
      <span>{name}</span>
      <div class="segments" role="radiogroup" aria-label={name}>
        {all.map(([each, text]) => <button key={each} type="button" role="radio" aria-checked={each === value} onClick={() => onChange(each)}>{text}</button>)}
      </div>
    </div>
  );
}

function Settings() {
  const at = settings.value;
  const threads = Array.from({ length: choices.value.threads + 1 }, (_, i) => i);
  return (
    <Frame title="Settings">
      <div class="settings">
        <Choice name="Colors" value={at.theme} all={[['auto', 'as the system'], ['light', 'light'], ['dark', 'dark']]} onChange={theme => set({ theme })} />
        <Choice name="Board" value={at.board} all={[['wood', 'wood'], ['green', 'green'], ['blue', 'blue'], ['gray', 'gray']]} onChange={board => set({ board })} />
        <Choice name="Moves" value={at.moves} all={[['columns', 'in columns'], ['inline', 'as a text']]} onChange={moves => set({ moves })} />
        <Choice name="Pieces" value={at.animation ? 'yes' : 'no'} all={[['yes', 'glide'], ['no', 'jump']]} onChange={value => set({ animation: value === 'yes' })} />
        <label class="setting"><span>Sound</span><input type="range" min={0} max={1} step={0.05} value={at.sound ? at.volume : 0} aria-label="Volume" onInput={event => loudness(Number(event.currentTarget.value))} /></label>
        <label class="setting"><span>Threads of the analysis</span>
          <select value={String(at.threads)} onChange={event => set({ threads: Number(event.currentTarget.value) })}>{threads.map(count => <option key={count} value={String(count)}>{count === 0 ? 'as the server likes' : count}</option>)}</select>
        </label>
      </div>
      <p class="hint">Settings are kept by this browser.</p>
    </Frame>
  );
}

function loudness(volume: number): void {
  set({ volume, sound: volume > 0 });
  sound('move');
}

const kept = signal<Kept[] | null>(null);
listen(reply => {
  if (reply.type === 'games') kept.value = reply.games;
  if (reply.type === 'loaded') {
    dialog.value = null;
    view.value = 'analyze';
  }
});

function Games() {
  useEffect(() => void send({ type: 'games' }), []);
  return (
    <Frame title="Games that were kept">
      {kept.value?.length === 0 && <p class="hint">None yet. Every game is kept as it is played.</p>}
      <ul class="list tall">
        {kept.value?.map(each => (
          <li key={each.session}>
            <button class="run" onClick={() => send({ type: 'load', session: each.session })}><b>{each.title}</b><span>{new Date(each.saved * 1000).toLocaleString()} · {each.plies} plies</span></button>
          </li>
        ))}
      </ul>
    </Frame>
  );
}

export function Dialogs() {
  switch (dialog.value) {
    case 'help':
      return <Help />;
    case 'import':
      return <Import />;
    case 'export':
      return <Export />;
    case 'games':
      return <Games />;
    case 'comment':
      return <Comment />;
    case 'settings':
      return <Settings />;
    case 'editor':
      return <Frame title="Set up the board"><Editor /></Frame>;
    default:
      return null;
  }
}
