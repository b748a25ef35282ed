// SPDX-License-Identifier: GPL-3.0-or-later
// The moves with variations and comments.

import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { glyphOf } from '../pgn';
import { isWide, settings } from '../settings';
import * as state from '../state';
import { Icon } from './icon';
import { isMainline, promote, remove, type Node } from '../tree';

const menu = signal<{ node: Node; x: number; y: number } | null>(null);

function openMenu(event: MouseEvent, node: Node): void {
  event.preventDefault();
  menu.value = at(node, event.clientX, event.clientY);
}

/** Opens the menu after a long touch, where there is no right button. */
function touchMenu(node: Node) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => clearTimeout(timer);
  const start = (event: TouchEvent) => {
    const { clientX, clientY } = event.touches[0]!;
    timer = setTimeout(() => (menu.value = at(node, clientX, clientY)), 500);
  };
  return { onTouchStart: start, onTouchEnd: end, onTouchMove: end, onTouchCancel: end };
}

function at(node: Node, x: number, y: number) {
  return { node, x: Math.min(x, innerWidth - 190), y: Math.min(y, innerHeight - 210) };
}

/** A move that can be clicked; the list follows the one that is shown. */
function MoveButton({ node, withValue = false }: { node: Node; withValue?: boolean }) {
  // Nodes are changed in place: what shows them has to listen itself.
  void state.revision.value;
  const isCurrent = state.node.value === node;
  const element = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const box = element.current?.closest('.moves');
    if (!isCurrent || !box || !element.current) return;
    const [own, around] = [element.current.getBoundingClientRect(), box.getBoundingClientRect()];
    if (own.top < around.top + 4 || own.bottom > around.bottom - 4) {
      box.scrollBy({ top: own.top - around.top - box.clientHeight / 2 });
    }
  }, [isCurrent]);
  const marks = node.nags.map(glyphOf).join('');
  const kind = node.nags.find(nag => nag <= 6);
  const isShown = withValue && (state.view.value !== 'play' || settings.value.thoughts);
  const value = isShown ? state.scoreText(node.value) : '';
  return (
    <>
      <button ref={element} class={`move ${isCurrent ? 'current' : ''} ${kind ? `nag-${kind}` : ''}`} aria-current={isCurrent ? 'true' : undefined}
        onClick={() => state.goTo(node)} onContextMenu={event => openMenu(event, node)} {...touchMenu(node)}>
        {node.san}{marks}
      </button>
      {value && <span class="move-value">{value}</span>}
    </>
  );
}

function Move({ node, withNumber }: { node: Node; withNumber: boolean }) {
  void state.revision.value;
  const isWhite = node.ply % 2 === 1;
  const number = Math.ceil(node.ply / 2);
  return (
    <>
      <span class="ply">
        {(isWhite || withNumber) && <span class="number">{number}{isWhite ? '.' : '…'}</span>}
        <MoveButton node={node} />
      </span>{' '}
      {node.comments.map((text, i) => <span key={i} class="comment">{text}</span>)}
    </>
  );
}

/** The main line in two columns, with what is said about a move and its variations below it. */
function Columns({ root }: { root: Node }) {
  void state.revision.value;
  const parts = [];
  let isOpen = false;
  for (let from = root; from.children.length > 0; from = from.children[0]!) {
    const [main, ...variations] = from.children;
    if (!main) break;
    const isWhite = main.ply % 2 === 1;
    if (isWhite || !isOpen) {
      parts.push(<span key={`n${main.id}`} class="index">{Math.ceil(main.ply / 2)}</span>);
      if (!isWhite) parts.push(<span key={`e${main.id}`} class="cell none">…</span>);
    }
    parts.push(<span key={main.id} class={`cell ${state.node.value === main ? 'here' : ''}`}><MoveButton node={main} withValue /></span>);
    isOpen = isWhite;
    if (main.comments.length === 0 && variations.length === 0) continue;
    if (isWhite && main.children.length > 0) parts.push(<span key={`f${main.id}`} class="cell none">…</span>);
    parts.push(
      <div key={`i${main.id}`} class="interrupt">
        {main.comments.map((text, i) => <p key={i} class="comment">{text}</p>)}
        {variations.map(variation => <div key={variation.id} class="variation"><Line from={from} first={variation} depth={1} /></div>)}
      </div>,
    );
    isOpen = false;
  }
  return <div class="columns">{parts}</div>;
}

/** The moves after a node: the main continuation, and each variation in a box of its own. */
function Line({ from, depth, first }: { from: Node; depth: number; first?: Node }) {
  void state.revision.value;
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
    state.goTo(node);
    state.dialog.value = 'comment';
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
        {isWide.value && settings.value.moves === 'columns' ? <Columns root={root} /> : <Line from={root} depth={0} />}
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
