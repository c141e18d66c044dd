//! Learning a parser by a recipe, with the clock running.

use serde::{Deserialize, Serialize};

use super::GrowthError;
use super::recipe::{Recipe, Source};
use super::templates::{looked_at, thinned};
use crate::artifacts::DatasetView;
use crate::config::Config;
use crate::run::ExperimentContext;
use crate::store::Store;
use treebound_parser::answer::Clock;
use treebound_parser::model::TrainedParser;
use treebound_parser::systems::System;

/// What learning took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learning {
    /// Training sentences.
    pub sentences: u64,
    /// Training words.
    pub words: u64,
    /// Templates that the parser looks at.
    pub templates: u64,
    /// Features with a weight.
    pub features: u64,
    /// Calls to the dynamic program, over all passes.
    pub dp_calls: u64,
    /// Searches that stopped at their limit, over all passes.
    pub unproven: u64,
    /// Time to learn the pruner and prune the training part with it.
    pub pruner_ns: u64,
    /// Time to learn the weights.
    pub train_ns: u64,
    /// The key of the model, as rows have it.
    pub key: String,
    /// SHA-256 of the training part.
    pub sha256: String,
}

/// Learns a parser. `store` should be empty, since what is taken from it is not learnt.
///
/// # Errors
/// See [`GrowthError`].
pub fn learn(
    config: &Config,
    recipe: &Recipe,
    store: &Store,
    clock: &mut impl Clock,
) -> Result<(TrainedParser, Learning), GrowthError> {
    let config = recipe.config(config)?;
    let run = recipe.run(&config)?;
    let mut context = ExperimentContext::open(&config, store)?;
    for templates in context.builder.templates.values_mut() {
        *templates = thinned(templates, recipe.templates.one_in);
    }
    let system = context.builder.graph(&run)?;
    let all = context.prepared(&run);
    let shared = match recipe.source {
        Source::Synthetic { .. } => None,
        Source::Corpus { percent } => {
            let numbers = share(all.train.sentences.len(), percent);
            Some(all.learning_from(numbers, &format!("{percent} % of it")))
        }
    };
    let prepared = shared.as_ref().unwrap_or(all);
    if prepared.train.sentences.is_empty() {
        return Err(GrowthError::NothingToLearn);
    }
    let dataset = DatasetView { prepared, ..context.dataset(&run) };
    let start = clock.now_ns();
    let pruned = context.builder.pruned(prepared, system.schedule.pruning, run.seed)?;
    let between = clock.now_ns();
    let trained = context.builder.trained_graph(dataset, &pruned, &run, &mut |_| {})?;
    let end = clock.now_ns();
    let sum = |value: fn(&treebound_parser::learn::online::PassStatistics) -> u64| {
        trained.passes.iter().map(|pass| value(&pass.statistics)).sum()
    };
    let learnt = prepared.train.learnt_from(|sentence, words| system.learns_from(sentence, words));
    let learning = Learning {
        sentences: learnt.sentences,
        words: learnt.words,
        templates: looked_at(&system.templates, trained.model.families(), system.backbone) as u64,
        features: trained.model.entries().len() as u64,
        dp_calls: sum(|s| s.dp_calls),
        unproven: sum(|s| s.unproven as u64),
        pruner_ns: between - start,
        train_ns: end - between,
        key: context.builder.model_key(&system, dataset.decisive(), &run)?.of_row().to_string(),
        sha256: context.treebanks[run.corpus].train.checksum.clone(),
    };
    let parser = TrainedParser {
        tagger: None,
        pruner: pruned.pruner,
        rule: system.schedule.pruning,
        model: trained.model,
        facts: Vec::new(),
    };
    Ok((parser, learning))
}

/// The numbers of so many hundredths of `sentences` sentences: all of them as often as they are asked for in full, then some
/// spread evenly.
fn share(sentences: usize, percent: u32) -> Vec<usize> {
    let percent = percent as usize;
    let rest = |i: &usize| (i + 1) * (percent % 100) / 100 > i * (percent % 100) / 100;
    let whole = (0..percent / 100).flat_map(|_| 0..sentences);
    whole.chain((0..sentences).filter(rest)).collect()
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn shares_are_spread_evenly_and_repeat_what_is_too_little() {
        assert_eq!(share(10, 20), [4, 9]);
        assert_eq!(share(4, 50), [1, 3]);
        assert_eq!(share(3, 100), [0, 1, 2]);
        assert_eq!(share(4, 250), [0, 1, 2, 3, 0, 1, 2, 3, 1, 3]);
        assert_eq!(share(1000, 10).len(), 100);
        assert!(share(5, 10).is_empty() && share(0, 400).is_empty());
    }
}
