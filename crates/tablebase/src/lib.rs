// SPDX-License-Identifier: GPL-3.0-or-later
//! Syzygy endgame tables: who wins, and how soon, with few men on the board.
//!
//! The files are decoded by `shakmaty-syzygy` (docs/adr/0005-tablebases.md says why); this crate
//! opens them, speaks of [`Board`] and [`Move`], and keeps the fifty-move rule in mind. Both the
//! search and the arena's referee ask it.
//!
//! ```
//! use chess::Board;
//! use tablebase::{FiftyMoves, Tables, TableWdl};
//!
//! let tables = Tables::open("tests/data")?;
//! let board: Board = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1".parse()?;
//! assert_eq!(tables.wdl(&board), Some(TableWdl::Draw));
//!
//! let mate: Board = "7k/8/6K1/8/8/8/8/R7 w - - 0 1".parse()?;
//! let moves = tables.root_moves(&mate, FiftyMoves::Counted).ok_or("no tables")?;
//! assert_eq!(mate.san(moves[0].mv).to_string(), "Ra8#");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod convert;
mod open;
mod root;
mod wdl;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use chess::{Board, Move};
use shakmaty::Chess;
use shakmaty_syzygy::{AmbiguousWdl, MaybeRounded, Metric, ProbeError, SyzygyError, Tablebase};

pub use open::OpenError;
pub use root::{RootMove, keepers};
pub use wdl::{Dtz, FiftyMoves, TableWdl};

/// Opened tables. Threads share them by reference.
///
/// Files are read when they are first needed. A table that is found to be damaged then switches all
/// tables off, as half of the truth would mislead a search: see [`Self::damage`].
pub struct Tables {
    probe: Tablebase<Chess>,
    folders: Vec<PathBuf>,
    files: usize,
    damage: OnceLock<String>,
}

impl Tables {
    /// Opens all tables of a list of folders, which `:` separates, or `;` on Windows.
    pub fn open(paths: &str) -> Result<Self, OpenError> {
        let folders: Vec<PathBuf> =
            std::env::split_paths(paths).filter(|path| !path.as_os_str().is_empty()).collect();
        Self::open_folders(folders)
    }

    /// Opens all tables of these folders. If several have the same table, the first one's is taken.
    pub fn open_folders(folders: Vec<PathBuf>) -> Result<Self, OpenError> {
        let (probe, files) = open::open(&folders)?;
        Ok(Self { probe, folders, files, damage: OnceLock::new() })
    }

    /// The most men that a table knows of, kings included.
    pub fn largest(&self) -> usize {
        self.probe.max_pieces()
    }

    /// How many files there are.
    pub fn files(&self) -> usize {
        self.files
    }

    /// The folders that were opened.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.folders.iter().map(PathBuf::as_path)
    }

    /// What is wrong with a table, if one was found damaged. From then on nothing is answered.
    pub fn damage(&self) -> Option<&str> {
        self.damage.get().map(String::as_str)
    }

    /// The result with best play if a capture or a pawn move has just been made, whatever the clock
    /// says. This is what a search asks for in its tree.
    ///
    /// `None` if there is no table for the position, or if someone may still castle.
    pub fn wdl(&self, board: &Board) -> Option<TableWdl> {
        let position = self.position(board)?;
        self.answer(self.probe.probe_wdl_after_zeroing(&position)).map(TableWdl::from)
    }

    /// The distance to the next capture, pawn move or mate with best play. Needs both kinds of
    /// tables.
    pub fn dtz(&self, board: &Board) -> Option<Dtz> {
        self.rounded_dtz(board).map(Dtz::from)
    }

    /// The result with best play, the board's clock of the fifty-move rule counted.
    ///
    /// `None` also if the tables do not tell: they may be off by one ply, and exactly there the
    /// rule may save the loser.
    pub fn result(&self, board: &Board) -> Option<TableWdl> {
        let after_zeroing = self.wdl(board)?;
        if board.halfmove_clock() == 0 || !after_zeroing.is_decisive() {
            return Some(after_zeroing);
        }
        let dtz = self.rounded_dtz(board)?;
        let clock = board.halfmove_clock() as u32;
        AmbiguousWdl::from_dtz_and_halfmoves(dtz, clock).unambiguous().map(TableWdl::from)
    }

    /// The results of all legal moves, best first; [`keepers`] tells which of them to choose from.
    ///
    /// `None` if the tables do not know all of them. Without a table of distances, the results are
    /// those of [`Self::wdl`] and the distance is missing.
    pub fn root_moves(&self, board: &Board, rule: FiftyMoves) -> Option<Vec<RootMove>> {
        let moves = board.legal_moves();
        let ranked: Option<Vec<RootMove>> =
            moves.iter().map(|&mv| self.root_move(board, mv, rule)).collect();
        let mut ranked = ranked?;
        ranked.sort_by_key(RootMove::order);
        Some(ranked)
    }

    /// The result of one legal move, for the side that makes it.
    pub fn root_move(&self, board: &Board, mv: Move, rule: FiftyMoves) -> Option<RootMove> {
        root::judge(self, board, mv, rule)
    }

    fn rounded_dtz(&self, board: &Board) -> Option<MaybeRounded<shakmaty_syzygy::Dtz>> {
        let position = self.position(board)?;
        self.answer(self.probe.probe_dtz(&position))
    }

    /// The position in the form that the tables understand, if they can know it.
    fn position(&self, board: &Board) -> Option<Chess> {
        let is_known = board.occupied().len() <= self.largest() && board.castling().is_none();
        if is_known && self.damage.get().is_none() { convert::position(board) } else { None }
    }

    /// An answer, if it is one. Damage is remembered; a missing table is no damage.
    fn answer<T>(&self, result: Result<T, SyzygyError>) -> Option<T> {
        match result {
            Ok(answer) => Some(answer),
            Err(SyzygyError::ProbeFailed { metric, material, error }) => {
                let file = self.file_name(&material.to_string(), metric);
                self.damage.get_or_init(|| format!("`{file}` {}", complaint(&error)));
                None
            }
            Err(_) => None,
        }
    }

    fn file_name(&self, material: &str, metric: Metric) -> String {
        let ending = if metric == Metric::Wdl { "rtbw" } else { "rtbz" };
        let name = format!("{material}.{ending}");
        let path = self.folders.iter().map(|folder| folder.join(&name)).find(|path| path.exists());
        path.map_or(name, |path| path.display().to_string())
    }
}

/// What is wrong with a file. The error's own words may hold a whole backtrace.
fn complaint(error: &ProbeError) -> String {
    match error {
        ProbeError::Read { error } if error.kind() != io::ErrorKind::UnexpectedEof => {
            format!("cannot be read: {error}")
        }
        ProbeError::Magic { .. } => "is no Syzygy table: its first bytes are others".to_owned(),
        ProbeError::Read { .. } | ProbeError::CorruptedTable { .. } => {
            "is a damaged Syzygy table".to_owned()
        }
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables")
            .field("folders", &self.folders)
            .field("files", &self.files)
            .field("largest", &self.largest())
            .finish_non_exhaustive()
    }
}
