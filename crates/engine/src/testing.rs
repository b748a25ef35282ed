// SPDX-License-Identifier: GPL-3.0-or-later
//! For tests: what a search does that has a defect.

use std::sync::atomic::{AtomicU32, Ordering};

static DUE: AtomicU32 = AtomicU32::new(0);
static INJECTED: AtomicU32 = AtomicU32::new(0);

/// Lets a search of this process panic at its next report. It does nothing in a release.
pub fn panic_in_next_search() {
    DUE.fetch_add(1, Ordering::Relaxed);
}

/// How many searches have panicked for that.
pub fn injected() -> u32 {
    INJECTED.load(Ordering::Relaxed)
}

/// Panics if a test wants it.
pub(crate) fn may_panic() {
    let one_less = |due: u32| due.checked_sub(1);
    let is_due = cfg!(debug_assertions)
        && DUE.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok();
    if is_due {
        INJECTED.fetch_add(1, Ordering::Relaxed);
        panic!("injected by a test");
    }
}
