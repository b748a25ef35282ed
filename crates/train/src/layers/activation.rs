// SPDX-License-Identifier: GPL-3.0-or-later
//! Activations, and their fusions with what they feed.

use super::vector::{fused, sum};

/// How many partial sums a dot product keeps, so that additions need not wait for each other.
const LANES: usize = 32;

/// `clamp(x, 0, 1)²`.
#[inline(always)]
fn screlu_of(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x
}

/// `clamp(x, 0, 1)²`, lane by lane.
pub fn screlu(sums: &[f32], out: &mut [f32]) {
    out.iter_mut().zip(sums).for_each(|(out, &x)| *out = screlu_of(x));
}

/// The way back from [`screlu`]: multiplies gradients by its slopes.
pub fn screlu_slopes(sums: &[f32], deltas: &mut [f32]) {
    for (delta, &x) in deltas.iter_mut().zip(sums) {
        // Below zero the slope is zero by itself: one comparison is enough.
        let slope = 2.0 * x.clamp(0.0, 1.0);
        *delta *= if x < 1.0 { slope } else { 0.0 };
    }
}

/// `clamp(x, low, high)`, lane by lane.
pub fn clamp(sums: &[f32], low: f32, high: f32, out: &mut [f32]) {
    out.iter_mut().zip(sums).for_each(|(out, &x)| *out = x.clamp(low, high));
}

/// The way back from [`clamp`]: clears the gradients of what was cut off.
pub fn clamp_slopes(sums: &[f32], low: f32, high: f32, deltas: &mut [f32]) {
    // One comparison instead of two keeps the loop in vectors.
    let (middle, half) = (f32::midpoint(low, high), 0.5 * (high - low));
    for (delta, &x) in deltas.iter_mut().zip(sums) {
        *delta = if (x - middle).abs() < half { *delta } else { 0.0 };
    }
}

/// `max(x, 0)`, lane by lane.
pub fn relu(sums: &[f32], out: &mut [f32]) {
    out.iter_mut().zip(sums).for_each(|(out, &x)| *out = if x > 0.0 { x } else { 0.0 });
}

/// The same in place.
pub fn relu_in_place(values: &mut [f32]) {
    for x in values {
        *x = if *x > 0.0 { *x } else { 0.0 };
    }
}

/// The way back from [`relu`], from its sums or from its results: clears the gradients of what was cut off.
pub fn relu_slopes(sums: &[f32], deltas: &mut [f32]) {
    for (delta, &x) in deltas.iter_mut().zip(sums) {
        *delta = if x > 0.0 { *delta } else { 0.0 };
    }
}

/// The hyperbolic tangent in place, at most 3e-7 off.
pub fn tanh(values: &mut [f32]) {
    for x in values {
        *x = tanh_of(*x);
    }
}

/// `2t / (1 + t²)` with `t = tanh(x / 2)` by the ninth convergent of Lambert's continued fraction,
/// which is exact enough up to 4.5. Calls of the library's function would not run in vectors.
#[inline(always)]
fn tanh_of(x: f32) -> f32 {
    let x = 0.5 * x.clamp(-9.0, 9.0);
    let y = x * x;
    let above = 34_459_425.0 + y * (4_729_725.0 + y * (135_135.0 + y * (990.0 + y)));
    let below = 34_459_425.0 + y * (16_216_200.0 + y * (945_945.0 + y * (13_860.0 + y * 45.0)));
    let t = x * above / below;
    2.0 * t / (1.0 + t * t)
}

/// The way back from [`tanh`], from its results.
pub fn tanh_slopes(results: &[f32], deltas: &mut [f32]) {
    for (delta, y) in deltas.iter_mut().zip(results) {
        *delta *= 1.0 - y * y;
    }
}

/// Products of the two halves of lanes, each lane clamped to 0 and 1.
pub fn pairwise(sums: &[f32], out: &mut [f32]) {
    let (left, right) = sums.split_at(sums.len() / 2);
    for ((out, a), b) in out.iter_mut().zip(left).zip(right) {
        *out = a.clamp(0.0, 1.0) * b.clamp(0.0, 1.0);
    }
}

