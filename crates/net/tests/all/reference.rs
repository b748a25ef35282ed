// SPDX-License-Identifier: GPL-3.0-or-later
//! Plain floating-point references of every architecture, slow and from the definitions, against the
//! quantized inference.
//!
//! They share nothing with the library but the file: weights are read from its bytes, features from
//! the pieces' letters. Integers leave only the last division's rounding; where layers in between
//! round, the bound says how much.

use std::collections::HashMap;

use crate::common::{evaluator, fresh, headers, positions};
use chess::{Board, Color};
use net::file::TensorKind;
use net::{Activation, Architecture, Header, Net, random};

/// Tensors by name, as numbers.
struct Weights(HashMap<&'static str, Vec<f64>>);

impl Weights {
    fn of(net: &Net) -> Self {
        let bytes = net.to_bytes();
        let tensors = net.tensors();
        let total: usize = tensors.iter().map(net::file::Tensor::bytes).sum();
        let mut rest = &bytes[bytes.len() - total..];
        let mut map = HashMap::new();
        for tensor in tensors {
            let (head, tail) = rest.split_at(tensor.bytes());
            rest = tail;
            let number = |chunk: &[u8]| match tensor.kind {
                TensorKind::I8 => f64::from(chunk[0].cast_signed()),
                TensorKind::I16 => f64::from(i16::from_le_bytes([chunk[0], chunk[1]])),
                TensorKind::I32 => f64::from(i32::from_le_bytes(chunk.try_into().unwrap())),
                TensorKind::F32 => f64::from(f32::from_le_bytes(chunk.try_into().unwrap())),
            };
            map.insert(tensor.name, head.chunks(tensor.kind.size()).map(number).collect());
        }
        Self(map)
    }

    /// The numbers of a tensor, divided by their quantization factor.
    fn get(&self, name: &str, factor: f64) -> Vec<f64> {
        self.0[name].iter().map(|x| x / factor).collect()
    }
}

/// A piece as letters tell it.
struct Man {
    is_white: bool,
    kind: usize,
    square: usize,
}

fn men(board: &Board) -> Vec<Man> {
    let man = |square: chess::Square| {
        let letter = board.piece_on(square).unwrap().letter();
        let kind = "PNBRQK".find(letter.to_ascii_uppercase()).unwrap();
        Man { is_white: letter.is_uppercase(), kind, square: square.index() }
    };
    board.occupied().into_iter().map(man).collect()
}

/// Adds the rows of some features to a bias.
fn sums(rows: &[f64], bias: &[f64], features: impl Iterator<Item = usize>) -> Vec<f64> {
    let mut sums = bias.to_vec();
    for feature in features {
        for (sum, weight) in sums.iter_mut().zip(&rows[feature * bias.len()..]) {
            *sum += weight;
        }
    }
    sums
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

fn screlu(x: f64) -> f64 {
    x.clamp(0.0, 1.0).powi(2)
}

/// The largest difference between a network and its reference on 500 positions, in points, and the
/// spread of the reference's values.
fn compare(header: &Header, reference: impl Fn(&Weights, &Board) -> f64) -> (f64, f64) {
    let net = random::with_header(header, 21);
    let weights = Weights::of(&net);
    let mut evaluator = evaluator(net);
    let (mut worst, mut low, mut high) = (0.0f64, f64::MAX, f64::MIN);
    for board in positions(500, 5) {
        let expected = f64::from(header.scale) * reference(&weights, &board);
        let found = f64::from(fresh(&mut evaluator, &board));
        worst = worst.max((found - expected).abs());
        (low, high) = (low.min(expected), high.max(expected));
    }
    (worst, high - low)
}

fn sign(board: &Board) -> f64 {
    if board.turn() == Color::White { 1.0 } else { -1.0 }
}

#[test]
fn nectar_agrees_within_two_points() {
    let header = random::header(Architecture::Nectar);
    let reference = |weights: &Weights, board: &Board| {
        let feature = |m: &Man| 384 * usize::from(!m.is_white) + 64 * m.kind + (m.square ^ 0o70);
        let men = men(board);
        let (rows, bias) = (weights.get("first weights", 255.0), weights.get("first bias", 255.0));
        let hidden: Vec<f64> =
            sums(&rows, &bias, men.iter().map(feature)).into_iter().map(screlu).collect();
        let output = dot(&hidden, &weights.get("output weights", 64.0));
        sign(board) * (output + weights.get("output bias", 255.0 * 64.0)[0])
    };
    let (worst, spread) = compare(&header, reference);
    assert!(worst < 2.0 && spread > 100.0, "{worst} of {spread}");
}

#[test]
fn rengar_agrees_within_two_points() {
    for header in headers().iter().filter(|h| h.architecture == Architecture::Rengar) {
        let (h, m) = (header.width(0), header.width(1));
        let reference = |weights: &Weights, board: &Board| {
            let orbits = weights.get("first weights", 256.0);
            let mut classes = vec![0.0; 4 * h];
            for man in men(board) {
                let (rank, file) = (man.square / 8, man.square % 8);
                let from_enemy = if man.is_white { 7 - rank } else { rank };
                let offset = [-4i32, 24, 56, 88, 120, 152][man.kind];
                let orbit = offset as isize + (4 * from_enemy + file.min(7 - file)) as isize;
                let c = if man.is_white { 1.0 } else { -1.0 };
                let s = if file >= 4 { 1.0 } else { -1.0 };
                for (i, class) in classes.iter_mut().enumerate() {
                    *class += [1.0, c, s, c * s][i / h] * orbits[orbit as usize * 4 * h + i];
                }
            }
            let tempo = weights.get("tempo", 256.0);
            (0..h).for_each(|i| classes[h + i] += sign(board) * tempo[i]);
            let clamp = |x: f64| x.clamp(-127.0 / 128.0, 127.0 / 128.0);
            let classes: Vec<f64> = classes.into_iter().map(clamp).collect();
            let [fs, va, ha, ra] = [0, 1, 2, 3].map(|class| &classes[class * h..][..h]);
            let (a, b) = (weights.get("even weights", 1.0), weights.get("odd weights", 1.0));
            let bias = weights.get("even bias", 1.0);
            let (u, w) = (weights.get("output weights", 1.0), weights.get("product weights", 1.0));
            let value = |j: usize| {
                let at = |block: usize, i: usize| (block * h + i) * m + j;
                let (mut even, mut odd) = (bias[j], 0.0);
                for i in 0..h {
                    even += a[at(0, i)] * fs[i] + a[at(1, i)] * va[i].abs();
                    even += a[at(2, i)] * ha[i].abs() + a[at(3, i)] * ra[i].abs();
                    odd += b[at(0, i)] * va[i] + b[at(1, i)] * fs[i] * va[i];
                    odd += b[at(2, i)] * ha[i] * ra[i];
                }
                u[j] * odd + w[j] * clamp(even) * odd
            };
            sign(board) * (0..m).map(value).sum::<f64>()
        };
        let (worst, spread) = compare(header, reference);
        assert!(worst < 2.0 && spread > 100.0, "{worst} of {spread}");
    }
}

#[test]
fn batu_agrees_within_two_points() {
    let header = random::header(Architecture::Batu);
    let reference = |weights: &Weights, board: &Board| {
        let order = |m: &Man| [0, 2, 3, 1, 4, 5][m.kind] + 6 * usize::from(!m.is_white);
        let features: Vec<usize> =
            men(board).iter().map(|m| 64 * order(m) + (m.square ^ 0o70)).collect();
        let table = weights.get("piece-square table", 32_768.0);
        let (rows, bias) = (weights.get("first weights", 512.0), weights.get("first bias", 512.0));
        let first: Vec<f64> =
            sums(&rows, &bias, features.iter().copied()).iter().map(|x| x.max(0.0)).collect();
        let second = weights.get("second weights", 512.0);
        let bias = weights.get("second bias", 512.0 * 512.0);
        let value = |j: usize| (dot(&first, &second[j * 256..][..256]) + bias[j]).max(0.0);
        let hidden: Vec<f64> = (0..32).map(value).collect();
        let output = dot(&hidden, &weights.get("output weights", 1.0));
        let output = output + weights.get("output bias", 1.0)[0];
        sign(board) * (output + features.iter().map(|&f| table[f]).sum::<f64>())
    };
    let (worst, spread) = compare(&header, reference);
    assert!(worst < 2.0 && spread > 100.0, "{worst} of {spread}");
}

/// Every layer rounds down to a 64th, which the next one multiplies.
#[test]
fn tal_agrees_within_the_rounding_of_its_layers() {
    for header in headers().iter().filter(|h| h.architecture == Architecture::Tal) {
        let [n, m, k] = [0, 1, 2].map(|layer| header.width(layer));
        let is_joined = header.has(Header::CONCATENATED);
        let reference = |weights: &Weights, board: &Board| {
            let white = board.turn() == Color::White;
            let up = |square: usize| if white { square } else { square ^ 0o70 };
            let men = men(board);
            let features = men
                .iter()
                .filter(|m| m.kind < 5)
                .map(|m| 64 * (m.kind + if m.is_white == white { 0 } else { 5 }) + up(m.square));
            let (rows, bias) =
                (weights.get("first weights", 64.0), weights.get("first bias", 64.0));
            let clamp = |x: f64| x.clamp(0.0, 127.0 / 64.0);
            let x: Vec<f64> = sums(&rows, &bias, features).into_iter().map(clamp).collect();
            let king = |own: bool| {
                let is_it = |m: &&Man| m.kind == 5 && (m.is_white == white) == own;
                up(men.iter().find(is_it).unwrap().square)
            };
            let block = |name: &str, king: usize, j: usize| {
                dot(&x, &weights.get(name, 64.0)[(king * m + j) * n..][..n])
            };
            let bias = weights.get("second bias", 4096.0);
            let own = |j: usize| block("own king's blocks", king(true), j);
            let their = |j: usize| block("their king's blocks", king(false), j);
            let y: Vec<f64> = if is_joined {
                (0..m)
                    .map(own)
                    .chain((0..m).map(their))
                    .zip(&bias)
                    .map(|(s, b)| clamp(s + b))
                    .collect()
            } else {
                (0..m).map(|j| clamp(own(j) + their(j) + bias[j])).collect()
            };
            let third = weights.get("third weights", 64.0);
            let bias = weights.get("third bias", 4096.0);
            let z: Vec<f64> = (0..k)
                .map(|j| clamp(dot(&y, &third[j * y.len()..][..y.len()]) + bias[j]))
                .collect();
            dot(&z, &weights.get("output weights", 64.0)) + weights.get("output bias", 4096.0)[0]
        };
        let weights = Weights::of(&random::with_header(header, 21));
        let sizes =
            |name: &str| weights.get(name, 64.0).iter().map(|w| w.abs()).collect::<Vec<_>>();
        let joined = if is_joined { 2 * m } else { m };
        let third = sizes("third weights");
        let errors = third.chunks(joined).map(|row| (row.iter().sum::<f64>() + 1.0) / 64.0);
        let error: f64 = errors.zip(sizes("output weights")).map(|(e, w)| e * w).sum();
        let bound = f64::from(header.scale) * error + 1.0;
        let (worst, spread) = compare(header, reference);
        assert!(worst < bound && bound < spread, "{worst} of {spread}, bound {bound}");
    }
}

/// With the first head only the last division rounds. The second rounds every product down to one
/// part in 127, for which one in twenty of the spread is allowed.
#[test]
fn house_agrees() {
    for header in headers().iter().filter(|h| h.architecture == Architecture::House) {
        let (n, buckets) = (header.width(0), usize::from(header.output_buckets));
        let reference = |weights: &Weights, board: &Board| {
            let men = men(board);
            let (rows, bias) =
                (weights.get("first weights", 255.0), weights.get("first bias", 255.0));
            let view = |white: bool| {
                let up = |square: usize| if white { square } else { square ^ 0o70 };
                let is_king = |m: &&Man| m.kind == 5 && m.is_white == white;
                let king = up(men.iter().find(is_king).unwrap().square);
                let is_mirrored = header.has(Header::MIRRORED);
                let flip = if is_mirrored && king % 8 > 3 { 7 } else { 0 };
                let folded = king ^ flip;
                let place = if is_mirrored { folded / 8 * 4 + folded % 8 } else { king };
                let bucket = usize::from(header.bucket_map[place]);
                let feature = |m: &Man| {
                    let side = if m.is_white == white { 0 } else { 384 };
                    768 * bucket + side + 64 * m.kind + (up(m.square) ^ flip)
                };
                sums(&rows, &bias, men.iter().map(feature))
            };
            let white = board.turn() == Color::White;
            let bucket = (men.len() - 2) / 32usize.div_ceil(buckets);
            head(header, weights, &[view(white), view(!white)], bucket, n)
        };
        let (worst, spread) = compare(header, reference);
        let bound = if header.activation == Activation::Screlu { 2.0 } else { spread / 20.0 };
        assert!(worst < bound && spread > 40.0, "{worst} of {spread} for {:?}", header.widths);
    }
}

fn head(header: &Header, weights: &Weights, views: &[Vec<f64>; 2], bucket: usize, n: usize) -> f64 {
    if header.activation == Activation::Screlu {
        let lanes: Vec<f64> = views.concat().into_iter().map(screlu).collect();
        let row = &weights.get("output weights", 64.0)[bucket * 2 * n..][..2 * n];
        return dot(&lanes, row) + weights.get("output bias", 255.0 * 64.0)[bucket];
    }
    let product =
        |view: &Vec<f64>, i: usize| view[i].clamp(0.0, 1.0) * view[i + n / 2].clamp(0.0, 1.0);
    let pairs: Vec<f64> =
        views.iter().flat_map(|view| (0..n / 2).map(move |i| product(view, i))).collect();
    let second = &weights.get("second weights", 64.0)[bucket * 16 * n..][..16 * n];
    let bias = &weights.get("second bias", 255.0 * 255.0 / 512.0 * 64.0)[bucket * 16..][..16];
    let second: Vec<f64> =
        (0..16).map(|j| screlu(dot(&pairs, &second[j * n..][..n]) + bias[j])).collect();
    let third = &weights.get("third weights", 1.0)[bucket * 16 * 32..][..16 * 32];
    let bias = &weights.get("third bias", 1.0)[bucket * 32..][..32];
    let value = |j: usize| (0..16).map(|i| second[i] * third[i * 32 + j]).sum::<f64>() + bias[j];
    let third: Vec<f64> = (0..32).map(|j| screlu(value(j))).collect();
    dot(&third, &weights.get("output weights", 1.0)[bucket * 32..][..32])
        + weights.get("output bias", 1.0)[bucket]
}
