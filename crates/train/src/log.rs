// SPDX-License-Identifier: GPL-3.0-or-later
//! The log of a run: one row for each interval.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::checkpoint::replace;
use crate::error::TrainError;

const COLUMNS: &str = "step,positions,train_loss,validation_loss,lr,positions_per_second";

/// What is known after an interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Row {
    /// Steps taken.
    pub step: u64,
    /// Positions seen.
    pub positions: u64,
    /// The mean loss over the interval.
    pub train_loss: f64,
    /// The loss on positions that are not learnt from.
    pub validation_loss: f64,
    /// The learning rate of the last step.
    #[serde(rename = "lr")]
    pub rate: f32,
    /// The speed over the interval.
    pub positions_per_second: f64,
}

impl Row {
    /// A row from its line; nothing if the line was cut or is the heading.
    fn parse(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split(',').collect();
        let [step, positions, train_loss, validation_loss, rate, speed] = fields.as_slice() else {
            return None;
        };
        Some(Self {
            step: step.parse().ok()?,
            positions: positions.parse().ok()?,
            train_loss: train_loss.parse().ok()?,
            validation_loss: validation_loss.parse().ok()?,
            rate: rate.parse().ok()?,
            positions_per_second: speed.parse().ok()?,
        })
    }
}

/// The rows of a run's log; cut lines are left out.
pub fn rows(path: &Path) -> Result<Vec<Row>, TrainError> {
    let text = fs::read_to_string(path).map_err(TrainError::io("reading", path))?;
    Ok(text.lines().filter_map(Row::parse).collect())
}

/// A file of rows that grows.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
}

impl Log {
    /// Begins a log, or goes on with one: rows after `step` are dropped, they will come again.
    pub(crate) fn open(path: &Path, step: u64) -> Result<(Self, Option<Row>), TrainError> {
        let old =
            if step > 0 { fs::read_to_string(path).unwrap_or_default() } else { String::new() };
        let mut text = format!("{COLUMNS}\n");
        let mut last = None;
        for line in old.lines() {
            if let Some(row) = Row::parse(line).filter(|row| row.step <= step) {
                text.extend([line, "\n"]);
                last = Some(row);
            }
        }
        replace(path, text.as_bytes())?;
        Ok((Self { path: path.to_owned() }, last))
    }

    /// Appends a row.
    pub(crate) fn append(&self, row: &Row) -> Result<(), TrainError> {
        let Row { step, positions, train_loss, validation_loss, rate, positions_per_second } = row;
        let line = format!(
            "{step},{positions},{train_loss:.8},{validation_loss:.8},{rate:.3e},\
             {positions_per_second:.0}\n"
        );
        let file = fs::OpenOptions::new().append(true).open(&self.path);
        file.and_then(|mut file| file.write_all(line.as_bytes()))
            .map_err(TrainError::io("writing", &self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_after_the_checkpoint_and_cut_rows_are_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log.csv");
        let row = |step| Row {
            step,
            positions: 10 * step,
            train_loss: 0.25,
            validation_loss: 0.5,
            rate: 1e-3,
            positions_per_second: 7.0,
        };
        let (log, last) = Log::open(&path, 0).unwrap();
        assert_eq!(last, None);
        for step in [10, 20, 30] {
            log.append(&row(step)).unwrap();
        }
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}40,40")).unwrap();
        let (log, last) = Log::open(&path, 20).unwrap();
        assert_eq!(last, Some(row(20)));
        log.append(&row(30)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}
