//! The growth figure: time and memory against what they grow with. It depends on the machine.

use super::Figure;
use super::axis::{Axis, is_wide};
use super::line;
use super::panel::Panel;
use treebound_parser::cell::FeatureSet;
use treebound_parser::features::Family;
use treebound_records::sheet::Sheet;
use treebound_records::{GrowthRow, mib};

/// What a plot shows of a row: its label, and the value.
type Quantity = (&'static str, fn(&GrowthRow) -> Option<f64>);

const PARSE: Quantity = ("parse time per sentence (ms)", GrowthRow::ms_per_sentence);
const CALLS: Quantity = ("DP calls per sentence", GrowthRow::dp_calls_per_sentence);
const PARSE_MEMORY: Quantity = ("peak memory of parsing (MiB)", |row| mib(row.parse_peak_kib));
const LEARN: Quantity = ("training time (s)", |row| Some(row.learning_s()));
const LEARN_MEMORY: Quantity = ("peak memory of training (MiB)", |row| mib(row.train_peak_kib));

/// How time and memory against an axis are drawn.
struct Kind {
    name: &'static str,
    heading: &'static str,
    x_label: &'static str,
    scale: Scale,
    plots: [Quantity; 3],
}

const fn kind(name: &'static str, heading: &'static str, x_label: &'static str, scale: Scale) -> Kind {
    Kind { name, heading, x_label, scale, plots: [PARSE, LEARN, LEARN_MEMORY] }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scale {
    /// The distances of values say nothing.
    Categories,
    /// Equal distances are equal differences.
    Linear,
    /// Equal distances are equal factors, on both axes: what grows as a power is a straight line.
    Logarithmic,
}

const KINDS: [Kind; 6] = [
    Kind {
        plots: [PARSE, CALLS, PARSE_MEMORY],
        ..kind("length", "Sentence length", "sentence length (words)", Scale::Logarithmic)
    },
    kind("k", "Candidate heads", "heads a word, k", Scale::Categories),
    kind("templates", "Templates", "templates", Scale::Linear),
    kind("families", "Families of non-local features", "families", Scale::Categories),
    kind("size", "Size of the treebank", "training words (thousands)", Scale::Logarithmic),
    kind("corpus", "Share of the corpus", "hundredths of the training part", Scale::Logarithmic),
];

/// The line of the families: its sets grow from point to point.
const ONE_BY_ONE: &str = "families added one by one";

/// The figure.
pub fn growth(rows: &[GrowthRow]) -> Figure {
    let mut rows = rows.to_vec();
    rows.sort_by(|a, b| place(a).cmp(&place(b)));
    let mut lines: Vec<Line> = rows.iter().map(line_of).collect();
    lines.sort();
    lines.dedup();
    let row = |kind: &Kind| {
        let rows: Vec<&GrowthRow> = rows.iter().filter(|row| row.axis == kind.name).collect();
        let panels = || kind.plots.iter().map(|quantity| panel(kind, *quantity, &rows, &lines)).collect();
        (!rows.is_empty()).then(|| (kind.heading.to_owned(), panels()))
    };
    let mut note =
        "One thread, synthetic treebanks but for shares of a corpus; the middle one of several passes. Training time is that of the pruner \
                    and the weights; memory is the largest resident set of a process that does nothing else."
            .to_owned();
    let sets: Vec<&FeatureSet> = rows.iter().filter(|row| row.axis == "families").map(|row| &row.features).collect();
    if let Some(added) = one_by_one(&sets) {
        note.push_str(&format!(" Families are added in this order: {}.", added.join(", ")));
    }
    let names: Vec<String> =
        lines.iter().map(|line| line.map_or_else(|()| ONE_BY_ONE.to_owned(), ToString::to_string)).collect();
    let panels = KINDS.iter().filter_map(row).collect();
    Figure::new("growth", sheet(&rows), line::draw(panels, &names, note))
}

/// A line: of one set, or, behind those, that of sets that grow.
type Line<'a> = Result<&'a FeatureSet, ()>;

fn line_of(row: &GrowthRow) -> Line<'_> {
    if row.axis == "families" { Err(()) } else { Ok(&row.features) }
}

/// Where a row stands: by axis, then small sets first, then by value, with no limit last.
fn place(row: &GrowthRow) -> impl Ord + '_ {
    let axis = KINDS.iter().position(|kind| kind.name == row.axis).unwrap_or(KINDS.len());
    let one_by_one = row.axis != "families";
    (axis, one_by_one.then_some(&row.features), row.value.is_none(), row.value, &row.features)
}

