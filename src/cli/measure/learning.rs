//! `treebound measure learning`: how long it takes to learn each model, by number of threads.

use std::num::NonZeroUsize;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::cells::{measuring, run_command};
use crate::cli::filter::FilterFlags;
use crate::cli::flags::{ConfigFlags, LockFlags, PlaceFlags, store};
use crate::cli::output::print;
use crate::cli::results::rows_frame;
use treebound_records::schema;
use treebound_report::tables::learners::learning as table;

#[derive(Args)]
pub struct LearningArguments {
    #[command(flatten)]
    config: ConfigFlags,
    #[command(flatten)]
    filter: FilterFlags,
    /// Numbers of threads
    #[arg(short = 'j', long, value_name = "N", value_delimiter = ',', default_values = ["1", "2"])]
    threads: Vec<NonZeroUsize>,
    /// How often each model is learnt
    #[arg(long, value_name = "N", default_value = "1")]
    repeats: NonZeroUsize,
    #[command(flatten)]
    place: PlaceFlags,
    #[command(flatten)]
    lock: LockFlags,
    /// Print no progress
    #[arg(short, long)]
    quiet: bool,
}

pub fn learning(arguments: &LearningArguments) -> Result<ExitCode> {
    let config = arguments.config.read()?;
    let wanted = arguments.filter.wanted(&config)?;
    let folders = arguments.place.folders(&config);
    let _lock = arguments.lock.take(&folders)?;
    let store = store(&folders);
    let run = run_command(&arguments.config, &arguments.place, &arguments.filter);
    let measuring = measuring(&arguments.config, &run, &config, &folders, &store, arguments.quiet);
    let threads = arguments.threads.iter().copied().collect();
    let rows = measuring.learning(&wanted, &threads, arguments.repeats)?;
    print(&table(&rows_frame(&rows, &schema::LEARNING)?)?.text())?;
    Ok(ExitCode::SUCCESS)
}
