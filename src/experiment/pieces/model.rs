//! Models, and the passes that they were learnt in.

use super::{PieceError, Pruned, Workshop};
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::decode::{self, Decoder};
use crate::experiment::cell::TrainingRun;
use crate::experiment::config::{ChooseEpoch, Trainer};
use crate::experiment::evaluate;
use crate::experiment::prepared::Prepared;
use crate::experiment::store::Key;
use crate::features::Plan;
use crate::parser::online::{Example, Online, PassStatistics, Steps};
use crate::parser::{Model, Parser, kinds_wanted, scored_families};
use crate::systems::TrainingPart;
use crate::treebank::Punctuation;
use crate::weights::learner::LearnError;
use crate::weights::table::{FeatureKey, decode_features, encode_features};

/// One pass of a training run (`training.csv`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EpochRecord {
    /// What the pass did.
    pub statistics: PassStatistics,
    /// Scored words of the development part that are right after it; none if it was not looked at.
    pub dev_scored_correct: Option<u64>,
    /// Whether the model is that of this pass.
    pub chosen: bool,
}

/// A trained model and how it came about.
#[derive(Debug)]
pub struct Trained {
    /// The model.
    pub model: Model,
    /// One record an epoch.
    pub epochs: Vec<EpochRecord>,
}

impl Workshop<'_> {
    pub(super) fn model_key(&self, prepared: &Prepared, run: &TrainingRun, punctuation: &Punctuation) -> Key {
        let training = &self.config.training;
        let choice = match training.choose_epoch {
            ChooseEpoch::Last => "last".to_owned(),
            ChooseEpoch::Dev => format!("dev, {punctuation:?}, {:?}", self.config.decoding.limits),
        };
        let search =
            if run.set.is_baseline() { "dp".to_owned() } else { format!("{} {:?}", training.decoder, training.limits) };
        Key::new(
            "model",
            &[
                ("pruner", &self.pruner_key(prepared, run.seed)),
                ("steps", &format!("{:?}", self.steps(run.trainer))),
                ("templates", &self.templates),
                ("set", &run.set),
                ("backbone", &run.backbone),
                ("epochs", &training.epochs),
                ("average from", &training.average_from),
                ("choice", &choice),
                ("search", &search),
                ("seed", &run.seed),
            ],
        )
    }

    fn steps(&self, trainer: Trainer) -> Steps {
        match trainer {
            Trainer::Perceptron => Steps::Perceptron,
            Trainer::Mira => Steps::Mira { aggressiveness: self.config.training.aggressiveness },
        }
    }

    /// The model of a training run.
    ///
    /// # Errors
    /// See [`PieceError`].
    pub fn trained(
        &self,
        prepared: &Prepared,
        pruned: &Pruned,
        run: &TrainingRun,
        punctuation: &Punctuation,
        mut on_epoch: impl FnMut(usize),
    ) -> Result<Trained, PieceError> {
        let decode = |bytes: &[u8]| {
            let mut from = BytesReader::new(bytes);
            let features = decode_features(&mut from)?;
            let epochs = decode_epochs(&mut from)?;
            from.end()?;
            let model = self.model(run, features).map_err(|_| Damaged)?;
            Ok(Trained { model, epochs })
        };
        self.piece(&self.model_key(prepared, run, punctuation), decode, || {
            let trained = self.train(prepared, pruned, run, punctuation, &mut on_epoch)?;
            let mut out = BytesWriter::default();
            encode_features(trained.model.features(), &mut out);
            encode_epochs(&trained.epochs, &mut out);
            Ok(out.into_bytes())
        })
    }

    fn train(
        &self,
        prepared: &Prepared,
        pruned: &Pruned,
        run: &TrainingRun,
        punctuation: &Punctuation,
        on_epoch: &mut dyn FnMut(usize),
    ) -> Result<Trained, PieceError> {
        let training = &self.config.training;
        let TrainingRun { set, backbone, seed, .. } = run;
        let name = || format!("`{set}`, seed {seed}");
        let families = scored_families(set.families(), *backbone);
        let plan = Plan::new(&self.templates, |kind| kinds_wanted(&families, *backbone, kind));
        let TrainingPart { sentences, trees, .. } = &prepared.train;
        let examples: Vec<Example> = sentences
            .iter()
            .zip(trees)
            .zip(&pruned.kept)
            .map(|((sentence, tree), candidates)| Example { sentence, tree, candidates })
            .collect();
        let decoder = if set.is_baseline() { Decoder::Dp } else { training.decoder };
        let mut scratch = decode::Scratch::default();
        let mut online = Online::new(&plan, &families, self.steps(run.trainer), *seed)
            .map_err(|e| PieceError::Weights(name(), e))?;
        let mut epochs: Vec<EpochRecord> = Vec::new();
        let mut best: Option<(u64, Model)> = None;
        for epoch in 1..=training.epochs {
            if epoch == training.average_from {
                online.restart_average();
            }
            let statistics = online
                .pass(&examples, |graph, prior| decoder.decode(graph, *backbone, prior, training.limits, &mut scratch))
                .map_err(|e| PieceError::Training(name(), e))?;
            let mut record = EpochRecord { statistics, ..EpochRecord::default() };
            if training.choose_epoch == ChooseEpoch::Dev && epoch >= training.average_from {
                let model = self.freeze(&online, run).map_err(|e| e.named(name()))?;
                let correct = self.dev_score(prepared, pruned, &model, decoder, punctuation)?;
                record.dev_scored_correct = Some(correct);
                if best.as_ref().is_none_or(|b| correct > b.0) {
                    epochs.iter_mut().for_each(|e| e.chosen = false);
                    record.chosen = true;
                    best = Some((correct, model));
                }
            }
            epochs.push(record);
            on_epoch(epoch);
        }
        let model = match best {
            Some((_, model)) => model,
            None => {
                epochs.iter_mut().next_back().into_iter().for_each(|e| e.chosen = true);
                self.freeze(&online, run).map_err(|e| e.named(name()))?
            }
        };
        Ok(Trained { model, epochs })
    }

    fn freeze(&self, online: &Online, run: &TrainingRun) -> Result<Model, FreezeError> {
        let features = online.average().map_err(FreezeError::Weights)?;
        self.model(run, features).map_err(FreezeError::Memory)
    }

    fn model(&self, run: &TrainingRun, features: Vec<(FeatureKey, i32)>) -> std::io::Result<Model> {
        Model::new(self.templates.clone(), run.set.families(), run.backbone, features)
    }

    fn dev_score(
        &self,
        prepared: &Prepared,
        pruned: &Pruned,
        model: &Model,
        decoder: Decoder,
        punctuation: &Punctuation,
    ) -> Result<u64, PieceError> {
        let parser = Parser {
            pruner: &pruned.pruner,
            rule: self.config.training.rule,
            model,
            decoder,
            limits: self.config.decoding.limits,
        };
        let evaluated = evaluate::evaluate(&parser, &prepared.dev, prepared.gold_dev(), punctuation)?;
        Ok(evaluated.iter().map(|e| e.scored_correct).sum())
    }
}

