// SPDX-License-Identifier: GPL-3.0-or-later
//! What an engine says during a search, kept as text until somebody wants to know.

use std::collections::VecDeque;
use std::time::Duration;

use uci::{BestMove, Bound, InfoLine, MalformedReply, MoveText, Reply};

/// Lines with a score that are kept; enough for the last of each of 256 variations.
const MAX_LINES: usize = 512;

/// The answer to one search.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The move to play, or why the engine's word is none.
    pub best: Result<BestMove, MalformedReply>,
    /// From the beginning of the search's clock to the arrival of `bestmove`.
    pub elapsed: Duration,
    /// The last lines with a score, as printed.
    lines: VecDeque<String>,
}

impl Thought {
    /// The move to play, if there is one.
    pub fn best_move(&self) -> Option<MoveText> {
        self.best.as_ref().ok()?.mv
    }

    /// The move to ponder on, if there is one.
    pub fn ponder_move(&self) -> Option<MoveText> {
        self.best.as_ref().ok()?.ponder
    }

    /// The last line about the best variation, exact if there is any exact one.
    pub fn info(&self) -> Option<InfoLine> {
        let is_first = |info: &InfoLine| info.multipv.is_none_or(|number| number == 1);
        let mut firsts = self.parsed().filter(is_first);
        let last = firsts.next()?;
        if is_exact(&last) {
            return Some(last);
        }
        Some(firsts.find(is_exact).unwrap_or(last))
    }

    /// The first move of the last line about the best variation, exact or not.
    ///
    /// An engine that stops in the middle of a depth may play the move of a line that is only a
    /// bound.
    pub fn last_first_move(&self) -> Option<MoveText> {
        let mut firsts = self.parsed().filter(|info| info.multipv.is_none_or(|number| number == 1));
        firsts.find_map(|info| info.pv.first().copied())
    }

    /// The last line of each variation, the best first; exact ones where there are any.
    pub fn infos(&self) -> Vec<InfoLine> {
        let mut infos: Vec<InfoLine> = Vec::new();
        for info in self.parsed() {
            let number = info.multipv.unwrap_or(1);
            match infos.iter_mut().find(|known| known.multipv.unwrap_or(1) == number) {
                None => infos.push(info),
                Some(known) if !is_exact(known) && is_exact(&info) => *known = info,
                Some(_) => {}
            }
        }
        infos.sort_by_key(|info| info.multipv.unwrap_or(1));
        infos
    }

    /// All kept lines with a score in the order of their arrival; the first ones of a very long
    /// search are gone.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(String::as_str)
    }

    /// The lines, last first.
    fn parsed(&self) -> impl Iterator<Item = InfoLine> {
        self.lines.iter().rev().filter_map(|line| line.parse().ok())
    }
}

fn is_exact(info: &InfoLine) -> bool {
    info.score.is_some_and(|score| score.bound == Bound::Exact)
}

/// Whether a line ends a search.
pub(super) fn is_best_move(line: &str) -> bool {
    line.trim_ascii_start().strip_prefix("bestmove").is_some_and(|rest| {
        rest.is_empty() || rest.starts_with(|letter: char| letter.is_ascii_whitespace())
    })
}

/// Takes lines during a search with as little work as possible.
#[derive(Debug, Default)]
pub(super) struct Collector {
    lines: VecDeque<String>,
}

impl Collector {
    /// Takes one line; true if it ends the search.
    pub(super) fn take(&mut self, line: &str) -> bool {
        if is_best_move(line) {
            return true;
        }
        if line.starts_with("info ") && line.contains(" score ") && !line.starts_with("info string")
        {
            if self.lines.len() == MAX_LINES {
                self.lines.pop_front();
            }
            self.lines.push_back(line.to_owned());
        }
        false
    }

    pub(super) fn finish(self, last: &str, elapsed: Duration) -> Thought {
        let best = match Reply::parse(last) {
            Reply::BestMove(best) => Ok(best),
            Reply::Malformed(malformed) => Err(malformed),
            _ => unreachable!("a line that begins with `bestmove` is one of the above"),
        };
        Thought { best, elapsed, lines: self.lines }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thought(lines: &[&str]) -> Thought {
        let mut collector = Collector::default();
        let last = lines.iter().find(|line| collector.take(line)).expect("a bestmove");
        collector.finish(last, Duration::ZERO)
    }

    #[test]
    fn the_last_exact_line_counts() {
        let thought = thought(&[
            "info string score of nothing",
            "info depth 1 score cp 10 pv e2e4",
            "info depth 2 score cp 20 multipv 2 pv d2d4",
            "info depth 2 score cp 30 lowerbound pv c2c4",
            "info depth 3 currmove e2e4",
            "bestmove e2e4 ponder e7e5",
            "info depth 9 score cp 99 pv a2a3",
        ]);
        assert_eq!(thought.info().unwrap().depth, Some(1));
        let depths: Vec<_> = thought.infos().iter().map(|info| info.depth.unwrap()).collect();
        assert_eq!(depths, [1, 2]);
        assert_eq!(thought.best_move().unwrap().as_str(), "e2e4");
        assert_eq!(thought.ponder_move().unwrap().as_str(), "e7e5");
    }

    #[test]
    fn bad_best_moves_are_kept_with_their_reason() {
        assert!(thought(&["bestmove"]).best.is_err());
        assert!(thought(&["bestmove e9e4"]).best.is_err());
        assert_eq!(thought(&["bestmove (none)"]).best_move(), None);
        assert!(!is_best_move("bestmoves e2e4"));
    }
}
