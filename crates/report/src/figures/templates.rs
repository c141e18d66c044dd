//! The templates figure: accuracy and DP calls against the number of templates. It is the same on every machine.

use std::collections::BTreeMap;

use super::axis::{Axis, is_wide};
use super::figure::Figure;
use super::names::Names;
use super::plots::{Plot, Plots, Row};
use crate::statistics::average::{Averaged, average};
use crate::tables::block::{decoder_label, other_backbone, pruning_label, set_label};
use treebound_parser::answer::Count;
use treebound_parser::cell::{CorpusName, Setting, Split, Tags, TemplatesName, show_optional};
use treebound_records::number::{counted, percent};
use treebound_records::sheet::Sheet;
use treebound_records::{ReportError, ScoreRow};

/// A line's setting, summed over its seeds, with the number of templates.
struct Point {
    line: Averaged,
    templates: u64,
}

impl Point {
    fn setting(&self) -> &Setting {
        &self.line.setting
    }
}

/// The figure: a line is all but the templates of settings that were run with two sets or more. `sizes` has the number of
/// templates of each set.
///
/// # Errors
/// If rows do not come from the same data.
pub fn templates(rows: &[ScoreRow], sizes: &BTreeMap<TemplatesName, u64>) -> Result<Figure, ReportError> {
    let size = |line: &Averaged| sizes.get(line.setting.templates.as_ref()?).copied();
    let points = average(rows)?.into_iter().filter_map(|line| Some(Point { templates: size(&line)?, line }));
    let mut points: Vec<Point> = points.collect();
    points.sort_by(|a, b| (place(a.setting()), a.templates).cmp(&(place(b.setting()), b.templates)));
    let points: Vec<Point> = keep_lines(points);
    let names = Names::of(points.iter().map(Point::setting), line_of);
    let same_row = |a: &Point, b: &Point| row_of(a.setting()) == row_of(b.setting());
    let rows = points.chunk_by(same_row).map(|points| row(&names, points)).collect();
    let seeds: Vec<usize> = points.iter().map(|point| point.line.seeds.len()).collect();
    let (least, most) = (seeds.iter().min().copied().unwrap_or(0), seeds.iter().max().copied().unwrap_or(0));
    let most = counted(most as u64, "training seed", "training seeds");
    let seeds = if seeds.iter().all(|&count| count == least) { most } else { format!("{least} to {most}") };
    let note = format!("Templates of the whole set, each once for each variant. Mean over {seeds}.");
    let sheet = sheet(&points);
    Ok(Figure::of_plots("templates", sheet, Plots { rows, lines: names.lines, note }))
}

/// Lines of one point show nothing.
fn keep_lines(points: Vec<Point>) -> Vec<Point> {
    let mut counts: BTreeMap<Setting, usize> = BTreeMap::new();
    let line = |point: &Point| Setting { templates: None, ..point.setting().clone() };
    for point in &points {
        *counts.entry(line(point)).or_default() += 1;
    }
    points.into_iter().filter(|point| counts[&line(point)] > 1).collect()
}

fn row(names: &Names, points: &[Point]) -> Row {
    let first = points[0].setting();
    let mut heading = vec![format!("{}, {} part, {} tags", first.corpus, first.split, first.tags)];
    heading.extend(names.parts(first, false));
    let uas = |point: &Point| point.line.uas_pct();
    // A dynamic program alone is one call; what says something are the calls of searches.
    let calls = |point: &Point| {
        let is_search = point.setting().decoder().is_some_and(|decoder| decoder.is_search());
        point.line.per_sentence(Count::DpCalls).filter(|_| is_search)
    };
    let plots = vec![
        plot(names, points, "UAS (%)", uas, |values| {
            let (low, high) = ends(values);
            Axis::between(low, high, 6)
        }),
        plot(names, points, "DP calls a sentence", calls, |values| Axis::of(values, is_wide(values))),
    ];
    Row { heading: heading.join(", "), plots }
}

fn ends(values: &[f64]) -> (f64, f64) {
    let (low, high) = values.iter().fold((100.0, 0.0), |(low, high), &v| (f64::min(low, v), f64::max(high, v)));
    if low <= high { (low, high) } else { (0.0, 100.0) }
}

fn plot(
    names: &Names,
    points: &[Point],
    label: &str,
    value: impl Fn(&Point) -> Option<f64>,
    axis: impl Fn(&[f64]) -> Axis,
) -> Plot {
    let most = points.iter().map(|point| point.templates).max().unwrap_or(0);
    let of_line = |points: &[Point]| {
        let places = points.iter().filter_map(|point| Some((point.templates as f64, value(point)?)));
        (names.place(points[0].setting()), places.collect::<Vec<_>>())
    };
    let same_line = |a: &Point, b: &Point| place(a.setting()) == place(b.setting());
    let lines: Vec<(usize, Vec<(f64, f64)>)> = points.chunk_by(same_line).map(of_line).collect();
    let values: Vec<f64> = lines.iter().flat_map(|(_, points)| points).map(|point| point.1).collect();
    let (x, y) = (Axis::whole(most, 6), axis(&values));
    Plot { x, x_label: "templates".to_owned(), y, y_label: label.to_owned(), lines }
}

/// What the lines of a row share.
fn row_of(setting: &Setting) -> (&CorpusName, Split, Tags) {
    (&setting.corpus, setting.split, setting.tags)
}

/// What tells the lines of a row apart, for people.
fn line_of(setting: &Setting) -> Vec<String> {
    let backbone = other_backbone(setting).map_or_else(String::new, |backbone| backbone.to_string());
    let decoder = if setting.is_baseline() { String::new() } else { decoder_label(setting) };
    let learner = show_optional(setting.learner.as_ref());
    vec![learner, set_label(setting.features.as_ref()), pruning_label(setting.pruning), backbone, decoder]
}

/// Where a line stands: by row, then as in tables.
fn place(setting: &Setting) -> impl Ord + '_ {
    (row_of(setting), &setting.system, &setting.learner, &setting.features, setting.pruning, setting.decoding)
}

fn sheet(points: &[Point]) -> Sheet {
    let rows = || points.iter();
    Sheet::default()
        .settings(rows().map(Point::setting))
        .count("template_count", rows().map(|point| Some(point.templates)))
        .count("seeds", rows().map(|point| Some(point.line.seeds.len() as u64)))
        .fixed("uas_pct", 4, rows().map(|point| point.line.uas_pct()))
        .fixed("dp_calls_per_sentence", 4, rows().map(|point| point.line.per_sentence(Count::DpCalls)))
        .fixed(
            "proven_pct",
            4,
            rows().map(|point| {
                let sums = &point.line.sums;
                percent(sums.proven?, sums.sentences)
            }),
        )
}
