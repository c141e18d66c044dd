//! Names of lines: what differs between them. What does not stands in the headings.

use std::collections::BTreeSet;

use treebound_parser::cell::Setting;

/// What may tell lines apart, for people: one text a property, in the order in which a name has them.
pub(super) type Properties = fn(&Setting) -> Vec<String>;

/// The names of a figure's lines.
pub(super) struct Names {
    properties: Properties,
    /// By property.
    differs: Vec<bool>,
    /// In the order of the settings.
    pub lines: Vec<String>,
}

impl Names {
    /// Those of all settings.
    pub fn of<'s>(settings: impl Iterator<Item = &'s Setting> + Clone, properties: Properties) -> Self {
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
            let name = names.name(setting);
            if !names.lines.contains(&name) {
                names.lines.push(name);
            }
        }
        names
    }

    /// The properties of a setting that differ between lines, or those that do not; none that are empty.
    pub fn parts(&self, setting: &Setting, differing: bool) -> Vec<String> {
        let parts = (self.properties)(setting).into_iter().zip(&self.differs);
        let chosen = parts.filter(|(part, differs)| **differs == differing && !part.is_empty());
        chosen.map(|(part, _)| part).collect()
    }

    /// The line of a setting, as its place among [`Names::lines`].
    pub fn place(&self, setting: &Setting) -> usize {
        let name = self.name(setting);
        self.lines.iter().position(|line| *line == name).unwrap_or(0)
    }

    fn name(&self, setting: &Setting) -> String {
        self.parts(setting, true).join(", ")
    }
}
