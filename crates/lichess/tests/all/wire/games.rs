// SPDX-License-Identifier: GPL-3.0-or-later
//! Games against the fake: in order, and with one thing going wrong at a time.

use std::time::Duration;

use crate::common::{PATIENCE, TOKEN, bot, check_saved, fake, games_over, is_spoilt, quick, saved};
use fake_lichess::{ChallengeClock, ChallengeSpec, NetworkFault, Part, Script};
use lichess::{Stop, Update};

/// Plays one game under a script, and returns how it went.
async fn one_game(script: Script, spec: ChallengeSpec, text: &str) -> fake_lichess::GameReport {
    let (fake, folder) = (fake(script).await, tempfile::tempdir().unwrap());
    let runner = bot(&fake, folder.path(), text).await;
    fake.challenge("Anna", "Quincunx", spec);
    let game = games_over(&fake, 1).await.remove(0);
    check_saved(folder.path(), &game).await;
    assert!(fake.counts().violations.is_empty(), "{:?}", fake.counts());
    runner.stops.send(Stop::Gently).unwrap();
    runner.task.await.unwrap().unwrap();
    game
}

const ALL_SPEEDS: &str =
    "[challenge]\nspeeds = [\"ultraBullet\", \"bullet\", \"blitz\", \"correspondence\"]\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_is_played_to_its_end() {
    for color in ["white", "black"] {
        let spec = ChallengeSpec { color: color.to_owned(), ..quick() };
        let game = one_game(Script::none(), spec, "").await;
        assert!(!is_spoilt(&game), "{game:?}");
        assert!(game.moves.len() > 4);
    }
}

/// The official client leaves the game for a minute after one 429 to a move; this one plays on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn too_many_requests_do_not_end_a_game() {
    let faults =
        [NetworkFault::MoveTooMany, NetworkFault::MoveRetryAfter, NetworkFault::MoveTooMany];
    // A clock on which a pause of a minute would lose.
    let spec = ChallengeSpec::casual(Duration::from_secs(15), Duration::ZERO);
    let game = one_game(Script::plan(&faults), spec, ALL_SPEEDS).await;
    assert!(!is_spoilt(&game), "{game:?}");
    assert!(game.moves.len() > 8);
}

