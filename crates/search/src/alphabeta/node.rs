// SPDX-License-Identifier: GPL-3.0-or-later
//! The facts about a node and about a move tried in it.

use arrayvec::ArrayVec;
use chess::Move;

use super::order::{OrderedKind, Picked};
use super::table::Entry;
use crate::{Bound, Score, Window};

/// What kind of node is searched; decided at compile time.
pub(super) trait NodeType {
    /// Whether the exact score is wanted.
    const PV: bool;
    /// Whether it is where the search began.
    const ROOT: bool;
    /// The kind of the first child.
    type Next: NodeType;
}

/// The position that was asked about.
pub(super) enum Root {}

/// A node on the principal variation.
pub(super) enum Pv {}

/// A node of which only one bound is wanted.
pub(super) enum NonPv {}

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Next = Pv;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Next = Self;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
    type Next = Self;
}

/// All facts about a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) window: Window,
    /// Alpha before the first move was searched: what is above it in the end is exact, or too good.
    pub(super) entry_alpha: Score,
    pub(super) depth: i32,
    pub(super) is_pv: bool,
    pub(super) is_root: bool,
    /// Whether it is, or was when last seen, in a principal variation.
    pub(super) was_pv: bool,
    /// Whether some move is expected to be too good.
    pub(super) expected_cut: bool,
    pub(super) in_check: bool,
    /// The move that is left out, when it is asked how good the others are.
    pub(super) excluded: Option<Move>,
    /// What the table knows.
    pub(super) hit: Option<Entry>,
    /// The table's move, which is legal here; at the root the best one so far.
    pub(super) table_move: Option<Move>,
    /// What it says about the score, as seen from the root.
    pub(super) hit_score: Option<(Score, Bound)>,
    /// The evaluation as computed; `None` in check.
    pub(super) raw_eval: Option<Score>,
    /// The evaluation after correction; meaningless in check.
    pub(super) static_eval: Score,
    /// By how many points it was corrected.
    pub(super) correction: i32,
    /// The best guess at the score without a search.
    pub(super) eval: Score,
    /// Whether the side to move stands better than two plies ago.
    pub(super) improving: bool,
    /// By how many points.
    pub(super) improvement: i32,
    /// What the side to move has for sure.
    pub(super) floor: Score,
    /// Whether a move has raised alpha.
    pub(super) is_raised: bool,
}

impl Node {
    /// Whether the table's move is a capture or promotion.
    #[inline]
    pub(super) fn has_noisy_table_move(&self) -> bool {
        self.table_move.is_some_and(Move::is_noisy)
    }

    /// Whether the table's move is neither.
    #[inline]
    pub(super) fn has_quiet_table_move(&self) -> bool {
        self.table_move.is_some_and(|mv| !mv.is_noisy())
    }

    /// Whether the table expects more than alpha.
    #[inline]
    pub(super) fn is_above_alpha(&self) -> bool {
        self.hit_score.is_some_and(|(score, _)| score > self.window.alpha)
    }

    /// Whether the table expects no more than alpha.
    #[inline]
    pub(super) fn is_below_alpha(&self) -> bool {
        self.hit_score.is_some_and(|(score, _)| score <= self.window.alpha)
    }

    /// Whether the whole node may be cut by its evaluation.
    pub(super) fn may_prune(&self) -> bool {
        !self.is_pv && !self.in_check && self.excluded.is_none() && !self.window.beta.is_loss()
    }
}

/// A move about to be searched, with its facts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    pub(super) kind: OrderedKind,
    pub(super) picked: Picked,
    /// How many moves were searched before it.
    pub(super) index: usize,
    pub(super) gives_check: bool,
    /// How well it has done elsewhere.
    pub(super) history: i32,
    /// By how much its first search is less deep, in 1/1024 ply, before limits.
    pub(super) reduction: i32,
    /// By how many plies it is searched deeper than others.
    pub(super) extension: i32,
}

impl Candidate {
    pub(super) fn new(picked: Picked, index: usize, gives_check: bool) -> Self {
        let Picked { mv, kind, .. } = picked;
        Self { mv, kind, picked, index, gives_check, history: 0, reduction: 0, extension: 0 }
    }

    #[inline]
    pub(super) fn is_quiet(&self) -> bool {
        !self.mv.is_noisy()
    }

    #[inline]
    pub(super) fn is_killer(&self) -> bool {
        self.kind == OrderedKind::Killer
    }
}

/// Moves that were searched in vain before the best one was found; the first ones matter most.
#[derive(Clone, Debug, Default)]
pub(super) struct Tried {
    pub(super) quiet: ArrayVec<Move, 32>,
    pub(super) noisy: ArrayVec<Move, 32>,
}

impl Tried {
    pub(super) fn add(&mut self, mv: Move) {
        let list = if mv.is_noisy() { &mut self.noisy } else { &mut self.quiet };
        let _ = list.try_push(mv);
    }
}

/// What the search of a node's moves has found so far.
#[derive(Clone, Debug)]
pub(super) struct NodeResult {
    pub(super) best: Score,
    /// The move that raised alpha last.
    pub(super) best_move: Option<Move>,
    pub(super) searched: usize,
    pub(super) tried: Tried,
}

impl Default for NodeResult {
    fn default() -> Self {
        Self { best: Score::MIN, best_move: None, searched: 0, tried: Tried::default() }
    }
}
