// SPDX-License-Identifier: GPL-3.0-or-later
//! A network that begins as a smaller one.
//!
//! A trained network holds what thousands of millions of positions have taught it. A wider one, or one
//! with king buckets, need not learn that again: new lanes begin at random but without a say in the
//! output, and all king buckets begin with the same rows. So it says at first what the smaller one said,
//! and learns from there.

use net::file::Contents;
use net::{Activation, Header};

use super::HouseModel;
use crate::Aligned;
use crate::layers::Sparse;
use crate::model::Model;

/// Whether a network of the form `small` can grow into one of the form `large`.
pub(super) fn can_grow(small: &Header, large: &Header) -> bool {
    let grown = Header {
        name: small.name.clone(),
        provenance: small.provenance.clone(),
        widths: small.widths,
        inputs: small.inputs,
        input_buckets: small.input_buckets,
        bucket_map: small.bucket_map.clone(),
        ..large.clone()
    };
    let is_smaller = small.width(0) < large.width(0) || small.input_buckets < large.input_buckets;
    grown == *small
        && small.activation == Activation::Screlu
        && small.width(0) <= large.width(0)
        && small.input_buckets == 1
        && is_smaller
}

/// The parameters of `house`, grown from those in the file of a smaller one.
pub(super) fn grown(
    house: &HouseModel,
    contents: &Contents<'_>,
    seed: u64,
) -> Result<Aligned, String> {
    let [rows, bias, head @ ..] = contents.tensors.as_slice() else {
        return Err("no first layer".to_owned());
    };
    let small = contents.header.width(0);
    let mut parameters = house.initial(seed);
    let (first, rest) = house.layout.tensors().split_at(1 + usize::from(house.factors.is_some()));

    let layer = Sparse::new(768, house.first.width);
    let mut wide = layer.in_rows(&parameters[first[0].range()]);
    replace_lanes(&mut wide, layer.width, &rows.trained(), small);
    let wide = layer.from_rows(&wide);
    match &house.factors {
        Some(factors) => factors.divide(&wide, &mut parameters),
        None => parameters[first[0].range()].copy_from_slice(&wide),
    }

    let mut imported = head.iter().map(net::file::TensorView::trained);
    let mut take = || imported.next().ok_or("no output layer");
    let [first_bias, weights, output_bias] = rest else { return Err("another head".to_owned()) };
    replace_lanes(&mut parameters[first_bias.range()], layer.width, &bias.trained(), small);
    parameters[weights.range()].fill(0.0);
    replace_lanes(&mut parameters[weights.range()], layer.width, &take()?, small);
    parameters[output_bias.range()].copy_from_slice(&take()?);
    Ok(parameters)
}

/// Replaces the first lanes of every row of `wide` by the rows of `narrow`.
fn replace_lanes(wide: &mut [f32], width: usize, narrow: &[f32], narrow_width: usize) {
    let rows = wide.chunks_exact_mut(width).zip(narrow.chunks_exact(narrow_width));
    rows.for_each(|(wide, narrow)| wide[..narrow_width].copy_from_slice(narrow));
}
