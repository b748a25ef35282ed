// SPDX-License-Identifier: GPL-3.0-or-later
//! Analyses a position: `cargo run --release -p engine --example analyse -- 'FEN' 14`.
#![expect(clippy::print_stdout, reason = "an example talks to people")]

use engine::{Bound, Engine, Event, Info, Limits, Position, Setting};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let position =
        arguments.next().map_or(Ok(Position::default()), |fen| Position::from_fen(&fen))?;
    let depth = arguments.next().map_or(Ok(10), |depth| depth.parse())?;

    let mut engine = Engine::new();
    engine.set(Setting::Hash(64))?;
    engine.set_position(position);
    let (board, odds) = (*engine.position().board(), engine.odds());
    for event in engine.go(Limits::to_depth(depth)) {
        match event {
            Event::Info(Info::Line(line, effort)) if line.bound == Bound::Exact => {
                let best = board.san(line.moves[0]);
                let score = odds.shown(line.score);
                println!("depth {} score {score} nodes {} {best}", line.depth, effort.nodes);
            }
            Event::Ended(answer) => match answer.best_move() {
                Some(mv) => println!("best move: {}", board.san(mv)),
                None => println!("the game is over"),
            },
            _ => (),
        }
    }
    Ok(())
}
