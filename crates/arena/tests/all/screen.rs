// SPDX-License-Identifier: GPL-3.0-or-later
//! Screenings of simulated games whose effects are known, and of games between mock engines that are
//! broken off.

use std::path::Path;

use arena::report;
use arena::screen::{Config, PairGames, PairPlayer, Report, ScreenState, check, run};
use arena::stats::{Estimate, FirstResult, elo_to_score};
use arena::trials::Saved;
use tools::Rng;
use tools::store::Lock;

/// What the entries of a simulation are worth: from a blunder to a gain, and some nothing.
const EFFECTS: [f64; 8] = [-180.0, -40.0, -12.0, -4.0, 0.0, 0.0, 9.0, 35.0];

fn config(seed: u64, pairs: u64, share: f64) -> Config {
    let games = 2 * pairs;
    let entries: Vec<String> = (0..EFFECTS.len())
        .map(|entry| format!("[[entry]]\nname = \"switch{entry}\"\nfrom = 1\nto = 0\n"))
        .collect();
    let text = format!(
        "engine = \"cmd=x nodes=1\"\ngames = {games}\nseed = {seed}\nshare = {share}\n{}",
        entries.concat()
    );
    Config::parse(&text).unwrap()
}

/// A pair between two sides that differ by the sum of their entries' effects.
///
/// In every second pair the second game's luck is the opposite of the first one's, as where an opening
/// decides the games: such pairs scatter less than independent games.
fn simulate(config: &Config, pair: u64) -> PairGames {
    let sides = config.design().sides(pair);
    let edge: f64 = EFFECTS.iter().zip(&sides).map(|(effect, side)| effect * side.sign()).sum();
    let mut rng = Rng::of_part(config.duel.seed + 1_000_000, pair);
    let luck = rng.unit();
    let other = if pair.is_multiple_of(2) { 1.0 - luck } else { rng.unit() };
    PairGames { outcomes: [luck, other].map(|luck| outcome(edge, luck)), faults: Vec::new() }
}

fn outcome(edge: f64, luck: f64) -> FirstResult {
    let score = elo_to_score(edge);
    let draws = score.min(1.0 - score);
    match luck {
        luck if luck < score - draws / 2.0 => FirstResult::Win,
        luck if luck < score + draws / 2.0 => FirstResult::Draw,
        _ => FirstResult::Loss,
    }
}

fn screened(seed: u64, pairs: u64, share: f64) -> ScreenState {
    let config = config(seed, pairs, share);
    let mut state = ScreenState::new(&config).unwrap();
    (0..pairs).for_each(|pair| state.add(pair, simulate(&config, pair)));
    state
}

fn effects(seed: u64, pairs: u64, share: f64) -> Vec<Estimate> {
    let fit = screened(seed, pairs, share).fit();
    assert!(!fit.is_held);
    fit.effects
}

/// How many of the intervals of these runs hold the true effect.
fn hits(seeds: std::ops::Range<u64>, pairs: u64, share: f64) -> usize {
    let is_hit = |(estimate, effect): (&Estimate, &f64)| {
        (estimate.value - effect).abs() <= estimate.error.unwrap()
    };
    let run = |seed| {
        effects(seed, pairs, share).iter().zip(&EFFECTS).filter(|&pair| is_hit(pair)).count()
    };
    seeds.map(run).sum()
}

#[test]
fn known_effects_are_found() {
    for (estimate, effect) in effects(7, 20_000, 1.0).iter().zip(EFFECTS) {
        let error = estimate.error.unwrap();
        assert!((2.0..4.0).contains(&error), "{estimate}");
        // Twice the interval is four standard deviations.
        assert!((estimate.value - effect).abs() < 2.0 * error, "{estimate}, truly {effect}");
    }
}

#[test]
fn nineteen_of_twenty_intervals_hold_the_truth() {
    let all = 40 * EFFECTS.len();
    for (share, first) in [(1.0, 100), (0.4, 200)] {
        let hits = hits(first..first + 40, 1200, share);
        // Of 320 intervals 304 ± 3.9 should; three standard deviations are allowed.
        assert!((292..=315).contains(&hits), "{hits} of {all} at {share}");
    }
}

#[test]
fn errors_shrink_with_the_square_root_of_the_games() {
    let error = |pairs, share| -> f64 {
        effects(3, pairs, share).iter().map(|estimate| estimate.error.unwrap()).sum()
    };
    let (few, many) = (error(1000, 1.0), error(16_000, 1.0));
    assert!((few / many / 4.0 - 1.0).abs() < 0.06, "{few} {many}");
    // Each entry is in a quarter of the pairs; those scatter less, as their sides differ less.
    let part = error(16_000, 0.25) / many;
    assert!((1.4..2.1).contains(&part), "{part}");
}

