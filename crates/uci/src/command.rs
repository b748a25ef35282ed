// SPDX-License-Identifier: GPL-3.0-or-later
//! What a GUI sends to an engine.
//!
//! The only door from text to [`Command`] is [`Command::parse`], so that an engine's loop never
//! looks at words. See the [UCI description](https://www.shredderchess.com/chess-features/uci-universal-chess-interface.html).

use std::fmt;
use std::str::FromStr;

use crate::error::CommandError;
use crate::go::{Go, GoWarning};
use crate::position::UciPosition;
use crate::set_option::SetOption;
use crate::token::{collapse, excerpt, first_line, split_word};

/// One line from a GUI or from a person at the prompt.
///
/// ```
/// use uci::Command;
///
/// assert_eq!("\tISREADY \r\n".parse(), Ok(Command::IsReady));
/// assert_eq!("# a comment".parse(), Ok(Command::Nothing));
/// assert_eq!("xboard".parse(), Ok(Command::Unknown("xboard".into())));
/// assert_eq!("joho debug on".parse(), Ok(Command::Debug { is_on: true }));
/// assert_eq!(
///     "position startpos e2e4".parse::<Command>().unwrap_err().to_string(),
///     "`position`: expected `moves` after `startpos`, found `e2e4`",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// A blank line or a comment that starts with `#`.
    Nothing,
    /// `uci`: name yourself and your options.
    Uci,
    /// `debug on` or `debug off`.
    Debug {
        /// Whether to tell more from now on.
        is_on: bool,
    },
    /// `isready`: answer `readyok` at once.
    IsReady,
    /// `setoption …`.
    SetOption(SetOption),
    /// `register …`: everything after the word.
    Register(String),
    /// `ucinewgame`: the next position is from another game.
    UciNewGame,
    /// `position …`.
    Position(UciPosition),
    /// `go …`.
    Go(Go),
    /// `stop`: end the search.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`: end the program.
    Quit,
    /// Nothing that we know; its first word. To be ignored in silence, since GUIs probe engines
    /// with other protocols' words.
    Unknown(String),
}

/// A command and what was wrong with it though it can be obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedCommand {
    /// What to do.
    pub command: Command,
    /// What was skipped or adjusted, for `info string`.
    pub warnings: Vec<GoWarning>,
}

impl Command {
    /// The words that begin a command.
    pub const WORDS: [&'static str; 11] = [
        "uci",
        "debug",
        "isready",
        "setoption",
        "register",
        "ucinewgame",
        "position",
        "go",
        "stop",
        "ponderhit",
        "quit",
    ];

    /// Reads one line; only its first non-blank line if there are more.
    ///
    /// Command words may be in any case. As the protocol demands, unknown words before a command are
    /// skipped: `foo isready` is `isready`.
    pub fn parse(line: &str) -> Result<ParsedCommand, CommandError> {
        let (word, rest) = split_word(first_line(line));
        if word.is_empty() || word.starts_with('#') {
            return Ok(Self::Nothing.into());
        }
        if let Some(parsed) = parse_standard(word, rest) {
            return parsed;
        }
        let mut unread = rest;
        while !unread.is_empty() {
            let (next, after) = split_word(unread);
            if let Some(parsed) = parse_standard(next, after) {
                return parsed;
            }
            unread = after;
        }
        Ok(Self::Unknown(excerpt(word)).into())
    }
}

/// Reads one command; `None` if the word is none of them.
fn parse_standard(word: &str, rest: &str) -> Option<Result<ParsedCommand, CommandError>> {
    let command = match word.to_ascii_lowercase().as_str() {
        "uci" => Ok(Command::Uci),
        "debug" => parse_debug(rest),
        "isready" => Ok(Command::IsReady),
        "setoption" => SetOption::parse(rest).map(Command::SetOption),
        "register" => Ok(Command::Register(collapse(rest))),
        "ucinewgame" => Ok(Command::UciNewGame),
        "position" => UciPosition::parse(rest).map(Command::Position),
        "go" => {
            let (go, warnings) = Go::parse(rest);
            return Some(Ok(ParsedCommand { command: Command::Go(go), warnings }));
        }
        "stop" => Ok(Command::Stop),
        "ponderhit" => Ok(Command::PonderHit),
        "quit" => Ok(Command::Quit),
        _ => return None,
    };
    Some(command.map(ParsedCommand::from))
}