/// The way back from [`pairwise`]: replaces the sums by their gradients.
pub fn pairwise_backward(sums: &mut [f32], deltas: &[f32]) {
    let (left, right) = sums.split_at_mut(sums.len() / 2);
    let (left, left_rest) = left.as_chunks_mut::<LANES>();
    let (right, right_rest) = right.as_chunks_mut::<LANES>();
    let (deltas, deltas_rest) = deltas.as_chunks::<LANES>();
    for ((left, right), deltas) in left.iter_mut().zip(right).zip(deltas) {
        for i in 0..LANES {
            (left[i], right[i]) = pair_slopes(left[i], right[i], deltas[i]);
        }
    }
    for ((a, b), &delta) in left_rest.iter_mut().zip(right_rest).zip(deltas_rest) {
        (*a, *b) = pair_slopes(*a, *b, delta);
    }
}

/// The gradients of two lanes, given that of their product.
#[inline(always)]
fn pair_slopes(a: f32, b: f32, delta: f32) -> (f32, f32) {
    let (x, y) = (a.clamp(0.0, 1.0), b.clamp(0.0, 1.0));
    let inside = |lane: f32| (lane - 0.5).abs() < 0.5;
    let (to_a, to_b) = (delta * y, delta * x);
    (if inside(a) { to_a } else { 0.0 }, if inside(b) { to_b } else { 0.0 })
}

/// `Σ clamp(x, 0, 1)² · w`.
pub fn screlu_dot(sums: &[f32], weights: &[f32]) -> f32 {
    let (sums, sums_rest) = sums.as_chunks::<LANES>();
    let (weights, weights_rest) = weights.as_chunks::<LANES>();
    let mut dot = ScreluDot::default();
    for (sums, weights) in sums.iter().zip(weights) {
        dot.add_lanes(0, sums, weights);
    }
    for ((partial, &x), &weight) in dot.partial.iter_mut().zip(sums_rest).zip(weights_rest) {
        *partial = fused(screlu_of(x), weight, *partial);
    }
    dot.sum()
}

/// [`screlu_dot`] piece by piece: the same partial sums, so the same bits.
#[derive(Clone, Copy, Debug)]
pub struct ScreluDot {
    partial: [f32; LANES],
}

impl Default for ScreluDot {
    fn default() -> Self {
        Self { partial: [0.0; LANES] }
    }
}

impl ScreluDot {
    /// Adds the products of the lanes from `lane` on. They come in order, in pieces that divide or are
    /// divided by 32.
    #[inline(always)]
    pub fn add<const L: usize>(&mut self, lane: usize, sums: &[f32; L], weights: &[f32; L]) {
        if L <= LANES {
            self.add_lanes(lane % LANES, sums, weights);
            return;
        }
        let pieces = sums.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0);
        pieces.for_each(|(sums, weights)| self.add_lanes(0, sums, weights));
    }

    #[inline(always)]
    fn add_lanes<const L: usize>(&mut self, at: usize, sums: &[f32; L], weights: &[f32; L]) {
        let partial = self.partial[at..].first_chunk_mut::<L>().expect("a piece of all lanes");
        for ((partial, &x), &weight) in partial.iter_mut().zip(sums).zip(weights) {
            *partial = fused(screlu_of(x), weight, *partial);
        }
    }

    /// The whole sum.
    #[inline]
    pub fn sum(&self) -> f32 {
        sum(&self.partial)
    }
}

/// The way back from [`screlu_dot`]: `delta` is the gradient of its result. Adds to the weights'
/// gradients and replaces the sums by their own gradients.
pub fn screlu_backward(
    sums: &mut [f32],
    weights: &[f32],
    weight_gradients: &mut [f32],
    delta: f32,
) {
    let sums = sums.as_chunks_mut::<8>().0.iter_mut();
    let weights = weights.as_chunks::<8>().0.iter();
    let gradients = weight_gradients.as_chunks_mut::<8>().0.iter_mut();
    for ((sums, weights), gradients) in sums.zip(weights).zip(gradients) {
        screlu_lanes_backward(sums, weights, gradients, delta);
    }
}

