//! Padded batches of sentences: what arrays mean, and what is wrong with them.

use std::ops::Range;

use treebound_core::graph::Trees;

use crate::number::Number;

/// What is wrong with an argument; the message names the index.
#[derive(Debug)]
pub struct Fault(pub String);

/// Scores of parts other than arcs.
pub enum Parts<'a, T> {
    /// None.
    None,
    /// One for each cell of an array: `[b, modifier, head, third]`.
    Dense(&'a [T]),
    /// Some, each named by a row of words.
    Sparse(Sparse<'a, T>),
}

/// Scores of parts named by rows `[b, modifier, head, ...]`, by sentence.
pub struct Sparse<'a, T> {
    /// What messages call it.
    name: &'static str,
    columns: usize,
    index: &'a [i64],
    scores: &'a [T],
    rows: BySentence,
}

impl<'a, T: Number> Sparse<'a, T> {
    /// Sorts rows by sentence.
    pub fn new(
        name: &'static str,
        columns: usize,
        index: &'a [i64],
        scores: &'a [T],
        sentences: usize,
    ) -> Result<Self, Fault> {
        let of_row = index.chunks_exact(columns).map(|row| row[0]);
        Ok(Self { name, columns, index, scores, rows: BySentence::new(name, of_row, sentences)? })
    }

    /// The rows of a sentence: number, words, score.
    pub fn of(&self, b: usize) -> impl Iterator<Item = (usize, &[i64], T)> {
        self.rows.of(b).iter().map(|&row| {
            let row = row as usize;
            (row, &self.index[row * self.columns + 1..(row + 1) * self.columns], self.scores[row])
        })
    }

    /// A message about a row.
    pub fn fault(&self, row: usize, what: impl std::fmt::Display) -> Fault {
        let words = &self.index[row * self.columns..(row + 1) * self.columns];
        Fault(format!("{}: row {row}, {words:?}: {what}", self.name))
    }
}

/// Rows of an array, by sentence.
pub struct BySentence {
    /// `sentences + 1` entries.
    start: Vec<u32>,
    rows: Vec<u32>,
}

impl BySentence {
    /// Sorts rows whose sentences these are.
    pub fn new(
        name: &str,
        of_row: impl ExactSizeIterator<Item = i64> + Clone,
        sentences: usize,
    ) -> Result<Self, Fault> {
        if u32::try_from(of_row.len()).is_err() {
            return Err(Fault(format!("{name}: {} rows are too many; give fewer sentences at once", of_row.len())));
        }
        let mut start = vec![0u32; sentences + 1];
        for (row, b) in of_row.clone().enumerate() {
            let place = usize::try_from(b).ok().filter(|&b| b < sentences);
            let b = place.ok_or_else(|| {
                Fault(format!("{name}: row {row}: sentence {b} is not among the {sentences} of the batch, from 0"))
            })?;
            start[b + 1] += 1;
        }
        for b in 0..sentences {
            start[b + 1] += start[b];
        }
        let (mut next, mut rows) = (start.clone(), vec![0; of_row.len()]);
        for (row, b) in of_row.enumerate() {
            rows[next[b as usize] as usize] = row as u32;
            next[b as usize] += 1;
        }
        Ok(Self { start, rows })
    }

    /// The rows of a sentence, ascending.
    pub fn of(&self, b: usize) -> &[u32] {
        &self.rows[self.start[b] as usize..self.start[b + 1] as usize]
    }
}

/// Factors: sets of arcs with one score each.
pub struct Factors<'a, T> {
    /// Arcs of a factor with those that pad it.
    pub width: usize,
    /// `[modifier, head]` of each arc, -1 twice for none.
    pub arcs: &'a [i64],
    /// By factor.
    pub scores: &'a [T],
    /// Factors by sentence.
    pub rows: BySentence,
}

