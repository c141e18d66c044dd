//! The negative log-likelihood of the training part, with its gradient (Ma & Zhao 2012, section 3.2).
//!
//! ```text
//! f(w)      = sum over sentences of (log Z - score(gold))  +  |w|² / 2C
//! ∂f / ∂w   = (expected - gold counts of features)         +  w / C
//! ```
//!
//! Both stand by context: scores are sums of K α, and the gradient's coefficient of a context is how much more
//! often it is expected than seen, plus its own over C.
//!
//! With a charge, each wrong head adds that much to a tree's score in log Z: right trees must win by a margin (softmax-margin,
//! Gimpel & Smith 2010), as in MIRA. Without, it is the likelihood.
//!
//! Sentences are shared out among the threads as they come free. Expected counts are whole numbers of a fraction that is
//! the same for all of them, so their sums are exact: the same in any order, and for any number of threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::features::TemplateGroups;
use crate::features::parts::grand_siblings_below;
use crate::learn::crf::kernel::Kernel;
use crate::learn::crf::lbfgs::{Objective, dots};
use crate::learn::crf::rows::{Group, Known, Rows};
use crate::learn::crf::{Features, Scored, Task, charge_wrong_heads, is_tree_of, parts_of_tree};
use crate::learn::online::Example;
use crate::model::Roots;
use treebound_core::decode::Backbone;
use treebound_core::decode::log_scores::LogScores;
use treebound_core::decode::partition::{PartSums, Partitions};
use treebound_core::graph::{ArcId, ArcSpace, SpaceError, TreeArcs};

/// Sentences that a thread takes at a time.
const BATCH: usize = 4;

/// Bits of a sum of expected counts, without its sign.
const SUM_BITS: u32 = 62;

/// The parts of gold trees, sentence by sentence.
#[derive(Debug, Default)]
struct Gold {
    parts: Vec<(Scored, u32)>,
    end: Vec<usize>,
}

impl Gold {
    fn sentence(&self, sentence: usize) -> &[(Scored, u32)] {
        let start = if sentence == 0 { 0 } else { self.end[sentence - 1] };
        &self.parts[start..self.end[sentence]]
    }
}

/// The objective over a training part.
#[derive(Debug)]
pub struct Likelihood<'a> {
    examples: &'a [Example<'a>],
    backbone: Backbone,
    roots: Roots,
    rows: Rows,
    kernel: Kernel,
    gold: Gold,
    /// 1 / C.
    penalty: f64,
    /// What a wrong head adds to a score.
    charge: f64,
    /// An expected count of 1.
    one: f64,
    /// By thread but the first, by context: expected less gold counts. The first one's stand where the gradient will.
    other_sums: Vec<Vec<i64>>,
}

