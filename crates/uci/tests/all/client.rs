// SPDX-License-Identifier: GPL-3.0-or-later
//! The client against engines that misbehave, played by shell scripts.
//!
//! Deadlines that must not be reached are generous, those that must be are short; no test depends
//! on how fast the machine is.
#![cfg(unix)]

use std::error::Error;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use uci::{
    Base, Client, ClientConfig, ClientError, Exit, Go, Reply, SetOption, StderrPolicy, UciPosition,
};

const PATIENCE: Duration = Duration::from_secs(30);
const SHORT: Duration = Duration::from_millis(100);

fn shell(script: &str) -> ClientConfig {
    ClientConfig { args: vec!["-c".into(), script.into()], ..ClientConfig::new("sh") }
}

fn spawn(script: &str) -> Client {
    Client::spawn(&shell(script)).unwrap()
}

fn soon() -> Instant {
    Instant::now() + PATIENCE
}

/// A script that answers each command as a sound engine would.
const SOUND: &str = r#"
    while read -r line; do
        case "$line" in
            uci) echo "id name Mock 1"; echo "id author Nobody"
                 echo "option name Clear Hash type button"
                 echo "option name Hash type spin default 16 min 1 max 1024"
                 printf 'uciok\r\n' ;;
            isready) echo readyok ;;
            go*) echo "info depth 1 score cp 13 nodes 20 pv e2e4"; echo "bestmove e2e4" ;;
            quit) exit 0 ;;
            *) echo "echo $line" ;;
        esac
    done"#;

#[test]
fn a_sound_engine_is_driven_from_start_to_end() {
    let mut engine = spawn(SOUND);
    let handshake = engine.handshake(PATIENCE).unwrap();
    assert_eq!(handshake.name.as_deref(), Some("Mock 1"));
    assert_eq!(handshake.author.as_deref(), Some("Nobody"));
    assert!(handshake.option("clear hash").is_some());
    assert!(handshake.malformed.is_empty());

    engine.send(SetOption::new("Hash", 64)).unwrap();
    engine.send("position startpos\nquit").unwrap();
    engine.await_ready(PATIENCE).unwrap();

    engine.send(Go::default()).unwrap();
    let mut scores = Vec::new();
    let line = engine
        .recv_until(soon(), "bestmove", |line| match Reply::parse(&line.text) {
            Reply::Info(info) => {
                scores.extend(info.score);
                false
            }
            reply => matches!(reply, Reply::BestMove(_)),
        })
        .unwrap();
    assert_eq!(line.text, "bestmove e2e4");
    assert_eq!(scores.len(), 1);
    assert!(matches!(engine.quit(PATIENCE), Ok(Exit::Quit(status)) if status.success()));
}

#[test]
fn a_command_with_line_breaks_stays_one_line() {
    let mut engine = spawn(SOUND);
    engine.send("one\r\ntwo\nthree").unwrap();
    assert_eq!(engine.recv(soon(), "the echo").unwrap().text, "echo one  two three");
}

#[test]
fn a_silent_engine_times_out() {
    let mut engine = spawn("while read -r line; do :; done");
    let error = engine.handshake(SHORT).unwrap_err();
    assert_eq!(error.to_string(), "`sh` timed out: expected uciok within 0.1 s");
    assert!(matches!(engine.await_ready(SHORT), Err(ClientError::TimedOut { .. })));
}

#[test]
fn a_crash_is_reported_with_status_and_last_words() {
    let mut engine = spawn("echo first >&2; echo boom >&2; exit 3");
    let ClientError::Exited { status, stderr, .. } = engine.recv(soon(), "anything").unwrap_err()
    else {
        panic!("expected an exit");
    };
    assert_eq!(status.and_then(|status| status.code()), Some(3));
    assert_eq!(stderr, ["first", "boom"]);
    let message = engine.recv(soon(), "anything").unwrap_err().to_string();
    assert!(message.contains("exit status: 3"), "{message}");
    assert!(message.ends_with("last words: first | boom"), "{message}");
}

#[test]
fn lines_before_a_crash_are_still_delivered() {
    let mut engine = spawn("echo uciok; printf 'no line end'; exit 1");
    assert_eq!(engine.recv(soon(), "a line").unwrap().text, "uciok");
    assert_eq!(engine.recv(soon(), "a line").unwrap().text, "no line end");
    assert!(matches!(engine.recv(soon(), "a line"), Err(ClientError::Exited { .. })));
}

#[test]
fn only_the_end_of_standard_error_is_kept() {
    let config = ClientConfig {
        stderr: StderrPolicy::Keep(2),
        ..shell("i=0; while [ $i -lt 500 ]; do i=$((i+1)); echo line $i >&2; done")
    };
    let mut engine = Client::spawn(&config).unwrap();
    assert!(engine.recv(soon(), "anything").is_err());
    assert_eq!(engine.stderr_tail(), ["line 499", "line 500"]);
}