/// [`screlu_backward`] over a fixed number of lanes.
#[inline(always)]
pub fn screlu_lanes_backward<const S: usize>(
    sums: &mut [f32; S],
    weights: &[f32; S],
    gradients: &mut [f32; S],
    delta: f32,
) {
    for ((x, &weight), gradient) in sums.iter_mut().zip(weights).zip(gradients) {
        let clamped = x.clamp(0.0, 1.0);
        *gradient = fused(delta, clamped * clamped, *gradient);
        // Below zero `clamped` is zero: one comparison is enough, and the loop stays in vectors.
        let slope = 2.0 * delta * weight * clamped;
        *x = if *x < 1.0 { slope } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::dot;
    use tools::Rng;

    const LEN: usize = 40;

    /// Sums on both sides of both kinks, none within a step of one.
    fn sums(seed: u64) -> Vec<f32> {
        let mut random = Rng::new(seed);
        let mut draw = || loop {
            let x = 0.5 + 1.5 * random.signed_unit();
            if x.abs() > 0.01 && (x - 1.0).abs() > 0.01 && (x + 0.5).abs() > 0.01 {
                return x;
            }
        };
        (0..LEN).map(|_| draw()).collect()
    }

    /// Compares gradients of sums with differences of a value that depends on them.
    fn check(sums: &[f32], gradients: &[f32], value: impl Fn(&[f32]) -> f32) {
        let mut moved = sums.to_vec();
        for index in 0..sums.len() {
            let mut at = |step: f32| {
                moved[index] = sums[index] + step;
                let value = f64::from(value(&moved));
                moved[index] = sums[index];
                value
            };
            let difference = (at(0.004) - at(-0.004)) / 0.008;
            let found = f64::from(gradients[index]);
            assert!((found - difference).abs() < 2e-3, "{index}: {found} {difference}");
        }
    }

    #[test]
    fn screlu_goes_back() {
        let (sums, weights) = (sums(1), sums(2));
        let mut deltas = weights.clone();
        screlu_slopes(&sums, &mut deltas);
        let value = |sums: &[f32]| {
            let mut out = vec![0.0; LEN];
            screlu(sums, &mut out);
            dot(&out, &weights)
        };
        check(&sums, &deltas, value);
        assert!((value(&sums) - screlu_dot(&sums, &weights)).abs() < 1e-4);
        let mut pieces = ScreluDot::default();
        for lane in (0..LEN).step_by(8) {
            let piece = |values: &[f32]| *values[lane..].first_chunk::<8>().unwrap();
            pieces.add(lane, &piece(&sums), &piece(&weights));
        }
        assert_eq!(pieces.sum().to_bits(), screlu_dot(&sums, &weights).to_bits());
        let (mut fused, mut weight_gradients) = (sums.clone(), vec![0.0; LEN]);
        screlu_backward(&mut fused, &weights, &mut weight_gradients, 1.5);
        check(&sums, &fused, |sums| 1.5 * screlu_dot(sums, &weights));
        check(&weights, &weight_gradients, |weights| 1.5 * screlu_dot(&sums, weights));
    }

    #[test]
    fn tanh_is_near_the_librarys_and_goes_back() {
        let inputs: Vec<f32> = (-3000..=3000).map(|i| i as f32 / 200.0).collect();
        let mut results = inputs.clone();
        tanh(&mut results);
        for (x, y) in inputs.iter().zip(&results) {
            assert!((f64::from(*y) - f64::from(*x).tanh()).abs() < 3e-7, "{x}: {y}");
        }
        let (sums, weights) = (sums(9), sums(10));
        let mut results = sums.clone();
        tanh(&mut results);
        let mut deltas = weights.clone();
        tanh_slopes(&results, &mut deltas);
        check(&sums, &deltas, |sums| {
            let mut out = sums.to_vec();
            tanh(&mut out);
            dot(&out, &weights)
        });
    }

    #[test]
    fn clamping_goes_back() {
        let (sums, weights) = (sums(3), sums(4));
        let mut deltas = weights.clone();
        clamp_slopes(&sums, -0.5, 1.0, &mut deltas);
        check(&sums, &deltas, |sums| {
            let mut out = vec![0.0; LEN];
            clamp(sums, -0.5, 1.0, &mut out);
            dot(&out, &weights)
        });
    }

    #[test]
    fn rectifying_goes_back() {
        let (sums, weights) = (sums(7), sums(8));
        let mut deltas = weights.clone();
        relu_slopes(&sums, &mut deltas);
        check(&sums, &deltas, |sums| {
            let mut out = vec![0.0; LEN];
            relu(sums, &mut out);
            dot(&out, &weights)
        });
    }

    #[test]
    fn products_of_halves_go_back() {
        let (sums, weights) = (sums(5), sums(6));
        let mut gradients = sums.clone();
        pairwise_backward(&mut gradients, &weights[..LEN / 2]);
        check(&sums, &gradients, |sums| {
            let mut out = vec![0.0; LEN / 2];
            pairwise(sums, &mut out);
            dot(&out, &weights[..LEN / 2])
        });
    }
}
