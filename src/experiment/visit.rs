//! Going through cells one after the other with the parser of each: for what is measured outside the parallel run.

use super::cell::{Cell, TrainingRun, cells_of, training_runs};
use super::pieces::{PieceError, Pruned, Trained, search};
use super::run::Laboratory;
use crate::parser::Parser;

/// A cell with what its parser is made of.
#[derive(Clone, Copy, Debug)]
pub struct Visited<'a> {
    /// The cell.
    pub cell: &'a Cell,
    /// Its pruner.
    pub pruned: &'a Pruned,
    /// Its model.
    pub trained: &'a Trained,
    /// The parser made of them.
    pub parser: Parser<'a>,
}

/// Calls `visit` for every cell that `wanted` lets through, in the order of training runs. Pruners and models come from the
/// store where they are there, and are trained otherwise.
///
/// # Errors
/// Those of `visit`, and what goes wrong in getting a pruner or a model.
pub fn each_cell<E: From<PieceError>>(
    laboratory: &Laboratory,
    wanted: impl Fn(&Cell) -> bool,
    mut visit: impl FnMut(Visited) -> Result<(), E>,
) -> Result<(), E> {
    let config = laboratory.config;
    let mut last: Option<(TrainingRun, Pruned)> = None;
    for run in training_runs(config) {
        let cells: Vec<Cell> = cells_of(config, &run).into_iter().filter(&wanted).collect();
        if cells.is_empty() {
            continue;
        }
        let prepared = laboratory.prepared(run.corpus, run.tags);
        let rule = laboratory.workshop.made(&run)?.schedule.pruning;
        let kind = |r: &TrainingRun| (r.corpus, r.tags, r.seed, r.pruning(config));
        let same = |r: &TrainingRun| kind(r) == kind(&run);
        let pruned = match last.take() {
            Some((r, pruned)) if same(&r) => pruned,
            _ => laboratory.workshop.pruned(prepared, rule, run.seed)?,
        };
        let punctuation = &config.corpora[run.corpus].punctuation;
        let trained = laboratory.workshop.trained(prepared, &pruned, &run, punctuation, |_| {})?;
        for cell in &cells {
            let (rule, decoder) = search(cell)?;
            let (pruner, model) = (&pruned.pruner, &trained.model);
            let parser = Parser { pruner, rule, model, decoder, limits: cell.limits };
            visit(Visited { cell, pruned: &pruned, trained: &trained, parser })?;
        }
        last = Some((run, pruned));
    }
    Ok(())
}
