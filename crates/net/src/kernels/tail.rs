// SPDX-License-Identifier: GPL-3.0-or-later
//! The small layers at the end of a network, 16 → 32 → 1, in one piece: nothing leaves the registers.

/// A layer of 32 and an output behind 16 sums, all three with SCReLU between them.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Tail {
    /// `[input][output]`.
    weights: [[f32; Self::OUTPUTS]; Self::INPUTS],
    bias: [f32; Self::OUTPUTS],
    last: [f32; Self::OUTPUTS],
    last_bias: f32,
    /// What a sum is multiplied with before anything else.
    factor: f32,
}

impl Tail {
    /// How many sums come in.
    pub(crate) const INPUTS: usize = 16;
    /// How many lanes the layer behind them has.
    const OUTPUTS: usize = 32;

    /// `None` if these layers have another size.
    pub(crate) fn new(
        unit: f32,
        [weights, bias]: [&[f32]; 2],
        last: &[f32],
        last_bias: f32,
    ) -> Option<Self> {
        let weights = weights.as_chunks().0.try_into().ok()?;
        let bias = bias.try_into().ok()?;
        let last = last.try_into().ok()?;
        Some(Self { weights, bias, last, last_bias, factor: 1.0 / unit })
    }

    /// The output. Sums are taken in one order everywhere: even and odd inputs apart, then eight lanes of
    /// outputs side by side, then halves of these.
    #[inline(always)]
    pub(crate) fn forward(&self, sums: &[i32; Self::INPUTS]) -> f32 {
        let inputs: [f32; Self::INPUTS] =
            std::array::from_fn(|i| screlu(sums[i] as f32 * self.factor));
        let (mut even, mut odd) = (self.bias, [0.0; Self::OUTPUTS]);
        for i in (0..Self::INPUTS).step_by(2) {
            for k in 0..Self::OUTPUTS {
                even[k] += inputs[i] * self.weights[i][k];
                odd[k] += inputs[i + 1] * self.weights[i + 1][k];
            }
        }
        let terms: [f32; Self::OUTPUTS] =
            std::array::from_fn(|k| screlu(even[k] + odd[k]) * self.last[k]);
        let eight: [f32; 8] =
            std::array::from_fn(|k| (terms[k] + terms[k + 8]) + (terms[k + 16] + terms[k + 24]));
        let four: [f32; 4] = std::array::from_fn(|k| eight[k] + eight[k + 4]);
        ((four[0] + four[2]) + (four[1] + four[3])) + self.last_bias
    }
}

/// The square of what is between 0 and 1.
#[inline(always)]
pub(crate) fn screlu(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x
}
