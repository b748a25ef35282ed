// SPDX-License-Identifier: GPL-3.0-or-later
//! What an engine sends to a GUI.
//!
//! Reading cannot fail, since a GUI must live with whatever an engine prints. A line that starts
//! like a reply but is not well formed is kept with the reason, so that nobody waits for a
//! `bestmove` that has come already.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use crate::info::InfoLine;
use crate::move_text::{MoveText, MoveTextError};
use crate::option::{OptionSpec, OptionSpecError};
use crate::token::{excerpt, first_line, split_word};

/// Ways to say that there is no move.
const NO_MOVE: [&str; 3] = ["(none)", "0000", "null"];

/// One line from an engine.
///
/// ```
/// use uci::{BestMove, Reply};
///
/// let reply = Reply::parse("bestmove (none)");
/// assert_eq!(reply, Reply::BestMove(BestMove { mv: None, ponder: None }));
/// assert_eq!(Reply::parse("hello"), Reply::Unknown("hello".into()));
/// assert_eq!(Reply::ReadyOk.to_string(), "readyok");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name …`.
    IdName(String),
    /// `id author …`.
    IdAuthor(String),
    /// `option …`.
    Option(OptionSpec),
    /// `uciok`: that was all about me.
    UciOk,
    /// `readyok`: the answer to `isready`.
    ReadyOk,
    /// `info …`.
    Info(Box<InfoLine>),
    /// `bestmove …`: the search has ended.
    BestMove(BestMove),
    /// `copyprotection …`.
    CopyProtection(CheckState),
    /// `registration …`.
    Registration(CheckState),
    /// Starts like a reply but cannot be read.
    Malformed(MalformedReply),
    /// Anything else, such as a greeting; the whole line.
    Unknown(String),
}

/// The end of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BestMove {
    /// The move; `None` if the side to move has none.
    pub mv: Option<MoveText>,
    /// The answer to ponder on; not printed without a move.
    pub ponder: Option<MoveText>,
}

/// How a copy protection or a registration stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CheckState {
    /// Being checked.
    Checking,
    /// In order.
    Ok,
    /// Refused.
    Error,
}

/// A line that starts like a reply, and why it is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}`: {error}", excerpt(.line))]
pub struct MalformedReply {
    /// The whole line.
    pub line: String,
    /// What is wrong with it.
    pub error: ReplyError,
}

/// Why a line is no well-formed reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// `bestmove` stood alone.
    #[error("`bestmove`: expected a move or `(none)`, found nothing")]
    NoMove,
    /// The move after `bestmove` has the wrong shape.
    #[error(transparent)]
    BadMove(#[from] MoveTextError),
    /// The option cannot be understood or would stop other GUIs.
    #[error(transparent)]
    BadOption(#[from] OptionSpecError),
    /// Another argument is wrong.
    #[error("`{keyword}`: expected {expected}, found `{token}`")]
    Unexpected {
        /// The reply's word.
        keyword: &'static str,
        /// What was found, clipped.
        token: String,
        /// What should have been there.
        expected: &'static str,
    },
}

impl Reply {
    /// Reads one line; only its first non-blank line if there are more.
    ///
    /// To learn what is odd about an `info` line, use [`InfoLine::parse`].
    pub fn parse(line: &str) -> Self {
        let line = first_line(line);
        let (keyword, rest) = split_word(line);
        let reply = match keyword {
            "id" => parse_id(rest),
            "option" => line.parse().map(Self::Option).map_err(ReplyError::from),
            "uciok" => Ok(Self::UciOk),
            "readyok" => Ok(Self::ReadyOk),
            "bestmove" => BestMove::parse(rest).map(Self::BestMove),
            "copyprotection" => CheckState::parse("copyprotection", rest).map(Self::CopyProtection),
            "registration" => CheckState::parse("registration", rest).map(Self::Registration),
            _ => Ok(line.parse().map_or_else(|_| Self::Unknown(line.to_owned()), InfoLine::into)),
        };
        reply.unwrap_or_else(|error| {
            Self::Malformed(MalformedReply { line: line.to_owned(), error })
        })
    }
}

fn parse_id(rest: &str) -> Result<Reply, ReplyError> {
    let (field, text) = split_word(rest);
    match field {
        "name" => Ok(Reply::IdName(text.to_owned())),
        "author" => Ok(Reply::IdAuthor(text.to_owned())),
        other => {
            let expected = "`name` or `author`";
            Err(ReplyError::Unexpected { keyword: "id", token: excerpt(other), expected })
        }
    }
}

impl BestMove {
    /// Reads what follows `bestmove`; a bad move to ponder on counts as none.
    fn parse(rest: &str) -> Result<Self, ReplyError> {
        let (token, rest) = split_word(rest);
        if token.is_empty() {
            return Err(ReplyError::NoMove);
        }
        if NO_MOVE.iter().any(|none| token.eq_ignore_ascii_case(none)) {
            return Ok(Self { mv: None, ponder: None });
        }
        let (keyword, rest) = split_word(rest);
        let ponder = if keyword == "ponder" { split_word(rest).0.parse().ok() } else { None };
        Ok(Self { mv: Some(token.parse()?), ponder })
    }
}

impl CheckState {
    fn parse(keyword: &'static str, rest: &str) -> Result<Self, ReplyError> {
        match split_word(rest).0 {
            "checking" => Ok(Self::Checking),
            "ok" => Ok(Self::Ok),
            "error" => Ok(Self::Error),
            other => {
                let (token, expected) = (excerpt(other), "`checking`, `ok` or `error`");
                Err(ReplyError::Unexpected { keyword, token, expected })
            }
        }
    }
}

impl From<InfoLine> for Reply {
    fn from(info: InfoLine) -> Self {
        Self::Info(Box::new(info))
    }
}

/// The same as [`Reply::parse`].
impl FromStr for Reply {
    type Err = Infallible;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        Ok(Self::parse(line))
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IdName(name) if name.is_empty() => f.write_str("id name"),
            Self::IdName(name) => write!(f, "id name {name}"),
            Self::IdAuthor(author) if author.is_empty() => f.write_str("id author"),
            Self::IdAuthor(author) => write!(f, "id author {author}"),
            Self::Option(spec) => spec.fmt(f),
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => info.fmt(f),
            Self::BestMove(best) => best.fmt(f),
            Self::CopyProtection(state) => write!(f, "copyprotection {state}"),
            Self::Registration(state) => write!(f, "registration {state}"),
            Self::Malformed(malformed) => f.write_str(&malformed.line),
            Self::Unknown(line) => f.write_str(line),
        }
    }
}

impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.mv, self.ponder) {
            (None, _) => f.write_str("bestmove (none)"),
            (Some(mv), None) => write!(f, "bestmove {mv}"),
            (Some(mv), Some(ponder)) => write!(f, "bestmove {mv} ponder {ponder}"),
        }
    }
}

impl fmt::Display for CheckState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checking => "checking",
            Self::Ok => "ok",
            Self::Error => "error",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reply_round_trips() {
        for line in [
            "id name Quincunx 0.1",
            "id name",
            "id author The Quincunx founders",
            "option name Clear Hash type button",
            "uciok",
            "readyok",
            "info depth 1 score cp 13 nodes 20 pv e2e4",
            "bestmove e2e4",
            "bestmove a7a8q ponder e7e5",
            "bestmove (none)",
            "copyprotection checking",
            "registration error",
            "bestmove e9e4",
            "Stockfish 15.1 by the Stockfish developers",
        ] {
            let reply = Reply::parse(line);
            assert_eq!(reply.to_string(), line);
            assert_eq!(Reply::parse(&reply.to_string()), reply);
        }
    }

    #[test]
    fn blanks_around_words_do_not_matter() {
        assert_eq!(Reply::parse(" uciok \r\n"), Reply::UciOk);
        assert_eq!(
            Reply::parse("bestmove   e2e4\tponder  e7e5 "),
            Reply::parse("bestmove e2e4 ponder e7e5")
        );
    }

    #[test]
    fn no_move_has_several_spellings() {
        for line in
            ["bestmove (none)", "bestmove 0000", "bestmove NULL", "bestmove (none) ponder e2e4"]
        {
            let none = BestMove { mv: None, ponder: None };
            assert_eq!(Reply::parse(line), Reply::BestMove(none), "{line}");
        }
    }

    #[test]
    fn a_bad_ponder_move_does_not_spoil_the_best_move() {
        for line in
            ["bestmove e2e4 ponder", "bestmove e2e4 ponder (none)", "bestmove e2e4 ponder x"]
        {
            assert_eq!(Reply::parse(line), Reply::parse("bestmove e2e4"), "{line}");
        }
    }

    #[test]
    fn malformed_replies_carry_the_reason() {
        for (line, message) in [
            ("bestmove", "`bestmove`: `bestmove`: expected a move or `(none)`, found nothing"),
            (
                "bestmove e2-e4",
                "`bestmove e2-e4`: bad move `e2-e4`: expected two squares and perhaps n, b, r or q, \
                 as in e2e4 or e7e8q",
            ),
            ("id", "`id`: `id`: expected `name` or `author`, found ``"),
            (
                "registration x",
                "`registration x`: `registration`: expected `checking`, `ok` or `error`, found `x`",
            ),
            ("option name X", "`option name X`: option `X`: expected `type`, found nothing"),
        ] {
            let Reply::Malformed(malformed) = Reply::parse(line) else { panic!("{line}") };
            assert_eq!(malformed.to_string(), message);
            assert_eq!(malformed.line, line);
        }
    }
}
