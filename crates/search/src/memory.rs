// SPDX-License-Identifier: GPL-3.0-or-later
//! Large memory that threads share: of the transposition table, and of trees.
//!
//! One of the few places with `unsafe`: large pages and prefetching cannot be had without it. All
//! access goes through atomics, so that threads may read and write the same word at once.
#![expect(unsafe_code, reason = "zeroed large pages viewed as atomics, and prefetching")]

use std::sync::atomic::AtomicU64;

/// Zeroed words, the first at the beginning of a page.
#[derive(Debug)]
pub(crate) struct Words {
    #[cfg(all(unix, not(miri)))]
    map: memmap2::MmapMut,
    #[cfg(all(unix, not(miri)))]
    len: usize,
    #[cfg(not(all(unix, not(miri))))]
    words: Vec<AtomicU64>,
}

#[cfg(all(unix, not(miri)))]
impl Words {
    /// Asks the system for this many words; `None` if it has not got the memory.
    pub(crate) fn new(len: usize) -> Option<Self> {
        // There are no maps of nothing.
        let bytes = len.max(1).checked_mul(size_of::<AtomicU64>())?;
        let map = memmap2::MmapOptions::new().len(bytes).map_anon().ok()?;
        // Large pages save most misses of the address cache. If there are none, small ones do.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Self { map, len })
    }

    #[inline]
    pub(crate) fn get(&self) -> &[AtomicU64] {
        #[expect(clippy::cast_ptr_alignment, reason = "maps begin at a page")]
        let first = self.map.as_ptr().cast::<AtomicU64>();
        // SAFETY: the map is page-aligned, lives as long as `self`, and holds `len` words. Any bits
        // are valid atomics, the map was zeroed by the system, and nothing else refers to it.
        unsafe { std::slice::from_raw_parts(first, self.len) }
    }
}

#[cfg(not(all(unix, not(miri))))]
impl Words {
    /// Asks the system for this many words; `None` if it has not got the memory.
    pub(crate) fn new(len: usize) -> Option<Self> {
        let mut words = Vec::new();
        words.try_reserve_exact(len).ok()?;
        words.resize_with(len, || AtomicU64::new(0));
        Some(Self { words })
    }

    #[inline]
    pub(crate) fn get(&self) -> &[AtomicU64] {
        &self.words
    }
}

/// Brings what lies at an address into the cache while other work is done.
#[inline]
pub(crate) fn prefetch<T>(target: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: prefetching has no effect on memory, and the address is that of a reference.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(std::ptr::from_ref(target).cast(), _MM_HINT_T0);
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = target;
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn words_are_zero_and_as_many_as_asked_for() {
        for len in [0, 1, 5, 100_000] {
            let words = Words::new(len).unwrap();
            assert_eq!(words.get().len(), len);
            assert!(words.get().iter().all(|word| word.load(Ordering::Relaxed) == 0));
        }
        assert!(Words::new(usize::MAX / 4).is_none());
    }
}
