//! The expensive artifacts of an experiment (tags, pruners, models, parsed cells), each made once and kept in the store.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::cell::{Cell, TrainingRun};
use super::config::Config;
use super::data::{Checksums, Treebank};
use super::parsed;
use super::prepared::{self, PredictedTags, Prepared};
use super::store::{Facts, Key, Store};
use super::times::{Kind, Times};
use super::versions;
use crate::rows::SentenceRow;
use treebound_core::decode::Decoder;
use treebound_core::decode::bnb::Limits;
use treebound_parser::answer::Clock;
use treebound_parser::bytes::{BytesReader, BytesWriter, Damaged};
use treebound_parser::cell::{
    Axis, AxisValues, Decoding, FeatureSet, Labelling, Reranked, Reranking, Split, SystemName, Tags, TemplatesName,
};
use treebound_parser::features::TemplateSet;
use treebound_parser::features::template::TemplateError;
use treebound_parser::labels;
use treebound_parser::model::TreeKind;
use treebound_parser::pruning::{self, Candidates, Pruner, PrunerModel, Rule};
use treebound_parser::reranking::Reranker;
use treebound_parser::systems::external::ExternalSystem;
use treebound_parser::systems::facts::{spell_limits, spell_punctuation, spell_templates};
use treebound_parser::systems::graph::{GraphModel, GraphSystem, Start};
use treebound_parser::systems::{
    AxisKind, Choice, How, Learnt, PassRecord, Pruned, Stage, System, Task, Trained, TrainingPart, Versions,
};
use treebound_parser::tagger::Schedule;
use treebound_parser::treebank::{Punctuation, Sentence};

mod error;
mod kinds;
mod stored;

pub use error::ArtifactError;

/// Makes artifacts, or takes them from the store.
#[derive(Debug)]
pub struct ArtifactBuilder<'a> {
    /// The experiment.
    pub config: &'a Config,
    /// Where finished artifacts are kept.
    pub store: &'a Store,
    /// Templates of parsers, by name.
    pub templates: BTreeMap<TemplatesName, TemplateSet>,
    /// Templates of the pruner.
    pub pruner_templates: TemplateSet,
    /// Templates of the labeller.
    label_templates: TemplateSet,
    externals: Vec<Arc<ExternalSystem>>,
    times: Times,
    /// Whether what the store lacks is an error, and is not made.
    makes_nothing: bool,
}

/// What a training run works with.
#[derive(Clone, Copy, Debug)]
pub struct DatasetView<'a> {
    /// The corpus with the treebank's tags; a fold of it in cross-validation.
    pub treebank: &'a Treebank,
    /// The same with the tags that the parser sees.
    pub prepared: &'a Prepared,
}

impl<'a> DatasetView<'a> {
    /// Which of its words are not scored.
    pub fn punctuation(&self) -> &'a Punctuation {
        &self.treebank.corpus.punctuation
    }

    /// The sentences of a part that is parsed, with the tags that the parser sees, and with the treebank's.
    pub fn part(&self, split: Split) -> (&'a [Sentence], &'a [Sentence]) {
        (self.prepared.part(split), &self.treebank.part(split).sentences)
    }

    /// What of it decides artifacts.
    pub(crate) fn decisive(&self) -> (&'a str, &'a Punctuation) {
        (&self.prepared.checksum, self.punctuation())
    }
}

impl<'a> ArtifactBuilder<'a> {
    /// For an experiment.
    ///
    /// # Errors
    /// If a template set cannot be read.
    pub fn new(config: &'a Config, store: &'a Store) -> Result<Self, TemplateError> {
        let mut templates = BTreeMap::new();
        for (name, source) in &config.templates {
            templates.insert(name.clone(), source.read(&config.base)?);
        }
        let externals =
            config.externals.iter().map(|external| Arc::new(ExternalSystem::new(external.clone(), &config.base)));
        Ok(Self {
            config,
            store,
            templates,
            pruner_templates: config.pruner.templates.read(&config.base)?,
            label_templates: config.labeller.templates.read(&config.base)?,
            externals: externals.collect(),
            times: Times::new(store.folder()),
            makes_nothing: false,
        })
    }

    /// Makes nothing from now on: what the store lacks is an error.
    pub fn make_nothing(&mut self) {
        self.makes_nothing = true;
    }

