// SPDX-License-Identifier: GPL-3.0-or-later
//! Files that appear whole or not at all.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Stdout, Write};
use std::path::{Path, PathBuf};

use crate::DataError;

/// A file that is written under a temporary name, its own with `.part` behind it, and renamed when
/// it is finished. Dropped before that, it leaves nothing behind; what a killed process leaves, the
/// next attempt overwrites.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    temporary: PathBuf,
    writer: Option<BufWriter<File>>,
}

impl AtomicFile {
    /// Starts the file that will be at `path`.
    pub fn create(path: &Path) -> Result<Self, DataError> {
        // A device or a pipe is written to, not replaced.
        let is_special = fs::metadata(path).is_ok_and(|data| !data.is_file());
        let temporary = if is_special { path.to_owned() } else { beside(path, ".part") };
        let file = File::create(&temporary).map_err(DataError::io("creating", path))?;
        let writer = Some(BufWriter::with_capacity(1 << 20, file));
        Ok(Self { path: path.to_owned(), temporary, writer })
    }

    /// The name that the file will have.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what is left, and gives the file its name.
    pub fn finish(mut self) -> Result<(), DataError> {
        let end = |writer: &mut BufWriter<File>| {
            writer.flush()?;
            writer.get_ref().sync_all()
        };
        if self.temporary == self.path {
            let flushed = self.writer().and_then(Write::flush);
            return flushed.map_err(DataError::io("writing", &self.path));
        }
        if let Some(mut writer) = self.writer.take() {
            let ended = end(&mut writer).and_then(|()| fs::rename(&self.temporary, &self.path));
            if ended.is_err() {
                let _ = fs::remove_file(&self.temporary);
            }
            ended.map_err(DataError::io("writing", &self.path))?;
        }
        Ok(())
    }

    fn writer(&mut self) -> io::Result<&mut BufWriter<File>> {
        self.writer.as_mut().ok_or_else(|| io::Error::other("the file is finished"))
    }
}

/// The path with something added to the file's name.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    path.with_file_name(name)
}

impl Write for AtomicFile {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.writer()?.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer()?.flush()
    }
}

impl Seek for AtomicFile {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.writer()?.seek(position)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if self.writer.take().is_some() && self.temporary != self.path {
            let _ = fs::remove_file(&self.temporary);
        }
    }
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
            let encoder = zstd::Encoder::new(AtomicFile::create(path)?, 0);
            Sink::Compressed(Box::new(encoder.map_err(DataError::io("writing", path))?))
        } else {
            Sink::File(AtomicFile::create(path)?)
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
            Sink::File(file) => file.finish(),
            Sink::Compressed(encoder) => encoder.finish().map_err(failed)?.finish(),
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
