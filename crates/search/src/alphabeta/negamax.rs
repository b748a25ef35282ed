// SPDX-License-Identifier: GPL-3.0-or-later
//! The search of one node.

use std::collections::VecDeque;

use chess::Move;

use super::correction::corrected;
use super::extend::Singularity;
use super::node::{Candidate, Found, Kind, Node, Zero};
use super::order::{Context, Picked, Picker};
use super::qsearch::{bound_of, settles};
use super::share::Queue;
use super::skip::Skipped;
use super::table::Entry;
use super::worker::Worker;
use crate::{Bound, Score, Window};

impl Worker {
    /// Scores the current position to `depth`, exactly if the result lies inside `window`.
    pub(super) fn negamax<K: Kind>(
        &mut self,
        window: Window,
        depth: i32,
        expected_cut: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiescence::<K>(window);
        }
        let mut node = self.enter::<K>(window, depth, expected_cut);

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
            self.look_around();
        }

        // 3. How deep to look.
        node.depth += self.check_extension(&node) - self.internal_reduction(&node);
        let table_move_extension = match self.singularity(&node) {
            Singularity::Extend(plies) => plies,
            Singularity::Cut(score) => return score,
        };

        // 4. The moves, best guess first.
        let mut found = self.search_moves::<K>(&mut node, table_move_extension);
        if self.is_stopped {
            return Score::DRAW; // every caller discards it
        }

        // 5. What was learnt.
        if found.searched == 0 {
            return self.no_move_score(&node, found.best);
        }
        self.learn(&node, &found);
        self.temper(&node, &mut found);
        self.store(&node, &found);
        found.best
    }

    /// Opens a node.
    pub(super) fn enter<K: Kind>(
        &mut self,
        window: Window,
        depth: i32,
        expected_cut: bool,
    ) -> Node {
        debug_assert!(window.alpha < window.beta, "{window:?}");
        debug_assert!(K::PV || window.beta - window.alpha == 1, "{window:?}");
        self.enter_node();
        if K::PV {
            self.clear_pv();
        }
        self.clear_grandchildren();
        self.stats.nodes.pv += u64::from(K::PV);
        Node {
            window,
            start_alpha: window.alpha,
            depth: depth.min(crate::MAX_PLY as i32 - 1),
            is_pv: K::PV,
            is_root: K::ROOT,
            was_pv: K::PV,
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
            floor: Score::MIN,
            is_raised: false,
        }
    }

    /// The end of the search, draws by rule, the end of the board's memory, and mates that are too
    /// far away to matter.
    fn forced_result(&mut self, node: &mut Node) -> Option<Score> {
        if self.check_limits() {
            return Some(Score::DRAW);
        }
        if node.is_root {
            return None;
        }
        if let Some(score) = self.rule_draw().or_else(|| self.ceiling()) {
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
        node.start_alpha = node.window.alpha;
        node.window.is_empty().then_some(node.window.alpha)
    }

    /// Looks the position up. Never answers in the principal variation, which would be cut short, nor
    /// while a move is left out.
    fn probe_table(&mut self, node: &mut Node) -> Option<Score> {
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
    fn table_answer(&mut self, node: &Node, hit: Entry) -> Option<Score> {
        if node.is_pv
            || node.excluded.is_some()
            || self.board().halfmove_clock() as i32 >= self.params.table_cut_halfmoves()
        {
            return None;
        }
        let (score, bound) = self.entry_score(hit)?;
        let is_answer = hit.depth
            >= node.depth + i32::from(score > node.window.beta && !self.trusts_equals())
            && settles(score, bound, node.window)
            && (node.expected_cut == (score >= node.window.beta)
                || node.depth >= self.params.table_cut_surprise_min_depth())
            && hit.mv.is_none_or(|mv| self.board().is_legal(mv));
        if !is_answer {
            return None;
        }
        self.stats.pruning.table_cuts += 1;
        if score >= node.window.beta
            && let Some(mv) = hit.mv.filter(|mv| !mv.is_noisy())
        {
            self.look_around();
            self.reward_quiet(mv, node.depth);
        }
        Some(score)
    }

    /// Asks the endgame tables. A win is only a lower bound, since a mate may be near, and a loss an
    /// upper one; in the principal variation they narrow the window and the search goes on.
    fn probe_tablebases(&mut self, node: &mut Node) -> Option<Score> {
        if node.is_root
            || node.excluded.is_some()
            || !self.tablebases.is_probed(self.board(), node.depth)
        {
            return None;
        }
        let (score, bound) = self.tablebases.score(self.board(), self.ply)?;
        self.stats.pruning.tablebase_hits += 1;
        if settles(score, bound, node.window) || bound == Bound::Exact {
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
        node.improving = self.is_improving(node.static_eval);
        // A searched score is a better guess, as far as its bound allows.
        if let Some((score, bound)) = node.hit_score.filter(|(score, _)| !score.is_decisive()) {
            let is_better = match bound {
                Bound::Exact => true,
                Bound::Lower => score > node.eval,
                Bound::Upper => score < node.eval,
            };
            node.eval = if is_better { score } else { node.eval };
        }
        self.judge_last_move(node);
    }

    /// Searches the moves until one is too good or none is left.
    fn search_moves<K: Kind>(&mut self, node: &mut Node, table_move_extension: i32) -> Found {
        let mut found = Found { best: node.floor, ..Found::default() };
        let picker = Picker::new(node.table_move, self.killers());
        let mut queue = Queue {
            picker,
            trail: self.trail(),
            checks: self.board().check_squares(),
            reduction: self.node_reduction(node),
            put_off: VecDeque::new(),
        };
        while let Some(mut candidate) = self.next_candidate::<K>(node, &mut queue, &found) {
            if Some(candidate.mv) == node.table_move {
                candidate.extension = table_move_extension;
            }
            let claim = self.claim(node, candidate.mv);
            let score = self.search_child::<K>(node, &candidate, found.best);
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
                    if K::PV {
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
    fn next_candidate<K: Kind>(
        &mut self,
        node: &Node,
        queue: &mut Queue,
        found: &Found,
    ) -> Option<Candidate> {
        loop {
            let context = Context { checks: Some(&queue.checks), ..self.context(&queue.trail) };
            let Some(picked) = queue.picker.next(context) else { break };
            let is_left_out =
                Some(picked.mv) == node.excluded || K::ROOT && !self.root.is_searched(picked.mv);
            if is_left_out {
                continue;
            }
            let mut candidate = self.candidate(queue, picked, found.searched);
            let may_skip = self.may_skip(node, found.best);
            if may_skip && self.skips_rest(node, &candidate) {
                queue.picker.skip_quiets();
                continue;
            }
            self.look_up(node, queue, &mut candidate);
            let skipped = if may_skip { self.skip_move(node, &candidate) } else { Skipped::No };
            match skipped {
                Skipped::No if self.is_put_off(node, &candidate) => {
                    queue.put_off.push_back(candidate);
                }
                Skipped::No => return Some(candidate),
                Skipped::ThisMove => (),
                Skipped::RestOfQuiets => queue.picker.skip_quiets(),
            }
        }
        queue.put_off.pop_front()
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

    fn candidate(&self, queue: &Queue, picked: Picked, index: usize) -> Candidate {
        let gives_check = queue.checks.is_check(self.board(), picked.mv);
        Candidate::new(picked, index, gives_check)
    }

    /// Adds what past searches say about a candidate.
    fn look_up(&self, node: &Node, queue: &Queue, candidate: &mut Candidate) {
        let mv = candidate.mv;
        candidate.history = if mv.is_noisy() {
            self.histories.noisy(self.board(), mv)
        } else {
            self.histories.quiet(self.scene(&queue.trail), mv, &self.params)
        };
        candidate.reduction = self.reduction(node, queue.reduction, candidate);
    }

    /// The ladder of principal variation search: reduced with a zero window, at full depth with a
    /// zero window, at full depth with the full window.
    fn search_child<K: Kind>(&mut self, node: &Node, candidate: &Candidate, best: Score) -> Score {
        let mut full = node.depth - 1 + candidate.extension;
        let reduced = self.reduced_depth(node, candidate, full);
        let zero = Window::above(node.window.alpha);
        let nodes_before = self.nodes;
        self.announce_root_move::<K>(candidate);
        let double_extensions =
            self.frame().double_extensions + i32::from(candidate.extension >= 2);
        self.make(candidate.mv);
        self.frame_mut().double_extensions = double_extensions;
        let mut score = Score::MIN;
        let is_reduced = candidate.index > usize::from(K::ROOT) && reduced != full;
        if is_reduced {
            self.stats.reduction.reductions += 1;
            self.frames[self.ply - 1].reduction = 1024 * (full - reduced);
            score = -self.negamax::<Zero>(-zero, reduced, true);
            self.frames[self.ply - 1].reduction = 0;
            if score > node.window.alpha && !self.is_stopped {
                full += self.confidence(score, best, full);
            }
        }
        let is_unclear = !is_reduced || score > node.window.alpha && full > reduced;
        if is_unclear && (candidate.index > 0 || !K::PV) && !self.is_stopped {
            self.stats.reduction.researches += u64::from(is_reduced);
            score = -self.negamax::<Zero>(-zero, full, !node.expected_cut);
            if is_reduced && candidate.is_quiet() {
                self.learn_from_research(node, candidate, score);
            }
        }
        if K::PV && (candidate.index == 0 || score > node.window.alpha) && !self.is_stopped {
            score = -self.negamax::<K::Next>(-node.window, full, false);
        }
        self.unmake();
        if K::ROOT && !self.is_stopped {
            self.note_root_result(node, candidate, score, nodes_before);
        }
        score
    }

    /// A reduced move that turned out far better than the best so far is searched a ply deeper than
    /// planned; one that is hardly better a ply less deep.
    fn confidence(&self, score: Score, best: Score, full: i32) -> i32 {
        let p = &self.params;
        if !p.lmr_confidence_on() || best == Score::MIN {
            return 0;
        }
        let is_deeper = score > best + (p.lmr_deeper_margin() + p.lmr_deeper_depth_scale() * full);
        let is_shallower = score < best + p.lmr_shallower_margin();
        i32::from(is_deeper) - i32::from(is_shallower)
    }

    /// Mate or stalemate; or, if every move was pruned or left out, what pruning promised.
    fn no_move_score(&self, node: &Node, best: Score) -> Score {
        if node.excluded.is_some() || self.board().has_legal_moves() {
            return best.max(node.window.alpha);
        }
        if node.in_check { Score::mated_in(self.ply) } else { self.draw_score() }
    }

    /// Fail-high blending: a score above beta is less certain than beta, the less so the shallower.
    fn temper(&self, node: &Node, found: &mut Found) {
        let beta = node.window.beta;
        if self.params.temper_on()
            && found.best >= beta
            && !found.best.is_decisive()
            && !beta.is_decisive()
        {
            let sum = found.best.value() * node.depth + beta.value();
            found.best = Score::new(sum / (node.depth + 1));
        }
    }

    fn store(&mut self, node: &Node, found: &Found) {
        // The best of some moves is not the best of all.
        if node.excluded.is_some() || node.is_root && self.root.is_restricted() {
            return;
        }
        let bound = bound_of(found.best, node.start_alpha, node.window.beta);
        let mut was_pv = node.was_pv;
        if bound == Bound::Upper && node.depth >= self.params.table_pv_min_depth() {
            was_pv |= self.frame_before(1).is_some_and(|parent| parent.was_pv);
        }
        let score = Some((found.best.to_node(self.ply), bound));
        let (mv, eval, depth) = (found.best_move, node.raw_eval, node.depth);
        self.put(Entry { mv, score, eval, depth, was_pv });
        self.correct(node, found, bound);
    }

    /// Teaches the evaluation what the search has found, where a quiet score can be compared with it.
    fn correct(&mut self, node: &Node, found: &Found, bound: Bound) {
        let is_comparable = !node.in_check
            && self.params.corr_on()
            && !found.best_move.is_some_and(Move::is_noisy)
            && !found.best.is_decisive()
            && match bound {
                Bound::Exact => true,
                Bound::Lower => found.best > node.static_eval,
                Bound::Upper => found.best < node.static_eval,
            };
        if is_comparable {
            let error = found.best - node.static_eval;
            let weighted = error * node.depth / self.params.corr_depth_divisor();
            let moves = self.last_moves();
            let board = &self.frames[self.ply].board;
            self.corrections.learn(board, moves, weighted);
        }
    }
}

#[cfg(test)]
mod tests;
