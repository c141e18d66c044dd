//! Tables 2 and 3 on pages. All numbers are made from `scores.csv` and `speed.csv` by the rooms that print the tables. Only tests
//! are read from `table2.csv`: they are made from one row a sentence, which is not kept with the pages.

use std::collections::BTreeMap;

use super::lines::{self, COLUMNS, Column, Line, Needs, Test};
use crate::pages::arguments::{self, Arguments};
use crate::pages::error::BlockError;
use crate::pages::select::{Selected, select};
use crate::pages::shelf::Shelf;
use polars::prelude::LazyFrame;
use treebound_experiment::table_options::table_options;
use treebound_parser::cell::Setting;
use treebound_parser::pruning::Rule;
use treebound_records::number::fixed;
use treebound_records::{ScoreRow, SpeedRow, schema, sheet};
use treebound_report::frame::Frame;
use treebound_report::sentences::Sentences;
use treebound_report::speed::speeds as speeds_of_lines;
use treebound_report::statistics::average::{Averaged, average};
use treebound_report::statistics::speed::{Speed, speeds};
use treebound_report::tables::table::Section;
use treebound_report::tables::table2;
use treebound_report::tables::table3;

/// Parsers against their baselines.
pub fn table2(shelf: &Shelf, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let columns = columns(arguments, &["features", "uas", "gain", "p"])?;
    let mut all: Vec<Line> = Vec::new();
    for selected in select(shelf, arguments)?.iter().filter(|selected| !selected.keys.is_empty()) {
        let sources = Sources::read(selected, &columns)?;
        all.extend(sources.of_table2(selected)?);
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
pub fn table3(shelf: &Shelf, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let usual = ["features", "pruning", "uas", "words/s", "speed-up", "calls", "proven", "paper-uas", "paper-speed-up"];
    let columns = columns(arguments, &usual)?;
    let mut all: Vec<Line> = Vec::new();
    for selected in select(shelf, arguments)?.iter().filter(|selected| !selected.keys.is_empty()) {
        let sources = Sources::read(selected, &columns)?;
        all.extend(sources.of_table3(selected)?);
    }
    if all.is_empty() {
        return Err(BlockError::Words("no parser was run with more than one of these prunings".to_owned()));
    }
    section(arguments, &all, &columns)
}

/// The columns that a page asks for; those that are usual, if it asks for none.
fn columns(arguments: &Arguments<'_>, usual: &[&str]) -> Result<Vec<&'static Column>, BlockError> {
    let asked = arguments.list(arguments::COLUMNS);
    asked.as_deref().unwrap_or(usual).iter().map(|name| lines::named(name)).collect()
}

fn section(arguments: &Arguments<'_>, all: &[Line], columns: &[&Column]) -> Result<Section, BlockError> {
    let Some(axis) = arguments.get("beside") else { return lines::stacked(all, columns) };
    let axes = COLUMNS.iter().filter(|column| column.needs == Needs::Words && column.name != lines::FEATURES);
    let found = axes.clone().find(|column| column.name == axis);
    let axis = found.ok_or_else(|| BlockError::unknown("axis", axis, axes.map(|column| column.name)))?;
    lines::beside(all, columns, axis)
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
            let verb = format!("time{}", selected.grids(&selected.keys));
            return Err(selected.experiment.lacks(&format!("{}: no cell was timed", path.display()), &verb));
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

    fn of_table2(&self, selected: &Selected) -> Result<Vec<Line>, BlockError> {
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

    fn of_table3(&self, selected: &Selected) -> Result<Vec<Line>, BlockError> {
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
        return Err(selected.experiment.lacks(&format!("{} is not there", path.display()), "table 2"));
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
        selected.experiment.lacks(&format!("{} has no test of {}{what}", path.display(), line.setting), "table 2")
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
