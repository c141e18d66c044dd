//! Figures: averages against sentence length, one line a pruning ([`Figure`]), and charts of all else ([`Chart`]), as SVG,
//! PNG and CSV.
//!
//! No font of the system is used: the PNG is drawn with a font that is compiled in, and the SVG, whose layout is measured
//! with that font too, names only the generic family. Both are the same bytes on every machine.

mod axis;
mod bins;
pub mod budget;
mod chart;
pub mod choice;
mod dash;
mod draw;
pub mod figure4;
pub mod figure5;
mod frame;
pub mod growth;
mod legend;
mod paint;
mod quantity;
mod render;
mod style;

use std::collections::BTreeMap;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};

use self::paint::{Backend, Outcome};
use self::render::Drawing;
use crate::cell::{FeatureSet, Setting};
use crate::decode::Backbone;
use crate::records::number::ratio;
use crate::records::sheet::Sheet;
use crate::records::{ReportError, file};
use crate::tables::block::Block;

pub use bins::Bin;
pub use chart::Chart;
pub use quantity::Quantity;

/// A line of a figure: a pruning and decoder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// The setting.
    pub setting: Setting,
    /// Seeds (calls) or passes (times) that the totals are over.
    pub samples: u64,
    /// Searches that ended without a proof, where that is known.
    pub unproven: u64,
    /// The measurements, by length, ascending.
    pub points: Vec<Point>,
}

/// The sentences of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Words a sentence.
    pub length: u64,
    /// Sentences of that length in the corpus.
    pub sentences: u64,
    /// Sentences that `total` is over: each once, or once a seed.
    pub decoded: u64,
    /// Calls, or nanoseconds.
    pub total: u64,
}

/// A plot: the series of one corpus, part, tags and feature set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// The series, most candidates first.
    pub series: Vec<Series>,
    /// Sentences of each length in the corpus, ascending by length.
    pub lengths: Vec<(u64, u64)>,
    /// Lengths that share a plotted point.
    pub bins: Vec<Bin>,
}

/// A figure with its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What it measures.
    pub quantity: Quantity,
    /// Its plots.
    pub panels: Vec<Panel>,
}

impl Figure {
    /// A figure of the given series: a panel for each corpus, part, tags and feature set.
    fn new(quantity: Quantity, mut series: Vec<Series>) -> Self {
        series.sort_by(|a, b| place(&a.setting).cmp(&place(&b.setting)));
        let same = |a: &Series, b: &Series| PanelKey::of(&a.setting) == PanelKey::of(&b.setting);
        let panels = series.chunk_by(same).map(|series| Panel::new(series.to_vec())).collect();
        Self { quantity, panels }
    }

    /// The figure as SVG text.
    ///
    /// # Errors
    /// If there is nothing to draw, or it cannot be drawn.
    pub fn svg(&self) -> Result<String, ReportError> {
        render::svg(self)
    }

    /// The figure as the bytes of a PNG file.
    ///
    /// # Errors
    /// If there is nothing to draw, or it cannot be drawn.
    pub fn png(&self) -> Result<Vec<u8>, ReportError> {
        render::png(self)
    }

    /// Writes `NAME.svg`, `NAME.png` and `NAME.csv` into a folder.
    ///
    /// # Errors
    /// If there is nothing to draw, it cannot be drawn or the system refuses.
    pub fn write(&self, folder: &Path) -> Result<(), ReportError> {
        self.check()?;
        write(folder, self, &self.csv()?)
    }

