// SPDX-License-Identifier: GPL-3.0-or-later
//! From the search's words to the protocol's.

use chess::{Board, CastlingMode, Move};
use search::{Bound, Effort, Line, Odds, Score, Wdl};
use uci::MoveText;

/// How castling must be written: as the user wants, unless only one way can express it.
pub fn castling_mode(board: &Board, is_chess960: bool) -> CastlingMode {
    if is_chess960 || board.is_chess960() { CastlingMode::Chess960 } else { CastlingMode::Standard }
}

/// A move as the protocol writes it.
pub(crate) fn move_text(mv: Move, mode: CastlingMode) -> MoveText {
    mv.uci(mode).to_string().parse().expect("a move prints as one")
}

/// A score in centipawns. Wins by tablebase are 200 pawns less the plies to them.
pub fn centipawns(score: Score, odds: Odds) -> i32 {
    odds.shown_centipawns(score)
}

/// A score as the protocol writes it.
pub fn uci_score(score: Score, bound: Bound, odds: Odds) -> uci::Score {
    let value = match score.mate_moves() {
        Some(moves) => uci::Score::mate(moves),
        None => uci::Score::cp(centipawns(score, odds)),
    };
    value.with_bound(match bound {
        Bound::Exact => uci::Bound::Exact,
        Bound::Lower => uci::Bound::Lower,
        Bound::Upper => uci::Bound::Upper,
    })
}

/// A line of play as an info line.
pub fn uci_info(
    line: &Line,
    effort: &Effort,
    mode: CastlingMode,
    odds: Odds,
    shows_wdl: bool,
) -> uci::Info {
    let millis = effort.time.as_millis() as u64;
    let nps = (effort.nodes as f64 / effort.time.as_secs_f64().max(1e-6)) as u64;
    let Wdl { win, draw, loss } = odds.wdl(line.score);
    uci::Info {
        depth: Some(line.depth),
        seldepth: Some(line.selective_depth as u32),
        multipv: Some(line.rank as u32),
        score: Some(uci_score(line.score, line.bound, odds)),
        wdl: shows_wdl.then_some(uci::Wdl { win, draw, loss }),
        nodes: Some(effort.nodes),
        nps: Some(nps),
        hashfull: effort.table_fill.map(|fill| fill as u32),
        tbhits: Some(effort.table_hits),
        time: Some(millis),
        pv: line.moves.iter().map(|&mv| move_text(mv, mode)).collect(),
        ..uci::Info::default()
    }
}
