// SPDX-License-Identifier: GPL-3.0-or-later
//! Books made from games.

use std::collections::HashMap;

use super::book::{Book, Entry, encode_move};
use crate::pgn::PgnGame;
use crate::{Board, Outcome};

/// Gathers moves of games and makes a book of them.
///
/// A move is worth two points for each game that its side won, and one for each draw or unknown
/// result. Moves that only lost are left out.
#[derive(Clone, Debug)]
pub struct BookMaker {
    max_ply: usize,
    min_games: u32,
    moves: HashMap<(u64, u16), Tally>,
    games: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    games: u32,
    points: u64,
}

impl Default for BookMaker {
    /// Takes the first 40 plies of every game.
    fn default() -> Self {
        Self::new(40, 1)
    }
}

impl BookMaker {
    /// Takes the first `max_ply` plies of each game, and moves that were played in `min_games` of
    /// them or more.
    pub fn new(max_ply: usize, min_games: u32) -> Self {
        Self { max_ply, min_games, moves: HashMap::new(), games: 0 }
    }

    /// Adds the moves of a game.
    pub fn add(&mut self, game: &PgnGame) {
        self.games += 1;
        let mut board: Board = game.start;
        for mv in game.moves().take(self.max_ply) {
            let points = match game.result.0 {
                Some(Outcome::Decisive { winner }) => 2 * u64::from(winner == board.turn()),
                Some(Outcome::Draw) | None => 1,
            };
            let tally = self.moves.entry((board.polyglot_key(), encode_move(mv))).or_default();
            tally.games += 1;
            tally.points += points;
            board.play(mv);
        }
    }

    /// How many games have been added.
    pub const fn games(&self) -> usize {
        self.games
    }

    /// The book: for each position the moves with most points first.
    pub fn finish(self) -> Book {
        let kept = self
            .moves
            .into_iter()
            .filter(|(_, tally)| tally.games >= self.min_games && tally.points > 0);
        let mut moves: Vec<(u64, u16, u64)> =
            kept.map(|((key, mv), tally)| (key, mv, tally.points)).collect();
        moves.sort_unstable_by_key(|&(key, mv, points)| (key, u64::MAX - points, mv));
        let mut entries = Vec::with_capacity(moves.len());
        for position in moves.chunk_by(|one, other| one.0 == other.0) {
            let most = position[0].2;
            entries.extend(position.iter().map(|&(key, mv, points)| {
                let weight = scale(points, most);
                Entry { key, mv, weight, learn: 0 }
            }));
        }
        Book::new(entries)
    }
}

/// Points as a weight: as they are if the most points of the position fit, otherwise in proportion.
fn scale(points: u64, most: u64) -> u16 {
    const MAX: u64 = u16::MAX as u64;
    let weight = if most <= MAX {
        points
    } else {
        (u128::from(points) * u128::from(MAX) / u128::from(most)) as u64
    };
    // What is left out is left out by the rules above, not by rounding.
    weight.max(1) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_fit_and_keep_their_proportion() {
        assert_eq!(scale(7, 10), 7);
        assert_eq!(scale(65_535, 65_535), 65_535);
        assert_eq!(scale(1_000_000, 1_000_000), 65_535);
        assert_eq!(scale(500_000, 1_000_000), 32_767);
        assert_eq!(scale(1, 1_000_000), 1);
    }
}
