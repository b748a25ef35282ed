// SPDX-License-Identifier: GPL-3.0-or-later
//! Files and streams to write, plain or compressed.

use std::ffi::OsStr;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use tools::AtomicFile;

use crate::DataError;

/// Gives a file its name.
pub(crate) fn finish(file: AtomicFile) -> Result<(), DataError> {
    let path = file.path().to_owned();
    file.finish().map_err(DataError::io("writing", &path))
}

fn create(path: &Path) -> Result<AtomicFile, DataError> {
    AtomicFile::create(path).map_err(DataError::io("creating", path))
}

/// A stream to write: a file, compressed if it ends in `.zst`, or standard output for `-`.
pub struct Output {
    path: PathBuf,
    sink: Sink,
}

enum Sink {
    File(AtomicFile),
    Compressed(Box<zstd::Encoder<'static, AtomicFile>>),
    Stdout(BufWriter<Stdout>),
}

impl Output {
    /// Starts the stream.
    pub fn create(path: &Path) -> Result<Self, DataError> {
        let is_compressed =
            path.extension().is_some_and(|name| name.eq_ignore_ascii_case(OsStr::new("zst")));
        let sink = if path == Path::new("-") {
            Sink::Stdout(BufWriter::new(io::stdout()))
        } else if is_compressed {
            let encoder = zstd::Encoder::new(create(path)?, 0);
            Sink::Compressed(Box::new(encoder.map_err(DataError::io("writing", path))?))
        } else {
            Sink::File(create(path)?)
        };
        Ok(Self { path: path.to_owned(), sink })
    }

    /// What failed, when writing did.
    pub(crate) fn error(&self) -> impl FnOnce(io::Error) -> DataError + use<> {
        let path = self.path.clone();
        move |error| DataError::io("writing", &path)(error)
    }

    /// Writes what is left; a file gets its name.
    pub fn finish(self) -> Result<(), DataError> {
        let failed = self.error();
        match self.sink {
            Sink::File(file) => finish(file),
            Sink::Compressed(encoder) => finish(encoder.finish().map_err(failed)?),
            Sink::Stdout(mut stdout) => stdout.flush().map_err(failed),
        }
    }
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Output({})", self.path.display())
    }
}

impl Write for Output {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::File(file) => file.write(buffer),
            Sink::Compressed(encoder) => encoder.write(buffer),
            Sink::Stdout(stdout) => stdout.write(buffer),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::File(file) => file.flush(),
            Sink::Compressed(encoder) => encoder.flush(),
            Sink::Stdout(stdout) => stdout.flush(),
        }
    }
}
