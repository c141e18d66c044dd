//! Which settings a figure shows, what its lines are called, and rows of panels whose lines are settings.

use std::collections::{BTreeMap, BTreeSet};

use super::axis::Axis;
use super::canvas::{Canvas, Look};
use super::panel::{Layout, LegendGroup, Line, Panel, Panels, Row};
use crate::frame::Frame;
use treebound_records::ReportError;
use treebound_records::number::counted;

/// The lines that the paper's figures show: of each corpus and tags those with the most families of features, on the test
/// part, or by cross-validation if test is not among them, or else on the development part.
///
/// # Errors
/// If rows have no axes.
pub fn main_lines(rows: &Frame) -> Result<BTreeSet<String>, ReportError> {
    let families = rows.counts("families")?;
    let mut chosen = BTreeSet::new();
    for shown in by_main_part(rows)? {
        let most = shown.iter().map(|(row, _)| families[*row]).max();
        chosen.extend(shown.into_iter().filter(|(row, _)| Some(families[*row]) == most).map(|(_, line)| line));
    }
    Ok(chosen)
}

/// The lines on the part that [`main_lines`] are of, with any features.
///
/// # Errors
/// If rows have no axes.
pub fn lines_on_main_part(rows: &Frame) -> Result<BTreeSet<String>, ReportError> {
    Ok(by_main_part(rows)?.into_iter().flatten().map(|(_, line)| line).collect())
}

/// The rows and lines of each corpus and tags on the part that is shown.
fn by_main_part(rows: &Frame) -> Result<Vec<Vec<(usize, String)>>, ReportError> {
    let splits = rows.words("split")?;
    let mut corpora: BTreeMap<(String, String), Vec<(usize, String)>> = BTreeMap::new();
    let data = rows.words("corpus")?.into_iter().zip(rows.words("tags")?);
    for (row, (data, line)) in data.zip(rows.words("line")?).enumerate() {
        corpora.entry(data).or_default().push((row, line));
    }
    for shown in corpora.values_mut() {
        if let Some(split) = ["test", "cv"].iter().find(|split| shown.iter().any(|(row, _)| splits[*row] == **split)) {
            shown.retain(|(row, _)| splits[*row] == *split);
        }
    }
    Ok(corpora.into_values().collect())
}

/// How many training seeds lines are sums over, for a note; not all lines need have as many.
///
/// # Errors
/// If rows have no seeds.
pub fn seeds_together(rows: &Frame) -> Result<String, ReportError> {
    let mut seeds: BTreeMap<String, BTreeSet<Option<u64>>> = BTreeMap::new();
    for (line, seed) in rows.words("line")?.into_iter().zip(rows.counts("seed")?) {
        seeds.entry(line).or_default().insert(seed);
    }
    let counts: BTreeSet<u64> = seeds.values().map(|seeds| seeds.len() as u64).collect();
    Ok(match (counts.first(), counts.last()) {
        (Some(least), Some(most)) if least < most => format!("{least} to {most} training seeds together"),
        (_, most) => counted(most.copied().unwrap_or(0), "training seed", "training seeds together"),
    })
}

/// The names of a figure's lines: what differs between them. What does not is part of the headings.
pub struct Names {
    /// In the order of the rows; a line's place here gives its look.
    pub lines: Vec<String>,
    /// The place of each row's line.
    places: Vec<usize>,
    /// What rows have in common.
    shared: Vec<Vec<String>>,
}

impl Names {
    /// The names of rows by their properties, for people: one text a row each, in the order in which a name has them.
    pub fn new(properties: &[Vec<String>]) -> Self {
        let distinct = |texts: &Vec<String>| texts.iter().collect::<BTreeSet<_>>().len();
        let mut differs: Vec<bool> = properties.iter().map(|texts| distinct(texts) > 1).collect();
        // A single line still has a name.
        if let (false, Some(first)) = (differs.contains(&true), differs.first_mut()) {
            *first = true;
        }
        let height = properties.first().map_or(0, Vec::len);
        let parts = |row: usize, differing: bool| {
            let chosen = properties.iter().zip(&differs).filter(|(_, differs)| **differs == differing);
            chosen.map(|(texts, _)| texts[row].clone()).filter(|text| !text.is_empty()).collect::<Vec<_>>()
        };
        let mut lines: Vec<String> = Vec::new();
        let mut places = Vec::new();
        for row in 0..height {
            let name = parts(row, true).join(", ");
            places.push(lines.iter().position(|line| *line == name).unwrap_or(lines.len()));
            if places[row] == lines.len() {
                lines.push(name);
            }
        }
        Self { lines, places, shared: (0..height).map(|row| parts(row, false)).collect() }
    }

