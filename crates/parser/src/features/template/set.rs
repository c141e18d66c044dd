//! Template sets, from TOML files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fmt::Write;
use std::path::Path;

use serde::Deserialize;
use thiserror::Error;
use toml::Spanned;

use crate::features::hand::{Pattern, PatternWire, Patterns};
use crate::features::template::{Kind, Template, Variant};

/// What is wrong with a template file.
#[derive(Debug, Error)]
pub enum TemplateError {
    /// The file cannot be read.
    #[error("{path}: cannot read the template file: {source}; a name without an ending is one of {}", TemplateSet::BUILT_IN.join(", "))]
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
    /// A template, a pattern or a name that means nothing, or what has no effect.
    #[error("{path}{}: {message}", line.map_or_else(String::new, |line| format!(":{line}")))]
    Content {
        /// The file.
        path: String,
        /// Its line, from 1; none if it is about the whole file.
        line: Option<usize>,
        /// What was expected.
        message: String,
    },
}

/// Most templates of a set. Letters that stand for several attributes multiply, so a line may ask for more than memory holds.
const MOST_TEMPLATES: usize = 20_000;

type Classes = BTreeMap<String, Vec<String>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileWire {
    /// The built-in set that this one starts from, with its patterns.
    from: Option<Spanned<String>>,
    /// Regular expressions: templates of that set, as [`TemplateSet`] displays them, that match one are left out.
    #[serde(default)]
    without: Vec<Spanned<String>>,
    /// Built-in hand-crafted patterns, by name.
    #[serde(default)]
    hand: Vec<Spanned<String>>,
    /// Further patterns.
    #[serde(default)]
    pattern: Vec<Spanned<PatternWire>>,
    #[serde(default)]
    group: Vec<Spanned<GroupWire>>,
}

/// What is wrong, and where: at a byte of the file's text, or in the file as a whole.
struct Fault {
    at: Option<usize>,
    message: String,
}

impl Fault {
    fn at<T>(spanned: &Spanned<T>, message: String) -> Self {
        Self { at: Some(spanned.span().start), message }
    }

    fn in_file(message: impl Into<String>) -> Self {
        Self { at: None, message: message.into() }
    }

    fn in_text(self, text: &str, path: &str) -> TemplateError {
        let line = self.at.map(|at| 1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count());
        TemplateError::Content { path: path.to_owned(), line, message: self.message }
    }
}

impl FileWire {
    /// The templates of the set that this one starts from, and its patterns.
    fn inherited(&self) -> Result<(BTreeSet<Template>, Vec<Pattern>), Fault> {
        let Some(from) = &self.from else {
            return match (&self.without[..], &self.group[..]) {
                ([], [_, ..]) => Ok(Default::default()),
                ([], []) => Err(Fault::in_file("no [[group]] of templates, and no set that they come `from`")),
                ([first, ..], _) => {
                    let message = "without leaves templates out of the set that is named by `from`: name one";
                    Err(Fault::at(first, message.to_owned()))
                }
            };
        };
        let name = from.get_ref();
        let unknown = || {
            let sets = TemplateSet::BUILT_IN.join(", ");
            Fault::at(from, format!("from = `{name}`: built-in sets are {sets}"))
        };
        let set = TemplateSet::built_in(name).ok_or_else(unknown)?;
        let set = set.map_err(|e| Fault::at(from, e.to_string()))?;
        let mut templates: BTreeSet<Template> = set.templates.iter().cloned().collect();
        for spanned in &self.without {
            let pattern = spanned.get_ref();
            let fail = |what: String| Fault::at(spanned, format!("without `{pattern}`: {what}"));
            let regex = regex_lite::Regex::new(pattern).map_err(|e| fail(e.to_string()))?;
            let before = templates.len();
            templates.retain(|template| !regex.is_match(&line(template)));
            if templates.len() == before {
                return Err(fail(format!("no template (left) of `{name}` matches")));
            }
        }
        if templates.is_empty() && self.group.is_empty() {
            let message = format!("without leaves no template of `{name}`, and there is no [[group]] of others");
            return Err(Fault::in_file(message));
        }
        Ok((templates, set.patterns.all().to_vec()))
    }

