//! Searches over states, of systems that count them: what each finds and what it costs, a section a model (Zhao, Cross & Huang 2013,
//! Table 1).
//!
//! `states.csv` depends on records alone; times join the table where it is shown.

use polars::prelude::{LazyFrame, col};

use super::blocks::{PLACE, SYSTEM_PLACE, TableOptions, data_words, model_labels, placed, way_labels, way_place};
use super::notes;
use super::table::{Section, Table, sheet};
use crate::frame::Frame;
use treebound_records::ReportError;

/// The columns of `states.csv` behind the axes.
const COLUMNS: [&str; 10] = [
    "seeds",
    "sentences",
    "proven",
    "cost_per_sentence",
    "uas_pct",
    "root_pct",
    "complete_pct",
    "states_per_sentence",
    "successors_per_sentence",
    "merges_per_sentence",
];

/// What the searches of a section share.
pub const MODEL: [&str; 6] = ["corpus", "split", "tags", "system", "templates", "learner"];

/// The lines that count states, with their speeds: [means](Frame::means) by model, then by further axes.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data.
pub fn lines(scores: &Frame, speeds: LazyFrame, options: &TableOptions) -> Result<Frame, ReportError> {
    let lines = placed(&scores.means()?.filtered(col("states").is_not_null())?, options)?;
    let way = way_place(&lines);
    let way: Vec<&str> =
        ["templates.order", "learner.order"].into_iter().chain(way.iter().map(String::as_str)).collect();
    lines.sorted(&[&PLACE[..], &SYSTEM_PLACE, &way].concat())?.joined(speeds, "line")
}

/// The table, with the columns of `states.csv`.
///
/// # Errors
/// If lines are not those that [`lines`] gives.
pub fn table(lines: &Frame, options: &TableOptions) -> Result<Table, ReportError> {
    let sections = lines.blocks(&MODEL)?.iter().map(|block| section(block, options)).collect::<Result<_, _>>()?;
    let mut words = notes::scoring(lines, &options.punctuation)?;
    words.push(notes::proofs(lines)?);
    words.push(
        "cost: minus the logarithm of the probability of the actions, where a model has probabilities. states: expanded; \
         successors: made of these; merges: those that were there."
            .to_owned(),
    );
    if lines.numbers("words_per_second")?.iter().any(Option::is_some) {
        words.push(notes::SPEED.to_owned());
    }
    Ok(Table::new(sections, sheet(lines, &COLUMNS)?).with_notes(words))
}

/// A section: a line a search.
///
/// # Errors
/// If lines are not those that [`lines`] gives.
pub fn section(block: &Frame, options: &TableOptions) -> Result<Section, ReportError> {
    let model = model_labels(block, options)?.into_iter().next().unwrap_or_default();
    let (proven, of_proven) = notes::proven(block)?;
    Section::new(format!("{}, {model}{}", data_words(block)?, notes::data_words(block)?))
        .left("search", way_labels(block)?)
        .measures(block, &["cost_per_sentence"])?
        .right("UAS", block.shown("uas_pct")?)
        .right("compl.\nmatch", block.shown("complete_pct")?)
        .right(&proven, of_proven)
        .measures(
            block,
            &[
                "states_per_sentence",
                "successors_per_sentence",
                "merges_per_sentence",
                "ms_per_sentence",
                "words_per_second",
            ],
        )
}
