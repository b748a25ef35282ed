// SPDX-License-Identifier: GPL-3.0-or-later
//! A hundred games while everything goes wrong.

use std::time::Duration;

use crate::common::{bot, check_saved, fake, games_over, is_spoilt, quick};
use fake_lichess::{ChallengeClock, ChallengeSpec, NetworkFault, Part, Script};

const TEXT: &str = r#"
[challenge]
concurrency = 8
queue = 100
speeds = ["ultraBullet", "bullet", "blitz", "correspondence"]
[correspondence]
games = 2
[play]
abort_seconds = 2
takebacks = 2
overhead_ms = 50
"#;

/// The games of the soak: all parts, variants and clocks.
fn spec(index: usize) -> ChallengeSpec {
    const PARTS: [Part; 8] = [
        Part::Plain,
        Part::OffersDraws,
        Part::AsksTakebacks,
        Part::Plain,
        Part::LeavesAndReturns,
        Part::Talks,
        Part::Leaves,
        Part::Resigns,
    ];
    let mut spec = ChallengeSpec { part: PARTS[index % PARTS.len()], ..quick() };
    if index % 10 == 3 {
        "chess960".clone_into(&mut spec.variant);
        spec.fen = Some("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1".to_owned());
    } else if index % 10 == 6 {
        "fromPosition".clone_into(&mut spec.variant);
        let fen = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 0 8";
        spec.fen = Some(fen.to_owned());
    } else if index % 25 == 9 {
        spec.clock = ChallengeClock::Days(2);
    } else if index % 10 == 2 {
        spec.rematch_of = Some("g0000001".to_owned());
    }
    if matches!(spec.part, Part::Leaves | Part::LeavesAndReturns) {
        // One cannot leave a game of days.
        spec.clock = quick().clock;
    }
    spec
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_games_survive_all_faults() {
    const GAMES: usize = 100;
    let script = Script::chance(&NetworkFault::ALL, 40, 11);
    let (fake, folder) = (fake(script).await, tempfile::tempdir().unwrap());
    let _runner = bot(&fake, folder.path(), TEXT).await;
    let began = std::time::Instant::now();
    for index in 0..GAMES {
        let name = ["Anna", "Robot"][index % 2];
        fake.challenge(name, "Quincunx", spec(index));
        // Not all at once: the queue is not endless.
        while fake.games().len() + 20 < index {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    let games = games_over(&fake, GAMES).await;
    let spoilt: Vec<_> = games.iter().filter(|game| is_spoilt(game)).collect();
    assert!(spoilt.is_empty(), "{spoilt:#?}");
    for game in &games {
        check_saved(folder.path(), game).await;
    }
    let (faults, counts) = (fake.faults(), fake.counts());
    let missing: Vec<_> = NetworkFault::ALL.iter().filter(|it| !faults.contains_key(it)).collect();
    assert!(missing.is_empty(), "{missing:?} of {faults:?}");
    assert!(counts.violations.is_empty(), "{counts:?}");
    report(&games, &faults, &counts, began.elapsed());
}

/// What was seen, for whoever runs it with `--nocapture`.
#[expect(clippy::print_stderr, reason = "shown on demand only")]
fn report(
    games: &[fake_lichess::GameReport],
    faults: &std::collections::BTreeMap<NetworkFault, u32>,
    counts: &fake_lichess::Counts,
    time: Duration,
) {
    let plies: usize = games.iter().map(|game| game.moves.len()).sum();
    let mut endings = std::collections::BTreeMap::<_, u32>::new();
    for game in games {
        *endings.entry(game.status.as_str()).or_default() += 1;
    }
    let total: u32 = faults.values().sum();
    eprintln!("{} games, {plies} plies, {:.1} s: {endings:?}", games.len(), time.as_secs_f64());
    eprintln!("{total} faults: {faults:?}");
    let (events, streams) = (counts.event_streams.len(), counts.game_streams);
    eprintln!("{} moves sent, {streams} streams of games, {events} of events", counts.moves);
}
