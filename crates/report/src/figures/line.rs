//! Which settings a figure shows, what its lines are called, and rows of panels whose lines are settings.

use std::collections::{BTreeMap, BTreeSet};

use super::axis::Axis;
use super::canvas::{Canvas, Look};
use super::panel::{Layout, LegendGroup, Line, Panel, Panels, Row};
use treebound_parser::cell::{CellKey, CorpusName, Setting, Split, Tags};
use treebound_records::number::counted;

/// The settings that the paper's figures show: of each corpus and tags those with the most families of features, on the test
/// part, or by cross-validation if test is not among them, or else on the development part.
pub fn main_settings(settings: impl IntoIterator<Item = Setting>) -> BTreeSet<Setting> {
    let mut chosen = BTreeSet::new();
    for settings in by_main_part(settings) {
        let most = settings.iter().map(|setting| setting.families()).max();
        chosen.extend(settings.into_iter().filter(|setting| Some(setting.families()) == most));
    }
    chosen
}

/// The settings on the part that [`main_settings`] are of, with any features.
pub fn settings_on_main_part(settings: impl IntoIterator<Item = Setting>) -> BTreeSet<Setting> {
    by_main_part(settings).flatten().collect()
}

/// The settings of each corpus and tags on the part that is shown.
fn by_main_part(settings: impl IntoIterator<Item = Setting>) -> impl Iterator<Item = Vec<Setting>> {
    let mut corpora: BTreeMap<(CorpusName, Tags), Vec<Setting>> = BTreeMap::new();
    for setting in settings {
        corpora.entry((setting.corpus.clone(), setting.tags)).or_default().push(setting);
    }
    corpora.into_values().map(|mut settings| {
        let splits = [Split::Test, Split::Cv];
        if let Some(split) = splits.into_iter().find(|&split| settings.iter().any(|setting| setting.split == split)) {
            settings.retain(|setting| setting.split == split);
        }
        settings
    })
}

/// How many training seeds lines are sums over, for a note; not all lines need have as many.
pub fn seeds_together<'c>(cells: impl IntoIterator<Item = &'c CellKey>) -> String {
    let mut seeds: BTreeMap<&Setting, BTreeSet<u64>> = BTreeMap::new();
    for cell in cells {
        seeds.entry(&cell.setting).or_default().insert(cell.seed);
    }
    let counts: BTreeSet<u64> = seeds.values().map(|seeds| seeds.len() as u64).collect();
    match (counts.first(), counts.last()) {
        (Some(least), Some(most)) if least < most => format!("{least} to {most} training seeds together"),
        (_, most) => counted(most.copied().unwrap_or(0), "training seed", "training seeds together"),
    }
}

/// The names of a figure's lines: what differs between them. What does not is part of the headings.
pub struct Names {
    /// What may tell lines apart, for people: one text a property, in the order in which a name has them.
    properties: fn(&Setting) -> Vec<String>,
    /// By property.
    differs: Vec<bool>,
    /// In the order of the settings; a line's place here gives its look.
    pub lines: Vec<String>,
}

impl Names {
    /// The names of the lines of all settings.
    pub fn new<'s>(
        settings: impl Iterator<Item = &'s Setting> + Clone,
        properties: fn(&Setting) -> Vec<String>,
    ) -> Self {
        let all: BTreeSet<Vec<String>> = settings.clone().map(properties).collect();
        let count = all.first().map_or(0, Vec::len);
        let values = |i: usize| all.iter().map(|line| &line[i]).collect::<BTreeSet<_>>().len();
        let mut differs: Vec<bool> = (0..count).map(|i| values(i) > 1).collect();
        // A single line still has a name.
        if let (false, Some(first)) = (differs.contains(&true), differs.first_mut()) {
            *first = true;
        }
        let mut names = Self { properties, differs, lines: Vec::new() };
        for setting in settings {
            let name = names.parts(setting, true).join(", ");
            if !names.lines.contains(&name) {
                names.lines.push(name);
            }
        }
        names
    }

    /// The properties of a setting that differ between lines, or those that do not; none that are empty.
    fn parts(&self, setting: &Setting, differing: bool) -> Vec<String> {
        let parts = (self.properties)(setting).into_iter().zip(&self.differs);
        let chosen = parts.filter(|(part, differs)| **differs == differing && !part.is_empty());
        chosen.map(|(part, _)| part).collect()
    }

    /// A heading: words that a recipe has for it, and what does not differ between lines.
    pub fn heading(&self, mut words: Vec<String>, setting: &Setting) -> String {
        words.extend(self.parts(setting, false));
        words.join(", ")
    }

    /// The line of a setting, as its place among [`Names::lines`].
    pub fn place(&self, setting: &Setting) -> usize {
        let name = self.parts(setting, true).join(", ");
        self.lines.iter().position(|line| *line == name).unwrap_or(0)
    }

    /// The lines of some settings through their points.
    pub fn lines_through<'s>(
        &self,
        settings: impl IntoIterator<Item = &'s Setting>,
        points: impl Fn(&'s Setting) -> Vec<(f64, f64)>,
    ) -> Vec<Line> {
        settings.into_iter().map(|setting| line(self.place(setting), points(setting))).collect()
    }
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

    #[test]
    fn the_largest_sets_on_the_test_part_are_chosen() {
        let setting = |corpus: &str, split: &str, features: &str, pruning: &str| {
            let axes = [corpus, split, "gold", "graph", "compact", "perceptron", features, pruning, "carreras/bnb"];
            Setting::read(axes).expect("a setting")
        };
        let all = [
            setting("a", "dev", "grandchild+sibling", "k=10"),
            setting("a", "test", "grandchild+sibling", "k=10"),
            setting("a", "test", "grandchild+sibling", "k=3"),
            setting("a", "test", "sibling", "k=3"),
            setting("b", "dev", "comb", "k=3"),
            setting("b", "dev", "sibling", "k=3"),
            setting("b", "dev", "baseline", "k=3"),
        ];
        let expected = [1, 2, 4, 5].map(|i| all[i].clone());
        assert_eq!(main_settings(all.clone()), BTreeSet::from(expected));
        let expected = [1, 2, 3, 4, 5, 6].map(|i| all[i].clone());
        assert_eq!(settings_on_main_part(all), BTreeSet::from(expected));
    }
}
