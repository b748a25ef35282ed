// SPDX-License-Identifier: GPL-3.0-or-later
//! A value that is pulled back the further it has moved.

use bytemuck::Zeroable;

/// A value between plus and minus `MAX`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Zeroable)]
#[repr(transparent)]
pub(crate) struct Cell<const MAX: i32>(i16);

impl<const MAX: i32> Cell<MAX> {
    /// Nothing is known yet.
    pub(crate) const ZERO: Self = Self(0);

    #[inline]
    pub(crate) fn get(self) -> i32 {
        i32::from(self.0)
    }

    #[inline]
    pub(crate) fn update(&mut self, bonus: i32) {
        // Clamped before the formula: only then does the value stay within bounds.
        let bonus = bonus.clamp(-MAX, MAX);
        let value = i32::from(self.0);
        self.0 = (value + bonus - value * bonus.abs() / MAX) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_values_in_bounds() {
        const MAX: i32 = 8192;
        let mut cell = Cell::<MAX>::default();
        for bonus in [MAX, 100_000, 5_000, MAX] {
            cell.update(bonus);
            assert!(cell.get() <= MAX);
        }
        assert_eq!(cell.get(), MAX);
        cell.update(-1000);
        assert!(cell.get() < MAX);
        for _ in 0..100 {
            cell.update(-100_000);
        }
        assert_eq!(cell.get(), -MAX);
    }
}
