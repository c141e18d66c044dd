//! Where the words of patterns stand in a sentence.

use super::Patterns;
use super::pattern::{Gap, Pattern, PatternArc, Test};
use crate::features::parts::{Part, hand};
use crate::treebank::Token;
use treebound_core::graph::Word;

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
