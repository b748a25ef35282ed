// SPDX-License-Identifier: GPL-3.0-or-later
//! Batch normalization over the positions of a sub-batch.

use super::vector::fused;

/// Keeps the division sane.
const EPSILON: f32 = 1e-3;

/// Where the four numbers of each channel are among all weights of a network.
#[derive(Clone, Copy, Debug)]
pub struct NormPlaces {
    /// What the normalized value is multiplied with.
    pub factor: usize,
    /// What is added to it.
    pub shift: usize,
    /// Running means, for use after training.
    pub mean: usize,
    /// Running variances.
    pub variance: usize,
}

/// Normalizes channels of `cells` values in each position: in training by their mean and variance
/// over the sub-batch, afterwards by running means of these.
#[derive(Clone, Debug)]
pub struct Norm {
    channels: usize,
    cells: usize,
    places: NormPlaces,
    /// Mean and variance over the last sub-batch.
    statistics: Vec<(f32, f32)>,
}

impl Norm {
    /// A normalization of so many channels.
    pub fn new(channels: usize, cells: usize, places: NormPlaces) -> Self {
        Self { channels, cells, places, statistics: vec![(0.0, 1.0); channels] }
    }

    /// What normalization comes to after training: a factor and a shift for each channel.
    pub fn folded(&self, weights: &[f32]) -> (Vec<f32>, Vec<f32>) {
        (0..self.channels).map(|channel| self.line(weights, channel, None)).unzip()
    }

    /// The factor and the shift of a channel, by these statistics or by the running ones.
    fn line(&self, weights: &[f32], channel: usize, statistics: Option<(f32, f32)>) -> (f32, f32) {
        let NormPlaces { factor, shift, mean, variance } = self.places;
        let running = (weights[mean + channel], weights[variance + channel]);
        let (mean, variance) = statistics.unwrap_or(running);
        // Running variances move in steps: the last one may end below zero.
        let factor = weights[factor + channel] / (variance.max(0.0) + EPSILON).sqrt();
        (factor, weights[shift + channel] - mean * factor)
    }

    /// Normalizes by running statistics.
    pub fn forward(&self, weights: &[f32], input: &[f32], output: &mut [f32]) {
        self.apply(input, output, |channel| self.line(weights, channel, None));
    }

    /// Normalizes by the statistics of these positions.
    pub fn forward_training(&mut self, weights: &[f32], input: &[f32], output: &mut [f32]) {
        let mut sums = vec![(0.0f64, 0.0f64); self.channels];
        for (index, cells) in input.chunks_exact(self.cells).enumerate() {
            let sum: f32 = cells.iter().sum();
            let squares: f32 = cells.iter().map(|x| x * x).sum();
            let (total, total_squares) = &mut sums[index % self.channels];
            (*total, *total_squares) =
                (*total + f64::from(sum), *total_squares + f64::from(squares));
        }
        let count = (input.len() / self.channels) as f64;
        for (statistics, (sum, squares)) in self.statistics.iter_mut().zip(sums) {
            let mean = sum / count;
            *statistics = (mean as f32, (squares / count - mean * mean).max(0.0) as f32);
        }
        let line = |channel| self.line(weights, channel, Some(self.statistics[channel]));
        self.apply(input, output, line);
    }

    fn apply(&self, input: &[f32], output: &mut [f32], line: impl Fn(usize) -> (f32, f32)) {
        let lines: Vec<_> = (0..self.channels).map(line).collect();
        let channels = input.chunks_exact(self.cells).zip(output.chunks_exact_mut(self.cells));
        for (index, (input, output)) in channels.enumerate() {
            let (factor, shift) = lines[index % self.channels];
            for (x, y) in input.iter().zip(output) {
                *y = fused(factor, *x, shift);
            }
        }
    }

