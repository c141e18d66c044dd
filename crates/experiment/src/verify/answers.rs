//! Trees and searches of cells, held against the models that gave them.
//!
//! Of each tree that is kept, the counts of its row are made again, and those of the graph system are asked whether they
//! are trees over the kept arcs with the score that stands. Of a sample of sentences the search is asked, too: the parser
//! gives the same answer again, and another exact decoder finds as good a tree and none that is better.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;

use super::bench::{Bench, recount};
use crate::artifacts::{ArtifactError, DatasetView, how};
use crate::cell::{Cell, runs_with_cells};
use crate::data::Treebank;
use crate::folds;
use crate::jobs::{by_fold, shares};
use crate::prepared::Prepared;
use crate::rows::SentenceRow;
use crate::rows::sentence_fault;
use crate::run::ExperimentContext;
use crate::store::sha256;
use treebound_core::decode::bnb::Limits;
use treebound_core::graph::Word;
use treebound_parser::cell::{CellKey, Fold, Tags};
use treebound_parser::model::TreeKind;
use treebound_parser::pruning::Rule;
use treebound_parser::random::shuffle;
use treebound_parser::systems::{Pruned, Trained};
use treebound_parser::treebank::Sentence;
use treebound_records::check::Check;

/// Which sentences are searched, and how far the other decoder goes.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Sentences a cell.
    pub sentences: usize,
    /// What they are drawn by.
    pub seed: u64,
    /// Limits of the other decoder.
    pub limits: Limits,
}

/// What is asked of answers.
#[derive(Clone, Debug)]
pub struct Found {
    /// Whether the counts of a row are those of its tree.
    pub counted: Check,
    /// Whether the tree is one, with the score of its row.
    pub trees: Check,
    /// Whether the parser gives row and tree again.
    pub repeated: Check,
    /// Whether another decoder agrees.
    pub solved: Check,
}

impl Default for Found {
    fn default() -> Self {
        let (kept, sampled) = (["kept tree", "kept trees"], ["sampled sentence", "sampled sentences"]);
        Self {
            counted: Check::new(kept, "the counts of the row are those of the heads"),
            trees: Check::new(
                ["tree", "trees"],
                "one root (or several, if the model allows them), projective, over kept arcs, and the score is the sum of \
                 the weights of the parts",
            ),
            repeated: Check::new(sampled, "parsed again, every field of the row and every head is the same"),
            solved: Check::new(sampled, "another exact decoder finds the same best score"),
        }
    }
}

impl Found {
    fn join(&mut self, other: Self) {
        self.counted.join(other.counted);
        self.trees.join(other.trees);
        self.repeated.join(other.repeated);
        self.solved.join(other.solved);
    }

    /// So many trees and sampled sentences could not be looked at.
    pub fn leave_open(&mut self, why: &str, trees: u64, sampled: u64) {
        for (check, how_many) in [(&mut self.trees, trees), (&mut self.repeated, sampled), (&mut self.solved, sampled)]
        {
            if how_many > 0 {
                check.leave_open(why, how_many);
            }
        }
    }

    /// The checks.
    pub fn into_checks(self) -> [Check; 4] {
        [self.counted, self.trees, self.repeated, self.solved]
    }
}

