// SPDX-License-Identifier: GPL-3.0-or-later
//! What a position awakens: the board with each piece's share, and a strip for each hidden layer.

use std::sync::Arc;

use chess::{Board, Color as Side, Square};
use net::policy::PolicyEvaluator;
use net::{Kernels, Layer, NetEvaluator};

use super::{LINE, Loaded, MARGIN};
use crate::picture::{Color, Scene};

/// Pixels of the board's squares.
const SQUARE: u32 = 36;
/// Pixels of a letter's dot on the board.
const LETTER: u32 = 3;
/// Pixels of a unit.
const CELL: u32 = 12;
/// Units in a row.
const ROW: usize = 64;
/// A layer of no more values is written out too.
const MOST_NUMBERS: usize = 8;
/// Moves of a policy that are told.
const MOVES: usize = 20;

/// What a network sees in a position.
pub(super) struct Seen {
    board: Board,
    /// What it says, in words.
    words: Vec<String>,
    /// How much it minds each square, from -1 to 1: what the piece there adds for White, or how likely
    /// a policy thinks a move to it.
    shares: [f32; 64],
    layers: Vec<Layer>,
}

impl Seen {
    pub(super) fn new(network: &Loaded, board: &Board) -> Self {
        match network {
            Loaded::Value(net) => {
                by_value(NetEvaluator::new(Arc::clone(net), Kernels::detect()), board)
            }
            Loaded::Policy(policy) => {
                by_policy(PolicyEvaluator::new(Arc::clone(policy), Kernels::detect()), board)
            }
        }
    }
}

fn by_value(mut evaluator: NetEvaluator, board: &Board) -> Seen {
    evaluator.reset(board);
    let points = evaluator.evaluate(board);
    let layers = evaluator.hidden(board);
    let mut shares = [0.0; 64];
    for part in evaluator.contributions(board) {
        shares[part.square.index()] = part.white as f32;
    }
    let side = if board.turn() == Side::White { "White" } else { "Black" };
    let words = vec![format!("{points} points for {side}, who is to move")];
    Seen { board: *board, words, shares: scaled(shares), layers }
}

fn by_policy(mut evaluator: PolicyEvaluator, board: &Board) -> Seen {
    let layers = evaluator.hidden(board);
    let moves = board.legal_moves();
    let priors = evaluator.priors(board, &moves, 1.0);
    let mut ranked: Vec<_> = moves.iter().zip(priors).collect();
    ranked.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let mut shares = [0.0; 64];
    for (mv, prior) in &ranked {
        shares[mv.to().index()] += **prior;
    }
    let word = |(mv, prior): &(&chess::Move, &f32)| {
        format!("{} {:.1} %", board.san(**mv), 100.0 * **prior)
    };
    let words = ranked.iter().take(MOVES).map(word).collect();
    Seen { board: *board, words, shares: scaled(shares), layers }
}

/// The same numbers with the largest as one.
fn scaled(values: [f32; 64]) -> [f32; 64] {
    let largest = values.iter().fold(f32::MIN_POSITIVE, |most, value| most.max(value.abs()));
    values.map(|value| value / largest)
}

pub(super) fn draw(network: &Loaded, seen: &Seen) -> Scene {
    let mut scene = Scene::new();
    scene.label([MARGIN, MARGIN], 2, network.title());
    scene.label([MARGIN, MARGIN + LINE], 1, seen.board.fen().to_string());
    let top = MARGIN + 2 * LINE;
    draw_board(&mut scene, [MARGIN, top], seen);
    let mut below = top + 8 * SQUARE + LINE;
    for word in &seen.words {
        scene.label([MARGIN, below], 1, word);
        below += LINE - 6;
    }
    let (left, mut y) = (2 * MARGIN + 8 * SQUARE, top);
    for layer in &seen.layers {
        y = draw_layer(&mut scene, [left, y], layer);
    }
    scene
}

fn draw_board(scene: &mut Scene, at: [u32; 2], seen: &Seen) {
    // A thin frame, because squares without a share are white.
    let edge = 8 * SQUARE + 2;
    scene.fill([at[0] - 1, at[1] - 1], [edge, 1], Color::NOTHING);
    scene.fill([at[0] - 1, at[1] - 1], [1, edge], Color::NOTHING);
    scene.fill([at[0] - 1, at[1] + edge - 2], [edge, 1], Color::NOTHING);
    scene.fill([at[0] + edge - 2, at[1] - 1], [1, edge], Color::NOTHING);
    scene.board(at, SQUARE, &seen.shares);
    for square in Square::all() {
        let Some(piece) = seen.board.piece_on(square) else { continue };
        let (rank, file) = (square.index() as u32 / 8, square.index() as u32 % 8);
        let corner = [at[0] + SQUARE * file, at[1] + SQUARE * (7 - rank)];
        let inset = [(SQUARE - 5 * LETTER) / 2, (SQUARE - Scene::LETTER * LETTER) / 2];
        let place = [corner[0] + inset[0], corner[1] + inset[1]];
        scene.label(place, LETTER, piece.letter().to_string());
    }
}

/// Draws a layer and tells where the next one begins.
fn draw_layer(scene: &mut Scene, at: [u32; 2], Layer { name, values }: &Layer) -> u32 {
    let largest = values.iter().fold(0.0f32, |most, value| most.max(value.abs()));
    let active = values.iter().filter(|value| **value != 0.0).count();
    let full = if largest > 0.0 { largest } else { 1.0 };
    let text = if values.len() <= MOST_NUMBERS {
        let numbers: Vec<String> = values.iter().map(|value| format!("{value:.2}")).collect();
        format!("{name}: {}", numbers.join(" "))
    } else {
        format!("{name}: {active} of {} active, largest {largest:.2}", values.len())
    };
    scene.label(at, 1, text);
    let top = at[1] + LINE - 8;
    for (index, value) in values.iter().enumerate() {
        let (row, column) = ((index / ROW) as u32, (index % ROW) as u32);
        let corner = [at[0] + CELL * column, top + CELL * row];
        let color = if *value == 0.0 { Color::PALE } else { Color::of(value / full) };
        scene.fill(corner, [CELL - 1, CELL - 1], color);
    }
    top + CELL * values.len().div_ceil(ROW) as u32 + LINE
}
