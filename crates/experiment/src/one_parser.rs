//! One parser of a config: which training run is meant, and its model, from finished work or learnt.

use thiserror::Error;

use super::artifacts::ArtifactError;
use super::cell::TrainingRun;
use super::config::{Config, nearest};
use super::parsed::evaluate;
use super::run::ExperimentContext;
use super::store::Store;
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::{Backbone, Decoder};
use treebound_parser::answer::{Count, Evaluated};
use treebound_parser::cell::{Axis, AxisValues, FeatureSet, Labelling, Learner, Split, SystemName, Tags};
use treebound_parser::learn::crf::lbfgs::End;
use treebound_parser::learn::online::PassStatistics;
use treebound_parser::model::TrainedParser;
use treebound_parser::pruning::Rule;
use treebound_parser::systems::graph::GraphModel;
use treebound_parser::systems::{Descent, How, PassRecord, Pruned, System};
use treebound_records::number::{fixed, percent};

/// Which of a config's graph parsers is meant, beside its feature set; without a value the first of the config's first grid.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The dynamic program.
    pub backbone: Option<Backbone>,
    /// The corpus, by name.
    pub corpus: Option<String>,
    /// The learner, by name.
    pub learner: Option<String>,
    /// The templates, by name.
    pub templates: Option<String>,
    /// Whose tags.
    pub tags: Option<Tags>,
    /// The training seed.
    pub seed: Option<u64>,
    /// When labels are found.
    pub labels: Option<Labelling>,
}

