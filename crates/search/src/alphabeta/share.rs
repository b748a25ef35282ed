// SPDX-License-Identifier: GPL-3.0-or-later
//! How threads share the work.
//!
//! All threads search the same tree and find each other's results in the table. Left alone they walk in
//! step: both stand at the same node at the same time, and neither has anything to tell the other. Three
//! things keep them apart, and let them believe each other:
//!
//! - each says which move it is searching, and a move that another is busy with is put off until the rest
//!   of the node is done: by then its result is usually in the table. This is Tom Kerrigan's simplified
//!   form of Weill's ABDADA;
//! - helpers leave out every second depth;
//! - a result above beta ends a node although it is no deeper than wanted.
//!
//! One thread alone does none of this. The danger is small: a mark may be lost when two moves fall on one
//! slot. Then a move is searched twice at once, or later than its turn, but never left out.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

use chess::{CheckSquares, Move};

use super::history::PreviousMoves;
use super::node::{Candidate, Node};
use super::order::Picker;
use super::worker::Worker;

/// Slots for marks. A thread has one for every ply above the leaves, so that few meet.
const SLOTS: usize = 1 << 12;

/// The moves that threads are searching at the moment, each as a number that stands for it.
#[derive(Debug, Default)]
pub(super) struct BusyMoves(Box<[AtomicU64]>);

impl BusyMoves {
    /// For so many threads; one alone has nobody to tell.
    pub(super) fn new(threads: usize) -> Self {
        let slots = if threads > 1 { SLOTS } else { 0 };
        Self((0..slots).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline]
    fn is_shared(&self) -> bool {
        !self.0.is_empty()
    }

    #[inline]
    fn has(&self, mark: u64) -> bool {
        self.slot(mark).load(Ordering::Relaxed) == mark
    }

    #[inline]
    fn set(&self, mark: u64) {
        self.slot(mark).store(mark, Ordering::Relaxed);
    }

    #[inline]
    fn clear(&self, mark: u64) {
        self.slot(mark).store(0, Ordering::Relaxed);
    }

    #[inline]
    fn slot(&self, mark: u64) -> &AtomicU64 {
        &self.0[mark as usize % SLOTS]
    }
}

/// A move that this thread is searching, for others to see; `None` if it need not be seen.
#[derive(Clone, Copy, Debug)]
#[must_use = "others put the move off until it is released"]
pub(super) struct Claim(Option<u64>);

/// The moves of a node that are still to be searched.
pub(super) struct MoveQueue {
    pub(super) picker: Picker,
    pub(super) previous_moves: PreviousMoves,
    /// From where the enemy king is checked.
    pub(super) checks: CheckSquares,
    /// The part of reductions that is the same for all moves, until one raises alpha.
    pub(super) reduction: i32,
    /// What another thread was busy with. It takes no memory unless there are other threads.
    pub(super) deferred: VecDeque<Candidate>,
}

impl Worker {
    /// Whether a move should wait until the others of the node are done, because another thread is
    /// searching it. The first one never waits: everything else depends on its score.
    pub(super) fn is_deferred(&self, node: &Node, candidate: &Candidate) -> bool {
        let is_busy = |mark| self.task.busy.has(mark);
        candidate.index > 0 && self.mark(node, candidate.mv).is_some_and(is_busy)
    }

    /// Tells the other threads that a move is being searched.
    pub(super) fn claim(&self, node: &Node, mv: Move) -> Claim {
        let mark = self.mark(node, mv);
        if let Some(mark) = mark {
            self.task.busy.set(mark);
        }
        Claim(mark)
    }

    /// Tells them that it is done.
    pub(super) fn release(&self, claim: Claim) {
        if let Some(mark) = claim.0 {
            self.task.busy.clear(mark);
        }
    }

    /// What stands for a move of a node; `None` where its search is too short to be worth telling.
    #[inline]
    fn mark(&self, node: &Node, mv: Move) -> Option<u64> {
        let is_worth_telling = self.task.busy.is_shared()
            && node.depth >= self.params.share_min_depth()
            && node.excluded.is_none();
        let spread = u64::from(mv.bits().get()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        is_worth_telling.then(|| self.board().key() ^ spread ^ node.depth as u64)
    }

    /// Whether a thread that only helps leaves out a depth: every second one, so that it is often a ply
    /// ahead of the first thread, which then finds deeper results in the table than its own.
    pub(super) const fn skips_depth(&self, depth: u32) -> bool {
        let is_behind = (depth as usize + self.id).is_multiple_of(2);
        let is_common = depth <= self.params.share_common_max_depth() as u32;
        self.params.share_skip_on() && self.id != 0 && !is_common && is_behind
    }

    /// Whether a result above beta that is just as deep as wanted ends a node. A thread alone does better
    /// to search again what it already knows to be good; with others, it is most of what they can tell.
    #[inline]
    pub(super) fn accepts_equal_depth(&self) -> bool {
        self.task.busy.is_shared() && self.params.share_equal_on()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_seen_until_they_are_cleared() {
        let busy = BusyMoves::new(2);
        let (mark, other) = (0x1234_5678_9ABC_DEF0, 0x0FED_CBA9_8765_4321);
        assert!(!busy.has(mark));
        busy.set(mark);
        assert!(busy.has(mark) && !busy.has(other));
        busy.clear(mark);
        assert!(!busy.has(mark));
    }

    #[test]
    fn of_two_marks_in_one_slot_the_later_stays() {
        let busy = BusyMoves::new(2);
        let (first, second) = (7, 7 + SLOTS as u64);
        busy.set(first);
        busy.set(second);
        assert!(!busy.has(first) && busy.has(second));
    }

    #[test]
    fn a_thread_alone_tells_nobody() {
        assert!(!BusyMoves::new(1).is_shared());
        assert!(BusyMoves::new(2).is_shared());
    }
}
