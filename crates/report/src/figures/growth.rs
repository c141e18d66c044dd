//! The growth figure: time and memory against what they grow with. It depends on the machine.

use std::collections::BTreeSet;
use std::ops::Range;

use polars::prelude::{DataType, Expr, NULL, col, lit, when};

use super::Figure;
use super::axis::{Axis, is_wide};
use super::line;
use super::panel::Panel;
use crate::frame::{BASELINE, Frame};
use crate::tables::table::plain_sheet;
use treebound_records::ReportError;
use treebound_records::sheet::Sheet;

/// What a plot shows of a row: its label, and the column of the value.
type Quantity = (&'static str, &'static str);

const PARSE: Quantity = ("parse time per sentence (ms)", "ms_per_sentence");
const CALLS: Quantity = ("DP calls per sentence", "calls_per_sentence");
const PARSE_MEMORY: Quantity = ("peak memory of parsing (MiB)", "parse_peak_mib");
const LEARN: Quantity = ("training time (s)", "learning_s");
const LEARN_MEMORY: Quantity = ("peak memory of training (MiB)", "train_peak_mib");

/// The columns that are made of those of `growth.csv`.
fn made() -> Vec<Expr> {
    let real = |name: &str| col(name).cast(DataType::Float64);
    let known = |is_known: Expr, value: Expr| when(is_known).then(value).otherwise(lit(NULL));
    let parse_s = || (col("prune_ns") + col("score_ns") + col("decode_ns")).cast(DataType::Float64) / lit(1e9);
    let learning_s = (col("pruner_ns") + col("train_ns")).cast(DataType::Float64) / lit(1e9);
    let is_parsed = || col("sentences").gt(lit(0));
    vec![
        learning_s.alias("learning_s"),
        known(is_parsed(), lit(1e3) * parse_s() / real("sentences")).alias("ms_per_sentence"),
        known(is_parsed(), real("dp_calls") / real("sentences")).alias("calls_per_sentence"),
        known(parse_s().gt(lit(0.0)), real("words") / parse_s()).alias("words_per_s"),
        (real("parse_peak_kib") / lit(1024.0)).alias("parse_peak_mib"),
        (real("train_peak_kib") / lit(1024.0)).alias("train_peak_mib"),
    ]
}

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

/// The axis whose sets grow from point to point.
const FAMILIES: &str = "families";

/// The figure of `growth.csv`.
///
/// # Errors
/// If the rows are not those of such a file.
pub fn growth(rows: &Frame) -> Result<Figure, ReportError> {
    let axes = rows.words("axis")?;
    let place = |axis: &String| KINDS.iter().position(|kind| kind.name == axis).unwrap_or(KINDS.len()) as u64;
    let places = polars::prelude::Column::new("axis.order".into(), axes.iter().map(place).collect::<Vec<u64>>());
    // Lines: one of each set, in the order of sets, and behind those that of sets that grow.
    let line = when(col("axis").eq(lit(FAMILIES))).then(lit(u32::MAX)).otherwise(col("features.order"));
    let grows = when(col("axis").eq(lit(FAMILIES))).then(lit(0_u32)).otherwise(col("features.order") + lit(1_u32));
    let made =
        [&made()[..], &[line.alias("line"), grows.alias("set"), col("value").is_null().alias("is_all")]].concat();
    let rows = rows.clone().with_order("features")?.with(places)?.query(|rows| rows.with_columns(made))?;
    let rows = rows.sorted(&["axis.order", "set", "is_all", "value", "features.order"])?;
    let (axes, sets, own) = (rows.words("axis")?, rows.words("features")?, rows.counts("line")?);
    let lines: BTreeSet<Option<u64>> = own.iter().copied().collect();
    let name = |line: &Option<u64>| {
        let row = own.iter().position(|own| own == line).filter(|&row| axes[row] != FAMILIES);
        row.map_or_else(|| ONE_BY_ONE.to_owned(), |row| sets[row].clone())
    };
    let names: Vec<String> = lines.iter().map(name).collect();
    let looks: Vec<usize> = own.iter().map(|line| lines.iter().position(|other| other == line).unwrap_or(0)).collect();
    let mut panels = Vec::new();
    for run in rows.runs(&["axis"])? {
        let Some(kind) = KINDS.iter().find(|kind| kind.name == axes[run.start]) else { continue };
        let panel = |quantity: &Quantity| panel(kind, *quantity, &rows, run.clone(), &looks);
        panels.push((kind.heading.to_owned(), kind.plots.iter().map(panel).collect::<Result<Vec<_>, _>>()?));
    }
    let mut note =
        "One thread, synthetic treebanks but for shares of a corpus; the middle one of several passes. Training time is that of the pruner \
                    and the weights; memory is the largest resident set of a process that does nothing else."
            .to_owned();
    let growing = sets.iter().zip(&axes).filter(|(_, axis)| *axis == FAMILIES).map(|(set, _)| set.as_str());
    if let Some(added) = one_by_one(&growing.collect::<Vec<_>>()) {
        note.push_str(&format!(" Families are added in this order: {}.", added.join(", ")));
    }
    Ok(Figure::new("growth", sheet(&rows)?, line::draw(panels, &names, note)))
}

