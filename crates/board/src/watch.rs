// SPDX-License-Identifier: GPL-3.0-or-later
//! Runs in the folder of runs: which there are, and the page of one of them.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use chess::Board;
use tools::live::{self, LIVE_FILE, LiveGame};
use tools::store::is_in_use;
use tools::text::html;

use crate::protocol::{LiveBoard, Reply, Run};

/// Makes the page of a run; the command line gives the one of `quincunx report`.
pub type Render = Arc<dyn Fn(&Path) -> Result<String, String> + Send + Sync>;

/// As much of the latest games as the page gets.
const MOST_GAMES: u64 = 300_000;
/// Folders that are looked through, at most.
const MOST_RUNS: usize = 200;
/// The files by which runs are known, with what they are.
const KINDS: [(&str, &str); 3] =
    [("run.json", "match"), ("state.json", "trials"), ("recipe.toml", "training")];
/// What the folder of the Lichess bot is called, which is no run.
const BOT: &str = "Lichess bot";

/// The runs of a folder, and the bot's games.
#[derive(Clone)]
pub struct Runs {
    folder: PathBuf,
    bot: Option<PathBuf>,
    render: Render,
}

/// A run that is watched.
#[derive(Clone)]
pub struct Watched {
    name: String,
    path: PathBuf,
    is_bot: bool,
    render: Render,
}

impl Runs {
    /// The runs in a folder, and the folder of the bot, if there is one.
    pub fn new(folder: PathBuf, bot: Option<PathBuf>, render: Render) -> Self {
        Self { folder, bot, render }
    }

    /// Whether there is something to watch.
    pub fn is_there(&self) -> bool {
        self.folder.is_dir() || self.bot.is_some()
    }

    /// The runs, those under way first, then the latest: folders with a run in them, and those one level
    /// deeper.
    pub fn list(&self) -> Vec<Run> {
        let mut found = Vec::new();
        for path in folders(&self.folder) {
            self.add(&path, &mut found);
            for inner in folders(&path) {
                self.add(&inner, &mut found);
            }
        }
        found.extend(self.bot.as_deref().map(|path| run(BOT.to_owned(), "bot", path)));
        found.sort_by_key(|run| (!run.live, run.age));
        found.truncate(MOST_RUNS);
        found
    }

    fn add(&self, path: &Path, found: &mut Vec<Run>) {
        let kind = KINDS.iter().find(|(file, _)| path.join(file).is_file());
        let (Some((_, kind)), Ok(name)) = (kind, path.strip_prefix(&self.folder)) else { return };
        let name = name.to_string_lossy().replace('\\', "/");
        found.push(run(name, kind, path));
    }

    /// A run by its name. Only names from the list are known, so that nothing else can be read.
    pub fn find(&self, name: &str) -> Result<Watched, String> {
        let is_known = self.list().iter().any(|run| run.name == name);
        let bot = self.bot.as_ref().filter(|_| name == BOT);
        let path = bot.cloned().or_else(|| is_known.then(|| self.folder.join(name)));
        let path = path.ok_or_else(|| format!("no run `{name}` in `{}`", self.folder.display()))?;
        let render = Arc::clone(&self.render);
        Ok(Watched { name: name.to_owned(), path, is_bot: bot.is_some(), render })
    }
}

fn run(name: String, kind: &str, path: &Path) -> Run {
    let live = is_in_use(path);
    Run { name, kind: kind.to_owned(), age: age(path).as_secs(), live }
}

impl Watched {
    /// When it last changed.
    pub fn changed(&self) -> SystemTime {
        SystemTime::now() - age(&self.path)
    }

    /// Its page and its latest games.
    pub fn show(&self) -> Reply {
        let name = self.name.clone();
        if self.is_bot {
            return Reply::Run { name, page: String::new(), games: bots_games(&self.path) };
        }
        let page = (self.render)(&self.path).unwrap_or_else(|error| {
            format!("<p>There is nothing to draw yet: {}</p>", html(error))
        });
        Reply::Run { name, page, games: latest_games(&self.path).unwrap_or_default() }
    }

    /// The games under way; none once the run has ended, even if it was killed.
    pub fn live(&self) -> Vec<LiveBoard> {
        let games = live::read(&self.path);
        if games.is_empty() || !is_in_use(&self.path) {
            return Vec::new();
        }
        games.into_iter().map(board).collect()
    }

    /// What is told of the games under way.
    pub fn live_reply(&self, games: Vec<LiveBoard>) -> Reply {
        Reply::Live { name: self.name.clone(), games }
    }
}

