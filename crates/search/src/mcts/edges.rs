// SPDX-License-Identifier: GPL-3.0-or-later
//! The moves of a node, and those of its children that exist.
//!
//! Moves are sorted by their priors once and for all. All unvisited moves are worth the same to the
//! selection but for their priors, so that the next one to be visited is always the first that has
//! not been: children are a prefix of the moves. They are made when they are first visited, in runs
//! of 2, 4, 8, … nodes that never move, so that threads may keep pointers to them.
//!
//! ```text
//!  0     moves 16 | children 16 | place of run 0  32
//!  1…    places of runs 1 and 2, 3 and 4, …       as many as the moves can need
//!  then  move 16, prior 16 | move 16, prior 16    two to a word
//! ```

use std::sync::atomic::{AtomicU64, Ordering};

use chess::Move;

use super::node::NODE_WORDS;
use super::node_pool::{NodePool, Place, PoolChunk};

/// A prior of 1.
const PRIOR_ONE: f32 = u16::MAX as f32;
/// Nodes of the first run.
const FIRST_RUN: usize = 2;

/// A move and how promising it looked before it was searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Edge {
    pub(super) mv: Move,
    /// Its share of the attention, from 0 to 1.
    pub(super) prior: f32,
}

impl Edge {
    fn to_bits(self) -> u32 {
        let prior = (self.prior * PRIOR_ONE).round() as u32;
        u32::from(self.mv.bits().get()) | prior << 16
    }

    #[inline]
    fn from_bits(bits: u32) -> Self {
        let mv = Move::from_bits(bits as u16).expect("moves are stored as they are");
        Self { mv, prior: (bits >> 16) as f32 / PRIOR_ONE }
    }
}

/// The run of a child, and its number in it.
#[inline]
const fn run_of(child: usize) -> (usize, usize) {
    let run = (child / FIRST_RUN + 1).ilog2() as usize;
    (run, child - FIRST_RUN * ((1 << run) - 1))
}

/// Nodes of a run.
const fn run_len(run: usize) -> usize {
    FIRST_RUN << run
}

/// How many runs this many children take.
const fn runs_for(children: usize) -> usize {
    if children == 0 { 0 } else { run_of(children - 1).0 + 1 }
}

/// Words before the moves.
#[inline]
const fn head_words(edges: usize) -> usize {
    1 + runs_for(edges) / 2
}

/// The moves of a node where they lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expansion<'a> {
    pool: &'a NodePool,
    place: Place,
    first: u64,
}

impl<'a> Expansion<'a> {
    /// Words that this many moves take.
    pub(super) const fn words_for(edges: usize) -> usize {
        head_words(edges) + edges.div_ceil(2)
    }

    /// Words of all runs for this many children.
    pub(super) const fn run_words_for(children: usize) -> usize {
        FIRST_RUN * ((1 << runs_for(children)) - 1) * NODE_WORDS
    }

    /// Writes moves, the most promising first; `None` if there is no room for them.
    pub(super) fn write(
        pool: &'a NodePool,
        chunk: &mut PoolChunk,
        edges: &[Edge],
    ) -> Option<Place> {
        debug_assert!(edges.is_sorted_by(|a, b| a.prior >= b.prior), "{edges:?}");
        let head = head_words(edges.len());
        let place = chunk.take(pool, Self::words_for(edges.len()))?;
        let words = pool.words(place, Self::words_for(edges.len()));
        words[0].store(edges.len() as u64, Ordering::Relaxed);
        for word in &words[1..head] {
            word.store(0, Ordering::Relaxed);
        }
        for (word, pair) in words[head..].iter().zip(edges.chunks(2)) {
            let second = pair.get(1).map_or(0, |edge| u64::from(edge.to_bits()));
            word.store(u64::from(pair[0].to_bits()) | second << 32, Ordering::Relaxed);
        }
        Some(place)
    }

    /// Writes the moves of another expansion, without its children; `None` if there is no room.
    pub(super) fn copy_moves(
        pool: &'a NodePool,
        chunk: &mut PoolChunk,
        other: Expansion<'_>,
    ) -> Option<Place> {
        let (edges, head) = (other.edges(), head_words(other.edges()));
        let place = chunk.take(pool, Self::words_for(edges))?;
        let words = pool.words(place, Self::words_for(edges));
        words[0].store(edges as u64, Ordering::Relaxed);
        for word in &words[1..head] {
            word.store(0, Ordering::Relaxed);
        }
        for (index, word) in words.iter().enumerate().skip(head) {
            word.store(other.load(index), Ordering::Relaxed);
        }
        Some(place)
    }

    /// The moves at a place, and the children that there are now.
    #[inline]
    pub(super) fn at(pool: &'a NodePool, place: Place) -> Self {
        // Whoever sees a child counted also sees what was written before.
        let first = pool.words(place, 1)[0].load(Ordering::Acquire);
        Self { pool, place, first }
    }

    /// How many moves there are.
    #[inline]
    pub(super) const fn edges(self) -> usize {
        self.first as u16 as usize
    }

    /// How many of them have a child.
    #[inline]
    pub(super) const fn children(self) -> usize {
        (self.first >> 16) as u16 as usize
    }

