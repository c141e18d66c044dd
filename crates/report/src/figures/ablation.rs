//! The ablation figure: what each step is worth, with its interval. It is the same on every machine.

use super::axis::Axis;
use super::figure::Figure;
use super::intervals::{Bar, Intervals, Panel};
use crate::statistics::steps::Step;
use crate::tables::ablation::{same_section, sheet, title};

/// The figure: a panel for each setting that steps start from, and each way of stepping.
pub fn ablation(steps: &[Step], note: String) -> Figure {
    let panel = |steps: &[Step]| Panel {
        title: steps.first().map(title).unwrap_or_default(),
        bars: steps.iter().filter_map(bar).collect(),
    };
    let panels: Vec<Panel> = steps.chunk_by(same_section).map(panel).collect();
    let ends = || panels.iter().flat_map(|panel| &panel.bars).flat_map(|bar| [bar.low, bar.high]);
    let (low, high) = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
    let label = "difference of UAS, points".to_owned();
    Figure::of_intervals("ablation", sheet(steps), Intervals { panels, axis: Axis::between(low, high, 8), label, note })
}

/// A step; none where there is nothing to draw. Without an interval it is a point.
fn bar(step: &Step) -> Option<Bar> {
    let value = step.gain_points()?;
    let interval = step.tested.as_ref().ok().and_then(|tested| tested.interval);
    let (low, high) = interval.map_or((value, value), |interval| (interval.low_points, interval.high_points));
    Some(Bar { name: step.what.clone(), value, low, high })
}
