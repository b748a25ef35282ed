// SPDX-License-Identifier: GPL-3.0-or-later
//! Games as PGN, with what the engines thought of each move.

use std::fmt::Write;

use chess::Outcome;
use chess::pgn::{PgnGame, PgnNode};
use driver::EngineSpec;
use tools::date::{self, Moment};
use tools::text::printable;
use uci::ScoreValue;

use crate::referee::{GameRecord, MoveRecord};

/// What a game's tags say beyond the game itself.
#[derive(Clone, Copy, Debug)]
pub struct GameTags<'a> {
    /// The match.
    pub event: &'a str,
    /// Pair and game, such as `12.2`.
    pub round: (usize, usize),
    /// White.
    pub white: &'a EngineSpec,
    /// Black.
    pub black: &'a EngineSpec,
    /// Whether the match is played as Chess960.
    pub is_chess960: bool,
}

/// Writes one game, ending with an empty line.
pub fn write_game(game: &GameRecord, tags: &GameTags<'_>, out: &mut String) {
    let mut pgn = PgnGame::new(game.opening.start);
    pgn.result = game.outcome.into();
    set_tags(&mut pgn, game, tags);
    let node = |mv, comment: String| PgnNode { comments: vec![comment], ..PgnNode::new(mv) };
    let book = game.opening.moves.iter().map(|&mv| node(mv, "book".to_owned()));
    let played = game.moves.iter().map(|record| node(record.mv, comment(record)));
    pgn.mainline.moves = book.chain(played).collect();
    let last = pgn.mainline.moves.last_mut();
    last.map_or(&mut pgn.mainline.comments, |node| &mut node.comments)
        .push(game.ending.to_string());
    let _ = writeln!(out, "{pgn}");
}

fn set_tags(pgn: &mut PgnGame, game: &GameRecord, tags: &GameTags<'_>) {
    let began = Moment::from(game.began);
    pgn.set_tag("Event", tags.event);
    pgn.set_tag("Date", &began.pgn_date());
    pgn.set_tag("Round", &format!("{}.{}", tags.round.0, tags.round.1));
    pgn.set_tag("White", &tags.white.name);
    pgn.set_tag("Black", &tags.black.name);
    if tags.is_chess960 {
        pgn.set_tag("Variant", "Chess960");
    }
    let plies = game.opening.moves.len() + game.moves.len();
    pgn.set_tag("PlyCount", &plies.to_string());
    pgn.set_tag("Termination", game.ending.termination());
    let clock =
        |spec: &EngineSpec| spec.limit.tc.map_or_else(|| "-".to_owned(), |tc| tc.to_string());
    let (white, black) = (clock(tags.white), clock(tags.black));
    if white == black {
        pgn.set_tag("TimeControl", &white);
    } else {
        pgn.set_tag("WhiteTimeControl", &white);
        pgn.set_tag("BlackTimeControl", &black);
    }
    pgn.set_tag("GameStartTime", &began.with_zone());
    pgn.set_tag("GameDuration", &date::clock(game.duration));
}

/// Score, depth, time, selective depth, nodes and clock, as in
/// `+0.35/12 0.105s sd=18 n=12345 [%clk 0:00:01.905]`.
fn comment(record: &MoveRecord) -> String {
    let mut text = String::new();
    match record.score {
        Some(ScoreValue::Cp(score)) => {
            let _ = write!(text, "{:+.2}", f64::from(score) / 100.0);
        }
        Some(ScoreValue::Mate(moves)) => {
            let sign = if moves > 0 { '+' } else { '-' };
            let _ = write!(text, "{sign}M{}", moves.unsigned_abs());
        }
        None => text.push_str("0.00"),
    }
    let _ = write!(text, "/{} {:.3}s", record.depth.unwrap_or(0), record.elapsed.as_secs_f64());
    if let Some(seldepth) = record.seldepth {
        let _ = write!(text, " sd={seldepth}");
    }
    if let Some(nodes) = record.nodes {
        let _ = write!(text, " n={nodes}");
    }
    if let Some(left) = record.clock {
        let (minutes, seconds) = (left.as_secs() / 60, left.as_secs_f64() % 60.0);
        let _ = write!(text, " [%clk {}:{:02}:{seconds:06.3}]", minutes / 60, minutes % 60);
    }
    text
}

/// The players and result of a game, as far as its tags are complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameResultTags {
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Who won.
    pub outcome: Option<Outcome>,
}

/// Reads players and results from PGN text, without looking at the moves.
pub fn read_results(
    reader: impl std::io::BufRead,
    mut take: impl FnMut(GameResultTags),
) -> std::io::Result<()> {
    let mut tags = GameResultTags::default();
    let mut has_tags = false;
    for line in tools::read::lines(reader) {
        let line = line?;
        let line = line.trim_start_matches('\u{feff}');
        let Some((name, value)) = parse_tag(line) else {
            if has_tags && !line.trim().is_empty() {
                take(std::mem::take(&mut tags));
                has_tags = false;
            }
            continue;
        };
        has_tags = true;
        match name {
            "White" => tags.white = printable(value),
            "Black" => tags.black = printable(value),
            "Result" => {
                tags.outcome = value.parse().ok().and_then(|result: chess::GameResult| result.0);
            }
            _ => {}
        }
    }
    if has_tags {
        take(tags);
    }
    Ok(())
}

fn parse_tag(line: &str) -> Option<(&str, String)> {
    let inner = line.strip_prefix('[')?.trim_end().strip_suffix("\"]")?;
    let (name, value) = inner.split_once(" \"")?;
    Some((name, value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn comments_tell_what_the_engine_saw() {
        let board = chess::Board::default();
        let record = MoveRecord {
            mv: board.parse_uci("e2e4").unwrap(),
            elapsed: Duration::from_millis(105),
            clock: Some(Duration::from_millis(3_661_905)),
            score: Some(ScoreValue::Cp(35)),
            depth: Some(12),
            seldepth: Some(18),
            nodes: Some(12_345),
        };
        assert_eq!(comment(&record), "+0.35/12 0.105s sd=18 n=12345 [%clk 1:01:01.905]");
        let bare = MoveRecord { clock: None, seldepth: None, nodes: None, ..record };
        assert_eq!(comment(&bare), "+0.35/12 0.105s");
    }

    #[test]
    fn results_are_read_from_tags() {
        let pgn = "[White \"A \\\"x\\\"\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {[%x]} 1-0\n\n\
            [White \"B\"]\n[Black \"C\"]\n[Result \"*\"]\n\n*\n";
        let mut games = Vec::new();
        read_results(pgn.as_bytes(), |tags| games.push(tags)).unwrap();
        assert_eq!((games.len(), games[0].white.as_str()), (2, "A \"x\""));
        assert_eq!(games[0].outcome.unwrap().to_string(), "1-0");
        assert_eq!(games[1].outcome, None);
    }
}
