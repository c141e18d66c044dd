//! Table 3: what pruning costs and brings. One line a setting, grouped so that only the pruning differs within a group.
//!
//! The table falls into two files, because deterministic and timed results never share one: `table3.csv` (accuracy,
//! candidates, proofs, calls) and `speed_table3.csv` (words per second and speed-up, which depend on a machine). Shown to
//! people they stand side by side.

use std::collections::{BTreeSet, HashMap};

use polars::prelude::{LazyFrame, col, lit, when};

use super::blocks::{PLACE, SYSTEM_PLACE, TableOptions, block_words, placed, pruning_labels, system_labels};
use super::table::{Section, Table, plain_sheet, sheet};
use super::{notes, papers};
use crate::comparison::{points, seeds_of_lines};
use crate::frame::{ABSENT, Frame, USUAL_BACKBONE};
use crate::measures::UAS;
use treebound_records::ReportError;

/// The columns of `table3.csv` behind the axes.
const COLUMNS: [&str; 14] = [
    "seeds",
    "failed_seeds",
    "sentences",
    "uas_pct",
    "uas_sd_points",
    "change_points",
    "uas_all_pct",
    "gold_kept_pct",
    "heads_per_word",
    "decoded",
    "proven",
    "dp_calls_per_sentence",
    "published_uas_pct",
    "published_dp_calls_per_sentence",
];

/// The columns of `speed_table3.csv` behind the axes.
const SPEED_COLUMNS: [&str; 12] = [
    "passes",
    "sentences",
    "tokens",
    "words_per_second",
    "spread_pct",
    "speed_up",
    "start_s",
    "prune_ms_per_sentence",
    "score_ms_per_sentence",
    "decode_ms_per_sentence",
    "published_words_per_second",
    "published_speed_up",
];

/// The pruning that leaves all heads.
const UNPRUNED: &str = "none";

/// The lines of settings that were run with more than one pruning: [means](Frame::means) with `change_points`, the UAS less that
/// without pruning, speeds, `speed_up` over that without pruning, and the figures of papers.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data.
pub fn lines(scores: &Frame, speeds: LazyFrame, options: &TableOptions) -> Result<Frame, ReportError> {
    let parser = ["backbone.order", "features.order", "decoder.order", "pruning.order"];
    let lines = placed(&scores.means()?, options)?.sorted(&[&PLACE[..], &parser, &SYSTEM_PLACE].concat())?;
    // What the lines of a group share is all but the pruning. Parsers that choose no candidates are one group of their data.
    let names = ["block", "backbone", "features", "decoder"].map(|name| lines.words(name));
    let names = names.into_iter().collect::<Result<Vec<_>, _>>()?;
    let group = |row: usize| Some(names.iter().map(|axis| axis[row].as_str()).collect::<Vec<_>>().join("/"));
    let groups = (0..lines.height()).map(group).collect();
    let lines = lines.with_words("group", groups)?;
    let lines = shown(&lines)?;
    let lines = with_changes(lines, scores)?;
    let measures = ["uas_pct", "dp_calls_per_sentence", "words_per_second"];
    let lines = papers::with_published(lines, &measures, &options.published)?;
    let unpruned = when(col("pruning").eq(lit(ABSENT))).then(col("pruning")).otherwise(lit(UNPRUNED)).alias("pruning");
    let theirs = papers::figures_of_changed(&lines, &[unpruned], "words_per_second", &options.published)?;
    let speed_up = (col("published_words_per_second") / col("value")).alias("published_speed_up");
    let lines = lines.joined(theirs, "line")?.query(|rows| rows.with_columns([speed_up]))?.joined(speeds, "line")?;
    let of_unpruned = lines.lazy().filter(col("pruning").eq(lit(UNPRUNED)));
    let of_unpruned = of_unpruned.select([col("group"), col("words_per_second").alias("unpruned")]);
    let speed_up = (col("words_per_second") / col("unpruned")).alias("speed_up");
    lines.joined(of_unpruned, "group")?.query(|rows| rows.with_columns([speed_up]))
}

/// The lines of groups with several prunings; parsers that choose no candidates stand beside those that are compared on the same
/// data.
fn shown(lines: &Frame) -> Result<Frame, ReportError> {
    let data = |group: &Frame| {
        let axes = ["corpus", "split", "tags"].into_iter();
        axes.map(|axis| group.words(axis).map(|w| w[0].clone())).collect::<Result<Vec<_>, ReportError>>()
    };
    let (mut kept, mut compared, mut others) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for group in lines.blocks(&["group"])? {
        let prunings = group.words("pruning")?;
        if prunings.len() > 1 && prunings.iter().all(|pruning| pruning != ABSENT) {
            compared.insert(data(&group)?);
            kept.extend(group.words("line")?);
        } else if prunings[0] == ABSENT {
            others.push(group);
        }
    }
    for group in others {
        if compared.contains(&data(&group)?) {
            kept.extend(group.words("line")?);
        }
    }
    lines.only("line", |line| kept.contains(line))
}

