//! Cells held against where they come from: the config with its data, and the finished work.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::artifacts::ArtifactBuilder;
use crate::cell::{Cell, cells};
use crate::folds;
use crate::jobs::shares;
use crate::provenance::{Log, REMOVED};
use crate::results::RESOLVED;
use crate::rows::{ScoreRow, SentenceRow, differences, sentence_fault};
use crate::run::ExperimentContext;
use crate::store::sha256;
use treebound_files::input;
use treebound_parser::cell::CellKey;
use treebound_records::check::Check;
use treebound_records::{RowKey, cell_numbers};

/// What [`alike`] and [`kept`] leave open where there is no config or no data, of so many cells and sentences.
pub fn unknown(why: &str, cells: u64, sentences: u64) -> [Check; 2] {
    let (mut alike, mut kept) = (of_keys(), of_kept_rows());
    alike.leave_open(why, cells);
    kept.leave_open(why, sentences);
    [alike, kept]
}

fn of_keys() -> Check {
    Check::new(
        ["cell", "cells"],
        "this program keeps the work of this config, its templates and its treebanks under the same key",
    )
}

fn of_kept_rows() -> Check {
    Check::new(["sentence", "sentences"], "every field of sentences.csv is that of the finished work")
}

/// Files that a run leaves, whatever its config.
const OF_RUNS: [&str; 4] = ["scores.csv", cell_numbers::FILE, "training.csv", RESOLVED];

/// Every file that the log knows is there, as those who wrote it last have left it.
pub fn whole(folder: &Path, log: &Log) -> Check {
    let mut check = Check::new(["file", "files"], "it is there, as the verb that wrote it last has left it");
    let known = log.files();
    for (name, sum) in &known {
        let path = folder.join(name);
        let found = match input::read(&path) {
            Ok(bytes) => Ok(sha256(&bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(REMOVED.to_owned()),
            Err(error) => Err(error),
        };
        let fault = match found {
            Err(error) => Some(format!("cannot read the file: {error}")),
            Ok(found) if found == *sum => None,
            Ok(found) if found == REMOVED => Some("it is not there, but provenance.toml has it".to_owned()),
            Ok(_) => Some("it was changed since: its checksum is not that of provenance.toml".to_owned()),
        };
        check.add(fault.map(|fault| format!("{}: {fault}", path.display())));
    }
    let unknown = OF_RUNS.iter().filter(|name| !known.contains_key(*name) && folder.join(name).exists()).count();
    if unknown > 0 {
        check.leave_open(
            "provenance.toml has no checksum of them: an earlier program wrote them; treebound run writes them anew, with one, when it \
             makes a cell",
            unknown as u64,
        );
    }
    check
}

/// Every cell is what this program makes of the config, its templates and its treebanks: its work has the same key. Also
/// returns the cells of which this is so.
pub fn alike(path: &Path, scores: &[ScoreRow], context: &ExperimentContext) -> (Check, Vec<Cell>) {
    let mut check = of_keys();
    let config = context.config;
    let mut known: BTreeMap<CellKey, Cell> = cells(config).into_iter().map(|cell| (cell.key(config), cell)).collect();
    let mut alike = Vec::new();
    for row in scores.iter().filter(|row| row.counts.is_ok()) {
        let place = format!("{}: {}", path.display(), row.cell);
        let Some(cell) = known.remove(&*row.cell) else {
            check.add([format!("{place}: the config {} has no such cell", config.name)]);
            continue;
        };
        let now = context.row_key(&row.cell);
        if now == RowKey::default() {
            check.leave_open("their parser is somebody else's and does not say its version here", 1);
            continue;
        }
        let fault = (now != row.key).then(|| {
            format!(
                "it was made as {}, but would be {now} now: by another version of the program, of its config, template files \
                 or treebanks",
                row.key
            )
        });
        if fault.is_none() {
            alike.push(cell);
        }
        check.add(fault.map(|fault| format!("{place}: {fault}")));
    }
    (check, alike)
}

/// The rows of `sentences.csv` are those of the finished work, field by field. Cells that the file does not have are given
/// the rows of the store.
pub fn kept(
    path: &Path,
    context: &ExperimentContext,
    alike: &[Cell],
    sentences: &mut BTreeMap<Arc<CellKey>, Vec<SentenceRow>>,
) -> Check {
    let mut check = of_kept_rows();
    for cell in alike {
        let key = Arc::new(cell.key(context.config));
        let in_file = sentences.get(&key);
        let kept = match rows_of(context, cell, &key) {
            Ok(Some(kept)) => kept,
            Ok(None) => {
                check.leave_open("their cells are not in the cache", in_file.map_or(0, Vec::len) as u64);
                continue;
            }
            Err(damaged) => {
                check.add([format!("{}: {key}: its artifact is damaged", damaged.display())]);
                continue;
            }
        };
        let Some(in_file) = in_file else {
            check.leave_open(
                "sentences.csv does not have their cells, so those of the cache are looked at",
                kept.len() as u64,
            );
            sentences.insert(key, kept);
            continue;
        };
        if in_file.len() != kept.len() {
            let (file, kept) = (in_file.len(), kept.len());
            check.add([format!("{}: {key}: {file} sentences, but {kept} in the cache", path.display())]);
        }
        let by_number: BTreeMap<u64, &SentenceRow> = kept.iter().map(|row| (row.sentence, row)).collect();
        for row in in_file {
            let faults = by_number.get(&row.sentence).map(|kept| differences(row, kept)).unwrap_or_default();
            check.add(faults.into_iter().map(|fault| sentence_fault(path, row, &format!("{fault} in the cache"))));
        }
    }
    check
}

/// The rows of a cell as the store has them, those of folds one after the other; none if some are not there.
///
/// # Errors
/// The first artifact that is damaged, of rows or of trees.
fn rows_of(context: &ExperimentContext, cell: &Cell, key: &CellKey) -> Result<Option<Vec<SentenceRow>>, PathBuf> {
    let (builder, store) = (&context.builder, context.builder.store);
    let (Some(treebank), Ok(keys)) = (context.treebanks.get(cell.run.corpus), context.share_keys(cell)) else {
        return Ok(None);
    };
    let made_by = context.row_key(key);
    let mut all = Vec::new();
    for (fold, kept_under) in shares(context.config, cell.split).into_iter().zip(keys) {
        let before = fold.map_or(0, |fold| folds::numbers(fold, treebank.sentences()).start as u64);
        let trees = ArtifactBuilder::trees_key(&kept_under);
        if store.has(&trees) && builder.stored_trees(&kept_under).is_none() {
            return Err(store.path(&trees));
        }
        match builder.stored_rows(&kept_under, key) {
            Some(rows) => {
                all.extend(rows.into_iter().map(|row| SentenceRow {
                    key: made_by,
                    sentence: row.sentence + before,
                    ..row
                }));
            }
            None if store.has(&kept_under) => return Err(store.path(&kept_under)),
            None => return Ok(None),
        }
    }
    Ok(Some(all))
}
