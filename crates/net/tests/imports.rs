// SPDX-License-Identifier: GPL-3.0-or-later
//! Networks in other programs' layouts give the evaluations that those programs would give.

mod common;

use std::path::Path;
use std::process::Command;

use chess::{Board, Color};
use common::{evaluator, fresh, positions};
use net::import::{BulletLayout, TalCsv, read_weights_txt, write_weights_txt};
use net::random::{self, Random};
use net::{Architecture, Net};

/// A raw network, and an evaluation of it that shares nothing with the library but the numbers: it
/// reads the board from its FEN, as the trainer's documentation says.
struct Raw {
    width: usize,
    buckets: usize,
    outputs: usize,
    layout: BulletLayout,
    numbers: Vec<i16>,
}

impl Raw {
    fn random(width: usize, layout: BulletLayout, random: &mut Random) -> Self {
        let buckets = usize::from(*layout.bucket_map.iter().max().unwrap()) + 1;
        let outputs = usize::from(layout.output_buckets);
        let mut numbers = Vec::new();
        for _ in 0..(768 * buckets + 1) * width {
            numbers.push(random.around_zero(120) as i16);
        }
        for _ in 0..2 * width * outputs {
            numbers.push(random.around_zero(128) as i16);
        }
        for _ in 0..outputs {
            numbers.push(random.around_zero(10_000) as i16);
        }
        Self { width, buckets, outputs, layout, numbers }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        while !bytes.len().is_multiple_of(64) {
            bytes.push(b"bullet"[bytes.len() % 6]);
        }
        bytes
    }

    /// The pieces in the order of a FEN: letter, and square with a1 = 0.
    fn pieces(fen: &str) -> Vec<(char, usize)> {
        let mut pieces = Vec::new();
        for (row, rank) in fen.split(' ').next().unwrap().split('/').enumerate() {
            let mut file = 0;
            for letter in rank.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    file += empty as usize;
                } else {
                    pieces.push((letter, (7 - row) * 8 + file));
                    file += 1;
                }
            }
        }
        pieces
    }

    fn accumulator(&self, pieces: &[(char, usize)], white: bool) -> Vec<i64> {
        let up = |square: usize| if white { square } else { square ^ 0o70 };
        let own = |letter: char| letter.is_ascii_uppercase() == white;
        let king = pieces.iter().find(|p| p.0.eq_ignore_ascii_case(&'k') && own(p.0)).unwrap();
        let king = up(king.1);
        let flip = if self.layout.is_mirrored && king % 8 > 3 { 7 } else { 0 };
        let folded = king ^ flip;
        let bucket = if self.layout.is_mirrored {
            self.layout.bucket_map[folded / 8 * 4 + folded % 8]
        } else {
            self.layout.bucket_map[king]
        };
        let bias = 768 * self.buckets * self.width;
        let mut sums: Vec<i64> =
            self.numbers[bias..][..self.width].iter().map(|&x| x.into()).collect();
        for &(letter, square) in pieces {
            let kind = "pnbrqk".find(letter.to_ascii_lowercase()).unwrap();
            let side = if own(letter) { 0 } else { 384 };
            let feature = usize::from(bucket) * 768 + side + 64 * kind + (up(square) ^ flip);
            for (lane, sum) in sums.iter_mut().enumerate() {
                *sum += i64::from(self.numbers[feature * self.width + lane]);
            }
        }
        sums
    }

    fn evaluate(&self, fen: &str) -> i64 {
        let pieces = Self::pieces(fen);
        let white = fen.split(' ').nth(1) == Some("w");
        let output = (pieces.len() - 2) / 32usize.div_ceil(self.outputs);
        let head = (768 * self.buckets + 1) * self.width;
        let weights = &self.numbers[head + output * 2 * self.width..][..2 * self.width];
        let lanes = [self.accumulator(&pieces, white), self.accumulator(&pieces, !white)].concat();
        let squares = lanes.iter().map(|x| x.clamp(&0, &255).pow(2));
        let sum: i64 = squares.zip(weights).map(|(x, &w)| x * i64::from(w)).sum();
        let bias = self.numbers[head + self.outputs * 2 * self.width + output];
        (sum / 255 + i64::from(bias)) * i64::from(self.layout.scale) / (255 * 64)
    }
}

