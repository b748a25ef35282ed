// SPDX-License-Identifier: GPL-3.0-or-later
//! A bot and a fake Lichess, in one process.
#![allow(dead_code, reason = "not every test needs everything")]

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use chess::pgn::{PgnGame, PgnReader};
use chess::{Game, GameResult};
use fake_lichess::{ChallengeSpec, Fake, FakeSettings, GameReport, Script};
use lichess::{BotError, Config, Stop, Timing, Update};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

/// The token of the tests; it must never be seen anywhere.
pub(crate) const TOKEN: &str = "lip_verySecretToken";

/// Whatever takes longer hangs, even on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// Quicker than life, so that tests are.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_millis(400);

/// Engines that hardly think.
const QUICK: &str = "[engine]\nhash = 1\nnodes = 400\n[play]\noverhead_ms = 20\n";

/// A fake with the bot's account, a person and a robot.
pub(crate) async fn fake(script: Script) -> Fake {
    let settings = FakeSettings { keep_alive: KEEP_ALIVE, script, ..FakeSettings::default() };
    let fake = Fake::start(settings).await;
    fake.add_user("Quincunx", Some("BOT"), TOKEN);
    fake.add_scripted("Anna", None, 1500);
    fake.add_scripted("Robot", Some("BOT"), 1800);
    fake
}

/// A quick game.
pub(crate) fn quick() -> ChallengeSpec {
    ChallengeSpec::casual(Duration::from_mins(1), Duration::from_millis(100))
}

/// A running bot.
pub(crate) struct Runner {
    pub(crate) updates: UnboundedReceiver<Update>,
    pub(crate) stops: UnboundedSender<Stop>,
    pub(crate) task: JoinHandle<Result<(), BotError>>,
}

/// The configuration of a test: what is said, and what all tests share.
pub(crate) fn config(fake: &Fake, folder: &Path, text: &str) -> Config {
    let quick = if text.contains("[engine]") { "" } else { QUICK };
    let play = if text.contains("[play]") { quick.split("[play]").next().unwrap() } else { quick };
    let account = format!("[account]\ntoken = \"{TOKEN}\"\nurl = \"{}\"\n", fake.url());
    Config::parse(&format!("{account}{play}{text}"), folder).unwrap()
}

/// Starts a bot, and waits until it listens.
pub(crate) async fn bot(fake: &Fake, folder: &Path, text: &str) -> Runner {
    let timing = Timing { keep_alive: KEEP_ALIVE, rest: Duration::from_secs(1) };
    let (sender, updates) = unbounded_channel();
    let (stops, orders) = unbounded_channel();
    let task = tokio::spawn(lichess::run(config(fake, folder, text), timing, sender, orders));
    let is_there = fake.wait_for(PATIENCE, |fake| fake.is_online("Quincunx")).await;
    assert!(is_there, "the bot does not come");
    Runner { updates, stops, task }
}

/// Waits until so many games are over.
pub(crate) async fn games_over(fake: &Fake, count: usize) -> Vec<GameReport> {
    let is_over = |game: &GameReport| game.status != "started";
    let is_done = |fake: &Fake| fake.games().iter().filter(|game| is_over(game)).count() >= count;
    assert!(fake.wait_for(PATIENCE * 4, is_done).await, "{:#?}", fake.games());
    fake.games()
}

/// The moves of a game, replayed.
pub(crate) fn replay(game: &GameReport, start: chess::Board) -> Game {
    let mut replayed = Game::new(start);
    for text in &game.moves {
        replayed.play(replayed.board().parse_uci(text).unwrap());
    }
    replayed
}

/// The saved game, once it is there.
pub(crate) async fn saved(folder: &Path, id: &str) -> PgnGame {
    let path = folder.join("lichess/games").join(format!("{id}.pgn"));
    // The bot may have lost the connection just then, and come back after a pause.
    for _ in 0..12_000 {
        if path.exists() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut games = PgnReader::new(file);
    let game = games.next().expect("one game").expect("which can be read");
    assert!(games.next().is_none(), "and only one");
    game
}

/// Checks that the saved game is the one that was played, whole and legal.
pub(crate) async fn check_saved(folder: &Path, game: &GameReport) {
    let pgn = saved(folder, &game.id).await;
    assert!(pgn.errors.is_empty(), "{:?}", pgn.errors);
    let played = replay(game, pgn.start);
    assert_eq!(pgn.game().moves(), played.moves(), "{}", game.id);
    let result: GameResult = match (game.winner.as_deref(), game.status.as_str()) {
        (Some("white"), _) => "1-0",
        (Some(_), _) => "0-1",
        (None, "aborted") => "*",
        (None, _) => "1/2-1/2",
    }
    .parse()
    .unwrap();
    assert_eq!(pgn.result, result, "{game:?}");
    assert_eq!(pgn.tag("White"), Some(game.white.as_str()));
    assert_eq!(pgn.tag("Termination"), Some(game.status.as_str()));
}

/// Whether the bot lost, or did not win, for a reason that has nothing to do with chess.
pub(crate) fn is_spoilt(game: &GameReport) -> bool {
    let own = if game.white == "Quincunx" { "white" } else { "black" };
    let has_won = game.winner.as_deref() == Some(own);
    match game.status.as_str() {
        "mate" | "stalemate" | "draw" => false,
        // Only the other side may give up, run out of time or stay away.
        "resign" | "timeout" | "outoftime" => !has_won,
        "aborted" => game.part != fake_lichess::Part::NeverBegins,
        _ => true,
    }
}
