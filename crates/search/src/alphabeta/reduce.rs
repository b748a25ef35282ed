// SPDX-License-Identifier: GPL-3.0-or-later
//! How much less deep later moves are searched.

use super::negamax::{Candidate, Node};
use super::worker::Worker;
use crate::Params;

/// The logarithmic part of reductions by depth and move number, in 1/1024 ply.
#[derive(Clone, Debug)]
pub(super) struct Reductions(Box<[[i32; 64]; 64]>);

impl Reductions {
    pub(super) fn new(params: &Params) -> Self {
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, cell) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (number as f64).ln() * 1024.0;
                *cell = params.lmr_base + (product * 1024.0 / f64::from(params.lmr_divisor)) as i32;
            }
        }
        Self(table)
    }

    #[inline]
    pub(super) fn get(&self, depth: i32, number: usize) -> i32 {
        self.0[depth.clamp(0, 63) as usize][number.min(63)]
    }
}

impl Worker {
    /// Late move reduction: whole plies by which a candidate is searched less deep at first.
    ///
    /// If the order is good, late moves are refuted anyway, and a shallow search shows it. Unsound
    /// for quiet moves whose point comes late; a score above alpha is therefore verified at full
    /// depth.
    pub(super) fn reduction(&self, node: &Node, candidate: &Candidate) -> i32 {
        let p = &self.params;
        let is_late = candidate.index > usize::from(node.is_pv);
        if p.lmr_on == 0
            || node.depth < 2
            || !is_late
            || !candidate.is_quiet() && candidate.index < 3
        {
            return 0;
        }
        let mut r = self.reductions.get(node.depth, candidate.index + 1);
        if !candidate.is_quiet() {
            r /= 2; // captures change more
        }
        r += if node.expected_cut { p.lmr_cut_node } else { 0 }; // one refutation is enough
        r -= if node.is_pv { p.lmr_pv } else { 0 }; // exact scores need care
        r += if node.improving { 0 } else { p.lmr_not_improving }; // little hope
        r -= if candidate.gives_check { p.lmr_check } else { 0 }; // forcing
        r -= if candidate.is_killer() { p.lmr_killer } else { 0 }; // proved itself nearby
        r -= candidate.history * 1024 / p.lmr_history_divisor; // proved itself elsewhere
        // Never straight into quiescence, never deeper than without.
        (r / 1024).clamp(0, (node.depth - 2).max(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let table = Reductions::new(&Params::default());
        assert!(table.get(10, 20) > table.get(5, 20));
        assert!(table.get(10, 20) > table.get(10, 4));
        assert_eq!(table.get(200, 200), table.get(63, 63));
    }
}
