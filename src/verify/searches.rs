//! A sample of sentences, parsed again and solved by another exact decoder.
//!
//! Of each sentence three things are asked. The parser gives the row that stands, count by count. Its tree is one that a
//! parser may give over the kept arcs, and its score is the plain sum of the weights of its parts. And another decoder,
//! which shares no search with the first, finds no tree that scores more, and one that scores as much.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;

use super::differences::differences;
use super::files::at;
use super::weigh::Scale;
use super::{Check, trees};
use crate::answer::{Answer, Evaluated, NoClock, Proof};
use crate::cell::{CellKey, Fold, Tags};
use crate::decode::bnb::Limits;
use crate::decode::{self, Backbone, Decoded, Decoder, Status};
use crate::experiment::cell::{Cell, cells_of, training_runs};
use crate::experiment::data::Treebank;
use crate::experiment::folds;
use crate::experiment::jobs::by_fold;
use crate::experiment::pieces::{Material, PieceError, how};
use crate::experiment::prepared::Prepared;
use crate::experiment::rows::{decode_rows, encode_rows};
use crate::experiment::run::Laboratory;
use crate::experiment::store::sha256;
use crate::graph::FactorGraph;
use crate::parser::{Parser, Scratch};
use crate::pruning::Rule;
use crate::random::shuffle;
use crate::records::SentenceRow;
use crate::systems::Pruned;
use crate::treebank::{Punctuation, Sentence};

/// Which sentences are looked at, and how far the other decoder goes.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Sentences a cell.
    pub sentences: usize,
    /// What they are drawn by.
    pub seed: u64,
    /// Limits of the other decoder.
    pub limits: Limits,
}

/// What is asked of each sentence.
#[derive(Clone, Debug)]
pub struct Found {
    /// Whether the parser gives the row.
    pub repeated: Check,
    /// Whether the tree is one, with that score.
    pub trees: Check,
    /// Whether another decoder agrees.
    pub solved: Check,
}

impl Default for Found {
    fn default() -> Self {
        let sampled = ["sampled sentence", "sampled sentences"];
        Self {
            repeated: Check::new(sampled, "parsed again, every field of the row is the same"),
            trees: Check::new(
                sampled,
                "the tree has one root, is projective and over kept arcs, and its score is the sum of its weights",
            ),
            solved: Check::new(sampled, "another exact decoder finds the same best score"),
        }
    }
}

impl Found {
    fn join(&mut self, other: Self) {
        self.repeated.join(other.repeated);
        self.trees.join(other.trees);
        self.solved.join(other.solved);
    }

    /// So many of the sample could not be looked at.
    pub fn leave_open(&mut self, why: &str, how_many: u64) {
        for check in [&mut self.repeated, &mut self.trees, &mut self.solved] {
            check.leave_open(why, how_many);
        }
    }

    /// The checks.
    pub fn into_checks(self) -> [Check; 3] {
        [self.repeated, self.trees, self.solved]
    }
}

/// Longest sentences that all trees are made of.
const BRUTE_WORDS: usize = 7;

