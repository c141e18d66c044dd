//! Section 4.6: calls to the dynamic program, in total and a sentence, of every searched set, pruning and decoder.
//!
//! `dp_calls.csv` counts over all seeds, as records do; shown to people the total is that of one seed, on average, so that
//! it stands beside the paper's.

use super::grid::Grid;
use super::note;
use super::options::TableOptions;
use super::order::{
    PruneOrder, backbone_order, block, decoder_order, families, features_label, features_order, prune_label,
};
use super::published::Published;
use crate::records::frame::Columns;
use crate::records::number::{fixed, grouped, ratio};
use crate::records::{ReportError, ScoreRow, Setting};
use crate::statistics::average::{Averaged, average};

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
    let published = Published::carried()?;
    let mut averaged = average(scores)?;
    averaged.retain(|line| families(&line.setting.features) > 0);
    averaged.sort_by(|a, b| place(&a.setting).cmp(&place(&b.setting)));
    let line = |averaged: Averaged| {
        let Setting { corpus, features, backbone, prune, .. } = &averaged.setting;
        let row = [features, backbone, prune].map(String::as_str);
        let figure = |measure| published.figure(options.published.get(corpus)?, row, measure);
        let (published_total, published_per_sentence) = (figure("dp_calls"), figure("dp_calls_per_sentence"));
        Line { averaged, published_total, published_per_sentence }
    };
    Ok(Calls { lines: averaged.into_iter().map(line).collect() })
}

/// Where a line stands: by corpus, part, tags, trainer, features, backbone and decoder, then most candidates first.
fn place(setting: &Setting) -> impl Ord + '_ {
    let Setting { features, prune, backbone, decoder, .. } = setting;
    let searched = (backbone_order(backbone), decoder_order(decoder));
    (block(setting), features_order(features), searched, PruneOrder::of(prune))
}

impl Calls {
    /// The bytes of `dp_calls.csv`.
    ///
    /// # Errors
    /// If the table engine refuses.
    pub fn csv(&self) -> Result<Vec<u8>, ReportError> {
        let lines = || self.lines.iter();
        let averaged = || self.lines.iter().map(|line| &line.averaged);
        let count =
            |value: fn(&Averaged) -> u64| averaged().map(move |line| (!line.seeds.is_empty()).then(|| value(line)));
        Columns::default()
            .settings(averaged().map(|line| &line.setting))
            .count("seeds", averaged().map(|line| Some(line.seeds.len() as u64)))
            .count("decoded", count(|line| line.sums.sentences))
            .count("proven", count(|line| line.sums.proven))
            .count("nodes", count(|line| line.sums.nodes))
            .count("dp_calls", count(|line| line.sums.dp_calls))
            .fixed("dp_calls_per_sentence", 2, averaged().map(Averaged::dp_calls_per_sentence))
            .fixed("published_dp_calls", 0, lines().map(|line| line.published_total))
            .fixed("published_dp_calls_per_sentence", 1, lines().map(|line| line.published_per_sentence))
            .csv()
    }

    /// The table for a terminal of 120 columns.
    pub fn text(&self) -> String {
        let blocks = self.blocks().map(|block| format!("{}\n\n{}\n", heading(block), grid(block).text()));
        blocks.collect::<String>() + &note::text(&notes())
    }

    /// The table for a README.
    pub fn markdown(&self) -> String {
        let blocks = self.blocks().map(|block| format!("**{}**\n\n{}\n", heading(block), grid(block).markdown()));
        blocks.collect::<String>() + &note::markdown(&notes())
    }

    fn blocks(&self) -> impl Iterator<Item = &[Line]> {
        self.lines.chunk_by(|a, b| block(&a.averaged.setting) == block(&b.averaged.setting))
    }
}

fn notes() -> [String; 2] {
    let totals = "total: over all sentences of the part, mean over training seeds; dp_calls.csv has the sums. The baseline \
                  takes one call a sentence.";
    [totals.to_owned(), note::CALLS.to_owned()]
}

fn heading(lines: &[Line]) -> String {
    let Some(first) = lines.first() else { return String::new() };
    let Setting { corpus, split, tags, trainer, .. } = &first.averaged.setting;
    let sentences = lines.iter().find_map(|line| line.averaged.data()).map_or(0, |[sentences, ..]| sentences);
    let sentences = grouped(sentences);
    format!("Section 4.6: {corpus}, {split} part, {tags} tags, {trainer}; calls to parse {sentences} sentences")
}

/// Characters of a line of a feature set.
const FEATURES_WIDTH: usize = 34;

fn grid(lines: &[Line]) -> Grid {
    let averaged = || lines.iter().map(|line| &line.averaged);
    let whole = |value: Option<f64>| value.map_or_else(String::new, |v| grouped(v.round() as u64));
    let one = |value: Option<f64>| value.map_or_else(String::new, |v| fixed(v, 1));
    let total = |line: &Averaged| ratio(line.sums.dp_calls, line.seeds.len() as u64);
    Grid::default()
        .left("features", averaged().map(|line| features_label(&line.setting, FEATURES_WIDTH)))
        .left("decoder", averaged().map(|line| line.setting.decoder.clone()))
        .left("pruning", averaged().map(|line| prune_label(&line.setting.prune)))
        .right("calls,\ntotal", averaged().map(|line| whole(total(line))))
        .right("calls\na sent.", averaged().map(|line| one(line.dp_calls_per_sentence())))
        .right("nodes\na sent.", averaged().map(|line| one(ratio(line.sums.nodes, line.sums.sentences))))
        .right("unproven", averaged().map(|line| grouped(line.unproven())))
        .right_if_any("paper,\ntotal", lines.iter().map(|line| whole(line.published_total)))
        .right_if_any("paper,\na sent.", lines.iter().map(|line| one(line.published_per_sentence)))
}
