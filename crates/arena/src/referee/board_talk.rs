// SPDX-License-Identifier: GPL-3.0-or-later
//! What is said over the board: `go`, `ponderhit` and `stop`, and what the answers are worth.

use std::time::Duration;

use chess::{Board, CastlingMode, Color, Move};
use driver::{EngineProcess, Thought};
use uci::{Bound, ClientError, Go, InfoLine, MoveText};

use super::{FaultKind, LiveGame, MoveRecord, STOP_GRACE, SideFault, kind_of};

impl LiveGame<'_> {
    /// The side's move and what it wants to ponder on, or the fault that costs it the game.
    pub(super) fn think(
        &mut self,
        color: Color,
    ) -> Result<(MoveRecord, Option<MoveText>), SideFault> {
        let fault = |kind, detail| SideFault { color, kind, detail };
        let thought = self.ask(color).map_err(|(kind, detail)| fault(kind, detail))?;
        let mv =
            self.read_move(&thought).map_err(|detail| fault(FaultKind::IllegalMove, detail))?;
        let info = thought.info();
        if let Some(info) = &info
            && let Some((kind, detail)) = check_variation(self.game.board(), mv, info)
            && (kind != FaultKind::PvMismatch || !self.is_played(mv, thought.last_first_move()))
        {
            self.note(fault(kind, detail));
        }
        Ok((MoveRecord::new(mv, thought.elapsed, info.as_ref()), thought.ponder_move()))
    }

    fn is_played(&self, mv: Move, text: Option<MoveText>) -> bool {
        text.is_some_and(|text| self.game.board().parse_uci(text.as_str()) == Ok(mv))
    }

    /// Ends pondering; false if the engine does not obey.
    pub(super) fn stop_pondering(&mut self, color: Color) -> bool {
        self.pondering[color] = None;
        let Some(engine) = self.players[color].engine() else { return true };
        let grace = engine.elapsed() + STOP_GRACE;
        engine.stop().and_then(|()| engine.finish(grace)).is_ok()
    }

    /// Searches the present position, or goes on pondering it.
    fn ask(&mut self, color: Color) -> Result<Thought, (FaultKind, String)> {
        let failed = |error: &ClientError| (kind_of(error), error.to_string());
        let pondered = self.pondering[color];
        let was_early = {
            let engine = engine_of(self, color)?;
            engine.has_answered()
        };
        if was_early {
            let detail = match pondered {
                Some(_) => "bestmove before ponderhit or stop",
                None => "bestmove without search",
            };
            self.note(premature(color, detail));
        }
        let is_hit = pondered.is_some() && self.game.moves().last().copied() == pondered;
        if pondered.is_some() && !is_hit && !self.stop_pondering(color) {
            return Err((FaultKind::NoAnswer, "no answer to `stop` while pondering".to_owned()));
        }
        self.pondering[color] = None;
        let go = self.go(color);
        let allowance = self.clocks[color].allowance();
        let (margin, patience) = (self.referee.rules.margin, self.referee.rules.patience);
        let timeout = allowance.map_or(patience, |allowance| allowance + margin);
        let Some(engine) = self.players[color].engine() else { unreachable!("was there above") };
        let begun = if is_hit { engine.ponder_hit() } else { engine.begin(&self.position, &go) };
        begun.map_err(|error| failed(&error))?;
        let thought = self.await_answer(color, timeout);
        thought.map_err(|error| match (&error, allowance, self.players[color].engine()) {
            (ClientError::TimedOut { .. }, Some(allowance), Some(engine)) => {
                blame_clock(engine, allowance)
            }
            _ => failed(&error),
        })
    }

    /// Waits for the end of the search. An echo of the engine's last move, which was on its way
    /// when the search began, is not it.
    fn await_answer(&mut self, color: Color, timeout: Duration) -> Result<Thought, ClientError> {
        let last = self.moves.len().checked_sub(2).map(|index| self.moves[index].mv);
        let is_echo = |thought: &Thought| {
            let modes = [CastlingMode::Standard, CastlingMode::Chess960];
            thought.best_move().zip(last).is_some_and(|(text, last)| {
                modes.iter().any(|&mode| last.uci(mode).to_string() == text.as_str())
            })
        };
        let Some(engine) = self.players[color].engine() else { unreachable!("asked before") };
        let thought = engine.finish(timeout)?;
        if !is_echo(&thought) {
            return Ok(thought);
        }
        let thought = engine.finish(timeout);
        self.note(premature(color, "bestmove without search"));
        thought
    }

    /// The `go` for the present position.
    fn go(&self, color: Color) -> Go {
        let [white, black] = [&self.clocks[Color::White], &self.clocks[Color::Black]];
        Go {
            wtime: white.milliseconds(),
            btime: black.milliseconds(),
            winc: white.increment_milliseconds(),
            binc: black.increment_milliseconds(),
            movestogo: self.clocks[color].moves_to_go(),
            ..self.clocks[color].limit().go()
        }
    }

    fn read_move(&self, thought: &Thought) -> Result<Move, String> {
        let board = self.game.board();
        let best = thought.best.as_ref().map_err(ToString::to_string)?;
        let Some(text) = best.mv else {
            return Err(format!("bestmove without move in {}", board.fen()));
        };
        board.parse_uci(text.as_str()).map_err(|error| format!("{error}: {}", board.fen()))
    }

    /// Lets an engine that has moved go on thinking in the opponent's time, if it wants to.
    pub(super) fn start_pondering(&mut self, color: Color, expected: Option<MoveText>) {
        let wants_to = self.players[color].spec().ponder;
        if !wants_to || self.clocks[color].milliseconds().is_none() {
            return;
        }
        let mut board = *self.game.board();
        let Some(expected) = expected.and_then(|text| board.parse_uci(text.as_str()).ok()) else {
            return;
        };
        board.play(expected);
        if !board.has_legal_moves() {
            return;
        }
        let mut position = self.position.clone();
        position.moves.push(expected.uci(self.referee.rules.castling).to_string());
        let go = Go { ponder: true, ..self.go(color) };
        // A failure shows when the engine is asked next.
        if engine_of(self, color).is_ok_and(|engine| engine.begin(&position, &go).is_ok()) {
            self.pondering[color] = Some(expected);
        }
    }
}

