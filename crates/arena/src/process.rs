// SPDX-License-Identifier: GPL-3.0-or-later
//! Ties the life of an engine's process to ours.
//!
//! The one file of this crate with `unsafe` code: the standard library offers neither signals to
//! process groups nor the request to be killed when the parent dies. Linux only.
#![expect(unsafe_code, reason = "system calls that the standard library does not wrap")]

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Lets the command start in a process group of its own and die with us, also when we are killed.
///
/// The kernel watches the *thread* that starts the process, not the whole program, so that thread
/// must live at least as long as the engine is needed.
pub(crate) fn tie_to_us(command: &mut Command) {
    command.process_group(0);
    let parent = std::process::id();
    let die_with_parent = move || {
        // SAFETY: `prctl` with these arguments reads and writes no memory of ours.
        if unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: `getppid` has no preconditions and cannot fail.
        let is_orphan = unsafe { libc::getppid() } as u32 != parent;
        // The parent may have died before the request was made.
        if is_orphan { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
    };
    // SAFETY: between fork and exec the closure only makes two async-signal-safe system calls and
    // neither allocates, locks nor touches anything but its own copy of `parent`.
    unsafe { command.pre_exec(die_with_parent) };
}

/// Kills all processes of the group that [`tie_to_us`] made for the child with this id.
///
/// To be called while the child is not yet waited for, so that the id cannot have been reused.
pub(crate) fn kill_group(id: u32) {
    // Never 0, which would be our own group, and never a number that turns positive when negated.
    let Some(group) = i32::try_from(id).ok().filter(|&id| id > 1) else { return };
    // SAFETY: `kill` touches no memory; the group is one that we made. An error means that it is
    // gone, as it should be.
    unsafe { libc::kill(-group, libc::SIGKILL) };
}
