// SPDX-License-Identifier: GPL-3.0-or-later
//! Text files, compressed or not.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Opens a file for reading; one ending in `.zst` or `.xz` is unpacked on the way.
pub fn open_text(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let file = BufReader::new(File::open(path)?);
    let extension = path.extension().map(OsStr::to_ascii_lowercase);
    Ok(match extension.as_ref().and_then(|extension| extension.to_str()) {
        Some("zst") => Box::new(BufReader::new(zstd::Decoder::with_buffer(file)?)),
        Some("xz") => Box::new(BufReader::new(xz2::bufread::XzDecoder::new_multi_decoder(file))),
        _ => Box::new(file),
    })
}

/// Whether a file's name says that it holds PGN games, compressed or not.
pub(crate) fn is_pgn(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".zst").or(name.strip_suffix(".xz")).unwrap_or(&name);
    Path::new(name).extension().is_some_and(|extension| extension == "pgn")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    fn read(path: &Path) -> io::Result<String> {
        let mut text = String::new();
        open_text(path)?.read_to_string(&mut text)?;
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
    }

    #[test]
    fn games_are_told_by_their_names() {
        let pgn = |name: &str| is_pgn(Path::new(name));
        assert!(pgn("a.pgn") && pgn("a.PGN.zst") && pgn("x/a.pgn.xz"));
        assert!(!pgn("pgn") && !pgn("a.epd.zst") && !pgn("a.pgn.gz"));
    }
}
