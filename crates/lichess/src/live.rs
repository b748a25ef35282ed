// SPDX-License-Identifier: GPL-3.0-or-later
//! The games under way, shown to whoever watches the bot's folder.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tools::live::{LiveFile, LiveGame};

/// The bot's boards.
#[derive(Debug)]
pub(crate) struct Live(Mutex<Boards>);

#[derive(Debug)]
struct Boards {
    file: LiveFile,
    games: BTreeMap<String, LiveGame>,
}

impl Live {
    /// No games yet.
    pub(crate) fn new(folder: &Path) -> Self {
        Self(Mutex::new(Boards { file: LiveFile::new(folder), games: BTreeMap::new() }))
    }

    fn boards(&self) -> MutexGuard<'_, Boards> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A game has begun, or goes on.
    pub(crate) fn set(&self, game: LiveGame) {
        self.boards().games.insert(game.id.clone(), game);
        self.show();
    }

    /// A game is over.
    pub(crate) fn end(&self, id: &str) {
        self.boards().games.remove(id);
        self.show();
    }

    /// Shows what has changed. Pictures that follow each other too fast are left to the next call.
    pub(crate) fn show(&self) {
        let mut boards = self.boards();
        let Boards { file, games } = &mut *boards;
        file.show(|| games.values().cloned().collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_come_and_go() {
        let folder = tempfile::tempdir().unwrap();
        let live = Live::new(folder.path());
        let game = |id: &str| LiveGame { id: id.to_owned(), ..LiveGame::default() };
        live.set(game("a"));
        live.set(game("b"));
        std::thread::sleep(std::time::Duration::from_millis(250));
        live.show();
        assert_eq!(tools::live::read(folder.path()).len(), 2);
        std::thread::sleep(std::time::Duration::from_millis(250));
        live.end("a");
        assert_eq!(tools::live::read(folder.path()), [game("b")]);
    }
}
