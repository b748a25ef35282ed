// SPDX-License-Identifier: GPL-3.0-or-later
//! Batu's `weights.txt`.
//!
//! Numbers in text with white space between: the piece-square table `[768]`, the first weights
//! `[768][N]` and bias `[N]`, the second weights `[N][32]` and bias `[32]`, the output weights `[32]`
//! and bias. The features are those of [`BatuFeatures`](crate::features::BatuFeatures).

use std::fmt::Write as _;

use crate::arch::{Batu, Net};
use crate::features::{BatuFeatures, Features};
use crate::format::{Activation, Architecture, Header, NetFileError};

/// The second layer's width, which the text does not tell.
const SECOND: usize = 32;
const FEATURES: usize = BatuFeatures::LEN;
/// Points per unit of output: Batu trains on centipawns divided by this.
const SCALE: u32 = 600;

/// Reads a `weights.txt`. Weights are quantized as finely as the sums' ranges allow.
pub fn read_weights_txt(text: &str, name: &str) -> Result<Net, NetFileError> {
    let numbers = numbers(text)?;
    let per_lane = FEATURES + 1 + SECOND;
    let fixed = FEATURES + 2 * SECOND + 1;
    let width = numbers.len().saturating_sub(fixed) / per_lane;
    let expected = fixed + width * per_lane;
    Header::check("count of numbers", numbers.len(), expected..=expected)?;
    Header::check("first width", width, 16..=Batu::MAX_WIDTH)?;
    let mut header = Header::new(Architecture::Batu, Activation::Relu);
    (header.inputs, header.scale) = (FEATURES as u32, SCALE);
    header.widths = [width as u16, SECOND as u16, 0, 0];
    name.clone_into(&mut header.name);
    "imported from a weights.txt".clone_into(&mut header.provenance);
    let mut refused = NetFileError::field("weights", "too large", "sums of 16 bits");
    for shift in (4..=13).rev() {
        header.quantization = [1 << shift, 1 << shift.min(10)];
        match quantize(&header, &numbers) {
            Ok(net) => return Ok(net),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

/// All numbers of a text.
fn numbers(text: &str) -> Result<Vec<f32>, NetFileError> {
    let mut numbers = Vec::new();
    for (line, words) in text.lines().enumerate() {
        for word in words.split_whitespace() {
            let number = word.parse::<f32>().ok().filter(|number| number.is_finite());
            let found = || format!("found `{word}`");
            let wrong = || NetFileError::text("weights.txt", line + 1, found(), "a number");
            numbers.push(number.ok_or_else(wrong)?);
        }
    }
    Ok(numbers)
}

fn quantize(header: &Header, numbers: &[f32]) -> Result<Net, NetFileError> {
    let n = header.width(0);
    let [qa, qb] = header.quantization.map(f32::from);
    let (table, rest) = numbers.split_at(FEATURES);
    let (first, rest) = rest.split_at(FEATURES * n);
    let (first_bias, rest) = rest.split_at(n);
    let (second, rest) = rest.split_at(n * SECOND);
    let (second_bias, rest) = rest.split_at(SECOND);
    let (last, last_bias) = rest.split_at(SECOND);
    let second: Vec<f32> = // `[input][output]` in the text, `[output][input]` here.
        (0..SECOND).flat_map(|j| (0..n).map(move |i| second[i * SECOND + j])).collect();
    for (field, values, factor) in [
        ("first weight", first, qa),
        ("first bias", first_bias, qa),
        ("second weight", &second, qb),
    ] {
        let max = f32::from(i16::MAX) / factor;
        let largest = values.iter().fold(0.0f32, |max, value| max.max(value.abs()));
        Header::check(field, largest, 0.0..=max)?;
    }
    let short = |values: &[f32], factor: f32| -> Vec<i16> {
        values.iter().map(|value| (value * factor).round() as i16).collect()
    };
    let long = |values: &[f32], factor: f32| -> Vec<i32> {
        values.iter().map(|value| (value * factor).round() as i32).collect()
    };
    Net::from_tensors(header, |tensors| {
        tensors.i32(&long(table, Batu::TABLE_UNIT));
        tensors.i16(&short(first, qa));
        tensors.i16(&short(first_bias, qa));
        tensors.i16(&short(&second, qb));
        tensors.i32(&long(second_bias, qa * qb));
        tensors.f32(last);
        tensors.f32(last_bias);
    })
}

/// Writes a network as a `weights.txt`. The text cannot tell another second width than 32.
pub fn write_weights_txt(net: &Batu) -> Result<String, NetFileError> {
    Header::check("second width", net.header.width(1), SECOND..=SECOND)?;
    let mut text = String::new();
    for number in net.floats() {
        writeln!(text, "{number}").expect("a string takes all that is written");
    }
    Ok(text)
}
