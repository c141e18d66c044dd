//! `treebound measure growth`: how time and memory grow with sentences, candidates, templates, families and treebanks.

use std::num::NonZeroU64;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::cells::{measuring, run_command};
use crate::cli::filter::FilterFlags;
use crate::cli::flags::{ConfigFlags, LockFlags, PlaceFlags, count, feature_set, store};
use crate::cli::output::print;
use crate::cli::results::rows_frame;
use treebound_experiment::config::Config;
use treebound_experiment::growth::{Axis, Options};
use treebound_parser::cell::FeatureSet;
use treebound_records::schema;
use treebound_report::figures::growth as figure;
use treebound_report::tables::search::growth as table;

#[derive(Args)]
pub struct GrowthArguments {
    // The config: its synthetic corpus (or the default one), first corpus (for corpus), templates, pruning, training, decoder and
    // limits are used
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
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    most_words: u64,
    /// Sentences of each length
    #[arg(long, value_name = "N", default_value = "10", value_parser = count)]
    sentences: NonZeroU64,
    /// Passes over a training part
    #[arg(long, value_name = "N", default_value = "3", value_parser = count)]
    epochs: NonZeroU64,
    /// Timed passes over a text; those of the config if not given
    #[arg(long, value_name = "N", value_parser = count)]
    repeats: Option<NonZeroU64>,
    /// How often each parser is learnt
    #[arg(long, value_name = "N", default_value = "1", value_parser = count)]
    train_repeats: NonZeroU64,
    #[command(flatten)]
    place: PlaceFlags,
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
    let folders = arguments.place.folders(&config);
    let _lock = arguments.lock.take(&folders)?;
    let store = store(&folders);
    let run = run_command(&arguments.config, &arguments.place, &FilterFlags::default());
    let measuring = measuring(&arguments.config, &run, &config, &folders, &store, arguments.quiet);
    let repeats = arguments.repeats.map(NonZeroU64::get);
    let rows = measuring.growth(&options, repeats, arguments.train_repeats.get())?;
    let [new, all] = [&rows.new, &rows.all].map(|rows| rows_frame(rows, &schema::GROWTH));
    print(&table(&new?)?.text())?;
    figure(&all?)?.write(&folders.figures)?;
    Ok(ExitCode::SUCCESS)
}

fn options(arguments: &GrowthArguments, config: &Config) -> Result<Options> {
    let mut sets: Vec<FeatureSet> = arguments.features.iter().map(|name| feature_set(name)).collect::<Result<_>>()?;
    if sets.is_empty() {
        sets.push(FeatureSet::baseline());
        let own = config.main().map_or(&[][..], |grid| &grid.graph.sets);
        sets.extend(own.iter().max_by_key(|set| set.families().len()).cloned());
    }
    sets.sort();
    sets.dedup();
    let mut axes = if arguments.axis.is_empty() { Axis::SYNTHETIC.to_vec() } else { arguments.axis.clone() };
    axes.sort();
    axes.dedup();
    let whole = |n: NonZeroU64| usize::try_from(n.get()).unwrap_or(usize::MAX);
    Ok(Options {
        axes,
        sets,
        most_words: arguments.most_words,
        sentences: whole(arguments.sentences),
        epochs: whole(arguments.epochs),
    })
}
