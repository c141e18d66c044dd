//! Figures of models without non-local features, a row a model, a line a learner and decoder. They are the same on every machine.
//!
//! * breakdown: accuracy by the length of sentences, the length of arcs and the distance from the root (after McDonald & Nivre
//!   2007 and Ma & Zhao 2012). Sentences are those of the treebank, so accuracy is UAS there. Arcs and distances are those of
//!   the gold tree, which give a recall, and of the predicted tree, which give a precision; drawn is their harmonic mean, F1.
//! * calibration: how many heads are right against how probable they were said to be, and how many are so probable.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::Figure;
use super::axis::Axis;
use super::line::{self, Names, range, seeds_together, words_if_any};
use super::panel::{Line, Panel};
use crate::frame::Frame;
use crate::tables::blocks::pruning_labels;
use crate::tables::learners::{GROUP, PLACE};
use crate::tables::table::plain_sheet;
use treebound_records::ReportError;
use treebound_records::calibration::{BINS, Bin, CERTAIN};
use treebound_records::number::{fixed, percent};
use treebound_records::sheet::Sheet;

/// Rows of panels under headings.
type Rows = Vec<(String, Vec<Panel>)>;

/// The lines of rows, in order, with what they are called: how each model was learnt, and how it decodes.
fn named_lines(rows: &Frame) -> Result<(Frame, Names), ReportError> {
    let lines = rows.lines()?.sorted(&PLACE)?;
    let names = Names::new(&[words_if_any(&lines, "learner")?, lines.words("decoder")?]);
    Ok((lines, names))
}

/// A row for each model, with headings that say which.
fn rows_by_model(
    names: &Names,
    lines: &Frame,
    panels: impl Fn(Range<usize>) -> Vec<Panel>,
    heading: impl Fn(String, Range<usize>) -> String,
) -> Result<Rows, ReportError> {
    let columns = ["corpus", "split", "tags", "templates", "backbone"].map(|name| lines.words(name));
    let [corpus, split, tags, templates, backbone] = columns;
    let (corpus, split, tags, templates, backbone) = (corpus?, split?, tags?, templates?, backbone?);
    let prunings = pruning_labels(lines)?;
    let row = |run: Range<usize>| {
        let at = run.start;
        let group = format!("{}, {} part, {} tags, pruning {}", corpus[at], split[at], tags[at], prunings[at]);
        let words = vec![group, format!("{}, {}", templates[at], backbone[at])];
        (heading(names.heading(words, at), run.clone()), panels(run))
    };
    let runs = lines.runs(&[&GROUP[..], &["backbone", "templates"]].concat())?;
    Ok(runs.into_iter().map(row).collect())
}

/// The view beside which differences are drawn.
const ARC_LENGTH: &str = "arc-length";

/// What the breakdown shows: classes of the gold tree, and those of the predicted one.
const VIEWS: [View; 3] = [
    View { gold: "sentence-length", predicted: None, x_label: "words of the sentence", y_label: "UAS (%)" },
    View {
        gold: ARC_LENGTH,
        predicted: Some("predicted-arc-length"),
        x_label: "length of the arc",
        y_label: "F1 of arcs (%)",
    },
    View {
        gold: "depth",
        predicted: Some("predicted-depth"),
        x_label: "arcs from the root to the word",
        y_label: "F1 of arcs (%)",
    },
];

/// Classes of fewer words of the treebank are not drawn: their accuracies move by chance.
const LEAST_WORDS: u64 = 50;

