//! A measure against sentence length: panels, and their points as a sheet.

use super::quantity::Quantity;
use crate::statistics::bins::Bin;
use crate::statistics::curves::{Panel, Point, Series};
use treebound_records::number::ratio;
use treebound_records::sheet::Sheet;

/// Panels of what is measured.
#[derive(Clone, Debug)]
pub(super) struct ByLength {
    /// What is measured.
    pub quantity: Quantity,
    /// The panels, in order.
    pub panels: Vec<Panel>,
}

impl ByLength {
    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.panels.iter().all(|panel| panel.bins.is_empty())
    }

    /// A line a series and length, with the point of the plot that it belongs to.
    pub fn sheet(&self) -> Sheet {
        let (unit, average_column) = (self.quantity.unit(), self.quantity.average_column());
        let rows: Vec<(&Series, &Point, Bin)> = self.panels.iter().flat_map(Panel::rows).collect();
        let rows = || rows.iter();
        let plotted = || rows().map(|(series, _, bin)| series.mean(*bin));
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
    }
}
