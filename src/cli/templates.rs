//! `treebound templates`: a template set as a file, to be read or changed.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::output::print;
use treebound_experiment::config::TemplatesSource;

#[derive(Args)]
pub struct TemplatesArguments {
    /// The set: compact, ma-zhao, paper, paper-zh, pruner, or a file
    name: String,
    /// One template a line, with its kind and its variant: what `without` of a template file is matched with
    #[arg(long)]
    lines: bool,
}

pub fn templates(arguments: &TemplatesArguments) -> Result<ExitCode> {
    let set = TemplatesSource::new(&arguments.name).read(Path::new(""))?;
    if arguments.lines {
        print(&set.to_string())?
    } else {
        print(&set.toml())?
    }
    Ok(ExitCode::SUCCESS)
}
