// SPDX-License-Identifier: GPL-3.0-or-later
// A small board that only shows a position.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import { useEffect, useRef } from 'preact/hooks';
import { squaresOf } from '../rules';
import { orientation } from '../state';

interface Props {
  fen: string;
  uci?: string;
  before?: string;
}

export function MiniBoard({ fen, uci, before }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  useEffect(() => {
    const config = {
      fen,
      orientation: orientation.value,
      lastMove: uci && before ? squaresOf(before, uci) : [],
      viewOnly: true,
      coordinates: false,
      animation: { enabled: false },
    };
    if (ground.current) ground.current.set(config);
    else ground.current = Chessground(element.current!, config);
  }, [fen, uci]);
  useEffect(() => () => ground.current?.destroy(), []);
  return <div class="mini" aria-hidden="true"><div ref={element} class="ground" /></div>;
}
