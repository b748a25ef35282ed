// SPDX-License-Identifier: GPL-3.0-or-later
//! Endgame tables, rating lists and books from the command line.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const BINARY: &str = env!("CARGO_BIN_EXE_quincunx");
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tablebase/tests/data");
const ROOK: &str = "8/8/8/4k3/8/8/8/4K2R w - - 0 1";

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(BINARY);
    command.args(arguments).env_remove("SYZYGY_PATH").stdin(Stdio::null());
    command.output().expect("the binary starts")
}

fn stdout_of(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

fn failure_of(arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(arguments);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn tables_tell_results_and_every_move() {
    let text = stdout_of(&["tb", "probe", ROOK, "--path", TABLES]);
    assert!(text.starts_with("KRvK, white to move: win; 27 plies"), "{text}");
    assert_eq!(text.lines().count(), 1 + 14, "{text}");

    let text = stdout_of(&["tb", "probe", ROOK, "--path", TABLES, "--json"]);
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&answer["wdl"], &answer["result"]), (&2.into(), &"win".into()));
    assert_eq!((&answer["dtz"], &answer["exact"]), (&27.into(), &false.into()));
    let moves = answer["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 14);
    assert!(moves.iter().any(|one| one["san"] == "Rh5+" && one["result"] == "win"), "{text}");
}

#[test]
fn tables_that_cannot_answer_say_why() {
    let (code, errors) = failure_of(&["tb", "probe", ROOK]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("SYZYGY_PATH"), "{errors}");
    let (code, errors) = failure_of(&["tb", "probe", ROOK, "--path", "/no/such folder"]);
    assert_eq!(code, Some(1), "{errors}");
    assert_eq!(errors.matches("/no/such folder").count(), 1, "{errors}");
    let (code, errors) = failure_of(&["tb", "probe", "startpos", "--path", TABLES]);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("32 men"), "{errors}");
}

#[test]
fn matches_refuse_missing_tables() {
    let engine =
        ["--engine", "cmd=x", "name=a", "nodes=1", "--engine", "cmd=x", "name=b", "nodes=1"];
    let arguments = [&["match", "--games", "2", "--tb", "/no/such"][..], &engine].concat();
    let (code, errors) = failure_of(&arguments);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("`/no/such`"), "{errors}");
}

fn pgn(games: &[(&str, &str, &str)]) -> String {
    let game = |(white, black, result): &(&str, &str, &str)| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{result}\n\n")
    };
    games.iter().map(game).collect()
}

#[test]
fn games_of_others_are_rated_into_a_table_and_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let games = pgn(&[("fox", "hen", "1-0"), ("hen", "fox", "1/2-1/2"), ("hen", "worm", "1-0")]);
    fs::write(path("games.pgn"), games).expect("a file");
    let (table, page) = (path("table.md"), path("page.html"));
    let arguments = ["league", "--rate", &path("games.pgn"), "--anchor", "hen=1000"];
    let printed = stdout_of(&[&arguments[..], &["--table", &table, "--page", &page]].concat());
    assert_eq!(fs::read_to_string(&table).expect("a table"), printed);
    assert!(printed.lines().nth(2).expect("a row").contains("fox"), "{printed}");
    assert!(printed.contains("| 1000 |  0 |"), "{printed}");
    let page = fs::read_to_string(&page).expect("a page");
    assert!(page.contains("3 engines, 3 games") && page.contains("1.5 / 2"), "{page}");
}

/// Positions that ask for a move, for none of two, for a mate, and for points.
const SUITE: &str = "\
6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"mate\"; c8 \"10 2\"; c9 \"d1d8 d1d7\";
6k1/5ppp/8/8/8/8/8/K2R4 w - - am Rd8#; id \"avoid\";
6k1/5ppp/8/8/8/8/8/K2R4 w - - dm 1;
r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id \"scholar\";
";

