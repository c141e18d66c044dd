//! Pruning: a first-order model that drops hopeless heads before the parser looks at a sentence (paper, section 4.4).

mod candidates;
mod features;
mod rule;
mod train;

pub use candidates::Candidates;
pub use rule::Rule;
pub use train::{FOLDS, Schedule, train};

use self::features::AllArcs;
use crate::decode::marginals::Marginals;
use crate::features::{Plan, TemplateSet};
use crate::treebank::Token;
use crate::weights::KeyBuffers;
use crate::weights::scorer::{Scores, add_scores};
use crate::weights::table::{FeatureKey, Table};

/// Weights are stored in units of 1 / `UNIT`.
const UNIT: f64 = 65_536.0;

/// What an arc's weight is multiplied by, so that the sum over trees stays in range for long sentences: with all arcs
/// alike there are about 6.75^n projective trees, with one certain head a word there is one.
const SHRINK: f64 = 1.0 / 3.0;

/// A trained pruner.
#[derive(Debug)]
pub struct Pruner {
    templates: TemplateSet,
    plan: Plan,
    features: Vec<(FeatureKey, i32)>,
    table: Table,
}

impl Pruner {
    /// A pruner of the given weights, in units of 2^-16.
    ///
    /// # Errors
    /// If the system has no memory for the table.
    pub fn new(templates: TemplateSet, features: Vec<(FeatureKey, i32)>) -> std::io::Result<Self> {
        let table = Table::of(&features)?;
        let plan = Plan::new(&templates, |_| true);
        Ok(Self { templates, plan, features, table })
    }

    /// The templates.
    pub fn templates(&self) -> &TemplateSet {
        &self.templates
    }

    /// The weights, in units of 2^-16.
    pub fn features(&self) -> &[(FeatureKey, i32)] {
        &self.features
    }
}

/// Memory for computing marginals, reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct PrunerScratch {
    all: AllArcs,
    buffers: KeyBuffers,
    scores: Vec<i64>,
    arcs: Vec<[f64; 1]>,
    chart: Marginals<1>,
}

impl PrunerScratch {
    /// Look-ups of features so far.
    pub fn lookups(&self) -> u64 {
        self.buffers.lookups()
    }
}

impl Pruner {
    /// The marginal of every arc of a sentence: `marginals[h * (words + 1) + m]`.
    pub fn marginals<'a>(&self, tokens: &[Token], scratch: &'a mut PrunerScratch) -> &'a [f64] {
        let n = tokens.len();
        scratch.all.fill(&self.plan, tokens, |_, _| true);
        scratch.scores.clear();
        scratch.scores.resize((n + 1) * (n + 1), 0);
        for (kind, parts) in &scratch.all.parts {
            if let Some(kind) = self.plan.kind(*kind) {
                let (buffers, scores) = (&mut scratch.buffers, Scores::of(&mut scratch.scores));
                add_scores(&self.table, kind, &scratch.all.views, parts, buffers, scores);
            }
        }
        arc_weights(n, |a, _| scratch.scores[a] as f64 / UNIT, &mut scratch.arcs);
        scratch.chart.of(n, &mut scratch.arcs);
        scratch.arcs.as_flattened()
    }
}

/// Fills `arcs` with `exp(score)` of every arc, relative to the best head of its modifier and shrunk.
fn arc_weights<const L: usize>(words: usize, score: impl Fn(usize, usize) -> f64, arcs: &mut Vec<[f64; L]>) {
    let w = words + 1;
    arcs.clear();
    arcs.resize(w * w, [0.0; L]);
    for m in 1..=words {
        let heads = || (0..=words).filter(|&h| h != m).map(|h| h * w + m);
        let best: [f64; L] =
            std::array::from_fn(|lane| heads().map(|a| score(a, lane)).fold(f64::NEG_INFINITY, f64::max));
        for a in heads() {
            arcs[a] = std::array::from_fn(|lane| SHRINK * libm::exp(score(a, lane) - best[lane]));
        }
    }
}
