// SPDX-License-Identifier: GPL-3.0-or-later
//! Runs in the folder of runs: which there are, and the page of one of them.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::protocol::{Reply, Run};

/// Makes the page of a run; the command line gives the one of `quincunx report`.
pub type Render = Arc<dyn Fn(&Path) -> Result<String, String> + Send + Sync>;

/// As much of the latest games as the page gets.
const MOST_GAMES: u64 = 300_000;
/// Folders that are looked through, at most.
const MOST_RUNS: usize = 200;
/// The files by which runs are known, with what they are.
const KINDS: [(&str, &str); 3] =
    [("run.json", "match"), ("state.json", "trials"), ("recipe.toml", "training")];

/// The runs of a folder.
#[derive(Clone)]
pub struct Runs {
    folder: PathBuf,
    render: Render,
}

impl Runs {
    /// The runs in a folder.
    pub fn new(folder: PathBuf, render: Render) -> Self {
        Self { folder, render }
    }

    /// Whether there is such a folder.
    pub fn is_there(&self) -> bool {
        self.folder.is_dir()
    }

    /// The runs, the latest first: folders with a run in them, and those one level deeper.
    pub fn list(&self) -> Vec<Run> {
        let mut found = Vec::new();
        for path in folders(&self.folder) {
            self.add(&path, &mut found);
            for inner in folders(&path) {
                self.add(&inner, &mut found);
            }
        }
        found.sort_by_key(|run| run.age);
        found.truncate(MOST_RUNS);
        found
    }

    fn add(&self, path: &Path, found: &mut Vec<Run>) {
        let kind = KINDS.iter().find(|(file, _)| path.join(file).is_file());
        let (Some((_, kind)), Ok(name)) = (kind, path.strip_prefix(&self.folder)) else { return };
        let name = name.to_string_lossy().replace('\\', "/");
        found.push(Run { name, kind: (*kind).to_owned(), age: age(path).as_secs() });
    }

    /// The folder of a run. Only names from the list are known, so that nothing else can be read.
    fn path(&self, name: &str) -> Option<PathBuf> {
        self.list().iter().any(|run| run.name == name).then(|| self.folder.join(name))
    }

    /// When a run last changed.
    pub fn changed(&self, name: &str) -> Option<SystemTime> {
        Some(SystemTime::now() - age(&self.path(name)?))
    }

    /// The page of a run.
    pub fn show(&self, name: &str) -> Reply {
        let Some(path) = self.path(name) else {
            let message = format!("no run `{name}` in `{}`", self.folder.display());
            return Reply::Error { id: None, message };
        };
        let page = (self.render)(&path).unwrap_or_else(|error| {
            format!("<p>There is nothing to draw yet: {}</p>", escape(&error))
        });
        Reply::Run { name: name.to_owned(), page, games: latest_games(&path).unwrap_or_default() }
    }
}

impl std::fmt::Debug for Runs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runs").field("folder", &self.folder).finish_non_exhaustive()
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.is_dir()).take(MOST_RUNS).collect()
}

/// The time since one of a run's files changed.
fn age(path: &Path) -> Duration {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let times = entries.filter_map(|entry| entry.metadata().ok()?.modified().ok());
    times.max().and_then(|time| time.elapsed().ok()).unwrap_or_default()
}

/// The end of `games.pgn`, from the beginning of a game.
fn latest_games(path: &Path) -> Option<String> {
    let mut file = File::open(path.join("games.pgn")).ok()?;
    let length = file.metadata().ok()?.len();
    let start = length.saturating_sub(MOST_GAMES);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut bytes = Vec::new();
    file.take(MOST_GAMES).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if start == 0 {
        return Some(text);
    }
    text.find("\n[Event ").map(|at| text[at + 1..].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_runs_are_shown() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("a/b")).unwrap();
        fs::create_dir_all(path("empty")).unwrap();
        fs::write(path("a/b/run.json"), "{}").unwrap();
        fs::write(path("a/b/games.pgn"), "[Event \"x\"]\n\n*\n").unwrap();
        let runs = Runs::new(folder.path().to_owned(), Arc::new(|_| Err("<none>".to_owned())));
        let names: Vec<String> = runs.list().into_iter().map(|run| run.name).collect();
        assert_eq!(names, ["a/b"]);
        let Reply::Run { page, games, .. } = runs.show("a/b") else { panic!() };
        assert!(page.contains("&lt;none&gt;") && games.starts_with("[Event"));
        for name in ["empty", "..", "/", "a/b/../.."] {
            assert!(matches!(runs.show(name), Reply::Error { .. }), "{name}");
        }
    }
}
