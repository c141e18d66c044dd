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
use treebound_parser::answer::{Count, Phase};
use treebound_parser::cell::{FeatureSet, Setting, show_optional};
use treebound_parser::features::Family;
use treebound_parser::pruning::Rule;
use treebound_records::number::{fixed, grouped, signed};
use treebound_records::{ScoreRow, SpeedRow, schema, sheet};
use treebound_report::frame::Frame;
use treebound_report::measures;
use treebound_report::sentences::Sentences;
use treebound_report::speed::speeds as speeds_of_lines;
use treebound_report::statistics::average::{Averaged, average};
use treebound_report::statistics::speed::{Speed, speeds};
use treebound_report::tables::block::{decoder_label, pruning_label, system_label};
use treebound_report::tables::table::Section;
use treebound_report::tables::{table2, table3};

/// Parsers against their baselines.
pub fn table2(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let columns = columns(arguments, &["features", "uas", "gain", "p"])?;
    let mut all: Vec<Line> = Vec::new();
    for selected in &experiments.select(arguments)? {
        let sources = Sources::read(selected, &columns)?;
        all.extend(sources.table2_lines(selected)?);
    }
    if let Some(best) = arguments.get("best") {
        let expected = || BlockError::Words(format!("best={best}: expected a number of lines, from 1"));
        let best: usize = best.parse().ok().filter(|&best| best > 0).ok_or_else(expected)?;
        all.retain(|line| !line.averaged.setting.is_baseline());
        let uas = |line: &Line| line.averaged.uas_pct().unwrap_or(0.0);
        all.sort_by(|a, b| uas(b).total_cmp(&uas(a)));
        all.truncate(best);
    }
    section(arguments, &all, &columns)
}

/// What pruning costs and brings.
pub fn table3(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let usual = ["features", "pruning", "uas", "words/s", "speed-up", "calls", "proven", "paper-uas", "paper-speed-up"];
    let columns = columns(arguments, &usual)?;
    let mut all: Vec<Line> = Vec::new();
    for selected in &experiments.select(arguments)? {
        let sources = Sources::read(selected, &columns)?;
        all.extend(sources.table3_lines(selected)?);
    }
    if all.is_empty() {
        return Err(BlockError::Words("no parser was run with more than one of these prunings".to_owned()));
    }
    section(arguments, &all, &columns)
}

