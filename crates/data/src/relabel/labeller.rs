// SPDX-License-Identifier: GPL-3.0-or-later
//! One engine that looks at one position after the other.

use std::fmt::Write as _;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use chess::{Board, CastlingStyle, Color, Move};
use uci::{
    Base, BestMove, Client, ClientConfig, ClientError, Go, Position, Reply, Score, ScoreValue,
    SetOption,
};

use crate::Centipawns;

/// An engine that needs longer to say hello is broken.
const GREETING: Duration = Duration::from_secs(30);
/// Time for a search beyond a millisecond for each node.
const PATIENCE: Duration = Duration::from_mins(1);

/// How to start an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Engine {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// UCI options and their values.
    pub options: Vec<(String, String)>,
}

/// What an engine says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Verdict {
    /// The score in White's view.
    pub(super) score: Centipawns,
    pub(super) best_move: Option<Move>,
}

/// A running engine.
pub(super) struct Labeller {
    client: Client,
    nodes: u64,
    knows_chess960: bool,
    /// What the option `UCI_Chess960` was last set to.
    in_chess960: bool,
}

impl Labeller {
    pub(super) fn start(engine: &Engine, nodes: u64) -> Result<Self, String> {
        let config =
            ClientConfig { args: engine.args.clone(), ..ClientConfig::new(&engine.program) };
        let begin = || -> Result<Self, ClientError> {
            let mut client = Client::spawn(&config)?;
            let handshake = client.handshake(GREETING)?;
            for (name, value) in &engine.options {
                client.send(SetOption::new(name, value))?;
            }
            client.await_ready(GREETING)?;
            let knows_chess960 = handshake.option("UCI_Chess960").is_some();
            Ok(Self { client, nodes, knows_chess960, in_chess960: false })
        };
        begin().map_err(|error| sentence(&error))
    }

    /// Looks at a position that has legal moves. Nothing of earlier ones is remembered, so that
    /// labels do not depend on their order.
    pub(super) fn label(&mut self, board: &Board) -> Result<Verdict, String> {
        let is_chess960 = board.is_chess960();
        if is_chess960 && !self.knows_chess960 {
            return Err("the engine has no option `UCI_Chess960`".to_owned());
        }
        let (score, best_move) =
            self.search(board, is_chess960).map_err(|error| sentence(&error))?;
        let score = score.ok_or("the engine gave no score")?;
        let text = best_move.ok_or("the engine gave no move in a position that has some")?;
        let best_move = board.parse_uci(&text).map_err(|error| format!("best move: {error}"))?;
        Ok(Verdict { score: white_score(score, board.turn()), best_move: Some(best_move) })
    }

    fn search(
        &mut self,
        board: &Board,
        is_chess960: bool,
    ) -> Result<(Option<Score>, Option<String>), ClientError> {
        if is_chess960 != self.in_chess960 {
            self.client.send(SetOption::new("UCI_Chess960", is_chess960))?;
            self.in_chess960 = is_chess960;
        }
        let style = if is_chess960 { CastlingStyle::Shredder } else { CastlingStyle::XFen };
        self.client.send("ucinewgame")?;
        self.client.await_ready(GREETING)?;
        let base = Base::Fen(board.fen_with(style).to_string());
        self.client.send(Position { base, moves: Vec::new() })?;
        self.client.send(Go { nodes: NonZeroU64::new(self.nodes), ..Go::default() })?;
        let deadline = Instant::now() + PATIENCE + Duration::from_millis(self.nodes);
        let mut score = None;
        let mut best_move = None;
        self.client.recv_until(deadline, "bestmove", |line| match Reply::parse(&line.text) {
            Reply::Info(info) if info.multipv.unwrap_or(1) == 1 => {
                score = info.score.or(score);
                false
            }
            Reply::BestMove(BestMove { mv, .. }) => {
                best_move = mv.map(|mv| mv.as_str().to_owned());
                true
            }
            Reply::Malformed(_) => line.text.starts_with("bestmove"),
            _ => false,
        })?;
        Ok((score, best_move))
    }
}

/// The label of a position without legal moves.
pub(super) fn finished(board: &Board) -> Option<Verdict> {
    if board.has_legal_moves() {
        return None;
    }
    let score = match (board.in_check(), board.turn()) {
        (false, _) => Centipawns::default(),
        (true, turn) => Centipawns::mate(0, !turn),
    };
    Some(Verdict { score, best_move: None })
}

/// A score for the side to move in White's view.
fn white_score(score: Score, turn: Color) -> Centipawns {
    match score.value {
        ScoreValue::Mate(moves) => Centipawns::mate(moves, if moves > 0 { turn } else { !turn }),
        ScoreValue::Cp(centipawns) => {
            let score = Centipawns::clamped(i64::from(centipawns));
            if turn == Color::White { score } else { -score }
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
