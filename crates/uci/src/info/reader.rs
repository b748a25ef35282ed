// SPDX-License-Identifier: GPL-3.0-or-later
//! The words of an `info` line one by one, and what was odd about them.

use std::iter::Peekable;
use std::str::SplitAsciiWhitespace;

use super::{InfoLine, InfoWarning};
use crate::move_text::MoveText;
use crate::number;
use crate::score::{Bound, ScoreValue, UciScore, UciWdl};
use crate::token::excerpt;

/// Most warnings kept for one line.
const MAX_WARNINGS: usize = 16;

/// Keys whose values are a list or of no interest here; their values are skipped.
const SKIPPED_KEYS: [&str; 4] = ["cpuload", "sbhits", "refutation", "currline"];

/// Keys whose values are read. Each ends a list of moves or of unknown values before it.
const KEYS: [&str; 17] = [
    "depth",
    "seldepth",
    "multipv",
    "score",
    "cp",
    "mate",
    "lowerbound",
    "upperbound",
    "wdl",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "time",
    "currmove",
    "currmovenumber",
    "pv",
];

fn is_key(token: &str) -> bool {
    KEYS.contains(&token) || SKIPPED_KEYS.contains(&token)
}

/// The tokens of one line and what they said so far.
pub(super) struct InfoReader<'a> {
    tokens: Peekable<SplitAsciiWhitespace<'a>>,
    info: InfoLine,
    /// Kept apart: old engines print `wdl` between a score and its bound.
    bound: Option<Bound>,
    warnings: Vec<InfoWarning>,
}

impl<'a> InfoReader<'a> {
    pub(super) fn new(fields: &'a str) -> Self {
        Self {
            tokens: fields.split_ascii_whitespace().peekable(),
            info: InfoLine::default(),
            bound: None,
            warnings: Vec::new(),
        }
    }

    /// Takes the next key and its value; false at the end of the line.
    pub(super) fn read_field(&mut self) -> bool {
        let Some(key) = self.tokens.next() else { return false };
        match key {
            "depth" => self.info.depth = self.unsigned32("depth"),
            "seldepth" => self.info.seldepth = self.unsigned32("seldepth"),
            "multipv" => self.info.multipv = self.unsigned32("multipv"),
            "score" => self.read_score(),
            "lowerbound" => self.bound = Some(Bound::Lower),
            "upperbound" => self.bound = Some(Bound::Upper),
            "wdl" => self.info.wdl = self.wdl(),
            "nodes" => self.info.nodes = self.unsigned64("nodes"),
            "nps" => self.info.nps = self.unsigned64("nps"),
            "hashfull" => self.info.hashfull = self.unsigned32("hashfull"),
            "tbhits" => self.info.tbhits = self.unsigned64("tbhits"),
            "time" => self.info.time = self.unsigned64("time"),
            "currmove" => self.info.currmove = self.next_move("currmove"),
            "currmovenumber" => self.info.currmovenumber = self.unsigned32("currmovenumber"),
            "pv" => self.read_pv(),
            skipped if SKIPPED_KEYS.contains(&skipped) => self.skip_values(),
            unknown => {
                self.warn(InfoWarning::UnknownKey { token: excerpt(unknown) });
                self.skip_values();
            }
        }
        true
    }

    /// The next token unless it is a key.
    fn value(&mut self) -> Option<&'a str> {
        self.tokens.next_if(|token| !is_key(token))
    }

    fn skip_values(&mut self) {
        while self.value().is_some() {}
    }

    fn number<T>(&mut self, key: &'static str, min: T, max: T) -> Option<T>
    where
        T: Into<i128> + TryFrom<i128>,
    {
        let Some(token) = self.value() else {
            self.warn(InfoWarning::Missing { key });
            return None;
        };
        let Some(reading) = number::read(token, min, max) else {
            self.warn(InfoWarning::NotANumber { key, token: excerpt(token) });
            return None;
        };
        if !reading.is_exact {
            self.warn(InfoWarning::Adjusted { key, token: excerpt(token) });
        }
        Some(reading.value)
    }

    fn unsigned32(&mut self, key: &'static str) -> Option<u32> {
        self.number(key, 0, u32::MAX)
    }

    fn unsigned64(&mut self, key: &'static str) -> Option<u64> {
        self.number(key, 0, u64::MAX)
    }

    fn wdl(&mut self) -> Option<UciWdl> {
        let win = self.unsigned32("wdl")?;
        let draw = self.unsigned32("wdl")?;
        let loss = self.unsigned32("wdl")?;
        Some(UciWdl { win, draw, loss })
    }

    fn read_score(&mut self) {
        let mut value = None;
        while let Some(word) =
            self.tokens.next_if(|word| matches!(*word, "cp" | "mate" | "lowerbound" | "upperbound"))
        {
            match word {
                "cp" => value = self.number("cp", i32::MIN, i32::MAX).map(ScoreValue::Cp),
                "mate" => value = self.number("mate", i32::MIN, i32::MAX).map(ScoreValue::Mate),
                "lowerbound" => self.bound = Some(Bound::Lower),
                _ => self.bound = Some(Bound::Upper),
            }
        }
        if value.is_none() {
            self.warn(InfoWarning::NoScoreValue);
            self.skip_values();
        }
        self.info.score = value.map(|value| UciScore { value, bound: Bound::Exact });
    }

    fn next_move(&mut self, key: &'static str) -> Option<MoveText> {
        let Some(token) = self.value() else {
            self.warn(InfoWarning::Missing { key });
            return None;
        };
        let mv = token.parse().ok();
        if mv.is_none() {
            self.warn(InfoWarning::BadMove { key, token: excerpt(token) });
        }
        mv
    }

    fn read_pv(&mut self) {
        self.info.pv.clear();
        while let Some(mv) = self.next_move("pv") {
            self.info.pv.push(mv);
            if self.tokens.peek().is_none_or(|token| is_key(token)) {
                break;
            }
        }
        self.skip_values();
    }

    fn warn(&mut self, warning: InfoWarning) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(warning);
        }
    }

    pub(super) fn finish(mut self, string: Option<String>) -> (InfoLine, Vec<InfoWarning>) {
        if let Some(bound) = self.bound {
            match &mut self.info.score {
                Some(score) => score.bound = bound,
                None => self.warn(InfoWarning::BoundWithoutScore),
            }
        }
        self.info.string = string;
        (self.info, self.warnings)
    }
}
