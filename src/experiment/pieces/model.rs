//! Models, and the passes that they were learnt in.

use super::{Made, PieceError, Pruned, Workshop};
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::cell::Method;
use crate::decode::{self, Decoder};
use crate::experiment::cell::TrainingRun;
use crate::experiment::config::{ChooseEpoch, Punctuation, Schedule};
use crate::experiment::data::TrainingPart;
use crate::experiment::evaluate;
use crate::experiment::prepared::Prepared;
use crate::experiment::store::Key;
use crate::features::Plan;
use crate::parser::online::{Example, Online, PassStatistics, Steps};
use crate::parser::{Model, Parser, kinds_wanted, scored_families};
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
    pub(super) fn model_key(
        &self,
        prepared: &Prepared,
        run: &TrainingRun,
        punctuation: &Punctuation,
    ) -> Result<Key, PieceError> {
        let Made { templates, schedule, set, backbone } = self.made(run)?;
        let choice = match schedule.choose_epoch {
            ChooseEpoch::Last => "last".to_owned(),
            ChooseEpoch::Dev => format!("dev, {punctuation:?}, {:?}", run.limits),
        };
        let search =
            if set.is_baseline() { "dp".to_owned() } else { format!("{} {:?}", schedule.decoder, schedule.limits) };
        Ok(Key::new(
            "model",
            &[
                ("pruner", &self.pruner_key(prepared, schedule.pruning, run.seed)),
                ("steps", &format!("{:?}", steps(schedule))),
                ("templates", templates),
                ("set", set),
                ("backbone", &backbone),
                ("epochs", &schedule.epochs),
                ("average from", &schedule.average_from),
                ("choice", &choice),
                ("search", &search),
                ("seed", &run.seed),
            ],
        ))
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
        let made = self.made(run)?;
        let decode = |bytes: &[u8]| {
            let mut from = BytesReader::new(bytes);
            let features = decode_features(&mut from)?;
            let epochs = decode_epochs(&mut from)?;
            from.end()?;
            let model = model(made, features).map_err(|_| Damaged)?;
            Ok(Trained { model, epochs })
        };
        self.piece(&self.model_key(prepared, run, punctuation)?, decode, || {
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
        let made = self.made(run)?;
        let Made { templates, schedule, set, backbone } = made;
        let seed = run.seed;
        let name = || format!("`{set}`, seed {seed}");
        let families = scored_families(set.families(), backbone);
        let plan = Plan::new(templates, |kind| kinds_wanted(&families, backbone, kind));
        let TrainingPart { sentences, trees, .. } = &prepared.train;
        let examples: Vec<Example> = sentences
            .iter()
            .zip(trees)
            .zip(&pruned.kept)
            .map(|((sentence, tree), candidates)| Example { sentence, tree, candidates })
            .collect();
        let decoder = if set.is_baseline() { Decoder::Dp } else { schedule.decoder };
        let mut scratch = decode::Scratch::default();
        let mut online =
            Online::new(&plan, &families, steps(schedule), seed).map_err(|e| PieceError::Weights(name(), e))?;
        let mut epochs: Vec<EpochRecord> = Vec::new();
        let mut best: Option<(u64, Model)> = None;
        for epoch in 1..=schedule.epochs {
            if epoch == schedule.average_from {
                online.restart_average();
            }
            let statistics = online
                .pass(&examples, |graph, prior| decoder.decode(graph, backbone, prior, schedule.limits, &mut scratch))
                .map_err(|e| PieceError::Training(name(), e))?;
            let mut record = EpochRecord { statistics, ..EpochRecord::default() };
            if schedule.choose_epoch == ChooseEpoch::Dev && epoch >= schedule.average_from {
                let model = freeze(&online, made).map_err(|e| e.named(name()))?;
                let parser = Parser {
                    pruner: &pruned.pruner,
                    rule: schedule.pruning,
                    model: &model,
                    decoder,
                    limits: run.limits,
                };
                let correct = dev_score(&parser, prepared, punctuation)?;
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
                freeze(&online, made).map_err(|e| e.named(name()))?
            }
        };
        Ok(Trained { model, epochs })
    }
}

fn steps(schedule: &Schedule) -> Steps {
    match schedule.method {
        Method::Perceptron => Steps::Perceptron,
        Method::Mira => Steps::Mira { aggressiveness: schedule.aggressiveness },
    }
}

fn freeze(online: &Online, made: Made) -> Result<Model, FreezeError> {
    let features = online.average().map_err(FreezeError::Weights)?;
    model(made, features).map_err(FreezeError::Memory)
}

fn model(made: Made, features: Vec<(FeatureKey, i32)>) -> std::io::Result<Model> {
    Model::new(made.templates.clone(), made.set.families(), made.backbone, features)
}

fn dev_score(parser: &Parser, prepared: &Prepared, punctuation: &Punctuation) -> Result<u64, PieceError> {
    let evaluated = evaluate::evaluate(parser, &prepared.dev, prepared.gold_dev(), punctuation)?;
    Ok(evaluated.iter().map(|e| e.scored_correct).sum())
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
