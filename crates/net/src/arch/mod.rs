// SPDX-License-Identifier: GPL-3.0-or-later
//! The architectures, and the closed enumeration of networks.
//!
//! Each architecture is a struct of layers with one short `forward`. All matches on the architecture
//! are in this file, so that adding one touches few places: see `docs/concepts/networks.md`.

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
use chess::{Board, Square};
pub use common::Layer;
use common::{check_activation, check_inputs, check_unused, for_mover, scaled};
pub use house::House;
use napoleon::NapoleonState;
pub(crate) use napoleon::without;
pub use napoleon::{Napoleon, NapoleonShape};
pub use nectar::Nectar;
pub use rengar::Rengar;
pub use tal::Tal;

use crate::Kernels;
use crate::accumulator::Stack;
use crate::file::{
    self, Architecture, Header, NetFileError, Tensor, TensorReader, TensorWriter, open, save,
};
use crate::weights::FirstWeights;

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
        Self::from_bytes(&file::read(path)?)
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
        header.check_texts()?;
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

    /// What the first layer makes of each kind of piece on each square, for people to look at, if the
    /// own king stands in this bucket.
    pub fn first_weights(&self, bucket: usize) -> Result<FirstWeights, NetFileError> {
        let header = self.header();
        let (n, unit) = (header.width(0), f32::from(header.quantization[0]));
        if !matches!(self, Self::House(_)) {
            Header::check("bucket", bucket, 0..=0)?;
        }
        Ok(match self {
            Self::Nectar(net) => FirstWeights::of_rows(&net.first, Square::A1, n, unit),
            Self::Rengar(net) => FirstWeights::of_rows(&net.first, Square::A1, 4 * n, unit),
            Self::Napoleon(net) => net.first_weights(),
            Self::Tal(net) => FirstWeights::of_rows(&net.first, Square::A1, n, unit),
            Self::Batu(net) => FirstWeights::of_rows(&net.first, Square::A1, n, unit),
            Self::House(net) => FirstWeights::of_rows(&net.first, net.king_in(bucket)?, n, unit),
        })
    }

    /// What an evaluator needs to follow a line of play.
    pub(crate) fn state(&self) -> State {
        let stack = match self {
            Self::Nectar(net) => Stack::new(&net.first, 1),
            Self::Rengar(net) => Stack::new(&net.first, 1),
            Self::Napoleon(_) => Stack::empty(),
            Self::Tal(net) => Stack::new(&net.first, 2),
            Self::Batu(net) => Stack::new(&net.first, 1),
            Self::House(net) => Stack::new(&net.first, 2),
        };
        let napoleon = match self {
            Self::Napoleon(net) => Some(NapoleonState::new(net.shape(), NapoleonState::ENTRIES)),
            _ => None,
        };
        State { stack, napoleon }
    }

    /// Begins a new line with this board.
    pub(crate) fn reset(&self, state: &mut State, board: &Board, kernels: &Kernels) {
        let stack = &mut state.stack;
        match self {
            Self::Nectar(net) => stack.reset(&net.first, board, kernels),
            Self::Rengar(net) => stack.reset(&net.first, board, kernels),
            Self::Napoleon(_) => *stack = Stack::empty(),
            Self::Tal(net) => stack.reset(&net.first, board, kernels),
            Self::Batu(net) => stack.reset(&net.first, board, kernels),
            Self::House(net) => stack.reset(&net.first, board, kernels),
        }
    }

    /// Points for the side to move on the board that the moves led to, with so many pieces.
    #[inline]
    pub(crate) fn forward(
        &self,
        state: &mut State,
        board: &Board,
        pieces: usize,
        kernels: &Kernels,
    ) -> i32 {
        let State { stack, napoleon } = state;
        match self {
            Self::Nectar(net) => net.forward(stack, board, kernels),
            Self::Rengar(net) => net.forward(stack, board, kernels),
            Self::Napoleon(net) => net.forward(napoleon.as_mut().expect(STATE), board, kernels),
            Self::Tal(net) => net.forward(stack, board, kernels),
            Self::Batu(net) => net.forward(stack, board, kernels),
            Self::House(net) => net.forward(stack, board, pieces, kernels),
        }
    }

    /// The values of the hidden layers after an evaluation of the board.
    pub(crate) fn hidden(&self, state: &mut State, board: &Board, kernels: &Kernels) -> Vec<Layer> {
        let State { stack, napoleon } = state;
        match self {
            Self::Nectar(net) => net.hidden(stack),
            Self::Rengar(net) => net.hidden(stack, board, kernels),
            Self::Napoleon(net) => net.hidden(napoleon.as_mut().expect(STATE), board, kernels),
            Self::Tal(net) => net.hidden(stack, board, kernels),
            Self::Batu(net) => net.hidden(stack, kernels),
            Self::House(net) => net.hidden(stack, board, kernels),
        }
    }
}

/// What an evaluator keeps from one evaluation to the next.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) stack: Stack,
    /// What Napoleon needs instead of accumulators.
    napoleon: Option<NapoleonState>,
}

/// Said if a state was put together wrongly.
const STATE: &str = "the state of a Napoleon is one";

impl State {
    /// Remembers no values from now on.
    pub(crate) fn drop_memory(&mut self) {
        self.napoleon.iter_mut().for_each(NapoleonState::drop_memory);
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
