//! Points measured one after the other, each in processes of its own.

use std::path::PathBuf;

use super::step::{Asked, Learnt, Parsed, Step, StepError};
use super::{Axis, GrowthError, Options, Point, Recipe, Source, plan};
use crate::config::Config;
use crate::measured::Measuring;
use crate::provenance::{Data, Entry, LogWriter};
use crate::rows::{GrowthRow, csv, mib};
use crate::stop::unless_stopped;
use crate::versions;
use treebound_core::decode::Decoder;
use treebound_files::{owner, remove_left_behind};
use treebound_records::RowKey;

/// How the folders begin that hold what only a measurement needs.
const FOLDER: &str = "growth-";

/// The rows of `growth.csv`.
#[derive(Clone, Debug)]
pub struct GrowthRows {
    /// Those that were measured now.
    pub new: Vec<GrowthRow>,
    /// All, those of other axes too.
    pub all: Vec<GrowthRow>,
}

impl Measuring<'_> {
    /// Measures growth; rows of an axis that is not measured stay. Texts are parsed `repeats` times, or as often as the config
    /// says, and parsers are learnt `train_repeats` times.
    ///
    /// # Errors
    /// See [`GrowthError`].
    pub fn growth(
        &self,
        options: &Options,
        repeats: Option<u64>,
        train_repeats: u64,
    ) -> Result<GrowthRows, GrowthError> {
        let path = self.folders.result("growth.csv");
        let mut rows: Vec<GrowthRow> = csv::read_if_there(&path)?;
        let mut process = Processes::new(self, repeats.unwrap_or(self.config.timing.repeats), train_repeats)?;
        let points = plan(self.config, options)?;
        let versions = versions::of_the_graph_parser();
        let entry = Entry::of_this_process("growth", self.source, 1, self.config, versions, Vec::new());
        let mut log = LogWriter::open(self.folders, entry)?;
        let mut begun: Vec<Axis> = Vec::new();
        let stopped = || (self.say)(format!("treebound: stopped; what is measured is in {}", path.display()));
        unless_stopped(stopped, || {
            points.iter().enumerate().try_for_each(|(i, point)| {
                let row = process.measure(point)?;
                self.note(|| format!("{} of {}: {}", i + 1, points.len(), summary(&row)));
                // Old rows of an axis go when it has a new one: both would not be of one origin.
                if !begun.contains(&point.axis) {
                    rows.retain(|row| row.axis != point.axis.name());
                    begun.push(point.axis);
                }
                rows.push(row);
                log.entry.data.clone_from(&process.data);
                log.write(i as u64 + 1, &path, &csv::text(&rows)?)?;
                if !points[i + 1..].iter().any(|later| later.recipe == point.recipe) {
                    process.forget(&point.recipe);
                }
                Ok::<_, GrowthError>(())
            })
        })?;
        let is_new = |row: &&GrowthRow| begun.iter().any(|axis| axis.name() == row.axis);
        Ok(GrowthRows { new: rows.iter().filter(is_new).cloned().collect(), all: rows })
    }
}

/// One line on a measurement.
fn summary(row: &GrowthRow) -> String {
    let memory = |kib: Option<i64>| mib(kib).map_or("? MiB".to_owned(), |mib| format!("{mib:.0} MiB"));
    format!(
        "{}: trained in {:.1} s, {}; parsed {:.0} words/s, {}",
        csv::Record::key(row),
        row.learning_s(),
        memory(row.train_peak_kib),
        row.words_per_s().unwrap_or(0.0),
        memory(row.parse_peak_kib)
    )
}

/// The processes that learn and parse, one at a time, and what those that learn have left.
struct Processes<'a> {
    measuring: &'a Measuring<'a>,
    asked: Asked,
    repeats: u64,
    train_repeats: u64,
    /// Models and what only one process needs; gone when the verb ends.
    folder: tempfile::TempDir,
    learnt: Vec<(Recipe, PathBuf, Learnt)>,
    made: usize,
    /// What the parsers were learnt from.
    data: Vec<Data>,
}

impl<'a> Processes<'a> {
    fn new(measuring: &'a Measuring, repeats: u64, train_repeats: u64) -> Result<Self, GrowthError> {
        // Not the system's folder for such files, which may itself be memory.
        let cache = &measuring.folders.cache;
        remove_left_behind(cache, FOLDER, |_| {});
        let prefix = format!("{FOLDER}{}-", owner::tag());
        let folder = std::fs::create_dir_all(cache);
        let folder = folder.and_then(|()| tempfile::Builder::new().prefix(&prefix).tempdir_in(cache));
        let folder = folder.map_err(|error| GrowthError::Folder(cache.clone(), error))?;
        let asked = Asked::new(measuring.source, measuring.set, measuring.config);
        Ok(Self { measuring, asked, repeats, train_repeats, folder, learnt: Vec::new(), made: 0, data: Vec::new() })
    }