#[test]
fn suites_are_solved_alike_in_this_process_and_in_another() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("small.epd");
    fs::write(&file, SUITE).unwrap();
    let solved = |more: &[&str]| -> Value {
        let file = file.to_str().unwrap();
        let common = ["suite", file, "--nodes", "2000", "--option", "Hash=2", "--json"];
        let text = stdout_of(&[&common, more].concat());
        serde_json::from_str::<Value>(&text).unwrap()["suites"][0].clone()
    };
    let (own, foreign) = (solved(&[]), solved(&["--engine", BINARY]));
    assert_eq!((&own["positions"], &own["solved"]), (&4.into(), &3.into()), "{own}");
    for key in ["positions", "solved", "points", "max_points", "failures"] {
        assert_eq!(own[key], foreign[key], "{key}");
    }
    let misspelt = ["suite", file.to_str().unwrap(), "--option", "Hsh=2"];
    let (code, errors) = failure_of(&misspelt);
    assert!(code == Some(1) && errors.contains("Hsh"), "{errors}");
}

#[test]
fn books_are_compressed_if_named_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("games.pgn"), "1. e4 e5 1-0\n").expect("a file");
    stdout_of(&["book", "make", &path("book.bin"), &path("games.pgn")]);
    stdout_of(&["book", "make", &path("book.bin.zst"), &path("games.pgn")]);
    let plain = fs::read(path("book.bin")).expect("a book");
    let packed = fs::File::open(path("book.bin.zst")).expect("a book");
    assert_eq!(zstd::decode_all(packed).expect("a compressed file"), plain);
    let text = stdout_of(&["book", "probe", &path("book.bin.zst")]);
    assert!(text.contains("e2e4"), "{text}");
}

/// A program that talks UCI and then does what a shell says at its first `go`.
#[cfg(unix)]
fn engine_that(name: &str, on_go: &str) -> Vec<String> {
    let script = format!(
        "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
         go*) {on_go};; quit) exit;; esac; done"
    );
    let words = ["--engine", "cmd=/bin/sh", "arg=-c", &format!("arg={script}")];
    let name = format!("name={name}");
    words.into_iter().chain([name.as_str(), "nodes=1"]).map(str::to_owned).collect()
}