struct View {
    /// What classes are told apart by, as the file names it.
    gold: &'static str,
    predicted: Option<&'static str>,
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

/// The points of each line, view by view.
type Points = Vec<[BTreeMap<Class, Point>; VIEWS.len()]>;

/// The breakdown figure of `breakdown.csv`, sums over all seeds.
///
/// # Errors
/// If the rows are not those of such a file.
pub fn breakdown(rows: &Frame) -> Result<Figure, ReportError> {
    let (lines, names) = named_lines(rows)?;
    let places: BTreeMap<String, usize> = lines.words("line")?.into_iter().zip(0..).collect();
    let mut points: Points = lines.words("line")?.iter().map(|_| Default::default()).collect();
    let (by, classes) = (rows.words("by")?, rows.words("class")?);
    let [class_places, words, correct] = ["place", "words", "correct"].map(|name| rows.counts(name));
    let (class_places, words, correct) = (class_places?, words?, correct?);
    for (row, line) in rows.words("line")?.iter().enumerate() {
        for (view, points) in VIEWS.iter().zip(&mut points[places[line]]) {
            let is_predicted = view.predicted == Some(&by[row]);
            if view.gold == by[row] || is_predicted {
                let class = (class_places[row].unwrap_or(0), classes[row].clone());
                let point = points.entry(class).or_default();
                let counts = if is_predicted { point.predicted.get_or_insert_default() } else { &mut point.gold };
                *counts = [counts[0] + words[row].unwrap_or(0), counts[1] + correct[row].unwrap_or(0)];
            }
        }
    }
    let panels =
        |run: Range<usize>| (0..VIEWS.len()).flat_map(|view| view_panels(&names, &points, run.clone(), view)).collect();
    let drawn = rows_by_model(&names, &lines, panels, |heading, _| heading)?;
    let note = format!(
        "UAS by the length of sentences. F1 of arcs of a length, and of words so far from the root: recall over the gold tree, \
         precision over the predicted one. Classes of fewer than {LEAST_WORDS} words are left out; {}.",
        seeds_together(rows)?
    );
    Ok(Figure::new("breakdown", breakdown_sheet(&points, &lines)?, line::draw(drawn, &names.lines, note)))
}

/// The panel of a view; beside that of arcs, whose accuracies differ so much that lines lie on each other, what lies between
/// each line and the first.
fn view_panels(names: &Names, points: &Points, run: Range<usize>, at: usize) -> Vec<Panel> {
    let view = &VIEWS[at];
    let drawn = |row: usize| points[row][at].iter().filter(|(_, point)| point.is_drawn());
    let classes: BTreeSet<&Class> = run.clone().flat_map(drawn).map(|(class, _)| class).collect();
    let place = |class: &Class| classes.iter().position(|other| *other == class);
    let point = |(class, point): (&Class, &Point)| Some((place(class)? as f64, point.accuracy_pct()?));
    let lines = names.lines_through(run.clone(), |row| drawn(row).filter_map(point).collect());
    // The axis holds `ends` too, or every value where they are no range.
    let panel = |lines: Vec<Line>, ends: (f64, f64), y_label: String| {
        let (low, high) = range(&lines, ends);
        let x = Axis::categories(classes.iter().map(|(_, name)| short_class(name)));
        line::panel((x, view.x_label), (Axis::between(low, high, 6), y_label), lines)
    };
    let mut panels = vec![panel(lines.clone(), (100.0, 0.0), view.y_label.to_owned())];
    if let (ARC_LENGTH, [base, _, ..]) = (view.gold, &lines[..]) {
        let above_base = |line: &Line| {
            let base_at = |x: f64| base.points.iter().find(|dot| dot.x == x).map(|dot| dot.y);
            let points = line.points.iter().filter_map(|dot| Some((dot.x, dot.y - base_at(dot.x)?).into()));
            Line { look: line.look, points: points.collect() }
        };
        let first = &names.lines[names.place(run.start)];
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

fn breakdown_sheet(points: &Points, lines: &Frame) -> Result<Sheet, ReportError> {
    let mut rows: Vec<(usize, &View, &Class, Point)> = Vec::new();
    for (line, views) in points.iter().enumerate() {
        for (view, points) in VIEWS.iter().zip(views) {
            rows.extend(points.iter().map(|(class, point)| (line, view, class, *point)));
        }
    }
    let places: Vec<usize> = rows.iter().map(|row| row.0).collect();
    let rows = || rows.iter();
    Ok(plain_sheet(&lines.rows(&places)?, &[])?
        .text("by", rows().map(|row| row.1.gold))
        .text("class", rows().map(|row| &row.2.1))
        .count("words", rows().map(|row| Some(row.3.gold[0])))
        .count("correct", rows().map(|row| Some(row.3.gold[1])))
        .count("predicted_words", rows().map(|row| Some(row.3.predicted?[0])))
        .count("predicted_correct", rows().map(|row| Some(row.3.predicted?[1])))
        .fixed("recall_pct", 4, rows().map(|row| pct(row.3.gold)))
        .fixed("precision_pct", 4, rows().map(|row| pct(row.3.predicted?)))
        .fixed("accuracy_pct", 4, rows().map(|row| row.3.accuracy_pct())))
}

/// Bins of fewer words are not drawn in the calibration figure: their accuracies move by chance.
const LEAST_WORDS_OF_BIN: u64 = 20;

/// The line on which heads are as often right as was said.
const EXACT: &str = "as said";

/// The bins of a line, by number, all its seeds together; those without words may be missing.
///
/// Words fall into ten bins by the probability of their head. The expected calibration error (Naeini, Cooper & Hauskrecht 2015)
/// is the mean, over words, of how far the share that is right lies from the mean probability of their bin.
#[derive(Clone, Debug, Default)]
struct Bins(BTreeMap<u64, Bin>);

impl Bins {
    /// All words.
    fn all(&self) -> Bin {
        let mut all = Bin::default();
        self.0.values().for_each(|bin| all.add(*bin));
        all
    }

    /// The expected calibration error in percentage points; none of no words.
    fn expected_error_points(&self) -> Option<f64> {
        let apart = self.0.values().map(Bin::apart_e6).fold(0, u64::saturating_add);
        percent(apart, self.all().words.saturating_mul(CERTAIN))
    }
}

/// The calibration figure of `calibration.csv`, all seeds together.
///
/// # Errors
/// If the rows are not those of such a file.
pub fn calibration(rows: &Frame) -> Result<Figure, ReportError> {
    let (lines, mut names) = named_lines(rows)?;
    let places: BTreeMap<String, usize> = lines.words("line")?.into_iter().zip(0..).collect();
    let mut found: Vec<Bins> = vec![Bins::default(); lines.height()];
    let [numbers, words, correct, said] = ["bin", "words", "correct", "probability_e6"].map(|name| rows.counts(name));
    let (numbers, words, correct, said) = (numbers?, words?, correct?, said?);
    for (row, line) in rows.words("line")?.iter().enumerate() {
        let count = |counts: &[Option<u64>]| counts[row].unwrap_or(0);
        let own = Bin { words: count(&words), correct: count(&correct), probability_e6: count(&said) };
        found[places[line]].0.entry(count(&numbers)).or_default().add(own);
    }
    let exact = names.lines.len();
    names.lines.push(EXACT.to_owned());
    let panels = |run: Range<usize>| vec![reliability(&names, exact, &found, run.clone()), sizes(&names, &found, run)];
    let heading = |heading: String, run: Range<usize>| {
        let errors = found[run].iter().filter_map(Bins::expected_error_points);
        format!("{heading}: error {}", errors.map(|error| fixed(error, 2)).collect::<Vec<_>>().join(", "))
    };
    let drawn = rows_by_model(&names, &lines, panels, heading)?;
    let note = format!(
        "Scored words by the probability of the head that they were given, in {BINS} bins; those of fewer than \
         {LEAST_WORDS_OF_BIN} words are left out on the left. error: expected calibration error in points, in the order of the \
         legend; {}.",
        seeds_together(rows)?
    );
    Ok(Figure::new("calibration", calibration_sheet(&found, &lines)?, line::draw(drawn, &names.lines, note)))
}

fn reliability(names: &Names, exact: usize, found: &[Bins], run: Range<usize>) -> Panel {
    let points = |row: usize| {
        let drawn = found[row].0.values().filter(|bin| bin.words >= LEAST_WORDS_OF_BIN);
        drawn.filter_map(|bin| Some((bin.said_pct()?, bin.right_pct()?))).collect()
    };
    let mut lines = vec![line::line(exact, vec![(0.0, 0.0), (100.0, 100.0)])];
    lines.extend(names.lines_through(run, points));
    let axis = || Axis::between(0.0, 100.0, 10);
    line::panel((axis(), "mean probability of the heads (%)"), (axis(), "right (%)".to_owned()), lines)
}

fn sizes(names: &Names, found: &[Bins], run: Range<usize>) -> Panel {
    let middle = |bin: u64| (2 * bin - 1) as f64 * 50.0 / BINS as f64;
    let points = |row: usize| {
        let all = found[row].all().words;
        let bins = found[row].0.iter();
        bins.filter_map(|(bin, counts)| Some((middle(*bin), percent(counts.words, all)?))).collect()
    };
    let lines = names.lines_through(run, points);
    let (_, high) = range(&lines, (0.0, 0.0));
    let (x, y) = (Axis::between(0.0, 100.0, 10), Axis::between(0.0, high, 6));
    line::panel((x, "bin of probabilities (%)"), (y, "words (%)".to_owned()), lines)
}

fn calibration_sheet(found: &[Bins], lines: &Frame) -> Result<Sheet, ReportError> {
    let of_line =
        |(line, bins): (usize, &Bins)| bins.0.iter().map(|(&bin, &counts)| (line, bin, counts)).collect::<Vec<_>>();
    let rows: Vec<(usize, u64, Bin)> = found.iter().enumerate().flat_map(of_line).collect();
    let places: Vec<usize> = rows.iter().map(|row| row.0).collect();
    let rows = || rows.iter();
    Ok(plain_sheet(&lines.rows(&places)?, &[])?
        .count("bin", rows().map(|row| Some(row.1)))
        .count("words", rows().map(|row| Some(row.2.words)))
        .count("correct", rows().map(|row| Some(row.2.correct)))
        .fixed("probability_pct", 4, rows().map(|row| row.2.said_pct()))
        .fixed("right_pct", 4, rows().map(|row| row.2.right_pct()))
        .fixed("expected_error_points", 4, rows().map(|row| found[row.0].expected_error_points())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bins(rows: &[(u64, u64, u64, u64)]) -> Bins {
        let mut bins = Bins::default();
        for &(bin, words, correct, probability_e6) in rows {
            bins.0.entry(bin).or_default().add(Bin { words, correct, probability_e6 });
        }
        bins
    }

    #[test]
    fn errors_of_bins_do_not_cancel() {
        // Ten words at 0.95 of which all are right, ten at 0.45 of which four are: 0.5 and 0.5 of 20 words.
        let found = bins(&[(10, 10, 10, 9_500_000), (5, 10, 4, 4_500_000)]);
        assert_eq!(found.expected_error_points(), Some(5.0));
        assert_eq!((found.all().said_pct(), found.all().right_pct()), (Some(70.0), Some(70.0)));
        // Of two seeds together 19 of 20 are right.
        let found = bins(&[(10, 10, 10, 9_500_000), (10, 10, 9, 9_500_000)]);
        assert_eq!(found.expected_error_points(), Some(0.0));
        assert_eq!(bins(&[(1, 0, 0, 0)]).expected_error_points(), None);
    }
}
