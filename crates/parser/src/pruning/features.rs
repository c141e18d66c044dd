//! What the pruner sees of a sentence: all of its arcs, as parts.

use crate::features::parts::{self, BetweenWords};
use crate::features::plan::Views;
use crate::features::{Kind, PartList, Plan};
use crate::treebank::Token;
use treebound_core::graph::Word;

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
