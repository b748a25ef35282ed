// SPDX-License-Identifier: GPL-3.0-or-later
//! The moves of a tree's node as a table.

use std::fmt::Write;

use chess::{Board, Color};
use search::{Bound, MoveStats, Odds, Searcher};

use super::read_move;
use crate::uci_text::uci_score;

/// Why there is nothing to show.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TreeError {
    #[error("there is none: set `SearchMode` to `mcts` and search first")]
    None,
    #[error("{0}")]
    Move(#[from] chess::MoveError),
    #[error("the tree does not reach `{0}`")]
    Beyond(String),
}

/// The moves after a line of moves from the root of the last search, the best first.
pub(crate) fn view(searcher: &Searcher, moves: &[String]) -> Result<String, TreeError> {
    let (position, _) = searcher.tree(&[], 0).ok_or(TreeError::None)?;
    let mut board = *position.board();
    let mut line = vec![];
    for text in moves {
        let mv = read_move(&board, text)?;
        board.play(mv);
        line.push(mv);
    }
    let beyond = || TreeError::Beyond(moves.join(" "));
    let (_, node) = searcher.tree(&line, 1).ok_or_else(beyond)?;
    let mut text = heading(&board, &node.stats);
    for child in &node.children {
        row(&mut text, &board, &child.stats, node.stats.visits);
    }
    Ok(text.trim_end().to_owned())
}

fn heading(board: &Board, stats: &MoveStats) -> String {
    let side = if board.turn() == Color::White { "White" } else { "Black" };
    format!(
        "{}\n{side} to move, {} visits\n\
         move        visits   share   prior   value    draw   first  explore\n",
        board.fen(),
        stats.visits
    )
}

fn row(text: &mut String, board: &Board, stats: &MoveStats, all: u32) {
    let Some(mv) = stats.mv else { return };
    let percent = |share: Option<f32>| {
        share.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
    };
    let share = stats.visits as f32 / all.max(1) as f32;
    let score = |score| uci_score(score, Bound::Exact, Odds::on(board)).to_string();
    let _ = writeln!(
        text,
        "{:<8} {:>9} {:>7} {:>7} {:>7} {:>7} {:>7} {:>8.4}  {}",
        board.san(mv).to_string(),
        stats.visits,
        percent(Some(share)),
        percent(Some(stats.prior)),
        percent(stats.value),
        percent(stats.draw),
        percent(stats.first_value),
        stats.exploration,
        stats.proof.map_or(String::new(), |proof| format!("proved: {}", score(proof))),
    );
}
