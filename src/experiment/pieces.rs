//! The expensive pieces of an experiment (pruners, models, parsed cells), each made once and kept in the store.

use thiserror::Error;

use super::cell::{Cell, TrainingRun};
use super::config::{ChooseEpoch, Config, Punctuation, Tags, Trainer};
use super::data::{DataError, TrainingPart, Treebank};
use super::evaluate;
use super::prepared::{PredictedTags, Prepared};
use super::store::{Key, Store};
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::decode::{self, Decoder, DpError};
use crate::features::template::TemplateError;
use crate::features::{Plan, TemplateSet};
use crate::parser::online::{Example, Online, PassError, PassStatistics, Steps};
use crate::parser::{Model, ParseError, Parser, kinds_wanted, scored_families};
use crate::pruning::{self, Candidates, Pruner, Schedule};
use crate::report::record::SentenceRow;
use crate::tagger::{Schedule as TaggerSchedule, TaggerError};
use crate::treebank::Sentence;
use crate::weights::learner::LearnError;
use crate::weights::table::{FeatureKey, decode_features, encode_features};

/// Why a piece could not be made.
#[derive(Debug, Error)]
pub enum PieceError {
    /// The data cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A template file cannot be used.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// Training failed.
    #[error("training {0}: {1}")]
    Training(String, PassError<DpError>),
    /// Summing up the weights failed.
    #[error("training {0}: {1}")]
    Weights(String, LearnError),
    /// The system has no memory for a table.
    #[error("no memory for a table of weights: {0}")]
    Memory(std::io::Error),
    /// The tagger cannot be trained.
    #[error("corpus `{0}`: {1}")]
    Tagger(String, TaggerError),
    /// A sentence cannot be parsed.
    #[error("{0}: {1}")]
    Parse(crate::treebank::Place, ParseError),
    /// A timed pass parsed otherwise than the run.
    #[error(
        "{1}: timing {0}: the parse differs from that of the run; the finished work in the cache is of another program: remove it"
    )]
    NotTheSame(String, crate::treebank::Place),
    /// A finished piece cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: std::path::PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// A pruner, and the arcs that it keeps in the training part, gold arcs included.
#[derive(Debug)]
pub struct Pruned {
    /// The pruner.
    pub pruner: Pruner,
    /// By training sentence.
    pub kept: Vec<Candidates>,
}

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

/// Makes pieces, or takes them from the store.
#[derive(Debug)]
pub struct Workshop<'a> {
    /// The experiment.
    pub config: &'a Config,
    /// Where finished pieces are kept.
    pub store: &'a Store,
    /// Templates of the parser.
    pub templates: TemplateSet,
    /// Templates of the pruner.
    pub pruner_templates: TemplateSet,
}

/// The template set that a config names: a built-in one, or a file beside the config.
///
/// # Errors
/// If it cannot be read.
pub fn template_set(config: &Config, name: &str) -> Result<TemplateSet, TemplateError> {
    TemplateSet::built_in(name).unwrap_or_else(|| TemplateSet::read(&config.base.join(name)))
}

impl<'a> Workshop<'a> {
    /// A corpus with the tags that the parser is to see.
    ///
    /// # Errors
    /// See [`PieceError`].
    pub fn prepared(&self, treebank: &Treebank, tags: Tags) -> Result<Prepared, PieceError> {
        if tags == Tags::Gold {
            return Ok(Prepared::gold(treebank)?);
        }
        let tagging = self.config.tagger;
        let key = Key::new(
            "tagger",
            &[
                ("data", &treebank.train.checksum),
                ("epochs", &tagging.epochs),
                ("folds", &tagging.folds),
                ("seed", &tagging.seed),
            ],
        );
        let decode = |bytes: &[u8]| PredictedTags::decode(bytes, &treebank.train);
        let predicted = self.piece(&key, decode, || {
            let schedule = TaggerSchedule { epochs: tagging.epochs, seed: tagging.seed };
            let predicted = PredictedTags::train(&treebank.train, tagging.folds, schedule);
            Ok(predicted.map_err(|e| PieceError::Tagger(treebank.corpus.name.clone(), e))?.encode())
        })?;
        Ok(Prepared::predicted(treebank, predicted, &key.to_string())?)
    }

    /// For an experiment.
    ///
    /// # Errors
    /// If a template set cannot be read.
    pub fn new(config: &'a Config, store: &'a Store) -> Result<Self, TemplateError> {
        let templates = template_set(config, &config.training.templates)?;
        let pruner_templates = template_set(config, &config.pruning.templates)?;
        Ok(Self { config, store, templates, pruner_templates })
    }

