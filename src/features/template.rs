//! Templates: the data that says which features a part fires.
//!
//! A template is a list of atoms such as `h.w h.t m-1.t`: role (with an offset in words) and attribute. Its value for a
//! part, together with the part's geometry (direction, distance) where the template's variant asks for it, is a feature.
//! Template sets are TOML files; see METHOD.md for the language.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use serde::Deserialize;
use thiserror::Error;

use super::atoms::Attribute;
use super::hand::{Pattern, PatternWire, Patterns};

/// The kinds of parts that fire features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An arc: roles `h` (head), `m` (modifier).
    Arc,
    /// An arc and a word between its ends: roles `h`, `b`, `m`. Fires once for each distinct fine tag of `b`.
    Between,
    /// As `Between`, once for each distinct coarse tag of `b`.
    BetweenCoarse,
    /// As `Between`, once for each distinct form of `b`.
    BetweenForm,
    /// An arc and the adjacent inner modifier of its head: `h`, `s` (sibling; none for a first modifier), `m`.
    Sibling,
    /// An arc and the outermost child of its modifier on one side: `g` (grandparent), `h`, `m`.
    Grandchild,
    /// An arc, and an arc from its modifier with its adjacent inner sibling: `g`, `h`, `s` (none for a first modifier), `m`.
    /// Only the third-order dynamic program scores it.
    GrandSibling,
    /// Two arcs with one head, anywhere: `h`, `s` (the nearer one if they are on one side, else the left one), `m`.
    AnySibling,
    /// Two arcs in a chain, anywhere: `g`, `h`, `m`.
    AnyGrandchild,
    /// Neighbouring words with one head: `h`, `s` (the first of them), `m` (the last).
    Comb,
    /// Three arcs in a chain: `g`, `h`, `m`, `c`.
    GreatGrandchild,
    /// A tree of a hand-crafted pattern: `a` and `b`, the first and the last word of the pattern, `h` and `m`, the head and
    /// the modifier of the tree's first arc.
    Hand,
    /// Three arcs with one head: `h`, and `s`, `t`, `m` from left to right.
    TriSibling,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 13] = [
        Kind::Arc,
        Kind::Between,
        Kind::BetweenCoarse,
        Kind::BetweenForm,
        Kind::Sibling,
        Kind::Grandchild,
        Kind::GrandSibling,
        Kind::AnySibling,
        Kind::AnyGrandchild,
        Kind::Comb,
        Kind::GreatGrandchild,
        Kind::Hand,
        Kind::TriSibling,
    ];

    /// The roles that templates of this kind may name, in the order in which parts give their words.
    pub fn roles(self) -> &'static str {
        match self {
            Kind::Arc => "hm",
            Kind::Between | Kind::BetweenCoarse | Kind::BetweenForm => "hbm",
            Kind::Sibling | Kind::AnySibling | Kind::Comb => "hsm",
            Kind::Grandchild | Kind::AnyGrandchild => "ghm",
            Kind::GrandSibling => "ghsm",
            Kind::GreatGrandchild => "ghmc",
            Kind::Hand => "abhm",
            Kind::TriSibling => "hstm",
        }
    }

    /// The kinds whose parts score an arc with its modifier's head alone.
    pub const OF_ARCS: [Kind; 4] = [Kind::Arc, Kind::Between, Kind::BetweenCoarse, Kind::BetweenForm];

    /// The kind whose parts look the same to templates, with the same roles and geometry: the features of both lie in the
    /// same lines of the weight table, so that one look-up finds both.
    pub fn twin(self) -> Option<Kind> {
        match self {
            Kind::Sibling => Some(Kind::AnySibling),
            Kind::Grandchild => Some(Kind::AnyGrandchild),
            Kind::AnySibling => Some(Kind::Sibling),
            Kind::AnyGrandchild => Some(Kind::Grandchild),
            _ => None,
        }
    }

    /// Whether the dynamic program scores its parts.
    pub fn is_local(self) -> bool {
        Self::OF_ARCS.contains(&self) || matches!(self, Kind::Sibling | Kind::Grandchild | Kind::GrandSibling)
    }

    /// The kind whose addresses its features have: of twins the local one, else itself.
    pub fn owner_of_address(self) -> Kind {
        self.twin().filter(|twin| twin.is_local()).unwrap_or(self)
    }

    /// The attribute that tells apart the words between the ends of an arc, for the kinds that look at them.
    pub fn told_apart_by(self) -> Option<Attribute> {
        match self {
            Kind::Between => Some(Attribute::Fine),
            Kind::BetweenCoarse => Some(Attribute::Coarse),
            Kind::BetweenForm => Some(Attribute::Form),
            _ => None,
        }
    }

    /// The name in template files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Arc => "arc",
            Kind::Between => "between",
            Kind::BetweenCoarse => "between-coarse",
            Kind::BetweenForm => "between-form",
            Kind::Sibling => "sibling",
            Kind::Grandchild => "grandchild",
            Kind::GrandSibling => "grand-sibling",
            Kind::AnySibling => "any-sibling",
            Kind::AnyGrandchild => "any-grandchild",
            Kind::Comb => "comb",
            Kind::GreatGrandchild => "great-grandchild",
            Kind::Hand => "hand",
            Kind::TriSibling => "tri-sibling",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The geometry that a feature carries beside its atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// Nothing.
    Plain,
    /// The directions of the part's arcs.
    Direction,
    /// The directions, and the distance between the outer words in bins.
    Distance,
    /// Which tree of which hand-crafted pattern, for parts of kind `hand`.
    Pattern,
}

