//! Sentences whose scores are those of arcs, or of arcs and siblings: programs over all arcs, without a graph.

use treebound_core::decode::arc_sums::ArcSums;
use treebound_core::decode::first_order::FirstOrder;
use treebound_core::decode::semiring::{Value, Wide};
use treebound_core::decode::siblings::Siblings;
use treebound_core::tree::Word;

use crate::answer::Answer;
use crate::batch::{Batch, Fault, Parts, word};
use crate::number::{BITS_OF_SUMS, Grid, Number};

/// Charts and scores, reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct Dense {
    plain: Programs<f64>,
    wide: Programs<Wide>,
    sums: ArcSums,
    scores: Vec<f64>,
    probabilities: Vec<f64>,
}

#[derive(Debug, Default)]
struct Programs<V> {
    first_order: FirstOrder<V>,
    siblings: Siblings<V>,
    /// `[head][modifier]`.
    arcs: Vec<V>,
    /// `[head][modifier][inner]`, as the program has them.
    pairs: Vec<V>,
    heads: Vec<Word>,
}

impl Dense {
    /// The best tree of a sentence by its arcs and siblings; its heads are written into `heads`, by word from 1.
    pub fn decode<T: Number>(
        &mut self,
        batch: &Batch<T>,
        b: usize,
        step: Option<f64>,
        heads: &mut [i64],
    ) -> Result<Answer, Fault> {
        let n = batch.lengths[b];
        let (arc, pair) = (batch.largest_arc(b)?, largest_pair(batch, b)?);
        // No part of a tree has a score beyond this.
        let total = n as f64 * (arc + pair);
        let grid = crate::grid::<T>(b, total, BITS_OF_SUMS, step)?;
        let fits = total <= grid.step * (1u64 << BITS_OF_SUMS) as f64;
        let score = if fits {
            // What is no whole number of steps is rounded; whole numbers stay as they are.
            self.plain.decode(batch, b, |x: T| grid.round(x.near()), heads)?
        } else {
            self.wide.decode(batch, b, |x: T| Wide::from_score(x.whole(grid)), heads)?
        };
        let error = if T::IS_WHOLE { 0.0 } else { n as f64 * (arc_error(batch, b, grid) + pair_error(batch, b, grid)) };
        Ok(Answer::proven(score, grid.step, error))
    }

    /// The logarithm of the sum over trees; probabilities are written into `marginals`, a row of heads for each modifier.
    pub fn marginals<T: Number>(
        &mut self,
        batch: &Batch<T>,
        b: usize,
        scale: f64,
        marginals: &mut [f64],
    ) -> Result<Option<f64>, Fault> {
        let n = self.scores_of(batch, b, scale)?;
        let log_z = self.sums.sum(n, batch.single_root, &self.scores, &mut self.probabilities);
        if log_z.is_some() {
            for m in 1..=n {
                let row = &mut marginals[m * batch.cells..][..=n];
                row.iter_mut().enumerate().for_each(|(h, p)| *p = self.probabilities[h * (n + 1) + m]);
            }
        }
        Ok(log_z)
    }

    /// The entropy of the trees.
    pub fn entropy<T: Number>(&mut self, batch: &Batch<T>, b: usize, scale: f64) -> Result<Option<f64>, Fault> {
        let n = self.scores_of(batch, b, scale)?;
        Ok(self.sums.entropy(n, batch.single_root, &self.scores))
    }

    fn scores_of<T: Number>(&mut self, batch: &Batch<T>, b: usize, scale: f64) -> Result<usize, Fault> {
        batch.largest_arc(b)?;
        fill_arcs(batch, b, f64::NEG_INFINITY, |x: T| x.near() / scale, &mut self.scores);
        Ok(batch.lengths[b])
    }
}

impl<V: Value> Programs<V> {
    fn decode<T: Number>(
        &mut self,
        batch: &Batch<T>,
        b: usize,
        value: impl Fn(T) -> V + Copy,
        heads: &mut [i64],
    ) -> Result<Option<i128>, Fault> {
        let n = batch.lengths[b];
        fill_arcs(batch, b, V::NEG_INF, value, &mut self.arcs);
        self.heads.clear();
        self.heads.resize(n, Word::ROOT);
        let score = if matches!(batch.siblings, Parts::None) {
            let score = self.first_order.sum(n, batch.single_root, &self.arcs).to_score();
            if score.is_some() {
                self.first_order.best_heads(&self.arcs, &mut self.heads);
            }
            score
        } else {
            fill_pairs(batch, b, value, &mut self.pairs)?;
            let score = self.siblings.sum(n, batch.single_root, &self.arcs, &self.pairs).to_score();
            if score.is_some() {
                self.siblings.best_heads(&self.arcs, &self.pairs, &mut self.heads);
            }
            score
        };
        if score.is_some() {
            heads[1..=n].iter_mut().zip(&self.heads).for_each(|(to, head)| *to = head.0.into());
        }
        Ok(score)
    }
}

/// Scores of arcs by head, then modifier; `none` for those that may not be used.
fn fill_arcs<T: Number, V: Copy>(batch: &Batch<T>, b: usize, none: V, value: impl Fn(T) -> V, arcs: &mut Vec<V>) {
    let n = batch.lengths[b];
    let w = n + 1;
    arcs.clear();
    arcs.resize(w * w, none);
    for m in 1..=n {
        let row = batch.row(b, m);
        for (h, &score) in batch.arcs[row..row + w].iter().enumerate() {
            arcs[h * w + m] = value(score);
        }
        if let Some(candidates) = batch.candidates {
            for (h, _) in candidates[row..row + w].iter().enumerate().filter(|(_, is_candidate)| !**is_candidate) {
                arcs[h * w + m] = none;
            }
        }
    }
}

