// SPDX-License-Identifier: GPL-3.0-or-later
//! Files that appear whole or not at all.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Seek, SeekFrom, Write};
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
    /// Starts the file that will be at `path`. Refused while another process writes it.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::start(path, refuse_company)
    }

    fn start(path: &Path, lock: impl Fn(&File) -> io::Result<()>) -> io::Result<Self> {
        // A device or a pipe is written to, not replaced.
        let is_special = fs::metadata(path).is_ok_and(|data| !data.is_file());
        let temporary = if is_special { path.to_owned() } else { beside(path, SUFFIX) };
        let file =
            if is_special { File::create(&temporary)? } else { create_alone(&temporary, lock)? };
        let writer = Some(BufWriter::with_capacity(1 << 20, file));
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

/// Creates a file that no other process may write to at the same time.
fn create_alone(path: &Path, lock: impl Fn(&File) -> io::Result<()>) -> io::Result<File> {
    loop {
        let file = File::options().create(true).write(true).truncate(false).open(path)?;
        lock(&file)?;
        // Another process may have finished the file, and given it its name, before the lock was ours.
        if is_at(&file, path) {
            file.set_len(0)?;
            return Ok(file);
        }
    }
}

/// Locks a file unless somebody else has it.
fn refuse_company(file: &File) -> io::Result<()> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => {
            io::Error::new(ErrorKind::ResourceBusy, "another process is writing this file")
        }
        TryLockError::Error(error) => error,
    })
}

/// Whether an open file still has this name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let identity = |data: fs::Metadata| (data.dev(), data.ino());
    let (ours, named) = (file.metadata().map(identity), fs::metadata(path).map(identity));
    matches!((ours, named), (Ok(ours), Ok(named)) if ours == named)
}

/// Other systems do not rename a file that is open.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
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
    // Whoever writes the same file writes all of it at once, too: it is worth waiting for.
    let mut file = AtomicFile::start(path, File::lock)?;
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
    fn only_one_process_writes_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let mut first = AtomicFile::create(&path).unwrap();
        first.write_all(b"first").unwrap();
        let error = AtomicFile::create(&path).unwrap_err();
        assert_eq!(error.to_string(), "another process is writing this file");
        first.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first");
        write_atomically(&path, "second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        // One who opened the temporary file in time must not write to what it has become.
        let late = File::create(beside(&path, SUFFIX)).unwrap();
        fs::rename(beside(&path, SUFFIX), &path).unwrap();
        assert!(!cfg!(unix) || !is_at(&late, &beside(&path, SUFFIX)));
    }

    #[test]
    fn threads_that_replace_a_file_wait_for_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::thread::scope(|scope| {
            for letter in ["a", "b", "c", "d"] {
                let path = &path;
                scope.spawn(move || {
                    (0..50).for_each(|_| write_atomically(path, letter.repeat(5000)).unwrap());
                });
            }
        });
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!((text.len(), text.replace(&text[..1], "").len()), (5000, 0));
        assert_eq!(names(folder.path()), ["a.txt"]);
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
