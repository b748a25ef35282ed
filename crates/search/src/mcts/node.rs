// SPDX-License-Identifier: GPL-3.0-or-later
//! A position in the tree: five words.
//!
//! ```text
//!  0  visits 32 | iterations in flight 16 | proof 11, repeated 1, busy 1
//!  1  sum of values            in 2^-24, for the side that moved here
//!  2  sum of squared values    in 2^-24
//!  3  sum of drawing chances   in 2^-24
//!  4  place of the expansion 32 | first value 16 | exploration factor 16
//! ```
//!
//! Values are between 0 and 1 *for the side that moved here*, because that is who compares this node
//! with its siblings. Sums are integers: nothing is lost in a large tree, whatever the order.
//!
//! A node is shared by threads without locks. Counts and sums change by atomic additions; the busy bit
//! is held by the thread that adds to the node's expansion, and others turn away instead of waiting.

use std::ops::AddAssign;
use std::sync::atomic::{AtomicU64, Ordering};

use super::node_pool::Place;
use super::proof::Proof;

/// Words of a node.
pub(super) const NODE_WORDS: usize = 5;

/// A value of 1 in the sums.
const ONE: f64 = (1 << 24) as f64;
/// A first value of 1.
const FIRST_ONE: f32 = u16::MAX as f32;
/// An exploration factor of 1.
const FACTOR_ONE: f32 = (1 << 13) as f32;

const VISIT: u64 = 1;
const IN_FLIGHT: u64 = 1 << 32;
const FLAGS_SHIFT: u32 = 48;
const PROOF_MASK: u64 = 0x7FF << FLAGS_SHIFT;
const REPEATED: u64 = 1 << (FLAGS_SHIFT + 11);
const BUSY: u64 = 1 << (FLAGS_SHIFT + 12);

/// The most visits of a node, far enough from where they would overflow.
pub(super) const MAX_VISITS: u32 = 1 << 31;

/// What an iteration brings back, for one side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Value {
    /// The expected score from 0 to 1, draws counted at what they are worth to the side.
    pub(super) score: f32,
    /// The chance of a draw.
    pub(super) draw: f32,
}

impl Value {
    /// The same for the other side.
    #[inline]
    #[must_use]
    pub(super) const fn flipped(self) -> Self {
        Self { score: 1.0 - self.score, ..self }
    }
}

/// What several iterations have brought back, for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ValueSum {
    visits: u64,
    scores: u64,
    squares: u64,
    draws: u64,
}

impl ValueSum {
    pub(super) const fn visits(self) -> u64 {
        self.visits
    }

    #[inline]
    pub(super) fn add(&mut self, value: Value) {
        self.visits += 1;
        self.scores += fixed(value.score);
        self.squares += fixed(value.score * value.score);
        self.draws += fixed(value.draw);
    }

    /// The same for the other side.
    #[must_use]
    pub(super) fn flipped(self) -> Self {
        let whole = self.visits * fixed(1.0);
        // The square of 1 - x is 1 - 2x + x². What was rounded down may be missing in the end.
        let squares = (whole + self.squares).saturating_sub(2 * self.scores);
        Self { scores: whole - self.scores, squares, ..self }
    }
}

impl AddAssign for ValueSum {
    fn add_assign(&mut self, other: Self) {
        self.visits += other.visits;
        self.scores += other.scores;
        self.squares += other.squares;
        self.draws += other.draws;
    }
}

/// A part of 1 as it is kept in sums.
#[inline]
fn fixed(part: f32) -> u64 {
    (f64::from(part) * ONE) as u64
}

/// What the first word says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counts(u64);

impl Counts {
    /// Iterations that have come through.
    #[inline]
    pub(super) const fn visits(self) -> u32 {
        self.0 as u32
    }

    /// Iterations that have gone in and not come back yet.
    #[inline]
    pub(super) const fn in_flight(self) -> u32 {
        (self.0 / IN_FLIGHT) as u16 as u32
    }

