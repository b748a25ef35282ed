// SPDX-License-Identifier: GPL-3.0-or-later
//! What people and test farms type at the engine's prompt beyond the protocol.
//!
//! A GUI never sends these words, so they may fail with a message.

mod genfens;
mod tree;
mod view;

use std::str::FromStr;

pub(crate) use view::{ConsoleView, play_moves, read_move};

/// A command that is not part of UCI.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Console {
    /// `bench [DEPTH]`: search fixed positions and print nodes and speed.
    Bench(Option<u32>),
    /// `perft N`: count the sequences of N moves.
    Perft(u32),
    /// `divide N`: the same for each first move.
    Divide(u32),
    /// `d` or `show`: print the board.
    Show,
    /// `eval`: print the static evaluation.
    Eval,
    /// `legal`: list the legal moves.
    Legal,
    /// `forcing`: list captures, promotions and checks.
    Forcing,
    /// `moveorder`: list the history of quiet moves.
    MoveOrder,
    /// `hashstats`: counters of the transposition table.
    HashStats,
    /// `searchstats`: counters of the last search.
    SearchStats,
    /// `lookup`: the table's entry for the position.
    Lookup,
    /// `moves …`: play moves on the current position.
    Moves(Vec<String>),
    /// `flip`: exchange the colors.
    Flip,
    /// `speedtest …` or `benchmark …`: speed of this machine.
    SpeedTest {
        /// Threads of each search.
        threads: Option<usize>,
        /// Seconds for each search.
        seconds: Option<u64>,
    },
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
}

/// A command with an argument that it cannot use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{command}`: expected {expected}, found {found}")]
pub struct ConsoleError {
    command: &'static str,
    expected: &'static str,
    found: String,
}

impl Console {
    /// The words that begin a command.
    pub const WORDS: [&'static str; 20] = [
        "bench",
        "perft",
        "divide",
        "show",
        "eval",
        "legal",
        "forcing",
        "moveorder",
        "hashstats",
        "searchstats",
        "lookup",
        "moves",
        "flip",
        "speedtest",
        "tree",
        "help",
        "genfens",
        "wait",
        "version",
        "tunables",
    ];

    /// Reads a line; `None` if its first word is no command of the console.
    pub fn parse(line: &str) -> Option<Result<Self, ConsoleError>> {
        let mut words = line.trim_start_matches('\u{feff}').split_whitespace();
        let word = words.next()?.to_ascii_lowercase();
        let rest: Vec<&str> = words.collect();
        let all = || rest.iter().map(ToString::to_string).collect();
        Some(Ok(match word.as_str() {
            "bench" => return Some(maybe("bench", &rest, 0).map(Self::Bench)),
            "perft" => return Some(depth("perft", &rest).map(Self::Perft)),
            "divide" => return Some(depth("divide", &rest).map(Self::Divide)),
            "d" | "show" => Self::Show,
            "eval" => Self::Eval,
            "legal" => Self::Legal,
            "forcing" => Self::Forcing,
            "moveorder" => Self::MoveOrder,
            "hashstats" => Self::HashStats,
            "searchstats" => Self::SearchStats,
            "lookup" => Self::Lookup,
            "moves" => Self::Moves(all()),
            "flip" => Self::Flip,
            "speedtest" | "benchmark" => return Some(speed_test(&rest)),
            "tree" => Self::Tree(all()),
            "help" | "--help" | "?" => Self::Help,
            "genfens" => return Some(GenFens::parse(&rest).map(Self::GenFens)),
            "wait" => Self::Wait,
            "version" | "compiler" => Self::Version,
            "tunables" => Self::Tunables,
            _ => return None,
        }))
    }
}

