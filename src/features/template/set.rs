//! Template sets, from TOML files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use serde::Deserialize;
use thiserror::Error;

use super::{Kind, Template, Variant};
use crate::features::hand::{Pattern, PatternWire, Patterns};

/// What is wrong with a template file.
#[derive(Debug, Error)]
pub enum TemplateError {
    /// The file cannot be read.
    #[error("{path}: cannot read the template file: {source}")]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Not TOML, or not of the expected shape.
    #[error("{path}: {source}")]
    Toml {
        /// The file.
        path: String,
        /// Where and what.
        source: Box<toml::de::Error>,
    },
    /// A template that cannot be read.
    #[error("{path}: group {group}: {message}")]
    Template {
        /// The file.
        path: String,
        /// The group's number, from 1.
        group: usize,
        /// What was expected.
        message: String,
    },
    /// A hand-crafted pattern that cannot be read.
    #[error("{path}: {message}")]
    Pattern {
        /// The file.
        path: String,
        /// What was expected.
        message: String,
    },
}

type Classes = BTreeMap<String, Vec<String>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileWire {
    /// Built-in hand-crafted patterns, by name.
    #[serde(default)]
    hand: Vec<String>,
    /// Further patterns.
    #[serde(default)]
    pattern: Vec<PatternWire>,
    group: Vec<GroupWire>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupWire {
    part: Kind,
    variants: Vec<Variant>,
    /// Attributes that capital letters stand for: `W = ["w", "l"]` turns `h.W` into two templates, `h.W m.W` into four.
    #[serde(default)]
    expand: Classes,
    /// As `expand`, with the same attribute for a letter throughout a template: `h.W m.W` becomes two.
    #[serde(default)]
    alike: Classes,
    templates: Vec<String>,
}

/// A set of templates, sorted and without repetition, with the hand-crafted patterns that it is for.
#[derive(Clone, Debug)]
pub struct TemplateSet {
    templates: Vec<Template>,
    patterns: Patterns,
    /// Templates before repetitions were removed.
    written: usize,
}

impl TemplateSet {
    /// The names of the built-in sets.
    pub const BUILT_IN: [&str; 4] = ["compact", "paper", "paper-zh", "pruner"];

    /// The built-in set of that name, if there is one.
    ///
    /// # Errors
    /// Only if the built-in file is wrong, which a test rules out.
    pub fn built_in(name: &str) -> Option<Result<Self, TemplateError>> {
        let text = match name {
            "compact" => include_str!("../sets/compact.toml"),
            "paper" => include_str!("../sets/paper.toml"),
            "paper-zh" => include_str!("../sets/paper-zh.toml"),
            "pruner" => include_str!("../sets/pruner.toml"),
            _ => return None,
        };
        Some(Self::parse(text, name))
    }

    /// Reads a template file.
    ///
    /// # Errors
    /// The file, and what is wrong in it.
    pub fn read(path: &Path) -> Result<Self, TemplateError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|source| TemplateError::Io { path: name.clone(), source })?;
        Self::parse(&text, &name)
    }

    /// Parses the text of a template file; `path` is for messages.
    ///
    /// # Errors
    /// As [`TemplateSet::read`].
    pub fn parse(text: &str, path: &str) -> Result<Self, TemplateError> {
        let file: FileWire = toml::from_str(text)
            .map_err(|source| TemplateError::Toml { path: path.to_owned(), source: Box::new(source) })?;
        let (mut templates, mut written) = (BTreeSet::new(), 0);
        for (i, group) in file.group.iter().enumerate() {
            let fail = |message| TemplateError::Template { path: path.to_owned(), group: i + 1, message };
            for text in &group.templates {
                let alike = alike(text, &group.alike);
                for expanded in alike.iter().flat_map(|text| expand(text, &group.expand)) {
                    for &variant in &group.variants {
                        written += 1;
                        templates.insert(Template::parse(group.part, variant, &expanded).map_err(fail)?);
                    }
                }
            }
        }
        let fail = |message| TemplateError::Pattern { path: path.to_owned(), message };
        let mut patterns = Vec::new();
        for name in &file.hand {
            patterns.extend(Patterns::built_in(name).map_err(fail)?);
        }
        for wire in &file.pattern {
            patterns.push(Pattern::new(wire).map_err(fail)?);
        }
        let patterns = Patterns::new(patterns).map_err(fail)?;
        Ok(Self { templates: templates.into_iter().collect(), patterns, written })
    }

    /// Reads the lines that [`Display`](fmt::Display) writes: kind, atoms, variant; then the patterns.
    ///
    /// # Errors
    /// The first line that is no template.
    pub fn from_lines(text: &str) -> Result<Self, String> {
        let mut templates = BTreeSet::new();
        let mut patterns = Vec::new();
        for line in text.lines() {
            if let Some(pattern) = line.strip_prefix("pattern ") {
                patterns.push(Pattern::from_line(pattern)?);
                continue;
            }
            let (kind, rest) = line.split_once(' ').ok_or_else(|| format!("`{line}` is no template"))?;
            let (atoms, variant) = rest.split_once(" +").unwrap_or((rest, Variant::Plain.name()));
            let kind = Kind::ALL.into_iter().find(|k| k.name() == kind);
            let variant = Variant::ALL.into_iter().find(|v| v.name() == variant);
            let (kind, variant) = kind.zip(variant).ok_or_else(|| format!("`{line}` is no template"))?;
            templates.insert(Template::parse(kind, variant, atoms)?);
        }
        let patterns = Patterns::new(patterns)?;
        Ok(Self { written: templates.len(), templates: templates.into_iter().collect(), patterns })
    }

    /// Templates as they were written, expanded but with repetitions.
    pub fn written(&self) -> usize {
        self.written
    }

    /// The templates, sorted by kind and atoms.
    pub fn templates(&self) -> &[Template] {
        &self.templates
    }

    /// The hand-crafted patterns.
    pub fn patterns(&self) -> &Patterns {
        &self.patterns
    }

    /// The templates of one kind.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Template> {
        self.templates.iter().filter(move |t| t.kind == kind)
    }
}

impl fmt::Display for TemplateSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.templates.iter().try_for_each(|t| writeln!(f, "{} {t}", t.kind))?;
        self.patterns.fmt(f)
    }
}

/// Replaces each attribute that is a key of `classes` by each of its members, in every combination.
fn expand(text: &str, classes: &Classes) -> Vec<String> {
    let mut all = vec![String::new()];
    for atom in text.split_whitespace() {
        let choices = match atom.split_once('.') {
            Some((place, attribute)) if classes.contains_key(attribute) => {
                classes[attribute].iter().map(|a| format!("{place}.{a}")).collect()
            }
            _ => vec![atom.to_owned()],
        };
        all = all.iter().flat_map(|head| choices.iter().map(move |c| format!("{head} {c}"))).collect();
    }
    all
}

/// Replaces each key of `classes` by each of its members, the same one in all atoms.
fn alike(text: &str, classes: &Classes) -> Vec<String> {
    let mut all = vec![text.to_owned()];
    for (letter, members) in classes {
        let with = |text: &String, member: &String| {
            let atoms = text.split_whitespace().map(|atom| match atom.split_once('.') {
                Some((place, attribute)) if attribute == letter => format!("{place}.{member}"),
                _ => atom.to_owned(),
            });
            atoms.collect::<Vec<_>>().join(" ")
        };
        let named =
            text.split_whitespace().any(|a| a.split_once('.').is_some_and(|(_, attribute)| attribute == letter));
        if named {
            all = all.iter().flat_map(|text| members.iter().map(move |member| with(text, member))).collect();
        }
    }
    all
}
