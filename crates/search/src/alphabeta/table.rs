// SPDX-License-Identifier: GPL-3.0-or-later
//! The transposition table: what earlier searches found, by position.
//!
//! A cluster of 32 bytes holds three entries:
//!
//! ```text
//!  word 0..2   key tag ^ mix(depth, flags) 16 | move 16 | score 16 | static evaluation 16
//!  word 3      depth 8, flags 8 of entry 0 | of entry 1 | of entry 2 | unused 16
//!  flags       bound 2 | was in a principal variation 1 | age 5
//! ```
//!
//! Threads share the table without locks. Each word is read and written as a whole; what could be
//! torn is an entry's own word from its half of word 3. The key tag is therefore stored mixed with
//! depth and flags by a one-to-one function: if the two words do not belong together, the tag is
//! wrong, and the entry is not found under its own key. This is Hyatt's and Mann's lockless hashing
//! (ICGA Journal 25/1), with a proof instead of a probability for the entry's own position.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use chess::{Board, Move, Role};

use crate::memory::{Words, prefetch};
use crate::{Bound, Score};

const ENTRIES: usize = 3;
const AGE_BITS: u32 = 5;
const AGES: u8 = 1 << AGE_BITS;

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The best or refuting move.
    pub(crate) mv: Option<Move>,
    /// The score, counted from the node; `None` if only the evaluation is known.
    pub(crate) score: Option<(Score, Bound)>,
    /// The static evaluation before any correction; `None` in check.
    pub(crate) eval: Option<Score>,
    /// How deep the search was.
    pub(crate) depth: i32,
    /// Whether the position was in a principal variation.
    pub(crate) was_pv: bool,
}

/// Under which key a position is kept.
///
/// A position late on the fifty-move clock is not the same as early on it: what was a win may be a
/// draw. Keys therefore change every few plies once the clock has run for a while.
#[inline]
pub(crate) fn table_key(board: &Board) -> u64 {
    board.key() ^ clock_key(board.halfmove_clock())
}

/// The key of the position after a move, as far as it can be told without making it.
#[inline]
fn table_key_after(board: &Board, mv: Move) -> u64 {
    let is_reset = mv.is_noisy() || board.role_on(mv.from()) == Some(Role::Pawn);
    let clock = if is_reset { 0 } else { board.halfmove_clock() + 1 };
    board.key_after(mv) ^ clock_key(clock)
}

/// The key of the position after a null move.
#[inline]
fn table_key_after_null(board: &Board) -> u64 {
    // The clock stands still.
    board.key_after_null() ^ clock_key(board.halfmove_clock())
}

/// Plies of the clock that make no difference yet, and the width of the steps after them.
const CLOCK_FREE: usize = 16;
const CLOCK_STEP: usize = 8;

#[inline]
const fn clock_key(clock: usize) -> u64 {
    if clock < CLOCK_FREE {
        return 0;
    }
    let step = ((clock - CLOCK_FREE) / CLOCK_STEP + 1) as u64;
    step.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// How a table has been used since it was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TableStats {
    /// The size in MiB.
    pub mebibytes: usize,
    /// Entries that the table can hold.
    pub capacity: usize,
    /// Entries that it holds.
    pub entries: usize,
    /// Look-ups that found their position.
    pub hits: u64,
    /// Look-ups that did not.
    pub misses: u64,
    /// Entries written.
    pub puts: u64,
}

/// Words of a cluster.
const CLUSTER_WORDS: usize = 4;

/// What fits in half a cache line. Memory begins at a page, so that none lies in two lines.
type Cluster = [AtomicU64; CLUSTER_WORDS];

/// A table shared by all threads of a search.
#[derive(Debug)]
pub(crate) struct Table {
    words: Words,
    age: AtomicU8,
    hits: AtomicU64,
    misses: AtomicU64,
    puts: AtomicU64,
}

/// Counts of one thread, added to the table's at the end of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TableUse {
    pub(crate) hits: u64,
    pub(crate) misses: u64,
    pub(crate) puts: u64,
}

impl Table {
    /// A table of this many MiB; `None` if the system has not got the memory.
    #[cfg(test)]
    pub(crate) fn new(mebibytes: usize) -> Option<Self> {
        Self::of_bytes(mebibytes << 20)
    }

