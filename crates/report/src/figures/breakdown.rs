//! The breakdown figure: accuracy by the length of sentences, the length of arcs and the distance from the root, one line a
//! learner (after McDonald & Nivre 2007 and Ma & Zhao 2012). It is the same on every machine.
//!
//! Sentences are those of the treebank, so accuracy is UAS there. Arcs and distances are those of the gold tree, which give a
//! recall, and of the predicted tree, which give a precision; drawn is their harmonic mean, F1.

use std::collections::{BTreeMap, BTreeSet};

use super::axis::Axis;
use super::figure::Figure;
use super::names::Names;
use super::plots::{Plot, Plots, Row, seeds_together};
use crate::error_analysis::By;
use crate::tables::models::{Group, model, model_words, place, ways};
use treebound_parser::cell::Setting;
use treebound_records::ClassRow;
use treebound_records::number::percent;
use treebound_records::sheet::Sheet;

/// What is drawn: classes of the gold tree, and those of the predicted one.
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
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    words: u64,
    correct: u64,
}

impl Counts {
    fn pct(self) -> Option<f64> {
        percent(self.correct, self.words)
    }
}

/// A class of a setting, summed over its seeds.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    /// Words that are of the class in the gold tree.
    gold: Counts,
    /// Words that are of it in the predicted tree; none if the class is of no tree.
    predicted: Option<Counts>,
}

impl Point {
    /// UAS where the class is of no tree, else F1.
    fn accuracy_pct(self) -> Option<f64> {
        let recall = self.gold.pct()?;
        let Some(precision) = self.predicted.map(Counts::pct) else { return Some(recall) };
        let precision = precision?;
        let sum = recall + precision;
        Some(if sum > 0.0 { 2.0 * recall * precision / sum } else { 0.0 })
    }
}

/// The points of each setting, view by view.
type Settings<'a> = BTreeMap<&'a Setting, Vec<BTreeMap<Class, Point>>>;

/// The figure: a row a model, a line a learner and decoder, sums over all seeds.
pub fn breakdown(all: &[ClassRow]) -> Figure {
    let mut settings: Settings = BTreeMap::new();
    for row in all {
        let views = settings.entry(&row.cell.setting).or_insert_with(|| vec![BTreeMap::new(); VIEWS.len()]);
        for (view, points) in VIEWS.iter().zip(views) {
            let is_of = |by: By| by.name() == row.by;
            let class = || (row.place, row.class.clone());
            let add = |counts: &mut Counts| {
                counts.words += row.words;
                counts.correct += row.correct;
            };
            if is_of(view.gold) {
                add(&mut points.entry(class()).or_default().gold);
            } else if view.predicted.is_some_and(is_of) {
                add(points.entry(class()).or_default().predicted.get_or_insert_default());
            }
        }
    }
    let mut ordered: Vec<&Setting> = settings.keys().copied().collect();
    ordered.sort_by(|a, b| place(a).cmp(&place(b)));
    let names = Names::of(ordered.iter().copied(), ways);
    let rows = ordered.chunk_by(|a, b| row_of(a) == row_of(b)).map(|of_row| Row {
        heading: heading(&names, of_row),
        plots: VIEWS.iter().enumerate().flat_map(|(at, view)| plots(&names, &settings, of_row, at, view)).collect(),
    });
    let note = format!(
        "UAS by the length of sentences. F1 of arcs of a length, and of words so far from the root: recall over the gold tree, \
         precision over the predicted one. Classes of fewer than {LEAST_WORDS} words are left out; {}.",
        seeds_together(all.iter().map(|row| &*row.cell))
    );
    let plots = Plots { rows: rows.collect(), lines: names.lines.clone(), note };
    Figure::of_plots("breakdown", sheet(&settings, &ordered), plots)
}

/// What the lines of a row share.
fn row_of(setting: &Setting) -> impl Ord + '_ {
    (Group::of(setting), model(setting))
}

