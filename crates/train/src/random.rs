// SPDX-License-Identifier: GPL-3.0-or-later
//! Numbers that follow from a seed, the same on every machine.

/// `SplitMix64`.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Numbers that follow from a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Numbers for one of many purposes under the same seed.
    pub const fn for_purpose(seed: u64, purpose: u64) -> Self {
        let mut random = Self(seed ^ purpose.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        random.next();
        random
    }

    /// The next 64 bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.next() as u128 * bound as u128) >> 64) as usize
    }

    /// A number from -1 to 1, all alike.
    pub const fn signed_unit(&mut self) -> f32 {
        ((self.next() >> 40) as f32 / (1 << 23) as f32) - 1.0
    }

    /// Brings things into a random order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_within_their_ranges_and_fill_them() {
        let mut random = Random::new(7);
        let drawn: Vec<f32> = (0..10_000).map(|_| random.signed_unit()).collect();
        assert!(drawn.iter().all(|x| (-1.0..=1.0).contains(x)));
        assert!(drawn.iter().any(|&x| x < -0.99) && drawn.iter().any(|&x| x > 0.99));
        let mean = drawn.iter().sum::<f32>() / 10_000.0;
        assert!(mean.abs() < 0.02, "{mean}");
    }

    #[test]
    fn shuffling_keeps_all_and_follows_from_the_seed() {
        let shuffled = |seed| {
            let mut things: Vec<u32> = (0..100).collect();
            Random::for_purpose(seed, 3).shuffle(&mut things);
            things
        };
        let mut sorted = shuffled(1);
        assert_ne!(sorted, (0..100).collect::<Vec<_>>());
        assert_eq!(sorted, shuffled(1));
        assert_ne!(sorted, shuffled(2));
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }
}
