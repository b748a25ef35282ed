// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs over a game, by uPlot: a click goes to the move.

import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { Opinion } from '../protocol';
import { isDark } from '../settings';
import { chanceOf, game, goTo, node, revision } from '../state';
import { lineTo, mainline } from '../tree';
import type { Review } from '../review';

export interface Curve {
  name: string;
  color: string;
  values: (number | null)[];
  fill?: boolean;
  marks?: { ply: number; color: string }[];
}

interface Props {
  curves: Curve[];
  label: string;
  height: number;
}

function styles() {
  const style = getComputedStyle(document.documentElement);
  return { text: style.getPropertyValue('--muted'), line: style.getPropertyValue('--line'), strong: style.getPropertyValue('--accent') };
}

function draw(element: HTMLElement, { curves, height }: Props): uPlot {
  const { text, line, strong } = styles();
  const count = Math.max(...curves.map(curve => curve.values.length));
  const plies = Array.from({ length: count }, (_, i) => i);
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: '11px system-ui' };
  const here = (plot: uPlot) => {
    const { ctx, bbox } = plot;
    const ply = lineTo(node.value).length - 1;
    const x = plot.valToPos(ply, 'x', true);
    const middle = plot.valToPos(50, 'y', true);
    ctx.save();
    ctx.strokeStyle = line;
    ctx.beginPath();
    ctx.moveTo(bbox.left, middle);
    ctx.lineTo(bbox.left + bbox.width, middle);
    ctx.stroke();
    ctx.strokeStyle = strong;
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    for (const curve of curves) {
      for (const { ply: at, color } of curve.marks ?? []) {
        ctx.fillStyle = color;
        ctx.beginPath();
        ctx.arc(plot.valToPos(at, 'x', true), plot.valToPos(curve.values[at] ?? 50, 'y', true), 4 * devicePixelRatio, 0, 7);
        ctx.fill();
      }
    }
    ctx.restore();
  };
  const options: uPlot.Options = {
    width: element.clientWidth,
    height,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: { x: { time: false, range: [0, Math.max(1, count - 1)] }, y: { range: [0, 100] } },
    axes: [
      { ...axis, size: 24, values: (_, splits) => splits.map(ply => (ply % 1 ? '' : `${Math.floor(ply / 2) + 1}`)) },
      { ...axis, size: 40, splits: () => [0, 25, 50, 75, 100], values: (_, splits) => splits.map(value => `${value} %`) },
    ],
    series: [
      {},
      ...curves.map(curve => ({ label: curve.name, stroke: curve.color, width: 2, points: { show: false }, ...(curve.fill ? { fill: `${curve.color}33` } : {}) })),
    ],
    hooks: { draw: [here] },
  };
  return new uPlot(options, [plies, ...curves.map(curve => curve.values)], element);
}

export function Graph(props: Props) {
  const element = useRef<HTMLDivElement>(null);
  const dark = isDark();
  const key = JSON.stringify(props.curves.map(curve => [curve.name, curve.values]));
  useEffect(() => {
    const box = element.current!;
    const plot = draw(box, props);
    const end = effect(() => {
      void [node.value, revision.value];
      plot.redraw(false);
    });
    const observer = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: props.height }));
    observer.observe(box);
    const go = () => {
      const ply = plot.cursor.idx;
      if (ply != null) goTo([game.value.root, ...mainline(game.value.root)][ply]);
    };
    plot.over.addEventListener('click', go);
    return () => {
      end();
      observer.disconnect();
      plot.destroy();
    };
  }, [key, dark]);
  return <div ref={element} class="graph" role="img" aria-label={props.label} data-testid="graph" />;
}

const MARK_COLORS: Record<string, string> = { '??': '#c4372b', '?': '#d9792b', '?!': '#c7a016', '!': '#3d7d2c', '!!': '#1f8a94' };

export function ChanceGraph({ review }: { review: Review }) {
  const values = [100 * chanceOf(review.start), ...review.moves.map(move => move.chance)];
  const marks = review.moves.flatMap((move, i) => (move.mark ? [{ ply: i + 1, color: MARK_COLORS[move.mark] ?? '#888' }] : []));
  const color = isDark() ? '#58b3bd' : '#1f6f78';
  return <Graph curves={[{ name: 'White', color, values, fill: true, marks }]} label="White's winning chance after each move" height={150} />;
}

export const NETWORK_COLORS: Record<string, string> = {
  house: '#1f8a94', nectar: '#c98a12', rengar: '#8a5cc2', napoleon: '#c4372b', tal: '#3d7d2c', batu: '#3a6fd0', material: '#7d7d7d',
};

export function JudgesGraph({ opinions }: { opinions: Opinion[] }) {
  const curves = opinions.map(({ network, values }) => ({
    name: network,
    color: NETWORK_COLORS[network] ?? '#888888',
    values: values.map(value => 100 * chanceOf(value)),
  }));
  return <Graph curves={curves} label="White's winning chance after each move as each network judges it" height={190} />;
}
