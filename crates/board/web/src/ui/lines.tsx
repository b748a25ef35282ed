// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's best lines. Pointing at a move shows its position, a click plays up to it.

import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import * as analysis from '../analysis';
import type { Findings, PvLine } from '../protocol';
import { lineSans, moveNumber, passed, turnOf, type Played } from '../rules';
import { choices, ending, node, playMove, scoreText, view } from '../state';
import { set, settings } from '../settings';
import { WdlBar } from './bars';
import { MiniBoard } from './mini';

const preview = signal<{ fen: string; uci: string; before: string; x: number; y: number } | null>(null);

const SHOWN = 16;

function Line({ line, fen }: { line: PvLine; fen: string }) {
  const key = line.moves.join(' ');
  const moves = useMemo(() => lineSans(fen, line.moves.slice(0, SHOWN)), [key, fen]);
  const canPlay = !analysis.isThreat.value;
  const follow = (count: number) => {
    preview.value = null;
    if (canPlay) moves.slice(0, count).forEach(move => playMove(move.uci));
  };
  return (
    <div class="pv" data-testid="pv" onMouseLeave={() => (preview.value = null)}>
      <button class={`score ${isAhead(line) ? 'for-white' : 'for-black'}`} onClick={() => follow(1)} aria-label={`Play ${moves[0]?.san ?? ''}`}>
        {scoreText(line.value)}
      </button>
      <div class="pv-moves">
        {moves.map((move, i) => (
          <span key={i}>
            {numberBefore(fen, moves, i)}
            <button class="pv-move" onClick={() => follow(i + 1)} onMouseEnter={event => show(event, moves, i, fen)} onFocus={event => show(event, moves, i, fen)}>
              {move.san}
            </button>
          </span>
        ))}
      </div>
    </div>
  );
}

function isAhead({ value }: PvLine): boolean {
  return value.mate != null ? value.mate > 0 : (value.cp ?? 0) >= 0;
}

function numberBefore(fen: string, moves: Played[], i: number): string {
  const before = i === 0 ? fen : moves[i - 1]!.fen;
  if (turnOf(before) === 'white') return `${moveNumber(before)}.`;
  return i === 0 ? `${moveNumber(before)}…` : '';
}

function show(event: MouseEvent | FocusEvent, moves: Played[], i: number, fen: string): void {
  const box = (event.target as HTMLElement).getBoundingClientRect();
  const x = Math.min(box.left, innerWidth - 240);
  const y = box.bottom + 250 > innerHeight ? box.top - 240 : box.bottom + 6;
  preview.value = { fen: moves[i]!.fen, uci: moves[i]!.uci, before: i === 0 ? fen : moves[i - 1]!.fen, x: Math.max(4, x), y };
}

const NUMBER = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

function Counts({ found }: { found: Findings }) {
  const best = found.lines[0];
  if (!best) return null;
  return (
    <div class="counts" data-testid="counts">
      <span>depth <b>{best.depth}</b>/{best.seldepth}</span>
      <span><b>{NUMBER.format(found.nodes)}</b> nodes</span>
      <span><b>{NUMBER.format(found.nps)}</b>/s</span>
      <span>{(found.time / 1000).toFixed(1)} s</span>
      <span>{found.threads} {found.threads === 1 ? 'thread' : 'threads'}</span>
    </div>
  );
}

export function MindChoice() {
  const { mind } = settings.value;
  return (
    <>
      <label>
        <span>Network</span>
        <select value={mind.network} aria-label="Network" onChange={event => set({ mind: { ...mind, network: event.currentTarget.value } })}>
          {choices.value.networks.map(name => <option key={name}>{name}</option>)}
        </select>
      </label>
      <label>
        <span>Search</span>
        <select value={mind.mode} aria-label="Search" onChange={event => set({ mind: { ...mind, mode: event.currentTarget.value } })}>
          {choices.value.modes.map(name => <option key={name} value={name}>{modeName(name)}</option>)}
        </select>
      </label>
    </>
  );
}

export function modeName(mode: string): string {
  return { alphabeta: 'Alpha-beta', mcts: 'Tree search', classic: 'Classic tree' }[mode] ?? mode;
}

export function EnginePanel() {
  const { lines } = settings.value;
  const found = analysis.shown.value;
  const at = node.value;
  const fen = analysis.isThreat.value ? (passed(at.fen) ?? at.fen) : at.fen;
  return (
    <section class="panel engine" aria-label="Engine">
      <div class="row">
        <label class="switch">
          <input type="checkbox" role="switch" checked={analysis.isOn.value} onChange={analysis.toggle} data-testid="engine-switch" />
          <span>Engine</span>
        </label>
        <MindChoice />
        <label>
          <span>Lines</span>
          <select value={String(lines)} aria-label="Lines" onChange={event => set({ lines: Number(event.currentTarget.value) })}>
            {[1, 2, 3, 4, 5].map(count => <option key={count}>{count}</option>)}
          </select>
        </label>
        {view.value === 'analyze' && (
          <button class={`quiet ${analysis.isThreat.value ? 'on' : ''}`} aria-pressed={analysis.isThreat.value} onClick={analysis.toggleThreat} title="What is the threat? (x)">Threat</button>
        )}
      </div>
      <div class="pvs">
        {ending.value ? <p class="hint">The game is over: {ending.value.reason}.</p> : null}
        {analysis.isWaiting.value && <p class="hint">Other tabs use all threads; this search waits for one.</p>}
        {found && analysis.isOn.value && !ending.value ? (
          <>
            <WdlBar wdl={found.lines[0]?.value.wdl ?? [0, 0, 0]} />
            <Counts found={found} />
            {found.lines.map(each => <Line key={each.rank} line={each} fen={fen} />)}
          </>
        ) : (
          !analysis.isOn.value && <p class="hint">The engine is off. Press <kbd>l</kbd> or the switch.</p>
        )}
      </div>
      {preview.value && (
        <div class="preview" style={{ left: `${preview.value.x}px`, top: `${preview.value.y}px` }}>
          <MiniBoard {...preview.value} />
        </div>
      )}
    </section>
  );
}
