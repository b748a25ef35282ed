// SPDX-License-Identifier: GPL-3.0-or-later
//! Files say what their scores count, and jobs mix no units.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{SMALL, Workshop, load, random_games};
use chess::Board;
use data::expand::{Expansion, expand};
use data::qrec::RecordFile;
use data::shuffle::{Shuffling, shuffle};
use data::split::{Parts, split};
use data::stats::stats;
use data::viri::GameReader;
use data::{DataError, LabelPoints, LabelScore, Unit, Unmarked, common_unit};

/// A conversion that is easily seen.
fn halve(_: &Board, points: LabelPoints) -> LabelScore {
    LabelScore::clamped(points.get().map(|points| i64::from(points) / 2))
}

fn expand_as(
    workshop: &mut Workshop,
    input: &[PathBuf],
    unmarked: Unmarked,
) -> Result<PathBuf, DataError> {
    let out = workshop.path("out.qrec");
    let how = Expansion { keep_all: true, unmarked, ..Expansion::default() };
    workshop.run(|observer| expand(input, &out, None, &how, observer))?;
    Ok(out)
}

fn unit(path: &Path) -> Option<Unit> {
    RecordFile::open(path).unwrap().header().unit
}

/// A file as our own self-play left it before it said its unit.
fn older(workshop: &Workshop) -> PathBuf {
    workshop.write("older.vf.json", r#"{"seed": 1, "soft_nodes": 150}"#);
    workshop.write("older.vf", fs::read(SMALL).unwrap())
}

#[test]
fn what_is_not_said_stays_unsaid_until_somebody_says_it() {
    let mut workshop = Workshop::new();
    let small = [PathBuf::from(SMALL)];
    let out = expand_as(&mut workshop, &small, Unmarked::Unknown).unwrap();
    assert_eq!(unit(&out), None);
    let unsaid = load(&out);
    let out = expand_as(&mut workshop, &small, Unmarked::Centipawns).unwrap();
    assert_eq!(unit(&out), Some(Unit::Centipawns));
    assert_eq!(load(&out), unsaid);
    let marked = [workshop.games("marked.vf", &random_games(1, 3))];
    let out = expand_as(&mut workshop, &marked, Unmarked::Unknown).unwrap();
    assert_eq!(unit(&out), Some(Unit::Centipawns));
}

#[test]
fn points_are_refused_or_converted() {
    let mut workshop = Workshop::new();
    let older = [older(&workshop)];
    let found = workshop.run(|observer| stats(&older, Unmarked::Unknown, observer)).unwrap();
    assert_eq!(found.unit, Some(Unit::Points));
    let error = expand_as(&mut workshop, &older, Unmarked::Unknown).unwrap_err().to_string();
    assert!(error.contains("points") && error.contains("`--unit points` converts"), "{error}");
    let plain = expand_as(&mut workshop, &[SMALL.into()], Unmarked::Unknown).unwrap();
    let before = load(&plain);
    let after = expand_as(&mut workshop, &older, Unmarked::Points(halve)).unwrap();
    assert_eq!(unit(&after), Some(Unit::Centipawns));
    for (before, after) in before.iter().zip(load(&after)) {
        assert_eq!(before.identity(), after.identity());
        let score = before.score();
        let expected = if score.is_mate() { score.get() } else { score.get() / 2 };
        assert_eq!(after.score().get(), expected);
    }
}

#[test]
fn units_are_not_mixed() {
    let mut workshop = Workshop::new();
    let marked = workshop.games("marked.vf", &random_games(1, 3));
    let files = [marked, SMALL.into()];
    let error = expand_as(&mut workshop, &files, Unmarked::Unknown).unwrap_err().to_string();
    assert!(error.contains("not marked with a unit") && error.contains("--unit"), "{error}");
    let out = expand_as(&mut workshop, &files, Unmarked::Centipawns).unwrap();
    assert_eq!(unit(&out), Some(Unit::Centipawns));
    let unsaid = workshop.path("unsaid.qrec");
    let how = Expansion::default();
    let small = [PathBuf::from(SMALL)];
    workshop.run(|observer| expand(&small, &unsaid, None, &how, observer)).unwrap();
    let open = |path: &Path| RecordFile::open(path).unwrap();
    let error = common_unit([&open(&out), &open(&unsaid)]).unwrap_err().to_string();
    assert!(error.contains("`quincunx data shuffle"), "{error}");
    let said = workshop.path("said.qrec");
    let how = Shuffling { unmarked: Unmarked::Centipawns, ..Shuffling::default() };
    workshop.run(|observer| shuffle(&[unsaid], &said, how, observer)).unwrap();
    assert_eq!(common_unit([&open(&out), &open(&said)]).unwrap(), Some(Unit::Centipawns));
}

#[test]
fn a_game_goes_the_same_way_whatever_unit_it_says() {
    let mut workshop = Workshop::new();
    let small = [PathBuf::from(SMALL)];
    let mut sides = Vec::new();
    for unmarked in [Unmarked::Unknown, Unmarked::Centipawns, Unmarked::Points(halve)] {
        let [training, validation] =
            ["training.vf", "validation.vf"].map(|name| workshop.path(name));
        let parts = Parts { training: &training, validation: &validation, share: 0.4, unmarked };
        let counts = workshop.run(|observer| split(&small, parts, observer)).unwrap();
        let bytes = fs::read(&validation).unwrap();
        let games: Vec<_> = GameReader::new(&bytes[..]).map(Result::unwrap).collect();
        let moves = |game: &data::ScoredGame| game.moves.iter().map(|m| m.mv).collect::<Vec<_>>();
        sides.push((counts, games.iter().map(moves).collect::<Vec<_>>()));
    }
    assert!(sides[0].0[1] > 0);
    assert!(sides.iter().all(|side| *side == sides[0]));
}

#[test]
fn a_foreign_unit_in_a_header_is_refused() {
    let mut workshop = Workshop::new();
    let out = expand_as(&mut workshop, &[SMALL.into()], Unmarked::Unknown).unwrap();
    let mut bytes = fs::read(&out).unwrap();
    bytes[40] = 7;
    let bad = workshop.write("bad.qrec", bytes);
    let error = RecordFile::open(&bad).unwrap_err().to_string();
    assert!(error.contains("unit of scores"), "{error}");
}
