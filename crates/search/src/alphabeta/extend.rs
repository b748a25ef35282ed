// SPDX-License-Identifier: GPL-3.0-or-later
//! What is searched deeper, or less deep, than the rest as a whole.

use super::negamax::Node;
use super::worker::Worker;

impl Worker {
    /// Check extension: in check there are few moves, and what they lead to is not quiet.
    pub(super) fn check_extension(&mut self, node: &Node) -> i32 {
        let is_extended = self.params.check_extension_on != 0 && node.in_check && !node.is_root;
        self.stats.check_extensions += u64::from(is_extended);
        i32::from(is_extended)
    }

    /// Internal iterative reduction: without a move from the table the order is poor, and a cheaper
    /// search will leave one there for next time.
    pub(super) fn internal_reduction(&self, node: &Node) -> i32 {
        let p = &self.params;
        let is_reduced = p.iir_on != 0
            && node.depth >= p.iir_min_depth
            && node.table_move().is_none()
            && (node.is_pv || node.expected_cut);
        i32::from(is_reduced)
    }
}