    /// Makes one artifact: how much memory that takes is told beside its time.
    pub fn make_one(&mut self) {
        self.times.of_one();
    }

    /// That an artifact may be made now. One that is there, and is not taken, is damaged: it goes, so that who makes artifacts makes
    /// it again.
    fn check_may_make(&self, key: &Key) -> Result<(), ArtifactError> {
        if !self.makes_nothing {
            return Ok(());
        }
        let was_there = self.store.remove(key);
        Err(ArtifactError::NotThere { artifact: key.to_string(), was_there })
    }

    /// What predicted tags are kept under, by what decides the training part that the tagger learns from.
    pub fn tags_key(&self, treebank: &Checksums) -> Key {
        self.tags_facts(treebank).key()
    }

    fn tags_facts(&self, treebank: &Checksums) -> Facts {
        let tagging = self.config.tagger;
        Facts::new("tags", versions::TAGS)
            .with("train", &treebank.train)
            .with("epochs", tagging.epochs)
            .with("folds", tagging.folds)
            .with("seed", tagging.seed)
    }

    /// What decides a corpus with the tags that the parser is to see: that of [`prepared`](Self::prepared), known before.
    pub fn checksum(&self, treebank: &Checksums, tags: Tags, kind: TreeKind) -> String {
        let tagger = (tags == Tags::Predicted).then(|| self.tags_key(treebank).to_string());
        prepared::facts(treebank, tagger.as_deref(), kind).key().to_string()
    }

    /// A corpus with the tags that the parser is to see, and training trees of a kind.
    ///
    /// # Errors
    /// See [`ArtifactError`].
    pub fn prepared(&self, treebank: &Treebank, tags: Tags, kind: TreeKind) -> Result<Prepared, ArtifactError> {
        if tags == Tags::Gold {
            return Ok(Prepared::gold(treebank, kind)?);
        }
        let tagging = self.config.tagger;
        let key = self.tags_key(&treebank.checksums());
        let decode = |bytes: &[u8]| PredictedTags::decode(bytes, &treebank.train);
        let made = (self.kind_of_tags(&treebank.corpus.name), self.words_of_tags(treebank.train.tokens()));
        let predicted = self.artifact(&key, made, decode, || {
            let schedule = Schedule { epochs: tagging.epochs, seed: tagging.seed };
            let predicted = PredictedTags::train(&treebank.train, tagging.folds, schedule);
            Ok(predicted.map_err(|e| ArtifactError::Tagger(treebank.corpus.name.to_string(), e))?.encode())
        })?;
        Ok(Prepared::predicted(treebank, predicted, &key.to_string(), kind)?)
    }

    /// The rule by which a run's training sentences are pruned; none if its system needs no pruner.
    pub fn training_pruning(&self, run: &TrainingRun) -> Option<Rule> {
        run.pruning(self.config)
    }

    /// What a pruner is kept under, by what decides the data.
    pub fn pruner_key(&self, data: &str, rule: Rule, seed: u64) -> Key {
        self.pruner_facts(data, rule, seed).key()
    }

    fn pruner_facts(&self, data: &str, rule: Rule, seed: u64) -> Facts {
        let pruner = &self.config.pruner;
        let facts = Facts::new("pruner", versions::PRUNER)
            .with("data", data)
            .with("templates", spell_templates(&self.pruner_templates))
            .with("epochs", pruner.epochs)
            .with("rate", pruner.rate)
            .with("rule", rule)
            .with("seed", seed);
        match pruner.model {
            // As keys were before there were others; the data say of which trees it is.
            PrunerModel::Sums => facts,
            model => facts.with("model", model.name()),
        }
    }

