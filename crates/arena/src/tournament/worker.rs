// SPDX-License-Identifier: GPL-3.0-or-later
//! One of the threads that play: takes a pair, plays both games, reports them.
//!
//! Engines are started by the thread that uses them and are gone before it ends, since the kernel
//! ties their lives to it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chess::{CastlingMode, Color};
use tools::live::LiveGame;
use uci::{ClientError, ScoreValue};

use super::PairNumbers;
use super::format::Pairing;
use super::settings::MatchSettings;
use super::standings::PairResult;
use crate::openings::{Opening, OpeningBook};
use crate::referee::{GameFault, GameRecord, Played, Player, Referee, Rules, TableRule};
use crate::stats::FirstResult;

/// A finished pair of games.
#[derive(Clone, Debug)]
pub struct PairRecord {
    /// What counts.
    pub result: PairResult,
    /// The first game, the pairing's first engine playing White, and the second with colors
    /// swapped.
    pub games: [GameRecord; 2],
}

/// A game under way.
#[derive(Clone, Debug)]
pub struct BoardView {
    /// The game's number in the match, from 1.
    pub game: usize,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The first position, as a FEN.
    pub start: String,
    /// The moves since, those of the opening included, in UCI notation.
    pub moves: Vec<String>,
    /// The last score, from White's point of view.
    pub score: Option<ScoreValue>,
    /// White's and Black's clocks after the last move of each, if they have one.
    pub clocks: [Option<Duration>; 2],
}

impl BoardView {
    fn new(
        game: usize,
        [white, black]: [&Player; 2],
        opening: &Opening,
        mode: CastlingMode,
    ) -> Self {
        Self {
            game,
            white: white.spec().name.clone(),
            black: black.spec().name.clone(),
            start: opening.start.fen().to_string(),
            moves: opening.moves.iter().map(|mv| mv.uci(mode).to_string()).collect(),
            score: None,
            clocks: [None; 2],
        }
    }

    fn add(&mut self, played: &Played) {
        self.moves.push(played.mv.clone());
        let is_white = played.color == Color::White;
        self.score = if is_white { played.score } else { played.score.map(flip) };
        self.clocks[usize::from(!is_white)] = played.clock;
    }

    /// The game as it is shown to whoever watches the folder.
    pub(crate) fn live(&self) -> LiveGame {
        let score = self.score.map(|score| match score {
            ScoreValue::Cp(score) => format!("{:.2}", f64::from(score) / 100.0),
            ScoreValue::Mate(moves) => format!("#{moves}"),
        });
        LiveGame {
            id: self.game.to_string(),
            white: self.white.clone(),
            black: self.black.clone(),
            fen: self.start.clone(),
            moves: self.moves.clone(),
            clocks: self.clocks.map(|clock| clock.map(|left| left.as_millis() as u64)),
            score,
        }
    }
}

/// The games that are under way.
pub(super) fn snapshot(boards: &[Mutex<Option<BoardView>>]) -> Vec<BoardView> {
    boards.iter().filter_map(|board| lock(board).clone()).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a worker reports.
pub(super) enum Event {
    Finished(Box<PairRecord>),
    Warning(String),
    Failed(ClientError),
}

/// What a worker needs.
pub(super) struct MatchWorker<'a> {
    pub(super) settings: &'a MatchSettings,
    pub(super) rules: &'a Rules,
    pub(super) book: &'a OpeningBook,
    pub(super) next: &'a Mutex<PairNumbers>,
    pub(super) should_stop: &'a AtomicBool,
    pub(super) board: &'a Mutex<Option<BoardView>>,
    pub(super) events: Sender<Event>,
}

