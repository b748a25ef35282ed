// SPDX-License-Identifier: GPL-3.0-or-later
//! From games with visits to records that a policy learns from.
//!
//! A record has room for one best move, not for a distribution. So a position becomes several records,
//! each with a move drawn by chance, the likelier the more it was visited. The expected cross-entropy of
//! such a record, and its gradient, are those of the whole distribution: nothing is lost but some noise,
//! and trainers need not know of visits.

use std::path::{Path, PathBuf};

use tools::random::{Rng, mix, unit};

use super::{RawVisits, VisitedGame, VisitsError, VisitsReader, sorted_moves};
use crate::halves::Halves;
use crate::shuffle::Duplicates;
use crate::unit::{Need, Treatment, Units, converted};
use crate::{
    DataError, Filter, GamePosition, Input, Observer, Place, Problem, ReadProgress, Record,
    ScoredMove, Unit, Unmarked,
};

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// Records of each position.
    pub draws: usize,
    /// The share of games, from 0 to 1, that goes to the validation file. A game's content decides.
    pub validation_share: f64,
    /// What is done to points, which older self-play wrote: converted, or refused.
    pub unmarked: Unmarked,
    /// Decides the draws and the order of the records.
    pub seed: u64,
}

/// What was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SampleSummary {
    /// Games that were read, by file: training and validation.
    pub games: [u64; 2],
    /// Records that were written, likewise.
    pub records: [u64; 2],
    /// Positions in the games.
    pub positions: u64,
}

/// Draws moves from the visits of all games of some files, and writes them as records in random order.
/// Games that cannot be read are reported.
pub fn sample(
    inputs: &[PathBuf],
    training: &Path,
    validation: Option<&Path>,
    settings: Sampling,
    observer: &mut Observer<'_>,
) -> Result<SampleSummary, DataError> {
    let share = if validation.is_some() { settings.validation_share } else { 0.0 };
    let mut halves = Halves::create(training, validation, settings.seed, Duplicates::Keep)?;
    let mut summary = SampleSummary::default();
    let mut progress =
        ReadProgress { total: Input::bytes_on_disk(inputs), ..ReadProgress::default() };
    for path in inputs {
        let input = Input::open(path)?;
        let (read, before) = (input.bytes_read(), progress.done);
        let (games, treatment) = games(input, settings.unmarked)?;
        for game in games {
            match game.and_then(|(place, raw)| Ok((draw(&raw, place, settings, treatment)?, raw))) {
                Ok((records, raw)) => {
                    summary.positions += raw.plies() as u64;
                    let is_validation = unit(raw.hash()) < share;
                    halves.count_game(is_validation);
                    halves.add(records, is_validation)?;
                }
                Err(problem) => observer.problems.report(path, &problem)?,
            }
            progress.done = before + read.load(std::sync::atomic::Ordering::Relaxed);
            progress.positions = summary.positions;
            (observer.progress)(progress);
        }
    }
    (summary.games, summary.records) = halves.finish(Some(Unit::Centipawns))?;
    Ok(summary)
}

/// The games of a file with their places, and what is to be done to their scores. A file that is none at
/// all is a problem of its first byte.
#[expect(clippy::type_complexity, reason = "an iterator that is used once")]
fn games(
    input: Input,
    unmarked: Unmarked,
) -> Result<(impl Iterator<Item = Result<(Place, RawVisits), Problem>>, Treatment), DataError> {
    let path = input.path().to_owned();
    let (reader, refused) = match VisitsReader::new(input) {
        Ok(reader) => (Some(reader), None),
        Err(error) => (None, Some(Err(Problem::new(Place::Byte(0), error)))),
    };
    let unit = reader.as_ref().map(VisitsReader::unit);
    let treatment = Units::new(unmarked, Need::Centipawns).admit(unit);
    let treatment = treatment.map_err(|reason| DataError::format(&path, reason))?;
    let mut offset = super::HEADER_BYTES as u64;
    let games = reader.into_iter().flatten().zip(1..).map(move |(game, number)| {
        let place = Place::Game { number, offset };
        let game = game.map_err(|error: VisitsError| Problem::new(place, error))?;
        offset += game.length();
        Ok((place, game))
    });
    Ok((refused.into_iter().chain(games), treatment))
}

