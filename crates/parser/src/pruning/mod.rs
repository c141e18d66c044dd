//! Pruning: a first-order model that drops hopeless heads before the parser looks at a sentence (paper, section 4.4).
//!
//! The candidate heads of a sentence's words, and how probable the pruner thinks each.

mod method;
mod train;

use std::cmp::{Ordering, Reverse};
use std::hash::{Hash, Hasher};

use serde::de::{Error, Visitor};

use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::features::parts::BetweenWords;
use crate::features::plan::Views;
use crate::features::{Kind, PartList, Plan, TemplateSet, parts};
use crate::pruning::method::Sums;
pub(crate) use crate::pruning::train::Lengths;
use crate::treebank::Token;
use crate::weights::KeyBuffers;
use crate::weights::cache::FixedWeights;
use crate::weights::scorer::add_scores;
use crate::weights::table::{FeatureKey, Table, decode_features, encode_features};
use treebound_core::decode::semiring::Weights;
use treebound_core::graph::Word;

pub use method::{Method, PrunerModel};
pub use train::{FOLDS, Schedule, train};

/// Weights are stored in units of 1 / `UNIT`.
const UNIT: f64 = 65_536.0;

/// A trained pruner.
#[derive(Debug)]
pub struct Pruner {
    templates: TemplateSet,
    plan: Plan,
    lengths: Lengths,
    /// The weights again, sorted; none of a pruner from a model file.
    features: Vec<(FeatureKey, i32)>,
    weights: FixedWeights<Table>,
    method: Method,
}

impl Pruner {
    /// A pruner of the given weights, in units of 2^-16.
    fn new(templates: TemplateSet, lengths: Lengths, features: Vec<(FeatureKey, i32)>) -> std::io::Result<Self> {
        let weights = FixedWeights::new(Table::build(&features)?);
        let plan = Plan::new(&templates);
        Ok(Self { templates, plan, lengths, features, weights, method: Method::default() })
    }

    /// Of weights that lie in a file.
    pub(crate) fn from_table(templates: TemplateSet, lengths: Lengths, table: Table) -> Self {
        let (weights, plan) = (FixedWeights::new(table), Plan::new(&templates));
        Self { templates, plan, lengths, features: Vec::new(), weights, method: Method::default() }
    }

    /// These weights, learnt by a method, by which they make probabilities.
    pub fn with_method(self, method: Method) -> Self {
        Self { method, ..self }
    }

    /// What makes scores probabilities.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The weights.
    pub(crate) fn table(&self) -> &Table {
        self.weights.get().table
    }

    /// The lengths of arcs.
    pub(crate) fn lengths(&self) -> &Lengths {
        &self.lengths
    }

    /// The templates.
    pub fn templates(&self) -> &TemplateSet {
        &self.templates
    }

    /// Appends all but the templates and the method to `out`.
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
    sums: Sums<1>,
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
        let score = |a: usize, _| scratch.scores[a] as f64 / UNIT;
        scratch.sums.apply(self.method, n, &scratch.allowed, score, &mut scratch.arcs);
        scratch.marginals.clear();
        scratch.marginals.extend(scratch.arcs.iter().map(|&Weights([marginal])| marginal));
        &scratch.marginals
    }
}

/// Views and parts of all arcs of one sentence; memory is reused.
#[derive(Clone, Debug, Default)]
pub struct AllArcs {
    /// Views of the sentence.
    pub views: Views,
    /// Parts by kind; targets are `h * (words + 1) + m`.
    pub parts: Vec<(Kind, PartList)>,
    between: BetweenWords,
}

