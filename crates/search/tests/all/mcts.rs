// SPDX-License-Identifier: GPL-3.0-or-later
//! The tree searches from outside: limits, lines, memory, reuse, draws and mates.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Random, VARIED, last_lines, mv, position, random_game, search, search_with};
use search::{
    ClassicOptions, Clock, Control, Leaf, Limits, Mode, Points, Position, Rollout, Score, Searcher,
    TreeOptions,
};

const FOREVER: Duration = Duration::from_hours(1);
/// Whatever takes longer hangs, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

fn searcher(mode: Mode, threads: usize, mebibytes: usize) -> Searcher {
    let mut searcher = Searcher::new(threads, mebibytes);
    assert!(searcher.set_mode(mode));
    searcher
}

fn with_leaf(leaf: Leaf) -> Searcher {
    let mut searcher = searcher(Mode::Mcts, 1, 4);
    searcher.set_tree_options(TreeOptions { leaf, ..TreeOptions::default() });
    searcher
}

fn with_rollout(rollout: Rollout, iterations: u64) -> Searcher {
    let mut searcher = searcher(Mode::Classic, 1, 4);
    let classic = ClassicOptions { rollout, iterations, ..ClassicOptions::default() };
    searcher.set_tree_options(TreeOptions { classic, ..TreeOptions::default() });
    searcher
}

#[test]
fn nodes_are_iterations_and_exact_with_any_threads() {
    for threads in [1, 2, 4] {
        let mut searcher = searcher(Mode::Mcts, threads, 4);
        for fen in VARIED {
            for nodes in [1, 2, 17, 500] {
                searcher.clear();
                let (answer, _) = search(&mut searcher, &position(fen), &Limits::of_nodes(nodes));
                let best = answer.best.unwrap();
                let is_proved = best.score.is_decisive() || best.score == Score::DRAW;
                assert!(
                    answer.effort.nodes == nodes || is_proved && answer.effort.nodes < nodes,
                    "{fen}: {} of {nodes}",
                    answer.effort.nodes
                );
            }
        }
    }
}

#[test]
fn depths_come_one_by_one_in_every_mode() {
    for mode in [Mode::Mcts, Mode::Classic] {
        let mut searcher = searcher(mode, 1, 4);
        for fen in VARIED {
            for depth in [1, 2, 5] {
                searcher.clear();
                let (answer, reports) =
                    search(&mut searcher, &position(fen), &Limits::to_depth(depth));
                let found = reports.iter().map(|(line, _)| line.depth);
                assert!(found.clone().eq(1..=found.clone().count() as u32), "{fen}: {reports:?}");
                let best = answer.best.unwrap();
                let is_proved = best.score.is_decisive() || best.score == Score::DRAW;
                assert!(best.depth == depth || is_proved, "{mode} {fen}: {best:?}");
                assert!(reports.iter().map(|(_, effort)| effort.nodes).is_sorted());
            }
        }
    }
}

#[test]
fn the_same_search_gives_the_same_answer() {
    for mode in [Mode::Mcts, Mode::Classic] {
        for fen in VARIED {
            let think = || searcher(mode, 1, 4).think(&position(fen), &Limits::of_nodes(300));
            assert_eq!(think().best, think().best, "{mode} {fen}");
        }
    }
}

#[test]
fn every_leaf_and_every_rollout_gives_sound_lines() {
    for leaf in Leaf::ALL {
        let mut searcher = with_leaf(leaf);
        for fen in VARIED {
            search(&mut searcher, &position(fen), &Limits::of_nodes(150));
        }
    }
    for rollout in Rollout::ALL {
        let mut searcher = with_rollout(rollout, 60);
        for fen in VARIED {
            let (answer, _) = search(&mut searcher, &position(fen), &Limits::of_nodes(1_000));
            assert_eq!(answer.effort.nodes, 60, "{rollout} {fen}");
        }
    }
}

#[test]
fn searchmoves_are_kept_to() {
    for mode in [Mode::Mcts, Mode::Classic] {
        let mut searcher = searcher(mode, 1, 4);
        let start = Position::default();
        let wanted = vec![mv(&start, "a2a3"), mv(&start, "h2h3")];
        let limits = Limits { root_moves: wanted.clone(), ..Limits::of_nodes(200) };
        let limited = searcher.think(&start, &limits).best_move().unwrap();
        assert!(wanted.contains(&limited), "{mode}");
        // The moves that were left out are there again, and better ones among them.
        let free = searcher.think(&start, &Limits::of_nodes(200)).best_move().unwrap();
        assert!(!wanted.contains(&free), "{mode}");
        let (_, reports) =
            search(&mut searcher, &start, &Limits { multi_pv: 20, ..Limits::of_nodes(300) });
        assert_eq!(last_lines(&reports).len(), 20, "{mode}");
    }
}

