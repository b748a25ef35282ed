// SPDX-License-Identifier: GPL-3.0-or-later
//! Objectives: what a network is to say, and how wrong it is.

use chess::Color;
use data::Record;
use serde::{Deserialize, Serialize};

/// Whose eyes an output is meant for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputView {
    /// White's, whoever is to move.
    White,
    /// The side to move's.
    Mover,
}

/// How the distance between output and target is measured.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A power of `sigmoid(output) - target`, the target an expected score from 0 to 1.
    Sigmoid,
    /// A power of `tanh(output) - target`, the target from -1 to 1.
    Tanh,
    /// Cross-entropy of `sigmoid(output)`: softplus of the output's wrong side.
    Softplus,
}

/// What a network is to say about a record, and how wrong it is.
///
/// The target is `(1 - λ)·squash(score / scale) + λ·result`. Where a record lacks one of the two
/// labels, the other counts alone.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Objective {
    /// How the error is measured.
    pub shape: Shape,
    /// The power of the error, for the first two shapes.
    pub power: f32,
    /// Centipawns of score per unit of output.
    pub scale: f32,
    /// The share of the game's result in the target; at first, if there is a `last_lambda`.
    pub lambda: f32,
    /// The share at the end of the run, if it changes from step to step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_lambda: Option<f32>,
    /// Scores are cut off beyond this, either way.
    pub max_score: f32,
    /// Whether the target is `score / max_score` as it is, not squashed.
    pub is_linear: bool,
    /// The share of a policy's target that is spread over all legal moves.
    pub smoothing: f32,
}

impl Default for Objective {
    fn default() -> Self {
        Self {
            shape: Shape::Sigmoid,
            power: 2.0,
            scale: 400.0,
            lambda: 0.0,
            last_lambda: None,
            max_score: f32::INFINITY,
            is_linear: false,
            smoothing: 0.05,
        }
    }
}

/// An error and its slope.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loss {
    /// How wrong the output is.
    pub value: f32,
    /// The derivative by the output.
    pub slope: f32,
}

impl Objective {
    /// The objective in which all networks are compared: squared error of the expected score.
    pub fn common() -> Self {
        Self::default()
    }

    /// The objective of a step of a run of so many: the share of the result changes by the same amount each
    /// step.
    #[must_use]
    pub fn at_step(self, step: u64, steps: u64) -> Self {
        let Some(last) = self.last_lambda else { return self };
        let done = step as f64 / steps.saturating_sub(1).max(1) as f64;
        let lambda = f64::from(self.lambda) + done.min(1.0) * f64::from(last - self.lambda);
        Self { lambda: lambda as f32, ..self }
    }

    /// The objective of the last step, by which all of a run is validated.
    #[must_use]
    pub fn at_end(self) -> Self {
        Self { lambda: self.last_lambda.unwrap_or(self.lambda), ..self }
    }

    /// What a network should say about a record, in the units of the squashed output.
    #[inline]
    pub fn target(&self, record: &Record, view: OutputView) -> f32 {
        let score = f32::from(record.score().get()).clamp(-self.max_score, self.max_score);
        let (units, share) = (score / self.scale, score / self.max_score);
        let points = record.white_points();
        let (from_score, from_result) = match (self.shape, self.is_linear) {
            (Shape::Sigmoid | Shape::Softplus, false) => (sigmoid(units), points),
            (Shape::Sigmoid | Shape::Softplus, true) => (0.5 + 0.5 * share, points),
            (Shape::Tanh, false) => (units.tanh(), 2.0 * points - 1.0),
            (Shape::Tanh, true) => (share, 2.0 * points - 1.0),
        };
        let lambda = match (record.has_score(), record.has_outcome()) {
            (true, true) => self.lambda,
            (true, false) => 0.0,
            (false, _) => 1.0,
        };
        let white = from_score + lambda * (from_result - from_score);
        match (view, record.side_to_move(), self.shape) {
            (OutputView::White, _, _) | (_, Color::White, _) => white,
            (_, _, Shape::Tanh) => -white,
            _ => 1.0 - white,
        }
    }

    /// How wrong an output is.
    #[inline]
    pub fn loss(&self, output: f32, target: f32) -> Loss {
        let (squashed, steepness) = match self.shape {
            Shape::Softplus => return cross_entropy(output, target),
            Shape::Sigmoid => {
                let y = sigmoid(output);
                (y, y * (1.0 - y))
            }
            Shape::Tanh => {
                let y = output.tanh();
                (y, 1.0 - y * y)
            }
        };
        let error = squashed - target;
        // Squares are common, and powers are slow.
        if (self.power - 2.0).abs() < f32::EPSILON {
            return Loss { value: error * error, slope: 2.0 * error * steepness };
        }
        let lower = error.abs().powf(self.power - 1.0);
        let slope = self.power * lower.copysign(error) * steepness;
        Loss { value: lower * error.abs(), slope }
    }
}

