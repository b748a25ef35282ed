// SPDX-License-Identifier: GPL-3.0-or-later
//! New labels from an engine, also from one that fails, and also after being killed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{SMALL, Workshop, load};
use chess::{Board, Color, Role};
use data::expand::{Expansion, expand};
use data::import::{Format, Reading, import};
use data::relabel::{Relabelling, relabel};
use data::viri::GameReader;
use data::{Input, LabelScore, MATE, Record, ScoredGame};
use driver::EngineSpec;

const MOCK: &str = env!("CARGO_BIN_EXE_mock-labeller");

fn mock(args: &[&str], processes: usize) -> Relabelling {
    let args = args.iter().map(ToString::to_string).collect();
    let engine = EngineSpec { args, ..EngineSpec::new(MOCK) };
    Relabelling { engine, nodes: 10, processes }
}

/// What the mock says of a position, in White's view.
fn material(board: &Board) -> i16 {
    let values = [(Role::Pawn, 100), (Role::Knight, 300), (Role::Bishop, 300), (Role::Rook, 500)];
    let count = |color, role| board.by_piece(color, role).len() as i16;
    let values = values.into_iter().chain([(Role::Queen, 900)]);
    values
        .map(|(role, value)| value * (count(Color::White, role) - count(Color::Black, role)))
        .sum()
}

/// The last games of the small file, of which some are Chess960.
fn few_games(workshop: &Workshop) -> PathBuf {
    let all = games(SMALL.as_ref());
    workshop.games("in.vf", &all[all.len() - 10..])
}

fn few_records(workshop: &mut Workshop) -> PathBuf {
    let (input, out) = (few_games(workshop), workshop.path("in.qrec"));
    let all = Expansion { keep_all: true, ..Expansion::default() };
    workshop.run(|observer| expand(&[input], &out, None, &all, observer)).unwrap();
    out
}

fn games(path: &Path) -> Vec<ScoredGame> {
    GameReader::new(Input::open(path).unwrap()).collect::<Result<_, _>>().unwrap()
}

#[test]
fn records_get_scores_and_moves() {
    let mut workshop = Workshop::new();
    let (input, out) = (few_records(&mut workshop), workshop.path("out.qrec"));
    let made = workshop.run(|observer| relabel(&input, &out, &mock(&[], 2), observer)).unwrap();
    let (before, after) = (load(&input), load(&out));
    assert_eq!((made.items, made.problems), (before.len() as u64, 0));
    for (old, new) in before.iter().zip(&after) {
        let board = new.board().unwrap();
        assert_eq!(old.identity(), new.identity());
        assert_eq!(old.outcome(), new.outcome());
        assert_eq!(new.score().get(), material(&board));
        assert_eq!(new.best_move(), Some(board.legal_moves()[0]));
    }
    assert_eq!(workshop.files(), ["in.qrec", "in.vf", "out.qrec"]);
}

#[test]
fn games_get_scores_and_keep_their_moves() {
    let mut workshop = Workshop::new();
    let (input, out) = (few_games(&workshop), workshop.path("out.vf.zst"));
    let how = mock(&[], 2);
    workshop.run(|observer| relabel(&input, &out, &how, observer)).unwrap();
    let (before, after) = (games(&input), games(&out));
    assert_eq!(before.len(), after.len());
    for (old, new) in before.iter().zip(&after) {
        assert!(old.start == new.start && old.origin == new.origin);
        for (was, is) in old.positions().zip(new.positions()) {
            assert_eq!(was.played.mv, is.played.mv);
            assert_eq!(is.played.score.get(), material(&is.board));
        }
    }
}

#[test]
fn finished_positions_need_no_engine() {
    let mut workshop = Workshop::new();
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let text = format!("{mate}\n7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n");
    let (input, records) = (workshop.write("a.txt", text), workshop.path("a.qrec"));
    let reading = Reading::new(Format::Text);
    workshop.run(|observer| import(&[input], &records, reading, observer)).unwrap();
    let out = workshop.path("b.qrec");
    let how = mock(&["crash", "1"], 1);
    workshop.run(|observer| relabel(&records, &out, &how, observer)).unwrap();
    let score = |record: &Record| record.label().score.map(LabelScore::get);
    let scores: Vec<_> = load(&out).iter().map(score).collect();
    assert_eq!(scores, [Some(-MATE), Some(0)]);
}

