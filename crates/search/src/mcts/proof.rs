// SPDX-License-Identifier: GPL-3.0-or-later
//! What is known for certain about a node, and how it spreads towards the root.

use std::cmp::Ordering;

use super::node_pool::Place;
use super::tree::Tree;
use crate::{MAX_PLY, Score};

/// The result of a position, proved by the rules or by tablebases, for its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Proof {
    /// It mates in this many plies at most.
    Won(u8),
    /// It is mated in this many plies at most, whatever it plays.
    Lost(u8),
    /// It is a draw.
    Drawn,
    /// It wins, say the tablebases.
    TableWon,
    /// It loses, say the tablebases.
    TableLost,
}

/// Mates further away are not counted more exactly.
const MAX_DISTANCE: u8 = MAX_PLY as u8;

impl Proof {
    /// A number for storage, never zero.
    pub(super) const fn to_bits(self) -> u16 {
        match self {
            Self::Won(plies) => 1 << 8 | plies as u16,
            Self::Lost(plies) => 2 << 8 | plies as u16,
            Self::Drawn => 3 << 8,
            Self::TableWon => 4 << 8,
            Self::TableLost => 5 << 8,
        }
    }

    /// The proof with this number; `None` if there is none.
    #[inline]
    pub(super) const fn from_bits(bits: u16) -> Option<Self> {
        let plies = bits as u8;
        match bits >> 8 {
            1 => Some(Self::Won(plies)),
            2 => Some(Self::Lost(plies)),
            3 => Some(Self::Drawn),
            4 => Some(Self::TableWon),
            5 => Some(Self::TableLost),
            _ => None,
        }
    }

    /// Whether the side to move loses: whoever moves there has won.
    pub(super) const fn is_lost(self) -> bool {
        matches!(self, Self::Lost(_) | Self::TableLost)
    }

    /// Whether the side to move wins.
    pub(super) const fn is_won(self) -> bool {
        matches!(self, Self::Won(_) | Self::TableWon)
    }

    /// What the position before has if it moves here.
    pub(super) fn before_move(self) -> Self {
        let one_more = |plies: u8| plies.saturating_add(1).min(MAX_DISTANCE);
        match self {
            Self::Won(plies) => Self::Lost(one_more(plies)),
            Self::Lost(plies) => Self::Won(one_more(plies)),
            Self::Drawn => Self::Drawn,
            Self::TableWon => Self::TableLost,
            Self::TableLost => Self::TableWon,
        }
    }

    /// The score for the side to move, seen this many plies from the root.
    pub(super) fn score(self, ply: usize) -> Score {
        let from_root = |plies: u8| (ply + usize::from(plies)).min(MAX_PLY);
        match self {
            Self::Won(plies) => Score::mate_in(from_root(plies)),
            Self::Lost(plies) => Score::mated_in(from_root(plies)),
            Self::Drawn => Score::DRAW,
            Self::TableWon => Score::table_win_in(ply.min(MAX_PLY - 1)),
            Self::TableLost => -Score::table_win_in(ply.min(MAX_PLY - 1)),
        }
    }

    /// How good it is for the side to move: sooner wins and later losses first.
    fn rank(self) -> Score {
        self.score(0)
    }
}

impl PartialOrd for Proof {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Proof {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl Tree {
    /// Proves what follows for the nodes of a path from the root, now that its last node is proved.
    pub(super) fn back_up_proof(&self, path: &[Place]) {
        for &place in path.iter().rev().skip(1) {
            let node = self.node(place);
            let Some(proof) = self.prove_from_children(place) else { return };
            if node.proof().is_some_and(|known| known >= proof) {
                return;
            }
            node.prove(proof);
        }
    }

    /// What a node's children prove about it. A move to a lost position wins at once; otherwise every
    /// move must be known.
    pub(super) fn prove_from_children(&self, place: Place) -> Option<Proof> {
        let expansion = self.expansion(self.node(place))?;
        let mut best: Option<Proof> = None;
        let mut is_complete = expansion.children() == expansion.edges();
        for child in 0..expansion.children() {
            match self.node(expansion.child(child)).proof() {
                Some(proof) => best = best.max(Some(proof.before_move())),
                None => is_complete = false,
            }
        }
        best.filter(|best| is_complete || best.is_won())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_come_back_from_storage() {
        let all = [
            Proof::Won(1),
            Proof::Won(255),
            Proof::Lost(0),
            Proof::Lost(7),
            Proof::Drawn,
            Proof::TableWon,
            Proof::TableLost,
        ];
        for proof in all {
            assert_eq!(Proof::from_bits(proof.to_bits()), Some(proof));
        }
        assert_eq!(Proof::from_bits(0), None);
    }

    #[test]
    fn better_results_are_greater() {
        let order = [
            Proof::Lost(0),
            Proof::Lost(8),
            Proof::TableLost,
            Proof::Drawn,
            Proof::TableWon,
            Proof::Won(9),
            Proof::Won(1),
        ];
        assert!(order.is_sorted());
        assert_eq!(Proof::Lost(0).before_move(), Proof::Won(1));
        assert_eq!(Proof::Won(3).before_move(), Proof::Lost(4));
        assert_eq!(Proof::TableWon.before_move(), Proof::TableLost);
    }
}
