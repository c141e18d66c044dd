//! Derived tables as sheets of named columns, and their CSV.
//!
//! Numbers that are no counts are put in as text with a fixed number of decimals; a missing value is an empty field.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::lines::Lines;
use super::{HeaderFault, ReportError, file, number};

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
        let mut text = line(self.columns.iter().map(|column| Some(column.name.as_str())));
        for row in 0..height {
            text += &line(self.columns.iter().map(|column| column.fields[row].as_deref()));
        }
        Ok(text.into_bytes())
    }
}

/// A line of a CSV file: a missing value is an empty field, an empty word a quoted one.
pub fn line<'w>(fields: impl Iterator<Item = Option<&'w str>>) -> String {
    fields.map(|word| word.map_or_else(String::new, field)).collect::<Vec<_>>().join(",") + "\n"
}

/// A word as a field of a CSV file: in quotes where it would be read otherwise without.
fn field(word: &str) -> String {
    if word.is_empty() || word.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", word.replace('"', "\"\""))
    } else {
        word.to_owned()
    }
}

/// The fields of each line of a derived table by column, in the order of the file, as they stand there.
///
/// # Errors
/// If the file cannot be read, or as [`records`].
pub fn read(path: &Path, needed: &[&str]) -> Result<Vec<BTreeMap<String, String>>, ReportError> {
    let bytes = file::read(path)?;
    records(&bytes, path, needed)
}

/// As [`read`], of the bytes of a file; `path` is for messages.
///
/// # Errors
/// If it is no CSV, or lacks one of the columns that are needed.
pub fn records(bytes: &[u8], path: &Path, needed: &[&str]) -> Result<Vec<BTreeMap<String, String>>, ReportError> {
    let fail = |fault| ReportError::Header { path: path.to_owned(), fault, expected: needed.join(",") };
    let mut lines = Lines::new(bytes, path).map_err(fail)?;
    let header = lines.header().to_vec();
    let is_missing = |name: &&&str| header.iter().all(|found| found != **name);
    let missing: Vec<String> = needed.iter().filter(is_missing).map(ToString::to_string).collect();
    if !missing.is_empty() {
        return Err(fail(HeaderFault::Missing(missing)));
    }
    let mut found = Vec::new();
    while let Some((_, record)) = lines.next_line()? {
        found.push(header.iter().cloned().zip(record.iter().map(str::to_owned)).collect());
    }
    Ok(found)
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
        let found = read(&path, &["c", "a"]).expect("lines");
        assert_eq!([&found[0]["c"], &found[0]["a"], &found[1]["a"], &found[1]["b"]], ["", "1", "x,y", "2"]);
        let message = read(&path, &["d"]).expect_err("no such column").to_string();
        assert_eq!(message, format!("{}:1: missing columns: d; expected the columns d", path.display()));
        std::fs::write(&path, "").expect("a file");
        assert!(read(&path, &["a"]).is_err());
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
