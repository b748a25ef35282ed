// SPDX-License-Identifier: GPL-3.0-or-later
//! The networks: files, features, kernels, and inference for every architecture.
//!
//! A [`Net`] is read from a file that is not trusted; a [`NetEvaluator`] follows a line of play with it
//! and gives points from the view of the side to move. Sizes come from the file's header. All the
//! time goes into a few loops, the [`Kernels`], which are chosen once for the processor and give the
//! same numbers on all.
//!
//! ```
//! use std::sync::Arc;
//! use chess::Board;
//! use net::{Architecture, NetEvaluator, Kernels, Net, random};
//! let bytes = random::network(Architecture::Nectar, 1).to_bytes();
//! let net = Arc::new(Net::from_bytes(&bytes).unwrap());
//! let mut evaluator = NetEvaluator::new(net, Kernels::detect());
//! let board = Board::default();
//! evaluator.reset(&board);
//! assert_eq!(evaluator.evaluate(&board), evaluator.evaluate(&board));
//! ```

mod accumulator;
mod arch;
mod evaluator;
pub mod features;
pub mod file;
mod format;
pub mod import;
mod kernels;
mod layers;
pub mod random;
mod weights;

pub use arch::all::*;
pub use arch::{Layer, NapoleonShape, Net, policy};
pub use evaluator::{Contribution, NetEvaluator};
pub use format::{Activation, ArchSpec, Architecture, Header, NetFileError};
pub use kernels::{Kernels, KernelsError};
pub use weights::FirstWeights;