    /// The way back from [`Norm::forward_training`]: replaces gradients of the outputs by those of
    /// the inputs. Statistics go where the gradients of the running ones are looked for, as sums over
    /// positions.
    pub fn backward(
        &self,
        weights: &[f32],
        gradients: &mut [f32],
        input: &[f32],
        deltas: &mut [f32],
    ) {
        let NormPlaces { factor, shift, mean, variance } = self.places;
        let mut sums = vec![(0.0f32, 0.0f32); self.channels];
        let channels = input.chunks_exact(self.cells).zip(deltas.chunks_exact(self.cells));
        for (index, (input, deltas)) in channels.enumerate() {
            let (mean, _) = self.statistics[index % self.channels];
            let (sum, products) = &mut sums[index % self.channels];
            *sum += deltas.iter().sum::<f32>();
            *products += input.iter().zip(deltas).map(|(x, delta)| (x - mean) * delta).sum::<f32>();
        }
        let count = (input.len() / self.channels) as f32;
        let positions = count / self.cells as f32;
        let mut lines = Vec::with_capacity(self.channels);
        for (channel, (sum, products)) in sums.into_iter().enumerate() {
            let (center, spread) = self.statistics[channel];
            let inverse = 1.0 / (spread + EPSILON).sqrt();
            gradients[shift + channel] += sum;
            gradients[factor + channel] += products * inverse;
            gradients[mean + channel] += center * positions;
            gradients[variance + channel] += spread * positions;
            // delta' = slope · (delta - mean of deltas - normalized · mean of their products).
            let slope = weights[factor + channel] * inverse;
            let by_input = -slope * products * inverse * inverse / count;
            lines.push((slope, by_input, -slope * sum / count - by_input * center));
        }
        let channels = input.chunks_exact(self.cells).zip(deltas.chunks_exact_mut(self.cells));
        for (index, (input, deltas)) in channels.enumerate() {
            let (slope, by_input, constant) = lines[index % self.channels];
            for (x, delta) in input.iter().zip(deltas) {
                *delta = fused(slope, *delta, fused(by_input, *x, constant));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::dot;
    use tools::Rng;

    const PLACES: NormPlaces = NormPlaces { factor: 0, shift: 2, mean: 4, variance: 6 };

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let mut random = Rng::new(6);
        let mut draw = |len: usize| (0..len).map(|_| random.signed_unit()).collect::<Vec<_>>();
        // Five positions of two channels with four cells.
        let (mut weights, mut input, slopes) = (draw(8), draw(40), draw(40));
        let value = |weights: &[f32], input: &[f32]| {
            let mut output = vec![0.0; 40];
            Norm::new(2, 4, PLACES).forward_training(weights, input, &mut output);
            f64::from(dot(&output, &slopes))
        };
        let mut norm = Norm::new(2, 4, PLACES);
        norm.forward_training(&weights, &input, &mut [0.0; 40]);
        let (mut gradients, mut deltas) = (vec![0.0; 8], slopes.clone());
        norm.backward(&weights, &mut gradients, &input, &mut deltas);
        for index in 0..4 {
            let before = value(&weights, &input);
            weights[index] += 0.5;
            let difference = 2.0 * (value(&weights, &input) - before);
            weights[index] -= 0.5;
            assert!((difference - f64::from(gradients[index])).abs() < 1e-3, "weight {index}");
        }
        for index in 0..40 {
            let mut at = |step: f32| {
                input[index] += step;
                let value = value(&weights, &input);
                input[index] -= step;
                value
            };
            let difference = (at(0.01) - at(-0.01)) / 0.02;
            assert!((difference - f64::from(deltas[index])).abs() < 5e-3, "input {index}");
        }
        let mean = input.chunks(8).flat_map(|position| &position[..4]).sum::<f32>() / 20.0;
        assert!((gradients[4] - 5.0 * mean).abs() < 1e-4);
    }

    #[test]
    fn running_statistics_give_the_folded_line() {
        let weights = [2.0, 1.0, 0.5, -0.5, 3.0, 0.0, 4.0 - EPSILON, 1.0 - EPSILON];
        let norm = Norm::new(2, 1, PLACES);
        let mut output = [0.0; 2];
        norm.forward(&weights, &[5.0, 7.0], &mut output);
        assert!((output[0] - 2.5).abs() < 1e-5 && (output[1] - 6.5).abs() < 1e-5, "{output:?}");
        let (factors, shifts) = norm.folded(&weights);
        assert!((factors[0] - 1.0).abs() < 1e-5 && (shifts[0] + 2.5).abs() < 1e-5);
    }
}
