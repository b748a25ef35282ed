// SPDX-License-Identifier: GPL-3.0-or-later
//! Batu: two hidden layers beside a piece-square table.
//!
//! ```text
//! 768 pieces on squares ─┬─► N ─► ReLU ─► M ─► ReLU ─► 1 ─┐
//!                        └─► piece-square table ──────────┴─► sum
//! ```
//! **Law**: none. White's view, and who is to move is not seen at all.
//! **Cost**: N + 16 lanes per piece that changes, N·M + M products per evaluation.
//!
//! The table is made part of the rows, as two more lanes that hold the upper and the lower digit of
//! its value in base 256: so there is nothing special to update. The original passes the sum through
//! tanh, which cannot tell a won position from another. A flag in the header says whether a network does
//! so, or whether the sum itself is the evaluation.

use chess::{Board, Color, Square};

use super::{EvaluatorState, Layer, MAX_OUTPUT_BIAS, scaled};
use crate::Kernels;
use crate::accumulator::Stack;
use crate::features::{BatuFeatures, Features};
use crate::format::{
    Activation, ArchSpec, Architecture, Factor, Header, NetFileError, Sample, Tensor, TensorReader,
    TensorWriter, Width,
};
use crate::layers::{Dense, FirstLayer, dot, points_of};
use crate::weights::FirstWeights;

/// 768 → N → M → 1 with a piece-square table.
#[derive(Clone, Debug)]
pub struct Batu {
    pub(crate) header: Header,
    /// N lanes, then the digits of the table, then zeros.
    pub(crate) first: FirstLayer<BatuFeatures>,
    /// `[output][lane]`.
    second: Vec<i16>,
    second_bias: Vec<i32>,
    last: Vec<f32>,
    last_bias: f32,
}

impl Batu {
    /// The widest first layer.
    pub const MAX_WIDTH: usize = 1024;
    /// The widest second layer.
    pub const MAX_SECOND: usize = 64;
    /// The piece-square table's values are multiples of one part in so many.
    pub const TABLE_UNIT: f32 = 32_768.0;
    /// The largest value in the piece-square table, times the unit: two.
    pub const MAX_TABLE: i32 = 65_536;
    /// Lanes after the first layer's: two digits, and zeros to fill a register.
    const EXTRA: usize = 16;

    /// Its declaration.
    pub const SPEC: ArchSpec = ArchSpec {
        architecture: Architecture::Batu,
        activations: &[Activation::Relu],
        inputs: BatuFeatures::LEN,
        max_input_buckets: 0,
        max_output_buckets: 0,
        needed_flags: 0,
        allowed_flags: Header::BOUNDED,
        widths: &[
            Width::multiple("first width", 16, Self::MAX_WIDTH),
            Width::multiple("second width", 4, Self::MAX_SECOND),
        ],
        factors: [Factor::Range(1, 8192); 2],
        max_scale: Header::MAX_SCALE,
        tempo: 9,
        tensors: Self::tensors,
        sample: Sample { widths: [256, 32, 0, 0], quantization: [512, 512], flags: 0 },
    };

    fn tensors(header: &Header) -> Vec<Tensor> {
        let [n, m] = [0, 1].map(|layer| header.width(layer));
        let [qa, qb] = header.quantization.map(f32::from);
        vec![
            Tensor::i32("piece-square table", BatuFeatures::LEN)
                .times(Self::TABLE_UNIT)
                .within(Self::MAX_TABLE.into()),
            Tensor::i16("first weights", BatuFeatures::LEN * n).times(qa),
            Tensor::i16("first bias", n).times(qa),
            Tensor::i16("second weights", m * n).times(qb),
            Tensor::i32("second bias", m).times(qa * qb).within(MAX_OUTPUT_BIAS),
            Tensor::f32("output weights", m).within(Dense::MAX.into()),
            Tensor::f32("output bias", 1).within(Dense::MAX.into()),
        ]
    }

    pub(crate) fn read(
        header: Header,
        tensors: &mut TensorReader<'_>,
    ) -> Result<Self, NetFileError> {
        let n = header.width(0);
        let table = tensors.i32()?;
        let rows: Vec<i16> = (tensors.i16()?.chunks(n).zip(table))
            .flat_map(|(row, value)| [row, &digits(value)].concat())
            .collect();
        let bias = [tensors.i16()?, vec![0; Self::EXTRA]].concat();
        let net = Self {
            header,
            first: FirstLayer::new(BatuFeatures, &rows, &bias)?,
            second: tensors.i16()?,
            second_bias: tensors.i32()?,
            last: tensors.f32()?,
            last_bias: tensors.f32()?[0],
        };
        net.check_sums()?;
        Ok(net)
    }

    /// Refuses second-layer weights whose sums could leave 32 bits.
    fn check_sums(&self) -> Result<(), NetFileError> {
        let bounds = self.first.bounds();
        let n = self.header.width(0);
        for (index, (row, &bias)) in self.second.chunks(n).zip(&self.second_bias).enumerate() {
            let products = row.iter().zip(&bounds).map(|(&weight, &(_, high))| {
                i64::from(weight.unsigned_abs()) * i64::from(high.max(0))
            });
            let worst = i64::from(bias.unsigned_abs()) + products.sum::<i64>();
            if worst > i32::MAX.into() {
                let (found, expected) = (worst.to_string(), format!("at most {}", i32::MAX));
                let tensor = "second layer, worst sum over a board";
                return Err(NetFileError::Weight { tensor, index, found, expected });
            }
        }
        Ok(())
    }

