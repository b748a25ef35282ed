// SPDX-License-Identifier: GPL-3.0-or-later
//! Large memory: that threads share, of the transposition table and of trees, and each thread's own
//! tables.
//!
//! One of the few places with `unsafe`: large pages and prefetching cannot be had without it. Access to
//! shared memory goes through atomics, so that threads may read and write the same word at once.
#![expect(unsafe_code, reason = "zeroed large pages viewed as values, and prefetching")]

use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU64;

use bytemuck::Zeroable;

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

/// A large page of x86-64 and of most other systems.
#[cfg(all(unix, not(miri)))]
const LARGE_PAGE: usize = 2 << 20;

/// A value of several hundred KiB or more that is walked at random: on large pages, where the system has
/// them, since with small ones every other access misses the address cache.
#[derive(Debug)]
pub(crate) struct Large<T> {
    #[cfg(all(unix, not(miri)))]
    map: memmap2::MmapMut,
    /// Where the value begins in the map: at a large page.
    #[cfg(all(unix, not(miri)))]
    start: usize,
    #[cfg(all(unix, not(miri)))]
    kind: std::marker::PhantomData<T>,
    #[cfg(not(all(unix, not(miri))))]
    value: Box<T>,
}

#[cfg(all(unix, not(miri)))]
impl<T: Zeroable> Large<T> {
    /// All bytes zero.
    ///
    /// # Panics
    /// If the system has not got the memory.
    pub(crate) fn zeroed() -> Self {
        const { assert!(align_of::<T>() <= LARGE_PAGE) };
        let bytes = size_of::<T>().next_multiple_of(LARGE_PAGE);
        let map = memmap2::MmapOptions::new().len(bytes + LARGE_PAGE).map_anon();
        let map = map.expect("memory for the tables of a thread");
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        let start = map.as_ptr().align_offset(LARGE_PAGE);
        Self { map, start, kind: std::marker::PhantomData }
    }
}

#[cfg(all(unix, not(miri)))]
impl<T: Zeroable> Deref for Large<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the map has room for a `T` from `start` on, which is aligned to a large page and so to
        // `T`. It was zeroed by the system, all-zero bytes are a valid `T`, and since then only a
        // `&mut T` has written there.
        unsafe { &*self.map.as_ptr().add(self.start).cast::<T>() }
    }
}

#[cfg(all(unix, not(miri)))]
impl<T: Zeroable> DerefMut for Large<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above; the map is borrowed for as long as the value is.
        unsafe { &mut *self.map.as_mut_ptr().add(self.start).cast::<T>() }
    }
}

#[cfg(not(all(unix, not(miri))))]
impl<T: Zeroable> Large<T> {
    /// All bytes zero.
    pub(crate) fn zeroed() -> Self {
        Self { value: bytemuck::zeroed_box() }
    }
}

#[cfg(not(all(unix, not(miri))))]
impl<T: Zeroable> Deref for Large<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

#[cfg(not(all(unix, not(miri))))]
impl<T: Zeroable> DerefMut for Large<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
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
    fn a_large_value_is_zero_and_keeps_what_is_written() {
        let mut large = Large::<[[u16; 1000]; 700]>::zeroed();
        assert!(large.as_flattened().iter().all(|&cell| cell == 0));
        large[699][999] = 7;
        assert_eq!((large[699][999], large[699][998]), (7, 0));
    }

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
