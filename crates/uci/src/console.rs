// SPDX-License-Identifier: GPL-3.0-or-later
//! What people and test farms type at an engine's prompt beyond the protocol.
//!
//! These words are ours. A GUI never sends them, so they may fail with a message.

use std::fmt;

use crate::command::CommandError;
use crate::number;
use crate::token::{excerpt, split_word, words};

/// A command that is not part of UCI.
///
/// ```
/// use uci::{Command, Console};
///
/// assert_eq!("perft 5".parse(), Ok(Command::Console(Console::Perft { depth: 5 })));
/// assert_eq!("d".parse(), Ok(Command::Console(Console::Show)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Console {
    /// `bench …`: search fixed positions and print nodes and speed.
    Bench(Vec<String>),
    /// `perft N`: count move paths.
    Perft {
        /// Length of the paths in plies.
        depth: u32,
    },
    /// `divide N`: count move paths per root move.
    Divide {
        /// Length of the paths in plies.
        depth: u32,
    },
    /// `d` or `show`: print the board.
    Show,
    /// `eval`: print the static evaluation.
    Eval,
    /// `legal`: list the legal moves.
    Legal,
    /// `forcing`: list captures, promotions and checks.
    Forcing,
    /// `moveorder`: list the moves in the order in which the search tries them.
    MoveOrder,
    /// `hashstats`: counters of the transposition table.
    HashStats,
    /// `searchstats`: counters of the last search.
    SearchStats,
    /// `lookup`: the table's entry for the position.
    Lookup,
    /// `moves …`: play moves on the current position.
    Moves(Vec<String>),
    /// `flip`: give the move and the colors to the other side.
    Flip,
    /// `speedtest …` or `benchmark …`: speed of this machine.
    SpeedTest(Vec<String>),
    /// `tree …`: the search tree after these moves.
    Tree(Vec<String>),
    /// `help`: list the commands.
    Help,
    /// `genfens …`: make openings for OpenBench.
    GenFens(GenFens),
    /// `wait`: go on when the search has ended.
    Wait,
    /// `version` or `compiler`: name this build.
    Version,
    /// `tunables`: list the numbers that a tuner may change.
    Tunables,
}

/// `genfens N seed S book B …`, as OpenBench asks for openings.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GenFens {
    /// How many openings.
    pub count: u32,
    /// Equal seeds give equal openings; 0 if not sent.
    pub seed: u64,
    /// Path of an opening book to start from, without blanks; the protocol's `None` is `None`.
    pub book: Option<String>,
    /// What followed, for the engine to read.
    pub extra: Vec<String>,
}

impl Console {
    /// Reads a command by its word; `None` if the word is not ours.
    pub(crate) fn parse(word: &str, rest: &str) -> Option<Result<Self, CommandError>> {
        let console = match word.to_ascii_lowercase().as_str() {
            "bench" => Self::Bench(words(rest)),
            "perft" => return Some(depth("perft", rest).map(|depth| Self::Perft { depth })),
            "divide" => return Some(depth("divide", rest).map(|depth| Self::Divide { depth })),
            "d" | "show" => Self::Show,
            "eval" => Self::Eval,
            "legal" => Self::Legal,
            "forcing" => Self::Forcing,
            "moveorder" => Self::MoveOrder,
            "hashstats" => Self::HashStats,
            "searchstats" => Self::SearchStats,
            "lookup" => Self::Lookup,
            "moves" => Self::Moves(words(rest)),
            "flip" => Self::Flip,
            "speedtest" | "benchmark" => Self::SpeedTest(words(rest)),
            "tree" => Self::Tree(words(rest)),
            "help" | "--help" | "?" => Self::Help,
            "genfens" => return Some(GenFens::parse(rest).map(Self::GenFens)),
            "wait" => Self::Wait,
            "version" | "compiler" => Self::Version,
            "tunables" => Self::Tunables,
            _ => return None,
        };
        Some(Ok(console))
    }
}

impl GenFens {
    fn parse(arguments: &str) -> Result<Self, CommandError> {
        let (count, mut rest) = split_word(arguments);
        let count = unsigned("genfens", count, u32::MAX, "a number of openings")?;
        let mut seed = None;
        let mut book = None;
        loop {
            let (keyword, after) = split_word(rest);
            let (argument, after_argument) = split_word(after);
            if keyword == "seed" && seed.is_none() {
                seed = Some(unsigned("genfens", argument, u64::MAX, "a number after `seed`")?);
            } else if keyword == "book" && book.is_none() {
                book = Some(argument);
            } else {
                break;
            }
            rest = after_argument;
        }
        let is_path = |book: &&str| !book.is_empty() && !book.eq_ignore_ascii_case("none");
        Ok(Self {
            count,
            seed: seed.unwrap_or_default(),
            book: book.filter(is_path).map(str::to_owned),
            extra: words(rest),
        })
    }
}

