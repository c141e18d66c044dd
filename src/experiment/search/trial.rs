//! All sentences of a cell decoded in every way.

use std::sync::Arc;

use rayon::prelude::*;
use thiserror::Error;

use super::way::Way;
use crate::decode::bnb::Limits;
use crate::decode::bnb::exact::Exact;
use crate::experiment::cell::Cell;
use crate::experiment::evaluate::count;
use crate::experiment::pieces::PieceError;
use crate::experiment::run::Laboratory;
use crate::experiment::visit::{Visited, each_cell};
use crate::parser::{Parser, Scratch};
use crate::report::record::CellKey;
use crate::report::search::SearchRow;

/// Why there are no results.
#[derive(Debug, Error)]
pub enum TrialError {
    /// A pruner, a model or a parse could not be had.
    #[error(transparent)]
    Piece(#[from] PieceError),
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

/// Decodes every cell that `wanted` lets through in all `ways` that there are with its limits; `begin` is told of each before it begins, and `done` gets its
/// rows.
///
/// # Errors
/// Those of `done`, and see [`TrialError`].
pub fn trial<E: From<TrialError> + From<PieceError>>(
    laboratory: &Laboratory,
    ways: impl Fn(Limits) -> Vec<Way>,
    wanted: impl Fn(&Cell) -> bool,
    mut begin: impl FnMut(&CellKey),
    mut done: impl FnMut(Vec<SearchRow>) -> Result<(), E>,
) -> Result<(), E> {
    each_cell(laboratory, wanted, |Visited { cell, parser, .. }| {
        let key = Arc::new(cell.key(laboratory.config));
        begin(&key);
        done(of_cell(laboratory, cell, &key, &parser, &ways(cell.limits))?)
    })
}

fn of_cell(
    laboratory: &Laboratory,
    cell: &Cell,
    key: &Arc<CellKey>,
    parser: &Parser,
    ways: &[Way],
) -> Result<Vec<SearchRow>, TrialError> {
    let prepared = laboratory.prepared(cell.run.corpus, cell.run.tags);
    let treebank = &laboratory.treebanks[cell.run.corpus];
    let punctuation = &treebank.corpus.punctuation;
    let gold = &treebank.part(cell.split).sentences;
    let backbone = cell.run.backbone.unwrap_or_default();
    let of_sentences: Vec<Vec<SearchRow>> = prepared
        .part(cell.split)
        .par_iter()
        .zip(gold)
        .with_min_len(4)
        .map_init(<(Scratch, Exact)>::default, |(scratch, exact), (sentence, gold)| {
            let graph = parser.graph(&sentence.tokens, scratch);
            graph.map_err(|e| PieceError::Parse(sentence.place.clone(), e))?;
            let mut proof = None;
            let mut rows = Vec::with_capacity(ways.len());
            for way in ways {
                let answer = way.decode(scratch.graph(), backbone, scratch.prior(), exact);
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
                let counts = count(&answer, scratch.arcs(), gold, punctuation);
                let proven = answer.status.is_proof();
                rows.push(SearchRow {
                    cell: key.clone(),
                    way: way.name.clone(),
                    sentences: 1,
                    proven: proven.into(),
                    at_root: (proven && answer.nodes <= 1).into(),
                    nodes: answer.nodes,
                    dp_calls: answer.dp_calls,
                    scored_tokens: counts.scored_tokens,
                    scored_correct: counts.scored_correct,
                });
            }
            Ok(rows)
        })
        .collect::<Result<_, _>>()?;
    let mut sums: Vec<SearchRow> = Vec::new();
    for rows in of_sentences {
        if sums.is_empty() {
            sums = rows;
        } else {
            sums.iter_mut().zip(&rows).for_each(|(sum, row)| sum.add(row));
        }
    }
    Ok(sums)
}
