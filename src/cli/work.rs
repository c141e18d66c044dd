//! What verbs have in common that work on cells of a config, on several threads, and write their rows.

use clap::Args;

use super::filter::FilterFlags;
use super::flags::{ConfigFlags, LockFlags, OutFlags};

#[derive(Args)]
pub struct WorkArguments {
    #[command(flatten)]
    pub config: ConfigFlags,
    #[command(flatten)]
    pub out: OutFlags,
    #[command(flatten)]
    pub filter: FilterFlags,
    #[command(flatten)]
    pub lock: LockFlags,
    /// Threads; one a core if not given
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Print no progress
    #[arg(short, long)]
    pub quiet: bool,
}
