//! Figures of models without non-local features, a row a model, a line a learner and decoder. They are the same on every machine.
//!
//! * breakdown: accuracy by the length of sentences, the length of arcs and the distance from the root (after McDonald & Nivre
//!   2007 and Ma & Zhao 2012). Sentences are those of the treebank, so accuracy is UAS there. Arcs and distances are those of
//!   the gold tree, which give a recall, and of the predicted tree, which give a precision; drawn is their harmonic mean, F1.
//! * calibration: how many heads are right against how probable they were said to be, and how many are so probable.

use std::collections::{BTreeMap, BTreeSet};

use super::Figure;
use super::axis::Axis;
use super::line::{self, Names, range, seeds_together};
use super::panel::{Line, Panel};
use crate::statistics::calibration::{Calibration, calibrations};
use crate::tables::models::{Group, model, model_words, place, ways};
use treebound_parser::cell::Setting;
use treebound_parser::error_analysis::By;
use treebound_records::calibration::BINS;
use treebound_records::calibration::Bin;
use treebound_records::number::{fixed, percent};
use treebound_records::sheet::Sheet;
use treebound_records::{CalibrationRow, ClassRow};

/// Rows of panels under headings.
type Rows = Vec<(String, Vec<Panel>)>;

/// A row for each model, with headings that say which.
fn rows_by_model<'s>(
    names: &Names,
    settings: &[&'s Setting],
    panels: impl Fn(&[&'s Setting]) -> Vec<Panel>,
    heading: impl Fn(String, &[&'s Setting]) -> String,
) -> Rows {
    let row_of = |setting: &'s Setting| (Group::of(setting), model(setting));
    let rows = settings.chunk_by(|a, b| row_of(a) == row_of(b));
    rows.map(|row| {
        let words = vec![Group::of(row[0]).words(), model_words(row[0])];
        (heading(names.heading(words, row[0]), row), panels(row))
    })
    .collect()
}

/// What the breakdown shows: classes of the gold tree, and those of the predicted one.
const VIEWS: [View; 3] = [
    View { gold: By::SentenceLength, predicted: None, x_label: "words of the sentence", y_label: "UAS (%)" },
    View {
        gold: By::ArcLength,
        predicted: Some(By::PredictedArcLength),
        x_label: "length of the arc",
        y_label: "F1 of arcs (%)",
    },
    View {
        gold: By::Depth,
        predicted: Some(By::PredictedDepth),
        x_label: "arcs from the root to the word",
        y_label: "F1 of arcs (%)",
    },
];

/// Classes of fewer words of the treebank are not drawn: their accuracies move by chance.
const LEAST_WORDS: u64 = 50;

struct View {
    gold: By,
    predicted: Option<By>,
    x_label: &'static str,
    y_label: &'static str,
}

/// A class of words, by its place and name.
type Class = (u64, String);

/// Words, and those that are right.
type Counts = [u64; 2];

/// A class of a setting, summed over its seeds: words that are of it in the gold tree, and those that are of it in the predicted
/// tree, if it is of trees.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    gold: Counts,
    predicted: Option<Counts>,
}

impl Point {
    /// UAS where the class is of no tree, else F1.
    fn accuracy_pct(&self) -> Option<f64> {
        let recall = pct(self.gold)?;
        let Some(precision) = self.predicted.map(pct) else { return Some(recall) };
        let precision = precision?;
        let sum = recall + precision;
        Some(if sum > 0.0 { 2.0 * recall * precision / sum } else { 0.0 })
    }

    fn is_drawn(&self) -> bool {
        self.gold[0] >= LEAST_WORDS
    }
}

fn pct([words, correct]: Counts) -> Option<f64> {
    percent(correct, words)
}

/// The points of each setting, view by view.
type Points<'a> = BTreeMap<&'a Setting, [BTreeMap<Class, Point>; VIEWS.len()]>;

/// The breakdown figure, sums over all seeds.
pub fn breakdown(all: &[ClassRow]) -> Figure {
    let mut points: Points = BTreeMap::new();
    for row in all {
        for (view, points) in VIEWS.iter().zip(points.entry(&row.cell.setting).or_default()) {
            let is_of = |by: By| by.name() == row.by;
            let is_predicted = view.predicted.is_some_and(is_of);
            if is_of(view.gold) || is_predicted {
                let point = points.entry((row.place, row.class.clone())).or_default();
                let counts = if is_predicted { point.predicted.get_or_insert_default() } else { &mut point.gold };
                *counts = [counts[0] + row.words, counts[1] + row.correct];
            }
        }
    }
    let mut settings: Vec<&Setting> = points.keys().copied().collect();
    settings.sort_by(|a, b| place(a).cmp(&place(b)));
    let names = Names::new(settings.iter().copied(), ways);
    let panels = |row: &[&Setting]| (0..VIEWS.len()).flat_map(|view| view_panels(&names, &points, row, view)).collect();
    let rows = rows_by_model(&names, &settings, panels, |heading, _| heading);
    let note = format!(
        "UAS by the length of sentences. F1 of arcs of a length, and of words so far from the root: recall over the gold tree, \
         precision over the predicted one. Classes of fewer than {LEAST_WORDS} words are left out; {}.",
        seeds_together(all.iter().map(|row| &*row.cell))
    );
    Figure::new("breakdown", breakdown_sheet(&points, &settings), line::draw(rows, &names.lines, note))
}

/// The panel of a view; beside that of arcs, whose accuracies differ so much that lines lie on each other, what lies between
/// each line and the first.
fn view_panels(names: &Names, points: &Points, row: &[&Setting], at: usize) -> Vec<Panel> {
    let view = &VIEWS[at];
    let drawn = |setting: &Setting| points[setting][at].iter().filter(|(_, point)| point.is_drawn());
    let classes: BTreeSet<&Class> = row.iter().flat_map(|setting| drawn(setting)).map(|(class, _)| class).collect();
    let place = |class: &Class| classes.iter().position(|other| *other == class);
    let point = |(class, point): (&Class, &Point)| Some((place(class)? as f64, point.accuracy_pct()?));
    let lines = names.lines_through(row.iter().copied(), |setting| drawn(setting).filter_map(point).collect());
    // The axis holds `ends` too, or every value where they are no range.
    let panel = |lines: Vec<Line>, ends: (f64, f64), y_label: String| {
        let (low, high) = range(&lines, ends);
        let x = Axis::categories(classes.iter().map(|(_, name)| short_class(name)));
        line::panel((x, view.x_label), (Axis::between(low, high, 6), y_label), lines)
    };
    let mut panels = vec![panel(lines.clone(), (100.0, 0.0), view.y_label.to_owned())];
    if let (By::ArcLength, [base, _, ..]) = (view.gold, &lines[..]) {
        let above_base = |line: &Line| {
            let base_at = |x: f64| base.points.iter().find(|dot| dot.x == x).map(|dot| dot.y);
            let points = line.points.iter().filter_map(|dot| Some((dot.x, dot.y - base_at(dot.x)?).into()));
            Line { look: line.look, points: points.collect() }
        };
        let first = &names.lines[names.place(row[0])];
        panels.push(panel(
            lines.iter().map(above_base).collect(),
            (0.0, 0.0),
            format!("F1 less that of {first} (points)"),
        ));
    }
    panels
}

/// The name of a class under an axis.
fn short_class(class: &str) -> String {
    let class = class.replace(" and more", "+").replace("more than ", "> ").replace("to the root", "root");
    class.replace(" to ", "-")
}

fn breakdown_sheet(points: &Points, settings: &[&Setting]) -> Sheet {
    let of_view = |setting| VIEWS.iter().zip(&points[setting]).map(move |(view, points)| (setting, view, points));
    let views = settings.iter().flat_map(|setting| of_view(*setting));
    let rows: Vec<(&Setting, &View, &Class, &Point)> = views
        .flat_map(|(setting, view, points)| points.iter().map(move |(class, point)| (setting, view, class, point)))
        .collect();
    let rows = || rows.iter();
    Sheet::default()
        .settings(rows().map(|row| row.0))
        .text("by", rows().map(|row| row.1.gold.name()))
        .text("class", rows().map(|row| &row.2.1))
        .count("words", rows().map(|row| Some(row.3.gold[0])))
        .count("correct", rows().map(|row| Some(row.3.gold[1])))
        .count("predicted_words", rows().map(|row| Some(row.3.predicted?[0])))
        .count("predicted_correct", rows().map(|row| Some(row.3.predicted?[1])))
        .fixed("recall_pct", 4, rows().map(|row| pct(row.3.gold)))
        .fixed("precision_pct", 4, rows().map(|row| pct(row.3.predicted?)))
        .fixed("accuracy_pct", 4, rows().map(|row| row.3.accuracy_pct()))
}

/// Bins of fewer words are not drawn in the calibration figure: their accuracies move by chance.
const LEAST_WORDS_OF_BIN: u64 = 20;

/// The line on which heads are as often right as was said.
const EXACT: &str = "as said";

/// The calibration figure, all seeds together.
pub fn calibration(rows: &[CalibrationRow]) -> Figure {
    let mut found = calibrations(rows);
    found.sort_by(|a, b| place(&a.setting).cmp(&place(&b.setting)));
    let by_setting: BTreeMap<&Setting, &Calibration> = found.iter().map(|one| (&one.setting, one)).collect();
    let settings: Vec<&Setting> = found.iter().map(|one| &one.setting).collect();
    let mut names = Names::new(settings.iter().copied(), ways);
    let exact = names.lines.len();
    names.lines.push(EXACT.to_owned());
    let panels = |row: &[&Setting]| vec![reliability(&names, exact, &by_setting, row), sizes(&names, &by_setting, row)];
    let heading = |heading: String, row: &[&Setting]| {
        let errors = row.iter().filter_map(|setting| by_setting[setting].expected_error_points());
        format!("{heading}: error {}", errors.map(|error| fixed(error, 2)).collect::<Vec<_>>().join(", "))
    };
    let rows = rows_by_model(&names, &settings, panels, heading);
    let note = format!(
        "Scored words by the probability of the head that they were given, in {BINS} bins; those of fewer than \
         {LEAST_WORDS_OF_BIN} words are left out on the left. error: expected calibration error in points, in the order of the \
         legend."
    );
    Figure::new("calibration", calibration_sheet(&found), line::draw(rows, &names.lines, note))
}

fn reliability(names: &Names, exact: usize, found: &BTreeMap<&Setting, &Calibration>, row: &[&Setting]) -> Panel {
    let points = |setting: &Setting| {
        let drawn = found[setting].bins.values().filter(|bin| bin.words >= LEAST_WORDS_OF_BIN);
        drawn.filter_map(|bin| Some((bin.said_pct()?, bin.right_pct()?))).collect()
    };
    let mut lines = vec![line::line(exact, vec![(0.0, 0.0), (100.0, 100.0)])];
    lines.extend(names.lines_through(row.iter().copied(), points));
    let axis = || Axis::between(0.0, 100.0, 10);
    line::panel((axis(), "mean probability of the heads (%)"), (axis(), "right (%)".to_owned()), lines)
}

fn sizes(names: &Names, found: &BTreeMap<&Setting, &Calibration>, row: &[&Setting]) -> Panel {
    let middle = |bin: u64| (2 * bin - 1) as f64 * 50.0 / BINS as f64;
    let points = |setting: &Setting| {
        let all = found[setting].all().words;
        let bins = found[setting].bins.iter();
        bins.filter_map(|(bin, counts)| Some((middle(*bin), percent(counts.words, all)?))).collect()
    };
    let lines = names.lines_through(row.iter().copied(), points);
    let (_, high) = range(&lines, (0.0, 0.0));
    let (x, y) = (Axis::between(0.0, 100.0, 10), Axis::between(0.0, high, 6));
    line::panel((x, "bin of probabilities (%)"), (y, "words (%)".to_owned()), lines)
}

fn calibration_sheet(found: &[Calibration]) -> Sheet {
    let rows: Vec<(&Calibration, u64, &Bin)> =
        found.iter().flat_map(|one| one.bins.iter().map(move |(bin, counts)| (one, *bin, counts))).collect();
    let rows = || rows.iter();
    let percent_of = |value: fn(&Bin) -> Option<f64>| rows().map(move |row| value(row.2));
    Sheet::default()
        .settings(rows().map(|row| &row.0.setting))
        .count("bin", rows().map(|row| Some(row.1)))
        .count("words", rows().map(|row| Some(row.2.words)))
        .count("correct", rows().map(|row| Some(row.2.correct)))
        .fixed("probability_pct", 4, percent_of(Bin::said_pct))
        .fixed("right_pct", 4, percent_of(Bin::right_pct))
        .fixed("expected_error_points", 4, rows().map(|row| row.0.expected_error_points()))
}
