//! The search of one cell in several ways.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::pages::arguments::Arguments;
use crate::pages::error::BlockError;
use crate::pages::select::{Selected, select};
use crate::pages::shelf::Shelf;
use treebound_experiment::table_options::table_options;
use treebound_parser::cell::CellKey;
use treebound_records::{ScoreRow, SearchRow, by_sentence, schema};
use treebound_report::frame::Frame;
use treebound_report::sentences::Sentences;
use treebound_report::tables::calls::{spread, spread_in_one, spread_table};
use treebound_report::tables::search::ways;
use treebound_report::tables::table::Section;

/// What each idea of the search is worth: the default, then what costs most when it is switched off, and the paper's search.
pub fn ablation(shelf: &Shelf, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let mut rows = rows(shelf, arguments, "search.csv", "ablation")?;
    rows.sort_by_key(|row| (row.way != DEFAULT, row.way == PAPER, Reverse(row.dp_calls)));
    let section = ways(&ordered(&rows)?, "search")?.into_sections().into_iter().next().unwrap_or_default();
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
    let section = ways(&ordered(&rows)?, "DP calls\nat most")?.into_sections().into_iter().next().unwrap_or_default();
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
    let chosen: BTreeSet<String> = keys.iter().map(ToString::to_string).collect();
    let sentences = Sentences::read(&path)?.only(|cell| chosen.contains(cell));
    let frame = Frame::of(&scores, &schema::SCORES)?;
    let (lines, missing) = spread(&frame, &sentences, &table_options(&experiment.config))?;
    if let (true, Some(missing)) = (lines.is_empty(), missing.first()) {
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
    let defaults: &[&str] = match spread_table(&lines)?.into_sections().len() {
        1 => &["decoder", "mean", "median", "proven-%"],
        _ => &["templates", "learner", "decoder", "mean", "median", "proven-%"],
    };
    arguments.columns(spread_in_one(&lines)?, defaults)
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

/// The rows of a cell as a frame, in their own order.
fn ordered(rows: &[SearchRow]) -> Result<Frame, BlockError> {
    let frame = Frame::of(rows, &schema::SEARCH)?;
    let ways = frame.words("way")?;
    let places: Vec<usize> = rows.iter().filter_map(|row| ways.iter().position(|way| *way == row.way)).collect();
    Ok(frame.rows(&places)?)
}
