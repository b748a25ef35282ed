// SPDX-License-Identifier: GPL-3.0-or-later
//! Finds the files of tables.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use shakmaty::Chess;
use shakmaty_syzygy::Tablebase;
use thiserror::Error;

/// Why tables cannot be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// No folder was named.
    #[error("no folder of tables given")]
    NoFolder,
    /// A folder cannot be read.
    #[error("cannot read `{}`: {reason}; expected a folder of Syzygy tables", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// A file cannot be a table.
    #[error("`{}` is no whole Syzygy table: {reason}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// The folders hold no tables.
    #[error("no Syzygy tables (.rtbw, .rtbz) in {}", list(.folders))]
    Empty {
        /// The folders.
        folders: Vec<PathBuf>,
    },
}

fn list(folders: &[PathBuf]) -> String {
    let names: Vec<String> = folders.iter().map(|path| format!("`{}`", path.display())).collect();
    names.join(", ")
}

/// All tables of some folders, and how many files they are.
pub(crate) fn open(folders: &[PathBuf]) -> Result<(Tablebase<Chess>, usize), OpenError> {
    if folders.is_empty() {
        return Err(OpenError::NoFolder);
    }
    let mut tables = empty();
    let mut known = HashSet::new();
    for folder in folders {
        add_folder(&mut tables, folder, &mut known)?;
    }
    if known.is_empty() {
        return Err(OpenError::Empty { folders: folders.to_vec() });
    }
    Ok((tables, known.len()))
}

/// Adds the tables of a folder whose names are not known yet.
fn add_folder(
    tables: &mut Tablebase<Chess>,
    folder: &Path,
    known: &mut HashSet<PathBuf>,
) -> Result<(), OpenError> {
    let failure = |reason| OpenError::Folder { path: folder.to_owned(), reason };
    for entry in fs::read_dir(folder).map_err(failure)? {
        let path = entry.map_err(failure)?.path();
        let Some(name) = path.file_name().map(PathBuf::from) else { continue };
        if known.contains(&name) {
            continue;
        }
        match tables.add_file(&path) {
            Ok(()) => {
                known.insert(name);
            }
            // Not the name of a table.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
            Err(reason) => return Err(OpenError::File { path, reason }),
        }
    }
    Ok(())
}

/// No tables yet; those added will be mapped into memory.
///
/// The search probes the tables millions of times, and a system call each time makes it three times
/// as slow.
#[cfg(target_pointer_width = "64")]
fn empty() -> Tablebase<Chess> {
    use std::sync::Arc;

    use shakmaty_syzygy::filesystem::MmapFilesystem;

    #[expect(unsafe_code, reason = "files can only be mapped by unsafe code")]
    // SAFETY: tables are published once and never changed. Whoever truncates one while the program
    // runs ends the program (SIGBUS), as with every program that maps them; the bytes are only ever
    // copied out and checked before use.
    let files = unsafe { MmapFilesystem::new() };
    // Neighbouring bytes belong to other positions: reading ahead would be in vain.
    Tablebase::with_filesystem(Arc::new(files.with_advise_random(true)))
}

/// No tables yet. A small address space cannot hold them, so the files are read piece by piece.
#[cfg(not(target_pointer_width = "64"))]
fn empty() -> Tablebase<Chess> {
    Tablebase::new()
}
