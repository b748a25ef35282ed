// SPDX-License-Identifier: GPL-3.0-or-later
//! What to start, how to set it up and how long to let it think.

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use uci::Go;

use crate::time_control::{TimeControl, TimeControlError, parse_seconds};

/// An engine as the user describes it, in words such as `cmd=./engine opt.Hash=16 tc=1+0.01`.
///
/// | word | meaning |
/// |---|---|
/// | `cmd=PROGRAM` | what to start; required |
/// | `name=TEXT` | its name in tables; the program's file name by default |
/// | `args=TEXT`, `arg=TEXT` | arguments, separated by blanks; one argument |
/// | `dir=PATH` | working directory |
/// | `opt.NAME=VALUE`, `option.NAME=VALUE` | a UCI option |
/// | `tc=…`, `st=SECONDS`, `nodes=N`, `depth=N` | limits of a move |
/// | `ponder=true` | think in the opponent's time |
///
/// ```
/// use driver::EngineSpec;
///
/// let spec: EngineSpec = "cmd=/usr/games/stockfish opt.Hash=16 nodes=2000".parse()?;
/// assert_eq!((spec.name.as_str(), spec.options.len()), ("stockfish", 1));
/// let error = "cmd=x nodes=many".parse::<EngineSpec>().unwrap_err();
/// assert_eq!(error.to_string(), "bad word `nodes=many`: expected a whole number above 0");
/// # Ok::<(), driver::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// The engine's name in tables and games.
    pub name: String,
    /// The program: a path, or a name to look up in `PATH`.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working directory; ours if `None`.
    pub cwd: Option<PathBuf>,
    /// UCI options by name, in the order to set them in.
    pub options: Vec<(String, String)>,
    /// How long it may think.
    pub limit: Limit,
    /// Whether it thinks in the opponent's time.
    pub ponder: bool,
}

/// The limits of each move. Several together mean: the first one reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    /// The clock.
    pub tc: Option<TimeControl>,
    /// Nodes for each move.
    pub nodes: Option<NonZeroU64>,
    /// Depth in plies for each move.
    pub depth: Option<NonZeroU32>,
    /// Time for each move.
    pub movetime: Option<Duration>,
}

/// Why words do not describe an engine.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// A word has no `=`, or an unknown key before it.
    #[error(
        "unknown word `{word}`: expected cmd=, name=, args=, arg=, dir=, opt.NAME=, tc=, st=, \
         nodes=, depth= or ponder="
    )]
    UnknownWord {
        /// The whole word.
        word: String,
    },
    /// The value after `=` makes no sense.
    #[error("bad word `{word}`: expected {expected}")]
    BadValue {
        /// The whole word.
        word: String,
        /// What the value should be.
        expected: &'static str,
    },
    /// The time control makes no sense.
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
    /// No word says what to start.
    #[error("no program given: expected a word `cmd=PROGRAM`")]
    NoCommand,
}

impl EngineSpec {
    /// An engine without options and limits, named after its program.
    pub fn new(command: impl Into<PathBuf>) -> Self {
        let command = command.into();
        Self {
            name: file_name(&command),
            command,
            args: Vec::new(),
            cwd: None,
            options: Vec::new(),
            limit: Limit::default(),
            ponder: false,
        }
    }

    /// Reads words; a value may hold blanks.
    pub fn from_words<S: AsRef<str>>(
        words: impl IntoIterator<Item = S>,
    ) -> Result<Self, SpecError> {
        let mut spec = Self::new("");
        for word in words {
            spec.read_word(word.as_ref())?;
        }
        if spec.command.as_os_str().is_empty() {
            return Err(SpecError::NoCommand);
        }
        if spec.name.is_empty() {
            spec.name = file_name(&spec.command);
        }
        Ok(spec)
    }

    fn read_word(&mut self, word: &str) -> Result<(), SpecError> {
        let bad = |expected| SpecError::BadValue { word: word.to_owned(), expected };
        let unknown = || SpecError::UnknownWord { word: word.to_owned() };
        let (key, value) = word.split_once('=').ok_or_else(unknown)?;
        match key {
            "cmd" if value.is_empty() => return Err(bad("a program")),
            "cmd" => self.command = value.into(),
            "name" if value.trim().is_empty() => return Err(bad("a name")),
            "name" => value.trim().clone_into(&mut self.name),
            "args" => self.args.extend(value.split_whitespace().map(str::to_owned)),
            "arg" => self.args.push(value.to_owned()),
            "dir" => self.cwd = Some(value.into()),
            "proto" if value == "uci" => {}
            "proto" => return Err(bad("`uci`")),
            "ponder" => self.ponder = value.parse().map_err(|_| bad("true or false"))?,
            _ if self.limit.read_word(word, key, value)? => {}
            _ => {
                let name = key.strip_prefix("opt.").or_else(|| key.strip_prefix("option."));
                let name = name.filter(|name| !name.is_empty()).ok_or_else(unknown)?;
                self.set_option(name, value);
            }
        }
        Ok(())
    }

