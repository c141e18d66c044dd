//! Tables: sections of columns with a heading each, notes under them, and a sheet for programs.
//!
//! One type carries all tables, and prints them as aligned text, as Markdown and as CSV.

use std::fmt::Write;

use serde::Serialize;

use super::wrap::{WIDTH, wrap_note};
use crate::frame::Frame;
use crate::measures;
use polars::prelude::{Column as Values, col};
use treebound_records::ReportError;
use treebound_records::sheet::Sheet;

/// Which side of a column its text is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A column: a heading, whose lines are separated by line feeds, and one text a row, which may be empty.
#[derive(Clone, Debug)]
struct Column {
    heading: String,
    align: Align,
    cells: Vec<String>,
}

/// A table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    sections: Vec<Section>,
    notes: Vec<String>,
    closing: String,
    sheet: Sheet,
}

/// A part of a table: what its lines have in common, and its columns.
#[derive(Clone, Debug, Default)]
pub struct Section {
    heading: String,
    columns: Vec<Column>,
}

impl Table {
    /// A table of sections, whose lines a file has as the sheet.
    pub fn new(sections: Vec<Section>, sheet: Sheet) -> Self {
        Self { sections, sheet, ..Self::default() }
    }

    /// With notes under it: what its numbers are, and what they are not.
    pub fn with_notes(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }

    /// With the file of another table.
    #[must_use]
    pub fn with_file_of(self, other: Self) -> Self {
        Self { sheet: other.sheet, ..self }
    }

    /// With lines under it that are printed as they are.
    pub fn with_closing(self, closing: impl Into<String>) -> Self {
        Self { closing: closing.into(), ..self }
    }

    /// Its sections.
    pub fn into_sections(self) -> Vec<Section> {
        self.sections
    }

    /// For people: prose in lines of [`WIDTH`] characters, and columns side by side, however many.
    pub fn text(&self) -> String {
        self.written(WIDTH, None)
    }

    /// For a terminal of so many columns. Sections that are wider go on below, with their first columns again.
    pub fn text_within(&self, width: usize) -> String {
        self.written(width.min(WIDTH), Some(width))
    }

    fn written(&self, of_prose: usize, width: Option<usize>) -> String {
        let mut text = String::new();
        for section in &self.sections {
            if !section.heading.is_empty() {
                text.push_str(&format!("{}\n\n", wrap_note(&section.heading, of_prose)));
            }
            for piece in width.map_or_else(|| vec![section.clone()], |width| section.within(width)) {
                text.push_str(&format!("{}\n", piece.text()));
            }
        }
        text.extend(self.notes.iter().map(|note| wrap_note(note, of_prose) + "\n"));
        text + &self.closing
    }

    /// For a README.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for section in &self.sections {
            if !section.heading.is_empty() {
                text.push_str(&format!("**{}**\n\n", section.heading));
            }
            text.push_str(&format!("{}\n", section.markdown()));
        }
        text.extend(self.notes.iter().map(|note| format!("- {note}\n")));
        text + &self.closing
    }

    /// For a page that draws it itself.
    pub fn grid(&self) -> Grid {
        let sections = self.sections.iter().map(Section::grid).collect();
        let closing = self.closing.lines().filter(|line| !line.is_empty()).map(str::to_owned);
        Grid { sections, notes: self.notes.iter().cloned().chain(closing).collect() }
    }

    /// The bytes of its CSV file.
    ///
    /// # Errors
    /// If the table engine refuses.
    pub fn csv(&self) -> Result<Vec<u8>, ReportError> {
        self.sheet.clone().csv()
    }
}

/// A table as its cells, line feeds in them gone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Grid {
    /// Its sections.
    pub sections: Vec<GridSection>,
    /// What stands under it.
    pub notes: Vec<String>,
}

/// A section as its cells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GridSection {
    /// What its lines have in common.
    pub heading: String,
    /// The headings of its columns.
    pub columns: Vec<GridCell>,
    /// By row and column.
    pub rows: Vec<Vec<GridCell>>,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GridCell {
    /// Its text.
    pub text: String,
    /// Whether it is a number, and stands on the right.
    pub is_number: bool,
}

