// SPDX-License-Identifier: GPL-3.0-or-later
//! Conversations with the tree searches: the contract of the protocol holds in every mode.

use std::io::Cursor;

use chess::Board;
use engine::{Output, UciSession};

/// Everything that is said to these lines until the end of input.
fn answers(mode: &str, lines: &str) -> Vec<String> {
    let (output, memory) = Output::to_memory();
    let mut session = UciSession::new(output);
    session.run_line(&format!("setoption name SearchMode value {mode}"));
    // Random games are slow in a build with all checks.
    session.run_line("setoption name ClassicRollout value value");
    session.run(Cursor::new(lines.to_owned()));
    memory.contents().lines().map(str::to_owned).collect()
}

fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

fn last<'a>(lines: &'a [String], start: &str) -> &'a str {
    lines.iter().rfind(|line| line.starts_with(start)).map_or("", String::as_str)
}

/// The word behind a key.
fn field<'a>(line: &'a str, key: &str) -> &'a str {
    line.split_whitespace().skip_while(|&word| word != key).nth(1).unwrap_or("")
}

const TREES: [&str; 2] = ["mcts", "classic"];
const ALL: [&str; 3] = ["alphabeta", "mcts", "classic"];

#[test]
fn every_go_has_one_best_move_in_every_mode() {
    for mode in ALL {
        for go in [
            "go depth 3",
            "go nodes 50",
            "go nodes 1",
            "go movetime 20",
            "go movetime 0",
            "go wtime 300 btime 300 winc 10 binc 10",
            "go wtime 1 btime 1",
            "go wtime -50 btime 100",
            "go wtime 200 btime 200 movestogo 1",
            "go softnodes 60",
            "go softtime 5",
            "go mate 1 nodes 200",
            "go depth 2 searchmoves e2e4 d2d4",
            "go infinite\nstop",
            "go ponder movetime 10\nponderhit",
            "go ponder wtime 300 btime 300\nstop",
            "go\nstop",
        ] {
            let said = answers(mode, &format!("{go}\nwait\nisready\n"));
            assert_eq!(count(&said, "bestmove "), 1, "{mode} {go}: {said:?}");
            assert_eq!(said.last().map(String::as_str), Some("readyok"), "{mode} {go}: {said:?}");
            let (line, best) = (last(&said, "info depth "), last(&said, "bestmove "));
            assert_eq!(field(line, "pv"), field(best, "bestmove"), "{mode} {go}: {said:?}");
            assert_ne!(field(line, "pv"), "", "{mode} {go}: {said:?}");
        }
    }
}

#[test]
fn depths_come_without_gaps_and_lines_can_be_played() {
    for (mode, threads) in [("mcts", 1), ("mcts", 3), ("classic", 1)] {
        let lines = format!(
            "setoption name Threads value {threads}\nsetoption name MultiPV value 3\n\
             go depth 7\nwait\n"
        );
        let said = answers(mode, &lines);
        let lines = || said.iter().filter(|line| line.starts_with("info depth "));
        let mut depths: Vec<u32> = lines()
            .filter(|line| field(line, "multipv") == "1")
            .map(|line| field(line, "depth").parse().unwrap())
            .collect();
        // Other threads may have changed the last line since the depth was reported.
        depths.dedup();
        assert_eq!(depths, [1, 2, 3, 4, 5, 6, 7], "{mode}: {said:?}");
        assert!([21, 22].contains(&lines().count()), "{mode}: {said:?}");
        for line in lines() {
            let mut board = Board::default();
            let (_, pv) = line.split_once(" pv ").unwrap();
            for text in pv.split_whitespace() {
                board.play(board.parse_uci(text).unwrap());
            }
        }
    }
}

#[test]
fn a_game_that_is_over_has_no_move() {
    for mode in ALL {
        let mated = "position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1\ngo depth 3\nwait\n";
        let said = answers(mode, mated);
        assert_eq!(said.last().map(String::as_str), Some("bestmove (none)"), "{mode}: {said:?}");
        assert_eq!(count(&said, "info depth 0 score mate 0"), 1, "{mode}: {said:?}");
        let dead = answers(mode, "position fen 8/8/8/3k4/8/8/3K4/8 w - - 0 1\ngo depth 4\nwait\n");
        assert!(last(&dead, "info depth").contains("score cp 0 "), "{mode}: {dead:?}");
    }
}

