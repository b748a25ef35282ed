// SPDX-License-Identifier: GPL-3.0-or-later
//! Ending a search that may not have begun yet.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use engine::Control;

/// Ends one job: the search under way, and those that would follow.
#[derive(Debug, Default)]
pub struct Stop {
    is_stopped: AtomicBool,
    search: Mutex<Option<Arc<Control>>>,
}

impl Stop {
    /// Whether it was told to end.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Acquire)
    }

    /// Ends it.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Release);
        let search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        search.iter().for_each(|control| control.stop());
    }

    /// Ends this search too when the time comes, which may be now.
    pub(super) fn watch(&self, control: Arc<Control>) {
        let mut search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_stopped() {
            control.stop();
        }
        *search = Some(control);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_ended_whether_it_began_before_or_after() {
        let (stop, before, after) = (Stop::default(), Arc::default(), Arc::default());
        stop.watch(Arc::clone(&before));
        assert!(!before.is_stopped());
        stop.stop();
        stop.watch(Arc::clone(&after));
        assert!(before.is_stopped() && after.is_stopped() && stop.is_stopped());
    }
}
