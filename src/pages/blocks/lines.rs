//! Lines of Tables 2 and 3 on pages: one a setting, with the columns that the page asks for.

use crate::pages::error::BlockError;
use treebound_core::decode::Backbone;
use treebound_parser::answer::{Count, Phase};
use treebound_parser::cell::{FeatureSet, show_optional};
use treebound_parser::features::Family;
use treebound_records::number::{fixed, grouped, signed};
use treebound_report::statistics::average::Averaged;
use treebound_report::statistics::speed::Speed;
use treebound_report::tables::block::{decoder_label, pruning_label, system_label};
use treebound_report::tables::note;
use treebound_report::tables::table::Section;

/// A line.
#[derive(Clone, Debug)]
pub struct Line {
    /// The setting and its counts.
    pub averaged: Averaged,
    /// The grid of the config that has it.
    pub grid: String,
    /// The difference from the baseline, in percentage points.
    pub gain_points: Option<f64>,
    /// What the tests say of it.
    pub test: Option<Test>,
    /// How fast it is, if that was timed.
    pub speed: Option<Speed>,
    /// Its speed over that without pruning.
    pub speed_up: Option<f64>,
    /// The paper's accuracy.
    pub published_uas_pct: Option<f64>,
    /// The paper's gain.
    pub published_gain_points: Option<f64>,
    /// The paper's speed-up.
    pub published_speed_up: Option<f64>,
}

/// What tests, sentence by sentence, say of a gain: text as `table2.csv` has it.
#[derive(Clone, Debug)]
pub struct Test {
    /// The p-value.
    pub p: String,
    /// That over sentences and seeds; empty of one seed, and where the file is older than it.
    pub p_two_way: String,
    /// That after Holm's correction; empty where the file is older than it.
    pub p_holm: String,
    /// The ends of the interval; none if it has none.
    pub interval: Option<[f64; 2]>,
    /// The smallest gain that the sentences would have shown; empty where the file is older than it.
    pub detectable: String,
}

/// What a column needs beside scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing; it is of words, which tell lines apart.
    Words,
    /// Nothing.
    Scores,
    /// Tests.
    Tests,
    /// Times.
    Times,
}

/// A column.
#[derive(Debug)]
pub struct Column {
    /// Its name on pages.
    pub name: &'static str,
    heading: &'static str,
    /// What it needs.
    pub needs: Needs,
    cell: fn(&Line) -> String,
}

/// The column that says which parser a line is of.
pub const FEATURES: &str = "features";

const fn column(name: &'static str, heading: &'static str, needs: Needs, cell: fn(&Line) -> String) -> Column {
    Column { name, heading, needs, cell }
}

