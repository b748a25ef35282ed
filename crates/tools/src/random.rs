// SPDX-License-Identifier: GPL-3.0-or-later
//! A small seeded random generator whose whole state is one word.
//!
//! Runs must be repeatable from a seed and resumable from a saved file. That needs a generator that never
//! changes and has no invalid state. `SplitMix64` has both: Steele, Lea and Flood, "Fast splittable
//! pseudorandom number generators", OOPSLA 2014. Games, openings and shuffles depend on these numbers:
//! whoever changes them changes the files.

use serde::{Deserialize, Serialize};

/// What is added to the state for each number: 2⁶⁴ divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// 2⁻⁵³, the distance between two numbers of [`unit`].
const UNIT: f64 = 1.0 / (1_u64 << 53) as f64;

/// Mixes 64 bits so that each depends on all.
#[inline]
pub const fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A number in `0.0..1.0` made of 64 random bits, uniform over the multiples of 2⁻⁵³.
pub const fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 * UNIT
}

/// A `SplitMix64` generator. Equal states give equal sequences, also across versions of this crate.
///
/// ```
/// use tools::Rng;
///
/// let mut a = Rng::new(7);
/// let mut b = a.clone();
/// assert_eq!(a.next_u64(), b.next_u64());
/// assert!((0.0..1.0).contains(&a.unit()));
/// ```
// Not `Copy`: an accidental copy would repeat the same numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// A generator for a seed; every seed is valid.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The generator of one numbered part of a run: it depends on both numbers and on nothing else.
    pub const fn of_part(seed: u64, number: u64) -> Self {
        let first = mix(seed).wrapping_add(number);
        // Mixed once more, as neighbors would otherwise share most of their numbers.
        Self::new(mix(first))
    }

    /// The generator for one of many purposes under the same seed.
    pub const fn for_purpose(seed: u64, purpose: u64) -> Self {
        Self::new((seed ^ purpose.wrapping_mul(0xD6E8_FEB8_6659_FD93)).wrapping_add(STEP))
    }

    /// The next 64 random bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        let bits = mix(self.state);
        self.state = self.state.wrapping_add(STEP);
        bits
    }

    /// A number in `0.0..1.0`; see [`unit()`].
    pub const fn unit(&mut self) -> f64 {
        unit(self.next_u64())
    }

    /// A number in `-1.0..1.0` in single precision.
    pub const fn signed_unit(&mut self) -> f32 {
        ((self.next_u64() >> 40) as f32 / (1 << 23) as f32) - 1.0
    }

    /// True or false, with equal chances.
    pub const fn coin(&mut self) -> bool {
        self.next_u64() >> 63 == 1
    }

    /// An index in `0..len`. The bias of at most `len`/2⁶⁴ is far below anything measurable.
    ///
    /// # Panics
    /// If `len` is zero.
    #[inline]
    pub const fn below(&mut self, len: usize) -> usize {
        assert!(len > 0, "an index into nothing was asked for");
        ((self.next_u64() as u128 * len as u128) >> 64) as usize
    }

    /// Puts a slice into random order; each order is as likely as any other.
    pub fn shuffle<T>(&mut self, slice: &mut [T]) {
        for i in (1..slice.len()).rev() {
            slice.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_reference_sequence() {
        let mut rng = Rng::new(0);
        let first = [rng.next_u64(), rng.next_u64(), rng.next_u64()];
        assert_eq!(first, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]);
    }

    #[test]
    fn parts_of_a_run_have_their_own_numbers() {
        let first = |seed, number| Rng::of_part(seed, number).next_u64();
        let mut all: Vec<u64> =
            (0..50).flat_map(|seed| (0..50).map(move |number| first(seed, number))).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!((all.len(), first(3, 4)), (2500, first(3, 4)));
    }

    #[test]
    fn unit_numbers_fill_the_interval_evenly() {
        let mut rng = Rng::new(1);
        let mut counts = [0_u32; 10];
        for _ in 0..100_000 {
            counts[(rng.unit() * 10.0) as usize] += 1;
        }
        // Five standard deviations of a binomial(100000, 0.1) count.
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 475), "{counts:?}");
    }

    #[test]
    fn signed_units_stay_within_their_range_and_fill_it() {
        let mut rng = Rng::new(7);
        let drawn: Vec<f32> = (0..10_000).map(|_| rng.signed_unit()).collect();
        assert!(drawn.iter().all(|x| (-1.0..=1.0).contains(x)));
        assert!(drawn.iter().any(|&x| x < -0.99) && drawn.iter().any(|&x| x > 0.99));
        let mean = drawn.iter().sum::<f32>() / 10_000.0;
        assert!(mean.abs() < 0.02, "{mean}");
    }

    #[test]
    fn indices_and_coins_are_fair() {
        let mut rng = Rng::new(2);
        let mut counts = [0_u32; 3];
        let mut heads = 0_u32;
        for _ in 0..30_000 {
            counts[rng.below(3)] += 1;
            heads += u32::from(rng.coin());
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 410), "{counts:?}");
        assert!(heads.abs_diff(15_000) < 435, "{heads}");
    }

    #[test]
    fn shuffling_keeps_all_and_follows_from_the_seed() {
        let shuffled = |seed| {
            let mut things: Vec<u32> = (0..100).collect();
            Rng::new(seed).shuffle(&mut things);
            things
        };
        let mut sorted = shuffled(1);
        assert_ne!(sorted, (0..100).collect::<Vec<_>>());
        assert_eq!(sorted, shuffled(1));
        assert_ne!(sorted, shuffled(2));
        assert_ne!(Rng::for_purpose(1, 2), Rng::for_purpose(1, 3));
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }
}
