// SPDX-License-Identifier: GPL-3.0-or-later
//! Why a setting has no effect.

use net::KernelsError;
use search::Mode;

use crate::networks::NetworkError;

/// Why a setting has no effect.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingFault {
    #[error("no memory for {wanted} MiB, the table stays at {kept} MiB")]
    Hash { wanted: usize, kept: usize },
    #[error("no memory for the tree of `{0}`")]
    Tree(Mode),
    #[error("{error}; `{kept}` stays in use")]
    Network { error: NetworkError, kept: &'static str },
    #[error("{0}")]
    Kernels(#[from] KernelsError),
    #[error("{0}")]
    Tables(#[from] tablebase::OpenError),
}
