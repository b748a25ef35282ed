// SPDX-License-Identifier: GPL-3.0-or-later
//! A clock that runs by nodes.

use std::num::NonZeroU32;
use std::time::Duration;

use search::Limits;

/// What is left of a game's clock if nodes count instead of time. The referee's clock shows the real time,
/// and so is only asked at the first move of a game.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeClock {
    left: Option<Duration>,
    running: Option<Running>,
}

/// A search on such a clock.
#[derive(Clone, Copy, Debug)]
struct Running {
    nodes_per_ms: NonZeroU32,
    increment: Duration,
}

impl NodeClock {
    /// Begins a search, and shows it this clock instead of the referee's. Nothing happens if no nodes
    /// are a millisecond.
    pub(crate) fn run(&mut self, limits: &mut Limits, nodes_per_ms: i64) {
        limits.nodes_per_ms = u32::try_from(nodes_per_ms).ok().and_then(NonZeroU32::new);
        self.running = None;
        let (Some(nodes_per_ms), Some(clock)) = (limits.nodes_per_ms, &mut limits.clock) else {
            return;
        };
        clock.remaining = *self.left.get_or_insert(clock.remaining);
        self.running = Some(Running { nodes_per_ms, increment: clock.increment });
    }

    /// Takes the nodes of the search off the clock, and adds the increment.
    pub(crate) fn spend(&mut self, nodes: u64) {
        let Some(Running { nodes_per_ms, increment }) = self.running.take() else { return };
        let seconds = nodes as f64 / (1000.0 * f64::from(nodes_per_ms.get()));
        let spent = Duration::from_secs_f64(seconds);
        self.left = self.left.map(|left| left.saturating_sub(spent) + increment);
    }
}

#[cfg(test)]
mod tests {
    use search::Clock;

    use super::*;
    use crate::Engine;

    fn limits(milliseconds: u64) -> Limits {
        let remaining = Duration::from_millis(milliseconds);
        let increment = Duration::from_millis(20);
        Limits {
            clock: Some(Clock { remaining, increment, moves_to_go: None }),
            ..Limits::default()
        }
    }

    #[test]
    fn the_clock_runs_by_nodes_whatever_the_referee_says() {
        let mut clock = NodeClock::default();
        let mut first = limits(2_000);
        clock.run(&mut first, 500);
        assert_eq!(first.clock.unwrap().remaining, Duration::from_secs(2));
        assert_eq!(first.nodes_per_ms, NonZeroU32::new(500));
        clock.spend(50_000);
        let mut second = limits(7);
        clock.run(&mut second, 500);
        assert_eq!(second.clock.unwrap().remaining, Duration::from_millis(1_920));
    }

    /// The referee's clock has all but run out in real time; by nodes there is enough left.
    #[test]
    fn an_engine_plays_by_its_own_clock() {
        let mut engine = Engine::new();
        engine.set_option("nodestime", "10").unwrap();
        let mut nodes = |milliseconds| {
            let _search = engine.go(limits(milliseconds));
            engine.wait().expect("there was a search").effort.nodes
        };
        let first = nodes(2_000);
        assert!((200..12_000).contains(&first), "{first} of 20,000");
        let second = nodes(1);
        assert!((200..12_000).contains(&second), "{second} after {first} of 20,000");
    }

    #[test]
    fn time_counts_unless_nodes_are_asked_for() {
        let mut clock = NodeClock::default();
        let mut limits = limits(2_000);
        clock.run(&mut limits, 0);
        clock.spend(1_000_000);
        assert_eq!(limits.nodes_per_ms, None);
        assert!(clock.left.is_none());
    }
}