    /// The figure's data: a line a series and length, with the point of the plot that it belongs to.
    ///
    /// # Errors
    /// If the table engine refuses.
    pub fn csv(&self) -> Result<Vec<u8>, ReportError> {
        let (unit, average_column) = (self.quantity.unit(), self.quantity.average_column());
        let rows: Vec<(&Series, &Point, Bin)> = self.panels.iter().flat_map(Panel::rows).collect();
        let rows = || rows.iter();
        let plotted = || rows().map(|(series, _, bin)| series.plotted(*bin));
        let average = |total: u64, decoded: u64| ratio(total, decoded).map(|value| value / unit);
        Sheet::default()
            .settings(rows().map(|(series, ..)| &series.setting))
            .count(self.quantity.samples_column(), rows().map(|(series, ..)| Some(series.samples)))
            .count("length", rows().map(|(_, point, _)| Some(point.length)))
            .count("sentences", rows().map(|(_, point, _)| Some(point.sentences)))
            .count("decoded", rows().map(|(_, point, _)| Some(point.decoded)))
            .count(self.quantity.total_column(), rows().map(|(_, point, _)| Some(point.total)))
            .fixed(average_column, 4, rows().map(|(_, point, _)| average(point.total, point.decoded)))
            .count("plotted_from_length", rows().map(|(_, _, bin)| Some(bin.first)))
            .count("plotted_to_length", rows().map(|(_, _, bin)| Some(bin.last)))
            .fixed("plotted_length", 2, plotted().map(|p| Some(p?.length)))
            .count("plotted_sentences", plotted().map(|p| Some(p?.sentences)))
            .fixed(&format!("plotted_{average_column}"), 4, plotted().map(|p| Some(p?.average / unit)))
            .csv()
    }
}

impl Drawing for Figure {
    fn name(&self) -> &str {
        self.quantity.name()
    }

    fn is_empty(&self) -> bool {
        self.panels.iter().all(|panel| panel.bins.is_empty())
    }

    fn size(&self) -> (u32, u32) {
        draw::size(self)
    }

    fn draw<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>, backend: Backend) -> Outcome<DB> {
        draw::draw(self, area, backend)
    }
}

/// Writes the three files of a drawing into a folder.
fn write(folder: &Path, drawing: &impl Drawing, csv: &[u8]) -> Result<(), ReportError> {
    let path = |extension: &str| folder.join(format!("{}.{extension}", drawing.name()));
    file::write(&path("csv"), csv)?;
    file::write(&path("svg"), render::svg(drawing)?.as_bytes())?;
    file::write(&path("png"), &render::png(drawing)?)
}

/// A point as it is plotted: the mean over the lengths of a bin.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Plotted {
    length: f64,
    sentences: u64,
    average: f64,
}

impl Series {
    /// The points of a bin as one; none if it has none of them.
    fn plotted(&self, bin: Bin) -> Option<Plotted> {
        let sum = |value: fn(&Point) -> u64| {
            self.points.iter().filter(|point| bin.holds(point.length)).map(value).fold(0, u64::saturating_add)
        };
        let sentences = sum(|point| point.sentences);
        Some(Plotted {
            length: ratio(sum(|point| point.sentences.saturating_mul(point.length)), sentences)?,
            sentences,
            average: ratio(sum(|point| point.total), sum(|point| point.decoded))?,
        })
    }
}

impl Panel {
    fn new(series: Vec<Series>) -> Self {
        let mut sentences: BTreeMap<u64, u64> = BTreeMap::new();
        for point in series.iter().flat_map(|series| &series.points) {
            let most = sentences.entry(point.length).or_default();
            *most = point.sentences.max(*most);
        }
        let lengths: Vec<(u64, u64)> = sentences.into_iter().collect();
        let bins = bins::bins(&lengths);
        Self { series, lengths, bins }
    }

    /// Every point with its bin.
    fn rows(&self) -> impl Iterator<Item = (&Series, &Point, Bin)> {
        self.series.iter().flat_map(move |series| {
            series.points.iter().filter_map(move |point| {
                let bin = *self.bins.iter().find(|bin| bin.holds(point.length))?;
                Some((series, point, bin))
            })
        })
    }
}

/// What the series of a panel share: all but the pruning and the decoder.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct PanelKey<'a> {
    block: Block<'a>,
    backbone: Option<Backbone>,
    features: Option<&'a FeatureSet>,
}

impl<'a> PanelKey<'a> {
    fn of(setting: &'a Setting) -> Self {
        Self { block: Block::of(setting), backbone: setting.backbone(), features: setting.features.as_ref() }
    }
}

/// Where a series stands: by panel, then decoder, then most candidates first.
fn place(setting: &Setting) -> impl Ord + '_ {
    (PanelKey::of(setting), setting.decoder(), setting.pruning, &setting.system)
}