#[test]
fn options_of_the_trees_are_read_and_wrong_values_told() {
    for leaf in ["static", "qsearch", "ab-1", "ab-2", "ab-3"] {
        let said =
            answers("mcts", &format!("setoption name MctsLeaf value {leaf}\ngo nodes 40\nwait\n"));
        assert_eq!((count(&said, "bestmove "), count(&said, "info string")), (1, 0), "{said:?}");
    }
    for rollout in ["random", "value", "qsearch"] {
        let lines = format!(
            "setoption name ClassicRollout value {rollout}\n\
             setoption name ClassicExploration value 200\n\
             setoption name ClassicIterations value 20\ngo infinite\nstop\nwait\n"
        );
        let said = answers("classic", &lines);
        assert_eq!((count(&said, "bestmove "), count(&said, "info string")), (1, 0), "{said:?}");
    }
    let wrong = answers(
        "mcts",
        "setoption name MctsLeaf value ab-9\nsetoption name SearchMode value best\n\
         setoption name PolicyFile value /no/such/file\ngo nodes 10\nwait\n",
    );
    assert_eq!((count(&wrong, "info string"), count(&wrong, "bestmove")), (3, 1), "{wrong:?}");
    assert!(wrong.iter().any(|line| line.contains("`ab-9`")), "{wrong:?}");
    assert!(wrong.iter().any(|line| line.contains("/no/such/file")), "{wrong:?}");
}

#[test]
fn classic_searches_end_by_their_iterations() {
    // As many as finish the first and the second depth.
    let lines = "setoption name ClassicIterations value 40\ngo depth 50\nwait\n";
    assert_eq!(field(last(&answers("classic", lines), "info depth"), "nodes"), "40");
    let lines = "setoption name ClassicIterations value 40\ngo nodes 25\nwait\n";
    assert_eq!(field(last(&answers("classic", lines), "info depth"), "nodes"), "25");
}

#[test]
fn the_tree_is_shown_as_a_table() {
    let said = answers(
        "mcts",
        "tree\ngo nodes 300\nwait\ntree\ntree e2e4\ntree e2e5\ntree a2a3 a7a6 h2h3 h7h6\n",
    );
    assert!(said[0].contains("tree: there is none"), "{said:?}");
    assert_eq!(count(&said, "White to move, 301 visits"), 1, "{said:?}");
    assert_eq!(count(&said, "Black to move, "), 1, "{said:?}");
    assert_eq!(count(&said, "move        visits"), 2, "{said:?}");
    assert!(said.iter().any(|line| line.contains("tree: ") && line.contains("e2e5")), "{said:?}");
    assert!(said.last().unwrap().contains("does not reach"), "{said:?}");
    let none = answers("alphabeta", "go depth 2\nwait\ntree\n");
    assert!(none.last().unwrap().contains("tree: there is none"), "{none:?}");
}

#[test]
fn numbers_of_moves_are_told_if_asked_for() {
    let said = answers("mcts", "setoption name VerboseMoveStats value true\ngo nodes 30\nwait\n");
    let stats: Vec<_> = said.iter().filter(|line| line.contains(" N: ")).collect();
    // Once for the depth that 25 iterations finish, and once at the end.
    assert_eq!(stats.len(), 2 * 21, "{said:?}");
    assert!(stats.last().unwrap().starts_with("info string node"), "{said:?}");
    let best = field(last(&said, "bestmove"), "bestmove").to_owned();
    let before_last = stats[stats.len() - 2];
    assert!(before_last.starts_with(&format!("info string {best}")), "{said:?}");
    for label in ["(P: ", "(WL: ", "(D: ", "(Q: ", "(U: ", "(V: "] {
        assert!(stats.iter().all(|line| line.contains(label)), "{label}: {said:?}");
    }
    assert_eq!(count(&answers("mcts", "go nodes 40\nwait\n"), "info string"), 0);
}

#[test]
fn little_memory_and_many_threads_are_enough() {
    for mode in TREES {
        let said = answers(
            mode,
            "setoption name Hash value 1\nsetoption name Threads value 4\n\
             setoption name MctsLeaf value static\nsetoption name ClassicIterations value 2000\n\
             go nodes 12000\nwait\nhashstats\nucinewgame\ngo nodes 100\nwait\n",
        );
        assert_eq!(count(&said, "bestmove "), 2, "{mode}: {said:?}");
        let size = said.iter().find(|line| line.starts_with("size ")).unwrap();
        let bytes: usize = field(size, "and").parse().unwrap();
        assert!(bytes <= 1 << 20 && bytes > (1 << 20) - 64, "{mode}: {size}");
    }
}

#[test]
fn the_mode_can_change_between_searches_and_waits_for_them() {
    let said = answers(
        "mcts",
        "go nodes 30\nwait\nsetoption name SearchMode value classic\ngo nodes 30\nwait\n\
         go infinite\nsetoption name SearchMode value alphabeta\nstop\nwait\ngo depth 4\nwait\n\
         setoption name SearchMode value mcts\nsetoption name Threads value 3\ngo nodes 30\nwait\n",
    );
    assert_eq!((count(&said, "bestmove "), count(&said, "info string")), (5, 0), "{said:?}");
}

#[test]
fn chances_and_contempt_are_there() {
    for mode in TREES {
        let said = answers(
            mode,
            "setoption name UCI_ShowWDL value true\nsetoption name Contempt value 40\n\
             go nodes 100\nwait\n",
        );
        let line = last(&said, "info depth");
        let chances = line.split_whitespace().skip_while(|&word| word != "wdl").skip(1).take(3);
        let sum: u32 = chances.map(|word| word.parse::<u32>().unwrap()).sum();
        assert_eq!(sum, 1000, "{mode}: {line}");
    }
}
