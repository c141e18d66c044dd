//! Stochastic learning of a CRF: after each batch of sentences a step down the gradient of their likelihood.
//!
//! ```text
//! w += rate * (gold - expected counts of features)
//! ```
//!
//! This is the step of the perceptron with all trees in the place of the best one, each as far as it is probable: weights are
//! whole numbers and averaged as there, and steps are rounded to whole numbers part by part. So a feature is known once it
//! fires in a right tree or in a part of others that is probable enough to move it. There is no penalty on large weights:
//! the average and the choice among passes stand for it.

use crate::features::parts::{BetweenWords, PartList};
use crate::features::{Family, Kind, TemplateGroups};
use crate::learn::crf::{Scored, charge_wrong_heads, is_tree_of, list_parts, parts_of_tree};
use crate::learn::mira::UNIT;
use crate::learn::online::{Example, Mover};
use crate::model::Roots;
use crate::model::build::Builder;
use crate::weights::contexts::{Counted, Seen, Weights, for_each_context, sum_by_context};
use treebound_core::decode::Backbone;
use treebound_core::decode::mbr::log_scores;
use treebound_core::decode::partition::{PartSums, Partitions};
use treebound_core::graph::{SpaceError, TreeArcs};

/// How steps are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Descent {
    /// Sentences whose steps are made from the same weights.
    pub batch: usize,
    /// The length of a step along one sentence's gradient.
    pub rate: f64,
    /// What a wrong head adds to the score of a tree that a right one is held against.
    pub charge: f64,
}

/// Finds the steps of sentences, one at a time; memory is reused.
#[derive(Debug)]
pub struct Stochastic<'a> {
    template_groups: &'a TemplateGroups,
    families: &'a [Family],
    backbone: Backbone,
    roots: Roots,
    descent: Descent,
    builder: Builder,
    partitions: Partitions<PartSums<f64>>,
    chances: PartSums<f64>,
    tree: TreeArcs,
    between: BetweenWords,
    /// By sort of score, by part: what its features move by.
    moves: [Vec<i32>; Scored::ALL.len()],
    parts: PartList,
    moved: PartList,
    gold: Vec<(Scored, usize)>,
}

impl<'a> Stochastic<'a> {
    /// For a model of `template groups` without non-local features; `families` are those that the program scores itself.
    pub fn new(
        template_groups: &'a TemplateGroups,
        families: &'a [Family],
        backbone: Backbone,
        roots: Roots,
        descent: Descent,
    ) -> Self {
        Self {
            template_groups,
            families,
            backbone,
            roots,
            descent,
            builder: Builder::with_all_grand_siblings(),
            partitions: Partitions::default(),
            chances: PartSums::default(),
            tree: TreeArcs::default(),
            between: BetweenWords::default(),
            moves: Default::default(),
            parts: PartList::default(),
            moved: PartList::default(),
            gold: Vec::new(),
        }
    }

    /// Finds by how much each part's features move, and gives the loss; none if the right tree is no tree of the graph.
    fn find_moves(&mut self, example: &Example) -> Option<f64> {
        let graph = self.builder.graph();
        let space = &graph.space;
        if !self.tree.find(space, example.tree.heads()) || !is_tree_of(space, &self.tree) {
            return None;
        }
        // There are no factors but those that the program scores.
        let (backbone, mut scores) = log_scores(graph, self.backbone, UNIT as f64).ok()?;
        charge_wrong_heads(space, &mut scores.local, example.tree, self.descent.charge);
        let log_z = self.partitions.sum(backbone, space, &scores, &mut self.chances)?;
        let step = self.descent.rate * UNIT as f64;
        for scored in Scored::ALL {
            let moves = &mut self.moves[scored as usize];
            moves.clear();
            // Probabilities are not negative, and a whole step fits: its length is checked where it is asked for.
            moves.extend(scored.chances(&self.chances).iter().map(|p| -((p * step + 0.5) as i32)));
        }
        self.gold.clear();
        parts_of_tree(space, &scores.grand.siblings, &self.tree, |scored, part| self.gold.push((scored, part)));
        let mut score = 0.0;
        for &(scored, part) in &self.gold {
            // Sorts that the program has not have no parts.
            score += scored.scores(&mut scores).get(part).copied().unwrap_or(0.0);
            self.moves[scored as usize].get_mut(part).into_iter().for_each(|moves| *moves += (step + 0.5) as i32);
        }
        Some(log_z - score)
    }

    /// Finds the contexts of the parts that move.
    fn find_contexts(&mut self, example: &Example, contexts: &mut Vec<Counted>) {
        let (space, views) = (&self.builder.graph().space, self.builder.views());
        for kind in Kind::ALL {
            let (Some(of_kind), Some(scored)) =
                (self.template_groups.kind(kind), Scored::for_kind(kind, self.backbone))
            else {
                continue;
            };
            let moves = &self.moves[scored as usize];
            list_parts(kind, space, views.none_row(), &example.sentence.tokens, &mut self.between, &mut self.parts);
            self.moved.clear();
            for (i, &part) in self.parts.target.iter().enumerate() {
                if moves[part as usize] != 0 {
                    self.moved.push(self.parts.get(i), part as usize);
                }
            }
            let moved = &self.moved;
            for_each_context(of_kind, views, moved, |Seen { part, template_group, context }| {
                let count = moves[moved.target[part] as usize];
                contexts.push(Counted {
                    context,
                    fold: template_group.product.fold,
                    guards: template_group.may_guard,
                    count,
                });
            });
        }
        sum_by_context(contexts);
    }
}

impl Mover for Stochastic<'_> {
    fn find(&mut self, weights: Weights, example: &Example, moved: &mut Vec<Counted>) -> Result<f64, SpaceError> {
        let Example { sentence, candidates, .. } = example;
        self.builder.build(
            self.template_groups,
            self.families,
            weights,
            &sentence.tokens,
            &candidates.arcs,
            self.roots,
        )?;
        moved.clear();
        let Some(loss) = self.find_moves(example) else { return Ok(0.0) };
        self.find_contexts(example, moved);
        Ok(loss)
    }
}