fn heading(names: &Names, row: &[&Setting]) -> String {
    let Some(first) = row.first() else { return String::new() };
    let mut parts = vec![Group::of(first).words(), model_words(first)];
    parts.extend(names.parts(first, false));
    parts.join(", ")
}

/// The plot of a view; beside that of arcs, whose accuracies differ so much that lines lie on each other, what lies between
/// each line and the first.
fn plots(names: &Names, settings: &Settings, row: &[&Setting], at: usize, view: &View) -> Vec<Plot> {
    let points = |setting: &Setting| settings.get(setting).and_then(|views| views.get(at)).into_iter().flatten();
    let is_drawn = |point: &Point| point.gold.words >= LEAST_WORDS;
    let all = row.iter().flat_map(|setting| points(setting));
    let classes: BTreeSet<&Class> = all.filter(|(_, point)| is_drawn(point)).map(|(class, _)| class).collect();
    let line = |setting: &&Setting| -> Vec<(f64, f64)> {
        let drawn = points(setting).filter(|(_, point)| is_drawn(point));
        let place = |class: &Class| classes.iter().position(|other| *other == class);
        drawn.filter_map(|(class, point)| Some((place(class)? as f64, point.accuracy_pct()?))).collect()
    };
    let lines: Vec<(usize, Vec<(f64, f64)>)> =
        row.iter().map(|setting| (names.place(setting), line(setting))).collect();
    // The axis holds `ends` too, or every value where they are no range.
    let plot = |lines: Vec<(usize, Vec<(f64, f64)>)>, ends: (f64, f64), y_label: String| {
        let values = || lines.iter().flat_map(|(_, points)| points).map(|point| point.1);
        let (low, high) = (values().fold(ends.0, f64::min), values().fold(ends.1, f64::max));
        let x = Axis::categories(classes.iter().map(|(_, name)| short(name)));
        Plot { x, x_label: view.x_label.to_owned(), y: Axis::between(low, high, 6), y_label, lines }
    };
    let mut plots = vec![plot(lines.clone(), (100.0, 0.0), view.y_label.to_owned())];
    if let (By::ArcLength, [(first, base), _, ..]) = (view.gold, &lines[..]) {
        let less = |(x, value): &(f64, f64)| Some((*x, value - base.iter().find(|point| point.0 == *x)?.1));
        let apart = lines.iter().map(|(name, points)| (*name, points.iter().filter_map(less).collect()));
        plots.push(plot(apart.collect(), (0.0, 0.0), format!("F1 less that of {} (points)", names.lines[*first])));
    }
    plots
}

/// The name of a class under an axis.
fn short(class: &str) -> String {
    let class = class.replace(" and more", "+").replace("more than ", "> ").replace("to the root", "root");
    class.replace(" to ", "-")
}

fn sheet(settings: &Settings, ordered: &[&Setting]) -> Sheet {
    let mut rows: Vec<(&Setting, &View, &Class, &Point)> = Vec::new();
    for &setting in ordered {
        for (view, points) in VIEWS.iter().zip(settings.get(setting).into_iter().flatten()) {
            rows.extend(points.iter().map(|(class, point)| (setting, view, class, point)));
        }
    }
    let rows = || rows.iter();
    Sheet::default()
        .settings(rows().map(|row| row.0))
        .text("by", rows().map(|row| row.1.gold.name()))
        .text("class", rows().map(|row| &row.2.1))
        .count("words", rows().map(|row| Some(row.3.gold.words)))
        .count("correct", rows().map(|row| Some(row.3.gold.correct)))
        .count("predicted_words", rows().map(|row| Some(row.3.predicted?.words)))
        .count("predicted_correct", rows().map(|row| Some(row.3.predicted?.correct)))
        .fixed("recall_pct", 4, rows().map(|row| row.3.gold.pct()))
        .fixed("precision_pct", 4, rows().map(|row| row.3.predicted?.pct()))
        .fixed("accuracy_pct", 4, rows().map(|row| row.3.accuracy_pct()))
}
