//! What only maintainers run, in the folder of the checkout: `cargo run -q -p xtask -- pages` fills the marked blocks of README and
//! docs from the results, and `check` makes again all that is made of results.

mod pages;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;

use treebound::cli::derived;

/// Tasks of maintainers; run them in the folder of the checkout
#[derive(Parser)]
#[command(name = "xtask")]
enum Task {
    /// Fill the marked blocks of Markdown pages from results
    Pages {
        /// Pages [default: README.md and all Markdown below docs/]
        files: Vec<PathBuf>,
        /// Write nothing; exit with 1 if a page is not what the results say
        #[arg(long)]
        check: bool,
        /// List the blocks that pages may have, instead
        #[arg(long, conflicts_with_all = ["files", "check"])]
        list: bool,
    },
    /// Make all tables, verdicts, figures and pages again in memory; exit with 1 if a committed one is another
    Check,
}

fn main() -> Result<ExitCode> {
    let is_good = match Task::parse() {
        Task::Pages { list: true, .. } => {
            pages::list();
            true
        }
        Task::Pages { files, check, .. } => pages::fill_all(files, check)?,
        Task::Check => is_committed_as_made()?,
    };
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Whether all that is made of results is what they say.
fn is_committed_as_made() -> Result<bool> {
    let are_results_good = check_results()?;
    Ok(pages::fill_all(Vec::new(), true)? && are_results_good)
}

/// Whether the files that are made of results, of all experiments, are what the results say.
fn check_results() -> Result<bool> {
    let mut configs: Vec<PathBuf> = Vec::new();
    for entry in Path::new("configs").read_dir().context("configs: cannot list the folder; go to the checkout")? {
        let path = entry.context("configs: cannot list the folder")?.path();
        let results = Path::new("results").join(path.file_stem().unwrap_or_default()).join("scores.csv");
        if path.extension().is_some_and(|ending| ending == "toml") && results.is_file() {
            configs.push(path);
        }
    }
    configs.sort();
    let mut is_good = true;
    for config in configs {
        for difference in derived::differences(&config)? {
            eprintln!("xtask: {difference}");
            is_good = false;
        }
    }
    Ok(is_good)
}

#[cfg(test)]
mod tests {
    /// A test, so that CI builds nothing anew for it: other packages are built for tests with other features.
    #[test]
    #[ignore = "a minute; CI runs it by name"]
    fn what_is_committed_is_made_again() {
        std::env::set_current_dir("..").expect("the checkout");
        // As `cargo run -p xtask -- pages`, without building for it.
        if std::env::var_os("TREEBOUND_WRITE").is_some() {
            super::pages::fill_all(Vec::new(), false).expect("pages");
        }
        assert!(super::is_committed_as_made().expect("results"), "the lines above say what differs");
    }
}
