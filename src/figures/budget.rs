//! The budget figure: accuracy and proofs with the search stopped after so many DP calls. It is the same on every machine.

use std::collections::{BTreeMap, BTreeSet};

use super::axis::Axis;
use super::chart::{Chart, Plot, Row};
use crate::records::frame::Columns;
use crate::records::number::{counted, percent};
use crate::records::{ReportError, SearchRow, Setting};
use crate::tables::order::{
    BACKBONE, PruneOrder, backbone_order, decoder_order, features_order, prune_label, split_order, trainer_order,
};

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
///
/// # Errors
/// If the table engine refuses.
pub fn budget(rows: &[SearchRow]) -> Result<Chart, ReportError> {
    let mut seeds: BTreeSet<u64> = BTreeSet::new();
    let mut sums: BTreeMap<(Setting, Budget), SearchRow> = BTreeMap::new();
    for row in rows {
        seeds.insert(row.cell.seed);
        let empty = SearchRow { cell: row.cell.clone(), way: row.way.clone(), ..SearchRow::default() };
        sums.entry((row.cell.setting(), Budget::of(&row.way))).or_insert(empty).add(row);
    }
    let mut points: Vec<Point> = sums.iter().map(|((setting, budget), sum)| (setting, *budget, sum)).collect();
    points.sort_by(|a, b| (place(a.0), a.1).cmp(&(place(b.0), b.1)));
    let budgets: Vec<Budget> = points.iter().map(|p| p.1).collect::<BTreeSet<_>>().into_iter().collect();
    let names = Names::of(&points);
    let same_row = |a: &Point, b: &Point| row_of(a.0) == row_of(b.0);
    let rows = points.chunk_by(same_row).map(|points| Row {
        heading: names.heading(points[0].0),
        plots: vec![
            plot(&names, &budgets, points, "UAS (%)", |sum| percent(sum.scored_correct, sum.scored_tokens)),
            plot(&names, &budgets, points, "sentences proven (%)", |sum| percent(sum.proven, sum.sentences)),
        ],
    });
    let note = format!(
        "The search stops after so many calls to the dynamic program and gives the best tree found; {}.",
        counted(seeds.len() as u64, "training seed", "training seeds together")
    );
    Ok(Chart { name: "budget", rows: rows.collect(), lines: names.lines.clone(), note, csv: csv(&points)? })
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
fn row_of(setting: &Setting) -> [&str; 5] {
    let Setting { corpus, split, tags, trainer, backbone, .. } = setting;
    [corpus, split, tags, trainer, backbone]
}

/// What tells the lines of a row apart.
fn line_of(setting: &Setting) -> [&str; 3] {
    let Setting { features, prune, decoder, .. } = setting;
    [features, prune, decoder]
}

/// Where a line stands: by row, then small sets first, then most candidates first.
fn place(setting: &Setting) -> impl Ord + '_ {
    let Setting { corpus, split, tags, trainer, features, prune, backbone, decoder } = setting;
    let row = (corpus, split_order(split), tags, trainer_order(trainer), backbone_order(backbone));
    (row, features_order(features), PruneOrder::of(prune), decoder_order(decoder))
}

/// Names of lines: what differs between them. What does not stands in the headings.
struct Names {
    differs: [bool; 3],
    lines: Vec<String>,
}

impl Names {
    fn of(points: &[Point]) -> Self {
        let all: BTreeSet<[&str; 3]> = points.iter().map(|point| line_of(point.0)).collect();
        let mut differs = [0, 1, 2].map(|i| all.iter().map(|line| line[i]).collect::<BTreeSet<_>>().len() > 1);
        // A single line still has a name.
        differs[0] |= differs == [false; 3];
        let mut names = Self { differs, lines: Vec::new() };
        for (setting, ..) in points {
            let name = names.name(setting);
            if !names.lines.contains(&name) {
                names.lines.push(name);
            }
        }
        names
    }

    fn parts(&self, setting: &Setting, differing: bool) -> Vec<String> {
        let [features, prune, decoder] = line_of(setting);
        let parts = [features.to_owned(), prune_label(prune), decoder.to_owned()];
        parts.into_iter().zip(self.differs).filter(|(_, differs)| *differs == differing).map(|(part, _)| part).collect()
    }

    fn name(&self, setting: &Setting) -> String {
        self.parts(setting, true).join(", ")
    }

    fn place(&self, setting: &Setting) -> usize {
        let name = self.name(setting);
        self.lines.iter().position(|line| *line == name).unwrap_or(0)
    }

    fn heading(&self, setting: &Setting) -> String {
        let Setting { corpus, split, tags, trainer, backbone, .. } = setting;
        let mut parts = vec![corpus.clone(), format!("{split} part"), format!("{tags} tags"), trainer.clone()];
        parts.extend((backbone != BACKBONE).then(|| backbone.clone()));
        parts.extend(self.parts(setting, false));
        parts.join(", ")
    }
}

fn csv(points: &[Point]) -> Result<Vec<u8>, ReportError> {
    let rows = || points.iter();
    let count = |value: fn(&SearchRow) -> u64| rows().map(move |(_, _, sum)| Some(value(sum)));
    Columns::default()
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
        .csv()
}
