// SPDX-License-Identifier: GPL-3.0-or-later
//! Tests of tuning runs on a synthetic engine whose best values are known.

use super::*;
use crate::stats::{FirstResult, elo_to_score};

const LINES: [&str; 4] = [
    "mixed_int, int, 20, 0, 100, 4, 0.02",
    "high_float, float, 9.0, -10, 10, 1, 0.02",
    "low_int, int, -60, -80, 80, 6, 0.02",
    "edge_float, float, 0.5, 0, 1, 0.05, 0.02",
];

/// The best values, the last one outside of its range.
const BEST: [f64; 4] = [60.0, -2.0, 10.0, 1.3];

/// How far from the best value each parameter costs [`COST`] Elo.
const SCALES: [f64; 4] = [20.0, 4.0, 30.0, 0.4];
const COST: f64 = 100.0;

fn parameters() -> Vec<Parameter> {
    LINES.iter().map(|line| line.parse().unwrap()).collect()
}

fn run(trials: u64) -> Spsa {
    Spsa::new(parameters(), Schedule::new(trials), 7).unwrap()
}

fn strength(values: &[f64]) -> f64 {
    let terms = values.iter().zip(BEST).zip(SCALES);
    -COST * terms.map(|((value, best), scale)| ((value - best) / scale).powi(2)).sum::<f64>()
}

/// A pair of decisive games.
fn play(trial: &Trial, rng: &mut Rng) -> Trinomial {
    let score = elo_to_score(strength(&trial.plus) - strength(&trial.minus));
    let mut games = Trinomial::default();
    for _ in 0..2 {
        games.add_game(if rng.unit() < score { FirstResult::Win } else { FirstResult::Loss });
    }
    games
}

fn play_trials(spsa: &mut Spsa, count: u32, rng: &mut Rng) {
    for _ in 0..count {
        let trial = spsa.next_trial().unwrap();
        let games = play(&trial, rng);
        spsa.report(trial.id, games).unwrap();
    }
}

fn values(spsa: &Spsa) -> Vec<f64> {
    spsa.parameters().iter().map(Parameter::value).collect()
}

#[test]
fn finds_the_optimum_of_a_noisy_quadratic() {
    let mut spsa = run(20_000);
    play_trials(&mut spsa, 20_000, &mut Rng::new(8));
    assert!(spsa.is_finished() && spsa.next_trial().is_none());
    let found = values(&spsa);
    for i in 0..3 {
        assert!((found[i] - BEST[i]).abs() < 0.25 * SCALES[i], "{found:?}");
    }
    assert!(found[3] > 0.9, "{found:?}");
    assert!(strength(&parameters().iter().map(Parameter::value).collect::<Vec<_>>()) < -1000.0);
    let path = spsa.history().points();
    assert_eq!((path[0].trials, path[0].values[0]), (0, 20.0));
    assert!(path.len() > 500 && path.last().unwrap().trials > 19_000);
}

#[test]
fn values_stay_in_range_and_integers_whole() {
    let mut rng = Rng::new(9);
    let lines =
        ["a, int, 3, 0, 3, 2, 5", "b, float, 0, 0, 0.25, 0.5, 5", "c, int, 0, -1, 1, 0.01, 9"];
    let parameters: Vec<Parameter> = lines.iter().map(|line| line.parse().unwrap()).collect();
    let mut spsa = Spsa::new(parameters, Schedule::new(3000), 10).unwrap();
    let mut seen = HashSet::new();
    while let Some(trial) = spsa.next_trial() {
        for side in [&trial.plus, &trial.minus] {
            for (value, parameter) in side.iter().zip(spsa.parameters()) {
                assert!((parameter.min()..=parameter.max()).contains(value), "{trial:?}");
                assert!(
                    parameter.kind() == ParameterKind::Float || value.fract() == 0.0,
                    "{trial:?}"
                );
            }
            seen.insert(side[0] as i64);
        }
        let (wins, losses) = (rng.below(9) as u64, rng.below(9) as u64);
        spsa.report(trial.id, Trinomial { wins, draws: 0, losses }).unwrap();
        for parameter in spsa.parameters() {
            assert!((parameter.min()..=parameter.max()).contains(&parameter.value()));
        }
    }
    assert_eq!(seen, HashSet::from([0, 1, 2, 3]));
}

