//! Labels inside the search: each candidate arc has its best relation, whose score is a part of the arc's.
//!
//! ```text
//! score(h, m) = w . f(h, m) + max over l of v . g(h, m, l)
//! ```
//!
//! Relations see the words of their arc and around it, and nothing of the tree, so the maximum stands outside the search: the best
//! labelled tree is the best tree of these scores, each arc with its best relation. w and v are learnt together
//! ([`crate::learn::online`]).

use std::sync::Arc;

use super::parts::{group, grouped};
use super::{Choices, decode_head, encode_head};
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::features::atoms::mix;
use crate::features::parts::BetweenWords;
use crate::features::plan::Views;
use crate::features::{Kind, PartList, Plan, TemplateSet};
use crate::sequence::{add_rows, feature, key};
use crate::treebank::{Relations, Token, Tree};
use crate::weights::KeyBuffers;
use crate::weights::mapped::prefetch;
use crate::weights::table::{FeatureKey, Line, Table, decode_features, encode_features, home};
use crate::weights::walk::for_each_feature;
use treebound_core::graph::{ArcId, ArcSpace, Word};

/// Gives candidate arcs their relations.
#[derive(Debug)]
pub struct ArcLabeller {
    templates: TemplateSet,
    plan: Plan,
    choices: Choices,
    /// None of a labeller whose table was read.
    features: Vec<(FeatureKey, i32)>,
    table: Table,
}

/// What a wrong relation of an arc of the gold tree costs while it is learnt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Charge<'g> {
    /// The gold tree.
    pub tree: &'g Tree,
    /// By word: the number of its gold relation.
    pub relations: &'g [u32],
    /// What is added to the score of any other relation of the tree's arcs.
    pub charge: i64,
}

/// The best relations of the candidate arcs of a sentence; memory is reused.
#[derive(Debug, Default)]
pub struct ArcRelations {
    views: Views,
    parts: PartList,
    between: BetweenWords,
    buffers: KeyBuffers,
    found: Vec<(u32, u64)>,
    /// By arc: where its keys end.
    ends: Vec<u32>,
    keys: Vec<u64>,
    tags: Vec<usize>,
    row: Vec<i64>,
    /// By arc: the number of its best relation.
    best: Vec<u32>,
    /// By arc: the score of that.
    scores: Vec<i64>,
}

impl ArcRelations {
    /// Finds the best relation of each arc of `space`; of equals that of the smallest number.
    pub(crate) fn find(
        &mut self,
        plan: &Plan,
        choices: &Choices,
        lines: &[Line],
        tokens: &[Token],
        space: &ArcSpace,
        charge: Option<Charge<'_>>,
    ) {
        self.views.fill(plan, tokens);
        self.found.clear();
        for kind in Kind::OF_ARCS {
            let Some(kind_plan) = plan.kind(kind) else { continue };
            if kind == Kind::Arc {
                self.parts.fill_arcs(space);
            } else {
                self.between.fill(kind, tokens);
                self.parts.fill_between(space, &self.between);
            }
            let Self { views, parts, buffers, found, .. } = self;
            for_each_feature(kind_plan, views, parts, buffers, |part, feature| {
                let key = key(mix(feature.0));
                prefetch(&lines[home(key, lines.len())]);
                found.push((parts.target[part], key));
            });
        }
        grouped(&self.found, space.arcs(), &mut self.ends, &mut self.keys);
        self.tags.clear();
        self.tags.extend(tokens.iter().map(|token| choices.tag(token)));
        self.best.clear();
        self.scores.clear();
        for a in (0..space.arcs()).map(ArcId::new) {
            let (h, m) = (space.head(a), space.modifier(a));
            let word = m.ix() - 1;
            let candidates =
                choices.of(h.ix().checked_sub(1).map_or(choices.root(), |i| self.tags[i]), self.tags[word]);
            self.row.clear();
            self.row.resize(choices.names.len(), 0);
            add_rows(lines, group(&self.ends, &self.keys, a.ix()), &mut self.row);
            let gold =
                charge.filter(|charge| charge.tree.head(m) == h).map(|charge| (charge.relations[word], charge.charge));
            let mut best = (i64::MIN, 0);
            for &relation in candidates {
                let charged = gold.filter(|(own, _)| *own != relation).map_or(0, |(_, charge)| charge);
                let score = self.row[relation as usize] + charged;
                if score > best.0 {
                    best = (score, relation);
                }
            }
            self.scores.push(best.0);
            self.best.push(best.1);
        }
    }

