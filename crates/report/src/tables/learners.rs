//! Parsers without non-local features, model by model: how they were learnt (Ma & Zhao 2012, Table 3), how far the probabilities
//! of CRFs are to be believed, and how long it takes to learn (their Table 4).
//!
//! A model is templates over a dynamic program. Those of one corpus, part, tags and pruning stand together, learner by learner
//! within a model.

use std::collections::BTreeMap;

use polars::prelude::{DataType, Expr, NULL, col, lit, when};

use super::blocks::{TableOptions, pruning_label};
use super::table::{Section, Table, plain_sheet, sheet};
use super::{notes, papers};
use crate::frame::{ABSENT, BASELINE, Frame};
use treebound_records::ReportError;
use treebound_records::calibration::CERTAIN;
use treebound_records::number::{fixed, grouped};
use treebound_records::sheet::Sheet;

/// The order of lines: data and candidates, then model by model, and in a model learner by learner.
pub const PLACE: [&str; 8] = [
    "corpus.order",
    "split.order",
    "tags.order",
    "pruning.order",
    "backbone.order",
    "templates.order",
    "learner.order",
    "decoder.order",
];

/// The axes that lines of a section share.
pub const GROUP: [&str; 4] = ["corpus", "split", "tags", "pruning"];

/// The columns of `learners.csv` behind the axes.
const COLUMNS: [&str; 7] =
    ["seeds", "failed_seeds", "sentences", "uas_pct", "uas_sd_points", "root_pct", "complete_pct"];

/// The table of all lines without non-local features, with the papers' figures beside those of their own learners.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data.
pub fn learners(scores: &Frame, options: &TableOptions) -> Result<Table, ReportError> {
    let is_meant = col("features").eq(lit(BASELINE)).and(col("learner").neq(lit(ABSENT)));
    let lines = scores.means()?.filtered(is_meant)?.sorted(&PLACE)?;
    let lines = papers::with_published(lines, &["uas_pct", "root_pct", "complete_pct"], &options.published)?;
    let mut all = notes::scoring(&lines, &options.punctuation)?;
    all.push(notes::seeds(&lines)?);
    all.push(
        "root: sentences whose words on the root are right. complete: sentences with every head right.".to_owned(),
    );
    if let Some(papers) = papers::note(&lines, "uas_pct", &options.published)? {
        all.push(format!("{papers} Its learners prune nothing; its L-BFGS is crf, its MIRA mira-kbest."));
    }
    all.extend(notes::failures(&lines, scores)?);
    let mut sections = Vec::new();
    for group in lines.blocks(&GROUP)? {
        let paper = |name: &str| {
            let figures = group.numbers(name)?.into_iter();
            Ok::<_, ReportError>(figures.map(|value| value.map_or_else(String::new, |value| fixed(value, 1))))
        };
        sections.push(
            named(&group, "Learners")?
                .right("UAS", group.shown("uas_pct")?)
                .measures(&group, &["uas_sd_points"])?
                .right("root", group.shown("root_pct")?)
                .right("complete", group.shown("complete_pct")?)
                .right_if_any("paper\nUAS", paper("published_uas_pct")?)
                .right_if_any("paper\nroot", paper("published_root_pct")?)
                .right_if_any("paper\ncomplete", paper("published_complete_pct")?),
        );
    }
    let mut sheet = sheet(&lines, &COLUMNS)?;
    // The figures of that paper have one decimal.
    for name in ["published_uas_pct", "published_root_pct", "published_complete_pct"] {
        sheet = sheet.fixed(name, 1, lines.numbers(name)?);
    }
    Ok(Table::new(sections, sheet).with_notes(all))
}

/// A section of a group, with the columns that say which parser a line is of: each model is named once.
fn named(group: &Frame, title: &str) -> Result<Section, ReportError> {
    let first = |name: &str| Ok::<_, ReportError>(group.words(name)?.into_iter().next().unwrap_or_default());
    let heading = format!(
        "{title}: {}, {} part, {} tags, pruning {}",
        first("corpus")?,
        first("split")?,
        first("tags")?,
        pruning_label(&first("pruning")?)
    );
    let models = group.words("templates")?.into_iter().zip(group.words("backbone")?);
    let mut before = String::new();
    let once = models.map(|(templates, backbone)| {
        let own = format!("{templates}, {backbone}");
        if std::mem::replace(&mut before, own.clone()) == own { String::new() } else { own }
    });
    let once: Vec<String> = once.collect();
    Ok(Section::new(heading)
        .left("model", once)
        .left("learner", group.words("learner")?)
        .left("decoder", group.words("decoder")?))
}