/// Scores of siblings as the program has them. Those without a score have 0.
fn fill_pairs<T: Number, V: Value>(
    batch: &Batch<T>,
    b: usize,
    value: impl Fn(T) -> V,
    pairs: &mut Vec<V>,
) -> Result<(), Fault> {
    let n = batch.lengths[b];
    let w = n + 1;
    match &batch.siblings {
        Parts::None => {}
        Parts::Dense(scores) => {
            pairs.resize(w * w * w, V::ZERO);
            for (m, h) in (1..=n).flat_map(|m| (0..=n).map(move |h| (m, h))).filter(|(m, h)| m != h) {
                let (places, first) = batch.sibling_places(b, m, h);
                let row = (h * w + m) * w;
                pairs[row + h] = value(scores[first]);
                let inner = &mut pairs[row + h.min(m) + 1..row + h.max(m)];
                inner.iter_mut().zip(&scores[places]).for_each(|(to, &score)| *to = value(score));
            }
        }
        Parts::Sparse(rows) => {
            pairs.clear();
            pairs.resize(w * w * w, V::ZERO);
            let mut seen = vec![false; pairs.len()];
            for (row, words, score) in rows.of(b) {
                let [m, h, r] = sibling_words(words, n).map_err(|what| rows.fault(row, what))?;
                let at = (h * w + m) * w + r;
                if std::mem::replace(&mut seen[at], true) {
                    return Err(rows.fault(row, "is given twice"));
                }
                pairs[at] = value(score);
            }
        }
    }
    Ok(())
}

/// Modifier, head, and the modifier before (or the head itself).
pub fn sibling_words(words: &[i64], n: usize) -> Result<[usize; 3], String> {
    Ok([
        word("modifier", words[0], 1, n)?,
        word("head", words[1], 0, n)?,
        word("inner modifier or head", words[2], 0, n)?,
    ])
}

/// The largest score of siblings of a sentence.
fn largest_pair<T: Number>(batch: &Batch<T>, b: usize) -> Result<f64, Fault> {
    let mut largest = 0.0f64;
    each_pair(batch, b, |scores, name| match T::largest(scores) {
        bad if bad == f64::INFINITY => Err(bad_part(scores, name)),
        score => {
            largest = largest.max(score);
            let missing = scores.iter().any(|score| score.is_missing());
            if missing { Err(bad_part(scores, name)) } else { Ok(()) }
        }
    })?;
    Ok(largest)
}

/// A message about the first score that is not finite.
fn bad_part<T: Number>(scores: &[T], name: &dyn Fn(usize) -> String) -> Fault {
    let is_bad = |score: &T| score.is_missing() || T::largest(&[*score]) == f64::INFINITY;
    let at = scores.iter().position(is_bad).unwrap_or_default();
    Fault(format!("{} is {}: a score of a part is finite; only an arc may be ruled out by -inf", name(at), scores[at]))
}

/// Visits the scores of siblings in runs, with the name of each by its place in the run.
fn each_pair<T: Number>(
    batch: &Batch<T>,
    b: usize,
    mut visit: impl FnMut(&[T], &dyn Fn(usize) -> String) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let n = batch.lengths[b];
    match &batch.siblings {
        Parts::None => Ok(()),
        Parts::Dense(scores) => {
            for (m, h) in (1..=n).flat_map(|m| (0..=n).map(move |h| (m, h))).filter(|(m, h)| m != h) {
                let (places, first) = batch.sibling_places(b, m, h);
                visit(&scores[first..=first], &|_| format!("siblings[{b}, {m}, {h}, {h}]"))?;
                let from = h.min(m) + 1;
                visit(&scores[places], &|i| format!("siblings[{b}, {m}, {h}, {}]", from + i))?;
            }
            Ok(())
        }
        Parts::Sparse(rows) => {
            rows.of(b).try_for_each(|(row, _, score)| visit(&[score], &|_| format!("siblings: the score of row {row}")))
        }
    }
}

/// How far an arc's score is from the grid at most.
pub fn arc_error<T: Number>(batch: &Batch<T>, b: usize, grid: Grid) -> f64 {
    let mut error = 0.0f64;
    for places in (1..=batch.lengths[b]).flat_map(|m| batch.heads(b, m)) {
        error = match batch.candidates {
            None => error.max(grid.largest_error(&batch.arcs[places])),
            Some(candidates) => {
                let candidates = places.filter(|&at| candidates[at]);
                candidates.map(|at| grid.largest_error(&batch.arcs[at..=at])).fold(error, f64::max)
            }
        };
    }
    error
}

/// How far a sibling part's score is from the grid at most.
fn pair_error<T: Number>(batch: &Batch<T>, b: usize, grid: Grid) -> f64 {
    let mut error = 0.0f64;
    let visited = each_pair(batch, b, |scores, _| {
        error = grid.largest_error(scores).max(error);
        Ok(())
    });
    // The visitor finds no fault.
    debug_assert!(visited.is_ok());
    error
}
