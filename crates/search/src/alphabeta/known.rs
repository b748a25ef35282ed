// SPDX-License-Identifier: GPL-3.0-or-later
//! Scores of a node that are known without a search: by rule, from the transposition table, from
//! tablebases.

use super::node::Node;
use super::table::Entry;
use super::worker::Worker;
use crate::{Bound, Score};

/// Moves that so few others were tried before are early ones.
const EARLY: u8 = 3;

impl Worker {
    /// The end of the search, draws by rule, the end of the board's memory, and mates that are too
    /// far away to matter.
    pub(super) fn forced_result(&mut self, node: &mut Node) -> Option<Score> {
        if self.check_limits() {
            return Some(Score::DRAW);
        }
        if node.is_root {
            return None;
        }
        if let Some(score) = self.rule_draw().or_else(|| self.max_ply_score()) {
            return Some(score);
        }
        // A shorter mate is known than this node could give.
        node.window.alpha = node.window.alpha.max(Score::mated_in(self.ply));
        node.window.beta = node.window.beta.min(Score::mate_in(self.ply + 1));
        if !node.window.is_empty() && self.can_force_repetition(node.window.alpha) {
            self.stats.pruning.forced_repetitions += 1;
            // No result is below the draw, even if the move that forces it is pruned.
            node.floor = self.draw_score();
            node.window.alpha = node.floor;
        }
        node.entry_alpha = node.window.alpha;
        node.window.is_empty().then_some(node.window.alpha)
    }

    /// Looks the position up. Never answers in the principal variation, which would be cut short, nor
    /// while a move is left out.
    pub(super) fn probe_table(&mut self, node: &mut Node) -> Option<Score> {
        let found = self.probe();
        if let Some(score) = found.and_then(|hit| self.table_answer(node, hit)) {
            return Some(score);
        }
        // A move that is not legal belongs to another position with the same tag.
        let hit = found.filter(|hit| hit.mv.is_none_or(|mv| self.board().is_legal(mv)));
        node.was_pv |= hit.is_some_and(|hit| hit.was_pv);
        if node.excluded.is_none() {
            self.frame_mut().was_pv = node.was_pv;
        }
        node.hit = hit;
        node.hit_score = hit.and_then(|hit| self.entry_score(hit));
        node.table_move = hit.and_then(|hit| hit.mv);
        if node.is_root && self.finished_depth > 0 {
            // The table may have lost the root; its list of moves has not.
            node.table_move = self.root.first_move();
        }
        if let Some(mv) = node.table_move.filter(|_| node.excluded.is_none()) {
            self.prefetch(mv);
        }
        None
    }

    /// The answer that an entry gives, if it is one.
    pub(super) fn table_answer(&mut self, node: &Node, hit: Entry) -> Option<Score> {
        if node.is_pv
            || node.excluded.is_some()
            || self.board().halfmove_clock() as i32 >= self.params.table_cut_halfmoves()
        {
            return None;
        }
        let (score, bound) = self.entry_score(hit)?;
        let is_answer = hit.depth
            >= node.depth + i32::from(score > node.window.beta && !self.accepts_equal_depth())
            && node.window.is_settled_by(score, bound)
            && (node.expected_cut == (score >= node.window.beta)
                || node.depth >= self.params.table_cut_surprise_min_depth())
            && hit.mv.is_none_or(|mv| self.board().is_legal(mv));
        if !is_answer {
            return None;
        }
        self.stats.pruning.table_cuts += 1;
        let teaches = self.params.history_table_early_try() == 0 || self.is_after_early_move(EARLY);
        if score >= node.window.beta
            && teaches
            && let Some(mv) = hit.mv.filter(|mv| !mv.is_noisy())
        {
            self.compute_threats();
            self.reward_quiet(mv, node.depth);
        }
        Some(score)
    }

    /// Asks the endgame tables. A win is only a lower bound, since a mate may be near, and a loss an
    /// upper one; in the principal variation they narrow the window and the search goes on.
    pub(super) fn probe_tablebases(&mut self, node: &mut Node) -> Option<Score> {
        if node.is_root
            || node.excluded.is_some()
            || !self.tablebases.is_probed(self.board(), node.depth)
        {
            return None;
        }
        let (score, bound) = self.tablebases.score(self.board(), self.ply)?;
        self.stats.pruning.tablebase_hits += 1;
        if node.window.is_settled_by(score, bound) || bound == Bound::Exact {
            let known = Some((score.to_node(self.ply), bound));
            let depth = node.depth + self.params.tablebase_depth_bonus();
            let (depth, was_pv) = (depth.min(crate::MAX_PLY as i32 - 1), node.was_pv);
            self.put(Entry { mv: None, score: known, eval: None, depth, was_pv });
            return Some(score);
        }
        if node.is_pv && bound == Bound::Lower {
            node.floor = score;
            node.window.raise(score);
        }
        None
    }
}
