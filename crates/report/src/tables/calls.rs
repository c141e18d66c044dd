//! Section 4.6: calls to the dynamic program, in total and a sentence, of every searched set, pruning and decoder; how they are
//! spread over sentences, and what they would be with searches stopped earlier.
//!
//! `dp_calls.csv` counts over all seeds, as records do; shown to people the total is that of one seed, on average, so that
//! it stands beside the paper's. `calls.csv` is made of sentences: a line whose sentences are not here has no row.

use polars::prelude::{DataType, col, lit};

use super::blocks::{PLACE, TableOptions, block_words, decoder_labels, features_labels, placed, pruning_labels};
use super::table::{Section, Table, sheet};
use super::{notes, papers};
use crate::comparison::seeds_of_lines;
use crate::frame::Frame;
use crate::sentences::Sentences;
use treebound_records::ReportError;
use treebound_records::number::{fixed, grouped, median, percent, ratio};

/// The columns of `dp_calls.csv` behind the axes.
const COLUMNS: [&str; 8] = [
    "seeds",
    "decoded",
    "proven",
    "nodes",
    "dp_calls",
    "dp_calls_per_sentence",
    "published_dp_calls",
    "published_dp_calls_per_sentence",
];

/// The numbers of calls after which searches are thought of as stopped, and the columns of what they would take and prove.
const CAPS: [(u64, &str, &str); 3] = [
    (500, "dp_calls_mean_to_500", "proven_pct_to_500"),
    (3_000, "dp_calls_mean_to_3000", "proven_pct_to_3000"),
    (20_000, "dp_calls_mean_to_20000", "proven_pct_to_20000"),
];

/// The columns of `calls.csv` behind the axes.
const SPREAD_COLUMNS: [&str; 13] = [
    "seeds",
    "decoded",
    "proven",
    "dp_calls",
    "nodes_per_sentence",
    "dp_calls_mean",
    "dp_calls_median",
    "dp_calls_mean_to_500",
    "proven_pct_to_500",
    "dp_calls_mean_to_3000",
    "proven_pct_to_3000",
    "dp_calls_mean_to_20000",
    "proven_pct_to_20000",
];

/// Characters of a line of a feature set.
const FEATURES_WIDTH: usize = 34;

/// The lines with non-local features: [means](Frame::means) by block, then features, backbone and decoder, then most candidates
/// first, with the figures of papers. The baseline is not searched, so it has no line: it takes one call a sentence. What proves
/// nothing by design has none either, nor has a decoder that makes no calls.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data.
pub fn lines(scores: &Frame, options: &TableOptions) -> Result<Frame, ReportError> {
    let proves = col("proven").is_not_null().and(col("dp_calls").is_not_null()).or(col("seeds").eq(lit(0)));
    let searched = scores.means()?.filtered(col("families").gt(lit(0)).and(proves))?;
    let parser = ["features.order", "backbone.order", "decoder.order", "pruning.order"];
    let lines = placed(&searched, options)?.sorted(&[&PLACE[..], &parser].concat())?;
    papers::with_published(lines, &["dp_calls", "dp_calls_per_sentence"], &options.published)
}

/// The table, with the columns of `dp_calls.csv`.
///
/// # Errors
/// If lines are not those that [`lines`] gives.
pub fn table(lines: &Frame) -> Result<Table, ReportError> {
    let mut sections = Vec::new();
    for block in lines.blocks(&["block"])? {
        let mut data = block.counts("sentences")?.into_iter().zip(block.counts("seeds")?);
        let sentences = data.find_map(|(sentences, seeds)| sentences?.checked_div(seeds?)).unwrap_or(0);
        let words = block_words(&block)?;
        let heading = format!("Section 4.6: {words}; calls to parse {} sentences", grouped(sentences));
        sections.push(section(&block, heading)?);
    }
    let totals = "total: over all sentences of the part, mean over training seeds; dp_calls.csv has the sums. The baseline \
                  takes one call a sentence.";
    Ok(Table::new(sections, sheet(lines, &COLUMNS)?).with_notes(vec![totals.to_owned(), notes::CALLS.to_owned()]))
}

