//! Conditional random fields over projective trees (Ma & Zhao 2012): weights that make the right trees of the training part
//! probable, where a tree is drawn in proportion to the exponential of its score.
//!
//! * `rows`: what every part of every sentence sees, looked up once.
//! * `kernel`: the metric of the space of features.
//! * [`objective`]: the likelihood and its gradient, by sums over all trees.
//! * [`lbfgs`]: the way down.
//! * [`stochastic`]: another way down, a batch of sentences at a time.
//!
//! At the end weights become whole numbers, so that exact search and all decoders work on them; what that costs in
//! likelihood is told.

mod kernel;
pub mod lbfgs;
pub mod objective;
mod rows;
pub mod stochastic;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::features::parts::{BetweenWords, PartList, grand_siblings_of};
use crate::features::{Kind, TemplateGroups};
use crate::learn::crf::lbfgs::{End, Failure, Objective, Settings, Step};
use crate::learn::crf::objective::Likelihood;
use crate::learn::online::Example;
use crate::model::Roots;
use crate::treebank::{Token, Tree};
use crate::weights::contexts::Entry;
use treebound_core::decode::Backbone;
use treebound_core::decode::log_scores::LogScores;
use treebound_core::decode::partition::PartSums;
use treebound_core::graph::{ArcId, ArcSpace, GrandSiblings, LocalScores, SpaceError, TreeArcs};

/// A weight of 1 in the model.
pub const UNIT: i64 = 1 << 16;

/// What was learnt.
#[derive(Debug)]
pub struct Field {
    /// The contexts that weigh something, and those that guard others; sorted.
    pub entries: Vec<Entry>,
    /// Why the descent ended.
    pub end: End,
    /// The objective of the weights as whole numbers.
    pub value_of_whole_numbers: f64,
}

/// Why nothing was learnt.
#[derive(Debug, Error)]
pub enum CrfError {
    /// An example's arcs are no arc space.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The descent failed.
    #[error(transparent)]
    Descent(#[from] Failure),
    /// The weights of a model are stored in 32 bits.
    #[error("a weight of the CRF comes to {0}, which is too large to be stored; make `c` smaller")]
    Overflow(f64),
}

/// Learns from `examples`; `log` is told of each step.
///
/// # Errors
/// See [`CrfError`].
pub fn learn(
    template_groups: &TemplateGroups,
    backbone: Backbone,
    examples: &[Example],
    task: Task,
    log: impl FnMut(Step),
) -> Result<Field, CrfError> {
    let (mut likelihood, known) = Likelihood::new(template_groups, backbone, examples, task)?;
    let mut x = vec![0.0; likelihood.dimensions()];
    let end = lbfgs::minimise(&mut likelihood, &mut x, task.descent, log)?;
    let unit = UNIT as f64;
    let mut entries = Vec::new();
    for (x, known) in x.iter_mut().zip(&known) {
        let weight = (*x * unit).round();
        *x = weight / unit;
        if weight.abs() > f64::from(i32::MAX) {
            return Err(CrfError::Overflow(*x));
        }
        if weight != 0.0 || known.guards {
            entries.push(Entry { context: known.context, weight: weight as i32 });
        }
    }
    let (mut gradient, mut scratch) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    let value_of_whole_numbers = likelihood.value(&x, &mut gradient, &mut scratch);
    entries.sort_unstable();
    Ok(Field { entries, end, value_of_whole_numbers })
}

crate::named! {
    /// Which features there are.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Features {
        /// Features whose address a right tree of the training part has: what their template group sees with coarse tags and without forms
        /// in full was seen there.
        #[default]
        Gold = "gold",
        /// Features of all parts of all candidates.
        All = "all",
    }
}

/// What is to be learnt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Task {
    /// How little large weights are held against them: the penalty is |w|² / 2C.
    pub c: f64,
    /// What a wrong head adds to the score of a tree that a right one is held against; 0 for the likelihood.
    pub charge: f64,
    /// Which features there are.
    pub features: Features,
    /// How many words its trees may have on the root.
    pub roots: Roots,
    /// How it is sought.
    pub descent: Settings,
}

/// Which scores of a graph the parts of a kind belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scored {
    /// Arcs.
    Arc,
    /// Arcs and the nearest inner modifiers on their side.
    Sibling,
    /// Arcs and the outermost children of their modifiers.
    Grandchild,
    /// Arcs and any children of their modifiers.
    AnyGrandchild,
    /// Sibling parts below the arcs into their heads.
    GrandSibling,
}

