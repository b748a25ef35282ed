// SPDX-License-Identifier: GPL-3.0-or-later
// A game: players with clocks beside the board, and a form to begin another one.

import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import * as analysis from '../analysis';
import * as play from '../play';
import { chess960, INITIAL_FEN } from '../rules';
import { set, settings } from '../settings';
import { choices, flip, game, goTo, node, orientation, scoreText, view } from '../state';
import type { Pace } from '../protocol';
import { modeName } from './lines';
import { Moves } from './moves';
import { PlayerStrip } from './strip';
import { Opening, Table } from './table';

function Result() {
  const at = play.match.value;
  if (!at?.result) return null;
  const who = at.result === '1-0' ? 'White wins' : at.result === '0-1' ? 'Black wins' : 'Drawn';
  return <p class="result" role="status" data-testid="result"><b>{at.result.replaceAll('1/2', '½')}</b> {who}: {at.reason}</p>;
}

function Thought() {
  const at = play.thought.value;
  const best = at?.found.lines[0];
  const { thoughts } = settings.value;
  if (!at || !best) return null;
  return (
    <div class="row thought">
      <label class="switch"><input type="checkbox" role="switch" checked={thoughts} onChange={() => set({ thoughts: !thoughts })} /><span>Engine's view</span></label>
      {thoughts && <span class="hint" data-testid="thought"><b>{scoreText(best.value)}</b> at depth {best.depth}, {at.found.nodes.toLocaleString('en')} nodes</span>}
    </div>
  );
}

/** Asks again before it is done. */
function Resign() {
  const isSure = useSignal(false);
  useEffect(() => {
    if (!isSure.value) return undefined;
    const timer = setTimeout(() => (isSure.value = false), 4000);
    return () => clearTimeout(timer);
  }, [isSure.value]);
  const click = () => {
    if (isSure.value) play.resign();
    isSure.value = !isSure.value;
  };
  return <button class={isSure.value ? 'danger' : ''} onClick={click} data-testid="resign">{isSure.value ? 'Really resign?' : 'Resign'}</button>;
}

function Controls() {
  const human = play.humanSide(play.match.value);
  const isRunning = play.isRunning.value;
  const { white, black } = play.match.value!.engines;
  const analyze = () => {
    view.value = 'analyze';
    analysis.isOn.value = true;
  };
  return (
    <section class="panel">
      <Result />
      <Thought />
      <div class="row buttons">
        {!(white && black) && <button onClick={play.takeBack} data-testid="takeback">Take back</button>}
        {isRunning && human && <button onClick={play.offerDraw}>Offer a draw</button>}
        {isRunning && human && <Resign />}
        {isRunning && white && black && <button onClick={() => play.pause(!play.match.value!.isPaused)}>{play.match.value!.isPaused ? 'Go on' : 'Pause'}</button>}
        {isRunning && !(white && black) && play.match.value!.isPaused && <button onClick={() => play.pause(false)}>Go on</button>}
        <button onClick={flip}>Flip</button>
        {node.value !== play.tip.value && <button onClick={() => goTo(play.tip.value)}>To the last move</button>}
        <button onClick={analyze}>Analyze</button>
        {!isRunning && <button onClick={play.rematch} data-testid="rematch">Rematch</button>}
        {!isRunning && <button class="primary" onClick={play.leave} data-testid="new-game">New game</button>}
      </div>
    </section>
  );
}

type Seat = 'white' | 'black' | 'random' | 'engines';

interface Wish {
  network: string;
  mode: string;
  kind: Pace['kind'];
  elo: number;
  nodes: number;
  seconds: number;
}

function paceOf(wish: Wish): Pace {
  switch (wish.kind) {
    case 'elo':
      return { kind: 'elo', elo: wish.elo };
    case 'nodes':
      return { kind: 'nodes', nodes: wish.nodes };
    case 'time':
      return { kind: 'time', ms: wish.seconds * 1000 };
    case 'clock':
      return { kind: 'clock', ms: 0, increment: 0 };
  }
}

