// SPDX-License-Identifier: GPL-3.0-or-later
//! Shards of many files: all records, each once, whatever happened on the way.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{SMALL, Workshop, load, random_games, sorted};
use data::expand::{Expansion, expand};
use data::shard::{MANIFEST, Manifest, Sharding, shard, verify};
use data::shuffle::Duplicates;
use data::{DataError, Record};

/// Small tasks, so that there are many.
fn how() -> Sharding {
    // The games say what their scores count, the records do not.
    let unmarked = data::Unmarked::Centipawns;
    let expansion = Expansion { keep_all: true, unmarked, ..Expansion::default() };
    Sharding { expansion, shards: Some(5), task_records: 300, ..Sharding::default() }
}

fn make(
    workshop: &mut Workshop,
    inputs: &[PathBuf],
    out: &Path,
    how: &Sharding,
) -> Result<Manifest, DataError> {
    workshop.run(|observer| shard(inputs, out, how, observer))
}

fn records(folder: &Path, manifest: &Manifest) -> Vec<Record> {
    manifest.shards.iter().flat_map(|shard| load(&folder.join(&shard.name))).collect()
}

/// A file of games, and the records of others.
fn inputs(workshop: &mut Workshop) -> Vec<PathBuf> {
    let games = workshop.games("games.vf", &random_games(3, 40));
    let others = workshop.path("others.qrec");
    let settings = Expansion { keep_all: true, ..Expansion::default() };
    let made = workshop.run(|observer| expand(&[SMALL.into()], &others, None, &settings, observer));
    assert!(made.unwrap().records[0] > 1000);
    vec![games, others]
}

#[test]
fn all_records_are_there_once_and_the_manifest_says_so() {
    let mut workshop = Workshop::new();
    let inputs = inputs(&mut workshop);
    let (out, whole) = (workshop.path("out"), workshop.path("whole.qrec"));
    let manifest = make(&mut workshop, &inputs, &out, &how()).unwrap();
    let settings = how().expansion;
    let games = [inputs[0].clone()];
    workshop.run(|observer| expand(&games, &whole, None, &settings, observer)).unwrap();
    let mut expected = load(&whole);
    expected.extend(load(&inputs[1]));
    let found = records(&out, &manifest);
    assert_eq!(sorted(&found), sorted(&expected));
    assert_eq!((manifest.records(), manifest.shards.len()), (found.len() as u64, 5));
    assert!(!out.join(".work").exists());
    assert_eq!(verify(&out).unwrap(), (manifest.clone(), vec![]));
    // What is complete is not written over.
    let error = make(&mut workshop, &inputs, &out, &how()).unwrap_err().to_string();
    assert!(error.contains("is complete"), "{error}");
    // A byte that changed is noticed.
    let shard = out.join(&manifest.shards[2].name);
    let mut bytes = fs::read(&shard).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&shard, bytes).unwrap();
    let (_, faults) = verify(&out).unwrap();
    assert!(faults.len() == 1 && faults[0].1.contains("sha256"), "{faults:?}");
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let mut workshop = Workshop::new();
    let inputs = inputs(&mut workshop);
    let [first, second] = ["first", "second"].map(|name| workshop.path(name));
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let manifest = make(&mut workshop, &inputs, &first, &how()).unwrap();
    // Whoever is told of the third step breaks off.
    let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut steps = 0;
        let mut problems = data::Problems::default();
        let mut progress = |_| {
            steps += 1;
            assert!(steps < 3, "broken off");
        };
        let mut observer = data::Observer { problems: &mut problems, progress: &mut progress };
        one.install(|| shard(&inputs, &second, &how(), &mut observer).map(drop))
    }));
    assert!(broken.is_err() && second.join(".work").exists());
    // With other settings it is another job.
    let other = Sharding { shards: Some(6), ..how() };
    let error = make(&mut workshop, &inputs, &second, &other).unwrap_err().to_string();
    assert!(error.contains("unfinished"), "{error}");
    let again = make(&mut workshop, &inputs, &second, &how()).unwrap();
    assert_eq!(again, manifest);
    assert!(second.join(MANIFEST).exists());
}

#[test]
fn equal_positions_and_validation_are_kept_apart() {
    let mut workshop = Workshop::new();
    let inputs = inputs(&mut workshop);
    let twice = [inputs.clone(), inputs].concat();
    let out = workshop.path("out");
    let expansion =
        Expansion { duplicates: Duplicates::DropLater, validation_share: 0.3, ..how().expansion };
    let how = Sharding { expansion, ..how() };
    let manifest = make(&mut workshop, &twice, &out, &how).unwrap();
    let validation = manifest.shards.last().unwrap();
    assert_eq!(validation.name, "validation.qrec");
    assert!(validation.records > 0 && manifest.games[1] > 0);
    let mut of_training = HashSet::new();
    for shard in &manifest.shards[..5] {
        for record in load(&out.join(&shard.name)) {
            assert!(of_training.insert(record.identity()), "a position is there twice");
        }
    }
}
