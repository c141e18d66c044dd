//! Pruning: a first-order model that drops hopeless heads before the parser looks at a sentence (paper, section 4.4).

mod candidates;
mod features;
mod lengths;
mod rule;
mod train;

pub use candidates::Candidates;
pub use rule::Rule;
pub use train::{FOLDS, Schedule, train};

use self::features::AllArcs;
use self::lengths::Lengths;
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::features::{Plan, TemplateSet};
use crate::treebank::Token;
use crate::weights::KeyBuffers;
use crate::weights::fixed::FixedWeights;
use crate::weights::scorer::add_scores;
use crate::weights::table::{FeatureKey, Table, decode_features, encode_features};
use treebound_core::decode::first_order::Marginals;
use treebound_core::decode::semiring::{Semiring, Weights};

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
    lengths: Lengths,
    features: Vec<(FeatureKey, i32)>,
    weights: FixedWeights<Table>,
}

impl Pruner {
    /// A pruner of the given weights, in units of 2^-16.
    fn new(templates: TemplateSet, lengths: Lengths, features: Vec<(FeatureKey, i32)>) -> std::io::Result<Self> {
        let weights = FixedWeights::new(Table::of(&features)?);
        let plan = Plan::new(&templates);
        Ok(Self { templates, plan, lengths, features, weights })
    }

    /// The templates.
    pub fn templates(&self) -> &TemplateSet {
        &self.templates
    }

    /// Appends all but the templates to `out`.
    pub fn encode(&self, out: &mut BytesWriter) {
        self.lengths.encode(out);
        encode_features(&self.features, out);
    }

    /// Reads what [`encode`](Self::encode) wrote.
    ///
    /// # Errors
    /// If the bytes are damaged, or the system has no memory for the weights.
    pub fn decode(templates: TemplateSet, from: &mut BytesReader) -> Result<Self, Damaged> {
        let lengths = Lengths::decode(from)?;
        Self::new(templates, lengths, decode_features(from)?).map_err(|_| Damaged)
    }
}

/// Memory for computing marginals, reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct PrunerScratch {
    all: AllArcs,
    tags: Vec<u32>,
    /// By arc: whether it has features and may be probable.
    allowed: Vec<bool>,
    buffers: KeyBuffers,
    scores: Vec<i64>,
    arcs: Vec<Weights<1>>,
    chart: Marginals<1>,
    marginals: Vec<f64>,
}

impl PrunerScratch {
    /// Look-ups of features so far.
    pub fn lookups(&self) -> u64 {
        self.buffers.lookups()
    }
}

impl Pruner {
    /// The marginal of every arc of a sentence: `marginals[h * (words + 1) + m]`; 0 if it is longer than any may be.
    pub fn marginals<'a>(&self, tokens: &[Token], scratch: &'a mut PrunerScratch) -> &'a [f64] {
        let n = tokens.len();
        self.lengths.fill(tokens, &mut scratch.tags, &mut scratch.allowed);
        scratch.all.fill(&self.plan, tokens, |h, m| scratch.allowed[h * (n + 1) + m]);
        scratch.scores.clear();
        scratch.scores.resize((n + 1) * (n + 1), 0);
        for (kind, parts) in &scratch.all.parts {
            if let Some(kind) = self.plan.kind(*kind) {
                let (buffers, scores) = (&mut scratch.buffers, &mut scratch.scores);
                add_scores(self.weights.get(), kind, &scratch.all.views, parts, buffers, scores);
            }
        }
        arc_weights(n, &scratch.allowed, |a, _| scratch.scores[a] as f64 / UNIT, &mut scratch.arcs);
        scratch.chart.of(n, &mut scratch.arcs);
        scratch.marginals.clear();
        scratch.marginals.extend(scratch.arcs.iter().map(|&Weights([marginal])| marginal));
        &scratch.marginals
    }
}

/// Fills `arcs` with `exp(score)` of every arc, relative to the best head of its modifier and shrunk; 0 for those that are
/// not allowed.
fn arc_weights<const L: usize>(
    words: usize,
    allowed: &[bool],
    score: impl Fn(usize, usize) -> f64,
    arcs: &mut Vec<Weights<L>>,
) {
    let w = words + 1;
    arcs.clear();
    arcs.resize(w * w, Weights::NONE);
    for m in 1..=words {
        let heads = || (0..=words).map(|h| h * w + m).filter(|&a| allowed[a]);
        let best: [f64; L] =
            std::array::from_fn(|lane| heads().map(|a| score(a, lane)).fold(f64::NEG_INFINITY, f64::max));
        for a in heads() {
            arcs[a] = Weights(std::array::from_fn(|lane| SHRINK * libm::exp(score(a, lane) - best[lane])));
        }
    }
}
