// SPDX-License-Identifier: GPL-3.0-or-later
//! Files to read: plain, compressed or standard input, with limits that no file can exceed.
//!
//! A compressed file of a hundred kilobytes can hold a line of gigabytes, and a named pipe that nobody
//! writes to would be waited for until the end of days. Both get a sentence instead.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The longest line of a text, in bytes. The longest sound ones, whole games with evaluations and clocks,
/// are a tenth of this.
pub const MAX_LINE: usize = 1 << 20;

/// The largest configuration, in bytes.
pub const MAX_CONFIG: u64 = 1 << 24;

/// How long to wait until somebody writes to a named pipe.
const PIPE_PATIENCE: Duration = Duration::from_secs(10);

const BUFFER: usize = 1 << 18;

/// Something to read.
pub type InputReader = Box<dyn BufRead + Send>;

/// Opens a file for reading. One ending in `.zst`, `.xz` or `.bz2` is unpacked on the way; `-` is standard
/// input.
pub fn open(path: &Path) -> io::Result<InputReader> {
    open_counted(path, &Arc::default())
}

/// The same, counting the bytes of the file as they are on disk.
pub fn open_counted(path: &Path, bytes_read: &Arc<AtomicU64>) -> io::Result<InputReader> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::with_capacity(BUFFER, io::stdin())));
    }
    let file = Counted { inner: open_file(path)?, bytes_read: Arc::clone(bytes_read) };
    unpack(path, BufReader::with_capacity(BUFFER, file))
}

/// What `packed` holds, unpacked if the name ends as above.
pub fn unpack(name: &Path, packed: impl BufRead + Send + 'static) -> io::Result<InputReader> {
    let extension = name.extension().map(OsStr::to_ascii_lowercase);
    Ok(match extension.as_ref().and_then(|extension| extension.to_str()) {
        Some("zst") => {
            Box::new(BufReader::with_capacity(BUFFER, zstd::Decoder::with_buffer(packed)?))
        }
        Some("xz") => {
            Box::new(BufReader::with_capacity(BUFFER, lzma_rust2::XzReader::new(packed, true)))
        }
        Some("bz2") => {
            Box::new(BufReader::with_capacity(BUFFER, bzip2::bufread::MultiBzDecoder::new(packed)))
        }
        _ => Box::new(packed),
    })
}

