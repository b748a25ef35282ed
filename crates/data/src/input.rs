// SPDX-License-Identifier: GPL-3.0-or-later
//! Files to read: plain, compressed, or standard input, with a measure of how far one is.

use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::DataError;

/// How far a job is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadProgress {
    /// Units of work that are done: bytes as they are on disk, or positions.
    pub done: u64,
    /// Units of work in all; 0 if that is not known.
    pub total: u64,
    /// Positions seen so far.
    pub positions: u64,
}

/// An open file. One ending in `.zst`, `.xz` or `.bz2` is unpacked on the way; `-` is standard input.
pub struct Input {
    path: PathBuf,
    reader: tools::read::InputReader,
    bytes_read: Arc<AtomicU64>,
}

impl Input {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let bytes_read = Arc::new(AtomicU64::new(0));
        let opened = tools::read::open_counted(path, &bytes_read);
        let reader = opened.map_err(DataError::io("opening", path))?;
        Ok(Self { path: path.to_owned(), reader, bytes_read })
    }

    /// Reads from memory, as if it were the file `name`.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Self {
        let reader = Box::new(io::Cursor::new(bytes));
        Self { path: name.into(), reader, bytes_read: Arc::default() }
    }

    /// Reads what another file holds, unpacked as its name says. `bytes_read` is that of the other file.
    pub(crate) fn within(
        path: PathBuf,
        packed: Vec<u8>,
        bytes_read: &Arc<AtomicU64>,
    ) -> Result<Self, DataError> {
        let reader = tools::read::unpack(&path, io::Cursor::new(packed));
        let reader = reader.map_err(DataError::io("opening", &path))?;
        Ok(Self { path, reader, bytes_read: Arc::clone(bytes_read) })
    }

    /// The name under which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes of the file, as it is on disk, have been read.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes_read)
    }

    /// How many bytes these files have on disk; 0 if that cannot be known.
    pub fn bytes_on_disk(paths: &[PathBuf]) -> u64 {
        paths.iter().map(|path| path.metadata().map_or(0, |file| file.len())).sum()
    }

    /// The file's kind by its name: the extension in lower case, without that of a packer.
    pub fn kind(path: &Path) -> String {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let packers = [".zst", ".xz", ".bz2"];
        let name = packers.iter().find_map(|packer| name.strip_suffix(packer)).unwrap_or(&name);
        Path::new(name).extension().unwrap_or_default().to_string_lossy().into_owned()
    }
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Input({})", self.path.display())
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }

    fn read_exact(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        self.reader.read_exact(buffer)
    }
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.reader.consume(amount);
    }
}
