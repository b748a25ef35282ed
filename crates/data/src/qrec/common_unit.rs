// SPDX-License-Identifier: GPL-3.0-or-later
//! Files of records that are used together must count their scores alike.

use std::path::Path;

use super::RecordFile;
use crate::{DataError, Unit};

/// What all of these files of records hold, or why they cannot be learnt from together.
pub fn common_unit<'a>(
    files: impl IntoIterator<Item = &'a RecordFile>,
) -> Result<Option<Unit>, DataError> {
    let mut common: Option<(&Path, Option<Unit>)> = None;
    for file in files {
        let unit = file.header().unit;
        let refuse = |reason: String| Err(DataError::format(file.path(), reason));
        if unit == Some(Unit::Points) {
            return refuse(
                "the scores are points, expected centipawns: `quincunx data shuffle \
                           --unit points` converts them"
                    .to_owned(),
            );
        }
        match common {
            Some((first, before)) if before != unit => {
                let name = |unit: Option<Unit>| unit.map_or("not marked with a unit", Unit::name);
                return refuse(format!(
                    "the scores are {}, those of `{}` are {}: `quincunx data shuffle --unit \
                     centipawns` marks the file that is not, `--unit points` converts it",
                    name(unit),
                    first.display(),
                    name(before)
                ));
            }
            _ => common = Some((file.path(), unit)),
        }
    }
    Ok(common.and_then(|(_, unit)| unit))
}
