// SPDX-License-Identifier: GPL-3.0-or-later
//! Saving a game: it is appended to the file, as PGN collections grow.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where a game was saved, so that it can be replaced by its longer self, and by nothing else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Saved {
    path: PathBuf,
    /// The file's length before and after.
    before: u64,
    after: u64,
}

/// Appends a game to a file. If the game was saved there before, and nothing was added since, its new
/// text takes the old one's place.
pub(super) fn append(path: &Path, text: &str, last: Option<&Saved>) -> io::Result<Saved> {
    let mut file = File::options().create(true).append(true).open(path)?;
    let len = file.metadata()?.len();
    let is_same = |saved: &&Saved| saved.path == path && saved.after == len;
    let before = last.filter(is_same).map_or(len, |saved| saved.before);
    let gap = if before == 0 { "" } else { "\n" };
    let written = write_at(&mut file, before, &format!("{gap}{text}"));
    if written.is_err() && before == len {
        // What was there before must not end with half a game.
        file.set_len(before)?;
    }
    let after = before + written? as u64;
    Ok(Saved { path: path.to_path_buf(), before, after })
}

fn write_at(file: &mut File, before: u64, text: &str) -> io::Result<usize> {
    if file.metadata()?.is_file() {
        file.set_len(before)?;
    }
    file.write_all(text.as_bytes())?;
    file.flush()?;
    Ok(text.len())
}

/// A path with `~` for the user's own folder.
pub(super) fn expand(path: &str) -> PathBuf {
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    }
}

/// Whether a file holds something already.
pub(super) fn has_games(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| data.len() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_appended_and_nothing_is_destroyed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        fs::write(&path, "old\n").unwrap();
        let saved = append(&path, "one\n", None).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old\n\none\n");
        let again = append(&path, "one and more\n", Some(&saved)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old\n\none and more\n");
        // Another program has appended meanwhile.
        fs::write(&path, "old\n\none and more\nother\n").unwrap();
        append(&path, "two\n", Some(&again)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old\n\none and more\nother\n\ntwo\n");
    }

    #[test]
    fn the_own_folder_is_expanded() {
        let home = std::env::home_dir().unwrap();
        assert_eq!(expand("~/a.pgn"), home.join("a.pgn"));
        assert_eq!(expand("a~/b"), PathBuf::from("a~/b"));
    }
}