#[test]
fn lines_are_ranked_and_differ() {
    for mode in [Mode::Mcts, Mode::Classic] {
        let mut searcher = searcher(mode, 1, 4);
        for fen in VARIED {
            searcher.clear();
            let limits = Limits { multi_pv: 4, ..Limits::of_nodes(400) };
            let (answer, reports) = search(&mut searcher, &position(fen), &limits);
            let lines = last_lines(&reports);
            for (index, line) in lines.iter().enumerate() {
                assert_eq!(line.rank, index + 1);
                let mut others = lines[..index].iter();
                assert!(others.all(|other| other.moves[0] != line.moves[0]));
            }
            assert!(lines.windows(2).all(|pair| pair[0].score >= pair[1].score), "{lines:?}");
            assert!(answer.best.is_some());
        }
    }
}

#[test]
fn small_mates_are_found() {
    let mates = [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
    ];
    for threads in [1, 4] {
        for (fen, moves) in mates {
            let mut searcher = searcher(Mode::Mcts, threads, 16);
            let (answer, _) = search(&mut searcher, &position(fen), &Limits::of_nodes(60_000));
            let found = answer.best.unwrap().score.mate_moves();
            assert!(found.is_some_and(|found| found >= moves), "{fen}: {found:?}");
        }
    }
    for (fen, moves) in &mates[..3] {
        let mut classic = with_rollout(Rollout::Value, 1_000);
        let (answer, _) = search(&mut classic, &position(fen), &Limits::default());
        assert_eq!(answer.best.unwrap().score.mate_moves(), Some(*moves), "{fen}");
    }
}

#[test]
fn being_mated_is_seen() {
    // Whatever White plays, the queen mates.
    let fen = "8/8/8/8/8/5k2/4q3/7K w - - 0 1";
    for mode in [Mode::Mcts, Mode::Classic] {
        let limits = Limits { multi_pv: 3, ..Limits::of_nodes(5_000) };
        let (answer, _) = search(&mut searcher(mode, 1, 4), &position(fen), &limits);
        assert_eq!(answer.best.unwrap().score.mate_moves(), Some(-1), "{mode}");
    }
}

#[test]
fn draws_by_rule_are_draws() {
    for mode in [Mode::Mcts, Mode::Classic] {
        for fen in ["8/8/8/3k4/8/8/3K4/8 w - - 0 1", "8/8/8/8/8/8/R7/K6k w - - 99 120"] {
            let answer = searcher(mode, 1, 1).think(&position(fen), &Limits::of_nodes(2_000));
            assert_eq!(answer.best.unwrap().score, Score::DRAW, "{mode} {fen}");
        }
    }
}

/// A side that is far behind and can give check for ever takes the draw.
#[test]
fn a_perpetual_check_is_found() {
    // Qg5+ Kh8 Qf6+ Kg8 and so on; anything else loses to two rooks more.
    let drawn = position("r4rk1/5p1p/5Q2/8/8/8/q4PPP/6K1 w - - 0 1");
    let answer = searcher(Mode::Mcts, 1, 8).think(&drawn, &Limits::of_nodes(5_000));
    assert_eq!(answer.best_move(), Some(mv(&drawn, "f6g5")));
    let score = answer.best.unwrap().score;
    assert!(score.value().abs() <= 30, "{score:?}");
    // Three repetitions in the game itself: the answer is a move all the same.
    let mut game = Position::default();
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
        let next = mv(&game, text);
        game.play(next);
    }
    let (answer, _) = search(&mut searcher(Mode::Mcts, 1, 1), &game, &Limits::of_nodes(500));
    assert!(answer.best.is_some());
}

#[test]
fn memory_is_bounded_and_collected() {
    for mode in [Mode::Mcts, Mode::Classic] {
        for threads in [1, 4] {
            let mut searcher = searcher(mode, threads, 1);
            assert!(searcher.memory() <= 1 << 20, "{mode}: {}", searcher.memory());
            searcher.set_tree_options(TreeOptions {
                leaf: Leaf::Static,
                classic: ClassicOptions { iterations: 20_000, ..classic_by_value() },
                ..TreeOptions::default()
            });
            let (answer, reports) =
                search(&mut searcher, &position(VARIED[1]), &Limits::of_nodes(20_000));
            assert_eq!(answer.effort.nodes, 20_000, "{mode}");
            let fills: Vec<usize> =
                reports.iter().filter_map(|(_, effort)| effort.table_fill).collect();
            let most = fills.iter().max().copied().unwrap_or(0);
            let is_collected = fills.windows(2).any(|pair| pair[1] < pair[0]);
            match mode {
                // The tree is collected when it is full, so that it shrinks at least once.
                Mode::Mcts => assert!(is_collected, "{fills:?}"),
                // The classic tree only stops to grow.
                _ => assert!(most > 900 && !is_collected, "{fills:?}"),
            }
            assert!(searcher.memory() <= 1 << 20);
        }
    }
}

