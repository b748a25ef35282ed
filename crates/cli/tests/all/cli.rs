// SPDX-License-Identifier: GPL-3.0-or-later
//! The surface that scripts rely on: exit codes, last lines and the shape of JSON.

use std::fs::{self, File};
use std::io::{BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use chess::pgn::{PgnGame, PgnReader};
use regex_lite::Regex;
use serde_json::Value;

/// The binary under test.
const BINARY: &str = env!("CARGO_BIN_EXE_quincunx");

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn run(arguments: &[&str]) -> Output {
    run_with_input(arguments, "")
}

/// A run without input.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.args(arguments).stdin(Stdio::null());
    command
}

fn run_with_input(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(BINARY)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("its input is piped");
    // A program that needs no input may have ended already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("a child can be waited for")
}

/// Standard output of a run that must succeed.
fn output_of(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// The JSON documents of a run, one per line.
fn json_of(arguments: &[&str]) -> Vec<Value> {
    let text = output_of(arguments);
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    text.lines().map(parse).collect()
}

/// Exit code and standard error of a run that must fail.
fn failure_of(arguments: &[&str]) -> (i32, String) {
    let output = run(arguments);
    let code = output.status.code().expect("the program ends by itself");
    assert!(code != 0, "{arguments:?} succeeds");
    (code, String::from_utf8_lossy(&output.stderr).into_owned())
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn wrong_usage_exits_with_2_and_names_the_token() {
    for (arguments, tokens) in [
        (&["nonsense"][..], &["nonsense"][..]),
        (&["perft", "three"], &["three", "DEPTH"]),
        (&["perft", "3", "--frobnicate"], &["--frobnicate"]),
        (&["analyze"], &["FEN"]),
        (&["analyze", "startpos", "--depth", "x"], &["--depth", "x"]),
        (&["eval", "startpos", "--network", "nosuchnet"], &["--network", "nosuchnet"]),
        (&["analyze", "startpos", "--depth", "-3"], &["--depth", "invalid value '-3'"]),
        (&["play", "--level", "99"], &["--level", "99"]),
        (&["completions", "cobol"], &["cobol"]),
    ] {
        let (code, errors) = failure_of(arguments);
        assert_eq!(code, 2, "{arguments:?}: {errors}");
        for token in tokens {
            assert!(errors.contains(token), "{arguments:?}: `{token}` in {errors}");
        }
    }
}

#[test]
fn bad_positions_exit_with_2_and_name_field_and_token() {
    let bad = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1";
    for command in
        [&["analyze", bad][..], &["eval", bad], &["perft", "2", bad], &["play", "--fen", bad]]
    {
        let (code, errors) = failure_of(command);
        assert_eq!(code, 2, "{command:?}: {errors}");
        assert!(errors.contains("side to move") && errors.contains("`x`"), "{command:?}: {errors}");
    }
}

#[test]
fn failure_exits_with_1() {
    let (code, errors) = failure_of(&["perft", "--suite", "/no/such/file.epd"]);
    assert_eq!(code, 1, "{errors}");
    assert!(errors.starts_with("error: ") && errors.contains("/no/such/file.epd"), "{errors}");
}

#[test]
fn help_and_version_succeed() {
    for arguments in [&["--help"][..], &["--version"], &["perft", "--help"], &["help"]] {
        assert!(!output_of(arguments).is_empty(), "{arguments:?}");
    }
}

#[test]
fn perft_counts() {
    let text = output_of(&["perft", "3", KIWIPETE, "--divide"]);
    assert_eq!(text.lines().last(), Some("Nodes searched: 97862"));
    assert_eq!(text.lines().filter(|line| line.contains(": ")).count(), 49);
    let json = &json_of(&["perft", "2", "startpos", "--json"])[..];
    let [count] = json else { panic!("one document: {json:?}") };
    assert_eq!(keys(count), ["depth", "divide", "fen", "nodes", "seconds"]);
    assert_eq!((&count["nodes"], &count["depth"]), (&400.into(), &2.into()));
    assert!(count["seconds"].is_f64());
    assert_eq!(count["divide"].as_object().expect("moves").len(), 20);
    assert_eq!(count["divide"]["e2e4"], 20);
}

#[test]
fn eval_explains_itself() {
    let json = &json_of(&["eval", KIWIPETE, "--json"])[..];
    let [eval] = json else { panic!("one document: {json:?}") };
    for key in ["network", "architecture", "white", "stm", "wdl", "contributions", "hidden"] {
        assert!(keys(eval).contains(&key), "{key} in {eval}");
    }
    assert!(eval["white"].is_f64() && eval["stm"].is_i64() && eval["network"].is_string());
    let wdl: Vec<u64> =
        eval["wdl"].as_array().expect("three").iter().filter_map(Value::as_u64).collect();
    assert_eq!((wdl.len(), wdl.iter().sum()), (3, 1000));
    let parts = eval["contributions"].as_object().expect("squares");
    assert!(parts.values().all(Value::is_f64), "{eval}");
    // Kings have no price, and may be left out.
    let others = parts.keys().filter(|square| !["e1", "e8"].contains(&square.as_str()));
    assert_eq!(others.count(), 30, "{eval}");
    assert!(output_of(&["eval", "startpos"]).contains("for White"));
}

#[test]
fn analyze_streams_lines_and_ends_with_the_best_move() {
    let arguments =
        ["analyze", KIWIPETE, "--depth", "6", "--multipv", "3", "--threads", "1", "--json"];
    let objects = json_of(&arguments);
    let (last, lines) = objects.split_last().expect("objects");
    assert_eq!(lines.len(), 18, "three lines for each depth");
    for line in &objects {
        for key in ["depth", "seldepth", "multipv", "nodes", "nps", "time"] {
            assert!(line[key].is_u64(), "{key} in {line}");
        }
        assert!(line["score"]["cp"].is_i64() || line["score"]["mate"].is_i64(), "{line}");
        let wdl = line["wdl"].as_array().expect("three").iter().filter_map(Value::as_u64);
        assert_eq!(wdl.sum::<u64>(), 1000, "{line}");
        assert!(line["pv"].as_array().is_some_and(|pv| pv.iter().all(Value::is_string)), "{line}");
    }
    assert!(lines.iter().all(|line| line["bestmove"].is_null()));
    assert_eq!(last["bestmove"], last["pv"][0]);
    let mate = json_of(&["analyze", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "--depth", "3", "--json"]);
    let last = mate.last().expect("objects");
    assert_eq!((&last["score"]["mate"], &last["bestmove"]), (&1.into(), &"a1a8".into()));
    assert!(output_of(&["analyze", "startpos", "--nodes", "2000"]).contains("best move: "));
}

#[test]
fn analyze_knows_when_the_game_is_over() {
    let stalemate =
        json_of(&["analyze", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "--depth", "3", "--json"]);
    let last = stalemate.last().expect("an object");
    assert!(last.as_object().is_some_and(|last| last.contains_key("bestmove")), "{last}");
    assert!(last["bestmove"].is_null());
    let mate = output_of(&["analyze", "R6k/8/6K1/8/8/8/8/8 b - - 0 1", "--depth", "3"]);
    assert!(mate.contains("checkmate"), "{mate}");
}

#[test]
fn bench_ends_with_nodes_and_speed() {
    let last = Regex::new(r"^(\d+) nodes \d+ nps$").expect("a pattern");
    let nodes = |arguments: &[&str]| {
        let text = output_of(arguments);
        assert_eq!(text.lines().count(), 51, "a line for each position: {text}");
        let line = text.lines().last().expect("a last line").to_owned();
        last.captures(&line).unwrap_or_else(|| panic!("{line}"))[1].to_owned()
    };
    let count = nodes(&["bench", "3"]);
    assert_eq!(count, nodes(&["bench 3"]), "as a UCI line");
}

#[test]
fn uci_lines_are_run_in_order() {
    let text = output_of(&["position startpos moves e2e4", "go depth 4", "hashstats", "d"]);
    let best = text.lines().position(|line| line.starts_with("bestmove "));
    let stats = text.lines().position(|line| line.starts_with("size "));
    assert!(best.is_some() && best < stats, "the search ends first: {text}");
    assert!(text.contains("FEN: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"));
    let bare = output_of(&["uci", "isready", "quit", "isready"]);
    assert_eq!(bare.lines().filter(|line| *line == "readyok").count(), 1, "{bare}");
    let openings = output_of(&["genfens 3 seed 7 book None", "quit"]);
    assert_eq!(openings.lines().filter(|line| line.starts_with("info string genfens ")).count(), 3);
}

#[test]
fn words_without_quotes_are_one_line() {
    let text = output_of(&["go", "depth", "4"]);
    assert!(text.contains("info depth 4 ") && text.contains("bestmove "), "{text}");
    let (code, errors) = failure_of(&["posision startpos"]);
    assert_eq!(code, 2, "{errors}");
    assert!(errors.contains("`posision`") && errors.contains("`position`"), "{errors}");
    for bad in [&["position fen bad", "go depth 3"][..], &["genfens 3 seed 1 book /no/such.pgn"]] {
        assert_eq!(failure_of(bad).0, 1, "{bad:?}");
    }
}

/// As OpenBench's worker asks for them.
#[test]
fn openings_are_legal_distinct_and_the_same_for_the_same_seed() {
    let openings = |seed: u64| -> Vec<String> {
        let line = format!("genfens 300 seed {seed} book None ");
        let text = output_of(&[&line, "quit"]);
        let found = text.lines().filter_map(|line| line.strip_prefix("info string genfens "));
        found.map(str::to_owned).collect()
    };
    let first = openings(7);
    assert_eq!(first, openings(7));
    assert_eq!(first.iter().collect::<std::collections::HashSet<_>>().len(), 300);
    for fen in &first {
        let board: chess::Board = fen.parse().expect("a legal position");
        assert!(board.has_legal_moves() && fen.split(' ').count() == 6, "{fen}");
    }
    assert_ne!(first, openings(8));
}

#[test]
fn a_book_without_even_positions_ends_with_a_sentence() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("book.epd");
    fs::write(&path, "k7/8/8/8/8/8/8/KQQQQQQ1 w - - 0 1\n").expect("a file");
    let (code, text) = failure_of(&[&format!("genfens 4 seed 9 book {}", path.display())]);
    assert_eq!(code, 1, "{text}");
}

#[test]
fn the_version_says_what_this_build_is() {
    let text = output_of(&["--version"]);
    for line in ["quincunx ", "commit ", "network    house ", "compiler   rustc ", "kernels "] {
        assert!(text.lines().any(|found| found.starts_with(line)), "{line}: {text}");
    }
}

#[test]
fn openings_come_from_a_book_of_games() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("book.pgn");
    fs::write(&path, "1. e4 c5 *\n\n1. d4 d5 2. c4 *\n").expect("a file");
    let line = format!("genfens 4 seed 9 book {}", path.display());
    let text = output_of(&[&line, "quit"]);
    assert_eq!(text.lines().filter(|line| line.starts_with("info string genfens ")).count(), 4);
}

