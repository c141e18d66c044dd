//! The forms of the training part: which labels each can have, and the atoms that templates ask of it.
//!
//! Labels: the pairs of fine and coarse tag that occur in the training part, numbered in sorted order.

use std::collections::BTreeMap;

use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::features::atoms::mix;
use crate::tagger::features::{Atoms, TwinClass, atoms};
use crate::treebank::Token;

/// A form seen at least this often has the labels that it was seen with and no others.
pub const FREQUENT: u32 = 30;
/// A form seen at most this often is rare: its labels are those that a word not seen at all can have.
pub const RARE: u32 = 5;
/// A lower-case form seen at least this often tells the labels of its capitalised twin.
const TRUSTED: u32 = 2;

/// A form.
#[derive(Clone, Debug)]
struct Entry {
    form: String,
    /// Labels that it was seen with, ascending, and how often.
    seen: Vec<(u32, u32)>,
    /// Labels that it can have, ascending.
    candidates: Vec<u32>,
    atoms: Atoms,
}

/// All forms of the training part.
#[derive(Clone, Debug)]
pub struct Lexicon {
    /// Sorted by form.
    entries: Vec<Entry>,
    /// Labels of an unknown form, ascending.
    open: Vec<u32>,
}

impl Lexicon {
    /// The forms of these words; each word comes with its label.
    pub fn from_words<'a>(words: impl IntoIterator<Item = (&'a str, u32)>) -> Self {
        let mut counts: BTreeMap<&str, BTreeMap<u32, u32>> = BTreeMap::new();
        for (form, label) in words {
            *counts.entry(form).or_default().entry(label).or_default() += 1;
        }
        Self::new(counts.into_iter().map(|(form, seen)| (form.to_owned(), seen.into_iter().collect())).collect())
    }

    /// Forms in sorted order with the labels that each was seen with.
    fn new(forms: Vec<(String, Vec<(u32, u32)>)>) -> Self {
        let empty = Entry { form: String::new(), seen: Vec::new(), candidates: Vec::new(), atoms: Atoms::default() };
        let entries = forms.into_iter().map(|(form, seen)| Entry { form, seen, ..empty.clone() }).collect();
        let mut lexicon = Self { entries, open: Vec::new() };
        lexicon.open = lexicon.labels_of_forms(|total| total <= RARE);
        if lexicon.open.is_empty() {
            lexicon.open = lexicon.labels_of_forms(|_| true);
        }
        let mut text = String::new();
        for i in 0..lexicon.entries.len() {
            let entry = &lexicon.entries[i];
            let mut candidates: Vec<u32> = entry.seen.iter().map(|s| s.0).collect();
            if total(entry) < FREQUENT {
                candidates.extend(&lexicon.open);
                candidates.sort_unstable();
                candidates.dedup();
            }
            let atoms = lexicon.atoms_of(&entry.form, &mut text);
            let entry = &mut lexicon.entries[i];
            (entry.candidates, entry.atoms) = (candidates, atoms);
        }
        lexicon
    }

    fn labels_of_forms(&self, wanted: impl Fn(u32) -> bool) -> Vec<u32> {
        let forms = self.entries.iter().filter(|e| wanted(total(e)));
        let mut labels: Vec<u32> = forms.flat_map(|e| e.seen.iter().map(|s| s.0)).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    /// Number of forms; the numbers of unknown forms begin here.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of a form, if it occurs in the training part.
    pub fn find(&self, form: &str) -> Option<u32> {
        self.entries.binary_search_by(|e| e.form.as_str().cmp(form)).ok().map(|i| i as u32)
    }

    /// The labels that the form of this number can have, ascending; those of an unknown form if there is no such form.
    pub fn candidates(&self, number: u32) -> &[u32] {
        self.entries.get(number as usize).map_or(&self.open, |e| &e.candidates)
    }

    /// The atoms of the form of this number.
    pub fn atoms(&self, number: u32) -> Option<&Atoms> {
        self.entries.get(number as usize).map(|e| &e.atoms)
    }

    /// Works out the atoms of any form; `text` is working memory.
    pub fn atoms_of(&self, form: &str, text: &mut String) -> Atoms {
        atoms(form, |lower| self.class(lower), text)
    }

    /// What is known of the lower-case twin of a form.
    fn class(&self, lower: &str) -> TwinClass {
        let twin = self.find(lower).map(|i| &self.entries[i as usize]).filter(|e| total(e) >= TRUSTED);
        twin.map_or(TwinClass::Unknown, |e| {
            TwinClass::Labels(e.seen.iter().fold(1, |hash, &(label, _)| mix(hash ^ u64::from(label + 1))))
        })
    }

    /// Appends the lexicon to `out`.
    pub fn encode(&self, out: &mut BytesWriter) {
        out.u64(self.entries.len() as u64);
        for entry in &self.entries {
            out.text(&entry.form);
            let seen: Vec<u32> = entry.seen.iter().flat_map(|&(label, count)| [label, count]).collect();
            out.u32s(seen.into_iter());
        }
    }

    /// Reads what [`encode`](Self::encode) wrote, for a tagger with that many labels.
    ///
    /// # Errors
    /// If the bytes are damaged.
    pub fn decode(from: &mut BytesReader, labels: usize) -> Result<Self, Damaged> {
        let mut forms: Vec<(String, Vec<(u32, u32)>)> = Vec::new();
        for _ in 0..from.u64()? {
            let form = from.text()?.to_owned();
            let flat: Vec<u32> = from.u32s()?.collect();
            let (pairs, rest) = flat.as_chunks::<2>();
            let seen: Vec<(u32, u32)> = pairs.iter().map(|&[label, count]| (label, count)).collect();
            let sound = rest.is_empty()
                && !seen.is_empty()
                && seen.is_sorted_by(|a, b| a.0 < b.0)
                && seen.iter().all(|&(label, count)| (label as usize) < labels && count > 0);
            if !sound {
                return Err(Damaged);
            }
            forms.push((form, seen));
        }
        let sorted = forms.is_sorted_by(|a, b| a.0 < b.0);
        if sorted && !forms.is_empty() { Ok(Self::new(forms)) } else { Err(Damaged) }
    }
}