/// All columns.
pub const COLUMNS: &[Column] = &[
    column(FEATURES, "features", Needs::Words, parser),
    column("grid", "grid", Needs::Words, |line| line.grid.clone()),
    column("corpus", "corpus", Needs::Words, |line| line.averaged.setting.corpus.to_string()),
    column("split", "part", Needs::Words, |line| line.averaged.setting.split.to_string()),
    column("tags", "tags", Needs::Words, |line| line.averaged.setting.tags.to_string()),
    column("templates", "templates", Needs::Words, |line| show_optional(line.averaged.setting.templates.as_ref())),
    column("learner", "learner", Needs::Words, |line| show_optional(line.averaged.setting.learner.as_ref())),
    column("pruning", "pruning", Needs::Words, |line| pruning_label(line.averaged.setting.pruning)),
    column("decoder", "decoder", Needs::Words, |line| decoder_label(&line.averaged.setting)),
    column("uas", "UAS", Needs::Scores, uas),
    column("uas-all", "UAS, all words", Needs::Scores, |line| points(line.averaged.uas_all_pct())),
    column("root", "root", Needs::Scores, |line| points(line.averaged.root_pct())),
    column("complete", "complete", Needs::Scores, |line| points(line.averaged.complete_pct())),
    column("gain", "gain", Needs::Scores, |line| signed_points(line.gain_points)),
    column("interval", "95 % interval", Needs::Tests, interval),
    column("p", "p", Needs::Tests, |line| of_test(line, |test| &test.p)),
    column("p-two-way", "p over seeds", Needs::Tests, |line| of_test(line, |test| &test.p_two_way)),
    column("p-holm", "p Holm", Needs::Tests, |line| of_test(line, |test| &test.p_holm)),
    column("detectable", "shows from", Needs::Tests, |line| of_test(line, |test| &test.detectable)),
    column("proven", "proven", Needs::Scores, proven),
    column("calls", "DP calls", Needs::Scores, |line| points(line.averaged.per_sentence(Count::DpCalls))),
    column("nodes", "nodes", Needs::Scores, |line| points(line.averaged.per_sentence(Count::Nodes))),
    column("kept", "gold heads kept, %", Needs::Scores, |line| points(line.averaged.gold_kept_pct())),
    column("heads", "heads a word", Needs::Scores, |line| points(line.averaged.heads_per_word())),
    column("words/s", "words/s", Needs::Times, |line| {
        note::rate(line.speed.as_ref().and_then(Speed::words_per_second))
    }),
    column("speed-up", "speed-up", Needs::Times, |line| line.speed_up.map_or_else(String::new, |v| fixed(v, 1))),
    column("pruning-share", "pruning, %", Needs::Times, |line| share(line, Phase::Prune)),
    column("scoring-share", "scoring, %", Needs::Times, |line| share(line, Phase::Score)),
    column("search-share", "search, %", Needs::Times, |line| share(line, Phase::Decode)),
    column("paper-uas", "the paper", Needs::Scores, |line| points(line.published_uas_pct)),
    column("paper-gain", "its gain", Needs::Scores, |line| signed_points(line.published_gain_points)),
    column("paper-speed-up", "its speed-up", Needs::Scores, |line| points(line.published_speed_up)),
];

/// The column of that name.
///
/// # Errors
/// If there is none.
pub fn named(name: &str) -> Result<&'static Column, BlockError> {
    let found = COLUMNS.iter().find(|column| column.name == name);
    found.ok_or_else(|| BlockError::unknown("column", name, COLUMNS.iter().map(|column| column.name)))
}

/// Lines with these columns.
///
/// # Errors
/// If the words of two lines are the same, so that nobody can tell what they are of.
pub fn stacked(lines: &[Line], columns: &[&Column]) -> Result<Section, BlockError> {
    let words = |line: &Line| -> Vec<String> {
        columns.iter().filter(|column| column.needs == Needs::Words).map(|column| (column.cell)(line)).collect()
    };
    for (at, line) in lines.iter().enumerate() {
        if let Some(other) = lines[..at].iter().find(|other| words(other) == words(line)) {
            return Err(alike(other, line));
        }
    }
    Ok(columns.iter().fold(Section::default(), |section, column| {
        add(section, column, column.heading, lines.iter().map(column.cell).collect())
    }))
}

