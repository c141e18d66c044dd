//! One pattern, as it is written and as it is compiled.

use std::fmt;

use serde::Deserialize;

use crate::features::atoms::Attribute;
use crate::treebank::Token;

/// A pattern as it stands in a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatternWire {
    /// Its name.
    pub name: String,
    /// The words, from left to right.
    pub words: String,
    /// Pairs of words and the attribute in which they agree.
    #[serde(default)]
    pub same: Vec<String>,
    /// Sets of arcs.
    pub trees: Vec<String>,
}

/// What a word must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Any,
    /// Its lower-cased form is one of these.
    Lower(Vec<String>),
    /// Its fine or coarse tag is one of these.
    Tag(Vec<String>),
}

impl Test {
    pub fn holds(&self, token: &Token) -> bool {
        match self {
            Self::Any => true,
            // The words are in lower case. Most forms are told apart from all of them by their length.
            Self::Lower(words) if token.form.is_ascii() => words.iter().any(|w| w.eq_ignore_ascii_case(&token.form)),
            Self::Lower(words) => words.iter().any(|w| token.form.chars().flat_map(char::to_lowercase).eq(w.chars())),
            Self::Tag(tags) => tags.iter().any(|t| *t == token.fine || *t == token.coarse),
        }
    }
}

/// What may stand between a word of a pattern and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// Nothing.
    Nothing,
    /// `..`: any number of words.
    Words,
    /// `~`: any number of words, none of which would do in its place.
    OtherWords,
}

/// A word of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub name: String,
    /// What may stand before it.
    pub gap: Gap,
    pub test: Test,
}

/// An arc of a pattern: elements, no head for `*`.
pub(super) type PatternArc = (Option<usize>, usize);

/// Words in a row, and trees over them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Its name.
    pub name: String,
    pub(super) elements: Vec<Element>,
    pub(super) same: Vec<(usize, usize, Attribute)>,
    pub(super) trees: Vec<Vec<PatternArc>>,
    /// The words as written.
    words: String,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// The pattern, and what is wrong with it.
    pub fn new(wire: &PatternWire) -> Result<Self, String> {
        let fail = |message: String| format!("pattern `{}`: {message}", wire.name);
        if wire.name.is_empty() || wire.name.contains(char::is_whitespace) {
            return Err(fail("the name is one word".into()));
        }
        let mut elements: Vec<Element> = Vec::new();
        let mut gap = Gap::Nothing;
        for text in wire.words.split_whitespace() {
            let next = match text {
                ".." => Gap::Words,
                "~" => Gap::OtherWords,
                _ => Gap::Nothing,
            };
            if next != Gap::Nothing {
                if elements.is_empty() || gap != Gap::Nothing {
                    return Err(fail(format!("`{text}` stands between two words")));
                }
                gap = next;
                continue;
            }
            let element = Element::parse(text, std::mem::replace(&mut gap, Gap::Nothing));
            if elements.iter().any(|e| e.name == element.name) {
                return Err(fail(format!("two words are named `{}`; name them as in `N={0}`", element.name)));
            }
            elements.push(element);
        }
        if gap != Gap::Nothing {
            return Err(fail("a word is missing at the end".into()));
        }
        let find = |name: &str| {
            let at = elements.iter().position(|e| e.name == name);
            at.ok_or_else(|| fail(format!("no word is named `{name}`")))
        };
        let mut same = Vec::new();
        for text in &wire.same {
            let [a, b, attribute] = text.split_whitespace().collect::<Vec<_>>()[..] else {
                return Err(fail(format!("`{text}`: expected two words and an attribute, as in `A B l`")));
            };
            let attribute =
                Attribute::parse(attribute).ok_or_else(|| fail(format!("`{attribute}` is no attribute")))?;
            same.push((find(a)?, find(b)?, attribute));
        }
        let mut trees = Vec::new();
        for text in &wire.trees {
            let mut arcs: Vec<PatternArc> = Vec::new();
            for arc in text.split_whitespace() {
                let (h, m) =
                    arc.split_once('>').ok_or_else(|| fail(format!("`{arc}`: expected an arc such as `A>B`")))?;
                arcs.push((if h == "*" { None } else { Some(find(h)?) }, find(m)?));
            }
            let two_heads = arcs.iter().enumerate().any(|(i, a)| arcs[..i].iter().any(|b| a.1 == b.1));
            let free = arcs.iter().filter(|a| a.0.is_none()).count();
            if arcs.len() < 2 || two_heads || free == 1 {
                return Err(fail(format!("`{text}`: a tree has two arcs or more, one head a word, and `*` twice")));
            }
            trees.push(arcs);
        }
        if trees.is_empty() {
            return Err(fail("it needs a tree".into()));
        }
        let words = wire.words.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Self { name: wire.name.clone(), elements, same, trees, words })
    }

    /// Reads the line that [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    /// As [`Pattern::new`].
    pub fn from_line(line: &str) -> Result<Self, String> {
        let mut fields = line.split(" ; ").map(|field| each_word(field, unguarded));
        let mut next = || fields.next().unwrap_or_default();
        let (name, words, same) = (next(), next(), next());
        // Three words a pair, the last of which has a comma behind it; the name of a word may end in one too.
        let same: Vec<&str> = same.split(' ').filter(|_| same != "-").collect();
        let pair = |words: &[&str]| {
            let pair = words.join(" ");
            pair.strip_suffix(',').map(str::to_owned).unwrap_or(pair)
        };
        let same = same.chunks(3).map(pair).collect();
        Self::new(&PatternWire { name, words, same, trees: fields.collect() })
    }

    /// As it stands in a file.
    pub fn wire(&self) -> PatternWire {
        let same = |&(a, b, attribute): &(usize, usize, Attribute)| {
            format!("{} {} {attribute}", self.elements[a].name, self.elements[b].name)
        };
        PatternWire {
            name: self.name.clone(),
            words: self.words.clone(),
            same: self.same.iter().map(same).collect(),
            trees: self.trees.iter().map(|tree| self.show_tree(tree)).collect(),
        }
    }

    pub(super) fn show_tree(&self, tree: &[PatternArc]) -> String {
        let name = |e: usize| self.elements[e].name.as_str();
        let arcs: Vec<_> = tree.iter().map(|&(h, m)| format!("{}>{}", h.map_or("*", name), name(m))).collect();
        arcs.join(" ")
    }
}