    /// A piece from the store; made and stored if it is not there, or does not decode.
    fn piece<T>(
        &self,
        key: &Key,
        decode: impl Fn(&[u8]) -> Result<T, Damaged>,
        make: impl FnOnce() -> Result<Vec<u8>, PieceError>,
    ) -> Result<T, PieceError> {
        if let Some(Ok(piece)) = self.store.get(key).map(|bytes| decode(&bytes)) {
            return Ok(piece);
        }
        let bytes = make()?;
        let write = |source| PieceError::Write { path: self.store.path(key), source };
        self.store.put(key, &bytes).map_err(write)?;
        decode(&bytes).map_err(|e| write(std::io::Error::other(e)))
    }

    fn pruner_key(&self, prepared: &Prepared, seed: u64) -> Key {
        let pruning = &self.config.pruning;
        Key::new(
            "pruner",
            &[
                ("data", &prepared.checksum),
                ("templates", &self.pruner_templates),
                ("epochs", &pruning.epochs),
                ("rate", &pruning.rate),
                ("rule", &self.config.training.rule),
                ("seed", &seed),
            ],
        )
    }

    /// The pruner of a seed, and the pruned training part.
    ///
    /// # Errors
    /// See [`PieceError`].
    pub fn pruned(&self, prepared: &Prepared, seed: u64) -> Result<Pruned, PieceError> {
        let decode = |bytes: &[u8]| {
            let mut from = BytesReader::new(bytes);
            let pruner = Pruner::decode(self.pruner_templates.clone(), &mut from)?;
            let mut kept = Vec::with_capacity(prepared.train.sentences.len());
            for _ in &prepared.train.sentences {
                kept.push(Candidates::decode(&mut from)?);
            }
            from.end()?;
            Ok(Pruned { pruner, kept })
        };
        self.piece(&self.pruner_key(prepared, seed), decode, || {
            let TrainingPart { sentences, trees, .. } = &prepared.train;
            let pairs: Vec<_> = sentences.iter().zip(trees).collect();
            let pruning = &self.config.pruning;
            let schedule = Schedule { epochs: pruning.epochs, rate: pruning.rate as f32, seed };
            let rule = self.config.training.rule;
            let (pruner, kept) =
                pruning::train(&self.pruner_templates, &pairs, schedule, rule).map_err(PieceError::Memory)?;
            let mut out = BytesWriter::default();
            pruner.encode(&mut out);
            kept.iter().for_each(|candidates| candidates.encode(&mut out));
            Ok(out.into_bytes())
        })
    }

    fn model_key(&self, prepared: &Prepared, run: &TrainingRun, punctuation: &Punctuation) -> Key {
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
            let statistics = online
                .pass(&examples, |graph, prior| decoder.decode(graph, *backbone, prior, training.limits, &mut scratch))
                .map_err(|e| PieceError::Training(name(), e))?;
            let mut record = EpochRecord { statistics, ..EpochRecord::default() };
            if training.choose_epoch == ChooseEpoch::Dev {
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

    fn cell_key(&self, prepared: &Prepared, cell: &Cell, punctuation: &Punctuation) -> Key {
        let Cell { corpus, tags, trainer, backbone, seed, .. } = *cell;
        let run = TrainingRun { corpus, tags, trainer, set: cell.set.clone(), backbone, seed };
        let limits =
            if cell.decoder == Decoder::Dp { String::new() } else { format!("{:?}", self.config.decoding.limits) };
        Key::new(
            "cell",
            &[
                ("model", &self.model_key(prepared, &run, punctuation)),
                ("rule", &cell.rule),
                ("decoder", &cell.decoder),
                ("limits", &limits),
                ("split", &cell.split.name()),
                ("punctuation", &format!("{punctuation:?}")),
            ],
        )
    }

    /// Whether the results of a cell are in the store.
    pub fn has_cell(&self, prepared: &Prepared, cell: &Cell, punctuation: &Punctuation) -> bool {
        self.store.has(&self.cell_key(prepared, cell, punctuation))
    }

    /// The results of a cell, a row a sentence. `gold` are the sentences of its part with the treebank's tags; `model` is
    /// asked for only if the cell is not in the store.
    ///
    /// # Errors
    /// See [`PieceError`].
    pub fn cell<'m>(
        &self,
        prepared: &Prepared,
        gold: &[Sentence],
        cell: &Cell,
        punctuation: &Punctuation,
        model: impl FnOnce() -> Result<(&'m Pruned, &'m Model), PieceError>,
    ) -> Result<Vec<SentenceRow>, PieceError> {
        let key = cell.key(self.config);
        let decode = |bytes: &[u8]| evaluate::decode_rows(bytes, &key);
        self.piece(&self.cell_key(prepared, cell, punctuation), decode, || {
            let (pruned, model) = model()?;
            let parser = Parser {
                pruner: &pruned.pruner,
                rule: cell.rule,
                model,
                decoder: cell.decoder,
                limits: self.config.decoding.limits,
            };
            let rows = evaluate::evaluate(&parser, prepared.part(cell.split), gold, punctuation)?;
            Ok(evaluate::encode_rows(&rows))
        })
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
