//! The ablation figure: what each step is worth, with its interval, one under the other on one axis. It is the same on every
//! machine.

use polars::prelude::Column;

use super::Figure;
use super::axis::Axis;
use super::canvas::{Anchor, Canvas, GRID, INK, Look, Pixel, SCALE, grid};
use super::panel::{MARGIN, TITLE_LINE, draw_notes};
use crate::frame::Frame;
use crate::tables::ablation::{notes, step_sheet, together};
use crate::tables::beside::{places, values};
use crate::tables::blocks::TableOptions;
use crate::tables::wrap::wrap_note;
use treebound_records::ReportError;

/// A value with its interval.
struct Bar {
    name: String,
    value: f64,
    low: f64,
    high: f64,
}

/// Least width of the names, in pixels meant, as all lengths here.
const NAMES: i32 = 230;
/// Width of a character of a name.
const CHARACTER: i32 = 8;
/// Width of the axis.
const AXIS: i32 = 560;
/// Height of a value.
const LINE: i32 = 24;
/// Ticks and label under a panel, and the space to the next one.
const BELOW: i32 = 52;
/// Characters of a line of notes or of a title.
const CHARACTERS: usize = 116;

/// The figure of [steps](crate::tables::ablation::steps): a panel for each setting that they start from, and each way.
///
/// # Errors
/// If they are no steps.
pub fn ablation(steps: &Frame, options: &TableOptions) -> Result<Figure, ReportError> {
    let panels = together(steps, options)?;
    let panels = panels.into_iter().map(|(title, steps)| Ok((title, bars(&steps, options)?)));
    let panels = panels.collect::<Result<Vec<_>, ReportError>>()?;
    let longest = panels.iter().flat_map(|(_, bars)| bars).map(|bar| bar.name.chars().count()).max().unwrap_or(0);
    let names = NAMES.max(longest as i32 * CHARACTER);
    let ends = || panels.iter().flat_map(|(_, bars)| bars).flat_map(|bar| [bar.low, bar.high]);
    // 0 is on the axis.
    let axis = Axis::between(ends().fold(0.0, f64::min), ends().fold(0.0, f64::max), 8);
    let mut canvas = Canvas::default();
    let mut top = MARGIN;
    for (title, bars) in &panels {
        for title in wrap_note(title, CHARACTERS).lines() {
            canvas.text(title.trim_start(), 15, (MARGIN, top + TITLE_LINE / 2), Anchor::Left);
            top += TITLE_LINE;
        }
        draw_bars(&mut canvas, bars, &axis, (MARGIN + names, top));
        top += bars.len() as i32 * LINE + BELOW;
    }
    top = draw_notes(&mut canvas, &notes(options).join(" "), CHARACTERS, (MARGIN, top));
    canvas.set_size((3 * MARGIN + names + AXIS, top + MARGIN));
    Ok(Figure::new("ablation", step_sheet(steps)?, canvas))
}

/// The values of steps that belong together, those of one step under each other. One without an interval is a point; one without a
/// difference is not drawn.
fn bars(steps: &Frame, options: &TableOptions) -> Result<Vec<Bar>, ReportError> {
    let beside = || options.beside.iter().map(String::as_str);
    let mut steps = steps.clone();
    if !options.beside.is_empty() {
        let places = places(&steps, beside())?.into_iter().map(|place| place as u64).collect::<Vec<_>>();
        steps =
            steps.with_order("step")?.with(Column::new("beside".into(), places))?.sorted(&["step.order", "beside"])?;
    }
    let name = |(row, step): (usize, String)| {
        let of_row = values(&steps, beside(), row)?;
        Ok(if of_row.is_empty() { step } else { format!("{step} ({of_row})") })
    };
    let names = steps.words("step")?.into_iter().enumerate().map(name).collect::<Result<Vec<_>, ReportError>>()?;
    let ends = steps.numbers("gain_low_points")?.into_iter().zip(steps.numbers("gain_high_points")?);
    let values = steps.numbers("difference_points")?.into_iter().zip(ends);
    let bars = names.into_iter().zip(values).filter_map(|(name, (value, (low, high)))| {
        let value = value?;
        Some(Bar { name, value, low: low.unwrap_or(value), high: high.unwrap_or(value) })
    });
    Ok(bars.collect())
}

fn draw_bars(canvas: &mut Canvas, bars: &[Bar], axis: &Axis, (left, top): Pixel) {
    let x = |value| SCALE * left + libm::round(axis.place(value) * f64::from(SCALE * AXIS)) as i32;
    let bottom = top + bars.len() as i32 * LINE;
    for (value, label) in &axis.ticks {
        let color = if *value == 0.0 { INK } else { GRID };
        canvas.rule((x(*value), SCALE * top), (x(*value), SCALE * bottom), color);
        canvas.text(label, 13, (x(*value) / SCALE, bottom + 4), Anchor::Top);
    }
    let place = (left + AXIS / 2, bottom + 20);
    canvas.text("difference of UAS, points", 14, place, Anchor::Top);
    let look = Look::new(1, 0);
    for (i, bar) in bars.iter().enumerate() {
        let y = top + i as i32 * LINE + LINE / 2;
        canvas.text(&bar.name, 14, (left - 12, y), Anchor::Right);
        let (_, middle) = grid((0, y));
        canvas.line(&[(x(bar.low), middle), (x(bar.high), middle)], look);
        canvas.marker((x(bar.value), middle), look, false);
    }
}
