// SPDX-License-Identifier: GPL-3.0-or-later
//! Using again what the last search has grown.

use chess::Board;

use super::node_pool::Place;
use super::proof::Proof;
use super::tree::Tree;
use crate::{Points, Position};

/// Where a tree begins, and by what rules it has grown.
#[derive(Clone, Debug)]
pub(super) struct TreeRoot {
    pub(super) position: Position,
    /// What a draw is worth less to the side at the root.
    pub(super) contempt: Points,
    /// Whether some of the root's moves are left out.
    pub(super) is_partial: bool,
}

/// A game goes on by our move and the answer; a user may go on by a few more.
const MAX_PLIES: usize = 4;

impl TreeRoot {
    /// The node of the tree for a later position of the same game, if there is one.
    pub(super) fn find(&self, tree: &Tree, position: &Position, contempt: Points) -> Option<Place> {
        let plies = position.history().plies_since(self.position.history())?;
        let is_same_side = plies.is_multiple_of(2);
        let is_same = self.contempt == contempt && (contempt == Points(0) || is_same_side);
        if !is_same || plies > MAX_PLIES || plies == 0 && self.is_partial {
            return None;
        }
        let place = replay_line(tree, self.position.board(), position, plies)?;
        (tree.node(place).visits() > 0).then_some(place)
    }
}

impl Tree {
    /// Whether a node that is proved still has the moves that prove it, so that it can be a root. They
    /// may have been forgotten in a collection; and where the rules end the game in the tree, a root
    /// is played on.
    pub(super) fn has_intact_proof(&self, place: Place) -> bool {
        let node = self.node(place);
        match node.proof() {
            None => true,
            Some(proof) => {
                self.prove_from_children(place) == Some(proof) && self.has_mating_line(place, proof)
            }
        }
    }

    /// Whether the mate that a node promises can be played out.
    fn has_mating_line(&self, place: Place, proof: Proof) -> bool {
        match proof {
            Proof::Won(plies) | Proof::Lost(plies) if plies > 0 => {
                let mut next = self.children(place).filter_map(|(_, child)| {
                    let proof = self.node(child).proof()?;
                    Some((child, proof))
                });
                let found = next.find(|(_, p)| p.before_move() == proof);
                found.is_some_and(|(child, proof)| self.has_mating_line(child, proof))
            }
            _ => true,
        }
    }
}

/// The node that the last plies of a game lead to from the root, which has this board.
fn replay_line(tree: &Tree, start: &Board, position: &Position, plies: usize) -> Option<Place> {
    let (mut board, mut place) = (*start, tree.root());
    for left in (0..plies).rev() {
        let wanted = position.history().key_before(left)?;
        let (after, child) = tree.children(place).find_map(|(edge, child)| {
            let mut after = board;
            after.play(edge.mv);
            (after.key() == wanted).then_some((after, child))
        })?;
        (board, place) = (after, child);
    }
    (board == *position.board()).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::super::testing::TestTree;
    use super::*;

    fn rooted(position: &Position) -> TreeRoot {
        TreeRoot { position: position.clone(), contempt: Points(0), is_partial: false }
    }

    #[test]
    fn later_positions_of_the_same_game_are_found() {
        let start = Position::default();
        let test_tree = TestTree::new(4 << 20, 3_000);
        let tree = &test_tree.tree;
        let root = rooted(&start);
        assert_eq!(root.find(tree, &start, Points(0)), Some(tree.root()));
        let (edge, child) = tree.children(tree.root()).next().unwrap();
        let mut later = start.clone();
        later.play(edge.mv);
        assert_eq!(root.find(tree, &later, Points(0)), Some(child));
        let (edge, grandchild) = tree.children(child).next().unwrap();
        later.play(edge.mv);
        assert_eq!(root.find(tree, &later, Points(0)), Some(grandchild));
        assert_eq!(root.find(tree, &later, Points(20)), None, "other draws");
        assert_eq!(rooted(&later).find(tree, &start, Points(0)), None, "the game does not go back");
        // The same board without the game that led to it.
        let bare = Position::new(*later.board());
        assert_eq!(root.find(tree, &bare, Points(0)), None);
        let partial = TreeRoot { is_partial: true, ..rooted(&start) };
        assert_eq!(partial.find(tree, &start, Points(0)), None);
        assert_eq!(
            partial.find(tree, &later, Points(0)),
            Some(grandchild),
            "below it nothing is left out"
        );
    }

    #[test]
    fn a_proof_whose_moves_are_gone_is_no_root() {
        let position = Position::from_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1").unwrap();
        let test_tree = TestTree::from_position(position, 8 << 20, 20_000);
        let tree = &test_tree.tree;
        assert!(tree.root_node().proof().is_some() && tree.has_intact_proof(tree.root()));
        let over = tree.children(tree.root()).flat_map(|(_, child)| tree.children(child));
        let mate = over.map(|(_, place)| place).find(|&place| tree.node(place).proof().is_some());
        if let Some(leaf) = mate.filter(|&place| tree.node(place).expansion().is_none()) {
            assert!(!tree.has_intact_proof(leaf));
        }
        tree.root_node().prove(Proof::Won(9));
        assert!(!tree.has_intact_proof(tree.root()));
    }
}
