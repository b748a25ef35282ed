// SPDX-License-Identifier: GPL-3.0-or-later
//! Tuning runs: a noisy objective with a known optimum, broken off and resumed, and real games.

use std::path::Path;
use std::sync::Mutex;

use arena::openings::starting_position;
use arena::referee::Rules;
use arena::spsa::{Parameter, Schedule, Spsa, Trial};
use arena::stats::Trinomial;
use arena::trials::{Duel, STATE_FILE, Saved, TrialError};
use arena::tune::{GamePlayer, Objective, TuneState, run};
use arena::{EngineSpec, report};
use tools::Rng;
use tools::store::Lock;

const OPTIMUM: [f64; 2] = [130.0, 0.4];
const PAIRS: u64 = 8;

/// Wins are likelier for the side nearer to the optimum.
struct Hill {
    rng: Mutex<Rng>,
}

impl Hill {
    fn new(seed: u64) -> Self {
        Self { rng: Mutex::new(Rng::new(seed)) }
    }

    fn height(values: &[f64]) -> f64 {
        let scales = [40.0, 0.3];
        let off = |i: usize| ((values[i] - OPTIMUM[i]) / scales[i]).powi(2);
        -(off(0) + off(1))
    }
}

impl Objective for Hill {
    fn play(&self, trial: &Trial, _: &[Parameter]) -> Result<Trinomial, TrialError> {
        let edge = Self::height(&trial.plus) - Self::height(&trial.minus);
        let chance = 0.5 + 0.5 * edge.tanh() * 0.6;
        let mut rng = self.rng.lock().unwrap();
        let wins = (0..2 * PAIRS).filter(|_| rng.unit() < chance).count() as u64;
        Ok(Trinomial { wins, draws: 0, losses: 2 * PAIRS - wins })
    }
}

fn fresh(trials: u64) -> TuneState {
    let parameters = ["margin, int, 60, 0, 300, 8, 0.01", "base, float, 1.2, 0, 2, 0.06, 0.01"];
    let parameters = parameters.map(|line| line.parse().unwrap()).into();
    TuneState::new("a hill", Spsa::new(parameters, Schedule::new(trials), 7).unwrap())
}

/// Runs until `last` trials are reported.
fn climb(folder: &Path, hill: &Hill, workers: usize, last: u64) -> TuneState {
    let folder = Lock::folder(folder).unwrap();
    let state = TuneState::resume_or(&folder, fresh(1500)).unwrap();
    run(&folder, state, hill, workers, |state| state.spsa.reported() < last).unwrap()
}

fn assert_near_the_optimum(state: &TuneState) {
    let values: Vec<f64> = state.spsa.parameters().iter().map(Parameter::value).collect();
    assert!((values[0] - OPTIMUM[0]).abs() < 15.0, "{values:?}");
    assert!((values[1] - OPTIMUM[1]).abs() < 0.12, "{values:?}");
}

#[test]
fn the_optimum_is_found_though_the_run_is_broken_off() {
    let folder = tempfile::tempdir().unwrap();
    let hill = Hill::new(1);
    for last in [200, 201, 900] {
        climb(folder.path(), &hill, 1, last);
        let kept = TuneState::read(folder.path()).unwrap().unwrap();
        assert_eq!(kept.spsa.reported(), last);
    }
    let state = climb(folder.path(), &hill, 1, u64::MAX);
    assert!(state.spsa.is_finished());
    assert_eq!(state.games.wins + state.games.losses, 1500 * 2 * PAIRS);
    assert_near_the_optimum(&state);
}

