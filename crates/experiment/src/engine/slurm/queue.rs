//! What was submitted to Slurm, and what of it waits or runs.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use super::SlurmError;
use super::script::Script;
use treebound_files::{input, replace_whole};

/// Endings of the files of an array: its tasks, a line each, and the number of its job.
pub(super) const TASKS: &str = "tasks";
pub(super) const JOB: &str = "job";

/// Tasks that an array may have if Slurm does not say.
pub(super) const USUAL_LONGEST: usize = 1001;

/// How often, ever later, a controller is asked that does not answer, as one that is being restarted.
const TRIES: u32 = 6;

/// What programs of Slurm say then.
const NO_ANSWER: [&str; 4] =
    ["Unable to contact slurm controller", "Socket timed out", "Connection refused", "temporarily"];

/// Runs a program of Slurm.
fn slurm(program: &'static str, arguments: &[String]) -> Result<String, SlurmError> {
    let (mut tries, mut wait) = (0, Duration::from_secs(1));
    loop {
        let output = Command::new(program).args(arguments).stdin(Stdio::null()).output();
        let Output { status, stdout, stderr } = output.map_err(|source| SlurmError::Start { program, source })?;
        if status.success() {
            return Ok(String::from_utf8_lossy(&stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&stderr).trim().to_owned();
        tries += 1;
        if tries >= TRIES || !NO_ANSWER.iter().any(|words| said.contains(words)) {
            return Err(SlurmError::Failed { program: format!("{program} {}", arguments.join(" ")), said });
        }
        std::thread::sleep(wait);
        wait *= 2;
    }
}

/// Submits a script, to begin when some jobs have ended, however they did. Returns the number of its job.
pub(super) fn submit(script: &Script, path: &Path, after: impl Iterator<Item = u64>) -> Result<u64, SlurmError> {
    write(path, &script.text)?;
    let after: Vec<String> = after.map(|id| format!(":{id}")).collect();
    let mut arguments = vec!["--parsable".to_owned()];
    if !after.is_empty() {
        arguments.push(format!("--dependency=afterany{}", after.concat()));
    }
    arguments.push(path.to_str().ok_or_else(|| SlurmError::Path(path.display().to_string()))?.to_owned());
    let said = slurm("sbatch", &arguments)?;
    // On federated clusters the name of the cluster follows.
    let id = said.trim().split(';').next().and_then(|id| id.parse().ok());
    id.ok_or_else(|| SlurmError::Failed { program: "sbatch".to_owned(), said })
}

/// How many tasks an array may have.
pub(super) fn longest() -> Result<usize, SlurmError> {
    let said = slurm("scontrol", &["show".to_owned(), "config".to_owned()])?;
    let value = said.lines().find_map(|line| line.strip_prefix("MaxArraySize")?.split('=').nth(1)?.trim().parse().ok());
    Ok(value.unwrap_or(USUAL_LONGEST))
}

/// The tasks of earlier submissions that wait or run, by key, with the numbers of their jobs.
pub(super) fn queued(folder: &Path) -> Result<BTreeMap<String, u64>, SlurmError> {
    let arrays = arrays(folder);
    if arrays.is_empty() {
        return Ok(BTreeMap::new());
    }
    let arguments = ["--me", "--noheader", "--array", "--format=%F %K %T"].map(str::to_owned);
    Ok(alive(&slurm("squeue", &arguments)?, &arrays))
}

/// Of the tasks of arrays those that are among the lines of `squeue`.
fn alive(lines: &str, arrays: &[Array]) -> BTreeMap<String, u64> {
    let mut alive = BTreeMap::new();
    for line in lines.lines() {
        let mut words = line.split_whitespace();
        let (job, index) =
            (words.next().and_then(|job| job.parse().ok()), words.next().and_then(|i| i.parse::<usize>().ok()));
        // One whose end is being worked up makes nothing any more.
        if words.next().is_none_or(|state| state == "COMPLETING") {
            continue;
        }
        let Some((job, index)) = job.zip(index) else { continue };
        let keys = arrays.iter().filter(|array| array.id == Some(job)).filter_map(|array| array.keys.get(index));
        alive.extend(keys.map(|key| (key.clone(), job)));
    }
    alive
}

/// How often each task was submitted, by key.
pub(super) fn tries(folder: &Path) -> BTreeMap<String, u32> {
    let mut tries = BTreeMap::new();
    for key in arrays(folder).into_iter().flat_map(|array| array.keys) {
        *tries.entry(key).or_default() += 1;
    }
    tries
}

/// The log of the task that was submitted last for an artifact, if one was.
pub(super) fn log(folder: &Path, key: &str) -> Option<PathBuf> {
    let arrays = arrays(folder);
    let newest = arrays.iter().rev().filter(|array| array.id.is_some());
    let at = |array: &Array| Some((array.keys.iter().position(|own| own == key)?, array.tasks.clone()));
    let (index, tasks) = newest.filter_map(at).next()?;
    Some(tasks.with_extension(format!("{index}.log")))
}

/// An array of an earlier submission.
struct Array {
    /// The file of its tasks.
    tasks: PathBuf,
    /// The number of its job, if it was submitted.
    id: Option<u64>,
    /// The keys of its tasks.
    keys: Vec<String>,
}

/// The arrays of earlier submissions, oldest first.
fn arrays(folder: &Path) -> Vec<Array> {
    let mut arrays = Vec::new();
    for number in numbers(folder) {
        for entry in fs::read_dir(folder.join(number.to_string())).into_iter().flatten().flatten() {
            let tasks = entry.path();
            if tasks.extension().is_none_or(|ending| ending != TASKS) {
                continue;
            }
            let text = input::read_settings(&tasks).unwrap_or_default();
            let key = |line: &str| Some(line.split('\t').next()?.rsplit('/').next()?.to_owned());
            let id = input::read_settings(&tasks.with_extension(JOB)).ok().and_then(|id| id.trim().parse().ok());
            arrays.push(Array { tasks, id, keys: text.lines().filter_map(key).collect() });
        }
    }
    arrays
}

/// The numbers of the folders of submissions.
fn numbers(folder: &Path) -> Vec<u64> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut numbers: Vec<u64> = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    numbers.sort_unstable();
    numbers
}

/// The folder that the next submission has.
pub(super) fn next_folder(folder: &Path) -> PathBuf {
    folder.join((numbers(folder).last().copied().unwrap_or_default() + 1).to_string())
}

/// Makes the folder of a submission.
pub(super) fn make_folder(folder: &Path) -> Result<PathBuf, SlurmError> {
    let path = next_folder(folder);
    match fs::create_dir_all(folder).and_then(|()| fs::create_dir(&path)) {
        Ok(()) => Ok(path),
        Err(source) => Err(SlurmError::Write { path, source }),
    }
}

pub(super) fn write(path: &Path, text: &str) -> Result<(), SlurmError> {
    let written: io::Result<()> = replace_whole(path, |out: &mut dyn Write| out.write_all(text.as_bytes()));
    written.map_err(|source| SlurmError::Write { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_or_runs_is_not_submitted_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        };
        write("1/models-1.tasks", "made/model-a\tA, seed 1\nmade/model-b\tB\n");
        write("1/models-1.job", "7\n");
        write("2/models-1.tasks", "made/model-b\tB\nmade/model-c\tC\nmade/model-d\tD\n");
        write("2/models-1.job", "9\n");
        // Not submitted.
        write("3/models-1.tasks", "made/model-b\tB\n");
        let lines = "7 1 COMPLETING\n9 0 PENDING\n9 1 RUNNING\n11 0 RUNNING\n7 N/A RUNNING\n\n";
        let alive = alive(lines, &arrays(folder.path()));
        assert_eq!(alive, BTreeMap::from([("model-b".to_owned(), 9), ("model-c".to_owned(), 9)]));
        assert_eq!(tries(folder.path()).get("model-b"), Some(&3));
        assert_eq!(log(folder.path(), "model-b"), Some(folder.path().join("2/models-1.0.log")));
        assert_eq!(log(folder.path(), "model-e"), None);
        assert_eq!(next_folder(folder.path()), folder.path().join("4"));
    }
}
