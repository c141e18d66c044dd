//! The states figure: what searches over states find and cost (Zhao, Cross & Huang 2013, Figure 6): the score of the model against
//! the states that are made, and accuracy against time, a row of panels a model. Values of a further axis that differ in their last
//! number, such as `dp-best-first+queue=10`, are the points of one line. Its second panel depends on the machine.

use super::Figure;
use super::axis::{Axis, is_wide};
use super::line::{self, Names, range};
use super::panel::{Line, Panel};
use crate::frame::Frame;
use crate::tables::blocks::{TableOptions, data_words, model_labels, way_labels};
use crate::tables::states::MODEL;
use crate::tables::table::plain_sheet;
use treebound_records::ReportError;

/// What is measured, in the order of the file.
const MEASURED: [&str; 5] =
    ["cost_per_sentence", "successors_per_sentence", "states_per_sentence", "uas_pct", "ms_per_sentence"];

/// A name without the number that it ends with, and that number.
fn stem(way: &str) -> (&str, Option<u64>) {
    let split = way.rsplit_once('=').and_then(|(stem, number)| Some((stem, number.parse().ok()?)));
    split.map_or((way, None), |(stem, number)| (stem, Some(number)))
}

/// The figure of the [lines](crate::tables::states::lines) of the table.
///
/// # Errors
/// If the lines are not those.
pub fn states(lines: &Frame, options: &TableOptions) -> Result<Figure, ReportError> {
    let ways = way_labels(lines)?;
    let names = Names::new(&[ways.iter().map(|way| stem(way).0.to_owned()).collect()]);
    let cost = lines.numbers("cost_per_sentence")?;
    let score: Vec<Option<f64>> = cost.iter().map(|cost| cost.map(|cost| -cost)).collect();
    let [states, uas, ms] = ["successors_per_sentence", "uas_pct", "ms_per_sentence"].map(|name| lines.numbers(name));
    let (states, uas, ms) = (states?, uas?, ms?);
    let mut rows = Vec::new();
    for run in lines.runs(&MODEL)? {
        let mut places: Vec<usize> = run.clone().map(|row| names.place(row)).collect();
        places.sort_unstable();
        places.dedup();
        let through = |x: &[Option<f64>], y: &[Option<f64>]| -> Vec<Line> {
            let line = |place: &usize| {
                let mut own: Vec<usize> = run.clone().filter(|row| names.place(*row) == *place).collect();
                own.sort_by_key(|row| stem(&ways[*row]).1);
                line::line(*place, own.into_iter().filter_map(|row| Some((x[row]?, y[row]?))).collect())
            };
            places.iter().map(line).collect()
        };
        let panels = vec![
            panel("states made a sentence", "score of the model a sentence", through(&states, &score)),
            panel("ms a sentence", "UAS (%)", through(&ms, &uas)),
        ];
        let first = lines.rows(&[run.start])?;
        let model = model_labels(&first, options)?.into_iter().next().unwrap_or_default();
        rows.push((format!("{}, {model}", data_words(&first)?), panels));
    }
    let note = "Points of a line are bounds on the queue or widths of a beam, ascending. Score: the mean logarithm of the \
                probability of the actions. Time: one thread, from tokens to trees.";
    Ok(Figure::new("states", plain_sheet(lines, &MEASURED)?, line::draw(rows, &names.lines, note.to_owned())))
}

fn panel(x_label: &str, y_label: &str, lines: Vec<Line>) -> Panel {
    let values: Vec<f64> = lines.iter().flat_map(|line| &line.points).map(|dot| dot.x).collect();
    let (low, high) = range(&lines, (f64::INFINITY, f64::NEG_INFINITY));
    let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
    let x = Axis::of(&values, is_wide(&values));
    line::panel((x, x_label), (Axis::between(low, high, 6), y_label.to_owned()), lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_named_without_its_number() {
        assert_eq!(stem("best-first+queue=50"), ("best-first+queue", Some(50)));
        assert_eq!(stem("dp-best-first"), ("dp-best-first", None));
        assert_eq!(stem("a=b"), ("a=b", None));
    }
}
