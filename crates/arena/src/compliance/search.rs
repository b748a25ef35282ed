// SPDX-License-Identifier: GPL-3.0-or-later
//! What an engine printed between `go` and `bestmove`, and what can be said about it.

use chess::{Game, Move};
use uci::{BestMove, Bound, InfoLine, InfoWarning, ScoreValue};

use super::probe::{CaseFault, CaseResult, expect, read_best};

/// One finished search.
#[derive(Debug)]
pub(super) struct Search {
    game: Game,
    /// All lines, `bestmove` last.
    pub(super) lines: Vec<String>,
    /// The `info` lines and what was odd about them.
    infos: Vec<(InfoLine, Vec<InfoWarning>)>,
    pub(super) best: BestMove,
}

impl Search {
    pub(super) fn read(game: Game, lines: Vec<String>) -> Result<Self, CaseFault> {
        let best = read_best(lines.last().map_or("", String::as_str))?;
        let infos = lines.iter().filter_map(|line| InfoLine::parse(line).ok()).collect();
        Ok(Self { game, lines, infos, best })
    }

    /// The line that ended the search, as printed.
    pub(super) fn best_line(&self) -> &str {
        self.lines.last().map_or("", String::as_str)
    }

    /// The move as printed.
    pub(super) fn best_text(&self) -> &str {
        self.best_line().split_ascii_whitespace().nth(1).unwrap_or_default()
    }

    pub(super) fn infos(&self) -> impl Iterator<Item = &InfoLine> {
        self.infos.iter().map(|(info, _)| info)
    }

    pub(super) fn warnings(&self) -> impl Iterator<Item = &InfoWarning> {
        self.infos.iter().flat_map(|(_, warnings)| warnings)
    }

    /// Lines with an exact score for the best line of play.
    pub(super) fn exact(&self) -> impl Iterator<Item = &InfoLine> {
        self.infos().filter(|info| {
            info.multipv.unwrap_or(1) == 1
                && info.score.is_some_and(|score| score.bound == Bound::Exact)
        })
    }

    /// The last of them: what the engine stands by.
    pub(super) fn last_exact(&self) -> Result<&InfoLine, CaseFault> {
        let missing = || CaseFault::Failed("no `info` line with an exact score came".to_owned());
        self.exact().last().ok_or_else(missing)
    }

    pub(super) fn last_score(&self) -> Result<ScoreValue, CaseFault> {
        Ok(self.last_exact()?.score.map_or(ScoreValue::Cp(0), |score| score.value))
    }

    /// The move, which must be legal.
    pub(super) fn legal_move(&self) -> Result<Move, CaseFault> {
        let illegal = || {
            let fen = self.game.board().fen();
            CaseFault::Failed(format!("`{}`, but that is not legal in {fen}", self.best_line()))
        };
        let best = self.best.mv.ok_or_else(illegal)?;
        self.game.board().parse_uci(best.as_str()).map_err(|_| illegal())
    }

    /// The move must be this one, spelled like this.
    pub(super) fn plays(&self, text: &str) -> CaseResult {
        expect(self.best_text() == text, || {
            format!("`{}`, but only {text} is right", self.best_line())
        })
    }

    /// The engine must say that it has no move.
    pub(super) fn has_no_move(&self) -> CaseResult {
        expect(self.best.mv.is_none(), || {
            format!("`{}` in a position without legal moves", self.best_line())
        })
    }

    /// A score of nothing for either side; a hair beside it is allowed, as some engines add noise.
    pub(super) fn is_draw(&self) -> CaseResult {
        let score = self.last_score()?;
        expect(matches!(score, ScoreValue::Cp(-10..=10)), || {
            format!("`score {score}`, but the position is drawn")
        })
    }

    /// Each variation must be legal and end where the game ends.
    pub(super) fn variations_are_sound(&self) -> CaseResult {
        for info in self.infos() {
            let mut game = self.game.clone();
            for (i, text) in info.pv.iter().enumerate() {
                let Ok(mv) = game.board().parse_uci(text.as_str()) else {
                    return Err(CaseFault::Failed(format!("`{info}`: {text} is not legal there")));
                };
                let is_over = i > 0 && (game.ending().is_some() || game.claim().is_some());
                expect(!is_over, || format!("`{info}`: the game is over before {text} is played"))?;
                game.play(mv);
            }
        }
        Ok(())
    }

    /// The position at the end of a variation.
    pub(super) fn after(&self, info: &InfoLine) -> Result<Game, CaseFault> {
        let mut game = self.game.clone();
        for text in &info.pv {
            let mv = game.board().parse_uci(text.as_str());
            game.play(mv.map_err(|error| CaseFault::Failed(error.to_string()))?);
        }
        Ok(game)
    }

    /// The last word must be mate in so many moves, shown to its end.
    pub(super) fn mates_in(&self, moves: i32) -> CaseResult {
        let info = self.last_exact()?;
        let score = self.last_score()?;
        expect(score == ScoreValue::Mate(moves), || {
            format!("`score {score}`, but it is mate {moves}")
        })?;
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        let shown = info.pv.len();
        expect(shown == plies as usize, || {
            format!("a variation of {shown} plies for mate {moves}, where {plies} are right")
        })?;
        expect(self.after(info)?.board().is_checkmate(), || {
            format!("`{info}`: the variation does not end in mate")
        })
    }
}
