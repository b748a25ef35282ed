// SPDX-License-Identifier: GPL-3.0-or-later
//! What network files are made of: the header, tensors, errors, and how an architecture is declared.
//!
//! This is the half of the crate that the trainer shares, beside the [features](crate::features). It knows no
//! network and no kernel; files as a whole are read and written by [`crate::file`].

mod error;
mod hash;
mod header;
mod spec;
mod tensor;

use std::fs::File;
use std::io::Read;
use std::path::Path;

pub use error::NetFileError;
pub use header::{Activation, Architecture, Header};
pub use spec::{ArchSpec, Factor, Sample, Width};
pub use tensor::{Tensor, TensorKind, TensorReader, TensorView, TensorWriter};

/// The longest file that is read at all.
pub const MAX_LEN: u64 = 256 << 20;

/// Reads a file's bytes, if they are not too many for a network.
pub fn read(path: impl AsRef<Path>) -> Result<Vec<u8>, NetFileError> {
    // A pipe that nobody writes to would be waited for without end.
    if std::fs::metadata(&path)?.is_file() {
        read_from(File::open(path)?)
    } else {
        Err(NetFileError::field("network", "a folder, a device or a pipe", "a file"))
    }
}

/// Reads all bytes of a source, if they are not too many for a network.
pub fn read_from(source: impl Read) -> Result<Vec<u8>, NetFileError> {
    let mut bytes = Vec::new();
    // A device may tell no length, and have no end.
    source.take(MAX_LEN + 1).read_to_end(&mut bytes)?;
    Header::check("length of the file", bytes.len() as u64, 0..=MAX_LEN)?;
    Ok(bytes)
}
