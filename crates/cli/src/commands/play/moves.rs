// SPDX-License-Identifier: GPL-3.0-or-later
//! Moves as people type them: with more freedom than in a file.

use chess::{Board, Move, MoveError};

/// The move that is meant: standard notation or UCI, in any case where that leaves no doubt.
pub(super) fn read(board: &Board, text: &str) -> Result<Move, MoveError> {
    let error = match board.parse_san(text) {
        Ok(mv) => return Ok(mv),
        // A pawn or a piece: only the player knows.
        Err(error @ MoveError::Ambiguous(..)) => return Err(error),
        Err(error) => error,
    };
    let lower = text.to_lowercase();
    let other = |text: String| board.parse_san(&text).ok();
    castling(&lower)
        .and_then(|castling| other(castling.to_owned()))
        .or_else(|| board.parse_uci(lower.trim_end_matches(['+', '#', '!', '?'])).ok())
        .or_else(|| other(promotion_in_capitals(&lower)))
        .or_else(|| other(with_capital(&promotion_in_capitals(&lower))))
        .ok_or(error)
}

/// Castling without its dashes.
fn castling(lower: &str) -> Option<&'static str> {
    let wings: String = lower.chars().filter(|c| !matches!(c, '-' | '+' | '#')).collect();
    match wings.replace('0', "o").as_str() {
        "oo" => Some("O-O"),
        "ooo" => Some("O-O-O"),
        _ => None,
    }
}

/// `nf3` as `Nf3`.
fn with_capital(lower: &str) -> String {
    let mut letters = lower.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// `e8=q` as `e8=Q`.
fn promotion_in_capitals(lower: &str) -> String {
    match lower.split_once('=') {
        Some((before, piece)) => format!("{before}={}", piece.to_uppercase()),
        None => lower.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fen: &str, cases: &[(&str, &str)]) {
        let board: Board = fen.parse().unwrap();
        for (text, san) in cases {
            let mv = read(&board, text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(board.san(mv).to_string(), *san, "{text}");
        }
    }

    #[test]
    fn case_does_not_matter() {
        let cases = [("nf3", "Nf3"), ("NF3", "Nf3"), ("G1F3", "Nf3"), ("E4", "e4"), ("e2e4", "e4")];
        check(chess::STARTING, &cases);
    }

    #[test]
    fn castling_and_promotion_are_understood_in_many_ways() {
        let fen = "r3k2r/6P1/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let castling =
            [("OO", "O-O"), ("oo", "O-O"), ("00", "O-O"), ("ooo", "O-O-O"), ("0-0-0", "O-O-O")];
        check(fen, &castling);
        check(fen, &[("gxh8=q", "gxh8=Q+"), ("g8q", "g8=Q+"), ("g7g8n", "g8=N")]);
    }

    #[test]
    fn a_pawn_goes_before_a_bishop() {
        let fen = "4k3/8/8/8/8/2p5/1P6/B3K3 w - - 0 1";
        check(fen, &[("bxc3", "bxc3")]);
        let bishop = "4k3/8/8/8/8/2p5/1B6/4K3 w - - 0 1";
        check(bishop, &[("bxc3", "Bxc3")]);
    }

    #[test]
    fn nonsense_is_refused_as_it_was_typed() {
        let error = read(&Board::default(), "Nonsense").unwrap_err().to_string();
        assert!(error.contains("`Nonsense`"), "{error}");
        assert!(read(&Board::default(), "nf6").is_err());
    }
}
