// SPDX-License-Identifier: GPL-3.0-or-later
//! Batu's `weights.txt`.
//!
//! Numbers in text with white space between: the piece-square table `[768]`, the first weights
//! `[768][N]` and bias `[N]`, the second weights `[N][32]` and bias `[32]`, the output weights `[32]`
//! and bias. Earlier files of the author have no table. The features are those of
//! [`BatuFeatures`](crate::features::BatuFeatures). Batu's evaluation is 600·tanh(sum).
//!
//! Batu's program reads the numbers and stops there. So a line follows them in what we write, with what
//! the numbers do not tell: scale, quantization factors, and whether the sum passes through tanh. With
//! it, a network comes back bit for bit.

use std::fmt::Write as _;

use super::Imported;
use crate::arch::{Batu, Net};
use crate::features::{BatuFeatures, Features};
use crate::file::{Activation, Architecture, Header, NetFileError};

/// The second layer's width, which the text does not tell.
const SECOND: usize = 32;
const FEATURES: usize = BatuFeatures::LEN;
/// What Batu multiplies tanh of the output with.
const SCALE: u32 = 600;
/// Numbers that do not depend on the first width.
const FIXED: usize = 2 * SECOND + 1;
/// Numbers for each lane of the first layer.
const PER_LANE: usize = FEATURES + 1 + SECOND;
/// How our own last line begins.
const TRAILER: &str = "# quincunx:";

/// Reads a `weights.txt`. Weights are quantized as finely as the sums' ranges allow; a text that we have
/// written gives back the network that it was written from.
pub fn read_weights_txt(text: &str, name: &str) -> Result<Imported, NetFileError> {
    let (numbers, trailer) = numbers(text)?;
    let (width, has_table) = layout(numbers.len())?;
    Header::check("first width", width, 16..=Batu::MAX_WIDTH)?;
    let table = if has_table { vec![] } else { vec![0.0; FEATURES] };
    let numbers = [table, numbers].concat();
    let mut header = Header::new(Architecture::Batu, Activation::Relu);
    (header.inputs, header.scale, header.flags) = (FEATURES as u32, SCALE, Header::BOUNDED);
    header.widths = [width as u16, SECOND as u16, 0, 0];
    name.clone_into(&mut header.name);
    "imported from a weights.txt".clone_into(&mut header.provenance);
    let net = match trailer {
        Some(trailer) => {
            trailer.fill(&mut header);
            quantize(&header, &numbers)?
        }
        None => finest(&mut header, &numbers)?,
    };
    let skip =
        if has_table { "beside a piece-square table" } else { "without a piece-square table" };
    let output = if header.has(Header::BOUNDED) { "tanh of the sum" } else { "the sum" };
    let taken_for = format!(
        "Batu's weights.txt: 768 -> {width} -> {SECOND} -> 1 {skip}, {output} times {}",
        header.scale
    );
    Ok(Imported { net, taken_for })
}

/// The first width, and whether there is a piece-square table, in so many numbers.
fn layout(count: usize) -> Result<(usize, bool), NetFileError> {
    let of = |fixed: usize| {
        let width = count.checked_sub(fixed)? / PER_LANE;
        (width > 0 && fixed + width * PER_LANE == count).then_some(width)
    };
    if let Some(width) = of(FEATURES + FIXED) {
        return Ok((width, true));
    }
    if let Some(width) = of(FIXED) {
        return Ok((width, false));
    }
    let expected = format!(
        "{FEATURES} for a piece-square table, or none, then {FIXED} and {PER_LANE} for each lane of the first layer"
    );
    Err(NetFileError::field("count of numbers", count, expected))
}

/// What our last line tells.
struct Trailer {
    scale: u32,
    is_bounded: bool,
    quantization: [u16; 2],
}

impl Trailer {
    /// Reads `# quincunx: scale 400, factors 512 512, sum`.
    fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.strip_prefix(TRAILER)?.split([' ', ',']).collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let ["scale", scale, "factors", first, second, output] = words[..] else { return None };
        let is_bounded = match output {
            "tanh" => true,
            "sum" => false,
            _ => return None,
        };
        let scale = scale.parse().ok().filter(|scale| (1..=Header::MAX_SCALE).contains(scale))?;
        Some(Self { scale, is_bounded, quantization: [first.parse().ok()?, second.parse().ok()?] })
    }

    fn of(header: &Header) -> Self {
        let is_bounded = header.has(Header::BOUNDED);
        Self { scale: header.scale, is_bounded, quantization: header.quantization }
    }

    fn fill(&self, header: &mut Header) {
        (header.scale, header.quantization) = (self.scale, self.quantization);
        header.flags = if self.is_bounded { Header::BOUNDED } else { 0 };
    }
}

