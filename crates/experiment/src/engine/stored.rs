//! What others have made: rows are taken from the store, and nothing is made. A cell that lacks an artifact has a row that says why.

use std::collections::{BTreeMap, BTreeSet};

use super::attempts::Attempts;
use super::workers::missing;
use super::{Came, Engine, EngineError, Work};
use crate::artifacts::ArtifactError;
use crate::cell::{Cell, cells};
use crate::outcome::CellResult;
use crate::run::ExperimentContext;
use crate::tasks::Tasks;
use treebound_parser::cell::CellKey;

/// What others have made.
#[derive(Clone, Copy, Debug)]
pub struct Stored;

/// Of some cells those that lack an artifact, each with the place of the task of its rows.
fn lacking(tasks: &Tasks, context: &ExperimentContext) -> Vec<(CellKey, usize)> {
    let store = context.builder.store;
    let mut is_whole: Vec<bool> = Vec::new();
    for task in &tasks.all {
        is_whole.push(store.has_now(&task.key) && task.needs.iter().all(|&need| is_whole[need]));
    }
    tasks.cells.iter().filter(|(_, place)| !is_whole[*place]).cloned().collect()
}

impl Engine for Stored {
    fn prepare(&self, context: &mut ExperimentContext, wanted: &BTreeSet<CellKey>) -> Result<(), ArtifactError> {
        context.builder.make_nothing();
        let config = context.config;
        let tasks = Tasks::new(context, |cell| wanted.contains(&cell.key(config)))?;
        let lacking: BTreeSet<CellKey> = lacking(&tasks, context).into_iter().map(|(cell, _)| cell).collect();
        context.prepare_cells(|cell| {
            let key = cell.key(config);
            wanted.contains(&key) && !lacking.contains(&key)
        })
    }

    fn run(&self, work: Work) -> Result<Came, EngineError> {
        let (context, tasks) = (work.context, work.tasks()?);
        let store = context.builder.store;
        let attempts = Attempts::new(store);
        tasks.all.iter().filter(|task| store.has(&task.key)).for_each(|task| attempts.found(&task.key));
        let mut without = BTreeSet::new();
        let mut results = Vec::new();
        let keyed = |cell: Cell| (cell.key(context.config), cell);
        let all: BTreeMap<CellKey, Cell> = cells(context.config).into_iter().map(keyed).collect();
        for (key, place) in lacking(&tasks, context) {
            // In cross-validation the first fold says why.
            if let Some(cell) = all.get(&key)
                && without.insert(key)
            {
                let rows = Err(missing(&tasks, place, context, &attempts));
                results.push(CellResult { cell: cell.clone(), rows });
            }
        }
        let is_whole = |cell: &Cell| work.wants(cell) && !without.contains(&cell.key(context.config));
        let mut outcome = context.run(is_whole, work.progress, work.finished);
        outcome.cells.extend(results);
        Ok(Came::Rows(outcome))
    }
}
