//! One comparison table: lines are parsers, and the values of some axes stand side by side.

use std::collections::BTreeSet;

use super::blocks::{TableOptions, pruning_label};
use super::table::{Section, Table, sheet};
use super::{notes, table2};
use crate::frame::{ABSENT, Frame, USUAL_BACKBONE};
use treebound_records::ReportError;
use treebound_records::number::signed;

/// The axes that say which parser a line is of; they never stand beside each other.
const PARSER: [&str; 3] = ["system", "features", "decoding"];

/// The axes that may stand side by side, of lines with such axes.
pub fn axes(lines: &Frame) -> impl Iterator<Item = &str> {
    lines.axes().iter().map(String::as_str).filter(|axis| !PARSER.contains(axis))
}

/// The values of a row on some axes, for people.
///
/// # Errors
/// If rows have no such axis.
pub fn values<'a>(rows: &Frame, axes: impl IntoIterator<Item = &'a str>, row: usize) -> Result<String, ReportError> {
    let mut words = Vec::new();
    for axis in axes {
        let word = rows.words(axis)?.swap_remove(row);
        words.push(if axis == "pruning" { pruning_label(&word) } else { word });
    }
    words.retain(|word| !word.is_empty() && word != ABSENT);
    Ok(words.join(", "))
}

/// The place of each row among the values of some axes, which are sorted as the axes are.
///
/// # Errors
/// If rows have no such axis.
pub fn places<'a>(rows: &Frame, axes: impl IntoIterator<Item = &'a str>) -> Result<Vec<usize>, ReportError> {
    let orders = axes.into_iter().map(|axis| rows.counts(&format!("{axis}.order"))).collect::<Result<Vec<_>, _>>()?;
    let of_row = |row: usize| orders.iter().map(|order| order[row]).collect::<Vec<_>>();
    let all: BTreeSet<Vec<Option<u64>>> = (0..rows.height()).map(of_row).collect();
    Ok((0..rows.height()).map(|row| all.iter().take_while(|place| **place < of_row(row)).count()).collect())
}

/// The table of the lines of [Table 2](table2::lines), with the values of some axes side by side, and its CSV, a line each. Of each
/// it says the accuracy, the gain over the baseline of the same values, its 95 % interval, and p before and after Holm's correction.
///
/// # Errors
/// If lines are not those of Table 2, or have no such axis.
pub fn table(lines: &Frame, options: &TableOptions) -> Result<Table, ReportError> {
    let beside: Vec<&str> = options.beside.iter().map(String::as_str).collect();
    let shared: Vec<&str> = axes(lines).filter(|axis| !beside.contains(axis)).collect();
    let order: Vec<String> = shared.iter().map(|axis| format!("{axis}.order")).collect();
    let sorted = lines.sorted(&order.iter().map(String::as_str).collect::<Vec<_>>())?;
    let sections =
        sorted.blocks(&shared)?.iter().map(|block| section(block, &shared, &beside)).collect::<Result<_, _>>()?;
    let mut all = notes::scoring(lines, &options.punctuation)?;
    all.push(notes::seeds(lines)?);
    all.push("gain: UAS minus that of the baseline with the same values on all other axes, in points.".to_owned());
    Ok(Table::new(sections, sheet(lines, &table2::columns(lines)?)?).with_notes(all))
}

fn section(block: &Frame, shared: &[&str], beside: &[&str]) -> Result<Section, ReportError> {
    let block = block.sorted(&["system.place", "features.order", "backbone.order", "decoder.order"])?;
    let [uas, gains, p, holm] =
        ["uas_pct", "gain_points", "p_value", "p_holm"].map(|name| block.shown(name).unwrap_or_default());
    let columns = [("UAS", uas), ("gain", gains), ("95 %\ninterval", intervals(&block)?), ("p", p), ("p,\nHolm", holm)];
    let title = values(&block, shared.iter().copied(), 0)?;
    side_by_side(title, ("parser", &parsers(&block)?), &block, beside, &columns)
}

/// The 95 % intervals of rows, in points; empty where there is none.
///
/// # Errors
/// If rows have no intervals.
pub fn intervals(rows: &Frame) -> Result<Vec<String>, ReportError> {
    let ends = rows.numbers("gain_low_points")?.into_iter().zip(rows.numbers("gain_high_points")?);
    let interval = |(low, high): (Option<f64>, Option<f64>)| {
        low.zip(high).map_or_else(String::new, |(low, high)| format!("{} to {}", signed(low, 2), signed(high, 2)))
    };
    Ok(ends.map(interval).collect())
}

/// A section with a line a name, in the order in which they come first, and for each value of some axes the columns of its rows under
/// one heading.
///
/// # Errors
/// If rows have no such axes.
pub fn side_by_side(
    title: String,
    (heading, names): (&str, &[String]),
    rows: &Frame,
    beside: &[&str],
    columns: &[(&str, Vec<String>)],
) -> Result<Section, ReportError> {
    let mut seen = BTreeSet::new();
    let lines: Vec<&String> = names.iter().filter(|name| seen.insert(*name)).collect();
    let places = places(rows, beside.iter().copied())?;
    let mut section = Section::new(title).left(heading, lines.iter().map(|name| (*name).clone()));
    for group in places.iter().copied().collect::<BTreeSet<usize>>() {
        let row = |name: &&String| (0..rows.height()).find(|&row| names[row] == **name && places[row] == group);
        let own: Vec<Option<usize>> = lines.iter().map(row).collect();
        let Some(first) = own.iter().flatten().next() else { continue };
        let label = values(rows, beside.iter().copied(), *first)?;
        for (at, (heading, texts)) in columns.iter().enumerate() {
            let cell = |row: &Option<usize>| row.and_then(|row| texts.get(row).cloned()).unwrap_or_default();
            let cells = own.iter().map(cell).collect::<Vec<_>>();
            section = match at {
                0 => section.right(&format!("{label}:\n{heading}"), cells),
                _ => section.right_if_any(heading, cells),
            };
        }
    }
    Ok(section)
}

/// What the parsers of lines are called: their set, with what is not usual of their program and search, or their system.
///
/// # Errors
/// If lines have no such axes.
pub fn parsers(lines: &Frame) -> Result<Vec<String>, ReportError> {
    let columns = ["system", "features", "backbone", "decoder"].map(|name| lines.words(name));
    let columns = columns.into_iter().collect::<Result<Vec<_>, _>>()?;
    let several =
        lines.distinct("decoder")?.into_iter().filter(|decoder| decoder != "dp" && !decoder.is_empty()).count() > 1;
    let name = |row: usize| {
        let [system, features, backbone, decoder] = [0, 1, 2, 3].map(|column: usize| columns[column][row].as_str());
        if features == ABSENT {
            return system.to_owned();
        }
        let other = (backbone != USUAL_BACKBONE && !backbone.is_empty()).then_some(backbone);
        let rest: Vec<&str> = other.into_iter().chain(several.then_some(decoder)).collect();
        if rest.is_empty() { features.to_owned() } else { format!("{features} [{}]", rest.join(", ")) }
    };
    Ok((0..lines.height()).map(name).collect())
}
