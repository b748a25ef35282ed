// SPDX-License-Identifier: GPL-3.0-or-later
//! The search of one node.

use std::collections::VecDeque;

use super::correction::corrected;
use super::extend::SingularResult;
use super::node::{Candidate, Node, NodeResult, NodeType, NonPv};
use super::order::{OrderingContext, Picked, Picker};
use super::share::MoveQueue;
use super::skip::MovePruning;
use super::table::Entry;
use super::worker::Worker;
use crate::{Bound, Score, Window};

impl Worker {
    /// Scores the current position to `depth`, exactly if the result lies inside `window`.
    pub(super) fn negamax<N: NodeType>(
        &mut self,
        window: Window,
        depth: i32,
        expected_cut: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiescence::<N>(window);
        }
        let mut node = self.enter::<N>(window, depth, expected_cut);

        // 1. Answers that need no evaluation.
        let known = self
            .forced_result(&mut node)
            .or_else(|| self.probe_table(&mut node))
            .or_else(|| self.probe_tablebases(&mut node));
        if let Some(score) = known {
            return score;
        }

        // 2. Answers that the evaluation makes likely enough.
        self.evaluate(&mut node);
        node.depth = (node.depth + self.hindsight(&node)).max(1);
        if let Some(score) = self.prune_node(&node) {
            return score;
        }
        if node.excluded.is_none() {
            self.compute_threats();
        }

        // 3. How deep to look.
        node.depth += self.check_extension(&node) - self.internal_reduction(&node);
        let table_move_extension = match self.singular_extension(&node) {
            SingularResult::Extend(plies) => plies,
            SingularResult::Cut(score) => return score,
        };

        // 4. The moves, best guess first.
        let mut found = self.search_moves::<N>(&mut node, table_move_extension);
        if self.is_stopped {
            return Score::DRAW; // every caller discards it
        }