    /// Sets an option; a later value takes the place of an earlier one.
    fn set_option(&mut self, name: &str, value: &str) {
        let is_same = |(known, _): &&mut (String, String)| known.eq_ignore_ascii_case(name);
        match self.options.iter_mut().find(is_same) {
            Some((_, old)) => value.clone_into(old),
            None => self.options.push((name.to_owned(), value.to_owned())),
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads words separated by blanks; see [`EngineSpec::from_words`] for values with blanks.
impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Self::from_words(text.split_whitespace())
    }
}

impl Limit {
    /// Takes a word if it is a limit; false if it is none.
    fn read_word(&mut self, word: &str, key: &str, value: &str) -> Result<bool, SpecError> {
        let bad = |expected| SpecError::BadValue { word: word.to_owned(), expected };
        let count = "a whole number above 0";
        match key {
            "tc" => self.tc = Some(value.parse()?),
            "nodes" => self.nodes = Some(value.parse().map_err(|_| bad(count))?),
            "depth" => self.depth = Some(value.parse().map_err(|_| bad(count))?),
            "st" => {
                let time = parse_seconds(value).filter(|time| *time >= Duration::from_millis(1));
                self.movetime = Some(time.ok_or_else(|| bad("seconds, such as 0.1"))?);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether nothing ends a search.
    pub fn is_none(&self) -> bool {
        let has_clock = matches!(self.tc, Some(TimeControl::Clock { .. }));
        !has_clock && self.nodes.is_none() && self.depth.is_none() && self.movetime.is_none()
    }

    /// The same limit, with what it leaves open taken from another.
    ///
    /// A limit by nodes, depth or time for a move stays alone: it is not given a clock.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        if self.is_none() && self.tc.is_none() { other.clone() } else { self.clone() }
    }

    /// The part of a `go` that does not depend on clocks.
    pub fn go(&self) -> Go {
        let movetime = self.movetime.map(|time| time.as_millis() as u64);
        Go { nodes: self.nodes, depth: self.depth, movetime, ..Go::default() }
    }
}

/// Short enough for a heading: `1+0.01`, `2000 nodes`, `depth 8`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.tc.map(|tc| tc.to_string()),
            self.movetime.map(|time| format!("{} s/move", time.as_secs_f64())),
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { f.write_str("no limit") } else { f.write_str(&parts.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_are_read() {
        let words = [
            "cmd=bin/engine",
            "name=My engine",
            "args=--uci -v",
            "arg=a b",
            "dir=/tmp",
            "opt.Hash=16",
            "option.Move Overhead=10",
            "tc=1+0.01",
            "nodes=5",
            "depth=6",
            "st=0.5",
            "proto=uci",
            "ponder=true",
        ];
        let spec = EngineSpec::from_words(words).unwrap();
        assert_eq!(spec.name, "My engine");
        assert_eq!(spec.args, ["--uci", "-v", "a b"]);
        assert_eq!(spec.options[1], ("Move Overhead".to_owned(), "10".to_owned()));
        assert_eq!(spec.limit.to_string(), "1+0.01, 0.5 s/move, 5 nodes, depth 6");
        assert!(spec.ponder);
    }

    #[test]
    fn later_options_take_the_place_of_earlier_ones() {
        let spec: EngineSpec = "cmd=x opt.Hash=16 opt.Threads=2 opt.hash=8".parse().unwrap();
        assert_eq!(spec.options.len(), 2);
        assert_eq!(spec.options[0], ("Hash".to_owned(), "8".to_owned()));
    }

    #[test]
    fn errors_name_the_word() {
        for (words, part) in [
            ("name=x", "`cmd=PROGRAM`"),
            ("cmd=x banana", "`banana`"),
            ("cmd=x opt.=5", "`opt.=5`"),
            ("cmd=x nodes=0", "`nodes=0`"),
            ("cmd=x tc=fast", "`fast`"),
            ("cmd=x st=-1", "`st=-1`"),
            ("cmd=x proto=xboard", "`proto=xboard`"),
        ] {
            let message = words.parse::<EngineSpec>().unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn own_limits_win_over_common_ones() {
        let common = Limit { tc: Some("1+0.01".parse().unwrap()), ..Limit::default() };
        let nodes = Limit { nodes: NonZeroU64::new(9), ..Limit::default() };
        assert_eq!(nodes.or(&common), nodes);
        assert_eq!(Limit::default().or(&common), common);
    }
}
