// SPDX-License-Identifier: GPL-3.0-or-later
//! What the tests share.
#![allow(dead_code, reason = "not every test needs everything")]

use std::fs;
use std::path::{Path, PathBuf};

use chess::{Board, Color, Outcome, White};
use data::qrec::RecordFile;
use data::{DataError, LabelScore, Observer, Origin, Problems, Record, ScoredGame, ScoredMove};
use tempfile::TempDir;
use tools::Rng;

/// 36 real games, see its README.
pub(crate) const SMALL: &str = "tests/data/small.vf";

/// Starts of all kinds: standard, Chess960, double Chess960, endgames, en passant, promotions.
pub(crate) const STARTS: [&str; 8] = [
    chess::STARTING,
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
    "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9",
    "1r2k2r/8/8/8/8/8/8/R3K1R1 w AGhb - 0 1",
    "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
];

/// Games of random moves with random scores and results.
pub(crate) fn random_games(seed: u64, count: usize) -> Vec<ScoredGame> {
    let mut rng = Rng::new(seed);
    (0..count).map(|i| random_game(&mut rng, STARTS[i % STARTS.len()])).collect()
}

fn random_game(rng: &mut Rng, start: &str) -> ScoredGame {
    let start: Board = start.parse().expect("a FEN");
    let mut board = start;
    let mut moves = Vec::new();
    let length = 20 + rng.below(60);
    while moves.len() < length {
        let legal = board.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[rng.below(legal.len())];
        let score = LabelScore::clamped(White::new(rng.below(4001) as i64 - 2000));
        moves.push(ScoredMove { mv, score });
        board.play(mv);
    }
    let outcomes = [
        Outcome::Draw,
        Outcome::Decisive { winner: Color::White },
        Outcome::Decisive { winner: Color::Black },
    ];
    ScoredGame { start, origin: Origin::Game(outcomes[rng.below(3)]), moves }
}

/// A folder for files, and the problems of what was done there.
pub(crate) struct Workshop {
    folder: TempDir,
    pub(crate) problems: Problems,
}

impl Workshop {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder"), problems: Problems::default() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).expect("the folder can be written to");
        path
    }

    /// Writes games to a file.
    pub(crate) fn games(&self, name: &str, games: &[ScoredGame]) -> PathBuf {
        let mut bytes = Vec::new();
        for game in games {
            data::viri::write_game(&mut bytes, game).expect("memory can be written to");
        }
        self.write(name, bytes)
    }

    /// Runs a job, keeping its problems.
    pub(crate) fn run<T>(
        &mut self,
        job: impl FnOnce(&mut Observer<'_>) -> Result<T, DataError>,
    ) -> Result<T, DataError> {
        job(&mut Observer { problems: &mut self.problems, progress: &mut |_| () })
    }

    /// All files in the folder, to see that nothing is left behind.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("the folder can be read");
        let name = |entry: std::io::Result<fs::DirEntry>| {
            entry.expect("an entry").file_name().to_string_lossy().into_owned()
        };
        let mut names: Vec<_> = entries.map(name).collect();
        names.sort();
        names
    }
}

/// All records of a file, which must be intact.
pub(crate) fn load(path: &Path) -> Vec<Record> {
    let file = RecordFile::open(path).expect("a file of records");
    assert!(file.is_intact().expect("it can be read"));
    file.load().expect("it can be read")
}

/// The bytes of records, sorted, to compare sets.
pub(crate) fn sorted(records: &[Record]) -> Vec<[u8; 32]> {
    let mut bytes: Vec<[u8; 32]> = records.iter().map(|&record| bytemuck::cast(record)).collect();
    bytes.sort_unstable();
    bytes
}
