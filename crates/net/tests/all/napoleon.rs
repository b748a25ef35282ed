// SPDX-License-Identifier: GPL-3.0-or-later
//! Napoleon: its law, its kernels, a slow reference, and files that it refuses.

use std::collections::HashSet;
use std::sync::Arc;

use crate::common::{fresh, mirrored, positions, swapped};
use chess::Board;
use net::features::planes::{PLANES, fill};
use net::{Architecture, Header, Kernels, Layer, NapoleonShape, Net, NetEvaluator, random};

const POSITIONS: usize = 2000;

/// The original's shape, and others that leave lanes empty.
const SHAPES: [NapoleonShape; 3] = [
    NapoleonShape::ORIGINAL,
    NapoleonShape { channels: 37, blocks: 3, squeezed: 5, head: 23 },
    NapoleonShape { channels: 34, blocks: 1, squeezed: 3, head: 9 },
];

/// A random network whose points resolve a ten-thousandth of a logit.
fn network(shape: NapoleonShape, seed: u64) -> Net {
    let mut header = shape.header();
    header.scale = 10_000;
    random::with_header(&header, seed)
}

fn evaluator(net: Net, kernels: Kernels) -> NetEvaluator {
    NetEvaluator::new(Arc::new(net), kernels).without_memory()
}

fn bits(layers: &[Layer]) -> Vec<u32> {
    layers.iter().flat_map(|layer| &layer.values).map(|value| value.to_bits()).collect()
}

#[test]
fn swapping_colors_changes_no_bit() {
    let mut napoleon = evaluator(network(NapoleonShape::ORIGINAL, 1), Kernels::detect());
    let (mut values, mut unlike) = (HashSet::new(), 0);
    for board in positions(POSITIONS, 21) {
        let points = fresh(&mut napoleon, &board);
        let layers = napoleon.hidden(&board);
        let other = swapped(&board);
        assert_eq!(fresh(&mut napoleon, &other), points, "{board:?}");
        assert_eq!(bits(&napoleon.hidden(&other)), bits(&layers), "{board:?}");
        unlike += usize::from(bits(&napoleon.hidden(&mirrored(&board))) != bits(&layers));
        values.insert(bits(&layers));
    }
    assert!(values.len() > POSITIONS / 2, "the network is alive: {} values", values.len());
    assert!(unlike > POSITIONS / 2, "the files are not mirrored");
}

#[test]
fn every_path_gives_the_same_bits() {
    for (shape, seed) in SHAPES.into_iter().zip(1..) {
        let mut plain = evaluator(network(shape, seed), Kernels::portable());
        for kernels in Kernels::available() {
            let mut other = evaluator(network(shape, seed), kernels);
            for board in positions(50, 22) {
                assert_eq!(other.evaluate(&board), plain.evaluate(&board), "{kernels:?}");
                assert_eq!(bits(&other.hidden(&board)), bits(&plain.hidden(&board)), "{kernels:?}");
            }
        }
    }
}

#[test]
fn a_memory_changes_nothing_but_the_time() {
    let net = Arc::new(network(SHAPES[2], 4));
    let mut forgetful = NetEvaluator::new(net.clone(), Kernels::detect()).without_memory();
    let mut mindful = NetEvaluator::new(net, Kernels::detect());
    let boards = positions(6000, 23);
    for board in boards.iter().chain(&boards) {
        assert_eq!(mindful.evaluate(board), forgetful.evaluate(board), "{board:?}");
    }
}

#[test]
fn moves_need_not_be_followed() {
    let mut napoleon = evaluator(network(SHAPES[2], 5), Kernels::detect());
    let mut board = Board::default();
    napoleon.reset(&board);
    let before = napoleon.evaluate(&board);
    for mv in ["e2e4", "c7c5", "g1f3"] {
        napoleon.push(&board.play(board.parse_uci(mv).unwrap()));
    }
    napoleon.push_null();
    assert_eq!(napoleon.evaluate(&board), fresh(&mut napoleon.clone(), &board));
    (0..4).for_each(|_| napoleon.pop());
    assert_eq!(napoleon.evaluate(&Board::default()), before);
}

#[test]
fn contributions_are_differences_between_boards() {
    let mut napoleon = evaluator(network(NapoleonShape::ORIGINAL, 6), Kernels::detect());
    let board: Board = "4k3/8/8/3q4/8/8/3R4/4K3 b - - 0 1".parse().unwrap();
    let without: Board = "4k3/8/8/3q4/8/8/8/4K3 b - - 0 1".parse().unwrap();
    let rook = napoleon.contributions(&board);
    let rook = rook.iter().find(|c| c.square == chess::Square::D2).unwrap();
    let loss = napoleon.evaluate(&without) - napoleon.evaluate(&board);
    assert_eq!(rook.white, loss);
    assert_ne!(loss, 0);
}

