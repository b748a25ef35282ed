// SPDX-License-Identifier: GPL-3.0-or-later
//! Games under way in a folder, for programs that watch them.
//!
//! Matches and the bot write what stands on their boards to `live.json`; the board in the browser reads it.
//! The file is a picture, not a result: nobody resumes from it, and failing to write it stops nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::write::write_atomically;

/// The file's name in its folder.
pub const LIVE_FILE: &str = "live.json";

/// The time between two writes.
const INTERVAL: Duration = Duration::from_millis(200);

/// A game under way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveGame {
    /// What tells it from the others in the folder.
    pub id: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The first position, as a FEN.
    pub fen: String,
    /// The moves since, in UCI notation.
    pub moves: Vec<String>,
    /// White's and Black's clocks in milliseconds, after the last move of each.
    pub clocks: [Option<u64>; 2],
    /// The last score, White's view, as PGN writes it: `0.35`, `#-4`.
    pub score: Option<String>,
}

/// The games under way in a folder. Dropped, it takes the file away.
#[derive(Debug)]
pub struct LiveFile {
    path: PathBuf,
    games: Vec<LiveGame>,
    written: Option<Instant>,
}

impl LiveFile {
    /// The file in this folder; it is there once there are games.
    pub fn new(folder: &Path) -> Self {
        Self { path: folder.join(LIVE_FILE), games: Vec::new(), written: None }
    }

    /// Shows these games: at once, or with a later call if the last picture is too young.
    pub fn show(&mut self, games: impl FnOnce() -> Vec<LiveGame>) {
        if self.written.is_some_and(|written| written.elapsed() < INTERVAL) {
            return;
        }
        let games = games();
        if self.written.is_some() && games == self.games {
            return;
        }
        if let Ok(text) = serde_json::to_string(&games) {
            let _ = write_atomically(&self.path, text);
        }
        self.games = games;
        self.written = Some(Instant::now());
    }
}

impl Drop for LiveFile {
    fn drop(&mut self) {
        if self.written.is_some() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The games under way in a folder; none if nobody shows any.
pub fn read(folder: &Path) -> Vec<LiveGame> {
    let text = fs::read_to_string(folder.join(LIVE_FILE)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &[&str]) -> LiveGame {
        let moves = moves.iter().map(|&mv| mv.into()).collect();
        LiveGame { id: "1".into(), moves, ..LiveGame::default() }
    }

    #[test]
    fn games_are_shown_until_they_are_over() {
        let folder = tempfile::tempdir().unwrap();
        let mut live = LiveFile::new(folder.path());
        assert!(read(folder.path()).is_empty());
        live.show(|| vec![game(&["e2e4"])]);
        assert_eq!(read(folder.path()), [game(&["e2e4"])]);
        live.show(|| panic!("this comes too soon"));
        std::thread::sleep(INTERVAL);
        live.show(|| vec![game(&["e2e4", "e7e5"])]);
        assert_eq!(read(folder.path())[0].moves.len(), 2);
        drop(live);
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    }

    #[test]
    fn damaged_files_are_no_games() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(LIVE_FILE), "[{").unwrap();
        assert!(read(folder.path()).is_empty());
    }
}