impl std::fmt::Display for Trailer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [first, second] = self.quantization;
        let output = if self.is_bounded { "tanh" } else { "sum" };
        write!(f, "{TRAILER} scale {}, factors {first} {second}, {output}", self.scale)
    }
}

/// All numbers of a text, and what our last line tells if it is there.
fn numbers(text: &str) -> Result<(Vec<f64>, Option<Trailer>), NetFileError> {
    let mut numbers = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.starts_with(TRAILER) {
            let wrong = || {
                let expected = format!("`{TRAILER} scale S, factors A B, tanh` or `sum`");
                NetFileError::text("weights.txt", at + 1, format!("found `{line}`"), expected)
            };
            return Ok((numbers, Some(Trailer::read(line).ok_or_else(wrong)?)));
        }
        for word in line.split_whitespace() {
            let number = word.parse::<f64>().ok().filter(|number| number.is_finite());
            let found = || format!("found `{word}`");
            let wrong = || NetFileError::text("weights.txt", at + 1, found(), "a number");
            numbers.push(number.ok_or_else(wrong)?);
        }
    }
    Ok((numbers, None))
}

/// The network with the finest factors with which no sum can overflow.
fn finest(header: &mut Header, numbers: &[f64]) -> Result<Net, NetFileError> {
    let mut refused = NetFileError::field("weights", "too large", "sums of 16 bits");
    for shift in (4..=13).rev() {
        header.quantization = [1 << shift, 1 << shift.min(10)];
        match quantize(header, numbers) {
            Ok(net) => return Ok(net),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

/// What a unit of output counts in the text, in units of the network's file: Batu's program always
/// multiplies by 600.
fn output_unit(header: &Header) -> f64 {
    f64::from(SCALE) / f64::from(header.scale)
}

fn quantize(header: &Header, numbers: &[f64]) -> Result<Net, NetFileError> {
    let n = header.width(0);
    let unit = output_unit(header);
    let [qa, qb] = header.quantization.map(f64::from);
    let (table, rest) = numbers.split_at(FEATURES);
    let (first, rest) = rest.split_at(FEATURES * n);
    let (first_bias, rest) = rest.split_at(n);
    let (second, rest) = rest.split_at(n * SECOND);
    let (second_bias, rest) = rest.split_at(SECOND);
    let (last, last_bias) = rest.split_at(SECOND);
    let second: Vec<f64> = // `[input][output]` in the text, `[output][input]` here.
        (0..SECOND).flat_map(|j| (0..n).map(move |i| second[i * SECOND + j])).collect();
    for (field, values, factor) in [
        ("first weight", first, qa),
        ("first bias", first_bias, qa),
        ("second weight", &second, qb),
    ] {
        let max = f64::from(i16::MAX) / factor;
        let largest = values.iter().fold(0.0f64, |max, value| max.max(value.abs()));
        Header::check(field, largest, 0.0..=max)?;
    }
    let short = |values: &[f64], factor: f64| -> Vec<i16> {
        values.iter().map(|value| (value * factor).round() as i16).collect()
    };
    let long = |values: &[f64], factor: f64| -> Vec<i32> {
        values.iter().map(|value| (value * factor).round() as i32).collect()
    };
    let float =
        |values: &[f64]| -> Vec<f32> { values.iter().map(|value| (value * unit) as f32).collect() };
    Net::from_tensors(header, |tensors| {
        tensors.i32(&long(table, unit * f64::from(Batu::TABLE_UNIT)));
        tensors.i16(&short(first, qa));
        tensors.i16(&short(first_bias, qa));
        tensors.i16(&short(&second, qb));
        tensors.i32(&long(second_bias, qa * qb));
        tensors.f32(&float(last));
        tensors.f32(&float(last_bias));
    })
}

/// Writes a network as a `weights.txt`. The text cannot tell another second width than 32.
///
/// Batu's program evaluates it as 600·tanh(sum): the same as here if the network's output is bounded and
/// its scale 600, otherwise the same near zero and in the same order.
pub fn write_weights_txt(net: &Batu) -> Result<String, NetFileError> {
    Header::check("second width", net.header.width(1), SECOND..=SECOND)?;
    let numbers = net.numbers();
    let unit = output_unit(&net.header);
    let outputs = numbers.len() - SECOND - 1;
    let mut text = String::new();
    for (index, number) in numbers.into_iter().enumerate() {
        let is_output = index < FEATURES || index >= outputs;
        let number = if is_output { number / unit } else { number };
        writeln!(text, "{number}").expect("a string takes all that is written");
    }
    writeln!(text, "{}", Trailer::of(&net.header)).expect("a string takes all that is written");
    Ok(text)
}
