// SPDX-License-Identifier: GPL-3.0-or-later
//! Network files: a header, then tensors; nothing is trusted.
//!
//! A file ends in `.qnet`. The loader compares lengths and the hash before it looks at anything,
//! sizes with documented limits before it allocates, and every weight with the range that the
//! kernels rely on. What it refuses, it refuses with one sentence that names the field, what was
//! found, and what was expected.

mod contents;
mod error;
mod hash;
mod header;
mod tensor;

use std::fs::File;
use std::io::Read;
use std::path::Path;

pub use contents::{Contents, TensorView};
pub use error::NetFileError;
pub use header::{Activation, Architecture, Header};
pub use tensor::{Kind, Tensor, TensorReader, TensorWriter};

/// The longest file that is read at all.
pub const MAX_LEN: u64 = 256 << 20;

/// Writes the right length and hash into the header of a file, or of what is meant to be one: for
/// tests and fuzzers that change files. Bytes too short for a header are left alone.
pub fn seal(bytes: &mut [u8]) {
    if bytes.len() >= Header::LEN {
        Header::seal(bytes);
    }
}

/// Reads a file's bytes, if they are not too many for a network.
pub fn read(path: impl AsRef<Path>) -> Result<Vec<u8>, NetFileError> {
    read_from(File::open(path)?)
}

/// Reads all bytes of a source, if they are not too many for a network.
pub fn read_from(source: impl Read) -> Result<Vec<u8>, NetFileError> {
    let mut bytes = Vec::new();
    // A device may tell no length, and have no end.
    source.take(MAX_LEN + 1).read_to_end(&mut bytes)?;
    Header::check("length of the file", bytes.len() as u64, 0..=MAX_LEN)?;
    Ok(bytes)
}

/// The same network under another name or with another provenance, or both.
///
/// ```
/// use net::{Architecture, file, random};
/// let bytes = random::network(Architecture::Nectar, 1).to_bytes();
/// let named = file::relabel(&bytes, Some("first try"), None).unwrap();
/// assert_eq!(file::Contents::read(&named).unwrap().header.name, "first try");
/// let error = file::relabel(&bytes, Some("two\nlines"), None).unwrap_err();
/// assert_eq!(error.to_string(), "name is `two\\nlines`, expected text on one line");
/// ```
pub fn relabel(
    bytes: &[u8],
    name: Option<&str>,
    provenance: Option<&str>,
) -> Result<Vec<u8>, NetFileError> {
    let (mut header, payload) = Header::read(bytes)?;
    for (text, new) in [(&mut header.name, name), (&mut header.provenance, provenance)] {
        if let Some(new) = new {
            new.clone_into(text);
        }
    }
    header.check_texts()?;
    let mut bytes = [&header.write(), payload].concat();
    Header::seal(&mut bytes);
    Ok(bytes)
}

/// Splits a file into its header and its tensors' bytes, and checks all but the weights.
///
/// `check` and `tensors` belong to the architecture: what its fields may hold, and what follows.
pub(crate) fn open(bytes: &[u8]) -> Result<(Header, TensorReader<'_>), NetFileError> {
    let (header, payload) = Header::read(bytes)?;
    let tensors = crate::arch::tensors(&header)?;
    let expected: usize = tensors.iter().map(Tensor::bytes).sum();
    if payload.len() != expected {
        let expected = format!("{expected} bytes");
        return Err(NetFileError::field("length of the tensors", payload.len(), expected));
    }
    Ok((header, TensorReader::new(tensors, payload)))
}

/// Writes the header, lets `write` append the tensors, and seals the file.
pub(crate) fn save(header: &Header, write: impl FnOnce(&mut TensorWriter)) -> Vec<u8> {
    let tensors = crate::arch::tensors(header).expect("a network's header is valid");
    let mut writer = TensorWriter::new(tensors, header.write());
    write(&mut writer);
    let mut bytes = writer.finish();
    Header::seal(&mut bytes);
    bytes
}
