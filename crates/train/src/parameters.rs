// SPDX-License-Identifier: GPL-3.0-or-later
//! Parameters: all numbers of a network that are trained, in one row, with a name for each part.
//!
//! One row serves the optimizer, which walks over it in slices, the checkpoint, which writes it as
//! it is, and the gradients, which have the same layout.

use std::ops::Range;

use crate::aligned::Aligned;
use tools::Rng;

/// One named part of the parameters, and how it is trained.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// What it is called in checkpoints and reports.
    pub name: &'static str,
    /// How many numbers it has.
    pub len: usize,
    /// Numbers are kept within this, either way.
    pub limit: f32,
    /// The learning rate is multiplied with this.
    pub rate: f32,
    /// Whether the optimizer pulls it toward zero.
    pub decays: bool,
    /// Whether it is no weight but a running mean of what comes in place of its gradients.
    pub is_average: bool,
    /// At first, numbers lie within this, either way.
    pub spread: f32,
    start: usize,
}

impl Tensor {
    /// Weights that begin within `spread` and decay.
    pub const fn weights(name: &'static str, len: usize, spread: f32) -> Self {
        Self {
            name,
            len,
            limit: f32::INFINITY,
            rate: 1.0,
            decays: true,
            is_average: false,
            spread,
            start: 0,
        }
    }

    /// Running means over the steps, of which each moves them by a part of `rate`.
    pub const fn average(name: &'static str, len: usize, rate: f32) -> Self {
        let mut tensor = Self::bias(name, len);
        (tensor.is_average, tensor.rate) = (true, rate);
        tensor
    }

    /// Biases, which begin at zero and do not decay.
    pub const fn bias(name: &'static str, len: usize) -> Self {
        let mut tensor = Self::weights(name, len, 0.0);
        tensor.decays = false;
        tensor
    }

    /// The same with all numbers kept within `limit`.
    #[must_use]
    pub const fn within(mut self, limit: f32) -> Self {
        self.limit = limit;
        self
    }

    /// The same with the learning rate multiplied by `rate`.
    #[must_use]
    pub const fn at_rate(mut self, rate: f32) -> Self {
        self.rate = rate;
        self
    }

    /// Where it stands among the parameters.
    pub const fn range(&self) -> Range<usize> {
        self.start..self.start + self.len
    }
}

/// Collects tensors and tells where each will stand.
#[derive(Debug, Default)]
pub struct LayoutBuilder {
    tensors: Vec<Tensor>,
    len: usize,
}

impl LayoutBuilder {
    /// Appends a tensor and tells where it begins.
    pub fn add(&mut self, tensor: Tensor) -> usize {
        let start = self.len;
        self.len += tensor.len.next_multiple_of(Aligned::LINE);
        self.tensors.push(tensor);
        start
    }

    /// The layout of all tensors.
    pub fn finish(self) -> Layout {
        Layout::new(self.tensors)
    }
}

/// The parts of a network's parameters, each beginning on a cache line.
#[derive(Clone, Debug)]
pub struct Layout {
    tensors: Vec<Tensor>,
    len: usize,
}

impl Layout {
    /// Places tensors one after another.
    pub fn new(mut tensors: Vec<Tensor>) -> Self {
        let mut len = 0;
        for tensor in &mut tensors {
            tensor.start = len;
            len += tensor.len.next_multiple_of(Aligned::LINE);
        }
        Self { tensors, len }
    }

    /// All tensors in order.
    pub fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }

    /// How many floats all tensors take together, gaps included.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is nothing to train.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many numbers are trained.
    pub fn trained(&self) -> usize {
        self.tensors.iter().map(|tensor| tensor.len).sum()
    }

    /// The places of the tensors, all `N` of them.
    ///
    /// # Panics
    /// If there are more or fewer.
    pub fn ranges<const N: usize>(&self) -> [Range<usize>; N] {
        let ranges: Vec<_> = self.tensors.iter().map(Tensor::range).collect();
        ranges.try_into().expect("an architecture knows how many tensors it declared")
    }

    /// All places of the tensors with a name.
    pub fn named(&self, name: &str) -> impl Iterator<Item = Range<usize>> {
        self.tensors.iter().filter(move |tensor| tensor.name == name).map(Tensor::range)
    }

    /// Random numbers to begin with.
    pub fn initial(&self, seed: u64) -> Aligned {
        let mut parameters = Aligned::zeroed(self.len);
        for (index, tensor) in self.tensors.iter().enumerate() {
            let mut random = Rng::for_purpose(seed, 1 + index as u64);
            for value in &mut parameters[tensor.range()] {
                *value = tensor.spread * random.signed_unit();
            }
        }
        parameters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensors_begin_on_cache_lines_and_do_not_overlap() {
        let layout =
            Layout::new(vec![Tensor::weights("one", 17, 0.5), Tensor::bias("two", 3).within(2.0)]);
        assert_eq!(layout.ranges::<2>(), [0..17, 32..35]);
        assert_eq!((layout.len(), layout.trained()), (48, 20));
        let parameters = layout.initial(1);
        assert!(parameters[..17].iter().all(|x| x.abs() <= 0.5 && *x != 0.0));
        assert!(parameters[17..].iter().all(|&x| x == 0.0));
    }
}
