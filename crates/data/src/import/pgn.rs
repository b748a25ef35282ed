// SPDX-License-Identifier: GPL-3.0-or-later
//! Games with scores in their comments.
//!
//! `[%eval 0.3]` values the position after a move, in White's view; `+0.35/12` is what the mover's
//! search said before it, in the mover's view. Either way a score is given to the position that was
//! on the board when it was true.

use std::ops::Range;

use chess::pgn::{PgnGame, PgnNode, PgnReader, engine_note, eval};
use chess::{Board, Color, Move};

use super::lines::LineByLine;
use super::sink::Sink;
use super::value::from_evaluation;
use super::{Advance, Sample};
use crate::{
    DataError, Input, Label, LabelScore, Observer, Origin, Place, Problem, ScoredGame, ScoredMove,
};

/// A position of a game, the move that was played there, and the score if there is one.
struct Step {
    board: Board,
    mv: Move,
    score: Option<LabelScore>,
}

pub(super) fn import(
    input: Input,
    sink: &mut Sink,
    observer: &mut Observer<'_>,
    advance: &mut Advance<'_>,
) -> Result<(), DataError> {
    let path = input.path().to_owned();
    let (stream, lines) = LineByLine::new(input);
    let mut number = 0;
    let mut line = 1;
    for game in PgnReader::new(stream) {
        number += 1;
        let place = Place::GameAtLine { number, line };
        line = lines.get() + 1;
        let mut report =
            |reason: String| observer.problems.report(&path, &Problem::new(place, reason));
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                report(format!("the file cannot be read: {error}"))?;
                break;
            }
        };
        for error in &game.errors {
            report(format!("{} {}", error.place, error.kind))?;
        }
        let written = if sink.wants_games() {
            write_longest_run(&game, sink)?
        } else {
            write_positions(&game, sink)?
        };
        if let Err(reason) = written {
            report(reason)?;
        }
        if number % 64 == 0 {
            advance(observer, sink.imported.positions);
        }
    }
    sink.imported.lines += lines.get();
    Ok(())
}

/// The positions of the main line up to its end or to a null move.
fn steps(game: &PgnGame) -> Vec<Step> {
    let mut board = game.start;
    let mut steps = Vec::new();
    // What the comments so far say of the position on the board.
    let mut known = value_after(&game.mainline.comments);
    for node in &game.mainline.moves {
        let Some(mv) = node.mv else { break };
        let score = value_before(node, board.turn()).or(known);
        steps.push(Step { board, mv, score });
        board.play(mv);
        known = value_after(&node.comments);
    }
    steps
}

/// What an engine said before its move.
fn value_before(node: &PgnNode, mover: Color) -> Option<LabelScore> {
    let note = node.comments.iter().find_map(|comment| engine_note(comment))?;
    Some(from_evaluation(note.value, mover))
}

/// What an annotator says of the position that has come up.
fn value_after(comments: &[String]) -> Option<LabelScore> {
    let eval = comments.iter().find_map(|comment| eval(comment))?;
    Some(from_evaluation(eval.value, Color::White))
}

/// Writes each scored position as a record.
fn write_positions(game: &PgnGame, sink: &mut Sink) -> Result<Result<(), String>, DataError> {
    let mut result = Err("expected a score in a comment, found none".to_owned());
    for step in steps(game) {
        let Some(score) = step.score else { continue };
        let label = Label { best_move: Some(step.mv), score: Some(score), outcome: game.result.0 };
        let written = sink.write_sample(&Sample { board: step.board, label })?;
        if written.is_err() {
            return Ok(written);
        }
        result = Ok(());
    }
    sink.imported.games += u64::from(result.is_ok());
    Ok(result)
}

/// Writes the longest run of moves that all have a score, because games of training data have one
/// at each move.
fn write_longest_run(game: &PgnGame, sink: &mut Sink) -> Result<Result<(), String>, DataError> {
    let Some(outcome) = game.result.0 else {
        return Ok(Err(
            "expected a result, which games of training data need, found `*`".to_owned()
        ));
    };
    let steps = steps(game);
    let run = longest_run(&steps);
    let scored = steps.iter().filter(|step| step.score.is_some()).count();
    if run.is_empty() {
        return Ok(Err("expected a score in a comment, found none".to_owned()));
    }
    let moves = steps[run.clone()]
        .iter()
        .filter_map(|step| Some(ScoredMove { mv: step.mv, score: step.score? }));
    let origin = Origin::Game(outcome);
    let scored_game = ScoredGame { start: steps[run.start].board, origin, moves: moves.collect() };
    let written = sink.write_game(&scored_game)?;
    let lost = scored - run.len();
    if written.is_ok() && lost > 0 {
        return Ok(Err(format!(
            "moves without a score part the game: the longest run of {} scored moves was kept, {lost} \
             were not; an output ending in `.qrec` keeps all",
            run.len()
        )));
    }
    Ok(written)
}

fn longest_run(steps: &[Step]) -> Range<usize> {
    let mut longest = 0..0;
    let mut start = 0;
    for (i, step) in steps.iter().enumerate() {
        if step.score.is_none() {
            start = i + 1;
        } else if i + 1 - start > longest.len() {
            longest = start..i + 1;
        }
    }
    longest
}
