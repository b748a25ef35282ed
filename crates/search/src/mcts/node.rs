// SPDX-License-Identifier: GPL-3.0-or-later
//! A position in the tree: five words.
//!
//! ```text
//!  0  visits 32 | iterations under way 16 | proof 11, repeated 1, busy 1
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

use super::arena::Place;
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
const UNDER_WAY: u64 = 1 << 32;
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
pub(super) struct Harvest {
    visits: u64,
    scores: u64,
    squares: u64,
    draws: u64,
}

impl Harvest {
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

impl AddAssign for Harvest {
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
    pub(super) const fn under_way(self) -> u32 {
        (self.0 / UNDER_WAY) as u16 as u32
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
pub(super) struct Node<'a>(pub(super) &'a [AtomicU64; NODE_WORDS]);

impl Node<'_> {
    /// Makes the words a node that nobody has visited, but that someone is on the way to.
    pub(super) fn begin(self) {
        for word in &self.0[1..] {
            word.store(0, Ordering::Relaxed);
        }
        self.0[0].store(UNDER_WAY, Ordering::Relaxed);
    }

    /// Makes the words a node without anything.
    pub(super) fn erase(self) {
        for word in self.0 {
            word.store(0, Ordering::Relaxed);
        }
    }

    /// Copies another node that is at rest, without its expansion.
    pub(super) fn copy_from(self, other: Node<'_>) {
        let [counts, sums @ .., links] = other.0;
        let settled = counts.load(Ordering::Relaxed) & !BUSY;
        self.0[0].store(settled & !(UNDER_WAY * 0xFFFF), Ordering::Relaxed);
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
    pub(super) fn enter(self) {
        self.0[0].fetch_add(UNDER_WAY, Ordering::Relaxed);
    }

    /// So many iterations will go in one after the other.
    #[inline]
    pub(super) fn enter_for(self, iterations: u64) {
        self.0[0].fetch_add(UNDER_WAY * iterations, Ordering::Relaxed);
    }

    /// They have come back, and what they brought was counted by itself.
    #[inline]
    pub(super) fn leave_for(self, iterations: u64) {
        self.0[0].fetch_sub(UNDER_WAY * iterations, Ordering::Relaxed);
    }

    /// An iteration comes back without a result.
    #[inline]
    pub(super) fn leave(self) {
        self.0[0].fetch_sub(UNDER_WAY, Ordering::Relaxed);
    }

    /// An iteration comes back.
    #[inline]
    pub(super) fn add(self, value: Value) {
        self.add_value(value);
        // One addition counts the visit and ends the iteration.
        self.0[0].fetch_sub(UNDER_WAY - VISIT, Ordering::Release);
    }

    /// An iteration comes back that had not been counted as under way.
    #[inline]
    pub(super) fn add_unmarked(self, value: Value) {
        self.add_value(value);
        self.0[0].fetch_add(VISIT, Ordering::Release);
    }

    /// Several iterations come back at once that had not been counted as under way.
    pub(super) fn add_harvest(self, harvest: Harvest) {
        self.0[1].fetch_add(harvest.scores, Ordering::Relaxed);
        self.0[2].fetch_add(harvest.squares, Ordering::Relaxed);
        self.0[3].fetch_add(harvest.draws, Ordering::Relaxed);
        self.0[0].fetch_add(harvest.visits * VISIT, Ordering::Release);
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
    pub(super) fn doubt(self) {
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
mod tests {
    use super::*;

    fn words() -> [AtomicU64; NODE_WORDS] {
        [const { AtomicU64::new(u64::MAX) }; NODE_WORDS]
    }

    #[test]
    fn values_are_averaged_and_visits_counted() {
        let words = words();
        let node = Node(&words);
        node.begin();
        assert_eq!((node.visits(), node.counts().under_way(), node.mean()), (0, 1, None));
        node.enter();
        node.add(Value { score: 0.25, draw: 0.5 });
        node.add(Value { score: 0.75, draw: 0.25 });
        assert_eq!((node.visits(), node.counts().under_way()), (2, 0));
        assert_eq!(node.mean(), Some(Value { score: 0.5, draw: 0.375 }));
        assert!((node.mean_square() - 0.3125).abs() < 1e-6);
        node.enter();
        node.leave();
        assert_eq!((node.visits(), node.counts().under_way()), (2, 0));
    }

    #[test]
    fn a_harvest_is_worth_its_values() {
        let values = [0.0, 0.125, 0.3, 0.999, 1.0].map(|score| Value { score, draw: score / 4.0 });
        let (one, all) = (words(), words());
        let (one, all) = (Node(&one), Node(&all));
        one.begin();
        all.begin();
        let mut harvest = Harvest::default();
        for value in values {
            one.add_unmarked(value.flipped());
            harvest.add(value);
        }
        all.add_harvest(harvest.flipped());
        assert_eq!((all.visits(), all.counts()), (5, one.counts()));
        assert!((all.mean().unwrap().score - one.mean().unwrap().score).abs() < 1e-6);
        assert!((all.mean().unwrap().draw - one.mean().unwrap().draw).abs() < 1e-6);
        assert!((all.mean_square() - one.mean_square()).abs() < 1e-6);
    }

    #[test]
    fn flags_do_not_disturb_the_counts() {
        let words = words();
        let node = Node(&words);
        node.begin();
        assert!(node.lock() && !node.lock());
        node.prove(Proof::Lost(4));
        node.set_repeated(true);
        node.unlock();
        assert_eq!(node.proof(), Some(Proof::Lost(4)));
        assert!(node.counts().is_repeated() && node.lock());
        node.prove(Proof::Won(3));
        node.set_repeated(false);
        node.add(Value { score: 1.0, draw: 0.0 });
        assert_eq!((node.visits(), node.counts().under_way()), (1, 0));
        assert_eq!(node.proof(), Some(Proof::Won(3)));
        node.doubt();
        assert_eq!((node.proof(), node.counts().is_repeated()), (None, false));
    }

    #[test]
    fn links_keep_to_their_bits() {
        let words = words();
        let node = Node(&words);
        node.begin();
        node.set_first(0.5);
        assert_eq!(node.expansion(), None);
        node.expand(Place::from_bits(77).unwrap(), 1.5);
        assert_eq!(node.expansion(), Place::from_bits(77));
        assert!((node.factor() - 1.5).abs() < 1e-3 && (node.first() - 0.5).abs() < 1e-3);
        node.expand(Place::from_bits(78).unwrap(), 0.5);
        assert!((node.factor() - 0.5).abs() < 1e-3 && (node.first() - 0.5).abs() < 1e-3);
        let other = self::words();
        let copy = Node(&other);
        copy.copy_from(node);
        assert_eq!((copy.expansion(), copy.counts().under_way()), (None, 0));
        assert!((copy.factor() - 0.5).abs() < 1e-3);
    }

    /// Four threads add values at once, and none is lost.
    #[test]
    fn additions_of_threads_are_all_counted() {
        let words = words();
        let node = Node(&words);
        node.erase();
        let rounds = if cfg!(miri) { 50 } else { 20_000 };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for round in 0..rounds {
                        node.enter();
                        if round % 5 == 0 && node.lock() {
                            node.unlock();
                        }
                        node.add(Value { score: 0.5, draw: 1.0 });
                    }
                });
            }
        });
        assert_eq!((node.visits(), node.counts().under_way()), (4 * rounds, 0));
        assert_eq!(node.mean(), Some(Value { score: 0.5, draw: 1.0 }));
        assert!(node.lock());
    }
}
