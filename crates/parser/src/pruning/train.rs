//! Learning the pruner, and pruning the training part with pruners that have not seen the sentence.
//!
//! The pruner is a first-order projective log-linear model trained by stochastic gradient steps on log-likelihood. Its
//! features are those of gold arcs. A pruner that was trained on a sentence ranks its gold heads far too well, and a
//! parser trained in such a space never learns what to do in a real one; so the training part is cut into [`FOLDS`] folds,
//! and each is pruned by a model whose weights were not learnt from it. Which features have weights, and how long arcs may be, is
//! taken from all sentences, once for all models: to that extent each has seen its fold.
//!
//! All fold models and the final one are learnt in one pass: they differ only in the sentences that they skip, so their
//! weights lie side by side, one lane each, and one look-up, one chart and one gradient step serve all of them.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::features::{Plan, TemplateSet};
use crate::pruning::lengths::Lengths;
use crate::pruning::{AllArcs, Candidates, Pruner, Rule, UNIT, arc_weights};
use crate::random::shuffle;
use crate::treebank::{Folds, Sentence, Tree};
use crate::weights::KeyBuffers;
use crate::weights::walk::{FeatureIds, for_each_feature};
use treebound_core::decode::first_order::Marginals;
use treebound_core::decode::semiring::Weights;
use treebound_core::graph::Word;

/// Folds of the training part.
pub const FOLDS: usize = 7;
/// One lane a fold, and one for the model trained on everything.
const LANES: usize = FOLDS + 1;
const ALL: usize = FOLDS;

/// How the pruner learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Passes over the training part.
    pub epochs: usize,
    /// Step size of the first pass; it falls to a tenth of itself by the end of the last.
    pub rate: f32,
    /// Of the shuffles.
    pub seed: u64,
}

/// A gradient smaller than this is left out: most arcs of a sentence are hopeless after a few passes.
const SMALLEST_STEP: f32 = 1e-3;

/// Learns a pruner from sentences and their projective trees, and prunes the same sentences with the fold models.
///
/// Returns the pruner and the candidates of each sentence, those of its tree among them.
///
/// # Errors
/// If the system has no memory.
pub fn train(
    templates: &TemplateSet,
    sentences: &[(&Sentence, &Tree)],
    schedule: Schedule,
    rule: Rule,
) -> std::io::Result<(Pruner, Vec<Candidates>)> {
    let plan = Plan::new(templates);
    let folds = Folds::of_whole_blocks(FOLDS);
    let lengths = Lengths::of(sentences);
    let ids = gold_features(&plan, sentences)?;
    let mut weights = vec![[0f32; LANES]; ids.keys().len()];
    let mut state = Scratch::default();
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    let mut random = ChaCha8Rng::seed_from_u64(schedule.seed);
    let steps = (schedule.epochs * sentences.len()).max(1) as f32;
    let mut step = 0;
    for _ in 0..schedule.epochs {
        shuffle(&mut order, &mut random);
        for &i in &order {
            let rate = schedule.rate * (1.0 - 0.9 * (step as f32 / steps));
            step += 1;
            let (sentence, tree) = sentences[i];
            state.marginals(&plan, &lengths, &ids, &weights, sentence);
            state.learn(&mut weights, tree, folds.fold(i), rate);
        }
    }
    let kept = sentences
        .iter()
        .enumerate()
        .map(|(i, (sentence, tree))| {
            state.marginals(&plan, &lengths, &ids, &weights, sentence);
            let marginals: Vec<f64> = state.arcs.iter().map(|Weights(lanes)| lanes[folds.fold(i)]).collect();
            let mut candidates = Candidates::default();
            candidates.fill(rule, sentence.len(), &marginals);
            candidates.add(tree.heads(), &marginals);
            candidates
        })
        .collect();
    let features = ids
        .keys()
        .iter()
        .zip(&weights)
        .map(|(&key, w)| (key, (f64::from(w[ALL]) * UNIT).round() as i32))
        .filter(|(_, w)| *w != 0)
        .collect();
    Ok((Pruner::new(templates.clone(), lengths, features)?, kept))
}

fn gold_features(plan: &Plan, sentences: &[(&Sentence, &Tree)]) -> std::io::Result<FeatureIds> {
    let mut ids = FeatureIds::new([])?;
    let mut arcs = AllArcs::default();
    let mut buffers = KeyBuffers::default();
    let mut result = Ok(());
    for (sentence, tree) in sentences {
        arcs.fill(plan, &sentence.tokens, |h, m| tree.head(Word::new(m)).ix() == h);
        for (kind, parts) in &arcs.parts {
            if let Some(kind) = plan.kind(*kind) {
                for_each_feature(kind, &arcs.views, parts, &mut buffers, |_, key| {
                    if let Err(e) = ids.number(key) {
                        result = Err(e);
                    }
                });
            }
        }
    }
    result.map(|()| ids)
}

#[derive(Default)]
struct Scratch {
    all: AllArcs,
    tags: Vec<u32>,
    allowed: Vec<bool>,
    buffers: KeyBuffers,
    /// Scores, then weights, then marginals of all arcs.
    scores: Vec<[f32; LANES]>,
    arcs: Vec<Weights<LANES>>,
    chart: Marginals<LANES>,
    /// Feature ids of all arcs: pairs of arc and id, in order of parts.
    fired: Vec<(u32, u32)>,
}

impl Scratch {
    /// Fills `arcs` with the marginals of every model.
    fn marginals(
        &mut self,
        plan: &Plan,
        lengths: &Lengths,
        ids: &FeatureIds,
        weights: &[[f32; LANES]],
        sentence: &Sentence,
    ) {
        let n = sentence.len();
        lengths.fill(&sentence.tokens, &mut self.tags, &mut self.allowed);
        self.all.fill(plan, &sentence.tokens, |h, m| self.allowed[h * (n + 1) + m]);
        self.scores.clear();
        self.scores.resize((n + 1) * (n + 1), [0.0; LANES]);
        self.fired.clear();
        for (kind, parts) in &self.all.parts {
            if let Some(kind) = plan.kind(*kind) {
                ids.for_each(kind, &self.all.views, parts, &mut self.buffers, |part, id| {
                    self.fired.push((parts.target[part], id));
                });
            }
        }
        for &(arc, id) in &self.fired {
            for (score, w) in self.scores[arc as usize].iter_mut().zip(&weights[id as usize]) {
                *score += w;
            }
        }
        arc_weights(n, &self.allowed, |a, lane| f64::from(self.scores[a][lane]), &mut self.arcs);
        self.chart.of(n, &mut self.arcs);
    }

    /// One gradient step of every model but that of `fold`.
    fn learn(&mut self, weights: &mut [[f32; LANES]], tree: &Tree, fold: usize, rate: f32) {
        let w = tree.len() + 1;
        // The marginals become steps: rate * (gold - marginal).
        for (a, (Weights(arc), step)) in self.arcs.iter().zip(&mut self.scores).enumerate() {
            let (h, m) = (a / w, a % w);
            let gold = if m > 0 && tree.head(Word::new(m)).ix() == h { 1.0 } else { 0.0 };
            for lane in 0..LANES {
                let gradient = gold - arc[lane] as f32;
                let learns = lane != fold && gradient.abs() >= SMALLEST_STEP;
                step[lane] = if learns { rate * gradient } else { 0.0 };
            }
        }
        for &(arc, id) in &self.fired {
            let step = &self.scores[arc as usize];
            if step.iter().any(|&s| s != 0.0) {
                for (weight, s) in weights[id as usize].iter_mut().zip(step) {
                    *weight += s;
                }
            }
        }
    }
}
