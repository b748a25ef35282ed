// SPDX-License-Identifier: GPL-3.0-or-later
//! Files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What the name of an unfinished file ends in.
const SUFFIX: &str = ".part";

/// A file that is written under a temporary name, its own with `.part` behind it, and renamed when it is
/// finished. Dropped before that, it leaves nothing behind. The next attempt overwrites what a killed
/// process left.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    temporary: PathBuf,
    writer: Option<BufWriter<File>>,
}

impl AtomicFile {
    /// Starts the file that will be at `path`.
    pub fn create(path: &Path) -> io::Result<Self> {
        // A device or a pipe is written to, not replaced.
        let is_special = fs::metadata(path).is_ok_and(|data| !data.is_file());
        let temporary = if is_special { path.to_owned() } else { beside(path, SUFFIX) };
        let writer = Some(BufWriter::with_capacity(1 << 20, File::create(&temporary)?));
        Ok(Self { path: path.to_owned(), temporary, writer })
    }

    /// The name that the file will have.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what is left, waits until it is on disk, and gives the file its name.
    pub fn finish(self) -> io::Result<()> {
        self.end(File::sync_all)
    }

    fn end(mut self, settle: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
        let Some(mut writer) = self.writer.take() else { return Ok(()) };
        if self.temporary == self.path {
            return writer.flush();
        }
        let ended = writer
            .flush()
            .and_then(|()| settle(writer.get_ref()))
            .and_then(|()| fs::rename(&self.temporary, &self.path));
        if ended.is_err() {
            // Best effort: the error of the write is the one to report.
            let _ = fs::remove_file(&self.temporary);
        }
        ended
    }

    fn writer(&mut self) -> io::Result<&mut BufWriter<File>> {
        self.writer.as_mut().ok_or_else(|| io::Error::other("the file is finished"))
    }
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

/// Replaces a file in one step: a reader finds the old contents or the new ones, never a part of them,
/// whenever this process is killed. It does not wait for the disk, so that states can be saved many times
/// a second: [`AtomicFile`] is for what must survive a power cut at once.
pub fn write_atomically(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes.as_ref())?;
    file.end(|_| Ok(()))
}

/// The path with something added to the file's name.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> =
            entries.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn files_are_replaced_whole_and_nothing_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_atomically(&path, "one").unwrap();
        // What a killed process would leave.
        fs::write(folder.path().join("a.txt.part"), "longer than what follows").unwrap();
        write_atomically(&path, "two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["a.txt"]);
        assert!(write_atomically(&folder.path().join("no/such/folder"), "three").is_err());
    }

    #[test]
    fn unfinished_files_change_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_atomically(&path, "one").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    #[cfg(unix)]
    fn devices_are_not_replaced() {
        write_atomically(Path::new("/dev/null"), "nothing").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_an_error() {
        let error = write_atomically(Path::new("/dev/full"), "much").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