/// The records of a game.
fn draw(
    raw: &RawVisits,
    place: Place,
    settings: Sampling,
    treatment: Treatment,
) -> Result<Vec<Record>, Problem> {
    let mut game = raw.decode().map_err(|error| Problem::new(place, error))?;
    if let Treatment::Convert(convert) = treatment {
        let mut board = game.start;
        for visited in &mut game.moves {
            visited.score = converted(&board, visited.score, convert);
            board.play(visited.mv);
        }
    }
    let mut rng = Rng::new(mix(raw.hash() ^ settings.seed));
    let mut records = Vec::with_capacity(game.moves.len() * settings.draws);
    for (position, weights) in positions(&game) {
        let moves = sorted_moves(&position.board);
        let is_quiet = Filter::default().verdict_in_game(&position).is_none();
        for _ in 0..settings.draws {
            let mv = moves[drawn(weights, &mut rng)];
            let played = ScoredMove { mv, ..position.played };
            let record = GamePosition { played, ..position.clone() }.record();
            let record = record.map_err(|error| Problem::new(place, error))?;
            records.push(record.with_quiet(is_quiet));
        }
    }
    Ok(records)
}

/// The positions of a game, each with the visits of its moves.
fn positions(game: &VisitedGame) -> impl Iterator<Item = (GamePosition, &[u8])> {
    let mut board = game.start;
    game.moves.iter().enumerate().map(move |(ply, visited)| {
        let before = board;
        board.play(visited.mv);
        let played = ScoredMove { mv: visited.mv, score: visited.score };
        let position = GamePosition { board: before, ply, played, outcome: Some(game.outcome) };
        (position, visited.visits.as_slice())
    })
}

/// An index drawn in proportion to its weight; any, if none has one.
fn drawn(weights: &[u8], rng: &mut Rng) -> usize {
    let sum: usize = weights.iter().map(|&weight| usize::from(weight)).sum();
    if sum == 0 {
        return rng.below(weights.len());
    }
    let mut left = rng.below(sum);
    for (index, &weight) in weights.iter().enumerate() {
        match left.checked_sub(weight.into()) {
            Some(rest) => left = rest,
            None => return index,
        }
    }
    unreachable!("the weights add up to more than was drawn")
}

#[cfg(test)]
mod tests {
    use chess::{Board, Outcome};

    use super::*;
    use crate::visits::VisitedMove;

    #[test]
    fn moves_are_drawn_as_often_as_they_were_visited() {
        let mut rng = Rng::new(7);
        let weights = [0, 255, 85, 0, 170];
        let mut counts = [0; 5];
        for _ in 0..60_000 {
            counts[drawn(&weights, &mut rng)] += 1;
        }
        assert_eq!((counts[0], counts[3]), (0, 0));
        for (count, expected) in [(counts[1], 30_000), (counts[2], 10_000), (counts[4], 20_000)] {
            assert!(i32::abs(count - expected) < 500, "{counts:?}");
        }
        assert!(drawn(&[0, 0], &mut rng) < 2);
    }

    #[test]
    fn a_game_becomes_records_with_legal_moves() {
        let start = Board::default();
        let mv = start.parse_uci("e2e4").unwrap();
        let other = start.parse_uci("d2d4").unwrap();
        let visits = |seen| if seen == mv || seen == other { 100 } else { 0 };
        let moves = vec![VisitedMove::new(
            &start,
            mv,
            crate::LabelScore::clamped(chess::White::new(30)),
            visits,
        )];
        let mut bytes = Vec::new();
        super::super::write_header(&mut bytes).unwrap();
        let game = VisitedGame { start, outcome: Outcome::Draw, moves };
        super::super::write_visits(&mut bytes, &game).unwrap();
        bytes.extend([1, 2, 3]);
        let (mut found, treatment) =
            games(Input::from_bytes("visits", bytes), Unmarked::Unknown).unwrap();
        let (place, raw) = found.next().unwrap().unwrap();
        let settings =
            Sampling { draws: 64, validation_share: 0.0, unmarked: Unmarked::Unknown, seed: 1 };
        let records = draw(&raw, place, settings, treatment).unwrap();
        assert_eq!(records.len(), 64);
        let of = |wanted| records.iter().filter(|r| r.best_move() == Some(wanted)).count();
        assert_eq!(of(mv) + of(other), 64);
        assert!(of(mv) > 10 && of(other) > 10);
        assert_eq!(records[0].score().get(), 30);
        assert!(found.next().unwrap().is_err(), "the rest is no game");
        assert!(found.next().is_none());
    }

    #[test]
    fn what_is_no_file_of_visits_is_named() {
        let input = Input::from_bytes("no", b"something else here".to_vec());
        let (problem, _) = games(input, Unmarked::Unknown).unwrap();
        let problem = problem.last().unwrap().unwrap_err();
        assert!(problem.reason.contains("QUINCVIS"), "{}", problem.reason);
    }
}
