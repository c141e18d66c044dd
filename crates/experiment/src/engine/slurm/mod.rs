//! A cluster that runs Slurm: an array task an artifact.
//!
//! Tasks of one kind that need as much time and memory are a job array. An array waits for those that make what its tasks need, and
//! after all comes a job that puts the rows into the results. What an array task does is what anybody may type: `run` with
//! `--artifact`, which makes one artifact and keeps it in the cache, on a folder that all nodes see. So a task that is killed costs
//! itself alone; who runs again submits what is missing and neither waits nor runs.
//!
//! What was submitted stands in the cache, in `slurm/NAME/`: for each time a folder with the scripts, the tasks of each array, the
//! number of its job and, later, what the tasks say.

mod ask;
mod queue;
mod script;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{Came, Engine, EngineError, Work};
use crate::artifacts::ArtifactError;
use crate::config::EngineSettings;
use crate::lock::{Lock, LockError};
use crate::run::ExperimentContext;
use crate::store::Key;
use crate::tasks::{Stage, Tasks};
use crate::times::known::KnownTimes;
use treebound_parser::cell::CellKey;

pub use self::script::Script;
use ask::Ask;

/// Why Slurm does not take work.
#[derive(Debug, Error)]
pub enum SlurmError {
    /// A program of Slurm cannot be started.
    #[error("cannot start {program}: {source}; is Slurm on this machine?")]
    Start {
        /// The program.
        program: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// A program of Slurm failed.
    #[error("{program} failed: {said}")]
    Failed {
        /// The program.
        program: String,
        /// What it said.
        said: String,
    },
    /// Something cannot be written.
    #[error("{}: cannot write the file: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Somebody else submits at this moment.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// A name that no script can have.
    #[error("{0:?}: a script for Slurm cannot name a path with such a character")]
    Path(String),
}

/// A job that was submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// What it makes, such as `models-1`.
    pub name: String,
    /// Its number.
    pub id: u64,
    /// Its tasks; none if it is no array.
    pub tasks: Option<usize>,
}

/// The command lines of jobs.
#[derive(Clone, Debug)]
pub struct Commands {
    /// Makes one artifact: `--artifact` and `--log` follow.
    pub artifact: String,
    /// Puts rows into the results.
    pub collate: String,
    /// Says who submits.
    pub own: String,
}

/// A cluster.
#[derive(Debug)]
pub struct Slurm<'a> {
    /// What the config says of it.
    pub settings: &'a EngineSettings,
    /// The command lines of jobs.
    pub commands: Commands,
    /// The times of earlier artifacts.
    pub times: &'a KnownTimes,
}

/// An array that is to be submitted.
#[derive(Debug)]
struct Array {
    name: String,
    ask: Ask,
    /// Places of tasks.
    tasks: Vec<usize>,
    /// Arrays that it waits for, by their places.
    after: BTreeSet<usize>,
    /// Jobs of earlier submissions that it waits for.
    after_jobs: BTreeSet<u64>,
}

/// What is to be submitted, and what is waited for.
struct Submission {
    arrays: Vec<Array>,
    /// Jobs of earlier submissions that make some of what is wanted.
    waiting: BTreeSet<u64>,
}

/// The folder of what is submitted of an experiment.
fn folder_of(context: &ExperimentContext) -> PathBuf {
    context.builder.store.folder().join("slurm").join(&context.config.name)
}

/// The log of the task that was submitted last for an artifact, if one was.
pub(super) fn log(context: &ExperimentContext, key: &Key) -> Option<PathBuf> {
    queue::log(&folder_of(context), &key.to_string())
}

