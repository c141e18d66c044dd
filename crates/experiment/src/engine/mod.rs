//! Engines: where the artifacts of a run are made.
//!
//! [`Local`](local::Local) makes them here, on the threads of this process. [`Slurm`](slurm::Slurm) has them made by a cluster,
//! an array task an artifact. [`Shard`](shard::Shard) makes a share of them, for any other scheduler, and
//! [`Stored`](stored::Stored) takes what others have made and makes nothing. All keep artifacts in one store under the same keys,
//! so that one engine goes on where another stopped, and results have the same bytes whoever made what.

pub mod attempts;
pub mod local;
pub mod shard;
pub mod slurm;
pub mod stored;
pub mod workers;

use std::collections::BTreeSet;

use super::artifacts::ArtifactError;
use super::cell::Cell;
use super::outcome::{CellResult, Outcome, TrainingResult};
use super::progress::Progress;
use super::run::ExperimentContext;
use super::tasks::Tasks;
use treebound_parser::cell::CellKey;

pub use slurm::SlurmError;
pub use workers::Worked;

/// What an engine is asked for.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// The experiment.
    pub context: &'a ExperimentContext<'a>,
    /// The cells that are wanted.
    pub cells: &'a BTreeSet<CellKey>,
    /// Who is told how it goes on.
    pub progress: &'a Progress,
    /// Who hears of each training run whose cells are done, if they are done here.
    pub finished: &'a (dyn Fn(&TrainingResult, &[CellResult]) + Sync),
}

impl Work<'_> {
    /// Whether a cell is wanted.
    pub fn wants(&self, cell: &Cell) -> bool {
        self.cells.contains(&cell.key(self.context.config))
    }

    /// The tasks that make the wanted cells.
    ///
    /// # Errors
    /// If the key of an artifact cannot be found out.
    pub fn tasks(&self) -> Result<Tasks, ArtifactError> {
        Tasks::new(self.context, |cell| self.wants(cell))
    }
}

/// What came of work.
#[derive(Debug)]
pub enum Came {
    /// Rows, to be put into the results.
    Rows(Outcome),
    /// Artifacts in the store, and no rows.
    Artifacts(Worked),
    /// Jobs of a cluster, which will make artifacts and rows.
    Jobs(Vec<slurm::Job>),
}

/// Why work was not done.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The artifacts cannot be found out.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// The cluster does not take it.
    #[error(transparent)]
    Slurm(#[from] SlurmError),
}

/// Where artifacts are made.
pub trait Engine: Sync {
    /// Reads what the engine itself needs of the data of some cells.
    ///
    /// # Errors
    /// If that cannot be used.
    fn prepare(&self, context: &mut ExperimentContext, cells: &BTreeSet<CellKey>) -> Result<(), ArtifactError>;

    /// Has the artifacts of some cells made.
    ///
    /// # Errors
    /// If nothing can be done; what fails of a single artifact is part of what comes of the work.
    fn run(&self, work: Work) -> Result<Came, EngineError>;

    /// This process is asked to stop: lets go of what it has begun.
    fn stop(&self) {}
}