#[test]
fn reports_are_sorted_and_marked() {
    let report = Report::of(&screened(11, 20_000, 1.0));
    let names: Vec<&str> = report.effects.iter().map(|effect| effect.name.as_str()).collect();
    assert_eq!((names[0], names[7]), ("switch7 1 → 0", "switch0 1 → 0"));
    let text = report.to_string();
    let row = |name: &str| text.lines().find(|line| line.contains(name)).unwrap();
    assert!(row("switch7").ends_with("| ++ |") && row("switch0").ends_with("| -- |"), "{text}");
    assert!(text.contains("no game was lost by a fault"));
    let svg = report.svg();
    assert!(svg.starts_with("<svg xmlns=") && !svg.contains("var("), "{svg}");
    let few = Report::of(&screened(11, 20, 1.0)).to_string();
    assert!(few.contains("too few games") && !few.contains("| ++ |"), "{few}");
}

/// Runs until `last` pairs are played.
fn simulate_until(folder: &Path, config: &Config, workers: usize, last: u64) -> ScreenState {
    let folder = &Lock::folder(folder).unwrap();
    let state = ScreenState::resume_or(folder, ScreenState::new(config).unwrap()).unwrap();
    let player = || |pair| Ok(simulate(config, pair));
    run(folder, state, config.pairs(), workers, player, |state| state.pairs() < last).unwrap()
}

#[test]
fn breaking_off_changes_nothing() {
    let (whole, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let config = config(5, 300, 1.0);
    let at_once = simulate_until(whole.path(), &config, 1, u64::MAX);
    for last in [1, 50, 51, 200] {
        simulate_until(broken.path(), &config, 3, last);
    }
    let in_parts = simulate_until(broken.path(), &config, 2, u64::MAX);
    assert_eq!(in_parts.pairs(), 300);
    assert_eq!(at_once, in_parts);
    let again = simulate_until(broken.path(), &config, 2, u64::MAX);
    assert_eq!(at_once, again);
    let page = report::render(broken.path()).unwrap();
    assert!(page.contains("<svg") && page.contains("switch3"));
}

#[test]
fn more_games_go_on_and_other_entries_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    simulate_until(folder.path(), &config(5, 20, 1.0), 1, u64::MAX);
    let more = simulate_until(folder.path(), &config(5, 40, 1.0), 1, u64::MAX);
    assert_eq!(more.pairs(), 40);
    let other = ScreenState::new(&config(6, 40, 1.0)).unwrap();
    let error = ScreenState::resume_or(&Lock::folder(folder.path()).unwrap(), other)
        .unwrap_err()
        .to_string();
    assert!(error.contains("another run"), "{error}");
}

fn mocks(behavior: &str, entry: &str) -> Config {
    let engine = env!("CARGO_BIN_EXE_mock-engine");
    let text = format!(
        "engine = \"cmd={engine} arg={behavior} nodes=1\"\ngames = 8\nseed = 2\n\
         draw = \"movenumber=1 movecount=8 score=20\"\n\
         [[entry]]\nname = \"{entry}\"\nfrom = false\nto = true\n"
    );
    Config::parse(&text).unwrap()
}

fn play_mocks(folder: &Path, config: &Config, workers: usize, last: u64) -> ScreenState {
    let (duel, entries) = (config.duel.duel().unwrap(), config.entries().unwrap());
    let folder = &Lock::folder(folder).unwrap();
    let state = ScreenState::resume_or(folder, ScreenState::new(config).unwrap()).unwrap();
    let player = || {
        let mut player = PairPlayer::new(&duel, config.design(), &entries);
        move |pair| player.play(pair)
    };
    run(folder, state, config.pairs(), workers, player, |state| state.pairs() < last).unwrap()
}

#[test]
fn pairs_are_decided_by_games_and_equal_after_a_break() {
    let (whole, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let config = mocks("sound", "Ponder");
    check(&config).unwrap();
    let at_once = play_mocks(whole.path(), &config, 1, u64::MAX);
    play_mocks(broken.path(), &config, 2, 2);
    let in_parts = play_mocks(broken.path(), &config, 2, u64::MAX);
    assert_eq!(at_once, in_parts);
    assert_eq!((at_once.pairs(), at_once.fault_count()), (4, 0));
}

#[test]
fn faults_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let state = play_mocks(folder.path(), &mocks("illegal", "Ponder"), 1, u64::MAX);
    assert!(state.fault_count() > 0);
    assert!(Report::of(&state).to_string().contains("illegal-move of "));
}

#[test]
fn options_that_the_engine_has_not_are_refused() {
    let error = check(&mocks("sound", "rfp_on")).unwrap_err().to_string();
    assert!(error.contains("no option `rfp_on`"), "{error}");
}
