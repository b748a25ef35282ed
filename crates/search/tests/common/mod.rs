// SPDX-License-Identifier: GPL-3.0-or-later
//! What the tests of the search share: searches with all their reports, and checks of lines.
#![allow(dead_code, reason = "each test uses a part")]

use std::sync::{Arc, Mutex};
use std::time::Instant;

use chess::Move;
use search::{Answer, Bound, Control, Effort, Info, Limits, Line, Position, Report, Searcher};

/// Positions of all kinds: openings, middle games, endings, few moves and many.
pub(crate) const VARIED: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "6k1/5ppp/8/8/8/7q/5PP1/5RK1 b - - 0 1",
    "8/8/8/8/8/8/R7/K6k w - - 95 120",
    "8/8/1p1k4/1P6/8/3K4/8/8 w - - 0 1",
    "5rk1/7p/8/8/8/8/6q1/K1Q5 w - - 3 40",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
];

/// A position without a past.
pub(crate) fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// A move of the position in UCI notation.
pub(crate) fn mv(position: &Position, text: &str) -> Move {
    position.board().parse_uci(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Lines that a search reported, with the effort so far.
pub(crate) type Reports = Vec<(Line, Effort)>;

/// Searches, and returns the answer with all lines that were reported on the way.
pub(crate) fn search(
    searcher: &mut Searcher,
    position: &Position,
    limits: &Limits,
) -> (Answer, Reports) {
    search_with(searcher, position, limits, &Arc::default())
}

/// The same, to be stopped by someone else.
pub(crate) fn search_with(
    searcher: &mut Searcher,
    position: &Position,
    limits: &Limits,
    control: &Arc<Control>,
) -> (Answer, Reports) {
    let reports = Arc::new(Mutex::new(vec![]));
    let report: Report = {
        let reports = Arc::clone(&reports);
        Arc::new(move |info| {
            if let Info::Line(line, effort) = info {
                reports.lock().unwrap().push((line, effort));
            }
        })
    };
    let answer = searcher.search(position, limits, Instant::now(), control, &report);
    let reports = std::mem::take(&mut *reports.lock().unwrap());
    for (line, _) in &reports {
        check_line(position, line);
    }
    if let Some(line) = &answer.best {
        check_line(position, line);
    }
    (answer, reports)
}

/// Checks that a line can be played, ends no later than the game, and ends in mate if it promises
/// one.
pub(crate) fn check_line(start: &Position, line: &Line) {
    let mut position = start.clone();
    let fen = start.board().fen().to_string();
    assert!(!line.moves.is_empty(), "{fen}: {line:?}");
    for (i, &mv) in line.moves.iter().enumerate() {
        // The root may be drawn already: there is a move to be played all the same.
        assert!(i == 0 || !is_over(&position), "{fen}: goes on after the end at {i}: {line:?}");
        assert!(position.board().is_legal(mv), "{fen}: illegal move {i}: {line:?}");
        position.play(mv);
    }
    let Some(moves) = line.score.mate_moves().filter(|_| line.bound == Bound::Exact) else {
        return;
    };
    let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
    assert_eq!(line.moves.len() as i32, plies, "{fen}: as long as the mate: {line:?}");
    assert!(position.board().is_checkmate(), "{fen}: ends in mate: {line:?}");
}

/// Whether the game is over, or can be claimed to be.
pub(crate) fn is_over(position: &Position) -> bool {
    let board = position.board();
    !board.has_legal_moves()
        || board.is_insufficient_material()
        || board.halfmove_clock() >= 100
        || position.history().occurrences() >= 3
}

/// The best lines of the last depth that was finished, by rank.
pub(crate) fn last_lines(reports: &Reports) -> Vec<&Line> {
    let exact = || reports.iter().map(|(line, _)| line).filter(|line| line.bound == Bound::Exact);
    let depth = exact().map(|line| line.depth).max().unwrap_or_default();
    exact().filter(|line| line.depth == depth).collect()
}

/// A generator of numbers for tests: `SplitMix64`.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number from 0 to `limit - 1`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}

/// A position after some random moves, with its past.
pub(crate) fn random_game(random: &mut Random, plies: usize) -> Position {
    let mut position = Position::default();
    for _ in 0..plies {
        let moves = position.board().legal_moves();
        let mut next = position.clone();
        match moves.len() {
            0 => break,
            count => next.play(moves[random.below(count)]),
        }
        if !next.board().has_legal_moves() {
            break;
        }
        position = next;
    }
    position
}
