// SPDX-License-Identifier: GPL-3.0-or-later
//! The architectures, and the closed enumeration of networks.
//!
//! Each architecture is a struct of layers with its declaration, [`ArchSpec`], and one short `forward`. They
//! are listed once, in this file: see `docs/concepts/networks.md`.

mod batu;
mod common;
mod house;
mod napoleon;
mod nectar;
pub mod policy;
mod rengar;
mod tal;

use std::path::Path;

pub use batu::Batu;
use chess::Board;
pub use common::Layer;
use common::{MAX_OUTPUT_BIAS, for_mover, scaled};
pub use house::House;
use napoleon::NapoleonState;
pub(crate) use napoleon::without;
pub use napoleon::{Napoleon, NapoleonShape};
pub use nectar::Nectar;
pub use rengar::Rengar;
pub use tal::Tal;

use crate::Kernels;
use crate::accumulator::Stack;
use crate::format::{
    self, ArchSpec, Architecture, Header, NetFileError, Tensor, TensorReader, TensorWriter,
};
use crate::weights::FirstWeights;

/// The value networks: each is a type of this name, and a variant of [`Architecture`].
macro_rules! networks {
    ($($name:ident),*) => {
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
            $($name($name),)*
        }

        /// All of their types.
        pub(crate) mod all {
            pub use super::{$($name),*};
        }

        /// The declaration of an architecture.
        pub const fn spec(architecture: Architecture) -> &'static ArchSpec {
            match architecture {
                $(Architecture::$name => &$name::SPEC,)*
                Architecture::Policy => &policy::Policy::SPEC,
            }
        }

        impl Net {
            /// A network from a header and the tensors that it declares.
            fn build(
                header: Header,
                tensors: &mut TensorReader<'_>,
            ) -> Result<Self, NetFileError> {
                match header.architecture {
                    $(Architecture::$name => Ok(Self::$name($name::read(header, tensors)?)),)*
                    other => Err(NetFileError::field("architecture", other.name(), "a value network")),
                }
            }
        }

        /// Does the same with a network of any architecture.
        macro_rules! with_net {
            ($any:expr, $net:ident => $work:expr) => {
                match $any {
                    $(Net::$name($net) => $work,)*
                }
            };
        }
    };
}

networks!(Nectar, Rengar, Napoleon, Tal, Batu, House);

impl Net {
    /// Reads a network file's bytes, and checks all that the kernels rely on.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetFileError> {
        let (header, mut tensors) = open(bytes)?;
        Self::build(header, &mut tensors)
    }

    /// Reads a network file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, NetFileError> {
        Self::from_bytes(&format::read(path)?)
    }

    /// A network from a header and a closure that writes the tensors that the header declares, as an
    /// importer has them.
    ///
    /// # Panics
    /// If other tensors are written.
    pub fn from_tensors(
        header: &Header,
        write: impl FnOnce(&mut TensorWriter),
    ) -> Result<Self, NetFileError> {
        Self::from_bytes(&to_file(header, write)?)
    }

    /// The network as the bytes of a file. To replace a file safely, write them under another name
    /// and rename it.
    pub fn to_bytes(&self) -> Vec<u8> {
        save(self.header(), |tensors| with_net!(self, net => net.write(tensors)))
    }

    /// All but the weights.
    pub const fn header(&self) -> &Header {
        with_net!(self, net => &net.header)
    }

    /// What its architecture is.
    pub const fn spec(&self) -> &'static ArchSpec {
        spec(self.header().architecture)
    }

    /// The hash of the whole file, header and name included.
    pub fn hash(&self) -> u64 {
        Header::hash_of(&self.to_bytes())
    }

    /// The tensors of the file, in order.
    pub fn tensors(&self) -> Vec<Tensor> {
        (self.spec().tensors)(self.header())
    }

    /// How many weights there are.
    pub fn parameters(&self) -> usize {
        self.tensors().iter().map(|tensor| tensor.len).sum()
    }

    /// What the first layer makes of each kind of piece on each square, for people to look at, if the
    /// own king stands in this bucket.
    pub fn first_weights(&self, bucket: usize) -> Result<FirstWeights, NetFileError> {
        with_net!(self, net => net.first_weights(bucket))
    }

    /// What an evaluator needs to follow a line of play.
    pub(crate) fn state(&self) -> EvaluatorState {
        with_net!(self, net => net.state())
    }

    /// Begins a new line with this board.
    pub(crate) fn reset(&self, state: &mut EvaluatorState, board: &Board, kernels: &Kernels) {
        with_net!(self, net => net.reset(state, board, kernels));
    }

    /// Points for the side to move on the board that the moves led to, with so many pieces. Each
    /// architecture has a function of its own, not inlined: together they would need 9 KiB of stack and
    /// more registers than there are.
    #[inline]
    pub(crate) fn forward(
        &self,
        state: &mut EvaluatorState,
        board: &Board,
        pieces: usize,
        kernels: &Kernels,
    ) -> i32 {
        with_net!(self, net => net.forward(state, board, pieces, kernels))
    }

    /// The values of the hidden layers after an evaluation of the board.
    pub(crate) fn hidden(
        &self,
        state: &mut EvaluatorState,
        board: &Board,
        kernels: &Kernels,
    ) -> Vec<Layer> {
        with_net!(self, net => net.hidden(state, board, kernels))
    }
}

/// What an evaluator keeps from one evaluation to the next.
#[derive(Clone, Debug)]
pub(crate) struct EvaluatorState {
    pub(crate) stack: Stack,
    /// What a network without accumulators keeps.
    napoleon: Option<Box<NapoleonState>>,
}

impl EvaluatorState {
    /// The state of a network with accumulators.
    const fn of(stack: Stack) -> Self {
        Self { stack, napoleon: None }
    }

    /// Whether moves change it step by step. Otherwise every evaluation looks at the whole board.
    pub(crate) const fn follows_moves(&self) -> bool {
        self.napoleon.is_none()
    }

    /// Remembers no values from now on.
    pub(crate) fn drop_memory(&mut self) {
        self.napoleon.iter_mut().for_each(|state| state.drop_memory());
    }
}

/// Splits a file into its header and its tensors' bytes, and checks all but the weights.
pub(crate) fn open(bytes: &[u8]) -> Result<(Header, TensorReader<'_>), NetFileError> {
    let (header, payload) = Header::read(bytes)?;
    let tensors = spec(header.architecture).checked_tensors(&header)?;
    let expected: usize = tensors.iter().map(Tensor::bytes).sum();
    if payload.len() != expected {
        let expected = format!("{expected} bytes");
        return Err(NetFileError::field("length of the tensors", payload.len(), expected));
    }
    Ok((header, TensorReader::new(tensors, payload)))
}

/// A file with this header, which is checked, and the tensors that `write` appends, which are not.
///
/// # Panics
/// If other tensors are written than the header declares.
pub(crate) fn to_file(
    header: &Header,
    write: impl FnOnce(&mut TensorWriter),
) -> Result<Vec<u8>, NetFileError> {
    header.check_texts()?;
    spec(header.architecture).check(header)?;
    Ok(save(header, write))
}

/// Writes a valid header, lets `write` append the tensors, and seals the file.
fn save(header: &Header, write: impl FnOnce(&mut TensorWriter)) -> Vec<u8> {
    let tensors = (spec(header.architecture).tensors)(header);
    let mut writer = TensorWriter::new(tensors, header.write());
    write(&mut writer);
    let mut bytes = writer.finish();
    Header::seal(&mut bytes);
    bytes
}
