// SPDX-License-Identifier: GPL-3.0-or-later
//! What a job tells on standard error: how far it is, and what was bad.

use std::time::Instant;

use anyhow::Result;
use data::{DataError, Observer, Problems, ReadProgress};
use indicatif::{ProgressBar, ProgressStyle};

use super::Common;

/// What a job made, and what was bad.
pub(super) struct Done<T> {
    pub(super) made: T,
    pub(super) problems: u64,
    pub(super) seconds: f64,
}

impl Common {
    /// Runs a job on as many threads as were asked for, with a bar on a terminal, and tells what
    /// was bad.
    pub(super) fn watch<T: Send>(
        &self,
        job: impl FnOnce(&mut Observer<'_>) -> Result<T, DataError> + Send,
    ) -> Result<Done<T>> {
        let mut problems = match &self.errors {
            Some(path) => Problems::logged_to(path)?,
            None => Problems::default(),
        };
        let start = Instant::now();
        let bar = ProgressBar::new(0);
        bar.set_style(style());
        let result = self.threads.install(|| {
            let mut progress = |progress: ReadProgress| show(&bar, progress, start);
            Ok(job(&mut Observer { problems: &mut problems, progress: &mut progress }))
        })?;
        bar.finish_and_clear();
        problems.finish()?;
        tell(&problems);
        Ok(Done {
            made: result?,
            problems: problems.count(),
            seconds: start.elapsed().as_secs_f64(),
        })
    }
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{bar:30} {percent:>3} % {msg}, {eta} left")
        .expect("a constant template")
}

fn show(bar: &ProgressBar, progress: ReadProgress, start: Instant) {
    bar.set_length(progress.total.max(progress.done));
    bar.set_position(progress.done);
    let millions = progress.positions as f64 / 1e6;
    let speed = progress.positions as f64 / start.elapsed().as_secs_f64().max(1e-3);
    bar.set_message(format!("{millions:.2} M positions, {speed:.0} per second"));
}

fn tell(problems: &Problems) {
    for problem in problems.first() {
        eprintln!("{problem}");
    }
    let more = problems.count() - problems.first().len() as u64;
    if more > 0 {
        eprintln!("… and {more} more like these (`--errors FILE` writes all)");
    }
    if problems.count() > 0 {
        eprintln!("{} bad and skipped", problems.count());
    }
}