/// Looks at the trees and at a sample of the rows of `alike`, cells whose rows this program would make again. Models,
/// pruners and tags come from the store; nothing is trained. `begin` is told of each cell whose model is asked.
///
/// # Errors
/// If an artifact of the store cannot be used.
pub fn answers(
    path: &Path,
    context: &ExperimentContext,
    alike: &[Cell],
    sentences: &BTreeMap<Arc<CellKey>, Vec<SentenceRow>>,
    sample: Sample,
    mut begin: impl FnMut(&CellKey),
) -> Result<Found, ArtifactError> {
    let (config, builder) = (context.config, &context.builder);
    let mut found = Found::default();
    let mut drawn: BTreeMap<CellKey, BTreeSet<usize>> = BTreeMap::new();
    for cell in alike {
        let key = cell.key(config);
        let rows = sentences.get(&key).map_or(0, Vec::len);
        let numbers = if config.has_graphs(&cell.run.system) { draw(rows, &key, sample) } else { BTreeSet::new() };
        drawn.insert(key, numbers);
    }
    let mut data: Option<(DataOf, Option<Data>)> = None;
    let mut pruner: Option<(PrunerOf, Option<Pruned>)> = None;
    for (run, cells) in runs_with_cells(config) {
        let cells: Vec<Cell> = cells.into_iter().filter(|cell| drawn.contains_key(&cell.key(config))).collect();
        for (fold, cells) in by_fold(config, cells) {
            let of = (run.corpus, run.tags, fold, run.tree_kind(config));
            let Some(treebank) = context.treebanks.get(run.corpus) else { continue };
            let stretch = match fold {
                Some(fold) => folds::numbers(fold, treebank.sentences()),
                None => 0..usize::MAX,
            };
            // What is there of each cell: the trees, and the places of the sample in its rows.
            let mut asked: Vec<Asked> = Vec::new();
            for cell in &cells {
                let key = cell.key(config);
                let rows = sentences.get(&key).map_or(&[][..], Vec::as_slice);
                let rows = rows.get(stretch.start..stretch.end.min(rows.len())).unwrap_or_default();
                let places = drawn.get(&key).into_iter().flat_map(|drawn| drawn.range(stretch.clone()));
                let sampled: BTreeSet<usize> = places.map(|place| place - stretch.start).collect();
                let trees = trees_of(context, cell, fold)?;
                match &trees {
                    None if !rows.is_empty() => found.counted.leave_open(WITHOUT_TREES, rows.len() as u64),
                    Some(trees) if trees.len() != rows.len() => {
                        let (trees, rows) = (trees.len(), rows.len());
                        found
                            .counted
                            .add([format!("{}: {key}: {rows} rows, but {trees} trees in the cache", path.display())]);
                    }
                    _ => {}
                }
                asked.push(Asked { cell, key, rows, sampled, trees });
            }
            if asked.iter().all(|asked| asked.trees.is_none() && asked.sampled.is_empty()) {
                continue;
            }
            if data.as_ref().is_none_or(|(before, _)| *before != of) {
                data = Some((of, Data::stored(context, treebank, of)?));
            }
            let Some((_, Some(data))) = &data else {
                asked
                    .iter()
                    .for_each(|asked| asked.leave_open("their predicted tags are not in the cache", &mut found));
                continue;
            };
            let dataset = data.dataset(treebank);
            for asked in &asked {
                found.counted.join(asked.recounted(path, dataset));
            }
            if !config.has_graphs(&run.system) {
                continue;
            }
            let made_for = (of, run.seed, run.pruning(config));
            if pruner.as_ref().is_none_or(|(before, _)| *before != made_for) {
                pruner = Some((made_for, builder.stored_pruned(&data.prepared, &run)?));
            }
            let Some((_, Some(pruned))) = &pruner else {
                asked.iter().for_each(|asked| asked.leave_open("their pruner is not in the cache", &mut found));
                continue;
            };
            let trained = builder.stored_trained(dataset, Some(pruned), &run)?;
            let Some(graphs) = trained.as_deref().and_then(Trained::graphs) else {
                asked.iter().for_each(|asked| asked.leave_open("their model is not in the cache", &mut found));
                continue;
            };
            for asked in &asked {
                begin(&asked.key);
                let parser = graphs.parser(&how(asked.cell, Some(pruned)))?;
                found.join(asked.look_at(path, dataset, || Bench::new(parser, sample.limits)));
            }
        }
    }
    Ok(found)
}

/// Why rows have no trees.
const WITHOUT_TREES: &str = "the cache has no trees of their cells: they were parsed elsewhere, or before trees were kept, or the cache is gone";

/// The trees of a cell, or of a fold of it; none if the store does not have them.
fn trees_of(
    context: &ExperimentContext,
    cell: &Cell,
    fold: Option<Fold>,
) -> Result<Option<Vec<Vec<Word>>>, ArtifactError> {
    let keys = context.share_keys(cell)?;
    let at = shares(context.config, cell.split).iter().position(|share| *share == fold);
    Ok(at.and_then(|at| context.builder.stored_trees(keys.get(at)?)))
}

/// The places of some rows of a cell, drawn without a regard to other cells.
fn draw(rows: usize, cell: &CellKey, sample: Sample) -> BTreeSet<usize> {
    let mut places: Vec<usize> = (0..rows).collect();
    if rows > sample.sentences {
        let name = sha256(format!("{} {cell}", sample.seed).as_bytes());
        let seed = name.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(sample.seed);
        shuffle(&mut places, &mut ChaCha8Rng::seed_from_u64(seed));
        places.truncate(sample.sentences);
    }
    places.into_iter().collect()
}

/// What is looked at of a cell, or of a fold of it.
struct Asked<'a> {
    cell: &'a Cell,
    key: CellKey,
    rows: &'a [SentenceRow],
    /// Places in the rows.
    sampled: BTreeSet<usize>,
    /// One a row, if they are kept.
    trees: Option<Vec<Vec<Word>>>,
}

