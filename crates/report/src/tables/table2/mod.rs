//! Table 2: feature sets against the baseline, and other parsers. One line a setting, averaged over seeds.
//!
//! `table2.csv` depends on records alone. Words per second depend on a machine, so they are not in it: they join the
//! table only where it is shown.

mod against;
mod show;

use crate::statistics::average::{Averaged, average};
use crate::tables::block::Block;
use crate::tables::options::TableOptions;
use crate::tables::published::Beside;
use treebound_core::decode::{Backbone, Decoder};
use treebound_parser::answer::Count;
use treebound_parser::cell::{Decoding, FeatureSet, Setting};
use treebound_parser::systems;
use treebound_records::sheet::Sheet;
use treebound_records::{ReportError, ScoreRow, SentenceRow};

pub use against::{Comparison, Tested};

/// A line of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The setting and its counts.
    pub averaged: Averaged,
    /// The difference from the baseline; none for the baseline itself, and where there is no baseline.
    pub comparison: Option<Comparison>,
    /// The paper's accuracy without punctuation.
    pub published_uas_pct: Option<f64>,
    /// The paper's accuracy less that of its baseline, in percentage points.
    pub published_gain_points: Option<f64>,
}

/// The table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table2 {
    lines: Vec<Line>,
    /// Whose figures stand beside ours, if any do.
    papers: Option<String>,
    options: TableOptions,
}

/// Makes the table. Without sentences (an empty slice) it has no p-values.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data.
pub fn table2(scores: &[ScoreRow], sentences: &[SentenceRow], options: TableOptions) -> Result<Table2, ReportError> {
    let beside = Beside::of(&options)?;
    let mut averaged = average(scores)?;
    averaged.sort_by(|a, b| place(a).cmp(&place(b)));
    let comparisons = against::compare(&averaged, sentences, options.draws);
    let line = |(averaged, comparison): (Averaged, Option<Comparison>)| {
        let setting = &averaged.setting;
        let figure = |setting: &Setting| beside.figure(setting, "uas_pct");
        let published_uas_pct = figure(setting);
        let baseline = published_baseline(setting).filter(|baseline| baseline != setting).and_then(|b| figure(&b));
        let published_gain_points = published_uas_pct.zip(baseline).map(|(uas, baseline)| uas - baseline);
        Line { averaged, comparison, published_uas_pct, published_gain_points }
    };
    let lines: Vec<Line> = averaged.into_iter().zip(comparisons).map(line).collect();
    let papers = beside.note(lines.iter().map(|line| &line.averaged.setting), "uas_pct");
    Ok(Table2 { lines, papers, options })
}

/// The baseline of a parser in its paper: the same without non-local features, over the second-order program.
fn published_baseline(setting: &Setting) -> Option<Setting> {
    let decoder = if setting.is_baseline() { setting.decoder()? } else { Decoder::Dp };
    let decoding = Decoding { backbone: Backbone::default(), decoder };
    Some(Setting { features: Some(FeatureSet::baseline()), decoding: Some(decoding), ..setting.clone() })
}

/// Where a line stands: blocks by corpus, part, tags, templates, learner and pruning; in them the paper's backbone, and small
/// feature sets, first.
fn place(line: &Averaged) -> impl Ord + '_ {
    let setting = &line.setting;
    let parser = (setting.backbone(), &setting.features, setting.decoder());
    (Block::of(setting), setting.pruning, parser, systems::place(&setting.system), &setting.system)
}

impl Table2 {
    /// The lines, in the order of the table.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The columns of `table2.csv`.
    fn sheet(&self) -> Sheet {
        let lines = || self.lines.iter();
        let averaged = || self.lines.iter().map(|line| &line.averaged);
        let compared = || self.lines.iter().map(|line| line.comparison.as_ref());
        let interval = || compared().map(|c| c?.tested.as_ref().ok()?.interval);
        let count = |value: fn(&Averaged) -> Option<u64>| {
            averaged().map(move |line| if line.seeds.is_empty() { None } else { value(line) })
        };
        Sheet::default()
            .settings(averaged().map(|line| &line.setting))
            .count("seeds", averaged().map(|line| Some(line.seeds.len() as u64)))
            .count("failed_seeds", averaged().map(|line| Some(line.failed.len() as u64)))
            .count("sentences", averaged().map(|line| Some(line.data()?[0])))
            .count("tokens", averaged().map(|line| Some(line.data()?[1])))
            .count("scored_tokens", averaged().map(|line| Some(line.data()?[2])))
            .fixed("uas_pct", 2, averaged().map(Averaged::uas_pct))
            .fixed("uas_sd_points", 2, averaged().map(|line| line.uas_sd_points))
            .fixed("uas_all_pct", 2, averaged().map(Averaged::uas_all_pct))
            .fixed("root_pct", 2, averaged().map(Averaged::root_pct))
            .fixed("complete_pct", 2, averaged().map(Averaged::complete_pct))
            .count("decoded", count(|line| Some(line.sums.sentences)))
            .count("proven", count(|line| line.sums.proven))
            .fixed("dp_calls_per_sentence", 2, averaged().map(|line| line.per_sentence(Count::DpCalls)))
            .fixed("gold_kept_pct", 2, averaged().map(Averaged::gold_kept_pct))
            .fixed("heads_per_word", 2, averaged().map(Averaged::heads_per_word))
            .fixed("gain_points", 2, compared().map(|c| c?.gain_points))
            .fixed("gain_low_points", 2, interval().map(|i| Some(i?.low_points)))
            .fixed("gain_high_points", 2, interval().map(|i| Some(i?.high_points)))
            .optional_text("p_value", compared().map(|c| c.and_then(Comparison::p_text)))
            .optional_text("p_two_way", compared().map(|c| c.and_then(Comparison::p_two_way_text)))
            .optional_text("p_holm", compared().map(|c| c.and_then(Comparison::p_holm_text)))
            .fixed("detectable_points", 2, compared().map(|c| c.and_then(Comparison::detectable_points)))
            .fixed("published_uas_pct", 2, lines().map(|line| line.published_uas_pct))
            .fixed("published_gain_points", 2, lines().map(|line| line.published_gain_points))
    }
}
