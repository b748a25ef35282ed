// SPDX-License-Identifier: GPL-3.0-or-later
//! The four positions of Batu's own `bench`, at Batu's depths and with what Batu expects of them.
//!
//! A depth means less in our search than in Batu's: ours skips most moves of most nodes, and reaches
//! depth 20 in the time in which Batu reaches 7. So these four are searched without what Batu's search
//! does not have, and a depth means again what it means there. The time until our whole search finds the
//! same is in the last column.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use chess::{Board, CastlingMode};
use search::{
    Bound, Control, Info, Limits, Line, Network, Odds, Params, Position, Report, Score, Searcher,
    ShownScore,
};

/// What a search of one of the positions must find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// A score of at most so many centipawns either way.
    Even(i32),
    /// A score of so many centipawns or less.
    AtMost(i32),
    /// A mate in so many moves.
    MateIn(i32),
}

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Even(most) => write!(f, "within {most} cp of zero"),
            Self::AtMost(most) => write!(f, "at most {most} cp"),
            Self::MateIn(moves) => write!(f, "mate in {moves}"),
        }
    }
}

/// One of the four positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BatuPosition {
    /// What Batu calls it.
    pub label: &'static str,
    /// The position.
    pub fen: &'static str,
    /// How deep Batu searches it.
    pub depth: u32,
    /// What must be found.
    pub expected: Expected,
}

/// The positions and depths as Batu's README gives them.
pub const BATU_POSITIONS: [BatuPosition; 4] = [
    BatuPosition {
        label: "Starting Position",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        depth: 7,
        expected: Expected::Even(75),
    },
    BatuPosition {
        label: "Eval Test",
        fen: "K1B5/P2r4/1p1r1n2/4k3/8/3PPP2/8/8 w - - 0 1",
        depth: 6,
        expected: Expected::AtMost(-100),
    },
    BatuPosition {
        label: "Mate in 3",
        fen: "Q7/8/2K5/8/4N2R/3P4/3Pk3/8 w - - 0 1",
        depth: 10,
        expected: Expected::MateIn(3),
    },
    BatuPosition {
        label: "Mate in 2",
        fen: "7B/3B1p2/rP1p2R1/n2k1Pb1/N2Pp3/4P3/K2nN1r1/2R5 w - - 0 1",
        depth: 6,
        expected: Expected::MateIn(2),
    },
];

/// What our search has and Batu's has not, as far as it lets a depth pass without its moves.
const NOT_IN_BATU: [&str; 18] = [
    "rfp_on",
    "razor_on",
    "nmp_on",
    "probcut_on",
    "probcut_table_on",
    "iir_on",
    "hindsight_on",
    "fp_on",
    "fp_noisy_on",
    "lmp_on",
    "history_prune_on",
    "see_on",
    "lmr_on",
    "raised_depth_on",
    "multicut_on",
    "negative_extension_on",
    "qs_see_on",
    "qs_late_on",
];

/// MiB of table, as Batu has.
const TABLE: usize = 32;
/// Where the whole search gives up.
const DEEPEST: u32 = 40;

/// The search of one position.
#[derive(Clone, Debug)]
pub struct BatuEntry {
    /// The position.
    pub position: BatuPosition,
    /// The best line at Batu's depth.
    pub best: Option<Line>,
    /// Its first move.
    pub mv: String,
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// Depth and time after which the whole search finds the same, if it does.
    pub whole: Option<(u32, Duration)>,
}

impl BatuEntry {
    /// The score at Batu's depth.
    pub fn score(&self) -> Score {
        self.best.as_ref().map_or(Score::DRAW, |line| line.score)
    }

    /// What scores mean in the position.
    pub fn odds(&self) -> Odds {
        Odds::on(&board(self.position.fen))
    }

    /// Whether the search found what is expected.
    pub fn is_found(&self) -> bool {
        is_found(self.position.expected, self.score(), self.odds())
    }
}

fn board(fen: &str) -> Board {
    fen.parse().expect("the positions are legal")
}

fn is_found(expected: Expected, score: Score, odds: Odds) -> bool {
    match (expected, odds.shown(score)) {
        (Expected::MateIn(moves), found) => found == ShownScore::Mate(moves),
        (_, ShownScore::Mate(_)) => false,
        (Expected::Even(most), ShownScore::Centipawns(found)) => found.0.abs() <= most,
        (Expected::AtMost(most), ShownScore::Centipawns(found)) => found.0 <= most,
    }
}

/// Searches the four positions.
pub fn run(network: &Network) -> impl Iterator<Item = BatuEntry> {
    let new = || {
        let mut searcher = Searcher::new(1, TABLE);
        searcher.set_network(network.clone());
        searcher
    };
    let (mut plain, mut whole) = (new(), new());
    plain.set_params(as_batu(plain.params()));
    BATU_POSITIONS.into_iter().map(move |position| {
        let root = Position::from_fen(position.fen).expect("the positions are legal");
        plain.clear();
        let answer = plain.think(&root, &Limits::to_depth(position.depth));
        BatuEntry {
            position,
            mv: answer
                .best_move()
                .map_or_else(String::new, |mv| mv.uci(CastlingMode::Standard).to_string()),
            nodes: answer.effort.nodes,
            time: answer.effort.time,
            best: answer.best,
            whole: until_found(&mut whole, &root, position.expected),
        }
    })
}

/// The numbers of the search without what Batu has not got.
fn as_batu(params: &Params) -> Params {
    NOT_IN_BATU.iter().fold(params.clone(), |params, name| params.with(name, 0))
}

/// Searches until the first finished line that is as expected.
fn until_found(
    searcher: &mut Searcher,
    root: &Position,
    expected: Expected,
) -> Option<(u32, Duration)> {
    let odds = Odds::on(root.board());
    let control = Arc::new(Control::default());
    let found = Arc::new(Mutex::new(None));
    let (stop, first) = (Arc::clone(&control), Arc::clone(&found));
    let report: Report = Arc::new(move |info| {
        if let Info::Line(line, effort) = info
            && line.bound == Bound::Exact
            && is_found(expected, line.score, odds)
        {
            let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert((line.depth, effort.time));
            stop.stop();
        }
    });
    searcher.clear();
    searcher.search(root, &Limits::to_depth(DEEPEST), Instant::now(), &control, &report);
    *found.lock().unwrap_or_else(PoisonError::into_inner)
}
