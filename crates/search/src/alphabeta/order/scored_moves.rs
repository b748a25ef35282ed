// SPDX-License-Identifier: GPL-3.0-or-later
//! A list of moves from which the best one is taken again and again.

use arrayvec::ArrayVec;
use chess::Move;

/// Bits of a key that hold the place of its move in the list.
const PLACE_BITS: u32 = 9;
/// The largest place.
pub(super) const LAST_PLACE: usize = (1 << PLACE_BITS) - 1;
/// How many keys are compared at a time.
pub(super) const LANES: usize = 16;

/// Moves with scores, apart from each other so that the best score is found many at a time.
#[derive(Debug)]
pub(super) struct ScoredMoves {
    moves: ArrayVec<Move, { LAST_PLACE + 1 }>,
    /// Scores of the moves, then [`ScoredMoves::NONE`] so often that whole [`LANES`] can be read. The low
    /// bits hold what the place lacks to the last one: of equal scores the first move has the largest
    /// key.
    keys: ArrayVec<i32, { LAST_PLACE + 1 + LANES }>,
    /// The largest key if nothing was taken yet, otherwise [`ScoredMoves::NONE`]. Keys that were written
    /// one by one cannot be read many at a time until all of them have reached the cache; so the first
    /// maximum is taken while they come.
    best: i32,
}

impl ScoredMoves {
    /// Less than every key.
    pub(super) const NONE: i32 = i32::MIN;

    // Not with `new_const`, which writes zeros to all of the room.
    pub(super) fn new() -> Self {
        Self { moves: ArrayVec::new(), keys: ArrayVec::new(), best: Self::NONE }
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.keys.clear();
        self.best = Self::NONE;
    }

    #[inline]
    pub(super) fn push(&mut self, mv: Move, score: i32) {
        let key = Self::key(score, self.moves.len());
        self.best = self.best.max(key);
        self.keys.push(key);
        self.moves.push(mv);
    }

    #[inline]
    pub(super) const fn key(score: i32, place: usize) -> i32 {
        score << PLACE_BITS | (LAST_PLACE - place) as i32
    }

    /// To be called after the last push.
    #[inline]
    pub(super) fn fill_lanes(&mut self) {
        // As a slice: an iterator is not copied at once.
        let is_room = self.keys.try_extend_from_slice(&[Self::NONE; LANES]).is_ok();
        debug_assert!(is_room, "there is room for every place and the lanes");
    }

    /// Removes the first of the moves with the highest score.
    #[inline]
    pub(super) fn take_best(&mut self) -> Option<(Move, i32)> {
        let last = self.moves.len().checked_sub(1)?;
        let known = std::mem::replace(&mut self.best, Self::NONE);
        let best = if known == Self::NONE { largest(&self.keys, last / LANES) } else { known };
        let place = LAST_PLACE - (best as usize & LAST_PLACE);
        self.keys[place] = Self::key(self.keys[last] >> PLACE_BITS, place);
        self.keys[last] = Self::NONE;
        Some((self.moves.swap_remove(place), best >> PLACE_BITS))
    }
}

/// The largest key up to the end of a chunk.
///
/// Apart from its caller, because only there the compiler finds that it has instructions for this.
#[inline(never)]
fn largest(keys: &[i32], last_chunk: usize) -> i32 {
    let chunks = keys.as_chunks::<LANES>().0;
    let pairs =
        |one: [i32; LANES], other: &[i32; LANES]| std::array::from_fn(|i| one[i].max(other[i]));
    let lanes: [i32; 16] = chunks[1..=last_chunk].iter().fold(chunks[0], pairs);
    let lanes: [i32; 8] = std::array::from_fn(|i| lanes[i].max(lanes[i + 8]));
    let lanes: [i32; 4] = std::array::from_fn(|i| lanes[i].max(lanes[i + 4]));
    let [a, b, c, d] = lanes;
    a.max(c).max(b.max(d))
}