/// The exit code and standard error of a run whose output is read for one line only.
#[cfg(unix)]
fn head_of(arguments: &[&str]) -> (Option<i32>, String) {
    use std::io::{BufRead, Read};
    let mut child =
        command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut reader = BufReader::with_capacity(16, child.stdout.take().unwrap());
    reader.read_line(&mut line).unwrap();
    drop(reader);
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    (child.wait().unwrap().code(), errors)
}

#[test]
#[cfg(unix)]
fn who_reads_only_the_beginning_gets_no_complaint() {
    for arguments in [
        &["completions", "bash"][..],
        &["analyze", "startpos", "--depth", "9", "--threads", "1"],
        &["perft", "3", "--divide"],
    ] {
        let (code, errors) = head_of(arguments);
        let complains = |line: &str| line.starts_with("error") || line.contains("panicked");
        assert_eq!(code, Some(0), "{arguments:?}: {errors}");
        assert!(!errors.lines().any(complains), "{arguments:?}: {errors}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told_in_a_sentence() {
    for arguments in [
        &["eval", "startpos"][..],
        &["analyze", "startpos", "--depth", "3"],
        &["perft", "2"],
        &["completions", "bash"],
        &["go depth 2"],
        &["--version"],
        &["match", "--help"],
    ] {
        let full = File::options().write(true).open("/dev/full").expect("a full device");
        let output = command(arguments).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {errors}");
        // `perft` tells its speed before.
        let complaints: Vec<&str> =
            errors.lines().filter(|line| !line.ends_with("nodes per second")).collect();
        assert!(complaints.len() == 1 && complaints[0].starts_with("error: "), "{errors}");
    }
}

#[test]
fn completions_are_written() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(output_of(&["completions", shell]).contains("quincunx"), "{shell}");
    }
}

