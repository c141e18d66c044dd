//! Figures 4 and 5 of the paper: parse time and calls to the dynamic program against sentence length, one line a pruning and
//! decoder, each panel over a histogram of the lengths.

use std::collections::BTreeSet;

use super::Figure;
use super::axis::{Axis, is_skewed, is_wide};
use super::canvas::Look;
use super::panel::{Dot, Histogram, Layout, LegendGroup, Line, Panel, Panels, Row};
use crate::statistics::bins::{Bin, ENOUGH, WIDEST};
use crate::statistics::curves::{self, Panel as Curves, Point, Series};
use crate::tables::block::{Block, other_backbone, pruning_label, set_label, several_templates};
use crate::tables::wrap::wrap_features;
use treebound_core::decode::Decoder;
use treebound_parser::cell::Setting;
use treebound_parser::pruning::Rule;
use treebound_records::number::{counted, grouped, ratio};
use treebound_records::sheet::Sheet;
use treebound_records::{LengthRow, SpeedRow};

/// What is measured.
struct Quantity {
    figure: &'static str,
    label: &'static str,
    /// Units of the totals in one unit of the averages.
    unit: f64,
    samples_column: &'static str,
    total_column: &'static str,
    average_column: &'static str,
    note: fn(&[&Series]) -> String,
}

/// Figure 4: times of timed passes. It depends on the machine.
pub fn figure4(rows: &[SpeedRow]) -> Figure {
    let quantity = Quantity {
        figure: "figure4",
        label: "parse time per sentence (ms)",
        unit: 1e6,
        samples_column: "passes",
        total_column: "time_ns",
        average_column: "ms_per_sentence",
        note: note_of_times,
    };
    figure(&quantity, &curves::times(rows))
}

/// Figure 5: calls to the dynamic program, means over all seeds. It is the same on every machine.
pub fn figure5(rows: &[LengthRow]) -> Figure {
    let quantity = Quantity {
        figure: "figure5",
        label: "DP calls per sentence",
        unit: 1.0,
        samples_column: "seeds",
        total_column: "dp_calls",
        average_column: "dp_calls_per_sentence",
        note: note_of_calls,
    };
    figure(&quantity, &curves::calls(rows))
}

/// Panels side by side.
const ACROSS: usize = 2;
/// Characters of a line of a panel's title.
const TITLE_CHARACTERS: usize = 72;

/// Prunings and decoders of all panels, each in order: which look a series has.
struct Looks {
    prunings: Vec<Option<Rule>>,
    decoders: Vec<Option<Decoder>>,
}

impl Looks {
    fn look(&self, setting: &Setting) -> Look {
        let pruning = self.prunings.iter().position(|pruning| *pruning == setting.pruning()).unwrap_or(0);
        let decoder = self.decoders.iter().position(|decoder| *decoder == setting.decoder()).unwrap_or(0);
        Look::new(pruning, decoder)
    }

    /// The legend: a group a decoder, led by its name if there are several, and an entry a pruning that it was run with.
    fn legend(&self, settings: &[&Setting]) -> Vec<LegendGroup> {
        let group = |decoder: &Option<Decoder>| {
            let is_run = |pruning| settings.iter().find(|s| s.decoder() == *decoder && s.pruning() == pruning);
            let entry =
                |pruning: &Option<Rule>| (pruning_label(*pruning), is_run(*pruning).map(|setting| self.look(setting)));
            let name = decoder.map_or_else(String::new, |decoder| decoder.to_string());
            let entries = self.prunings.iter().map(entry).collect();
            LegendGroup { name: (self.decoders.len() > 1).then_some(name), entries }
        };
        self.decoders.iter().map(group).collect()
    }
}

fn figure(quantity: &Quantity, curves: &[Curves]) -> Figure {
    let series: Vec<&Series> = curves.iter().flat_map(|curves| &curves.series).collect();
    let settings: Vec<&Setting> = series.iter().map(|series| &series.setting).collect();
    let prunings: BTreeSet<Option<Rule>> = settings.iter().map(|setting| setting.pruning()).collect();
    let decoders: BTreeSet<Option<Decoder>> = settings.iter().map(|setting| setting.decoder()).collect();
    let looks = Looks { prunings: prunings.into_iter().collect(), decoders: decoders.into_iter().collect() };
    // As in the paper, axes are linear; but the paper has one decoder, and no sentence much harder than the rest. All panels
    // have logarithmic axes or none has, so that they compare.
    let several = looks.decoders.len() > 1;
    let values = |curves: &Curves| -> Vec<f64> {
        curves.series.iter().flat_map(|series| dots(curves, series, 1.0)).map(|dot| dot.y).collect()
    };
    let is_logarithmic = curves.iter().map(values).any(|v| is_skewed(&v) || several && is_wide(&v));
    let several_templates = several_templates(settings.iter().copied());
    let panel = |curves: &Curves| {
        let title = title(curves, several, several_templates);
        panel(quantity, curves, title, &looks, is_logarithmic)
    };
    let panels: Vec<Panel> = curves.iter().map(panel).collect();
    let row = |panels: &[Panel]| Row { heading: None, panels: panels.to_vec() };
    let mut note = (quantity.note)(&series);
    note.push_str(&format!(
        " A point is one length with {ENOUGH} or more sentences, or neighbouring rarer lengths together (at most {WIDEST} words \
         apart; bars of one shade)."
    ));
    if curves.iter().flat_map(|curves| &curves.bins).any(Bin::is_thin) {
        note.push_str(&format!(" Hollow: fewer than {ENOUGH} sentences."));
    }
    let rows = panels.chunks(ACROSS).map(row).collect();
    let panels = Panels { layout: Layout::WIDE, legend: looks.legend(&settings), rows, note };
    Figure::new(quantity.figure, sheet(quantity, curves), panels.draw())
}

