// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions out of searches, beside the games in a file.

use std::collections::HashSet;

use crate::common::{Workshop, load, random_games};
use data::Unit;
use data::expand::{Expansion, expand};
use data::viri::{GameReader, write_game_with_leaves};

#[test]
fn leaves_have_no_result_and_go_where_their_game_goes() {
    let games = random_games(8, 40);
    let mut bytes = Vec::new();
    for game in &games {
        let leaves: Vec<_> =
            game.positions().skip(3).step_by(5).map(|at| (at.board, at.played)).collect();
        write_game_with_leaves(&mut bytes, game, &leaves).unwrap();
    }
    let mut workshop = Workshop::new();
    let path = workshop.write("mixed.vf", &bytes);
    let mut reader = GameReader::new(&bytes[..]);
    let mut waiting = vec![];
    let mut read = vec![];
    while let Some(raw) = reader.next_raw() {
        let raw = raw.unwrap();
        let game = raw.decode().unwrap();
        if raw.is_leaf() {
            assert_eq!(raw.unit(), Some(Unit::Centipawns));
            assert!(game.positions().all(|at| at.label().outcome.is_none()));
            waiting.push(raw.hash() >> 48);
        } else {
            assert!(waiting.drain(..).all(|family| family == raw.hash() >> 48));
            read.push(game);
        }
    }
    assert_eq!(read, games);

    // Records of leaves are no part of a game, and no neighbor is on the other side.
    let sides = ["train.qrec", "val.qrec"].map(|name| workshop.path(name));
    let how = Expansion { validation_share: 0.3, keep_all: true, ..Expansion::default() };
    let made = workshop
        .run(|observer| expand(&[path], &sides[0], Some(&sides[1]), &how, observer))
        .unwrap();
    assert_eq!(made.games.iter().sum::<u64>(), 40);
    let boards = sides.map(|side| {
        let records = load(&side);
        let leaves = records.iter().filter(|record| !record.has_outcome()).count();
        assert!(leaves > 50);
        records.iter().map(|record| record.board().unwrap().key()).collect::<HashSet<_>>()
    });
    // Random games meet in their first few plies only, and leaves are later.
    let lone = boards[0].intersection(&boards[1]).count();
    assert!(lone < 40, "{lone} positions are on both sides");
}