/// The columns that a page asks for; those that are usual, if it asks for none.
fn columns(arguments: &Arguments<'_>, usual: &[&str]) -> Result<Vec<&'static Column>, BlockError> {
    let asked = arguments.list(blocks::COLUMNS);
    asked.as_deref().unwrap_or(usual).iter().map(|name| column_named(name)).collect()
}

fn section(arguments: &Arguments<'_>, all: &[Line], columns: &[&Column]) -> Result<Section, BlockError> {
    let Some(axis) = arguments.get("beside") else { return stacked(all, columns) };
    let axes = COLUMNS.iter().filter(|column| column.needs == Needs::Words && column.name != FEATURES);
    let found = axes.clone().find(|column| column.name == axis);
    let axis = found.ok_or_else(|| BlockError::unknown("axis", axis, axes.map(|column| column.name)))?;
    beside(all, columns, axis)
}

/// What lines need beside scores.
struct Sources {
    tests: Option<BTreeMap<Setting, Tested>>,
    speeds: BTreeMap<Setting, Speed>,
}

/// A line of `table2.csv`: its tests, and what they are of.
struct Tested {
    seeds: String,
    uas_pct: String,
    test: Test,
}

impl Sources {
    /// Reads what some columns need.
    fn read(selected: &Selected, columns: &[&Column]) -> Result<Self, BlockError> {
        let needs = |needs| columns.iter().any(|column| column.needs == needs);
        let tests = if needs(Needs::Tests) { Some(tests(selected)?) } else { None };
        if !needs(Needs::Times) {
            return Ok(Self { tests, speeds: BTreeMap::new() });
        }
        let speeds = speeds(&selected.times()?, &selected.scores()?)?;
        if speeds.is_empty() {
            let path = selected.experiment.path("speed.csv");
            let verb = format!("measure time CONFIG{}", selected.grids(&selected.keys));
            return Err(selected.experiment.missing(&format!("{}: no cell was timed", path.display()), &verb));
        }
        Ok(Self { tests, speeds })
    }

    fn line(&self, selected: &Selected, averaged: &Averaged) -> Line {
        let setting = &averaged.setting;
        Line {
            averaged: averaged.clone(),
            grid: selected.grid(setting),
            gain_points: None,
            test: None,
            speed: self.speeds.get(setting).cloned(),
            speed_up: speed_up(setting, &self.speeds),
            published_uas_pct: None,
            published_gain_points: None,
            published_speed_up: None,
        }
    }

    fn table2_lines(&self, selected: &Selected) -> Result<Vec<Line>, BlockError> {
        let scores = selected.scores()?;
        let options = table_options(&selected.experiment.config);
        let frame = Frame::of(&scores, &schema::SCORES)?;
        let lines = table2::lines(&frame, &Sentences::default(), untimed(&frame)?, &options)?;
        let all = self.lines(selected, &scores, &lines)?;
        let gains = lines.numbers("gain_points")?.into_iter().zip(lines.numbers("published_gain_points")?);
        let with_gain = |(line, (gain_points, published_gain_points)): (Line, (Option<f64>, Option<f64>))| {
            let test = match &self.tests {
                Some(tests) if gain_points.is_some() => Some(test(selected, tests, &line.averaged)?),
                _ => None,
            };
            Ok(Line { gain_points, test, published_gain_points, ..line })
        };
        all.into_iter().zip(gains).map(with_gain).collect()
    }

    fn table3_lines(&self, selected: &Selected) -> Result<Vec<Line>, BlockError> {
        let scores = selected.scores()?;
        let options = table_options(&selected.experiment.config);
        let frame = Frame::of(&scores, &schema::SCORES)?;
        let lines = table3::lines(&frame, untimed(&frame)?, &options)?;
        let all = self.lines(selected, &scores, &lines)?;
        let speed_ups = lines.numbers("published_speed_up")?;
        let with_speed_up = |(line, published_speed_up)| Line { published_speed_up, ..line };
        Ok(all.into_iter().zip(speed_ups).map(with_speed_up).collect())
    }

    /// What both tables have of each of their lines.
    fn lines(&self, selected: &Selected, scores: &[ScoreRow], lines: &Frame) -> Result<Vec<Line>, BlockError> {
        let averaged: BTreeMap<String, Averaged> =
            average(scores)?.into_iter().map(|line| (line.setting.to_string(), line)).collect();
        let published = lines.words("line")?.into_iter().zip(lines.numbers("published_uas_pct")?);
        let line = |(name, published_uas_pct): (String, Option<f64>)| {
            Some(Line { published_uas_pct, ..self.line(selected, averaged.get(&name)?) })
        };
        Ok(published.filter_map(line).collect())
    }
}

/// No speeds: those of pages are of chosen cells alone.
fn untimed(scores: &Frame) -> Result<LazyFrame, BlockError> {
    Ok(speeds_of_lines(&Frame::of::<SpeedRow>(&[], &schema::SPEED)?, scores)?)
}

/// Words per second over those of the same parser without pruning.
fn speed_up(setting: &Setting, speeds: &BTreeMap<Setting, Speed>) -> Option<f64> {
    setting.pruning?;
    let unpruned = Setting { pruning: Some(Rule::None), ..setting.clone() };
    let rate = |setting: &Setting| speeds.get(setting)?.words_per_second();
    Some(rate(setting)? / rate(&unpruned)?)
}

/// The tests of an experiment.
fn tests(selected: &Selected) -> Result<BTreeMap<Setting, Tested>, BlockError> {
    let path = selected.experiment.path("table2.csv");
    if !path.exists() {
        return Err(selected.experiment.missing(&format!("{} is not there", path.display()), "table CONFIG 2"));
    }
    let columns = ["seeds", "uas_pct", "p_value", "gain_low_points", "gain_high_points"];
    let optional = ["p_two_way", "p_holm", "detectable_points"];
    let mut tests = BTreeMap::new();
    let read = sheet::read_settings(&path, columns, optional)?;
    for (setting, [seeds, uas_pct, p, low, high], [p_two_way, p_holm, detectable]) in read {
        let interval = low.parse().ok().zip(high.parse().ok()).map(|(low, high)| [low, high]);
        tests.insert(setting, Tested { seeds, uas_pct, test: Test { p, p_two_way, p_holm, interval, detectable } });
    }
    Ok(tests)
}

/// The test of a line, which must be of the same results.
fn test(selected: &Selected, tests: &BTreeMap<Setting, Tested>, line: &Averaged) -> Result<Test, BlockError> {
    let path = selected.experiment.path("table2.csv");
    let lacks = |what: &str| {
        selected
            .experiment
            .missing(&format!("{} has no test of {}{what}", path.display(), line.setting), "table CONFIG 2")
    };
    let tested = tests.get(&line.setting).ok_or_else(|| lacks(""))?;
    let uas_pct = line.uas_pct().map_or_else(String::new, |uas| fixed(uas, 2));
    if (&tested.seeds, &tested.uas_pct) != (&line.seeds.len().to_string(), &uas_pct) {
        return Err(lacks(&format!(
            " with {} seeds and a UAS of {uas_pct}, but with {} and {}",
            line.seeds.len(),
            tested.seeds,
            tested.uas_pct
        )));
    }
    if tested.test.p.is_empty() { Err(lacks("")) } else { Ok(tested.test.clone()) }
}

/// A line.
#[derive(Clone, Debug)]
struct Line {
    /// The setting and its counts.
    averaged: Averaged,
    /// The grid of the config that has it.
    grid: String,
    /// The difference from the baseline, in percentage points.
    gain_points: Option<f64>,
    /// What the tests say of it.
    test: Option<Test>,
    /// How fast it is, if that was timed.
    speed: Option<Speed>,
    /// Its speed over that without pruning.
    speed_up: Option<f64>,
    /// The paper's accuracy.
    published_uas_pct: Option<f64>,
    /// The paper's gain.
    published_gain_points: Option<f64>,
    /// The paper's speed-up.
    published_speed_up: Option<f64>,
}

/// What tests, sentence by sentence, say of a gain: text as `table2.csv` has it.
#[derive(Clone, Debug)]
struct Test {
    /// The p-value.
    p: String,
    /// That over sentences and seeds; empty of one seed, and where the file is older than it.
    p_two_way: String,
    /// That after Holm's correction; empty where the file is older than it.
    p_holm: String,
    /// The ends of the interval; none if it has none.
    interval: Option<[f64; 2]>,
    /// The smallest gain that the sentences would have shown; empty where the file is older than it.
    detectable: String,
}

/// What a column needs beside scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
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
struct Column {
    /// Its name on pages.
    name: &'static str,
    heading: &'static str,
    /// What it needs.
    needs: Needs,
    cell: fn(&Line) -> String,
}

/// The column that says which parser a line is of.
const FEATURES: &str = "features";

const fn column(name: &'static str, heading: &'static str, needs: Needs, cell: fn(&Line) -> String) -> Column {
    Column { name, heading, needs, cell }
}

/// All columns.
const COLUMNS: &[Column] = &[
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
        let rate = line.speed.as_ref().and_then(Speed::words_per_second);
        measures::named("words_per_second").map_or_else(String::new, |measure| measure.text(rate))
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
fn column_named(name: &str) -> Result<&'static Column, BlockError> {
    let found = COLUMNS.iter().find(|column| column.name == name);
    found.ok_or_else(|| BlockError::unknown("column", name, COLUMNS.iter().map(|column| column.name)))
}

/// Lines with these columns.
///
/// # Errors
/// If the words of two lines are the same, so that nobody can tell what they are of.
fn stacked(lines: &[Line], columns: &[&Column]) -> Result<Section, BlockError> {
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
fn beside(lines: &[Line], columns: &[&Column], axis: &Column) -> Result<Section, BlockError> {
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
