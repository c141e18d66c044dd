//! The candidate heads of a sentence's words, and how probable the pruner thinks each.

use super::rule::Rule;
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use treebound_core::graph::Word;

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
