// SPDX-License-Identifier: GPL-3.0-or-later
// The board of Chessground, told what to show by signals.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Config } from '@lichess-org/chessground/config';
import type { DrawShape } from '@lichess-org/chessground/draw';
import { effect, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import * as analysis from '../analysis';
import * as play from '../play';
import { destsOf, isPromotion, positionOf, squaresOf, turnOf, type Key } from '../rules';
import { settings } from '../settings';
import { back, chanceOf, forth, game, line, node, orientation, playMove, redraw, view } from '../state';
import { Promotion } from './promotion';

export const promotion = signal<{ from: Key; to: Key } | null>(null);

function onMove(from: Key, to: Key, isPremove: boolean): void {
  if (!isPromotion(node.value.fen, from, to)) return enter(from + to);
  if (isPremove) return enter(`${from}${to}q`);
  promotion.value = { from, to };
}

/** A move made on the board. */
export function enter(uci: string): void {
  if (view.value === 'play' && play.isRunning.value) {
    if (!play.move(uci)) redraw.value += 1;
  } else {
    playMove(uci);
  }
}

/** Who may move the pieces. */
function movable(): 'white' | 'black' | 'both' | undefined {
  if (view.value !== 'play' || !play.match.value) return 'both';
  if (!play.isRunning.value || node.value !== play.tip.value) return undefined;
  const { white, black } = play.match.value.engines;
  return white && black ? undefined : white ? 'black' : black ? 'white' : 'both';
}

/** The position as the board wants it. */
export function configOf(): Config {
  const { fen, uci, parent } = node.value;
  const color = movable();
  const turn = turnOf(fen);
  return {
    fen,
    orientation: orientation.value,
    turnColor: turn,
    check: positionOf(fen).isCheck(),
    lastMove: uci && parent ? squaresOf(parent.fen, uci) : [],
    movable: { free: false, color: color === 'both' ? turn : color, dests: destsOf(fen) },
    premovable: { enabled: view.value === 'play' },
  };
}

const isCalm = matchMedia('(prefers-reduced-motion: reduce)');

const BRUSHES = {
  best: { key: 'best', color: '#1f6f78', opacity: 0.85, lineWidth: 11 },
  other: { key: 'other', color: '#1f6f78', opacity: 0.45, lineWidth: 9 },
  threat: { key: 'threat', color: '#b3372b', opacity: 0.75, lineWidth: 11 },
  better: { key: 'better', color: '#3d7d2c', opacity: 0.8, lineWidth: 10 },
};

/** Arrows for the best lines: the less a line is behind the best, the wider its arrow. */
function shapes(): DrawShape[] {
  const found = analysis.shown.value;
  if (!settings.value.arrows || view.value === 'play' || !found || !analysis.isOn.value) return [];
  const best = found.lines[0];
  return found.lines.flatMap((each, i) => {
    const uci = each.moves[0];
    if (!uci || !best) return [];
    const behind = Math.abs(chanceOf(best.value) - chanceOf(each.value));
    if (behind > 0.2) return [];
    const [orig, dest] = squaresOf(node.value.fen, uci);
    const brush = analysis.isThreat.value ? 'threat' : i === 0 ? 'best' : 'other';
    const lineWidth = i === 0 ? 11 : Math.max(4, 9 - behind * 30);
    return [{ orig, dest, brush, modifiers: { lineWidth } }];
  }).reverse();
}

/** Draws arrows on a board that has a size; one without it is about to go, or to come. */
function draw(ground: Api, arrows: DrawShape[]): void {
  ground.state.dom.bounds.clear();
  if (ground.state.dom.bounds().width > 0) ground.setAutoShapes(arrows);
}

export function Ground({ under }: { under?: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null);
  const square = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const ground: Api = Chessground(element.current!, {
      ...configOf(),
      coordinates: true,
      addDimensionsCssVarsTo: square.current!.parentElement!,
      animation: { enabled: settings.value.animation && !isCalm.matches, duration: 180 },
      highlight: { lastMove: true, check: true },
      draggable: { showGhost: true },
      movable: { ...configOf().movable, showDests: true, events: { after: (from, to, how) => onMove(from as Key, to as Key, how.premove) } },
      drawable: { enabled: true, brushes: BRUSHES as never },
    });
    const ends = [
      effect(() => {
        void [redraw.value, line.value, play.match.value, play.tip.value, game.value, promotion.value];
        ground.set({ ...configOf(), animation: { enabled: settings.value.animation && !isCalm.matches } });
        // A move that was made ahead is played as soon as it is one's turn.
        if (play.isRunning.value && ground.state.movable.color === ground.state.turnColor) {
          setTimeout(() => ground.playPremove());
        }
      }),
    ];
    // The wheel goes through the moves, as on Lichess.
    let turned = 0;
    const wheel = (event: WheelEvent) => {
      if (view.value === 'play' || event.ctrlKey) return;
      event.preventDefault();
      turned += event.deltaY;
      if (Math.abs(turned) < 30) return;
      if (turned > 0) forth();
      else back();
      turned = 0;
    };
    const box = square.current!;
    box.addEventListener('wheel', wheel, { passive: false });
    // Shapes need the board's size, which it has after the first frame.
    const frame = requestAnimationFrame(() => ends.push(effect(() => draw(ground, shapes()))));
    return () => {
      cancelAnimationFrame(frame);
      box.removeEventListener('wheel', wheel);
      ends.forEach(end => end());
      // A frame that is still to come must not draw arrows on a board without a size.
      delete ground.state.dom.elements.shapes;
      ground.destroy();
    };
  }, []);
  return (
    <div class="board-square" ref={square}>
      <div class="board-back">{under}</div>
      <div ref={element} class="ground" data-testid="board" />
      {promotion.value && <Promotion />}
    </div>
  );
}