fn layouts() -> Vec<BulletLayout> {
    let plain = BulletLayout::plain();
    let mirrored =
        BulletLayout { is_mirrored: true, bucket_map: vec![0; 32], ..BulletLayout::plain() };
    let outputs = BulletLayout { output_buckets: 8, ..mirrored.clone() };
    let map = (0..32).map(|square| [0, 1, 2, 2, 3, 3, 3, 3][square / 4]).collect();
    let bucketed = BulletLayout { bucket_map: map, scale: 250, ..outputs.clone() };
    let map = (0..64).map(|square| square as u8 / 16).collect();
    let unmirrored = BulletLayout { bucket_map: map, output_buckets: 4, ..plain.clone() };
    vec![plain, mirrored, outputs, bucketed, unmirrored]
}

#[test]
fn raw_networks_give_the_same_evaluations_on_1000_positions() {
    let mut random = Random::new(6);
    for (layout, width) in layouts().into_iter().zip([16, 32, 48, 64, 128]) {
        let raw = Raw::random(width, layout, &mut random);
        let net = raw.layout.read(&raw.bytes()).unwrap();
        assert_eq!(net.header().width(0), width);
        let mut evaluator = evaluator(net);
        let mut values = std::collections::HashSet::new();
        for board in positions(1000, 8) {
            let expected = raw.evaluate(&board.fen().to_string());
            assert_eq!(i64::from(fresh(&mut evaluator, &board)), expected, "{board:?}");
            values.insert(expected);
        }
        assert!(values.len() > 300, "the evaluations differ");
    }
}

#[test]
fn raw_networks_of_a_wrong_length_are_refused() {
    let raw = Raw::random(32, BulletLayout::plain(), &mut Random::new(1));
    let mut bytes = raw.bytes();
    bytes.extend([0; 64]);
    let error = raw.layout.read(&bytes).unwrap_err().to_string();
    assert!(error.starts_with("length of the raw network is"), "{error}");
    let error = raw.layout.read(&[]).unwrap_err().to_string();
    assert!(error.contains("expected"), "{error}");
    let wrong = BulletLayout { bucket_map: vec![0; 32], ..BulletLayout::plain() };
    let error = wrong.read(&raw.bytes()).unwrap_err().to_string();
    assert_eq!(error, "length of the bucket map is 32, expected 64");
}

/// The same comparison with a script in another language, where that language is installed.
#[test]
fn a_python_script_agrees() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/make_bullet_net.py");
    let fens: Vec<_> = positions(1000, 9).iter().map(|board| board.fen().to_string()).collect();
    let directory = std::env::temp_dir().join(format!("quincunx-bullet-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("fens.txt"), fens.join("\n")).unwrap();
    let python = Command::new("python3").arg(&script).arg(&directory).output();
    let Ok(output) = python else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let map = (0..32).map(|square| (square / 16) as u8).collect();
    let layout = BulletLayout {
        is_mirrored: true,
        bucket_map: map,
        output_buckets: 8,
        ..BulletLayout::plain()
    };
    let raw = std::fs::read(directory.join("quantised.bin")).unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    let mut evaluator = evaluator(layout.read(&raw).unwrap());
    let expected: Vec<i32> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| line.parse().unwrap())
        .collect();
    assert_eq!(expected.len(), fens.len());
    for (fen, expected) in fens.iter().zip(expected) {
        let board: Board = fen.parse().unwrap();
        assert_eq!(fresh(&mut evaluator, &board), expected, "{fen}");
    }
}

#[test]
fn weights_txt_is_written_and_read() {
    let net = random::network(Architecture::Batu, 3);
    let Net::Batu(batu) = &net else { unreachable!() };
    let text = write_weights_txt(batu).unwrap();
    assert_eq!(text.split_whitespace().count(), 205_889);
    let again = read_weights_txt(&text, "again").unwrap();
    assert_eq!(again.header().widths, [256, 32, 0, 0]);
    let scale = f64::from(again.header().scale) / f64::from(net.header().scale);
    let (mut one, mut two) = (evaluator(net), evaluator(again));
    for board in positions(300, 1) {
        let (before, after) = (fresh(&mut one, &board), fresh(&mut two, &board));
        let difference = f64::from(before) * scale - f64::from(after);
        assert!(difference.abs() <= 2.0, "{before} became {after}");
    }
}

#[test]
fn weights_txt_in_the_order_of_the_original() {
    // One piece-square value, for a white rook on h1: 64·1 + 63 in the order PRNBQK from a8.
    let mut numbers = vec![0.0f32; 205_889];
    numbers[64 + 63] = 0.5;
    let text: Vec<_> = numbers.iter().map(ToString::to_string).collect();
    let mut evaluator = evaluator(read_weights_txt(&text.join(" "), "rook").unwrap());
    assert_eq!(fresh(&mut evaluator, &Board::default()), 300);
    let mut board = Board::default();
    board.play(board.parse_uci("g1f3").unwrap());
    assert_eq!((board.turn(), fresh(&mut evaluator, &board)), (Color::Black, -300));
}

