//! Derived tables as sheets of named columns, and their CSV.
//!
//! Numbers that are no counts are put in as text with a fixed number of decimals; a missing value is an empty field.

use std::array;
use std::collections::BTreeSet;
use std::path::Path;

use super::{HeaderFault, LineFault, ReportError, number};
use treebound_parser::cell::Setting;

/// A sheet that is built column by column.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    columns: Vec<SheetColumn>,
}

#[derive(Clone, Debug)]
struct SheetColumn {
    name: String,
    /// What each line has; none if nothing is known.
    fields: Vec<Option<String>>,
}

impl Sheet {
    /// A column of words.
    pub fn text<S: Into<String>>(self, name: &str, values: impl IntoIterator<Item = S>) -> Self {
        self.optional_text(name, values.into_iter().map(|value| Some(value.into())))
    }

    /// A column of words, some of which are missing.
    pub fn optional_text(mut self, name: &str, values: impl IntoIterator<Item = Option<String>>) -> Self {
        self.columns.push(SheetColumn { name: name.to_owned(), fields: values.into_iter().collect() });
        self
    }

    /// A column of counts.
    pub fn count(self, name: &str, values: impl IntoIterator<Item = Option<u64>>) -> Self {
        self.optional_text(name, values.into_iter().map(|value| value.map(|count| count.to_string())))
    }

    /// A column of numbers with a fixed number of decimals.
    pub fn fixed(self, name: &str, decimals: usize, values: impl IntoIterator<Item = Option<f64>>) -> Self {
        self.optional_text(name, values.into_iter().map(|value| value.map(|v| number::fixed(v, decimals))))
    }

    /// The columns of a cell without its seed.
    pub fn settings<'a>(self, values: impl Iterator<Item = &'a Setting>) -> Self {
        let settings: Vec<&Setting> = values.collect();
        let column = |sheet: Self, name: &str| sheet.text(name, settings.iter().map(|setting| setting.spelt_in(name)));
        Setting::columns(settings.iter().copied()).into_iter().fold(self, column)
    }

    /// The bytes of a CSV file. A missing value is an empty field, an empty word a quoted one.
    ///
    /// # Errors
    /// If columns differ in length or share a name.
    pub fn csv(self) -> Result<Vec<u8>, ReportError> {
        let mut names = BTreeSet::new();
        let height = self.columns.first().map_or(0, |column| column.fields.len());
        for column in &self.columns {
            if !names.insert(&column.name) || column.fields.len() != height {
                return Err(ReportError::Sheet { column: column.name.clone() });
            }
        }
        let mut text = self.columns.iter().map(|column| field(&column.name)).collect::<Vec<_>>().join(",") + "\n";
        for line in 0..height {
            let fields =
                self.columns.iter().map(|column| column.fields[line].as_deref().map_or_else(String::new, field));
            text.push_str(&fields.collect::<Vec<_>>().join(","));
            text.push('\n');
        }
        Ok(text.into_bytes())
    }
}

/// A word as a field of a CSV file: in quotes where it would be read otherwise without.
fn field(word: &str) -> String {
    if word.is_empty() || word.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", word.replace('"', "\"\""))
    } else {
        word.to_owned()
    }
}

/// The fields of some columns of a derived table, line by line in the order of the file, as they stand there.
///
/// # Errors
/// If the file cannot be read, is no CSV, or lacks one of the columns.
pub fn read<const N: usize>(path: &Path, columns: [&str; N]) -> Result<Vec<[String; N]>, ReportError> {
    Ok(read_some(path, columns, [])?.into_iter().map(|(fields, [])| fields).collect())
}

/// The fields of some columns, and of columns that older files do not have.
pub type Fields<const N: usize, const M: usize> = ([String; N], [String; M]);

