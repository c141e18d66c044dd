//! Cross-validation of the baseline on the training part: every training sentence parsed by a parser that has not seen it.
//!
//! A fold's parser is trained exactly as a parser of the experiment is: with pruners of its own, which in turn prune their
//! training sentences by jackknifing, and with the config's templates, passes and choice of pass.

use rayon::prelude::*;
use thiserror::Error;

use super::artifacts::{ArtifactError, DatasetView};
use super::cell::TrainingRun;
use super::progress::Progress;
use super::run::ExperimentContext;
use treebound_core::decode::Decoder;
use treebound_core::graph::Word;
use treebound_parser::answer::NoClock;
use treebound_parser::model::{Parser, Scratch};
use treebound_parser::systems::System;
use treebound_parser::treebank::{Folds, Sentence, Tree};

/// Why the training part cannot be cross-validated.
#[derive(Debug, Error)]
pub enum CrossValidationError {
    /// A number of folds that says nothing about unseen sentences.
    #[error("{folds} folds: at least 2 are needed, so that each parser has something to learn from")]
    TooFew {
        /// The folds asked for.
        folds: usize,
    },
    /// Folds without a sentence.
    #[error("{folds} folds: the training part has only {sentences} sentences, and each fold needs one")]
    TooMany {
        /// The folds asked for.
        folds: usize,
        /// Sentences to be shared out.
        sentences: usize,
    },
    /// A parser could not be trained, or could not parse.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
}

/// `count` folds of `sentences` sentences, none of them empty.
fn shares(count: usize, sentences: usize) -> Result<Folds, CrossValidationError> {
    if count < 2 {
        return Err(CrossValidationError::TooFew { folds: count });
    }
    if count > sentences {
        return Err(CrossValidationError::TooMany { folds: count, sentences });
    }
    Ok(Folds::new(count, sentences))
}

/// Steps of [`heads`], for its progress bar.
pub fn steps(folds: usize, epochs: usize) -> usize {
    folds * (epochs + 2)
}

/// The heads that the baseline of `run` gives to the words of each training sentence, with the tags that it sees.
///
/// # Errors
/// See [`CrossValidationError`].
pub fn heads(
    context: &ExperimentContext,
    run: &TrainingRun,
    folds: usize,
    progress: &Progress,
) -> Result<Vec<Vec<Word>>, CrossValidationError> {
    let sentences = &context.prepared(run).train.sentences;
    let shares = shares(folds, sentences.len())?;
    let by_fold: Vec<Vec<Vec<Word>>> = (0..folds)
        .into_par_iter()
        .with_max_len(1)
        .map(|fold| heads_of_fold(context, run, shares, fold, progress))
        .collect::<Result<_, _>>()?;
    let mut by_fold: Vec<_> = by_fold.into_iter().map(Vec::into_iter).collect();
    Ok((0..sentences.len()).map(|i| by_fold[shares.fold(i)].next().unwrap_or_default()).collect())
}

fn heads_of_fold(
    context: &ExperimentContext,
    run: &TrainingRun,
    folds: Folds,
    fold: usize,
    progress: &Progress,
) -> Result<Vec<Vec<Word>>, ArtifactError> {
    let system = context.builder.graph(run)?;
    let builder = &context.builder;
    let all = context.prepared(run);
    let name = format!("fold {} of {}", fold + 1, folds.count());
    let seen = all.learning_from(
        (0..all.train.sentences.len()).filter(|&i| folds.fold(i) != fold),
        &format!("{name}, blocks of {}", folds.block()),
    );
    let pruned = builder.pruned(&seen, system.schedule.pruning, run.seed)?;
    progress.step(1, 0, &format!("{name}, pruner"));
    let mut epochs_done = 0;
    let dataset = DatasetView { prepared: &seen, ..context.dataset(run) };
    let trained = builder.trained_graph(dataset, &pruned, run, &mut |passes| {
        let epoch = passes.len();
        epochs_done = epoch;
        progress.step(1, 0, &format!("{name}, epoch {epoch}"));
    })?;
    let parser = Parser {
        pruner: &pruned.pruner,
        rule: system.schedule.pruning,
        model: &trained.model,
        decoder: Decoder::Dp,
        limits: run.limits,
    };
    let unseen: Vec<&Sentence> =
        all.train.sentences.iter().enumerate().filter(|(i, _)| folds.fold(*i) == fold).map(|(_, s)| s).collect();
    let heads = unseen
        .par_iter()
        .with_min_len(16)
        .map_init(Scratch::default, |scratch, sentence| {
            let (answer, _) = parser
                .parse(&sentence.tokens, scratch, &mut NoClock)
                .map_err(|e| ArtifactError::Parse(sentence.place.clone(), e))?;
            Ok(answer.tree.as_ref().map_or(&[][..], Tree::heads).to_vec())
        })
        .collect();
    progress.step(1 + system.passes().saturating_sub(epochs_done), 0, &format!("{name}, parsed"));
    heads
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_that_cannot_be_are_refused() {
        assert!(matches!(shares(1, 10), Err(CrossValidationError::TooFew { folds: 1 })));
        assert!(matches!(shares(11, 10), Err(CrossValidationError::TooMany { folds: 11, sentences: 10 })));
    }
}
