//! Pages: Markdown files with marked blocks that are filled from the results, so that no number is typed by hand.
//!
//! A block is a table between two lines that are comments to readers of Markdown:
//!
//! ```markdown
//! <!-- begin: table2 ewt grid=main,mira split=test columns=features,uas,gain,p -->
//!
//! (a table)
//!
//! <!-- end -->
//! ```
//!
//! The first word is the block's name in the list [`BLOCKS`], words without `=` say what it is about (experiments, as a rule),
//! and the others choose: cells by their axes, columns by name. Only what lies between the markers is ever changed. Configs
//! are read to know which cells belong to a grid; no treebank is read and nothing is run.
//!
//! * `page`: where the blocks of a page are, and filling them; `blocks`: the list of blocks, and what their words say.
//! * `experiment`: the experiments that blocks are about, and the cells that they choose.
//! * `lines`, `sections`, `claims`: what each block shows.

mod blocks;
mod claims;
mod experiment;
mod lines;
mod page;
mod sections;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use self::blocks::BLOCKS;
use self::experiment::Experiments;
use self::page::fill;
use treebound_records::file;

/// Prints the blocks that pages may have.
pub fn list() {
    for block in BLOCKS {
        println!("{:<16} {}", block.name, block.help);
    }
}

/// Fills pages, or only says where they differ from the results; true if nothing is wrong with any.
pub fn fill_all(files: Vec<PathBuf>, only_check: bool) -> Result<bool> {
    let files = if files.is_empty() { pages(Path::new(""))? } else { files };
    let experiments = Experiments::new("");
    let mut is_good = true;
    for path in &files {
        let name = path.display().to_string();
        let page = fs::read_to_string(path).with_context(|| format!("{name}: cannot read the page"))?;
        let filled = fill(&experiments, &name, &page);
        for fault in &filled.faults {
            eprintln!("xtask: {fault}");
        }
        is_good &= filled.faults.is_empty();
        if only_check {
            for difference in &filled.differences {
                eprintln!("xtask: {difference}");
            }
            is_good &= filled.differences.is_empty();
        } else if filled.text != page {
            file::write(path, filled.text.as_bytes())?;
            eprintln!("{name}: {} changed", filled.differences.len());
        }
    }
    if only_check && !is_good {
        eprintln!("xtask: fill the pages with: make pages");
    }
    Ok(is_good)
}

/// The pages of a checkout: README.md, and all below docs/, sorted.
fn pages(root: &Path) -> Result<Vec<PathBuf>> {
    let readme = root.join("README.md");
    if !readme.is_file() {
        bail!("README.md: there is no such page here; name the pages, or go to the checkout");
    }
    let mut pages = vec![readme];
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).with_context(|| format!("{}: cannot list the folder", folder.display()))?;
        for entry in entries {
            let path = entry.with_context(|| format!("{}: cannot list the folder", folder.display()))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    Ok(pages)
}
