// SPDX-License-Identifier: GPL-3.0-or-later
//! `quincunx --version`: what this build is, for reports of faults and for whoever compares builds.

use std::fmt::Write as _;

use engine::networks;

/// Version and commit in a word or two.
pub(crate) fn short() -> String {
    let commit = env!("QUINCUNX_COMMIT");
    let version = concat!("quincunx ", env!("CARGO_PKG_VERSION"));
    if commit.is_empty() { version.to_owned() } else { format!("{version} {commit}") }
}

/// Version, commit, network, compiler and kernels.
pub(crate) fn text() -> String {
    let mut text = format!("quincunx {}\n", env!("CARGO_PKG_VERSION"));
    let commit = match env!("QUINCUNX_COMMIT") {
        "" => "not known",
        commit => commit,
    };
    let network = networks::default_identity().map_or_else(
        || networks::names()[0].to_owned(),
        |(name, hash)| format!("{name} {hash:016x}"),
    );
    let compiler = format!("{} for {}", env!("QUINCUNX_COMPILER"), env!("QUINCUNX_TARGET"));
    let all: Vec<_> = net::Kernels::available().iter().map(net::Kernels::name).collect();
    let kernels = format!("{} of {}", net::Kernels::detect().name(), all.join(", "));
    for (what, value) in [
        ("commit", commit),
        ("network", &network),
        ("compiler", &compiler),
        ("processor", &processor()),
        ("kernels", &kernels),
    ] {
        let _ = writeln!(text, "{what:<10} {value}");
    }
    text
}

/// What the compiler was allowed to use, beyond what the kernels choose when they run.
fn processor() -> String {
    let level = if cfg!(target_feature = "avx512f") {
        "x86-64-v4"
    } else if cfg!(target_feature = "avx2") {
        "x86-64-v3"
    } else if cfg!(target_arch = "x86_64") {
        "x86-64"
    } else {
        std::env::consts::ARCH
    };
    format!("{level} or newer")
}
