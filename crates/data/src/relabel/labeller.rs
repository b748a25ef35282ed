// SPDX-License-Identifier: GPL-3.0-or-later
//! One engine that looks at one position after the other.

use std::fmt::Write as _;
use std::num::NonZeroU64;
use std::time::Duration;

use chess::{Board, CastlingMode, Color, Move, White};
use driver::{EngineProcess, EngineSpec, Limit, position_at};
use uci::{ClientError, ScoreValue, UciScore};

use crate::LabelScore;

/// An engine that needs longer to say hello is broken, on a busy machine, too.
const GREETING: Duration = Duration::from_mins(1);
/// Time for a search beyond a millisecond for each node.
const PATIENCE: Duration = Duration::from_mins(1);

/// What an engine says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EngineLabel {
    /// The score in White's view.
    pub(super) score: LabelScore,
    pub(super) best_move: Option<Move>,
}

/// A running engine.
pub(super) struct Labeller {
    engine: EngineProcess,
    nodes: u64,
    castling: CastlingMode,
}

impl Labeller {
    /// Starts an engine. It must take all its options: labels of other settings would be wrong in silence.
    pub(super) fn start(spec: &EngineSpec, nodes: u64) -> Result<Self, String> {
        let castling = CastlingMode::Standard;
        let engine = EngineProcess::start_within(GREETING, spec, castling);
        let engine = engine.map_err(|error| sentence(&error))?;
        match engine.warnings() {
            [] => Ok(Self { engine, nodes, castling }),
            warnings => Err(warnings.join("; ")),
        }
    }

    /// Looks at a position that has legal moves. Nothing of earlier ones is remembered, so that
    /// labels do not depend on their order.
    pub(super) fn label(&mut self, board: &Board) -> Result<EngineLabel, String> {
        self.set_castling(board)?;
        let (score, best_move) = self.search(board).map_err(|error| sentence(&error))?;
        let score = score.ok_or("the engine gave no score")?;
        let text = best_move.ok_or("the engine gave no move in a position that has some")?;
        let best_move = board.parse_uci(&text).map_err(|error| format!("best move: {error}"))?;
        Ok(EngineLabel { score: white_score(score, board.turn()), best_move: Some(best_move) })
    }

    /// Tells the engine whether the position is of Chess960, if that has changed.
    fn set_castling(&mut self, board: &Board) -> Result<(), String> {
        const OPTION: &str = "UCI_Chess960";
        let is_chess960 = board.is_chess960();
        let castling = if is_chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        if castling == self.castling {
            return Ok(());
        }
        if self.engine.handshake().option(OPTION).is_none() {
            return Err(format!("the engine has no option `{OPTION}`"));
        }
        self.castling = castling;
        let value = is_chess960.to_string();
        self.engine.set_option(OPTION, &value).map_err(|error| sentence(&error))
    }

    fn search(&mut self, board: &Board) -> Result<(Option<UciScore>, Option<String>), ClientError> {
        self.engine.new_game()?;
        let limit = Limit { nodes: NonZeroU64::new(self.nodes), ..Limit::default() };
        let patience = PATIENCE + Duration::from_millis(self.nodes);
        let thought =
            self.engine.search(&position_at(board, self.castling), &limit.go(), patience)?;
        let best_move = thought.best_move().map(|mv| mv.as_str().to_owned());
        Ok((thought.info().and_then(|info| info.score), best_move))
    }
}

/// The label of a position without legal moves.
pub(super) fn finished(board: &Board) -> Option<EngineLabel> {
    if board.has_legal_moves() {
        return None;
    }
    let score = match (board.in_check(), board.turn()) {
        (false, _) => LabelScore::default(),
        (true, turn) => LabelScore::mate(0, !turn),
    };
    Some(EngineLabel { score, best_move: None })
}

/// A score for the side to move in White's view.
fn white_score(score: UciScore, turn: Color) -> LabelScore {
    match score.value {
        ScoreValue::Mate(moves) => LabelScore::mate(moves, if moves > 0 { turn } else { !turn }),
        ScoreValue::Cp(centipawns) => {
            LabelScore::clamped(White::seen_by(turn, i64::from(centipawns)))
        }
    }
}

/// An error and its causes in one line.
fn sentence(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let _ = write!(text, ": {error}");
        cause = error.source();
    }
    text
}