fn premature(color: Color, detail: &str) -> SideFault {
    SideFault { color, kind: FaultKind::PrematureOutput, detail: detail.to_owned() }
}

fn engine_of<'a>(
    game: &'a mut LiveGame<'_>,
    color: Color,
) -> Result<&'a mut EngineProcess, (FaultKind, String)> {
    game.players[color].engine().ok_or((FaultKind::Disconnect, "the engine is gone".to_owned()))
}

/// The clock has run out: is the engine slow, or dead?
fn blame_clock(engine: &mut EngineProcess, allowance: Duration) -> (FaultKind, String) {
    let allowed = allowance.as_secs_f64();
    let grace = engine.elapsed() + STOP_GRACE;
    match engine.stop().and_then(|()| engine.finish(grace)) {
        Ok(thought) => {
            let taken = thought.elapsed.as_secs_f64();
            (FaultKind::TimeForfeit, format!("moved after {taken:.3} s with {allowed:.3} s left"))
        }
        Err(error @ ClientError::TimedOut { .. }) => {
            (FaultKind::NoAnswer, format!("{error} with {allowed:.3} s left, nor after `stop`"))
        }
        Err(error) => (kind_of(&error), error.to_string()),
    }
}

/// What is wrong with the last variation, seen from the move that was played.
fn check_variation(board: &Board, mv: Move, info: &InfoLine) -> Option<(FaultKind, String)> {
    let mut line = *board;
    for (index, text) in info.pv.iter().enumerate() {
        let Ok(next) = line.parse_uci(text.as_str()) else {
            let pv = info.pv.iter().map(MoveText::as_str).collect::<Vec<_>>().join(" ");
            let detail = format!("`{text}` in the variation {pv} of {}", board.fen());
            return Some((FaultKind::IllegalPv, detail));
        };
        let is_exact = info.score.is_some_and(|score| score.bound == Bound::Exact);
        if index == 0 && is_exact && next != mv {
            let played = mv.uci(CastlingMode::Standard);
            let detail = format!("played {played} but its variation is {text} in {}", board.fen());
            return Some((FaultKind::PvMismatch, detail));
        }
        line.play(next);
    }
    None
}
