//! Accuracy by class: words by the length of their sentence, the length of their arc, how deep they hang, and their tag.
//!
//! The classes are those of the gold tree, so two parsers have the same words in each (after McDonald & Nivre 2007, who
//! compare parsers so; theirs by predicted arcs are precisions and not here).

use std::collections::BTreeMap;

use super::Parsed;
use crate::graph::Word;

/// What words are told apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum By {
    /// Words of the sentence, in tens.
    SentenceLength,
    /// Words from the modifier to its gold head; that to the root symbol is a class of its own.
    ArcLength,
    /// Arcs from the root symbol to the word in the gold tree.
    Depth,
    /// The coarse tag of the word.
    Tag,
}

impl By {
    /// All, in the order of a report.
    pub const ALL: [Self; 4] = [Self::SentenceLength, Self::ArcLength, Self::Depth, Self::Tag];

    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Self::SentenceLength => "length of the sentence",
            Self::ArcLength => "length of the gold arc",
            Self::Depth => "arcs from the root to the word",
            Self::Tag => "tag of the word",
        }
    }
}

/// A class of words: where it stands among the others, and its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class {
    place: usize,
    name: String,
}

impl Class {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn numbered(number: usize) -> Self {
        Self { place: number, name: number.to_string() }
    }

    fn range(first: usize, last: usize) -> Self {
        Self { place: first, name: format!("{first} to {last}") }
    }
}

/// Scored words of a class, and those with the right head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Words.
    pub words: u64,
    /// Those that are right.
    pub correct: u64,
}

/// Sentences of more than so many words are one class.
const LONG_SENTENCE: usize = 60;
/// Arcs of so many words and more are classes of several lengths.
const ONE_LENGTH: usize = 7;
/// Words as deep and deeper are one class.
const DEEP: usize = 9;

/// The scored words of some sentences by class.
pub fn breakdown(sentences: &[Parsed], by: By) -> BTreeMap<Class, Counts> {
    let mut classes: BTreeMap<Class, Counts> = BTreeMap::new();
    for parsed in sentences {
        let depths = depths(parsed);
        for i in (0..parsed.tokens.len()).filter(|&i| parsed.scored[i]) {
            let gold = parsed.gold.head(Word::new(i + 1));
            let counts = classes.entry(class(parsed, by, i, &depths)).or_default();
            counts.words += 1;
            counts.correct += u64::from(parsed.heads.get(i) == Some(&gold));
        }
    }
    classes
}

fn class(parsed: &Parsed, by: By, i: usize, depths: &[usize]) -> Class {
    match by {
        By::SentenceLength => match parsed.tokens.len().saturating_sub(1) / 10 * 10 {
            LONG_SENTENCE.. => Class { place: LONG_SENTENCE, name: format!("more than {LONG_SENTENCE}") },
            before => Class::range(before + 1, before + 10),
        },
        By::ArcLength => match parsed.gold.heads()[i].ix() {
            0 => Class { place: 0, name: "to the root".to_owned() },
            head => match head.abs_diff(i + 1) {
                length @ ..ONE_LENGTH => Class::numbered(length),
                length @ ONE_LENGTH..=9 => Class { place: length.min(ONE_LENGTH), name: format!("{ONE_LENGTH} to 9") },
                10..=14 => Class::range(10, 14),
                15..=19 => Class::range(15, 19),
                _ => Class { place: 20, name: "20 and more".to_owned() },
            },
        },
        By::Depth => match depths[i] {
            DEEP.. => Class { place: DEEP, name: format!("{DEEP} and more") },
            depth => Class::numbered(depth),
        },
        By::Tag => Class { place: 0, name: parsed.tokens[i].coarse.clone() },
    }
}

/// Arcs from the root symbol to each word of the gold tree. A word hangs no deeper than the sentence is long.
fn depths(parsed: &Parsed) -> Vec<usize> {
    let heads = parsed.gold.heads();
    let mut depths = vec![0; heads.len()];
    for word in 0..heads.len() {
        let mut path = Vec::new();
        let mut at = word;
        while depths[at] == 0 {
            path.push(at);
            let Some(above) = heads[at].ix().checked_sub(1) else { break };
            at = above;
        }
        // The walk ended at the root symbol or at a word whose depth is known.
        let above = path.last().map_or(0, |&top| heads[top].ix().checked_sub(1).map_or(0, |above| depths[above]));
        path.iter().rev().zip(above + 1..).for_each(|(&at, depth)| depths[at] = depth);
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::treebank::{Place, Token, Tree};

    #[test]
    fn every_scored_word_is_in_one_class_of_the_gold_tree() {
        let heads = |heads: &[usize]| heads.iter().map(|&head| Word::new(head)).collect::<Vec<_>>();
        let gold = Tree::new(heads(&[2, 3, 0, 3, 4, 5, 3, 3, 3, 3, 3])).expect("a tree");
        let predicted = heads(&[2, 3, 0, 3, 3, 5, 3, 3, 3, 3, 4]);
        let token = |coarse: &str| Token { coarse: coarse.to_owned(), ..Token::default() };
        let tokens: Vec<Token> = ["D", "N", "V", "N", "P", "N", "N", "N", "N", "N", "."].map(token).into();
        let mut scored = vec![true; 11];
        scored[9] = false;
        let place = Place::default();
        let parsed = [Parsed { place: &place, tokens: &tokens, gold: &gold, heads: &predicted, scored }];
        let shown = |by| {
            let classes = breakdown(&parsed, by).into_iter();
            classes.map(|(class, c)| format!("{}: {}/{}", class.name(), c.correct, c.words)).collect::<Vec<_>>()
        };
        assert_eq!(shown(By::SentenceLength), ["11 to 20: 8/10"]);
        assert_eq!(shown(By::ArcLength), ["to the root: 1/1", "1: 4/5", "4: 1/1", "5: 1/1", "6: 1/1", "7 to 9: 0/1"]);
        assert_eq!(shown(By::Depth), ["1: 1/1", "2: 5/6", "3: 1/2", "4: 1/1"]);
        assert_eq!(shown(By::Tag), [".: 0/1", "D: 1/1", "N: 6/6", "P: 0/1", "V: 1/1"]);
        for by in By::ALL {
            let sum = breakdown(&parsed, by).values().fold((0, 0), |s, c| (s.0 + c.words, s.1 + c.correct));
            assert_eq!(sum, (10, 8), "{by:?}");
        }
    }
}