/// Spaces between columns.
const GAP: &str = "  ";

impl Section {
    /// A section under a heading; without one if it is empty.
    pub fn new(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), columns: Vec::new() }
    }

    /// Adds a column of words.
    pub fn left(mut self, heading: &str, cells: impl IntoIterator<Item = String>) -> Self {
        self.push(heading, Align::Left, cells);
        self
    }

    /// Adds a column of numbers.
    pub fn right(mut self, heading: &str, cells: impl IntoIterator<Item = String>) -> Self {
        self.push(heading, Align::Right, cells);
        self
    }

    /// Adds a column of numbers, unless all its cells are empty.
    pub fn right_if_any(self, heading: &str, cells: impl IntoIterator<Item = String>) -> Self {
        let cells: Vec<String> = cells.into_iter().collect();
        if cells.iter().all(String::is_empty) { self } else { self.right(heading, cells) }
    }

    /// Adds columns of measures, each unless all its cells are empty.
    ///
    /// # Errors
    /// If lines have no such column.
    pub fn measures(self, lines: &Frame, names: &[&str]) -> Result<Self, ReportError> {
        names.iter().try_fold(self, |section, name| {
            let heading = measures::named(name).map_or(*name, |measure| measure.heading);
            Ok(section.right_if_any(heading, lines.shown(name)?))
        })
    }

    /// The names of its columns: their headings in small letters, with hyphens for what is between words.
    pub fn names(&self) -> Vec<String> {
        self.columns.iter().map(Column::name).collect()
    }

    /// The columns of these names, in that order.
    ///
    /// # Errors
    /// The first name that no column has.
    pub fn choose<'n>(self, names: &[&'n str]) -> Result<Self, &'n str> {
        let column = |name: &&'n str| self.columns.iter().find(|column| column.name() == *name).cloned().ok_or(*name);
        let columns = names.iter().map(column).collect::<Result<_, _>>()?;
        Ok(Self { columns, ..self })
    }

    /// With the cells of a column in other words, if it is there.
    pub fn reworded(mut self, name: &str, words: impl Fn(&str) -> String) -> Self {
        for column in self.columns.iter_mut().filter(|column| column.name() == name) {
            column.cells = column.cells.iter().map(|cell| words(cell)).collect();
        }
        self
    }

    fn push(&mut self, heading: &str, align: Align, cells: impl IntoIterator<Item = String>) {
        self.columns.push(Column { heading: heading.to_owned(), align, cells: cells.into_iter().collect() });
    }

    /// Sections of at most so many characters a line, one under the other: each has the first columns of words, and as many of the
    /// others as fit, at least one.
    fn within(&self, width: usize) -> Vec<Self> {
        let first = self.columns.iter().take_while(|column| column.align == Align::Left).count();
        let (names, others) = self.columns.split_at(first);
        let size = |columns: &[Column]| columns.iter().map(|column| column.width() + GAP.len()).sum::<usize>();
        let mut pieces = vec![Self { heading: self.heading.clone(), columns: names.to_vec() }];
        for column in others {
            let is_full = |piece: &Self| piece.columns.len() > first && size(&piece.columns) + column.width() > width;
            if pieces.last().is_some_and(is_full) {
                pieces.push(Self { heading: self.heading.clone(), columns: names.to_vec() });
            }
            if let Some(piece) = pieces.last_mut() {
                piece.columns.push(column.clone());
            }
        }
        pieces
    }

    fn rows(&self) -> usize {
        self.columns.iter().map(|c| c.cells.len()).max().unwrap_or(0)
    }

    /// Aligned text: the heading, a rule and a line a row. Cells may have several lines.
    fn text(&self) -> String {
        let widths: Vec<usize> = self.columns.iter().map(Column::width).collect();
        let mut text = String::new();
        let headings: Vec<&str> = self.columns.iter().map(|c| c.heading.as_str()).collect();
        self.print(&mut text, &widths, &headings, Side::Bottom);
        let rule = widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1);
        text.push_str(&"-".repeat(rule));
        text.push('\n');
        for row in 0..self.rows() {
            let cells: Vec<&str> = self.columns.iter().map(|c| c.cells.get(row).map_or("", String::as_str)).collect();
            self.print(&mut text, &widths, &cells, Side::Top);
        }
        text
    }

    /// One row of cells, each of which may have several lines.
    fn print(&self, text: &mut String, widths: &[usize], cells: &[&str], side: Side) {
        let lines: Vec<Vec<&str>> = cells.iter().map(|cell| cell.split('\n').collect()).collect();
        let height = lines.iter().map(Vec::len).max().unwrap_or(0);
        for i in 0..height {
            let mut line = String::new();
            for ((column, cell), &width) in self.columns.iter().zip(&lines).zip(widths) {
                let above = if side == Side::Bottom { height - cell.len() } else { 0 };
                let part = i.checked_sub(above).and_then(|i| cell.get(i)).copied().unwrap_or("");
                let space = " ".repeat(width - part.chars().count());
                match column.align {
                    Align::Left => line.extend([part, &space, GAP]),
                    Align::Right => line.extend([&space, part, GAP]),
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }

    /// Its cells; the lines of each are joined.
    fn grid(&self) -> GridSection {
        let cell = |column: &Column, text: String| GridCell { text, is_number: column.align == Align::Right };
        let heading = |column: &Column| cell(column, column.heading.replace("-\n", "-").replace('\n', " "));
        let row = |i: usize| {
            let text = |column: &Column| column.cells.get(i).map_or_else(String::new, |cell| cell.replace('\n', ""));
            self.columns.iter().map(|column| cell(column, text(column))).collect()
        };
        GridSection {
            heading: self.heading.clone(),
            columns: self.columns.iter().map(heading).collect(),
            rows: (0..self.rows()).map(row).collect(),
        }
    }

    /// A Markdown table; the lines of a cell are joined.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        let mut row = |cells: &mut dyn Iterator<Item = String>| {
            text.push('|');
            for cell in cells {
                // Writing into a string cannot fail.
                let _ = write!(text, " {cell} |");
            }
            text.push('\n');
        };
        let GridSection { columns, rows, .. } = self.grid();
        let texts = |cells: &[GridCell]| cells.iter().map(|cell| escape(&cell.text)).collect::<Vec<_>>();
        row(&mut texts(&columns).into_iter());
        row(&mut columns.iter().map(|column| if column.is_number { "---:" } else { "---" }.to_owned()));
        rows.iter().for_each(|cells| row(&mut texts(cells).into_iter()));
        text
    }
}