    fn measure(&mut self, point: &Point) -> Result<GrowthRow, GrowthError> {
        let config = self.measuring.config;
        let (model, learnt) = self.learnt(&point.recipe)?;
        let data = Data {
            what: "treebank".to_owned(),
            name: match point.recipe.source {
                Source::Synthetic { .. } => format!("synthetic, {} words", learnt.learning.words),
                Source::Corpus { percent } => format!(
                    "{} hundredths of {}",
                    percent,
                    config.corpora.first().ok_or(GrowthError::Missing("corpus"))?.name
                ),
            },
            sha256: learnt.learning.sha256.clone(),
        };
        if !self.data.contains(&data) {
            self.data.push(data);
        }
        let parsed: Parsed = Step::Parse {
            config: self.asked.clone(),
            recipe: point.recipe.clone(),
            text: point.text,
            model,
            repeats: self.repeats,
        }
        .run()?;
        row(config, point, &learnt, &parsed, self.train_repeats)
    }

    /// The model of a recipe, and what it took to learn it.
    fn learnt(&mut self, recipe: &Recipe) -> Result<(PathBuf, Learnt), GrowthError> {
        if let Some((_, model, learnt)) = self.learnt.iter().find(|(of, ..)| of == recipe) {
            return Ok((model.clone(), learnt.clone()));
        }
        self.made += 1;
        let model = self.folder.path().join(format!("model-{}", self.made));
        let mut repeats = Vec::new();
        for _ in 0..self.train_repeats {
            let cache = self.folder.path().join("cache");
            let config = self.asked.clone();
            let step = Step::Learn { config, recipe: recipe.clone(), model: model.clone(), cache: cache.clone() };
            repeats.push(step.run::<Learnt>()?);
            // What is there is not learnt again, so nothing may be there.
            std::fs::remove_dir_all(&cache).map_err(|error| GrowthError::Folder(cache, error))?;
        }
        if repeats.array_windows().any(|[a, b]| a.learning.key != b.learning.key) {
            return Err(StepError::Changed.into());
        }
        let peak_kib = repeats.iter().filter_map(|learnt| learnt.peak_kib).max();
        repeats.sort_by_key(|learnt| learnt.learning.pruner_ns.saturating_add(learnt.learning.train_ns));
        let middle = repeats.into_iter().nth((self.train_repeats as usize).saturating_sub(1) / 2);
        let learnt = Learnt { peak_kib, ..middle.ok_or(GrowthError::NothingToLearn)? };
        self.learnt.push((recipe.clone(), model.clone(), learnt.clone()));
        Ok((model, learnt))
    }

    /// Removes the model of a recipe.
    fn forget(&mut self, recipe: &Recipe) {
        for (_, model, _) in self.learnt.iter().filter(|(of, ..)| of == recipe) {
            // What cannot be removed now goes with the folder.
            let _ = std::fs::remove_file(model);
        }
        self.learnt.retain(|(of, ..)| of != recipe);
    }
}

fn row(
    config: &Config,
    point: &Point,
    learnt: &Learnt,
    parsed: &Parsed,
    train_repeats: u64,
) -> Result<GrowthRow, GrowthError> {
    let signed = |value: Option<u64>| value.and_then(|value| i64::try_from(value).ok());
    let (learning, parsing) = (&learnt.learning, &parsed.parsing);
    let mut passes = parsing.passes.clone();
    passes.sort_by_key(|pass| pass.iter().sum::<u64>());
    let [prune_ns, score_ns, decode_ns] = passes.get(passes.len().saturating_sub(1) / 2).copied().unwrap_or_default();
    Ok(GrowthRow {
        axis: point.axis.name().to_owned(),
        value: signed(point.value),
        key: RowKey::parse(&learning.key).unwrap_or_default(),
        features: point.recipe.feature_set()?,
        template_set: point.recipe.templates.to_string(),
        pruning: point.recipe.keep.rule(config),
        decoder: Decoder::parse(&parsing.decoder).ok_or(GrowthError::Missing("such decoder"))?,
        templates: learning.templates,
        train_sentences: learning.sentences,
        train_words: learning.words,
        epochs: point.recipe.epochs as u64,
        learnt_features: learning.features,
        train_dp_calls: learning.dp_calls,
        train_unproven: learning.unproven,
        sentences: parsing.sentences,
        words: parsing.words,
        heads_kept: parsing.heads_kept,
        proven: parsing.proven,
        nodes: parsing.nodes,
        dp_calls: parsing.dp_calls,
        train_repeats,
        pruner_ns: learning.pruner_ns,
        train_ns: learning.train_ns,
        train_peak_kib: signed(learnt.peak_kib),
        parse_repeats: passes.len() as u64,
        prune_ns,
        score_ns,
        decode_ns,
        parse_peak_kib: signed(parsed.peak_kib),
    })
}