impl Scored {
    /// All, by number.
    pub const ALL: [Self; 5] = [Self::Arc, Self::Sibling, Self::Grandchild, Self::AnyGrandchild, Self::GrandSibling];

    /// The scores of these parts.
    pub fn scores(self, scores: &mut LogScores) -> &mut [f64] {
        match self {
            Self::Arc => &mut scores.local.arc,
            Self::Sibling => &mut scores.local.sibling,
            Self::Grandchild => &mut scores.local.grandchild,
            Self::AnyGrandchild => &mut scores.grand.any,
            Self::GrandSibling => scores.grand.siblings.scores_mut(),
        }
    }

    /// What a tree has of them.
    pub fn chances(self, chances: &PartSums<f64>) -> &[f64] {
        match self {
            Self::Arc => &chances.arc,
            Self::Sibling => &chances.sibling,
            Self::Grandchild => &chances.grandchild,
            Self::AnyGrandchild => &chances.any,
            Self::GrandSibling => &chances.grand_siblings,
        }
    }

    /// Of the kinds that the dynamic program scores.
    pub fn for_kind(kind: Kind, backbone: Backbone) -> Option<Self> {
        let third = backbone == Backbone::GrandSibling;
        match kind {
            kind if Kind::OF_ARCS.contains(&kind) => Some(Self::Arc),
            Kind::Sibling => Some(Self::Sibling),
            Kind::Grandchild => Some(Self::Grandchild),
            Kind::AnyGrandchild if third => Some(Self::AnyGrandchild),
            Kind::GrandSibling if third => Some(Self::GrandSibling),
            _ => None,
        }
    }
}

/// Lists the parts of a kind that a graph has, with their numbers.
pub fn list_parts(
    kind: Kind,
    space: &ArcSpace,
    none_row: usize,
    tokens: &[Token],
    between: &mut BetweenWords,
    list: &mut PartList,
) {
    match kind {
        Kind::Arc => list.fill_arcs(space),
        Kind::Sibling => list.fill_siblings(space, none_row),
        Kind::Grandchild | Kind::AnyGrandchild => list.fill_grandchildren(space),
        Kind::GrandSibling => {
            list.clear();
            for (_, part) in grand_siblings_of(space, none_row) {
                list.push(part, list.len());
            }
        }
        _ => {
            between.fill(kind, tokens);
            list.fill_between(space, between);
        }
    }
}

/// Adds `charge` to every arc that the right tree has not.
pub fn charge_wrong_heads(space: &ArcSpace, scores: &mut LocalScores<f64>, gold: &Tree, charge: f64) {
    for (a, score) in scores.arc.iter_mut().enumerate().filter(|_| charge > 0.0) {
        let a = ArcId::new(a);
        *score += if gold.head(space.modifier(a)) == space.head(a) { 0.0 } else { charge };
    }
}

/// Whether the marked arcs, one into each word, are a tree of the space as far as the root goes.
pub fn is_tree_of(space: &ArcSpace, tree: &TreeArcs) -> bool {
    let roots = tree.arcs().iter().filter(|&&a| space.head(a).is_root()).count();
    Roots::in_space(space).allow(roots)
}

/// The parts of a tree, where `siblings` has all grand-siblings that count.
pub fn parts_of_tree(
    space: &ArcSpace,
    siblings: &GrandSiblings<f64>,
    tree: &TreeArcs,
    mut visit: impl FnMut(Scored, usize),
) {
    for &a in tree.arcs() {
        visit(Scored::Arc, a.ix());
        let previous = tree.previous_sibling(space, a);
        let sibling = previous.map_or(space.first_modifier_part(a), |b| space.sibling_part(a, b));
        visit(Scored::Sibling, sibling);
        for child in tree.outermost_children(space, a).into_iter().flatten() {
            visit(Scored::Grandchild, space.grandchild_part(a, child));
        }
        if !space.head(a).is_root() {
            let grandchild = space.grandchild_part(tree.arcs()[space.head(a).ix() - 1], a);
            visit(Scored::AnyGrandchild, grandchild);
            if let Some((place, _)) = siblings.places(grandchild).find(|&(_, of)| of == sibling) {
                visit(Scored::GrandSibling, place);
            }
        }
    }
}