impl AllArcs {
    /// Fills in the arcs of `tokens` that `wanted(h, m)` lets through.
    pub fn fill(&mut self, plan: &Plan, tokens: &[Token], wanted: impl Fn(usize, usize) -> bool) {
        self.views.fill(plan, tokens);
        self.parts.resize_with(Kind::OF_ARCS.len(), || (Kind::Arc, PartList::default()));
        let n = tokens.len();
        for ((slot, list), kind) in self.parts.iter_mut().zip(Kind::OF_ARCS) {
            *slot = kind;
            list.clear();
            if plan.kind(kind).is_none() {
                continue;
            }
            if kind.told_apart_by().is_some() {
                self.between.fill(kind, tokens);
            }
            for h in 0..=n {
                for m in (1..=n).filter(|&m| m != h && wanted(h, m)) {
                    let (head, modifier, target) = (Word::new(h), Word::new(m), h * (n + 1) + m);
                    if kind == Kind::Arc {
                        list.push(parts::arc(head, modifier), target);
                    } else {
                        list.push_between(head, modifier, &self.between, target);
                    }
                }
            }
        }
    }
}

/// Candidate arcs of one sentence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidates {
    /// Sorted by head, then modifier.
    pub arcs: Vec<(Word, Word)>,
    /// By arc: its marginal under the pruner. Empty if the pruner was not asked.
    pub prior: Vec<f64>,
}

impl Candidates {
    /// Fills in the arcs that `rule` keeps; `marginals[h * (words + 1) + m]`, or empty if the rule keeps all.
    pub fn fill(&mut self, rule: Rule, words: usize, marginals: &[f64]) {
        rule.keep(words, marginals, &mut self.arcs);
        self.look_up(words, marginals);
    }

    /// Adds the arcs of a tree, given as the head of each word.
    pub fn add(&mut self, heads: &[Word], marginals: &[f64]) {
        self.arcs.extend(heads.iter().enumerate().map(|(i, &h)| (h, Word::new(i + 1))));
        self.arcs.sort_unstable();
        self.arcs.dedup();
        self.look_up(heads.len(), marginals);
    }

    fn look_up(&mut self, words: usize, marginals: &[f64]) {
        self.prior.clear();
        if !marginals.is_empty() {
            self.prior.extend(self.arcs.iter().map(|(h, m)| marginals[h.ix() * (words + 1) + m.ix()]));
        }
    }

    /// The probabilities, if there are any.
    pub fn prior(&self) -> Option<&[f64]> {
        (self.prior.len() == self.arcs.len()).then_some(&self.prior[..])
    }

    /// Appends the candidates to `out`.
    pub fn encode(&self, out: &mut BytesWriter) {
        out.u64s(self.arcs.iter().map(|(h, m)| u64::from(h.0) << 32 | u64::from(m.0)));
        out.u64s(self.prior.iter().map(|p| p.to_bits()));
    }

    /// Reads what [`encode`](Self::encode) wrote.
    ///
    /// # Errors
    /// If the bytes are damaged.
    pub fn decode(from: &mut BytesReader) -> Result<Self, Damaged> {
        let arcs = from.u64s()?.map(|a| (Word((a >> 32) as u32), Word(a as u32))).collect();
        let prior = from.u64s()?.map(f64::from_bits).collect();
        Ok(Self { arcs, prior })
    }
}

/// How candidate heads are kept, given the pruner's marginals.
///
/// Rules are ordered by the candidates that they leave, most first: `none`, `k=20`, `k=10`, `t=1e-4`, `t=1e-3`.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// Every head.
    None,
    /// The `k` most probable heads of each word, without those of probability 0.
    Best(usize),
    /// Every head at least this times as probable as the word's most probable one.
    Threshold(f64),
}

impl Ord for Rule {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place().cmp(&other.place())
    }
}

impl PartialOrd for Rule {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Rule {}

impl Hash for Rule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.place().hash(state);
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Rule::None => f.write_str("none"),
            Rule::Best(k) => write!(f, "k={k}"),
            Rule::Threshold(t) => write!(f, "t={t:e}"),
        }
    }
}

impl serde::Serialize for Rule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// As configs have it: `"none"`, `"k=10"` or the number 10, `"t=1e-3"`.
impl<'de> serde::Deserialize<'de> for Rule {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Written)
    }
}