    /// The set that it describes.
    fn read(&self) -> Result<TemplateSet, Fault> {
        let (mut templates, mut patterns) = self.inherited()?;
        let mut written = templates.len();
        for spanned in &self.group {
            let group = spanned.get_ref();
            if let Some(fault) = group.fault() {
                return Err(Fault::at(spanned, fault));
            }
            for template in &group.templates {
                let fail = |message| Fault::at(template, message);
                let text = template.get_ref();
                let many =
                    || fail(format!("`{text}` stands for too many templates: a set has {MOST_TEMPLATES} at most"));
                for expanded in group.expanded(text).ok_or_else(many)? {
                    for &variant in &group.variants {
                        written += 1;
                        if written > MOST_TEMPLATES {
                            return Err(many());
                        }
                        templates.insert(Template::parse(group.part, variant, &expanded).map_err(fail)?);
                    }
                }
            }
        }
        for name in &self.hand {
            patterns.extend(Patterns::built_in(name.get_ref()).map_err(|message| Fault::at(name, message))?);
        }
        for wire in &self.pattern {
            patterns.push(Pattern::new(wire.get_ref()).map_err(|message| Fault::at(wire, message))?);
        }
        let patterns = Patterns::new(patterns).map_err(Fault::in_file)?;
        Ok(TemplateSet { templates: templates.into_iter().collect(), patterns, written })
    }
}

/// A template as a set displays it.
fn line(template: &Template) -> String {
    format!("{} {template}", template.kind)
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
    templates: Vec<Spanned<String>>,
}

impl GroupWire {
    /// What it lacks, if it has nothing to say or says what has no effect.
    fn fault(&self) -> Option<String> {
        if self.templates.is_empty() {
            return Some("templates = []: a group needs at least one".to_owned());
        }
        if self.variants.is_empty() {
            let names = Variant::ALL.map(Variant::name).join(", ");
            return Some(format!("variants = []: name at least one of {names}"));
        }
        let attributes = || {
            self.templates.iter().flat_map(|text| text.get_ref().split_whitespace()).filter_map(|a| a.split_once('.'))
        };
        for (key, letter, members) in [("expand", &self.expand), ("alike", &self.alike)]
            .into_iter()
            .flat_map(|(key, classes)| classes.iter().map(move |(letter, members)| (key, letter, members)))
        {
            if members.is_empty() {
                return Some(format!("{key}: {letter} = []: name at least one attribute that it stands for"));
            }
            if !attributes().any(|(_, attribute)| attribute == letter) {
                return Some(format!("{key}: no template of the group has {letter}: remove it, or write it in one"));
            }
        }
        None
    }

    /// The templates that a line stands for; none if they are too many.
    fn expanded(&self, text: &str) -> Option<Vec<String>> {
        let mut all = Vec::new();
        for text in alike(text, &self.alike)? {
            all.extend(expand(&text, &self.expand).filter(|e| all.len() + e.len() <= MOST_TEMPLATES)?);
        }
        Some(all)
    }
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
    pub const BUILT_IN: [&str; 7] = ["compact", "labels", "ma-zhao", "martins", "paper", "paper-zh", "pruner"];