impl<'a> Likelihood<'a> {
    /// Of `examples`, and the contexts that their coefficients belong to.
    ///
    /// # Errors
    /// If an example's arcs are no arc space.
    pub fn new(
        template_groups: &TemplateGroups,
        backbone: Backbone,
        examples: &'a [Example<'a>],
        Task { c, charge, features, roots, .. }: Task,
    ) -> Result<(Self, Vec<Known>), SpaceError> {
        let (rows, known) = Rows::new(template_groups, backbone, roots, examples, features == Features::Gold)?;
        let kernel = Kernel::new(&known);
        let (mut gold, mut desk, mut tree) = (Gold::default(), Desk::default(), TreeArcs::default());
        for example in examples {
            desk.prepare(&rows, backbone, roots, example)?;
            // A tree with several words on the root is no tree of a space that wants one: it teaches nothing.
            if tree.find(&desk.space, example.tree.heads()) && is_tree_of(&desk.space, &tree) {
                parts_of_tree(&desk.space, &desk.scores.grand.siblings, &tree, |scored, part| {
                    if rows.has(scored) {
                        gold.parts.push((scored, part as u32));
                    }
                });
            }
            gold.end.push(gold.parts.len());
        }
        let most = rows.most_of_a_context(known.len());
        let one = (1u64 << (SUM_BITS - (u64::BITS - most.leading_zeros())).min(52)) as f64;
        let likelihood = Self {
            examples,
            backbone,
            roots,
            rows,
            kernel,
            gold,
            penalty: 1.0 / c,
            charge,
            one,
            other_sums: Vec::new(),
        };
        Ok((likelihood, known))
    }

    /// The value at `x`, of which K x goes into `weights`, and the counts of the gradient into `counts`.
    fn sum(&mut self, x: &[f64], weights: &mut [f64], counts: &mut [i64]) -> f64 {
        self.kernel.apply(x, weights);
        let weights = &*weights;
        let mut other_sums = std::mem::take(&mut self.other_sums);
        other_sums.resize_with(rayon::current_num_threads() - 1, Vec::new);
        other_sums.par_iter_mut().for_each(|sums| {
            sums.clear();
            sums.resize(x.len(), 0);
        });
        counts.fill(0);
        let losses = Mutex::new(vec![0.0; self.examples.len()]);
        let next = AtomicUsize::new(0);
        let work = |sums: &mut [i64]| {
            let mut desk = Desk::default();
            loop {
                let from = next.fetch_add(BATCH, Ordering::Relaxed);
                let to = (from + BATCH).min(self.examples.len());
                if from >= to {
                    break;
                }
                for i in from..to {
                    let loss = self.sentence(i, weights, &mut desk, sums);
                    losses.lock().unwrap_or_else(|e| e.into_inner())[i] = loss;
                }
            }
        };
        rayon::scope(|scope| {
            for sums in &mut other_sums {
                scope.spawn(|_| work(sums));
            }
            work(counts);
        });
        for other in &other_sums {
            counts.par_iter_mut().zip(other).for_each(|(to, from)| *to += from);
        }
        self.other_sums = other_sums;
        let [length] = dots([x], weights);
        let losses = losses.into_inner().unwrap_or_else(|e| e.into_inner());
        losses.iter().sum::<f64>() + 0.5 * self.penalty * length
    }

    /// The loss of a sentence by the weights of contexts; adds its counts to `sums`.
    fn sentence(&self, i: usize, weights: &[f64], desk: &mut Desk, sums: &mut [i64]) -> f64 {
        let gold = self.gold.sentence(i);
        if gold.is_empty() || desk.prepare(&self.rows, self.backbone, self.roots, &self.examples[i]).is_err() {
            return 0.0;
        }
        for Group { scored, context, base, parts } in self.rows.groups(i) {
            let (scores, weight) = (&mut scored.scores(&mut desk.scores)[base..], weights[context]);
            parts.iter().for_each(|&part| scores[usize::from(part)] += weight);
        }
        let Desk { space, scores, partitions, chances, .. } = desk;
        charge_wrong_heads(space, &mut scores.local, self.examples[i].tree, self.charge);
        let Some(log_z) = partitions.sum(self.backbone, space, scores, chances) else { return 0.0 };
        let score: f64 = gold.iter().map(|&(scored, part)| scored.scores(scores)[part as usize]).sum();
        for scored in Scored::ALL {
            let (counts, chances) = (&mut desk.counts[scored as usize], scored.chances(chances));
            counts.clear();
            // Probabilities are not negative.
            counts.extend(chances.iter().map(|p| (p * self.one + 0.5) as i64));
        }
        for &(scored, part) in gold {
            desk.counts[scored as usize][part as usize] -= self.one as i64;
        }
        for Group { scored, context, base, parts } in self.rows.groups(i) {
            let counts = &desk.counts[scored as usize][base..];
            sums[context] += parts.iter().map(|&part| counts[usize::from(part)]).sum::<i64>();
        }
        log_z - score
    }
}

impl Objective for Likelihood<'_> {
    fn dimensions(&self) -> usize {
        self.kernel.dimensions()
    }

    fn value(&mut self, x: &[f64], gradient: &mut [f64], scratch: &mut [f64]) -> f64 {
        // Counts are as long as numbers of the gradient, and take their place.
        let value = self.sum(x, scratch, bytemuck::cast_slice_mut(gradient));
        let (penalty, one) = (self.penalty, self.one);
        gradient.par_iter_mut().zip(x).for_each(|(g, x)| {
            let count = g.to_bits() as i64;
            *g = count as f64 / one + penalty * x;
        });
        value
    }

    fn metric(&self, x: &[f64], out: &mut [f64]) {
        self.kernel.apply(x, out);
    }
}

/// What a thread works with, reused from sentence to sentence.
#[derive(Debug, Default)]
struct Desk {
    space: ArcSpace,
    scores: LogScores,
    partitions: Partitions<PartSums<f64>>,
    chances: PartSums<f64>,
    /// By sort of score, by part.
    counts: [Vec<i64>; Scored::ALL.len()],
}

impl Desk {
    /// The sentence's graph, without scores.
    fn prepare(&mut self, rows: &Rows, backbone: Backbone, roots: Roots, example: &Example) -> Result<(), SpaceError> {
        let Self { space, scores, .. } = self;
        space.rebuild(example.sentence.tokens.len(), roots == Roots::One, &example.candidates.arcs)?;
        scores.local.reset(space, 0.0);
        scores.grand.any.clear();
        scores.grand.siblings.clear();
        if backbone == Backbone::GrandSibling {
            scores.grand.any.resize(space.grandchild_parts(), 0.0);
        }
        if rows.has(Scored::GrandSibling) {
            for a in (0..space.arcs()).map(ArcId::new) {
                for ((grandchild, sibling), _) in grand_siblings_below(space, a, 0) {
                    scores.grand.siblings.push(grandchild, sibling, 0.0);
                }
            }
        }
        Ok(())
    }
}