    pub(crate) fn first_weights(&self, bucket: usize) -> Result<FirstWeights, NetFileError> {
        Header::check("bucket", bucket, 0..=0)?;
        let (units, unit) = (self.header.width(0), f32::from(self.header.quantization[0]));
        Ok(FirstWeights::of_rows(&self.first, Square::A1, units, unit))
    }

    pub(crate) fn state(&self) -> EvaluatorState {
        EvaluatorState::of(Stack::new(&self.first, 1))
    }

    pub(crate) fn reset(&self, state: &mut EvaluatorState, board: &Board, kernels: &Kernels) {
        state.stack.reset(&self.first, board, kernels);
    }

    pub(crate) fn write(&self, tensors: &mut TensorWriter) {
        let n = self.header.width(0);
        let rows = || self.first.rows.chunks(n + Self::EXTRA);
        tensors.i32(&rows().map(|row| table_value(&row[n..])).collect::<Vec<_>>());
        tensors.i16(&rows().flat_map(|row| &row[..n]).copied().collect::<Vec<_>>());
        tensors.i16(&self.first.bias[..n]);
        tensors.i16(&self.second);
        tensors.i32(&self.second_bias);
        tensors.f32(&self.last);
        tensors.f32(&[self.last_bias]);
    }

    /// All weights as numbers, exactly, in the order of Batu's text file.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        let (n, m) = (self.header.width(0), self.header.width(1));
        let [qa, qb] = self.header.quantization.map(f64::from);
        let rows = || self.first.rows.chunks(n + Self::EXTRA);
        let table = |row: &[i16]| f64::from(table_value(&row[n..])) / f64::from(Self::TABLE_UNIT);
        let mut numbers: Vec<f64> = rows().map(table).collect();
        numbers.extend(rows().flat_map(|row| &row[..n]).map(|&x| f64::from(x) / qa));
        numbers.extend(self.first.bias[..n].iter().map(|&x| f64::from(x) / qa));
        let second = (0..n).flat_map(|i| (0..m).map(move |j| self.second[j * n + i]));
        numbers.extend(second.map(|x| f64::from(x) / qb));
        numbers.extend(self.second_bias.iter().map(|&x| f64::from(x) / (qa * qb)));
        numbers.extend(self.last.iter().map(|&x| f64::from(x)));
        numbers.push(self.last_bias.into());
        numbers
    }

    /// `scale · (table + w · relu(second) + b)`, rounded toward zero; with tanh of the sum if bounded.
    #[inline(never)]
    pub(crate) fn forward(
        &self,
        EvaluatorState { stack, .. }: &mut EvaluatorState,
        board: &Board,
        _pieces: usize,
        kernels: &Kernels,
    ) -> i32 {
        stack.update(&self.first, Color::White, board, kernels);
        let (lanes, extra) = stack.row(Color::White).split_at(self.header.width(0));
        let second = self.second_layer(lanes, kernels);
        let output = dot(&self.last, &second) + self.last_bias;
        let table = table_value(extra) as f32 / Self::TABLE_UNIT;
        super::for_mover(points_of(table + output, &self.header), board)
    }

    /// The second layer after its activation; zeros fill it up.
    fn second_layer(&self, lanes: &[i16], kernels: &Kernels) -> [f32; Self::MAX_SECOND] {
        let mut sums = [0; Self::MAX_SECOND];
        let len = self.second_bias.len();
        sums[..len].copy_from_slice(&self.second_bias);
        kernels.relu_affine(lanes, &self.second, &mut sums[..len]);
        let [qa, qb] = self.header.quantization.map(f32::from);
        sums.map(|sum| sum.max(0) as f32 / (qa * qb))
    }

    pub(crate) fn hidden(
        &self,
        EvaluatorState { stack, .. }: &mut EvaluatorState,
        _board: &Board,
        kernels: &Kernels,
    ) -> Vec<Layer> {
        let (lanes, extra) = stack.row(Color::White).split_at(self.header.width(0));
        let second = self.second_layer(lanes, kernels)[..self.second_bias.len()].to_vec();
        let table = table_value(extra) as f32 / Self::TABLE_UNIT;
        vec![
            Layer::new("first", scaled(lanes, self.header.quantization[0], |x| x.max(0.0))),
            Layer::new("second", second),
            Layer::new("piece-square table", vec![table]),
        ]
    }
}

/// A value of the table as two digits in base 256, the lower from -128 to 127, and zeros.
fn digits(value: i32) -> [i16; Batu::EXTRA] {
    let mut extra = [0; Batu::EXTRA];
    let low = value as i8;
    extra[0] = ((value - i32::from(low)) / 256) as i16;
    extra[1] = low.into();
    extra
}

/// The value of sums of digits.
#[inline]
fn table_value(digits: &[i16]) -> i32 {
    256 * i32::from(digits[0]) + i32::from(digits[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_inverse_and_leave_room_for_a_full_board() {
        for value in -Batu::MAX_TABLE..=Batu::MAX_TABLE {
            let digits = digits(value);
            assert_eq!(table_value(&digits), value);
            assert!(digits[0].abs() <= i16::MAX / 64 && digits[1].abs() <= i16::MAX / 64);
        }
    }
}
