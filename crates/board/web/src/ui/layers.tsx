// SPDX-License-Identifier: GPL-3.0-or-later
// The hidden layers of a network as rows of shaded cells.

import { useEffect, useRef } from 'preact/hooks';
import type { LayerView, View } from '../protocol';
import { isDark } from '../settings';

const CELL = 6;

function draw(canvas: HTMLCanvasElement, values: number[], dark: boolean): void {
  const columns = Math.max(1, Math.floor(canvas.clientWidth / CELL));
  const rows = Math.ceil(values.length / columns);
  const scale = devicePixelRatio;
  canvas.height = rows * CELL * scale;
  canvas.width = canvas.clientWidth * scale;
  canvas.style.height = `${rows * CELL}px`;
  const context = canvas.getContext('2d')!;
  context.scale(scale, scale);
  const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 1e-9);
  values.forEach((value, i) => {
    const strength = Math.sqrt(Math.abs(value) / most);
    const [hue, light] = [value >= 0 ? 186 : 14, dark ? 18 + 47 * strength : 93 - 55 * strength];
    context.fillStyle = `hsl(${hue} ${20 + 50 * strength}% ${light}%)`;
    context.fillRect((i % columns) * CELL, Math.floor(i / columns) * CELL, CELL - 1, CELL - 1);
  });
}

function Layer({ layer }: { layer: LayerView }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const dark = isDark();
  useEffect(() => {
    const element = canvas.current!;
    const paint = () => draw(element, layer.values, dark);
    paint();
    const observer = new ResizeObserver(paint);
    observer.observe(element.parentElement!);
    return () => observer.disconnect();
  }, [layer, dark]);
  const active = layer.values.filter(value => value !== 0).length;
  const most = layer.values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const text = `${active} of ${layer.values.length} active, largest ${most.toFixed(2)}`;
  return (
    <div class="layer">
      <div class="layer-name"><b>{layer.name}</b> <span>{text}</span></div>
      <canvas ref={canvas} role="img" aria-label={`${layer.name}: ${text}`} />
    </div>
  );
}

export function Layers({ view }: { view: View }) {
  if (view.layers.length === 0) return <p class="hint">{view.network} has no hidden layers.</p>;
  return <div class="layers" data-testid="layers">{view.layers.map(layer => <Layer key={layer.name} layer={layer} />)}</div>;
}
