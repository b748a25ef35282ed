// SPDX-License-Identifier: GPL-3.0-or-later
//! `info`: what a search tells while it runs.
//!
//! Lines are printed in Stockfish's order, which many programs parse by position. Lines of other
//! engines are read tolerantly; what was odd about them is kept for a compliance checker.

mod reader;

use std::fmt;
use std::str::FromStr;

use crate::move_text::MoveText;
use crate::score::{UciScore, UciWdl};
use crate::token::{excerpt, first_line, split_around, split_word};

use reader::InfoReader;

/// One `info` line; a field is `None` or empty if the line does not have it.
///
/// ```
/// use uci::{InfoLine, UciScore};
///
/// let line = "info depth 2 score cp 13 nodes 57 time 1 pv e2e4 e7e5";
/// let info: InfoLine = line.parse()?;
/// assert_eq!((info.depth, info.score, info.nps), (Some(2), Some(UciScore::cp(13)), None));
/// assert_eq!(info.to_string(), line);
/// # Ok::<(), uci::NotInfo>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct InfoLine {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Greatest depth reached.
    pub seldepth: Option<u32>,
    /// Rank of this line among the best, from 1.
    pub multipv: Option<u32>,
    /// Score for the side to move.
    pub score: Option<UciScore>,
    /// Chances for the side to move.
    pub wdl: Option<UciWdl>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Fill of the hash table in thousandths.
    pub hashfull: Option<u32>,
    /// Positions found in tablebases.
    pub tbhits: Option<u64>,
    /// Time since `go` in milliseconds.
    pub time: Option<u64>,
    /// The root move being searched.
    pub currmove: Option<MoveText>,
    /// Its number in the order of the root moves, from 1.
    pub currmovenumber: Option<u32>,
    /// The principal variation.
    pub pv: Vec<MoveText>,
    /// Free text, to the end of the line.
    pub string: Option<String>,
}

/// A line that does not begin with `info`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an info line: expected `info`, found `{token}`")]
pub struct NotInfo {
    /// The first word, clipped.
    pub token: String,
}

/// Something odd in an `info` line; the rest of the line was still read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InfoWarning {
    /// A key stood without its value.
    #[error("info: expected a value after `{key}`")]
    Missing {
        /// The key.
        key: &'static str,
    },
    /// A value was no number; the field is left out.
    #[error("info: `{key} {token}`: expected an integer")]
    NotANumber {
        /// The key.
        key: &'static str,
        /// The value, clipped.
        token: String,
    },
    /// A number had a decimal point or was out of range; the field holds the nearest integer
    /// towards zero that fits.
    #[error("info: `{key} {token}`: expected an integer in range")]
    Adjusted {
        /// The key.
        key: &'static str,
        /// The value, clipped.
        token: String,
    },
    /// A move had the wrong shape; the variation ends before it.
    #[error("info: `{key}` has a bad move `{token}`: expected one such as e2e4")]
    BadMove {
        /// The key.
        key: &'static str,
        /// The move, clipped.
        token: String,
    },
    /// A score had neither `cp` nor `mate`.
    #[error("info: `score`: expected `cp` or `mate`")]
    NoScoreValue,
    /// `lowerbound` or `upperbound` stood in a line without score.
    #[error("info: a bound without score")]
    BoundWithoutScore,
    /// A word that is no key of an info line.
    #[error("info: unknown key `{token}`")]
    UnknownKey {
        /// The word, clipped.
        token: String,
    },
}

impl InfoLine {
    /// A line that is only free text; line breaks become blanks.
    pub fn message(text: impl fmt::Display) -> Self {
        let text = text.to_string().replace(['\n', '\r'], " ");
        Self { string: Some(text.trim_ascii().to_owned()), ..Self::default() }
    }

    /// Reads one line and says what was odd about it.
    pub fn parse(line: &str) -> Result<(Self, Vec<InfoWarning>), NotInfo> {
        let (word, rest) = split_word(first_line(line));
        if word != "info" {
            return Err(NotInfo { token: excerpt(word) });
        }
        let (fields, string) = match split_around(rest, |word| word == "string") {
            Some((fields, string)) => (fields, Some(string.to_owned())),
            None => (rest, None),
        };
        let mut reader = InfoReader::new(fields);
        while reader.read_field() {}
        Ok(reader.finish(string))
    }
}

/// Like [`InfoLine::parse`] without the warnings.
impl FromStr for InfoLine {
    type Err = NotInfo;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        Self::parse(line).map(|(info, _)| info)
    }
}

impl fmt::Display for InfoLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        write_field(f, "depth", self.depth)?;
        write_field(f, "seldepth", self.seldepth)?;
        write_field(f, "multipv", self.multipv)?;
        write_field(f, "score", self.score)?;
        write_field(f, "wdl", self.wdl)?;
        write_field(f, "nodes", self.nodes)?;
        write_field(f, "nps", self.nps)?;
        write_field(f, "hashfull", self.hashfull)?;
        write_field(f, "tbhits", self.tbhits)?;
        write_field(f, "time", self.time)?;
        write_field(f, "currmove", self.currmove)?;
        write_field(f, "currmovenumber", self.currmovenumber)?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
            self.pv.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        match self.string.as_deref() {
            None => Ok(()),
            Some("") => f.write_str(" string"),
            Some(text) => write!(f, " string {text}"),
        }
    }
}

