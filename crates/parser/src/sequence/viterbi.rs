//! The best label sequence: the first-order dynamic program of Viterbi.
//!
//! With e(i, c) the emission score of label c at word i, T(p, c) the score of c after p and B the boundary before the first
//! word and after the last,
//!
//! ```text
//! best(1, c) = e(1, c) + T(B, c)
//! best(i, c) = e(i, c) + max over p of best(i - 1, p) + T(p, c)
//! answer     = max over c of best(n, c) + T(c, B)
//! ```
//!
//! where c runs over the candidates of word i and p over those of word i - 1. Of equal maxima the smallest label is taken,
//! so the answer is that best sequence whose last label is smallest, then the one before, and so on.
//!
//! Most p can never be a maximum: whatever follows, p gains at most the largest T(p, .) and another p' at least the
//! smallest T(p', .). A p whose most is below the least of another is passed over, which changes no answer.

use std::ops::Range;

/// Scores of label bigrams: a dense square, the boundary being one more label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transitions {
    labels: usize,
    /// `scores[c * (labels + 1) + p]`: all that can come before one label lies in one row.
    scores: Vec<i64>,
    /// By the label before: a lower and an upper bound of its scores.
    range: Vec<(i64, i64)>,
}

impl Transitions {
    /// All zero.
    pub fn new(labels: usize) -> Self {
        Self { labels, scores: vec![0; (labels + 1) * (labels + 1)], range: vec![(0, 0); labels + 1] }
    }

    /// `fill` adds the scores of each label, and last of the boundary, after a label or (last) the boundary.
    pub fn from_rows(labels: usize, fill: impl Fn(usize, &mut [i64])) -> Self {
        let mut transitions = Self::new(labels);
        let mut row = vec![0; labels + 1];
        for before in 0..=labels {
            row.fill(0);
            fill(before, &mut row);
            for (label, &score) in row.iter().enumerate() {
                transitions.scores[label * (labels + 1) + before] = score;
            }
        }
        transitions.tighten();
        transitions
    }

    /// The number of labels; as a label, the boundary.
    pub fn labels(&self) -> usize {
        self.labels
    }

    /// The score of `label` after `before`.
    pub fn get(&self, before: usize, label: usize) -> i64 {
        self.row(label)[before]
    }

    /// Changes the score of `label` after `before`. Bounds are widened as needed and never narrowed.
    pub fn add(&mut self, before: usize, label: usize, delta: i64) {
        let score = &mut self.scores[label * (self.labels + 1) + before];
        *score += delta;
        let range = &mut self.range[before];
        *range = (range.0.min(*score), range.1.max(*score));
    }

    /// Makes the bounds exact again, for speed.
    pub fn tighten(&mut self) {
        for before in 0..=self.labels {
            let first = self.get(before, 0);
            let scores = (0..=self.labels).map(|label| self.get(before, label));
            self.range[before] = scores.fold((first, first), |r, s| (r.0.min(s), r.1.max(s)));
        }
    }

    /// The scores of `label` after each label and, last, after the boundary.
    fn row(&self, label: usize) -> &[i64] {
        &self.scores[label * (self.labels + 1)..][..self.labels + 1]
    }
}

/// The candidates of every word of a sentence with their emission scores; memory is reused.
#[derive(Clone, Debug, Default)]
pub struct Lattice {
    /// By word: where its candidates end.
    ends: Vec<u32>,
    labels: Vec<u32>,
    scores: Vec<i64>,
}

impl Lattice {
    /// Forgets all words.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.labels.clear();
        self.scores.clear();
    }

    /// Adds a word with its candidates, ascending and at least one, and the score of each.
    pub fn push(&mut self, candidates: &[u32], score: impl Fn(u32) -> i64) {
        debug_assert!(!candidates.is_empty() && candidates.is_sorted());
        self.labels.extend_from_slice(candidates);
        self.scores.extend(candidates.iter().map(|&label| score(label)));
        self.ends.push(self.labels.len() as u32);
    }

    /// Number of words.
    pub fn words(&self) -> usize {
        self.ends.len()
    }

    fn candidates(&self, word: usize) -> Range<usize> {
        let start = word.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        start..self.ends[word] as usize
    }
}

/// The chart, reused.
#[derive(Clone, Debug, Default)]
pub struct Viterbi {
    /// By candidate of the lattice.
    best: Vec<i64>,
    /// The candidate before.
    back: Vec<u32>,
    /// Candidates of the word before that may be a maximum: score, label, number.
    live: Vec<(i64, u32, u32)>,
}

impl Viterbi {
    /// Writes the best labels of `lattice` to `path`.
    pub fn decode(&mut self, lattice: &Lattice, transitions: &Transitions, path: &mut Vec<u32>) {
        path.clear();
        let words = lattice.words();
        if words == 0 {
            return;
        }
        let boundary = transitions.labels();
        self.best.clear();
        self.back.clear();
        self.live.clear();
        self.live.push((0, boundary as u32, 0));
        for word in 0..words {
            if word > 0 {
                self.keep_alive(lattice, lattice.candidates(word - 1), transitions);
            }
            for candidate in lattice.candidates(word) {
                let (score, from) = self.best_into(transitions.row(lattice.labels[candidate] as usize));
                self.best.push(lattice.scores[candidate] + score);
                self.back.push(from);
            }
        }
        self.keep_alive(lattice, lattice.candidates(words - 1), transitions);
        let (_, mut at) = self.best_into(transitions.row(boundary));
        path.resize(words, 0);
        for label in path.iter_mut().rev() {
            *label = lattice.labels[at as usize];
            at = self.back[at as usize];
        }
    }

    /// Collects the candidates of a word that may be a maximum of the next.
    fn keep_alive(&mut self, lattice: &Lattice, candidates: Range<usize>, transitions: &Transitions) {
        let range = |p: usize| transitions.range[lattice.labels[p] as usize];
        let least = candidates.clone().map(|p| self.best[p] + range(p).0).max().unwrap_or(i64::MIN);
        self.live.clear();
        for p in candidates {
            if self.best[p] + range(p).1 >= least {
                self.live.push((self.best[p], lattice.labels[p], p as u32));
            }
        }
    }

    /// The best way into a label with this row of transitions: its score and the candidate before.
    #[inline(always)]
    fn best_into(&self, row: &[i64]) -> (i64, u32) {
        let mut most = (i64::MIN, 0);
        for &(best, label, candidate) in &self.live {
            let score = best + row[label as usize];
            if score > most.0 {
                most = (score, candidate);
            }
        }
        most
    }
}