enum FreezeError {
    Weights(LearnError),
    Memory(std::io::Error),
}

impl FreezeError {
    fn named(self, name: String) -> PieceError {
        match self {
            Self::Weights(e) => PieceError::Weights(name, e),
            Self::Memory(e) => PieceError::Memory(e),
        }
    }
}

fn encode_epochs(epochs: &[EpochRecord], out: &mut BytesWriter) {
    out.u64(epochs.len() as u64);
    for e in epochs {
        let s = e.statistics;
        let dev = e.dev_scored_correct.map_or(0, |c| c + 1);
        for value in [s.mistakes as u64, s.wrong_heads as u64, s.unproven as u64, s.dp_calls, dev, e.chosen.into()] {
            out.u64(value);
        }
    }
}

fn decode_epochs(from: &mut BytesReader) -> Result<Vec<EpochRecord>, Damaged> {
    let mut epochs = Vec::new();
    for _ in 0..from.u64()? {
        let mut next = || from.u64();
        let statistics = PassStatistics {
            mistakes: next()? as usize,
            wrong_heads: next()? as usize,
            unproven: next()? as usize,
            dp_calls: next()?,
        };
        let dev_scored_correct = next()?.checked_sub(1);
        epochs.push(EpochRecord { statistics, dev_scored_correct, chosen: next()? == 1 });
    }
    Ok(epochs)
}
