// SPDX-License-Identifier: GPL-3.0-or-later
//! `AdamW` with clipping, in one pass over parameters, moments and the gradients of all threads.

use rayon::ThreadPool;
use serde::{Deserialize, Serialize};

use crate::aligned::Aligned;
use crate::parameters::{Layout, Tensor};
use crate::wide::{Work, run_in_widest_vectors};

/// The constants of `AdamW`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdamW {
    /// How long the mean of gradients remembers.
    pub beta1: f32,
    /// How long the mean of their squares remembers.
    pub beta2: f32,
    /// Keeps the division sane.
    pub epsilon: f32,
    /// How strongly weights are pulled toward zero, per unit of learning rate.
    pub decay: f32,
}

impl Default for AdamW {
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, decay: 0.01 }
    }
}

/// Parameters in training: the numbers, and the two moments of each.
#[derive(Clone, Debug)]
pub struct OptimizerState {
    /// The numbers.
    pub parameters: Aligned,
    /// Running means of the gradients.
    pub first: Aligned,
    /// Running means of their squares.
    pub second: Aligned,
    /// How many steps the moments have seen.
    pub age: u64,
}

impl OptimizerState {
    /// Parameters that have not been trained.
    pub fn new(parameters: Aligned) -> Self {
        let zeros = || Aligned::zeroed(parameters.len());
        let (first, second) = (zeros(), zeros());
        Self { parameters, first, second, age: 0 }
    }
}

/// What is the same for all numbers of a tensor in one step.
#[derive(Clone, Copy, Debug)]
struct Constants {
    beta1: f32,
    beta2: f32,
    epsilon: f32,
    /// The learning rate over the first moment's correction.
    rate: f32,
    /// One over the second moment's correction.
    correction: f32,
    /// What is left of a weight after its decay.
    kept: f32,
    limit: f32,
    /// One over the number of positions.
    share: f32,
    /// For running means: how far each step moves them.
    average: Option<f32>,
}

/// One step: how far, and over how many positions the gradients were added up.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The learning rate.
    pub rate: f32,
    /// How many positions the gradients are sums over.
    pub positions: usize,
}

impl AdamW {
    /// Takes a step and sets the gradients back to zero. The gradients of all threads are added in
    /// their order, so that the same number of threads gives the same bits.
    pub fn step(
        self,
        layout: &Layout,
        state: &mut OptimizerState,
        gradients: &mut [Aligned],
        step: Step,
        pool: &ThreadPool,
    ) {
        state.age += 1;
        for tensor in layout.tensors() {
            let constants = self.constants(tensor, step, state.age);
            let threads = pool.current_num_threads();
            let part = tensor.len.div_ceil(threads).next_multiple_of(Aligned::LINE);
            let range = tensor.range();
            let mut gradients: Vec<_> = gradients
                .iter_mut()
                .map(|gradients| gradients[range.clone()].chunks_mut(part))
                .collect();
            let parameters = state.parameters[range.clone()].chunks_mut(part);
            let first = state.first[range.clone()].chunks_mut(part);
            let second = state.second[range.clone()].chunks_mut(part);
            pool.in_place_scope(|scope| {
                for ((parameters, first), second) in parameters.zip(first).zip(second) {
                    let parts = gradients.iter_mut().map(|parts| parts.next().expect("as long"));
                    let gradients: Vec<&mut [f32]> = parts.collect();
                    let slice = Slice { constants, parameters, first, second, gradients };
                    // What is small is not worth a thread.
                    if threads == 1 || tensor.len < 1 << 14 {
                        run_in_widest_vectors(slice);
                    } else {
                        scope.spawn(move |_| run_in_widest_vectors(slice));
                    }
                }
            });
        }
    }

    fn constants(self, tensor: &Tensor, step: Step, age: u64) -> Constants {
        let correction = |beta: f32| 1.0 - f64::from(beta).powf(age as f64);
        let rate = step.rate * tensor.rate;
        Constants {
            beta1: self.beta1,
            beta2: self.beta2,
            epsilon: self.epsilon,
            rate: (f64::from(rate) / correction(self.beta1)) as f32,
            correction: (1.0 / correction(self.beta2)) as f32,
            kept: if tensor.decays { 1.0 - rate * self.decay } else { 1.0 },
            limit: tensor.limit,
            share: 1.0 / step.positions as f32,
            average: tensor.is_average.then_some(tensor.rate),
        }
    }
}

/// A part of the parameters with all that belongs to it.
struct Slice<'a> {
    constants: Constants,
    parameters: &'a mut [f32],
    first: &'a mut [f32],
    second: &'a mut [f32],
    gradients: Vec<&'a mut [f32]>,
}

