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

/// The table of the lines of [Table 2](table2::lines), with the values of some axes side by side, and its CSV, a line each. Of each
/// it says the accuracy, the gain over the baseline of the same values, its 95 % interval, and p before and after Holm's correction.
///
/// # Errors
/// If lines are not those of Table 2, or have no such axis.
pub fn table(lines: &Frame, beside: &[&str], options: &TableOptions) -> Result<Table, ReportError> {
    let shared: Vec<&str> = axes(lines).filter(|axis| !beside.contains(axis)).collect();
    let order: Vec<String> = shared.iter().map(|axis| format!("{axis}.order")).collect();
    let sorted = lines.sorted(&order.iter().map(String::as_str).collect::<Vec<_>>())?;
    let sections =
        sorted.blocks(&shared)?.iter().map(|block| section(block, &shared, beside)).collect::<Result<_, _>>()?;
    let mut all = notes::scoring(lines, &options.punctuation)?;
    all.push(notes::seeds(lines)?);
    all.push("gain: UAS minus that of the baseline with the same values on all other axes, in points.".to_owned());
    Ok(Table::new(sections, sheet(lines, &table2::COLUMNS)?).with_notes(all))
}

fn section(block: &Frame, shared: &[&str], beside: &[&str]) -> Result<Section, ReportError> {
    let values = |axes: &[&str], row: usize| {
        let word = |axis: &&str| {
            let word = block.words(axis)?.swap_remove(row);
            Ok(if *axis == "pruning" { pruning_label(&word) } else { word })
        };
        let words = axes.iter().map(word).collect::<Result<Vec<String>, ReportError>>()?;
        Ok::<String, ReportError>(
            words.into_iter().filter(|word| !word.is_empty() && word != ABSENT).collect::<Vec<_>>().join(", "),
        )
    };
    let parsers = parsers(block)?;
    // Lines and columns each stand in the order of the axes.
    let order = ["system.place", "features.order", "backbone.order", "decoder.order"].map(|name| block.counts(name));
    let order = order.into_iter().collect::<Result<Vec<_>, _>>()?;
    let places: BTreeSet<(Vec<Option<u64>>, &String)> = parsers
        .iter()
        .enumerate()
        .map(|(row, name)| (order.iter().map(|column| column[row]).collect(), name))
        .collect();
    let mut names: Vec<&String> = Vec::new();
    places.into_iter().for_each(|(_, name)| {
        if !names.contains(&name) {
            names.push(name)
        }
    });
    let columns = beside.iter().map(|axis| block.counts(&format!("{axis}.order"))).collect::<Result<Vec<_>, _>>()?;
    let of_row = |row: usize| columns.iter().map(|column| column[row]).collect::<Vec<_>>();
    let groups: BTreeSet<Vec<Option<u64>>> = (0..block.height()).map(of_row).collect();
    let [uas, gains, p, holm] =
        ["uas_pct", "gain_points", "p_value", "p_holm"].map(|name| block.shown(name).unwrap_or_default());
    let ends = block.numbers("gain_low_points")?.into_iter().zip(block.numbers("gain_high_points")?);
    let interval = |(low, high): (Option<f64>, Option<f64>)| {
        low.zip(high).map_or_else(String::new, |(low, high)| format!("{} to {}", signed(low, 2), signed(high, 2)))
    };
    let intervals: Vec<String> = ends.map(interval).collect();
    let mut section = Section::new(values(shared, 0)?).left("parser", names.iter().map(|name| (*name).clone()));
    for group in groups {
        let rows: Vec<Option<usize>> = names
            .iter()
            .map(|name| (0..block.height()).find(|&row| parsers[row] == **name && of_row(row) == group))
            .collect();
        let Some(first) = rows.iter().flatten().next() else { continue };
        let label = values(beside, *first)?;
        let cells = |texts: &[String]| {
            let cell = |row: &Option<usize>| row.and_then(|row| texts.get(row).cloned()).unwrap_or_default();
            rows.iter().map(cell).collect::<Vec<_>>()
        };
        section = section
            .right(&format!("{label}:\nUAS"), cells(&uas))
            .right_if_any("gain", cells(&gains))
            .right_if_any("95 %\ninterval", cells(&intervals))
            .right_if_any("p", cells(&p))
            .right_if_any("p,\nHolm", cells(&holm));
    }
    Ok(section)
}

/// What the parsers of lines are called: their set, with what is not usual of their program and search, or their system.
fn parsers(lines: &Frame) -> Result<Vec<String>, ReportError> {
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
