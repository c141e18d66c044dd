//! Tables 2 and 3 on pages: a line a setting, with the columns that the page asks for.
//!
//! All numbers are made from `scores.csv` and `speed.csv` as the tables are. Only tests are read from `table2.csv`: they are made
//! from one row a sentence.

use std::collections::BTreeMap;

use polars::prelude::LazyFrame;

use super::blocks::{self, Arguments, BlockError};
use super::experiment::{Experiments, Selected};
use treebound_core::decode::Backbone;
use treebound_experiment::table_options::table_options;
use treebound_parser::features::Family;
use treebound_records::number::{fixed, grouped, signed};
use treebound_records::{ReportError, sheet};
use treebound_report::frame::{ABSENT, BASELINE, Frame, line_name};
use treebound_report::measures;
use treebound_report::sentences::Sentences;
use treebound_report::speed::speeds;
use treebound_report::tables::blocks::{TableOptions, pruning_labels, system_labels};
use treebound_report::tables::table::Section;
use treebound_report::tables::{table2 as sets, table3 as prunings};

/// How lines are made of scores and speeds.
type Made = fn(&Frame, LazyFrame, &TableOptions) -> Result<Frame, ReportError>;

/// Parsers against their baselines.
pub fn table2(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let asked = Asked::read(arguments, &["features", "uas", "gain", "p"])?;
    let made: Made = |scores, speeds, options| sets::lines(scores, &Sentences::default(), speeds, options);
    let mut lines = lines(experiments, arguments, &asked, made)?;
    if let Some(best) = arguments.get("best") {
        let expected = || BlockError::Words(format!("best={best}: expected a number of lines, from 1"));
        let best: usize = best.parse().ok().filter(|&best| best > 0).ok_or_else(expected)?;
        lines.retain(|line| !line.is_baseline);
        let uas = |line: &Line| line.uas_pct.unwrap_or(0.0);
        lines.sort_by(|a, b| uas(b).total_cmp(&uas(a)));
        lines.truncate(best);
    }
    asked.section(&lines)
}

/// What pruning costs and brings.
pub fn table3(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let usual = ["features", "pruning", "uas", "words/s", "speed-up", "calls", "proven", "paper-uas", "paper-speed-up"];
    let asked = Asked::read(arguments, &usual)?;
    let lines = lines(experiments, arguments, &asked, prunings::lines)?;
    if lines.is_empty() {
        return Err(BlockError::Words("no parser was run with more than one of these prunings".to_owned()));
    }
    asked.section(&lines)
}

/// A column.
#[derive(Debug)]
struct Column {
    /// Its name on pages.
    name: &'static str,
    heading: &'static str,
    content: Content,
}