    /// A table of at most this many bytes; `None` if the system has not got the memory.
    pub(crate) fn of_bytes(bytes: usize) -> Option<Self> {
        let clusters = bytes / size_of::<Cluster>();
        let zero = || AtomicU64::new(0);
        let words = Words::new(clusters.max(1) * CLUSTER_WORDS)?;
        Some(Self { words, age: AtomicU8::new(0), hits: zero(), misses: zero(), puts: zero() })
    }

    #[inline]
    fn clusters(&self) -> &[Cluster] {
        self.words.get().as_chunks().0
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.clusters())
    }

    /// Forgets everything, with this many threads.
    pub(crate) fn clear(&self, threads: usize) {
        let clusters = self.clusters();
        let wipe = |part: &[Cluster]| {
            part.iter().flatten().for_each(|word| word.store(0, Ordering::Relaxed));
        };
        if threads <= 1 {
            wipe(clusters);
        } else {
            let share = clusters.len().div_ceil(threads);
            std::thread::scope(|scope| {
                for part in clusters.chunks(share) {
                    scope.spawn(move || wipe(part));
                }
            });
        }
        for counter in [&self.hits, &self.misses, &self.puts] {
            counter.store(0, Ordering::Relaxed);
        }
        self.age.store(0, Ordering::Relaxed);
    }

    /// Begins a new search: entries of earlier ones become easier to replace.
    pub(crate) fn grow_older(&self) {
        let next = (self.age.load(Ordering::Relaxed) + 1) % AGES;
        self.age.store(next, Ordering::Relaxed);
    }

    /// Adds a thread's counts.
    pub(crate) fn add_use(&self, used: TableUse) {
        self.hits.fetch_add(used.hits, Ordering::Relaxed);
        self.misses.fetch_add(used.misses, Ordering::Relaxed);
        self.puts.fetch_add(used.puts, Ordering::Relaxed);
    }

    /// How the table has been used. Counts entries one by one, so not for hot code.
    pub(crate) fn stats(&self) -> TableStats {
        let clusters = self.clusters();
        let used = |cluster: &Cluster| {
            let depths = cluster[3].load(Ordering::Relaxed);
            (0..ENTRIES).filter(|&i| Packed::half(depths, i) != 0).count()
        };
        TableStats {
            mebibytes: size_of_val(clusters) >> 20,
            capacity: clusters.len() * ENTRIES,
            entries: clusters.iter().map(used).sum(),
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            puts: self.puts.load(Ordering::Relaxed),
        }
    }

    /// Per mille of entries that the present search has written, from a sample.
    pub(crate) fn fill(&self) -> usize {
        let age = self.age.load(Ordering::Relaxed);
        let sample = self.clusters().iter().take(1000);
        let (mut filled, mut seen) = (0, 0);
        for cluster in sample {
            let depths = cluster[3].load(Ordering::Relaxed);
            for i in 0..ENTRIES {
                let half = Packed::half(depths, i);
                filled += usize::from(half != 0 && half >> 11 == u64::from(age));
                seen += 1;
            }
        }
        filled * 1000 / seen.max(1)
    }

    /// Brings the cluster of a key into the cache.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// The same for the position after a move, so that what is looked up before the move is made gives the
    /// memory time.
    #[inline]
    pub(crate) fn prefetch_after(&self, board: &Board, mv: Move) {
        self.prefetch(table_key_after(board, mv));
    }

    /// The same for the position after a null move.
    #[inline]
    pub(crate) fn prefetch_after_null(&self, board: &Board) {
        self.prefetch(table_key_after_null(board));
    }

    /// What is known of the position with this key.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let cluster = self.cluster(key);
        let depths = cluster[3].load(Ordering::Relaxed);
        (0..ENTRIES)
            .map(|i| Packed {
                word: cluster[i].load(Ordering::Relaxed),
                half: Packed::half(depths, i),
            })
            .find(|packed| packed.is_of(key))
            .map(Packed::entry)
    }

    /// Remembers an entry. The move that is already known stays if there is no new one.
    #[inline]
    pub(crate) fn store(&self, key: u64, mut entry: Entry) {
        let cluster = self.cluster(key);
        let age = self.age.load(Ordering::Relaxed);
        let depths = cluster[3].load(Ordering::Relaxed);
        let packed = |i: usize| Packed {
            word: cluster[i].load(Ordering::Relaxed),
            half: Packed::half(depths, i),
        };
        let slot = (0..ENTRIES)
            .find(|&i| packed(i).is_of(key))
            .or_else(|| (0..ENTRIES).find(|&i| packed(i).half == 0))
            .or_else(|| (0..ENTRIES).min_by_key(|&i| packed(i).worth(age)))
            .unwrap_or(0);
        let old = packed(slot);
        if old.is_of(key) {
            entry.mv = entry.mv.or(old.entry().mv);
            // What quiescence calls exact says nothing about the moves that it leaves out.
            let is_exact = matches!(entry.score, Some((_, Bound::Exact))) && entry.depth > 0;
            let is_deep = entry.depth + 4 + 2 * i32::from(entry.was_pv) > old.entry().depth;
            if !(is_exact || is_deep || old.age() != age) {
                // The deeper result stays, with the newer move.
                cluster[slot].store(old.with_move(entry.mv), Ordering::Relaxed);
                return;
            }
        }
        let new = Packed::new(key, &entry, age);
        cluster[slot].store(new.word, Ordering::Relaxed);
        let shift = 16 * slot;
        let others = cluster[3].load(Ordering::Relaxed) & !(0xFFFF << shift);
        cluster[3].store(others | new.half << shift, Ordering::Relaxed);
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let clusters = self.clusters();
        // The high half of the product spreads keys evenly over any number of clusters.
        &clusters[((u128::from(key) * clusters.len() as u128) >> 64) as usize]
    }
}

