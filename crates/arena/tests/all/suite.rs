// SPDX-License-Identifier: GPL-3.0-or-later
//! Suites on the mock engine, and on Stockfish where it is installed.

use std::fs;
use std::path::Path;

use arena::EngineSpec;
use arena::suite::{ForeignSolver, Goal, Solver, SolverError, Suite, Tally};

const STOCKFISH: &str = "/usr/games/stockfish";
const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");

const EPD: &str = "\
6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"mate\"; c8 \"10 2\"; c9 \"d1d8 d1d7\";
6k1/5ppp/8/8/8/8/8/K2R4 w - - am Rd8#; id \"avoid\";
6k1/5ppp/8/8/8/8/8/K2R4 w - - dm 1;
# a comment

8/8/4k3/8/8/4K3/8/8 w - - c0 \"draw\";
";

const CSV: &str = "\
PuzzleId,FEN,Moves,Rating,Themes
one,7k/1p4pp/p1b5/8/6N1/7P/PP1R1K2/4r3 b - - 4 38,e1b1 d2d8 c6e8 d8e8,399,mate short
two,6k1/5ppp/8/8/8/7p/8/K1QR4 b - - 0 1,h3h2 c1c8,500,mate
";

fn solve(suite: &Suite, spec: &EngineSpec, workers: usize) -> Result<Tally, SolverError> {
    let start = || Ok(Box::new(ForeignSolver::new(spec.clone())) as Box<dyn Solver>);
    arena::suite::solve(suite, &spec.name, &start, workers, |_| {})
}

fn suite(name: &str, text: &str) -> Suite {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    Suite::read(&path).unwrap()
}

#[test]
fn files_are_read_and_bad_lines_are_named() {
    let epd = suite("small.epd", EPD);
    assert_eq!((epd.name.as_str(), epd.problems.len(), epd.unjudged), ("small", 3, 1));
    assert!(matches!(epd.problems[2].goal, Goal::Mate(1)));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.epd");
    fs::write(&path, "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Ra9;\n").unwrap();
    assert!(Suite::read(&path).unwrap_err().to_string().ends_with("bad.epd` line 1"));
}

#[test]
fn stockfish_solves_what_can_be_solved() {
    if !Path::new(STOCKFISH).exists() {
        return;
    }
    let mut spec = EngineSpec::new(STOCKFISH);
    spec.limit.depth = std::num::NonZeroU32::new(6);
    let epd = solve(&suite("small.epd", EPD), &spec, 2).unwrap();
    assert_eq!((epd.positions, epd.solved), (3, 2));
    assert_eq!((epd.points, epd.max_points), (Some(10), Some(10)));
    assert_eq!((epd.failures.len(), epd.failures[0].id.as_str()), (1, "avoid"));
    // The second puzzle's solution is one of two mates; the other counts as well.
    let puzzles = solve(&suite("small.csv", CSV), &spec, 1).unwrap();
    assert_eq!((puzzles.positions, puzzles.solved), (2, 2), "{:?}", puzzles.failures);
    assert_eq!(puzzles.themes[0].name, "mate");
    assert_eq!((puzzles.themes[0].positions, puzzles.themes[0].solved), (2, 2));
}

#[test]
fn a_crashing_engine_fails_and_the_rest_is_tried() {
    let mut spec = EngineSpec::new(env!("CARGO_BIN_EXE_mock-engine"));
    spec.args = vec!["crash".into()];
    spec.limit.nodes = std::num::NonZeroU64::new(1);
    let tally = solve(&suite("small.epd", EPD), &spec, 1).unwrap();
    assert_eq!(tally.positions, 3);
}

#[test]
fn all_shared_suites_are_readable() {
    let Ok(entries) = fs::read_dir(Path::new(DATA).join("suites")) else { return };
    let mut positions = 0;
    for entry in entries {
        let suite = Suite::read(&entry.unwrap().path()).unwrap();
        positions += suite.problems.len() + suite.unjudged;
    }
    assert_eq!(positions, 5298);
    let puzzles = Path::new(DATA).join("puzzles/lichess_puzzles.csv.zst");
    assert_eq!(Suite::read(&puzzles).unwrap().problems.len(), 10_621);
}
