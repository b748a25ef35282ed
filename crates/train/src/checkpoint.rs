// SPDX-License-Identifier: GPL-3.0-or-later
//! Checkpoints: all that is needed to go on as if nothing had happened.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use tools::AtomicFile;

use crate::aligned::Aligned;
use crate::error::TrainError;
use crate::optimizer::OptimizerState;

const MAGIC: [u8; 8] = *b"QUINTRN2";
/// Checkpoints without the age of the moments, which is that of the run.
const OLD_MAGIC: [u8; 8] = *b"QUINTRN1";

/// Where a run stands.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The hash of the recipe.
    pub recipe: u64,
    /// How many steps have been taken.
    pub step: u64,
    /// How many threads took them.
    pub threads: u64,
    /// The sum of the losses since the last row of the log.
    pub loss_sum: f64,
    /// How many positions that sum is over.
    pub loss_positions: u64,
    /// Parameters and moments.
    pub state: OptimizerState,
}

impl Checkpoint {
    /// Writes the checkpoint under another name and renames it, so that a reader finds the old one
    /// or the new one, never a part.
    pub fn write(&self, path: &Path) -> Result<(), TrainError> {
        let mut bytes = Vec::from(MAGIC);
        for number in self.numbers() {
            bytes.extend(number.to_le_bytes());
        }
        for floats in [&self.state.parameters, &self.state.first, &self.state.second] {
            bytes.extend(floats.iter().flat_map(|x| x.to_le_bytes()));
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        replace(path, &bytes)
    }

    fn numbers(&self) -> [u64; 7] {
        let len = self.state.parameters.len() as u64;
        let (loss_sum, age) = (self.loss_sum.to_bits(), self.state.age);
        [self.recipe, self.step, self.threads, loss_sum, self.loss_positions, len, age]
    }

    /// Makes the checksum at the end right, as fuzzers need it: nothing behind a wrong one is looked at.
    pub fn seal(bytes: &mut [u8]) {
        if let Some((body, sum)) = bytes.split_last_chunk_mut::<8>() {
            *sum = checksum(body).to_le_bytes();
        }
    }

    /// Reads a checkpoint of a network with `len` floats of parameters.
    pub fn read(path: &Path, len: usize) -> Result<Self, TrainError> {
        let bytes = fs::read(path).map_err(TrainError::io("reading", path))?;
        let bad = |reason: &str| TrainError::file(path, reason);
        let (body, sum) =
            bytes.split_last_chunk::<8>().ok_or_else(|| bad("it is no checkpoint: too short"))?;
        let (body, has_age) = (body.strip_prefix(&MAGIC).map(|body| (body, true)))
            .or_else(|| body.strip_prefix(&OLD_MAGIC).map(|body| (body, false)))
            .ok_or_else(|| bad("it is no checkpoint"))?;
        if checksum(&bytes[..bytes.len() - 8]) != u64::from_le_bytes(*sum) {
            return Err(bad("the checkpoint is damaged: its checksum differs"));
        }
        let (numbers, floats) = body
            .split_at_checked(if has_age { 7 * 8 } else { 6 * 8 })
            .ok_or_else(|| bad("the checkpoint is too short"))?;
        let mut numbers = numbers.as_chunks().0.iter().map(|&chunk| u64::from_le_bytes(chunk));
        let mut number = || numbers.next().expect("as many numbers as were split off");
        let [recipe, step, threads] = std::array::from_fn(|_| number());
        let (loss_sum, loss_positions) = (f64::from_bits(number()), number());
        let found = number();
        let age = if has_age { number() } else { step };
        if found != len as u64 || floats.len() != 3 * 4 * len {
            let reason = format!("it holds {found} parameters, but the network has {len}");
            return Err(bad(&reason));
        }
        let mut floats = floats.as_chunks().0.iter().map(|&chunk| f32::from_le_bytes(chunk));
        let mut take = || {
            let mut values = Aligned::zeroed(len);
            values.iter_mut().zip(&mut floats).for_each(|(value, float)| *value = float);
            values
        };
        let (parameters, first, second) = (take(), take(), take());
        let state = OptimizerState { parameters, first, second, age };
        Ok(Self { recipe, step, threads, loss_sum, loss_positions, state })
    }
}

/// Replaces a file in one step, and waits until it is on disk.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    let written = AtomicFile::create(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.finish()
    });
    written.map_err(TrainError::io("writing", path))
}

/// FNV-1a over words of eight bytes, the last one filled up with zeros.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    words.iter().chain([&last]).fold(0xCBF2_9CE4_8422_2325 ^ bytes.len() as u64, |hash, word| {
        let product = (hash ^ u64::from_le_bytes(*word)).wrapping_mul(0x0000_0100_0000_01B3);
        product ^ (product >> 32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        let mut parameters = Aligned::zeroed(48);
        parameters.iter_mut().enumerate().for_each(|(i, x)| *x = i as f32);
        let mut state = OptimizerState::new(parameters);
        (state.first[3], state.second[4], state.age) = (-1.5, 2.5, 11);
        Checkpoint { recipe: 7, step: 8, threads: 2, loss_sum: 0.125, loss_positions: 9, state }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("checkpoint");
        let written = checkpoint();
        written.write(&path).unwrap();
        let read = Checkpoint::read(&path, 48).unwrap();
        assert_eq!(read.numbers(), written.numbers());
        assert_eq!(*read.state.parameters, *written.state.parameters);
        assert_eq!((read.state.first[3], read.state.second[4]), (-1.5, 2.5));
    }

    #[test]
    fn checkpoints_without_an_age_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("checkpoint");
        checkpoint().write(&path).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        bytes.truncate(bytes.len() - 8);
        bytes.drain(7 * 8..8 * 8);
        bytes[..8].copy_from_slice(&OLD_MAGIC);
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        fs::write(&path, bytes).unwrap();
        let read = Checkpoint::read(&path, 48).unwrap();
        assert_eq!((read.state.age, read.step), (8, 8));
        assert_eq!(*read.state.parameters, *checkpoint().state.parameters);
    }

    #[test]
    fn damage_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("checkpoint");
        checkpoint().write(&path).unwrap();
        let whole = fs::read(&path).unwrap();
        let mut flipped = whole.clone();
        flipped[100] ^= 1;
        for bytes in [&whole[..whole.len() - 4], &whole[..10], &flipped, b""] {
            fs::write(&path, bytes).unwrap();
            let error = Checkpoint::read(&path, 48).unwrap_err().to_string();
            assert!(error.contains("checkpoint"), "{error}");
        }
        fs::write(&path, &whole).unwrap();
        let error = Checkpoint::read(&path, 32).unwrap_err().to_string();
        assert!(error.contains("48 parameters") && error.contains("has 32"), "{error}");
    }
}