/// Each fault alone, several times in a row, in a game that it must not spoil.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_single_fault_spoils_a_game() {
    let mut tasks = tokio::task::JoinSet::new();
    for fault in NetworkFault::ALL {
        tasks.spawn(async move {
            let game = one_game(Script::plan(&[fault; 3]), quick(), ALL_SPEEDS).await;
            (fault, game)
        });
    }
    while let Some(result) = tasks.join_next().await {
        let (fault, game) = result.unwrap();
        assert!(!is_spoilt(&game), "{fault:?}: {game:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn odd_opponents_are_lived_with() {
    let text = "[play]\nabort_seconds = 1\ntakebacks = 3\noverhead_ms = 20\n";
    for (part, status) in [
        (Part::NeverBegins, Some("aborted")),
        (Part::Leaves, Some("timeout")),
        (Part::LeavesAndReturns, None),
        (Part::AsksTakebacks, None),
        (Part::OffersDraws, None),
        (Part::Talks, None),
        (Part::Resigns, None),
    ] {
        let color = if part == Part::NeverBegins { "white" } else { "black" };
        let spec = ChallengeSpec { part, color: color.to_owned(), ..quick() };
        let game = one_game(Script::none(), spec, text).await;
        assert!(!is_spoilt(&game), "{game:?}");
        assert!(status.is_none_or(|status| game.status == status), "{game:?}");
        if part == Part::Talks {
            let own = game.chat.iter().filter(|(name, ..)| name == "Quincunx").count();
            assert!((1..=10).contains(&own), "{:?}", game.chat);
        }
    }
}

/// A move that is taken back and played anew, while the messages about it get lost: what was decided
/// before is of no use at the same ply. Found by the soak.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn taken_back_moves_may_get_lost() {
    let text = "[play]\ntakebacks = 9\noverhead_ms = 20\n";
    let faults = [NetworkFault::GameClose, NetworkFault::GameHalfLine, NetworkFault::GameReset];
    let mut tasks = tokio::task::JoinSet::new();
    for seed in 1..=4 {
        let spec = ChallengeSpec { part: Part::AsksTakebacks, ..quick() };
        tasks.spawn(one_game(Script::chance(&faults, 400, seed * 7919), spec, text));
    }
    while let Some(game) = tasks.join_next().await {
        assert!(!is_spoilt(&game.unwrap()));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_kinds_of_chess_are_played() {
    let from_position = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 8";
    let set_up = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1";
    let castle_soon = "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w KQkq - 0 1";
    for (variant, fen) in
        [("fromPosition", from_position), ("chess960", set_up), ("chess960", castle_soon)]
    {
        let (variant, fen) = (variant.to_owned(), Some(fen.to_owned()));
        let spec = ChallengeSpec { variant, fen, ..quick() };
        let game = one_game(Script::plan(&[NetworkFault::RookCastling]), spec, "").await;
        assert!(!is_spoilt(&game), "{game:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn correspondence_is_played_without_a_clock() {
    for clock in [ChallengeClock::Days(3), ChallengeClock::Unlimited] {
        let text = format!("{ALL_SPEEDS}unlimited = true\n");
        let game = one_game(Script::none(), ChallengeSpec { clock, ..quick() }, &text).await;
        assert!(!is_spoilt(&game), "{game:?}");
    }
}

/// While the opponent thinks for long, the bot leaves; it comes back, and finds the move.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn correspondence_is_not_watched_all_day() {
    let text = format!("{ALL_SPEEDS}[correspondence]\nlinger_seconds = 1\ncheck_in_seconds = 1\n");
    let spec = ChallengeSpec { clock: ChallengeClock::Days(3), part: Part::Pauses, ..quick() };
    let (fake, folder) = (fake(Script::none()).await, tempfile::tempdir().unwrap());
    let _runner = bot(&fake, folder.path(), &text).await;
    fake.challenge("Anna", "Quincunx", spec);
    let game = games_over(&fake, 1).await.remove(0);
    assert!(!is_spoilt(&game), "{game:?}");
    let streams = fake.counts().game_streams;
    assert!((2..=4).contains(&streams), "{streams} streams");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pondering_plays_on() {
    let text = "[play]\nponder = true\noverhead_ms = 20\n";
    let game = one_game(Script::none(), quick(), text).await;
    assert!(!is_spoilt(&game), "{game:?}");
}

/// Somebody else opens our streams, which closes them for us: they are opened again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn intruders_do_not_end_a_game() {
    let (fake, folder) = (fake(Script::none()).await, tempfile::tempdir().unwrap());
    let _runner = bot(&fake, folder.path(), "").await;
    let agent = concat!("quincunx-bot/", env!("CARGO_PKG_VERSION"));
    let http = reqwest::Client::builder().user_agent(agent).no_proxy().build().unwrap();
    let open =
        |path: String| http.get(format!("{}/api/{path}", fake.url())).bearer_auth(TOKEN).send();
    let _events = open("stream/event".to_owned()).await.unwrap();
    let spec = ChallengeSpec { part: Part::Slow, ..quick() };
    let id = fake.challenge("Anna", "Quincunx", spec);
    assert!(fake.wait_for(PATIENCE, |fake| fake.games().len() == 1).await);
    let _game = open(format!("bot/game/stream/{id}")).await.unwrap();
    let game = games_over(&fake, 1).await.remove(0);
    assert!(!is_spoilt(&game), "{game:?}");
    assert!(fake.counts().event_streams.len() >= 3 && fake.counts().game_streams >= 3);
}

/// Greetings are said once, and saved games tell evaluations and clocks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_are_greeted_and_noted() {
    let (fake, folder) = (fake(Script::none()).await, tempfile::tempdir().unwrap());
    let text = "[chat]\ngreeting = \"Hello {opponent}, this is {me}.\"\ngoodbye = \"Bye!\"\n";
    let mut runner = bot(&fake, folder.path(), text).await;
    fake.challenge("Anna", "Quincunx", quick());
    let game = games_over(&fake, 1).await.remove(0);
    let has_parted = |fake: &fake_lichess::Fake| fake.games()[0].chat.len() >= 2;
    assert!(fake.wait_for(PATIENCE, has_parted).await);
    let said: Vec<_> = fake.games()[0].chat.iter().map(|(_, _, text)| text.clone()).collect();
    assert_eq!(said, ["Hello Anna, this is Quincunx.", "Bye!"]);
    let pgn = saved(folder.path(), &game.id).await.to_string();
    assert!(pgn.contains("[%eval ") && pgn.contains("[%clk "), "{pgn}");
    let mut kinds = std::collections::BTreeSet::new();
    while let Ok(update) = runner.updates.try_recv() {
        let json = serde_json::to_value(&update).unwrap();
        assert!(!json.to_string().contains(TOKEN));
        kinds.insert(json["type"].as_str().unwrap().to_owned());
        if let Update::Ended(outcome) = update {
            assert_eq!((outcome.id, outcome.opponent), (game.id.clone(), "Anna".to_owned()));
            assert_eq!(outcome.rating, Some(2000));
        }
    }
    assert_eq!(Vec::from_iter(kinds), ["challenge", "connected", "ended", "game"]);
}

/// A bot that is told to stop finishes its game and takes no other; told twice, it leaves at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopping_is_clean() {
    let (fake, folder) = (fake(Script::none()).await, tempfile::tempdir().unwrap());
    let runner = bot(&fake, folder.path(), "").await;
    fake.challenge("Anna", "Quincunx", quick());
    assert!(fake.wait_for(PATIENCE, |fake| fake.games().len() == 1).await);
    runner.stops.send(Stop::Gently).unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    let late = fake.challenge("Robot", "Quincunx", quick());
    let is_declined = |fake: &fake_lichess::Fake| fake.challenge_status(&late) == "later";
    let is_over = |fake: &fake_lichess::Fake| fake.games()[0].status != "started";
    assert!(fake.wait_for(PATIENCE, |fake| is_declined(fake) || is_over(fake)).await);
    runner.task.await.unwrap().unwrap();
    assert!(!is_spoilt(&fake.games()[0]), "{:?}", fake.games());
    check_saved(folder.path(), &fake.games()[0]).await;

    let runner = bot(&fake, folder.path(), "").await;
    fake.challenge("Anna", "Quincunx", ChallengeSpec { part: Part::Slow, ..quick() });
    assert!(fake.wait_for(PATIENCE, |fake| fake.games().len() == 2).await);
    runner.stops.send(Stop::Now).unwrap();
    runner.task.await.unwrap().unwrap();
    assert_eq!(fake.games()[1].status, "started");

    // Started again, it takes the game up.
    let _runner = bot(&fake, folder.path(), "").await;
    let games = games_over(&fake, 2).await;
    assert!(!is_spoilt(&games[1]), "{games:?}");
    check_saved(folder.path(), &games[1]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn enough_games_are_enough() {
    let (fake, folder) = (fake(Script::none()).await, tempfile::tempdir().unwrap());
    let text = "[challenge]\nconcurrency = 2\n[play]\nquit_after = 2\noverhead_ms = 20\n";
    let runner = bot(&fake, folder.path(), text).await;
    for _ in 0..2 {
        fake.challenge("Anna", "Quincunx", quick());
    }
    runner.task.await.unwrap().unwrap();
    assert_eq!(fake.games().len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_are_told_how_to_become_a_bot() {
    let fake = fake_lichess::Fake::start(fake_lichess::FakeSettings::default()).await;
    fake.add_user("Quincunx", None, TOKEN);
    let folder = tempfile::tempdir().unwrap();
    let config = crate::common::config(&fake, folder.path(), "");
    let (updates, _ears) = tokio::sync::mpsc::unbounded_channel();
    let (_stops, orders) = tokio::sync::mpsc::unbounded_channel();
    let error = lichess::run(config, lichess::Timing::default(), updates, orders).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("lichess upgrade") && !error.contains(TOKEN), "{error}");
}

/// Who resigns sends no move besides.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resignation_comes_alone() {
    let (fake, folder) = (fake(Script::none()).await, tempfile::tempdir().unwrap());
    let text = "[resign]\nenabled = true\nscore = 500\nmoves = 2\n\
                opponents = [\"human\", \"bot\"]\n[challenge]\nvariants = [\"fromPosition\"]\n";
    let _runner = bot(&fake, folder.path(), text).await;
    let mut spec = ChallengeSpec { color: "white".to_owned(), ..quick() };
    "fromPosition".clone_into(&mut spec.variant);
    spec.fen = Some("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1".to_owned());
    fake.challenge("Anna", "Quincunx", spec);
    let game = games_over(&fake, 1).await.remove(0);
    assert_eq!((game.status.as_str(), game.winner.as_deref()), ("resign", Some("white")));
    // One for its first move, when it had not been lost for long enough.
    assert_eq!((fake.counts().moves, game.moves.len()), (1, 3), "{game:?}");
}
