// SPDX-License-Identifier: GPL-3.0-or-later
//! One name for builds for several kinds of processor.
//!
//! A release has a build for any x86-64 processor, and beside it, as `quincunx-x86-64-v3` and
//! `quincunx-x86-64-v4`, builds that use what newer processors can do. The first one starts the fastest that
//! runs here. `QUINCUNX_LEVEL=x86-64` keeps it from doing so.

/// Becomes a faster build if one lies beside this one and the processor can run it.
#[cfg(all(unix, target_arch = "x86_64"))]
pub(crate) fn run_faster_build() {
    use std::os::unix::process::CommandExt;

    if cfg!(target_feature = "avx2") {
        return;
    }
    let Ok(own) = std::env::current_exe() else { return };
    let wanted = std::env::var("QUINCUNX_LEVEL").ok();
    for level in levels() {
        let build = own.with_file_name(format!("quincunx-{level}"));
        if wanted.as_deref().is_none_or(|wanted| wanted == level) && build.is_file() {
            // Comes back only if it fails. This build is as good, if slower.
            let _ = std::process::Command::new(build).args(std::env::args_os().skip(1)).exec();
        }
    }
}

#[cfg(not(all(unix, target_arch = "x86_64")))]
pub(crate) const fn run_faster_build() {}

/// The levels that this processor reaches, best first. A build for one uses nothing that is not asked for here.
#[cfg(all(unix, target_arch = "x86_64"))]
fn levels() -> impl Iterator<Item = &'static str> {
    use std::arch::is_x86_feature_detected as has;

    let v3 = has!("avx2")
        && has!("bmi1")
        && has!("bmi2")
        && has!("f16c")
        && has!("fma")
        && has!("lzcnt")
        && has!("movbe")
        && has!("popcnt");
    let v4 = v3
        && has!("avx512f")
        && has!("avx512bw")
        && has!("avx512cd")
        && has!("avx512dq")
        && has!("avx512vl");
    [(v4, "x86-64-v4"), (v3, "x86-64-v3")]
        .into_iter()
        .filter_map(|(is_reached, level)| is_reached.then_some(level))
}
