//! All sentences of a cell decoded in every way.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use thiserror::Error;

use super::way::Way;
use crate::artifacts::{ArtifactError, DatasetView};
use crate::cell::Cell;
use crate::rows::SearchRow;
use crate::run::ExperimentContext;
use crate::visit::{VisitedGraph, each_graph_cell};
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::bnb::exact::Exact;
use treebound_parser::answer::{Answer, Evaluated, Phases};
use treebound_parser::cell::{CellKey, Fold};
use treebound_parser::model::{Parser, Scratch};
use treebound_records::RowKey;

/// Why there are no results.
#[derive(Debug, Error)]
pub enum TrialError {
    /// A pruner, a model or a parse could not be had.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// Two proofs contradict each other: an error in the program.
    #[error(transparent)]
    Contradiction(#[from] Box<Contradiction>),
}

/// Two ways prove different scores of one sentence.
#[derive(Debug, Error)]
#[error("{cell}: {place}: `{way}` proves the score {score:?}, `{first}` {first_score:?}: this should be reported")]
pub struct Contradiction {
    cell: CellKey,
    place: String,
    way: String,
    score: Option<i128>,
    first: String,
    first_score: Option<i128>,
}

/// Decodes every cell that `wanted` lets through in all `ways` that there are with its limits; `begin` is told of each before it
/// begins, and `done` gets its rows.
///
/// # Errors
/// Those of `done`, and see [`TrialError`].
pub fn trial<E: From<TrialError> + From<ArtifactError>>(
    context: &ExperimentContext,
    ways: impl Fn(Limits) -> Vec<Way>,
    wanted: impl Fn(&Cell) -> bool,
    mut begin: impl FnMut(&CellKey),
    mut done: impl FnMut(Vec<SearchRow>) -> Result<(), E>,
) -> Result<(), E> {
    let mut begun: BTreeMap<CellKey, Vec<SearchRow>> = BTreeMap::new();
    each_graph_cell(context, wanted, |VisitedGraph { cell, fold, dataset, parser, .. }| {
        let key = Arc::new(cell.key(context.config));
        let sums = begun.entry(CellKey::clone(&key)).or_insert_with(|| {
            begin(&key);
            Vec::new()
        });
        add(sums, of_cell(cell, &key, dataset, &parser, &ways(cell.limits))?);
        if fold.is_none_or(Fold::is_last) {
            let rows = begun.remove(&*key).unwrap_or_default().into_iter();
            let made_by = context.row_key(&key);
            return done(rows.map(|row| SearchRow { key: made_by, ..row }).collect());
        }
        Ok(())
    })
}

/// Adds the rows of other sentences, way by way.
fn add(sums: &mut Vec<SearchRow>, rows: Vec<SearchRow>) {
    if sums.is_empty() {
        *sums = rows;
    } else {
        sums.iter_mut().zip(&rows).for_each(|(sum, row)| sum.add(row));
    }
}

/// Of a cell, or of a fold of it.
fn of_cell(
    cell: &Cell,
    key: &Arc<CellKey>,
    dataset: DatasetView,
    parser: &Parser,
    ways: &[Way],
) -> Result<Vec<SearchRow>, TrialError> {
    let ((sentences, gold), punctuation) = (dataset.part(cell.split), dataset.punctuation());
    let backbone = cell.axes.backbone().unwrap_or_default();
    let of_sentences: Vec<Vec<SearchRow>> = sentences
        .par_iter()
        .zip(gold)
        .with_min_len(4)
        .map_init(<(Scratch, Exact)>::default, |(scratch, exact), (sentence, gold)| {
            let graph = parser.graph(&sentence.tokens, scratch);
            graph.map_err(|e| ArtifactError::Parse(sentence.place.clone(), e))?;
            let mut proof = None;
            let mut rows = Vec::with_capacity(ways.len());
            for way in ways {
                let answer = way.decode(scratch.graph(), backbone, scratch.prior(), exact);
                let answer = answer.map_err(|e| ArtifactError::Parse(sentence.place.clone(), e.into()))?;
                if answer.status.is_proof() {
                    let (first, first_score) = *proof.get_or_insert((way, answer.score));
                    if first_score != answer.score {
                        return Err(TrialError::from(Box::new(Contradiction {
                            cell: CellKey::clone(key),
                            place: sentence.place.to_string(),
                            way: way.name.clone(),
                            score: answer.score,
                            first: first.name.clone(),
                            first_score,
                        })));
                    }
                }
                let (proven, nodes, dp_calls) = (answer.status.is_proof(), answer.nodes, answer.dp_calls);
                let answer = Answer::from_decoded(answer, scratch.arcs(), Phases::default());
                let counts = Evaluated::new(&answer, gold, punctuation);
                rows.push(SearchRow {
                    cell: key.clone(),
                    key: RowKey::default(),
                    way: way.name.clone(),
                    sentences: 1,
                    proven: proven.into(),
                    at_root: (proven && nodes <= 1).into(),
                    nodes,
                    dp_calls,
                    scored_tokens: counts.scored_tokens,
                    scored_correct: counts.scored_correct,
                });
            }
            Ok(rows)
        })
        .collect::<Result<_, _>>()?;
    let mut sums: Vec<SearchRow> = Vec::new();
    of_sentences.into_iter().for_each(|rows| add(&mut sums, rows));
    Ok(sums)
}