/// The formulas of OpenBench, written down once more as they stand there.
#[test]
fn steps_and_rates_follow_the_convention() {
    let parameters = vec!["a, float, 5, -100, 100, 1, 0.02".parse().unwrap()];
    let mut spsa = Spsa::new(parameters, Schedule::new(1000), 3).unwrap();
    let (n, alpha, gamma) = (1000_f64, 0.602, 0.101);
    let big_a = 0.1 * n;
    for k in 1..=5 {
        let before = values(&spsa);
        let trial = spsa.next_trial().unwrap();
        spsa.report(trial.id, Trinomial { wins: 3, draws: 4, losses: 1 }).unwrap();
        let k = f64::from(k);
        let (c_end, r_end) = (1.0, 0.02);
        let c = c_end * n.powf(gamma) / k.powf(gamma);
        let a = r_end * c_end * c_end * (big_a + n).powf(alpha);
        let r = a / (big_a + k).powf(alpha) / (c * c);
        let flip = if trial.up[0] { 1.0 } else { -1.0 };
        assert!((trial.plus[0] - (before[0] + flip * c)).abs() < 1e-12);
        assert!((trial.minus[0] - (before[0] - flip * c)).abs() < 1e-12);
        assert!((values(&spsa)[0] - (before[0] + r * c * 2.0 * flip)).abs() < 1e-12);
    }
}

#[test]
fn both_sides_of_an_integer_are_rounded_with_the_same_noise() {
    let parameters = vec!["a, int, 50.3, 0, 100, 4.25, 0.001".parse().unwrap()];
    let flat = Schedule { gamma: 0.0, ..Schedule::new(4000) };
    let mut spsa = Spsa::new(parameters, flat, 1).unwrap();
    let mut sum = 0.0;
    for _ in 0..4000 {
        let trial = spsa.next_trial().unwrap();
        // Apart by 8.5: with common noise 8 or 9, with separate noise also 7 and 10.
        let distance = (trial.plus[0] - trial.minus[0]).abs();
        assert!(distance == 8.0 || distance == 9.0, "{trial:?}");
        sum += distance;
    }
    assert!((sum / 4000.0 - 8.5).abs() < 0.05);
}

fn raw(spsa: &Spsa) -> RawSpsa {
    // Through the text of each line, as a file would hold it.
    let lines = spsa.parameters.iter().map(ToString::to_string);
    RawSpsa {
        schedule: spsa.schedule,
        parameters: lines.map(|line| line.parse().unwrap()).collect(),
        rng: spsa.rng.clone(),
        started: spsa.started,
        pending: spsa.pending.clone(),
        history: spsa.history.clone(),
    }
}

#[test]
fn a_restored_run_goes_on_identically() {
    let mut whole = run(3000);
    let mut games = Rng::new(5);
    play_trials(&mut whole, 1500, &mut games);
    let open = whole.next_trial().unwrap();
    let mut restored = Spsa::try_from(raw(&whole)).unwrap();
    assert_eq!(restored.pending(), std::slice::from_ref(&open));
    let mut same_games = games.clone();
    for (spsa, rng) in [(&mut whole, &mut games), (&mut restored, &mut same_games)] {
        play_trials(spsa, 700, rng);
        let result = play(&open, rng);
        spsa.report(open.id, result).unwrap();
        play_trials(spsa, 700, rng);
    }
    assert_eq!(whole.reported(), 2901);
    assert_eq!(whole, restored);
    let mut other_seed = Spsa::new(parameters(), Schedule::new(3000), 6).unwrap();
    play_trials(&mut other_seed, 1, &mut Rng::new(5));
    assert_ne!(values(&whole), values(&other_seed));
}

