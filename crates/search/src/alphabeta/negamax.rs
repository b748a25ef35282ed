// SPDX-License-Identifier: GPL-3.0-or-later
//! The search of one node.

use arrayvec::ArrayVec;
use chess::Move;

use super::order::{Ordered, OrderedKind, Picker};
use super::prune::Pruned;
use super::qsearch::{bound_of, settles};
use super::table::Entry;
use super::worker::Worker;
use crate::{Bound, Score, Window};

/// What kind of node is searched; decided at compile time.
pub(super) trait Kind {
    /// Whether the exact score is wanted.
    const PV: bool;
    /// Whether it is where the search began.
    const ROOT: bool;
    /// The kind of the first child.
    type Next: Kind;
}

/// The position that was asked about.
pub(super) enum Root {}

/// A node on the principal variation.
pub(super) enum Pv {}

/// A node of which only one bound is wanted.
pub(super) enum Zero {}

impl Kind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Next = Pv;
}

impl Kind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Next = Self;
}

impl Kind for Zero {
    const PV: bool = false;
    const ROOT: bool = false;
    type Next = Self;
}

/// All facts about a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) window: Window,
    /// Alpha as it was on entry.
    pub(super) alpha: Score,
    pub(super) depth: i32,
    pub(super) is_pv: bool,
    pub(super) is_root: bool,
    /// Whether some move is expected to be too good.
    pub(super) expected_cut: bool,
    pub(super) in_check: bool,
    /// What the table knows; its move, if any, is legal here.
    pub(super) hit: Option<Entry>,
    /// The evaluation as computed; `None` in check.
    pub(super) raw_eval: Option<Score>,
    /// The best guess at the score without a search.
    pub(super) eval: Score,
    /// Whether the side to move stands better than two plies ago.
    pub(super) improving: bool,
}

impl Node {
    #[inline]
    pub(super) fn table_move(&self) -> Option<Move> {
        self.hit.and_then(|hit| hit.mv)
    }

    /// Whether the whole node may be cut by its evaluation.
    fn may_prune(&self) -> bool {
        !self.is_pv && !self.in_check && !self.window.beta.is_loss()
    }
}

/// A move about to be searched, with its facts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    kind: OrderedKind,
    /// How many moves were searched before it.
    pub(super) index: usize,
    pub(super) gives_check: bool,
    /// How well it has done elsewhere.
    pub(super) history: i32,
}

impl Candidate {
    #[inline]
    pub(super) fn is_quiet(&self) -> bool {
        !self.mv.is_noisy()
    }

    #[inline]
    pub(super) fn is_killer(&self) -> bool {
        self.kind == OrderedKind::Killer
    }
}

/// Quiet moves searched before the best one was found.
pub(super) type Tried = ArrayVec<Move, 64>;

impl Worker {
    /// Scores the current position to `depth`, exactly if the result lies inside `window`.
    pub(super) fn negamax<K: Kind>(
        &mut self,
        window: Window,
        depth: i32,
        expected_cut: bool,
    ) -> Score {
        if depth <= 0 {
            self.limit_quiescence();
            return self.quiesce::<K>(window);
        }
        let mut node = self.enter::<K>(window, depth, expected_cut);

        // 1. Answers that need no evaluation.
        let known = self.forced_result(&mut node).or_else(|| self.probe_table(&mut node));
        if let Some(score) = known {
            return score;
        }

        // 2. Answers that the evaluation makes likely enough.
        self.evaluate(&mut node);
        if node.may_prune() {
            let pruned = self.reverse_futility(&node).or_else(|| self.null_move(&node));
            if let Some(score) = pruned {
                return score;
            }
        }
        node.depth += self.check_extension(&node) - self.internal_reduction(&node);

        // 3. The moves, best guess first.
        let (mut best, mut best_move, mut searched) = (Score::MIN, None, 0);
        let mut tried = Tried::new();
        let mut picker = Picker::new(node.table_move(), self.killers());
        while let Some(ordered) = picker.next(self.context()) {
            if K::ROOT && !self.root.is_searched(ordered.mv) {
                continue;
            }
            let candidate = self.candidate(ordered, searched);
            match self.prune_move(&node, &candidate, best) {
                Pruned::No => (),
                Pruned::ThisMove => continue,
                Pruned::RestOfQuiets => {
                    picker.skip_quiets();
                    continue;
                }
            }
            let score = self.search_child::<K>(&node, &candidate);
            if self.is_stopped {
                return Score::DRAW; // every caller discards it
            }
            searched += 1;
            if score > best {
                best = score;
                if node.window.raise(score) {
                    best_move = Some(candidate.mv);
                    self.update_pv::<K>(candidate.mv);
                }
                if node.window.is_fail_high(score) {
                    self.stats.first_move_cuts += u64::from(searched == 1);
                    break;
                }
            }
            if candidate.is_quiet() {
                let _ = tried.try_push(candidate.mv); // the first ones matter most
            }
        }

        // 4. What was learnt.
        if searched == 0 {
            return self.no_move_score(&node, best);
        }
        self.learn(&node, best_move.filter(|_| best >= node.window.beta), &tried);
        self.store(&node, best_move, best);
        best
    }

