//! Processes that this one starts: they end with it, however it ends.

use std::process::Command;

/// Lets a command end as soon as this process does, also when that is killed, and lets no file that it writes grow beyond
/// `most_bytes`. Where the system knows no such thing, nothing happens.
pub fn end_with_parent(command: &mut Command, most_bytes: Option<u64>) {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;

        use rustix::process::{Resource, Rlimit, Signal, getpid, getppid, getrlimit, setrlimit};

        let parent = getpid();
        let begin = move || {
            rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
            // It may have ended before it could be told of.
            if getppid() != Some(parent) {
                return Err(rustix::io::Errno::SRCH.into());
            }
            if let Some(most) = most_bytes {
                let before = getrlimit(Resource::Fsize);
                let current = before.current.map_or(most, |before| before.min(most));
                setrlimit(Resource::Fsize, Rlimit { current: Some(current), ..before })?;
            }
            Ok(())
        };
        // SAFETY: between fork and exec only system calls are made, and nothing is allocated.
        unsafe {
            command.pre_exec(begin);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (command, most_bytes);
}

/// Ends all processes that work in a folder or have it as their home, also those that left the group of the command which
/// started them.
pub fn end_all_within(folder: &std::path::Path) {
    #[cfg(target_os = "linux")]
    {
        use std::fs;

        use rustix::process::{Pid, Signal, kill_process};

        let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let home = [b"HOME=", folder.as_os_str().as_encoded_bytes()].concat();
        let is_within = |number: i32| {
            let has_home = |all: Vec<u8>| all.split(|&byte| byte == 0).any(|variable| variable == home);
            fs::read_link(format!("/proc/{number}/cwd")).is_ok_and(|place| place.starts_with(&whole))
                || fs::read(format!("/proc/{number}/environ")).is_ok_and(has_home)
        };
        // What is ended may have started another one just before.
        for _ in 0..SWEEPS {
            let all = fs::read_dir("/proc").into_iter().flatten().flatten();
            let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
            let others = numbers.filter(|&number| number.cast_unsigned() != std::process::id());
            let within: Vec<i32> = others.filter(|&number| is_within(number)).collect();
            if within.is_empty() {
                break;
            }
            for pid in within.into_iter().filter_map(Pid::from_raw) {
                // One that has ended already is no fault.
                let _ = kill_process(pid, Signal::KILL);
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = folder;
}

/// How often it is looked for processes that are still there.
#[cfg(target_os = "linux")]
const SWEEPS: usize = 100;
