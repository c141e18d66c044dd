//! Section 4.6: calls to the dynamic program, in total and a sentence, of every searched set, pruning and decoder.
//!
//! `dp_calls.csv` counts over all seeds, as records do; shown to people the total is that of one seed, on average, so that
//! it stands beside the paper's.

use super::block::{Block, decoder_label, features_label, pruning_label, several_templates};
use super::note;
use super::options::TableOptions;
use super::published::Beside;
use super::table::{Section, Table};
use crate::statistics::average::{Averaged, average};
use treebound_parser::answer::Count;
use treebound_parser::cell::Setting;
use treebound_records::number::{fixed, grouped, ratio};
use treebound_records::sheet::Sheet;
use treebound_records::{ReportError, ScoreRow};

/// A line of the table.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    averaged: Averaged,
    published_total: Option<f64>,
    published_per_sentence: Option<f64>,
}

/// The table.
#[derive(Clone, Debug, PartialEq)]
pub struct Calls {
    lines: Vec<Line>,
}

/// Makes the table. The baseline is not searched, so it has no line: it takes one call a sentence.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data.
pub fn calls(scores: &[ScoreRow], options: &TableOptions) -> Result<Calls, ReportError> {
    let beside = Beside::of(options)?;
    let mut averaged = average(scores)?;
    averaged.retain(|line| line.setting.families() > 0);
    averaged.sort_by(|a, b| place(&a.setting).cmp(&place(&b.setting)));
    let line = |averaged: Averaged| {
        let setting = &averaged.setting;
        let figure = |measure| beside.figure(setting, measure);
        let (published_total, published_per_sentence) = (figure("dp_calls"), figure("dp_calls_per_sentence"));
        Line { averaged, published_total, published_per_sentence }
    };
    Ok(Calls { lines: averaged.into_iter().map(line).collect() })
}

/// Where a line stands: by block, then features, backbone and decoder, then most candidates first.
pub(super) fn place(setting: &Setting) -> impl Ord + '_ {
    (Block::of(setting), &setting.features, setting.decoding, setting.pruning)
}

impl Calls {
    /// The columns of `dp_calls.csv`.
    fn sheet(&self) -> Sheet {
        let lines = || self.lines.iter();
        let averaged = || self.lines.iter().map(|line| &line.averaged);
        let known = |line: &Averaged, value: Option<u64>| if line.seeds.is_empty() { None } else { value };
        let mut sheet = Sheet::default()
            .settings(averaged().map(|line| &line.setting))
            .count("seeds", averaged().map(|line| Some(line.seeds.len() as u64)))
            .count("decoded", averaged().map(|line| known(line, Some(line.sums.sentences))))
            .count("proven", averaged().map(|line| known(line, line.sums.proven)));
        for &count in Count::ALL {
            sheet = sheet.count(count.name(), averaged().map(|line| known(line, line.sums.effort.get(count))));
        }
        sheet
            .fixed("dp_calls_per_sentence", 2, averaged().map(|line| line.per_sentence(Count::DpCalls)))
            .fixed("published_dp_calls", 0, lines().map(|line| line.published_total))
            .fixed("published_dp_calls_per_sentence", 1, lines().map(|line| line.published_per_sentence))
    }

    /// The table, with the columns of `dp_calls.csv`.
    pub fn table(&self) -> Table {
        let sections = self.blocks().map(|block| section(self.heading(block), block)).collect();
        Table::new(sections, self.sheet()).with_notes(notes())
    }

    fn blocks(&self) -> impl Iterator<Item = &[Line]> {
        self.lines.chunk_by(|a, b| Block::of(&a.averaged.setting) == Block::of(&b.averaged.setting))
    }

    fn heading(&self, lines: &[Line]) -> String {
        let Some(first) = lines.first() else { return String::new() };
        let several = several_templates(self.lines.iter().map(|line| &line.averaged.setting));
        let block = Block::of(&first.averaged.setting).words(several);
        let sentences = lines.iter().find_map(|line| line.averaged.data()).map_or(0, |[sentences, ..]| sentences);
        format!("Section 4.6: {block}; calls to parse {} sentences", grouped(sentences))
    }
}

fn notes() -> Vec<String> {
    let totals = "total: over all sentences of the part, mean over training seeds; dp_calls.csv has the sums. The baseline \
                  takes one call a sentence.";
    vec![totals.to_owned(), note::CALLS.to_owned()]
}

/// Characters of a line of a feature set.
pub(super) const FEATURES_WIDTH: usize = 34;

fn section(heading: String, lines: &[Line]) -> Section {
    let averaged = || lines.iter().map(|line| &line.averaged);
    let whole = |value: Option<f64>| value.map_or_else(String::new, |v| grouped(v.round() as u64));
    let one = |value: Option<f64>| value.map_or_else(String::new, |v| fixed(v, 1));
    let total = |line: &Averaged| ratio(line.sums.effort.get(Count::DpCalls)?, line.seeds.len() as u64);
    Section::new(heading)
        .left("features", averaged().map(|line| features_label(&line.setting, FEATURES_WIDTH)))
        .left("decoder", averaged().map(|line| decoder_label(&line.setting)))
        .left("pruning", averaged().map(|line| pruning_label(line.setting.pruning)))
        .right("calls,\ntotal", averaged().map(|line| whole(total(line))))
        .right("calls\na sent.", averaged().map(|line| one(line.per_sentence(Count::DpCalls))))
        .right("nodes\na sent.", averaged().map(|line| one(line.per_sentence(Count::Nodes))))
        .right("unproven", averaged().map(|line| line.unproven().map_or_else(String::new, grouped)))
        .right_if_any("paper,\ntotal", lines.iter().map(|line| whole(line.published_total)))
        .right_if_any("paper,\na sent.", lines.iter().map(|line| one(line.published_per_sentence)))
}