/// A game under way with its position.
fn board(game: LiveGame) -> LiveBoard {
    let LiveGame { id, white, black, fen, mut moves, clocks, score } = game;
    let mut board: Board = fen.parse().unwrap_or_default();
    let mut plays = |text: &String| board.parse_uci(text).map(|mv| board.play(mv)).is_ok();
    let sound = moves.iter().take_while(|text| plays(text)).count();
    moves.truncate(sound);
    let now = board.fen().to_string();
    LiveBoard { id, white, black, start: fen, moves, fen: now, clocks, score }
}

impl std::fmt::Debug for Watched {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watched").field("path", &self.path).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Runs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runs").field("folder", &self.folder).finish_non_exhaustive()
    }
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.is_dir()).take(MOST_RUNS).collect()
}

/// The time since one of a run's files changed. Boards change all the time, and the page does not show them.
fn age(path: &Path) -> Duration {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let entries =
        entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with(LIVE_FILE));
    let times = entries.filter_map(|entry| entry.metadata().ok()?.modified().ok());
    times.max().and_then(|time| time.elapsed().ok()).unwrap_or_default()
}

/// The end of `games.pgn` in a folder.
fn latest_games(path: &Path) -> Option<String> {
    end_of(&path.join("games.pgn"))
}

/// The latest games that the bot has kept, the last one at the end.
fn bots_games(path: &Path) -> String {
    let entries = fs::read_dir(path.join("games")).into_iter().flatten().flatten();
    let mut files: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    files.sort();
    let (mut texts, mut size) = (Vec::new(), 0);
    for (_, path) in files.iter().rev() {
        let text = end_of(path).unwrap_or_default();
        size += text.len() as u64;
        if size > MOST_GAMES {
            break;
        }
        texts.push(text);
    }
    texts.reverse();
    texts.join("\n")
}

/// The end of a file of games, from the beginning of a game.
fn end_of(path: &Path) -> Option<String> {
    let mut file = File::open(path).ok()?;
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
    use tools::live::LiveFile;
    use tools::store::Lock;

    fn runs(folder: &Path, bot: Option<PathBuf>) -> Runs {
        Runs::new(folder.to_owned(), bot, Arc::new(|_| Err("<none>".to_owned())))
    }

    #[test]
    fn only_runs_are_shown() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("a/b")).unwrap();
        fs::create_dir_all(path("empty")).unwrap();
        fs::write(path("a/b/run.json"), "{}").unwrap();
        fs::write(path("a/b/games.pgn"), "[Event \"x\"]\n\n*\n").unwrap();
        let runs = runs(folder.path(), None);
        let names: Vec<String> = runs.list().into_iter().map(|run| run.name).collect();
        assert_eq!(names, ["a/b"]);
        let Reply::Run { page, games, .. } = runs.find("a/b").unwrap().show() else { panic!() };
        assert!(page.contains("&lt;none&gt;") && games.starts_with("[Event"));
        for name in ["empty", "..", "/", "a/b/../..", BOT] {
            assert!(runs.find(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_run_is_live_as_long_as_its_process() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match");
        let lock = Lock::folder(&path).unwrap();
        fs::write(path.join("run.json"), "{}").unwrap();
        let runs = runs(folder.path(), None);
        let watched = runs.find("match").unwrap();
        let moves = ["e2e4", "e7e5", "nonsense", "g1f3"].map(String::from).to_vec();
        let game = LiveGame { fen: chess::STARTING.into(), moves, ..LiveGame::default() };
        let mut live = LiveFile::new(&path);
        live.show(|| vec![game]);
        assert!(runs.list()[0].live);
        let boards = watched.live();
        assert_eq!(boards[0].moves, ["e2e4", "e7e5"]);
        assert!(boards[0].fen.starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/"));
        // As if it were killed: the file stays, the lock does not.
        std::mem::forget(live);
        drop(lock);
        assert!(!runs.list()[0].live && watched.live().is_empty());
    }

    #[test]
    fn the_bot_is_watched_too() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("games")).unwrap();
        fs::write(folder.path().join("games/one.pgn"), "[Event \"one\"]\n\n*\n").unwrap();
        let runs = runs(&folder.path().join("none"), Some(folder.path().to_owned()));
        assert!(runs.is_there());
        assert_eq!(runs.list()[0].kind, "bot");
        let Reply::Run { games, page, .. } = runs.find(BOT).unwrap().show() else { panic!() };
        assert!(games.contains("one") && page.is_empty());
    }
}
