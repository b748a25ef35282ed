// SPDX-License-Identifier: GPL-3.0-or-later
//! What a process asks the system about itself: its priority, and the processor time it has used.
//!
//! The one file of this crate with `unsafe` code: the standard library offers neither.
#![cfg_attr(
    unix,
    expect(unsafe_code, reason = "system calls that the standard library does not wrap")
)]

use std::io;
use std::time::Duration;

/// Lets everything else go first: the lowest priority, and on Linux the class of idle processes as well, which
/// runs only on processors that have nothing else to do. Threads that are started later inherit it.
#[cfg(unix)]
pub(crate) fn be_idle() -> io::Result<()> {
    // SAFETY: `setpriority` takes plain numbers and touches no memory of ours.
    if unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, 19) } != 0 {
        return Err(io::Error::last_os_error());
    }
    #[cfg(target_os = "linux")]
    {
        // SAFETY: all fields of the structure are numbers, for which zero is a value.
        let parameters: libc::sched_param = unsafe { std::mem::zeroed() };
        // SAFETY: the pointer is to a live structure that the call only reads; 0 is the calling thread.
        if unsafe { libc::sched_setscheduler(0, libc::SCHED_IDLE, &raw const parameters) } != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// This system has no such call.
#[cfg(not(unix))]
pub(crate) fn be_idle() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The processor time that all threads of this process have used, where the system tells.
#[cfg(unix)]
pub(crate) fn cpu_time() -> Option<Duration> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live structure that the call fills in.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    let seconds = u64::try_from(time.tv_sec).ok().filter(|_| result == 0)?;
    Some(Duration::new(seconds, u32::try_from(time.tv_nsec).ok()?))
}

/// The processor time that all threads of this process have used, where the system tells.
#[cfg(not(unix))]
pub(crate) const fn cpu_time() -> Option<Duration> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn work_takes_processor_time_and_idle_threads_stay_idle() {
        let before = cpu_time().unwrap();
        let sum: u64 = (0..20_000_000_u64).fold(0, |sum, i| std::hint::black_box(sum ^ (i * i)));
        assert!(cpu_time().unwrap() > before, "{sum}");
        let policy = std::thread::spawn(|| {
            be_idle().unwrap();
            // What a thread does to itself does not concern the others of this test.
            std::thread::spawn(|| std::fs::read_to_string("/proc/thread-self/stat")).join().unwrap()
        });
        let stat = policy.join().unwrap().unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        // Nice value and scheduling class, the 19th and 41st field; the first two come before the bracket.
        assert_eq!((fields[16], fields[38]), ("19", "5"));
    }
}
