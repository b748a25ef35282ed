// SPDX-License-Identifier: GPL-3.0-or-later
//! Where imported positions and games go.

use std::path::Path;

use super::{Format, Imported, Reading, Sample};
use crate::qrec::RecordWriter;
use crate::viri::write_game;
use crate::{DataError, Filter, Input, Output, Record, ScoredGame};

pub(super) struct Sink {
    target: Target,
    filter: Filter,
    max_score: Option<u16>,
    pub(super) imported: Imported,
}

enum Target {
    Records(RecordWriter),
    Games(Output),
}

impl Sink {
    /// Chooses by the name's ending: `.qrec` for records, `.vf` for games, which only PGN has.
    pub(super) fn create(path: &Path, reading: Reading) -> Result<Self, DataError> {
        let wrong = |expected: &str| {
            let found = path.display();
            DataError::Usage(format!("expected an output ending in {expected}, found `{found}`"))
        };
        let target = match (Input::kind(path).as_str(), reading.format) {
            ("qrec", _) if path.extension().is_some_and(|name| name == "qrec") => {
                Target::Records(RecordWriter::create(path)?)
            }
            ("vf", Format::Pgn | Format::OpenBench) => Target::Games(Output::create(path)?),
            (_, Format::Pgn | Format::OpenBench) => {
                return Err(wrong("`.vf` for games or `.qrec` for records"));
            }
            _ => return Err(wrong("`.qrec`, because loose positions are no games")),
        };
        let (filter, imported) = (Filter::default(), Imported::default());
        Ok(Self { target, filter, max_score: reading.max_score, imported })
    }

    /// Whether games are wanted rather than records.
    pub(super) const fn wants_games(&self) -> bool {
        matches!(self.target, Target::Games(_))
    }

    /// Writes a position. The inner error is the position's.
    pub(super) fn write_sample(
        &mut self,
        sample: &Sample,
    ) -> Result<Result<(), String>, DataError> {
        let Target::Records(writer) = &mut self.target else { return Ok(Ok(())) };
        let Sample { board, label } = sample;
        let record = match Record::new(board, *label) {
            Ok(record) => record,
            Err(error) => return Ok(Err(error.to_string())),
        };
        if !record.is_below(self.max_score) {
            self.imported.left_out += 1;
            return Ok(Ok(()));
        }
        let verdict = self.filter.verdict(board, *label, None);
        writer.write(&[record.with_quiet(verdict.is_none())])?;
        self.imported.positions += 1;
        self.imported.scored += u64::from(label.score.is_some());
        self.imported.with_result += u64::from(label.outcome.is_some());
        Ok(Ok(()))
    }

    /// Writes a game. The inner error is the game's.
    pub(super) fn write_game(
        &mut self,
        game: &ScoredGame,
    ) -> Result<Result<(), String>, DataError> {
        let Target::Games(output) = &mut self.target else { return Ok(Ok(())) };
        if let Err(error) = Record::new(&game.start, crate::Label::default()) {
            return Ok(Err(error.to_string()));
        }
        let failed = output.error();
        write_game(output, game).map_err(failed)?;
        let positions = game.moves.len() as u64;
        self.imported.games += 1;
        self.imported.positions += positions;
        self.imported.scored += positions;
        self.imported.with_result += positions;
        Ok(Ok(()))
    }

    pub(super) fn finish(self) -> Result<Imported, DataError> {
        match self.target {
            Target::Records(writer) => writer.finish(self.imported.games).map(|_| ())?,
            Target::Games(output) => output.finish()?,
        }
        Ok(self.imported)
    }
}
