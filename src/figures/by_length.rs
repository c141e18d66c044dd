//! Figures 4 and 5 of the paper: parse time and calls to the dynamic program against sentence length.

use super::quantity::Quantity;
use super::{Drawing, Figure};
use crate::records::number::ratio;
use crate::records::sheet::Sheet;
use crate::records::{LengthRow, SpeedRow};
use crate::statistics::bins::Bin;
use crate::statistics::curves::{self, Panel, Point, Series};

/// Panels of what is measured.
#[derive(Clone, Debug)]
pub(super) struct ByLength {
    /// What is measured.
    pub quantity: Quantity,
    /// The panels, in order.
    pub panels: Vec<Panel>,
}

/// Figure 4: times of timed passes. It depends on the machine.
pub fn figure4(rows: &[SpeedRow]) -> Figure {
    ByLength { quantity: Quantity::ParseTime, panels: curves::times(rows) }.figure()
}

/// Figure 5: calls to the dynamic program, means over all seeds. It is the same on every machine.
pub fn figure5(rows: &[LengthRow]) -> Figure {
    ByLength { quantity: Quantity::DpCalls, panels: curves::calls(rows) }.figure()
}

impl ByLength {
    fn figure(self) -> Figure {
        Figure { name: self.quantity.name(), sheet: self.sheet(), drawing: Drawing::ByLength(self) }
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.panels.iter().all(|panel| panel.bins.is_empty())
    }

    /// A line a series and length, with the point of the plot that it belongs to.
    fn sheet(&self) -> Sheet {
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
