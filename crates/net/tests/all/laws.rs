// SPDX-License-Identifier: GPL-3.0-or-later
//! The symmetries that each architecture promises, to the bit, and that the others do not have.

use crate::common::{evaluator, fresh, headers, mirrored, positions, swapped};
use chess::{Board, Color};
use net::random;
use net::{Architecture, Header, Layer, NetEvaluator};

const POSITIONS: usize = 2000;

fn shapes(architecture: Architecture) -> Vec<(Header, NetEvaluator)> {
    let shapes = headers().into_iter().filter(|header| header.architecture == architecture);
    shapes.map(|header| (header.clone(), evaluator(random::with_header(&header, 11)))).collect()
}

fn white(evaluator: &mut NetEvaluator, board: &Board) -> i32 {
    let points = fresh(evaluator, board);
    if board.turn() == Color::White { points } else { -points }
}

/// On how many positions a law fails.
fn failures(
    evaluator: &mut NetEvaluator,
    law: impl Fn(&mut NetEvaluator, &Board) -> bool,
) -> usize {
    positions(POSITIONS, 17).iter().filter(|board| !law(evaluator, board)).count()
}

#[test]
fn rengar_obeys_its_three_laws() {
    for (_, mut rengar) in shapes(Architecture::Rengar) {
        let (mut nonzero, mut signs) = (0, [0; 2]);
        for board in positions(POSITIONS, 1) {
            let points = white(&mut rengar, &board);
            assert_eq!(white(&mut rengar, &swapped(&board)), -points, "colors of {board:?}");
            assert_eq!(white(&mut rengar, &mirrored(&board)), points, "files of {board:?}");
            let both = mirrored(&swapped(&board));
            assert_eq!(white(&mut rengar, &both), -points, "rotation of {board:?}");
            nonzero += usize::from(points != 0);
            signs[usize::from(points > 0)] += 1;
        }
        assert!(nonzero > POSITIONS / 2 && signs.iter().all(|&n| n > 100), "the network is alive");
    }
}

#[test]
fn rengar_obeys_its_laws_in_every_layer() {
    // How each layer's sign changes when colors are swapped, and when files are mirrored.
    const SIGNS: [(&str, f32, f32); 6] = [
        ("full", 1.0, 1.0),
        ("vertical", -1.0, 1.0),
        ("horizontal", 1.0, -1.0),
        ("rotational", -1.0, -1.0),
        ("even", 1.0, 1.0),
        ("odd", -1.0, 1.0),
    ];
    for (_, mut rengar) in shapes(Architecture::Rengar) {
        let mut layers = |board: &Board| {
            rengar.reset(board);
            rengar.hidden(board)
        };
        for board in positions(300, 2) {
            let (plain, colors, files) =
                (layers(&board), layers(&swapped(&board)), layers(&mirrored(&board)));
            for ((name, color, file), i) in SIGNS.into_iter().zip(0..) {
                assert_eq!(plain[i].name, name);
                let times =
                    |sign: f32| plain[i].values.iter().map(|x| x * sign).collect::<Vec<_>>();
                assert_eq!(colors[i], Layer { name, values: times(color) });
                assert_eq!(files[i], Layer { name, values: times(file) });
            }
        }
    }
}

#[test]
fn tal_and_house_do_not_care_about_colors() {
    for architecture in [Architecture::Tal, Architecture::House] {
        for (header, mut evaluator) in shapes(architecture) {
            let law = |evaluator: &mut NetEvaluator, board: &Board| {
                fresh(evaluator, &swapped(board)) == fresh(evaluator, board)
            };
            assert_eq!(failures(&mut evaluator, law), 0, "{header:?}");
        }
    }
}

#[test]
fn a_mirrored_house_does_not_care_about_files() {
    let law = |evaluator: &mut NetEvaluator, board: &Board| {
        fresh(evaluator, &mirrored(board)) == fresh(evaluator, board)
    };
    for (header, mut house) in shapes(Architecture::House) {
        let broken = failures(&mut house, law);
        if header.has(Header::MIRRORED) {
            assert_eq!(broken, 0, "{header:?}");
        } else {
            assert!(broken > POSITIONS / 2, "only a mirrored house has the law");
        }
    }
}

/// A test of the tests: networks without a law break it nearly everywhere.
#[test]
fn nectar_and_batu_have_no_laws() {
    for architecture in [Architecture::Nectar, Architecture::Batu] {
        for (_, mut evaluator) in shapes(architecture) {
            let colors = |evaluator: &mut NetEvaluator, board: &Board| {
                white(evaluator, &swapped(board)) == -white(evaluator, board)
            };
            let files = |evaluator: &mut NetEvaluator, board: &Board| {
                white(evaluator, &mirrored(board)) == white(evaluator, board)
            };
            assert!(failures(&mut evaluator, colors) > POSITIONS / 2);
            assert!(failures(&mut evaluator, files) > POSITIONS / 2);
        }
    }
}

#[test]
fn tal_sees_left_and_right() {
    for (_, mut tal) in shapes(Architecture::Tal) {
        let law = |evaluator: &mut NetEvaluator, board: &Board| {
            fresh(evaluator, &mirrored(board)) == fresh(evaluator, board)
        };
        assert!(failures(&mut tal, law) > POSITIONS / 2);
    }
}
