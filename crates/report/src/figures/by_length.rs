//! Figures 4 and 5 of the paper: parse time and calls to the dynamic program against sentence length, one line a pruning and
//! decoder, each panel over a histogram of the lengths.

use super::Figure;
use super::axis::{Axis, is_skewed, is_wide};
use super::canvas::Look;
use super::panel::{Dot, Histogram, Layout, LegendGroup, Line, Panel, Panels, Row};
use crate::bins::{Bin, ENOUGH, WIDEST};
use crate::curves::{Curves, Panel as Curve, Point, Series};
use crate::frame::{ABSENT, Frame, USUAL_BACKBONE};
use crate::tables::beside;
use crate::tables::blocks::{TableOptions, block_words, data_words};
use crate::tables::table::plain_sheet;
use crate::tables::wrap::wrap_features;
use treebound_records::ReportError;
use treebound_records::number::{counted, grouped, ratio};
use treebound_records::sheet::Sheet;

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
///
/// # Errors
/// If lines have no axes.
pub fn figure4(curves: &Curves, options: &TableOptions) -> Result<Figure, ReportError> {
    let quantity = Quantity {
        figure: "figure4",
        label: "parse time per sentence (ms)",
        unit: 1e6,
        samples_column: "passes",
        total_column: "time_ns",
        average_column: "ms_per_sentence",
        note: note_of_times,
    };
    figure(&quantity, curves, options)
}

/// Figure 5: calls to the dynamic program, means over seeds. It is the same on every machine.
///
/// # Errors
/// If lines have no axes.
pub fn figure5(curves: &Curves, options: &TableOptions) -> Result<Figure, ReportError> {
    let quantity = Quantity {
        figure: "figure5",
        label: "DP calls per sentence",
        unit: 1.0,
        samples_column: "seeds",
        total_column: "dp_calls",
        average_column: "dp_calls_per_sentence",
        note: note_of_calls,
    };
    figure(&quantity, curves, options)
}

/// The axis that tells the lines of a panel apart, beside the decoder.
const PRUNING: &str = "pruning";
/// Panels side by side.
const ACROSS: usize = 2;
/// Characters of a line of a panel's title.
const TITLE_CHARACTERS: usize = 72;

/// Prunings, with what stands side by side, and decoders of all panels, each in order: which look a series has.
struct Looks {
    /// The place of each line's pruning and decoder, by row.
    places: Vec<[usize; 2]>,
    /// What the axes that stand side by side, and prunings, are for people.
    prunings: Vec<String>,
    decoders: Vec<String>,
}

impl Looks {
    fn new(lines: &Frame, options: &TableOptions) -> Result<Self, ReportError> {
        let axes = || {
            let others = options.beside.iter().map(String::as_str).filter(|axis| *axis != PRUNING);
            others.chain([PRUNING])
        };
        let kinds = beside::places(lines, axes())?;
        let mut prunings = vec![String::new(); kinds.iter().max().map_or(0, |most| most + 1)];
        for (row, &kind) in kinds.iter().enumerate() {
            prunings[kind] = beside::values(lines, axes(), row)?;
        }
        let distinct = |name: &str| {
            let mut all: Vec<(bool, Option<u64>, String)> = Vec::new();
            for (order, word) in lines.counts(&format!("{name}.order"))?.into_iter().zip(lines.words(name)?) {
                all.push((!word.is_empty(), order, word));
            }
            all.sort();
            all.dedup();
            Ok::<Vec<String>, ReportError>(all.into_iter().map(|(_, _, word)| word).collect())
        };
        let decoders = distinct("way")?;
        let place = |word: &String| decoders.iter().position(|known| known == word).unwrap_or(0);
        let own = kinds.into_iter().zip(lines.words("way")?);
        let places = own.map(|(kind, decoder)| [kind, place(&decoder)]).collect();
        Ok(Self { places, prunings, decoders })
    }

    fn look(&self, row: usize) -> Look {
        self.look_at(self.places[row])
    }

    /// The look of a pruning and decoder: colours are of prunings, or of decoders where all have one pruning.
    fn look_at(&self, [pruning, decoder]: [usize; 2]) -> Look {
        Look::new(if self.prunings.len() > 1 { pruning } else { decoder }, decoder)
    }

    /// The legend: a group a decoder, led by its name if there are several, and an entry a pruning that it was run with.
    fn legend(&self) -> Vec<LegendGroup> {
        let group = |(at, decoder): (usize, &String)| {
            let entry = |(pruning, name): (usize, &String)| {
                let place = [pruning, at];
                (name.clone(), self.places.contains(&place).then(|| self.look_at(place)))
            };
            let entries = self.prunings.iter().enumerate().map(entry).collect();
            LegendGroup { name: (self.decoders.len() > 1).then(|| decoder.clone()), entries }
        };
        self.decoders.iter().enumerate().map(group).collect()
    }
}

