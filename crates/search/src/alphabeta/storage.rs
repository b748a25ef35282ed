// SPDX-License-Identifier: GPL-3.0-or-later
//! The memory of the transposition table.
//!
//! One of the few places with `unsafe`: large pages and prefetching cannot be had without it. All
//! access goes through atomics, so that threads may read and write the same cluster at once.
#![expect(unsafe_code, reason = "zeroed large pages viewed as atomics, and prefetching")]

use std::sync::atomic::AtomicU64;

/// What fits in half a cache line.
#[repr(align(32))]
#[derive(Debug)]
pub(super) struct Cluster(pub(super) [AtomicU64; 4]);

/// Zeroed clusters.
#[derive(Debug)]
pub(super) struct Storage {
    #[cfg(unix)]
    map: memmap2::MmapMut,
    #[cfg(not(unix))]
    clusters: Vec<Cluster>,
}

#[cfg(unix)]
impl Storage {
    /// Asks the system for this many clusters; `None` if it has not got the memory.
    pub(super) fn new(clusters: usize) -> Option<Self> {
        let bytes = clusters.checked_mul(size_of::<Cluster>())?;
        let map = memmap2::MmapOptions::new().len(bytes).map_anon().ok()?;
        // Large pages save most misses of the address cache. If there are none, small ones do.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Self { map })
    }

    pub(super) fn clusters(&self) -> &[Cluster] {
        let len = self.map.len() / size_of::<Cluster>();
        #[expect(clippy::cast_ptr_alignment, reason = "maps begin at a page")]
        let first = self.map.as_ptr().cast::<Cluster>();
        // SAFETY: the map is page-aligned, lives as long as `self`, and holds `len` clusters. Any
        // bits are valid atomics, the map was zeroed by the system, and nothing else refers to it.
        unsafe { std::slice::from_raw_parts(first, len) }
    }
}

#[cfg(not(unix))]
impl Storage {
    /// Asks the system for this many clusters; `None` if it has not got the memory.
    pub(super) fn new(clusters: usize) -> Option<Self> {
        let mut memory = Vec::new();
        memory.try_reserve_exact(clusters).ok()?;
        memory.resize_with(clusters, || Cluster([const { AtomicU64::new(0) }; 4]));
        Some(Self { clusters: memory })
    }

    pub(super) fn clusters(&self) -> &[Cluster] {
        &self.clusters
    }
}

/// Brings a cluster into the cache while other work is done.
#[inline]
pub(super) fn prefetch(cluster: &Cluster) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: prefetching has no effect on memory, and the address is that of a reference.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(std::ptr::from_ref(cluster).cast(), _MM_HINT_T0);
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = cluster;
}
