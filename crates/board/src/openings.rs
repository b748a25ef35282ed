// SPDX-License-Identifier: GPL-3.0-or-later
//! Names of openings, found by position, so that transpositions get their names too.
//!
//! `data/openings.tsv` comes from the lichess-org/chess-openings data, which is in the public domain (CC0).

use std::collections::HashMap;
use std::sync::LazyLock;

use chess::{Board, Game};

/// Code, name and moves, one opening per line.
static TABLE: &str = include_str!("../data/openings.tsv");

/// An opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its code in the encyclopaedia.
    pub eco: &'static str,
    /// Its name.
    pub name: &'static str,
}

static BY_KEY: LazyLock<HashMap<u64, Opening>> = LazyLock::new(|| {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(entry).collect()
});

fn entry(line: &'static str) -> Option<(u64, Opening)> {
    let mut parts = line.split('\t');
    let (eco, name, moves) = (parts.next()?, parts.next()?, parts.next()?);
    let mut board = Board::default();
    for mv in moves.split(' ') {
        board.play(board.parse_uci(mv).ok()?);
    }
    Some((board.key(), Opening { eco, name }))
}

/// The name of a position.
pub fn of(board: &Board) -> Option<Opening> {
    BY_KEY.get(&board.key()).copied()
}

/// The plies of a game after which its opening gets another name, with that name.
pub fn names(game: &Game) -> Vec<(usize, Opening)> {
    let mut board = *game.start();
    let mut found = Vec::new();
    for (ply, &mv) in game.moves().iter().enumerate() {
        board.play(mv);
        found.extend(of(&board).map(|opening| (ply + 1, opening)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::default();
        for mv in moves {
            game.play(game.board().parse_san(mv).unwrap());
        }
        game
    }

    #[test]
    fn every_line_of_the_table_is_read() {
        let lines = TABLE.lines().filter(|line| !line.starts_with('#')).count();
        assert!(lines > 3000);
        assert!(TABLE.lines().filter(|line| !line.starts_with('#')).all(|l| entry(l).is_some()));
    }

    #[test]
    fn transpositions_have_the_same_name() {
        let name = |moves: &[&str]| names(&game(moves)).pop().unwrap().1.name;
        assert_eq!(name(&["e4", "e5", "Nf3", "Nc6", "Bb5"]), "Ruy Lopez");
        assert_eq!(name(&["e4", "c5"]), "Sicilian Defense");
        let (first, other) = (["e4", "e5", "Nf3", "Nc6", "Bb5"], ["e4", "Nc6", "Nf3", "e5", "Bb5"]);
        assert_eq!(name(&first), name(&other));
    }
}
