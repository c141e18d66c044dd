//! The serial timer: cells parsed again, one sentence after the other on one thread, with the clock running.
//!
//! Parsing is timed from tokens to tree, in phases; reading files and loading models are not. Each cell is parsed once to
//! warm up and then as often as the config says. Every pass must find the counts of the parallel run, and these be those
//! that stand in the results; if they are not, the times would be of something else, and there are none. The times of a cell
//! of cross-validation are those of all its folds together.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::artifacts::{ArtifactError, how};
use super::cell::Cell;
use super::parsed::words;
use super::run::ExperimentContext;
use super::visit::{Visited, each_cell};
use crate::rows::{ScoreRow, SpeedRow};
use treebound_parser::answer::{Clock, Effort, Evaluated, Phases};
use treebound_parser::cell::{CellKey, Fold};
use treebound_records::RowKey;

/// The times of a cell.
#[derive(Clone, Debug)]
pub struct Timed {
    /// By pass and length of sentences.
    pub rows: Vec<SpeedRow>,
    /// How much of the time this process had a processor: about 1 where nothing else ran. None where the work was that of
    /// another process, or where nobody counts it.
    pub processor_share: Option<f64>,
}

/// Times every cell that `wanted` lets through; `begin` is told of each before it is timed, and `done` gets its times.
/// `scores` are the results that the speeds will stand beside.
///
/// # Errors
/// Those of `done`, and see [`ArtifactError`]; among them a cell or a pass whose counts are not those of the run.
pub fn time<E: From<ArtifactError>>(
    context: &ExperimentContext,
    scores: &[ScoreRow],
    wanted: impl Fn(&Cell) -> bool,
    clock: &mut dyn Clock,
    mut begin: impl FnMut(&CellKey),
    mut done: impl FnMut(Timed) -> Result<(), E>,
) -> Result<(), E> {
    let mut begun: BTreeMap<CellKey, Times> = BTreeMap::new();
    each_cell(context, wanted, |visited| {
        let key = visited.cell.key(context.config);
        let times = begun.entry(key.clone()).or_insert_with(|| {
            begin(&key);
            Times::default()
        });
        times.add(context, scores, visited, clock)?;
        if visited.fold.is_none_or(Fold::is_last) {
            let cell = Arc::new(key);
            let times = begun.remove(&*cell).unwrap_or_default();
            return done(times.of(&cell, context.row_key(&cell)));
        }
        Ok(())
    })
}

/// The times of a cell, as far as its folds are timed.
struct Times {
    /// Right heads, and what was counted.
    counts: (u64, Effort),
    /// By pass and length of sentences.
    phases: BTreeMap<(u64, Option<u64>), (u64, Phases)>,
    /// In the passes that count.
    processor_ns: Option<u64>,
}

impl Default for Times {
    fn default() -> Self {
        Self { counts: (0, Effort::ZERO), phases: BTreeMap::new(), processor_ns: Some(0) }
    }
}

impl Times {
    fn of(self, cell: &Arc<CellKey>, key: RowKey) -> Timed {
        let all_ns = self.phases.values().map(|(_, phases)| phases.total_ns()).fold(0, u64::saturating_add);
        let processor_share = self.processor_ns.filter(|_| all_ns > 0).map(|ns| ns as f64 / all_ns as f64);
        let row = |((repeat, length), (sentences, phases))| SpeedRow {
            cell: cell.clone(),
            key,
            repeat,
            length,
            sentences,
            phases,
        };
        Timed { rows: self.phases.into_iter().map(row).collect(), processor_share }
    }

    /// Adds a cell, or a fold of it.
    fn add(
        &mut self,
        context: &ExperimentContext,
        scores: &[ScoreRow],
        Visited { cell, fold, dataset, pruned, trained }: Visited,
        clock: &mut dyn Clock,
    ) -> Result<(), ArtifactError> {
        let config = context.config;
        let key = cell.key(config);
        let (sentences, gold) = dataset.part(cell.split);
        let truth: Vec<(u64, Effort)> = context
            .builder
            .cell(dataset, cell, || Ok((pruned, trained)))?
            .iter()
            .map(|row| (row.correct, row.effort))
            .collect();
        for (correct, effort) in &truth {
            self.counts.0 += correct;
            self.counts.1.add(effort);
        }
        let result = scores.iter().find(|row| *row.cell == key).map(|row| &row.counts);
        if fold.is_none_or(Fold::is_last)
            && let Some(Ok(counts)) = result
            && (counts.correct, counts.effort) != self.counts
        {
            return Err(ArtifactError::NotTheResults(key.to_string()));
        }
        // Where a batch is one stretch of time, its sentences have no lengths of their own.
        let whole = context.builder.system(&cell.run)?.needs().whole_parts;
        let mut session = trained.session(&how(cell, pruned))?;
        let batch = words(sentences);
        for repeat in 0..=config.timing.repeats {
            let before = clock.processor_ns();
            let answers = session.parse(&batch, clock).map_err(|e| ArtifactError::parsing(e, sentences))?;
            let busy = before.zip(clock.processor_ns()).map(|(before, now)| now.saturating_sub(before));
            let mut lengths: BTreeMap<Option<u64>, (u64, Phases)> = BTreeMap::new();
            for ((answer, gold), truth) in answers.iter().zip(gold).zip(&truth) {
                let evaluated = Evaluated::new(answer, gold, dataset.punctuation());
                if (evaluated.correct, evaluated.effort) != *truth {
                    return Err(ArtifactError::NotTheSame(key.to_string(), gold.place.clone()));
                }
                let (sentences, sum) = lengths.entry((!whole).then_some(gold.len() as u64)).or_default();
                *sentences += 1;
                sum.add(&answer.phases);
            }
            // The first pass warms caches and memory up.
            if repeat > 0 {
                self.processor_ns = self.processor_ns.zip(busy.filter(|_| !whole)).map(|(sum, ns)| sum + ns);
                for (length, (sentences, phases)) in lengths {
                    let sum = self.phases.entry((repeat, length)).or_default();
                    sum.0 += sentences;
                    sum.1.add(&phases);
                }
            }
        }
        Ok(())
    }
}
