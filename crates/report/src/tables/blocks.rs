//! Which lines of a table stand together, and what they are called there.
//!
//! A block has a corpus, part, tags, templates, learner and way to find labels. Parsers that are not of factor graphs have
//! neither templates nor a learner of ours: those of a corpus, part and tags stand together behind its other blocks.

use polars::prelude::{Column, col, lit, when};

use super::wrap::wrap_features;
use crate::frame::{ABSENT, FIRST_AXES, Frame, USUAL_BACKBONE};
use treebound_records::ReportError;
pub use treebound_records::TableOptions;
use treebound_statistics::Draws;

/// How much significance tests draw.
pub fn draws(options: &TableOptions) -> Draws {
    Draws { rounds: options.rounds, seed: options.random_seed }
}

/// The columns by which lines are sorted into blocks, once they are [`placed`].
pub const PLACE: [&str; 7] =
    ["corpus.order", "split.order", "tags.order", "is_other", "block.templates", "block.learner", "block.labels"];

/// The columns by which systems are sorted in a block.
pub const SYSTEM_PLACE: [&str; 2] = ["system.place", "system"];

/// Lines with the columns of their places, among them `block`, which is the same for lines that stand together.
///
/// # Errors
/// If lines have no such axes.
pub fn placed(lines: &Frame, options: &TableOptions) -> Result<Frame, ReportError> {
    let unless_other = |name: &str, place: &str| {
        let order = col(format!("{name}.order"));
        when(col("is_other")).then(lit(0_u32)).otherwise(order).alias(place)
    };
    let systems = lines.words("system")?;
    let places: Vec<u64> = systems
        .iter()
        .map(|system| options.systems.iter().position(|known| known == system).unwrap_or(options.systems.len()) as u64)
        .collect();
    let labels = match has_labels(lines) {
        true => unless_other("labels", "block.labels"),
        false => lit(0_u32).alias("block.labels"),
    };
    let columns = [unless_other("templates", "block.templates"), unless_other("learner", "block.learner"), labels];
    let lines = lines.query(|rows| rows.with_columns(columns))?.with(Column::new("system.place".into(), places))?;
    let axes = PLACE.iter().map(|name| lines.words(name)).collect::<Result<Vec<_>, _>>()?;
    let block = |row: usize| Some(axes.iter().map(|axis| axis[row].as_str()).collect::<Vec<_>>().join("/"));
    let blocks = (0..lines.height()).map(block).collect();
    lines.with_words("block", blocks)
}

/// Whether some of the lines are of parsers that find labels.
fn has_labels(lines: &Frame) -> bool {
    has_axis(lines, "labels")
}

/// Whether some of the lines have a value on a further axis.
pub fn has_axis(lines: &Frame, name: &str) -> bool {
    lines.axes().iter().any(|axis| axis == name)
}

/// The axis that says among how many trees one is chosen.
pub const RERANKING: &str = "reranking";

/// The decoders of lines, and behind each among how many of its trees one is chosen.
///
/// # Errors
/// If lines have no such axis.
pub fn decoder_labels(lines: &Frame) -> Result<Vec<String>, ReportError> {
    with_values(lines.words("decoder")?, lines, |axis| axis == RERANKING)
}

/// What the lines of a block have in common, for people.
///
/// # Errors
/// If lines have no such axes.
pub fn block_words(block: &Frame) -> Result<String, ReportError> {
    let first = |name: &str| Ok::<_, ReportError>(block.words(name)?.into_iter().next().unwrap_or_default());
    let mut words = data_words(block)?;
    if first("is_other")? == "true" {
        return Ok(words + ", other systems");
    }
    let templates = first("templates")?;
    if templates != ABSENT {
        words.push_str(&format!(", templates {templates}"));
    }
    let learner = first("learner")?;
    if learner != ABSENT {
        words.push_str(&format!(", {learner}"));
    }
    let labels = if has_labels(block) { first("labels")? } else { ABSENT.to_owned() };
    if labels != ABSENT {
        words.push_str(&format!(", labels {labels}"));
    }
    Ok(words)
}

