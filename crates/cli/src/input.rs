// SPDX-License-Identifier: GPL-3.0-or-later
//! Files that commands read: plain, compressed, or standard input.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result};

/// Opens a file for reading. One ending in `.zst` or `.xz` is unpacked on the way; `-` is standard
/// input.
pub(crate) fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    unpack(path).with_context(|| format!("opening `{}`", path.display()))
}

fn unpack(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let file = BufReader::new(File::open(path)?);
    let extension = path.extension().map(OsStr::to_ascii_lowercase);
    Ok(match extension.as_ref().and_then(|extension| extension.to_str()) {
        Some("zst") => Box::new(BufReader::new(zstd::Decoder::with_buffer(file)?)),
        Some("xz") => Box::new(BufReader::new(xz2::bufread::XzDecoder::new_multi_decoder(file))),
        _ => Box::new(file),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    fn read(path: &Path) -> Result<String> {
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
        let mut xz = xz2::write::XzEncoder::new(Vec::new(), 1);
        xz.write_all(text.as_bytes()).unwrap();
        let zst = zstd::encode_all(text.as_bytes(), 1).unwrap();
        // Files that were compressed one by one may be joined.
        let joined = [&zst[..], &zst[..]].concat();
        assert_eq!(read(&file("a.pgn", text.as_bytes())).unwrap(), text);
        assert_eq!(read(&file("a.pgn.ZST", &zst)).unwrap(), text);
        assert_eq!(read(&file("b.pgn.zst", &joined)).unwrap(), text.repeat(2));
        assert_eq!(read(&file("a.pgn.xz", &xz.finish().unwrap())).unwrap(), text);
        assert!(read(&file("bad.zst", b"not compressed")).is_err());
        let missing = read(Path::new("no/such.pgn")).unwrap_err();
        assert!(missing.to_string().contains("`no/such.pgn`"), "{missing}");
    }
}