    /// The built-in set of that name, if there is one.
    ///
    /// # Errors
    /// Only if the built-in file is wrong, which a test rules out.
    pub fn built_in(name: &str) -> Option<Result<Self, TemplateError>> {
        let text = match name {
            "compact" => include_str!("../sets/compact.toml"),
            "labels" => include_str!("../sets/labels.toml"),
            "paper" => include_str!("../sets/paper.toml"),
            "ma-zhao" => include_str!("../sets/ma-zhao.toml"),
            "martins" => include_str!("../sets/martins.toml"),
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
        let text = treebound_files::input::read_settings(path)
            .map_err(|source| TemplateError::Io { path: name.clone(), source })?;
        Self::parse(&text, &name)
    }

    /// Parses the text of a template file; `path` is for messages.
    ///
    /// # Errors
    /// As [`TemplateSet::read`].
    pub fn parse(text: &str, path: &str) -> Result<Self, TemplateError> {
        let file: FileWire = toml::from_str(text)
            .map_err(|source| TemplateError::Toml { path: path.to_owned(), source: Box::new(source) })?;
        file.read().map_err(|fault| fault.in_text(text, path))
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
            let (kind, variant) =
                Kind::parse(kind).zip(Variant::parse(variant)).ok_or_else(|| format!("`{line}` is no template"))?;
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
    pub fn for_kind(&self, kind: Kind) -> impl Iterator<Item = &Template> {
        self.templates.iter().filter(move |t| t.kind == kind)
    }
}

impl fmt::Display for TemplateSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.templates.iter().try_for_each(|t| writeln!(f, "{}", line(t)))?;
        self.patterns.fmt(f)
    }
}

/// Replaces each attribute that is a key of `classes` by each of its members, in every combination; none if they are too
/// many.
fn expand(text: &str, classes: &Classes) -> Option<Vec<String>> {
    let mut all = vec![String::new()];
    for atom in text.split_whitespace() {
        let choices = match atom.split_once('.') {
            Some((place, attribute)) if classes.contains_key(attribute) => {
                classes[attribute].iter().map(|a| format!("{place}.{a}")).collect()
            }
            _ => vec![atom.to_owned()],
        };
        if all.len() * choices.len() > MOST_TEMPLATES {
            return None;
        }
        all = all.iter().flat_map(|head| choices.iter().map(move |c| format!("{head} {c}"))).collect();
    }
    Some(all)
}

/// Replaces each key of `classes` by each of its members, the same one in all atoms; none if that is too many texts.
fn alike(text: &str, classes: &Classes) -> Option<Vec<String>> {
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
            if all.len() * members.len() > MOST_TEMPLATES {
                return None;
            }
            all = all.iter().flat_map(|text| members.iter().map(move |member| with(text, member))).collect();
        }
    }
    Some(all)
}

impl TemplateSet {
    /// The set as a template file: groups by kind and variants, every template written out, then the patterns.
    pub fn toml(&self) -> String {
        let mut out = format!("# {} templates\n", self.templates().len());
        for kind in Kind::ALL {
            let mut variants: BTreeMap<String, Vec<Variant>> = BTreeMap::new();
            for template in self.for_kind(kind) {
                variants.entry(template.text()).or_default().push(template.variant);
            }
            let mut groups: BTreeMap<Vec<Variant>, Vec<String>> = BTreeMap::new();
            for (text, variants) in variants {
                groups.entry(variants).or_default().push(text);
            }
            for (variants, texts) in groups {
                let variants = list(variants.iter().map(|variant| variant.name()));
                // Writing to memory cannot fail.
                let _ = write!(
                    out,
                    "\n[[group]]\npart = {}\nvariants = [{variants}]\ntemplates = [\n",
                    quoted(kind.name())
                );
                for text in texts {
                    let _ = writeln!(out, "    {},", quoted(&text));
                }
                out.push_str("]\n");
            }
        }
        for pattern in self.patterns().all() {
            let wire = pattern.wire();
            let same = list(wire.same.iter().map(String::as_str));
            let _ = write!(
                out,
                "\n[[pattern]]\nname = {}\nwords = {}\nsame = [{same}]\ntrees = [{}]\n",
                quoted(&wire.name),
                quoted(&wire.words),
                list(wire.trees.iter().map(String::as_str))
            );
        }
        out
    }
}