    /// The pruner of a seed, and the training part pruned by a rule.
    ///
    /// # Errors
    /// See [`ArtifactError`].
    pub fn pruned(&self, prepared: &Prepared, rule: Rule, seed: u64) -> Result<Pruned, ArtifactError> {
        let method = self.config.pruner.model.method(prepared.trees);
        let decode = |bytes: &[u8]| {
            let mut from = BytesReader::new(bytes);
            let pruner = Pruner::decode(self.pruner_templates.clone(), &mut from)?.with_method(method);
            let mut kept = Vec::with_capacity(prepared.train.sentences.len());
            for _ in &prepared.train.sentences {
                kept.push(Candidates::decode(&mut from)?);
            }
            from.end()?;
            Ok(Pruned { pruner, kept })
        };
        let made = (self.kind_of_pruner(rule), self.words_of_pruner(prepared.train.words()));
        self.artifact(&self.pruner_key(&prepared.checksum, rule, seed), made, decode, || {
            let TrainingPart { sentences, trees, .. } = &prepared.train;
            let pairs: Vec<_> = sentences.iter().zip(trees).collect();
            let settings = &self.config.pruner;
            let schedule = pruning::Schedule { epochs: settings.epochs, rate: settings.rate as f32, seed, method };
            let (pruner, kept) =
                pruning::train(&self.pruner_templates, &pairs, schedule, rule).map_err(ArtifactError::Memory)?;
            let mut out = BytesWriter::default();
            pruner.encode(&mut out);
            kept.iter().for_each(|candidates| candidates.encode(&mut out));
            Ok(out.into_bytes())
        })
    }

    /// The pruner of a run, if its system needs one.
    ///
    /// # Errors
    /// See [`ArtifactError`].
    pub fn pruned_for(&self, prepared: &Prepared, run: &TrainingRun) -> Result<Option<Pruned>, ArtifactError> {
        self.training_pruning(run).map(|rule| self.pruned(prepared, rule, run.seed)).transpose()
    }

    fn labeller_facts(&self, data: &str, seed: u64) -> Facts {
        Facts::new("labeller", versions::LABELLER)
            .with("data", data)
            .with("templates", spell_templates(&self.label_templates))
            .with("epochs", self.config.labeller.epochs)
            .with("seed", seed)
    }

    /// What the labeller of a run is kept under; none if the run finds no labels.
    pub(crate) fn labeller_key(&self, data: &str, run: &TrainingRun) -> Option<Key> {
        (run.axes.labels() == Labelling::SecondStage).then(|| self.labeller_facts(data, run.seed).key())
    }

    /// The labeller of a run, if the run finds labels.
    ///
    /// # Errors
    /// See [`ArtifactError`].
    pub fn labeller(&self, prepared: &Prepared, run: &TrainingRun) -> Result<Option<labels::Labeller>, ArtifactError> {
        let Some(key) = self.labeller_key(&prepared.checksum, run) else { return Ok(None) };
        let decode = |bytes: &[u8]| {
            let mut from = BytesReader::new(bytes);
            let labeller = labels::Labeller::decode(&mut from)?;
            from.end()?;
            Ok(labeller)
        };
        let TrainingPart { sentences, trees, .. } = &prepared.train;
        let made = (self.kind_of_labeller(), self.words_of_labeller(prepared.train.words()));
        let labeller = self.artifact(&key, made, decode, || {
            let schedule = labels::Schedule { epochs: self.config.labeller.epochs, seed: run.seed };
            let labeller = labels::Labeller::train(&self.label_templates, sentences.iter().zip(trees), schedule);
            let mut out = BytesWriter::default();
            labeller.map_err(|e| ArtifactError::Labeller(self.corpus_of(run), e))?.encode(&mut out);
            Ok(out.into_bytes())
        })?;
        Ok(Some(labeller))
    }

    /// A model of a run with the labeller and the reranker of the run, if that has them.
    fn completed(
        &self,
        GraphModel { model, passes, end }: GraphModel,
        dataset: DatasetView,
        pruned: &Pruned,
        run: &TrainingRun,
    ) -> Result<GraphModel, ArtifactError> {
        let model = model.with_labeller(self.labeller(dataset.prepared, run)?);
        self.with_reranker(GraphModel { model, passes, end }, dataset, pruned, run)
    }

    /// Whether a run has more than what its system learns.
    fn has_more(run: &TrainingRun) -> bool {
        run.axes.labels() == Labelling::SecondStage || run.axes.reranking().is_some()
    }

    /// What the reranker of a run is kept under, by what decides the data and which words are punctuation; none if the run chooses
    /// no trees.
    ///
    /// # Errors
    /// If that cannot be found out.
    pub(crate) fn reranker_key(
        &self,
        decisive: (&str, &Punctuation),
        run: &TrainingRun,
    ) -> Result<Option<Key>, ArtifactError> {
        let Some(Reranking(most)) = run.axes.reranking() else { return Ok(None) };
        let model = self.model_key(&*self.system(run)?, decisive, run)?;
        let pruning = self.training_pruning(run).map_or_else(|| "none".to_owned(), |rule| rule.to_string());
        let facts = Facts::new("reranker", versions::RERANKER)
            .with("model", model)
            .with("trees", most)
            .with("pruning", pruning)
            .with("limits", spell_limits(&run.limits));
        Ok(Some(facts.key()))
    }

