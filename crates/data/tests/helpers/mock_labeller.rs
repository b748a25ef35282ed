// SPDX-License-Identifier: GPL-3.0-or-later
//! An engine for the tests of relabelling: its score is the material for the side to move, its move
//! the first legal one. `mock-labeller crash N` ends at its N-th search, `mute` gives no score,
//! `slow` takes its time. `mock-labeller relabel INPUT OUTPUT` is no engine but a run that uses the
//! slow one, for tests that kill it.
#![expect(clippy::print_stdout, reason = "an engine talks")]

use std::io::BufRead;
use std::time::Duration;

use chess::{Board, CastlingMode, Role};
use data::relabel::Relabelling;
use data::{Observer, Problems};
use driver::EngineSpec;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let behavior = arguments.first().map_or("", String::as_str);
    if let [behavior, input, output] = arguments.as_slice()
        && behavior == "relabel"
    {
        relabel(input, output);
        return;
    }
    let crash_at = arguments.get(1).and_then(|number| number.parse().ok()).unwrap_or(1);
    let mut board = Board::default();
    let mut searches = 0;
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        match line.split_whitespace().next() {
            Some("uci") => {
                println!("id name Mock\noption name UCI_Chess960 type check default false\nuciok");
            }
            Some("isready") => println!("readyok"),
            Some("position") => {
                let fen = line.strip_prefix("position fen ").unwrap_or(chess::STARTING);
                board = fen.parse().unwrap_or_default();
            }
            Some("go") => {
                searches += 1;
                if behavior == "crash" && searches >= crash_at {
                    std::process::exit(3);
                }
                if behavior == "slow" {
                    std::thread::sleep(Duration::from_millis(10));
                }
                if behavior != "mute" {
                    println!("info depth 1 score cp {}", material(&board));
                }
                let mv = board.legal_moves()[0].uci(CastlingMode::Chess960);
                println!("bestmove {mv}");
            }
            Some("quit") => return,
            _ => (),
        }
    }
}

fn material(board: &Board) -> i32 {
    let values = [(Role::Pawn, 100), (Role::Knight, 300), (Role::Bishop, 300)];
    let values = values.into_iter().chain([(Role::Rook, 500), (Role::Queen, 900)]);
    let us = board.turn();
    let count = |color, role| board.by_piece(color, role).len() as i32;
    values.map(|(role, value)| value * (count(us, role) - count(!us, role))).sum()
}

fn relabel(input: &str, output: &str) {
    let program = std::env::current_exe().expect("we are a file");
    let engine = EngineSpec { args: vec!["slow".to_owned()], ..EngineSpec::new(program) };
    let how = Relabelling { engine, nodes: 10, processes: 2 };
    let mut problems = Problems::default();
    let mut observer = Observer { problems: &mut problems, progress: &mut |_| () };
    let made = data::relabel::relabel(input.as_ref(), output.as_ref(), &how, &mut observer);
    made.expect("the run succeeds unless it is killed");
}
