//! `treebound pages`: the marked blocks of Markdown pages, filled from results.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::output::{print, say};
use crate::pages::{BLOCKS, Shelf, fill};
use treebound_records::file;

#[derive(Args)]
pub struct PagesArguments {
    /// Pages [default: README.md docs/*.md]
    files: Vec<PathBuf>,
    /// Write nothing; exit with 1 if a page is not what the results say
    #[arg(long)]
    check: bool,
    /// List the blocks that pages may have, instead
    #[arg(long, conflicts_with_all = ["files", "check"])]
    list: bool,
}

pub fn pages(arguments: &PagesArguments) -> Result<ExitCode> {
    if arguments.list {
        let lines = BLOCKS.iter().map(|block| format!("{:<16} {}\n", block.name, block.help));
        print(&lines.collect::<String>())?;
        return Ok(ExitCode::SUCCESS);
    }
    let files = if arguments.files.is_empty() { usual()? } else { arguments.files.clone() };
    let shelf = Shelf::new("");
    let mut good = true;
    for path in &files {
        let name = path.display().to_string();
        let page = std::fs::read_to_string(path).with_context(|| format!("{name}: cannot read the page"))?;
        let filled = fill(&shelf, &name, &page);
        for fault in &filled.faults {
            say!("treebound: {fault}");
        }
        good &= filled.faults.is_empty();
        if arguments.check {
            for difference in &filled.differences {
                say!("treebound: {difference}");
            }
            good &= filled.differences.is_empty();
        } else if filled.text != page {
            file::write(path, filled.text.as_bytes())?;
            say!("{name}: {} changed", filled.differences.len());
        }
    }
    if arguments.check && !good {
        say!("treebound: fill the pages with: make pages");
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The pages of a checkout.
fn usual() -> Result<Vec<PathBuf>> {
    let mut pages = vec![PathBuf::from("README.md")];
    let docs =
        std::fs::read_dir("docs").context("docs: cannot read the folder; name the pages, or go to the checkout")?;
    for entry in docs {
        let path = entry.context("docs: cannot read the folder")?.path();
        if path.extension().is_some_and(|ending| ending == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    if !Path::new("README.md").is_file() {
        bail!("README.md: there is no such page here; name the pages, or go to the checkout");
    }
    Ok(pages)
}
