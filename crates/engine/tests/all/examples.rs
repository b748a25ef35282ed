// SPDX-License-Identifier: GPL-3.0-or-later
//! The examples run, and do what they say.

use std::process::Command;

/// What an example writes. `cargo test -p engine` builds all of them beside the tests.
fn output_of(example: &str, arguments: &[&str]) -> String {
    let test = std::env::current_exe().unwrap();
    let folder = test.ancestors().nth(2).unwrap().join("examples");
    let path = folder.join(example).with_extension(std::env::consts::EXE_EXTENSION);
    let output = Command::new(&path).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(output.status.success(), "{example}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn analyse_finds_a_mate() {
    let text = output_of("analyse", &["7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "4"]);
    assert!(text.ends_with("best move: Qg7#\n"), "{text}");
    assert!(output_of("analyse", &[]).contains("depth 10 "));
}

#[test]
fn duel_plays_a_game_to_its_end() {
    let text = output_of("duel", &["material", "nectar", "50"]);
    let result = text.lines().last().unwrap();
    assert!(result.starts_with("material - nectar: "), "{text}");
}
