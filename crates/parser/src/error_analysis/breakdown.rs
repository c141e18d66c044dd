//! Accuracy by class: words by the length of their sentence, the length of their arc, how deep they hang, and their tag.
//!
//! Where the classes are those of the gold tree two parsers have the same words in each, and accuracy is a recall. By the
//! predicted tree it is a precision (after McDonald & Nivre 2007, who compare parsers by both).

use std::collections::BTreeMap;

use super::Parsed;
use treebound_core::graph::Word;

/// What words are told apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum By {
    /// Words of the sentence, in tens.
    SentenceLength,
    /// Words from the modifier to its gold head; that to the root symbol is a class of its own.
    ArcLength,
    /// The same to its predicted head.
    PredictedArcLength,
    /// Arcs from the root symbol to the word in the gold tree.
    Depth,
    /// The same in the predicted tree.
    PredictedDepth,
    /// The coarse tag of the word.
    Tag,
    /// The relation of the gold arc; words of a treebank without relations are in no class.
    Relation,
}

impl By {
    /// Those by which all parsers have the same words in each class, in the order of a report.
    pub const GOLD: [Self; 5] = [Self::SentenceLength, Self::ArcLength, Self::Depth, Self::Tag, Self::Relation];

    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::SentenceLength => "sentence-length",
            Self::ArcLength => "arc-length",
            Self::PredictedArcLength => "predicted-arc-length",
            Self::Depth => "depth",
            Self::PredictedDepth => "predicted-depth",
            Self::Tag => "tag",
            Self::Relation => "relation",
        }
    }

    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Self::SentenceLength => "length of the sentence",
            Self::ArcLength => "length of the gold arc",
            Self::PredictedArcLength => "length of the predicted arc",
            Self::Depth => "arcs from the root to the word",
            Self::PredictedDepth => "predicted arcs from the root to the word",
            Self::Tag => "tag of the word",
            Self::Relation => "relation of the gold arc",
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
    /// Its place: the least number in it, if it is a class of numbers.
    pub fn place(&self) -> u64 {
        self.place as u64
    }

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
    /// Those of these with the right relation, too.
    pub labelled: u64,
}

/// Sentences of more than so many words are one class.
const LONG_SENTENCE: usize = 60;
/// Arcs of so many words and more are classes of several lengths.
const ONE_LENGTH: usize = 7;
/// Words as deep and deeper are one class.
const DEEP: usize = 9;

impl By {
    /// The heads that tell the classes.
    fn heads<'p>(self, parsed: &Parsed<'p>) -> &'p [Word] {
        match self {
            Self::PredictedArcLength | Self::PredictedDepth => parsed.heads,
            _ => parsed.gold.heads(),
        }
    }
}

/// The scored words of some sentences by class. Words without a predicted head are in no class of predicted trees.
pub fn breakdown(sentences: &[Parsed], by: By) -> BTreeMap<Class, Counts> {
    let mut classes: BTreeMap<Class, Counts> = BTreeMap::new();
    for parsed in sentences {
        let heads = by.heads(parsed);
        let depths = depths(heads);
        for i in (0..heads.len()).filter(|&i| parsed.scored[i]) {
            let gold = parsed.gold.head(Word::new(i + 1));
            let Some(class) = class(parsed, by, i, heads, &depths) else { continue };
            let is_right = parsed.heads.get(i) == Some(&gold);
            let [own, theirs] = parsed.relations.map(|relations| relations.map(|relations| relations.name(i)));
            let counts = classes.entry(class).or_default();
            counts.words += 1;
            counts.correct += u64::from(is_right);
            counts.labelled += u64::from(is_right && own.is_some() && own == theirs);
        }
    }
    classes
}

