// SPDX-License-Identifier: GPL-3.0-or-later
// The analysis board.

import * as play from '../play';
import * as state from '../state';
import { set, settings } from '../settings';
import { begin, cancel, progress, review } from '../review';
import { ChanceGraph } from './graph';
import { EnginePanel } from './lines';
import { Moves } from './moves';
import { Opening, Table } from './table';
import type { SideReview } from '../protocol';
import { newGame } from '../tree';

function Players() {
  void state.revision.value;
  const { headers } = state.game.value;
  const [white, black, result] = ['White', 'Black', 'Result'].map(key => headers.get(key));
  if ((!white || white === '?') && (!black || black === '?')) return null;
  return <div class="players"><b>{white}</b> – <b>{black}</b> {result && result !== '*' ? <span>{result.replaceAll('1/2', '½')}</span> : null}</div>;
}

function Tools() {
  const fresh = () => {
    play.leave();
    state.open(newGame());
  };
  return (
    <div class="row buttons">
      <button onClick={fresh}>New</button>
      <button onClick={() => (state.dialog.value = 'import')}>Import</button>
      <button onClick={() => (state.dialog.value = 'export')}>Export</button>
      <button onClick={() => (state.dialog.value = 'editor')}>Set up board</button>
      <button onClick={() => (state.dialog.value = 'games')}>Games</button>
    </div>
  );
}

const MARKS = [['!!', 'brilliant'], ['!', 'good'], ['?!', 'inaccuracies'], ['?', 'mistakes'], ['??', 'blunders']] as const;

function Side({ name, side }: { name: string; side: SideReview }) {
  return (
    <div class="side-review" data-testid={`review-${name.toLowerCase()}`}>
      <h3>{name}</h3>
      <p class="accuracy"><b>{side.accuracy === null ? '–' : `${side.accuracy.toFixed(1)} %`}</b> accuracy</p>
      <p class="hint">{side.acpl === null ? '–' : Math.round(side.acpl)} centipawns lost per move</p>
      <ul>
        {MARKS.map(([mark, text], i) => <li key={mark} class={side.marks[i] ? '' : 'none'}><b>{side.marks[i]}</b> {text} <span class="mark">{mark}</span></li>)}
      </ul>
    </div>
  );
}

function ReviewPanel() {
  void state.revision.value;
  const at = progress.value;
  const done = review.value?.root === state.game.value.root ? review.value : null;
  const hasMoves = state.game.value.root.children.length > 0;
  return (
    <section class="panel review" aria-label="Review">
      <div class="row">
        <h2>Review</h2>
        <span class="spring" />
        {!at && (
          <>
            <label>
              <span>Effort</span>
              <select aria-label="Effort" value={String(settings.value.reviewNodes)} onChange={event => set({ reviewNodes: Number(event.currentTarget.value) })}>
                <option value="20000">quick</option>
                <option value="100000">normal</option>
                <option value="1000000">deep</option>
              </select>
            </label>
            <button class="primary" disabled={!hasMoves} onClick={() => void begin()} data-testid="review">{done ? 'Review again' : 'Review the game'}</button>
          </>
        )}
        {at && <button onClick={cancel}>Cancel</button>}
      </div>
      {at && <progress value={at.done} max={at.all} aria-label="Review" data-testid="progress" />}
      {done && (
        <>
          <ChanceGraph review={done} />
          <div class="sides"><Side name="White" side={done.sides[0]} /><Side name="Black" side={done.sides[1]} /></div>
        </>
      )}
      {!done && !at && <p class="hint">Every move judged, with the better line where there was one.</p>}
    </section>
  );
}

export function AnalyzeView() {
  return (
    <div class="layout">
      <Table above={<Players />} below={<Opening />} />
      <div class="side">
        <EnginePanel />
        <Moves />
        <Tools />
        <ReviewPanel />
      </div>
    </div>
  );
}