#[test]
fn a_flood_ends_with_the_deadline_and_the_queue_stays_bounded() {
    let config = ClientConfig { queue: 8, ..shell("while :; do echo info string flood; done") };
    let mut engine = Client::spawn(&config).unwrap();
    assert_eq!(engine.recv(soon(), "a line").unwrap().text, "info string flood");
    let deadline = Instant::now() + SHORT;
    let error = engine.recv_until(deadline, "bestmove", |_| false).unwrap_err();
    assert!(matches!(error, ClientError::TimedOut { .. }), "{error}");
    assert!(engine.drain(5).len() <= 5);
    assert!(matches!(engine.quit(SHORT), Ok(Exit::Killed)));
}

#[test]
fn an_endless_line_is_cut() {
    let mut engine = spawn("head -c 5000000 /dev/zero | tr '\\0' x; echo; echo uciok");
    let line = engine.recv(soon(), "a line").unwrap();
    assert!(line.is_truncated);
    assert_eq!(line.text.len(), ClientConfig::new("").max_line);
    assert_eq!(engine.recv(soon(), "uciok").unwrap().text, "uciok");
}

#[test]
fn output_that_is_not_utf8_is_replaced() {
    let mut engine = spawn(r"printf 'id name Caf\351\nuciok\n'; read -r line");
    let handshake = engine.handshake(PATIENCE).unwrap();
    assert_eq!(handshake.name.as_deref(), Some("Caf\u{fffd}"));
}

#[test]
fn a_late_quitter_gets_its_grace() {
    let mut engine = spawn(
        "read -r line; echo uciok; read -r line; sleep 0.2; echo info string still here; exit 7",
    );
    engine.handshake(PATIENCE).unwrap();
    let Exit::Quit(status) = engine.quit(PATIENCE).unwrap() else { panic!("killed too early") };
    assert_eq!(status.code(), Some(7));
}

#[test]
fn an_engine_that_ignores_quit_is_killed() {
    let engine = spawn("trap '' TERM INT HUP; while :; do sleep 0.05; done");
    assert_eq!(engine.quit(SHORT).unwrap(), Exit::Killed);
}

#[test]
fn an_engine_that_does_not_read_cannot_block_us() {
    let config = ClientConfig { queue: 4, ..shell("exec sleep 60") };
    let mut engine = Client::spawn(&config).unwrap();
    let line = "x".repeat(100_000);
    let error = (0..1000).find_map(|_| engine.send(&line).err()).expect("a full queue");
    assert!(matches!(error, ClientError::NotReading { .. }), "{error}");
}

#[test]
fn sending_to_an_engine_that_is_gone_fails() {
    let mut engine = spawn("exit 0");
    let error = loop {
        match engine.send("isready") {
            Ok(()) => thread::sleep(Duration::from_millis(5)),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, ClientError::Exited { status: Some(_), .. }), "{error}");
}

#[test]
fn a_line_after_the_deadline_is_kept_for_the_next_call() {
    let passed = Instant::now();
    let mut engine = spawn("echo bestmove e2e4; read -r line");
    for _ in 0..20 {
        assert!(matches!(engine.recv(passed, "bestmove"), Err(ClientError::TimedOut { .. })));
        thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(engine.recv(soon(), "bestmove").unwrap().text, "bestmove e2e4");
}

#[test]
fn a_missing_program_is_named() {
    let error = Client::spawn(&ClientConfig::new("/no/such/engine")).unwrap_err();
    assert_eq!(error.to_string(), "cannot start `/no/such/engine`");
    assert!(error.source().is_some());
}

#[test]
fn the_working_directory_is_the_engines_own() {
    let config = ClientConfig { cwd: Some("/".into()), ..shell("pwd") };
    let mut engine = Client::spawn(&config).unwrap();
    assert_eq!(engine.recv(soon(), "the directory").unwrap().text, "/");
}

#[test]
fn the_hook_can_change_the_command() {
    let customize = |command: &mut std::process::Command| {
        command.env("QUINCUNX_TEST", "hooked");
    };
    let config = ClientConfig { customize: Some(customize), ..shell("echo $QUINCUNX_TEST") };
    let mut engine = Client::spawn(&config).unwrap();
    assert_eq!(engine.recv(soon(), "the variable").unwrap().text, "hooked");
}

#[test]
fn a_dropped_client_leaves_no_process_behind() {
    let mut engine = spawn("echo up; exec sleep 60");
    assert_eq!(engine.recv(soon(), "a line").unwrap().text, "up");
    let process = format!("/proc/{}", engine.id());
    let has_proc = Path::new("/proc/self").exists();
    assert!(!has_proc || Path::new(&process).exists());
    drop(engine);
    assert!(!Path::new(&process).exists());
}

#[test]
fn positions_can_be_sent_as_values() {
    let mut engine = spawn(SOUND);
    let position = UciPosition { base: Base::Startpos, moves: vec!["e2e4".into()] };
    engine.send(&position).unwrap();
    assert_eq!(engine.recv(soon(), "the echo").unwrap().text, "echo position startpos moves e2e4");
}
