//! The league: all parsers of a treebank side by side, whoever wrote them, most accurate first.
//!
//! Nothing of it is committed as a file: times and memory depend on the machine.

use std::collections::BTreeMap;

use polars::prelude::{LazyFrame, col, lit};

use super::blocks::{TableOptions, data_words, features_labels, model_labels, placed, pruning_labels, way_labels};
use super::notes;
use super::table::{Section, Table, sheet};
use crate::frame::Frame;
use treebound_records::ReportError;
use treebound_records::number::percent;

/// The columns of `league.csv` behind the axes.
const COLUMNS: [&str; 8] =
    ["seeds", "sentences", "decoded", "uas_pct", "complete_pct", "root_pct", "proven_pct", "is_exact"];

/// What the parsers of a section parse.
const DATA: [&str; 3] = ["corpus", "split", "tags"];

/// All lines, most accurate first, with their speeds, with `proven_pct` and `is_exact` (whether all sentences are proven), and with
/// what it takes to learn their models on one thread: `learning_s`, `learning_peak_mib`, `model_mib`.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data.
pub fn lines(
    scores: &Frame,
    speeds: LazyFrame,
    learning: &Frame,
    options: &TableOptions,
) -> Result<Frame, ReportError> {
    let lines = placed(&scores.means()?, options)?.joined(speeds, "line")?;
    let proven = lines.counts("proven")?.into_iter().zip(lines.counts("sentences")?);
    let proven: Vec<Option<f64>> = proven.map(|(proven, all)| percent(proven?, all?)).collect();
    let is_exact = proven.iter().map(|share| Some((*share == Some(100.0)).to_string())).collect();
    let lines = lines.with_numbers("proven_pct", proven)?.with_words("is_exact", is_exact)?;
    let models = models(&lines)?;
    let learnt = learnt(learning)?;
    let number = |at: usize| models.iter().map(|model| learnt.get(model)?[at]).collect();
    let lines = lines
        .with_numbers("learning_s", number(0))?
        .with_numbers("learning_peak_mib", number(1))?
        .with_numbers("model_mib", number(2))?;
    let best_first = lines.numbers("uas_pct")?.into_iter().map(|uas| uas.map(|uas| -uas)).collect();
    lines.with_numbers("place", best_first)?.sorted(&[
        "corpus.order",
        "split.order",
        "tags.order",
        "place",
        "system.place",
        "line",
    ])
}

/// The axes of models.
const MODEL: [&str; 7] = ["corpus", "tags", "system", "templates", "learner", "features", "backbone"];

/// The name of the model of each row.
fn models(rows: &Frame) -> Result<Vec<String>, ReportError> {
    let axes = MODEL.iter().map(|axis| rows.words(axis)).collect::<Result<Vec<_>, _>>()?;
    let absent = |word: &String| if word.is_empty() { crate::frame::ABSENT.to_owned() } else { word.clone() };
    let name = |row: usize| axes.iter().map(|axis| absent(&axis[row])).collect::<Vec<_>>().join("/");
    Ok((0..rows.height()).map(name).collect())
}

/// By model: seconds and MiB of learning on one thread, MiB of the model.
fn learnt(learning: &Frame) -> Result<BTreeMap<String, [Option<f64>; 3]>, ReportError> {
    if learning.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows = learning.filtered(col("threads").eq(lit(1)))?;
    let columns = ["train_ns", "peak_kib", "model_bytes"].map(|name| rows.numbers(name));
    let [time, memory, size] = columns;
    let (time, memory, size) = (time?, memory?, size?);
    let units = [1e9, 1024.0, 1024.0 * 1024.0];
    let of_row = |row: usize| [time[row], memory[row], size[row]];
    let in_units = |row: usize| {
        let mut values = of_row(row);
        values.iter_mut().zip(units).for_each(|(value, unit)| *value = value.map(|value| value / unit));
        values
    };
    // Of several seeds the first.
    let named = models(&rows)?.into_iter().enumerate().rev();
    Ok(named.map(|(row, name)| (name, in_units(row))).collect())
}

/// The names of parsers, for people.
///
/// # Errors
/// If lines are not those that [`lines`] gives.
pub fn labels(lines: &Frame, options: &TableOptions) -> Result<Vec<String>, ReportError> {
    let (others, ways) = (model_labels(lines, options)?, way_labels(lines)?);
    let columns = ["is_other", "system", "templates", "learner", "decoder"].map(|name| lines.words(name));
    let [is_other, systems, templates, learners, decoders] = columns;
    let (is_other, systems, templates, learners, decoders) = (is_other?, systems?, templates?, learners?, decoders?);
    let (features, prunings) = (features_labels(lines, usize::MAX)?, pruning_labels(lines)?);
    let label = |row: usize| {
        let words = if is_other[row] == "true" {
            vec![&others[row], &ways[row]]
        } else {
            vec![
                &systems[row],
                &features[row],
                &templates[row],
                &learners[row],
                &prunings[row],
                &decoders[row],
                &ways[row],
            ]
        };
        words.into_iter().filter(|word| !word.is_empty()).cloned().collect::<Vec<_>>().join(" ")
    };
    Ok((0..lines.height()).map(label).collect())
}

/// The table, with the columns of `league.csv`.
///
/// # Errors
/// If lines are not those that [`lines`] gives.
pub fn table(lines: &Frame, options: &TableOptions) -> Result<Table, ReportError> {
    let sections = lines.blocks(&DATA)?.iter().map(|block| section(block, options)).collect::<Result<_, _>>()?;
    let mut words = notes::scoring(lines, &options.punctuation)?;
    words.push(notes::seeds(lines)?);
    words.push(
        "proven: sentences whose tree is proven to be the best under the model; empty of systems that prove nothing. learning: \
         on one thread, in a process of its own, tagger and pruner apart."
            .to_owned(),
    );
    if lines.numbers("words_per_second")?.iter().any(Option::is_some) {
        words.push(notes::SPEED.to_owned());
    }
    words.extend(notes::external(lines, options)?);
    Ok(Table::new(sections, sheet(lines, &COLUMNS)?).with_notes(words))
}

/// A section: a line a parser.
///
/// # Errors
/// If lines are not those that [`lines`] gives.
pub fn section(block: &Frame, options: &TableOptions) -> Result<Section, ReportError> {
    Section::new(format!("{}{}", data_words(block)?, notes::data_words(block)?))
        .left("parser", labels(block, options)?)
        .right("UAS", block.shown("uas_pct")?)
        .right("compl.\nmatch", block.shown("complete_pct")?)
        .right("root", block.shown("root_pct")?)
        .measures(block, &["proven_pct", "words_per_second", "learning_s", "learning_peak_mib", "model_mib"])
}
