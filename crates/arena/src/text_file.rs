// SPDX-License-Identifier: GPL-3.0-or-later
//! What a file holds by its name.

use std::path::Path;

/// Whether a file's name says that it holds PGN games, compressed or not.
pub(crate) fn is_pgn(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".zst").or(name.strip_suffix(".xz")).unwrap_or(&name);
    Path::new(name).extension().is_some_and(|extension| extension == "pgn")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_told_by_their_names() {
        let pgn = |name: &str| is_pgn(Path::new(name));
        assert!(pgn("a.pgn") && pgn("a.PGN.zst") && pgn("x/a.pgn.xz"));
        assert!(!pgn("pgn") && !pgn("a.epd.zst") && !pgn("a.pgn.gz"));
    }
}