    #[inline]
    fn word(self, index: usize) -> &'a AtomicU64 {
        &self.pool.words(self.place, index + 1)[index]
    }

    /// A move.
    #[inline]
    pub(super) fn edge(self, index: usize) -> Edge {
        debug_assert!(index < self.edges());
        let word = self.word(head_words(self.edges()) + index / 2).load(Ordering::Relaxed);
        Edge::from_bits((word >> (32 * (index % 2))) as u32)
    }

    /// All moves.
    #[cfg(test)]
    pub(super) fn iter(self) -> impl Iterator<Item = Edge> + 'a {
        (0..self.edges()).map(move |index| self.edge(index))
    }

    /// Changes the prior of a move, while nobody else looks.
    pub(super) fn set_prior(self, index: usize, prior: f32) {
        let edge = Edge { prior, ..self.edge(index) };
        let word = self.word(head_words(self.edges()) + index / 2);
        let shift = 32 * (index % 2);
        let other = word.load(Ordering::Relaxed) & !(0xFFFF_FFFF << shift);
        word.store(other | u64::from(edge.to_bits()) << shift, Ordering::Relaxed);
    }

    /// Where a run begins.
    #[inline]
    fn run(self, run: usize) -> Option<Place> {
        let (word, half) = (run.div_ceil(2), (run + 1) % 2);
        // Run 0 shares its word with the counts.
        let bits = if run == 0 { self.first >> 32 } else { self.load(word) >> (32 * half) };
        Place::from_bits(bits as u32)
    }

    #[inline]
    fn load(self, index: usize) -> u64 {
        self.word(index).load(Ordering::Relaxed)
    }

    /// Where a child lies.
    #[inline]
    pub(super) fn child(self, index: usize) -> Place {
        debug_assert!(index < self.children());
        let (run, number) = run_of(index);
        self.run(run).expect("a counted child has a run").offset(number * NODE_WORDS)
    }

    /// Room for the next child, which is not counted yet. Only for the one who has locked the node;
    /// `None` if the pool is full.
    pub(super) fn next_child(&mut self, chunk: &mut PoolChunk) -> Option<Place> {
        let (run, number) = run_of(self.children());
        if number == 0 {
            let place = chunk.take(self.pool, run_len(run) * NODE_WORDS)?;
            let bits = u64::from(place.bits());
            if run == 0 {
                self.first |= bits << 32;
            } else {
                let half = (run + 1) % 2;
                self.word(run.div_ceil(2)).fetch_or(bits << (32 * half), Ordering::Relaxed);
            }
        }
        Some(self.run(run)?.offset(number * NODE_WORDS))
    }

    /// Counts the child that [`Expansion::next_child`] made room for. Only for the one who has locked
    /// the node.
    pub(super) fn count_child(&mut self) {
        self.first += 1 << 16;
        self.word(0).store(self.first, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Board;

    fn edges(count: usize) -> Vec<Edge> {
        let moves = Board::default().legal_moves();
        let edge = |i: usize| Edge {
            mv: moves[i % moves.len()],
            prior: (count - i) as f32 / (count * count) as f32,
        };
        (0..count).map(edge).collect()
    }

    #[test]
    fn children_fill_runs_of_growing_length() {
        let runs: Vec<_> = (0..15).map(run_of).collect();
        let expected = [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (1, 3), (2, 0), (2, 1)];
        assert_eq!(runs[..8], expected);
        assert_eq!(runs[14], (3, 0));
        assert_eq!([0, 1, 2, 3, 6, 7, 30, 31].map(runs_for), [0, 1, 1, 2, 2, 3, 4, 5]);
        assert_eq!([1, 2, 3, 6, 7, 14, 15].map(head_words), [1, 1, 2, 2, 2, 2, 3]);
    }

    #[test]
    fn moves_and_children_are_found_again() {
        for count in [1, 2, 3, 7, 20, 30, 31, 62, 63, 218, 400] {
            let pool = NodePool::new(1 << 16).unwrap();
            let edges = edges(count);
            let mut chunk = PoolChunk::exact();
            let place = Expansion::write(&pool, &mut chunk, &edges).unwrap();
            assert_eq!(pool.used() - 1, Expansion::words_for(count));
            let mut expansion = Expansion::at(&pool, place);
            assert_eq!((expansion.edges(), expansion.children()), (count, 0));
            for (found, edge) in expansion.iter().zip(&edges) {
                assert_eq!(found.mv, edge.mv);
                assert!((found.prior - edge.prior).abs() < 1e-4);
            }
            let mut places = vec![];
            for _ in 0..count {
                let mut locked = Expansion::at(&pool, place);
                places.push(locked.next_child(&mut chunk).unwrap());
                locked.count_child();
            }
            expansion = Expansion::at(&pool, place);
            assert_eq!(expansion.children(), count);
            assert!((0..count).map(|i| expansion.child(i)).eq(places.iter().copied()));
            places.sort_by_key(|place| place.bits());
            let is_apart = |p: &[Place]| p[1].bits() - p[0].bits() >= NODE_WORDS as u32;
            assert!(places.windows(2).all(is_apart));
            let words = Expansion::words_for(count) + Expansion::run_words_for(count);
            assert_eq!(pool.used() - 1, words);
            assert!(expansion.iter().map(|edge| edge.mv).eq(edges.iter().map(|edge| edge.mv)));
        }
    }

    #[test]
    fn priors_can_be_rewritten() {
        let pool = NodePool::new(1 << 12).unwrap();
        let place = Expansion::write(&pool, &mut PoolChunk::default(), &edges(5)).unwrap();
        let expansion = Expansion::at(&pool, place);
        expansion.set_prior(2, 0.75);
        assert!((expansion.edge(2).prior - 0.75).abs() < 1e-4);
        assert!((expansion.edge(3).prior - edges(5)[3].prior).abs() < 1e-4);
    }
}
