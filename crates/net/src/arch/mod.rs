// SPDX-License-Identifier: GPL-3.0-or-later
//! The architectures, and the closed enumeration of networks.
//!
//! Each architecture is a struct of layers with one short `forward`. Adding one touches five places:
//! its own file, [`Architecture`], and in this file the list of modules, [`Net`] and its matches; if
//! it can be updated move by move, also a feature set. See `docs/concepts/networks.md`.

mod batu;
mod house;
mod napoleon;
mod nectar;
pub mod policy;
mod rengar;
mod tal;

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

pub use batu::Batu;
use chess::{Board, Color};
pub use house::House;
pub use napoleon::{Napoleon, NapoleonShape};
pub(crate) use napoleon::{NapoleonState, without};
pub use nectar::Nectar;
pub use rengar::Rengar;
pub use tal::Tal;

use crate::file::{
    Activation, Architecture, Header, MAX_LEN, NetFileError, Tensor, TensorReader, TensorWriter,
    open, save,
};

/// A value network of any architecture.
///
/// ```
/// use net::{Architecture, Net, random};
/// let net = random::network(Architecture::House, 1);
/// let bytes = net.to_bytes();
/// assert_eq!(Net::from_bytes(&bytes).unwrap().to_bytes(), bytes);
/// let error = Net::from_bytes(&bytes[1..]).unwrap_err();
/// assert_eq!(error.to_string(), "magic is `UINCNET\\x01`, expected `QUINCNET`");
/// ```
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the architectures are documented where they are defined")]
pub enum Net {
    Nectar(Nectar),
    Rengar(Rengar),
    Napoleon(Napoleon),
    Tal(Tal),
    Batu(Batu),
    House(House),
}

impl Net {
    /// Reads a network file's bytes, and checks all that the kernels rely on.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetFileError> {
        let (header, mut tensors) = open(bytes)?;
        Self::build(header, &mut tensors)
    }

    /// Reads a network file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, NetFileError> {
        let mut bytes = Vec::new();
        // A device may tell no length, and have no end.
        File::open(path)?.take(MAX_LEN + 1).read_to_end(&mut bytes)?;
        Header::check("length of the file", bytes.len() as u64, 0..=MAX_LEN)?;
        Self::from_bytes(&bytes)
    }

    /// A network from a header and the tensors that it declares.
    fn build(header: Header, tensors: &mut TensorReader<'_>) -> Result<Self, NetFileError> {
        Ok(match header.architecture {
            Architecture::Nectar => Self::Nectar(Nectar::read(header, tensors)?),
            Architecture::Rengar => Self::Rengar(Rengar::read(header, tensors)?),
            Architecture::Napoleon => Self::Napoleon(Napoleon::read(header, tensors)?),
            Architecture::Tal => Self::Tal(Tal::read(header, tensors)?),
            Architecture::Batu => Self::Batu(Batu::read(header, tensors)?),
            Architecture::House => Self::House(House::read(header, tensors)?),
            Architecture::Policy => return Err(unexpected(header.architecture)),
        })
    }

    /// A network from a header and a closure that writes the tensors that the header declares, as a
    /// trainer or an importer has them.
    ///
    /// # Panics
    /// If other tensors are written.
    pub fn from_tensors(
        header: &Header,
        write: impl FnOnce(&mut TensorWriter),
    ) -> Result<Self, NetFileError> {
        tensors(header)?;
        Self::from_bytes(&save(header, write))
    }

    /// The network as the bytes of a file. To replace a file safely, write them under another name
    /// and rename it.
    pub fn to_bytes(&self) -> Vec<u8> {
        save(self.header(), |tensors| match self {
            Self::Nectar(net) => net.write(tensors),
            Self::Rengar(net) => net.write(tensors),
            Self::Napoleon(net) => net.write(tensors),
            Self::Tal(net) => net.write(tensors),
            Self::Batu(net) => net.write(tensors),
            Self::House(net) => net.write(tensors),
        })
    }

    /// All but the weights.
    pub const fn header(&self) -> &Header {
        match self {
            Self::Nectar(net) => &net.header,
            Self::Rengar(net) => &net.header,
            Self::Napoleon(net) => &net.header,
            Self::Tal(net) => &net.header,
            Self::Batu(net) => &net.header,
            Self::House(net) => &net.header,
        }
    }

    /// The hash of the whole file, header and name included.
    pub fn hash(&self) -> u64 {
        Header::hash_of(&self.to_bytes())
    }

    /// The tensors of the file, in order.
    pub fn tensors(&self) -> Vec<Tensor> {
        tensors(self.header()).expect("a network's header is valid")
    }

    /// How many weights there are.
    pub fn parameters(&self) -> usize {
        self.tensors().iter().map(|tensor| tensor.len).sum()
    }
}

/// The tensors that a header declares, if it is valid.
pub(crate) fn tensors(header: &Header) -> Result<Vec<Tensor>, NetFileError> {
    match header.architecture {
        Architecture::Nectar => Nectar::tensors(header),
        Architecture::Rengar => Rengar::tensors(header),
        Architecture::Napoleon => Napoleon::tensors(header),
        Architecture::Policy => policy::Policy::tensors(header),
        Architecture::Tal => Tal::tensors(header),
        Architecture::Batu => Batu::tensors(header),
        Architecture::House => House::tensors(header),
    }
}

fn unexpected(architecture: Architecture) -> NetFileError {
    NetFileError::field("architecture", architecture.name(), "a value network")
}

/// Values of a hidden layer, for people to look at.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// What the architecture calls it.
    pub name: &'static str,
    /// One value per lane, in the units of training.
    pub values: Vec<f32>,
}

impl Layer {
    pub(crate) const fn new(name: &'static str, values: Vec<f32>) -> Self {
        Self { name, values }
    }
}

/// Lanes as numbers, divided by their quantization factor and passed through an activation.
fn scaled(lanes: &[i16], factor: u16, activation: impl Fn(f32) -> f32) -> Vec<f32> {
    lanes.iter().map(|&lane| activation(f32::from(lane) / f32::from(factor))).collect()
}

/// White's points as the side to move sees them.
#[inline]
fn for_mover(white: i32, board: &Board) -> i32 {
    match board.turn() {
        Color::White => white,
        Color::Black => -white,
    }
}

fn check_activation(header: &Header, allowed: &[Activation]) -> Result<(), NetFileError> {
    if allowed.contains(&header.activation) {
        return Ok(());
    }
    let names: Vec<_> = allowed.iter().map(|activation| activation.name()).collect();
    Err(NetFileError::field("activation", header.activation.name(), names.join(" or ")))
}

/// Checks the number of inputs: `len` per input bucket, of which there are at most `max_buckets`.
fn check_inputs(header: &Header, len: usize, max_buckets: u8) -> Result<(), NetFileError> {
    let least = u8::from(max_buckets > 0);
    Header::check("input buckets", header.input_buckets, least..=max_buckets)?;
    let expected = (len * usize::from(header.input_buckets.max(1))) as u32;
    Header::check("inputs", header.inputs, expected..=expected)
}

/// Checks that widths from `layer` on, output buckets, and all flags but some are zero.
fn check_unused(header: &Header, layer: usize, flags: u16) -> Result<(), NetFileError> {
    for &width in &header.widths[layer..] {
        Header::check("width of a layer that is not there", width, 0..=0)?;
    }
    Header::check("flags of other architectures", header.flags & !flags, 0..=0)?;
    if header.architecture != Architecture::House {
        Header::check("output buckets", header.output_buckets, 0..=0)?;
    }
    Ok(())
}