impl Slurm<'_> {
    /// The tasks whose artifacts are missing, as arrays; `queued` are tasks that wait or run, by key, with their jobs.
    fn submission(
        &self,
        context: &ExperimentContext,
        tasks: &Tasks,
        queued: &BTreeMap<String, u64>,
        tries: &BTreeMap<String, u32>,
        longest: usize,
    ) -> Submission {
        let store = context.builder.store;
        let (mut depths, mut waiting) = (BTreeMap::new(), BTreeSet::new());
        let mut groups: BTreeMap<(usize, Stage, Ask), Vec<usize>> = BTreeMap::new();
        for (place, task) in tasks.all.iter().enumerate().filter(|(_, task)| !store.has(&task.key)) {
            let key = task.key.to_string();
            if let Some(&job) = queued.get(&key) {
                waiting.insert(job);
                continue;
            }
            let depth = task.needs.iter().filter_map(|need| depths.get(need)).max().map_or(0, |depth| depth + 1);
            depths.insert(place, depth);
            let ask = Ask::of(self.times.most(&task.kind, task.words), tries.get(&key).copied().unwrap_or_default());
            groups.entry((depth, task.stage, ask)).or_default().push(place);
        }
        let mut arrays: Vec<Array> = Vec::new();
        let mut counts: BTreeMap<Stage, usize> = BTreeMap::new();
        let mut made_by: BTreeMap<usize, usize> = BTreeMap::new();
        for ((_, stage, ask), places) in groups {
            for tasks_of in places.chunks(longest.max(1)) {
                let count = counts.entry(stage).or_default();
                *count += 1;
                let needs = || tasks_of.iter().flat_map(|&place| &tasks.all[place].needs);
                made_by.extend(tasks_of.iter().map(|&place| (place, arrays.len())));
                arrays.push(Array {
                    name: format!("{}-{count}", stage.name()),
                    ask,
                    tasks: tasks_of.to_vec(),
                    after: needs().filter_map(|need| made_by.get(need)).copied().collect(),
                    after_jobs: needs()
                        .filter_map(|&need| queued.get(&tasks.all[need].key.to_string()))
                        .copied()
                        .collect(),
                });
            }
        }
        Submission { arrays, waiting }
    }

    /// The scripts that would be submitted now, if nothing waits or runs; nothing is submitted.
    ///
    /// # Errors
    /// If the key of an artifact cannot be found out.
    pub fn scripts(&self, context: &ExperimentContext, tasks: &Tasks) -> Result<Vec<Script>, SlurmError> {
        let folder = folder_of(context);
        let tries = queue::tries(&folder);
        let submission = self.submission(context, tasks, &BTreeMap::new(), &tries, queue::USUAL_LONGEST);
        let folder = queue::next_folder(&folder);
        let mut scripts = Vec::new();
        for array in &submission.arrays {
            let after: Vec<&str> = array.after.iter().map(|&at| &*submission.arrays[at].name).collect();
            scripts.push(self.array_script(context, &folder, array)?.with_note(&after));
        }
        let after: Vec<&str> = submission.arrays.iter().map(|array| &*array.name).collect();
        scripts.push(self.collate_script(context, &folder)?.with_note(&after));
        Ok(scripts)
    }

    fn array_script(&self, context: &ExperimentContext, folder: &Path, array: &Array) -> Result<Script, SlurmError> {
        script::array(&script::ArrayOf {
            experiment: &context.config.name,
            name: &array.name,
            folder,
            tasks: array.tasks.len(),
            ask: array.ask,
            settings: self.settings,
            command: &self.commands.artifact,
        })
    }

    fn collate_script(&self, context: &ExperimentContext, folder: &Path) -> Result<Script, SlurmError> {
        script::collate(&context.config.name, folder, self.settings, &self.commands.collate)
    }

    fn submit(&self, context: &ExperimentContext, tasks: &Tasks) -> Result<Vec<Job>, SlurmError> {
        let above = folder_of(context);
        // Who submits at the same time would submit the same.
        let _lock = Lock::take(&above, &self.commands.own, |_| false)?;
        let queued = queue::queued(&above)?;
        let submission = self.submission(context, tasks, &queued, &queue::tries(&above), queue::longest()?);
        let folder = queue::make_folder(&above)?;
        let mut jobs: Vec<Job> = Vec::new();
        for array in &submission.arrays {
            let script = self.array_script(context, &folder, array)?;
            let lines = array.tasks.iter().map(|&place| {
                let task = &tasks.all[place];
                let corpus = &context.config.corpora[task.corpus()].name;
                format!("{corpus}/{}\t{}\n", task.key, task.full_name())
            });
            let file = |ending: &str| folder.join(format!("{}.{ending}", array.name));
            queue::write(&file(queue::TASKS), &lines.collect::<String>())?;
            let after = array.after.iter().map(|&at| jobs[at].id).chain(array.after_jobs.iter().copied());
            let id = queue::submit(&script, &file("sh"), after)?;
            queue::write(&file(queue::JOB), &format!("{id}\n"))?;
            jobs.push(Job { name: array.name.clone(), id, tasks: Some(array.tasks.len()) });
        }
        let after = jobs.iter().map(|job| job.id).chain(submission.waiting.iter().copied());
        let (name, script) = ("collate", self.collate_script(context, &folder)?);
        let id = queue::submit(&script, &folder.join("collate.sh"), after)?;
        jobs.push(Job { name: name.to_owned(), id, tasks: None });
        Ok(jobs)
    }
}

impl Engine for Slurm<'_> {
    fn prepare(&self, _: &mut ExperimentContext, _: &BTreeSet<CellKey>) -> Result<(), ArtifactError> {
        Ok(())
    }

    fn run(&self, work: Work) -> Result<Came, EngineError> {
        Ok(Came::Jobs(self.submit(work.context, &work.tasks()?)?))
    }
}