/// The lines of calibrations: of each setting, all its seeds together, its words, how many are right, the mean probability of
/// their heads, and the expected calibration error (Naeini, Cooper & Hauskrecht 2015) over ten bins of probabilities: the mean,
/// over words, of how far the share that is right lies from the mean probability of their bin.
///
/// # Errors
/// If rows are not those of `calibration.csv`.
pub fn calibrations(rows: &Frame) -> Result<Frame, ReportError> {
    let certain = || lit(CERTAIN);
    let sums = ["words", "correct", "probability_e6"].map(|name| col(name).sum());
    let of_bin = [&rows.first_of_axes()[..], &sums].concat();
    let right = || (col("correct") * certain()).cast(DataType::Int64);
    let apart = when(right().gt(col("probability_e6").cast(DataType::Int64)))
        .then(right() - col("probability_e6").cast(DataType::Int64))
        .otherwise(col("probability_e6").cast(DataType::Int64) - right());
    let of_line = [&rows.first_of_axes()[..], &sums, &[col("apart_e6").sum()]].concat();
    let over = |part: &str, whole: Expr| {
        let share = col(part).cast(DataType::Float64) / whole.clone().cast(DataType::Float64);
        when(whole.gt(lit(0))).then(lit(100.0) * share).otherwise(lit(NULL))
    };
    let lines = rows.query(|rows| {
        rows.group_by_stable([col("line"), col("bin")])
            .agg(of_bin)
            .with_columns([apart.alias("apart_e6")])
            .group_by_stable([col("line")])
            .agg(of_line)
            .with_columns([
                over("probability_e6", col("words") * certain()).alias("probability_pct"),
                over("correct", col("words")).alias("uas_pct"),
                over("apart_e6", col("words") * certain()).alias("expected_error_points"),
            ])
    })?;
    lines.sorted(&PLACE)
}

/// How far the probabilities of heads are to be believed, by CRF: the table, with the columns of `calibration_error.csv`.
///
/// # Errors
/// If rows are not those of `calibration.csv`.
pub fn calibration(rows: &Frame) -> Result<Table, ReportError> {
    let lines = calibrations(rows)?;
    let notes = vec![
        "said: mean probability of the heads that were given. right: words with the right head (UAS). error: expected \
         calibration error over ten bins of probabilities, in points."
            .to_owned(),
    ];
    let numbers = |group: &Frame, name: &str, decimals: usize| {
        let values = group.numbers(name)?.into_iter();
        Ok::<Vec<Option<String>>, ReportError>(values.map(|value| value.map(|value| fixed(value, decimals))).collect())
    };
    let shown = |group: &Frame, name: &str| {
        Ok::<_, ReportError>(numbers(group, name, 2)?.into_iter().map(Option::unwrap_or_default))
    };
    let mut sections = Vec::new();
    for group in lines.blocks(&GROUP)? {
        let words = group.counts("words")?.into_iter().map(|words| grouped(words.unwrap_or(0)));
        sections.push(
            named(&group, "Calibration")?
                .right("words", words)
                .right("said %", shown(&group, "probability_pct")?)
                .right("right %", shown(&group, "uas_pct")?)
                .right("error", shown(&group, "expected_error_points")?),
        );
    }
    let mut sheet = plain_sheet(&lines, &["words"])?;
    for name in ["probability_pct", "uas_pct", "expected_error_points"] {
        sheet = sheet.optional_text(name, numbers(&lines, name, 4)?);
    }
    Ok(Table::new(sections, sheet).with_notes(notes))
}

/// Threads of which the time is foretold.
const MORE_THREADS: f64 = 16.0;

