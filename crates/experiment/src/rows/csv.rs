//! The one reader and writer of results files, for all rows and all verbs.
//!
//! A file has a header that names every column of its rows, in any order, and nothing else; a column of which each field may be
//! empty need not be there. An empty field is a missing value, never 0. Rows are written sorted by key, which no two rows share.
//!
//! Rows of cells and models have further columns behind the last axis that every file has: one for each further axis that some
//! row has a value on, by name.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use super::columns::{Column, Fields, LastCell, Row};
use treebound_core::decode::Backbone;
use treebound_parser::cell::{Axis, Decoding};
use treebound_records::lines::Lines;
use treebound_records::table::SEED;
use treebound_records::{HeaderFault, LineFault, MixedFault, ReportError, file, sheet};

/// A row of a results file. The order of rows is that of their keys first.
pub trait Record: Row + Ord + Clone {
    /// Says what is wrong with a row whose fields each hold what they should.
    ///
    /// # Errors
    /// If they do not go together.
    fn check(&self) -> Result<(), LineFault> {
        Ok(())
    }

    /// True if both rows have one key; such rows may not stand in one file.
    fn same_key(&self, other: &Self) -> bool;

    /// The key, for people.
    fn key(&self) -> String;
}

/// Reads a results file; the rows come sorted.
///
/// # Errors
/// If the file cannot be read, or as [`parse`].
pub fn read<R: Record>(path: &Path) -> Result<Vec<R>, ReportError> {
    let bytes = file::read(path)?;
    parse(&bytes, path)
}

/// Reads a results file if it is there; no rows if it is not.
///
/// # Errors
/// As [`read`], except for a file that is not there.
pub fn read_if_there<R: Record>(path: &Path) -> Result<Vec<R>, ReportError> {
    file::bytes_if_there(path)?.map_or_else(|| Ok(Vec::new()), |bytes| parse(&bytes, path))
}

/// Parses the bytes of a results file; `path` is for messages. The rows come sorted.
///
/// # Errors
/// Unknown, missing or repeated columns, fields that are not what their column holds, and keys that stand there twice,
/// with file and line.
pub fn parse<R: Record>(bytes: &[u8], path: &Path) -> Result<Vec<R>, ReportError> {
    parse_filled(bytes, path, |_| {})
}

/// As [`parse`], of a file whose rows may say that they are like the row above: `fill` gets them in the file's order, each
/// with its line, before they are sorted.
pub(super) fn parse_filled<R: Record>(
    bytes: &[u8],
    path: &Path,
    fill: impl FnOnce(&mut [(R, u64)]),
) -> Result<Vec<R>, ReportError> {
    let columns = R::columns();
    let names = || columns.iter().map(|column| column.name).collect::<Vec<_>>().join(",");
    let header_fault = |fault| ReportError::Header { path: path.to_owned(), fault, expected: names() };
    let mut lines = Lines::new(bytes, path).map_err(header_fault)?;
    let header = lines.header().to_vec();
    let further = further(&header, &columns);
    let places = places(&header, &columns, &further).map_err(header_fault)?;
    let mut rows: Vec<(R, u64)> = Vec::new();
    let mut last_cell: Option<LastCell> = None;
    while let Some((line, record)) = lines.next_line()? {
        let fail = |fault| ReportError::Line { path: path.to_owned(), line, fault };
        let text = |place: &Option<usize>| Cow::Borrowed(place.and_then(|at| record.get(at)).unwrap_or(""));
        let texts = places.iter().map(text).collect();
        let of_further = further.iter().map(|&at| (&header[at][..], record.get(at).unwrap_or("")));
        let mut line_fields = Fields::new(&columns, texts, &mut last_cell).with_further(of_further.collect());
        let row = R::parse(&mut line_fields).map_err(fail)?;
        row.check().map_err(fail)?;
        rows.push((row, line));
    }
    fill(&mut rows);
    rows.sort();
    if let Some([(_, first), (row, line)]) = rows.array_windows().find(|[a, b]| a.0.same_key(&b.0)) {
        // Rows that differ are sorted by what they hold, so the later line may come first.
        let (first, line) = (*first.min(line), *first.max(line));
        let fault = LineFault::Duplicate { key: row.key(), first };
        return Err(ReportError::Line { path: path.to_owned(), line, fault });
    }
    Ok(rows.into_iter().map(|(row, _)| row).collect())
}

/// The place of the last axis that every file of such rows has, if they have axes: further ones stand behind it.
fn last_axis(columns: &[Column]) -> Option<usize> {
    columns.iter().position(|column| [Decoding::NAME, Backbone::NAME].contains(&column.name))
}