fn write_field(
    f: &mut fmt::Formatter<'_>,
    key: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {key} {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Bound;

    fn moves(text: &str) -> Vec<MoveText> {
        text.split(' ').map(|token| token.parse().unwrap()).collect()
    }

    fn messages(line: &str) -> Vec<String> {
        InfoLine::parse(line).unwrap().1.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn fields_print_in_stockfish_order() {
        let info = InfoLine {
            depth: Some(20),
            seldepth: Some(31),
            multipv: Some(1),
            score: Some(UciScore::cp(-35).with_bound(Bound::Upper)),
            wdl: Some(UciWdl { win: 100, draw: 700, loss: 200 }),
            nodes: Some(1_000_000),
            nps: Some(900_000),
            hashfull: Some(412),
            tbhits: Some(0),
            time: Some(1111),
            pv: moves("e2e4 e7e5 a7a8q"),
            ..InfoLine::default()
        };
        let line = "info depth 20 seldepth 31 multipv 1 score cp -35 upperbound wdl 100 700 200 \
                    nodes 1000000 nps 900000 hashfull 412 tbhits 0 time 1111 pv e2e4 e7e5 a7a8q";
        assert_eq!(info.to_string(), line);
        assert_eq!(InfoLine::parse(line), Ok((info, vec![])));
    }

    #[test]
    fn lines_round_trip_without_warnings() {
        for line in [
            "info",
            "info depth 0 score mate 0",
            "info depth 5 score mate -3 pv e2e4",
            "info depth 9 currmove e2e4 currmovenumber 3",
            "info string hello  world, depth 3 pv x",
            "info string",
            "info depth 1 string NNUE evaluation using x.nnue",
            "info nodes 18446744073709551615",
        ] {
            let (info, warnings) = InfoLine::parse(line).unwrap();
            assert_eq!(info.to_string(), line);
            assert_eq!(warnings, [], "{line}");
        }
    }

    #[test]
    fn order_and_blanks_do_not_matter_to_the_reader() {
        let info: InfoLine =
            " info  pv e2e4 e7e5  time 3\tscore lowerbound cp 5 depth 2\r\n".parse().unwrap();
        assert_eq!(info.pv, moves("e2e4 e7e5"));
        assert_eq!((info.time, info.depth), (Some(3), Some(2)));
        assert_eq!(info.score, Some(UciScore::cp(5).with_bound(Bound::Lower)));
    }

    #[test]
    fn a_bound_may_follow_wdl() {
        let info: InfoLine = "info score cp 20 wdl 300 400 300 upperbound nodes 7".parse().unwrap();
        assert_eq!(info.score, Some(UciScore::cp(20).with_bound(Bound::Upper)));
        assert_eq!(info.nodes, Some(7));
    }

    #[test]
    fn odd_numbers_are_noted() {
        for (line, message) in [
            ("info time 1.5", "info: `time 1.5`: expected an integer in range"),
            ("info nps -3", "info: `nps -3`: expected an integer in range"),
            (
                "info nodes 99999999999999999999999",
                "info: `nodes 99999999999999999999999`: expected an integer in range",
            ),
            ("info depth x", "info: `depth x`: expected an integer"),
            ("info depth", "info: expected a value after `depth`"),
            ("info depth nodes 3", "info: expected a value after `depth`"),
            ("info score cp 1.5 nodes 3", "info: `cp 1.5`: expected an integer in range"),
            ("info score 17 nodes 3", "info: `score`: expected `cp` or `mate`"),
            ("info lowerbound", "info: a bound without score"),
            ("info wdl 1 2 depth 3", "info: expected a value after `wdl`"),
        ] {
            assert_eq!(messages(line), [message], "{line}");
        }
        assert_eq!("info time 1.5".parse::<InfoLine>().unwrap().time, Some(1));
        assert_eq!("info depth nodes 3".parse::<InfoLine>().unwrap().nodes, Some(3));
    }

    #[test]
    fn unknown_and_uninteresting_keys_are_skipped() {
        let (info, warnings) =
            InfoLine::parse("info banana 3 4 depth 7 cpuload 300 time 2").unwrap();
        assert_eq!((info.depth, info.time), (Some(7), Some(2)));
        assert_eq!(warnings, [InfoWarning::UnknownKey { token: "banana".into() }]);
        assert_eq!(messages("info currline 1 e2e4 e7e5 depth 3"), [""; 0]);
    }

    #[test]
    fn a_bad_move_ends_the_variation() {
        let (info, warnings) = InfoLine::parse("info pv e2e4 e7e9 g1f3 time 2").unwrap();
        assert_eq!((info.pv, info.time), (moves("e2e4"), Some(2)));
        assert_eq!(warnings, [InfoWarning::BadMove { key: "pv", token: "e7e9".into() }]);
        assert_eq!(messages("info pv"), ["info: expected a value after `pv`"]);
        assert_eq!(
            messages("info pv 0000"),
            ["info: `pv` has a bad move `0000`: expected one such as e2e4"]
        );
    }

    #[test]
    fn messages_stay_on_one_line() {
        assert_eq!(InfoLine::message("two\nlines\r").to_string(), "info string two lines");
    }

    #[test]
    fn other_lines_are_not_info() {
        assert_eq!(
            InfoLine::parse("information").unwrap_err().to_string(),
            "not an info line: expected `info`, found `information`"
        );
    }
}
