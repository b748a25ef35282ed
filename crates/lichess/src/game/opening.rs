// SPDX-License-Identifier: GPL-3.0-or-later
//! Moves that are known by heart.

use chess::polyglot::{BookMove, Found};
use chess::{Board, Move};

use crate::client::random;
use crate::config::{BookChoice, BookConfig};

/// Books that are open.
#[derive(Debug, Default)]
pub(crate) struct Openings {
    settings: Option<BookConfig>,
    books: Vec<chess::polyglot::Book>,
}

impl Openings {
    /// Opens the books. What the check of the configuration has seen, and is gone now, is left out.
    pub(crate) fn open(settings: &BookConfig) -> Self {
        let open = |path: &std::path::PathBuf| {
            let book = chess::polyglot::Book::open(path);
            book.map_err(|error| tracing::warn!("`{}`: {error}", path.display())).ok()
        };
        let books = settings.files.iter().filter_map(open).collect();
        Self { settings: Some(settings.clone()), books }
    }

    /// The move to play here, if any book knows one.
    pub(super) fn choose(&self, board: &Board) -> Option<Move> {
        let settings = self.settings.as_ref()?;
        if board.fullmove_number() > settings.moves {
            return None;
        }
        self.books.iter().find_map(|book| {
            let mut found = book.find(board);
            found.moves.retain(|found| found.weight >= settings.least_weight.max(1));
            choose(&found, settings.choice)
        })
    }
}

fn choose(found: &Found, choice: BookChoice) -> Option<Move> {
    let moves: &[BookMove] = &found.moves;
    match choice {
        BookChoice::Best => found.best(),
        BookChoice::Weighted => found.choose((random() * u64::MAX as f64) as u64),
        BookChoice::Uniform => {
            let index = (random() * moves.len() as f64) as usize;
            moves.get(index.min(moves.len().saturating_sub(1))).map(|found| found.mv)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_choose_keeps_to_the_book() {
        let board = Board::default();
        let entry =
            |mv: &str, weight| BookMove { mv: board.parse_uci(mv).unwrap(), weight, learn: 0 };
        let found = Found { moves: vec![entry("e2e4", 9), entry("d2d4", 1)], errors: vec![] };
        assert_eq!(choose(&found, BookChoice::Best), board.parse_uci("e2e4").ok());
        for choice in [BookChoice::Weighted, BookChoice::Uniform] {
            let chosen: Vec<_> = (0..200).filter_map(|_| choose(&found, choice)).collect();
            assert_eq!(chosen.len(), 200);
            assert!(found.moves.iter().all(|found| chosen.contains(&found.mv)), "{choice:?}");
        }
        assert_eq!(choose(&Found::default(), BookChoice::Uniform), None);
    }
}
