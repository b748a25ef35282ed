// SPDX-License-Identifier: GPL-3.0-or-later
//! Run folders: a match on disk that survives anything.
//!
//! `games.pgn` and `log.csv` only grow, by whole pairs; `run.json` says how long their valid parts
//! are and is replaced in one step after each pair. Whatever a killed run wrote beyond that is cut
//! off when it is resumed, so nothing counted is lost and nothing is counted twice.

mod log;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tools::live::LiveFile;
use tools::store::{self, Lock, StoreError};

pub use log::{LOG_HEADER, LogError, LogLine, read_log};

use crate::pgn::{GameTags, write_game};
use crate::tournament::{
    BoardView, Difference, Journal, MatchResult, MatchSettings, PairRecord, PairResult, Standings,
};

/// The state of a run.
pub const STATE_FILE: &str = "run.json";
/// The games.
pub const GAMES_FILE: &str = "games.pgn";
/// One line for each game.
pub const LOG_FILE: &str = "log.csv";

/// Version of the folder's layout.
const VERSION: u32 = 1;

/// Why a run cannot be saved or resumed.
#[derive(Debug, Error)]
pub enum RunError {
    /// A file cannot be read or written, is damaged or in use.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder holds something else.
    #[error("`{}` is not empty and has no {STATE_FILE}: expected a new folder or a run", .path.display())]
    NotARun {
        /// The folder.
        path: PathBuf,
    },
    /// The folder belongs to a match with other settings.
    #[error(
        "`{}` holds a match with other settings: {}",
        .path.display(),
        .differences.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    )]
    Different {
        /// The folder.
        path: PathBuf,
        /// What differs.
        differences: Vec<Difference>,
    },
    /// The log is damaged.
    #[error("`{}`: {source}", .path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: LogError,
    },
}

/// The contents of `run.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct RunState {
    kind: String,
    version: u32,
    settings: MatchSettings,
    /// Pairs in the valid part of the files.
    pairs: usize,
    pgn_bytes: u64,
    log_bytes: u64,
    /// Time spent playing.
    seconds: f64,
    /// For people and reports; never read back.
    #[serde(skip_deserializing)]
    result: Option<MatchResult>,
}

/// A match on disk.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    state: RunState,
    finished: Vec<PairResult>,
    games: File,
    log: File,
    began: Instant,
    spent_before: f64,
    live: LiveFile,
    _lock: Lock,
}

impl RunFolder {
    /// Opens a folder: a new run, or the resumption of one with the same settings.
    pub fn open(path: &Path, settings: &MatchSettings) -> Result<Self, RunError> {
        let lock = Lock::folder(path)?;
        let mut state = match read_state(path)? {
            Some(state) => state,
            None => new_state(path, settings)?,
        };
        let differences = state.settings.differences(settings);
        if !differences.is_empty() {
            return Err(RunError::Different { path: path.to_owned(), differences });
        }
        state.settings = settings.clone();
        let games = store::open_to_append(&path.join(GAMES_FILE), state.pgn_bytes)?;
        let mut log = store::open_to_append(&path.join(LOG_FILE), state.log_bytes)?;
        if state.log_bytes == 0 {
            append(&mut log, LOG_HEADER, &path.join(LOG_FILE))?;
            state.log_bytes = LOG_HEADER.len() as u64;
        }
        let finished = read_pairs(path, settings)?;
        let run = Self {
            path: path.to_owned(),
            spent_before: state.seconds,
            state,
            finished,
            games,
            log,
            began: Instant::now(),
            live: LiveFile::new(path),
            _lock: lock,
        };
        run.save()?;
        Ok(run)
    }

    /// The time spent playing, also before the run was resumed.
    pub fn spent(&self) -> Duration {
        Duration::from_secs_f64(self.spent_before) + self.began.elapsed()
    }

    /// Replaces `run.json` in one step.
    fn save(&self) -> Result<(), StoreError> {
        store::write_state(&self.path.join(STATE_FILE), &self.state)
    }
}