fn class(parsed: &Parsed, by: By, i: usize, heads: &[Word], depths: &[usize]) -> Option<Class> {
    Some(match by {
        By::SentenceLength => match parsed.tokens.len().saturating_sub(1) / 10 * 10 {
            LONG_SENTENCE.. => Class { place: LONG_SENTENCE, name: format!("more than {LONG_SENTENCE}") },
            before => Class::range(before + 1, before + 10),
        },
        By::ArcLength | By::PredictedArcLength => match heads[i].ix() {
            0 => Class { place: 0, name: "to the root".to_owned() },
            head => match head.abs_diff(i + 1) {
                length @ ..ONE_LENGTH => Class::numbered(length),
                length @ ONE_LENGTH..=9 => Class { place: length.min(ONE_LENGTH), name: format!("{ONE_LENGTH} to 9") },
                10..=14 => Class::range(10, 14),
                15..=19 => Class::range(15, 19),
                _ => Class { place: 20, name: "20 and more".to_owned() },
            },
        },
        By::Depth | By::PredictedDepth => match depths[i] {
            DEEP.. => Class { place: DEEP, name: format!("{DEEP} and more") },
            depth => Class::numbered(depth),
        },
        By::Tag => Class { place: 0, name: parsed.tokens[i].coarse.clone() },
        By::Relation => Class { place: 0, name: parsed.relations[0]?.name(i).to_owned() },
    })
}

/// Arcs from the root symbol to each word of a tree. A word hangs no deeper than the sentence is long.
fn depths(heads: &[Word]) -> Vec<usize> {
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
    use crate::treebank::relations::Numbering;
    use crate::treebank::{Place, Relations, Token, Tree};

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
        let mut numbering = Numbering::default();
        let mut relations = |names: &str| {
            let numbers = names.split(' ').map(|name| numbering.number(name)).collect();
            Relations::new(numbering.names(), numbers).expect("they were numbered")
        };
        let (own, theirs) = (relations("a a r b a b b b b b p"), relations("a b r b a b b b b b p"));
        let relations = [Some(&own), Some(&theirs)];
        let parsed = [Parsed { place: &place, tokens: &tokens, gold: &gold, heads: &predicted, scored, relations }];
        let shown = |by| {
            let classes = breakdown(&parsed, by).into_iter();
            classes.map(|(class, c)| format!("{}: {}/{}", class.name(), c.correct, c.words)).collect::<Vec<_>>()
        };
        assert_eq!(shown(By::SentenceLength), ["11 to 20: 8/10"]);
        assert_eq!(shown(By::ArcLength), ["to the root: 1/1", "1: 4/5", "4: 1/1", "5: 1/1", "6: 1/1", "7 to 9: 0/1"]);
        assert_eq!(shown(By::Depth), ["1: 1/1", "2: 5/6", "3: 1/2", "4: 1/1"]);
        // By the predicted tree: 5 hangs on 3 now, two arcs long, and 11 on 4.
        let expected = ["to the root: 1/1", "1: 4/4", "2: 0/1", "4: 1/1", "5: 1/1", "6: 1/1", "7 to 9: 0/1"];
        assert_eq!(shown(By::PredictedArcLength), expected);
        assert_eq!(shown(By::PredictedDepth), ["1: 1/1", "2: 5/6", "3: 2/3"]);
        assert_eq!(shown(By::Tag), [".: 0/1", "D: 1/1", "N: 6/6", "P: 0/1", "V: 1/1"]);
        let labelled = breakdown(&parsed, By::Relation).into_iter();
        let labelled = labelled.map(|(class, c)| format!("{}: {} {}/{}", class.name(), c.labelled, c.correct, c.words));
        assert_eq!(labelled.collect::<Vec<_>>(), ["a: 1 2/3", "b: 5 5/5", "p: 0 0/1", "r: 1 1/1"]);
        for by in By::GOLD.into_iter().chain([By::PredictedArcLength, By::PredictedDepth]) {
            let sum = breakdown(&parsed, by).values().fold((0, 0), |s, c| (s.0 + c.words, s.1 + c.correct));
            assert_eq!(sum, (10, 8), "{by:?}");
        }
    }
}
