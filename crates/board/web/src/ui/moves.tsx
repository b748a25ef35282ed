// SPDX-License-Identifier: GPL-3.0-or-later
// The moves with variations and comments.

import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { glyphOf } from '../pgn';
import * as state from '../state';
import { Icon } from './icon';
import { isMainline, promote, remove, type Node } from '../tree';

const menu = signal<{ node: Node; x: number; y: number } | null>(null);

function openMenu(event: MouseEvent, node: Node): void {
  event.preventDefault();
  menu.value = { node, x: Math.min(event.clientX, innerWidth - 190), y: Math.min(event.clientY, innerHeight - 200) };
}

function Move({ node, withNumber }: { node: Node; withNumber: boolean }) {
  const isCurrent = state.node.value === node;
  const element = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const box = element.current?.closest('.moves');
    if (!isCurrent || !box || !element.current) return;
    const { offsetTop, offsetHeight } = element.current;
    if (offsetTop < box.scrollTop || offsetTop + offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTo({ top: offsetTop - box.clientHeight / 2 });
    }
  }, [isCurrent]);
  const isWhite = node.ply % 2 === 1;
  const number = Math.ceil(node.ply / 2);
  const marks = node.nags.map(glyphOf).join('');
  const kind = node.nags.find(nag => nag <= 6);
  return (
    <>
      {(isWhite || withNumber) && <span class="number">{number}{isWhite ? '.' : '…'}</span>}
      <button ref={element} class={`move ${isCurrent ? 'current' : ''} ${kind ? `nag-${kind}` : ''}`} aria-current={isCurrent ? 'true' : undefined}
        onClick={() => state.goTo(node)} onContextMenu={event => openMenu(event, node)}>
        {node.san}{marks}
      </button>
      {node.comments.map((text, i) => <span key={i} class="comment">{text}</span>)}
    </>
  );
}

/** The moves after a node: the main continuation, and each variation in a box of its own. */
function Line({ from, depth, first }: { from: Node; depth: number; first?: Node }) {
  const parts = [];
  let needsNumber = true;
  if (first) {
    parts.push(<Move key={first.id} node={first} withNumber />);
    needsNumber = first.comments.length > 0;
  }
  for (let at = first ?? from; at.children.length > 0; at = at.children[0]!) {
    const [main, ...variations] = at.children;
    if (!main) break;
    parts.push(<Move key={main.id} node={main} withNumber={needsNumber} />);
    needsNumber = main.comments.length > 0 || variations.length > 0;
    for (const variation of variations) {
      parts.push(
        <div key={`v${variation.id}`} class="variation"><Line from={at} first={variation} depth={depth + 1} /></div>,
      );
    }
  }
  return <>{parts}</>;
}

function Menu() {
  const { node, x, y } = menu.value!;
  const act = (action: () => void) => () => {
    menu.value = null;
    action();
    state.touch();
  };
  const erase = () => {
    const parent = remove(node);
    if (parent) state.goTo(parent);
  };
  const comment = () => {
    const text = prompt(`Comment after ${node.san}`, node.comments[0] ?? '');
    if (text !== null) node.comments = text === '' ? [] : [text.replaceAll('}', ')')];
  };
  const mark = (nag: number) => {
    node.nags = [...(node.nags.includes(nag) ? [] : [nag]), ...node.nags.filter(other => other > 6)];
  };
  return (
    <div class="menu-back" onClick={() => (menu.value = null)} onContextMenu={event => (event.preventDefault(), (menu.value = null))}>
      <div class="menu" role="menu" style={{ left: `${x}px`, top: `${y}px` }}>
        <div class="menu-marks">
          {[3, 1, 5, 6, 2, 4].map(nag => <button key={nag} role="menuitem" onClick={act(() => mark(nag))}>{glyphOf(nag)}</button>)}
        </div>
        <button role="menuitem" onClick={act(comment)}>Comment…</button>
        {!isMainline(node) && <button role="menuitem" onClick={act(() => promote(node))}>Make main line</button>}
        <button role="menuitem" onClick={act(erase)}>Delete from here</button>
      </div>
    </div>
  );
}

export function Moves({ controls = true }: { controls?: boolean }) {
  void state.revision.value;
  const { root } = state.game.value;
  return (
    <section class="panel moves-panel" aria-label="Moves">
      <div class="moves" data-testid="moves" tabIndex={0}>
        {root.comments.map((text, i) => <span key={i} class="comment">{text}</span>)}
        {root.children.length === 0 && <p class="hint">No moves yet. Play one on the board.</p>}
        <Line from={root} depth={0} />
      </div>
      {controls && (
        <div class="steps">
          <button aria-label="First move" onClick={state.first}><Icon name="first" /></button>
          <button aria-label="Previous move" onClick={state.back}><Icon name="back" /></button>
          <button aria-label="Next move" onClick={state.forth}><Icon name="forth" /></button>
          <button aria-label="Last move" onClick={state.last}><Icon name="last" /></button>
          <button aria-label="Flip the board" title="Flip (f)" onClick={state.flip}><Icon name="flip" /></button>
        </div>
      )}
      {menu.value && <Menu />}
    </section>
  );
}