fn total(entry: &Entry) -> u32 {
    entry.seen.iter().fold(0, |sum, s| sum.saturating_add(s.1))
}

/// Most labels of a tagger.
pub const MOST_LABELS: usize = 4096;

/// All labels of a tagger.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// Fine tag, coarse tag; sorted, distinct.
    pairs: Vec<(String, String)>,
}

impl Labels {
    /// The labels of these words.
    pub fn from_tokens<'a>(tokens: impl IntoIterator<Item = &'a Token>) -> Self {
        let pairs: std::collections::BTreeSet<(&str, &str)> =
            tokens.into_iter().map(|t| (t.fine.as_str(), t.coarse.as_str())).collect();
        Self { pairs: pairs.into_iter().map(|(fine, coarse)| (fine.to_owned(), coarse.to_owned())).collect() }
    }

    /// Number of labels.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The label of a word's tags, if it is one.
    pub fn find(&self, token: &Token) -> Option<u32> {
        let wanted = (token.fine.as_str(), token.coarse.as_str());
        let found = self.pairs.binary_search_by(|(fine, coarse)| (fine.as_str(), coarse.as_str()).cmp(&wanted));
        found.ok().map(|i| i as u32)
    }

    /// Gives a word the tags of a label.
    pub fn write(&self, label: u32, token: &mut Token) {
        if let Some((fine, coarse)) = self.pairs.get(label as usize) {
            token.fine.clone_from(fine);
            token.coarse.clone_from(coarse);
        }
    }

    /// Appends the labels to `out`.
    pub fn encode(&self, out: &mut BytesWriter) {
        out.u64(self.pairs.len() as u64);
        for (fine, coarse) in &self.pairs {
            out.text(fine).text(coarse);
        }
    }

    /// Reads what [`encode`](Self::encode) wrote.
    ///
    /// # Errors
    /// If the bytes are damaged.
    pub fn decode(from: &mut BytesReader) -> Result<Self, Damaged> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for _ in 0..from.u64()? {
            pairs.push((from.text()?.to_owned(), from.text()?.to_owned()));
        }
        // Memory for transitions grows with the square of their number.
        let sound = pairs.len() <= MOST_LABELS && pairs.is_sorted_by(|a, b| a < b);
        if sound { Ok(Self { pairs }) } else { Err(Damaged) }
    }
}