/// The columns of a file of lines: their axes, then these, measures with their decimals. `decoded` are the sentences of all
/// seeds; `sentences`, `tokens` and `scored_tokens` are those of one.
///
/// # Errors
/// If lines have no such column.
pub fn sheet(lines: &Frame, columns: &[&str]) -> Result<Sheet, ReportError> {
    let mut lines = lines.query(|rows| rows.with_columns([col("sentences").alias("decoded")]))?;
    let seeds = lines.counts("seeds")?;
    for name in ["sentences", "tokens", "scored_tokens"] {
        let sums = lines.counts(name)?.into_iter().zip(&seeds);
        let of_one: Vec<Option<u64>> = sums.map(|(sum, seeds)| sum?.checked_div((*seeds)?)).collect();
        lines = lines.with(Values::new(name.into(), of_one))?;
    }
    plain_sheet(&lines, columns)
}

/// The columns of a file of rows: their axes, then these, measures with their decimals.
///
/// # Errors
/// If rows have no such column.
pub fn plain_sheet(rows: &Frame, columns: &[&str]) -> Result<Sheet, ReportError> {
    let axes = rows.axes().iter().map(String::as_str);
    axes.chain(columns.iter().copied()).try_fold(Sheet::default(), |sheet, name| {
        Ok(match measures::named(name) {
            Some(measure) => sheet.fixed(name, measure.decimals, rows.numbers(name)?),
            None => sheet
                .optional_text(name, rows.words(name)?.into_iter().map(|word| Some(word).filter(|w| !w.is_empty()))),
        })
    })
}

