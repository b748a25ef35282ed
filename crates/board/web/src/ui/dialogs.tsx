// SPDX-License-Identifier: GPL-3.0-or-later
// What opens over the page.

import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { choice, openListed, readText } from '../import';
import type { Kept } from '../protocol';
import { listen, say, send } from '../socket';
import { dialog, game, node, revision, view } from '../state';
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
  ['← →', 'Back, forth'], ['↑ ↓', 'First, last move'], ['Shift ← →', 'Other variation'], ['f', 'Flip the board'], ['l', 'Engine on or off'],
  ['Space', "Play the engine's best move"], ['a', 'Arrows'], ['x', 'Show the threat'], ['z', 'Evaluation bar'], ['?', 'This help'],
];

function Help() {
  return (
    <Frame title="Keyboard and mouse">
      <dl class="keys">{KEYS.map(([key, text]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{text}</dd></div>)}</dl>
      <p class="hint">Drop or paste a PGN or a FEN anywhere. Draw arrows and circles with the right mouse button. A right click on a move opens its menu.</p>
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
    case 'editor':
      return <Frame title="Set up the board"><Editor /></Frame>;
    default:
      return null;
  }
}
