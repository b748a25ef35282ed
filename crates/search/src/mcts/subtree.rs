// SPDX-License-Identifier: GPL-3.0-or-later
//! More iterations below a node with many visits.
//!
//! After an iteration a thread repeats some more that begin at a node of its path. The nodes above get the
//! sum of their values at once. This saves the way down and up again, and threads write to the same nodes
//! less often: memory that one thread has written to is slow for the others. It happens on two scales:
//! many iterations below a node with thousands of visits, and on the way from there a few below
//! nodes with hundreds.

use super::iteration::{IterationEnd, Shared, TreeWorker};
use super::node::ValueSum;

/// The most virtual losses of a thread at the nodes above: enough that others go elsewhere, and so few
/// that a thousand threads do not overflow the count.
const MAX_WEIGHT: u64 = 24;

impl TreeWorker<'_> {
    /// One iteration, and some more below nodes that it went through, up to `most` in all. Returns how many
    /// came to an end, and how the first one ended.
    pub(super) fn iterate_many(&mut self, shared: &Shared<'_>, most: u64) -> (u64, IterationEnd) {
        match self.iterate_once(shared) {
            IterationEnd::Done => {
                (1 + self.repeat_below_large_node(shared, most - 1), IterationEnd::Done)
            }
            end => (0, end),
        }
    }

    /// Repeats iterations below the last node of the path with very many visits, and from there below
    /// others; without such a node, below the last one with many. Returns how many came to an end.
    fn repeat_below_large_node(&mut self, shared: &Shared<'_>, most: u64) -> u64 {
        let large = self.last_with_visits(shared, 0, shared.tuning.large_subtree_visits);
        let sum = match large {
            Some(ply) => self.repeat_below(shared, 0, ply, most, |worker, left| {
                worker.repeat_below_node(shared, ply, left)
            }),
            None => self.repeat_below_node(shared, 0, most),
        };
        sum.visits()
    }

    /// Repeats iterations below the last node of the path behind `floor` with many visits: so few that
    /// selection above would hardly have chosen otherwise in between. Returns the sum for the node at the
    /// floor.
    fn repeat_below_node(&mut self, shared: &Shared<'_>, floor: usize, most: u64) -> ValueSum {
        let per_iteration = shared.tuning.subtree_visits;
        let Some(ply) = self.last_with_visits(shared, floor, 2 * per_iteration) else {
            return ValueSum::default();
        };
        let visits = shared.tree.node(self.path[ply]).visits();
        let wanted = u64::from(visits / per_iteration);
        self.repeat_below(shared, floor, ply, wanted.min(most), |_, _| ValueSum::default())
    }

    /// The last ply of the path behind `floor` whose node has so many visits.
    fn last_with_visits(&self, shared: &Shared<'_>, floor: usize, visits: u32) -> Option<usize> {
        let has_many = |&ply: &usize| shared.tree.node(self.path[ply]).visits() >= visits;
        (floor + 1..self.path.len()).rev().find(has_many)
    }

    /// Iterations that begin at a ply of the path, each followed by what `more` does, up to `most` in all.
    /// The nodes down from `floor` get the sum at once. Returns the sum for the one at the floor.
    fn repeat_below(
        &mut self,
        shared: &Shared<'_>,
        floor: usize,
        ply: usize,
        most: u64,
        more: impl Fn(&mut Self, u64) -> ValueSum,
    ) -> ValueSum {
        let weight = most.min(MAX_WEIGHT);
        for &place in &self.path[floor + 1..=ply] {
            shared.tree.node(place).add_virtual_losses(weight);
        }
        let mut sum = ValueSum::default();
        let node = shared.tree.node(self.path[ply]);
        while sum.visits() < most && node.proof().is_none() {
            self.path.truncate(ply + 1);
            self.line.truncate(ply);
            let Ok(value) = self.descend_to_value(shared) else {
                for &place in &self.path[ply + 1..] {
                    shared.tree.node(place).remove_virtual_loss();
                }
                break;
            };
            sum.add(self.back_up(shared, ply, value));
            sum += more(self, most - sum.visits());
        }
        self.back_up_sum(shared, floor, ply, (sum, weight))
    }

    /// Adds a sum to the nodes above the one where it was gathered, and removes their virtual losses.
    /// Returns the sum for the one at the floor.
    fn back_up_sum(
        &self,
        shared: &Shared<'_>,
        floor: usize,
        ply: usize,
        (mut sum, weight): (ValueSum, u64),
    ) -> ValueSum {
        shared.tree.node(self.path[ply]).remove_virtual_losses(weight);
        for &place in self.path[floor + 1..ply].iter().rev() {
            sum = sum.flipped();
            let node = shared.tree.node(place);
            node.add_sum(sum);
            node.remove_virtual_losses(weight);
        }
        sum = sum.flipped();
        shared.tree.node(self.path[floor]).add_sum(sum);
        sum
    }
}
