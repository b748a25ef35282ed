// SPDX-License-Identifier: GPL-3.0-or-later
//! When a thread has to end its search.

use super::worker::Worker;

/// Nodes between two looks at the clock.
const CLOCK_INTERVAL: u64 = 1024;

/// Nodes between two looks whether the search was told to stop.
const LOOK_INTERVAL: u64 = 64;

const _: () = assert!(CLOCK_INTERVAL.is_multiple_of(LOOK_INTERVAL));

/// The first depth is finished whatever the limits are, unless it takes more than this.
const FIRST_DEPTH_NODES: u64 = 10_000;

impl Worker {
    /// Whether the search must end here and now. The first depth is always finished, so that there
    /// is an answer.
    #[inline]
    pub(super) fn check_limits(&mut self) -> bool {
        if self.nodes >= self.next_look {
            self.look_at_limits();
        }
        self.is_stopped
    }

    /// Looks whether the search is to end, and decides when to look again.
    #[cold]
    fn look_at_limits(&mut self) {
        if self.nodes.is_multiple_of(CLOCK_INTERVAL) {
            self.publish_nodes();
        }
        let may_stop = self.finished_depth > 0 || self.nodes >= FIRST_DEPTH_NODES;
        if may_stop && !self.is_stopped {
            let control = &self.task.control;
            let is_released = control.is_stopped() || self.id != 0 && control.is_answered();
            self.is_stopped = is_released || self.is_spent();
        }
        let next = (self.nodes / LOOK_INTERVAL + 1) * LOOK_INTERVAL;
        self.next_look = next.min(self.own_limit().max(self.nodes + 1));
    }

    /// The node at which the search ends if this thread is alone.
    fn own_limit(&self) -> u64 {
        let is_alone = self.task.counters.len() == 1;
        self.task.limits.nodes.filter(|_| is_alone).unwrap_or(u64::MAX)
    }

    /// Whether nodes or time are used up. Only the first thread watches the clock.
    fn is_spent(&self) -> bool {
        // A lone thread keeps to its nodes exactly; several are added up now and then.
        if self.nodes >= self.own_limit() {
            return true;
        }
        if !self.nodes.is_multiple_of(CLOCK_INTERVAL) {
            return false;
        }
        let nodes = self.task.nodes();
        let limit = self.task.limits.nodes.unwrap_or(u64::MAX);
        let is_late = self.is_overdue || self.task.plan.is_over(nodes);
        nodes >= limit || self.id == 0 && self.task.is_timed() && is_late
    }
}