#[cfg(unix)]
fn match_of(engines: &[Vec<String>], more: &[&str]) -> (Option<i32>, String, String) {
    let mut arguments = vec!["match"];
    arguments.extend(engines.iter().flatten().map(String::as_str));
    arguments.extend(more);
    let output = run(&arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
#[cfg(unix)]
fn matches_of_faults_fail_and_count_them() {
    let own = |name: &str| -> Vec<String> {
        let words = ["--engine", &format!("cmd={BINARY}"), &format!("name={name}"), "nodes=20"];
        words.map(str::to_owned).into()
    };
    let engines = [engine_that("bad", "exit 3"), own("good")];
    let (code, table, errors) = match_of(&engines, &["--games", "3"]);
    assert_eq!(code, Some(1), "{errors}");
    assert!(table.contains("Faults of bad: 4 crashes\nFaults of good: none\n"), "{table}");
    assert!(errors.contains("so 4 are played, not 3"), "{errors}");
    assert!(errors.contains("4 of 4 games were lost by a fault"), "{errors}");
    assert!(errors.contains("warning: no book"), "{errors}");
    let moves = ["--games", "2", "--max-moves", "3"];
    let illegal = [engine_that("bad", "echo bestmove a1a8"), own("good")];
    let (code, table, _) = match_of(&illegal, &moves);
    assert_eq!(code, Some(1));
    assert!(table.contains("Faults of bad: 2 illegal moves"), "{table}");
    let each = ["--each", "opt.Hsh=16", "opt.Hash=1", "--strict"];
    let (code, table, errors) = match_of(
        &[own("a"), own("b")],
        &[&["--games", "6", "--max-moves", "3"], &each[..]].concat(),
    );
    assert_eq!(code, Some(0), "{errors}");
    assert!(table.contains("Faults: none\n") && table.contains("1MB"), "{table}");
    for name in ["a", "b"] {
        let warning = format!("warning: `{name}` has no option `Hsh`: did you mean `Hash`?");
        assert!(errors.contains(&warning), "{errors}");
    }
    assert!(errors.contains("only 1 of 6 games differ"), "{errors}");
}

#[test]
#[cfg(unix)]
fn nobody_listening_is_no_failure() {
    for arguments in [
        &["tb", "probe", ROOK, "--path", TABLES, "--json"][..],
        &["sprt", "--ptnml", "1,2,3,4,5", "--bounds", "0,5"],
        &["sprt", "--ptnml", "1,2,3,4,5", "--bounds", "0,5", "--json"],
    ] {
        let mut command = Command::new(BINARY);
        command.args(arguments).stderr(Stdio::piped());
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = command.stdout(writer).spawn().and_then(std::process::Child::wait_with_output);
        let output = output.expect("the binary runs");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

/// A league between two copies of ourselves, played twice: the second time only what is new.
#[test]
fn leagues_grow() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("small.toml");
    let describe = |games: u32, more: &str| {
        let out = folder.path().join("out").display().to_string();
        let engine = |name: &str| format!("[[engine]]\nname = \"{name}\"\ncmd = \"{BINARY}\"\n");
        let text = format!(
            "games = {games}\nout = \"{out}\"\nnodes = 50\nmax_moves = 10\ntb = \"{TABLES}\"\n\
             resign = \"movecount=3 score=900\"\n{}{}{more}",
            engine("a"),
            engine("b")
        );
        fs::write(&file, text).expect("a file");
    };
    let play = || stdout_of(&["league", &file.display().to_string(), "--concurrency", "1"]);
    describe(2, "");
    assert_eq!(play().lines().count(), 2 + 2);
    let log = folder.path().join("out/a-vs-b/log.csv");
    let before = fs::read_to_string(&log).expect("a log");
    describe(4, &format!("[[engine]]\nname = \"c\"\ncmd = \"{BINARY}\"\n"));
    let table = play();
    assert_eq!(table.lines().count(), 2 + 3, "{table}");
    assert!(table.contains("|     8 |"), "{table}");
    assert!(fs::read_to_string(&log).expect("a log").starts_with(&before), "games are lost");
    let written =
        |name: &str| fs::read_to_string(folder.path().join("out").join(name)).expect(name);
    assert_eq!(written("table.md"), table);
    assert!(written("report.html").contains("League small"));
    assert!(Path::new(&folder.path().join("out/b-vs-c")).exists());
}

/// What people wrote around the table stays, and a document without a place for it is refused before
/// anything is played.
#[test]
fn leagues_write_their_tables_into_documents() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let describe = |document: &str| {
        let engine = |name: &str| format!("[[engine]]\nname = \"{name}\"\ncmd = \"{BINARY}\"\n");
        let text = format!(
            "games = 2\nout = \"{}\"\nnodes = 50\nmax_moves = 5\ndocuments = [\"{}\"]\n{}{}",
            path("out"),
            path(document),
            engine("a"),
            engine("b")
        );
        fs::write(path("small.toml"), text).expect("a file");
    };
    let before = "# Ours\n\n<!-- league small -->\n";
    let after = "<!-- end of league -->\n\nSo be it.\n";
    fs::write(path("ours.md"), format!("{before}an old table\n{after}")).expect("a file");
    fs::write(path("bare.md"), "# Nothing here\n").expect("a file");
    describe("ours.md");
    let table = stdout_of(&["league", &path("small.toml"), "--concurrency", "1"]);
    let document = fs::read_to_string(path("ours.md")).expect("the document");
    assert_eq!(document, format!("{before}{table}{after}"));
    describe("bare.md");
    let (code, complaint) = failure_of(&["league", &path("small.toml")]);
    assert_eq!(code, Some(1));
    assert!(complaint.contains("bare.md"), "{complaint}");
    assert!(complaint.contains("<!-- league small -->"), "{complaint}");
}

#[test]
fn in_a_gauntlet_only_the_first_meets_all_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let mut text = format!(
        "games = 2\nout = \"{}\"\nformat = \"gauntlet\"\nnodes = 50\nmax_moves = 5\ntime_margin = 9\n",
        out.display()
    );
    for name in ["a", "b", "c"] {
        writeln!(text, "[[engine]]\nname = \"{name}\"\ncmd = \"{BINARY}\"").expect("a string");
    }
    let file = folder.path().join("gauntlet.toml");
    fs::write(&file, text).expect("a file");
    stdout_of(&["league", &file.display().to_string(), "--concurrency", "1"]);
    assert!(out.join("a-vs-b").exists() && out.join("a-vs-c").exists());
    assert!(!out.join("b-vs-c").exists());
    let run = fs::read_to_string(out.join("a-vs-b/run.json")).expect("the run's settings");
    assert!(run.contains("\"margin_ms\": 9"), "{run}");
}
