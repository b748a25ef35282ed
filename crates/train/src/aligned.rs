// SPDX-License-Identifier: GPL-3.0-or-later
//! Floats that begin on a cache line, so that no vector load crosses one.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// A fixed number of floats whose first one begins a cache line.
pub struct Aligned {
    storage: Vec<f32>,
    start: usize,
    len: usize,
}

impl Aligned {
    /// Floats of a cache line.
    pub const LINE: usize = 16;

    /// So many zeros.
    pub fn zeroed(len: usize) -> Self {
        let storage = vec![0.0; len + Self::LINE];
        // If the platform cannot tell, any start will do: it is only a matter of speed.
        let bytes = Self::LINE * size_of::<f32>();
        let start = storage.as_ptr().align_offset(bytes).min(Self::LINE);
        Self { storage, start, len }
    }
}

impl Deref for Aligned {
    type Target = [f32];

    #[inline]
    fn deref(&self) -> &[f32] {
        &self.storage[self.start..self.start + self.len]
    }
}

impl DerefMut for Aligned {
    #[inline]
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.storage[self.start..self.start + self.len]
    }
}

impl Clone for Aligned {
    fn clone(&self) -> Self {
        let mut copy = Self::zeroed(self.len);
        copy.copy_from_slice(self);
        copy
    }
}

impl fmt::Debug for Aligned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Aligned({} floats)", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_begin_on_a_cache_line_also_in_copies() {
        for len in [0, 1, 16, 1000] {
            let mut floats = Aligned::zeroed(len);
            floats.fill(1.5);
            let copy = floats.clone();
            assert_eq!((copy.len(), copy.as_ptr().align_offset(64)), (len, 0));
            assert_eq!(*copy, *floats);
        }
    }
}
