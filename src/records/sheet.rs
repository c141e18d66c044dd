//! Derived tables as sheets of named columns, and their CSV.
//!
//! Numbers that are no counts are put in as text with a fixed number of decimals; a missing value is an empty field.

use polars::prelude::{Column, CsvWriter, DataFrame, SerWriter};

use super::{ReportError, number};
use crate::cell::Setting;

/// A sheet that is built column by column.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    columns: Vec<Column>,
}

impl Sheet {
    /// A column of words.
    pub fn text<S: Into<String>>(mut self, name: &str, values: impl IntoIterator<Item = S>) -> Self {
        let values: Vec<String> = values.into_iter().map(Into::into).collect();
        self.columns.push(Column::new(name.into(), values));
        self
    }

    /// A column of words, some of which are missing.
    pub fn optional_text(mut self, name: &str, values: impl IntoIterator<Item = Option<String>>) -> Self {
        let values: Vec<Option<String>> = values.into_iter().collect();
        self.columns.push(Column::new(name.into(), values));
        self
    }

    /// A column of counts.
    pub fn count(mut self, name: &str, values: impl IntoIterator<Item = Option<u64>>) -> Self {
        let values: Vec<Option<u64>> = values.into_iter().collect();
        self.columns.push(Column::new(name.into(), values));
        self
    }

    /// A column of numbers with a fixed number of decimals.
    pub fn fixed(self, name: &str, decimals: usize, values: impl IntoIterator<Item = Option<f64>>) -> Self {
        self.optional_text(name, values.into_iter().map(|value| value.map(|v| number::fixed(v, decimals))))
    }

    /// The columns of a cell without its seed.
    pub fn settings<'a>(self, values: impl Iterator<Item = &'a Setting>) -> Self {
        let spelt: Vec<[String; Setting::AXES.len()]> = values.map(Setting::spelt).collect();
        let column = |sheet: Self, (at, name): (usize, &'static str)| sheet.text(name, spelt.iter().map(|s| &s[at]));
        Setting::AXES.into_iter().enumerate().fold(self, column)
    }

    /// The frame.
    ///
    /// # Errors
    /// If columns differ in length or share a name.
    pub fn frame(self) -> Result<DataFrame, ReportError> {
        Ok(DataFrame::new_infer_height(self.columns)?)
    }

    /// The frame as the bytes of a CSV file.
    ///
    /// # Errors
    /// As [`Self::frame`].
    pub fn csv(self) -> Result<Vec<u8>, ReportError> {
        let mut bytes = Vec::new();
        CsvWriter::new(&mut bytes).finish(&mut self.frame()?)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
