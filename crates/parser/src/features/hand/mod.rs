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

mod pattern;

use serde::Deserialize;

use crate::features::geometry::CODES;
use crate::features::hand::pattern::{Gap, PatternArc, Test};
use crate::features::parts::{Part, hand};
use crate::treebank::Token;
use treebound_core::graph::Word;

pub use pattern::{Pattern, PatternWire};

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
        let arc = self.arcs(head).next().unwrap_or((head, first));
        hand(number, first, last, arc)
    }
}

impl Sites {
    /// Removes all sites.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.end.clear();
        self.arcs.clear();
    }

    /// Finds the places of `patterns` in a sentence.
    pub fn fill(&mut self, patterns: &Patterns, tokens: &[Token]) {
        self.clear();
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
        let Self { tree: trees, end, arcs, places } = self;
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