/// The games of a PGN file.
fn games_in(path: &Path) -> Vec<PgnGame> {
    let games = PgnReader::new(BufReader::new(File::open(path).expect("it is saved")));
    games.collect::<Result<_, _>>().expect("a PGN that can be read")
}

#[test]
fn a_game_is_played_and_saved() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("game.pgn");
    let name = path.display();
    let script = format!(
        "help\nhint\ne4\nnonsense\nhlep\nmoves\nd2d4\nundo\neval\nflip\nlevel\nlevel 2\nlevel 99\n\
         nf3\nsave {name}\nsave {name}\nquit\n",
    );
    let arguments = ["play", "--level", "1", "--network", "nectar"];
    let output = run_with_input(&arguments, &script);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    for part in [
        "Saved to",
        "1. your move (level 1, nectar)> ",
        "did you mean `help`?",
        "It plays at level 1.",
        "expected a number from 0 to 20, found `99`",
        " for White",
    ] {
        assert!(text.contains(part), "`{part}` in {text}");
    }
    assert!(text.contains('♔') || text.contains('♚'), "a board with figurines: {text}");
    let games = games_in(&path);
    let [game] = &games[..] else { panic!("one game, though saved twice: {games:?}") };
    assert_eq!(game.tag("White"), Some("You"));
    assert_eq!(game.tag("BlackElo"), Some("1220"), "level 2");
    assert!(game.tag("Date").is_some_and(|date| date.starts_with("20")), "{game:?}");
    assert!(game.to_string().contains("[%eval "), "{game}");
    let mut board = chess::Board::default();
    let sans: Vec<String> = game
        .moves()
        .map(|mv| {
            let san = board.san(mv).to_string();
            board.play(mv);
            san
        })
        .collect();
    assert_eq!((sans[0].as_str(), sans[2].as_str(), sans.len()), ("e4", "Nf3", 4), "{sans:?}");
    let leftovers = directory.path().read_dir().expect("the directory").count();
    assert_eq!(leftovers, 1, "nothing but the game is left");
}

