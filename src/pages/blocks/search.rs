//! The search of one cell in several ways.

use std::cmp::Reverse;

use crate::pages::arguments::Arguments;
use crate::pages::error::BlockError;
use crate::pages::select::{Selected, select};
use crate::pages::shelf::Shelf;
use treebound_experiment::table_options::table_options;
use treebound_parser::cell::CellKey;
use treebound_records::{ScoreRow, SearchRow, by_sentence};
use treebound_report::tables::search::table;
use treebound_report::tables::spread::spread_table;
use treebound_report::tables::table::Section;

/// What each idea of the search is worth: the default, then what costs most when it is switched off, and the paper's search.
pub fn ablation(shelf: &Shelf, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let mut rows = rows(shelf, arguments, "search.csv", "ablation")?;
    rows.sort_by_key(|row| (row.way != DEFAULT, row.way == PAPER, Reverse(row.dp_calls)));
    let section = table(&rows, "search").into_sections().into_iter().next().unwrap_or_default();
    let words = |way: &str| if way == DEFAULT { "default".to_owned() } else { way.to_owned() };
    arguments.columns(section.reworded("search", words), &["search", "dp-calls-a-sentence", "at-root-%", "proven-%"])
}

/// The ways of the default search and of the paper's.
const DEFAULT: &str = "bnb";
const PAPER: &str = "paper";

/// What exactness buys: few DP calls first, no limit last.
pub fn budget(shelf: &Shelf, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let mut rows = rows(shelf, arguments, "budget.csv", "budget")?;
    rows.sort_by_key(|row| row.way.parse::<u64>().unwrap_or(u64::MAX));
    let section = table(&rows, "DP calls\nat most").into_sections().into_iter().next().unwrap_or_default();
    arguments.columns(section, &["dp-calls-at-most", "uas", "proven-%"])
}

/// How DP calls are spread over sentences.
pub fn calls(shelf: &Shelf, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let selected = select(shelf, arguments)?;
    let [Selected { experiment, keys }] = &selected[..] else {
        return Err(BlockError::Words("the block is of one experiment, which is named behind the block".to_owned()));
    };
    let verb = format!("run{}", selected[0].grids(keys));
    let mut scores = experiment.rows::<ScoreRow>("scores.csv", &verb)?;
    // The file has a line a setting, with all of its seeds.
    scores.retain(|row| keys.iter().any(|key| key.setting == row.cell.setting));
    let path = experiment.path(by_sentence::FILE);
    let mut sentences = by_sentence::read_if_there(&path)?;
    sentences.retain(|row| keys.contains(&*row.cell));
    let sentences = by_sentence::rows(&sentences, &path)?;
    let spread = spread_table(&scores, &sentences, &table_options(&experiment.config))?;
    if let (true, Some(missing)) = (spread.is_empty(), spread.missing.first()) {
        let what = format!("{} lacks {missing}, or its sums are not those of scores.csv", path.display());
        return Err(experiment.lacks(&what, &verb));
    }
    let alike = |a: &CellKey, b: &CellKey| {
        let [a, b] = [&a.setting, &b.setting];
        (&a.corpus, a.split, a.tags, &a.system) == (&b.corpus, b.split, b.tags, &b.system)
    };
    if !scores.iter().all(|row| alike(&row.cell, &scores[0].cell)) {
        return Err(BlockError::Words("choose cells of one part and one kind of tags that were searched".to_owned()));
    }
    let defaults: &[&str] = match spread.table().into_sections().len() {
        1 => &["decoder", "mean", "median", "proven-%"],
        _ => &["templates", "learner", "decoder", "mean", "median", "proven-%"],
    };
    arguments.columns(spread.in_one(), defaults)
}

/// The rows of the one cell that is chosen.
fn rows(shelf: &Shelf, arguments: &Arguments<'_>, file: &str, verb: &str) -> Result<Vec<SearchRow>, BlockError> {
    let selected = select(shelf, arguments)?;
    let [selected] = &selected[..] else {
        return Err(BlockError::Words("the block is of one experiment, which is named behind the block".to_owned()));
    };
    let verb = format!("{verb}{}", selected.grids(&selected.keys));
    let mut rows: Vec<SearchRow> = selected.experiment.measured(file, &verb, |row: &SearchRow| (&row.cell, row.key))?;
    rows.retain(|row| selected.keys.contains(&*row.cell));
    let Some(first) = rows.first() else {
        let path = selected.experiment.path(file);
        return Err(selected.experiment.lacks(&format!("{} has none of these cells", path.display()), &verb));
    };
    match rows.iter().find(|row| row.cell != first.cell) {
        Some(other) => Err(BlockError::Words(format!("choose one of the cells {} and {}", first.cell, other.cell))),
        None => Ok(rows),
    }
}
