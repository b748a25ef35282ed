// SPDX-License-Identifier: GPL-3.0-or-later
//! Embeds the networks of `nets/`, and the one that `EVALFILE` names, into the binary.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../nets");

fn main() {
    println!("cargo::rerun-if-changed={FOLDER}");
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let mut list = String::from("&[\n");
    for path in shipped() {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        append(&mut list, &name, &path);
    }
    if let Some(path) = env::var_os("EVALFILE").filter(|path| !path.is_empty()) {
        // Relative to where `make` was called: the root of the workspace.
        let path = Path::new(FOLDER).join("..").join(path);
        assert!(path.is_file(), "EVALFILE: no file `{}`", path.display());
        println!("cargo::rerun-if-changed={}", path.display());
        append(&mut list, "evalfile", &path);
    }
    list.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("networks.rs"), list).expect("writing to OUT_DIR");
}

/// The files of `nets/`, in a fixed order.
fn shipped() -> Vec<PathBuf> {
    let entries = fs::read_dir(FOLDER).map(|entries| entries.flatten().map(|entry| entry.path()));
    let mut paths: Vec<_> = entries.into_iter().flatten().collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "qnet"));
    paths.sort();
    paths
}

fn append(list: &mut String, name: &str, path: &Path) {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let _ = writeln!(list, "    ({name:?}, include_bytes!({path:?})),");
}
