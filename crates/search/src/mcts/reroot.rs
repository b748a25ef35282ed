// SPDX-License-Identifier: GPL-3.0-or-later
//! Using again what the last search has grown.

use chess::Board;

use super::arena::Place;
use super::proof::Proof;
use super::tree::Tree;
use crate::Position;

/// Where a tree begins, and by what rules it has grown.
#[derive(Clone, Debug)]
pub(super) struct Rooted {
    pub(super) position: Position,
    /// Points that a draw is worth less to the side at the root.
    pub(super) contempt: i32,
    /// Whether some of the root's moves are left out.
    pub(super) is_partial: bool,
}

/// A game goes on by our move and the answer; a user may go on by a few more.
const MAX_PLIES: usize = 4;

impl Rooted {
    /// The node of the tree for a later position of the same game, if there is one.
    pub(super) fn find(&self, tree: &Tree, position: &Position, contempt: i32) -> Option<Place> {
        let plies = position.history().plies_since(self.position.history())?;
        let is_same_side = plies.is_multiple_of(2);
        let is_same = self.contempt == contempt && (contempt == 0 || is_same_side);
        if !is_same || plies > MAX_PLIES || plies == 0 && self.is_partial {
            return None;
        }
        find_below(tree, tree.root(), self.position.board(), position.board(), plies)
    }
}

impl Tree {
    /// Whether a node that is proved still has the moves that prove it, so that it can be a root. They
    /// may have been forgotten in a collection; and where the rules end the game in the tree, a root
    /// is played on.
    pub(super) fn keeps_its_word(&self, place: Place) -> bool {
        let node = self.node(place);
        match node.proof() {
            None => true,
            Some(Proof::Won(0) | Proof::Lost(0)) => false,
            Some(proof) => self.deduce(place) == Some(proof) && self.line_of_proof(place, proof),
        }
    }

    /// Whether the mate that a node promises can be played out.
    fn line_of_proof(&self, place: Place, proof: Proof) -> bool {
        match proof {
            Proof::Won(plies) | Proof::Lost(plies) if plies > 0 => {
                let mut next = self.children(place).filter_map(|(_, child)| {
                    let proof = self.node(child).proof()?;
                    Some((child, proof))
                });
                let found = next.find(|(_, p)| p.from_before() == proof);
                found.is_some_and(|(child, proof)| self.line_of_proof(child, proof))
            }
            _ => true,
        }
    }
}

/// The node this many plies below another one where a board is reached.
fn find_below(
    tree: &Tree,
    place: Place,
    board: &Board,
    wanted: &Board,
    plies: usize,
) -> Option<Place> {
    if plies == 0 {
        return (board == wanted && tree.node(place).visits() > 0).then_some(place);
    }
    tree.children(place).find_map(|(edge, child)| {
        let mut next = *board;
        next.play(edge.mv);
        find_below(tree, child, &next, wanted, plies - 1)
    })
}
