// SPDX-License-Identifier: GPL-3.0-or-later
//! Text files, compressed or not.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Opens a text; files ending in `.zst` and `.xz` are unpacked on the way.
pub fn open_text(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let file = File::open(path)?;
    let extension = path.extension().and_then(|extension| extension.to_str());
    Ok(match extension {
        Some("zst") => Box::new(BufReader::new(zstd::Decoder::new(file)?)),
        Some("xz") => Box::new(BufReader::new(xz2::bufread::XzDecoder::new_multi_decoder(
            BufReader::new(file),
        ))),
        _ => Box::new(BufReader::new(file)),
    })
}

/// Whether a file's name says that it holds PGN games, compressed or not.
pub(crate) fn is_pgn(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".zst").or(name.strip_suffix(".xz")).unwrap_or(&name);
    Path::new(name).extension().is_some_and(|extension| extension == "pgn")
}
