// SPDX-License-Identifier: GPL-3.0-or-later
//! The deeper head of `house`: products of lanes, two small layers, then the output.

use super::House;
use crate::Kernels;
use crate::format::{Header, NetFileError, TensorReader, TensorWriter};
use crate::kernels::tail::{Tail, screlu};
use crate::layers::{Affine, Dense, dot_in_lanes};

/// The weights of one output bucket.
#[derive(Clone, Debug)]
pub(super) struct PairwiseHead {
    second: Affine,
    /// What a sum of the second layer is divided by.
    unit: f32,
    third: Dense,
    last: Vec<f32>,
    last_bias: f32,
    /// The layers behind the second in one piece, if they have the common size.
    tail: Option<Box<Tail>>,
}

type Small = [f32; House::MAX_SMALL];

impl PairwiseHead {
    /// Products of two lanes are divided by this to fit a byte.
    pub(super) const PAIR_DIVISOR: f32 = 512.0;

    pub(super) fn read(
        header: &Header,
        tensors: &mut TensorReader<'_>,
    ) -> Result<Vec<Self>, NetFileError> {
        let first_factor = header.quantization[0];
        // The kernels divide products of lanes for this factor alone.
        Header::check("first quantization factor", first_factor, House::QA..=House::QA)?;
        let [n, l2, l3] = [0, 1, 2].map(|layer| header.width(layer));
        let (second, second_bias) = (tensors.i8()?, tensors.i32()?);
        let mut floats = || tensors.f32();
        let (third, third_bias, last, last_bias) = (floats()?, floats()?, floats()?, floats()?);
        let qa = f32::from(House::QA);
        let unit = qa * qa / Self::PAIR_DIVISOR * f32::from(header.quantization[1]);
        let head = |b: usize| {
            let second =
                Affine::new(&second[b * l2 * n..][..l2 * n], second_bias[b * l2..][..l2].to_vec());
            let third = Dense {
                weights: third[b * l2 * l3..][..l2 * l3].to_vec(),
                bias: third_bias[b * l3..][..l3].to_vec(),
            };
            let (last, last_bias) = (last[b * l3..][..l3].to_vec(), last_bias[b]);
            let layer = [third.weights.as_slice(), third.bias.as_slice()];
            let tail = Tail::new(unit, layer, &last, last_bias).map(Box::new);
            Self { second, unit, third, last, last_bias, tail }
        };
        Ok((0..header.output_buckets.into()).map(head).collect())
    }

    pub(super) fn write(heads: &[Self], tensors: &mut TensorWriter) {
        let floats = |field: fn(&Self) -> &[f32]| -> Vec<f32> {
            heads.iter().flat_map(field).copied().collect()
        };
        tensors.i8(&heads.iter().flat_map(|head| head.second.weights()).collect::<Vec<_>>());
        tensors.i32(&heads.iter().flat_map(|head| head.second.bias()).copied().collect::<Vec<_>>());
        tensors.f32(&floats(|head| &head.third.weights));
        tensors.f32(&floats(|head| &head.third.bias));
        tensors.f32(&floats(|head| &head.last));
        tensors.f32(&floats(|head| std::slice::from_ref(&head.last_bias)));
    }

    /// The output, a logit.
    #[inline]
    pub(super) fn forward(&self, views: [&[i16]; 2], kernels: &Kernels) -> f32 {
        let Some(tail) = &self.tail else {
            let (_, third) = self.small_layers(views, kernels);
            return dot_in_lanes(&self.last, &third) + self.last_bias;
        };
        let mut sums = [0; Tail::INPUTS];
        self.second_sums(views, &mut sums, kernels);
        kernels.tail(&sums, tail)
    }

    /// The second and the third layer after their activations, to be looked at.
    pub(super) fn hidden(&self, views: [&[i16]; 2], kernels: &Kernels) -> (Vec<f32>, Vec<f32>) {
        let (second, third) = self.small_layers(views, kernels);
        (second[..self.second.bias().len()].to_vec(), third[..self.last.len()].to_vec())
    }

    /// The same layers of any size; zeros fill them up.
    fn small_layers(&self, views: [&[i16]; 2], kernels: &Kernels) -> (Small, Small) {
        let mut sums = [0; House::MAX_SMALL];
        let sums = &mut sums[..self.second.bias().len()];
        self.second_sums(views, sums, kernels);
        let (mut second, mut third) = ([0.0; House::MAX_SMALL], [0.0; House::MAX_SMALL]);
        for (second, &sum) in second.iter_mut().zip(&*sums) {
            *second = screlu(sum as f32 / self.unit);
        }
        let outputs = &mut third[..self.last.len()];
        self.third.forward(&second[..sums.len()], outputs, kernels);
        for third in outputs.iter_mut() {
            *third = screlu(*third);
        }
        (second, third)
    }

    /// The sums of the second layer.
    #[inline]
    fn second_sums(&self, views: [&[i16]; 2], sums: &mut [i32], kernels: &Kernels) {
        // A buffer is cleared before it is used: no larger than need be.
        match views[0].len() / 2 {
            0..=256 => self.second_sums_within::<256>(views, sums, kernels),
            257..=512 => self.second_sums_within::<512>(views, sums, kernels),
            _ => self.second_sums_within::<{ House::MAX_WIDTH / 2 }>(views, sums, kernels),
        }
    }

    /// The same for at most `N` products of each view.
    #[inline(never)]
    fn second_sums_within<const N: usize>(
        &self,
        views: [&[i16]; 2],
        sums: &mut [i32],
        kernels: &Kernels,
    ) {
        let half = views[0].len() / 2;
        let mut products = [[0; N]; 2];
        for (out, view) in products.iter_mut().zip(views) {
            kernels.pairwise(view, &mut out[..half]);
        }
        let inputs = [&products[0][..half], &products[1][..half]];
        self.second.forward_halves(inputs, sums, kernels);
    }
}
