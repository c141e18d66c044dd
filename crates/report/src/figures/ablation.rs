//! The ablation figure: what each step is worth, with its interval. It is the same on every machine.

use super::axis::Axis;
use super::figure::Figure;
use super::intervals::{Bar, Intervals, Panel};
use crate::frame::Frame;
use crate::tables::ablation::step_sheet;
use treebound_records::ReportError;

/// The figure of [steps](crate::tables::ablation::steps): a panel for each setting that they start from, and each way.
///
/// # Errors
/// If they are no steps.
pub fn ablation(steps: &Frame, note: String) -> Result<Figure, ReportError> {
    let panels = steps.blocks(&["way", "from"])?.iter().map(panel).collect::<Result<Vec<Panel>, _>>()?;
    let ends = || panels.iter().flat_map(|panel| &panel.bars).flat_map(|bar| [bar.low, bar.high]);
    let (low, high) = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
    let label = "difference of UAS, points".to_owned();
    let intervals = Intervals { panels, axis: Axis::between(low, high, 8), label, note };
    Ok(Figure::of_intervals("ablation", step_sheet(steps)?, intervals))
}

/// Steps that stand together. One without an interval is a point; one without a difference is not drawn.
fn panel(steps: &Frame) -> Result<Panel, ReportError> {
    let ends = steps.numbers("gain_low_points")?.into_iter().zip(steps.numbers("gain_high_points")?);
    let values = steps.numbers("difference_points")?.into_iter().zip(ends);
    let bars = steps.words("step")?.into_iter().zip(values).filter_map(|(name, (value, (low, high)))| {
        let value = value?;
        Some(Bar { name, value, low: low.unwrap_or(value), high: high.unwrap_or(value) })
    });
    Ok(Panel { title: steps.words("title")?.swap_remove(0), bars: bars.collect() })
}
