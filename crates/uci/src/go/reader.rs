// SPDX-License-Identifier: GPL-3.0-or-later
//! The words of a `go` line one by one, and what was wrong with them.

use std::str::SplitAsciiWhitespace;

use super::GoWarning;
use crate::number;
use crate::token::excerpt;

/// Most warnings that one line can cause; a line of junk must not be answered with a book.
pub(super) const MAX_WARNINGS: usize = 8;

/// The words that `go` knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    SearchMoves,
    Ponder,
    WhiteTime,
    BlackTime,
    WhiteIncrement,
    BlackIncrement,
    MovesToGo,
    Depth,
    Nodes,
    Mate,
    MoveTime,
    Infinite,
    Perft,
    SoftNodes,
    SoftTime,
}

impl Keyword {
    const WORDS: [(&'static str, Self); 15] = [
        ("searchmoves", Self::SearchMoves),
        ("ponder", Self::Ponder),
        ("wtime", Self::WhiteTime),
        ("btime", Self::BlackTime),
        ("winc", Self::WhiteIncrement),
        ("binc", Self::BlackIncrement),
        ("movestogo", Self::MovesToGo),
        ("depth", Self::Depth),
        ("nodes", Self::Nodes),
        ("mate", Self::Mate),
        ("movetime", Self::MoveTime),
        ("infinite", Self::Infinite),
        ("perft", Self::Perft),
        ("softnodes", Self::SoftNodes),
        ("softtime", Self::SoftTime),
    ];

    /// The keyword that a token is, in any case, and how the protocol spells it.
    pub(super) fn find(token: &str) -> Option<(&'static str, Self)> {
        Self::WORDS.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(token))
    }
}

/// The tokens of one line and the faults found so far.
pub(super) struct GoReader<'a> {
    tokens: SplitAsciiWhitespace<'a>,
    warnings: Vec<GoWarning>,
    unlisted: usize,
}

impl<'a> GoReader<'a> {
    pub(super) fn new(arguments: &'a str) -> Self {
        Self { tokens: arguments.split_ascii_whitespace(), warnings: Vec::new(), unlisted: 0 }
    }

    pub(super) fn next_token(&mut self) -> Option<&'a str> {
        self.tokens.next()
    }

    /// The next token, unless the line ends or goes on with another keyword.
    fn next_argument(&mut self) -> Option<&'a str> {
        let mut ahead = self.tokens.clone();
        let token = ahead.next().filter(|token| Keyword::find(token).is_none())?;
        self.tokens = ahead;
        Some(token)
    }

    /// An unknown argument; a number after it belongs to it and is not worth a second warning.
    pub(super) fn skip_unknown(&mut self, token: &str) {
        self.warn(GoWarning::Unknown { token: excerpt(token) });
        let mut ahead = self.tokens.clone();
        let is_number = |token: &str| number::read(token, i64::MIN, i64::MAX).is_some();
        if ahead.next().is_some_and(is_number) && !is_number(token) {
            self.tokens = ahead;
        }
    }

    pub(super) fn moves(&mut self, moves: &mut Vec<String>) {
        let mut has_moves = false;
        while let Some(token) = self.next_argument() {
            moves.push(token.to_owned());
            has_moves = true;
        }
        if !has_moves {
            self.warn(GoWarning::MissingMoves);
        }
    }

    /// Passes the keyword's number, at least `min`, to `set`; warns if there is none.
    pub(super) fn number<T>(&mut self, keyword: &'static str, min: T, set: impl FnOnce(T))
    where
        T: Copy + Largest + Into<i128> + TryFrom<i128>,
    {
        let Some(token) = self.next_argument() else {
            return self.warn(GoWarning::MissingNumber { keyword });
        };
        let Some(reading) = number::read(token, min, T::LARGEST) else {
            return self.warn(GoWarning::NotANumber { keyword, token: excerpt(token) });
        };
        if !reading.is_exact {
            let used = reading.value.into();
            self.warn(GoWarning::Adjusted { keyword, token: excerpt(token), used });
        }
        set(reading.value);
    }

    fn warn(&mut self, warning: GoWarning) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(warning);
        } else {
            self.unlisted += 1;
        }
    }

    pub(super) fn into_warnings(mut self) -> Vec<GoWarning> {
        if self.unlisted > 0 {
            self.warnings.push(GoWarning::More { count: self.unlisted });
        }
        self.warnings
    }
}

/// The integers that `go` uses, each with its upper limit.
pub(super) trait Largest {
    const LARGEST: Self;
}

impl Largest for u32 {
    const LARGEST: Self = Self::MAX;
}

impl Largest for i64 {
    const LARGEST: Self = Self::MAX;
}

impl Largest for u64 {
    const LARGEST: Self = Self::MAX;
}
