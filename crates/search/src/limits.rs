// SPDX-License-Identifier: GPL-3.0-or-later
//! When a search ends.

use std::num::NonZeroU32;
use std::time::Duration;

use chess::Move;

use crate::units::Points;

/// A player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left on it; zero if it has run out.
    pub remaining: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// Moves until more time comes; `None` if the time is for the whole game.
    pub moves_to_go: Option<u32>,
}

/// What ends a search: the first limit that is reached. Without any, only a stop does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Finish this depth.
    pub depth: Option<u32>,
    /// Visit at most this many nodes.
    pub nodes: Option<u64>,
    /// End when a depth is finished and this many nodes have been visited.
    pub soft_nodes: Option<u64>,
    /// Find a mate in this many moves.
    pub mate: Option<u32>,
    /// Use at most this time.
    pub move_time: Option<Duration>,
    /// End when a depth is finished and this time has passed.
    pub soft_time: Option<Duration>,
    /// Play on this clock.
    pub clock: Option<Clock>,
    /// Time that passes between a decision and the clock being stopped.
    pub overhead: Duration,
    /// Count nodes instead of time wherever deadlines are meant: so many are a millisecond. A busy machine
    /// then searches as much as an idle one.
    pub nodes_per_ms: Option<NonZeroU32>,
    /// Hold the answer back until told to stop.
    pub infinite: bool,
    /// Begin in the opponent's time: clocks count only once the expected move was played.
    pub ponder: bool,
    /// Consider only these moves at the root; all if empty.
    pub root_moves: Vec<Move>,
    /// How many best lines to find.
    pub multi_pv: usize,
    /// What a draw is worth less than an even position to the side that is searched for.
    pub contempt: Points,
}

impl Limits {
    /// A search to a fixed depth.
    pub fn to_depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A search of a fixed number of nodes.
    pub fn of_nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }
}
