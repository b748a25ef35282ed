// SPDX-License-Identifier: GPL-3.0-or-later
//! How to start an engine, and how much of its output to hold.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Lines held in each direction before the writer has to wait, or is told off.
const QUEUE: usize = 1024;

/// Bytes kept of one line; the longest sound lines, long variations, are a tenth of this.
const MAX_LINE: usize = 16 * 1024;

/// Lines of standard error kept for messages.
const STDERR_LINES: usize = 20;

/// Everything needed to start an engine.
///
/// ```
/// use uci::ClientConfig;
///
/// let config = ClientConfig { args: vec!["--uci".into()], ..ClientConfig::new("./engine") };
/// assert_eq!(config.name(), "engine");
/// ```
#[derive(Clone)]
pub struct ClientConfig {
    /// The program: a path, or a name to look up in `PATH`.
    pub program: PathBuf,
    /// What messages call it; the program's file name if `None`.
    pub label: Option<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working directory; ours if `None`. A relative `program` is always relative to ours.
    pub cwd: Option<PathBuf>,
    /// What to do with its standard error.
    pub stderr: StderrPolicy,
    /// Bytes kept of one output line; the rest of a longer line is dropped. With `queue`, this
    /// bounds the memory that an engine can take from us.
    pub max_line: usize,
    /// Lines that may wait in each direction. When it is full the engine's writes block, while
    /// ours fail.
    pub queue: usize,
    /// Last changes to the command before it is started, for what this crate cannot do itself,
    /// such as tying the child's life to ours.
    pub customize: Option<fn(&mut Command)>,
}

/// What to do with an engine's standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StderrPolicy {
    /// Keep the last lines, as many as given, for error messages.
    Keep(usize),
    /// Throw it away.
    Discard,
    /// Share our own.
    Inherit,
}

impl ClientConfig {
    /// The usual limits, no arguments, our working directory.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            label: None,
            args: Vec::new(),
            cwd: None,
            stderr: StderrPolicy::Keep(STDERR_LINES),
            max_line: MAX_LINE,
            queue: QUEUE,
            customize: None,
        }
    }

    /// The label, or the program's file name, for messages.
    pub fn name(&self) -> String {
        if let Some(label) = &self.label {
            return label.clone();
        }
        let path = self.program.as_path();
        path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
    }

    /// The program with its arguments and pipes, ready to start, for those who move the bytes themselves.
    pub fn command(&self) -> io::Result<Command> {
        let mut command = Command::new(self.absolute_program()?);
        command.args(&self.args).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(match self.stderr {
            StderrPolicy::Keep(_) => Stdio::piped(),
            StderrPolicy::Discard => Stdio::null(),
            StderrPolicy::Inherit => Stdio::inherit(),
        });
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        if let Some(customize) = self.customize {
            customize(&mut command);
        }
        Ok(command)
    }

    /// A path is made absolute, since platforms disagree whose directory it is relative to; a bare
    /// name is left for `PATH`.
    fn absolute_program(&self) -> io::Result<PathBuf> {
        let is_bare_name = self.program.parent() == Some(Path::new(""));
        if is_bare_name { Ok(self.program.clone()) } else { std::path::absolute(&self.program) }
    }
}

impl fmt::Debug for ClientConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientConfig")
            .field("program", &self.program)
            .field("args", &self.args)
            .field("cwd", &self.cwd)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_names_are_left_for_path() {
        let program = |name: &str| ClientConfig::new(name).absolute_program().unwrap();
        assert_eq!(program("stockfish"), Path::new("stockfish"));
        assert!(program("./stockfish").is_absolute());
        assert!(program("bin/stockfish").is_absolute());
    }

    #[test]
    fn the_name_is_the_file_name() {
        assert_eq!(ClientConfig::new("/usr/games/stockfish").name(), "stockfish");
        assert_eq!(ClientConfig::new("").name(), "");
        let labelled = ClientConfig { label: Some("new".into()), ..ClientConfig::new("engine") };
        assert_eq!(labelled.name(), "new");
    }
}
