// SPDX-License-Identifier: GPL-3.0-or-later
//! The two heads behind one name, and the way from the active features through either.

use net::file::{TensorView, TensorWriter};
use net::{Activation, Header};

use super::FirstLayer;
use super::pairwise::PairwiseHead;
use super::screlu::{ScreluBody, ScreluHead};
use crate::layers::{Lists, Rows};
use crate::model::value::SUB_BATCH;
use crate::parameters::{Layout, Tensor};

/// One thread's forward and backward from the active features to the output.
#[derive(Debug)]
pub(super) enum Body {
    Screlu(Box<ScreluBody>),
    Pairwise { first: FirstLayer, sums: Rows, head: Box<PairwiseHead> },
}

impl Body {
    pub(super) fn new(first: FirstLayer, header: &Header, layout: &Layout) -> Self {
        if is_pairwise(header) {
            let sums = Rows::new(2 * SUB_BATCH, first.layer.width);
            Self::Pairwise { first, sums, head: Box::new(PairwiseHead::new(header, layout)) }
        } else {
            Self::Screlu(Box::new(ScreluBody::new(first, ScreluHead::new(header, layout))))
        }
    }

    pub(super) fn forward(
        &mut self,
        weights: &[f32],
        lists: &mut Lists,
        buckets: &[usize],
        outputs: &mut [f32],
    ) {
        match self {
            Self::Screlu(body) => body.forward(weights, lists, buckets, outputs),
            Self::Pairwise { first, sums, head } => {
                let bias = &weights[first.bias.clone()];
                first.layer.forward(&weights[first.weights.clone()], bias, lists, sums);
                head.forward(weights, sums, buckets, outputs);
            }
        }
    }

    pub(super) fn backward(
        &mut self,
        weights: &[f32],
        lists: &mut Lists,
        buckets: &[usize],
        slopes: &[f32],
        gradients: &mut [f32],
    ) {
        match self {
            Self::Screlu(body) => body.backward(weights, lists, buckets, slopes, gradients),
            Self::Pairwise { first, sums, head } => {
                head.backward(weights, sums, buckets, slopes, gradients);
                let ranges = [first.weights.clone(), first.bias.clone()];
                let [rows, bias] =
                    gradients.get_disjoint_mut(ranges).expect("tensors do not overlap");
                first.layer.backward(rows, bias, lists, sums);
            }
        }
    }
}

/// What follows the first layer: what is trained of it, whichever the header asks for.
pub(super) struct HeadNet;

impl HeadNet {
    pub(super) fn tensors(header: &Header) -> Vec<Tensor> {
        if is_pairwise(header) {
            PairwiseHead::tensors(header)
        } else {
            ScreluHead::tensors(header)
        }
    }

    /// Changes parameters where they should not begin at random.
    pub(super) fn initialize(header: &Header, layout: &Layout, parameters: &mut [f32]) {
        if is_pairwise(header) {
            PairwiseHead::initialize(layout, parameters);
        }
    }

    pub(super) fn export(
        header: &Header,
        layout: &Layout,
        weights: &[f32],
        tensors: &mut TensorWriter,
    ) {
        if is_pairwise(header) {
            PairwiseHead::export(header, layout, weights, tensors);
        } else {
            ScreluHead::export(layout, weights, tensors);
        }
    }

    /// The tensors of a file as they are trained.
    pub(super) fn import(header: &Header, tensors: &[TensorView<'_>]) -> Vec<Vec<f32>> {
        if is_pairwise(header) {
            PairwiseHead::import(header, tensors)
        } else {
            tensors.iter().map(TensorView::trained).collect()
        }
    }
}

fn is_pairwise(header: &Header) -> bool {
    header.activation == Activation::Pairwise
}
