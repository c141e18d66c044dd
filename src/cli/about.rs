//! What the command says of itself: its version with the commit, completions for shells, and manual pages.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Command, Subcommand};
use clap_complete::Shell;

use super::output::{print, stdout};
use treebound_experiment::provenance::{Program, Repository};

#[derive(Subcommand)]
pub enum About {
    /// Print completions for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write manual pages
    Manual {
        /// The folder to write treebound.1 and a page a verb to
        folder: PathBuf,
    },
}

pub fn about(mut command: Command, about: &About) -> Result<ExitCode> {
    match about {
        About::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(*shell, &mut command, "treebound", &mut text);
            print(&String::from_utf8(text)?)?;
        }
        About::Manual { folder } => {
            let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
            written.with_context(|| folder.display().to_string())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The version, the commit it was built from, and what compiled it.
pub fn version() -> io::Result<()> {
    let program = Program::this(BTreeMap::new());
    let Repository { commit, dirty } = Repository::of_this_program();
    let changed = if dirty == Some(true) { ", changed" } else { "" };
    let mut out = stdout();
    writeln!(out, "treebound {} (commit {commit}{changed})", program.version)?;
    writeln!(out, "{}, {}, {}", program.toolchain, program.target, program.profile)?;
    out.flush()
}