/// How long it takes to learn, model by model, few threads first.
///
/// Of two measurements with 1 and n threads follows the share p of the work that threads take off each other's hands, and
/// from it what more of them would need (Amdahl 1967):
///
/// ```text
/// t(n) = t(1) * (1 - p + p / n)        p = (1 - t(n) / t(1)) / (1 - 1 / n)
/// ```
///
/// # Errors
/// If rows are not those of `learning.csv`.
pub fn learning(rows: &Frame) -> Result<Table, ReportError> {
    let place = [
        "corpus.order",
        "tags.order",
        "backbone.order",
        "templates.order",
        "features.order",
        "learner.order",
        "seed",
        "threads",
    ];
    let rows = rows.sorted(&place)?;
    let seconds = |rows: &Frame| {
        let times = rows.counts("train_ns")?.into_iter();
        Ok::<Vec<f64>, ReportError>(times.map(|ns| ns.unwrap_or(0) as f64 / 1e9).collect())
    };
    let threads = |rows: &Frame| {
        Ok::<Vec<u64>, ReportError>(rows.counts("threads")?.into_iter().map(|threads| threads.unwrap_or(1)).collect())
    };
    let with_one: BTreeMap<String, f64> = {
        let one = rows.filtered(col("threads").eq(lit(1)))?;
        one.words("cell")?.into_iter().zip(seconds(&one)?).collect()
    };
    let shown = |value: Option<f64>, decimals| value.map_or_else(String::new, |value| fixed(value, decimals));
    let mut sections = Vec::new();
    for group in rows.blocks(&["corpus", "tags"])? {
        let (corpus, tags) = (group.words("corpus")?, group.words("tags")?);
        let sentences = group.first_count("sentences")?.unwrap_or(0);
        let title = format!("Learning: {}, {} tags, {} sentences", corpus[0], tags[0], grouped(sentences));
        let times: Vec<(Option<f64>, f64, u64)> = group
            .words("cell")?
            .iter()
            .zip(seconds(&group)?)
            .zip(threads(&group)?)
            .map(|((cell, s), threads)| (with_one.get(cell).copied(), s, threads))
            .collect();
        let share = |&(one, several, threads): &(Option<f64>, f64, u64)| parallel_share(one?, several, threads);
        let more = |time: &(Option<f64>, f64, u64)| Some(time.0? * (1.0 - share(time)? * (1.0 - 1.0 / MORE_THREADS)));
        let times_as_fast =
            |&(one, s, threads): &(Option<f64>, f64, u64)| one.filter(|_| threads > 1).map(|one| one / s);
        let count =
            |name: &str| Ok::<_, ReportError>(group.counts(name)?.into_iter().map(|count| grouped(count.unwrap_or(0))));
        let peaks = group.counts("peak_kib")?.into_iter().map(|kib| shown(kib.map(|kib| kib as f64 / 1024.0), 0));
        sections.push(
            Section::new(title)
                .left("templates", group.words("templates")?)
                .left("program", group.words("backbone")?)
                .left("features", group.words("features")?)
                .left("learner", group.words("learner")?)
                .right("passes", count("passes")?)
                .right("threads", count("threads")?)
                .right("s", times.iter().map(|time| fixed(time.1, 1)))
                .right("times\nas fast", times.iter().map(|time| shown(times_as_fast(time), 2)))
                .right("parallel\n%", times.iter().map(|time| shown(share(time).map(|p| 100.0 * p), 1)))
                .right("16 threads\nwould take s", times.iter().map(|time| shown(more(time), 1)))
                .right("peak MiB", peaks),
        );
    }
    let notes = vec![
        "Time to learn the weights, in a process of its own; tagger and pruner were there before. A pass of a CRF learnt \
         by L-BFGS is a step of the descent."
            .to_owned(),
    ];
    Ok(Table::new(sections, Sheet::default()).with_notes(notes))
}

/// The share of the work that threads share, by the times with one and with several of them; 0 if more took longer.
fn parallel_share(one: f64, several: f64, threads: u64) -> Option<f64> {
    (threads > 1 && one > 0.0).then(|| ((1.0 - several / one) / (1.0 - 1.0 / threads as f64)).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::parallel_share;

    #[test]
    fn shares_are_those_of_the_law() {
        assert_eq!(parallel_share(10.0, 5.0, 2), Some(1.0));
        assert_eq!(parallel_share(10.0, 10.0, 2), Some(0.0));
        assert_eq!(parallel_share(10.0, 12.0, 2), Some(0.0));
        assert!((parallel_share(10.0, 10.0 * (0.1 + 0.9 / 4.0), 4).expect("a share") - 0.9).abs() < 1e-12);
        assert_eq!(parallel_share(10.0, 10.0, 1), None);
    }
}
