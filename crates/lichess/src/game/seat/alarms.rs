// SPDX-License-Identifier: GPL-3.0-or-later
//! What must be done at a time, unless something else happens before.

use std::time::{Duration, Instant};

use super::act::Doing;
use super::{Flow, Seat};
use crate::client::Act;

/// What must be done at a time, unless something else happens before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Alarms {
    pub(super) abort: Option<Instant>,
    pub(super) claim: Option<Instant>,
    pub(super) resync: Option<Instant>,
}

/// After this time we claim, even if the server has named a later one.
pub(super) const LONGEST_CLAIM: Duration = Duration::from_hours(24);

/// How long after a claim that did not end the game the next one is made.
const CLAIM_AGAIN: Duration = Duration::from_secs(10);

impl Seat {
    /// When something must be done.
    pub(in crate::game) fn next_alarm(&self) -> Instant {
        const FAR: Duration = Duration::from_hours(1);
        let Alarms { abort, claim, resync } = self.alarms;
        let linger = self.context.config.correspondence.linger;
        let leave = self.is_slow_turn().then(|| self.present_since + linger);
        let next = [abort, claim, resync, leave].into_iter().flatten().min();
        next.unwrap_or_else(|| Instant::now() + FAR)
    }

    /// Does what the time has come for.
    pub(in crate::game) fn ring(&mut self, now: Instant) -> Flow {
        let is_due = |alarm: &mut Option<Instant>| alarm.take_if(|at| *at <= now).is_some();
        if is_due(&mut self.alarms.abort) && self.ply() < 2 && !self.is_our_turn() {
            self.post(Act::Abort);
        }
        if is_due(&mut self.alarms.claim) {
            self.post(Act::ClaimVictory);
            // If it was too early, once more.
            self.alarms.claim = Some(now + CLAIM_AGAIN);
        }
        if is_due(&mut self.alarms.resync) {
            if matches!(self.doing, Doing::Sent) {
                self.doing = Doing::Waiting;
            }
            return Flow::Resync;
        }
        Flow::GoOn
    }

    /// Whether the opponent has days to think.
    fn is_slow_turn(&self) -> bool {
        !self.has_clock() && !self.is_our_turn()
    }

    /// Whether nothing has happened for long, and nothing need happen soon.
    pub(in crate::game) fn may_leave(&self) -> bool {
        let linger = self.context.config.correspondence.linger;
        self.is_slow_turn() && self.present_since.elapsed() >= linger
    }

    /// We listen again.
    pub(in crate::game) fn come_back(&mut self) {
        self.present_since = Instant::now();
    }
}