/// Lines with these columns for each value of a column, side by side: a line a parser.
///
/// # Errors
/// If two lines with one value are of one parser.
pub fn beside(lines: &[Line], columns: &[&Column], axis: &Column) -> Result<Section, BlockError> {
    // What says which parser a line is of: the words that are asked for, and what is always one of them.
    let is_word = |column: &&Column| column.needs == Needs::Words && column.name != axis.name;
    let mut words: Vec<&Column> = columns.iter().copied().filter(is_word).collect();
    if words.iter().all(|column| column.name != FEATURES) {
        words.extend(COLUMNS.iter().find(|column| column.name == FEATURES));
    }
    let words_of = |line: &Line| words.iter().map(|column| (column.cell)(line)).collect::<Vec<String>>();
    let mut values: Vec<String> = Vec::new();
    let mut parsers: Vec<Vec<String>> = Vec::new();
    for line in lines {
        let (value, parser) = ((axis.cell)(line), words_of(line));
        if !values.contains(&value) {
            values.push(value);
        }
        if !parsers.contains(&parser) {
            parsers.push(parser);
        }
    }
    let mut section = Section::default();
    for (at, column) in words.iter().enumerate() {
        section = section.left(column.heading, parsers.iter().map(|parser| parser[at].clone()));
    }
    for value in values {
        let here: Vec<&Line> = lines.iter().filter(|line| (axis.cell)(line) == value).collect();
        let of = |parser: &Vec<String>| {
            here.iter().filter(|line| words_of(line) == *parser).copied().collect::<Vec<&Line>>()
        };
        let found: Vec<Vec<&Line>> = parsers.iter().map(of).collect();
        if let Some(several) = found.iter().find(|found| found.len() > 1) {
            return Err(alike(several[0], several[1]));
        }
        let shown = columns.iter().filter(|column| column.needs != Needs::Words);
        for (at, column) in shown.enumerate() {
            let first = format!("{value}: {}", column.heading);
            let heading = if at == 0 { &first } else { column.heading };
            let cells = found.iter().map(|found| found.first().map_or_else(String::new, |line| (column.cell)(line)));
            section = add(section, column, heading, cells.collect());
        }
    }
    Ok(section)
}

fn add(section: Section, column: &Column, heading: &str, cells: Vec<String>) -> Section {
    if column.needs == Needs::Words { section.left(heading, cells) } else { section.right(heading, cells) }
}

fn alike(a: &Line, b: &Line) -> BlockError {
    let (a, b) = (&a.averaged.setting, &b.averaged.setting);
    BlockError::Words(format!("nothing tells the lines of {a} and {b} apart: choose one, or show the column"))
}

/// What the parser of a line is called.
fn parser(line: &Line) -> String {
    let setting = &line.averaged.setting;
    match (&setting.features, setting.backbone()) {
        (Some(features), Some(backbone)) => set_words(features, backbone),
        _ => system_label(&setting.system),
    }
}

/// A feature set and the dynamic program under it, in words.
pub fn set_words(set: &FeatureSet, backbone: Backbone) -> String {
    let families: Vec<&str> = set.families().iter().map(|family| family.name()).collect();
    let is_all = families.len() == Family::ALL.len();
    let names = if is_all { "all families".to_owned() } else { families.join(" + ") };
    match (backbone, set.is_baseline()) {
        (Backbone::GrandSibling, true) => "third order".to_owned(),
        (Backbone::GrandSibling, false) => format!("{names} over third order"),
        (_, true) => "baseline (second order)".to_owned(),
        (_, false) => names,
    }
}

fn points(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| fixed(value, 2))
}

fn signed_points(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| signed(value, 2))
}

/// The accuracy, with its spread over seeds.
fn uas(line: &Line) -> String {
    let spread = line.averaged.uas_sd_points.map_or_else(String::new, |sd| format!(" ± {}", fixed(sd, 2)));
    points(line.averaged.uas_pct()) + &spread
}

fn of_test(line: &Line, text: fn(&Test) -> &String) -> String {
    line.test.as_ref().map_or_else(String::new, |test| text(test).clone())
}

fn interval(line: &Line) -> String {
    let interval = line.test.as_ref().and_then(|test| test.interval);
    interval.map_or_else(String::new, |ends| ends.map(|end| signed(end, 2)).join(" to "))
}

/// How many trees are proven.
fn proven(line: &Line) -> String {
    let sums = &line.averaged.sums;
    match sums.proven {
        _ if line.averaged.seeds.is_empty() => String::new(),
        None => "heuristic".to_owned(),
        Some(proven) if proven == sums.sentences => format!("all {}", grouped(proven)),
        Some(proven) => format!("{} of {}", grouped(proven), grouped(sums.sentences)),
    }
}

/// The share of a phase in the time from tokens to trees.
fn share(line: &Line, phase: Phase) -> String {
    let share = || {
        let phases = line.speed.as_ref()?.phases;
        let total = phases.total_ns();
        (total > 0).then_some(100.0 * phases.get(phase)? as f64 / total as f64)
    };
    share().map_or_else(String::new, |share| fixed(share, 0))
}
