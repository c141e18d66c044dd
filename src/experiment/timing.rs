//! The serial timer: cells parsed again, one sentence after the other on one thread, with the clock running.
//!
//! Parsing is timed from tokens to tree, in three phases; reading files and loading models are not. Each cell is parsed
//! once to warm up and then as often as the config says. Every pass must find the counts of the parallel run, and these be
//! those that stand in the results; if they are not, the times would be of something else, and there are none.

use std::array;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::cell::Cell;
use super::evaluate;
use super::pieces::PieceError;
use super::run::Laboratory;
use super::visit::{Visited, each_cell};
use crate::parser::{Clock, Phases, Scratch};
use crate::report::record::{CellKey, Counts, ScoreRow, SpeedRow};

/// Times every cell that `wanted` lets through; `begin` is told of each before it is timed, and `done` gets its rows.
/// `scores` are the results that the speeds will stand beside.
///
/// # Errors
/// Those of `done`, and see [`PieceError`]; among them a cell or a pass whose counts are not those of the run.
pub fn time<E: From<PieceError>>(
    laboratory: &Laboratory,
    scores: &[ScoreRow],
    wanted: impl Fn(&Cell) -> bool,
    clock: &mut impl Clock,
    mut begin: impl FnMut(&CellKey),
    mut done: impl FnMut(Vec<SpeedRow>) -> Result<(), E>,
) -> Result<(), E> {
    each_cell(laboratory, wanted, |visited| {
        begin(&visited.cell.key(laboratory.config));
        done(time_cell(laboratory, scores, visited, clock)?)
    })
}

fn time_cell(
    laboratory: &Laboratory,
    scores: &[ScoreRow],
    Visited { cell, pruned, trained, parser }: Visited,
    clock: &mut impl Clock,
) -> Result<Vec<SpeedRow>, PieceError> {
    let config = laboratory.config;
    let key = Arc::new(cell.key(config));
    let prepared = laboratory.prepared(cell.run.corpus, cell.run.tags);
    let treebank = &laboratory.treebanks[cell.run.corpus];
    let (sentences, gold) = (prepared.part(cell.split), &treebank.part(cell.split).sentences);
    let punctuation = &treebank.corpus.punctuation;
    let truth = laboratory
        .workshop
        .cell(prepared, gold, cell, punctuation, || Ok((pruned, &trained.model)))
        .map(|rows| rows.iter().map(|r| [r.correct, r.nodes, r.dp_calls]).collect::<Vec<_>>())?;
    let sums = truth.iter().fold([0; 3], |sums, counts| array::from_fn(|i| sums[i] + counts[i]));
    let result = scores.iter().find(|row| row.cell == key).map(|row| &row.counts);
    if let Some(Ok(Counts { correct, nodes, dp_calls, .. })) = result
        && [*correct, *nodes, *dp_calls] != sums
    {
        return Err(PieceError::NotTheResults(key.to_string()));
    }
    let mut scratch = Scratch::default();
    let mut rows = Vec::new();
    for repeat in 0..=config.timing.repeats {
        let mut lengths: BTreeMap<usize, (u64, Phases)> = BTreeMap::new();
        for ((sentence, gold), truth) in sentences.iter().zip(gold).zip(&truth) {
            let (answer, phases) = parser
                .parse(&sentence.tokens, &mut scratch, clock)
                .map_err(|e| PieceError::Parse(sentence.place.clone(), e))?;
            let counts = evaluate::count(&answer, scratch.arcs(), gold, punctuation);
            if [counts.correct, counts.nodes, counts.dp_calls] != *truth {
                return Err(PieceError::NotTheSame(key.to_string(), sentence.place.clone()));
            }
            let (sentences, sum) = lengths.entry(sentence.len()).or_default();
            *sentences += 1;
            sum.prune_ns += phases.prune_ns;
            sum.score_ns += phases.score_ns;
            sum.decode_ns += phases.decode_ns;
        }
        // The first pass warms caches and memory up.
        if repeat > 0 {
            rows.extend(lengths.into_iter().map(|(length, (sentences, phases))| SpeedRow {
                cell: key.clone(),
                repeat,
                length: length as u64,
                sentences,
                prune_ns: phases.prune_ns,
                score_ns: phases.score_ns,
                decode_ns: phases.decode_ns,
            }));
        }
    }
    Ok(rows)
}