        // 5. What was learnt.
        if found.searched == 0 {
            return self.no_move_score(&node, found.best);
        }
        self.learn(&node, &found);
        self.blend_fail_high(&node, &mut found);
        self.store(&node, &found);
        found.best
    }

    /// Opens a node.
    pub(super) fn enter<N: NodeType>(
        &mut self,
        window: Window,
        depth: i32,
        expected_cut: bool,
    ) -> Node {
        debug_assert!(window.alpha < window.beta, "{window:?}");
        debug_assert!(N::PV || window.beta - window.alpha == 1, "{window:?}");
        self.enter_node();
        if N::PV {
            self.clear_pv();
        }
        self.clear_grandchildren();
        self.stats.nodes.pv += u64::from(N::PV);
        Node {
            window,
            entry_alpha: window.alpha,
            depth: depth.min(crate::MAX_PLY as i32 - 1),
            is_pv: N::PV,
            is_root: N::ROOT,
            was_pv: N::PV,
            expected_cut,
            in_check: self.board().in_check(),
            excluded: self.frame().excluded,
            hit: None,
            table_move: None,
            hit_score: None,
            raw_eval: None,
            static_eval: Score::DRAW,
            correction: 0,
            eval: Score::MIN,
            improving: false,
            improvement: 0,
            floor: Score::MIN,
            is_raised: false,
        }
    }

    /// Evaluates the node, and compares it with two plies ago.
    fn evaluate(&mut self, node: &mut Node) {
        if node.in_check {
            self.frame_mut().eval = None;
            return;
        }
        if self.may_pass(node) {
            self.prefetch_null();
        }
        let raw = self.raw_eval(node.hit);
        let correction = self.corrections.get(self.board(), self.last_moves(), &self.params);
        node.raw_eval = Some(raw);
        node.correction = correction;
        node.static_eval = corrected(raw, self.optimism, self.board(), correction, &self.params);
        node.eval = node.static_eval;
        if node.hit.is_none() && node.excluded.is_none() {
            let was_pv = node.was_pv;
            self.put(Entry { mv: None, score: None, eval: Some(raw), depth: -1, was_pv });
        }
        self.frame_mut().eval = Some(node.static_eval);
        node.improvement = self.improvement(node.static_eval);
        node.improving = node.improvement > 0;
        // A searched score is a better guess, as far as its bound allows.
        if let Some((score, bound)) = node.hit_score.filter(|(score, _)| !score.is_decisive()) {
            let is_better = match bound {
                Bound::Exact => true,
                Bound::Lower => score > node.eval,
                Bound::Upper => score < node.eval,
            };
            node.eval = if is_better { score } else { node.eval };
        }
        self.learn_from_eval_difference(node);
    }

    /// Searches the moves until one is too good or none is left.
    fn search_moves<N: NodeType>(
        &mut self,
        node: &mut Node,
        table_move_extension: i32,
    ) -> NodeResult {
        let mut found = NodeResult { best: node.floor, ..NodeResult::default() };
        let picker = Picker::new(node.table_move, self.killers());
        let mut queue = MoveQueue {
            picker,
            previous_moves: self.previous_moves(),
            checks: self.board().check_squares(),
            reduction: self.node_reduction(node),
            deferred: VecDeque::new(),
        };
        while let Some(mut candidate) = self.next_candidate::<N>(node, &mut queue, &mut found) {
            if Some(candidate.mv) == node.table_move {
                candidate.extension = table_move_extension;
            }
            let claim = self.claim(node, candidate.mv);
            let score = self.search_child::<N>(node, &candidate, found.best);
            self.release(claim);
            if self.is_stopped {
                return found;
            }
            found.searched += 1;
            if score > found.best {
                found.best = score;
                let is_raised = node.window.raise(score);
                if is_raised {
                    found.best_move = Some(candidate.mv);
                    if N::PV {
                        self.update_pv(candidate.mv);
                    }
                }
                if node.window.is_fail_high(score) {
                    self.stats.nodes.first_move_cuts += u64::from(found.searched == 1);
                    self.frame_mut().cutoffs += 1;
                    break;
                }
                if is_raised {
                    self.after_raise(node, score);
                    queue.reduction = self.node_reduction(node);
                }
            }
            found.tried.add(candidate.mv);
        }
        found
    }

    /// The next move that is worth a search: those that other threads are busy with come last.
    fn next_candidate<N: NodeType>(
        &mut self,
        node: &Node,
        queue: &mut MoveQueue,
        found: &mut NodeResult,
    ) -> Option<Candidate> {
        loop {
            let context = OrderingContext {
                checks: Some(&queue.checks),
                threats: Some(&self.frame().threats),
                ..self.context(&queue.previous_moves)
            };
            let Some(picked) = queue.picker.next(context) else { break };
            let is_left_out =
                Some(picked.mv) == node.excluded || N::ROOT && !self.root.is_searched(picked.mv);
            if is_left_out {
                continue;
            }
            let mut candidate = self.candidate(queue, picked, found.searched);
            let may_skip = self.may_skip(node, found.best);
            if may_skip && self.prune_late_moves(node, &candidate) {
                queue.picker.skip_quiets();
                continue;
            }
            self.add_history(node, queue, &mut candidate);
            let skipped =
                if may_skip { self.prune_move(node, &candidate) } else { MovePruning::No };
            match skipped {
                MovePruning::No if self.is_deferred(node, &candidate) => {
                    queue.deferred.push_back(candidate);
                }
                MovePruning::No => return Some(candidate),
                MovePruning::ThisMove => (),
                MovePruning::RestOfQuiets => {
                    queue.picker.skip_quiets();
                    found.best = found.best.max(self.futile_score(node, &candidate));
                }
            }
        }
        queue.deferred.pop_front()
    }

    /// A move has raised alpha without ending the node: it is rare that a second one does, so the others
    /// are searched a ply less deep. Not near the root, where every move deserves its depth.
    fn after_raise(&self, node: &mut Node, score: Score) {
        let p = &self.params;
        node.is_raised = true;
        let is_shallower = p.raised_depth_on()
            && (p.raised_min_depth()..=p.raised_max_depth()).contains(&node.depth)
            && !node.is_root
            && !score.is_decisive();
        node.depth -= i32::from(is_shallower);
    }

    fn candidate(&self, queue: &MoveQueue, picked: Picked, index: usize) -> Candidate {
        let gives_check = queue.checks.is_check(self.board(), picked.mv);
        Candidate::new(picked, index, gives_check)
    }

    /// Adds what past searches say about a candidate.
    fn add_history(&self, node: &Node, queue: &MoveQueue, candidate: &mut Candidate) {
        let mv = candidate.mv;
        candidate.history = if mv.is_noisy() {
            self.histories.noisy(self.board(), mv)
        } else {
            self.histories.quiet(self.history_context(&queue.previous_moves), mv, &self.params)
        };
        candidate.reduction = self.reduction(node, queue.reduction, candidate);
    }

    /// The ladder of principal variation search: reduced with a zero window, at full depth with a
    /// zero window, at full depth with the full window.
    fn search_child<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        best: Score,
    ) -> Score {
        let mut full = node.depth - 1 + candidate.extension - self.full_reduction(node, candidate);
        let reduced = self.reduced_depth(node, candidate, full);
        let zero = Window::above(node.window.alpha);
        let nodes_before = self.nodes;
        self.report_current_move::<N>(candidate);
        let double_extensions =
            self.frame().double_extensions + i32::from(candidate.extension >= 2);
        self.make(candidate.mv);
        self.frames[self.ply - 1].moves_before = candidate.index.min(255) as u8;
        self.frame_mut().double_extensions = double_extensions;
        let mut score = Score::MIN;
        let is_reduced = candidate.index > usize::from(N::ROOT) && reduced != full;
        if is_reduced {
            self.stats.reduction.reductions += 1;
            self.frames[self.ply - 1].reduction = 1024 * (full - reduced);
            score = -self.negamax::<NonPv>(-zero, reduced, true);
            self.frames[self.ply - 1].reduction = 0;
            let is_asked = !(N::ROOT && self.params.lmr_confidence_root_try() != 0);
            if score > node.window.alpha && is_asked && !self.is_stopped {
                full += self.research_extension(score, best, full);
            }
        }
        let is_unclear = !is_reduced || score > node.window.alpha && full > reduced;
        if is_unclear && (candidate.index > 0 || !N::PV) && !self.is_stopped {
            self.stats.reduction.researches += u64::from(is_reduced);
            score = -self.negamax::<NonPv>(-zero, full, !node.expected_cut);
            if is_reduced && candidate.is_quiet() {
                self.learn_from_research(node, candidate, score);
            }
        }
        if N::PV && (candidate.index == 0 || score > node.window.alpha) && !self.is_stopped {
            score = -self.negamax::<N::Next>(-node.window, full, false);
        }
        self.unmake();
        if N::ROOT && !self.is_stopped {
            self.record_root_result(node, candidate, score, nodes_before);
        }
        score
    }

    /// A reduced move that turned out far better than the best so far is searched a ply deeper than
    /// planned; one that is hardly better a ply less deep.
    fn research_extension(&self, score: Score, best: Score, full: i32) -> i32 {
        let p = &self.params;
        if !p.lmr_confidence_on() || best == Score::MIN {
            return 0;
        }
        let is_deeper = score > best + (p.lmr_deeper_margin() + p.lmr_deeper_depth_scale() * full);
        let is_shallower = score < best + p.lmr_shallower_margin();
        i32::from(is_deeper) - i32::from(is_shallower)
    }
}

#[cfg(test)]
mod tests;
