// SPDX-License-Identifier: GPL-3.0-or-later
//! Challenges on the wire: declined with their reasons, queued, made, and within the limits.

use std::time::Duration;

use crate::common::{PATIENCE, bot, fake, games_over, is_spoilt, quick};
use fake_lichess::{ChallengeClock, ChallengeSpec, Fake, Part, Script};
use lichess::Stop;
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn challenges_are_declined_with_their_reasons() {
    let (fake, folder) = (fake(Script::none()).await, tempfile::tempdir().unwrap());
    let text = "[challenge]\nspeeds = [\"blitz\"]\nmodes = [\"casual\"]\nqueue = 1\n\
                variants = [\"standard\"]\nmax_rating = 1600\n";
    let _runner = bot(&fake, folder.path(), text).await;
    let slow = || ChallengeSpec {
        part: Part::Slow,
        ..ChallengeSpec::casual(Duration::from_mins(3), Duration::from_secs(2))
    };
    for (name, spec, reason) in [
        ("Anna", ChallengeSpec { rated: true, ..slow() }, "casual"),
        ("Anna", ChallengeSpec { variant: "atomic".to_owned(), ..slow() }, "standard"),
        ("Anna", ChallengeSpec::casual(Duration::from_mins(1), Duration::ZERO), "tooFast"),
        ("Anna", ChallengeSpec { clock: ChallengeClock::Days(3), ..slow() }, "tooSlow"),
        ("Robot", slow(), "generic"),
        ("Anna", slow(), "accepted"),
        ("Anna", slow(), "created"),
        ("Anna", slow(), "later"),
    ] {
        let id = fake.challenge(name, "Quincunx", spec);
        let is_judged = |fake: &Fake| fake.challenge_status(&id) == reason;
        let has_come = fake.wait_for(Duration::from_secs(20), is_judged).await;
        assert!(has_come, "{reason}: {}", fake.challenge_status(&id));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn those_who_wait_are_served_in_turn() {
    let (fake, folder) = (fake(Script::none()).await, tempfile::tempdir().unwrap());
    let _runner = bot(&fake, folder.path(), "[challenge]\nconcurrency = 1\n").await;
    let ids: Vec<_> = (0..3).map(|_| fake.challenge("Anna", "Quincunx", quick())).collect();
    fake.cancel(&ids[1]);
    let games = games_over(&fake, 2).await;
    assert_eq!(games.iter().map(|game| &game.id).collect::<Vec<_>>(), [&ids[0], &ids[2]]);
}

const SEEKING: &str = "[matchmaking]\nenabled = true\nidle_seconds = 1\n\
                       [[matchmaking.pool]]\nclock = \"1+1\"\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_idle_bot_challenges_and_plays() {
    let (fake, folder) = (fake(Script::none()).await, tempfile::tempdir().unwrap());
    let runner = bot(&fake, folder.path(), SEEKING).await;
    let games = games_over(&fake, 1).await;
    assert!(!is_spoilt(&games[0]), "{games:?}");
    assert!(games[0].white == "Robot" || games[0].black == "Robot", "not a person");
    runner.stops.send(Stop::Gently).unwrap();
    runner.task.await.unwrap().unwrap();
}

/// Nobody wants to play: the pauses double, and the server's limits are kept.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn matchmaking_backs_off() {
    let (fake, folder) = (fake(Script::none()).await, tempfile::tempdir().unwrap());
    for number in 0..40 {
        let name = format!("Bot{number}");
        fake.add_scripted(&name, Some("BOT"), 2000);
        fake.set_refusal(&name, "later");
    }
    fake.set_refusal("Robot", "noBot");
    let _runner = bot(&fake, folder.path(), SEEKING).await;
    let has_tried = |fake: &Fake| fake.counts().challenges.len() >= 4;
    assert!(fake.wait_for(PATIENCE, has_tried).await);
    let times = fake.counts().challenges;
    let pauses: Vec<_> = times.windows(2).map(|pair| (pair[1] - pair[0]).as_secs_f64()).collect();
    // At least doubled each time; on a busy machine, longer.
    assert!(pauses.iter().zip([1.9, 3.9, 7.9]).all(|(pause, least)| *pause > least), "{pauses:?}");
    let asked: std::collections::HashSet<_> = fake.challenges().into_iter().collect();
    assert_eq!(asked.len(), times.len(), "nobody is asked twice");
    let counts = fake.counts();
    assert!(counts.violations.is_empty() && counts.bot_lists == 1, "{counts:?}");
}

/// The hundred games with bots of a day are used up: ours, so that nobody is asked for long.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_limit_of_a_day_is_waited_for() {
    let (fake, folder) = (fake(Script::none()).await, tempfile::tempdir().unwrap());
    let limit = json!({"error": "x", "ratelimit": {"key": "bot.vsBot.day", "seconds": 3600}});
    fake.answer_challenge(429, limit);
    let _runner = bot(&fake, folder.path(), SEEKING).await;
    let has_tried = |fake: &Fake| fake.counts().challenges.len() == 1;
    assert!(fake.wait_for(PATIENCE, has_tried).await);
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert_eq!(fake.counts().challenges.len(), 1);
    // People are not kept waiting by it.
    fake.challenge("Anna", "Quincunx", quick());
    assert!(!is_spoilt(&games_over(&fake, 1).await[0]));
}

/// Another program with the same token closes our stream again and again: we come back less and less
/// often, and never more often than Lichess allows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_war_over_the_stream_stays_within_limits() {
    let (fake, folder) = (fake(Script::none()).await, tempfile::tempdir().unwrap());
    let _runner = bot(&fake, folder.path(), "").await;
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut intrusions = 0;
    let end = std::time::Instant::now() + Duration::from_secs(10);
    while std::time::Instant::now() < end {
        let url = format!("{}/api/stream/event", fake.url());
        let stream = http.get(url).bearer_auth(crate::common::TOKEN).send().await.unwrap();
        intrusions += 1;
        let before = fake.counts().event_streams.len();
        let is_back = |fake: &Fake| fake.counts().event_streams.len() > before;
        fake.wait_for(Duration::from_secs(10), is_back).await;
        drop(stream);
    }
    let own = fake.counts().event_streams.len() - intrusions;
    assert!((2..=7).contains(&own), "{own} openings in ten seconds");
    assert!(fake.counts().violations.is_empty());
}