/// What a column holds.
#[derive(Clone, Copy, Debug)]
enum Content {
    /// Words, which tell lines apart.
    Words(fn(&Lines) -> Result<Vec<String>, ReportError>),
    /// The words of an axis.
    Axis,
    /// Numbers with two decimals, of a column of frames.
    Points(&'static str),
    /// Changes with two decimals, of a column of frames.
    Change(&'static str),
    /// What tests say, in a column of `table2.csv`.
    Test(&'static str),
    /// A change that is tested, in a column of `table2.csv`.
    TestChange(&'static str),
    /// Both ends of the intervals of tests.
    Interval,
    /// The share of a phase in the time from tokens to trees, by its column.
    Share(&'static str),
    /// Speeds.
    Times(fn(&Lines) -> Result<Vec<String>, ReportError>),
    /// Something else that is made of scores.
    Scores(fn(&Lines) -> Result<Vec<String>, ReportError>),
}

use Content::{Axis, Change, Interval, Points, Scores, Share, Test, TestChange, Times, Words};

/// The column that says which parser a line is of.
const FEATURES: &str = "features";

const fn column(name: &'static str, heading: &'static str, content: Content) -> Column {
    Column { name, heading, content }
}

/// All columns.
const COLUMNS: &[Column] = &[
    column(FEATURES, "features", Words(parsers)),
    column("grid", "grid", Words(|lines| lines.texts("line", |line| lines.selected.grid(line)))),
    column("corpus", "corpus", Axis),
    column("split", "part", Axis),
    column("tags", "tags", Axis),
    column("templates", "templates", Axis),
    column("learner", "learner", Axis),
    column("labels", "labels", Axis),
    column("reranking", "reranking", Axis),
    column("pruning", "pruning", Words(|lines| pruning_labels(&lines.frame))),
    column("decoder", "decoder", Axis),
    column("uas", "UAS", Scores(uas)),
    column("uas-all", "UAS, all words", Points("uas_all_pct")),
    column("las", "LAS", Points("las_pct")),
    column("las-conll", "LAS of CoNLL 2018", Points("las_universal_pct")),
    column("labels-right", "labels", Points("labels_pct")),
    column("las-gain", "gain, LAS", TestChange("las_gain_points")),
    column("las-p", "p, LAS", Test("las_p_value")),
    column("over-stage", "over the second stage", TestChange("las_inside_points")),
    column("over-stage-p", "p", Test("las_inside_p_value")),
    column("oracle", "oracle", Points("oracle_pct")),
    column("root", "root", Points("root_pct")),
    column("complete", "complete", Points("complete_pct")),
    column("gain", "gain", Change("gain_points")),
    column("interval", "95 % interval", Interval),
    column("p", "p", Test("p_value")),
    column("p-two-way", "p over seeds", Test("p_two_way")),
    column("p-holm", "p Holm", Test("p_holm")),
    column("detectable", "shows from", Test("detectable_points")),
    column("proven", "proven", Scores(proven)),
    column("calls", "DP calls", Points("dp_calls_per_sentence")),
    column("integral", "whole relaxations, %", Points("integral_pct")),
    column("nodes", "nodes", Points("nodes_per_sentence")),
    column("kept", "gold heads kept, %", Points("gold_kept_pct")),
    column("heads", "heads a word", Points("heads_per_word")),
    column("words/s", "words/s", Times(|lines| lines.frame.shown("words_per_second"))),
    column("speed-up", "speed-up", Times(|lines| lines.numbers("speed_up", |speed_up| fixed(speed_up, 1)))),
    column("pruning-share", "pruning, %", Share("prune_ns")),
    column("scoring-share", "scoring, %", Share("score_ns")),
    column("search-share", "search, %", Share("decode_ns")),
    column("labels-share", "labels, %", Share("label_ns")),
    column("paper-uas", "the paper", Points("published_uas_pct")),
    column("paper-gain", "its gain", Change("published_gain_points")),
    column("paper-speed-up", "its speed-up", Points("published_speed_up")),
];

/// The phases from tokens to trees.
const PHASES: [&str; 4] = ["prune_ns", "score_ns", "decode_ns", "label_ns"];

impl Column {
    fn is_words(&self) -> bool {
        matches!(self.content, Words(_) | Axis)
    }

    fn needs_tests(&self) -> bool {
        matches!(self.content, Test(_) | TestChange(_) | Interval)
    }

    fn needs_times(&self) -> bool {
        matches!(self.content, Share(_) | Times(_))
    }

    /// Its texts, one a line.
    fn texts(&self, lines: &Lines) -> Result<Vec<String>, ReportError> {
        match self.content {
            Words(texts) | Scores(texts) | Times(texts) => texts(lines),
            Axis => lines.frame.words(self.name),
            Points(name) => lines.numbers(name, |value| fixed(value, 2)),
            Change(name) => lines.numbers(name, |value| signed(value, 2)),
            Test(name) => Ok(lines.tests(|test| test.get(name).cloned().unwrap_or_default())),
            TestChange(name) => Ok(lines.tests(|test| {
                let points = test.get(name).and_then(|points| points.parse().ok());
                points.map_or_else(String::new, |points: f64| signed(points, 2))
            })),
            Interval => Ok(lines.tests(interval)),
            Share(phase) => shares(lines, phase),
        }
    }
}

/// The column of that name.
fn column_named(name: &str) -> Result<&'static Column, BlockError> {
    let found = COLUMNS.iter().find(|column| column.name == name);
    found.ok_or_else(|| BlockError::unknown("column", name, COLUMNS.iter().map(|column| column.name)))
}

/// What a page asks for.
struct Asked {
    columns: Vec<&'static Column>,
    /// The column whose values stand side by side.
    beside: Option<&'static Column>,
}

impl Asked {
    /// Reads which columns are asked for; the usual ones, if none are.
    fn read(arguments: &Arguments<'_>, usual: &[&str]) -> Result<Self, BlockError> {
        let names = arguments.list(blocks::COLUMNS);
        let columns = names.as_deref().unwrap_or(usual).iter().map(|name| column_named(name));
        let columns: Vec<&Column> = columns.collect::<Result<_, _>>()?;
        let beside = arguments.get("beside").map(|axis| {
            let axes = COLUMNS.iter().filter(|column| column.is_words() && column.name != FEATURES);
            let found = axes.clone().find(|column| column.name == axis);
            found.ok_or_else(|| BlockError::unknown("axis", axis, axes.map(|column| column.name)))
        });
        Ok(Self { columns, beside: beside.transpose()? })
    }

    fn section(&self, lines: &[Line]) -> Result<Section, BlockError> {
        match self.beside {
            Some(axis) => beside(lines, &self.columns, axis),
            None => stacked(lines, &self.columns),
        }
    }
}

/// A line of a page: the texts of its columns.
struct Line {
    /// The setting.
    name: String,
    uas_pct: Option<f64>,
    is_baseline: bool,
    cells: BTreeMap<&'static str, String>,
}

impl Line {
    fn cell(&self, column: &Column) -> String {
        self.cells.get(column.name).cloned().unwrap_or_default()
    }
}

/// The lines of an experiment, with what is not made of scores.
struct Lines<'s> {
    selected: &'s Selected,
    options: TableOptions,
    frame: Frame,
    /// What `table2.csv` says of each line by column; nothing of those without a gain.
    tests: Vec<BTreeMap<&'static str, String>>,
}

/// The lines of all chosen cells.
fn lines(
    experiments: &Experiments,
    arguments: &Arguments<'_>,
    asked: &Asked,
    made: Made,
) -> Result<Vec<Line>, BlockError> {
    let mut all = Vec::new();
    for selected in &experiments.select(arguments)? {
        let scores = selected.scores()?;
        let times = selected.times()?;
        if times.is_empty() && asked.columns.iter().any(|column| column.needs_times()) {
            let path = selected.experiment.path("speed.csv");
            let verb = format!("measure time CONFIG{}", selected.grids(&selected.keys));
            return Err(selected.experiment.missing(&format!("{}: no cell was timed", path.display()), &verb));
        }
        let options = table_options(&selected.experiment.config);
        let frame = made(&scores, speeds(&times, &scores)?, &options)?;
        let mut lines = Lines { selected, options, frame, tests: Vec::new() };
        if asked.columns.iter().any(|column| column.needs_tests()) {
            lines.tests = tests(&lines)?;
        }
        all.extend(lines.shown(asked)?);
    }
    Ok(all)
}

impl Lines<'_> {
    fn shown(&self, asked: &Asked) -> Result<Vec<Line>, BlockError> {
        let (names, features) = (self.frame.words("line")?, self.frame.words("features")?);
        let uas = self.frame.numbers("uas_pct")?;
        let mut lines: Vec<Line> = Vec::new();
        for ((name, features), uas_pct) in names.into_iter().zip(features).zip(uas) {
            lines.push(Line { name, uas_pct, is_baseline: features == BASELINE, cells: BTreeMap::new() });
        }
        let columns = asked.columns.iter().copied().chain(asked.beside).chain(COLUMNS.first());
        for column in columns {
            for (line, text) in lines.iter_mut().zip(column.texts(self)?) {
                line.cells.insert(column.name, text);
            }
        }
        Ok(lines)
    }

    /// A column of the frame for people.
    fn texts(&self, name: &str, text: impl Fn(&str) -> String) -> Result<Vec<String>, ReportError> {
        Ok(self.frame.words(name)?.iter().map(|words| text(words)).collect())
    }

    /// A column of numbers for people; empty if the lines have none.
    fn numbers(&self, name: &str, text: impl Fn(f64) -> String) -> Result<Vec<String>, ReportError> {
        if !self.frame.has(name) {
            return Ok(vec![String::new(); self.frame.height()]);
        }
        Ok(self.frame.numbers(name)?.into_iter().map(|value| value.map_or_else(String::new, &text)).collect())
    }

    fn tests(&self, text: impl Fn(&BTreeMap<&'static str, String>) -> String) -> Vec<String> {
        self.tests.iter().map(text).collect()
    }
}

/// What `table2.csv` says of lines that have a gain. Its lines must be of the same results.
fn tests(lines: &Lines) -> Result<Vec<BTreeMap<&'static str, String>>, BlockError> {
    let experiment = &lines.selected.experiment;
    let path = experiment.path("table2.csv");
    if !path.exists() {
        return Err(experiment.missing(&format!("{} is not there", path.display()), "table CONFIG 2"));
    }
    let columns = [
        "p_value",
        "gain_low_points",
        "gain_high_points",
        "p_two_way",
        "p_holm",
        "detectable_points",
        "las_gain_points",
        "las_p_value",
        "las_inside_points",
        "las_inside_p_value",
    ];
    let axes: Vec<&str> = lines.frame.axes().iter().map(String::as_str).collect();
    let needed = [&axes[..], &["seeds", "uas_pct"], &columns[..3]].concat();
    let name = |fields: &BTreeMap<String, String>| line_name(axes.iter().map(|axis| (*axis, fields[*axis].as_str())));
    let there: BTreeMap<String, _> =
        sheet::read(&path, &needed)?.into_iter().map(|fields| (name(&fields), fields)).collect();
    let (names, seeds) = (lines.frame.words("line")?, lines.frame.words("seeds")?);
    let uas = lines.numbers("uas_pct", |uas| fixed(uas, 2))?;
    let has_gain = lines.numbers("gain_points", |gain| gain.to_string())?;
    let mut tests = Vec::new();
    for (((name, seeds), uas), gain) in names.iter().zip(seeds).zip(uas).zip(has_gain) {
        // Where the sentences of a line are not committed, nothing was tested.
        let values = |fields: &BTreeMap<String, String>| {
            let value = |name: &'static str| (name, fields.get(name).cloned().unwrap_or_default());
            columns.into_iter().map(value).collect::<BTreeMap<_, _>>()
        };
        let is_own = |fields: &&BTreeMap<String, String>| fields["seeds"] == seeds && fields["uas_pct"] == uas;
        if gain.is_empty() {
            // A baseline may be held against another one.
            tests.push(there.get(name).filter(is_own).map(values).unwrap_or_default());
            continue;
        }
        let missing = |what: &str| {
            experiment.missing(&format!("{} has no test of {name}{what}", path.display()), "table CONFIG 2")
        };
        let found = there.get(name).ok_or_else(|| missing(""))?;
        let [its_seeds, its_uas] = ["seeds", "uas_pct"].map(|name| &found[name]);
        if (its_seeds, its_uas) != (&seeds, &uas) {
            let what = format!(" with {seeds} seeds and a UAS of {uas}, but with {its_seeds} and {its_uas}");
            return Err(missing(&what));
        }
        tests.push(values(found));
    }
    Ok(tests)
}

fn interval(test: &BTreeMap<&'static str, String>) -> String {
    let ends = ["gain_low_points", "gain_high_points"].map(|name| test.get(name)?.parse::<f64>().ok());
    match ends {
        [Some(low), Some(high)] => [low, high].map(|end| signed(end, 2)).join(" to "),
        _ => String::new(),
    }
}

/// Lines with these columns.
///
/// # Errors
/// If the words of two lines are the same, so that nobody can tell what they are of.
fn stacked(lines: &[Line], columns: &[&'static Column]) -> Result<Section, BlockError> {
    let words = |line: &Line| -> Vec<String> {
        columns.iter().filter(|column| column.is_words()).map(|column| line.cell(column)).collect()
    };
    for (at, line) in lines.iter().enumerate() {
        if let Some(other) = lines[..at].iter().find(|other| words(other) == words(line)) {
            return Err(alike(other, line));
        }
    }
    Ok(columns.iter().fold(Section::default(), |section, column| {
        add(section, column, column.heading, lines.iter().map(|line| line.cell(column)).collect())
    }))
}

/// Lines with these columns for each value of a column, side by side: a line a parser.
///
/// # Errors
/// If two lines with one value are of one parser.
fn beside(lines: &[Line], columns: &[&'static Column], axis: &'static Column) -> Result<Section, BlockError> {
    // What says which parser a line is of: the words that are asked for, and what is always one of them.
    let is_word = |column: &&Column| column.is_words() && column.name != axis.name;
    let mut words: Vec<&'static Column> = columns.iter().copied().filter(is_word).collect();
    if words.iter().all(|column| column.name != FEATURES) {
        words.extend(COLUMNS.iter().find(|column| column.name == FEATURES));
    }
    let words_of = |line: &Line| words.iter().map(|column| line.cell(column)).collect::<Vec<String>>();
    let mut values: Vec<String> = Vec::new();
    let mut parsers: Vec<Vec<String>> = Vec::new();
    for line in lines {
        let (value, parser) = (line.cell(axis), words_of(line));
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
        let here: Vec<&Line> = lines.iter().filter(|line| line.cell(axis) == value).collect();
        let of = |parser: &Vec<String>| {
            here.iter().filter(|line| words_of(line) == *parser).copied().collect::<Vec<&Line>>()
        };
        let found: Vec<Vec<&Line>> = parsers.iter().map(of).collect();
        if let Some(several) = found.iter().find(|found| found.len() > 1) {
            return Err(alike(several[0], several[1]));
        }
        let shown = columns.iter().filter(|column| !column.is_words());
        for (at, column) in shown.enumerate() {
            let first = format!("{value}: {}", column.heading);
            let heading = if at == 0 { &first } else { column.heading };
            let cells = found.iter().map(|found| found.first().map_or_else(String::new, |line| line.cell(column)));
            section = add(section, column, heading, cells.collect());
        }
    }
    Ok(section)
}

fn add(section: Section, column: &Column, heading: &str, cells: Vec<String>) -> Section {
    if column.is_words() { section.left(heading, cells) } else { section.right(heading, cells) }
}

fn alike(a: &Line, b: &Line) -> BlockError {
    let (a, b) = (&a.name, &b.name);
    BlockError::Words(format!("nothing tells the lines of {a} and {b} apart: choose one, or show the column"))
}

/// What the parsers of lines are called.
fn parsers(lines: &Lines) -> Result<Vec<String>, ReportError> {
    let systems = system_labels(&lines.frame, &lines.options)?.into_iter();
    let sets = lines.frame.words("features")?.into_iter().zip(lines.frame.words("backbone")?);
    let name = |(system, (features, backbone)): (String, (String, String))| match &features[..] {
        ABSENT => system,
        _ => set_words(&features, &backbone),
    };
    Ok(systems.zip(sets).map(name).collect())
}

/// A feature set and the dynamic program under it, in words.
pub fn set_words(features: &str, backbone: &str) -> String {
    let is_baseline = features == BASELINE;
    let is_all = features.split('+').count() == Family::of_paper().len();
    let names = if is_all { "all families".to_owned() } else { features.replace('+', " + ") };
    match (Backbone::parse(backbone), is_baseline) {
        (Some(Backbone::GrandSibling), true) => "third order".to_owned(),
        (Some(Backbone::GrandSibling), false) => format!("{names} over third order"),
        (Some(Backbone::Arborescence), true) => "arc-factored".to_owned(),
        (_, true) => "baseline (second order)".to_owned(),
        (_, false) => names,
    }
}

/// The accuracy, with its spread over seeds.
fn uas(lines: &Lines) -> Result<Vec<String>, ReportError> {
    let spreads = lines.numbers("uas_sd_points", |sd| format!(" ± {}", fixed(sd, 2)))?;
    let uas = lines.numbers(measures::UAS.name, |uas| fixed(uas, 2))?;
    Ok(uas.into_iter().zip(spreads).map(|(uas, spread)| uas + &spread).collect())
}

/// How many trees are proven.
fn proven(lines: &Lines) -> Result<Vec<String>, ReportError> {
    let counts = lines.frame.counts("proven")?.into_iter().zip(lines.frame.counts("sentences")?);
    let text = |(proven, sentences): (Option<u64>, Option<u64>)| match (proven, sentences) {
        (_, None) => String::new(),
        (None, _) => "heuristic".to_owned(),
        (Some(proven), Some(all)) if proven == all => format!("all {}", grouped(proven)),
        (Some(proven), Some(all)) => format!("{} of {}", grouped(proven), grouped(all)),
    };
    Ok(counts.map(text).collect())
}

/// The share of a phase in the time from tokens to trees.
fn shares(lines: &Lines, phase: &str) -> Result<Vec<String>, ReportError> {
    let of_phase = lines.frame.counts(phase)?;
    let mut totals = vec![0; of_phase.len()];
    for name in PHASES {
        for (total, time) in totals.iter_mut().zip(lines.frame.counts(name)?) {
            *total += time.unwrap_or(0);
        }
    }
    let share = |(time, total): (Option<u64>, u64)| match time {
        Some(time) if total > 0 => fixed(100.0 * time as f64 / total as f64, 0),
        _ => String::new(),
    };
    Ok(of_phase.into_iter().zip(totals).map(share).collect())
}
