// SPDX-License-Identifier: GPL-3.0-or-later
//! How engines are started, and how their lives are tied to ours.
//!
//! The one file of this crate with `unsafe` code: the standard library offers neither signals to
//! process groups nor the request to be killed when the parent dies. On systems without them, an
//! engine is only killed when it is dropped.
#![cfg_attr(
    unix,
    expect(unsafe_code, reason = "system calls that the standard library does not wrap")
)]

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lets an engine find the programs beside it, and die with us.
pub fn prepare(command: &mut Command) {
    if let Some(path) = path_with_folder_of(command) {
        command.env("PATH", path);
    }
    tie_to_us(command);
}

/// Our `PATH` and, after everything else, the folder of a program that was given with its folder.
///
/// Some engines are several programs: `/usr/games/gnuchess --uci` starts `gnuchess` by its name,
/// which fails where `/usr/games` is not in `PATH`.
fn path_with_folder_of(command: &Command) -> Option<OsString> {
    let folder = Path::new(command.get_program()).parent()?;
    if !folder.is_absolute() {
        return None;
    }
    let old = env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = env::split_paths(&old).collect();
    if folders.iter().any(|known| known == folder) {
        return None;
    }
    folders.push(folder.to_owned());
    // A folder whose name holds the separator cannot be in `PATH`.
    env::join_paths(folders).ok()
}

/// Lets the command start in a process group of its own and die with us, also when we are killed.
///
/// The kernel watches the *thread* that starts the process, not the whole program, so that thread
/// must live at least as long as the engine is needed.
#[cfg(unix)]
fn tie_to_us(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    command.process_group(0);
    #[cfg(target_os = "linux")]
    {
        let parent = std::process::id();
        let die_with_parent = move || {
            // SAFETY: `prctl` with these arguments reads and writes no memory of ours.
            if unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } != 0 {
                return Err(std::io::Error::last_os_error());
            }
            // SAFETY: `getppid` has no preconditions and cannot fail.
            let is_orphan = unsafe { libc::getppid() } as u32 != parent;
            // The parent may have died before the request was made.
            if is_orphan { Err(std::io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
        };
        // SAFETY: between fork and exec the closure only makes two async-signal-safe system calls
        // and neither allocates, locks nor touches anything but its own copy of `parent`.
        unsafe { command.pre_exec(die_with_parent) };
    }
}

#[cfg(not(unix))]
fn tie_to_us(_: &mut Command) {}

/// Kills all processes of the group that [`prepare`] made for the child with this id.
///
/// To be called while the child is not yet waited for, so that the id cannot have been reused.
#[cfg(unix)]
pub fn kill_group(id: u32) {
    // Never 0, which would be our own group, and never a number that turns positive when negated.
    let Some(group) = i32::try_from(id).ok().filter(|&id| id > 1) else { return };
    // SAFETY: `kill` touches no memory; the group is one that we made. An error means that it is
    // gone, as it should be.
    unsafe { libc::kill(-group, libc::SIGKILL) };
}

/// There are no groups; the client that is about to be dropped kills the one process.
#[cfg(not(unix))]
pub fn kill_group(_: u32) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_folder_is_searched_last() {
        let path = |program: &str| path_with_folder_of(&Command::new(program));
        let folders = |program: &str| -> Vec<PathBuf> {
            env::split_paths(&path(program).expect("another PATH")).collect()
        };
        assert_eq!(folders("/no/such folder/engine").last(), Some(&"/no/such folder".into()));
        assert_eq!(path("engine"), None);
        let known = env::split_paths(&env::var_os("PATH").unwrap()).next().unwrap();
        assert_eq!(path(&known.join("engine").display().to_string()), None);
    }
}
