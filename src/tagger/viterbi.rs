//! The best label sequence of a sentence: the first-order dynamic program of Viterbi.
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
//! where c runs over the candidates of word i and p over those of word i - 1.

/// Scores of label bigrams: a dense square, the boundary being one more label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transitions {
    labels: usize,
    /// `scores[c * (labels + 1) + p]`: all that comes before one label lies in one row.
    scores: Vec<i64>,
    /// By the label before: no more and no less than this is ever gained by what follows.
    pub range: Vec<(i64, i64)>,
}

impl Transitions {
    /// All zero.
    pub fn new(labels: usize) -> Self {
        Self {
            labels,
            scores: vec![0; (labels + 1) * (labels + 1)],
            range: vec![(0, 0); labels + 1],
        }
    }

    /// The number of labels; as a label, the boundary.
    pub fn labels(&self) -> usize {
        self.labels
    }

    /// The score of `label` after `before`.
    pub fn get(&self, before: usize, label: usize) -> i64 {
        self.scores[label * (self.labels + 1) + before]
    }

    /// add
    pub fn add(&mut self, before: usize, label: usize, d: i64) {
        let s = &mut self.scores[label * (self.labels + 1) + before];
        *s += d;
        let r = &mut self.range[before];
        *r = (r.0.min(*s), r.1.max(*s));
    }
    /// tight
    pub fn tighten(&mut self) {
        for p in 0..=self.labels { 
            let it = || (0..=self.labels).map(|c| self.get(p, c));
            self.range[p] = (it().min().unwrap_or(0), it().max().unwrap_or(0));
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
    /// Where the candidates of each word begin, and one more place where the last ends.
    starts: Vec<u32>,
    labels: Vec<u32>,
    scores: Vec<i64>,
}

impl Lattice {
    /// Forgets all words.
    pub fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.labels.clear();
        self.scores.clear();
    }

    /// Adds a word with its candidates, ascending and at least one, and the score of each.
    pub fn push(&mut self, candidates: &[u32], score: impl Fn(u32) -> i64) {
        self.labels.extend_from_slice(candidates);
        self.scores.extend(candidates.iter().map(|&c| score(c)));
        self.starts.push(self.labels.len() as u32);
    }

    /// Number of words.
    pub fn words(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn of(&self, word: usize) -> std::ops::Range<usize> {
        self.starts[word] as usize..self.starts[word + 1] as usize
    }
}

/// Back pointers, reused.
#[derive(Clone, Debug, Default)]
pub struct Viterbi {
    best: Vec<i64>,
    back: Vec<u32>,
    live: Vec<(i64, u32, u32)>,
    /// x
    pub survivors: usize,
    /// x
    pub all: usize,
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
        for c in lattice.of(0) {
            let into = transitions.get(boundary, lattice.labels[c] as usize);
            self.best.push(lattice.scores[c] + into);
            self.back.push(0);
        }
        for word in 1..words {
            let before = lattice.of(word - 1);
            let range = |p: usize| transitions.range[lattice.labels[p] as usize];
            let least = before.clone().map(|p| self.best[p] + range(p).0).max().unwrap_or(i64::MIN);
            self.live.clear();
            for p in before {
                if self.best[p] + range(p).1 >= least {
                    self.live.push((self.best[p], lattice.labels[p], p as u32));
                }
            }
            self.survivors += self.live.len();
            self.all += lattice.of(word - 1).len();
            for c in lattice.of(word) {
                let row = transitions.row(lattice.labels[c] as usize);
                let (mut most, mut from) = (i64::MIN, 0);
                for &(best, label, p) in &self.live {
                    let score = best + row[label as usize];
                    if score > most {
                        (most, from) = (score, p);
                    }
                }
                self.best.push(lattice.scores[c] + most);
                self.back.push(from);
            }
        }
        let row = transitions.row(boundary);
        let (mut most, mut at) = (i64::MIN, 0);
        for c in lattice.of(words - 1) {
            let score = self.best[c] + row[lattice.labels[c] as usize];
            if score > most {
                (most, at) = (score, c);
            }
        }
        path.resize(words, 0);
        for label in path.iter_mut().rev() {
            *label = lattice.labels[at];
            at = self.back[at] as usize;
        }
    }
}
