// SPDX-License-Identifier: GPL-3.0-or-later
//! The 64-bit hash over a network file.

/// A multiplier with well spread bits. Being odd, it makes every step reversible.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Hashes bytes in the manner of FNV-1a, but eight at a time and with the upper half folded into the lower
/// between.
///
/// Every step is a bijection of the state for a given word, and of the word for a given state. So
/// two inputs of the same length that differ within one aligned word of eight bytes never share a
/// hash: a flipped bit or byte is always noticed. The length is part of the hash. It guards against
/// accidents, not against attackers.
///
/// The word number `blank` counts as zero: it is where the hash itself will stand.
pub(crate) fn hash(bytes: &[u8], blank: usize) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let all = words.iter().chain([&last]).enumerate();
    let state = all.fold(bytes.len() as u64, |state, (index, word)| {
        let word = if index == blank { 0 } else { u64::from_le_bytes(*word) };
        let product = (state ^ word).wrapping_mul(MULTIPLIER);
        product ^ (product >> 32)
    });
    let mixed = (state ^ (state >> 32)).wrapping_mul(MULTIPLIER);
    mixed ^ (mixed >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_single_bit_matters() {
        let bytes: Vec<u8> = (0..61).collect();
        let mut seen = vec![hash(&bytes, 99)];
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            seen.push(hash(&changed, 99));
        }
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 1 + 61 * 8);
    }

    #[test]
    fn trailing_zeros_matter() {
        assert_ne!(hash(&[1, 2], 9), hash(&[1, 2, 0], 9));
        assert_ne!(hash(&[], 9), hash(&[0], 9));
    }

    #[test]
    fn stays_what_it_is() {
        // Files in the wild carry it: it must never change.
        assert_eq!(hash(b"quincunx", 9), 17_720_098_229_224_958_837);
    }
}
