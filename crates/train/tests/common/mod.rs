// SPDX-License-Identifier: GPL-3.0-or-later
//! Records to learn from, made by random games.
#![allow(dead_code, reason = "not every test uses all")]

use chess::{Board, Color, Outcome, Role};
use data::{Label, Record};
use net::Architecture;
use tools::Rng;
use train::model::{self, Model};

/// The network of an architecture with the options of a recipe.
pub(crate) fn model(architecture: Architecture, options: &str) -> Box<dyn Model> {
    model::build(architecture, &options.parse().unwrap()).unwrap()
}

/// Options of a house with so many king buckets, by ranks.
pub(crate) fn with_king_buckets(options: &str, buckets: usize) -> String {
    let map: Vec<String> = (0..32).map(|square| (square * buckets / 32).to_string()).collect();
    format!("{options}\nking_buckets = [{}]", map.join(","))
}

/// Positions of random games with their material as score and a result that often agrees.
pub(crate) fn records(count: usize, seed: u64) -> Vec<Record> {
    let mut random = Rng::new(seed);
    let mut board = Board::default();
    let mut records = Vec::with_capacity(count);
    while records.len() < count {
        let moves = board.legal_moves();
        if moves.is_empty() || board.halfmove_clock() > 60 || board.fullmove_number() > 120 {
            board = Board::default();
            continue;
        }
        let mv = moves[random.below(moves.len())];
        let score = material(&board);
        let outcome = match i32::from(score) + random.below(600) as i32 - 300 {
            200.. => Outcome::Decisive { winner: Color::White },
            ..=-200 => Outcome::Decisive { winner: Color::Black },
            _ => Outcome::Draw,
        };
        let label = Label {
            best_move: Some(mv),
            score: Some(data::LabelScore::from_stored(score)),
            outcome: Some(outcome),
        };
        if random.below(3) == 0 {
            records.push(Record::new(&board, label).unwrap());
        }
        board.play(mv);
    }
    random.shuffle(&mut records);
    records
}

/// White's material less Black's, in centipawns.
fn material(board: &Board) -> i16 {
    let count = |color, role| board.by_piece(color, role).len() as i16;
    let values = [100, 320, 330, 500, 900, 0];
    let sides = Color::ALL.map(|color| {
        Role::ALL.iter().zip(values).map(|(&role, value)| value * count(color, role)).sum::<i16>()
    });
    sides[0] - sides[1]
}
