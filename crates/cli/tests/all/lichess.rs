// SPDX-License-Identifier: GPL-3.0-or-later
//! The bot as a program: its configuration, its signals, and its sudden death.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use chess::pgn::PgnReader;
use fake_lichess::{ChallengeSpec, Fake, FakeSettings, NetworkFault, Part, Script};
use serde_json::Value;

const BINARY: &str = env!("CARGO_BIN_EXE_quincunx");
const TOKEN: &str = "lip_mustNeverBeSeen";
/// Whatever takes longer hangs, even on a busy machine.
const PATIENCE: Duration = Duration::from_mins(2);
const KEEP_ALIVE: Duration = Duration::from_millis(500);

const CONFIG: &str = "[challenge]\nconcurrency = 4\n[engine]\nhash = 1\nnodes = 400\n\
                      [connection]\nkeep_alive_ms = 500\n";

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command
        .args(["lichess", arguments[0], "--config"])
        .arg(folder.join("lichess.toml"))
        .args(&arguments[1..])
        .env("LICHESS_TOKEN", TOKEN)
        .env("RUST_LOG", "trace")
        .stdin(Stdio::null());
    command
}

/// Runs to the end; the token is in none of the outputs.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command(folder, arguments).output().unwrap();
    let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(!stdout.contains(TOKEN) && !stderr.contains(TOKEN), "{stdout}{stderr}");
    (status.code(), stdout, stderr)
}

/// A running bot whose outputs go to files; dropped, it is gone.
struct Bot(Child);

impl Bot {
    fn start(folder: &Path, url: &str, log: &str) -> Self {
        let file = |end: &str| File::create(folder.join(format!("{log}.{end}"))).unwrap();
        let mut command = command(folder, &["run", "--json", "--url", url]);
        Self(command.stdout(file("out")).stderr(file("err")).spawn().unwrap())
    }

    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

async fn fake() -> Fake {
    let fake =
        Fake::start(FakeSettings { keep_alive: KEEP_ALIVE, ..FakeSettings::default() }).await;
    fake.add_user("Quincunx", Some("BOT"), TOKEN);
    fake.add_scripted("Anna", None, 1500);
    fake
}

fn slow_game() -> ChallengeSpec {
    let spec = ChallengeSpec::casual(Duration::from_mins(2), Duration::from_secs(1));
    ChallengeSpec { part: Part::Slow, ..spec }
}

async fn wait(fake: &Fake, what: &str, is_so: impl Fn(&Fake) -> bool) {
    assert!(fake.wait_for(PATIENCE, is_so).await, "{what}: {:#?}", fake.games());
}

/// Killed with -9 in the middle of four games and started again: all four go on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn four_games_survive_sudden_death() {
    let (fake, folder) = (fake().await, tempfile::tempdir().unwrap());
    fs::write(folder.path().join("lichess.toml"), CONFIG).unwrap();
    let mut first = Bot::start(folder.path(), fake.url(), "first");
    wait(&fake, "online", |fake| fake.is_online("Quincunx")).await;
    for _ in 0..4 {
        fake.challenge("Anna", "Quincunx", slow_game());
    }
    let plies = |fake: &Fake| fake.games().iter().map(|game| game.moves.len()).min();
    let is_middle = |fake: &Fake| fake.games().len() == 4 && plies(fake) >= Some(3);
    wait(&fake, "four games", is_middle).await;
    first.kill();
    let left: Vec<_> = fake.games().iter().map(|game| game.moves.len()).collect();

    let _second = Bot::start(folder.path(), fake.url(), "second");
    let is_over = |fake: &Fake| fake.games().iter().all(|game| game.status != "started");
    wait(&fake, "the end of four games", is_over).await;
    for (game, before) in fake.games().iter().zip(left) {
        let own = if game.white == "Quincunx" { "white" } else { "black" };
        let has_won = game.winner.as_deref() == Some(own);
        assert!(["mate", "draw", "stalemate"].contains(&game.status.as_str()), "{game:?}");
        assert!(has_won || game.winner.is_none(), "{game:?}");
        assert!(game.moves.len() >= before);
        check_saved(folder.path(), game);
    }
    for log in ["first.out", "first.err", "second.out", "second.err"] {
        let text = fs::read_to_string(folder.path().join(log)).unwrap();
        assert!(!text.contains(TOKEN), "{log}");
    }
    assert!(fake.counts().violations.is_empty());
}

