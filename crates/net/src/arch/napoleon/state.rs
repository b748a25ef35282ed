// SPDX-License-Identifier: GPL-3.0-or-later
//! What an evaluation needs besides the weights: room for its values, and a memory of the last ones.

use super::NapoleonShape;
use crate::kernels::float::{LANES, Lanes, PLANE, PaddedRow};

/// Room for an evaluation, and the values of the last positions.
///
/// One evaluation takes some ten thousand times as long as a look into the memory, and a tree search
/// often comes back to a position by another way.
#[derive(Clone, Debug)]
pub(crate) struct NapoleonState {
    scratch: Scratch,
    /// Keys of positions and their values, each at the place that the key's low bits say.
    memory: Vec<(u64, Option<i32>)>,
}

impl NapoleonState {
    /// Entries of the memory unless said otherwise; they take 64 KiB.
    pub(crate) const ENTRIES: usize = 4096;

    /// A state for networks of these sizes that remembers up to `entries` values, rounded up to a
    /// power of two; none if it is zero.
    pub(crate) fn new(shape: NapoleonShape, entries: usize) -> Self {
        let entries = if entries == 0 { 0 } else { entries.next_power_of_two() };
        Self { scratch: Scratch::new(shape), memory: vec![(0, None); entries] }
    }

    /// Remembers nothing from now on.
    pub(crate) fn drop_memory(&mut self) {
        self.memory = Vec::new();
    }

    pub(super) const fn scratch(&mut self) -> &mut Scratch {
        &mut self.scratch
    }

    /// The remembered value of a position, or else the one that `evaluate` finds.
    pub(super) fn remember(&mut self, key: u64, evaluate: impl FnOnce(&mut Scratch) -> i32) -> i32 {
        let slot = key as usize & self.memory.len().wrapping_sub(1);
        match self.memory.get(slot) {
            Some(&(known, Some(value))) if known == key => return value,
            _ => (),
        }
        let value = evaluate(&mut self.scratch);
        if let Some(entry) = self.memory.get_mut(slot) {
            *entry = (key, Some(value));
        }
        value
    }
}

/// Room for the values between the layers, so that an evaluation allocates nothing.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    pub(super) planes: Vec<f32>,
    pub(super) filtered: Vec<f32>,
    pub(super) padded: Vec<PaddedRow>,
    pub(super) squeezed: Vec<Lanes>,
    pub(super) gates: Vec<Lanes>,
}

impl Scratch {
    /// Room for a network of these sizes.
    fn new(shape: NapoleonShape) -> Self {
        let cells = shape.channels * PLANE;
        let groups = |width: usize| vec![[0.0; LANES]; width.div_ceil(LANES)];
        Self {
            planes: vec![0.0; cells],
            filtered: vec![0.0; cells],
            padded: vec![PaddedRow::default(); shape.channels * 8],
            squeezed: groups(shape.squeezed.max(shape.head)),
            gates: groups(shape.channels.max(shape.head)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_computed_once_until_its_place_is_taken() {
        let mut state = NapoleonState::new(NapoleonShape::ORIGINAL, 3);
        let mut count = 0;
        let mut ask = |key: u64| {
            state.remember(key, |_| {
                count += 1;
                key as i32 + 100 * count
            })
        };
        assert_eq!([ask(0), ask(0), ask(1), ask(0)], [100, 100, 201, 100]);
        assert_eq!([ask(4), ask(0), ask(1)], [304, 400, 201]); // 0 and 4 share one of four places
    }

    #[test]
    fn without_memory_every_value_is_computed() {
        let mut state = NapoleonState::new(NapoleonShape::ORIGINAL, 0);
        assert_eq!((state.remember(7, |_| 1), state.remember(7, |_| 2)), (1, 2));
    }
}
