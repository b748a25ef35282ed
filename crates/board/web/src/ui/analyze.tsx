// SPDX-License-Identifier: GPL-3.0-or-later
// The analysis board.

import * as play from '../play';
import * as state from '../state';
import { set, settings } from '../settings';
import { begin, cancel, progress, review } from '../review';
import { ChanceGraph } from './graph';
import { EnginePanel } from './lines';
import { Moves } from './moves';
import { start } from './playview';
import { GameStrip } from './strip';
import { Opening, Table } from './table';
import { TablePanel } from './tables';
import type { SideReview } from '../protocol';
import { nagOf } from '../pgn';
import { turnOf, type Color } from '../rules';
import { followed } from '../watching';
import { mainline, newGame } from '../tree';

/** Goes on from the position that is shown, against an engine. */
function playOn(): void {
  play.leave();
  start.value = 'here';
  state.view.value = 'play';
}

/** Says that the game is played elsewhere at this moment. */
function LiveTag() {
  const at = followed.value;
  if (!at || at.root !== state.game.value.root) return null;
  return (
    <div class="live-tag" data-testid="following">
      <em class="live">live</em> <span>{at.run}, game {at.id}</span>
      <button onClick={() => (followed.value = null)}>Stop following</button>
    </div>
  );
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
      <button onClick={playOn} data-testid="play-on">Play from here</button>
      <button onClick={() => (state.dialog.value = 'games')}>Games</button>
    </div>
  );
}

const MARKS = [['!!', 'brilliant'], ['!', 'good'], ['?!', 'inaccuracies'], ['?', 'mistakes'], ['??', 'blunders']] as const;

/** Goes to the next move of a side that has this mark; after the last one to the first again. */
function nextMarked(color: Color, mark: string): void {
  const nag = nagOf(mark);
  const moves = mainline(state.game.value.root);
  const marked = moves.filter(each => each.nags.includes(nag) && each.parent && turnOf(each.parent.fen) === color);
  const here = moves.indexOf(state.node.value);
  state.goTo(marked.find(each => moves.indexOf(each) > here) ?? marked[0]);
}

function Side({ name, side }: { name: string; side: SideReview }) {
  return (
    <div class="side-review" data-testid={`review-${name.toLowerCase()}`}>
      <h3>{name}</h3>
      <p class="accuracy"><b>{side.accuracy === null ? '–' : `${side.accuracy.toFixed(1)} %`}</b> accuracy</p>
      <p class="hint">{side.acpl === null ? '–' : Math.round(side.acpl)} centipawns lost per move</p>
      <ul>
        {MARKS.map(([mark, text], i) => (
          <li key={mark} class={side.marks[i] ? '' : 'none'}>
            <button disabled={!side.marks[i]} onClick={() => nextMarked(name === 'White' ? 'white' : 'black', mark)}><b>{side.marks[i]}</b> {text} <span class="mark">{mark}</span></button>
          </li>
        ))}
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
  const below = state.orientation.value;
  const above = below === 'white' ? 'black' : 'white';
  return (
    <div class="layout">
      <Table above={<><LiveTag /><GameStrip side={above} /></>} below={<><GameStrip side={below} /><Opening /></>} />
      <div class="side">
        <EnginePanel />
        <TablePanel />
        <Moves />
        <Tools />
        <ReviewPanel />
      </div>
    </div>
  );
}
