// SPDX-License-Identifier: GPL-3.0-or-later
//! `go`: what to search and when to stop.
//!
//! A `go` always starts a search, whatever its arguments: a GUI that waits for `bestmove` must not
//! wait for ever because of a typing error. So reading cannot fail; it reports what it skipped.

mod reader;

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};

use reader::{GoReader, Keyword};

/// The limits of one search. Several limits together mean: the first one reached.
///
/// ```
/// use uci::Go;
///
/// let (go, warnings) = Go::parse("searchmoves e2e4 d2d4 wtime 60000 btime -20 depth zero");
/// assert_eq!(go.searchmoves, ["e2e4", "d2d4"]);
/// assert_eq!((go.wtime, go.btime, go.depth), (Some(60_000), Some(-20), None));
/// assert_eq!(warnings[0].to_string(), "go: `depth zero` skipped: expected an integer");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Go {
    /// Search these root moves only, as sent; all moves if empty.
    pub searchmoves: Vec<String>,
    /// Search in the opponent's time until `ponderhit` or `stop`.
    pub ponder: bool,
    /// White's clock in milliseconds; negative if a lagging GUI says so.
    pub wtime: Option<i64>,
    /// Black's clock in milliseconds; negative if a lagging GUI says so.
    pub btime: Option<i64>,
    /// White's increment in milliseconds.
    pub winc: Option<i64>,
    /// Black's increment in milliseconds.
    pub binc: Option<i64>,
    /// Moves until the next time control; `movestogo 0` means that there is none.
    pub movestogo: Option<NonZeroU32>,
    /// Depth in plies.
    pub depth: Option<NonZeroU32>,
    /// Nodes, never to be exceeded.
    pub nodes: Option<NonZeroU64>,
    /// Look for a mate in this many moves.
    pub mate: Option<NonZeroU32>,
    /// Time for this move in milliseconds.
    pub movetime: Option<u64>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Count move paths of this length instead of searching.
    pub perft: Option<u32>,
    /// Nodes after which no further depth is begun (our own).
    pub softnodes: Option<NonZeroU64>,
    /// Milliseconds after which no further depth is begun (our own).
    pub softtime: Option<u64>,
}

/// Something in a `go` line that was skipped or adjusted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GoWarning {
    /// A keyword stood without its number.
    #[error("go: `{keyword}` skipped: expected an integer after it")]
    MissingNumber {
        /// The keyword.
        keyword: &'static str,
    },
    /// A keyword was followed by something else than a number.
    #[error("go: `{keyword} {token}` skipped: expected an integer")]
    NotANumber {
        /// The keyword.
        keyword: &'static str,
        /// What followed it, clipped.
        token: String,
    },
    /// A number was out of range or had a decimal point.
    #[error("go: `{keyword} {token}` taken as {used}")]
    Adjusted {
        /// The keyword.
        keyword: &'static str,
        /// The number as sent, clipped.
        token: String,
        /// The number used instead.
        used: i128,
    },
    /// `searchmoves` stood without moves.
    #[error("go: `searchmoves` skipped: expected moves after it")]
    MissingMoves,
    /// An argument that `go` does not know.
    #[error("go: unknown argument `{token}` skipped")]
    Unknown {
        /// The argument, clipped.
        token: String,
    },
    /// The line had even more faults than are listed.
    #[error("go: {count} more faults in this line")]
    More {
        /// How many are not listed.
        count: usize,
    },
}

impl Go {
    /// Reads what follows the word `go`. Keywords may come in any order; the last of equals wins.
    ///
    /// Zero and negative numbers mean the smallest number that makes sense, so that `go depth 0`
    /// and `go movetime -5` answer soon.
    pub fn parse(arguments: &str) -> (Self, Vec<GoWarning>) {
        let mut reader = GoReader::new(arguments);
        let mut go = Self::default();
        while let Some(token) = reader.next_token() {
            match Keyword::find(token) {
                Some((word, keyword)) => go.apply(word, keyword, &mut reader),
                None => reader.skip_unknown(token),
            }
        }
        (go, reader.into_warnings())
    }

