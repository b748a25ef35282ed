// SPDX-License-Identifier: GPL-3.0-or-later
//! Random networks for tests and benchmarks: the same from the same seed, small, within all ranges.
//!
//! They are no players. Their weights are chosen so that all layers are alive: neither all zero nor
//! all clamped.

use crate::arch::policy::Policy;
use crate::arch::{NapoleonShape, Net, spec};
use crate::format::{Activation, Architecture, Header, Tensor, TensorKind, TensorWriter};

/// `SplitMix64`: small, good enough for tests, and the same everywhere.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Numbers that follow from a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is small.
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.next() >> 32) as usize * bound) >> 32
    }

    /// A whole number of at most `max` either way, the sum of two: small ones are more common.
    pub const fn around_zero(&mut self, max: i32) -> i32 {
        let (low, high) = (max / 2, max - max / 2);
        let sum = self.below(2 * low as usize + 1) + self.below(2 * high as usize + 1);
        sum as i32 - max
    }
}

/// A header of a common small size for an architecture.
///
/// # Panics
/// If the architecture is not that of a value network.
pub fn header(architecture: Architecture) -> Header {
    assert_ne!(architecture, Architecture::Policy, "the policy is no value network");
    let mut header = spec(architecture).sample_header();
    header.name = format!("random {}", architecture.name());
    "random numbers, for tests".clone_into(&mut header.provenance);
    header
}

/// A header of the house's architecture with this width, so many king buckets and output buckets.
pub fn house_header(width: u16, input_buckets: u8, output_buckets: u8) -> Header {
    let mut header = header(Architecture::House);
    header.widths[0] = width;
    header.inputs = 768 * u32::from(input_buckets);
    (header.input_buckets, header.output_buckets) = (input_buckets, output_buckets);
    header.bucket_map =
        (0..32).map(|square| (square * usize::from(input_buckets) / 32) as u8).collect();
    header
}

/// The same with the pairwise head N → 16 → 32 → 1.
pub fn pairwise_header(width: u16, input_buckets: u8, output_buckets: u8) -> Header {
    let mut header = house_header(width, input_buckets, output_buckets);
    header.activation = Activation::Pairwise;
    header.widths = [width, 16, 32, 0];
    header
}

/// A random network of a common small size.
///
/// ```
/// use net::{Architecture, random};
/// let (one, two) = (random::network(Architecture::Tal, 7), random::network(Architecture::Tal, 7));
/// assert_eq!(one.hash(), two.hash());
/// assert_ne!(one.hash(), random::network(Architecture::Tal, 8).hash());
/// ```
pub fn network(architecture: Architecture, seed: u64) -> Net {
    with_header(&header(architecture), seed)
}

/// A random network with this header.
///
/// # Panics
/// If the header is not valid.
pub fn with_header(header: &Header, seed: u64) -> Net {
    let mut random = Random::new(seed);
    let tensors = spec(header.architecture).checked_tensors(header).expect("the header is valid");
    let write = |writer: &mut TensorWriter| {
        for tensor in &tensors {
            fill(header, tensor, &mut random, writer);
        }
    };
    Net::from_tensors(header, write).expect("random weights are within all ranges")
}

/// A random policy with a first layer of 128.
pub fn policy(seed: u64) -> Policy {
    policy_of_width(128, seed)
}

/// A random policy with a first layer of this width.
///
/// # Panics
/// If the width is not valid.
pub fn policy_of_width(width: usize, seed: u64) -> Policy {
    let mut random = Random::new(seed);
    let mut header = Policy::header_of(width);
    "random policy".clone_into(&mut header.name);
    "random numbers, for tests".clone_into(&mut header.provenance);
    let tensors = Policy::SPEC.checked_tensors(&header).expect("the header is valid");
    let write = |writer: &mut TensorWriter| {
        for tensor in &tensors {
            fill(&header, tensor, &mut random, writer);
        }
    };
    Policy::from_tensors(&header, write).expect("random weights are within all ranges")
}

fn fill(header: &Header, tensor: &Tensor, random: &mut Random, writer: &mut TensorWriter) {
    let len = 0..tensor.len;
    match tensor.kind {
        TensorKind::I8 => writer.i8(&len.map(|_| random.around_zero(60) as i8).collect::<Vec<_>>()),
        TensorKind::I16 => {
            let max = i32::from(header.quantization[0].min(255)) / 3;
            writer.i16(&len.map(|_| random.around_zero(max) as i16).collect::<Vec<_>>());
        }
        TensorKind::I32 => writer.i32(&len.map(|_| random.around_zero(4000)).collect::<Vec<_>>()),
        TensorKind::F32 => {
            let (middle, spread) = match header.architecture {
                Architecture::Napoleon => NapoleonShape::random_weights(header, tensor),
                _ => (0.0, 0.4),
            };
            let mut next = || middle + spread * random.around_zero(1000) as f32 / 1000.0;
            writer.f32(&len.map(|_| next()).collect::<Vec<_>>());
        }
    }
}