/// With the UAS of each line less that without pruning, over the seeds of both: different seeds have different models.
fn with_changes(lines: Frame, scores: &Frame) -> Result<Frame, ReportError> {
    let names = lines.words("line")?;
    let seeds = seeds_of_lines(&lines)?;
    let (groups, prunings) = (lines.words("group")?, lines.words("pruning")?);
    let unpruned: HashMap<&str, usize> =
        (0..names.len()).filter(|&row| prunings[row] == UNPRUNED).map(|row| (groups[row].as_str(), row)).collect();
    let mut changes = Vec::new();
    for row in 0..names.len() {
        let other = unpruned.get(groups[row].as_str()).filter(|&&other| other != row);
        let Some(&other) = other else {
            changes.push(None);
            continue;
        };
        let shared: Vec<u64> = seeds[row].iter().copied().filter(|seed| seeds[other].contains(seed)).collect();
        let [own, without] = [row, other].map(|row| points(scores, &names[row], &shared, &UAS));
        changes.push(own?.zip(without?).map(|(own, without)| own - without));
    }
    lines.with_numbers("change_points", changes)
}

/// The bytes of `speed_table3.csv`: the lines that were timed.
///
/// # Errors
/// If lines are not those that [`lines`] gives.
pub fn speed_csv(lines: &Frame) -> Result<Vec<u8>, ReportError> {
    let timed = lines.query(|rows| {
        let own = rows.filter(col("passes").is_not_null());
        own.with_columns([col("timed_sentences").alias("sentences"), col("timed_words").alias("tokens")])
    })?;
    plain_sheet(&timed, &SPEED_COLUMNS)?.csv()
}

/// The table, with the columns of `table3.csv`. `scores` are the rows that the lines are made of.
///
/// # Errors
/// If lines are not those that [`lines`] gives.
pub fn table(lines: &Frame, scores: &Frame, options: &TableOptions) -> Result<Table, ReportError> {
    let mut sections = Vec::new();
    for group in lines.blocks(&["group"])? {
        sections.push(section(&group, options)?);
    }
    Ok(Table::new(sections, sheet(lines, &COLUMNS)?).with_notes(table_notes(lines, scores, options)?))
}

fn section(group: &Frame, options: &TableOptions) -> Result<Section, ReportError> {
    let first = |name: &str| Ok::<_, ReportError>(group.words(name)?.into_iter().next().unwrap_or_default());
    let mut heading = format!("Table 3: {}", block_words(group)?);
    let (features, decoder, backbone) = (first("features")?, first("decoder")?, first("backbone")?);
    if features != ABSENT {
        heading.push_str(&format!(", {features}"));
    }
    if !decoder.is_empty() {
        heading.push_str(&format!(", decoder {decoder}"));
    }
    if !backbone.is_empty() && backbone != USUAL_BACKBONE {
        heading.push_str(&format!(", backbone {backbone}"));
    }
    heading.push_str(&notes::data_words(group)?);
    let names = if first("is_other")? == "true" {
        Section::new(heading).left("system", system_labels(group, options)?)
    } else {
        Section::new(heading).left("pruning", pruning_labels(group)?)
    };
    let (proven, of_proven) = notes::proven(group)?;
    names
        .right("UAS", group.shown("uas_pct")?)
        .measures(group, &["uas_sd_points", "change_points"])?
        .right("UAS\nall", group.shown("uas_all_pct")?)
        .measures(group, &["gold_kept_pct", "heads_per_word"])?
        .right(&proven, of_proven)
        .measures(group, &["dp_calls_per_sentence", "words_per_second", "speed_up", "start_s"])?
        .measures(group, &["published_uas_pct", "published_words_per_second", "published_speed_up"])
}

fn table_notes(lines: &Frame, scores: &Frame, options: &TableOptions) -> Result<Vec<String>, ReportError> {
    if lines.is_empty() {
        return Ok(vec!["Table 3 is empty: nothing was run with more than one pruning.".to_owned()]);
    }
    let has = |name: &str| Ok::<_, ReportError>(lines.numbers(name)?.iter().any(Option::is_some));
    let mut all = notes::scoring(lines, &options.punctuation)?;
    all.push(notes::seeds(lines)?);
    if has("change_points")? {
        all.push("change: UAS less that without pruning, in percentage points, over the seeds of both.".to_owned());
    }
    all.push(notes::proofs(lines)?);
    all.push(notes::CALLS.to_owned());
    if has("passes")? {
        all.push(notes::SPEED.to_owned());
        all.push("speed-up: words/s over those without pruning.".to_owned());
    }
    if has("start_s")? {
        all.push("start: seconds to start and to load a model, once a pass; no part of words/s.".to_owned());
    }
    all.extend(papers::note(lines, "uas_pct", &options.published)?);
    if has("published_words_per_second")? {
        all.push(
            "The paper timed on an Intel Core i5-2500 at 3.3 GHz: its speed-ups compare, its words/s do not."
                .to_owned(),
        );
    }
    all.extend(notes::external(lines, options)?);
    all.extend(notes::failures(lines, scores)?);
    Ok(all)
}
