//! The budget figure: accuracy and proofs with the search stopped after so many DP calls. It is the same on every machine.

use std::collections::{BTreeMap, BTreeSet};

use super::Figure;
use super::axis::Axis;
use super::line::{self, Names, range, seeds_together};
use super::panel::Panel;
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

/// Sums over the seeds of a setting, by budget.
type Sums<'a> = BTreeMap<&'a Setting, BTreeMap<Budget, SearchRow>>;

/// The figure: one line a setting, sums over all seeds.
pub fn budget(all: &[SearchRow]) -> Figure {
    let mut sums: Sums = BTreeMap::new();
    for row in all {
        let budget = row.way.parse().map_or(Budget::NoLimit, Budget::Calls);
        let of_setting = sums.entry(&row.cell.setting).or_default();
        of_setting.entry(budget).and_modify(|sum| sum.add(row)).or_insert_with(|| row.clone());
    }
    let mut settings: Vec<&Setting> = sums.keys().copied().collect();
    settings.sort_by(|a, b| place(a).cmp(&place(b)));
    let names = Names::new(settings.iter().copied(), properties);
    let several_templates = several_templates(settings.iter().copied());
    let rows = settings.chunk_by(|a, b| row_of(a) == row_of(b)).map(|row| {
        let mut heading = vec![Block::of(row[0]).words(several_templates)];
        heading.extend(other_backbone(row[0]).map(|backbone| backbone.to_string()));
        let panels = vec![
            panel(&names, &sums, row, "UAS (%)", |sum| percent(sum.scored_correct, sum.scored_tokens)),
            panel(&names, &sums, row, "sentences proven (%)", |sum| percent(sum.proven, sum.sentences)),
        ];
        (names.heading(heading, row[0]), panels)
    });
    let note = format!(
        "The search stops after so many calls to the dynamic program and gives the best tree found; {}.",
        seeds_together(all.iter().map(|row| &*row.cell))
    );
    Figure::new("budget", sheet(&sums, &settings), line::draw(rows.collect(), &names.lines, note))
}

fn panel(
    names: &Names,
    sums: &Sums,
    row: &[&Setting],
    label: &str,
    value: impl Fn(&SearchRow) -> Option<f64>,
) -> Panel {
    let budgets: BTreeSet<Budget> = sums.values().flat_map(BTreeMap::keys).copied().collect();
    let points = |setting: &Setting| {
        let at = |(budget, sum)| Some((budgets.iter().position(|b| b == budget)? as f64, value(sum)?));
        sums[setting].iter().filter_map(at).collect()
    };
    let lines = names.lines_through(row.iter().copied(), points);
    let (low, high) = range(&lines, (100.0, 0.0));
    // Differences of a hundredth of a point should not look like mountains, and nothing lies above 100 %.
    let (low, high) = match (low, high) {
        _ if high >= 99.5 => (low.min(99.0), 100.0),
        _ if high - low < 0.5 => (low - 0.25, high + 0.25),
        ends => ends,
    };
    let x = Axis::categories(budgets.iter().map(|budget| match budget {
        Budget::Calls(calls) => calls.to_string(),
        Budget::NoLimit => "no limit".to_owned(),
    }));
    line::panel((x, "DP calls a sentence at most"), (Axis::between(low, high, 6), label.to_owned()), lines)
}

/// What the lines of a row share.
fn row_of(setting: &Setting) -> (Block<'_>, Option<Backbone>) {
    (Block::of(setting), setting.backbone())
}

/// What tells the lines of a row apart: features, pruning and decoder, for people.
fn properties(setting: &Setting) -> Vec<String> {
    vec![set_label(setting.features()), pruning_label(setting.pruning()), decoder_label(setting)]
}

/// Where a line stands: by row, then small sets first, then most candidates first.
fn place(setting: &Setting) -> impl Ord + '_ {
    (row_of(setting), setting.features(), setting.pruning(), setting.decoder())
}

fn sheet(sums: &Sums, settings: &[&Setting]) -> Sheet {
    let of_setting = |setting: &&Setting| sums[*setting].iter().map(|(budget, sum)| (*budget, sum)).collect::<Vec<_>>();
    let points: Vec<(Budget, &SearchRow)> = settings.iter().flat_map(of_setting).collect();
    let rows = || points.iter().map(|point| point.1);
    let calls = |budget| if let Budget::Calls(calls) = budget { Some(calls) } else { None };
    let count = |value: fn(&SearchRow) -> u64| rows().map(move |sum| Some(value(sum)));
    Sheet::default()
        .settings(rows().map(|sum| &sum.cell.setting))
        .count("dp_calls_at_most", points.iter().map(|point| calls(point.0)))
        .count("sentences", count(|sum| sum.sentences))
        .count("proven", count(|sum| sum.proven))
        .count("dp_calls", count(|sum| sum.dp_calls))
        .count("scored_tokens", count(|sum| sum.scored_tokens))
        .count("scored_correct", count(|sum| sum.scored_correct))
        .fixed("uas_pct", 4, rows().map(|sum| percent(sum.scored_correct, sum.scored_tokens)))
        .fixed("proven_pct", 4, rows().map(|sum| percent(sum.proven, sum.sentences)))
        .fixed("dp_calls_per_sentence", 4, rows().map(|sum| Some(sum.dp_calls_per_sentence())))
}
