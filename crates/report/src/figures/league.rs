//! The league as a figure: accuracy against speed, a point a parser. It depends on the machine.

use super::Figure;
use super::axis::Axis;
use super::canvas::Look;
use super::line::{self, range};
use super::panel::{Dot, Line};
use crate::frame::Frame;
use crate::tables::blocks::{TableOptions, data_words};
use crate::tables::league::labels;
use crate::tables::table::plain_sheet;
use treebound_records::ReportError;

/// The figure of those [lines](crate::tables::league::lines) that were timed. Parsers that prove each of their trees are filled.
///
/// # Errors
/// If the lines are not those.
pub fn league(lines: &Frame, options: &TableOptions) -> Result<Figure, ReportError> {
    let lines = lines.only("words_per_second", |speed| !speed.is_empty())?;
    let labels = labels(&lines, options)?;
    let mut names = labels.clone();
    names.sort();
    names.dedup();
    let (speeds, uas) = (lines.numbers("words_per_second")?, lines.numbers("uas_pct")?);
    let is_exact = lines.words("is_exact")?;
    let mut rows = Vec::new();
    for run in lines.runs(&["corpus", "split", "tags"])? {
        let point = |row: usize| {
            let n = names.iter().position(|name| *name == labels[row]).unwrap_or(0);
            let dot = Dot { x: speeds[row]?, y: uas[row]?, is_thin: is_exact[row] != "true" };
            Some(Line { look: Look::new(n, n), points: vec![dot] })
        };
        let points: Vec<Line> = run.clone().filter_map(point).collect();
        let of_x: Vec<f64> = points.iter().flat_map(|line| &line.points).map(|dot| dot.x).collect();
        let (low, high) = range(&points, (100.0, 0.0));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 100.0) };
        let x = (Axis::of(&of_x, true), "words a second");
        let panel = line::panel(x, (Axis::between(low, high, 6), "UAS (%)".to_owned()), points);
        rows.push((data_words(&lines.rows(&[run.start])?)?, vec![panel]));
    }
    let note = "Filled: all trees are proven to be the best under the model. Time: one thread, from tokens to trees.";
    let sheet = plain_sheet(&lines, &["is_exact", "uas_pct", "words_per_second"])?;
    Ok(Figure::new("league", sheet, line::draw(rows, &names, note.to_owned())))
}
