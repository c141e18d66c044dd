//! The best labels of a sentence: keys, rows of weights, and the search among the labels that the lexicon allows.

use crate::sequence::{Lattice, Transitions, Viterbi, add_rows};
use crate::tagger::features::{Atoms, Edges};
use crate::tagger::lexicon::Lexicon;
use crate::weights::mapped::prefetch;
use crate::weights::table::{Line, home};

/// The words of a sentence, by the numbers of their forms; unknown forms are numbered on from the lexicon's last.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// The forms of the training part.
    pub lexicon: &'a Lexicon,
    /// By word.
    pub numbers: &'a [u32],
    /// The atoms of unknown forms.
    pub unknown: &'a [Atoms],
}

impl<'a> Words<'a> {
    fn atoms(&self, word: usize) -> &'a Atoms {
        let number = self.numbers[word];
        self.lexicon.atoms(number).unwrap_or_else(|| &self.unknown[number as usize - self.lexicon.len()])
    }

    fn candidates(&self, word: usize) -> &'a [u32] {
        self.lexicon.candidates(self.numbers[word])
    }
}

/// Memory for tagging, reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) text: String,
    pub(super) numbers: Vec<u32>,
    pub(super) unknown: Vec<Atoms>,
    edges: Edges,
    /// The keys of every word that has a choice of labels, one word after the other.
    keys: Vec<u64>,
    /// By word: where its keys begin and end.
    ends: Vec<(u32, u32)>,
    scores: Vec<i64>,
    lattice: Lattice,
    viterbi: Viterbi,
    /// The best labels of the last sentence.
    pub(super) path: Vec<u32>,
}

impl Scratch {
    /// The keys of a word of the last sentence; none if the word had no choice of labels.
    pub(super) fn keys(&self, word: usize) -> &[u64] {
        let (start, end) = self.ends[word];
        &self.keys[start as usize..end as usize]
    }

    /// Finds the best labels of a sentence.
    pub(super) fn decode(&mut self, words: Words, lines: &[Line], transitions: &Transitions) {
        let n = words.numbers.len();
        self.keys.clear();
        self.ends.clear();
        for word in 0..n {
            let start = self.keys.len();
            if words.candidates(word).len() > 1 {
                self.edges.push_keys(n, word, |at| words.atoms(at), &mut self.keys);
                // The keys of all words come before the look-ups, so that the table's latency is hidden.
                self.keys[start..].iter().for_each(|&key| prefetch(&lines[home(key, lines.len())]));
            }
            self.ends.push((start as u32, self.keys.len() as u32));
        }
        self.lattice.clear();
        for word in 0..n {
            self.scores.clear();
            self.scores.resize(transitions.labels(), 0);
            let (start, end) = self.ends[word];
            add_rows(lines, &self.keys[start as usize..end as usize], &mut self.scores);
            self.lattice.push(words.candidates(word), |label| self.scores[label as usize]);
        }
        self.viterbi.decode(&self.lattice, transitions, &mut self.path);
    }
}