function EngineForm({ wish, onChange, title }: { wish: Wish; onChange: (wish: Wish) => void; title: string }) {
  const change = (part: Partial<Wish>) => onChange({ ...wish, ...part });
  const { networks, modes, minElo, maxElo } = choices.value;
  return (
    <fieldset>
      <legend>{title}</legend>
      <div class="grid">
        <label><span>Network</span><select value={wish.network} onChange={event => change({ network: event.currentTarget.value })}>{networks.map(name => <option key={name}>{name}</option>)}</select></label>
        <label><span>Search</span><select value={wish.mode} onChange={event => change({ mode: event.currentTarget.value })}>{modes.map(name => <option key={name} value={name}>{modeName(name)}</option>)}</select></label>
        <label><span>Strength</span>
          <select value={wish.kind} onChange={event => change({ kind: event.currentTarget.value as Wish['kind'] })}>
            <option value="elo">by rating</option><option value="nodes">by nodes</option><option value="time">by time</option><option value="clock">full, on the clock</option>
          </select>
        </label>
        {wish.kind === 'elo' && <label><span>Rating <b>{wish.elo}</b></span><input type="range" aria-label="Rating" min={minElo} max={maxElo} step={50} value={wish.elo} onInput={event => change({ elo: Number(event.currentTarget.value) })} /></label>}
        {wish.kind === 'nodes' && <label><span>Nodes a move</span><input type="number" min={1} max={100_000_000} value={wish.nodes} onInput={event => change({ nodes: Math.max(1, Math.round(Number(event.currentTarget.value))) })} /></label>}
        {wish.kind === 'time' && <label><span>Seconds a move</span><input type="number" min={0.05} max={600} step={0.05} value={wish.seconds} onInput={event => change({ seconds: Math.max(0.05, Number(event.currentTarget.value)) })} /></label>}
      </div>
    </fieldset>
  );
}

const CLOCKS: [string, string][] = [['none', 'No clock'], ['1+0', '1 + 0'], ['3+2', '3 + 2'], ['5+3', '5 + 3'], ['10+5', '10 + 5'], ['30+20', '30 + 20']];

// What was chosen last, for the next game.
const seat = signal<Seat>('white');
const clock = signal('none');
const one = signal<Wish | null>(null);
const two = signal<Wish | null>(null);
/** Where the next game starts; other views set it. */
export const start = signal<'standard' | 'chess960' | 'here'>('standard');

function Form() {
  const first = choices.value.networks[0] ?? '';
  const base: Wish = { network: first, mode: 'alphabeta', kind: 'elo', elo: 1500, nodes: 10_000, seconds: 1 };
  const [wish, other] = [one.value ?? base, two.value ?? { ...base, mode: 'mcts' }];
  const canGoOn = game.value.root.children.length > 0 || game.value.root.fen !== INITIAL_FEN;
  const begin = (event: Event) => {
    event.preventDefault();
    const engine = (from: Wish): play.Engine => ({ mind: { network: from.network || first, mode: from.mode }, pace: paceOf(from) });
    const human = seat.value === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : seat.value;
    const engines = human === 'engines' ? { white: engine(wish), black: engine(other) } : human === 'white' ? { white: null, black: engine(wish) } : { white: engine(wish), black: null };
    const fen = start.value === 'chess960' ? chess960(Math.floor(Math.random() * 960)) : INITIAL_FEN;
    const [minutes = 0, increment = 0] = clock.value.split('+').map(Number);
    const times = clock.value === 'none' ? null : { start: minutes * 60_000, increment: increment * 1000 };
    const isHere = start.value === 'here' && canGoOn;
    play.start({ fen, engines, clock: times }, isHere ? node.value : undefined);
    if (isHere) start.value = 'standard';
  };
  const SEATS: [Seat, string][] = [['white', 'White'], ['random', 'Random'], ['black', 'Black'], ['engines', 'Engines only']];
  const place = canGoOn ? start.value : start.value === 'here' ? 'standard' : start.value;
  return (
    <form class="panel new-game" onSubmit={begin} aria-label="New game">
      <h2>New game</h2>
      <div class="segments" role="radiogroup" aria-label="You play">
        {SEATS.map(([value, name]) => <button type="button" key={value} role="radio" aria-checked={seat.value === value} onClick={() => (seat.value = value)}>{name}</button>)}
      </div>
      <EngineForm title={seat.value === 'engines' ? 'White' : 'Opponent'} wish={wish} onChange={next => (one.value = next)} />
      {seat.value === 'engines' && <EngineForm title="Black" wish={other} onChange={next => (two.value = next)} />}
      <div class="grid">
        <label><span>Clock, minutes + seconds</span><select value={clock.value} onChange={event => (clock.value = event.currentTarget.value)}>{CLOCKS.map(([value, name]) => <option key={value} value={value}>{name}</option>)}</select></label>
        <label><span>Start</span>
          <select value={place} onChange={event => (start.value = event.currentTarget.value as never)}>
            <option value="standard">Usual position</option><option value="chess960">Chess960</option>{canGoOn && <option value="here">From the board</option>}
          </select>
        </label>
      </div>
      <button class="primary big" type="submit" data-testid="start">Play</button>
    </form>
  );
}

export function PlayView() {
  const below = orientation.value;
  const above = below === 'white' ? 'black' : 'white';
  return (
    <div class="layout">
      <Table bar={false} above={<PlayerStrip side={above} />} below={<><PlayerStrip side={below} /><Opening /></>} />
      <div class="side">
        {play.match.value ? <Controls /> : <Form />}
        <Moves />
      </div>
    </div>
  );
}