impl Work for Slice<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { constants, parameters, first, second, mut gradients } = self;
        let (sum, others) = gradients.split_first_mut().expect("at least one thread");
        for other in others {
            for (sum, gradient) in sum.iter_mut().zip(other.iter_mut()) {
                *sum += *gradient;
                *gradient = 0.0;
            }
        }
        if let Some(rate) = constants.average {
            for (mean, value) in parameters.iter_mut().zip(sum.iter_mut()) {
                *mean += rate * (*value * constants.share - *mean);
                *value = 0.0;
            }
            return;
        }
        let moments = first.iter_mut().zip(second);
        for ((parameter, gradient), (first, second)) in
            parameters.iter_mut().zip(sum.iter_mut()).zip(moments)
        {
            let slope = *gradient * constants.share;
            *gradient = 0.0;
            *first += (1.0 - constants.beta1) * (slope - *first);
            *second += (1.0 - constants.beta2) * (slope * slope - *second);
            let size = (*second * constants.correction).sqrt() + constants.epsilon;
            let moved = *parameter * constants.kept - constants.rate * *first / size;
            *parameter = moved.clamp(-constants.limit, constants.limit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trainer::pool;

    fn trained(threads: usize, steps: u64) -> OptimizerState {
        let layout = Layout::new(vec![
            Tensor::weights("weights", 40_000, 1.0),
            Tensor::bias("bias", 3).within(0.5),
        ]);
        let mut state = OptimizerState::new(layout.initial(3));
        let mut gradients = vec![Aligned::zeroed(layout.len()); threads];
        let pool = pool(threads);
        for _ in 0..steps {
            // The minimum of (w - 0.25)² for weights, of (b - 9)² for biases.
            for tensor in layout.tensors() {
                let goal = if tensor.name == "bias" { 9.0 } else { 0.25 };
                for i in tensor.range() {
                    gradients[i % threads][i] = 2.0 * (state.parameters[i] - goal);
                }
            }
            let optimizer = AdamW { decay: 0.0, ..AdamW::default() };
            let step = Step { rate: 0.01, positions: 1 };
            optimizer.step(&layout, &mut state, &mut gradients, step, &pool);
            assert!(gradients.iter().flat_map(|g| g.iter()).all(|&g| g == 0.0));
        }
        state
    }

    #[test]
    fn goes_to_the_minimum_and_stays_within_limits() {
        let state = trained(1, 600);
        assert!(state.parameters[..40_000].iter().all(|w| (w - 0.25).abs() < 0.01));
        assert!(state.parameters[40_000..40_003].iter().all(|b| (b - 0.5).abs() < 1e-9));
    }

    #[test]
    fn threads_share_the_same_work() {
        assert_eq!(*trained(1, 5).parameters, *trained(3, 5).parameters);
    }

    #[test]
    fn the_first_step_is_as_long_as_the_rate() {
        let layout = Layout::new(vec![Tensor::weights("weights", 1, 0.0)]);
        let mut state = OptimizerState::new(layout.initial(1));
        let mut gradients = vec![Aligned::zeroed(layout.len())];
        gradients[0][0] = 123.0;
        let step = Step { rate: 0.125, positions: 7 };
        AdamW::default().step(&layout, &mut state, &mut gradients, step, &pool(1));
        assert!((state.parameters[0] + 0.125).abs() < 1e-5);
    }

    #[test]
    fn weights_decay_and_biases_do_not() {
        let layout = Layout::new(vec![Tensor::weights("weights", 1, 0.0), Tensor::bias("bias", 1)]);
        let mut state = OptimizerState::new(layout.initial(1));
        state.parameters.fill(1.0);
        let mut gradients = vec![Aligned::zeroed(layout.len())];
        let step = Step { rate: 0.5, positions: 1 };
        let optimizer = AdamW { decay: 0.1, ..AdamW::default() };
        optimizer.step(&layout, &mut state, &mut gradients, step, &pool(1));
        assert!((state.parameters[0] - 0.95).abs() < 1e-6);
        assert!((state.parameters[16] - 1.0).abs() < 1e-6);
    }

    #[test]
    fn averages_follow_what_they_are_given() {
        let layout = Layout::new(vec![Tensor::average("mean", 1, 0.1)]);
        let mut state = OptimizerState::new(layout.initial(1));
        let mut gradients = vec![Aligned::zeroed(layout.len()); 2];
        for _ in 0..100 {
            // Two threads with three positions each, whose means are 4 and 6.
            (gradients[0][0], gradients[1][0]) = (3.0 * 4.0, 3.0 * 6.0);
            let step = Step { rate: 0.5, positions: 6 };
            AdamW::default().step(&layout, &mut state, &mut gradients, step, &pool(1));
        }
        assert!((state.parameters[0] - 5.0).abs() < 1e-3);
    }
}