fn figure(quantity: &Quantity, curves: &Curves, options: &TableOptions) -> Result<Figure, ReportError> {
    let series: Vec<&Series> = curves.series().collect();
    let looks = Looks::new(&curves.lines, options)?;
    // As in the paper, axes are linear; but the paper has one decoder, and no sentence much harder than the rest. All panels
    // have logarithmic axes or none has, so that they compare.
    let several = looks.decoders.len() > 1;
    let values = |curve: &Curve| -> Vec<f64> {
        curve.series.iter().flat_map(|series| dots(curve, series, 1.0)).map(|dot| dot.y).collect()
    };
    let is_logarithmic = curves.panels.iter().map(values).any(|v| is_skewed(&v) || several && is_wide(&v));
    let mut panels: Vec<Panel> = Vec::new();
    for curve in &curves.panels {
        let Some(first) = curve.series.first() else { continue };
        let title = title(&curves.lines.rows(&[first.row])?, several, options)?;
        panels.push(panel(quantity, curve, title, &looks, is_logarithmic));
    }
    let row = |panels: &[Panel]| Row { heading: None, panels: panels.to_vec() };
    let mut note = (quantity.note)(&series);
    note.push_str(&format!(
        " A point is one length with {ENOUGH} or more sentences, or neighbouring rarer lengths together (at most {WIDEST} words \
         apart; bars of one shade)."
    ));
    if curves.panels.iter().flat_map(|curve| &curve.bins).any(Bin::is_thin) {
        note.push_str(&format!(" Hollow: fewer than {ENOUGH} sentences."));
    }
    let rows = panels.chunks(ACROSS).map(row).collect();
    let panels = Panels { layout: Layout::WIDE, legend: looks.legend(), rows, note };
    Ok(Figure::new(quantity.figure, sheet(quantity, curves)?, panels.draw()))
}

/// What a panel shows, for people, by a line of it. The legend names the decoders or searches if there are several, and what
/// stands side by side.
fn title(line: &Frame, several_decoders: bool, options: &TableOptions) -> Result<Vec<String>, ReportError> {
    let mut line = line.clone();
    for axis in &options.beside {
        line = line.with_words(axis, vec![Some(ABSENT.to_owned())])?;
    }
    let line = &line;
    let word = |name: &str| Ok::<_, ReportError>(line.words(name)?.swap_remove(0));
    let mut first = block_words(line)?;
    if word("is_other")? == "true" {
        // A panel of another system is of one model.
        first = format!("{}, {}", data_words(line)?, word("model")?);
    }
    let (backbone, decoder, features) = (word("backbone")?, word("decoder")?, word("features")?);
    if !backbone.is_empty() && backbone != USUAL_BACKBONE {
        first.push_str(&format!(", {backbone}"));
    }
    if !several_decoders && !decoder.is_empty() {
        first.push_str(&format!(", decoder {decoder}"));
    }
    if features == ABSENT {
        return Ok(vec![first]);
    }
    if first.chars().count() + features.chars().count() + 2 <= TITLE_CHARACTERS {
        return Ok(vec![format!("{first}, {features}")]);
    }
    let features = wrap_features(&features, TITLE_CHARACTERS);
    Ok(std::iter::once(first).chain(features.lines().map(str::to_owned)).collect())
}

fn panel(quantity: &Quantity, curves: &Curve, title: Vec<String>, looks: &Looks, is_logarithmic: bool) -> Panel {
    let longest = curves.lengths.last().map_or(0, |(length, _)| *length);
    let line = |series: &Series| Line { look: looks.look(series.row), points: dots(curves, series, quantity.unit) };
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
fn dots(curves: &Curve, series: &Series, unit: f64) -> Vec<Dot> {
    let dot = |bin: &Bin| {
        let mean = series.mean(*bin)?;
        Some(Dot { x: mean.length, y: mean.average / unit, is_thin: bin.is_thin() })
    };
    curves.bins.iter().filter_map(dot).collect()
}

/// A count of series, which may be another for each panel.
fn range(series: &[&Series], count: fn(&Series) -> u64, one: &str, several: &str) -> String {
    let counts = || series.iter().map(|series| count(series));
    let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    let words = counted(most, one, several);
    if least == most { words } else { format!("{least} to {words}, as many for each line of a panel") }
}

fn most_samples(series: &[&Series]) -> u64 {
    series.iter().map(|series| series.samples).max().unwrap_or(0)
}

fn note_of_times(series: &[&Series]) -> String {
    match most_samples(series) {
        1 => "One thread, from tokens to trees; one pass.".to_owned(),
        _ => {
            let passes = range(series, |series| series.samples, "pass", "passes");
            let seeds = match series.iter().map(|series| series.seeds).max() {
                Some(2..) => {
                    format!(" with {}", range(series, |series| series.seeds, "training seed", "training seeds"))
                }
                _ => String::new(),
            };
            format!("One thread, from tokens to trees; median of {passes}{seeds}.")
        }
    }
}

fn note_of_calls(series: &[&Series]) -> String {
    let mut note = match most_samples(series) {
        1 => "One training seed.".to_owned(),
        _ => format!("Mean over {}.", range(series, |series| series.samples, "training seed", "training seeds")),
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
fn sheet(quantity: &Quantity, curves: &Curves) -> Result<Sheet, ReportError> {
    let rows: Vec<(&Series, &Point, Bin)> = curves.panels.iter().flat_map(Curve::points).collect();
    let places: Vec<usize> = rows.iter().map(|(series, ..)| series.row).collect();
    let rows = || rows.iter();
    let plotted = || rows().map(|(series, _, bin)| series.mean(*bin));
    let average = |point: &Point| ratio(point.total, point.decoded).map(|value| value / quantity.unit);
    Ok(plain_sheet(&curves.lines.rows(&places)?, &[])?
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
        .fixed(&format!("plotted_{}", quantity.average_column), 4, plotted().map(|p| Some(p?.average / quantity.unit))))
}
