// SPDX-License-Identifier: GPL-3.0-or-later
//! The review of a game, and what networks say of it without any search.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use chess::{Board, Color, Game, Outcome};
use engine::{Engine, Evaluation, Limits, Line, Listener, Points};
use search::Evaluator;

use super::stop::Stop;
use super::{Job, Minds, ThinkerWorker, as_line, search, texts, value};
use crate::protocol::{Judged, LayerView, Opinion, Reply, SideReview, Value, View};
use crate::review::{self, Judgement, Side, Verdict, Worth};

/// What the page shows of a worth.
fn worth(value: Value) -> Worth {
    match (value.mate, value.cp) {
        (Some(moves), _) => Worth::Mate(moves),
        (None, cp) => Worth::Centipawns(cp.unwrap_or(0)),
    }
}

/// What a position that ends the game is worth.
fn ended(game: &Game) -> Option<(Verdict, Value)> {
    let ending = game.ending()?;
    let (worth, value) = match ending.outcome {
        Outcome::Draw => {
            (Worth::Centipawns(0), Value { cp: Some(0), mate: None, wdl: [0, 1000, 0] })
        }
        Outcome::Decisive { winner } => {
            let wdl = if winner == Color::White { [1000, 0, 0] } else { [0, 0, 1000] };
            (Worth::mated(!winner), Value { cp: None, mate: Some(0), wdl })
        }
    };
    Some((Verdict { worth, best: Vec::new(), second: None }, value))
}

/// What a position is worth that is not searched.
fn unknown() -> (Verdict, Value) {
    let value = Value { cp: Some(0), mate: None, wdl: [0, 1000, 0] };
    (Verdict { worth: Worth::Centipawns(0), best: vec![], second: None }, value)
}

/// Searches a position for a review.
fn verdict(engine: &mut Engine, game: &Game, limits: &Limits, stop: &Stop) -> (Verdict, Value) {
    if let Some(ended) = ended(game) {
        return ended;
    }
    let board = *game.board();
    let second: Arc<Mutex<Option<Line>>> = Arc::default();
    let seen = Arc::clone(&second);
    let listener: Listener = Arc::new(move |event| {
        if let Some((line, _)) = as_line(&event).filter(|(line, _)| line.rank == 2) {
            *seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(line.clone());
        }
    });
    let limits = Limits { multi_pv: 2, ..limits.clone() };
    let answer = search(engine, game, limits, stop, listener);
    let Some(best) = answer.and_then(|answer| answer.best) else { return unknown() };
    let found = value(&board, best.score);
    let second = second.lock().unwrap_or_else(PoisonError::into_inner).take();
    let second = second.map(|line| worth(value(&board, line.score)));
    (Verdict { worth: worth(found), best: best.moves, second }, found)
}

/// A game that was judged move by move.
#[derive(Clone, Debug)]
pub struct GameReview {
    /// What each position is worth, the first one included.
    pub values: Vec<Value>,
    /// Every move.
    pub moves: Vec<Judgement>,
    /// White's share and Black's.
    pub sides: [Side; 2],
}

/// Judges every move of a game with these limits for each position; nothing if it is stopped before the end.
/// `on_position` is called after each position, of which there is one more than moves.
pub fn review_game(
    engine: &mut Engine,
    game: &Game,
    limits: &Limits,
    stop: &Stop,
    mut on_position: impl FnMut(),
) -> Option<GameReview> {
    let mut at = game.clone();
    let mut verdicts = Vec::new();
    // From the end, so that the table knows what comes later.
    loop {
        if stop.is_stopped() {
            return None;
        }
        verdicts.push(verdict(engine, &at, limits, stop));
        on_position();
        if at.undo().is_none() {
            break;
        }
    }
    verdicts.reverse();
    let moves = judgements(game, &verdicts);
    let sides = review::sides(verdicts[0].0.worth, game.start().turn(), &moves);
    Some(GameReview { values: verdicts.iter().map(|(_, value)| *value).collect(), moves, sides })
}

