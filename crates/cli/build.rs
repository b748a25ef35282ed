// SPDX-License-Identifier: GPL-3.0-or-later
//! Tells `--version` from which commit and with which compiler a release was built.
//!
//! A release page has no repository: there `QUINCUNX_COMMIT` names the commit.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=QUINCUNX_COMMIT");
    println!("cargo::rustc-env=QUINCUNX_COMPILER={}", compiler().unwrap_or_default());
    println!("cargo::rustc-env=QUINCUNX_TARGET={}", env::var("TARGET").unwrap_or_default());
    // Whoever develops commits often, and must not compile this crate again each time.
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = match env::var("QUINCUNX_COMMIT") {
        Ok(named) => named,
        Err(_) if is_release => commit().unwrap_or_default(),
        Err(_) => String::new(),
    };
    println!("cargo::rustc-env=QUINCUNX_COMMIT={commit}");
    if !is_release {
        println!("cargo::rerun-if-changed=build.rs");
    }
}

fn compiler() -> Option<String> {
    output(&env::var("RUSTC").ok()?, &["--version"])
}

/// The commit, with `+` if files have been changed since.
fn commit() -> Option<String> {
    watch_sources();
    let log = output("git", &["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo::rerun-if-changed={log}");
    let commit = output("git", &["rev-parse", "--short=10", "HEAD"])?;
    let changes = output("git", &["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changes.is_empty() { commit } else { commit + "+" })
}

/// A changed file makes the commit another one.
fn watch_sources() {
    for entry in fs::read_dir("..").into_iter().flatten().flatten() {
        let sources = entry.path().join("src");
        if sources.is_dir() {
            println!("cargo::rerun-if-changed={}", sources.display());
        }
    }
    for path in ["build.rs", "../../nets", "../../Cargo.lock", "../../Cargo.toml"] {
        if Path::new(path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
