// SPDX-License-Identifier: GPL-3.0-or-later
//! Embeds the page, if `make board` has built it into `web/dist`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/web/dist");

fn main() {
    // A folder that is not there must be watched too: through the one that it will be made in.
    let watched = if Path::new(PAGE).exists() { PAGE } else { "web/index.html" };
    println!("cargo::rerun-if-changed={watched}");
    let mut files = vec![];
    collect(Path::new(PAGE), &mut files);
    files.sort();
    let mut list = String::from("&[\n");
    for path in files {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.strip_prefix(PAGE).expect("found below it").to_string_lossy();
        let name = name.replace('\\', "/");
        let _ = writeln!(list, "    ({name:?}, include_bytes!({:?})),", path.to_string_lossy());
    }
    list.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("page.rs"), list).expect("writing to OUT_DIR");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
