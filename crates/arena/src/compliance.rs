// SPDX-License-Identifier: GPL-3.0-or-later
//! Does an engine speak UCI the way programs in the wild expect?
//!
//! Every case is a small conversation with a reason to exist: a client that really sends those
//! lines, or an engine that really broke on them. Cases do not depend on each other; an engine that
//! dies in one of them is started again for the next.
//!
//! What is not part of the protocol is not judged: a case about an option that the engine does not
//! declare is skipped.

mod cases;
mod probe;
mod raw;
mod search;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use driver::process;
use serde::Serialize;
use uci::{ClientConfig, ClientError};

pub use probe::CaseFault;
use probe::Probe;

/// One conversation and why it matters.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What it is about, such as `stop`.
    pub group: &'static str,
    /// Its name, unique among all cases.
    pub name: &'static str,
    /// Why it matters, in one sentence.
    pub reason: &'static str,
    check: fn(&mut Probe) -> Result<(), CaseFault>,
}

/// What came out of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseVerdict {
    /// The engine did what is expected.
    Passed,
    /// It did not.
    Failed,
    /// The case does not apply to this engine.
    Skipped,
}

/// A case and what came out of it.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// The case's group.
    pub group: &'static str,
    /// The case's name.
    pub name: &'static str,
    /// What came out.
    pub verdict: CaseVerdict,
    /// Whether nothing is wrong: passed or skipped.
    pub ok: bool,
    /// Why the case matters; before that, what went wrong or why it was skipped.
    pub reason: String,
}

/// All cases of one engine.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The engine's name from `id name`, or else its file name.
    pub engine: String,
    /// How many cases passed.
    pub passed: usize,
    /// How many failed.
    pub failed: usize,
    /// How many do not apply.
    pub skipped: usize,
    /// Every case, in the order of [`cases`].
    pub cases: Vec<Judged>,
}

/// All cases, group by group.
pub fn cases() -> impl Iterator<Item = Case> {
    let named = |&(group, cases): &(&'static str, &'static [Case])| {
        cases.iter().map(move |case| Case { group, ..*case })
    };
    cases::GROUPS.iter().flat_map(named)
}

/// Puts an engine through all cases that `is_wanted` accepts, `workers` at a time, and tells
/// `progress` about each as it is judged.
///
/// # Errors
/// If the engine cannot be started or does not answer `uci`: then there is nothing to judge.
pub fn check(
    config: &ClientConfig,
    workers: usize,
    is_wanted: impl Fn(&Case) -> bool,
    progress: impl Fn(&Judged) + Sync,
) -> Result<Report, ClientError> {
    // No engine may outlive the check, however it ends.
    let config = &ClientConfig { customize: Some(process::prepare), ..config.clone() };
    let first = Probe::start(config)?;
    let engine = first.handshake().name.clone().unwrap_or_else(|| config.name());
    drop(first);

    let wanted: Vec<Case> = cases().filter(is_wanted).collect();
    let next = AtomicUsize::new(0);
    let judged = Mutex::new(Vec::with_capacity(wanted.len()));
    let work = || {
        let mut probe = None;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = wanted.get(index) else { return };
            let result = judge(case, config, &mut probe);
            progress(&result);
            judged.lock().expect("no worker panics holding the lock").push((index, result));
        }
    };
    thread::scope(|scope| {
        for _ in 0..workers.clamp(1, wanted.len().max(1)) {
            scope.spawn(work);
        }
    });
    let mut judged = judged.into_inner().expect("no worker panics holding the lock");
    judged.sort_by_key(|&(index, _)| index);
    let cases: Vec<Judged> = judged.into_iter().map(|(_, judged)| judged).collect();
    let count = |verdict| cases.iter().filter(|case| case.verdict == verdict).count();
    let (passed, failed) = (count(CaseVerdict::Passed), count(CaseVerdict::Failed));
    Ok(Report { engine, passed, failed, skipped: count(CaseVerdict::Skipped), cases })
}

/// Runs one case, on the engine left over by the one before if that is as good as new.
fn judge(case: &Case, config: &ClientConfig, kept: &mut Option<Probe>) -> Judged {
    let reused = kept.take().filter(Probe::is_pristine);
    let result = match reused.map_or_else(|| Probe::start(config), Ok) {
        Ok(mut probe) => {
            let result = (case.check)(&mut probe).and_then(|()| probe.finish());
            if result.is_ok() {
                *kept = Some(probe);
            }
            result
        }
        Err(error) => Err(error.into()),
    };
    let (verdict, reason) = match result {
        Ok(()) => (CaseVerdict::Passed, case.reason.to_owned()),
        Err(CaseFault::Skipped(why)) => (CaseVerdict::Skipped, format!("skipped: {why}")),
        Err(CaseFault::Failed(what)) => (CaseVerdict::Failed, format!("{what}; {}", case.reason)),
    };
    let ok = verdict != CaseVerdict::Failed;
    Judged { group: case.group, name: case.name, verdict, ok, reason }
}