/// As [`read`], with columns behind them that older files do not have: their fields are then empty.
///
/// # Errors
/// As [`read`].
pub fn read_some<const N: usize, const M: usize>(
    path: &Path,
    columns: [&str; N],
    optional: [&str; M],
) -> Result<Vec<Fields<N, M>>, ReportError> {
    let lines = lines(&read_bytes(path)?, path, &columns, &optional)?.into_iter();
    Ok(lines.map(|(_, mut fields)| (take(&mut fields, 0), take(&mut fields, N))).collect())
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, ReportError> {
    std::fs::read(path).map_err(|source| ReportError::Read { path: path.to_owned(), source })
}

/// The fields from a place on.
fn take<const N: usize>(fields: &mut [String], from: usize) -> [String; N] {
    array::from_fn(|at| std::mem::take(&mut fields[from + at]))
}

/// As [`Fields`], with the setting in front.
pub type SettingFields<const N: usize, const M: usize> = (Setting, [String; N], [String; M]);

/// As [`read_some`], of a table of settings: those too.
///
/// # Errors
/// As [`read`], or if an axis is not spelt as it should be.
pub fn read_settings<const N: usize, const M: usize>(
    path: &Path,
    columns: [&str; N],
    optional: [&str; M],
) -> Result<Vec<SettingFields<N, M>>, ReportError> {
    parse_settings(&read_bytes(path)?, path, columns, optional)
}

/// As [`read_settings`], of the bytes of a file; `path` is for messages.
///
/// # Errors
/// As [`read_settings`].
pub fn parse_settings<const N: usize, const M: usize>(
    bytes: &[u8],
    path: &Path,
    columns: [&str; N],
    optional: [&str; M],
) -> Result<Vec<SettingFields<N, M>>, ReportError> {
    let axes = Setting::AXES.len();
    let mut found = Vec::new();
    for (line, mut fields) in lines(bytes, path, &[&Setting::AXES[..], &columns[..]].concat(), &optional)? {
        let setting = Setting::read(array::from_fn(|at| &fields[at][..])).map_err(|(at, expected)| {
            let fault = LineFault::Field { column: Setting::AXES[at], value: fields[at].clone(), expected };
            ReportError::Line { path: path.to_owned(), line, fault }
        })?;
        found.push((setting, take(&mut fields, axes), take(&mut fields, axes + N)));
    }
    Ok(found)
}

/// The lines of a file with their numbers: of each the fields of these columns, then those of columns that it may lack.
fn lines(
    bytes: &[u8],
    path: &Path,
    columns: &[&str],
    optional: &[&str],
) -> Result<Vec<(u64, Vec<String>)>, ReportError> {
    let mut reader = csv::ReaderBuilder::new().from_reader(bytes);
    let fail = |line, fault| ReportError::Line { path: path.to_owned(), line, fault };
    let header = reader.headers().map_err(|_| fail(1, LineFault::NotUtf8))?.clone();
    let place = |name: &&str| header.iter().position(|found| found == *name).ok_or_else(|| (*name).to_owned());
    let (places, missing): (Vec<_>, Vec<_>) = columns.iter().map(place).partition(Result::is_ok);
    if !missing.is_empty() {
        let fault = HeaderFault::Missing(missing.into_iter().filter_map(Result::err).collect());
        return Err(ReportError::Header { path: path.to_owned(), fault, expected: columns.join(",") });
    }
    let behind = optional.iter().map(|name| place(name).ok());
    let places: Vec<Option<usize>> = places.into_iter().flatten().map(Some).chain(behind).collect();
    let mut lines = Vec::new();
    for record in reader.records() {
        let line = record.as_ref().map_or_else(csv::Error::position, csv::StringRecord::position);
        let line = line.map_or(0, csv::Position::line);
        let record = record.map_err(|error| match error.kind() {
            csv::ErrorKind::UnequalLengths { len, .. } => {
                let found = usize::try_from(*len).unwrap_or(usize::MAX);
                fail(line, LineFault::Fields { found, expected: header.len() })
            }
            _ => fail(line, LineFault::NotUtf8),
        })?;
        lines.push((
            line,
            places.iter().map(|&place| place.and_then(|at| record.get(at)).unwrap_or("").to_owned()).collect(),
        ));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_columns_of_a_derived_table_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("table.csv");
        let sheet = Sheet::default().text("a", ["1", "x,y"]).count("b", [None, Some(2)]).text("c", ["", "z"]);
        std::fs::write(&path, sheet.csv().expect("a table")).expect("a file");
        assert_eq!(read(&path, ["c", "a"]).expect("lines"), [["", "1"], ["z", "x,y"]].map(|l| l.map(str::to_owned)));
        let some = read_some(&path, ["c"], ["d", "a"]).expect("lines");
        assert_eq!(some[1], (["z".to_owned()], [String::new(), "x,y".to_owned()]));
        let message = read(&path, ["d"]).expect_err("no such column").to_string();
        assert_eq!(message, format!("{}:1: missing columns: d; expected the columns d", path.display()));
        std::fs::write(&path, "").expect("a file");
        assert!(read(&path, ["a"]).is_err());
    }

    #[test]
    fn missing_is_empty_and_odd_words_are_quoted() {
        let csv = Sheet::default()
            .text("name", ["plain", "a,b", "say \"x\"", ""])
            .count("count", [Some(1), None, Some(9_007_199_254_740_992), Some(0)])
            .fixed("share_pct", 2, [Some(1.0 / 3.0), Some(-0.001), None, Some(100.0)])
            .csv()
            .expect("a table");
        let expected =
            "name,count,share_pct\nplain,1,0.33\n\"a,b\",,0.00\n\"say \"\"x\"\"\",9007199254740992,\n\"\",0,100.00\n";
        assert_eq!(String::from_utf8(csv).expect("text"), expected);
    }

    #[test]
    fn no_rows_leave_the_header() {
        let csv = Sheet::default().text("name", [""; 0]).count("count", []).csv().expect("a table");
        assert_eq!(csv, b"name,count\n");
    }

    #[test]
    fn columns_must_fit() {
        assert!(Sheet::default().count("a", [None]).count("b", []).csv().is_err());
        assert!(Sheet::default().count("a", []).count("a", []).csv().is_err());
    }
}
