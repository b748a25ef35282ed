// SPDX-License-Identifier: GPL-3.0-or-later
//! What can be shuffled: records and whole games.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use bytemuck::{Pod, Zeroable, cast_slice, cast_slice_mut};
use tools::random::mix;

use crate::Record;
use crate::hash;

/// Something that can be kept in a file and compared.
pub trait Shufflable: Sized {
    /// How many bytes it takes in a file, about.
    fn size(&self) -> usize;

    /// A hash that is equal for equals.
    fn identity_hash(&self, seed: u64) -> u64;

    /// Removes all but the first of equals.
    fn drop_later_duplicates(items: &mut Vec<Self>);

    /// Items as bytes.
    fn to_bytes(items: &[Self]) -> Cow<'_, [u8]>;

    /// The items that bytes from [`Shufflable::to_bytes`] hold, also of several calls in a row.
    fn from_bytes(bytes: &[u8]) -> Vec<Self>;
}

/// A record with a number that goes with it through the shuffling. Equal are those with equal
/// positions, whatever their labels and numbers.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Marked {
    /// The record.
    pub record: Record,
    /// The number.
    pub mark: u64,
}

impl Shufflable for Marked {
    fn size(&self) -> usize {
        size_of::<Self>()
    }

    fn identity_hash(&self, seed: u64) -> u64 {
        position_hash(seed, &self.record)
    }

    fn drop_later_duplicates(items: &mut Vec<Self>) {
        let mut seen: HashSet<_, BuildHasherDefault<WordHasher>> = HashSet::default();
        items.retain(|marked| seen.insert(marked.record.identity()));
    }

    fn to_bytes(items: &[Self]) -> Cow<'_, [u8]> {
        Cow::Borrowed(cast_slice(items))
    }

    fn from_bytes(bytes: &[u8]) -> Vec<Self> {
        let mut items = vec![Self::zeroed(); bytes.len() / size_of::<Self>()];
        let whole = items.len() * size_of::<Self>();
        cast_slice_mut(&mut items).copy_from_slice(&bytes[..whole]);
        items
    }
}

/// A hash of a record's position, equal for equal positions.
pub(crate) fn position_hash(seed: u64, record: &Record) -> u64 {
    let (occupied, codes, state) = record.identity();
    let codes = mix(codes as u64 ^ mix((codes >> 64) as u64));
    mix(occupied ^ mix(codes ^ mix(u64::from(state) ^ mix(seed))))
}

/// A game in its bytes.
impl Shufflable for Vec<u8> {
    fn size(&self) -> usize {
        self.len() + 4
    }

    fn identity_hash(&self, seed: u64) -> u64 {
        hash::bytes(seed, self)
    }

    fn drop_later_duplicates(items: &mut Vec<Self>) {
        let mut seen = HashSet::new();
        items.retain(|game| seen.insert(game.clone()));
    }

    fn to_bytes(items: &[Self]) -> Cow<'_, [u8]> {
        let mut bytes = Vec::new();
        for item in items {
            bytes.extend((item.len() as u32).to_le_bytes());
            bytes.extend(item);
        }
        Cow::Owned(bytes)
    }

    fn from_bytes(mut bytes: &[u8]) -> Vec<Self> {
        let mut items = Vec::new();
        while let Some((length, rest)) = bytes.split_first_chunk() {
            let length = u32::from_le_bytes(*length) as usize;
            let (item, rest) = rest.split_at(length.min(rest.len()));
            items.push(item.to_vec());
            bytes = rest;
        }
        items
    }
}

/// Mixes whole words; the set still compares identities themselves, so it stays exact.
#[derive(Default)]
struct WordHasher(u64);

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash::bytes(self.0, bytes);
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word);
    }

    fn write_u128(&mut self, word: u128) {
        self.0 = mix(self.0 ^ word as u64 ^ mix((word >> 64) as u64));
    }

    fn write_u8(&mut self, byte: u8) {
        self.write_u64(u64::from(byte));
    }
}
