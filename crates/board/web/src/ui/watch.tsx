// SPDX-License-Identifier: GPL-3.0-or-later
// Runs under way or finished: matches, leagues, tunings, screens and trainings.

import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { openListed } from '../import';
import { listPgn } from '../pgn';
import type { Reply, Run } from '../protocol';
import { isDark } from '../settings';
import { isConnected, listen, send } from '../socket';
import { choices } from '../state';

const runs = signal<Run[]>([]);
const shown = signal<Extract<Reply, { type: 'run' }> | null>(null);
const chosen = signal<string | null>(null);

listen(reply => {
  if (reply.type === 'runs') runs.value = reply.runs;
  if (reply.type === 'run' && reply.name === chosen.value) shown.value = reply;
});

function ageText(seconds: number): string {
  if (seconds < 90) return 'now';
  if (seconds < 5400) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 129_600) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86_400)} days ago`;
}

function choose(name: string): void {
  chosen.value = name;
  shown.value = null;
  send({ type: 'watch', name });
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

/** The page of a run in a frame that runs no scripts. */
function Page({ page, name }: { page: string; name: string }) {
  const scheme = `<meta name="color-scheme" content="${isDark() ? 'dark' : 'light'}">`;
  return <iframe title={`Report of ${name}`} sandbox="" srcdoc={page.replace('<head>', `<head>${scheme}`)} data-testid="report" />;
}

export function WatchView() {
  useEffect(() => {
    if (!isConnected.value) return;
    const ask = () => send({ type: 'runs' });
    ask();
    if (chosen.value) send({ type: 'watch', name: chosen.value });
    const timer = setInterval(ask, 3000);
    return () => {
      clearInterval(timer);
      send({ type: 'watch', name: null });
    };
  }, [isConnected.value]);
  return (
    <div class="watch">
      <section class="panel run-list" aria-label="Runs">
        <h2>Runs</h2>
        {runs.value.length === 0 && (
          <p class="hint">{choices.value.runs ? 'No run yet.' : 'There is no folder of runs here.'} <code>quincunx match … --out runs/NAME</code> makes one; start the board beside it, or with <code>--runs DIR</code>.</p>
        )}
        <ul class="list">
          {runs.value.map(run => (
            <li key={run.name}>
              <button class="run" aria-current={run.name === chosen.value ? 'true' : undefined} onClick={() => choose(run.name)}>
                <b>{run.name}</b><span>{run.kind} · {run.age < 90 ? <em class="live">live</em> : ageText(run.age)}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
      <div class="run-page">
        {shown.value ? <><Games text={shown.value.games} /><Page page={shown.value.page} name={shown.value.name} /></> : <p class="hint centered">{chosen.value ? 'Drawing…' : 'Choose a run to see how it goes. It is drawn again whenever it changes.'}</p>}
      </div>
    </div>
  );
}