/// Where the lines of a short cell stand in a tall row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Top,
    Bottom,
}

impl Column {
    /// The heading as one word.
    fn name(&self) -> String {
        let heading = self.heading.replace("-\n", "-").to_lowercase();
        heading.split([' ', '\n', ',', '.']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
    }

    /// Characters of the longest line.
    fn width(&self) -> usize {
        let texts = self.cells.iter().chain([&self.heading]);
        texts.flat_map(|t| t.split('\n')).map(|line| line.chars().count()).max().unwrap_or(0)
    }
}

fn escape(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::wrap::wrap_features;

    fn section() -> Section {
        Section::new("")
            .left("features", ["baseline".to_owned(), wrap_features("comb+grandchild+sibling", 16)])
            .right("UAS", ["92.81".to_owned(), "93.17".to_owned()])
            .right("DP calls\na sentence", ["1.0".to_owned(), String::new()])
            .right_if_any("none", [String::new(), String::new()])
    }

    #[test]
    fn text_is_aligned() {
        let expected = "                           DP calls
features            UAS  a sentence
-----------------------------------
baseline          92.81         1.0
comb+grandchild+  93.17
sibling
";
        assert_eq!(section().text(), expected);
    }

    #[test]
    fn markdown_is_aligned_too() {
        let expected = "\
| features | UAS | DP calls a sentence |
| --- | ---: | ---: |
| baseline | 92.81 | 1.0 |
| comb+grandchild+sibling | 93.17 |  |
";
        assert_eq!(section().markdown(), expected);
    }

    #[test]
    fn what_is_wider_than_the_terminal_goes_on_below() {
        let table = Table::new(vec![section()], Sheet::default());
        assert_eq!(table.text_within(35), table.text());
        let text = table.text_within(34);
        assert!(
            text.starts_with("features            UAS\n----") && text.contains("\n\n                    DP calls\n"),
            "{text}"
        );
        assert_eq!(text.matches("baseline").count(), 2);
        // One column stands there whatever the width.
        assert_eq!(table.text_within(1).matches("baseline").count(), 2);
    }

    #[test]
    fn columns_are_chosen_by_name() {
        assert_eq!(section().names(), ["features", "uas", "dp-calls-a-sentence"]);
        let chosen = section().choose(&["dp-calls-a-sentence", "uas"]).expect("columns");
        assert_eq!(
            chosen.markdown(),
            "| DP calls a sentence | UAS |\n| ---: | ---: |\n| 1.0 | 92.81 |\n|  | 93.17 |\n"
        );
        assert_eq!(section().choose(&["uas", "las"]).map(|_| ()), Err("las"));
        let words = section().reworded("uas", |uas| format!("{uas} %")).names();
        assert_eq!(words, section().names());
    }

    #[test]
    fn notes_and_headings_stand_around_sections() {
        let table = || {
            let sections =
                vec![Section::new("First").left("a", ["1".to_owned()]), Section::default().left("b", [String::new()])];
            Table::new(sections, Sheet::default().text("a", ["1"]))
                .with_notes(vec!["a: a letter.".to_owned()])
                .with_closing("End.\n")
        };
        assert_eq!(table().text(), "First\n\na\n-\n1\n\nb\n-\n\n\na: a letter.\nEnd.\n");
        assert_eq!(
            table().markdown(),
            "**First**\n\n| a |\n| --- |\n| 1 |\n\n| b |\n| --- |\n|  |\n\n- a: a letter.\nEnd.\n"
        );
        assert_eq!(table().csv().expect("a file"), b"a\n1\n");
    }
}
