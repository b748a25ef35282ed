// SPDX-License-Identifier: GPL-3.0-or-later
//! What a search does that has a defect. Alone in its process, since the defect hits any search.

use std::io::Cursor;

use engine::{Engine, Event, Limits, Output, UciSession};

/// Everything that is said to these lines until the end of input.
fn answers(lines: &str) -> Vec<String> {
    let (output, memory) = Output::to_memory();
    UciSession::new(output).run(Cursor::new(lines.to_owned()));
    memory.contents().lines().map(str::to_owned).collect()
}

fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

/// One line tells of it, a legal move comes, and the next search is as good as ever.
fn a_search_that_panics_answers_all_the_same() {
    for options in
        ["", "setoption name Threads value 3\n", "setoption name SearchMode value mcts\n"]
    {
        engine::testing::panic_in_next_search();
        let said = answers(&format!(
            "{options}position startpos moves e2e4\ngo depth 6\nwait\ngo depth 6\nwait\nhashstats\n"
        ));
        assert_eq!(count(&said, "info string the search failed: injected"), 1, "{said:?}");
        assert_eq!(count(&said, "bestmove "), 2, "{said:?}");
        let mut board = chess::Board::default();
        board.play(board.parse_uci("e2e4").unwrap());
        for line in said.iter().filter_map(|line| line.strip_prefix("bestmove ")) {
            let mv = line.split(' ').next().unwrap();
            assert!(board.parse_uci(mv).is_ok(), "{mv}");
        }
        assert_eq!(count(&said, "size "), 1, "{said:?}");
    }
}

/// The panic of a listener is that of the search that calls it.
fn an_engine_outlives_its_listener() {
    let mut engine = Engine::new();
    let listener = std::sync::Arc::new(|event| {
        assert!(!matches!(event, Event::Info(_)), "a defect of the listener");
    });
    engine.go_with(Limits::to_depth(4), std::time::Instant::now(), listener);
    assert!(engine.wait().unwrap().best_move().is_some());
    assert!(engine.go(Limits::to_depth(4)).answer().unwrap().best_move().is_some());
}

#[test]
fn panics_are_survived() {
    a_search_that_panics_answers_all_the_same();
    an_engine_outlives_its_listener();
}
