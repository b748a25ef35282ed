// SPDX-License-Identifier: GPL-3.0-or-later
// Runs under way or finished: matches, leagues, tunings, screens and trainings, and the games of the bot.

import { useEffect, useMemo } from 'preact/hooks';
import { openListed } from '../import';
import { listPgn } from '../pgn';
import { now } from '../play';
import type { LiveBoard, Run } from '../protocol';
import type { Color, Key } from '../rules';
import { isDark } from '../settings';
import { isConnected, send } from '../socket';
import { choices, orientation } from '../state';
import { boards, choose, chosen, clockOf, follow, runs, shown } from '../watching';
import { MiniBoard } from './mini';
import { clockText } from './strip';

function ageText(seconds: number): string {
  if (seconds < 60) return 'just now';
  if (seconds < 5400) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 129_600) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86_400)} days ago`;
}

function Games({ text }: { text: string }) {
  const games = useMemo(() => listPgn(text).reverse(), [text]);
  if (games.length === 0) return null;
  return (
    <details class="panel">
      <summary>The last {games.length} games</summary>
      <ul class="list">
        {games.slice(0, 100).map(game => <li key={game.title}><button class="link" onClick={() => openListed(game)}>{game.title}</button></li>)}
      </ul>
    </details>
  );
}

function Player({ board, side }: { board: LiveBoard; side: Color }) {
  const clock = clockOf(board, side, now.value);
  return (
    <div class="live-player">
      <span class={`disc ${side}`} aria-hidden="true" /><span class="name">{board[side]}</span>
      {side === orientation.value && board.score !== null && <span class="live-score">{board.score}</span>}
      {clock !== null && <time>{clockText(clock)}</time>}
    </div>
  );
}

/** The games of the run that are played at the moment. A click follows one on the analysis board. */
function Live() {
  if (boards.value.length === 0) return null;
  const below = orientation.value;
  return (
    <section class="live-boards" aria-label="Games under way" data-testid="live">
      {boards.value.map(board => {
        const last = board.moves.at(-1);
        const squares = last ? [last.slice(0, 2) as Key, last.slice(2, 4) as Key] : [];
        return (
          <button key={board.id} class="panel live-board" onClick={() => follow(board)} aria-label={`Follow ${board.white} – ${board.black}`}>
            <Player board={board} side={below === 'white' ? 'black' : 'white'} />
            <MiniBoard fen={board.fen} squares={squares} />
            <Player board={board} side={below} />
          </button>
        );
      })}
    </section>
  );
}

/** The page of a run in a frame that runs no scripts. */
function Page({ page, name }: { page: string; name: string }) {
  const scheme = `<meta name="color-scheme" content="${isDark() ? 'dark' : 'light'}">`;
  return <iframe title={`Report of ${name}`} sandbox="" srcdoc={page.replace('<head>', `<head>${scheme}`)} data-testid="report" />;
}

function Entry({ run }: { run: Run }) {
  return (
    <button class="run" aria-current={run.name === chosen.value ? 'true' : undefined} onClick={() => choose(run.name)}>
      <b>{run.name}</b><span>{run.kind} · {run.live ? <em class="live">live</em> : ageText(run.age)}</span>
    </button>
  );
}

function Detail() {
  if (!shown.value) {
    const text = chosen.value ? 'Drawing…' : 'Choose a run to see how it goes: its games as they are played, and its charts as they change.';
    return <p class="hint centered">{text}</p>;
  }
  const { games, page, name } = shown.value;
  return (
    <>
      <Live />
      <Games text={games} />
      {page && <Page page={page} name={name} />}
      {!page && !games && boards.value.length === 0 && <p class="hint centered">No games yet.</p>}
    </>
  );
}

export function WatchView() {
  useEffect(() => {
    if (!isConnected.value) return;
    const ask = () => send({ type: 'runs' });
    ask();
    const timer = setInterval(ask, 3000);
    return () => clearInterval(timer);
  }, [isConnected.value]);
  return (
    <div class="watch">
      <section class="panel run-list" aria-label="Runs">
        <h2>Runs</h2>
        {runs.value.length === 0 && (
          <p class="hint">{choices.value.runs ? 'No run yet.' : 'There is no folder of runs here.'} <code>quincunx match … --out runs/NAME</code> makes one; start the board beside it, or with <code>--runs DIR</code>. Games of the Lichess bot are shown with <code>--bot DIR</code>.</p>
        )}
        <ul class="list">{runs.value.map(run => <li key={run.name}><Entry run={run} /></li>)}</ul>
      </section>
      <div class="run-page"><Detail /></div>
    </div>
  );
}
