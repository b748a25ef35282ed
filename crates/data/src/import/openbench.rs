// SPDX-License-Identifier: GPL-3.0-or-later
//! The games that OpenBench's machines have uploaded: an archive of compressed PGN files.
//!
//! The comments are those of its match runner, cut down: `+0.35/12, line=wdl 600 300 100 nodes 5000`. A move
//! of a book has `unknown`.

use std::io::Read;
use std::path::PathBuf;

use super::sink::Sink;
use super::{Advance, pgn};
use crate::{DataError, Input, Observer, Place, Problem};

/// The largest file of an archive. A machine uploads after each of its batches: some megabytes.
const MAX_FILE: u64 = 1 << 30;

/// Reads an archive, or one of its files.
pub(super) fn import(
    input: Input,
    sink: &mut Sink,
    observer: &mut Observer<'_>,
    advance: &mut Advance<'_>,
) -> Result<(), DataError> {
    if Input::kind(input.path()) != "tar" {
        return pgn::import(input, sink, observer, advance);
    }
    let path = input.path().to_owned();
    let bytes_read = input.bytes_read();
    let mut archive = tar::Archive::new(input);
    for entry in archive.entries().map_err(DataError::io("reading", &path))? {
        let file = match entry.and_then(|entry| Packed::read(entry)) {
            Ok(Some(file)) => file,
            Ok(None) => continue,
            // What follows cannot be found any more.
            Err(error) => {
                let reason = format!("the archive cannot be read on: {error}");
                let place = Place::Byte(bytes_read.load(std::sync::atomic::Ordering::Relaxed));
                observer.problems.report(&path, &Problem::new(place, reason))?;
                break;
            }
        };
        let file = Input::within(path.join(file.name), file.bytes, &bytes_read)?;
        pgn::import(file, sink, observer, advance)?;
    }
    Ok(())
}

/// A file of an archive.
struct Packed {
    name: PathBuf,
    bytes: Vec<u8>,
}

impl Packed {
    /// `None` of a folder.
    fn read(mut entry: tar::Entry<'_, impl Read>) -> std::io::Result<Option<Self>> {
        if !entry.header().entry_type().is_file() {
            return Ok(None);
        }
        let name = entry.path()?.into_owned();
        if entry.size() > MAX_FILE {
            let text = format!("`{}` has {} bytes", name.display(), entry.size());
            return Err(std::io::Error::other(text));
        }
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        if bytes.len() as u64 != entry.size() {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Some(Self { name, bytes }))
    }
}