    fn apply(&mut self, word: &'static str, keyword: Keyword, reader: &mut GoReader<'_>) {
        match keyword {
            Keyword::SearchMoves => reader.moves(&mut self.searchmoves),
            Keyword::Ponder => self.ponder = true,
            Keyword::Infinite => self.infinite = true,
            Keyword::WhiteTime => reader.number(word, i64::MIN, |n| self.wtime = Some(n)),
            Keyword::BlackTime => reader.number(word, i64::MIN, |n| self.btime = Some(n)),
            Keyword::WhiteIncrement => reader.number(word, i64::MIN, |n| self.winc = Some(n)),
            Keyword::BlackIncrement => reader.number(word, i64::MIN, |n| self.binc = Some(n)),
            Keyword::MovesToGo => {
                reader.number(word, 0, |n| self.movestogo = NonZeroU32::new(n));
            }
            Keyword::Depth => reader.number(word, 1, |n| self.depth = NonZeroU32::new(n)),
            Keyword::Nodes => reader.number(word, 1, |n| self.nodes = NonZeroU64::new(n)),
            Keyword::Mate => reader.number(word, 1, |n| self.mate = NonZeroU32::new(n)),
            Keyword::MoveTime => reader.number(word, 0, |n| self.movetime = Some(n)),
            Keyword::Perft => reader.number(word, 0, |n| self.perft = Some(n)),
            Keyword::SoftNodes => reader.number(word, 1, |n| self.softnodes = NonZeroU64::new(n)),
            Keyword::SoftTime => reader.number(word, 0, |n| self.softtime = Some(n)),
        }
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        write_number(f, "wtime", self.wtime)?;
        write_number(f, "btime", self.btime)?;
        write_number(f, "winc", self.winc)?;
        write_number(f, "binc", self.binc)?;
        write_number(f, "movestogo", self.movestogo)?;
        write_number(f, "depth", self.depth)?;
        write_number(f, "nodes", self.nodes)?;
        write_number(f, "mate", self.mate)?;
        write_number(f, "movetime", self.movetime)?;
        write_number(f, "softnodes", self.softnodes)?;
        write_number(f, "softtime", self.softtime)?;
        write_number(f, "perft", self.perft)?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        // Last, because engines exist that take all that follows for moves.
        if !self.searchmoves.is_empty() {
            write!(f, " searchmoves {}", self.searchmoves.join(" "))?;
        }
        Ok(())
    }
}

fn write_number(
    f: &mut fmt::Formatter<'_>,
    keyword: &str,
    number: Option<impl fmt::Display>,
) -> fmt::Result {
    number.map_or(Ok(()), |number| write!(f, " {keyword} {number}"))
}

#[cfg(test)]
mod tests {
    use super::reader::MAX_WARNINGS;
    use super::*;

    fn clean(arguments: &str) -> Go {
        let (go, warnings) = Go::parse(arguments);
        assert_eq!(warnings, [], "{arguments}");
        go
    }

