//! Running a command: no shell, an environment and a folder of its own, a limit on its time.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use thiserror::Error;

use crate::child::{end_all_within, end_with_parent};
use treebound_core::shown::escaped;
use treebound_files::input;

/// The file that a command's standard output goes to.
pub(super) const STDOUT: &str = "stdout";
/// The file that its standard error goes to.
pub(super) const STDERR: &str = "stderr";

/// The commands that are running, so that they can be ended with the process that runs them.
#[derive(Debug, Default)]
pub(super) struct Running(Mutex<Groups>);

#[derive(Debug, Default)]
struct Groups {
    /// By number, with their folders.
    commands: BTreeMap<u32, PathBuf>,
    /// Nothing starts after the end.
    is_over: bool,
}

impl Running {
    fn groups(&self) -> MutexGuard<'_, Groups> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a command. Nobody can end all commands between its start and its being known here.
    fn start(&self, command: &mut Command, folder: &Path) -> io::Result<Child> {
        let mut groups = self.groups();
        if groups.is_over {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "all commands are ended"));
        }
        let child = command.spawn()?;
        groups.commands.insert(child.id(), folder.to_owned());
        Ok(child)
    }

    /// Ends a command, if it is still running, and whatever it started.
    fn end(&self, id: u32) {
        let ended = {
            let mut groups = self.groups();
            group::end(id);
            groups.commands.remove(&id)
        };
        if let Some(folder) = ended {
            end_all_within(&folder);
        }
    }

    /// Ends all commands, those that run and those that would be started.
    pub(super) fn end_all(&self) {
        let mut groups = self.groups();
        groups.is_over = true;
        groups.commands.keys().for_each(|&id| group::end(id));
        groups.commands.values().for_each(|folder| end_all_within(folder));
    }
}

/// How a command failed.
#[derive(Debug, Error)]
pub enum CommandFault {
    /// There is no word in it.
    #[error("is empty")]
    Empty,
    /// The command cannot be started.
    #[error("cannot be started: {0}")]
    Start(io::Error),
    /// The command did not end in time.
    #[error("was still running after {} s (time_limit_s) and was ended", .0.as_secs())]
    Time(Duration),
    /// The command wrote a file beyond the bound.
    #[error("wrote a file of more than {} MiB, which is the most that it may, and was ended", .0 >> 20)]
    Size(u64),
    /// The command ended badly.
    #[error("ended with {status}{}", said(.last_words))]
    Status {
        /// How.
        status: ExitStatus,
        /// The end of what it said on standard error.
        last_words: String,
    },
}

fn said(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!("; it said: {}", escaped(words)) }
}

/// Most characters of a command's last words.
const LAST_WORDS: usize = 300;

/// What a command may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Time.
    pub time: Duration,
    /// Bytes of each file that it writes, of its output too.
    pub bytes: u64,
}

/// Runs a command in `folder`, where its output is kept in files, so that it never waits for a reader.
///
/// # Errors
/// If it cannot be started, does not keep its bounds, or ends badly.
pub(super) fn run(
    words: &[String],
    folder: &Path,
    environment: &BTreeMap<String, String>,
    bounds: Bounds,
    running: &Running,
) -> Result<(), CommandFault> {
    let (program, arguments) = words.split_first().ok_or(CommandFault::Empty)?;
    let file = |name| File::create(folder.join(name)).map_err(CommandFault::Start);
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .env("HOME", folder)
        .envs(environment)
        .stdin(Stdio::null())
        .stdout(file(STDOUT)?)
        .stderr(file(STDERR)?);
    group::of_its_own(&mut command);
    end_with_parent(&mut command, Some(bounds.bytes));
    let mut child = running.start(&mut command, folder).map_err(CommandFault::Start)?;
    let id = child.id();
    // Waiting in a thread of its own keeps the time exact: there is nothing to poll.
    let (tell, told) = mpsc::channel();
    let waiter = thread::spawn(move || {
        let _ = tell.send(child.wait());
    });
    let ended = told.recv_timeout(bounds.time);
    // Whatever it started must not outlive it.
    running.end(id);
    let _ = waiter.join();
    let status = match ended {
        Ok(status) => status.map_err(CommandFault::Start)?,
        Err(_) => return Err(CommandFault::Time(bounds.time)),
    };
    if has_written_too_much(folder, bounds.bytes) {
        return Err(CommandFault::Size(bounds.bytes));
    }
    if status.success() {
        return Ok(());
    }
    Err(CommandFault::Status { status, last_words: last_words(&folder.join(STDERR)).unwrap_or_default() })
}