/// Looks at a sample of the rows of `alike`, cells whose rows this program would make again. Models, pruners and tags come
/// from the store; nothing is trained. `begin` is told of each cell.
///
/// # Errors
/// If a pruner or model of the store cannot be used.
pub fn sampled(
    path: &Path,
    laboratory: &Laboratory,
    alike: &[Cell],
    sentences: &BTreeMap<Arc<CellKey>, Vec<SentenceRow>>,
    sample: Sample,
    mut begin: impl FnMut(&CellKey),
) -> Result<Found, PieceError> {
    let (config, workshop) = (laboratory.config, &laboratory.workshop);
    let mut found = Found::default();
    let mut drawn: BTreeMap<CellKey, BTreeSet<usize>> = BTreeMap::new();
    for cell in alike {
        let key = cell.key(config);
        let rows = sentences.get(&key).map_or(0, Vec::len);
        if cell.run.is_graph() {
            let numbers = draw(rows, &key, sample);
            drawn.insert(key, numbers);
        } else {
            found.leave_open("their system gives trees no scores", rows.min(sample.sentences) as u64);
        }
    }
    let mut data: Option<(DataOf, Option<Data>)> = None;
    let mut pruner: Option<((DataOf, u64, Option<Rule>), Option<Pruned>)> = None;
    for run in training_runs(config) {
        let cells: Vec<Cell> =
            cells_of(config, &run).into_iter().filter(|cell| drawn.contains_key(&cell.key(config))).collect();
        for (fold, cells) in by_fold(config, cells) {
            let of = (run.corpus, run.tags, fold);
            let Some(treebank) = laboratory.treebanks.get(run.corpus) else { continue };
            let before = fold.map_or(0, |fold| folds::numbers(fold, treebank.sentences()).start);
            let end = fold.map_or(usize::MAX, |fold| folds::numbers(fold, treebank.sentences()).end);
            // The places of the sample in the rows, of those that this fold has.
            let here = |cell: &Cell| -> Vec<usize> {
                drawn.get(&cell.key(config)).into_iter().flat_map(|drawn| drawn.range(before..end)).copied().collect()
            };
            let asked: u64 = cells.iter().map(|cell| here(cell).len() as u64).sum();
            if asked == 0 {
                continue;
            }
            if data.as_ref().is_none_or(|(before, _)| *before != of) {
                data = Some((of, Data::stored(laboratory, treebank, run.tags, fold)?));
            }
            let Some((_, Some(data))) = &data else {
                found.leave_open("their predicted tags are not in the cache", asked);
                continue;
            };
            let material = data.material(treebank);
            let made_for = (of, run.seed, run.pruning(config));
            if pruner.as_ref().is_none_or(|(before, _)| *before != made_for) {
                pruner = Some((made_for, workshop.stored_pruned(&data.prepared, &run)?));
            }
            let Some((_, Some(pruned))) = &pruner else {
                found.leave_open("their pruner is not in the cache", asked);
                continue;
            };
            let Some(model) = workshop.stored_graph(material, &run)? else {
                found.leave_open("their model is not in the cache", asked);
                continue;
            };
            for cell in &cells {
                let key = cell.key(config);
                begin(&key);
                let parser = model.parser(&how(cell, Some(pruned)))?;
                let (seen, gold) = material.part(cell.split);
                let rows = sentences.get(&key).map_or(&[][..], Vec::as_slice);
                let of_each: Vec<Found> = here(cell)
                    .into_par_iter()
                    .map_init(
                        || Bench::new(parser, sample.limits),
                        |bench, place| match (rows.get(place), seen.get(place - before), gold.get(place - before)) {
                            (Some(row), Some(seen), Some(gold)) => {
                                bench.look_at(path, row, seen, gold, material.punctuation())
                            }
                            _ => {
                                let mut found = Found::default();
                                let fault =
                                    format!("{}: {key}: the treebank has no sentence {}", path.display(), place + 1);
                                found.repeated.add([fault]);
                                found
                            }
                        },
                    )
                    .collect();
                of_each.into_iter().for_each(|of_sentence| found.join(of_sentence));
            }
        }
    }
    Ok(found)
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

/// Corpus, tags and fold.
type DataOf = (usize, Tags, Option<Fold>);

/// The sentences of a corpus, or of a fold of it, as a parser sees them.
struct Data {
    /// The fold as a treebank; none if there are no folds.
    cut: Option<Treebank>,
    prepared: Prepared,
}

impl Data {
    /// None if tags would have to be predicted.
    fn stored(
        laboratory: &Laboratory,
        treebank: &Treebank,
        tags: Tags,
        fold: Option<Fold>,
    ) -> Result<Option<Self>, PieceError> {
        let cut = fold.map(|fold| folds::cut(treebank, fold));
        let prepared = laboratory.workshop.stored_prepared(cut.as_ref().unwrap_or(treebank), tags)?;
        Ok(prepared.map(|prepared| Self { cut, prepared }))
    }

    fn material<'a>(&'a self, whole: &'a Treebank) -> Material<'a> {
        Material { treebank: self.cut.as_ref().unwrap_or(whole), prepared: &self.prepared }
    }
}

/// What sentences of one cell are looked at with.
struct Bench<'a> {
    parser: Parser<'a>,
    scale: Scale<'a>,
    scratch: Scratch,
    others: decode::Scratch,
    limits: Limits,
}

impl<'a> Bench<'a> {
    fn new(parser: Parser<'a>, limits: Limits) -> Self {
        let scale = Scale::new(parser.model);
        Self { parser, scale, scratch: Scratch::default(), others: decode::Scratch::default(), limits }
    }

