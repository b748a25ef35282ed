// SPDX-License-Identifier: GPL-3.0-or-later
//! A static evaluation with all that led to it.

use std::fmt::{self, Write as _};

use chess::{Board, File, Piece, Rank, Square, White};
use net::{Contribution, Layer};
use search::{Evaluator, Network, Odds, Points, Score, Wdl};

/// The static evaluation of a position, with its reasons.
#[derive(Clone, Debug)]
pub struct Evaluation {
    board: Board,
    odds: Odds,
    /// The architecture of what evaluated.
    pub architecture: &'static str,
    /// The network's own output for the side to move.
    pub output: Points,
    /// What the search uses for it.
    pub score: Score,
    /// The chances that go with the score.
    pub wdl: Wdl,
    /// What each piece but the kings adds, in points, White's view.
    pub contributions: Vec<Contribution>,
    /// The values of the hidden layers.
    pub hidden: Vec<Layer>,
}

impl Evaluation {
    /// Evaluates a position.
    pub fn new(board: &Board, network: &Network) -> Self {
        let mut evaluator = Evaluator::new(network);
        evaluator.reset(board);
        let odds = Odds::on(board);
        let (output, score) = (Points(evaluator.output(board)), evaluator.evaluate(board));
        Self {
            board: *board,
            architecture: network.architecture(),
            output,
            score,
            wdl: odds.wdl(score),
            odds,
            hidden: evaluator.hidden(board),
            contributions: evaluator.contributions(board),
        }
    }

    /// The score in pawns, White's view.
    pub fn white_pawns(&self) -> f64 {
        let score = White::seen_by(self.board.turn(), self.odds.centipawns(self.score));
        score.get().pawns()
    }

    /// Points in pawns.
    pub fn pawns(&self, points: Points) -> f64 {
        self.odds.centipawns(Score::new(points.0)).pawns()
    }

    /// What the piece on a square adds, in pawns, White's view.
    fn part(&self, square: Square) -> Option<f64> {
        let part = self.contributions.iter().find(|part| part.square == square)?;
        Some(self.pawns(Points(part.white)))
    }

    /// The board with what each piece adds under it.
    fn drawing(&self) -> String {
        let mut text = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            let squares = File::ALL.map(|file| Square::new(file, rank));
            let letter = |square| self.board.piece_on(square).map_or('.', Piece::letter);
            let part = |square| self.part(square).map_or(String::new(), |v| format!("{v:+.2}"));
            let _ = writeln!(text, "{} {}", rank.digit(), row(squares.iter().map(|&s| letter(s))));
            let _ = writeln!(text, "  {}", row(squares.iter().map(|&s| part(s))));
        }
        text + "  " + &row(File::ALL.iter().map(|file| file.letter()))
    }
}

/// Cells of equal width, side by side.
pub(crate) fn row(cells: impl Iterator<Item = impl fmt::Display>) -> String {
    let mut text = String::new();
    for cell in cells {
        let _ = write!(text, "{:^7}", cell.to_string());
    }
    text.trim_end().to_owned()
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.drawing())?;
        for layer in &self.hidden {
            writeln!(f, "{}", LayerView(layer))?;
        }
        let (turn, Wdl { win, draw, loss }) = (self.board.turn(), self.wdl);
        writeln!(f, "Network: {}, output {} points for {turn}", self.architecture, self.output.0)?;
        writeln!(f, "Evaluation: {:+.2} pawns for White", self.white_pawns())?;
        write!(f, "WDL: {win} {draw} {loss} for {turn}")
    }
}

/// A hidden layer as people look at it: numbers if they are few, a strip of shades if not.
struct LayerView<'a>(&'a Layer);

/// More values than this are drawn, not written.
const MOST_NUMBERS: usize = 32;
const SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];
const STRIP: usize = 64;

impl fmt::Display for LayerView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Layer { name, values } = self.0;
        if values.len() <= MOST_NUMBERS {
            let numbers: Vec<String> = values.iter().map(|value| format!("{value:.2}")).collect();
            return write!(f, "{name}: {}", numbers.join(" "));
        }
        let largest = values.iter().fold(f32::MIN_POSITIVE, |most, value| most.max(value.abs()));
        let active = values.iter().filter(|value| **value != 0.0).count();
        write!(f, "{name}: {active} of {} active, largest {largest:.2}", values.len())?;
        let shade = |value: &f32| {
            let level = (value.abs() / largest * (SHADES.len() - 1) as f32).ceil() as usize;
            SHADES[level.min(SHADES.len() - 1)]
        };
        for strip in values.chunks(STRIP) {
            write!(f, "\n  │{}│", strip.iter().map(shade).collect::<String>())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_names_what_there_is() {
        let text = Evaluation::new(&Board::default(), &Network::Material).to_string();
        for part in ["Network: material", "Evaluation: +0.", "WDL: ", "+7.", "-7."] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn layers_are_written_or_drawn() {
        let few = Layer { name: "small", values: vec![0.5, 0.0] };
        assert_eq!(LayerView(&few).to_string(), "small: 0.50 0.00");
        let many = Layer { name: "wide", values: vec![1.0; 65] };
        let text = LayerView(&many).to_string();
        assert!(text.starts_with("wide: 65 of 65 active"), "{text}");
        assert_eq!(text.matches('█').count(), 65);
    }
}
