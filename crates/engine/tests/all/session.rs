// SPDX-License-Identifier: GPL-3.0-or-later
//! Conversations in the same process.

use std::io::Cursor;

use engine::{Output, UciSession};

/// Everything that is said to these lines until the end of input.
fn answers(lines: &str) -> Vec<String> {
    let (output, memory) = Output::to_memory();
    UciSession::new(output).run(Cursor::new(lines.to_owned()));
    memory.contents().lines().map(str::to_owned).collect()
}

fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

#[test]
fn waiting_for_an_endless_search_does_not_block() {
    for go in ["go infinite", "go ponder movetime 5", "go"] {
        let said = answers(&format!("{go}\nwait\nisready\nstop\nwait\nisready\n"));
        assert_eq!((count(&said, "readyok"), count(&said, "bestmove ")), (2, 1), "{go}: {said:?}");
    }
    let said = answers("go depth 3\nwait\nisready\n");
    assert_eq!(said.last().map(String::as_str), Some("readyok"), "{said:?}");
}

#[test]
fn what_a_search_keeps_from_being_done_is_done_after_it() {
    let said = answers(
        "go infinite\nsetoption name Hash value 3\nucinewgame\nhashstats\nstop\nwait\nhashstats\n",
    );
    assert_eq!(count(&said, "info string a search is under way"), 1, "{said:?}");
    assert_eq!(count(&said, "size 3 MiB"), 1, "{said:?}");
}

#[test]
fn a_second_go_ends_the_first() {
    let said = answers("go infinite\nposition startpos moves e2e4\ngo depth 2\nwait\n");
    assert_eq!(count(&said, "bestmove "), 2, "{said:?}");
}

#[test]
fn a_table_beyond_the_memory_leaves_the_old_one() {
    let said = answers("setoption name Hash value 33554432\nhashstats\ngo depth 2\nwait\n");
    assert_eq!(count(&said, "info string Hash: no memory"), 1, "{said:?}");
    assert_eq!(count(&said, "size 16 MiB"), 1, "{said:?}");
    assert_eq!(count(&said, "bestmove "), 1, "{said:?}");
}

#[test]
fn minimal_output_is_one_line_before_the_move() {
    let said = answers("setoption name Minimal value true\ngo depth 6\nwait\n");
    assert_eq!((said.len(), count(&said, "info depth 6 ")), (2, 1), "{said:?}");
    let many =
        "setoption name Minimal value true\nsetoption name MultiPV value 3\ngo depth 4\nwait\n";
    assert_eq!(count(&answers(many), "bestmove "), 1);
}

#[test]
fn castling_is_written_as_the_mode_wants_and_read_in_both_ways() {
    let fen = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (option, from, to) in
        [("false", "e1g1", "e1g1"), ("false", "e1h1", "e1g1"), ("true", "e1g1", "e1h1")]
    {
        let said = answers(&format!(
            "setoption name UCI_Chess960 value {option}\n{fen}\ngo depth 2 searchmoves {from}\nwait\n"
        ));
        assert_eq!(count(&said, &format!("bestmove {to}")), 1, "{from}: {said:?}");
    }
}
