//! Section 4.6 in more than a mean: how DP calls are spread over sentences, and what they would be with searches stopped
//! earlier.
//!
//! It is made of sentences: a setting whose sentences are not here, or do not add up to `scores.csv`, has no line.

use super::block::{Block, decoder_label, features_label, pruning_label, several_templates};
use super::calls::{FEATURES_WIDTH, place};
use super::note;
use super::options::TableOptions;
use super::published::Beside;
use super::table::{Section, Table};
use crate::statistics::average::{Averaged, average};
use crate::statistics::spread::{Spread, spreads};
use treebound_parser::answer::Count;
use treebound_parser::cell::{Setting, show_optional};
use treebound_records::number::{fixed, grouped, percent};
use treebound_records::sheet::Sheet;
use treebound_records::{ReportError, ScoreRow, SentenceRow};

/// The numbers of calls after which searches are thought of as stopped.
const CAPS: [u64; 3] = [500, 3_000, 20_000];

/// The columns of the file behind those of the setting.
const COLUMNS: [&str; 13] = [
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

/// The first columns, which are sums that the scores have too.
const SUMS: usize = 4;

/// A line: a setting, and what stands in the columns.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    setting: Setting,
    fields: [String; COLUMNS.len()],
    published: Option<f64>,
}

/// The table.
#[derive(Clone, Debug, PartialEq)]
pub struct Spreads {
    lines: Vec<Line>,
    /// Settings whose sentences are not here.
    pub missing: Vec<Setting>,
}

/// Makes the table of all settings that `scores` has.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data.
pub fn spread_table(
    scores: &[ScoreRow],
    sentences: &[SentenceRow],
    options: &TableOptions,
) -> Result<Spreads, ReportError> {
    let beside = Beside::of(options)?;
    let mut averaged = average(scores)?;
    averaged.retain(|line| line.setting.families() > 0 && !line.seeds.is_empty());
    averaged.sort_by(|a, b| place(&a.setting).cmp(&place(&b.setting)));
    let here = spreads(sentences);
    let (mut lines, mut missing) = (Vec::new(), Vec::new());
    for line in averaged {
        let sums = sums(&line);
        let now = here.get(&line.setting).map(fields).filter(|now| now[..SUMS] == sums);
        let published = beside.figure(&line.setting, "dp_calls_per_sentence");
        match now {
            Some(fields) => lines.push(Line { setting: line.setting, fields, published }),
            None => missing.push(line.setting),
        }
    }
    Ok(Spreads { lines, missing })
}

fn sums(line: &Averaged) -> [String; SUMS] {
    let known = |value: Option<u64>| value.map_or_else(String::new, |value| value.to_string());
    [
        line.seeds.len().to_string(),
        line.sums.sentences.to_string(),
        known(line.sums.proven),
        known(line.sums.effort.get(Count::DpCalls)),
    ]
}

fn fields(spread: &Spread) -> [String; COLUMNS.len()] {
    let two = |value: Option<f64>| value.map_or_else(String::new, |value| fixed(value, 2));
    let [a, b, c] = CAPS.map(|cap| {
        let capped = spread.capped(cap);
        [two(capped.map(|c| c.mean)), two(capped.map(|c| c.proven_pct))]
    });
    let [mean_a, proven_a] = a;
    let [mean_b, proven_b] = b;
    let [mean_c, proven_c] = c;
    [
        spread.seeds.len().to_string(),
        spread.sentences().to_string(),
        spread.proven().to_string(),
        spread.total().to_string(),
        two(spread.nodes()),
        two(spread.mean()),
        spread.median().map_or_else(String::new, |median| median.to_string()),
        mean_a,
        proven_a,
        mean_b,
        proven_b,
        mean_c,
        proven_c,
    ]
}

impl Spreads {
    /// Whether it has no line.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// How many lines it has.
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// Its lines of some settings.
    pub fn only(&self, of: impl Fn(&Setting) -> bool) -> Self {
        let lines = self.lines.iter().filter(|line| of(&line.setting)).cloned().collect();
        Self { lines, missing: self.missing.clone() }
    }

    /// The table, with its file.
    pub fn table(&self) -> Table {
        let mut sheet = Sheet::default().settings(self.lines.iter().map(|line| &line.setting));
        for (at, column) in COLUMNS.into_iter().enumerate() {
            let known = |field: &String| Some(field.clone()).filter(|field| !field.is_empty());
            sheet = sheet.optional_text(column, self.lines.iter().map(|line| known(&line.fields[at])));
        }
        let several = several_templates(self.lines.iter().map(|line| &line.setting));
        let blocks = self.lines.chunk_by(|a, b| Block::of(&a.setting) == Block::of(&b.setting));
        Table::new(blocks.map(|block| section(block, several)).collect(), sheet).with_notes(notes())
    }
}

fn notes() -> Vec<String> {
    let caps = "to 500, to 3,000, to 20,000: as if searches had been stopped after so many calls; empty where some were \
                stopped before.";
    let proven = "proven: sentences whose tree was proven optimal, in percent.";
    [note::CALLS, caps, proven].map(str::to_owned).into()
}

impl Spreads {
    /// All lines in one section, each with its template set and learner.
    pub fn in_one(&self) -> Section {
        let settings = || self.lines.iter().map(|line| &line.setting);
        section(&self.lines, false)
            .left("templates", settings().map(|setting| show_optional(setting.templates.as_ref())))
            .left("learner", settings().map(|setting| show_optional(setting.learner.as_ref())))
    }
}

fn section(lines: &[Line], several: bool) -> Section {
    let heading = lines.first().map_or_else(String::new, |line| Block::of(&line.setting).words(several));
    let field = |at: usize| lines.iter().map(move |line| line.fields[at].clone());
    let share = |line: &Line| -> Option<String> {
        let [decoded, proven] = [1, 2].map(|at| line.fields[at].parse().ok());
        Some(fixed(percent(proven?, decoded?)?, 2))
    };
    let median = |line: &Line| line.fields[6].parse().map_or_else(|_| String::new(), grouped);
    let one = |value: Option<f64>| value.map_or_else(String::new, |v| fixed(v, 1));
    Section::new(format!("DP calls a sentence: {heading}"))
        .left("features", lines.iter().map(|line| features_label(&line.setting, FEATURES_WIDTH)))
        .left("decoder", lines.iter().map(|line| decoder_label(&line.setting)))
        .left("pruning", lines.iter().map(|line| pruning_label(line.setting.pruning)))
        .right("mean", field(5))
        .right("median", lines.iter().map(median))
        .right("to\n500", field(7))
        .right("to\n3,000", field(9))
        .right("to\n20,000", field(11))
        .right("proven,\n%", lines.iter().map(|line| share(line).unwrap_or_default()))
        .right("nodes", field(4))
        .right_if_any("paper", lines.iter().map(|line| one(line.published)))
}
