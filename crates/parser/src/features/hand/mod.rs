//! Hand-crafted patterns: words in a row, and the trees over them that are worth a feature (paper, section 4.3).
//!
//! Patterns are data: `english.toml`, and `synthetic.toml` for the treebank that Treebound makes. A template set says
//! which of them it uses (`hand = ["english"]`) and can hold some of its own. A pattern:
//!
//! ```toml
//! [[pattern]]
//! name = "rather-than"
//! words = "A:ADP .. rather than B"
//! same = ["A B l"]
//! trees = ["A>than than>rather than>B", "A>B B>rather rather>than"]
//! ```
//!
//! * `words`, from left to right: a lower-case word or a sign stands for itself, however it is capitalised, and is its own
//!   name; `N=a|b` names a word that is one of several; `N:X|Y` one whose fine or coarse tag is; `N` any word. Neighbours
//!   stand next to each other in the sentence, unless `..` between them lets any number of words pass; `~` does too, but
//!   stops at the first word that fits, so that `( ~ )` is a bracket and the next one that closes.
//! * `same` asks for equal attributes: of `A` and `B` the lower-cased form.
//! * `trees` are sets of arcs, head first; `*` is any word, the same for all arcs of a tree. Each tree is a factor of its
//!   own: treebanks differ in their conventions, and a tree that is typical of a mistake is as good a feature.

use std::fmt;

use serde::Deserialize;

use crate::features::atoms::Attribute;
use crate::features::geometry::CODES;
use crate::features::geometry::Geometry;
use crate::features::parts::Part;
use crate::treebank::Token;
use treebound_core::graph::Word;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileWire {
    pattern: Vec<PatternWire>,
}

/// The patterns of a template set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patterns(Vec<Pattern>);

impl Patterns {
    /// The built-in patterns of that name.
    ///
    /// # Errors
    /// If there are none of that name.
    pub fn built_in(name: &str) -> Result<Vec<Pattern>, String> {
        let text = match name {
            "english" => include_str!("english.toml"),
            "synthetic" => include_str!("synthetic.toml"),
            _ => return Err(format!("hand = `{name}` is not known; patterns are `english` and `synthetic`")),
        };
        let file: FileWire = toml::from_str(text).map_err(|e| e.to_string())?;
        file.pattern.iter().map(Pattern::new).collect()
    }

    /// The set of `patterns`.
    ///
    /// # Errors
    /// If there are more trees than geometry codes, or two patterns of one name.
    pub fn new(patterns: Vec<Pattern>) -> Result<Self, String> {
        if let Some(twice) = patterns.iter().enumerate().find(|(i, p)| patterns[..*i].iter().any(|q| q.name == p.name))
        {
            return Err(format!("the pattern `{}` is given twice", twice.1.name));
        }
        let patterns = Self(patterns);
        let trees = patterns.trees();
        if trees > CODES {
            return Err(format!("the patterns have {trees} trees; at most {CODES} can be told apart"));
        }
        Ok(patterns)
    }

    /// All patterns, in order.
    pub fn all(&self) -> &[Pattern] {
        &self.0
    }

    /// Trees of all patterns.
    pub fn trees(&self) -> usize {
        self.0.iter().map(|p| p.trees.len()).sum()
    }

    /// The pattern and the tree of a number, as parts carry it.
    pub fn name(&self, number: usize) -> String {
        let mut left = number;
        for pattern in &self.0 {
            if let Some(tree) = pattern.trees.get(left) {
                return format!("{}: {}", pattern.name, pattern.show_tree(tree));
            }
            left -= pattern.trees.len();
        }
        format!("pattern {number}")
    }
}

impl std::fmt::Display for Patterns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|p| writeln!(f, "pattern {p}"))
    }
}

/// The trees of all patterns at all places of a sentence where their words stand, as a struct of arrays.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    /// By site: the tree's number, the first and the last word of the pattern.
    tree: Vec<(usize, Word, Word)>,
    /// By site: the end of its arcs.
    end: Vec<u32>,
    /// Head, if it is not free, and modifier.
    arcs: Vec<(Option<Word>, Word)>,
    /// Places of the elements that are found so far.
    places: Vec<usize>,
    /// By word: the first one of the sentence with its coarse tag.
    alike: Vec<Word>,
}

/// A tree of a pattern at one place.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    tree: (usize, Word, Word),
    arcs: &'a [(Option<Word>, Word)],
}

