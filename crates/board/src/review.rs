// SPDX-License-Identifier: GPL-3.0-or-later
//! How good the moves of a game were: winning chances, accuracy and marks.
//!
//! The formulas are those that players know from Lichess, so that the numbers mean the same.

use chess::{Board, ByRole, Color, Move};

/// What a position is worth, White's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// Centipawns.
    Centipawns(i32),
    /// Moves to mate; negative if Black mates. Zero counts as a loss of the side to move, which the caller
    /// turns into one of the two [`Worth::mated`].
    Mate(i32),
}

/// Beyond this a game is won.
const MOST_CENTIPAWNS: i32 = 1000;

impl Worth {
    /// What a position is worth in which a side has been mated.
    pub const fn mated(loser: Color) -> Self {
        match loser {
            Color::White => Self::Centipawns(-2 * MOST_CENTIPAWNS),
            Color::Black => Self::Centipawns(2 * MOST_CENTIPAWNS),
        }
    }

    /// Centipawns, also of a mate.
    fn centipawns(self) -> i32 {
        match self {
            Self::Centipawns(cp) => cp.clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS),
            Self::Mate(moves) => {
                let cp = (21 - moves.abs().min(10)) * 100;
                (if moves > 0 { cp } else { -cp }).clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS)
            }
        }
    }

    /// White's winning chance in percent.
    pub fn chance(self) -> f64 {
        let cp = f64::from(self.centipawns());
        50.0 + 50.0 * (2.0 / (1.0 + (-0.003_682_08 * cp).exp()) - 1.0)
    }
}

/// What a move is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `!!`
    Brilliant,
    /// `!`
    Good,
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Mark {
    /// All marks.
    pub const ALL: [Self; 5] =
        [Self::Brilliant, Self::Good, Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// As books write it.
    pub const fn glyph(self) -> &'static str {
        match self {
            Self::Brilliant => "!!",
            Self::Good => "!",
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// Its number as a glyph of PGN.
    pub const fn nag(self) -> u8 {
        match self {
            Self::Good => 1,
            Self::Mistake => 2,
            Self::Brilliant => 3,
            Self::Blunder => 4,
            Self::Inaccuracy => 6,
        }
    }

    /// Whether the move was worse than another.
    pub const fn is_bad(self) -> bool {
        matches!(self, Self::Inaccuracy | Self::Mistake | Self::Blunder)
    }

    /// The mark of a move that loses so many percent of the winning chance.
    fn of_loss(percent: f64) -> Option<Self> {
        match percent {
            loss if loss > 20.0 => Some(Self::Blunder),
            loss if loss > 10.0 => Some(Self::Mistake),
            loss if loss > 5.0 => Some(Self::Inaccuracy),
            _ => None,
        }
    }
}

/// What the engine found in a position before a move is made.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// What the position is worth.
    pub worth: Worth,
    /// The best line.
    pub best: Vec<Move>,
    /// What the second best move is worth, if there is one.
    pub second: Option<Worth>,
}

/// A move with its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The position after it.
    pub worth: Worth,
    /// From 0 to 100.
    pub accuracy: f64,
    /// Its mark, if it deserves one.
    pub mark: Option<Mark>,
    /// The best line instead, if the mark is a bad one.
    pub better: Vec<Move>,
}

/// How good a move was from the winning chances before and after it, the mover's view.
pub fn accuracy(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    (103.1668 * (-0.04354 * (before - after)).exp() - 3.1669 + 1.0).clamp(0.0, 100.0)
}

/// Judges one move, from what is known before and after it.
pub fn judge(board: &Board, last: Option<Move>, mv: Move, now: &Verdict, next: Worth) -> Judgement {
    let mover = |worth: Worth| match board.turn() {
        Color::White => worth.chance(),
        Color::Black => 100.0 - worth.chance(),
    };
    let (before, after) = (mover(now.worth), mover(next));
    let is_best = now.best.first() == Some(&mv);
    let is_only = now.second.is_some_and(|second| before - mover(second) > 10.0);
    let is_open = (10.0..97.0).contains(&after);
    let takes_back = last.is_some_and(|last| last.to() == mv.to() && mv.is_capture());
    let is_offer = !board.see(mv, -150, &VALUES) && after > 45.0;
    let mark = if is_best {
        match (is_only && is_open && !takes_back, is_offer) {
            (true, true) => Some(Mark::Brilliant),
            (true, false) => Some(Mark::Good),
            _ => None,
        }
    } else {
        Mark::of_loss(before - after)
    };
    let is_bad = mark.is_some_and(Mark::is_bad);
    Judgement {
        worth: next,
        accuracy: if is_best { 100.0 } else { accuracy(before, after) },
        mark,
        better: if is_bad { now.best.clone() } else { Vec::new() },
    }
}

/// Values of pieces for the question whether a move gives one away.
const VALUES: ByRole<i32> = ByRole([100, 300, 320, 500, 900, 0]);

/// A side's share of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Side {
    /// Accuracy in percent; `None` without a move.
    pub accuracy: Option<f64>,
    /// Average loss in centipawns; `None` without a move.
    pub loss: Option<f64>,
    /// How many of each mark, in the order of [`Mark::ALL`].
    pub marks: [u32; 5],
}

