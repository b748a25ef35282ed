// SPDX-License-Identifier: GPL-3.0-or-later
//! What goes wrong, and how often.

use std::collections::BTreeMap;

/// A way to go wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NetworkFault {
    /// 429 to a move, without a word on how long.
    MoveTooMany,
    /// 429 to a move, with `Retry-After: 1`.
    MoveRetryAfter,
    /// 429 to a move, with a `Retry-After` of some hundred million years.
    MoveRetryNever,
    /// 502 to a move that was not played.
    MoveBadGateway,
    /// 502 to a move that was played.
    MoveBadGatewayAfter,
    /// No answer to a move that was not played: the connection ends.
    MoveReset,
    /// No answer to a move that was played.
    MoveResetAfter,
    /// A slow answer to a move.
    MoveSlow,
    /// Half a line of a game's stream, then its end.
    GameHalfLine,
    /// A game's stream falls silent, keep-alives and all.
    GameStall,
    /// A game's stream ends in order.
    GameClose,
    /// A game's stream breaks.
    GameReset,
    /// The same state twice.
    GameDuplicate,
    /// An old state after a new one.
    GameStale,
    /// An event of a new kind.
    GameUnknown,
    /// The opponent is said to be gone, and the win can be claimed in some hundred million years.
    GameGoneForever,
    /// 502 to the opening of a game's stream.
    GameOpenBadGateway,
    /// 429 to it.
    GameOpenTooMany,
    /// The first byte of a game's stream takes its time.
    GameSlowStart,
    /// Half a line of the stream of events, then its end.
    EventHalfLine,
    /// The stream of events falls silent.
    EventStall,
    /// It ends in order, as when somebody else opens it.
    EventClose,
    /// A game begins twice.
    EventDuplicate,
    /// An event of a new kind.
    EventUnknown,
    /// Castling is written as king takes rook.
    RookCastling,
}

impl NetworkFault {
    /// All of them.
    pub const ALL: [Self; 25] = [
        Self::MoveTooMany,
        Self::MoveRetryAfter,
        Self::MoveRetryNever,
        Self::MoveBadGateway,
        Self::MoveBadGatewayAfter,
        Self::MoveReset,
        Self::MoveResetAfter,
        Self::MoveSlow,
        Self::GameHalfLine,
        Self::GameStall,
        Self::GameClose,
        Self::GameReset,
        Self::GameDuplicate,
        Self::GameStale,
        Self::GameUnknown,
        Self::GameGoneForever,
        Self::GameOpenBadGateway,
        Self::GameOpenTooMany,
        Self::GameSlowStart,
        Self::EventHalfLine,
        Self::EventStall,
        Self::EventClose,
        Self::EventDuplicate,
        Self::EventUnknown,
        Self::RookCastling,
    ];
}

/// When something may go wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moment {
    /// A move comes.
    Move,
    /// A state is sent.
    State,
    /// A game's stream is opened.
    GameOpen,
    /// An event is sent.
    Event,
    /// A game begins: how its castling is written.
    GameBegins,
}

impl Moment {
    const fn of(fault: NetworkFault) -> Self {
        use NetworkFault as F;
        match fault {
            F::MoveTooMany
            | F::MoveRetryAfter
            | F::MoveRetryNever
            | F::MoveBadGateway
            | F::MoveBadGatewayAfter
            | F::MoveReset
            | F::MoveResetAfter
            | F::MoveSlow => Self::Move,
            F::GameHalfLine
            | F::GameStall
            | F::GameClose
            | F::GameReset
            | F::GameDuplicate
            | F::GameStale
            | F::GameUnknown
            | F::GameGoneForever => Self::State,
            F::GameOpenBadGateway | F::GameOpenTooMany | F::GameSlowStart => Self::GameOpen,
            F::EventHalfLine
            | F::EventStall
            | F::EventClose
            | F::EventDuplicate
            | F::EventUnknown => Self::Event,
            F::RookCastling => Self::GameBegins,
        }
    }
}

/// A script of faults, and what came of it.
#[derive(Clone, Debug, Default)]
pub struct Script {
    faults: Vec<NetworkFault>,
    /// How often something goes wrong, of a thousand times.
    per_mille: u32,
    /// Faults that must happen next, in order.
    planned: Vec<NetworkFault>,
    random: u64,
    counts: BTreeMap<NetworkFault, u32>,
}

impl Script {
    /// Nothing goes wrong.
    pub fn none() -> Self {
        Self::default()
    }

    /// These faults by chance, so often of a thousand times.
    pub fn chance(faults: &[NetworkFault], per_mille: u32, seed: u64) -> Self {
        Self { faults: faults.to_vec(), per_mille, random: seed | 1, ..Self::default() }
    }

    /// These faults, each at the first chance after the one before.
    pub fn plan(faults: &[NetworkFault]) -> Self {
        Self { planned: faults.to_vec(), ..Self::default() }
    }

    /// How often each fault has happened.
    pub const fn counts(&self) -> &BTreeMap<NetworkFault, u32> {
        &self.counts
    }

    /// What goes wrong now.
    pub(crate) fn draw(&mut self, moment: Moment) -> Option<NetworkFault> {
        let is_now = |fault: &NetworkFault| Moment::of(*fault) == moment;
        let fault = if self.planned.first().is_some_and(is_now) {
            self.planned.remove(0)
        } else {
            let fitting: Vec<_> = self.faults.iter().copied().filter(is_now).collect();
            if fitting.is_empty() || self.next() % 1000 >= self.chance_of(moment) {
                return None;
            }
            // Those that came least often come first, so that all of them come.
            let count = |fault: &NetworkFault| self.counts.get(fault).copied().unwrap_or(0);
            *fitting.iter().min_by_key(|fault| count(fault))?
        };
        *self.counts.entry(fault).or_default() += 1;
        Some(fault)
    }

    fn chance_of(&self, moment: Moment) -> u64 {
        let per_mille = u64::from(self.per_mille);
        match moment {
            Moment::Move | Moment::State | Moment::Event => per_mille,
            // There are few of these.
            Moment::GameOpen | Moment::GameBegins => 4 * per_mille,
        }
    }

    fn next(&mut self) -> u64 {
        // Xorshift: any numbers will do, as long as they can be had again.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random >> 11
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_faults_come_in_time() {
        let mut script = Script::chance(&NetworkFault::ALL, 100, 7);
        for _ in 0..4000 {
            for moment in
                [Moment::Move, Moment::State, Moment::GameOpen, Moment::Event, Moment::GameBegins]
            {
                script.draw(moment);
            }
        }
        assert_eq!(script.counts().len(), NetworkFault::ALL.len());
    }

    #[test]
    fn plans_are_kept_in_order() {
        let mut script = Script::plan(&[NetworkFault::MoveReset, NetworkFault::GameStall]);
        assert_eq!(script.draw(Moment::State), None);
        assert_eq!(script.draw(Moment::Move), Some(NetworkFault::MoveReset));
        assert_eq!(script.draw(Moment::Move), None);
        assert_eq!(script.draw(Moment::State), Some(NetworkFault::GameStall));
    }
}