fn section(block: &Frame, heading: String) -> Result<Section, ReportError> {
    let totals = block.counts("dp_calls")?.into_iter().zip(block.counts("seeds")?);
    let total = |(calls, seeds): (Option<u64>, Option<u64>)| Some(grouped(ratio(calls?, seeds?)?.round() as u64));
    let totals = totals.map(|counts| total(counts).unwrap_or_default());
    let unproven = block.counts("sentences")?.into_iter().zip(block.counts("proven")?);
    let open = |(all, proven): (Option<u64>, Option<u64>)| Some(grouped(all?.saturating_sub(proven?)));
    let unproven = unproven.map(|counts| open(counts).unwrap_or_default());
    named(block, heading)?
        .right("calls,\ntotal", totals)
        .right("calls\na sent.", block.shown("dp_calls_per_sentence")?)
        .right("nodes\na sent.", block.shown("nodes_per_sentence")?)
        .right("unproven", unproven)
        .measures(block, &["published_dp_calls", "published_dp_calls_per_sentence"])
}

fn named(block: &Frame, heading: String) -> Result<Section, ReportError> {
    Ok(Section::new(heading)
        .left("features", features_labels(block, FEATURES_WIDTH)?)
        .left("decoder", decoder_labels(block)?)
        .left("pruning", pruning_labels(block)?))
}

/// The lines of `calls.csv`: those of [`lines`] whose sentences are here and add up to the scores; and the names of the others.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data.
pub fn spread(
    scores: &Frame,
    sentences: &Sentences,
    options: &TableOptions,
) -> Result<(Frame, Vec<String>), ReportError> {
    let all = lines(scores, options)?;
    let all = all.filtered(col("seeds").gt(lit(0)))?;
    let sums = ["sentences", "proven", "nodes", "dp_calls"].map(|name| all.counts(name));
    let sums = sums.into_iter().collect::<Result<Vec<_>, _>>()?;
    let (names, seeds) = (all.words("line")?, seeds_of_lines(&all)?);
    let mut spreads: Vec<Option<Spread>> = Vec::new();
    let mut missing = Vec::new();
    for (row, name) in names.iter().enumerate() {
        let own = Spread::new(sentences, name, &seeds[row]);
        let own = own.filter(|own| own.sums().iter().zip(&sums).all(|(sum, sums)| Some(*sum) == sums[row]));
        if own.is_none() {
            missing.push(name.clone());
        }
        spreads.push(own);
    }
    let numbers = |value: &dyn Fn(&Spread) -> Option<f64>| {
        spreads.iter().map(|spread| value(spread.as_ref()?)).collect::<Vec<Option<f64>>>()
    };
    let words = |value: &dyn Fn(&Spread) -> Option<f64>| numbers(value).into_iter().map(two).collect::<Vec<_>>();
    let mut lines = all
        .with_words("dp_calls_mean", words(&|spread| ratio(spread.sums()[3], spread.sums()[0])))?
        .with_numbers("dp_calls_median", numbers(&|spread| Some(spread.median()? as f64)))?;
    for (cap, mean, proven) in CAPS {
        lines = lines
            .with_words(mean, words(&|spread| Some(spread.capped(cap)?.0)))?
            .with_words(proven, words(&|spread| Some(spread.capped(cap)?.1)))?;
    }
    let median = col("dp_calls_median").cast(DataType::UInt64);
    let here = lines.query(|rows| rows.filter(col("dp_calls_mean").is_not_null()).with_columns([median]))?;
    Ok((here, missing))
}

fn two(value: Option<f64>) -> Option<String> {
    value.map(|value| fixed(value, 2))
}