/// Reads a small text whole, such as a configuration.
pub fn read_text(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    open_file(path)?.take(MAX_CONFIG + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_CONFIG {
        return Err(too_long(format!("the file is longer than {} MiB", MAX_CONFIG >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not text"))
}

/// The lines of a text, none longer than [`MAX_LINE`]. After an error nothing follows.
pub fn lines<R: BufRead>(reader: R) -> Lines<R> {
    Lines { reader, number: 0, has_ended: false }
}

/// See [`lines`].
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    number: u64,
    has_ended: bool,
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<String>;

    fn next(&mut self) -> Option<io::Result<String>> {
        if self.has_ended {
            return None;
        }
        let line = self.read().transpose();
        self.has_ended = !matches!(line, Some(Ok(_)));
        line
    }
}

impl<R: BufRead> Lines<R> {
    fn read(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        let most = MAX_LINE as u64 + 2;
        if self.reader.by_ref().take(most).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        for end in [b'\n', b'\r'] {
            bytes.pop_if(|last| *last == end);
        }
        if bytes.len() > MAX_LINE {
            let number = self.number;
            return Err(too_long(format!("line {number} is longer than {} MiB", MAX_LINE >> 20)));
        }
        let not_text = |_| {
            let reason = format!("line {} is not text", self.number);
            io::Error::new(ErrorKind::InvalidData, reason)
        };
        String::from_utf8(bytes).map(Some).map_err(not_text)
    }
}

fn too_long(reason: String) -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, reason)
}

struct Counted<R> {
    inner: R,
    bytes_read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.bytes_read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Opens a file; a named pipe must have somebody who writes to it.
#[cfg(unix)]
fn open_file(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

    let is_pipe = std::fs::metadata(path)?.file_type().is_fifo();
    if !is_pipe {
        return Ok(Box::new(File::open(path)?));
    }
    // Otherwise opening waits for a writer, and nothing can end that.
    let file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    Ok(Box::new(Pipe { file: Patient(file) }.begin(PIPE_PATIENCE)?))
}

#[cfg(not(unix))]
fn open_file(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    Ok(Box::new(File::open(path)?))
}

/// A named pipe.
#[cfg(unix)]
struct Pipe {
    file: Patient,
}

#[cfg(unix)]
impl Pipe {
    /// Waits until somebody writes.
    fn begin(mut self, patience: Duration) -> io::Result<impl Read + Send> {
        let deadline = std::time::Instant::now() + patience;
        let mut first = [0; 4096];
        loop {
            match self.file.read(&mut first)? {
                0 if std::time::Instant::now() > deadline => {
                    let reason = format!(
                        "nobody has written to this pipe for {} s: expected a file",
                        patience.as_secs()
                    );
                    return Err(io::Error::new(ErrorKind::TimedOut, reason));
                }
                0 => std::thread::sleep(PAUSE),
                count => return Ok(Cursor::new(first).take(count as u64).chain(self.file)),
            }
        }
    }
}

/// How long to wait before a pipe is looked at again.
#[cfg(unix)]
const PAUSE: Duration = Duration::from_millis(5);

/// A file that does not block, read as if it did. Only the end of the file and its bytes are told.
#[cfg(unix)]
struct Patient(File);

#[cfg(unix)]
impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(PAUSE),
                result => return result,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;

    use super::*;

    fn read(path: &Path) -> io::Result<String> {
        let mut text = String::new();
        open(path)?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn compressed_files_read_like_plain_ones() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            path
        };
        let text = "1. e4 e5 *\n".repeat(1000);
        let packed_by_xz =
            fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games.xz")).unwrap();
        let zst = zstd::encode_all(text.as_bytes(), 1).unwrap();
        // Files that were compressed one by one may be joined.
        let joined = |packed: &[u8]| [packed, packed].concat();
        assert_eq!(read(&file("a.pgn", text.as_bytes())).unwrap(), text);
        assert_eq!(read(&file("a.pgn.ZST", &zst)).unwrap(), text);
        assert_eq!(read(&file("b.pgn.zst", &joined(&zst))).unwrap(), text.repeat(2));
        assert_eq!(read(&file("a.pgn.xz", &packed_by_xz)).unwrap(), text);
        assert_eq!(read(&file("b.pgn.xz", &joined(&packed_by_xz))).unwrap(), text.repeat(2));
        for name in ["bad.zst", "bad.xz"] {
            assert!(read(&file(name, b"not compressed")).is_err(), "{name}");
        }
        let half = &packed_by_xz[..packed_by_xz.len() / 2];
        assert!(read(&file("half.xz", half)).is_err());
    }

    #[test]
    fn lines_end_in_any_way_and_have_a_limit() {
        let all = |text: &[u8]| lines(text).collect::<io::Result<Vec<String>>>();
        assert_eq!(all(b"a\r\nb\n\nc").unwrap(), ["a", "b", "", "c"]);
        let longest = "x".repeat(MAX_LINE);
        assert_eq!(all(longest.as_bytes()).unwrap(), [longest.as_str()]);
        let error = all(format!("a\n{longest}x").as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "line 2 is longer than 1 MiB");
        assert_eq!(all(b"a\n\xff").unwrap_err().to_string(), "line 2 is not text");
        let endless = lines(BufReader::new(io::repeat(b'0')));
        assert_eq!(endless.map(|line| line.is_ok()).collect::<Vec<_>>(), [false]);
    }

    #[test]
    fn a_line_without_end_in_a_small_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bomb.epd.zst");
        let bomb = zstd::encode_all(io::repeat(b'0').take(1 << 30), 1).unwrap();
        fs::write(&path, bomb).unwrap();
        let mut lines = lines(open(&path).unwrap());
        assert!(lines.next().unwrap().unwrap_err().to_string().contains("line 1 is longer"));
        assert!(lines.next().is_none());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn configurations_have_a_limit() {
        let error = read_text(Path::new("/dev/zero")).unwrap_err().to_string();
        assert_eq!(error, "the file is longer than 16 MiB");
    }

    #[test]
    #[cfg(unix)]
    fn pipes_are_read_if_somebody_writes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let alone = File::options().read(true).custom_flags_nonblocking(&path);
        let error = Pipe { file: Patient(alone) }.begin(Duration::from_millis(50)).err().unwrap();
        assert!(error.to_string().contains("nobody has written"), "{error}");
        let writer = std::thread::spawn({
            let path = path.clone();
            move || {
                let mut file = File::options().write(true).open(path).unwrap();
                file.write_all(b"one\n").unwrap();
                std::thread::sleep(Duration::from_millis(50));
                file.write_all(b"two\n").unwrap();
            }
        });
        assert_eq!(read(&path).unwrap(), "one\ntwo\n");
        writer.join().unwrap();
    }

    #[cfg(unix)]
    trait OpenNonblocking {
        fn custom_flags_nonblocking(&mut self, path: &Path) -> File;
    }

    #[cfg(unix)]
    impl OpenNonblocking for fs::OpenOptions {
        fn custom_flags_nonblocking(&mut self, path: &Path) -> File {
            use std::os::unix::fs::OpenOptionsExt;
            self.custom_flags(libc::O_NONBLOCK).open(path).unwrap()
        }
    }
}