struct Written;

impl Visitor<'_> for Written {
    type Value = Rule;

    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{},", <Rule as crate::cell::Axis>::EXPECTED)
    }

    fn visit_u64<E: Error>(self, k: u64) -> Result<Rule, E> {
        let few = || E::custom("keep at least 1 head a word, or write \"none\" for no pruning");
        usize::try_from(k).ok().filter(|&k| k > 0).map(Rule::Best).ok_or_else(few)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Rule, E> {
        self.visit_u64(0)
    }

    fn visit_f64<E: Error>(self, t: f64) -> Result<Rule, E> {
        Err(E::custom(format!("a threshold is written \"t={t}\"")))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Rule, E> {
        let wrong = |message: String| Err(E::custom(message));
        match text.split_once('=').map(|(kind, value)| (kind.trim(), value.trim())) {
            None if text == "none" => Ok(Rule::None),
            Some(("k", k)) => match k.parse() {
                Ok(k @ 1..) => Ok(Rule::Best(k)),
                _ => wrong(format!("`{k}` is no number of heads from 1 on; \"none\" is no pruning")),
            },
            Some(("t", t)) => match t.parse() {
                Ok(t) if t > 0.0 && t <= 1.0 => Ok(Rule::Threshold(t)),
                _ => wrong(
                    "a head is kept if it is at least this times as probable as the best, so it lies above 0 and is at most 1"
                        .to_owned(),
                ),
            },
            _ => {
                let expected = <Rule as crate::cell::Axis>::EXPECTED;
                wrong(format!("is no pruning; it can be {expected}"))
            }
        }
    }
}

impl Rule {
    /// The rule that is displayed so; a rule has one spelling.
    pub fn parse(text: &str) -> Option<Self> {
        let rule = match text.split_once('=') {
            None => (text == "none").then_some(Self::None),
            Some(("k", k)) => k.parse().ok().filter(|&k| k > 0).map(Self::Best),
            Some(("t", t)) => t.parse().ok().filter(|&t| t > 0.0 && t <= 1.0).map(Self::Threshold),
            Some(_) => None,
        };
        rule.filter(|rule| rule.to_string() == text)
    }

    /// By what rules are compared: the kind, then fewer heads or a higher threshold later. The bits of a positive number
    /// sort as the number does.
    fn place(self) -> (u8, Reverse<usize>, u64) {
        match self {
            Self::None => (0, Reverse(0), 0),
            Self::Best(k) => (1, Reverse(k), 0),
            Self::Threshold(t) => (2, Reverse(0), t.to_bits()),
        }
    }

    /// Adds the kept arcs of a sentence to `arcs`, sorted by head, then modifier.
    ///
    /// `marginals[h * (words + 1) + m]`; not looked at for [`Rule::None`]. Of equally probable heads the lower is kept.
    pub fn keep(self, words: usize, marginals: &[f64], arcs: &mut Vec<(Word, Word)>) {
        arcs.clear();
        let w = words + 1;
        let mut heads: Vec<usize> = Vec::with_capacity(w);
        for m in 1..=words {
            heads.clear();
            heads.extend((0..=words).filter(|&h| h != m));
            let p = |h: usize| marginals[h * w + m];
            match self {
                Rule::None => {}
                Rule::Best(k) => {
                    heads.retain(|&h| p(h) > 0.0);
                    if k < heads.len() {
                        heads.select_nth_unstable_by(k, |&a, &b| p(b).total_cmp(&p(a)).then(a.cmp(&b)));
                        heads.truncate(k);
                    }
                }
                Rule::Threshold(t) => {
                    let best = heads.iter().map(|&h| p(h)).fold(0.0, f64::max);
                    heads.retain(|&h| p(h) >= t * best);
                }
            }
            arcs.extend(heads.iter().map(|&h| (Word::new(h), Word::new(m))));
        }
        arcs.sort_unstable();
    }
}