/// The floats of a file in order.
struct Floats(std::vec::IntoIter<f64>);

impl Floats {
    fn of(net: &Net) -> Self {
        let bytes = net.to_bytes();
        let payload = 64 + net.header().name.len() + net.header().provenance.len();
        let floats = bytes[payload..].as_chunks().0.iter();
        Self(floats.map(|&f| f32::from_le_bytes(f).into()).collect::<Vec<_>>().into_iter())
    }

    fn take(&mut self, count: usize) -> Vec<f64> {
        self.0.by_ref().take(count).collect()
    }

    fn dense(&mut self, input: &[f64], outputs: usize) -> Vec<f64> {
        let (weights, bias) = (self.take(input.len() * outputs), self.take(outputs));
        let sum =
            |o: usize| (0..input.len()).map(|i| input[i] * weights[i * outputs + o]).sum::<f64>();
        (0..outputs).map(|o| sum(o) + bias[o]).collect()
    }

    /// One factor and one shift for each of equal parts.
    fn norm(&mut self, values: &[f64], channels: usize) -> Vec<f64> {
        let (factors, shifts) = (self.take(channels), self.take(channels));
        let part = values.len() / channels;
        let each = |(i, value): (usize, &f64)| value * factors[i / part] + shifts[i / part];
        values.iter().enumerate().map(each).collect()
    }

    fn conv(&mut self, input: &[f64], outputs: usize) -> Vec<f64> {
        let inputs = input.len() / 64;
        let (weights, bias) = (self.take(outputs * inputs * 9), self.take(outputs));
        let cell = |i: usize, rank: i32, file: i32| {
            let on_board = (0..8).contains(&rank) && (0..8).contains(&file);
            if on_board { input[64 * i + (8 * rank + file) as usize] } else { 0.0 }
        };
        let output = |o: usize, square: i32| {
            let tap = |i: usize, t: usize| {
                let (rank, file) = (square / 8 + t as i32 / 3 - 1, square % 8 + t as i32 % 3 - 1);
                weights[(o * inputs + i) * 9 + t] * cell(i, rank, file)
            };
            let taps = (0..inputs).flat_map(|i| (0..9).map(move |t| (i, t)));
            bias[o] + taps.map(|(i, t)| tap(i, t)).sum::<f64>()
        };
        (0..outputs).flat_map(|o| (0..64).map(move |s| (o, s))).map(|(o, s)| output(o, s)).collect()
    }
}

fn map(values: &[f64], f: impl Fn(f64) -> f64) -> Vec<f64> {
    values.iter().map(|&value| f(value)).collect()
}

fn relu(values: &[f64]) -> Vec<f64> {
    map(values, |value| value.max(0.0))
}

/// `a + b · gate`, where `a` may have fewer planes than `b`.
fn gated(a: &[f64], b: &[f64], gates: &[f64]) -> Vec<f64> {
    let base = a.iter().chain(std::iter::repeat(&0.0));
    b.iter().zip(base).enumerate().map(|(i, (b, a))| a + b * gates[i / 64]).collect()
}

/// The network as its page describes it, in plain loops of doubles.
fn reference(net: &Net, board: &Board) -> f64 {
    let shape = NapoleonShape::from_header(net.header()).unwrap();
    let mut floats = Floats::of(net);
    let mut planes = [[0.0; 64]; PLANES];
    fill(board, &mut planes);
    let planes: Vec<f64> = planes.as_flattened().iter().map(|&cell| cell.into()).collect();
    let x = floats.norm(&planes, PLANES);
    let squeezed = map(&floats.dense(&x, shape.squeezed), f64::tanh);
    let gates = map(&floats.dense(&squeezed, PLANES), f64::tanh);
    let mut a = floats.norm(&map(&gated(&x, &x, &gates), f64::tanh), PLANES);
    for _ in 0..shape.blocks {
        let filtered = relu(&floats.conv(&a, shape.channels));
        let y = floats.norm(&filtered, shape.channels);
        let squeezed = relu(&floats.dense(&y, shape.squeezed));
        let gates = relu(&floats.dense(&squeezed, shape.channels));
        let gates = floats.norm(&gates, shape.channels);
        a = floats.norm(&relu(&gated(&a, &y, &gates)), shape.channels);
    }
    let hidden = relu(&floats.dense(&a, shape.head));
    let hidden = relu(&floats.dense(&hidden, shape.head));
    let logit = floats.dense(&hidden, 1)[0];
    assert_eq!(floats.0.len(), 0, "the reference reads the whole file");
    logit
}