/// The expected score of a logit.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// `t·softplus(-x) + (1 - t)·softplus(x)`.
#[inline]
fn cross_entropy(x: f32, target: f32) -> Loss {
    let softplus = x.max(0.0) + (-x.abs()).exp().ln_1p();
    Loss { value: softplus - target * x, slope: sigmoid(x) - target }
}

#[cfg(test)]
mod tests {
    use chess::{Board, Outcome};
    use data::{Label, LabelScore};

    use super::*;

    fn record(fen: &str, score: Option<i16>, outcome: Option<Outcome>) -> Record {
        let board: Board = fen.parse().unwrap();
        let score = score.map(LabelScore::from_stored);
        Record::new(&board, Label { best_move: None, score, outcome }).unwrap()
    }

    fn objective(shape: Shape, power: f32, lambda: f32) -> Objective {
        Objective { shape, power, lambda, ..Objective::default() }
    }

    #[test]
    fn slopes_are_those_of_finite_differences() {
        for shape in [Shape::Sigmoid, Shape::Tanh, Shape::Softplus] {
            for power in [1.5, 2.0, 2.6] {
                let objective = objective(shape, power, 0.0);
                for (output, target) in [(0.3, 0.9), (-1.4, 0.2), (2.0, 0.1), (0.1, 0.0)] {
                    let at = |x: f32| f64::from(objective.loss(x, target).value);
                    let step = 1.0 / 64.0;
                    let difference =
                        (at(output + step) - at(output - step)) / f64::from(2.0 * step);
                    let slope = f64::from(objective.loss(output, target).slope);
                    assert!((slope - difference).abs() < 2e-3, "{shape:?} {power} {output}");
                }
            }
        }
    }

    #[test]
    fn targets_turn_with_the_side_to_move() {
        let white = "4k3/8/8/8/8/8/8/4K2R w - - 0 1";
        let black = "4k3/8/8/8/8/8/8/4K2R b - - 0 1";
        let labels = (Some(400), Some(Outcome::Draw));
        let (white, black) = (record(white, labels.0, labels.1), record(black, labels.0, labels.1));
        let blend = objective(Shape::Sigmoid, 2.0, 0.5);
        let expected = 0.5 * sigmoid(1.0) + 0.25;
        assert!((blend.target(&white, OutputView::Mover) - expected).abs() < 1e-6);
        assert!((blend.target(&black, OutputView::Mover) - (1.0 - expected)).abs() < 1e-6);
        assert!((blend.target(&black, OutputView::White) - expected).abs() < 1e-6);
        let tanh = objective(Shape::Tanh, 2.0, 0.0);
        assert!((tanh.target(&black, OutputView::Mover) + 1f32.tanh()).abs() < 1e-6);
    }

    #[test]
    fn linear_targets_are_shares_of_the_largest_score() {
        let fen = "4k3/8/8/8/8/8/8/4K2R b - - 0 1";
        let objective = Objective {
            shape: Shape::Tanh,
            is_linear: true,
            max_score: 1000.0,
            ..Objective::default()
        };
        let target = |score| objective.target(&record(fen, Some(score), None), OutputView::Mover);
        assert!((target(250) + 0.25).abs() < 1e-6);
        assert!((target(-4000) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_share_of_results_goes_in_a_line_from_first_to_last() {
        let constant = objective(Shape::Sigmoid, 2.0, 0.25);
        assert_eq!((constant.at_step(7, 9), constant.at_end()), (constant, constant));
        let rising = Objective { last_lambda: Some(0.75), ..constant };
        for (step, lambda) in [(0, 0.25), (4, 0.5), (8, 0.75), (99, 0.75)] {
            assert!((rising.at_step(step, 9).lambda - lambda).abs() < 1e-6, "{step}");
        }
        assert!((rising.at_end().lambda - 0.75).abs() < 1e-6);
        assert!((rising.at_step(0, 1).lambda - 0.25).abs() < 1e-6);
    }

    #[test]
    fn a_missing_label_leaves_the_other() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w - - 0 1";
        let blend = objective(Shape::Sigmoid, 2.0, 0.5);
        let target = |score, outcome| blend.target(&record(fen, score, outcome), OutputView::White);
        assert!((target(Some(-400), None) - sigmoid(-1.0)).abs() < 1e-6);
        let black_won = Outcome::Decisive { winner: Color::Black };
        assert!(target(None, Some(black_won)).abs() < 1e-6);
    }
}
