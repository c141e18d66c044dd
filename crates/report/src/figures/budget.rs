//! The budget figure: accuracy and proofs with the search stopped after so many DP calls. It is the same on every machine.

use std::collections::{BTreeMap, BTreeSet};

use super::axis::Axis;
use super::figure::Figure;
use super::names::Names;
use super::plots::{Plot, Plots, Row, seeds_together};
use crate::tables::block::{Block, decoder_label, other_backbone, pruning_label, set_label, several_templates};
use treebound_core::decode::Backbone;
use treebound_parser::cell::Setting;
use treebound_records::SearchRow;
use treebound_records::number::percent;
use treebound_records::sheet::Sheet;

/// Most DP calls of a search; the one without a limit comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Budget {
    Calls(u64),
    NoLimit,
}

impl Budget {
    fn of(way: &str) -> Self {
        way.parse().map_or(Self::NoLimit, Self::Calls)
    }

    fn calls(self) -> Option<u64> {
        match self {
            Self::Calls(calls) => Some(calls),
            Self::NoLimit => None,
        }
    }
}

impl std::fmt::Display for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Calls(calls) => write!(f, "{calls}"),
            Self::NoLimit => f.write_str("no limit"),
        }
    }
}

/// A setting decoded on one budget, summed over its seeds.
type Point<'a> = (&'a Setting, Budget, &'a SearchRow);

/// The figure: one line a setting, sums over all seeds.
pub fn budget(all: &[SearchRow]) -> Figure {
    let mut sums: BTreeMap<(Setting, Budget), SearchRow> = BTreeMap::new();
    for row in all {
        let key = (row.cell.setting.clone(), Budget::of(&row.way));
        sums.entry(key).and_modify(|sum| sum.add(row)).or_insert_with(|| row.clone());
    }
    let mut points: Vec<Point> = sums.iter().map(|((setting, budget), sum)| (setting, *budget, sum)).collect();
    points.sort_by(|a, b| (place(a.0), a.1).cmp(&(place(b.0), b.1)));
    let budgets: Vec<Budget> = points.iter().map(|p| p.1).collect::<BTreeSet<_>>().into_iter().collect();
    let names = Names::of(points.iter().map(|point| point.0), line_of);
    let several_templates = several_templates(points.iter().map(|point| point.0));
    let same_row = |a: &Point, b: &Point| row_of(a.0) == row_of(b.0);
    let rows = points.chunk_by(same_row).map(|points| Row {
        heading: heading(&names, several_templates, points[0].0),
        plots: vec![
            plot(&names, &budgets, points, "UAS (%)", |sum| percent(sum.scored_correct, sum.scored_tokens)),
            plot(&names, &budgets, points, "sentences proven (%)", |sum| percent(sum.proven, sum.sentences)),
        ],
    });
    let note = format!(
        "The search stops after so many calls to the dynamic program and gives the best tree found; {}.",
        seeds_together(all.iter().map(|row| &*row.cell))
    );
    let rows = rows.collect();
    Figure::of_plots("budget", sheet(&points), Plots { rows, lines: names.lines.clone(), note })
}

fn plot(
    names: &Names,
    budgets: &[Budget],
    points: &[Point],
    label: &str,
    value: impl Fn(&SearchRow) -> Option<f64>,
) -> Plot {
    let of_line = |points: &[Point]| {
        let places = points.iter().filter_map(|(_, budget, sum)| {
            let x = budgets.iter().position(|b| b == budget)?;
            Some((x as f64, value(sum)?))
        });
        (names.place(points[0].0), places.collect())
    };
    let lines: Vec<(usize, Vec<(f64, f64)>)> = points.chunk_by(|a, b| a.0 == b.0).map(of_line).collect();
    let values = || lines.iter().flat_map(|(_, points)| points).map(|point| point.1);
    let (low, high) = (values().fold(100.0, f64::min), values().fold(0.0, f64::max));
    // Differences of a hundredth of a point should not look like mountains, and nothing lies above 100 %.
    let apart = |(low, high): (f64, f64)| if high - low < 0.5 { (low - 0.25, high + 0.25) } else { (low, high) };
    let (low, high) = if high < 99.5 { apart((low, high)) } else { (low.min(99.0), 100.0) };
    Plot {
        x: Axis::categories(budgets.iter().map(ToString::to_string)),
        x_label: "DP calls a sentence at most".to_owned(),
        y: Axis::between(low, high, 6),
        y_label: label.to_owned(),
        lines,
    }
}

/// What the lines of a row share.
fn row_of(setting: &Setting) -> (Block<'_>, Option<Backbone>) {
    (Block::of(setting), setting.backbone())
}

/// What tells the lines of a row apart: features, pruning and decoder, for people.
fn line_of(setting: &Setting) -> Vec<String> {
    vec![set_label(setting.features.as_ref()), pruning_label(setting.pruning), decoder_label(setting)]
}

/// Where a line stands: by row, then small sets first, then most candidates first.
fn place(setting: &Setting) -> impl Ord + '_ {
    (row_of(setting), &setting.features, setting.pruning, setting.decoder())
}

/// What stands over a row.
fn heading(names: &Names, several_templates: bool, setting: &Setting) -> String {
    let mut parts = vec![Block::of(setting).words(several_templates)];
    parts.extend(other_backbone(setting).map(|backbone| backbone.to_string()));
    parts.extend(names.parts(setting, false));
    parts.join(", ")
}

fn sheet(points: &[Point]) -> Sheet {
    let rows = || points.iter();
    let count = |value: fn(&SearchRow) -> u64| rows().map(move |(_, _, sum)| Some(value(sum)));
    Sheet::default()
        .settings(rows().map(|(setting, ..)| *setting))
        .count("dp_calls_at_most", rows().map(|(_, budget, _)| budget.calls()))
        .count("sentences", count(|sum| sum.sentences))
        .count("proven", count(|sum| sum.proven))
        .count("dp_calls", count(|sum| sum.dp_calls))
        .count("scored_tokens", count(|sum| sum.scored_tokens))
        .count("scored_correct", count(|sum| sum.scored_correct))
        .fixed("uas_pct", 4, rows().map(|(_, _, sum)| percent(sum.scored_correct, sum.scored_tokens)))
        .fixed("proven_pct", 4, rows().map(|(_, _, sum)| percent(sum.proven, sum.sentences)))
        .fixed("dp_calls_per_sentence", 4, rows().map(|(_, _, sum)| Some(sum.dp_calls_per_sentence())))
}