impl GenFens {
    fn parse(words: &[&str]) -> Result<Self, ConsoleError> {
        let count = number("genfens", words.first(), "a number of openings")?;
        let (mut seed, mut book) = (0, None);
        // What follows is for other engines.
        for pair in words[1..].chunks(2) {
            match pair[0] {
                "seed" => seed = number("genfens", pair.get(1), "a number after `seed`")?,
                "book" => book = pair.get(1).filter(|path| !path.eq_ignore_ascii_case("none")),
                _ => break,
            }
        }
        Ok(Self { count, seed, book: book.map(ToString::to_string) })
    }
}

fn speed_test(words: &[&str]) -> Result<Console, ConsoleError> {
    let (threads, seconds) = (maybe("speedtest", words, 0)?, maybe("speedtest", words, 1)?);
    Ok(Console::SpeedTest { threads, seconds })
}

fn depth(command: &'static str, words: &[&str]) -> Result<u32, ConsoleError> {
    number(command, words.first(), "a depth of 0 or more")
}

fn maybe<T: FromStr>(
    command: &'static str,
    words: &[&str],
    at: usize,
) -> Result<Option<T>, ConsoleError> {
    words.get(at).map(|word| number(command, Some(word), "a number")).transpose()
}

fn number<T: FromStr>(
    command: &'static str,
    word: Option<&&str>,
    expected: &'static str,
) -> Result<T, ConsoleError> {
    let found = word.map_or("nothing".to_owned(), |word| {
        format!("`{}`", word.chars().take(40).collect::<String>())
    });
    let number = word.and_then(|word| word.parse().ok());
    number.ok_or(ConsoleError { command, expected, found })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Console, ConsoleError> {
        Console::parse(line).expect("a console command")
    }

    #[test]
    fn every_word_begins_a_command() {
        for word in Console::WORDS {
            assert!(Console::parse(&format!("{word} 3")).is_some(), "{word}");
        }
        assert_eq!(Console::parse("banana"), None);
        assert_eq!(Console::parse("isready"), None);
        assert_eq!(Console::parse(" "), None);
    }

    #[test]
    fn other_names_and_cases_mean_the_same() {
        assert_eq!(parse("d"), Ok(Console::Show));
        assert_eq!(parse("  COMPILER\r\n"), Ok(Console::Version));
        let speed = Console::SpeedTest { threads: Some(8), seconds: None };
        assert_eq!(parse("benchmark 8"), Ok(speed));
        assert_eq!(parse("?"), Ok(Console::Help));
        assert_eq!(parse("bench"), Ok(Console::Bench(None)));
        assert_eq!(parse("bench 13 extra"), Ok(Console::Bench(Some(13))));
        let moves = vec!["e2e4".to_owned(), "e7e5".to_owned()];
        assert_eq!(parse("moves e2e4  e7e5"), Ok(Console::Moves(moves)));
    }

    #[test]
    fn genfens_takes_what_openbench_sends() {
        let genfens = |line| match parse(line) {
            Ok(Console::GenFens(genfens)) => genfens,
            other => panic!("{other:?}"),
        };
        let found = genfens("genfens 16 seed 12345 book None  frc  extra");
        assert_eq!(found, GenFens { count: 16, seed: 12345, book: None });
        assert_eq!(genfens("genfens 3").seed, 0);
        assert_eq!(genfens("genfens 3 book b.epd").book.as_deref(), Some("b.epd"));
    }

    #[test]
    fn bad_numbers_are_named() {
        for (line, message) in [
            ("perft", "`perft`: expected a depth of 0 or more, found nothing"),
            ("perft x", "`perft`: expected a depth of 0 or more, found `x`"),
            ("divide -1", "`divide`: expected a depth of 0 or more, found `-1`"),
            ("perft 99999999999", "`perft`: expected a depth of 0 or more, found `99999999999`"),
            ("bench deep", "`bench`: expected a number, found `deep`"),
            ("genfens", "`genfens`: expected a number of openings, found nothing"),
            ("genfens 3 seed x", "`genfens`: expected a number after `seed`, found `x`"),
        ] {
            assert_eq!(parse(line).unwrap_err().to_string(), message);
        }
    }
}
