//! The one reader of results files for reports: columns by a [`Schema`], strictly checked.
//!
//! A missing value is an empty field, never 0. Whatever is wrong is an error that names file and line.

use std::collections::HashMap;
use std::path::Path;

use super::lines::Lines;
use super::schema::{Column, Kind, Schema};
use super::series::{self, Series};
use super::{HeaderFault, LineFault, ReportError, RowKey};

/// Counts are whole numbers up to here, so that they are exact as floating-point numbers too.
pub const MAX_COUNT: u64 = 1 << 53;

/// The column of training seeds.
pub const SEED: &str = "seed";

/// The column of keys: what made a row.
pub const KEY: &str = "key";

const KEY_EXPECTED: &str = "16 hexadecimal digits or empty";

/// The columns of a file.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The names of the axes, which are columns of words and come first.
    pub axes: Vec<String>,
    /// All columns with their names: axes, seed and key, then those of the schema in its order.
    pub columns: Vec<(String, Values)>,
}

/// The fields of a column.
#[derive(Clone, Debug)]
pub enum Values {
    /// Words; none where the field is empty.
    Words(Vec<Option<String>>),
    /// Counts; none where the field is empty.
    Counts(Vec<Option<u64>>),
    /// Numbers that may be below zero.
    Signed(Vec<Option<i64>>),
    /// Numbers of sentences, with those of the row above where a row repeats them.
    Series(Vec<Series>),
}

impl Values {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Word | Kind::Key | Kind::Error => Self::Words(Vec::new()),
            Kind::Count | Kind::Optional => Self::Counts(Vec::new()),
            Kind::Signed => Self::Signed(Vec::new()),
            Kind::Series => Self::Series(Vec::new()),
        }
    }

    fn push(&mut self, column: &Column, has_error: bool, text: &str) -> Result<(), LineFault> {
        let fault = |expected| LineFault::Field { column: column.name, value: text.to_owned(), expected };
        match self {
            Self::Words(words) if text.is_empty() && column.kind != Kind::Word => words.push(None),
            Self::Words(_) if text.is_empty() => return Err(fault("a name")),
            Self::Words(_) if column.kind == Kind::Key && RowKey::parse(text).is_none() => {
                return Err(fault(KEY_EXPECTED));
            }
            Self::Words(words) => words.push(Some(text.to_owned())),
            Self::Counts(counts) if text.is_empty() && (has_error || column.kind == Kind::Optional) => {
                counts.push(None)
            }
            Self::Counts(counts) => {
                counts.push(Some(count(text).ok_or_else(|| fault("a whole number from 0 to 2^53"))?));
            }
            Self::Signed(numbers) if text.is_empty() => numbers.push(None),
            Self::Signed(numbers) => {
                numbers.push(Some(text.parse().map_err(|_| fault("a whole number or empty"))?));
            }
            Self::Series(all) => {
                let series = Series::read(text).ok_or_else(|| fault(series::EXPECTED))?;
                let above = all.last().filter(|_| series.is_as_above()).cloned();
                all.push(above.unwrap_or(series));
            }
        }
        Ok(())
    }

    fn count(&self, row: usize) -> Option<u64> {
        if let Self::Counts(counts) = self { counts.get(row).copied().flatten() } else { None }
    }
}

/// Only digits: `+1` and the like would be written back in another way.
fn count(text: &str) -> Option<u64> {
    let is_written_so = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_written_so.then(|| text.parse().ok()).flatten().filter(|&number| number <= MAX_COUNT)
}

const SEED_COLUMN: Column = Column { name: SEED, kind: Kind::Count, may_lack: false };
const KEY_COLUMN: Column = Column { name: KEY, kind: Kind::Key, may_lack: true };
const AXIS: Column = Column { name: "axis", kind: Kind::Word, may_lack: false };

/// Where the fields of a column stand in a line.
struct Source {
    column: Column,
    field: Option<usize>,
    name: String,
    values: Values,
}

impl Table {
    /// Reads a file; a table without rows if it is not there.
    ///
    /// # Errors
    /// If it cannot be read, or as [`parse`](Self::parse).
    pub fn read(path: &Path, schema: &Schema) -> Result<Self, ReportError> {
        match super::file::bytes_if_there(path)? {
            Some(bytes) => Self::parse(&bytes, path, schema),
            None => Ok(Self::empty(schema)),
        }
    }

    /// A table without rows, and without axes.
    fn empty(schema: &Schema) -> Self {
        let seed = schema.has_axes.then(|| (SEED.to_owned(), Values::new(Kind::Count)));
        let columns = schema.columns.iter().map(|column| (column.name.to_owned(), Values::new(column.kind)));
        let key = (KEY.to_owned(), Values::new(Kind::Key));
        Self { axes: Vec::new(), columns: seed.into_iter().chain([key]).chain(columns).collect() }
    }

