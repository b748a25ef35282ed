// SPDX-License-Identifier: GPL-3.0-or-later
//! The same as `quincunx data expand`, without the rest of the program:
//! `expand [--all] [--dedup] SHARE TRAINING.qrec VALIDATION.qrec GAMES…`
#![expect(clippy::print_stderr, reason = "an example talks to people")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use data::expand::{Expansion, expand};
use data::shuffle::Duplicates;
use data::{Observer, Problems, Rejection};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (flags, rest): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let [share, training, validation, games @ ..] = rest.as_slice() else {
        return Err("expected: SHARE TRAINING.qrec VALIDATION.qrec GAMES…".into());
    };
    let is_set = |flag: &str| flags.iter().any(|given| given == flag);
    let settings = Expansion {
        validation_share: share.parse()?,
        keep_all: is_set("--all"),
        duplicates: if is_set("--dedup") { Duplicates::DropLater } else { Duplicates::Keep },
        ..Expansion::default()
    };
    let games: Vec<_> = games.iter().map(PathBuf::from).collect();
    let (training, validation) = (Path::new(training), Path::new(validation));
    let mut problems = Problems::default();
    let mut observer = Observer { problems: &mut problems, progress: &mut |_| () };
    let start = Instant::now();
    let summary = expand(&games, training, Some(validation), &settings, &mut observer)?;
    let seconds = start.elapsed().as_secs_f64();
    let speed = summary.positions as f64 / seconds;
    eprintln!("{summary:?} in {seconds:.1} s, {speed:.0} positions/s");
    for (reason, count) in Rejection::ALL.iter().zip(summary.rejected) {
        eprintln!("{:10} {count}", reason.name());
    }
    for problem in problems.first() {
        eprintln!("{problem}");
    }
    Ok(())
}