#[test]
fn broken_weights_txt_is_refused() {
    let error = read_weights_txt("1 2\n3 x 4", "").unwrap_err().to_string();
    assert_eq!(error, "weights.txt, line 2: found `x`, expected a number");
    let error = read_weights_txt("1 2 3", "").unwrap_err().to_string();
    assert_eq!(error, "count of numbers is 3, expected 833");
}

/// Texts of comma-separated values for a network of known numbers.
struct Texts {
    first: String,
    own: String,
    their: String,
    third: String,
}

fn lines(rows: usize, columns: usize, number: impl Fn(usize, usize) -> i32) -> String {
    let line = |row| {
        (0..columns).map(|column| number(row, column).to_string()).collect::<Vec<_>>().join(",")
    };
    (0..rows).map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn tal_csv_is_read_as_its_description_says() {
    let number = |seed: i32, row: usize, column: usize, max: i32| {
        Random::new((seed * 1_000_003) as u64 + (row * 7919 + column) as u64).around_zero(max)
    };
    let texts = Texts {
        first: lines(8, 640, |row, column| number(1, row, column, 40)),
        own: lines(4, 512, |row, column| number(2, row, column, 80)),
        their: lines(4, 512, |row, column| number(3, row, column, 80)),
        third: lines(4, 8, |row, column| number(4, row, column, 120)),
    };
    let csv = TalCsv {
        first_weights: &texts.first,
        first_bias: "10,20,30,40,-10,20,30,40",
        own_weights: &texts.own,
        own_bias: "100,200\n300,400.0",
        their_weights: &texts.their,
        their_bias: "50,60,70,80",
        third_weights: &texts.third,
        third_bias: "1000,2000,3000,4000",
        output_weights: "50,60,-70,80",
        output_bias: "2148",
    };
    let net = csv.read("tal").unwrap();
    assert_eq!((net.header().widths, net.header().scale), ([8, 4, 4, 0], 1600));
    let mut evaluator = evaluator(net);
    let activate = |x: i32| (x >> 6).clamp(0, 127);
    for board in positions(200, 12) {
        let us = board.turn();
        let up = |square: chess::Square| {
            if us == Color::White { square.index() } else { square.index() ^ 0o70 }
        };
        let bias = [10, 20, 30, 40, -10, 20, 30, 40];
        let lane = |lane: usize| {
            let weight = |square: chess::Square| {
                let piece = board.piece_on(square).unwrap();
                let kind = "pnbrqk".find(piece.role().letter()).unwrap();
                let theirs = if piece.color() == us { 0 } else { 5 };
                if kind == 5 { 0 } else { number(1, lane, 64 * (kind + theirs) + up(square), 40) }
            };
            let sum: i32 = board.occupied().into_iter().map(weight).sum();
            (bias[lane] + sum).clamp(0, 127)
        };
        let x: Vec<i32> = (0..8).map(lane).collect();
        let block = |seed, king: usize, row| -> i32 {
            (0..8).map(|i| number(seed, row, king * 8 + i, 80) * x[i]).sum()
        };
        let (own, their) = (up(board.king(us)), up(board.king(!us)));
        let mut y: Vec<i32> =
            (0..4).map(|r| activate(block(2, own, r) + [100, 200, 300, 400][r])).collect();
        y.extend((0..4).map(|r| activate(block(3, their, r) + [50, 60, 70, 80][r])));
        let third = |r: usize| -> i32 { (0..8).map(|i| number(4, r, i, 120) * y[i]).sum() };
        let z: Vec<i32> =
            (0..4).map(|r| activate(third(r) + [1000, 2000, 3000, 4000][r])).collect();
        let output: i32 = z.iter().zip([50, 60, -70, 80]).map(|(z, w)| z * w).sum::<i32>() + 100;
        assert_eq!(fresh(&mut evaluator, &board), output * 1600 / 4096, "{board:?}");
    }
}

#[test]
fn broken_tal_csv_is_refused() {
    let csv = TalCsv {
        first_weights: "1,2",
        first_bias: "1,2,3,4,5,6,7,8",
        own_weights: "",
        own_bias: "1,2,3,4",
        their_weights: "",
        their_bias: "",
        third_weights: "",
        third_bias: "1,2,3,4",
        output_weights: "",
        output_bias: "",
    };
    assert_eq!(csv.read("").unwrap_err().to_string(), "first weights is 1 lines, expected 8 lines");
    let csv = TalCsv { own_bias: "1,2,x", ..csv };
    let error = csv.read("").unwrap_err().to_string();
    assert_eq!(error, "own bias, line 1: found `x`, expected a whole number");
}