impl Element {
    fn parse(text: &str, gap: Gap) -> Self {
        let list = |list: &str| list.split('|').map(str::to_owned).collect();
        let capital = text.starts_with(|c: char| c.is_ascii_uppercase());
        let (name, test) = match (text.split_once('='), text.split_once(':')) {
            (Some((name, words)), _) if capital => (name, Test::Lower(list(words))),
            (_, Some((name, tags))) if capital => (name, Test::Tag(list(tags))),
            _ if capital => (text, Test::Any),
            _ => (text, Test::Lower(vec![text.to_owned()])),
        };
        Self { name: name.to_owned(), gap, test }
    }
}

/// A field with each of its words changed.
fn each_word(field: &str, change: impl Fn(&str) -> String) -> String {
    field.split(' ').map(change).collect::<Vec<_>>().join(" ")
}

fn is_semicolons(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b == b';')
}

/// A word as it stands in a line: one of semicolons alone has one more there, for a single one parts fields.
fn guarded(word: &str) -> String {
    if is_semicolons(word) { format!("{word};") } else { word.to_owned() }
}

/// The word that is [`guarded`] so.
fn unguarded(word: &str) -> String {
    let guard = word.strip_suffix(';').filter(|_| is_semicolons(word));
    guard.filter(|rest| !rest.is_empty()).unwrap_or(word).to_owned()
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let same = self.wire().same;
        let same = if same.is_empty() { "-".to_owned() } else { same.join(", ") };
        let [name, words, same] = [&self.name, &self.words, &same].map(|field| each_word(field, guarded));
        write!(f, "{name} ; {words} ; {same}")?;
        self.trees.iter().try_for_each(|tree| write!(f, " ; {}", self.show_tree(tree)))
    }
}