    /// What is certain about the position.
    #[inline]
    pub(super) const fn proof(self) -> Option<Proof> {
        Proof::from_bits(((self.0 & PROOF_MASK) >> FLAGS_SHIFT) as u16)
    }

    /// Whether the position was a draw by repetition when it was first seen.
    #[inline]
    pub(super) const fn is_repeated(self) -> bool {
        self.0 & REPEATED != 0
    }
}

/// A node where it lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeRef<'a>(pub(super) &'a [AtomicU64; NODE_WORDS]);

impl NodeRef<'_> {
    /// Makes the words a node that nobody has visited, but that someone is on the way to.
    pub(super) fn init(self) {
        for word in &self.0[1..] {
            word.store(0, Ordering::Relaxed);
        }
        self.0[0].store(IN_FLIGHT, Ordering::Relaxed);
    }

    /// Makes the words a node without anything.
    pub(super) fn reset(self) {
        for word in self.0 {
            word.store(0, Ordering::Relaxed);
        }
    }

    /// Copies another node that is at rest, without its expansion.
    pub(super) fn copy_from(self, other: NodeRef<'_>) {
        let [counts, sums @ .., links] = other.0;
        let settled = counts.load(Ordering::Relaxed) & !BUSY;
        self.0[0].store(settled & !(IN_FLIGHT * 0xFFFF), Ordering::Relaxed);
        for (to, from) in self.0[1..].iter().zip(sums) {
            to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        let links = links.load(Ordering::Relaxed) >> 32 << 32;
        self.0[NODE_WORDS - 1].store(links, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn counts(self) -> Counts {
        Counts(self.0[0].load(Ordering::Relaxed))
    }

    #[inline]
    pub(super) fn visits(self) -> u32 {
        self.counts().visits()
    }

    #[inline]
    pub(super) fn proof(self) -> Option<Proof> {
        self.counts().proof()
    }

    /// An iteration goes in.
    #[inline]
    pub(super) fn add_virtual_loss(self) {
        self.0[0].fetch_add(IN_FLIGHT, Ordering::Relaxed);
    }

    /// So many iterations will go in one after the other.
    #[inline]
    pub(super) fn add_virtual_losses(self, iterations: u64) {
        self.0[0].fetch_add(IN_FLIGHT * iterations, Ordering::Relaxed);
    }

    /// They have come back, and what they brought was counted by itself.
    #[inline]
    pub(super) fn remove_virtual_losses(self, iterations: u64) {
        self.0[0].fetch_sub(IN_FLIGHT * iterations, Ordering::Relaxed);
    }

    /// An iteration comes back without a result.
    #[inline]
    pub(super) fn remove_virtual_loss(self) {
        self.0[0].fetch_sub(IN_FLIGHT, Ordering::Relaxed);
    }

    /// An iteration comes back.
    #[inline]
    pub(super) fn add(self, value: Value) {
        self.add_value(value);
        // One addition counts the visit and ends the iteration.
        self.0[0].fetch_sub(IN_FLIGHT - VISIT, Ordering::Release);
    }

    /// An iteration comes back that had not been counted as in flight.
    #[inline]
    pub(super) fn add_without_virtual_loss(self, value: Value) {
        self.add_value(value);
        self.0[0].fetch_add(VISIT, Ordering::Release);
    }

    /// Several iterations come back at once that had not been counted as in flight.
    pub(super) fn add_sum(self, sum: ValueSum) {
        self.0[1].fetch_add(sum.scores, Ordering::Relaxed);
        self.0[2].fetch_add(sum.squares, Ordering::Relaxed);
        self.0[3].fetch_add(sum.draws, Ordering::Relaxed);
        self.0[0].fetch_add(sum.visits * VISIT, Ordering::Release);
    }

    #[inline]
    fn add_value(self, value: Value) {
        self.0[1].fetch_add(fixed(value.score), Ordering::Relaxed);
        self.0[2].fetch_add(fixed(value.score * value.score), Ordering::Relaxed);
        self.0[3].fetch_add(fixed(value.draw), Ordering::Relaxed);
    }

    /// Notes what is certain, in place of what was known before.
    pub(super) fn prove(self, proof: Proof) {
        let bits = u64::from(proof.to_bits()) << FLAGS_SHIFT;
        let set = |word: u64| Some(word & !PROOF_MASK | bits);
        let _ = self.0[0].fetch_update(Ordering::AcqRel, Ordering::Acquire, set);
    }

    /// Forgets what was certain.
    pub(super) fn clear_proof(self) {
        self.0[0].fetch_and(!PROOF_MASK, Ordering::Relaxed);
    }

    pub(super) fn set_repeated(self, is_repeated: bool) {
        if is_repeated {
            self.0[0].fetch_or(REPEATED, Ordering::Relaxed);
        } else {
            self.0[0].fetch_and(!REPEATED, Ordering::Relaxed);
        }
    }

    /// Tries to become the one who may change the expansion.
    #[inline]
    #[must_use]
    pub(super) fn lock(self) -> bool {
        self.0[0].fetch_or(BUSY, Ordering::Acquire) & BUSY == 0
    }

    #[inline]
    pub(super) fn unlock(self) {
        self.0[0].fetch_and(!BUSY, Ordering::Release);
    }

    /// The mean value for the side that moved here; `None` without visits.
    #[inline]
    pub(super) fn mean(self) -> Option<Value> {
        let visits = self.0[0].load(Ordering::Acquire) as u32;
        let mean = |word: &AtomicU64| {
            (word.load(Ordering::Relaxed) as f64 / (ONE * f64::from(visits))) as f32
        };
        // Other threads may have added a value whose visit is not counted yet.
        (visits > 0)
            .then(|| Value { score: mean(&self.0[1]).min(1.0), draw: mean(&self.0[3]).min(1.0) })
    }

    /// The score of the mean value alone, for a node with this many visits, which are not zero.
    #[inline]
    pub(super) fn mean_score(self, visits: u32) -> f32 {
        let sum = self.0[1].load(Ordering::Relaxed) as f64;
        ((sum / (ONE * f64::from(visits))) as f32).min(1.0)
    }

    /// The mean of the squared values; zero without visits.
    #[inline]
    pub(super) fn mean_square(self) -> f32 {
        let visits = f64::from(self.visits().max(1));
        (self.0[2].load(Ordering::Relaxed) as f64 / (ONE * visits)) as f32
    }

    /// Where the moves and children are.
    #[inline]
    pub(super) fn expansion(self) -> Option<Place> {
        Place::from_bits(self.0[4].load(Ordering::Acquire) as u32)
    }

    /// Publishes the moves, with the factor by which their priors make exploration wider.
    pub(super) fn expand(self, place: Place, factor: f32) {
        let factor = (factor * FACTOR_ONE).round().clamp(0.0, f32::from(u16::MAX)) as u64;
        let set = |word: u64| Some(word & 0xFFFF << 32 | factor << 48 | u64::from(place.bits()));
        let _ = self.0[4].fetch_update(Ordering::Release, Ordering::Relaxed, set);
    }

    /// The factor that came with the expansion.
    #[inline]
    pub(super) fn factor(self) -> f32 {
        (self.0[4].load(Ordering::Relaxed) >> 48) as f32 / FACTOR_ONE
    }

    /// Keeps the value of the first visit, for people to look at.
    pub(super) fn set_first(self, score: f32) {
        let bits = ((score * FIRST_ONE).round() as u64) << 32;
        self.0[4].fetch_or(bits, Ordering::Relaxed);
    }

    /// The value of the first visit.
    pub(super) fn first(self) -> f32 {
        (self.0[4].load(Ordering::Relaxed) >> 32) as u16 as f32 / FIRST_ONE
    }
}

#[cfg(test)]
mod tests;