/// Both sides' shares, White's first. `start` is what the first position is worth and `first` who moves there.
pub fn sides(start: Worth, first: Color, moves: &[Judgement]) -> [Side; 2] {
    let chances: Vec<f64> =
        std::iter::once(start).chain(moves.iter().map(|j| j.worth)).map(Worth::chance).collect();
    let weights = weights(&chances);
    [Color::White, Color::Black].map(|color| {
        let own = |i: &usize| i.is_multiple_of(2) == (color == first);
        let own: Vec<usize> = (0..moves.len()).filter(own).collect();
        if own.is_empty() {
            return Side::default();
        }
        let loss = |&i: &usize| {
            let before = if i == 0 { start } else { moves[i - 1].worth };
            let fall = before.centipawns() - moves[i].worth.centipawns();
            f64::from(if color == Color::White { fall } else { -fall }.max(0))
        };
        let marked = |mark| own.iter().filter(|&&i| moves[i].mark == Some(mark)).count() as u32;
        Side {
            accuracy: Some(mean_accuracy(&own, moves, &weights)),
            loss: Some(own.iter().map(loss).sum::<f64>() / own.len() as f64),
            marks: Mark::ALL.map(marked),
        }
    })
}

/// The mean of the mean by weight and the harmonic mean.
fn mean_accuracy(own: &[usize], moves: &[Judgement], weights: &[f64]) -> f64 {
    let sum: f64 = own.iter().map(|&i| weights[i]).sum();
    let weighted: f64 = own.iter().map(|&i| weights[i] * moves[i].accuracy).sum::<f64>() / sum;
    let inverse: f64 = own.iter().map(|&i| 1.0 / moves[i].accuracy.max(1.0)).sum();
    f64::midpoint(weighted, own.len() as f64 / inverse)
}

/// How much each move counts: by how much the chances changed around it.
fn weights(chances: &[f64]) -> Vec<f64> {
    let moves = chances.len() - 1;
    let size = (moves / 10).clamp(2, 8).min(chances.len());
    let head = std::iter::repeat_n(&chances[..size], size - 2.min(size));
    let windows = head.chain(chances.windows(size));
    windows.map(|window| deviation(window).clamp(0.5, 12.0)).take(moves).collect()
}

fn deviation(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / values.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_that_players_know() {
        let close = |worth: Worth, percent: f64| (worth.chance() - percent).abs() < 0.01;
        assert!(close(Worth::Centipawns(0), 50.0));
        assert!(close(Worth::Centipawns(100), 59.10));
        assert!(close(Worth::Centipawns(-300), 24.89));
        assert!(close(Worth::Mate(3), 97.55) && close(Worth::Mate(-1), 2.45));
        assert!((accuracy(50.0, 40.0) - 64.58).abs() < 0.05);
        assert!((accuracy(40.0, 50.0) - 100.0).abs() < 1e-9);
    }

    fn judged(fen: &str, best: &str, played: &str, worth: [i32; 3]) -> Option<Mark> {
        let board: Board = fen.parse().unwrap();
        let [now, second, next] = worth.map(Worth::Centipawns);
        let verdict = Verdict {
            worth: now,
            best: vec![board.parse_uci(best).unwrap()],
            second: Some(second),
        };
        judge(&board, None, board.parse_uci(played).unwrap(), &verdict, next).mark
    }

    #[test]
    fn marks_follow_the_chances() {
        let start = chess::STARTING;
        assert_eq!(judged(start, "e2e4", "e2e4", [30, 25, 30]), None);
        assert_eq!(judged(start, "e2e4", "a2a3", [30, 25, -10]), None);
        assert_eq!(judged(start, "e2e4", "a2a3", [30, 25, -60]), Some(Mark::Inaccuracy));
        assert_eq!(judged(start, "e2e4", "g2g4", [30, 25, -150]), Some(Mark::Mistake));
        assert_eq!(judged(start, "e2e4", "f2f3", [30, 25, -400]), Some(Mark::Blunder));
        assert_eq!(judged(start, "e2e4", "e2e4", [30, -200, 30]), Some(Mark::Good));
    }

    #[test]
    fn a_piece_given_away_for_the_only_good_move_is_brilliant() {
        let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
        assert_eq!(judged(fen, "c4f7", "c4f7", [100, -100, 100]), Some(Mark::Brilliant));
    }

    #[test]
    fn a_perfect_game_is_accurate_and_an_empty_one_is_nothing() {
        let start = Worth::Centipawns(20);
        assert_eq!(sides(start, Color::White, &[]), [Side::default(); 2]);
        let perfect = Judgement { worth: start, accuracy: 100.0, mark: None, better: Vec::new() };
        let both = sides(start, Color::White, &vec![perfect; 40]);
        assert!(both.iter().all(|side| (side.accuracy.unwrap() - 100.0).abs() < 1e-9));
    }

    #[test]
    fn blunders_are_counted_for_who_made_them() {
        let start = Worth::Centipawns(0);
        let good = Judgement { worth: start, accuracy: 100.0, mark: None, better: vec![] };
        let bad = Judgement {
            worth: Worth::Centipawns(500),
            accuracy: 20.0,
            mark: Some(Mark::Blunder),
            better: vec![],
        };
        let [white, black] = sides(start, Color::White, &[good, bad]);
        assert_eq!((white.marks[4], black.marks[4]), (0, 1));
        assert!(black.accuracy.unwrap() < 25.0 && black.loss.unwrap() > 499.0);
    }
}
