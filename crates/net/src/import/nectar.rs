// SPDX-License-Identifier: GPL-3.0-or-later
//! Nectar's four files of weights.

use crate::arch::Net;
use crate::features::{Features, NectarFeatures};
use crate::file::{Activation, Architecture, Header, NetFileError};

/// The bytes of a network in Nectar's layout: little-endian floats of 32 bits, and nothing else.
///
/// ```text
/// …_iweights.bin   [768][N]   384·black + 64·role + square, the squares from a8 on
/// …_ibiases.bin    [N]
/// …_oweights.bin   [N]
/// …_obias.bin      one
/// ```
/// Nectar multiplies them by 255, and the output's bias by 255 twice, and cuts off the rest. N follows
/// from the lengths; Nectar's own is 16.
#[derive(Clone, Copy, Debug)]
pub struct NectarBins<'a> {
    /// `[768][N]`.
    pub first_weights: &'a [u8],
    /// `[N]`.
    pub first_bias: &'a [u8],
    /// `[N]`.
    pub output_weights: &'a [u8],
    /// One number.
    pub output_bias: &'a [u8],
}

/// Nectar's factor for both layers.
const UNIT: f32 = 255.0;

impl NectarBins<'_> {
    /// How the names of the four files end, in the order of the fields.
    pub const ENDINGS: [&'static str; 4] =
        ["iweights.bin", "ibiases.bin", "oweights.bin", "obias.bin"];
    /// What Nectar's program multiplies the output with.
    pub const SCALE: u32 = 150;

    /// Reads the bytes.
    pub fn read(&self, name: &str) -> Result<Net, NetFileError> {
        let first_bias = floats("length of the first bias", self.first_bias, None)?;
        let n = first_bias.len();
        let len = NectarFeatures::LEN * n;
        let first = floats("length of the first weights", self.first_weights, Some(len))?;
        let output = floats("length of the output weights", self.output_weights, Some(n))?;
        let bias = floats("length of the output bias", self.output_bias, Some(1))?[0];
        let mut header = Header::new(Architecture::Nectar, Activation::Screlu);
        header.inputs = NectarFeatures::LEN as u32;
        header.widths[0] = u16::try_from(n).unwrap_or(u16::MAX);
        (header.scale, header.quantization) = (Self::SCALE, [UNIT as u16; 2]);
        name.clone_into(&mut header.name);
        "imported from Nectar's files of weights".clone_into(&mut header.provenance);
        let first = integers("first weight", &first)?;
        let first_bias = integers("first bias", &first_bias)?;
        let output = integers("output weight", &output)?;
        Net::from_tensors(&header, |tensors| {
            tensors.i16(&first);
            tensors.i16(&first_bias);
            tensors.i16(&output);
            tensors.i32(&[(bias * UNIT * UNIT) as i32]);
        })
    }
}

/// The floats in some bytes, so many if that is known.
fn floats(
    field: &'static str,
    bytes: &[u8],
    count: Option<usize>,
) -> Result<Vec<f32>, NetFileError> {
    let (chunks, rest) = bytes.as_chunks::<4>();
    let is_right = rest.is_empty() && count.is_none_or(|count| count == chunks.len());
    if !is_right || chunks.is_empty() {
        let expected = count.map_or("a multiple of 4".to_owned(), |n| format!("{} bytes", 4 * n));
        return Err(NetFileError::field(field, format!("{} bytes", bytes.len()), expected));
    }
    Ok(chunks.iter().map(|&chunk| f32::from_le_bytes(chunk)).collect())
}

/// Floats times the factor, what is behind the point cut off.
fn integers(field: &'static str, values: &[f32]) -> Result<Vec<i16>, NetFileError> {
    let most = f32::from(i16::MAX);
    let integer = |&value: &f32| {
        let scaled = value * UNIT;
        let fits = (-most..=most).contains(&scaled);
        let wrong = || NetFileError::field(field, value, "a number of at most 128 either way");
        fits.then_some(scaled as i16).ok_or_else(wrong)
    };
    values.iter().map(integer).collect()
}
