// SPDX-License-Identifier: GPL-3.0-or-later
//! Network files: a header, then tensors; nothing is trusted.
//!
//! A file ends in `.qnet`. The loader compares lengths and the hash before it looks at anything,
//! sizes with documented limits before it allocates, and every weight with the range that the
//! kernels rely on. What it refuses, it refuses with one sentence that names the field, what was
//! found, and what was expected.

mod contents;

pub use contents::Contents;

pub use crate::arch::spec;

pub use crate::format::{
    Activation, ArchSpec, Architecture, Factor, Header, MAX_LEN, NetFileError, Sample, Tensor,
    TensorKind, TensorReader, TensorView, TensorWriter, Width, read, read_from,
};

/// Writes the right length and hash into the header of a file, or of what is meant to be one: for
/// tests and fuzzers that change files. Bytes too short for a header are left alone.
pub fn seal(bytes: &mut [u8]) {
    if bytes.len() >= Header::LEN {
        Header::seal(bytes);
    }
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

/// A file with this header, which is checked, and the tensors that `write` appends, as a trainer has them.
/// Their weights are checked by who reads the file.
///
/// # Panics
/// If other tensors are written than the header declares.
pub fn make(
    header: &Header,
    write: impl FnOnce(&mut TensorWriter),
) -> Result<Vec<u8>, NetFileError> {
    crate::arch::to_file(header, write)
}
