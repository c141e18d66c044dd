//! Relations: the labels of arcs, as compact numbers of names that many sentences share.
//!
//! They stand beside a sentence's gold tree and not in its tokens: parsers are given tokens, and must not see what they are to
//! find.

use std::collections::HashMap;
use std::sync::Arc;

/// The relation of each word to its head, as DEPREL has it, subtype included (`nsubj:pass`).
///
/// Two are equal if the names are, whatever the numbers.
#[derive(Clone, Debug, Default)]
pub struct Relations {
    names: Arc<[Arc<str>]>,
    numbers: Vec<u32>,
}

impl Relations {
    /// Of words whose relations have these numbers among `names`; none if a number has no name.
    pub fn new(names: Arc<[Arc<str>]>, numbers: Vec<u32>) -> Option<Self> {
        numbers.iter().all(|&number| (number as usize) < names.len()).then_some(Self { names, numbers })
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// True for no words.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The names, by word.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.numbers.iter().map(|&number| &*self.names[number as usize])
    }

    /// The name of a word's relation, by the word's index from 0.
    pub fn name(&self, word: usize) -> &str {
        &self.names[self.numbers[word] as usize]
    }
}

impl PartialEq for Relations {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Relations {}

/// A relation without its subtype, of which only the first part is the same in all languages: `nsubj` of `nsubj:pass`.
pub fn universal(name: &str) -> &str {
    name.split_once(':').map_or(name, |(universal, _)| universal)
}

/// Numbers names in the order in which they are first seen.
#[derive(Clone, Debug, Default)]
pub struct Numbering {
    numbers: HashMap<Arc<str>, u32>,
    names: Vec<Arc<str>>,
}

impl Numbering {
    /// The number of a name.
    pub fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let (name, number): (Arc<str>, u32) = (name.into(), self.names.len() as u32);
        self.numbers.insert(name.clone(), number);
        self.names.push(name);
        number
    }

    /// The number of a name that has one.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// All names, by number.
    pub fn names(&self) -> Arc<[Arc<str>]> {
        self.names.as_slice().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relations(numbering: &mut Numbering, names: &[&str]) -> Relations {
        let numbers = names.iter().map(|name| numbering.number(name)).collect();
        Relations::new(numbering.names(), numbers).expect("they were numbered")
    }

    #[test]
    fn names_count_and_not_numbers() {
        let mut other = Numbering::default();
        other.number("obj");
        let [a, b] = [&mut Numbering::default(), &mut other].map(|by| relations(by, &["nsubj:pass", "root", "obj"]));
        assert_eq!(a, b);
        assert_ne!(a, relations(&mut other, &["nsubj", "root", "obj"]));
        assert_eq!((b.name(0), universal(b.name(0)), universal("root")), ("nsubj:pass", "nsubj", "root"));
        assert!(Relations::new(other.names(), vec![9]).is_none());
    }
}