#[test]
fn an_engine_that_dies_now_and_then_is_started_again() {
    let mut workshop = Workshop::new();
    let (input, out) = (few_records(&mut workshop), workshop.path("out.qrec"));
    let sound = workshop.path("sound.qrec");
    workshop.run(|observer| relabel(&input, &sound, &mock(&[], 1), observer)).unwrap();
    let how = mock(&["crash", "100"], 2);
    let made = workshop.run(|observer| relabel(&input, &out, &how, observer)).unwrap();
    assert_eq!(made.problems, 0);
    assert!(fs::read(&out).unwrap() == fs::read(&sound).unwrap());
}

#[test]
fn an_engine_that_never_works_is_a_sentence() {
    let mut workshop = Workshop::new();
    let (input, out) = (few_records(&mut workshop), workshop.path("out.qrec"));
    let missing =
        Relabelling { engine: EngineSpec::new("no-such-engine"), nodes: 10, processes: 1 };
    for (how, expected) in [
        (missing, "cannot start `no-such-engine`"),
        (mock(&["mute"], 1), "the engine gave no score"),
    ] {
        let error = workshop.run(|observer| relabel(&input, &out, &how, observer)).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert!(fs::metadata(&out).is_err());
        for leftover in ["out.qrec.relabel", "out.qrec.relabel.json"] {
            let _ = fs::remove_file(workshop.path(leftover));
        }
    }
}

/// Starts a process that relabels with a slow engine, and kills it once it has saved something.
fn run_and_kill(input: &Path, out: &Path, state: &Path) {
    let before = fs::read(state).unwrap_or_default();
    let mut child = Command::new(MOCK)
        .args(["relabel"])
        .args([input, out])
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_mins(1);
    while fs::read(state).unwrap_or_default() == before && child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "nothing was saved");
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_killed_run_goes_on_and_ends_as_an_unbroken_one() {
    let mut workshop = Workshop::new();
    let how = mock(&["slow"], 2);
    let inputs = [few_records(&mut workshop), few_games(&workshop)];
    for (input, name) in inputs.into_iter().zip(["a.qrec", "a.vf"]) {
        let unbroken = workshop.path("unbroken");
        workshop.run(|observer| relabel(&input, &unbroken, &mock(&[], 3), observer)).unwrap();
        let out = workshop.path(name);
        let (state, partial) = (
            workshop.path(&format!("{name}.relabel.json")),
            workshop.path(&format!("{name}.relabel")),
        );
        for _ in 0..2 {
            run_and_kill(&input, &out, &state);
        }
        assert!(fs::metadata(&out).is_err(), "the run was not killed in time");
        // As if killed while writing.
        let mut bytes = fs::read(&partial).unwrap();
        bytes.extend([1, 2, 3]);
        fs::write(&partial, bytes).unwrap();
        let made = workshop.run(|observer| relabel(&input, &out, &how, observer)).unwrap();
        assert!(made.resumed_at > 0);
        assert!(fs::read(&out).unwrap() == fs::read(&unbroken).unwrap());
        assert!(fs::metadata(&state).is_err() && fs::metadata(&partial).is_err());
    }
}

#[test]
fn another_run_does_not_go_on_with_its_files() {
    let mut workshop = Workshop::new();
    let input = few_records(&mut workshop);
    let out = workshop.path("out.qrec");
    run_and_kill(&input, &out, &workshop.path("out.qrec.relabel.json"));
    let how = Relabelling { nodes: 11, ..mock(&["slow"], 2) };
    let error = workshop.run(|observer| relabel(&input, &out, &how, observer)).unwrap_err();
    assert!(error.to_string().contains("belongs to an unfinished run"), "{error}");
}
