// SPDX-License-Identifier: GPL-3.0-or-later
//! Lets two networks play a game: `cargo run --release -p engine --example duel -- house tal 2000`.
#![expect(clippy::print_stdout, reason = "an example talks to people")]

use chess::{Color, Game};
use engine::{Engine, Limits, Position, Setting};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let name = |at: usize, default: &str| arguments.get(at).map_or(default, |name| name).to_owned();
    let nodes = arguments.get(2).map_or(Ok(2000), |nodes| nodes.parse())?;
    let (white, black) = (name(0, "house"), name(1, "tal"));
    let mut players = [player(&white)?, player(&black)?];

    let mut game = Game::default();
    let mut position = Position::default();
    let ending = loop {
        if let Some(ending) = game.ending().or_else(|| game.claim()) {
            break ending;
        }
        let engine = &mut players[usize::from(game.board().turn() == Color::Black)];
        engine.set_position(position.clone());
        let answer = engine.go(Limits::of_nodes(nodes)).answer();
        let mv = answer.and_then(|answer| answer.best_move()).ok_or("no move")?;
        print!("{} ", game.board().san(mv));
        game.play(mv);
        position.play(mv);
    };
    println!("\n{white} - {black}: {}, {}", ending.outcome, ending.reason);
    Ok(())
}

/// An engine that evaluates by the network of this name.
fn player(network: &str) -> Result<Engine, engine::SettingError> {
    let mut engine = Engine::new();
    engine.set(Setting::Network(network.to_owned()))?;
    Ok(engine)
}
