//! Figures 4 and 5 of the paper: parse time and calls to the dynamic program against sentence length.

use super::by_length::ByLength;
use super::figure::{Drawing, Figure};
use super::quantity::Quantity;
use crate::statistics::curves;
use treebound_records::{LengthRow, SpeedRow};

/// Figure 4: times of timed passes. It depends on the machine.
pub fn figure4(rows: &[SpeedRow]) -> Figure {
    of(ByLength { quantity: Quantity::ParseTime, panels: curves::times(rows) })
}

/// Figure 5: calls to the dynamic program, means over all seeds. It is the same on every machine.
pub fn figure5(rows: &[LengthRow]) -> Figure {
    of(ByLength { quantity: Quantity::DpCalls, panels: curves::calls(rows) })
}

fn of(panels: ByLength) -> Figure {
    Figure { name: panels.quantity.name(), sheet: panels.sheet(), drawing: Drawing::ByLength(panels) }
}
