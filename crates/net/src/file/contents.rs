// SPDX-License-Identifier: GPL-3.0-or-later
//! A file's contents as numbers, whatever its architecture: to be looked at and compared.

use crate::arch::policy::Policy;
use crate::arch::{Net, open};
use crate::format::{Architecture, Header, NetFileError, TensorView};

/// All that a sound network file holds.
///
/// ```
/// use net::{file::Contents, random};
/// let bytes = random::policy(1).to_bytes();
/// let contents = Contents::read(&bytes).unwrap();
/// assert_eq!(contents.header.architecture.name(), "policy");
/// let bias = contents.tensors.iter().find(|tensor| tensor.name() == "first bias").unwrap();
/// assert_eq!(bias.numbers().len(), 128);
/// ```
#[derive(Clone, Debug)]
pub struct Contents<'a> {
    /// All but the weights.
    pub header: Header,
    /// The hash of the whole file.
    pub hash: u64,
    /// The weights, in the order of the file.
    pub tensors: Vec<TensorView<'a>>,
}

impl<'a> Contents<'a> {
    /// Reads a value network or a policy, and checks it as thoroughly as who would evaluate with it.
    pub fn read(bytes: &'a [u8]) -> Result<Self, NetFileError> {
        let (header, tensors) = open(bytes)?;
        match header.architecture {
            Architecture::Policy => drop(Policy::from_bytes(bytes)?),
            _ => drop(Net::from_bytes(bytes)?),
        }
        Ok(Self { header, hash: Header::hash_of(bytes), tensors: tensors.views().collect() })
    }

    /// How many weights there are.
    pub fn parameters(&self) -> usize {
        self.tensors.iter().map(|tensor| tensor.numbers().len()).sum()
    }
}
