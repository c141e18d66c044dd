//! Going through cells one after the other with what each is parsed by: for what is measured outside the parallel run.

use super::cell::{Cell, TrainingRun, cells_of, training_runs};
use super::pieces::{Material, PieceError, how};
use super::run::Laboratory;
use crate::cell::Tags;
use crate::parser::Parser;
use crate::pruning::Rule;
use crate::systems::graph::GraphModel;
use crate::systems::{Pruned, Trained};

/// A cell with what its parser is made of.
#[derive(Clone, Copy)]
pub struct Visited<'a> {
    /// The cell.
    pub cell: &'a Cell,
    /// Its data.
    pub material: Material<'a>,
    /// Its pruner, if its system has one.
    pub pruned: Option<&'a Pruned>,
    /// Its trained parser.
    pub trained: &'a dyn Trained,
}

/// A cell of the graph system, for verbs that look into its search.
#[derive(Clone, Copy, Debug)]
pub struct VisitedGraph<'a> {
    /// The cell.
    pub cell: &'a Cell,
    /// Its data.
    pub material: Material<'a>,
    /// Its model.
    pub trained: &'a GraphModel,
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
    each_run(laboratory, wanted, |run, cells, material, pruned| {
        let workshop = &laboratory.workshop;
        let system = workshop.system(run)?;
        let trained = workshop.trained(&*system, material, pruned, run, &mut |_| {})?;
        cells.iter().try_for_each(|cell| visit(Visited { cell, material, pruned, trained: &*trained }))
    })
}

/// The same for cells of the graph system; others are passed over.
///
/// # Errors
/// As [`each_cell`].
pub fn each_graph_cell<E: From<PieceError>>(
    laboratory: &Laboratory,
    wanted: impl Fn(&Cell) -> bool,
    mut visit: impl FnMut(VisitedGraph) -> Result<(), E>,
) -> Result<(), E> {
    let wanted = |cell: &Cell| cell.run.is_graph() && wanted(cell);
    each_run(laboratory, wanted, |run, cells, material, pruned| {
        // The graph system has a pruner.
        let Some(pruned) = pruned else { return Ok(()) };
        let trained = laboratory.workshop.trained_graph(material, pruned, run, &mut |_| {})?;
        for cell in cells {
            let parser = trained.parser(&how(cell, Some(pruned))).map_err(PieceError::from)?;
            visit(VisitedGraph { cell, material, trained: &trained, parser })?;
        }
        Ok(())
    })
}

/// Corpus, tags, seed and pruning of training sentences: what decides a pruner.
type PrunerOf = (usize, Tags, u64, Option<Rule>);

fn each_run<E: From<PieceError>>(
    laboratory: &Laboratory,
    wanted: impl Fn(&Cell) -> bool,
    mut visit: impl FnMut(&TrainingRun, &[Cell], Material, Option<&Pruned>) -> Result<(), E>,
) -> Result<(), E> {
    let config = laboratory.config;
    // The pruner of the run before, with what decides it.
    let mut last: Option<(PrunerOf, Option<Pruned>)> = None;
    for run in training_runs(config) {
        let cells: Vec<Cell> = cells_of(config, &run).into_iter().filter(&wanted).collect();
        if cells.is_empty() {
            continue;
        }
        let material = laboratory.material(&run);
        let of = (run.corpus, run.tags, run.seed, run.pruning(config));
        let pruned = match last.take() {
            Some((before, pruned)) if before == of => pruned,
            _ => laboratory.workshop.pruned_for(material.prepared, &run)?,
        };
        visit(&run, &cells, material, pruned.as_ref())?;
        last = Some((of, pruned));
    }
    Ok(())
}
