// SPDX-License-Identifier: GPL-3.0-or-later
//! The two heads behind one name.

use net::file::{TensorView, TensorWriter};
use net::{Activation, Header};

use super::pairwise::PairwiseHead;
use super::screlu::ScreluHead;
use crate::layers::Rows;
use crate::parameters::{Layout, Tensor};

/// What follows the first layer.
#[derive(Debug)]
pub(super) enum HeadNet {
    Screlu(ScreluHead),
    Pairwise(Box<PairwiseHead>),
}

/// One thread's forward and backward over the sums of both views.
impl HeadNet {
    pub(super) fn new(header: &Header, layout: &Layout) -> Self {
        if is_pairwise(header) {
            Self::Pairwise(Box::new(PairwiseHead::new(header, layout)))
        } else {
            Self::Screlu(ScreluHead::new(header, layout))
        }
    }

    pub(super) fn forward(
        &mut self,
        weights: &[f32],
        sums: &Rows,
        buckets: &[usize],
        outputs: &mut [f32],
    ) {
        match self {
            Self::Screlu(head) => head.forward(weights, sums, buckets, outputs),
            Self::Pairwise(head) => head.forward(weights, sums, buckets, outputs),
        }
    }

    /// Replaces the sums by their gradients.
    pub(super) fn backward(
        &mut self,
        weights: &[f32],
        sums: &mut Rows,
        buckets: &[usize],
        slopes: &[f32],
        gradients: &mut [f32],
    ) {
        match self {
            Self::Screlu(head) => head.backward(weights, sums, buckets, slopes, gradients),
            Self::Pairwise(head) => head.backward(weights, sums, buckets, slopes, gradients),
        }
    }
}

/// What belongs to a head, whichever the header asks for.
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
            ScreluHead::import(tensors)
        }
    }
}

fn is_pairwise(header: &Header) -> bool {
    header.activation == Activation::Pairwise
}