fn depth(command: &'static str, rest: &str) -> Result<u32, CommandError> {
    unsigned(command, split_word(rest).0, u32::MAX, "a depth of 0 or more")
}

fn unsigned<T>(
    command: &'static str,
    token: &str,
    max: T,
    expected: &'static str,
) -> Result<T, CommandError>
where
    T: Default + Into<i128> + TryFrom<i128>,
{
    if token.is_empty() {
        return Err(CommandError::Missing { command, expected });
    }
    match number::read(token, T::default(), max) {
        Some(reading) if reading.is_exact => Ok(reading.value),
        _ => Err(CommandError::Unexpected { command, token: excerpt(token), expected }),
    }
}

impl fmt::Display for Console {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bench(arguments) => write_words(f, "bench", arguments),
            Self::Perft { depth } => write!(f, "perft {depth}"),
            Self::Divide { depth } => write!(f, "divide {depth}"),
            Self::Show => f.write_str("show"),
            Self::Eval => f.write_str("eval"),
            Self::Legal => f.write_str("legal"),
            Self::Forcing => f.write_str("forcing"),
            Self::MoveOrder => f.write_str("moveorder"),
            Self::HashStats => f.write_str("hashstats"),
            Self::SearchStats => f.write_str("searchstats"),
            Self::Lookup => f.write_str("lookup"),
            Self::Moves(moves) => write_words(f, "moves", moves),
            Self::Flip => f.write_str("flip"),
            Self::SpeedTest(arguments) => write_words(f, "speedtest", arguments),
            Self::Tree(moves) => write_words(f, "tree", moves),
            Self::Help => f.write_str("help"),
            Self::GenFens(genfens) => genfens.fmt(f),
            Self::Wait => f.write_str("wait"),
            Self::Version => f.write_str("version"),
            Self::Tunables => f.write_str("tunables"),
        }
    }
}

impl fmt::Display for GenFens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let book = self.book.as_deref().unwrap_or("None");
        write!(f, "genfens {} seed {} book {book}", self.count, self.seed)?;
        write_words(f, "", &self.extra)
    }
}

fn write_words(f: &mut fmt::Formatter<'_>, word: &str, rest: &[String]) -> fmt::Result {
    f.write_str(word)?;
    rest.iter().try_for_each(|argument| write!(f, " {argument}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Console, CommandError> {
        let (word, rest) = split_word(line);
        Console::parse(word, rest).expect("a console command")
    }

    #[test]
    fn every_command_round_trips() {
        for line in [
            "bench",
            "bench 13 --network tal",
            "perft 5",
            "perft 0",
            "divide 3",
            "show",
            "eval",
            "legal",
            "forcing",
            "moveorder",
            "hashstats",
            "searchstats",
            "lookup",
            "moves e2e4 e7e5",
            "flip",
            "speedtest",
            "tree",
            "tree e2e4",
            "help",
            "genfens 8 seed 7 book None",
            "genfens 8 seed 7 book /x.epd dfrc seed 3",
            "wait",
            "version",
        ] {
            let console = parse(line).unwrap();
            assert_eq!(console.to_string(), line);
            assert_eq!(parse(&console.to_string()), Ok(console));
        }
    }

    #[test]
    fn other_names_and_cases_mean_the_same() {
        assert_eq!(parse("d"), Ok(Console::Show));
        assert_eq!(parse("COMPILER"), Ok(Console::Version));
        assert_eq!(parse("benchmark 8"), Ok(Console::SpeedTest(vec!["8".into()])));
        assert_eq!(parse("?"), Ok(Console::Help));
        assert_eq!(Console::parse("banana", ""), None);
    }

    #[test]
    fn genfens_takes_what_openbench_sends() {
        let genfens = GenFens::parse("16 seed 12345 book None  frc  extra").unwrap();
        assert_eq!((genfens.count, genfens.seed, genfens.book), (16, 12345, None));
        assert_eq!(genfens.extra, ["frc", "extra"]);
        assert_eq!(GenFens::parse("3").unwrap().seed, 0);
        assert_eq!(GenFens::parse("3 book b.epd").unwrap().book.as_deref(), Some("b.epd"));
    }

    #[test]
    fn bad_numbers_are_named() {
        for (line, message) in [
            ("perft", "`perft`: expected a depth of 0 or more, found nothing"),
            ("perft x", "`perft`: expected a depth of 0 or more, found `x`"),
            ("divide -1", "`divide`: expected a depth of 0 or more, found `-1`"),
            ("perft 99999999999", "`perft`: expected a depth of 0 or more, found `99999999999`"),
            ("genfens", "`genfens`: expected a number of openings, found nothing"),
            ("genfens 3 seed x", "`genfens`: expected a number after `seed`, found `x`"),
        ] {
            assert_eq!(parse(line).unwrap_err().to_string(), message);
        }
    }
}
