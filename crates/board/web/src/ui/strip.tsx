// SPDX-License-Identifier: GPL-3.0-or-later
// A player beside the board: name, clock, and the pieces that are more than the other's.

import * as play from '../play';
import { surplusOf, turnOf, type Color } from '../rules';
import * as state from '../state';
import { clockOf, followedBoard } from '../watching';

export function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (ms < play.LOW) return (ms / 1000).toFixed(1);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** The pieces that a side is ahead, and by how much. */
function Surplus({ side }: { side: Color }) {
  const { roles, points } = surplusOf(state.node.value.fen, side);
  if (roles.length === 0) return null;
  const taken = side === 'white' ? 'black' : 'white';
  const text = `ahead by ${roles.join(', ')}`;
  return (
    <span class="surplus" role="img" aria-label={text} title={text} data-testid={`surplus-${side}`}>
      {roles.map((role, i) => <span key={i} class={`cg-wrap tiny ${roles[i - 1] && roles[i - 1] !== role ? 'next' : ''}`}><piece class={`${taken} ${role}`} /></span>)}
      {points > 0 && <b>+{points}</b>}
    </span>
  );
}

interface Props {
  side: Color;
  name: string;
  clock: number | null;
  isTurn: boolean;
  isThinking?: boolean;
  points?: string;
}

function Strip({ side, name, clock, isTurn, isThinking, points }: Props) {
  return (
    <div class={`strip ${isTurn ? 'turn' : ''}`} data-testid={`player-${side}`}>
      <span class={`disc ${side}`} aria-hidden="true" />
      {points && <b class="points">{points}</b>}
      <span class="name" title={name}>{name}</span>
      <Surplus side={side} />
      {isThinking && <span class="thinking" role="img" aria-label="thinking"><i /><i /><i /></span>}
      {clock !== null && <time class={`clock ${clock < play.LOW ? 'low' : ''}`}>{clockText(clock)}</time>}
    </div>
  );
}

/** A side of the game that is played here. */
export function PlayerStrip({ side }: { side: Color }) {
  const at = play.match.value;
  const engine = at?.engines[side];
  const isTurn = play.isRunning.value && play.turn.value === side;
  const name = !at ? (side === 'white' ? 'White' : 'Black') : engine ? play.engineName(engine) : at.engines.white || at.engines.black ? 'You' : side === 'white' ? 'White' : 'Black';
  return <Strip side={side} name={name} isTurn={isTurn} isThinking={isTurn && play.isThinking.value} clock={at?.clock ? play.timeLeft(side) : null} />;
}

const POINTS: Record<string, Record<Color, string>> = {
  '1-0': { white: '1', black: '0' }, '0-1': { white: '0', black: '1' }, '1/2-1/2': { white: '½', black: '½' },
};

/** A side of the game that is analyzed; nothing if nobody has said who played it. */
export function GameStrip({ side }: { side: Color }) {
  void state.revision.value;
  const { headers } = state.game.value;
  const known = (key: string) => headers.get(key)?.replace(/^\?$/, '') ?? '';
  if (!known('White') && !known('Black')) return null;
  const key = side === 'white' ? 'White' : 'Black';
  const rating = known(`${key}Elo`);
  const name = `${[known(`${key}Title`), known(key) || key].filter(Boolean).join(' ')}${rating ? ` (${rating})` : ''}`;
  const live = followedBoard();
  const isTurn = turnOf(state.node.value.fen) === side && !state.ending.value;
  const isLast = state.node.value.children.length === 0;
  const clock = live && isLast ? clockOf(live, side, play.now.value) : state.clockAt(side);
  return <Strip side={side} name={name} isTurn={live !== undefined && isTurn} clock={clock} points={POINTS[known('Result')]?.[side]} />;
}
