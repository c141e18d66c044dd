//! `treebound measure growth`: how time and memory grow with sentences, candidates, templates, families and treebanks.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;

use super::step::{Learnt, Parsed, Step};
use crate::cli::flags::{ConfigFlags, LockFlags, OutFlags};
use crate::cli::output::{print, say};
use treebound_core::decode::Decoder;
use treebound_experiment::config::Config;
use treebound_experiment::folders::Folders;
use treebound_experiment::growth::{Axis, Options, Point, Recipe, Source, plan};
use treebound_experiment::provenance::{Data, Entry, LogWriter};
use treebound_experiment::stop::unless_stopped;
use treebound_experiment::versions;
use treebound_parser::cell::FeatureSet;
use treebound_records::schema;
use treebound_records::{GrowthRow, RowKey, csv, mib};
use treebound_report::figures::growth::growth as figure;
use treebound_report::frame::Frame;
use treebound_report::tables::search::growth as table;

#[derive(Args)]
pub struct GrowthArguments {
    // The config: its synthetic corpus (or the default one), first corpus (for corpus), templates, pruning, training, decoder and limits are used
    #[command(flatten)]
    config: ConfigFlags,
    /// Measure only against these: length, k, templates, families, size, or shares of the config's own corpus; rows of the
    /// others are kept [default: all but corpus]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = axis)]
    axis: Vec<Axis>,
    /// Set to measure against length and k; may be repeated [default: baseline, and the largest set of the config]
    #[arg(long, value_name = "SET")]
    features: Vec<String>,
    /// Words of the largest treebank
    #[arg(long, value_name = "N", default_value = "1000000")]
    most_words: NonZeroU64,
    /// Sentences of each length
    #[arg(long, value_name = "N", default_value = "10")]
    sentences: NonZeroU64,
    /// Passes over a training part
    #[arg(long, value_name = "N", default_value = "3")]
    epochs: NonZeroU64,
    /// Timed passes over a text; those of the config if not given
    #[arg(long, value_name = "N")]
    repeats: Option<NonZeroU64>,
    /// How often each parser is learnt
    #[arg(long, value_name = "N", default_value = "1")]
    train_repeats: NonZeroU64,
    #[command(flatten)]
    out: OutFlags,
    #[command(flatten)]
    lock: LockFlags,
    /// Print no progress
    #[arg(short, long)]
    quiet: bool,
}

fn axis(name: &str) -> Result<Axis, String> {
    let known = || Axis::ALL.map(Axis::name).join(", ");
    Axis::parse(name).ok_or_else(|| format!("it can be {}", known()))
}

pub fn growth(arguments: &GrowthArguments) -> Result<ExitCode> {
    let config = arguments.config.read()?;
    let options = options(arguments, &config)?;
    let folders = arguments.out.folders(&config);
    let _lock = arguments.lock.take(&folders)?;
    let path = folders.result("growth.csv");
    let mut rows: Vec<GrowthRow> = csv::read_if_there(&path)?;
    let mut process = Processes::new(arguments, &config, &folders)?;
    let points = plan(&config, &options)?;
    let versions = versions::of_the_graph_parser();
    let entry = Entry::of_this_process("growth", &arguments.config.config, 1, &config, versions, Vec::new());
    let mut log = LogWriter::open(&folders, entry)?;
    let mut begun = Vec::new();
    let stopped = || say!("treebound: stopped; what is measured is in {}", path.display());
    unless_stopped(stopped, || {
        points.iter().enumerate().try_for_each(|(i, point)| {
            let row = process.measure(&config, point)?;
            if !arguments.quiet {
                say!("{} of {}: {}", i + 1, points.len(), said(&row));
            }
            // Old rows of an axis go when it has a new one: both would not be of one origin.
            if !begun.contains(&point.axis) {
                rows.retain(|row| row.axis != point.axis.name());
                begun.push(point.axis);
            }
            rows.push(row);
            // Whoever stops a long measurement keeps what is done.
            log.entry.data.clone_from(&process.data);
            log.record(i as u64 + 1)?;
            csv::write(&path, &rows)?;
            let needed = points[i + 1..].iter().any(|later| later.recipe == point.recipe);
            if !needed {
                process.forget(&point.recipe);
            }
            Ok::<_, anyhow::Error>(())
        })
    })?;
    let measured = |row: &&GrowthRow| begun.iter().any(|axis| axis.name() == row.axis);
    let new: Vec<GrowthRow> = rows.iter().filter(measured).cloned().collect();
    print(&table(&Frame::of(&new, &schema::GROWTH)?)?.text())?;
    figure(&rows).write(&folders.figures)?;
    Ok(ExitCode::SUCCESS)
}

/// The corpus that shares are taken of.
fn name_of(config: &Config) -> Result<&str> {
    Ok(config.corpora.first().context("the config has no corpus")?.name.as_str())
}

