// SPDX-License-Identifier: GPL-3.0-or-later
//! Engines that hang, crash and cheat: each is detected, named and scored, the match goes on, and
//! no process is left behind.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arena::openings::starting_position;
use arena::referee::FaultKind;
use arena::tournament::{Conduct, Match, MatchResult, MatchSettings, NoJournal};

const ENGINE: &str = env!("CARGO_BIN_EXE_mock-engine");
const GAMES: u64 = 4;

fn play(settings: MatchSettings) -> MatchResult {
    let game = Match::new(settings, starting_position()).unwrap();
    let should_stop = AtomicBool::new(false);
    let conduct = Conduct { concurrency: NonZeroUsize::new(2).unwrap(), should_stop: &should_stop };
    game.run(&mut NoJournal, conduct, &mut crate::common::Nobody).unwrap().result()
}

/// Plays a misbehaving engine against a sound one and sees that the match goes to its end.
fn play_against(behavior: &str, change: impl FnOnce(&mut MatchSettings)) -> MatchResult {
    let token = format!("{behavior}-{}", std::process::id());
    let mut settings = crate::common::settings(ENGINE, [behavior, "sound"], GAMES, &token);
    change(&mut settings);
    let result = play(settings);
    assert!(crate::common::are_all_gone(&token), "processes are left behind");
    assert_eq!(result.engines[0].games, GAMES);
    assert!(result.faults.iter().all(|fault| fault.engine == "A"), "{:?}", result.faults);
    result
}

/// All games are lost by a fault of this kind; the details hold `words`.
fn assert_all_lost(result: &MatchResult, kind: FaultKind, words: &str) {
    assert_eq!((result.engines[0].losses, result.engines[1].wins), (GAMES, GAMES));
    assert_eq!(result.faults.len() as u64, GAMES, "{:?}", result.faults);
    for fault in &result.faults {
        assert_eq!(fault.kind, kind);
        assert!(fault.detail.contains(words), "{}", fault.detail);
    }
}

/// The games go on, and each has a warning of this kind.
fn assert_all_warned(result: &MatchResult, kind: FaultKind) {
    let games: Vec<usize> = result.faults.iter().map(|fault| fault.game).collect();
    assert_eq!(games.len() as u64, GAMES, "{:?}", result.faults);
    assert!(result.faults.iter().all(|fault| fault.kind == kind), "{:?}", result.faults);
    assert_eq!((result.engines[0].losses, result.engines[0].wins), (0, 0));
}

#[test]
fn sound_engines_have_no_faults() {
    let result = play_against("sound", |_| {});
    assert_eq!(result.faults, []);
}

#[test]
fn silent_engines_lose_without_answer() {
    let result = play_against("silent", |settings| settings.patience_ms = 100);
    assert_all_lost(&result, FaultKind::NoAnswer, "expected bestmove");
}

#[test]
fn silent_engines_lose_on_the_clock_too() {
    let result = play_against("silent", |settings| {
        settings.engines[0].limit = "cmd=x tc=0.1".parse::<arena::EngineSpec>().unwrap().limit;
    });
    assert_all_lost(&result, FaultKind::NoAnswer, "nor after `stop`");
}

#[test]
fn crashes_are_told_with_the_last_words() {
    let result = play_against("crashing", |_| {});
    assert_all_lost(&result, FaultKind::Disconnect, "out of cheese");
}

#[test]
fn illegal_moves_lose() {
    let result = play_against("illegal", |_| {});
    assert_all_lost(&result, FaultKind::IllegalMove, "`a1a1`");
}

#[test]
fn slow_engines_lose_on_time() {
    let result = play_against("slow", |settings| {
        settings.engines[0].limit.movetime = Some(Duration::from_millis(100));
    });
    assert_all_lost(&result, FaultKind::TimeForfeit, "with 0.100 s left");
}

#[test]
fn floods_are_swallowed() {
    let result = play_against("flooding", |settings| settings.max_moves = Some(6));
    assert_eq!(result.faults, []);
}

#[test]
fn moves_that_are_not_the_variations_are_noticed() {
    assert_all_warned(&play_against("dishonest", |_| {}), FaultKind::PvMismatch);
}

#[test]
fn impossible_variations_are_noticed() {
    assert_all_warned(&play_against("dreaming", |_| {}), FaultKind::IllegalPv);
}

#[test]
fn moves_that_nobody_asked_for_are_noticed() {
    assert_all_warned(&play_against("hasty", |_| {}), FaultKind::PrematureOutput);
}

#[test]
fn engines_that_will_not_quit_are_killed() {
    assert_eq!(play_against("late", |_| {}).faults, []);
}

#[test]
fn pondering_engines_play_on_hits_and_misses() {
    let clock = "cmd=x tc=60 ponder=true".parse::<arena::EngineSpec>().unwrap();
    let result = play_against("sound", |settings| {
        for engine in &mut settings.engines {
            engine.limit = clock.limit.clone();
            engine.ponder = true;
        }
    });
    assert_eq!(result.faults, []);
}

#[test]
fn programs_that_cannot_be_started_end_the_match() {
    let settings = crate::common::settings("/no/such/engine", ["sound", "sound"], GAMES, "nothing");
    let game = Match::new(settings, starting_position()).unwrap();
    let should_stop = AtomicBool::new(false);
    let conduct = Conduct { concurrency: NonZeroUsize::MIN, should_stop: &should_stop };
    let error = game.run(&mut NoJournal, conduct, &mut crate::common::Nobody).unwrap_err();
    assert_eq!(error.to_string(), "cannot start `/no/such/engine`");
}
