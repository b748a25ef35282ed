// SPDX-License-Identifier: GPL-3.0-or-later
//! Many games on many threads, written in order.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use data::{DataError, Unit};
use search::{Mode, Network, Ranking};
use serde_json::json;
use tools::store;

use crate::files::Store;
use crate::{
    Files, GameGenerator, GenerationProgress, GenerationSettings, Goal, Openings, SelfPlayError,
    Writing,
};

/// Who plays, and how.
#[derive(Clone, Copy, Debug)]
pub struct Generator<'a> {
    /// How games are played.
    pub settings: &'a GenerationSettings,
    /// Where they begin.
    pub openings: &'a Openings,
    /// What evaluates.
    pub network: &'a Network,
    /// What ranks moves for a tree search.
    pub ranking: &'a Ranking,
    /// How many games at a time.
    pub threads: usize,
}

/// What a run has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GenerationOutcome {
    /// What the files held at the start.
    pub before: GenerationProgress,
    /// What they hold now.
    pub after: GenerationProgress,
    /// How many files there are, those included that were taken away.
    pub files: usize,
    /// Whether the goal was reached.
    pub is_done: bool,
}

/// Plays games until the goal is reached or `stop` is set, and appends them to the files. A game that was cut
/// off by a crash is taken out first.
pub fn run(
    files: Files<'_>,
    goal: Goal,
    generator: &Generator<'_>,
    stop: &AtomicBool,
    mut report: impl FnMut(GenerationProgress),
) -> Result<GenerationOutcome, SelfPlayError> {
    let Generator { settings, openings, network, ranking, threads } = *generator;
    remember_settings(files.first, settings)?;
    let mut store = Store::open(files, settings)?;
    let before = store.progress();
    let mut progress = before;
    report(progress);
    let next = AtomicU64::new(before.games);
    let is_over = AtomicBool::new(is_reached(goal, progress));
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel(4 * threads);
        for _ in 0..threads {
            let (sender, next, is_over) = (sender.clone(), &next, &is_over);
            let work = move || {
                let mut player =
                    GameGenerator::new(settings, openings, network.clone(), ranking.clone());
                while !is_over.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if sender.send((number, player.play(number))).is_err() {
                        break;
                    }
                }
            };
            let builder = thread::Builder::new().stack_size(search::STACK_BYTES);
            builder.spawn_scoped(scope, work).map_err(SelfPlayError::Thread)?;
        }
        drop(sender);
        let mut waiting: BTreeMap<u64, Writing> = BTreeMap::new();
        for (number, game) in receiver {
            waiting.insert(number, game);
            while !is_over.load(Ordering::Relaxed)
                && let Some(game) = waiting.remove(&progress.games)
            {
                store.append(&game)?;
                progress = store.progress();
                report(progress);
                let is_last = is_reached(goal, progress) || stop.load(Ordering::Relaxed);
                is_over.store(is_last, Ordering::Relaxed);
            }
        }
        store.sync()?;
        let files = store.count();
        Ok(GenerationOutcome {
            before,
            after: progress,
            files,
            is_done: is_reached(goal, progress),
        })
    })
}

const fn is_reached(goal: Goal, progress: GenerationProgress) -> bool {
    match goal {
        Goal::Games(games) => progress.games >= games,
        Goal::Positions(positions) => progress.positions >= positions,
    }
}

/// Compares the settings with those that began the file, or writes them beside it.
fn remember_settings(path: &Path, settings: &GenerationSettings) -> Result<(), SelfPlayError> {
    let beside = path.with_added_extension("json");
    let new =
        serde_json::to_value(settings).map_err(|error| DataError::Usage(error.to_string()))?;
    let Ok(text) = fs::read_to_string(&beside) else {
        return Ok(store::write_state(&beside, &new).map_err(DataError::from)?);
    };
    let mut old: serde_json::Value = serde_json::from_str(&text)
        .map_err(|error| DataError::format(&beside, error.to_string()))?;
    // Files from before there was a choice.
    let older = [
        ("mode", json!(Mode::AlphaBeta.name())),
        ("policy", json!("")),
        ("unit", json!(Unit::Points.name())),
        ("leaves", json!(0.0)),
        ("leaf_nodes", json!(GenerationSettings::new(0, 1, String::new()).leaf_nodes)),
    ];
    for (name, value) in older {
        if let Some(fields) = old.as_object_mut() {
            fields.entry(name).or_insert(value);
        }
    }
    let mut fields = new.as_object().into_iter().flatten();
    let different = fields.find(|(name, value)| old.get(name) != Some(value));
    different.map_or(Ok(()), |(name, value)| {
        let was = old.get(name).unwrap_or(&serde_json::Value::Null);
        let difference = format!("{name} was {was}, is {value}");
        Err(SelfPlayError::Settings { path: path.to_owned(), difference })
    })
}