    /// By arc: the score of its best relation.
    pub(crate) fn scores(&self) -> &[i64] {
        &self.scores
    }

    /// The number of the best relation of an arc.
    pub(crate) fn best(&self, arc: ArcId) -> u32 {
        self.best[arc.ix()]
    }

    /// The features of an arc with a relation.
    pub(crate) fn features(&self, arc: ArcId, relation: u32) -> impl Iterator<Item = FeatureKey> {
        group(&self.ends, &self.keys, arc.ix()).iter().map(move |&key| feature(key, relation))
    }
}

impl ArcLabeller {
    /// A labeller of distinct features.
    ///
    /// # Errors
    /// If the system has no memory for the table.
    pub(crate) fn new(
        templates: TemplateSet,
        choices: Choices,
        features: Vec<(FeatureKey, i32)>,
    ) -> std::io::Result<Self> {
        let table = Table::build(&features)?;
        Ok(Self { plan: Self::plan(&templates), templates, choices, features, table })
    }

    /// The templates of such labellers, compiled.
    pub(crate) fn plan(templates: &TemplateSet) -> Plan {
        Plan::of_kinds(templates, &Kind::OF_ARCS)
    }

    /// Finds the best relation of each arc.
    pub(crate) fn find(&self, tokens: &[Token], space: &ArcSpace, arcs: &mut ArcRelations) {
        arcs.find(&self.plan, &self.choices, self.table.lines(), tokens, space, None);
    }

    /// The relations of a tree's arcs, by word.
    pub(crate) fn relations(&self, arcs: &[ArcId], best: &ArcRelations) -> Relations {
        let numbers = arcs.iter().map(|&arc| best.best(arc)).collect();
        Relations::new(self.choices.names.clone(), numbers).unwrap_or_default()
    }

    /// What the relations of a tree add to its score; none if the heads are no arcs.
    pub fn score(&self, tokens: &[Token], tree: &Tree, arcs: &mut ArcRelations) -> Option<i128> {
        let own: Vec<(Word, Word)> =
            tree.heads().iter().zip(1..).map(|(&head, word)| (head, Word::new(word))).collect();
        self.find(tokens, &ArcSpace::new(tokens.len(), false, &own).ok()?, arcs);
        Some(arcs.scores().iter().map(|&score| i128::from(score)).sum())
    }

    /// The relations that it knows, sorted.
    pub fn names(&self) -> &[Arc<str>] {
        &self.choices.names
    }

    /// The templates.
    pub fn templates(&self) -> &TemplateSet {
        &self.templates
    }

    /// Appends the labeller to `out`.
    pub(crate) fn encode(&self, out: &mut BytesWriter) {
        self.encode_head(out);
        encode_features(&self.features, out);
    }

    /// Reads what [`encode`](Self::encode) wrote.
    pub(crate) fn decode(from: &mut BytesReader) -> Result<Self, Damaged> {
        let (templates, choices) = decode_head(from)?;
        Self::new(templates, choices, decode_features(from)?).map_err(|_| Damaged)
    }

    /// Appends all but the weights to `out`.
    pub(crate) fn encode_head(&self, out: &mut BytesWriter) {
        encode_head(&self.templates, &self.choices, out);
    }

    /// Reads what [`encode_head`](Self::encode_head) wrote; the weights are put there later.
    pub(crate) fn headed(from: &mut BytesReader) -> Result<impl FnOnce(Table) -> Self + use<>, Damaged> {
        let (templates, choices) = decode_head(from)?;
        let plan = Self::plan(&templates);
        Ok(move |table| Self { templates, plan, choices, features: Vec::new(), table })
    }

    /// The weights.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }
}