    /// A heading: words that a recipe has for it, and what does not differ between lines.
    pub fn heading(&self, mut words: Vec<String>, row: usize) -> String {
        words.extend(self.shared[row].iter().cloned());
        words.join(", ")
    }

    /// The line of a row, as its place among [`Names::lines`].
    pub fn place(&self, row: usize) -> usize {
        self.places[row]
    }

    /// The lines of some rows through their points.
    pub fn lines_through(
        &self,
        rows: impl IntoIterator<Item = usize>,
        points: impl Fn(usize) -> Vec<(f64, f64)>,
    ) -> Vec<Line> {
        rows.into_iter().map(|row| line(self.place(row), points(row))).collect()
    }
}

/// The words of an axis; nothing where a system does not have it.
///
/// # Errors
/// If there is no such column.
pub fn words_if_any(lines: &Frame, name: &str) -> Result<Vec<String>, ReportError> {
    let word = |word: String| if word == crate::frame::ABSENT { String::new() } else { word };
    Ok(lines.words(name)?.into_iter().map(word).collect())
}

/// The backbones of lines that are not the paper's own; nothing of the others.
///
/// # Errors
/// If there is no such column.
pub fn other_backbones(lines: &Frame) -> Result<Vec<String>, ReportError> {
    let word = |word: String| if word == crate::frame::USUAL_BACKBONE { String::new() } else { word };
    Ok(lines.words("backbone")?.into_iter().map(word).collect())
}

/// The n-th line of a legend through some points.
pub fn line(n: usize, points: Vec<(f64, f64)>) -> Line {
    Line { look: Look::new(n, n), points: points.into_iter().map(Into::into).collect() }
}

/// The least and the largest of given ends and of the values of lines.
pub fn range(lines: &[Line], ends: (f64, f64)) -> (f64, f64) {
    let values = || lines.iter().flat_map(|line| &line.points).map(|dot| dot.y);
    (values().fold(ends.0, f64::min), values().fold(ends.1, f64::max))
}

/// A panel of lines without a title.
pub fn panel(x: (Axis, &str), y: (Axis, String), lines: Vec<Line>) -> Panel {
    let ((x, x_label), (y, y_label)) = (x, y);
    Panel { title: Vec::new(), x, x_label: x_label.to_owned(), y, y_label, lines, histogram: None }
}

/// Rows of panels under headings, with a legend of all lines by name.
pub fn draw(rows: Vec<(String, Vec<Panel>)>, names: &[String], note: String) -> Canvas {
    let rows = rows.into_iter().map(|(heading, panels)| Row { heading: Some(heading), panels }).collect();
    let entries = names.iter().enumerate().map(|(n, name)| (name.clone(), Some(Look::new(n, n)))).collect();
    let legend = vec![LegendGroup { name: None, entries }];
    Panels { layout: Layout::NARROW, legend, rows, note }.draw()
}

#[cfg(test)]
mod tests {
    use super::*;
    use treebound_records::schema::BY_LENGTH;

    #[test]
    fn the_largest_sets_on_the_test_part_are_chosen() {
        let all = [
            ("a,dev", "grandchild+sibling,k=10"),
            ("a,test", "grandchild+sibling,k=10"),
            ("a,test", "grandchild+sibling,k=3"),
            ("a,test", "sibling,k=3"),
            ("b,dev", "comb,k=3"),
            ("b,dev", "sibling,k=3"),
            ("b,dev", "baseline,k=3"),
        ];
        let line =
            |(data, parser): &(&str, &str)| format!("{data},gold,graph,compact,perceptron,{parser},carreras/bnb");
        let header = "corpus,split,tags,system,templates,learner,features,pruning,decoding,seed,length,sentences,correct,\
                      scored_tokens,scored_correct";
        let rows: String = all.iter().map(|one| format!("{},1,1,1,1,1,1\n", line(one))).collect();
        let text = format!("{header}\n{rows}");
        let rows = Frame::parse(text.as_bytes(), std::path::Path::new("FILE"), &BY_LENGTH).expect("rows");
        let names = |chosen: &[usize]| chosen.iter().map(|&i| line(&all[i]).replace(',', "/")).collect::<BTreeSet<_>>();
        assert_eq!(main_lines(&rows).expect("lines"), names(&[1, 2, 4, 5]));
        assert_eq!(lines_on_main_part(&rows).expect("lines"), names(&[1, 2, 3, 4, 5, 6]));
    }
}
