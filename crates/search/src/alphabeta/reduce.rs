// SPDX-License-Identifier: GPL-3.0-or-later
//! How much less deep later moves are searched.

use super::node::{Candidate, Node};
use super::worker::Worker;
use crate::Params;

/// From this reduction on, a first move is searched a ply less deep, in 1/1024 ply.
const FIRST_MOVE_REDUCTION: i32 = 3200;

/// How much less the table's move would be reduced than others, in 1/1024 ply.
const FIRST_TABLE_MOVE: i32 = 2000;

/// The logarithmic part of reductions by depth and move number, in 1/1024 ply.
#[derive(Clone, Debug)]
pub(super) struct Reductions {
    quiet: Box<[[i32; 64]; 64]>,
    noisy: Box<[[i32; 64]; 64]>,
}

impl Reductions {
    pub(super) fn new(params: &Params) -> Self {
        Self {
            quiet: Self::table(params.lmr_base(), params.lmr_divisor()),
            noisy: Self::table(params.lmr_noisy_base(), params.lmr_noisy_divisor()),
        }
    }

    fn table(base: i32, divisor: i32) -> Box<[[i32; 64]; 64]> {
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, cell) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (number as f64).ln() * 1024.0;
                *cell = base + (product * 1024.0 / f64::from(divisor)) as i32;
            }
        }
        table
    }

    #[inline]
    pub(super) fn get(&self, is_quiet: bool, depth: i32, number: usize) -> i32 {
        let table = if is_quiet { &self.quiet } else { &self.noisy };
        table[depth.clamp(0, 63) as usize][number.min(63)]
    }
}

impl Worker {
    /// Late move reduction: by how much a candidate's first search is less deep, in 1/1024 ply.
    ///
    /// If the order is good, late moves are refuted anyway, and a shallow search shows it. Unsound
    /// for quiet moves whose point comes late; a score above alpha is therefore verified at full
    /// depth.
    pub(super) fn reduction(&self, node: &Node, by_node: i32, candidate: &Candidate) -> i32 {
        let p = &self.params;
        if !p.lmr_on() {
            return 0;
        }
        let is_quiet = candidate.is_quiet();
        let mut r = by_node + self.reductions.get(is_quiet, node.depth, candidate.index + 1);
        r -= if candidate.gives_check { p.lmr_check() } else { 0 }; // forcing
        r -= if candidate.is_killer() { p.lmr_killer() } else { 0 }; // proved itself nearby
        r += if self.frames[self.ply + 1].cutoffs >= p.lmr_cutoffs_min() {
            p.lmr_cutoffs()
        } else {
            0
        }; // all refuted
        // Proved itself elsewhere, or failed there.
        let by_history = if is_quiet {
            (candidate.history - p.lmr_history_offset()) * 1024 / p.lmr_history_divisor()
        } else {
            candidate.history * 1024 / p.lmr_noisy_history_divisor()
        };
        r - by_history
    }

    /// The part of late move reductions that depends on the node alone. It holds until a move raises alpha.
    pub(super) fn node_reduction(&self, node: &Node) -> i32 {
        let p = &self.params;
        let mut r = 0;
        r -= self.was_pv_reduction(node); // it mattered once
        if node.expected_cut && !(node.was_pv && p.lmr_cut_plain_try() != 0) {
            r += p.lmr_cut_node(); // one refutation is enough
            r += if node.table_move.is_none() { p.lmr_cut_no_move() } else { 0 };
        }
        // Exact scores need care.
        r -= if node.is_pv { p.lmr_pv() + self.window_reduction(node) } else { 0 };
        r += match p.lmr_improvement_scale() {
            0 if node.improving => 0,
            0 => p.lmr_not_improving(), // little hope
            scale => {
                let half = p.lmr_not_improving() / 2;
                (half - node.improvement * scale).clamp(0, 2 * half)
            }
        };
        r += if node.has_noisy_table_move() { p.lmr_noisy_table() } else { 0 }; // a fight, not a plan
        r += if node.is_raised { p.lmr_raised() } else { 0 }; // a second best is rare
        r += if node.is_below_alpha() { p.lmr_table_below() } else { 0 }; // nothing was found before
        r - node.correction.abs() * p.lmr_correction_scale() // the evaluation is unsure
    }

    /// How much less is reduced where the node was in a principal variation, in 1/1024 ply.
    pub(super) fn was_pv_reduction(&self, node: &Node) -> i32 {
        let p = &self.params;
        if !node.was_pv {
            return 0;
        }
        let is_deep = node.hit.is_some_and(|hit| hit.depth >= node.depth);
        p.lmr_was_pv()
            + if node.is_above_alpha() { p.lmr_was_pv_above() } else { 0 }
            + if is_deep { p.lmr_was_pv_deep() } else { 0 }
    }

    /// How much less is reduced in a window that is still wide beside that of the root, in 1/1024 ply.
    fn window_reduction(&self, node: &Node) -> i32 {
        let width = (node.window.beta - node.window.alpha).min(self.root_width);
        self.params.lmr_window_scale() * width / self.root_width.max(1)
    }

    /// Plies less for a candidate that comes too early to be reduced, though much speaks against it.
    pub(super) fn full_reduction(&self, node: &Node, candidate: &Candidate) -> i32 {
        let is_first = candidate.index == 0 && !node.is_pv && node.depth >= 2;
        let by_table = if node.table_move.is_some() { FIRST_TABLE_MOVE } else { 0 };
        let is_less = self.params.lmr_full_try() != 0
            && is_first
            && candidate.reduction - by_table > FIRST_MOVE_REDUCTION;
        i32::from(is_less)
    }

    /// The depth of a candidate's first search: reduced, but never straight into quiescence, and at
    /// most one ply more than without.
    pub(super) fn reduced_depth(&self, node: &Node, candidate: &Candidate, full: i32) -> i32 {
        let is_late = candidate.index > usize::from(node.is_root);
        let p = &self.params;
        if node.depth < 2 || !is_late || !p.lmr_on() {
            return full;
        }
        let is_deeper = node.is_pv && p.lmr_deeper_pv_try() != 0;
        let most = full + i32::from(node.is_pv || node.expected_cut) + i32::from(is_deeper);
        (full - candidate.reduction / 1024).clamp(1.min(full), most.max(1))
    }
}

#[cfg(test)]
mod tests;
