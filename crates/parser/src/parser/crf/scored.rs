//! The parts that the dynamic programs score, as a CRF has them: by sort of score.

use crate::features::Kind;
use crate::features::parts::{BetweenWords, PartList, grand_siblings_of};
use crate::parser::Roots;
use crate::treebank::{Token, Tree};
use treebound_core::decode::Backbone;
use treebound_core::decode::log_scores::LogScores;
use treebound_core::decode::partition::PartSums;
use treebound_core::graph::{ArcId, ArcSpace, GrandSiblings, LocalScores, TreeArcs};

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
    pub fn of(kind: Kind, backbone: Backbone) -> Option<Self> {
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
pub fn list(
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
    Roots::of(space).allow(roots)
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
            if let Some((place, _)) = siblings.places_of(grandchild).find(|&(_, of)| of == sibling) {
                visit(Scored::GrandSibling, place);
            }
        }
    }
}