impl Site<'_> {
    /// The arcs, `head` being the free head if there is one.
    #[inline]
    pub fn arcs(&self, head: Word) -> impl Iterator<Item = (Word, Word)> {
        self.arcs.iter().map(move |&(h, m)| (h.unwrap_or(head), m))
    }

    /// Number of arcs.
    pub fn len(&self) -> usize {
        self.arcs.len()
    }

    /// False: patterns have arcs.
    pub fn is_empty(&self) -> bool {
        self.arcs.is_empty()
    }

    /// A modifier of the free head, if there is one.
    pub fn modifier_of_any(&self) -> Option<Word> {
        self.arcs.iter().find(|a| a.0.is_none()).map(|a| a.1)
    }

    /// Number of the tree, as [`Patterns::name`] counts.
    pub fn tree(&self) -> usize {
        self.tree.0
    }

    /// The part that the features see: the tree's number, the first and the last word, and the tree's first arc, `head`
    /// being the free head if there is one.
    pub fn part(&self, head: Word) -> Part {
        let (number, first, last) = self.tree;
        // A tree has arcs.
        let (h, m) = self.arcs(head).next().unwrap_or((head, first));
        Part::new([first, last, h, m], Geometry::from_code(number))
    }
}

impl Sites {
    /// Removes all sites.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.end.clear();
        self.arcs.clear();
        self.alike.clear();
    }

    /// The first word of the sentence with the coarse tag of word `m`.
    #[inline]
    pub fn first_alike(&self, m: Word) -> Word {
        // Sites of no sentence know no tags: each word is a class of its own.
        self.alike.get(m.ix() - 1).copied().unwrap_or(m)
    }

    /// Finds the places of `patterns` in a sentence.
    pub fn fill(&mut self, patterns: &Patterns, tokens: &[Token]) {
        self.clear();
        for (i, token) in tokens.iter().enumerate() {
            let first = tokens[..i].iter().position(|other| other.coarse == token.coarse);
            self.alike.push(Word::new(first.unwrap_or(i) + 1));
        }
        let mut number = 0;
        for pattern in patterns.all() {
            if is_there(pattern, tokens) {
                self.places.clear();
                self.extend(pattern, number, tokens);
            }
            number += pattern.trees.len();
        }
    }

    /// Finds the element after those in `places`; words are numbered from 0 here.
    fn extend(&mut self, pattern: &Pattern, number: usize, tokens: &[Token]) {
        let Some(element) = pattern.elements.get(self.places.len()) else {
            self.finish(pattern, number, tokens);
            return;
        };
        let (from, to) = match self.places.last() {
            Some(&last) if element.gap == Gap::Nothing => (last + 1, tokens.len().min(last + 2)),
            Some(&last) => (last + 1, tokens.len()),
            None => (0, tokens.len()),
        };
        for place in from..to {
            if element.test.holds(&tokens[place]) {
                self.places.push(place);
                self.extend(pattern, number, tokens);
                self.places.pop();
                if element.gap == Gap::OtherWords {
                    break;
                }
            }
        }
    }

    fn finish(&mut self, pattern: &Pattern, number: usize, tokens: &[Token]) {
        let (mut one, mut other) = (String::new(), String::new());
        for &(a, b, attribute) in &pattern.same {
            attribute.value(&tokens[self.places[a]], &mut one);
            attribute.value(&tokens[self.places[b]], &mut other);
            if one != other {
                return;
            }
        }
        let Self { tree: trees, end, arcs, places, .. } = self;
        let word = |element: usize| Word::new(places[element] + 1);
        let (first, last) = (word(0), word(places.len() - 1));
        for (i, tree) in pattern.trees.iter().enumerate() {
            trees.push((number + i, first, last));
            arcs.extend(tree.iter().map(|&(h, m): &PatternArc| (h.map(word), word(m))));
            end.push(arcs.len() as u32);
        }
    }

    /// All sites.
    pub fn iter(&self) -> impl Iterator<Item = Site<'_>> {
        (0..self.tree.len()).map(|i| {
            let start = if i == 0 { 0 } else { self.end[i - 1] as usize };
            Site { tree: self.tree[i], arcs: &self.arcs[start..self.end[i] as usize] }
        })
    }
}

/// Whether the sentence has each of the words that stand for themselves, wherever.
fn is_there(pattern: &Pattern, tokens: &[Token]) -> bool {
    let literal = |test: &Test| matches!(test, Test::Lower(_));
    pattern.elements.iter().filter(|e| literal(&e.test)).all(|e| tokens.iter().any(|t| e.test.holds(t)))
}

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
enum Test {
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
enum Gap {
    /// Nothing.
    Nothing,
    /// `..`: any number of words.
    Words,
    /// `~`: any number of words, none of which would do in its place.
    OtherWords,
}

/// A word of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Element {
    pub name: String,
    /// What may stand before it.
    pub gap: Gap,
    pub test: Test,
}

/// An arc of a pattern: elements, no head for `*`.
type PatternArc = (Option<usize>, usize);

/// Words in a row, and trees over them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Its name.
    pub name: String,
    elements: Vec<Element>,
    same: Vec<(usize, usize, Attribute)>,
    trees: Vec<Vec<PatternArc>>,
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

    fn show_tree(&self, tree: &[PatternArc]) -> String {
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
