// SPDX-License-Identifier: GPL-3.0-or-later
//! What commands write: files, whole or not at all, and standard output.
//!
//! Everything for standard output and standard error goes through this file, `println!` too, which
//! means the macro below in this crate. Where the standard library's would panic, the program ends:
//! quietly if whoever read the output has gone, with a sentence if the output cannot be written.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process;

use anyhow::{Context, Result};

macro_rules! print {
    ($($text:tt)*) => { $crate::output::print_or_exit(format_args!($($text)*)) };
}

macro_rules! println {
    () => { print!("\n") };
    ($($text:tt)*) => { print!("{}\n", format_args!($($text)*)) };
}

macro_rules! eprint {
    ($($text:tt)*) => { $crate::output::complain(format_args!($($text)*)) };
}

macro_rules! eprintln {
    () => { $crate::output::complain(format_args!("\n")) };
    ($($text:tt)*) => { $crate::output::complain(format_args!("{}\n", format_args!($($text)*))) };
}

/// Writes a file under a temporary name beside its own and renames it, so that nobody ever sees half
/// of it. One ending in `.zst` is compressed on the way; `-` is standard output.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if path == Path::new("-") {
        let mut out = io::stdout().lock();
        return Ok(out.write_all(bytes).and_then(|()| out.flush())?);
    }
    let is_packed = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("zst"));
    let written = if is_packed {
        pack(bytes).and_then(|packed| put(path, &packed))
    } else {
        put(path, bytes)
    };
    written.with_context(|| format!("writing `{}`", path.display()))
}

/// Writes a text to standard output.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    Ok(out.write_all(text.as_bytes()).and_then(|()| out.flush())?)
}

/// Writes to standard output, and ends the program if that cannot be done.
pub(crate) fn print_or_exit(text: std::fmt::Arguments<'_>) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_fmt(text).and_then(|()| out.flush()) {
        if error.kind() == io::ErrorKind::BrokenPipe {
            // Whoever read our output has seen enough.
            process::exit(0);
        }
        eprintln!("error: writing to standard output: {error}");
        process::exit(1);
    }
}

/// Writes to standard error. Nobody is left to be told if that cannot be done.
pub(crate) fn complain(text: std::fmt::Arguments<'_>) {
    let _ = io::stderr().lock().write_fmt(text);
}

fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    zstd::encode_all(bytes, 0)
}

fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A device or a pipe is written to, not replaced.
    if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        return fs::write(path, bytes);
    }
    let temporary = temporary_name(path);
    let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A name beside the file's own that no other process takes.
fn temporary_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_whole_and_nothing_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        let packed = folder.path().join("a.txt.zst");
        write(&packed, b"three").unwrap();
        assert_eq!(zstd::decode_all(&fs::read(&packed).unwrap()[..]).unwrap(), b"three");
        let error = write(&folder.path().join("no/such/folder"), b"four").unwrap_err();
        assert!(error.to_string().contains("no/such/folder"), "{error}");
        assert_eq!(folder.path().read_dir().unwrap().count(), 2);
    }

    #[test]
    #[cfg(unix)]
    fn devices_are_not_replaced() {
        write(Path::new("/dev/null"), b"nothing").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