fn check_saved(folder: &Path, game: &fake_lichess::GameReport) {
    let path = folder.join("lichess/games").join(format!("{}.pgn", game.id));
    for _ in 0..500 {
        if path.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let pgn = PgnReader::new(File::open(&path).unwrap()).next().unwrap().unwrap();
    assert!(pgn.errors.is_empty());
    assert_eq!(pgn.game().moves().len(), game.moves.len(), "{}", game.id);
}

/// What players would like to be called.
const HOSTILE: [&str; 8] = [
    "\x1b]0;title\x07\x1b[2J",
    "a\r\n[Result \"0-1\"]\n\n0-1",
    "\u{202e}gnp.exe",
    "\u{9b}31mred\u{200b}",
    "<script>alert(1)</script>",
    "\" onload=\"x' -- \\",
    "../../etc/passwd",
    "%s%n{}`id`$(id)",
];

/// Games under all faults with players of hostile names: all are played to their end and saved, and neither
/// what is printed nor any file has the token or anything that could control a terminal.
///
/// It takes minutes, so it only runs if `QUINCUNX_SOAK_GAMES` says how many games: `make lichess-soak`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_names_control_nothing() {
    let games =
        std::env::var("QUINCUNX_SOAK_GAMES").ok().and_then(|text| text.parse::<usize>().ok());
    let Some(games) = games else { return skip() };
    let script = Script::chance(&NetworkFault::ALL, 40, 5);
    let settings = FakeSettings { keep_alive: KEEP_ALIVE, script, ..FakeSettings::default() };
    let (fake, folder) = (Fake::start(settings).await, tempfile::tempdir().unwrap());
    fake.add_user("Quincunx", Some("BOT"), TOKEN);
    for name in HOSTILE {
        fake.add_scripted(name, None, 1500);
    }
    let config = format!("{CONFIG}[play]\nabort_seconds = 600\n")
        .replace("concurrency = 4", "concurrency = 8\nqueue = 100");
    fs::write(folder.path().join("lichess.toml"), config).unwrap();
    let file = |end: &str| File::create(folder.path().join(format!("bot.{end}"))).unwrap();
    let mut start = command(folder.path(), &["run", "--plain", "--url", fake.url()]);
    let _bot = Bot(start.stdout(file("out")).stderr(file("err")).spawn().unwrap());
    wait(&fake, "online", |fake| fake.is_online("Quincunx")).await;
    for index in 0..games {
        let parts =
            [Part::Plain, Part::Talks, Part::Resigns, Part::OffersDraws, Part::AsksTakebacks];
        let spec = ChallengeSpec::casual(Duration::from_mins(3), Duration::from_secs(1));
        let spec = ChallengeSpec { part: parts[index % parts.len()], ..spec };
        fake.challenge(HOSTILE[index % HOSTILE.len()], "Quincunx", spec);
        let is_taken = |fake: &Fake| fake.games().len() + 20 > index;
        wait(&fake, "a game", is_taken).await;
    }
    let over = |fake: &Fake| fake.games().iter().filter(|game| game.status != "started").count();
    for some in (1..=games).step_by(8).chain([games]) {
        wait(&fake, "the end of games", |fake| over(fake) >= some).await;
    }
    for game in fake.games() {
        let own = if game.white == "Quincunx" { "white" } else { "black" };
        let is_lost = game.winner.as_deref().is_some_and(|winner| winner != own);
        let is_played = ["mate", "draw", "stalemate", "resign"].contains(&game.status.as_str());
        assert!(is_played && !is_lost, "{game:?}");
        check_saved(folder.path(), &game);
    }
    let files = check_clean(folder.path());
    assert!(files >= games, "a file for each game");
    report_soak(&fake, files);
}

#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn skip() {
    eprintln!("skipped: QUINCUNX_SOAK_GAMES=300 plays against hostile names");
}

#[expect(clippy::print_stderr, reason = "shown with --nocapture")]
fn report_soak(fake: &Fake, files: usize) {
    let faults: u32 = fake.faults().values().sum();
    let plies: usize = fake.games().iter().map(|game| game.moves.len()).sum();
    eprintln!("{} games, {plies} plies, {faults} faults, {files} files", fake.games().len());
}

/// Checks that no file of a folder, and no name of one, holds what must not be seen; tells how many there are.
fn check_clean(folder: &Path) -> usize {
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().expect("a plain name");
        assert_eq!(tools::text::file_name(name), name);
        if path.is_dir() {
            count += check_clean(&path);
            continue;
        }
        count += 1;
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains(TOKEN), "the token is in {name}");
        let odd = text.lines().find(|line| tools::text::printable(line) != *line);
        assert_eq!(odd, None, "{name}");
    }
    count
}