/// Whether some file there has reached the bound, whichever way the command took that.
fn has_written_too_much(folder: &Path, most: u64) -> bool {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|entry| entry.metadata().ok()).any(|file| file.is_file() && file.len() >= most)
}

/// The end of what a command said.
fn last_words(path: &Path) -> io::Result<String> {
    let mut file = input::open(path)?;
    // A character has at most four bytes; blanks between words are made one.
    let size = file.metadata()?.len();
    file.seek(SeekFrom::Start(size.saturating_sub(16 * LAST_WORDS as u64)))?;
    let mut text = Vec::new();
    file.take(16 * LAST_WORDS as u64).read_to_end(&mut text)?;
    let text = String::from_utf8_lossy(&text).split_whitespace().collect::<Vec<_>>().join(" ");
    let skipped = text.chars().count().saturating_sub(LAST_WORDS);
    Ok(text.chars().skip(skipped).collect())
}

/// A command with all that it starts is a process group, so that all of it can be ended.
#[cfg(unix)]
mod group {
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use rustix::process::{Pid, Signal, kill_process_group};

    pub fn of_its_own(command: &mut Command) {
        command.process_group(0);
    }

    pub fn end(id: u32) {
        if let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) {
            // A group that has ended already is no fault.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &[&str]) -> Vec<String> {
        command.iter().map(ToString::to_string).collect()
    }

    fn run_here(command: &[&str], limit: Duration) -> (tempfile::TempDir, Result<(), CommandFault>) {
        let folder = tempfile::tempdir().expect("a folder");
        let result = run(&words(command), folder.path(), &BTreeMap::new(), bounds(limit), &Running::default());
        (folder, result)
    }

    fn bounds(time: Duration) -> Bounds {
        Bounds { time, bytes: 1 << 20 }
    }

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn what_a_command_says_is_kept_and_its_environment_is_its_own() {
        let (folder, result) = run_here(&["env"], LONG);
        result.expect("it ends well");
        let text = fs::read_to_string(folder.path().join(STDOUT)).expect("output");
        let mut names: Vec<_> = text.lines().filter_map(|line| line.split_once('=')).map(|v| v.0).collect();
        names.sort_unstable();
        assert_eq!(names, ["HOME", "PATH"]);
    }

    #[test]
    fn commands_that_fail_say_how() {
        let fault = |command: &[&str]| run_here(command, LONG).1.expect_err("it fails").to_string();
        assert!(fault(&["a-program-that-is-not-there"]).starts_with("cannot be started: "));
        assert_eq!(fault(&["sh", "-c", "echo no good >&2; exit 3"]), "ended with exit status: 3; it said: no good");
        assert_eq!(fault(&[]), "is empty");
    }

    #[test]
    fn nothing_starts_after_the_end() {
        let (folder, running) = (tempfile::tempdir().expect("a folder"), Running::default());
        running.end_all();
        let result = run(&words(&["touch", "began"]), folder.path(), &BTreeMap::new(), bounds(LONG), &running);
        assert!(matches!(result, Err(CommandFault::Start(_))) && !folder.path().join("began").exists());
    }

    #[test]
    fn a_command_that_hangs_is_ended_with_all_that_it_started() {
        let started = std::time::Instant::now();
        let (_, result) = run_here(&["sh", "-c", "sleep 60 & wait"], Duration::from_millis(200));
        assert!(matches!(result, Err(CommandFault::Time(_))));
        assert!(started.elapsed() < Duration::from_secs(30), "it is not waited for");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_left_its_group_is_ended_too() {
        let left = "setsid sh -c 'while :; do sleep 0.01; done; touch outlived' & echo $!";
        for (command, limit) in [(format!("{left}; sleep 60"), Duration::from_millis(300)), (left.to_owned(), LONG)] {
            let (folder, result) = run_here(&["sh", "-c", &command], limit);
            assert_eq!(result.is_ok(), limit == LONG);
            let number = fs::read_to_string(folder.path().join(STDOUT)).expect("output");
            let is_there = Path::new("/proc").join(number.trim()).join("cwd").read_link().is_ok();
            assert!(!number.is_empty() && !is_there, "{command}: {number}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn no_file_grows_beyond_the_bound() {
        for command in ["yes", "yes >&2", "yes > model", "trap '' XFSZ; yes > model"] {
            let (folder, result) = run_here(&["sh", "-c", command], LONG);
            assert!(matches!(result, Err(CommandFault::Size(_))), "{command}: {result:?}");
            let sizes =
                fs::read_dir(folder.path()).expect("there").flatten().map(|e| e.metadata().expect("a file").len());
            assert!(sizes.max() <= Some(1 << 20), "{command}");
        }
    }
}