/// Floats agree with doubles to a ten-thousandth of a logit, or of its value if that is larger.
#[test]
fn a_slow_reference_agrees() {
    for (shape, seed) in SHAPES.into_iter().zip(7..) {
        let net = network(shape, seed);
        let mut napoleon = evaluator(net.clone(), Kernels::detect());
        let mut spread = (f64::MAX, f64::MIN);
        for board in positions(15, 24) {
            let exact = reference(&net, &board);
            let logit = f64::from(napoleon.evaluate(&board)) / 10_000.0;
            let bound = 1e-4 * exact.abs().max(1.0) + 1e-4;
            assert!((logit - exact).abs() <= bound, "{logit} is not {exact} for {board:?}");
            spread = (spread.0.min(exact), spread.1.max(exact));
        }
        assert!(spread.1 - spread.0 > 0.01, "the network is alive: {spread:?}");
    }
}

#[test]
fn sizes_are_those_of_the_original() {
    let net = random::network(Architecture::Napoleon, 1);
    // The original has 163,571, of which two of four numbers of 336 channels fold away, and the
    // other two of those 64 behind a dense layer.
    assert_eq!(net.parameters(), 163_571 - 2 * 336 - 2 * 64);
    assert_eq!(NapoleonShape::ORIGINAL.multiply_adds(), 1_260_176);
    assert_eq!(NapoleonShape::from_header(net.header()).unwrap(), NapoleonShape::ORIGINAL);
}

#[test]
fn headers_out_of_range_are_refused() {
    let refused = |change: fn(&mut Header)| {
        let mut header = NapoleonShape::ORIGINAL.header();
        change(&mut header);
        NapoleonShape::from_header(&header).unwrap_err().to_string()
    };
    assert_eq!(refused(|h| h.widths[0] = 33), "channels is 33, expected 34 to 256");
    assert_eq!(refused(|h| h.widths[0] = 257), "channels is 257, expected 34 to 256");
    assert_eq!(refused(|h| h.widths[1] = 0), "blocks is 0, expected 1 to 16");
    assert_eq!(refused(|h| h.widths[1] = 17), "blocks is 17, expected 1 to 16");
    assert_eq!(refused(|h| h.widths[2] = 65), "squeezed width is 65, expected 1 to 64");
    assert_eq!(refused(|h| h.widths[3] = 0), "head's width is 0, expected 1 to 64");
    assert_eq!(refused(|h| h.inputs = 46), "inputs is 46, expected 34");
    for change in [
        (|h| h.quantization[1] = 64) as fn(&mut Header),
        |h| h.flags = Header::MIRRORED,
        |h| h.output_buckets = 8,
        |h| h.activation = net::Activation::Relu,
    ] {
        assert!(refused(change).contains("expected"));
    }
}

#[test]
fn weights_that_are_no_numbers_are_refused() {
    let shape = SHAPES[2];
    let tensors = network(shape, 1).tensors();
    for broken in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 65_537.0] {
        for victim in 0..tensors.len() {
            let write = |writer: &mut net::file::TensorWriter| {
                for (i, tensor) in tensors.iter().enumerate() {
                    let mut values = vec![0.5; tensor.len];
                    if i == victim {
                        values[tensor.len / 2] = broken;
                    }
                    writer.f32(&values);
                }
            };
            let error = Net::from_tensors(&shape.header(), write).unwrap_err().to_string();
            let (name, index) = (tensors[victim].name, tensors[victim].len / 2);
            let start = format!("tensor `{name}`, element {index} is {broken}, expected");
            assert!(error.starts_with(&start), "{error}");
        }
    }
}

/// The largest weights that load make the largest sums, which must stay numbers.
#[test]
fn extreme_weights_give_a_number() {
    for sign in [1.0, -1.0] {
        let shape = NapoleonShape { channels: 34, blocks: 4, squeezed: 16, head: 16 };
        let tensors = network(shape, 1).tensors();
        let extreme = |i: usize| if i.is_multiple_of(7) { -65_536.0 } else { 65_536.0 } * sign;
        let net = Net::from_tensors(&shape.header(), |writer| {
            for tensor in &tensors {
                writer.f32(&(0..tensor.len).map(extreme).collect::<Vec<_>>());
            }
        });
        let mut napoleon = evaluator(net.unwrap(), Kernels::detect());
        for board in positions(10, 25) {
            napoleon.evaluate(&board);
            let layers = napoleon.hidden(&board);
            assert!(layers.iter().all(|layer| layer.values.iter().all(|value| value.is_finite())));
        }
    }
}
