// SPDX-License-Identifier: GPL-3.0-or-later
// A small board that only shows a position.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import { useEffect, useRef } from 'preact/hooks';
import { squaresOf, type Key } from '../rules';
import { orientation } from '../state';

interface Props {
  fen: string;
  uci?: string;
  before?: string;
  /** The squares of the last move, if it is not told by `uci` and `before`. */
  squares?: Key[];
}

export function MiniBoard({ fen, uci, before, squares = [] }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  useEffect(() => {
    const config = {
      fen,
      orientation: orientation.value,
      lastMove: uci && before ? squaresOf(before, uci) : squares,
      viewOnly: true,
      coordinates: false,
      animation: { enabled: false },
    };
    if (ground.current) ground.current.set(config);
    else ground.current = Chessground(element.current!, config);
  }, [fen, uci, orientation.value]);
  useEffect(() => () => ground.current?.destroy(), []);
  return <div class="mini" aria-hidden="true"><div ref={element} class="ground" /></div>;
}
