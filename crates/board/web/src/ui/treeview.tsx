// SPDX-License-Identifier: GPL-3.0-or-later
// The search tree as it grows: two plies as blocks, whose height is the share of visits and whose color says who is
// better off. A click looks deeper.

import * as analysis from '../analysis';
import type { Branch } from '../protocol';
import { isOn, tree } from '../analysis';
import { lineSans, playUci, sanOf, turnOf } from '../rules';
import { settings } from '../settings';
import { node } from '../state';

const WIDTH = 480;
const HEIGHT = 300;
const LEAST = 7;

interface Block {
  key: string;
  line: string[];
  san: string;
  x: number;
  y: number;
  width: number;
  height: number;
  branch: Branch;
  share: number;
  /** Expected score of White. */
  white: number | null;
}

function blocks(fen: string, branch: Branch, line: string[], x: number, y: number, height: number, width: number, depth: number): Block[] {
  const all = branch.children.reduce((sum, child) => sum + child.visits, 0);
  if (all === 0 || depth === 0) return [];
  const isWhite = turnOf(fen) === 'white';
  const found: Block[] = [];
  let top = y;
  const sorted = [...branch.children].sort((a, b) => b.visits - a.visits);
  for (const child of sorted) {
    const tall = (height * child.visits) / all;
    if (tall < LEAST) break;
    const next = [...line, child.mv];
    const white = child.value == null ? null : isWhite ? child.value : 1 - child.value;
    found.push({ key: next.join(' '), line: next, san: sanOf(fen, child.mv), x, y: top, width, height: tall, branch: child, share: child.visits / all, white });
    const after = playUci(fen, child.mv);
    if (after) found.push(...blocks(after.fen, child, next, x + width, top, tall, width, depth - 1));
    top += tall;
  }
  return found;
}

function colorOf(white: number | null): string {
  if (white === null) return 'var(--block-neutral)';
  const edge = 2 * white - 1;
  const share = Math.round(100 * Math.min(1, Math.sqrt(Math.abs(edge)) * 1.1));
  return `color-mix(in oklab, ${edge >= 0 ? 'var(--block-white)' : 'var(--block-black)'} ${share}%, var(--block-neutral))`;
}

function Picture({ fen, line, root }: { fen: string; line: string[]; root: Branch }) {
  const list = blocks(fen, root, line, 0, 0, HEIGHT, WIDTH / 2, 2);
  return (
    <svg class="icicle" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="group" aria-label="Search tree" data-testid="icicle">
      {list.map(block => (
        <g key={block.key} class="block" role="button" tabIndex={0} aria-label={`${block.san}, ${Math.round(block.share * 100)} % of visits`}
          onClick={() => analysis.look(block.line)} onKeyDown={event => event.key === 'Enter' && analysis.look(block.line)}>
          <title>{`${block.san}: ${block.branch.visits.toLocaleString('en')} visits, ${(block.share * 100).toFixed(1)} %`}</title>
          <rect x={block.x + 1} y={block.y + 0.5} width={block.width - 2} height={Math.max(1, block.height - 1)} rx="3" fill={colorOf(block.white)} />
          {block.height >= 14 && (
            <text x={block.x + 8} y={block.y + block.height / 2 + 4} class="on-block">
              {block.san}
              <tspan class="share" dx="6">{(block.share * 100).toFixed(block.share < 0.1 ? 1 : 0)} %</tspan>
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

const percent = (value: number | null) => (value == null ? '–' : `${(100 * value).toFixed(1)}`);

function Numbers({ fen, line, root }: { fen: string; line: string[]; root: Branch }) {
  const isTree = root.children.some(child => child.prior != null);
  return (
    <div class="numbers" tabIndex={0} role="group" aria-label="Moves of the node">
      <table>
        <thead>
          <tr><th scope="col">Move</th><th scope="col">{isTree ? 'Visits' : 'Nodes'}</th>{isTree && <><th scope="col">Prior %</th><th scope="col">Value %</th><th scope="col">Draw %</th><th scope="col">Explore</th></>}</tr>
        </thead>
        <tbody>
          {[...root.children].sort((a, b) => b.visits - a.visits).slice(0, 40).map(child => (
            <tr key={child.mv}>
              <td><button class="link" onClick={() => isTree && analysis.look([...line, child.mv])}>{sanOf(fen, child.mv)}</button>{child.proof && <span class="proof">{child.proof}</span>}</td>
              <td>{child.visits.toLocaleString('en')}</td>
              {isTree && <><td>{percent(child.prior)}</td><td>{percent(child.value)}</td><td>{percent(child.draw)}</td><td>{child.explore?.toFixed(3) ?? '–'}</td></>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function TreePanel() {
  const { mode } = settings.value.mind;
  const told = tree.value?.at === node.value && isOn.value ? tree.value : null;
  const start = node.value.fen;
  const path = lineSans(start, told?.line ?? []);
  const fen = path.at(-1)?.fen ?? start;
  return (
    <section class="panel" aria-label="Search tree">
      <div class="row">
        <h2>{mode === 'alphabeta' ? 'Where alpha-beta looks' : 'The growing tree'}</h2>
        <span class="spring" />
        {told && <span class="hint">{told.node.visits.toLocaleString('en')} {mode === 'alphabeta' ? 'nodes' : 'visits'}</span>}
      </div>
      {told ? (
        <>
          {mode !== 'alphabeta' && (
            <div class="crumbs">
              <button class="link" onClick={() => analysis.look([])}>root</button>
              {path.map((step, i) => <button key={i} class="link" onClick={() => analysis.look(told.line.slice(0, i + 1))}>{step.san}</button>)}
            </div>
          )}
          <Picture fen={fen} line={told.line} root={told.node} />
          <Numbers fen={fen} line={told.line} root={told.node} />
        </>
      ) : (
        <p class="hint">{isOn.value ? 'Waiting for the first moves…' : 'Switch the engine on to watch its search.'}</p>
      )}
    </section>
  );
}