fn options(arguments: &GrowthArguments, config: &Config) -> Result<Options> {
    let parse = |name: &String| {
        FeatureSet::from_names(name)
            .with_context(|| format!("--features {name}: write baseline, or families joined by +"))
    };
    let mut sets: Vec<FeatureSet> = arguments.features.iter().map(parse).collect::<Result<_>>()?;
    if sets.is_empty() {
        sets.push(FeatureSet::baseline());
        let own = config.main().map_or(&[][..], |grid| &grid.sets);
        sets.extend(own.iter().max_by_key(|set| set.families().len()).cloned());
    }
    sets.sort();
    sets.dedup();
    let mut axes = if arguments.axis.is_empty() { Axis::SYNTHETIC.to_vec() } else { arguments.axis.clone() };
    axes.sort();
    axes.dedup();
    let count = |n: NonZeroU64| usize::try_from(n.get()).unwrap_or(usize::MAX);
    Ok(Options {
        axes,
        sets,
        most_words: arguments.most_words.get(),
        sentences: count(arguments.sentences),
        epochs: count(arguments.epochs),
    })
}

/// One line on a measurement.
fn said(row: &GrowthRow) -> String {
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
    arguments: &'a GrowthArguments,
    repeats: u64,
    /// Models and what only one process needs; gone when the verb ends.
    folder: tempfile::TempDir,
    learnt: Vec<(Recipe, PathBuf, Learnt)>,
    made: usize,
    /// What the parsers were learnt from.
    data: Vec<Data>,
}

impl<'a> Processes<'a> {
    fn new(arguments: &'a GrowthArguments, config: &Config, folders: &Folders) -> Result<Self> {
        let name = || format!("cannot write below {}", folders.cache.display());
        // Not the system's folder for such files, which may itself be memory.
        std::fs::create_dir_all(&folders.cache).with_context(name)?;
        let folder = tempfile::Builder::new().prefix("growth-").tempdir_in(&folders.cache).with_context(name)?;
        let repeats = arguments.repeats.map_or(config.timing.repeats, NonZeroU64::get);
        Ok(Self { arguments, repeats, folder, learnt: Vec::new(), made: 0, data: Vec::new() })
    }

    fn measure(&mut self, config: &Config, point: &Point) -> Result<GrowthRow> {
        let (model, learnt) = self.learnt(&point.recipe)?;
        let data = Data {
            what: "treebank".to_owned(),
            name: match point.recipe.source {
                Source::Synthetic { .. } => format!("synthetic, {} words", learnt.learning.words),
                Source::Corpus { percent } => format!("{} hundredths of {}", percent, name_of(config)?),
            },
            sha256: learnt.learning.sha256.clone(),
        };
        if !self.data.contains(&data) {
            self.data.push(data);
        }
        let parsed: Parsed = Step::Parse {
            config: self.arguments.config.config.clone(),
            set: self.arguments.config.set.clone(),
            recipe: point.recipe.clone(),
            text: point.text,
            model,
            repeats: self.repeats,
        }
        .run()?;
        row(config, point, &learnt, &parsed, self.arguments.train_repeats.get())
    }

    /// The model of a recipe, and what it took to learn it.
    fn learnt(&mut self, recipe: &Recipe) -> Result<(PathBuf, Learnt)> {
        if let Some((_, model, learnt)) = self.learnt.iter().find(|(of, ..)| of == recipe) {
            return Ok((model.clone(), learnt.clone()));
        }
        self.made += 1;
        let model = self.folder.path().join(format!("model-{}", self.made));
        let mut repeats = Vec::new();
        for _ in 0..self.arguments.train_repeats.get() {
            let cache = self.folder.path().join("cache");
            let ConfigFlags { config, set } = self.arguments.config.clone();
            let step = Step::Learn { config, set, recipe: recipe.clone(), model: model.clone(), cache: cache.clone() };
            repeats.push(step.run::<Learnt>()?);
            // What is there is not learnt again, so nothing may be there.
            std::fs::remove_dir_all(&cache).with_context(|| format!("cannot remove {}", cache.display()))?;
        }
        let peak_kib = repeats.iter().filter_map(|learnt| learnt.peak_kib).max();
        repeats.sort_by_key(|learnt| learnt.learning.pruner_ns.saturating_add(learnt.learning.train_ns));
        let middle = repeats.into_iter().nth((self.arguments.train_repeats.get() as usize - 1) / 2);
        let learnt = Learnt { peak_kib, ..middle.context("nothing was learnt")? };
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

fn row(config: &Config, point: &Point, learnt: &Learnt, parsed: &Parsed, train_repeats: u64) -> Result<GrowthRow> {
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
        decoder: Decoder::parse(&parsing.decoder).context("a measurement has ended with an unknown decoder")?,
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