fn parse_debug(rest: &str) -> Result<Command, CommandError> {
    let (command, expected) = ("debug", "`on` or `off`");
    let (state, _) = split_word(rest);
    if state.is_empty() {
        Err(CommandError::Missing { command, expected })
    } else if state.eq_ignore_ascii_case("on") {
        Ok(Command::Debug { is_on: true })
    } else if state.eq_ignore_ascii_case("off") {
        Ok(Command::Debug { is_on: false })
    } else {
        Err(CommandError::Unexpected { command, token: excerpt(state), expected })
    }
}

impl From<Command> for ParsedCommand {
    fn from(command: Command) -> Self {
        Self { command, warnings: Vec::new() }
    }
}

/// Like [`Command::parse`] where nobody could read the warnings.
impl FromStr for Command {
    type Err = CommandError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        Self::parse(line).map(|parsed| parsed.command)
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => Ok(()),
            Self::Uci => f.write_str("uci"),
            Self::Debug { is_on: true } => f.write_str("debug on"),
            Self::Debug { is_on: false } => f.write_str("debug off"),
            Self::IsReady => f.write_str("isready"),
            Self::SetOption(option) => option.fmt(f),
            Self::Register(arguments) if arguments.is_empty() => f.write_str("register"),
            Self::Register(arguments) => write!(f, "register {arguments}"),
            Self::UciNewGame => f.write_str("ucinewgame"),
            Self::Position(position) => position.fmt(f),
            Self::Go(go) => go.fmt(f),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
            Self::Unknown(word) => f.write_str(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_round_trips() {
        for line in [
            "",
            "uci",
            "debug on",
            "debug off",
            "isready",
            "setoption name Clear Hash",
            "setoption name Hash value 64",
            "register",
            "register later",
            "register name Stefan MK code 4359874324",
            "ucinewgame",
            "position startpos moves e2e4",
            "position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1",
            "go wtime 100 searchmoves e2e4",
            "stop",
            "ponderhit",
            "quit",
            "xboard",
        ] {
            let command: Command = line.parse().unwrap();
            assert_eq!(command.to_string(), line);
            assert_eq!(command.to_string().parse(), Ok(command));
        }
    }

    #[test]
    fn blanks_line_ends_and_case_do_not_matter() {
        for line in ["uci", "   uci", "\tuci", "uci  ", "uci\r\n", "UCI", "\u{feff}uci\r"] {
            assert_eq!(line.parse(), Ok(Command::Uci), "{line:?}");
        }
    }

    #[test]
    fn blank_lines_and_comments_are_nothing() {
        for line in ["", "  ", "\t\r\n", "#", "# go depth 3", "  #uci"] {
            assert_eq!(line.parse(), Ok(Command::Nothing), "{line:?}");
        }
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        assert_eq!("joho debug on".parse(), Ok(Command::Debug { is_on: true }));
        assert_eq!("foo bar isready".parse(), Ok(Command::IsReady));
        for line in ["xboard", "protover 2", "perft 3", "hello there", "ucii"] {
            let first = line.split(' ').next().unwrap();
            assert_eq!(line.parse(), Ok(Command::Unknown(first.into())));
        }
    }

    #[test]
    fn debug_wants_on_or_off() {
        assert_eq!("debug ON".parse(), Ok(Command::Debug { is_on: true }));
        let message = |line: &str| line.parse::<Command>().unwrap_err().to_string();
        assert_eq!(message("debug"), "`debug`: expected `on` or `off`, found nothing");
        assert_eq!(message("debug maybe"), "`debug`: expected `on` or `off`, found `maybe`");
    }

    #[test]
    fn go_brings_its_warnings() {
        let parsed = Command::parse("go depth abc").unwrap();
        assert_eq!(parsed.command, Command::Go(Go::default()));
        assert_eq!(parsed.warnings.len(), 1);
    }
}
