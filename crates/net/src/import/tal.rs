// SPDX-License-Identifier: GPL-3.0-or-later
//! Tal's comma-separated values.

use crate::arch::{Net, Tal};
use crate::features::{Features, TalFeatures};
use crate::format::{Activation, Architecture, Header, NetFileError};

/// The texts of a network in Tal's layout: quantized numbers, a line for each output of a layer.
///
/// The second layer's columns are `king · N + input`, the king's square as the mover sees it; its two
/// blocks are concatenated. The output of such a network is a chance to win times 4096, of which 2048
/// means equal: this is taken off here, and a scale is chosen that has the same slope at zero.
#[derive(Clone, Copy, Debug)]
pub struct TalCsv<'a> {
    /// N lines of 640.
    pub first_weights: &'a str,
    /// N numbers.
    pub first_bias: &'a str,
    /// M lines of 64·N, by the own king's square.
    pub own_weights: &'a str,
    /// M numbers.
    pub own_bias: &'a str,
    /// M lines of 64·N, by their king's square.
    pub their_weights: &'a str,
    /// M numbers.
    pub their_bias: &'a str,
    /// K lines of 2·M.
    pub third_weights: &'a str,
    /// K numbers.
    pub third_bias: &'a str,
    /// K numbers.
    pub output_weights: &'a str,
    /// One number.
    pub output_bias: &'a str,
}

/// What an equal position gets in Tal's own units.
const EQUAL: i32 = 2048;
/// 400 points per unit of log-odds, of which a chance has four per unit around one half.
const SCALE: u32 = 1600;

impl<'a> TalCsv<'a> {
    /// What the files of the texts are called, in the order of the fields.
    pub const FILES: [&'static str; 10] = [
        "first_linear_weights.csv",
        "first_linear_biases.csv",
        "second_layer_turn_weights.csv",
        "second_layer_turn_biases.csv",
        "second_layer_not_turn_weights.csv",
        "second_layer_not_turn_biases.csv",
        "third_layer_weights.csv",
        "third_layer_biases.csv",
        "final_layer_weights.csv",
        "final_layer_biases.csv",
    ];

    /// The texts in the order of [`Self::FILES`].
    pub fn from_files(texts: [&'a str; 10]) -> Self {
        let [first_weights, first_bias, own_weights, own_bias, their_weights, their_bias, ..] =
            texts;
        let [.., third_weights, third_bias, output_weights, output_bias] = texts;
        Self {
            first_weights,
            first_bias,
            own_weights,
            own_bias,
            their_weights,
            their_bias,
            third_weights,
            third_bias,
            output_weights,
            output_bias,
        }
    }

    /// Reads the texts.
    pub fn read(&self, name: &str) -> Result<Net, NetFileError> {
        let first_bias = vector("first bias", self.first_bias)?;
        let own_bias = vector("own bias", self.own_bias)?;
        let third_bias = vector("third bias", self.third_bias)?;
        let [n, m, k] = [&first_bias, &own_bias, &third_bias].map(Vec::len);
        let mut header = Header::new(Architecture::Tal, Activation::Crelu);
        header.inputs = TalFeatures::LEN as u32;
        header.widths = [n as u16, m as u16, k as u16, 0];
        (header.flags, header.scale) = (Header::CONCATENATED, SCALE);
        header.quantization = [Tal::UNIT; 2];
        name.clone_into(&mut header.name);
        "imported from Tal's comma-separated values".clone_into(&mut header.provenance);
        // Widths are refused before matrices are read by them.
        Tal::SPEC.check(&header)?;
        let first = matrix("first weights", self.first_weights, n, TalFeatures::LEN)?;
        let rows: Vec<i32> =
            (0..TalFeatures::LEN).flat_map(|f| first.iter().map(move |lane| lane[f])).collect();
        let own = blocks(&matrix("own weights", self.own_weights, m, 64 * n)?, n);
        let their = blocks(&matrix("their weights", self.their_weights, m, 64 * n)?, n);
        let their_bias = matrix("their bias", self.their_bias, 1, m)
            .or_else(|_| matrix("their bias", self.their_bias, m, 1))?;
        let third = matrix("third weights", self.third_weights, k, 2 * m)?.concat();
        let last = vector("output weights", self.output_weights)?;
        let last_bias = vector("output bias", self.output_bias)?;
        Header::check("count of output weights", last.len(), k..=k)?;
        Header::check("count of output biases", last_bias.len(), 1..=1)?;
        let short = |field, values: &[i32]| narrow::<i16>(field, values);
        let byte = |field, values: &[i32]| narrow::<i8>(field, values);
        let (rows, bias) = (short("first weight", &rows)?, short("first bias", &first_bias)?);
        let [own, their] = [byte("own weight", &own)?, byte("their weight", &their)?];
        let [third, last] = [byte("third weight", &third)?, byte("output weight", &last)?];
        Net::from_tensors(&header, |tensors| {
            tensors.i16(&rows);
            tensors.i16(&bias);
            tensors.i8(&own);
            tensors.i8(&their);
            tensors.i32(&[own_bias, their_bias.concat()].concat());
            tensors.i8(&third);
            tensors.i32(&third_bias);
            tensors.i8(&last);
            tensors.i32(&[last_bias[0].saturating_sub(EQUAL)]);
        })
    }
}

/// From `[output][king · n + input]` to `[king][output][input]`.
fn blocks(matrix: &[Vec<i32>], n: usize) -> Vec<i32> {
    let block = |king: usize| matrix.iter().flat_map(move |line| &line[king * n..][..n]).copied();
    (0..64).flat_map(block).collect()
}

/// All numbers of a text, in lines or not.
fn vector(field: &'static str, text: &str) -> Result<Vec<i32>, NetFileError> {
    let numbers = lines(field, text)?.concat();
    Header::check(field, numbers.len(), 1..=usize::from(u16::MAX))?;
    Ok(numbers)
}

/// The numbers of so many lines of the same length.
fn matrix(
    field: &'static str,
    text: &str,
    rows: usize,
    columns: usize,
) -> Result<Vec<Vec<i32>>, NetFileError> {
    let lines = lines(field, text)?;
    if lines.len() != rows {
        let (found, expected) = (format!("{} lines", lines.len()), format!("{rows} lines"));
        return Err(NetFileError::field(field, found, expected));
    }
    match lines.iter().position(|line| line.len() != columns) {
        None => Ok(lines),
        Some(at) => {
            let found = format!("found {} numbers", lines[at].len());
            Err(NetFileError::text(field, at + 1, found, format!("{columns} numbers")))
        }
    }
}

fn lines(field: &'static str, text: &str) -> Result<Vec<Vec<i32>>, NetFileError> {
    let number = |line: usize, word: &str| {
        let found = || format!("found `{word}`");
        let wrong = || NetFileError::text(field, line + 1, found(), "a whole number");
        // Some tools write whole numbers as `12.0`.
        let whole = word.trim().parse::<f64>().ok().filter(|number| number.fract() == 0.0);
        whole.map(|number| number as i32).ok_or_else(wrong)
    };
    let filled = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    filled.map(|(i, line)| line.split(',').map(|word| number(i, word)).collect()).collect()
}

/// Numbers in fewer bits, if they fit.
fn narrow<T: TryFrom<i32>>(field: &'static str, values: &[i32]) -> Result<Vec<T>, NetFileError> {
    let convert = |&value: &i32| {
        let bits = 8 * size_of::<T>();
        T::try_from(value)
            .map_err(|_| NetFileError::field(field, value, format!("a number of {bits} bits")))
    };
    values.iter().map(convert).collect()
}
