// SPDX-License-Identifier: GPL-3.0-or-later
//! Games that endgame tables decide.

use std::sync::Arc;

use chess::{Board, Outcome};
use serde::{Deserialize, Serialize};
use tablebase::{FiftyMoves, OpenError, TableWdl, Tables};

/// Which tables to ask, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableSettings {
    /// Folders of Syzygy tables, separated by `:`, or by `;` on Windows.
    pub path: String,
    /// Most men on the board; as many as the tables know if `None`.
    pub men: Option<usize>,
    /// Whether wins that the fifty-move rule spoils are wins all the same.
    pub ignore_fifty: bool,
}

/// Ends games whose result the tables know.
#[derive(Clone, Debug)]
pub struct TableRule {
    tables: Arc<Tables>,
    most_men: usize,
    fifty: FiftyMoves,
}

impl TableRule {
    /// Opens the tables.
    pub fn open(settings: &TableSettings) -> Result<Self, OpenError> {
        let tables = Tables::open(&settings.path)?;
        let most_men = settings.men.unwrap_or(usize::MAX).min(tables.largest());
        let fifty = if settings.ignore_fifty { FiftyMoves::Ignored } else { FiftyMoves::Counted };
        Ok(Self { tables: Arc::new(tables), most_men, fifty })
    }

    /// What is wrong with a table, if one was found damaged; games are then played on.
    pub fn damage(&self) -> Option<&str> {
        self.tables.damage()
    }

    /// How the game ends; nothing if the tables do not know for certain.
    pub(super) fn result(&self, board: &Board) -> Option<Outcome> {
        if board.occupied().len() > self.most_men {
            return None;
        }
        let wdl = match self.fifty {
            FiftyMoves::Counted => self.tables.result(board),
            FiftyMoves::Ignored => self.tables.wdl(board),
        };
        Some(match wdl?.under(self.fifty) {
            TableWdl::Win => Outcome::Decisive { winner: board.turn() },
            TableWdl::Loss => Outcome::Decisive { winner: !board.turn() },
            TableWdl::CursedWin | TableWdl::Draw | TableWdl::BlessedLoss => Outcome::Draw,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tablebase/tests/data");

    /// The result as PGN writes it, or `?`.
    fn result(fen: &str, men: Option<usize>, ignore_fifty: bool) -> String {
        let settings = TableSettings { path: TABLES.to_owned(), men, ignore_fifty };
        let result = TableRule::open(&settings).unwrap().result(&fen.parse().unwrap());
        result.map_or_else(|| "?".to_owned(), |outcome| outcome.to_string())
    }

    #[test]
    fn the_winner_is_told_by_color() {
        assert_eq!(result("8/8/8/4k3/8/8/8/4K2R w - - 0 1", None, false), "1-0");
        assert_eq!(result("8/8/8/4k3/8/8/8/4K2R b - - 0 1", None, false), "1-0");
        assert_eq!(result("8/8/8/4k3/8/8/8/4K2r w - - 0 1", None, false), "0-1");
        assert_eq!(result("8/8/8/4k3/8/8/8/4K2B w - - 0 1", None, false), "1/2-1/2");
    }

    #[test]
    fn too_many_men_and_late_clocks() {
        let (rook, late) = ("8/8/8/4k3/8/8/8/4K2R w - - 0 1", "8/8/8/4k3/8/8/8/4K2R w - - 90 99");
        assert_eq!(result(rook, Some(2), false), "?");
        assert_eq!(result(rook, Some(7), false), "1-0");
        assert_eq!(result(late, None, false), "1/2-1/2");
        assert_eq!(result(late, None, true), "1-0");
        assert_eq!(result("4k3/8/8/8/8/8/P6P/4K3 w - - 0 1", None, false), "?");
    }
}