#[test]
fn saving_a_game_keeps_those_that_are_there() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("collection.pgn");
    fs::write(&path, "[White \"A\"]\n\n1. d4 d5 1/2-1/2\n").expect("a file");
    let script = format!("e4\nsave {}\nquit\n", path.display());
    assert!(run_with_input(&["play", "--elo", "1000"], &script).status.success());
    let games = games_in(&path);
    assert_eq!(games.len(), 2, "{games:?}");
    assert_eq!((games[0].tag("White"), games[1].tag("White")), (Some("A"), Some("You")));
}

#[test]
fn a_resignation_can_be_taken_back_alone() {
    let fen = "4k3/8/8/8/8/8/PPP5/4K3 b - - 0 7";
    let output = run_with_input(
        &["play", "--color", "black", "--fen", fen, "--time", "0.01"],
        "resign\nundo\nmoves\nquit\n",
    );
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("7... your move (0.01 s a move, "), "{text}");
    assert!(text.contains("resignation") && text.contains("no moves yet"), "{text}");
}

#[test]
fn a_game_ends_with_mate_resignation_or_the_end_of_input() {
    let mate = run_with_input(&["play", "--fen", "7k/8/6K1/8/8/8/8/R7 w - - 0 1"], "Ra8\n");
    let text = String::from_utf8_lossy(&mate.stdout);
    assert!(mate.status.success() && text.contains("won by white"), "{text}");
    let resigned = run_with_input(&["play", "--color", "black", "--level", "1"], "resign\nquit\n");
    let text = String::from_utf8_lossy(&resigned.stdout);
    assert!(resigned.status.success() && text.contains("resign"), "{text}");
    assert!(run_with_input(&["play"], "").status.success());
}