fn classic_by_value() -> ClassicOptions {
    ClassicOptions { rollout: Rollout::Value, ..ClassicOptions::default() }
}

#[test]
fn the_classic_tree_can_be_seen() {
    let mut searcher = with_rollout(Rollout::Value, 400);
    assert!(searcher.tree(&[], 1).is_none(), "nothing has been searched");
    let game = Position::default();
    let best = searcher.think(&game, &Limits::default()).best_move().unwrap();
    let (position, root) = searcher.tree(&[], 2).unwrap();
    assert_eq!(position.board(), game.board());
    assert_eq!((root.stats.visits, root.children.len()), (400, 20));
    let first = &root.children[0];
    assert_eq!(first.stats.mv, Some(best), "the move that is played comes first");
    let visits: u32 = root.children.iter().map(|child| child.stats.visits).sum();
    assert_eq!(visits, 400, "every iteration went through a move");
    for child in &root.children {
        let stats = &child.stats;
        let share = |value: f32| (0.0..=1.0).contains(&value);
        assert!(share(stats.prior) && stats.value.is_some_and(share), "{stats:?}");
        let term = f64::from(401u32).ln() / f64::from(1 + stats.visits);
        assert!((f64::from(stats.exploration) - term).abs() < 1e-5, "{stats:?}");
    }
    let (_, below) = searcher.tree(&[best], 1).unwrap();
    assert_eq!(below.stats, first.stats);
    assert_eq!(below.children.len(), first.children.len());
    searcher.clear();
    assert!(searcher.tree(&[], 1).is_none());
}

#[test]
fn the_classic_search_reports_its_moves_if_asked() {
    let mut searcher = searcher(Mode::Classic, 1, 4);
    let classic = ClassicOptions { iterations: 50, ..classic_by_value() };
    let options = TreeOptions { classic, shows_moves: true, ..TreeOptions::default() };
    searcher.set_tree_options(options);
    let (told, reports) = channel();
    let report: search::Report = Arc::new(move |info| told.send(info).unwrap());
    let control = Arc::new(Control::default());
    let answer = searcher.search(
        &Position::default(),
        &Limits::default(),
        Instant::now(),
        &control,
        &report,
    );
    drop(report);
    let moves = reports.try_iter().find_map(|info| match info {
        search::Info::Moves(moves) => Some(moves),
        _ => None,
    });
    let moves = moves.expect("the numbers of all moves");
    assert_eq!(moves.len(), 21, "twenty moves and the root");
    assert_eq!((moves[19].mv, moves[20].mv), (answer.best_move(), None));
}

#[test]
fn quiet_checks_are_forcing() {
    let position = position("rnbqkbnr/ppppp1pp/8/5p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    let searcher = Searcher::new(1, 1);
    let moves = searcher.forcing_moves(position.board());
    let names: Vec<String> =
        (moves.iter()).map(|ordered| position.board().san(ordered.mv).to_string()).collect();
    assert_eq!(names, ["exf5", "Qh5+"]);
}

#[test]
fn changing_mode_and_size_shares_the_memory_anew() {
    let mut searcher = Searcher::new(2, 3);
    for (mode, mebibytes) in
        [(Mode::Mcts, 2), (Mode::Classic, 1), (Mode::AlphaBeta, 4), (Mode::Mcts, 1)]
    {
        assert!(searcher.set_mode(mode) && searcher.set_table_size(mebibytes));
        let bytes = searcher.memory();
        assert!(bytes <= mebibytes << 20 && bytes > (mebibytes << 20) - 64, "{mode}: {bytes}");
        assert!(searcher.think(&Position::default(), &Limits::of_nodes(100)).best.is_some());
    }
    assert!(!searcher.set_table_size(1 << 25));
    assert!(searcher.think(&Position::default(), &Limits::of_nodes(100)).best.is_some());
}

#[test]
fn a_tree_is_used_again_after_two_moves() {
    let mut searcher = searcher(Mode::Mcts, 1, 16);
    let mut game = Position::default();
    let line = searcher.think(&game, &Limits::of_nodes(5_000)).best.unwrap().moves;
    assert!(line.len() > 3);
    let visits = |searcher: &Searcher, moves: &[_]| {
        searcher.tree(moves, 0).map_or(0, |(_, node)| node.stats.visits)
    };
    let expected = visits(&searcher, &line[..2]);
    game.play(line[0]);
    game.play(line[1]);
    let answer = searcher.think(&game, &Limits::of_nodes(100));
    assert_eq!(answer.effort.nodes, 100);
    assert_eq!(visits(&searcher, &[]), expected + 100);
    // The same position again; and then another game.
    searcher.think(&game, &Limits::of_nodes(50));
    assert_eq!(visits(&searcher, &[]), expected + 150);
    let other = position(VARIED[3]);
    searcher.think(&other, &Limits::of_nodes(50));
    assert_eq!(visits(&searcher, &[]), 51);
    searcher.think(&other, &Limits { contempt: Points(30), ..Limits::of_nodes(50) });
    assert_eq!(visits(&searcher, &[]), 51, "other draws, another tree");
}

/// Whole games with reuse and collections in little memory: every line is checked on the way.
#[test]
fn games_go_on_with_reuse_and_collections() {
    let mut random = Random(7);
    let mut searcher = searcher(Mode::Mcts, 2, 1);
    searcher.set_tree_options(TreeOptions { leaf: Leaf::Static, ..TreeOptions::default() });
    for _ in 0..3 {
        let mut game = random_game(&mut random, 12);
        for _ in 0..20 {
            let (answer, _) = search(&mut searcher, &game, &Limits::of_nodes(1_500));
            let Some(best) = answer.best_move() else { break };
            game.play(best);
            let replies = game.board().legal_moves();
            if replies.is_empty() {
                break;
            }
            game.play(replies[random.below(replies.len())]);
        }
    }
}

fn is_held_back(mode: Mode, limits: &Limits, release: fn(&Control)) {
    let control = Arc::new(Control::new(limits.ponder));
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut searcher = searcher(mode, 2, 1);
            search_with(&mut searcher, &Position::default(), limits, &control);
            sender.send(()).unwrap();
        });
        assert!(receiver.recv_timeout(Duration::from_millis(60)).is_err(), "{mode}: too early");
        release(&control);
        receiver.recv_timeout(PATIENCE).expect("an answer after the release");
    });
}