#[test]
fn breaking_off_changes_nothing() {
    let (whole, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let at_once = climb(whole.path(), &Hill::new(3), 1, 300);
    let hill = Hill::new(3);
    climb(broken.path(), &hill, 1, 120);
    let in_parts = climb(broken.path(), &hill, 1, 300);
    assert_eq!(at_once.spsa.parameters(), in_parts.spsa.parameters());
}

/// A trial's result follows from its number.
struct Dice;

impl Objective for Dice {
    fn play(&self, trial: &Trial, _: &[Parameter]) -> Result<Trinomial, TrialError> {
        let mut rng = Rng::of_part(5, trial.id.index());
        let (wins, losses) = (rng.below(4) as u64, rng.below(4) as u64);
        Ok(Trinomial { wins, draws: 0, losses })
    }
}

fn roll(folder: &Path, last: u64) -> String {
    let lock = Lock::folder(folder).unwrap();
    let state = TuneState::resume_or(&lock, fresh(120)).unwrap();
    run(&lock, state, &Dice, 1, |state| state.spsa.reported() < last).unwrap();
    std::fs::read_to_string(folder.join(STATE_FILE)).unwrap()
}

/// The state is read back again and again, and every number of it must survive that.
#[test]
fn a_run_that_is_broken_off_after_every_trial_ends_with_the_same_state() {
    let (whole, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for last in 1..120 {
        roll(broken.path(), last);
    }
    assert_eq!(roll(whole.path(), u64::MAX), roll(broken.path(), u64::MAX));
}

/// The trial that fails stands for one that was killed, together with those of the other workers.
struct Killed<'a> {
    fails_at: u64,
    seen: &'a Mutex<Vec<u64>>,
}

impl Objective for Killed<'_> {
    fn play(&self, trial: &Trial, parameters: &[Parameter]) -> Result<Trinomial, TrialError> {
        let number = trial.id.index();
        if number == self.fails_at {
            return Err(TrialError::Config("killed".to_owned()));
        }
        self.seen.lock().unwrap().push(number);
        Dice.play(trial, parameters)
    }
}

#[test]
fn every_trial_counts_once_though_several_were_under_way() {
    let folder = tempfile::tempdir().unwrap();
    let lock = Lock::folder(folder.path()).unwrap();
    let seen = Mutex::new(Vec::new());
    for fails_at in [7, 23, 24, u64::MAX] {
        let state = TuneState::resume_or(&lock, fresh(40)).unwrap();
        let ended = run(&lock, state, &Killed { fails_at, seen: &seen }, 3, |_| true);
        assert_eq!(ended.is_ok(), fails_at == u64::MAX);
    }
    let state = TuneState::read(folder.path()).unwrap().unwrap();
    let expected: u64 = (0..40)
        .map(|number| {
            let mut rng = Rng::of_part(5, number);
            (rng.below(4) + rng.below(4)) as u64
        })
        .sum();
    assert!(state.spsa.is_finished());
    assert_eq!(state.games.wins + state.games.losses, expected);
    assert!(seen.into_inner().unwrap().len() >= 40);
}

#[test]
fn trials_at_the_same_time_find_it_too() {
    let folder = tempfile::tempdir().unwrap();
    assert_near_the_optimum(&climb(folder.path(), &Hill::new(2), 3, u64::MAX));
}

#[test]
fn a_trial_that_was_under_way_is_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = Lock::folder(folder.path()).unwrap();
    let mut state = fresh(10);
    state.spsa.next_trial().unwrap();
    TuneState::resume_or(&folder, state).unwrap();
    let kept = TuneState::resume_or(&folder, fresh(10)).unwrap();
    assert_eq!((kept.spsa.pending().len(), kept.spsa.reported()), (1, 0));
    let done = run(&folder, kept, &Hill::new(4), 2, |_| true).unwrap();
    assert!(done.spsa.is_finished());
}

#[test]
fn another_run_in_the_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = Lock::folder(folder.path()).unwrap();
    TuneState::resume_or(&folder, fresh(5)).unwrap();
    let other = TuneState::new("another hill", fresh(5).spsa);
    let error = TuneState::resume_or(&folder, other).unwrap_err().to_string();
    assert!(error.contains("another run (a hill)"), "{error}");
}

#[test]
fn trials_are_decided_by_games_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = EngineSpec::new(env!("CARGO_BIN_EXE_mock-engine"));
    engine.limit.nodes = std::num::NonZeroU64::new(1);
    let rules = Rules { max_moves: Some(20), ..Rules::default() };
    let duel = Duel { engine, book: starting_position(), rules };
    let player = GamePlayer { duel, pairs: 1 };
    let lock = Lock::folder(folder.path()).unwrap();
    let state = TuneState::resume_or(&lock, fresh(3)).unwrap();
    let state = run(&lock, state, &player, 1, |_| true).unwrap();
    assert_eq!(state.games.wins + state.games.draws + state.games.losses, 6);
    let page = report::render(folder.path()).unwrap();
    assert!(page.contains("<svg") && page.contains("margin"));
    assert!(!page.contains("http"), "the page loads something");
}