/// What a panel shows, for people. The legend names the decoders if there are several.
fn title(curves: &Curves, several_decoders: bool, several_templates: bool) -> Vec<String> {
    let Some(Series { setting, .. }) = curves.series.first() else { return Vec::new() };
    let mut first = Block::of(setting).words(several_templates);
    if let Some(backbone) = other_backbone(setting) {
        first.push_str(&format!(", {backbone}"));
    }
    if let (false, Some(decoder)) = (several_decoders, setting.decoder()) {
        first.push_str(&format!(", decoder {decoder}"));
    }
    let features = set_label(setting.features());
    if first.chars().count() + features.chars().count() + 2 <= TITLE_CHARACTERS {
        return vec![format!("{first}, {features}")];
    }
    let features = wrap_features(&features, TITLE_CHARACTERS);
    std::iter::once(first).chain(features.lines().map(str::to_owned)).collect()
}

fn panel(quantity: &Quantity, curves: &Curves, title: Vec<String>, looks: &Looks, is_logarithmic: bool) -> Panel {
    let longest = curves.lengths.last().map_or(0, |(length, _)| *length);
    let line =
        |series: &Series| Line { look: looks.look(&series.setting), points: dots(curves, series, quantity.unit) };
    let lines: Vec<Line> = curves.series.iter().map(line).collect();
    let values: Vec<f64> = lines.iter().flat_map(|line| &line.points).map(|dot| dot.y).collect();
    let most = curves.lengths.iter().map(|(_, sentences)| *sentences).max().unwrap_or(0);
    let bar = |&(length, sentences): &(u64, u64)| {
        (length, sentences, curves.bins.iter().position(|bin| bin.holds(length)).unwrap_or(0))
    };
    Panel {
        title,
        // One more, so that the last bar is whole.
        x: Axis::whole(longest.saturating_add(1), 10),
        x_label: "sentence length (words)".to_owned(),
        y: Axis::of(&values, is_logarithmic),
        y_label: quantity.label.to_owned(),
        lines,
        histogram: Some(Histogram {
            y: Axis::whole(most, 3),
            y_label: "sentences",
            bars: curves.lengths.iter().map(bar).collect(),
        }),
    }
}

/// The points of a line.
fn dots(curves: &Curves, series: &Series, unit: f64) -> Vec<Dot> {
    let dot = |bin: &Bin| {
        let mean = series.mean(*bin)?;
        Some(Dot { x: mean.length, y: mean.average / unit, is_thin: bin.is_thin() })
    };
    curves.bins.iter().filter_map(dot).collect()
}

fn samples(series: &[&Series], one: &str, several: &str) -> String {
    let least = series.iter().map(|series| series.samples).min().unwrap_or(0);
    let most = counted(most_samples(series), one, several);
    if least == most_samples(series) { most } else { format!("{least} to {most}") }
}

fn most_samples(series: &[&Series]) -> u64 {
    series.iter().map(|series| series.samples).max().unwrap_or(0)
}

fn note_of_times(series: &[&Series]) -> String {
    match most_samples(series) {
        1 => "One thread, from tokens to trees; one pass.".to_owned(),
        _ => format!("One thread, from tokens to trees; median of {}.", samples(series, "pass", "passes")),
    }
}

fn note_of_calls(series: &[&Series]) -> String {
    let mut note = match most_samples(series) {
        1 => "One training seed.".to_owned(),
        _ => format!("Mean over {}.", samples(series, "training seed", "training seeds")),
    };
    let unproven = series.iter().map(|series| series.unproven).fold(0, u64::saturating_add);
    let decoded = series.iter().flat_map(|series| &series.points).map(|point| point.decoded);
    let decoded = decoded.fold(0, u64::saturating_add);
    if unproven > 0 {
        let (unproven, decoded) = (grouped(unproven), grouped(decoded));
        let searches =
            format!(" {unproven} of {decoded} searches ended without a proof; their calls up to there count.");
        note.push_str(&searches);
    }
    note
}

/// A line a series and length, with the point of the plot that it belongs to.
fn sheet(quantity: &Quantity, curves: &[Curves]) -> Sheet {
    let rows: Vec<(&Series, &Point, Bin)> = curves.iter().flat_map(Curves::rows).collect();
    let rows = || rows.iter();
    let plotted = || rows().map(|(series, _, bin)| series.mean(*bin));
    let average = |point: &Point| ratio(point.total, point.decoded).map(|value| value / quantity.unit);
    Sheet::default()
        .settings(rows().map(|(series, ..)| &series.setting))
        .count(quantity.samples_column, rows().map(|(series, ..)| Some(series.samples)))
        .count("length", rows().map(|(_, point, _)| Some(point.length)))
        .count("sentences", rows().map(|(_, point, _)| Some(point.sentences)))
        .count("decoded", rows().map(|(_, point, _)| Some(point.decoded)))
        .count(quantity.total_column, rows().map(|(_, point, _)| Some(point.total)))
        .fixed(quantity.average_column, 4, rows().map(|(_, point, _)| average(point)))
        .count("plotted_from_length", rows().map(|(_, _, bin)| Some(bin.first)))
        .count("plotted_to_length", rows().map(|(_, _, bin)| Some(bin.last)))
        .fixed("plotted_length", 2, plotted().map(|p| Some(p?.length)))
        .count("plotted_sentences", plotted().map(|p| Some(p?.sentences)))
        .fixed(&format!("plotted_{}", quantity.average_column), 4, plotted().map(|p| Some(p?.average / quantity.unit)))
}
