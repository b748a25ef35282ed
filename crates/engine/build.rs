// SPDX-License-Identifier: GPL-3.0-or-later
//! Embeds the networks of `nets/` and `nets/seeds/`, and the one that `EVALFILE` names, into the binary.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../nets");

/// The policy's number among the architectures in a file's header.
const POLICY: u8 = 7;

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
        check(&path);
        println!("cargo::rerun-if-changed={}", path.display());
        append(&mut list, "evalfile", &path);
    }
    list.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("networks.rs"), list).expect("writing to OUT_DIR");
}

/// Refuses a file now that could not be loaded later: one that is no network, not a whole one, or a
/// policy. What is wrong within it, `quincunx net verify` tells.
fn check(path: &Path) {
    let name = path.display();
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("EVALFILE: `{name}`: {error}"));
    let len = bytes.get(40..48).map(|len| u64::from_le_bytes(std::array::from_fn(|i| len[i])));
    let is_whole = bytes.starts_with(b"QUINCNET") && len == Some(bytes.len() as u64);
    assert!(is_whole, "EVALFILE: `{name}` is no network file, or not a whole one");
    assert!(bytes[10] != POLICY, "EVALFILE: `{name}` is a policy, expected a value network");
}

/// The files of `nets/` and then those of `nets/seeds/`, each in a fixed order.
fn shipped() -> Vec<PathBuf> {
    let folder = |folder: PathBuf| {
        let entries = fs::read_dir(folder).map(|all| all.flatten().map(|entry| entry.path()));
        let mut paths: Vec<_> = entries.into_iter().flatten().collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "qnet"));
        paths.sort();
        paths
    };
    [folder(FOLDER.into()), folder(Path::new(FOLDER).join("seeds"))].concat()
}

fn append(list: &mut String, name: &str, path: &Path) {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    // The name in quotes, as Rust would write it.
    let path = path.to_string_lossy();
    let _ = writeln!(list, "    ({name:?}, include_bytes!({path:?})),");
}