    /// Parses the bytes of a file; `path` is for messages. The rows stay in the order of the file.
    ///
    /// # Errors
    /// Unknown, missing or repeated columns, fields that are not what their column holds, numbers that contradict each other,
    /// and rows of one place, with file and line.
    pub fn parse(bytes: &[u8], path: &Path, schema: &Schema) -> Result<Self, ReportError> {
        let header_fault = |fault| {
            let before = if schema.has_axes { "axes,seed," } else { "" };
            let names = schema.columns.iter().map(|column| column.name).collect::<Vec<_>>().join(",");
            ReportError::Header { path: path.to_owned(), fault, expected: format!("{before}{names}") }
        };
        let mut lines = Lines::new(bytes, path).map_err(header_fault)?;
        let (axes, mut sources) = sources(lines.header(), schema).map_err(header_fault)?;
        let error = sources.iter().find(|source| source.column.kind == Kind::Error).and_then(|source| source.field);
        let mut places: HashMap<Vec<String>, u64> = HashMap::new();
        let mut row = 0;
        while let Some((line, record)) = lines.next_line()? {
            let fail = |fault| ReportError::Line { path: path.to_owned(), line, fault };
            let has_error = error.is_some_and(|field| !record[field].is_empty());
            for source in &mut sources {
                let text = source.field.map_or("", |field| &record[field]);
                let is_count = matches!(source.column.kind, Kind::Count | Kind::Optional) && source.column.name != SEED;
                if has_error && is_count && !text.is_empty() {
                    return Err(fail(LineFault::CountsAndError));
                }
                source.values.push(&source.column, has_error && is_count, text).map_err(fail)?;
            }
            check(schema, &sources, row).map_err(fail)?;
            let is_place = |source: &&Source| {
                source.name == SEED || axes.contains(&source.name) || schema.places.contains(&source.column.name)
            };
            let place = sources.iter().filter(is_place).map(|s| s.field.map_or("", |field| &record[field]).to_owned());
            let place: Vec<String> = place.collect();
            let key = place.join("/");
            if let Some(first) = places.insert(place, line) {
                return Err(fail(LineFault::Duplicate { key, first }));
            }
            row += 1;
        }
        Ok(Self { axes, columns: sources.into_iter().map(|source| (source.name, source.values)).collect() })
    }
}

/// The axes of a file with that header, and where each column is.
fn sources(header: &[String], schema: &Schema) -> Result<(Vec<String>, Vec<Source>), HeaderFault> {
    if let Some(i) = (1..header.len()).find(|&i| header[..i].contains(&header[i])) {
        return Err(HeaderFault::Twice(header[i].clone()));
    }
    let place = |name: &str| header.iter().position(|found| found == name);
    let seed = if schema.has_axes { place(SEED) } else { None };
    if schema.has_axes && seed.is_none() {
        return Err(HeaderFault::Missing(vec![SEED.to_owned()]));
    }
    // A column of the schema is never an axis, wherever it is.
    let is_axis = |name: &&String| schema.columns.iter().all(|column| column.name != **name) && *name != KEY;
    let axes: Vec<String> = header[..seed.unwrap_or(0)].iter().filter(is_axis).cloned().collect();
    let mut sources: Vec<Source> = Vec::new();
    let mut add = |column: Column, name: &str, field| {
        sources.push(Source { column, field, name: name.to_owned(), values: Values::new(column.kind) });
    };
    axes.iter().for_each(|axis| add(AXIS, axis, place(axis)));
    if schema.has_axes {
        add(SEED_COLUMN, SEED, seed);
    }
    add(KEY_COLUMN, KEY, place(KEY));
    schema.columns.iter().for_each(|column| add(*column, column.name, place(column.name)));
    let known = |i: usize| sources.iter().any(|source| source.field == Some(i));
    let unknown: Vec<String> = (0..header.len()).filter(|&i| !known(i)).map(|i| header[i].clone()).collect();
    if !unknown.is_empty() {
        return Err(HeaderFault::Unknown(unknown));
    }
    let is_missing = |source: &&Source| source.field.is_none() && !source.column.may_lack;
    let missing: Vec<String> = sources.iter().filter(is_missing).map(|source| source.name.clone()).collect();
    if missing.is_empty() { Ok((axes, sources)) } else { Err(HeaderFault::Missing(missing)) }
}

/// Refuses numbers of a row that contradict each other.
fn check(schema: &Schema, sources: &[Source], row: usize) -> Result<(), LineFault> {
    let value = |name: &str| sources.iter().find(|source| source.name == name)?.values.count(row);
    for &(less, more) in schema.at_most {
        if let (Some(less_value), Some(more_value)) = (value(less), value(more))
            && less_value > more_value
        {
            return Err(LineFault::Exceeds { less, less_value, more, more_value });
        }
    }
    Ok(())
}