impl Asked<'_> {
    fn leave_open(&self, why: &str, found: &mut Found) {
        let trees = self.trees.as_ref().map_or(self.sampled.len(), Vec::len);
        found.leave_open(why, trees as u64, self.sampled.len() as u64);
    }

    fn tree(&self, place: usize) -> Option<&[Word]> {
        self.trees.as_ref()?.get(place).map(Vec::as_slice)
    }

    /// The rows, each with what the parser sees of its sentence and with its gold tree.
    fn sentences<'s>(&'s self, dataset: DatasetView<'s>) -> impl IndexedParallelIterator<Item = Row<'s>> {
        let (seen, gold) = dataset.part(self.cell.split);
        let row = |(((place, row), seen), gold)| Row { place, row, seen, gold };
        self.rows.par_iter().enumerate().map(|(place, row)| (place, row)).zip(seen).zip(gold).map(row)
    }

    fn recounted(&self, path: &Path, dataset: DatasetView) -> Check {
        let mut check = Found::default().counted;
        let recount = |Row { place, row, gold, .. }: Row| {
            let heads = self.tree(place)?;
            Some(
                recount(row, heads, gold, dataset.punctuation())
                    .into_iter()
                    .map(|fault| sentence_fault(path, row, &fault))
                    .collect(),
            )
        };
        let faults: Vec<Vec<String>> = self.sentences(dataset).filter_map(recount).collect();
        faults.into_iter().for_each(|faults| check.add(faults));
        check
    }

    fn look_at<'m>(&self, path: &Path, dataset: DatasetView, bench: impl Fn() -> Bench<'m> + Sync + Send) -> Found {
        let mut found = Found::default();
        let of_sentence = |bench: &mut Bench, Row { place, row, seen, gold }: Row| {
            let mut found = Found::default();
            let heads = self.tree(place);
            if self.sampled.contains(&place) {
                let again = bench.repeat(row, heads, seen, gold, dataset.punctuation());
                match again {
                    Ok((faults, tree)) => {
                        found.repeated.add(faults.into_iter().map(|fault| sentence_fault(path, row, &fault)));
                        if heads.is_none() {
                            found
                                .trees
                                .add(bench.tree_fault(row, &tree, seen).map(|fault| sentence_fault(path, row, &fault)));
                        }
                        match bench.solve(row) {
                            Ok(fault) => found.solved.add(fault.map(|fault| sentence_fault(path, row, &fault))),
                            Err(why) => found.solved.leave_open(why, 1),
                        }
                    }
                    Err(error) => found.repeated.add([sentence_fault(path, row, &format!("{}: {error}", seen.place))]),
                }
            }
            if let Some(heads) = heads {
                bench.prune(seen);
                found.trees.add(bench.tree_fault(row, heads, seen).map(|fault| sentence_fault(path, row, &fault)));
            }
            found
        };
        let each: Vec<Found> = self.sentences(dataset).map_init(bench, of_sentence).collect();
        each.into_iter().for_each(|of_sentence| found.join(of_sentence));
        if self.trees.is_none() {
            let others = self.rows.len().saturating_sub(self.sampled.len());
            found.leave_open(WITHOUT_TREES, others as u64, 0);
        }
        found
    }
}

/// A row with its sentence.
#[derive(Clone, Copy)]
struct Row<'a> {
    place: usize,
    row: &'a SentenceRow,
    seen: &'a Sentence,
    gold: &'a Sentence,
}

/// Corpus, tags, fold and words on the root.
type DataOf = (usize, Tags, Option<Fold>, TreeKind);

/// What they are, the seed, and the pruning while training.
type PrunerOf = (DataOf, u64, Option<Rule>);

/// The sentences of a corpus, or of a fold of it, as a parser sees them.
struct Data {
    /// The fold as a treebank; none if there are no folds.
    cut: Option<Treebank>,
    prepared: Prepared,
}

impl Data {
    /// None if tags would have to be predicted.
    fn stored(
        context: &ExperimentContext,
        treebank: &Treebank,
        (_, tags, fold, roots): DataOf,
    ) -> Result<Option<Self>, ArtifactError> {
        let cut = fold.map(|fold| folds::cut(treebank, fold));
        let prepared = context.builder.stored_prepared(cut.as_ref().unwrap_or(treebank), tags, roots)?;
        Ok(prepared.map(|prepared| Self { cut, prepared }))
    }

    fn dataset<'a>(&'a self, whole: &'a Treebank) -> DatasetView<'a> {
        DatasetView { treebank: self.cut.as_ref().unwrap_or(whole), prepared: &self.prepared }
    }
}