/// A batch; `cells` is the words of its longest sentence and the root.
pub struct Batch<'a, T> {
    /// Words of each sentence.
    pub lengths: Vec<usize>,
    /// Row length of arrays.
    pub cells: usize,
    /// `[b, modifier, head]`.
    pub arcs: &'a [T],
    /// As `arcs`: which may be used.
    pub candidates: Option<&'a [bool]>,
    /// As `arcs`: where a search begins.
    pub prior: Option<&'a [f64]>,
    /// `[b, modifier, head, inner]`.
    pub siblings: Parts<'a, T>,
    /// `[b, modifier, head, child]`.
    pub grandchildren: Parts<'a, T>,
    /// `[b, modifier, head, inner, grandparent]`.
    pub grand_siblings: Option<Sparse<'a, T>>,
    /// Factors.
    pub factors: Option<Factors<'a, T>>,
    /// Which trees.
    pub trees: Trees,
    /// Whether one word alone is on the root.
    pub single_root: bool,
}

impl<'a, T: Number> Batch<'a, T> {
    /// Number of sentences.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether arcs alone have scores.
    pub fn has_arcs_alone(&self) -> bool {
        self.has_second_order_alone() && matches!(self.siblings, Parts::None)
    }

    /// Whether arcs and siblings alone have scores.
    fn has_second_order_alone(&self) -> bool {
        matches!(self.grandchildren, Parts::None) && self.grand_siblings.is_none() && self.factors.is_none()
    }

    /// Whether the sums over arrays are for it.
    pub fn is_first_order(&self) -> bool {
        self.has_arcs_alone() && self.trees == Trees::Projective
    }

    /// Whether the programs over arrays are for it.
    pub fn is_dense(&self) -> bool {
        self.has_second_order_alone() && self.trees == Trees::Projective
    }

    /// Where the row of a modifier begins in `arcs`.
    #[inline(always)]
    pub fn row(&self, b: usize, m: usize) -> usize {
        (b * self.cells + m) * self.cells
    }

    /// Where scores of the heads of a modifier lie in `arcs`, those before it and those behind it.
    #[inline(always)]
    pub fn heads(&self, b: usize, m: usize) -> [Range<usize>; 2] {
        let (row, n) = (self.row(b, m), self.lengths[b]);
        [row..row + m, row + m + 1..row + n + 1]
    }

    /// Whether an arc may be used, by its place in `arcs`.
    #[inline(always)]
    pub fn is_candidate(&self, at: usize) -> bool {
        self.candidates.is_none_or(|candidates| candidates[at]) && !self.arcs[at].is_missing()
    }

    /// The largest score of an arc of a sentence.
    ///
    /// # Errors
    /// If one is no number.
    pub fn largest_arc(&self, b: usize) -> Result<f64, Fault> {
        let mut largest = 0.0f64;
        for m in 1..=self.lengths[b] {
            for places in self.heads(b, m) {
                let in_row = match self.candidates {
                    None => T::largest(&self.arcs[places.clone()]),
                    Some(candidates) => {
                        let candidates = places.clone().filter(|&at| candidates[at]);
                        candidates.map(|at| T::largest(&self.arcs[at..=at])).fold(0.0, f64::max)
                    }
                };
                if in_row == f64::INFINITY {
                    return Err(self.bad_arc(b, m, places));
                }
                largest = largest.max(in_row);
            }
        }
        Ok(largest)
    }

    /// A message about the first score that is no number.
    fn bad_arc(&self, b: usize, m: usize, mut places: Range<usize>) -> Fault {
        let is_bad = |&at: &usize| self.is_candidate(at) && T::largest(&self.arcs[at..=at]) == f64::INFINITY;
        let at = places.find(is_bad).unwrap_or_default();
        let (h, score) = (at.wrapping_sub(self.row(b, m)), self.arcs[at]);
        Fault(format!("arcs[{b}, {m}, {h}] is {score}: a score is finite, or -inf for an arc that may not be used"))
    }

    /// The scores of the siblings of an arc in a dense array: where those before the modifier lie, and that of a first one.
    pub fn sibling_places(&self, b: usize, m: usize, h: usize) -> (Range<usize>, usize) {
        let row = (self.row(b, m) + h) * self.cells;
        (row + h.min(m) + 1..row + h.max(m), row + h)
    }
}

/// A word of a row.
///
/// # Errors
/// If there is none such; what the message is about is added by the caller.
pub fn word(what: &str, word: i64, least: usize, words: usize) -> Result<usize, String> {
    let found = usize::try_from(word).ok().filter(|&w| w >= least && w <= words);
    found.ok_or_else(|| format!("{what} {word} is not among the words {least} to {words}"))
}