/// The families in the order in which sets gain them, if each has one more than the one before.
fn one_by_one(sets: &[&FeatureSet]) -> Option<Vec<&'static str>> {
    let mut added: Vec<Family> = Vec::new();
    for set in sets.iter().skip(1) {
        let mut new = set.families().iter().filter(|family| !added.contains(family));
        let (Some(&one), None) = (new.next(), new.next()) else { return None };
        added.push(one);
    }
    (!added.is_empty()).then(|| added.into_iter().map(Family::name).collect())
}

fn panel(kind: &Kind, (label, value): Quantity, rows: &[&GrowthRow], lines: &[Line]) -> Panel {
    let mut places: Vec<Option<i64>> = rows.iter().map(|row| row.value).collect();
    places.sort_by_key(|value| (value.is_none(), *value));
    places.dedup();
    let thousands = if kind.name == "size" { 1000.0 } else { 1.0 };
    let number = |value: i64| value as f64 / thousands;
    let x_of = |row: &GrowthRow| match kind.scale {
        Scale::Categories => places.iter().position(|place| *place == row.value).map(|i| i as f64),
        _ => row.value.map(number),
    };
    let same_line = |a: &&GrowthRow, b: &&GrowthRow| line_of(a) == line_of(b);
    let line = |rows: &[&GrowthRow]| {
        let n = lines.iter().position(|name| *name == line_of(rows[0])).unwrap_or(0);
        line::line(n, rows.iter().filter_map(|row| Some((x_of(row)?, value(row)?))).collect())
    };
    let lines: Vec<_> = rows.chunk_by(same_line).map(line).collect();
    let values: Vec<f64> = lines.iter().flat_map(|line| &line.points).map(|dot| dot.y).collect();
    let numbers: Vec<f64> = places.iter().filter_map(|place| place.map(number)).collect();
    let is_logarithmic = kind.scale == Scale::Logarithmic;
    let x = match kind.scale {
        Scale::Categories => Axis::categories(places.iter().map(|place| place.map_or("all".into(), |v| v.to_string()))),
        _ => Axis::of(&numbers, is_logarithmic && differ(&numbers)),
    };
    let y = Axis::of(&values, differ(&values) && (is_logarithmic || is_wide(&values)));
    line::panel((x, kind.x_label), (y, label.to_owned()), lines)
}

fn differ(values: &[f64]) -> bool {
    values.iter().any(|value| Some(value) != values.first())
}

fn sheet(rows: &[GrowthRow]) -> Sheet {
    let all = || rows.iter();
    Sheet::default()
        .text("axis", all().map(|row| &row.axis))
        .count("value", all().map(|row| row.value.and_then(|value| u64::try_from(value).ok())))
        .text("features", all().map(|row| row.features.to_string()))
        .text("template_set", all().map(|row| &row.template_set))
        .text("pruning", all().map(|row| row.pruning.to_string()))
        .count("templates", all().map(|row| Some(row.templates)))
        .count("train_words", all().map(|row| Some(row.train_words)))
        .fixed("train_s", 3, all().map(|row| Some(row.learning_s())))
        .fixed("train_peak_mib", 1, all().map(|row| mib(row.train_peak_kib)))
        .fixed("dp_calls_per_sentence", 4, all().map(GrowthRow::dp_calls_per_sentence))
        .fixed("ms_per_sentence", 4, all().map(GrowthRow::ms_per_sentence))
        .fixed("words_per_s", 0, all().map(GrowthRow::words_per_s))
        .fixed("parse_peak_mib", 1, all().map(|row| mib(row.parse_peak_kib)))
}