#[test]
fn endless_searches_and_pondering_wait_for_their_release() {
    for mode in [Mode::Mcts, Mode::Classic] {
        let endless = Limits { infinite: true, ..Limits::default() };
        is_held_back(mode, &endless, Control::stop);
        let move_time = Some(Duration::from_millis(5));
        let ponder = Limits { ponder: true, move_time, ..Limits::default() };
        is_held_back(mode, &ponder, Control::ponder_hit);
        is_held_back(mode, &ponder, Control::stop);
    }
}

#[test]
fn clocks_and_move_times_end_searches() {
    for mode in [Mode::Mcts, Mode::Classic] {
        let mut searcher = searcher(mode, 2, 1);
        let clock = Clock {
            remaining: Duration::from_millis(400),
            increment: Duration::ZERO,
            moves_to_go: None,
        };
        let limits = [
            Limits { move_time: Some(Duration::from_millis(20)), ..Limits::default() },
            Limits { soft_time: Some(Duration::from_millis(5)), ..Limits::default() },
            Limits { clock: Some(clock), ..Limits::default() },
            Limits { move_time: Some(Duration::ZERO), ..Limits::default() },
            Limits { soft_nodes: Some(100), move_time: Some(FOREVER), ..Limits::default() },
        ];
        for limits in limits {
            let start = Instant::now();
            let (answer, _) = search(&mut searcher, &position(VARIED[3]), &limits);
            assert!(answer.best.is_some() && start.elapsed() < PATIENCE, "{mode} {limits:?}");
        }
    }
}

#[test]
fn the_tree_can_be_looked_at() {
    let mut searcher = searcher(Mode::Mcts, 1, 4);
    assert!(searcher.tree(&[], 1).is_none(), "before a search there is none");
    let best = searcher.think(&Position::default(), &Limits::of_nodes(1_000)).best.unwrap();
    let (root, node) = searcher.tree(&[], 2).unwrap();
    assert_eq!(root.board(), Position::default().board());
    assert_eq!((node.stats.visits, node.children.len()), (1_001, 20));
    assert_eq!(node.children[0].stats.mv, best.moves.first().copied());
    let visits: u32 = node.children.iter().map(|child| child.stats.visits).sum();
    assert_eq!(visits, 1_000);
    let prior: f32 = node.children.iter().map(|child| child.stats.prior).sum();
    assert!((prior - 1.0).abs() < 0.01);
    let (_, below) = searcher.tree(&best.moves[..1], 1).unwrap();
    assert_eq!(below.stats, node.children[0].stats);
    assert!(searcher.tree(&[mv(&position(VARIED[1]), "e5f7")], 1).is_none());
}

#[test]
fn contempt_shuns_draws() {
    // A repetition is at hand; with contempt the side to move values it less.
    let position = position(VARIED[3]);
    let score = |contempt| {
        let limits = Limits { contempt: Points(contempt), ..Limits::of_nodes(400) };
        searcher(Mode::Mcts, 1, 4).think(&position, &limits).best.unwrap().score
    };
    assert!((score(0) - score(60)).abs() < 200, "scores stay on one scale");
}