    /// Opens a node.
    fn enter<K: Kind>(&mut self, window: Window, depth: i32, expected_cut: bool) -> Node {
        debug_assert!(window.alpha < window.beta, "{window:?}");
        debug_assert!(K::PV || window.beta - window.alpha == 1, "{window:?}");
        self.enter_node();
        self.clear_pv();
        self.clear_grandchild_killers();
        self.stats.pv_nodes += u64::from(K::PV);
        Node {
            window,
            alpha: window.alpha,
            depth: depth.min(crate::MAX_PLY as i32 - 1),
            is_pv: K::PV,
            is_root: K::ROOT,
            expected_cut,
            in_check: self.board().in_check(),
            hit: None,
            raw_eval: None,
            eval: Score::MIN,
            improving: false,
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
        if node.window.is_empty() {
            return Some(node.window.alpha);
        }
        if self.can_force_repetition(node.window.alpha) {
            node.window.alpha = Score::DRAW;
            return node.window.is_empty().then_some(Score::DRAW);
        }
        None
    }

    /// Looks the position up. Never answers in the principal variation, which would be cut short.
    fn probe_table(&mut self, node: &mut Node) -> Option<Score> {
        let mut hit = self.probe()?;
        let is_legal = |mv: &Move| self.board().is_legal(*mv);
        if hit.mv.is_some() && hit.mv.as_ref().is_none_or(|x| !is_legal(x)) {
            return None; // another position with the same tag
        }
        if node.is_root {
            hit.mv = self.root.first_move();
        }
        node.hit = Some(hit);
        let (score, bound) = self.entry_score(hit)?;
        let is_answer = !node.is_pv
            && hit.depth >= node.depth
            && settles(score, bound, node.window)
            && self.board().halfmove_clock() < 90;
        if !is_answer {
            return None;
        }
        self.stats.table_cuts += 1;
        Some(score)
    }

    /// Evaluates the node, and compares it with two plies ago.
    fn evaluate(&mut self, node: &mut Node) {
        if node.in_check {
            self.set_eval(None);
            return;
        }
        let raw = self.raw_eval(node.hit);
        node.raw_eval = Some(raw);
        node.eval = raw;
        if node.hit.is_none() {
            let eval = Some(raw);
            self.put(Entry { mv: None, score: None, eval, depth: -1, was_pv: node.is_pv });
        }
        self.set_eval(Some(raw));
        node.improving = self.is_improving(raw);
        // A searched score is a better guess, as far as its bound allows.
        if let Some((score, bound)) = node.hit.and_then(|hit| self.entry_score(hit)) {
            let is_better = match bound {
                Bound::Exact => true,
                Bound::Lower => score > raw,
                Bound::Upper => score < raw,
            };
            if is_better && !score.is_decisive() {
                node.eval = score;
            }
        }
    }

    fn candidate(&self, ordered: Ordered, index: usize) -> Candidate {
        let board = self.board();
        let Ordered { mv, kind, .. } = ordered;
        let history = if mv.is_noisy() { 0 } else { self.history.get(board, mv) };
        Candidate { mv, kind, index, gives_check: board.gives_check(mv), history }
    }

    /// The ladder of principal variation search: reduced with a zero window, at full depth with a
    /// zero window, at full depth with the full window.
    fn search_child<K: Kind>(&mut self, node: &Node, candidate: &Candidate) -> Score {
        let full = node.depth - 1;
        let reduced = full - self.reduction(node, candidate);
        let zero = Window::above(node.window.alpha);
        let nodes_before = self.nodes;
        self.announce_root_move::<K>(candidate);
        self.make(candidate.mv);
        let mut score = Score::MIN;
        if reduced < full {
            self.stats.reductions += 1;
            score = -self.negamax::<Zero>(-zero, reduced, true);
        }
        let is_unclear = reduced == full || score > node.window.alpha;
        if is_unclear && (candidate.index > 0 || !K::PV) && !self.is_stopped {
            self.stats.researches += u64::from(reduced < full);
            score =
                -self.negamax::<Zero>(-zero, full, !node.expected_cut && !K::PV || reduced < full);
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

    /// Mate or stalemate; or, if every move was pruned, what pruning promised.
    fn no_move_score(&self, node: &Node, best: Score) -> Score {
        if self.board().has_legal_moves() {
            return best.max(node.window.alpha);
        }
        if node.in_check { Score::mated_in(self.ply) } else { Score::DRAW }
    }

    /// Rewards the quiet move that refuted, and punishes those tried in vain before it.
    fn learn(&mut self, node: &Node, refutation: Option<Move>, tried: &Tried) {
        if node.alpha == node.window.alpha {
            self.stats.all_nodes += u64::from(!node.is_pv);
        }
        let Some(mv) = refutation else { return };
        self.stats.cut_nodes += u64::from(!node.is_pv);
        if !mv.is_noisy() {
            self.reward(mv, tried, node.depth);
        }
    }

    fn store(&mut self, node: &Node, best_move: Option<Move>, best: Score) {
        if node.is_root && self.root.is_restricted() {
            return; // the best of some moves is not the best of all
        }
        let bound = bound_of(best, node.alpha, node.window.beta);
        let score = Some((best.to_node(self.ply), bound));
        let was_pv = node.is_pv || node.hit.is_some_and(|hit| hit.was_pv);
        let entry = Entry { mv: best_move, score, eval: node.raw_eval, depth: node.depth, was_pv };
        self.put(entry);
    }
}