impl Journal for RunFolder {
    fn finished_pairs(&self) -> &[PairResult] {
        &self.finished
    }

    fn add(&mut self, pair: &PairRecord, standings: &Standings) -> Result<(), StoreError> {
        let (mut pgn, mut lines) = (String::new(), String::new());
        let settings = &self.state.settings;
        let llr = standings.evaluation().map(|evaluation| evaluation.llr);
        for (index, game) in pair.games.iter().enumerate() {
            let pairing = pair.result.pairing;
            let mut players = [pairing.first, pairing.second].map(|i| &settings.engines[i]);
            if index == 1 {
                players.swap(0, 1);
            }
            let [white, black] = players;
            let round = (pair.result.pair + 1, index + 1);
            let is_chess960 = settings.chess960;
            let tags = GameTags { event: "Quincunx match", round, white, black, is_chess960 };
            write_game(game, &tags, &mut pgn);
            lines.push_str(&log::format_game(pair, index, [&white.name, &black.name], llr));
        }
        append(&mut self.games, &pgn, &self.path.join(GAMES_FILE))?;
        append(&mut self.log, &lines, &self.path.join(LOG_FILE))?;
        self.state.pairs += 1;
        self.state.pgn_bytes += pgn.len() as u64;
        self.state.log_bytes += lines.len() as u64;
        self.state.seconds = self.spent().as_secs_f64();
        self.state.result = Some(standings.result());
        self.save()
    }

    fn show(&mut self, boards: &[BoardView]) {
        self.live.show(|| boards.iter().map(BoardView::live).collect());
    }
}

fn read_state(folder: &Path) -> Result<Option<RunState>, RunError> {
    let path = folder.join(STATE_FILE);
    let Some(state) = store::read_state::<RunState>(&path)? else { return Ok(None) };
    if (state.kind.as_str(), state.version) != ("match", VERSION) {
        let (kind, version) = (&state.kind, state.version);
        let reason = format!("expected a match of version {VERSION}, found {kind} of {version}");
        return Err(StoreError::damaged(&path, reason).into());
    }
    Ok(Some(state))
}

/// How much of a run's games is valid, if the folder is a run.
pub(crate) fn valid_pgn_bytes(folder: &Path) -> Option<u64> {
    read_state(folder).ok().flatten().map(|state| state.pgn_bytes)
}

fn new_state(folder: &Path, settings: &MatchSettings) -> Result<RunState, RunError> {
    let mut entries = fs::read_dir(folder).map_err(StoreError::io("read", folder))?;
    // What a run leaves that was killed before its first state was there.
    let is_ours = |name: &str| [".lock", "run.json.part"].contains(&name);
    let has_others = entries
        .any(|entry| entry.is_ok_and(|entry| !is_ours(&entry.file_name().to_string_lossy())));
    if has_others {
        return Err(RunError::NotARun { path: folder.to_owned() });
    }
    let state = RunState {
        kind: "match".to_owned(),
        version: VERSION,
        settings: settings.clone(),
        pairs: 0,
        pgn_bytes: 0,
        log_bytes: 0,
        seconds: 0.0,
        result: None,
    };
    store::write_state(&folder.join(STATE_FILE), &state)?;
    Ok(state)
}

fn append(file: &mut File, text: &str, path: &Path) -> Result<(), StoreError> {
    file.write_all(text.as_bytes()).map_err(StoreError::io("write", path))
}

/// The pairs of the log, whose invalid part is already cut off.
fn read_pairs(folder: &Path, settings: &MatchSettings) -> Result<Vec<PairResult>, RunError> {
    let path = folder.join(LOG_FILE);
    let text = fs::read_to_string(&path).map_err(StoreError::io("read", &path))?;
    let pairs = read_log(&text).and_then(|lines| log::pairs(&lines, settings));
    pairs.map_err(|source| RunError::Log { path, source })
}