/// The families in the order in which sets gain them, if each has one more than the one before.
fn one_by_one<'s>(sets: &[&'s str]) -> Option<Vec<&'s str>> {
    let mut added: Vec<&str> = Vec::new();
    for set in sets.iter().skip(1) {
        let families = set.split('+').filter(|family| *family != BASELINE);
        let mut new = families.filter(|family| !added.contains(family)).collect::<Vec<_>>().into_iter();
        let (Some(one), None) = (new.next(), new.next()) else { return None };
        added.push(one);
    }
    (!added.is_empty()).then_some(added)
}

fn panel(
    kind: &Kind,
    (label, column): Quantity,
    rows: &Frame,
    run: Range<usize>,
    looks: &[usize],
) -> Result<Panel, ReportError> {
    let (values, on_axis) = (rows.numbers(column)?, rows.numbers("value")?);
    let mut places: Vec<Option<f64>> = on_axis[run.clone()].to_vec();
    places.sort_by(|a, b| a.unwrap_or(f64::INFINITY).total_cmp(&b.unwrap_or(f64::INFINITY)));
    places.dedup();
    let thousands = if kind.name == "size" { 1000.0 } else { 1.0 };
    let x_of = |row: usize| match kind.scale {
        Scale::Categories => places.iter().position(|place| *place == on_axis[row]).map(|i| i as f64),
        _ => on_axis[row].map(|value| value / thousands),
    };
    let own: Vec<usize> = run.collect();
    let point = |&row: &usize| Some((x_of(row)?, values[row]?));
    let line = |rows: &[usize]| line::line(looks[rows[0]], rows.iter().filter_map(point).collect());
    let lines: Vec<_> = own.chunk_by(|&a, &b| looks[a] == looks[b]).map(line).collect();
    let values: Vec<f64> = lines.iter().flat_map(|line| &line.points).map(|dot| dot.y).collect();
    let numbers: Vec<f64> = places.iter().flatten().map(|place| place / thousands).collect();
    let is_logarithmic = kind.scale == Scale::Logarithmic;
    let x = match kind.scale {
        Scale::Categories => Axis::categories(places.iter().map(|place| place.map_or("all".into(), |v| v.to_string()))),
        _ => Axis::of(&numbers, is_logarithmic && differ(&numbers)),
    };
    let y = Axis::of(&values, differ(&values) && (is_logarithmic || is_wide(&values)));
    Ok(line::panel((x, kind.x_label), (y, label.to_owned()), lines))
}

fn differ(values: &[f64]) -> bool {
    values.iter().any(|value| Some(value) != values.first())
}

fn sheet(rows: &Frame) -> Result<Sheet, ReportError> {
    let names = ["axis", "value", "features", "template_set", "pruning", "templates", "train_words"];
    Ok(plain_sheet(rows, &names)?
        .fixed("train_s", 3, rows.numbers("learning_s")?)
        .fixed("train_peak_mib", 1, rows.numbers("train_peak_mib")?)
        .fixed("dp_calls_per_sentence", 4, rows.numbers("calls_per_sentence")?)
        .fixed("ms_per_sentence", 4, rows.numbers("ms_per_sentence")?)
        .fixed("words_per_s", 0, rows.numbers("words_per_s")?)
        .fixed("parse_peak_mib", 1, rows.numbers("parse_peak_mib")?))
}