    /// A model of a run with the reranker of the run, if that chooses trees. It learns from the development part, from which the model
    /// has not learnt, pruned as training sentences are and searched within the limits of the run.
    fn with_reranker(
        &self,
        GraphModel { model, passes, end }: GraphModel,
        dataset: DatasetView,
        pruned: &Pruned,
        run: &TrainingRun,
    ) -> Result<GraphModel, ArtifactError> {
        let key = self.reranker_key(dataset.decisive(), run)?;
        let (Some(key), Some(Reranking(most)), Some(rule)) = (key, run.axes.reranking(), self.training_pruning(run))
        else {
            return Ok(GraphModel { model, passes, end });
        };
        let decode = |bytes: &[u8]| {
            let mut from = BytesReader::new(bytes);
            let reranker = Reranker::decode(&mut from)?;
            from.end()?;
            Ok(reranker)
        };
        let (sentences, gold) = dataset.part(Split::Dev);
        let words = sentences.iter().map(Sentence::len).sum::<usize>() as u64;
        let first = GraphModel { model: model.with_reranker(Some(Reranker::of_first(most.get()))), passes, end };
        let reranker = self.artifact(&key, (self.kind_of_reranker(run), words), decode, || {
            let axes = AxisValues::graph_parse(rule, first.model.backbone(), Decoder::Bnb);
            let how = How { pruner: Some(&pruned.pruner), axes: &axes, limits: run.limits };
            let examples = parsed::lists(&first, &how, sentences, gold, dataset.punctuation())?;
            let mut out = BytesWriter::default();
            let reranker = Reranker::learn(most.get(), &examples);
            reranker.map_err(|e| ArtifactError::Reranker(self.corpus_of(run), e))?.encode(&mut out);
            Ok(out.into_bytes())
        })?;
        let GraphModel { model, passes, end } = first;
        Ok(GraphModel { model: model.with_reranker(Some(reranker)), passes, end })
    }

    /// The baseline of a run that starts from what that has learnt.
    pub fn baseline_of(&self, run: &TrainingRun) -> Option<TrainingRun> {
        let starts = run.schedule(self.config)?.start_of(run.axes.features()?) != Start::Zero;
        let axes = || run.axes.with(FeatureSet::baseline()).with_labels(Labelling::None).with_reranking(Reranked(None));
        starts.then(|| TrainingRun { axes: axes(), limits: Limits::default(), ..run.clone() })
    }

