// SPDX-License-Identifier: GPL-3.0-or-later
//! Draws by rule: insufficient material, repetition, and fifty moves.

use crate::common::{is_over, last_lines, mv, position, search};
use search::{Limits, Position, Score, Searcher};

const GAMES: &str = include_str!("../data/draw_rules.txt");

/// A game, how often its last position has occurred, and which rules apply to it.
struct Case {
    id: &'static str,
    position: Position,
    before: Option<(Position, chess::Move)>,
    occurrences: usize,
    facts: Vec<&'static str>,
}

fn cases() -> Vec<Case> {
    let lines = GAMES.lines().filter(|line| !line.starts_with('#'));
    let read = |line: &'static str| {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let mut position = position(parts[1]);
        let mut before = None;
        for text in parts[2].split_whitespace() {
            let mv = mv(&position, text);
            before = Some((position.clone(), mv));
            position.play(mv);
        }
        let (occurrences, facts) = (parts[3].parse().unwrap(), parts[4].split(' ').collect());
        Case { id: parts[0], position, before, occurrences, facts }
    };
    lines.map(read).collect()
}

#[test]
fn finished_games_are_scored_by_the_rules() {
    let mut searcher = Searcher::new(1, 1);
    let cases = cases();
    assert!(cases.len() >= 42, "{}", cases.len());
    for Case { id, position, occurrences, facts, .. } in &cases {
        // The file counts to five, where the game ends.
        assert_eq!(position.history().occurrences().min(5), *occurrences, "{id}");
        searcher.clear();
        let (answer, reports) = search(&mut searcher, position, &Limits::to_depth(6));
        if facts.contains(&"checkmate") || facts.contains(&"stalemate") {
            assert_eq!(answer.best, None, "{id}");
            continue;
        }
        let best = answer.best.unwrap_or_else(|| panic!("{id}: no line"));
        if facts.contains(&"insufficient") {
            assert_eq!(best.score, Score::DRAW, "{id}");
            assert!(reports.iter().all(|(line, _)| line.score == Score::DRAW), "{id}: {reports:?}");
        }
    }
}

#[test]
fn a_finished_game_has_no_counts_of_the_search_before() {
    let mut searcher = Searcher::new(1, 1);
    let middle = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let before = searcher.think(&middle, &Limits::to_depth(5));
    assert!(before.stats.get("quiescence") > Some(0));
    let mated = position("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    for answer in [
        searcher.think(&mated, &Limits::to_depth(5)),
        searcher.think_here(&mated, &Limits::to_depth(5)),
    ] {
        assert_eq!(answer.best, None);
        assert_eq!(answer.stats, search::Stats::default());
        assert_eq!((answer.effort.nodes, answer.effort.table_hits), (0, 0));
    }
}

#[test]
fn the_move_that_completes_a_draw_is_worth_a_draw() {
    let mut searcher = Searcher::new(1, 1);
    let mut tried = 0;
    for Case { id, before, position, .. } in cases() {
        let Some((before, last)) = before else { continue };
        let is_mate = position.board().is_checkmate();
        if !is_over(&position) || is_over(&before) {
            continue;
        }
        tried += 1;
        searcher.clear();
        let limits = Limits { root_moves: vec![last], ..Limits::to_depth(5) };
        let (answer, reports) = search(&mut searcher, &before, &limits);
        let best = answer.best.unwrap();
        assert_eq!(best.moves[0], last, "{id}");
        let expected = if is_mate { Score::mate_in(1) } else { Score::DRAW };
        assert_eq!(best.score, expected, "{id}");
        let scores = last_lines(&reports).into_iter().map(|line| line.score);
        assert!(scores.into_iter().all(|score| score == expected), "{id}: {reports:?}");
    }
    assert!(tried >= 10, "{tried}");
}

#[test]
fn mate_on_the_hundredth_ply_comes_before_the_fifty_move_rule() {
    let mut searcher = Searcher::new(1, 1);
    for (fen, mate) in [
        ("7k/8/6K1/8/8/8/8/R7 w - - 99 90", Some(1)),
        ("7k/8/6K1/8/8/8/8/R7 w - - 98 90", Some(1)),
        // Two moves would be one ply too many.
        ("7k/8/5K2/8/8/8/8/R7 w - - 99 90", None),
        ("7k/8/5K2/8/8/8/8/R7 w - - 97 90", Some(2)),
    ] {
        searcher.clear();
        let (answer, _) = search(&mut searcher, &position(fen), &Limits::to_depth(8));
        let best = answer.best.unwrap();
        assert_eq!(best.score.mate_moves(), mate, "{fen}: {best:?}");
        if mate.is_none() {
            assert_eq!(best.score, Score::DRAW, "{fen}: {best:?}");
        }
    }
}

#[test]
fn the_better_side_avoids_a_repetition_and_the_worse_one_seeks_it() {
    // A queen ahead, with a position that has already occurred twice.
    let mut ahead = position("7k/8/8/8/8/8/Q7/K7 w - - 0 1");
    for text in ["a2b2", "h8g8", "b2a2", "g8h8", "a2b2", "h8g8", "b2a2"] {
        let mv = mv(&ahead, text);
        ahead.play(mv);
    }
    let mut searcher = Searcher::new(1, 1);
    let (answer, _) = search(&mut searcher, &ahead, &Limits::to_depth(6));
    let best = answer.best.unwrap();
    assert_eq!(best.moves[0], mv(&ahead, "g8h8"), "the third time: {best:?}");
    assert_eq!(best.score, Score::DRAW);
    let others: Vec<_> =
        ahead.board().legal_moves().into_iter().filter(|&other| other != best.moves[0]).collect();
    let limits = Limits { root_moves: others, ..Limits::to_depth(6) };
    let (answer, _) = search(&mut searcher, &ahead, &limits);
    assert!(answer.best.unwrap().score < Score::new(-300));
}