/// What was parsed, for people, by the first of some lines.
///
/// # Errors
/// If lines have no such axes.
pub fn data_words(lines: &Frame) -> Result<String, ReportError> {
    let first = |name: &str| Ok::<_, ReportError>(lines.words(name)?.into_iter().next().unwrap_or_default());
    Ok(format!("{}, {} part, {} tags", first("corpus")?, first("split")?, first("tags")?))
}

/// The name of a pruning for people.
pub fn pruning_label(pruning: &str) -> String {
    match pruning {
        ABSENT => String::new(),
        "none" => "no pruning".to_owned(),
        rule => rule.to_owned(),
    }
}

/// The prunings of lines, for people.
///
/// # Errors
/// If lines have no such axis.
pub fn pruning_labels(lines: &Frame) -> Result<Vec<String>, ReportError> {
    Ok(lines.words("pruning")?.iter().map(|pruning| pruning_label(pruning)).collect())
}

/// The systems of lines, for people; behind one that is not of factor graphs stand its values on its axes.
///
/// # Errors
/// If lines have no such axis.
pub fn system_labels(lines: &Frame, options: &TableOptions) -> Result<Vec<String>, ReportError> {
    let of_models = model_labels(lines, options)?.into_iter().zip(lines.words("is_other")?);
    let systems = lines.words("system")?;
    let label = |(((model, is_other), way), system): (((String, String), String), String)| match is_other == "true" {
        true => [model, way].into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" "),
        false => options.system_label(&system),
    };
    Ok(of_models.zip(way_labels(lines)?).zip(systems).map(label).collect())
}

/// The systems of lines, for people, with their values on the axes that every file has.
///
/// # Errors
/// If lines have no such axis.
pub fn model_labels(lines: &Frame, options: &TableOptions) -> Result<Vec<String>, ReportError> {
    let labels = lines.words("system")?.iter().map(|system| options.system_label(system)).collect();
    with_values(labels, lines, |axis| FIRST_AXES.contains(&axis) && !OF_DATA.contains(&axis))
}

/// The values of lines on all further axes, for people.
///
/// # Errors
/// If lines have no such axis.
pub fn way_labels(lines: &Frame) -> Result<Vec<String>, ReportError> {
    with_values(vec![String::new(); lines.height()], lines, |axis| !FIRST_AXES.contains(&axis))
}

/// Labels with the values on some axes behind them.
fn with_values(
    labels: Vec<String>,
    lines: &Frame,
    is_meant: impl Fn(&str) -> bool,
) -> Result<Vec<String>, ReportError> {
    let mut labels = labels;
    for axis in lines.axes().iter().filter(|axis| is_meant(axis)) {
        for (label, value) in labels.iter_mut().zip(lines.words(axis)?).filter(|(_, value)| value != ABSENT) {
            let space = if label.is_empty() { "" } else { " " };
            *label += &format!("{space}{value}");
        }
    }
    Ok(labels)
}

/// The columns by which lines are sorted by further axes.
pub fn way_place(lines: &Frame) -> Vec<String> {
    lines
        .axes()
        .iter()
        .filter(|axis| !FIRST_AXES.contains(&axis.as_str()))
        .map(|axis| format!("{axis}.order"))
        .collect()
}

/// The axes that every system has.
const OF_DATA: [&str; 4] = ["corpus", "split", "tags", "system"];

/// The feature sets of lines for people, in lines of that many characters, and behind each the backbone where that is not the
/// paper's.
///
/// # Errors
/// If lines have no such axes.
pub fn features_labels(lines: &Frame, width: usize) -> Result<Vec<String>, ReportError> {
    let label = |(features, backbone): (String, String)| {
        let features = if features == ABSENT { String::new() } else { wrap_features(&features, width) };
        if backbone.is_empty() || backbone == USUAL_BACKBONE {
            return features;
        }
        let backbone = format!(" [{backbone}]");
        let last = features.lines().last().unwrap_or_default();
        let separator = if last.len() + backbone.len() <= width { "" } else { "\n" };
        features + separator + &backbone
    };
    Ok(lines.words("features")?.into_iter().zip(lines.words("backbone")?).map(label).collect())
}