impl MatchWorker<'_> {
    /// Plays pairs until there are no more.
    pub(super) fn work(self) {
        let pairings = self.settings.pairings();
        let mut seats: Option<(Pairing, [Player; 2])> = None;
        while !self.should_stop.load(Ordering::Relaxed) {
            let Some(pair) = lock(self.next).next() else { break };
            let pairing = pairings[pair % pairings.len()];
            let mut players = match seats.take() {
                Some((seated, players)) if seated == pairing => players,
                other => {
                    dismiss(other);
                    [pairing.first, pairing.second].map(|engine| self.player(engine))
                }
            };
            let played = self.play_pair(pair, pairing, &mut players);
            self.report_warnings(&players);
            seats = Some((pairing, players));
            match played {
                Ok(Some(record)) => self.report(Event::Finished(Box::new(record))),
                Ok(None) => break,
                Err(error) => {
                    self.report(Event::Failed(error));
                    break;
                }
            }
        }
        *lock(self.board) = None;
        dismiss(seats);
    }

    /// Nobody listens any more only when the match is broken off.
    fn report(&self, event: Event) {
        let _ = self.events.send(event);
    }

    /// What engines did not accept of their descriptions, and tables that turned out to be damaged.
    fn report_warnings(&self, players: &[Player; 2]) {
        for warning in players.iter().flat_map(Player::warnings) {
            self.report(Event::Warning(warning.clone()));
        }
        if let Some(damage) = self.rules.tables.as_ref().and_then(TableRule::damage) {
            let message = format!("no game is adjudicated by tables any more: {damage}");
            self.report(Event::Warning(message));
        }
    }

    fn player(&self, engine: usize) -> Player {
        Player::new(self.settings.engines[engine].clone(), self.settings.castling())
    }

    fn play_pair(
        &self,
        pair: usize,
        pairing: Pairing,
        [first, second]: &mut [Player; 2],
    ) -> Result<Option<PairRecord>, ClientError> {
        let opening = self.book.opening(pair);
        let game = 2 * pair + 1;
        let Some(one) = self.play_game(game, first, second, &opening)? else {
            return Ok(None);
        };
        let Some(other) = self.play_game(game + 1, second, first, &opening)? else {
            return Ok(None);
        };
        let outcomes = [
            FirstResult::seen_by(Color::White, one.outcome),
            FirstResult::seen_by(Color::Black, other.outcome),
        ];
        let names = [first.spec().name.as_str(), second.spec().name.as_str()];
        let mut faults = faults(game, &one, names);
        faults.extend(self::faults(game + 1, &other, [names[1], names[0]]));
        let result = PairResult { pair, pairing, outcomes, faults };
        Ok(Some(PairRecord { result, games: [one, other] }))
    }

    fn play_game(
        &self,
        game: usize,
        white: &mut Player,
        black: &mut Player,
        opening: &Opening,
    ) -> Result<Option<GameRecord>, ClientError> {
        let mode = self.rules.castling;
        *lock(self.board) = Some(BoardView::new(game, [white, black], opening, mode));
        let on_move = |played: &Played| {
            if let Some(board) = lock(self.board).as_mut() {
                board.add(played);
            }
        };
        let referee =
            Referee { rules: self.rules, should_stop: self.should_stop, on_move: &on_move };
        referee.play(white, black, opening)
    }
}

fn dismiss(seats: Option<(Pairing, [Player; 2])>) {
    for player in seats.into_iter().flat_map(|(_, players)| players) {
        player.quit();
    }
}

const fn flip(score: ScoreValue) -> ScoreValue {
    match score {
        ScoreValue::Cp(score) => ScoreValue::Cp(score.saturating_neg()),
        ScoreValue::Mate(moves) => ScoreValue::Mate(moves.saturating_neg()),
    }
}

fn faults(game: usize, record: &GameRecord, [white, black]: [&str; 2]) -> Vec<GameFault> {
    let name = |color| if color == Color::White { white } else { black };
    let fault = |fault: &crate::referee::SideFault| GameFault {
        game,
        engine: name(fault.color).to_owned(),
        kind: fault.kind,
        detail: fault.detail.clone(),
    };
    record.faults.iter().map(fault).collect()
}