    /// The baselines that some runs start from, if neither they nor the runs are in the store: each once.
    ///
    /// # Errors
    /// If a key cannot be made.
    pub fn missing_baselines<'r>(
        &self,
        dataset: DatasetView,
        runs: impl IntoIterator<Item = &'r TrainingRun>,
    ) -> Result<Vec<TrainingRun>, ArtifactError> {
        let mut missing = BTreeMap::new();
        for run in runs {
            let Some(baseline) = self.baseline_of(run) else { continue };
            let key = |run: &TrainingRun| self.model_key(&*self.system(run)?, dataset.decisive(), run);
            let own = key(&baseline)?;
            if !self.store.has(&key(run)?) && !self.store.has(&own) {
                missing.insert(own, baseline);
            }
        }
        Ok(missing.into_values().collect())
    }

    fn choice<'r>(&'r self, run: &'r TrainingRun) -> Choice<'r> {
        let (templates, learners) = (&self.templates, &self.config.learners);
        let label_templates = &self.label_templates;
        Choice { axes: &run.axes, templates, learners, choice_limits: run.limits, label_templates }
    }

    /// The system of a run.
    ///
    /// # Errors
    /// If there is no such system, or the run lacks what it needs.
    pub fn system(&self, run: &TrainingRun) -> Result<Box<dyn System>, ArtifactError> {
        if let Some(external) = self.externals.iter().find(|external| external.name() == run.system) {
            return Ok(Box::new(external.clone()));
        }
        let kind = self.config.kind(&run.system).ok_or_else(|| ArtifactError::NoSystem(run.system.clone()))?;
        Ok((kind.make)(&self.choice(run))?)
    }

    /// The parsers of somebody else.
    pub fn externals(&self) -> &[Arc<ExternalSystem>] {
        &self.externals
    }

    /// Ends the commands of parsers of somebody else: for a process that is asked to stop.
    pub fn end_commands(&self) {
        self.externals.iter().for_each(|external| external.end());
    }

    /// The graph system of a run, for verbs that look into its search.
    ///
    /// # Errors
    /// If the run lacks what it needs.
    pub fn graph(&self, run: &TrainingRun) -> Result<GraphSystem, ArtifactError> {
        Ok(GraphSystem::new(&self.choice(run))?)
    }

    /// The versions of the artifacts of some runs.
    ///
    /// # Errors
    /// If a run lacks what its system needs.
    pub fn versions<'r>(
        &self,
        runs: impl IntoIterator<Item = &'r TrainingRun>,
    ) -> Result<BTreeMap<String, u32>, ArtifactError> {
        let mut systems: BTreeMap<SystemName, Versions> = BTreeMap::new();
        let (mut has_labels, mut has_rerankers) = (false, false);
        for run in runs {
            has_labels |= run.axes.labels() == Labelling::SecondStage;
            has_rerankers |= run.axes.reranking().is_some();
            if !systems.contains_key(&run.system) {
                systems.insert(run.system.clone(), self.system(run)?.versions());
            }
        }
        let mut table = versions::table(systems);
        table.extend(has_labels.then(|| ("labeller".to_owned(), versions::LABELLER)));
        table.extend(has_rerankers.then(|| ("reranker".to_owned(), versions::RERANKER)));
        Ok(table)
    }

    /// What the model of a run is kept under, by what decides the data and which words are punctuation.
    ///
    /// # Errors
    /// If that cannot be found out.
    pub fn model_key(
        &self,
        system: &dyn System,
        decisive: (&str, &Punctuation),
        run: &TrainingRun,
    ) -> Result<Key, ArtifactError> {
        Ok(self.model_facts(system, decisive, run)?.key())
    }

    fn model_facts(
        &self,
        system: &dyn System,
        decisive: (&str, &Punctuation),
        run: &TrainingRun,
    ) -> Result<Facts, ArtifactError> {
        let none = || "none".to_owned();
        let (data, punctuation) = decisive;
        let rule = self.training_pruning(run).filter(|_| system.needs().pruner);
        let pruner = rule.map(|rule| self.pruner_key(data, rule, run.seed).to_string());
        let baseline = match self.baseline_of(run) {
            Some(run) => Some(self.model_key(&self.graph(&run)?, decisive, &run)?.to_string()),
            None => None,
        };
        let facts = Facts::new("model", system.versions().model)
            .with("system", system.name())
            .with("data", data)
            .with("pruner", pruner.unwrap_or_else(none))
            .with("baseline", baseline.unwrap_or_else(none))
            .with("punctuation", spell_punctuation(punctuation))
            .with("seed", run.seed);
        Ok(system.facts()?.into_iter().fold(facts, |facts, (name, value)| facts.with(name, value)))
    }

    /// The trained parser of a run; `log` is told of each pass.
    ///
    /// # Errors
    /// See [`ArtifactError`].
    pub fn trained(
        &self,
        system: &dyn System,
        dataset: DatasetView,
        pruned: Option<&Pruned>,
        run: &TrainingRun,
        log: &mut dyn FnMut(&[PassRecord]),
    ) -> Result<Box<dyn Trained>, ArtifactError> {
        if let Some(pruned) = pruned.filter(|_| Self::has_more(run)) {
            return Ok(Box::new(self.trained_graph(dataset, pruned, run, log)?));
        }
        let key = self.model_key(system, dataset.decisive(), run)?;
        let kept = self.kept(&key, |from| system.load(from));
        kept.map_or_else(
            || {
                self.check_may_make(&key)?;
                let baseline = self.baseline(dataset, pruned, run)?;
                let task = task(dataset, pruned, self.start(dataset, run, baseline.as_ref())?, run.seed);
                let making = self.times.begin();
                let trained = system.train(&task, log).map_err(ArtifactError::of_run(run))?;
                self.keep(&key, |out| trained.save(out));
                making.end(&self.kind_of_model(run), self.words_of_model(system, dataset.prepared.train.words()));
                Ok(trained)
            },
            Ok,
        )
    }

    /// The trained parser of a run, learnt whether it is in the store or not and not put there, and the time that this took.
    ///
    /// # Errors
    /// See [`ArtifactError`].
    pub fn trained_again(
        &self,
        dataset: DatasetView,
        pruned: Option<&Pruned>,
        run: &TrainingRun,
        clock: &mut impl Clock,
    ) -> Result<(Box<dyn Trained>, u64), ArtifactError> {
        let system = self.system(run)?;
        let baseline = self.baseline(dataset, pruned, run)?;
        let task = task(dataset, pruned, self.start(dataset, run, baseline.as_ref())?, run.seed);
        let start = clock.now_ns();
        let trained = system.train(&task, &mut |_| {}).map_err(ArtifactError::of_run(run))?;
        Ok((trained, clock.now_ns() - start))
    }

    /// The model of the baseline that a run starts from, if it does.
    fn baseline(
        &self,
        dataset: DatasetView,
        pruned: Option<&Pruned>,
        run: &TrainingRun,
    ) -> Result<Option<GraphModel>, ArtifactError> {
        let Some((baseline, pruned)) = self.baseline_of(run).zip(pruned) else { return Ok(None) };
        self.trained_graph(dataset, pruned, &baseline, &mut |_| {}).map(Some)
    }

    /// The weights of that model, as a run starts from them.
    fn start<'m>(
        &self,
        dataset: DatasetView,
        run: &TrainingRun,
        baseline: Option<&'m GraphModel>,
    ) -> Result<Option<Learnt<'m>>, ArtifactError> {
        let Some(model) = baseline else { return Ok(None) };
        Ok(Some(self.graph(run)?.learnt(model, &dataset.prepared.train.sentences)))
    }

    /// The same of the graph system, as what it is.
    ///
    /// # Errors
    /// See [`ArtifactError`].
    pub fn trained_graph(
        &self,
        dataset: DatasetView,
        pruned: &Pruned,
        run: &TrainingRun,
        log: &mut dyn FnMut(&[PassRecord]),
    ) -> Result<GraphModel, ArtifactError> {
        let system = self.graph(run)?;
        let key = self.model_key(&system, dataset.decisive(), run)?;
        let kept = self.kept(&key, |from| system.read(from));
        let trained = kept.map_or_else(
            || {
                self.check_may_make(&key)?;
                let baseline = self.baseline(dataset, Some(pruned), run)?;
                let start = self.start(dataset, run, baseline.as_ref())?;
                let task = task(dataset, Some(pruned), start, run.seed);
                let making = self.times.begin();
                let trained = system.learn(&task, log).map_err(ArtifactError::of_run(run))?;
                self.keep(&key, |out| trained.save(out));
                making.end(&self.kind_of_model(run), self.words_of_model(&system, dataset.prepared.train.words()));
                Ok(trained)
            },
            Ok::<_, ArtifactError>,
        )?;
        self.completed(trained, dataset, pruned, run)
    }

    /// What the rows of a cell are kept under: two cells with one key have the same rows.
    ///
    /// # Errors
    /// If that cannot be found out.
    pub fn cell_key(&self, decisive: (&str, &Punctuation), cell: &Cell) -> Result<Key, ArtifactError> {
        Ok(self.cell_facts(decisive, cell)?.key())
    }

    fn cell_facts(&self, decisive: (&str, &Punctuation), cell: &Cell) -> Result<Facts, ArtifactError> {
        let system = self.system(&cell.run)?;
        let none = || "none".to_owned();
        let (pruning, decoder) = (cell.axes.pruning(), cell.axes.decoder());
        let is_limited = decoder.map_or(cell.limits != Limits::default(), |decoder| decoder != Decoder::Dp);
        let facts = Facts::new("rows", versions::ROWS)
            .with("answers", system.versions().answers)
            .with("model", self.model_key(&*system, decisive, &cell.run)?)
            .with("pruning", pruning.map_or_else(none, |rule| rule.to_string()))
            .with("decoder", decoder.map_or_else(none, Decoder::for_keys))
            .with("limits", if is_limited { spell_limits(&cell.limits) } else { none() })
            .with("split", cell.split)
            .with("punctuation", spell_punctuation(decisive.1));
        // Those of the graph system are spelt out above.
        let decides =
            |axis: &&AxisKind| axis.stage == Stage::Parse && ![Rule::NAME, Decoding::NAME].contains(&axis.name);
        let further = self.config.axes(&cell.run.system).iter().filter(decides);
        let facts = match self.labeller_key(decisive.0, &cell.run) {
            Some(key) => facts.with("labels", cell.run.axes.labels()).with("labeller", key),
            None => facts,
        };
        let facts = match self.reranker_key(decisive, &cell.run)? {
            Some(key) => facts.with("reranker", key),
            None => facts,
        };
        Ok(further.fold(facts, |facts, axis| facts.with(axis.name, cell.axes.spelt(axis.name))))
    }

    /// What the trees are kept under of a cell whose rows are kept under a key. They are made with the rows, by the same
    /// code, and their version is that of rows.
    pub fn trees_key(rows: &Key) -> Key {
        Facts::new("trees", versions::ROWS).with("rows", rows).key()
    }

    /// The key of something that is made of those of all folds.
    pub fn joined_key(kind: &'static str, version: u32, folds: &[Key]) -> Key {
        let folds: Vec<String> = folds.iter().map(ToString::to_string).collect();
        Facts::new(kind, version).with("folds", folds.join(" ")).key()
    }

    /// The results of a cell, or of a fold of it, a row a sentence; `trained` is asked for only if they are not in the store.
    ///
    /// # Errors
    /// See [`ArtifactError`].
    pub fn cell<'m>(
        &self,
        dataset: DatasetView,
        cell: &Cell,
        trained: impl FnOnce() -> Result<(Option<&'m Pruned>, &'m dyn Trained), ArtifactError>,
    ) -> Result<Vec<SentenceRow>, ArtifactError> {
        let key = cell.key(self.config);
        let decode = |bytes: &[u8]| parsed::decode_rows(bytes, &key);
        let (sentences, gold) = dataset.part(cell.split);
        let words = sentences.iter().map(Sentence::len).sum::<usize>();
        let made = (self.kind_of_rows(cell), words as u64);
        let kept_under = self.cell_key(dataset.decisive(), cell)?;
        let trees = Self::trees_key(&kept_under);
        let make = || {
            let (pruned, trained) = trained()?;
            let needs = self.system(&cell.run)?.needs();
            let how = how(cell, pruned);
            let parsed = parsed::evaluate(trained, needs, &how, sentences, gold, dataset.punctuation())?;
            // Before the rows: who is killed between the two leaves no rows without trees.
            self.store.put(&trees, &parsed::encode_trees(&parsed.heads));
            Ok(parsed::encode_rows(&parsed.counts))
        };
        // Trees that are damaged come back with their rows.
        if self.store.has(&trees) && self.store.get(&trees).is_none() {
            return self.make(&kept_under, made, decode, make);
        }
        self.artifact(&kept_under, made, decode, make)
    }

    /// What is kept under a key, if it is there and reads back.
    fn kept<T>(&self, key: &Key, decode: impl FnOnce(&mut BytesReader) -> Result<T, Damaged>) -> Option<T> {
        let bytes = self.store.get(key)?;
        let mut from = BytesReader::new(&bytes);
        let artifact = decode(&mut from).ok()?;
        from.end().ok()?;
        Some(artifact)
    }

    fn keep(&self, key: &Key, write: impl FnOnce(&mut BytesWriter)) {
        let mut out = BytesWriter::default();
        write(&mut out);
        self.store.put(key, &out.into_bytes());
    }

    /// An artifact from the store; made and stored if it is not there, or does not decode. `kind` and `words` tell what was
    /// made so fast.
    fn artifact<T>(
        &self,
        key: &Key,
        (kind, words): (Kind, u64),
        decode: impl Fn(&[u8]) -> Result<T, Damaged>,
        make: impl FnOnce() -> Result<Vec<u8>, ArtifactError>,
    ) -> Result<T, ArtifactError> {
        if let Some(Ok(artifact)) = self.store.get(key).map(|bytes| decode(&bytes)) {
            return Ok(artifact);
        }
        self.make(key, (kind, words), decode, make)
    }

    /// An artifact, made and stored.
    fn make<T>(
        &self,
        key: &Key,
        (kind, words): (Kind, u64),
        decode: impl Fn(&[u8]) -> Result<T, Damaged>,
        make: impl FnOnce() -> Result<Vec<u8>, ArtifactError>,
    ) -> Result<T, ArtifactError> {
        self.check_may_make(key)?;
        let making = self.times.begin();
        let bytes = make()?;
        self.store.put(key, &bytes);
        making.end(&kind, words);
        decode(&bytes).map_err(|source| ArtifactError::Unreadable { artifact: key.to_string(), source })
    }
}

