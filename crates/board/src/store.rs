// SPDX-License-Identifier: GPL-3.0-or-later
//! Games on disk: one JSON file for each session, replaced in one step.
//!
//! JSON rather than plain PGN, because clocks, settings and the place in the game belong to it; the game itself
//! stands in it as PGN. JSON rather than a database, because a file that is written under another name and
//! renamed needs no repair, and because people can read and copy it.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, io};

use chess::pgn::PgnReader;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tools::write_atomically;

use crate::protocol::{Document, Kept};

/// Version of the files.
const VERSION: u32 = 1;
/// The largest document that is kept.
pub const MAX_DOCUMENT: usize = 900_000;
/// The most files that are written; beyond it only files that are there are replaced.
const MAX_FILES: usize = 5_000;
/// As many games as a list shows.
const MAX_LISTED: usize = 200;

/// The games of all sessions.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct File {
    version: u32,
    saved: u64,
    document: Document,
}

/// Why a game cannot be kept or found.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The name is none that this server has given.
    #[error("`{0}` is no session: expected 32 hexadecimal digits")]
    Name(String),
    /// There is no such file, or it cannot be read or written.
    #[error("the game cannot be {action} in `{}`: {source}", .path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The file is none of ours.
    #[error("`{}` is not a kept game: {source}", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// Too large.
    #[error("a game may have {MAX_DOCUMENT} bytes with its comments: this has {0}")]
    TooLarge(usize),
    /// Too many.
    #[error("`{}` holds {MAX_FILES} games: move some of them elsewhere to keep more", .0.display())]
    Full(PathBuf),
}

impl Store {
    /// The games in a folder, which is made when the first one is kept.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Where the games of this user are kept if nobody says otherwise.
    pub fn default_folder() -> PathBuf {
        let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".local/share"));
        let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).or_else(home);
        data.unwrap_or_else(|| PathBuf::from(".")).join("quincunx").join("board")
    }

    fn path(&self, session: &str) -> Result<PathBuf, StoreError> {
        let is_name = session.len() == 32 && session.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_name {
            return Err(StoreError::Name(session.chars().take(40).collect()));
        }
        Ok(self.folder.join(format!("{session}.json")))
    }

    /// Keeps a document.
    pub fn save(&self, session: &str, document: &Document) -> Result<(), StoreError> {
        let path = self.path(session)?;
        let size = document.pgn.len() + document.state.len();
        if size > MAX_DOCUMENT {
            return Err(StoreError::TooLarge(size));
        }
        if !path.exists() && self.names().count() >= MAX_FILES {
            return Err(StoreError::Full(self.folder.clone()));
        }
        let file = File { version: VERSION, saved: now(), document: document.clone() };
        let text = serde_json::to_string_pretty(&file).expect("plain data");
        let written = fs::create_dir_all(&self.folder).and_then(|()| write_atomically(&path, text));
        written.map_err(|source| StoreError::Io { action: "kept", path, source })
    }

    /// The document of a session; `None` if nothing was kept yet.
    pub fn load(&self, session: &str) -> Result<Option<Document>, StoreError> {
        Ok(read(&self.path(session)?)?.map(|file| file.document))
    }

    fn names(&self) -> impl Iterator<Item = PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        paths.filter(|path| path.extension().is_some_and(|end| end == "json"))
    }

    /// The games that are kept, the latest first. Files that are none are left out.
    pub fn list(&self) -> Vec<Kept> {
        let age = |path: &PathBuf| fs::metadata(path).and_then(|data| data.modified()).ok();
        let mut paths: Vec<PathBuf> = self.names().collect();
        paths.sort_by_cached_key(|path| std::cmp::Reverse(age(path)));
        let kept = paths.iter().take(MAX_LISTED).filter_map(|path| describe(path));
        kept.collect()
    }
}

fn read(path: &Path) -> Result<Option<File>, StoreError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => {
            return Err(StoreError::Io { action: "read", path: path.to_owned(), source });
        }
    };
    let file = serde_json::from_str(&text);
    file.map(Some).map_err(|source| StoreError::Content { path: path.to_owned(), source })
}

fn describe(path: &Path) -> Option<Kept> {
    let file = read(path).ok()??;
    let game = PgnReader::mainline(file.document.pgn.as_bytes()).next()?.ok()?;
    let name = |tag: &str| game.tag(tag).filter(|name| *name != "?").unwrap_or("…").to_owned();
    let title = match (name("White").as_str(), name("Black").as_str()) {
        ("…", "…") => "Analysis".to_owned(),
        (white, black) => format!("{white} – {black}"),
    };
    Some(Kept {
        session: path.file_stem()?.to_string_lossy().into_owned(),
        saved: file.saved,
        title,
        plies: game.moves().count() as u32,
    })
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(pgn: &str) -> Document {
        Document { pgn: pgn.to_owned(), state: "{}".to_owned() }
    }

    #[test]
    fn what_was_kept_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path().join("deep/er"));
        let session = "0123456789abcdef0123456789abcdef";
        assert_eq!(store.load(session).unwrap(), None);
        let first = document("[White \"Anna\"]\n[Black \"Ben\"]\n\n1. e4 e5 *\n");
        store.save(session, &first).unwrap();
        assert_eq!(store.load(session).unwrap(), Some(first));
        let list = store.list();
        assert_eq!((list[0].title.as_str(), list[0].plies), ("Anna – Ben", 2));
        assert_eq!(list[0].session, session);
    }

    #[test]
    fn names_cannot_leave_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path().to_owned());
        for name in ["../../etc/passwd", "", "xyz", "0123456789ABCDEF0123456789abcde/"] {
            let error = store.save(name, &document("*")).unwrap_err();
            assert!(matches!(error, StoreError::Name(_)), "{name}: {error}");
        }
        let large = document(&"x".repeat(MAX_DOCUMENT + 1));
        let session = "0123456789abcdef0123456789abcdef";
        assert!(matches!(store.save(session, &large), Err(StoreError::TooLarge(_))));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_damaged_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path().to_owned());
        let session = "0123456789abcdef0123456789abcdef";
        fs::write(folder.path().join(format!("{session}.json")), "{").unwrap();
        let error = store.load(session).unwrap_err().to_string();
        assert!(error.contains(session) && error.contains("not a kept game"), "{error}");
        assert!(store.list().is_empty());
    }
}
