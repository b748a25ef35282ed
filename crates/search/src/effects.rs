// SPDX-License-Identifier: GPL-3.0-or-later
//! Every switch and every number of the search has an effect: a changed one changes what is searched.
//!
//! This finds heuristics that are declared but never asked, numbers that are read nowhere, and conditions
//! that can never be true.

use crate::{Limits, Mode, Params, Position, Ranking, Scope, Searcher, TreeOptions};

/// Varied positions, and depths at which each is searched in a moment.
const POSITIONS: [(&str, u32); 8] = [
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 7),
    ("r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w - - 0 7", 9),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 12),
    ("4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19", 9),
    ("6k1/5pp1/7p/3Q4/8/7P/5PP1/6K1 w - - 84 90", 12),
    ("8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47", 14),
    ("r2q1rk1/2p1bppp/p2p1n2/1p2P3/4P1b1/1nP1BN2/PP3PPP/RN1QR1K1 w - - 1 12", 10),
    ("1k6/ppp5/8/8/8/8/1r3PPP/R5K1 w - - 0 1", 14),
];

/// A changed search that has grown by this factor is different: there is no need to finish it.
const MOST_NODES: u64 = 4;

const SHALLOW: &str = "the searches here are too shallow";

/// Settings that change nothing here, each with the reason.
const WITHOUT_EFFECT: &[(&str, i32, &str)] = &[
    ("asp_failed_high_max", 8, "no score is above the window more than three times in a row"),
    ("asp_full_margin", 200, "no window grows so far"),
    ("asp_full_margin", 4000, "no window grows so far"),
    ("table_cut_halfmoves", 100, "no entry answers in the last plies before the draw"),
    ("tablebase_depth_bonus", 0, "there are no tablebases"),
    ("tablebase_depth_bonus", 16, "there are no tablebases"),
    ("nmp_eval_max", 8, "deeper reductions end in quiescence all the same"),
    ("double_extension_max", 20, SHALLOW),
    ("fp_max_depth", 14, SHALLOW),
    ("lmp_max_depth", 16, SHALLOW),
    ("nmp_verify_min_depth", 30, SHALLOW),
    ("raised_max_depth", 30, SHALLOW),
    ("razor_max_depth", 8, "no node of more depth is so far below alpha"),
    ("see_max_depth", 14, SHALLOW),
    ("mcts_gini_max", 5000, "the cap is not reached"),
    ("mcts_virtual_loss", 0, "one thread alone selects below nodes without its own virtual losses"),
    (
        "mcts_virtual_loss",
        10000,
        "one thread alone selects below nodes without its own virtual losses",
    ),
];

/// What a search of a position has done: its nodes and its result.
type Fingerprint = (u64, Option<crate::Line>);

struct Bench {
    searcher: Searcher,
    positions: Vec<(Position, u32)>,
    usual: Vec<Fingerprint>,
}

impl Bench {
    fn new() -> Self {
        let position = |&(fen, depth): &(&str, u32)| (Position::from_fen(fen).unwrap(), depth);
        let positions = POSITIONS.iter().map(position).collect();
        let mut bench = Self { searcher: Searcher::new(1, 1), positions, usual: vec![] };
        bench.usual = (0..POSITIONS.len()).map(|index| bench.search(index, u64::MAX)).collect();
        bench
    }

    fn search(&mut self, index: usize, nodes: u64) -> Fingerprint {
        let (position, depth) = &self.positions[index];
        let limits = Limits { nodes: Some(nodes), ..Limits::to_depth(*depth) };
        self.searcher.clear();
        let answer = self.searcher.think(position, &limits);
        (answer.effort.nodes, answer.best)
    }

    /// Whether a search with these numbers differs from the usual one somewhere.
    fn differs(&mut self, params: Params) -> bool {
        self.searcher.set_params(params);
        (0..POSITIONS.len()).any(|index| {
            let most = self.usual[index].0 * MOST_NODES;
            self.search(index, most) != self.usual[index]
        })
    }
}

/// The ends of every number's range, and the other state of every switch.
fn settings(scope: Scope) -> Vec<(&'static str, i32)> {
    let heuristics = Params::heuristics().filter(|heuristic| heuristic.scope == scope);
    let specs = heuristics.flat_map(|heuristic| {
        heuristic.switch.map(|(spec, _)| spec).into_iter().chain(heuristic.numbers.iter().copied())
    });
    specs
        .flat_map(|spec| {
            let ends = [spec.min, spec.max].into_iter().filter(move |&end| end != spec.default);
            ends.map(move |end| (spec.name, end))
        })
        .collect()
}

/// Checks that each setting has an effect unless it is a known exception, and that the exceptions are.
fn check(scope: Scope, mut has_effect: impl FnMut(Params) -> bool) {
    let mut wrong = vec![];
    for (name, value) in settings(scope) {
        let is_exception = WITHOUT_EFFECT.iter().any(|&(n, v, _)| (n, v) == (name, value));
        if has_effect(Params::default().with(name, value)) == is_exception {
            wrong.push((name, value, if is_exception { "has an effect now" } else { "has none" }));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_same_numbers_search_the_same() {
    assert!(!Bench::new().differs(Params::default()));
}

#[test]
fn every_switch_and_number_of_alpha_beta_has_an_effect() {
    let mut bench = Bench::new();
    check(Scope::AlphaBeta, |params| bench.differs(params));
}

#[test]
fn every_number_of_the_tree_search_has_an_effect() {
    let positions = [POSITIONS[0].0, POSITIONS[3].0].map(|fen| Position::from_fen(fen).unwrap());
    let mut searcher = Searcher::new(1, 16);
    searcher.set_tree_options(TreeOptions { leaf: crate::Leaf::Static, ..TreeOptions::default() });
    searcher.set_ranking(Ranking::Rule);
    assert!(searcher.set_mode(Mode::Mcts));
    let mut trees = |params: Params| {
        searcher.set_params(params);
        positions.each_ref().map(|position| {
            let answer = searcher.think(position, &Limits::of_nodes(8_000));
            (answer.best, searcher.tree(&[], 1).map(|(_, node)| node))
        })
    };
    let usual = trees(Params::default());
    assert_eq!(trees(Params::default()), usual);
    check(Scope::Tree, |params| trees(params) != usual);
}