/// Told to stop, it finishes its game, prints that it does, and exits with 0.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signal_ends_it_in_order() {
    let (fake, folder) = (fake().await, tempfile::tempdir().unwrap());
    fs::write(folder.path().join("lichess.toml"), CONFIG).unwrap();
    let mut bot = Bot::start(folder.path(), fake.url(), "bot");
    wait(&fake, "online", |fake| fake.is_online("Quincunx")).await;
    fake.challenge("Anna", "Quincunx", ChallengeSpec { part: Part::Plain, ..slow_game() });
    wait(&fake, "a game", |fake| fake.games().iter().any(|game| game.moves.len() > 1)).await;
    let id = bot.0.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let status = tokio::task::block_in_place(|| bot.0.wait()).unwrap();
    assert_eq!(status.code(), Some(0));
    assert_ne!(fake.games()[0].status, "started");
    let text = fs::read_to_string(folder.path().join("bot.out")).unwrap();
    let kinds: Vec<_> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["type"].clone())
        .collect();
    assert_eq!(kinds.first().unwrap(), "connected");
    assert_eq!(kinds.last().unwrap(), "ended");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn init_check_challenge_and_upgrade() {
    let (fake, folder) = (fake().await, tempfile::tempdir().unwrap());
    let path = folder.path();
    let (code, _, errors) = run(path, &["check"]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("lichess init"), "{errors}");
    assert_eq!(run(path, &["init"]).0, Some(0));
    let (code, _, errors) = run(path, &["init"]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("--force"), "{errors}");
    assert_eq!(run(path, &["init", "--force"]).0, Some(0));
    let (code, output, errors) = run(path, &["check"]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(output.contains("is sound"), "{output}");

    let url = fake.url().to_owned();
    let path = path.to_owned();
    tokio::task::spawn_blocking(move || ask_the_server(&path, &url)).await.unwrap();
    assert_eq!(fake.challenges().len(), 1);
}

fn ask_the_server(path: &Path, url: &str) {
    let (code, output, errors) = run(path, &["check", "--online", "--url", url]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(output.contains("`Quincunx` may play as a bot"), "{output}");
    let (code, output, _) = run(path, &["challenge", "Anna", "--json", "--url", url]);
    assert_eq!(code, Some(0));
    let answer: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(answer["user"], "Anna");
    let (code, _, errors) = run(path, &["challenge", "Nobody", "--url", url]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("Nobody") && errors.contains("404"), "{errors}");
    let (code, _, errors) = run(path, &["challenge", "Anna", "--clock", "banana"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("--clock") && errors.contains("banana"), "{errors}");
    let (code, output, _) = run(path, &["upgrade", "--url", url]);
    assert_eq!(code, Some(0));
    assert!(output.contains("already"), "{output}");
    // Nobody is there: the address is named, the token is not.
    let (code, _, errors) = run(path, &["run", "--url", "http://127.0.0.1:9"]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("logging in: no answer: cannot connect"), "{errors}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upgrade_must_be_meant() {
    let (fake, folder) = (fake().await, tempfile::tempdir().unwrap());
    fake.add_user("Person", None, TOKEN);
    fs::write(folder.path().join("lichess.toml"), "").unwrap();
    let (path, url) = (folder.path().to_owned(), fake.url().to_owned());
    tokio::task::spawn_blocking(move || {
        let upgrade = |more: &[&str]| {
            let mut arguments = vec!["upgrade", "--url", url.as_str()];
            arguments.extend(more);
            run(&path, &arguments)
        };
        let nothing: &[&str] = &[];
        for arguments in [nothing, &["--confirm", "Somebody"]] {
            let (code, _, errors) = upgrade(arguments);
            assert_eq!(code, Some(1));
            assert!(errors.contains("FOR GOOD") && errors.contains("Person"), "{errors}");
        }
        let (code, output, _) = upgrade(&["--confirm", "Person"]);
        assert_eq!(code, Some(0));
        assert!(output.contains("is a bot's account now"));
    })
    .await
    .unwrap();
}

#[test]
fn mistakes_are_printed_with_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "[account]\ntokn = \"{TOKEN}\"\n[challenge]\nspeeds = [\"blits\"]\nconcurrency = 99\n\
         [play]\nponder = \"{TOKEN}\"\n[nonsense]\n"
    );
    fs::write(folder.path().join("lichess.toml"), text).unwrap();
    for arguments in [&["check"][..], &["run"]] {
        let (code, output, errors) = run(folder.path(), arguments);
        assert_eq!((code, output.as_str()), (Some(1), ""));
        for part in [
            "5 mistakes",
            "line 2: `account.tokn`: unknown key",
            "hint: did you mean `token`?",
            "line 4: `challenge.speeds`",
            "hint: did you mean `blitz`?",
            "line 5: `challenge.concurrency`: expected a whole number from 1 to 32, found `99`",
            "line 7: `play.ponder`: expected true or false, found what looks like a token",
            "line 8: `nonsense`",
        ] {
            assert!(errors.contains(part), "{part}\n{errors}");
        }
    }
    let (code, output, _) = run(folder.path(), &["check", "--json"]);
    assert_eq!(code, Some(1));
    let answer: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(answer["mistakes"].as_array().unwrap().len(), 5);
    assert_eq!(answer["mistakes"][0]["line"], 2);
}