fn task<'a>(dataset: DatasetView<'a>, pruned: Option<&'a Pruned>, baseline: Option<Learnt<'a>>, seed: u64) -> Task<'a> {
    let (prepared, punctuation) = (dataset.prepared, dataset.punctuation());
    let Prepared { train, dev, .. } = prepared;
    Task { train, dev, gold_dev: prepared.gold_dev(), punctuation, pruned, baseline, seed }
}

/// How a cell is parsed.
pub fn how<'p>(cell: &'p Cell, pruned: Option<&'p Pruned>) -> How<'p> {
    How { pruner: pruned.map(|pruned| &pruned.pruner), axes: &cell.axes, limits: cell.limits }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::cell::cells;
    use crate::config::parse;
    use treebound_parser::systems::Nonprojective;

    const CONFIG: &str = "tags = ['gold', 'predicted']\n\
        [[corpus]]\nname = 'made'\nformat = 'synthetic'\npunctuation = 'ptb'\n\
        [tagger]\nepochs = 3\nfolds = 4\nseed = 5\n\
        [pruner]\nepochs = 2\nrate = 0.5\n\
        [training]\nepochs = 6\nchoose_epoch = 'dev'\npruning = 'k=4'\ndp_calls = 10\nnodes = 30\n\
        [decoding]\ndp_calls = 20\nnodes = 40\npruning = 't=0.05'\n\
        [learner.crf-field]\nc = 2\n\
        [[grid]]\nname = 'main'\nsets = 'sibling'\nseeds = 7\nlearners = ['perceptron', 'mira']\n\
        [[grid]]\nname = 'field'\nsets = 'baseline'\nseeds = 7\nlearners = 'crf-field'\n\
        [[grid]]\nname = 'trivial'\nsystems = 'chain-before'\n";

    /// All keys that lead to a cell, as what is hashed.
    fn texts(builder: &ArtifactBuilder, wanted: &str) -> String {
        let config = builder.config;
        let all = cells(config);
        let cell = all.iter().find(|cell| cell.key(config).to_string().contains(wanted)).expect("a cell");
        let [train, dev, test] = ["11", "22", "33"].map(str::to_owned);
        let sums = Checksums { train, dev, test, nonprojective: Nonprojective::Projectivize };
        let (tags, kind) = (cell.run.tags, cell.run.tree_kind(config));
        let mut texts = Vec::new();
        if tags == Tags::Predicted {
            texts.push(builder.tags_facts(&sums));
        }
        let tagger = (tags == Tags::Predicted).then(|| builder.tags_key(&sums).to_string());
        texts.push(prepared::facts(&sums, tagger.as_deref(), kind));
        let data = builder.checksum(&sums, tags, kind);
        if let Some(rule) = builder.training_pruning(&cell.run) {
            texts.push(builder.pruner_facts(&data, rule, cell.run.seed));
        }
        let decisive = (&data[..], &config.corpora[0].punctuation);
        let system = builder.system(&cell.run).expect("a system");
        texts.push(builder.model_facts(&*system, decisive, &cell.run).expect("facts"));
        texts.push(builder.cell_facts(decisive, cell).expect("facts"));
        texts
            .iter()
            .map(|facts| format!("{}= {}, in rows {}\n\n", facts.text(), facts.key(), facts.key().of_row()))
            .collect()
    }

    /// A key decides what is made again: it changes where what it is made of does, and not with names in the code.
    #[test]
    fn keys_are_as_they_were() {
        let config = parse(CONFIG, Path::new("made.toml")).expect("a config");
        let store = Store::new(PathBuf::new());
        let builder = ArtifactBuilder::new(&config, &store).expect("templates");
        let found: String = [
            "gold/graph/compact/perceptron/sibling",
            "predicted/graph/compact/mira/baseline",
            "gold/graph/compact/crf-field/baseline",
            "gold/chain-before",
        ]
        .map(|wanted| format!("# {wanted}\n\n{}", texts(&builder, wanted)))
        .concat();
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/artifacts/keys.golden");
        if std::env::var("TREEBOUND_GOLDEN").as_deref() == Ok("write") {
            std::fs::write(&file, &found).expect("written");
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap_or_default(), found);
    }
}
