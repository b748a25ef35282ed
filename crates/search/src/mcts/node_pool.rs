// SPDX-License-Identifier: GPL-3.0-or-later
//! The memory of a tree: words that are handed out one after the other and given back all at once.
//!
//! Everything is an atomic, so that threads may share the pool without `unsafe`; what a thread writes
//! becomes visible to others when a pointer to it is published (see `node` and `edges`).

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::memory::Words;

/// Where something lies in an pool, in words. Zero is never handed out and means "nothing".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place(u32);

impl Place {
    /// The place with this number; `None` for zero.
    #[inline]
    pub(super) const fn from_bits(bits: u32) -> Option<Self> {
        if bits == 0 { None } else { Some(Self(bits)) }
    }

    /// The number, which is not zero.
    #[inline]
    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    /// The place some words further on.
    #[inline]
    pub(super) const fn offset(self, words: usize) -> Self {
        Self(self.0 + words as u32)
    }
}

/// A number that threads keep changing, in cache lines of its own: whoever reads what lies beside it
/// would otherwise wait for every change.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct CachePadded<T>(pub(super) T);

/// Words of memory that are handed out from the front.
#[derive(Debug)]
pub(super) struct NodePool {
    words: Words,
    /// Words that were asked for; beyond the end once it is full.
    taken: CachePadded<AtomicUsize>,
}

impl NodePool {
    /// The longest pool: places have 32 bits.
    const MAX_WORDS: usize = u32::MAX as usize;

    /// An pool of at most this many bytes; `None` if the system has not got the memory.
    pub(super) fn new(bytes: usize) -> Option<Self> {
        let len = (bytes / size_of::<AtomicU64>()).min(Self::MAX_WORDS);
        Some(Self { words: Words::new(len)?, taken: CachePadded(AtomicUsize::new(1)) })
    }

    /// Hands out words, which hold whatever they held before; `None` if there are too few left.
    #[inline]
    pub(super) fn take(&self, count: usize) -> Option<Place> {
        self.take_up_to(count, count).map(|words| Place(words.start as u32))
    }

    /// Hands out between `least` and `most` words, as many as there are.
    fn take_up_to(&self, least: usize, most: usize) -> Option<Range<usize>> {
        let start = self.taken.0.fetch_add(most, Ordering::Relaxed);
        let end = (start + most).min(self.len());
        (start + least <= end).then_some(start..end)
    }

    /// Takes everything back.
    pub(super) fn reset(&mut self) {
        *self.taken.0.get_mut() = 1;
    }

    /// Some words.
    ///
    /// # Panics
    /// If the place is not in the pool.
    #[inline]
    pub(super) fn words(&self, place: Place, count: usize) -> &[AtomicU64] {
        &self.words.get()[place.0 as usize..][..count]
    }

    /// A fixed number of words.
    #[inline]
    pub(super) fn array<const N: usize>(&self, place: Place) -> &[AtomicU64; N] {
        self.words(place, N).first_chunk().expect("as many words as asked for")
    }

    /// All words, those that cannot be handed out included.
    pub(super) fn len(&self) -> usize {
        self.words.get().len()
    }

    /// Words in use.
    pub(super) fn used(&self) -> usize {
        self.taken.0.load(Ordering::Relaxed).min(self.len())
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.words.get())
    }
}

/// Words of an pool that are one thread's to hand out. What a thread makes lies together then: if it lay
/// between the nodes of others, each would wait for cache lines in which another has just counted a visit.
#[derive(Debug)]
pub(super) struct PoolChunk {
    free: Range<usize>,
    /// Words that are asked for at a time.
    size: usize,
}

impl Default for PoolChunk {
    /// Little beside any pool, and much beside a node.
    fn default() -> Self {
        Self { free: 0..0, size: 1 << 10 }
    }
}

impl PoolChunk {
    /// For someone who is alone with the pool: never asks for more than is needed.
    pub(super) const fn exact() -> Self {
        Self { free: 0..0, size: 0 }
    }

    /// Hands out words like [`NodePool::take`], from the chunk or from the next one.
    #[inline]
    pub(super) fn take(&mut self, pool: &NodePool, count: usize) -> Option<Place> {
        if self.free.len() < count {
            self.free = pool.take_up_to(count, count.max(self.size))?;
        }
        let place = Place(self.free.start as u32);
        self.free.start += count;
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_handed_out_once_until_there_are_none() {
        let mut pool = NodePool::new(80).unwrap();
        assert_eq!((pool.len(), pool.used(), pool.bytes()), (10, 1, 80));
        let first = pool.take(4).unwrap();
        let second = pool.take(5).unwrap();
        assert_eq!((first.bits(), second.bits()), (1, 5));
        assert_eq!(pool.words(second, 5).len(), 5);
        assert_eq!(pool.take(1), None);
        assert_eq!(pool.used(), 10);
        pool.reset();
        assert_eq!(pool.take(9), Some(first));
    }

    #[test]
    fn a_chunk_is_used_up_before_the_next_one_is_asked_for() {
        let pool = NodePool::new(8 * 1_500).unwrap();
        let (mut mine, mut yours) = (PoolChunk::default(), PoolChunk::default());
        assert_eq!(mine.take(&pool, 1_000).map(Place::bits), Some(1));
        assert_eq!(yours.take(&pool, 100).map(Place::bits), Some(1_025));
        assert_eq!(mine.take(&pool, 24).map(Place::bits), Some(1_001));
        assert_eq!(mine.take(&pool, 1), None, "the rest is in the other's chunk");
        assert_eq!(yours.take(&pool, 375).map(Place::bits), Some(1_125));
        assert_eq!(yours.take(&pool, 1), None);
    }

    #[test]
    fn memory_that_there_is_not_is_refused() {
        let bytes = NodePool::new(0).unwrap().bytes();
        assert_eq!(bytes, 0);
        assert!(NodePool::new(0).unwrap().take(1).is_none());
    }

    /// No word is handed out to two threads.
    #[test]
    fn threads_get_different_words() {
        let pool = NodePool::new(8 * 3_000).unwrap();
        let mut places: Vec<u32> = std::thread::scope(|scope| {
            let take = || {
                let places = std::iter::from_fn(|| pool.take(3));
                places.map(Place::bits).collect::<Vec<_>>()
            };
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(take)).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        places.sort_unstable();
        assert_eq!(places.len(), 999);
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= 3));
    }
}