#[test]
fn damaged_states_are_refused() {
    let mut spsa = run(10);
    let trial = spsa.next_trial().unwrap();
    let refuse = |damage: &dyn Fn(&mut RawSpsa)| {
        let mut state = raw(&spsa);
        damage(&mut state);
        Spsa::try_from(state).unwrap_err()
    };
    let error = refuse(&|state| state.pending[0].up.truncate(3));
    assert_eq!(error.to_string(), "bad saved run: 3 shifts in a trial, expected 4");
    let error = refuse(&|state| state.started = 11);
    assert_eq!(error.to_string(), "bad saved run: 11 trials started, expected 10");
    let error = refuse(&|state| state.pending.push(trial.clone()));
    assert_eq!(error.to_string(), "bad saved run: 2 trials under way, expected 1");
    assert_eq!(refuse(&|state| state.started = 0), SpsaError::UnknownTrial { trial: 1 });
    assert_eq!(refuse(&|state| state.parameters.clear()), SpsaError::NoParameters);
}

#[test]
fn results_may_come_in_any_order_but_once() {
    let mut spsa = run(100);
    let (first, second) = (spsa.next_trial().unwrap(), spsa.next_trial().unwrap());
    let games = Trinomial { wins: 2, draws: 0, losses: 0 };
    spsa.report(second.id, games).unwrap();
    assert_eq!((spsa.reported(), spsa.pending().len()), (1, 1));
    assert_eq!(spsa.report(second.id, games), Err(SpsaError::UnknownTrial { trial: 2 }));
    spsa.report(first.id, games).unwrap();
    assert_eq!(spsa.report(first.id, games), Err(SpsaError::UnknownTrial { trial: 1 }));
    assert!(!spsa.is_finished());
}

#[test]
fn a_late_result_counts_as_if_it_had_come_at_once() {
    let (mut prompt, mut late) = (run(100), run(100));
    let games = Trinomial { wins: 2, draws: 0, losses: 0 };
    let trial = prompt.next_trial().unwrap();
    prompt.report(trial.id, games).unwrap();
    assert_eq!(late.next_trial().unwrap(), trial);
    for _ in 0..20 {
        late.next_trial().unwrap();
    }
    late.report(trial.id, games).unwrap();
    assert_eq!(values(&prompt), values(&late));
    assert_ne!(values(&prompt), values(&run(100)));
}

#[test]
fn a_tie_or_lost_games_move_nothing() {
    let mut spsa = run(100);
    let before = values(&spsa);
    for games in [Trinomial::default(), Trinomial { wins: 3, draws: 1, losses: 3 }] {
        let trial = spsa.next_trial().unwrap();
        spsa.report(trial.id, games).unwrap();
        assert_eq!(values(&spsa), before);
    }
}

#[test]
fn nonsense_is_refused() {
    assert_eq!(Spsa::new(Vec::new(), Schedule::new(1), 0), Err(SpsaError::NoParameters));
    let twice = [parameters(), parameters()].concat();
    let error = SpsaError::DuplicateParameter { name: "mixed_int".to_owned() };
    assert_eq!(Spsa::new(twice, Schedule::new(1), 0), Err(error));
    assert_eq!(Spsa::new(parameters(), Schedule::new(0), 0), Err(SpsaError::NoTrials));
    let schedule = Schedule { alpha: -1.0, ..Schedule::new(5) };
    let error = SpsaError::Schedule { field: "alpha", value: -1.0 };
    assert_eq!(Spsa::new(parameters(), schedule, 0), Err(error));
    let schedule = Schedule { gamma: f64::NAN, ..Schedule::new(5) };
    assert!(Spsa::new(parameters(), schedule, 0).is_err());
}