    fn messages(arguments: &str) -> Vec<String> {
        Go::parse(arguments).1.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_field_round_trips() {
        let go = Go {
            searchmoves: vec!["e2e4".into(), "Nf3".into(), "0000".into()],
            ponder: true,
            wtime: Some(-500),
            btime: Some(99_999_999_999),
            winc: Some(0),
            binc: Some(-1),
            movestogo: NonZeroU32::new(40),
            depth: NonZeroU32::new(12),
            nodes: NonZeroU64::new(u64::MAX),
            mate: NonZeroU32::new(3),
            movetime: Some(0),
            infinite: true,
            perft: Some(0),
            softnodes: NonZeroU64::new(5000),
            softtime: Some(250),
        };
        let printed = go.to_string();
        assert_eq!(clean(printed.strip_prefix("go ").unwrap()), go);
        assert_eq!(Go::default().to_string(), "go");
        assert_eq!(clean(""), Go::default());
    }

    #[test]
    fn searchmoves_may_stand_anywhere() {
        for arguments in [
            "depth 4 searchmoves a2a3 h2h3",
            "searchmoves a2a3 h2h3 depth 4",
            "searchmoves a2a3 depth 4 searchmoves h2h3",
            " SearchMoves  a2a3\th2h3  DEPTH  4 ",
        ] {
            let go = clean(arguments);
            assert_eq!(go.searchmoves, ["a2a3", "h2h3"], "{arguments}");
            assert_eq!(go.depth, NonZeroU32::new(4));
        }
        assert_eq!(
            messages("searchmoves depth 3"),
            ["go: `searchmoves` skipped: expected moves after it"]
        );
    }

    #[test]
    fn one_sided_negative_and_huge_clocks_are_kept() {
        assert_eq!(clean("btime 1000").wtime, None);
        assert_eq!(clean("wtime -500 btime 1000").wtime, Some(-500));
        assert_eq!(clean("wtime 99999999999").wtime, Some(99_999_999_999));
    }

    #[test]
    fn senseless_numbers_become_the_nearest_sensible_one() {
        assert_eq!(Go::parse("depth 0").0.depth, NonZeroU32::new(1));
        assert_eq!(Go::parse("depth -5").0.depth, NonZeroU32::new(1));
        assert_eq!(Go::parse("depth 99999999999").0.depth, Some(NonZeroU32::MAX));
        assert_eq!(Go::parse("nodes 0").0.nodes, NonZeroU64::new(1));
        assert_eq!(Go::parse("movetime -5").0.movetime, Some(0));
        assert_eq!(Go::parse("wtime 1000.75").0.wtime, Some(1000));
        assert_eq!(Go::parse("wtime 123456789012345678901234567890").0.wtime, Some(i64::MAX));
        assert_eq!(messages("depth 0"), ["go: `depth 0` taken as 1"]);
        assert_eq!(messages("movetime -5"), ["go: `movetime -5` taken as 0"]);
        assert_eq!(messages("winc 0.5"), ["go: `winc 0.5` taken as 0"]);
    }

    #[test]
    fn movestogo_zero_means_none() {
        assert_eq!(clean("wtime 1000 btime 1000 movestogo 0").movestogo, None);
    }

    #[test]
    fn missing_and_wordy_numbers_are_skipped() {
        for (arguments, message) in [
            ("depth", "go: `depth` skipped: expected an integer after it"),
            ("depth nodes 5", "go: `depth` skipped: expected an integer after it"),
            ("nodes 5 depth abc", "go: `depth abc` skipped: expected an integer"),
            ("nodes 5 depth 1e6", "go: `depth 1e6` skipped: expected an integer"),
            ("nodes 5 banana 7", "go: unknown argument `banana` skipped"),
            ("nodes 5 7", "go: unknown argument `7` skipped"),
        ] {
            assert_eq!(messages(arguments), [message], "{arguments}");
            assert_eq!(Go::parse(arguments).0.depth, None);
        }
        assert_eq!(Go::parse("depth nodes 5").0.nodes, NonZeroU64::new(5));
    }

    #[test]
    fn an_unknown_argument_hides_no_known_one() {
        let (go, warnings) = Go::parse("banana 7 depth 3 kiwi movetime 9");
        assert_eq!((go.depth, go.movetime), (NonZeroU32::new(3), Some(9)));
        assert_eq!(warnings.len(), 2);
    }

    #[test]
    fn a_line_of_junk_is_answered_briefly() {
        let (go, warnings) = Go::parse(&"x ".repeat(100_000));
        assert_eq!(go, Go::default());
        assert_eq!(warnings.len(), MAX_WARNINGS + 1);
        assert_eq!(warnings.last(), Some(&GoWarning::More { count: 100_000 - MAX_WARNINGS }));
    }
}