/// An entry as it is stored.
#[derive(Clone, Copy)]
struct Packed {
    word: u64,
    /// Depth and flags; zero if the entry is empty.
    half: u64,
}

/// Depths are stored from 1, so that a used entry is never zero; quiescence has depth 0 or less.
const DEPTH_OFFSET: i32 = 2;
const NO_EVAL: i16 = i16::MIN;

impl Packed {
    #[inline]
    const fn half(depths: u64, index: usize) -> u64 {
        depths >> (16 * index) & 0xFFFF
    }

    /// A one-to-one function of sixteen bits that spreads them.
    #[inline]
    const fn mix(half: u64) -> u64 {
        half.wrapping_mul(0x9E6D) & 0xFFFF
    }

    #[inline]
    const fn is_of(self, key: u64) -> bool {
        // The low bits: the high ones have chosen the cluster.
        self.half != 0 && (self.word ^ Self::mix(self.half) ^ key) as u16 == 0
    }

    #[inline]
    fn new(key: u64, entry: &Entry, age: u8) -> Self {
        let bound = match entry.score {
            None => 0,
            Some((_, Bound::Upper)) => 1,
            Some((_, Bound::Lower)) => 2,
            Some((_, Bound::Exact)) => 3,
        };
        let depth = (entry.depth + DEPTH_OFFSET).clamp(1, 255) as u64;
        let flags = bound | u64::from(entry.was_pv) << 2 | u64::from(age) << 3;
        let half = depth | flags << 8;
        let low = |value: i16| u64::from(value as u16);
        let tag = (key ^ Self::mix(half)) & 0xFFFF;
        let mv = entry.mv.map_or(0, |mv| u64::from(mv.bits().get()));
        let score = low(entry.score.map_or(0, |(score, _)| score.value() as i16));
        let eval = low(entry.eval.map_or(NO_EVAL, |eval| eval.value() as i16));
        Self { word: tag | mv << 16 | score << 32 | eval << 48, half }
    }

    /// The word with another move; the tag does not depend on it.
    #[inline]
    fn with_move(self, mv: Option<Move>) -> u64 {
        self.word & !(0xFFFF << 16) | mv.map_or(0, |mv| u64::from(mv.bits().get())) << 16
    }

    #[inline]
    fn entry(self) -> Entry {
        let part = |shift: u32| (self.word >> shift) as u16;
        let bound = match self.half >> 8 & 3 {
            0 => None,
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            _ => Some(Bound::Exact),
        };
        let score = Score::from_stored(part(32) as i16);
        let eval = part(48) as i16;
        Entry {
            mv: Move::from_bits(part(16)),
            score: bound.map(|bound| (score, bound)),
            eval: (eval != NO_EVAL).then(|| Score::from_stored(eval)),
            depth: (self.half & 0xFF) as i32 - DEPTH_OFFSET,
            was_pv: self.half >> 10 & 1 != 0,
        }
    }

    #[inline]
    const fn age(self) -> u8 {
        (self.half >> 11) as u8
    }

    /// What losing this entry would cost: depth, less if it is old.
    #[inline]
    const fn worth(self, now: u8) -> i32 {
        let years = (now + AGES - self.age()) % AGES;
        (self.half & 0xFF) as i32 - 4 * years as i32
    }
}

#[cfg(test)]
mod tests;