impl Variant {
    /// All variants.
    pub const ALL: [Variant; 4] = [Variant::Plain, Variant::Direction, Variant::Distance, Variant::Pattern];

    /// The name in template files.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Plain => "plain",
            Variant::Direction => "direction",
            Variant::Distance => "distance",
            Variant::Pattern => "pattern",
        }
    }
}

/// One atom of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom {
    /// Index into [`Kind::roles`].
    pub role: usize,
    /// Words to the right of the role's word; negative for the left.
    pub offset: i8,
    /// What of that word.
    pub attribute: Attribute,
}

/// A template with its variant: one feature a part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Template {
    /// The kind of part.
    pub kind: Kind,
    /// The atoms, sorted and distinct.
    pub atoms: Vec<Atom>,
    /// The geometry.
    pub variant: Variant,
}

impl Template {
    /// Parses the atoms of a template.
    ///
    /// # Errors
    /// A message that says what was expected.
    pub fn parse(kind: Kind, variant: Variant, text: &str) -> Result<Self, String> {
        let mut atoms = text.split_whitespace().map(|atom| parse_atom(kind, atom)).collect::<Result<Vec<_>, _>>()?;
        atoms.sort_unstable();
        atoms.dedup();
        if atoms.is_empty() {
            return Err("a template needs at least one atom such as `h.w`".into());
        }
        if (kind == Kind::Hand) != (variant == Variant::Pattern) {
            return Err("hand templates have the variant `pattern`, and no others have it".into());
        }
        if let Some(by) = kind.told_apart_by() {
            let between: Vec<_> = atoms.iter().filter(|a| a.role == 1).collect();
            if !matches!(between[..], [a] if a.offset == 0 && a.attribute == by) {
                return Err(format!("`{text}`: a {kind} template needs `b.{by}` and no other atom of `b`"));
            }
        }
        Ok(Self { kind, atoms, variant })
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, atom) in self.atoms.iter().enumerate() {
            let role = &self.kind.roles()[atom.role..=atom.role];
            if i > 0 {
                f.write_str(" ")?;
            }
            match atom.offset {
                0 => write!(f, "{role}.{}", atom.attribute)?,
                o => write!(f, "{role}{o:+}.{}", atom.attribute)?,
            }
        }
        match self.variant {
            Variant::Plain => Ok(()),
            v => write!(f, " +{}", v.name()),
        }
    }
}

fn parse_atom(kind: Kind, text: &str) -> Result<Atom, String> {
    let expected = || {
        let roles = kind.roles().chars().map(|c| format!("`{c}`")).collect::<Vec<_>>().join(", ");
        format!(
            "`{text}` is no atom of a {kind} template: expected a role ({roles}), an offset from -2 to +2 or none, a \
             dot and an attribute (w form, l lower case, t fine tag, c coarse tag, p1.. prefix, s1.. suffix, n length), \
             as in `h-1.t`"
        )
    };
    let (place, attribute) = text.split_once('.').ok_or_else(expected)?;
    let role = place.chars().next().and_then(|c| kind.roles().find(c)).ok_or_else(expected)?;
    let offset = match &place[1..] {
        "" => 0,
        "-2" => -2,
        "-1" => -1,
        "+1" => 1,
        "+2" => 2,
        _ => return Err(expected()),
    };
    let attribute = Attribute::parse(attribute).ok_or_else(expected)?;
    Ok(Atom { role, offset, attribute })
}

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
    /// The built-in set of that name, if there is one.
    ///
    /// # Errors
    /// Only if the built-in file is wrong, which a test rules out.
    pub fn built_in(name: &str) -> Option<Result<Self, TemplateError>> {
        let text = match name {
            "compact" => include_str!("sets/compact.toml"),
            "paper" => include_str!("sets/paper.toml"),
            "paper-zh" => include_str!("sets/paper-zh.toml"),
            "pruner" => include_str!("sets/pruner.toml"),
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
