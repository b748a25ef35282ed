// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions out of a search.
//!
//! A static evaluation is asked at the leaves of searches: after bad moves and their refutations too, which
//! games do not show. So positions are taken where searches go: a random walk from the root through
//! positions that the transposition table knows.

use search::{Position, Searcher};
use tools::random::{Rng, unit};

/// The chance that a walk goes on after each move.
const GOES_ON: f64 = 0.7;

/// A random position that the last search looked at, below its root. `None` if the walk ends in check or
/// where a game would end, or if the table has forgotten all.
pub(crate) fn draw(searcher: &Searcher, root: &Position, rng: &mut Rng) -> Option<Position> {
    let mut position = step(searcher, root.clone(), rng)?;
    while unit(rng.next_u64()) < GOES_ON {
        match step(searcher, position.clone(), rng) {
            Some(next) => position = next,
            None => break,
        }
    }
    let board = position.board();
    let occurrences = position.history().occurrences();
    let is_asked =
        !board.in_check() && board.ending_with_claims(occurrences).is_none() && occurrences == 1;
    is_asked.then_some(position)
}

/// After a random move to a position that the table knows.
fn step(searcher: &Searcher, mut position: Position, rng: &mut Rng) -> Option<Position> {
    let board = *position.board();
    let mut moves = board.legal_moves();
    moves.retain(|&mut mv| {
        let mut after = board;
        after.play(mv);
        searcher.lookup(&after).is_some()
    });
    if moves.is_empty() {
        return None;
    }
    position.play(moves[rng.below(moves.len())]);
    Some(position)
}
