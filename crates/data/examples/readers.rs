// SPDX-License-Identifier: GPL-3.0-or-later
//! Compares what we read with what the crates of others read from the same files, position by position:
//! `readers GAMES.vf POSITIONS.data`, where the second comes of `quincunx data export GAMES.vf --to bullet`.
//! Positions, scores and results must be the same, and none may be missing.
#![expect(clippy::print_stdout, reason = "an example talks to people")]

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use bulletformat::{BulletFormat, ChessBoard};
use data::viri::GameReader;
use data::{GamePosition, Input};
use viriformat::dataformat::Game;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [games, positions] = arguments.as_slice() else {
        return Err("expected: GAMES.vf POSITIONS.data".into());
    };
    let mut theirs = BufReader::new(File::open(games)?);
    let mut bullet = BufReader::new(File::open(positions)?);
    let (mut number, mut count) = (0_u64, 0_u64);
    for game in GameReader::new(Input::open(Path::new(games))?) {
        let game = game.map_err(|problem| problem.reason)?;
        let their_game = Game::deserialise_from(&mut theirs, Vec::new())
            .map_err(|error| format!("viriformat, game {number}: {error}"))?;
        number += 1;
        let mut board = their_game.initial_position();
        let mut their_moves = their_game.moves.iter();
        for position in game.positions() {
            count += 1;
            let wrong =
                |what: &str| format!("position {count}, `{}`: {what}", position.board.fen());
            let Some((mv, score)) = their_moves.next() else {
                return Err(wrong("viriformat does not have it").into());
            };
            let record = position.record().map_err(|error| wrong(&error.to_string()))?;
            let packed = board.to_marlinformat(score.get(), 0, 0);
            // The men and their squares; the move counters follow.
            if bytemuck::bytes_of(&record)[..24] != packed.as_bytes()[..24] {
                return Err(wrong("viriformat has another board").into());
            }
            if position.played.score.get() != score.get() {
                return Err(wrong("viriformat has another score").into());
            }
            if !board.make_move_simple(*mv) {
                return Err(wrong("viriformat has no such move").into());
            }
            if next_of_bullet(&mut bullet)? != as_bullet(&position)? {
                return Err(wrong("bulletformat has something else").into());
            }
        }
        if their_moves.next().is_some() {
            return Err(format!("viriformat has more moves in game {number}").into());
        }
    }
    let mut rest = Vec::new();
    theirs.read_to_end(&mut rest)?;
    bullet.read_to_end(&mut rest)?;
    if !rest.is_empty() {
        return Err(format!("{} bytes are left over", rest.len()).into());
    }
    println!(
        "{number} games, {count} positions: boards, scores and results are the same, none is lost"
    );
    Ok(())
}

/// The next 32 bytes, which are a position.
fn next_of_bullet(stream: &mut impl Read) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut bytes = [0; 32];
    stream.read_exact(&mut bytes)?;
    Ok(bytes.to_vec())
}

/// What bullet's own crate makes of a position.
fn as_bullet(position: &GamePosition) -> Result<Vec<u8>, Box<dyn Error>> {
    let board = &position.board;
    let mut bitboards = [0; 8];
    for (i, color) in chess::Color::ALL.into_iter().enumerate() {
        bitboards[i] = board.by_color(color).0;
    }
    for role in chess::Role::ALL {
        bitboards[2 + role.index()] = board.by_role(role).0;
    }
    let points = position.record()?.white_points();
    let score = position.played.score.get();
    let theirs = [ChessBoard::from_raw(bitboards, board.turn().index(), score, points)?];
    Ok(ChessBoard::as_bytes_slice(&theirs).to_vec())
}