/// Why a config has no such parser.
#[derive(Debug, Error)]
pub enum ChoiceError {
    /// The config has no such learner.
    #[error("--learner {0}: the config has {1}; a [learner.NAME] gives it another")]
    Learner(String, String),
    /// The config has no such templates.
    #[error("--templates {0}: the config has {1}")]
    Templates(String, String),
    /// The config has no such corpus.
    #[error("the config has no corpus `{0}`; it has {1}")]
    Corpus(String, String),
    /// The config has several corpora, and none is named.
    #[error("the config has several corpora, {0}: choose one with --corpus")]
    Corpora(String),
    /// Its first grid is empty.
    #[error("the first grid of the config has no {0}")]
    Empty(&'static str),
}

impl Choice {
    /// The training run that is meant.
    ///
    /// # Errors
    /// If the config has no such run.
    pub fn run(&self, config: &Config, set: FeatureSet) -> Result<TrainingRun, ChoiceError> {
        let grid = config.main().ok_or(ChoiceError::Empty("cell"))?;
        let learner = match &self.learner {
            Some(name) => {
                Learner::parse(name).filter(|learner| config.learners.contains_key(learner)).ok_or_else(|| {
                    ChoiceError::Learner(name.clone(), known(name, config.learners.keys().map(ToString::to_string)))
                })?
            }
            None => grid.graph.learners.first().cloned().ok_or(ChoiceError::Empty("learner"))?,
        };
        let templates = match &self.templates {
            Some(name) => config.templates.keys().find(|known| known.as_str() == name).ok_or_else(|| {
                ChoiceError::Templates(name.clone(), known(name, config.templates.keys().map(ToString::to_string)))
            })?,
            None => grid.graph.templates.first().ok_or(ChoiceError::Empty("templates"))?,
        };
        Ok(TrainingRun {
            corpus: corpus_index(config, self.corpus.as_deref())?,
            tags: self.tags.or(grid.tags.first().copied()).ok_or(ChoiceError::Empty("tags"))?,
            system: SystemName::graph(),
            limits: grid.limits_of(&set),
            axes: AxisValues::graph_model(
                templates.clone(),
                learner,
                set,
                self.backbone.or(grid.graph.backbones.first().copied()).unwrap_or_default(),
            )
            .with_labels(self.labels.or(grid.graph.labels.first().copied()).unwrap_or_default()),
            seed: self.seed.or(grid.seeds.first().copied()).ok_or(ChoiceError::Empty("seed"))?,
        })
    }
}

/// The names that there are, and which of them was probably meant.
fn known(name: &str, names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    let near = nearest(name, names.iter().map(String::as_str))
        .map_or_else(String::new, |near| format!(" (did you mean {near}?)"));
    joined(names.iter().cloned()) + &near
}

/// The index of the named corpus, or of the only one: of the config, else of its first grid.
///
/// # Errors
/// If there is none, or more than one.
pub fn corpus_index(config: &Config, name: Option<&str>) -> Result<usize, ChoiceError> {
    let names = || config.corpora.iter().map(|corpus| corpus.name.to_string());
    let of_grid = match config.main().map(|grid| &grid.corpora[..]) {
        Some([only]) => Some(only.as_str()),
        _ => None,
    };
    match name.or(of_grid) {
        None if config.corpora.len() == 1 => Ok(0),
        None => Err(ChoiceError::Corpora(joined(names()))),
        Some(name) => {
            let index = config.corpora.iter().position(|corpus| corpus.name.as_str() == name);
            index.ok_or_else(|| ChoiceError::Corpus(name.to_owned(), known(name, names())))
        }
    }
}

fn joined(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// The parser of a training run, which is learnt if the store does not have it; `say` is told how learning goes.
///
/// # Errors
/// If its data cannot be read or it cannot be learnt.
pub fn trained_parser(
    config: &Config,
    store: &Store,
    run: &TrainingRun,
    say: fn(String),
) -> Result<TrainedParser, ArtifactError> {
    say(format!("reading {}", config.corpora[run.corpus].name));
    let needed = |corpus, tags| (corpus, tags) == (run.corpus, run.tags);
    let mut context = ExperimentContext::open_for(config, store, needed)?;
    let dataset = context.dataset(run);
    say("pruning the arcs of its sentences".to_owned());
    let rule = context.builder.training_pruning(run).unwrap_or(Rule::None);
    let pruned = context.builder.pruned(dataset.prepared, rule, run.seed)?;
    let system = context.builder.graph(run)?;
    let dev = dataset.prepared.gold_dev().iter().flat_map(|sentence| &sentence.tokens);
    let dev_words = dev.filter(|token| !dataset.punctuation().covers(token)).count() as u64;
    let (step, steps) = if system.is_descent() { ("step", "at most ") } else { ("epoch", "") };
    let mut is_new = false;
    let trained = context.builder.trained_graph(dataset, &pruned, run, &mut |passes| {
        is_new = true;
        if let Some(pass) = passes.last() {
            say(format!("{step} {} of {steps}{}: {}", passes.len(), system.passes(), effect(pass, dev_words)));
        }
    })?;
    if !is_new {
        say(format!("learnt before: the model is from {}", store.folder().display()));
        for (i, pass) in trained.passes.iter().enumerate() {
            say(format!("{step} {} of {}: {}", i + 1, trained.passes.len(), effect(pass, dev_words)));
        }
    }
    if let Some(chosen) = trained.passes.iter().position(|pass| pass.chosen) {
        say(format!("the model is that of {step} {}", chosen + 1));
    }
    if let Some(end) = trained.end {
        say(end_text(end).to_owned());
    }
    let facts = facts(&context, run, rule, &pruned, &trained)?;
    let tagger = context.take_tagger(run.corpus, run.tags);
    Ok(TrainedParser { tagger, pruner: pruned.pruner, rule, model: trained.model, facts })
}

/// What is to be known of a parser: what it is, what it learnt from, which code made it, and how well it parses the development
/// part with its own tags, if there is one.
fn facts(
    context: &ExperimentContext,
    run: &TrainingRun,
    rule: Rule,
    pruned: &Pruned,
    trained: &GraphModel,
) -> Result<Vec<(String, String)>, ArtifactError> {
    let (dataset, builder) = (context.dataset(run), &context.builder);
    let part = &dataset.treebank.train;
    let versions = builder.versions([run])?;
    let versions: Vec<String> = versions.iter().map(|(kind, version)| format!("{kind} {version}")).collect();
    let mut facts = vec![
        ("parser", run.to_string()),
        ("tags", run.tags.to_string()),
        ("pruning", rule.to_string()),
        ("treebank", dataset.treebank.corpus.name.to_string()),
        ("training part", format!("{} sentences, {} words", part.sentences.len(), part.tokens())),
        ("its SHA-256", part.checksum.clone()),
        ("key", builder.model_key(&*builder.system(run)?, dataset.decisive(), run)?.of_row().to_string()),
        ("versions", versions.join(", ")),
    ];
    let (sentences, gold) = dataset.part(Split::Dev);
    if !sentences.is_empty() {
        let axes = AxisValues::graph_parse(rule, run.axes.backbone().unwrap_or_default(), usual_decoder(&run.axes));
        let how = How {
            pruner: Some(&pruned.pruner),
            axes: &axes,
            limits: Limits { dp_calls: DP_CALLS, ..Limits::default() },
        };
        let parsed = evaluate(trained, builder.system(run)?.needs(), &how, sentences, gold, dataset.punctuation())?;
        let sum = |count: fn(&Evaluated) -> u64| parsed.counts.iter().map(count).sum::<u64>();
        let score = |name: &str, right: u64, of: u64| {
            percent(right, of).map(|percent| format!("{name} {} ({right} of {of} words)", fixed(percent, 2)))
        };
        let counted = |evaluated: &Evaluated, count| evaluated.effort.get(count).unwrap_or_default();
        let (scored, all) = (sum(|e| e.scored_tokens), sum(|e| e.tokens));
        let mut scores = vec![score("UAS", sum(|e| e.scored_correct), scored)];
        if trained.model.labeller().is_some() || trained.model.arc_labeller().is_some() {
            let labelled = |count| parsed.counts.iter().map(|e| counted(e, count)).sum::<u64>();
            scores.push(score("LAS", labelled(Count::ScoredLabelled), scored));
            scores.push(score("LAS of CoNLL 2018", labelled(Count::LabelledUniversal), all));
        }
        let scores: Vec<String> = scores.into_iter().flatten().collect();
        facts.push(("development part", format!("{} sentences, {all} words", sentences.len())));
        facts.push(("its accuracy", scores.join(", ")));
    }
    Ok(facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// Most DP calls of the searches that a model is scored by.
const DP_CALLS: Option<u64> = Some(20_000);

fn usual_decoder(axes: &AxisValues) -> Decoder {
    if axes.is_baseline() { Decoder::Dp } else { Decoder::Bnb }
}

/// Why a descent ended.
fn end_text(end: End) -> &'static str {
    match end {
        End::Small => "the descent ended: the gradient has fallen to `tolerance` of what it was",
        End::OutOfSteps => "the descent ended before the gradient had fallen to `tolerance`: its `iterations` ran out",
        End::NoLowerPoint => {
            "the descent ended before the gradient had fallen to `tolerance`: no lower point was found"
        }
    }
}

/// What a pass did, or where it led; its accuracy on so many words of the development part, if it was looked at.
fn effect(pass: &PassRecord, dev_words: u64) -> String {
    let right = pass.dev_scored_correct.and_then(|right| percent(right, dev_words));
    let accuracy = right.map_or_else(String::new, |percent| format!("; {} % of heads right on dev", fixed(percent, 2)));
    format!("{}{accuracy}", work(pass))
}

fn work(pass: &PassRecord) -> String {
    let Some(Descent { objective, gradient_norm, .. }) = pass.descent else {
        let PassStatistics { mistakes, wrong_heads, unproven, dp_calls } = pass.statistics;
        return format!(
            "{mistakes} sentences and {wrong_heads} words wrong, {unproven} sentences unproven, {dp_calls} DP calls"
        );
    };
    let norm = gradient_norm.map_or_else(String::new, |norm| format!(", gradient {norm:.3}"));
    format!("objective {objective:.3}{norm}")
}
