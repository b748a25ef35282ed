// SPDX-License-Identifier: GPL-3.0-or-later
//! Which thread's line is played.

use crate::{Line, Score};

/// Lets threads vote on a move, each with a weight that grows with its depth and its score, and
/// returns the best line that begins with the winner. Whoever has proved a win or a loss decides.
///
/// # Panics
/// If there is no line.
pub(super) fn elect(lines: Vec<Line>) -> Line {
    let lowest = lines.iter().map(|line| line.score).min().unwrap_or(Score::DRAW);
    let weight = |line: &Line| i64::from(line.score - lowest + 10) * i64::from(line.depth);
    let votes = |wanted: &Line| -> i64 {
        let same = lines.iter().filter(|line| line.moves.first() == wanted.moves.first());
        same.map(weight).sum()
    };
    let mut best = 0;
    for (index, line) in lines.iter().enumerate().skip(1) {
        let champion = &lines[best];
        let is_better = if champion.score.is_win() || line.score.is_win() {
            line.score > champion.score
        } else if champion.score.is_loss() || line.score.is_loss() {
            // The longest defence; a loss that others do not see is not yet one for sure.
            line.score.is_loss() == champion.score.is_loss() && line.score > champion.score
        } else {
            let (mine, theirs) = (votes(line), votes(champion));
            mine > theirs || mine == theirs && weight(line) > weight(champion)
        };
        if is_better && !line.moves.is_empty() {
            best = index;
        }
    }
    lines.into_iter().nth(best).expect("a search has a thread")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bound;
    use chess::Board;

    fn line(mv: &str, score: Score, depth: u32) -> Line {
        let moves = vec![Board::default().parse_uci(mv).unwrap()];
        Line { depth, selective_depth: 0, rank: 1, score, bound: Bound::Exact, moves }
    }

    fn elected(lines: &[(&str, Score, u32)]) -> String {
        let lines = lines.iter().map(|&(mv, score, depth)| line(mv, score, depth)).collect();
        elect(lines).moves[0].uci(chess::CastlingMode::Standard).to_string()
    }

    #[test]
    fn the_majority_wins_unless_someone_sees_a_mate() {
        let [low, high] = [20, 25].map(Score::new);
        assert_eq!(elected(&[("e2e4", high, 10), ("d2d4", low, 10), ("d2d4", low, 10)]), "d2d4");
        assert_eq!(elected(&[("e2e4", high, 10), ("d2d4", low, 10)]), "e2e4");
        let mate = Score::mate_in(5);
        assert_eq!(elected(&[("e2e4", high, 12), ("a2a3", mate, 8)]), "a2a3");
        let mates = [("e2e4", mate, 12), ("a2a3", Score::mate_in(3), 8)];
        assert_eq!(elected(&mates), "a2a3");
    }
}
