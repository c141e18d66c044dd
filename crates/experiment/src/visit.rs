//! Going through cells one after the other with what each is parsed by: for what is measured outside the parallel run.

use super::artifacts::{ArtifactError, DatasetView, how};
use super::cell::{Cell, TrainingRun, runs_with_cells};
use super::jobs::by_fold;
use super::run::{ExperimentContext, Folded};
use treebound_parser::cell::{Fold, Tags};
use treebound_parser::model::{Parser, TreeKind};
use treebound_parser::pruning::Rule;
use treebound_parser::systems::{Pruned, Trained};

/// A cell with what its parser is made of. One of cross-validation is visited fold by fold.
#[derive(Clone, Copy)]
pub struct Visited<'a> {
    /// The cell.
    pub cell: &'a Cell,
    /// The fold of it; none if it has no folds.
    pub fold: Option<Fold>,
    /// Its data.
    pub dataset: DatasetView<'a>,
    /// Its pruner, if its system has one.
    pub pruned: Option<&'a Pruned>,
    /// Its trained parser.
    pub trained: &'a dyn Trained,
}

/// A cell whose parser has factor graphs, for verbs that look into its search.
#[derive(Clone, Copy, Debug)]
pub struct VisitedGraph<'a> {
    /// The cell.
    pub cell: &'a Cell,
    /// The fold of it; none if it has no folds.
    pub fold: Option<Fold>,
    /// Its data.
    pub dataset: DatasetView<'a>,
    /// Its parser.
    pub parser: Parser<'a>,
}

/// Calls `visit` for every cell that `wanted` lets through, in the order of training runs and their folds. Pruners and models
/// come from the store where they are there, and are trained otherwise.
///
/// # Errors
/// Those of `visit`, and what goes wrong in getting a pruner or a model.
pub fn each_cell<E: From<ArtifactError>>(
    context: &ExperimentContext,
    wanted: impl Fn(&Cell) -> bool,
    mut visit: impl FnMut(Visited) -> Result<(), E>,
) -> Result<(), E> {
    each_run(context, wanted, |Shared { run, fold, cells, dataset, pruned }| {
        let builder = &context.builder;
        let system = builder.system(run)?;
        let trained = builder.trained(&*system, dataset, pruned, run, &mut |_| {})?;
        cells.iter().try_for_each(|cell| visit(Visited { cell, fold, dataset, pruned, trained: &*trained }))
    })
}

/// The same for cells whose parsers have factor graphs; others are skipped.
///
/// # Errors
/// As [`each_cell`].
pub fn each_graph_cell<E: From<ArtifactError>>(
    context: &ExperimentContext,
    wanted: impl Fn(&Cell) -> bool,
    mut visit: impl FnMut(VisitedGraph) -> Result<(), E>,
) -> Result<(), E> {
    let wanted = |cell: &Cell| context.config.has_graphs(&cell.run.system) && wanted(cell);
    each_cell(context, wanted, |Visited { cell, fold, dataset, pruned, trained }| {
        let Some(graphs) = trained.graphs() else { return Ok(()) };
        let parser = graphs.parser(&how(cell, pruned)).map_err(ArtifactError::from)?;
        visit(VisitedGraph { cell, fold, dataset, parser })
    })
}

/// What the cells of a training run, or of a fold of it, share.
#[derive(Clone, Copy)]
struct Shared<'a> {
    run: &'a TrainingRun,
    fold: Option<Fold>,
    cells: &'a [Cell],
    dataset: DatasetView<'a>,
    pruned: Option<&'a Pruned>,
}

/// Corpus, tags, fold, words on the root, seed and pruning of training sentences: what decides a pruner.
type PrunerOf = (usize, Tags, Option<Fold>, TreeKind, u64, Option<Rule>);

fn each_run<E: From<ArtifactError>>(
    context: &ExperimentContext,
    wanted: impl Fn(&Cell) -> bool,
    mut visit: impl FnMut(Shared) -> Result<(), E>,
) -> Result<(), E> {
    let config = context.config;
    // The pruner of the run before, with what decides it.
    let mut last: Option<(PrunerOf, Option<Pruned>)> = None;
    for (run, cells) in runs_with_cells(config) {
        let cells: Vec<Cell> = cells.into_iter().filter(&wanted).collect();
        for (fold, cells) in by_fold(config, cells) {
            let folded = fold.map(|fold| context.folded(&run, fold)).transpose()?;
            let dataset = folded.as_ref().map_or_else(|| context.dataset(&run), Folded::dataset);
            let of = (run.corpus, run.tags, fold, run.tree_kind(config), run.seed, run.pruning(config));
            let pruned = match last.take() {
                Some((before, pruned)) if before == of => pruned,
                _ => context.builder.pruned_for(dataset.prepared, &run)?,
            };
            visit(Shared { run: &run, fold, cells: &cells, dataset, pruned: pruned.as_ref() })?;
            last = Some((of, pruned));
        }
    }
    Ok(())
}