/// The columns of further axes in a file with that header: those that are not known, from the last axis to the seed.
fn further(header: &[String], columns: &[Column]) -> Vec<usize> {
    let Some(last) = last_axis(columns) else { return Vec::new() };
    let place = |name: &str| header.iter().position(|found| found == name);
    let (Some(first), Some(seed)) = (place(columns[last].name), place(SEED)) else { return Vec::new() };
    let is_known = |at: &usize| columns.iter().any(|column| column.name == header[*at]);
    (first + 1..seed).filter(|at| !is_known(at)).collect()
}

/// Where each column stands in a file with that header; an optional one may stand nowhere.
///
/// # Errors
/// Columns that stand there twice, are not known, or are missing.
fn places(header: &[String], columns: &[Column], further: &[usize]) -> Result<Vec<Option<usize>>, HeaderFault> {
    if let Some(i) = (1..header.len()).find(|&i| header[..i].contains(&header[i])) {
        return Err(HeaderFault::Twice(header[i].clone()));
    }
    let is_known = |at: &usize| further.contains(at) || columns.iter().any(|column| column.name == header[*at]);
    let unknown: Vec<String> = (0..header.len()).filter(|at| !is_known(at)).map(|at| header[at].clone()).collect();
    if !unknown.is_empty() {
        return Err(HeaderFault::Unknown(unknown));
    }
    let place = |column: &Column| header.iter().position(|name| *name == column.name);
    let missing: Vec<String> = columns
        .iter()
        .filter(|column| !column.is_optional && place(column).is_none())
        .map(|column| column.name.to_owned())
        .collect();
    if missing.is_empty() { Ok(columns.iter().map(place).collect()) } else { Err(HeaderFault::Missing(missing)) }
}

/// The text of a results file with the given rows, which need not be sorted.
///
/// # Errors
/// If two rows have one key.
pub fn text<R: Record>(rows: &[R]) -> Result<Vec<u8>, ReportError> {
    let mut sorted: Vec<&R> = rows.iter().collect();
    sorted.sort();
    if let Some([_, row]) = sorted.array_windows().find(|[a, b]| a.same_key(b)) {
        return Err(ReportError::Mixed(MixedFault::Duplicate(row.key())));
    }
    let mut text = String::new();
    let columns = R::columns();
    let known = |axis: &str| columns.iter().any(|column| column.name == axis);
    let of_row = |row: &&R| row.axes().map(|axes| axes.further().map(|(axis, _)| axis.to_owned()).collect::<Vec<_>>());
    let further: BTreeSet<String> = sorted.iter().filter_map(of_row).flatten().filter(|axis| !known(axis)).collect();
    let behind = last_axis(&columns).map_or(0, |last| last + 1);
    let mut line: Vec<String> = columns.iter().map(|column| column.name.to_owned()).collect();
    let is_shown = shown(&columns, &sorted);
    let keep = |line: &mut Vec<String>| {
        let mut shown = is_shown.iter();
        line.retain(|_| shown.next().is_none_or(|&shown| shown));
    };
    keep(&mut line);
    line.splice(behind..behind, further.iter().cloned());
    let mut rows = sorted.into_iter();
    loop {
        text += &sheet::line(line.iter().map(|field| Some(field.as_str()).filter(|field| !field.is_empty())));
        let Some(row) = rows.next() else { break };
        line.clear();
        row.print(&mut line);
        keep(&mut line);
        if let Some(axes) = row.axes() {
            line.splice(behind..behind, further.iter().map(|axis| axes.spelt(axis)));
        }
    }
    Ok(text.into_bytes())
}

/// Which columns a file of these rows has: all but sparse ones of which every field is empty.
fn shown<R: Record>(columns: &[Column], rows: &[&R]) -> Vec<bool> {
    let mut shown: Vec<bool> = columns.iter().map(|column| !column.is_sparse).collect();
    let mut line = Vec::new();
    for row in rows {
        if shown.iter().all(|&shown| shown) {
            break;
        }
        line.clear();
        row.print(&mut line);
        shown.iter_mut().zip(&line).for_each(|(shown, text)| *shown |= !text.is_empty());
    }
    shown
}

/// Writes a results file, sorted, whole or not at all.
///
/// # Errors
/// As [`text`], or if the system refuses.
pub fn write<R: Record>(path: &Path, rows: &[R]) -> Result<(), ReportError> {
    file::write(path, &text(rows)?)
}
