//! This machine: everything in one process, on its threads.

use std::collections::BTreeSet;

use super::{Came, Engine, EngineError, Work};
use crate::artifacts::ArtifactError;
use crate::run::ExperimentContext;
use treebound_parser::cell::CellKey;

/// This machine.
#[derive(Clone, Copy, Debug)]
pub struct Local;

impl Engine for Local {
    fn prepare(&self, context: &mut ExperimentContext, cells: &BTreeSet<CellKey>) -> Result<(), ArtifactError> {
        let config = context.config;
        // Before anything that takes time.
        context.check_decoders(|cell| cells.contains(&cell.key(config)))?;
        context.prepare_cells(|cell| cells.contains(&cell.key(config)))
    }

    fn run(&self, work: Work) -> Result<Came, EngineError> {
        Ok(Came::Rows(work.context.run(|cell| work.wants(cell), work.progress, work.finished)))
    }
}