fn list<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    texts.map(quoted).collect::<Vec<_>>().join(", ")
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> BTreeSet<String> {
        let set = TemplateSet::parse(text, "some.toml").expect("a set");
        set.to_string().lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_set_starts_from_another_and_leaves_out_what_matches() {
        let whole = lines("from = \"compact\"");
        assert_eq!(
            whole,
            TemplateSet::built_in("compact")
                .expect("built in")
                .expect("a set")
                .to_string()
                .lines()
                .map(str::to_owned)
                .collect()
        );
        let without = lines("from = \"compact\"\nwithout = ['\\.l\\b', '^comb ']");
        let kept = |line: &&String| !line.contains(".l") && !line.starts_with("comb ");
        assert_eq!(without, whole.iter().filter(kept).cloned().collect());
        assert!(without.len() < whole.len());
        // Own groups come on top, also where what they have was left out.
        let group = "[[group]]\npart = \"comb\"\nvariants = [\"distance\"]\ntemplates = [\"h.p4\"]";
        let own = lines(&format!("from = \"compact\"\nwithout = ['^comb ']\n{group}"));
        assert_eq!(own.iter().filter(|line| line.starts_with("comb ")).count(), 1);
    }

    #[test]
    fn a_set_made_of_another_says_what_is_wrong() {
        let cases = [
            (
                "from = \"big\"",
                "some.toml:1: from = `big`: built-in sets are compact, labels, ma-zhao, martins, paper, paper-zh, pruner",
            ),
            ("from = \"compact\"\nwithout = ['(']", "some.toml:2: without `(`: "),
            ("from = \"compact\"\nwithout = ['no such']", "without `no such`: no template (left) of `compact` matches"),
            ("\nwithout = ['l']", "some.toml:2: without leaves templates out"),
            ("from = \"compact\"\nwithout = ['.']", "without leaves no template of `compact`"),
            ("hand = [\"english\"]", "no [[group]] of templates"),
        ];
        for (text, wanted) in cases {
            let fault = TemplateSet::parse(text, "some.toml").expect_err(text).to_string();
            assert!(fault.starts_with("some.toml:") && fault.contains(wanted), "{fault}");
        }
    }

    #[test]
    fn a_group_that_says_nothing_is_refused() {
        let group = "[[group]]\npart = \"arc\"\nvariants = [\"direction\"]\nexpand = { W = [\"w\", \"l\"] }\ntemplates = [\"h.W\"]";
        assert_eq!(lines(group).len(), 2);
        let cases = [
            ("[\"h.W\"]", "[]", "1: templates = []: a group needs at least one"),
            ("[\"direction\"]", "[]", "1: variants = []: name at least one of plain, direction, distance"),
            ("[\"w\", \"l\"]", "[]", "1: expand: W = []: name at least one attribute"),
            ("h.W", "h.w", "1: expand: no template of the group has W"),
            ("[\"h.W\"]", "[\"h.W\",\n  \"h.z\"]", "6: `h.z` is no atom of arc templates"),
        ];
        for (from, to, wanted) in cases {
            let fault = TemplateSet::parse(&group.replace(from, to), "some.toml").expect_err(to).to_string();
            assert!(fault.starts_with(&format!("some.toml:{wanted}")), "{fault}");
        }
    }

    #[test]
    fn shipped_files_are_sets() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/templates");
        let files = std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
        let sizes: Vec<usize> = files.map(|file| TemplateSet::read(&file).expect("a set").templates().len()).collect();
        assert!(!sizes.is_empty() && sizes.iter().all(|&size| size > 30), "{sizes:?}");
    }

    #[test]
    fn every_built_in_set_reads_back() {
        for name in TemplateSet::BUILT_IN {
            let set = TemplateSet::built_in(name).expect("built in").expect("a set");
            let written = set.toml();
            let again = TemplateSet::parse(&written, name).unwrap_or_else(|e| panic!("{e}\n{written}"));
            assert_eq!(again.to_string(), set.to_string(), "{name}");
            assert_eq!(again.templates(), set.templates());
            assert_eq!(again.patterns(), set.patterns());
            assert_eq!(again.toml(), written);
        }
    }
}