/// The table of the spread, with the columns of `calls.csv`.
///
/// # Errors
/// If lines are not those that [`spread`] gives.
pub fn spread_table(lines: &Frame) -> Result<Table, ReportError> {
    let sections = lines.blocks(&["block"])?.iter().map(spread_section).collect::<Result<_, _>>()?;
    let caps = "to 500, to 3,000, to 20,000: as if searches had been stopped after so many calls; empty where some were \
                stopped before.";
    let proven = "proven: sentences whose tree was proven optimal, in percent.";
    let words = [notes::CALLS, caps, proven].map(str::to_owned).into();
    Ok(Table::new(sections, sheet(lines, &SPREAD_COLUMNS)?).with_notes(words))
}

/// All lines of a spread in one section, each with its template set and learner.
///
/// # Errors
/// If lines are not those that [`spread`] gives.
pub fn spread_in_one(lines: &Frame) -> Result<Section, ReportError> {
    Ok(spread_section(lines)?.left("templates", lines.words("templates")?).left("learner", lines.words("learner")?))
}

fn spread_section(block: &Frame) -> Result<Section, ReportError> {
    let heading = if block.is_empty() { String::new() } else { block_words(block)? };
    let medians = block.counts("dp_calls_median")?.into_iter();
    let proven = block.counts("proven")?.into_iter().zip(block.counts("sentences")?);
    Ok(named(block, format!("DP calls a sentence: {heading}"))?
        .right("mean", block.words("dp_calls_mean")?)
        .right("median", medians.map(|median| median.map_or_else(String::new, grouped)))
        .right("to\n500", block.words("dp_calls_mean_to_500")?)
        .right("to\n3,000", block.words("dp_calls_mean_to_3000")?)
        .right("to\n20,000", block.words("dp_calls_mean_to_20000")?)
        .right(
            "proven,\n%",
            proven.map(|(proven, all)| two(percent(proven.unwrap_or(0), all.unwrap_or(0))).unwrap_or_default()),
        )
        .right("nodes", block.numbers("nodes_per_sentence")?.into_iter().map(|nodes| two(nodes).unwrap_or_default()))
        .right_if_any("paper", block.shown("published_dp_calls_per_sentence")?))
}

/// The DP calls of a line, of all sentences and seeds: a mean says little where one sentence in a hundred takes thousands.
struct Spread {
    calls: Vec<u64>,
    proven: Vec<u64>,
    nodes: u64,
}

impl Spread {
    fn new(sentences: &Sentences, line: &str, seeds: &[u64]) -> Option<Self> {
        let mut spread = Self { calls: Vec::new(), proven: Vec::new(), nodes: 0 };
        for &seed in seeds {
            let numbers = sentences.cell(line, seed)?;
            spread.calls.extend(numbers.values("dp_calls")?);
            spread.proven.extend(numbers.values("proven")?);
            spread.nodes = spread.nodes.saturating_add(numbers.sum("nodes")?);
        }
        Some(spread)
    }

    /// Sentences, those proven, nodes and calls.
    fn sums(&self) -> [u64; 4] {
        let sum = |values: &[u64]| values.iter().fold(0, |sum: u64, one| sum.saturating_add(*one));
        [self.calls.len() as u64, sum(&self.proven), self.nodes, sum(&self.calls)]
    }

    fn median(&self) -> Option<u64> {
        median(&mut self.calls.clone())
    }

    /// Calls a sentence, and sentences proven in percent, with searches stopped after `most` calls; none if some were stopped
    /// before, so that nobody knows.
    fn capped(&self, most: u64) -> Option<(f64, f64)> {
        let searches = || self.calls.iter().copied().zip(&self.proven);
        if searches().any(|(calls, &proven)| proven == 0 && calls < most) {
            return None;
        }
        let total = searches().fold(0_u64, |sum, (calls, _)| sum.saturating_add(calls.min(most)));
        let proven = searches().filter(|&(calls, &proven)| proven == 1 && calls <= most).count() as u64;
        let sentences = self.calls.len() as u64;
        Some((ratio(total, sentences)?, percent(proven, sentences)?))
    }
}