    fn look_at(
        &mut self,
        path: &Path,
        row: &SentenceRow,
        seen: &Sentence,
        gold: &Sentence,
        punctuation: &Punctuation,
    ) -> Found {
        let mut found = Found::default();
        let (decoded, phases) = match self.parser.parse(&seen.tokens, &mut self.scratch, &mut NoClock) {
            Ok(parsed) => parsed,
            Err(error) => {
                found.repeated.add([at(path, row, &format!("{}: {error}", seen.place))]);
                return found;
            }
        };
        let tree = decoded.tree.clone();
        let answer = Answer::of_graph(decoded, self.scratch.arcs(), phases);
        let again = decode_rows(&encode_rows(&[Evaluated::new(&answer, gold, punctuation)]), &row.cell);
        let again = again.ok().and_then(|rows| rows.into_iter().next());
        let again = again.map(|again| SentenceRow { sentence: row.sentence, ..again });
        let faults = again.map(|again| differences(row, &again)).unwrap_or_default();
        found.repeated.add(faults.into_iter().map(|fault| at(path, row, &format!("{fault} where it is parsed again"))));
        let stands = row.score.map(i128::from);
        found.trees.add(tree.and_then(|tree| {
            let fault = trees::fault(seen.len(), tree.heads(), self.scratch.arcs()).or_else(|| {
                let sum = self.scale.score(&seen.tokens, &tree, stands);
                let shown = stands.map_or("none".to_owned(), |score| score.to_string());
                (Some(sum) != stands).then(|| format!("score {shown}, but the weights of its parts sum to {sum}"))
            });
            fault.map(|fault| at(path, row, &fault))
        }));
        self.solve(path, row, &mut found.solved);
        found
    }

    /// Solves the last sentence by other decoders, until one proves its answer.
    fn solve(&mut self, path: &Path, row: &SentenceRow, check: &mut Check) {
        let graph = self.scratch.graph();
        let mut is_open = "another decoder stopped at its limit (--dp-calls)";
        let others = others(self.parser.decoder, self.parser.model.backbone(), graph);
        if others.is_empty() {
            is_open = "no other decoder knows their parts, and they are too long for brute force";
        }
        for (decoder, backbone) in others {
            let prior = self.scratch.prior();
            let Ok(other) = decoder.decode(graph, backbone, prior, self.limits, &mut self.others) else { continue };
            if matches!(other.status, Status::Optimal | Status::Infeasible) {
                let by = format!("{}/{decoder}", backbone.name());
                check.add(disagreement(row, &other).map(|fault| at(path, row, &format!("{fault} by {by}"))));
                return;
            }
        }
        check.leave_open(is_open, 1);
    }
}

/// What is wrong with a row if another decoder is right.
fn disagreement(row: &SentenceRow, other: &Decoded) -> Option<String> {
    let Some(best) = other.score else {
        return row.score.map(|score| format!("score {score}, but there is no tree"));
    };
    let shown = |value: Option<i64>| value.map_or("none".to_owned(), |value| value.to_string());
    let (score, bound) = (row.score.map(i128::from), row.bound.map(i128::from));
    if score.is_some_and(|score| score > best) || (row.status == Proof::Optimal && score != Some(best)) {
        return Some(format!("score {}, but the best is {best}", shown(row.score)));
    }
    bound.is_some_and(|bound| bound < best).then(|| format!("bound {}, but a tree scores {best}", shown(row.bound)))
}

/// Other exact decoders of a graph, with the program under each: those that share least with `decoder` first.
fn others(decoder: Decoder, backbone: Backbone, graph: &FactorGraph) -> Vec<(Decoder, Backbone)> {
    let other_program = match backbone {
        Backbone::Carreras => Backbone::GrandSibling,
        Backbone::GrandSibling => Backbone::Carreras,
    };
    // Grand-siblings are always left to the program that scores them, and would make both programs the same.
    let programs_differ = graph.grand_siblings.is_empty();
    let mut others = Vec::new();
    if graph.space.words() <= BRUTE_WORDS {
        others.push((Decoder::Brute, backbone));
    }
    match decoder {
        // What is local to the one program may be a factor to the other, which then searches.
        Decoder::Dp if programs_differ => {
            others.extend([Decoder::Dp, Decoder::PAPER].map(|decoder| (decoder, other_program)));
        }
        Decoder::Dp | Decoder::Brute => {}
        Decoder::Bnb => others.push((Decoder::PAPER, backbone)),
        Decoder::Paper(_) => others.push((Decoder::Bnb, backbone)),
    }
    if decoder.is_search() && programs_differ {
        others.push((Decoder::Bnb, other_program));
    }
    others
}