impl ThinkerWorker {
    pub(super) fn review(&self, engine: &mut Engine, job: &Job, nodes: u32) {
        let (id, all) = (job.id, job.game.moves().len() as u32 + 1);
        let limits = Limits::of_nodes(nodes.clamp(100, 50_000_000).into());
        let mut done = 0;
        let progress = || {
            done += 1;
            self.tell(Reply::Progress { id, done, all });
        };
        let review = review_game(engine, &job.game, &limits, &job.stop, progress);
        self.tell(review.map_or(Reply::Done { id }, |review| reviewed(id, &job.game, &review)));
    }
}

/// Judges every move of a game.
fn judgements(game: &Game, verdicts: &[(Verdict, Value)]) -> Vec<Judgement> {
    let mut board = *game.start();
    let mut last = None;
    let mut found = Vec::new();
    for (i, &mv) in game.moves().iter().enumerate() {
        found.push(review::judge(&board, last, mv, &verdicts[i].0, verdicts[i + 1].0.worth));
        board.play(mv);
        last = Some(mv);
    }
    found
}

fn reviewed(id: u32, game: &Game, review: &GameReview) -> Reply {
    let mut board = *game.start();
    let mut moves = Vec::new();
    for (i, (judgement, &mv)) in review.moves.iter().zip(game.moves()).enumerate() {
        moves.push(Judged {
            mv: texts(&board, &[mv]).concat(),
            value: review.values[i + 1],
            chance: judgement.worth.chance(),
            accuracy: judgement.accuracy,
            mark: judgement.mark.map(|mark| mark.glyph().to_owned()),
            better: texts(&board, &judgement.better),
        });
        board.play(mv);
    }
    let sides = review.sides.map(|side| SideReview {
        accuracy: side.accuracy,
        acpl: side.loss,
        marks: side.marks,
    });
    Reply::Reviewed { id, start: review.values[0], moves, sides }
}

impl Minds {
    /// How every network sees a position.
    pub(crate) fn views(&self, board: &Board) -> Vec<View> {
        let names = engine::networks::names().into_iter();
        names.filter_map(|name| self.view(name, board)).collect()
    }

    fn view(&self, name: &str, board: &Board) -> Option<View> {
        let network = self.network(name).ok()?;
        let evaluation = Evaluation::new(board, &network);
        let mut evaluator = Evaluator::new(&network);
        let (start, times) = (Instant::now(), 8);
        for _ in 0..times {
            evaluator.reset(board);
            std::hint::black_box(evaluator.evaluate(board));
        }
        let micros = start.elapsed().as_secs_f64() * 1e6 / f64::from(times);
        let parts = evaluation.contributions.iter();
        let pieces =
            parts.map(|part| (part.square.to_string(), evaluation.pawns(Points(part.white))));
        let layers = evaluation.hidden.iter();
        Some(View {
            network: name.to_owned(),
            architecture: evaluation.architecture.to_owned(),
            value: value(board, evaluation.score),
            pieces: pieces.collect(),
            layers: layers
                .map(|layer| LayerView {
                    name: layer.name.to_owned(),
                    values: layer.values.clone(),
                })
                .collect(),
            micros,
        })
    }

    /// How every network sees each position of a game.
    pub(crate) fn opinions(&self, game: &Game) -> Vec<Opinion> {
        let opinion = |name: &str| {
            let network = self.network(name).ok()?;
            let mut evaluator = Evaluator::new(&network);
            let mut board = *game.start();
            evaluator.reset(&board);
            let mut values = vec![value(&board, evaluator.evaluate(&board))];
            for &mv in game.moves() {
                evaluator.reset({
                    board.play(mv);
                    &board
                });
                values.push(value(&board, evaluator.evaluate(&board)));
            }
            Some(Opinion { network: name.to_owned(), values })
        };
        engine::networks::names().into_iter().filter_map(opinion).collect()
    }
}
