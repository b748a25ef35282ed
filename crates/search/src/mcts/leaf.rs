// SPDX-License-Identifier: GPL-3.0-or-later
//! What a position is worth when it is first visited.

use std::fmt;

use chess::{Board, Move, Outcome};

use super::node::{NodeRef, Value};
use super::proof::Proof;
use crate::score::Score;
use crate::units::Points;
use crate::wdl::Odds;

/// What a tree search asks about positions. It stands on one of them, the root at first.
pub(crate) trait LeafValue: Send {
    /// The board that it stands on.
    fn board(&self) -> &Board;
    /// Goes one move further.
    fn make(&mut self, mv: Move);
    /// Takes the last move back.
    fn unmake(&mut self);
    /// Whether the position is a draw by repetition, as seen from the root.
    fn is_repetition(&self) -> bool;
    /// The tablebases' result, if they are to be asked.
    fn table_score(&mut self) -> Option<Score>;
    /// Positions found in the tablebases.
    fn table_hits(&self) -> u64;
    /// The static evaluation for the side to move.
    fn evaluate(&mut self) -> Score;
    /// The score when captures have been played out.
    fn quiesce(&mut self) -> Score;
    /// The score of a search to this depth.
    fn search(&mut self, depth: i32) -> Score;
}

/// What values the leaves of one thread.
pub(crate) type LeafBox<'a> = Box<dyn LeafValue + 'a>;

/// What evaluates the leaves of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Leaf {
    /// The network as it is.
    Static,
    /// A search of captures.
    #[default]
    Quiescence,
    /// An alpha-beta search of this many plies, from 1 to 3.
    AlphaBeta(u8),
}

impl Leaf {
    /// Everything that can be chosen.
    pub const ALL: [Self; 5] = [
        Self::Static,
        Self::Quiescence,
        Self::AlphaBeta(1),
        Self::AlphaBeta(2),
        Self::AlphaBeta(3),
    ];

    /// The name of the choice.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Quiescence => "qsearch",
            Self::AlphaBeta(1) => "ab-1",
            Self::AlphaBeta(2) => "ab-2",
            Self::AlphaBeta(_) => "ab-3",
        }
    }

    /// The choice of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|leaf| leaf.name() == name)
    }

    /// The score for the side to move.
    fn score(self, value: &mut dyn LeafValue) -> Score {
        match self {
            Self::Static => value.evaluate(),
            Self::Quiescence => value.quiesce(),
            Self::AlphaBeta(depth) => value.search(depth.into()),
        }
    }
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What draws are worth: less than half to the side at the root if it has contempt.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Draws {
    at_root: f32,
}

impl Draws {
    /// With this contempt.
    pub(super) fn new(board: &Board, contempt: Points) -> Self {
        let (win, draw) = Odds::on(board).chances(Score::new(-contempt.0));
        Self { at_root: win + draw / 2.0 }
    }

    /// The worth of a draw to the side to move, this many plies below the root.
    #[inline]
    pub(super) fn worth(self, ply: usize) -> f32 {
        if ply.is_multiple_of(2) { self.at_root } else { 1.0 - self.at_root }
    }

    /// A draw, for the side to move.
    #[inline]
    pub(super) fn value(self, ply: usize) -> Value {
        Value { score: self.worth(ply), draw: 1.0 }
    }

    /// What a proof is worth to the side to move.
    pub(super) fn proved(self, proof: Proof, ply: usize) -> Value {
        match proof {
            Proof::Drawn => self.value(ply),
            decided => Value { score: f32::from(u8::from(decided.is_won())), draw: 0.0 },
        }
    }

    /// What chances of winning and drawing are worth to the side to move.
    #[inline]
    fn of_chances(self, (win, draw): (f32, f32), ply: usize) -> Value {
        Value { score: (win + draw * self.worth(ply)).min(1.0), draw }
    }

    /// The expected score for the side to move, with draws at a half.
    pub(super) fn plain(self, value: Value, ply: usize) -> f32 {
        value.score + value.draw * (0.5 - self.worth(ply))
    }
}

/// The value of a position that is visited for the first time, for its side to move. What is certain
/// about it is noted in its node.
pub(super) fn first_value(
    value: &mut dyn LeafValue,
    node: NodeRef<'_>,
    ply: usize,
    leaf: Leaf,
    draws: Draws,
) -> Value {
    if let Some(proof) = known_result(value) {
        node.prove(proof);
        return draws.proved(proof, ply);
    }
    if value.is_repetition() {
        // No proof: once a later move is the root, the position may have occurred only once since.
        node.set_repeated(true);
        return draws.value(ply);
    }
    let score = leaf.score(value);
    draws.of_chances(Odds::on(value.board()).chances(score), ply)
}

/// What the rules or the tablebases say about a position.
fn known_result(value: &mut dyn LeafValue) -> Option<Proof> {
    // Repetitions are judged apart: they prove nothing.
    if let Some(ending) = value.board().ending_with_claims(1) {
        let is_mate = ending.outcome != Outcome::Draw;
        return Some(if is_mate { Proof::Lost(0) } else { Proof::Drawn });
    }
    Some(match value.table_score()? {
        score if score.is_win() => Proof::TableWon,
        score if score.is_loss() => Proof::TableLost,
        _ => Proof::Drawn,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for leaf in Leaf::ALL {
            assert_eq!(Leaf::by_name(leaf.name()), Some(leaf));
        }
        assert_eq!(Leaf::by_name("ab-4"), None);
    }

    #[test]
    fn contempt_makes_draws_worth_less_to_one_side_only() {
        let board = Board::default();
        let fair = Draws::new(&board, Points(0));
        assert!((fair.worth(0) - 0.5).abs() < 1e-6 && (fair.worth(1) - 0.5).abs() < 1e-6);
        let proud = Draws::new(&board, Points(40));
        assert!(proud.worth(0) < 0.5);
        assert!((proud.worth(0) + proud.worth(1) - 1.0).abs() < 1e-6);
        assert!((proud.plain(proud.value(0), 0) - 0.5).abs() < 1e-6);
        assert!((proud.plain(proud.value(1), 1) - 0.5).abs() < 1e-6);
    }
}
