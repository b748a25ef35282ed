// SPDX-License-Identifier: GPL-3.0-or-later
// What networks and searches see: pieces' worth, hidden layers, trees, and five opinions of one game.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { View } from '../protocol';
import { askJudges, lookInside, opinions, views } from '../review';
import { choices, chanceOf, game, line, node, orientation, revision, scoreText } from '../state';
import { isConnected } from '../socket';
import { mainline } from '../tree';
import { settings } from '../settings';
import { WdlBar } from './bars';
import { JudgesGraph, NETWORK_COLORS } from './graph';
import { Layers } from './layers';
import { EnginePanel } from './lines';
import { Moves } from './moves';
import { Opening, Table } from './table';
import { TreePanel } from './treeview';

const chosen = signal('');
const showsHeat = signal(true);

function chosenView(): View | undefined {
  const name = chosen.value || settings.value.mind.network;
  return views.value?.views.find(view => view.network === name) ?? views.value?.views[0];
}

type Cell = { square: string; worth: number; style: Record<string, string | number> };

function cells(): Cell[] {
  const view = chosenView();
  if (!view || !showsHeat.value || views.value?.at !== node.value) return [];
  return view.pieces.map(([square, worth]) => {
    const file = square.charCodeAt(0) - 97;
    const rank = Number(square[1]) - 1;
    const [x, y] = orientation.value === 'white' ? [file, 7 - rank] : [7 - file, rank];
    const strength = Math.min(0.92, 0.15 + Math.sqrt(Math.abs(worth) / 12));
    return { square, worth, style: { left: `${x * 12.5}%`, top: `${y * 12.5}%`, '--strength': strength } };
  });
}

/** The board's squares in the color of whom the piece helps, the stronger the more. */
function Heat() {
  return <div class="heat">{cells().map(({ square, worth, style }) => <div key={square} class={worth >= 0 ? 'helps-white' : 'helps-black'} style={style} />)}</div>;
}

/** What each piece is worth, in pawns. */
function Worths() {
  const text = (worth: number) => (Math.abs(worth) >= 9.95 ? String(Math.round(worth)) : worth.toFixed(1)).replace('-', '−');
  return <div class="worths" data-testid="heat" aria-hidden="true">{cells().map(({ square, worth, style }) => <span key={square} style={style}>{text(worth)}</span>)}</div>;
}

function Networks() {
  const current = chosenView();
  return (
    <section class="panel" aria-label="Networks">
      <div class="row">
        <h2>One position, {views.value?.views.length ?? choices.value.networks.length} minds</h2>
        <span class="spring" />
        <label class="switch"><input type="checkbox" role="switch" checked={showsHeat.value} onChange={() => (showsHeat.value = !showsHeat.value)} /><span>Heat map</span></label>
      </div>
      <p class="hint">What each network says of this position without any search. Choose one to see what each piece is worth to it.</p>
      <div class="minds" role="radiogroup" aria-label="Network on the board">
        {views.value?.views.map(view => (
          <button key={view.network} role="radio" aria-checked={view === current} class="mind" data-testid={`mind-${view.network}`} onClick={() => (chosen.value = view.network)}>
            <span class="mind-name"><i style={{ background: NETWORK_COLORS[view.network] ?? '#888' }} />{view.network}</span>
            <span class={`score ${chanceOf(view.value) >= 0.5 ? 'for-white' : 'for-black'}`}>{scoreText(view.value)}</span>
            <WdlBar wdl={view.value.wdl} />
            <span class="micros">{view.micros < 10 ? view.micros.toFixed(1) : Math.round(view.micros)} µs</span>
          </button>
        ))}
      </div>
      {current && <Layers view={current} />}
    </section>
  );
}

function Judges() {
  void revision.value;
  const { root } = game.value;
  const count = mainline(root).length;
  const told = opinions.value?.root === root && opinions.value.count === count ? opinions.value.opinions : null;
  useEffect(() => {
    if (isConnected.value && count > 0 && !told) void askJudges();
  }, [root, count, isConnected.value]);
  const ply = line.value.length - 1;
  if (count === 0) return null;
  return (
    <section class="panel" aria-label="Judges">
      <h2>The game as each would judge it</h2>
      <p class="hint">White's winning chance after each move, without any search. A click goes to the move.</p>
      {told && <JudgesGraph opinions={told} />}
      {told && (
        <div class="legend">
          {told.map(each => (
            <span key={each.network}><i style={{ background: NETWORK_COLORS[each.network] ?? '#888' }} />{each.network} <b>{scoreText(each.values[ply])}</b></span>
          ))}
        </div>
      )}
    </section>
  );
}

export function InsideView() {
  const at = node.value;
  useEffect(() => {
    if (isConnected.value) void lookInside(at);
  }, [at, isConnected.value]);
  return (
    <div class="layout">
      <Table under={<Heat />} overlay={<Worths />} below={<><Opening /><TreePanel /><Judges /></>} />
      <div class="side">
        <Networks />
        <Moves />
        <EnginePanel />
      </div>
    </div>
  );
}
