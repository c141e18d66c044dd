//! Tables for people: aligned text and Markdown.

use std::fmt::Write;

/// Which side of a column its text is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
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

/// A table for people.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    columns: Vec<Column>,
}

/// Spaces between columns.
const GAP: &str = "  ";

impl Grid {
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

    fn push(&mut self, heading: &str, align: Align, cells: impl IntoIterator<Item = String>) {
        self.columns.push(Column { heading: heading.to_owned(), align, cells: cells.into_iter().collect() });
    }

    fn rows(&self) -> usize {
        self.columns.iter().map(|c| c.cells.len()).max().unwrap_or(0)
    }

    /// Aligned text: the heading, a rule and a line a row. Cells may have several lines.
    pub fn text(&self) -> String {
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

    /// A Markdown table; the lines of a cell are joined.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        let row = |text: &mut String, cells: &mut dyn Iterator<Item = String>| {
            text.push('|');
            for cell in cells {
                // Writing into a string cannot fail.
                let _ = write!(text, " {cell} |");
            }
            text.push('\n');
        };
        row(&mut text, &mut self.columns.iter().map(|c| escape(&c.heading.replace("-\n", "-").replace('\n', " "))));
        let rule = |align| if align == Align::Left { "---" } else { "---:" }.to_owned();
        row(&mut text, &mut self.columns.iter().map(|c| rule(c.align)));
        for i in 0..self.rows() {
            let cell = |c: &Column| c.cells.get(i).map_or_else(String::new, |cell| escape(&cell.replace('\n', "")));
            row(&mut text, &mut self.columns.iter().map(cell));
        }
        text
    }
}

/// Where the lines of a short cell stand in a tall row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Top,
    Bottom,
}

impl Column {
    /// Characters of the longest line.
    fn width(&self) -> usize {
        let texts = self.cells.iter().chain([&self.heading]);
        texts.flat_map(|t| t.split('\n')).map(|line| line.chars().count()).max().unwrap_or(0)
    }
}

fn escape(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Breaks a feature set after a `+` where a line would be longer than `width` characters.
pub fn wrap_features(features: &str, width: usize) -> String {
    let mut text = String::new();
    let mut line = 0;
    for part in features.split_inclusive('+') {
        let length = part.chars().count();
        if line > 0 && line + length > width {
            text.push('\n');
            line = 0;
        }
        text.push_str(part);
        line += length;
    }
    text
}

/// Breaks a note between words into lines of at most `width` characters, the later ones indented.
pub fn wrap_note(note: &str, width: usize) -> String {
    let mut text = String::new();
    let mut line = 0;
    for word in note.split(' ') {
        let length = word.chars().count();
        if line > 0 && line + 1 + length > width {
            text.push_str("\n  ");
            line = 2;
        } else if line > 0 {
            text.push(' ');
            line += 1;
        }
        text.push_str(word);
        line += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        Grid::default()
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
        assert_eq!(grid().text(), expected);
    }

    #[test]
    fn markdown_is_aligned_too() {
        let expected = "\
| features | UAS | DP calls a sentence |
| --- | ---: | ---: |
| baseline | 92.81 | 1.0 |
| comb+grandchild+sibling | 93.17 |  |
";
        assert_eq!(grid().markdown(), expected);
    }

    #[test]
    fn notes_are_broken_between_words() {
        assert_eq!(wrap_note("one two three four", 9), "one two\n  three\n  four");
    }
}
