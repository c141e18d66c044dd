//! The incumbent: the best tree so far, whose score is a lower bound on that of the best of all (paper, section 3.3).
//!
//! Every tree that the dynamic program finds is offered, and so is what it can be improved to by moving words
//! ([`climb`](super::climb)).

use super::climb::Climber;
use crate::decode::bnb::exact::instance::{ByHead, Instance, score_tree};
use crate::graph::{ArcSpace, TreeArcs, Word};
use crate::tree::Tree;

/// The best tree found, and what it takes to find better ones.
#[derive(Debug, Default)]
pub struct Incumbent {
    /// One unit of the graph in the fixed point.
    unit: f64,
    score: Option<f64>,
    /// Of the best tree: the head of each word.
    heads: Vec<Word>,
    climber: Climber,
    /// Memory of a tree that is climbed from.
    climbed: TreeArcs,
    /// Memory of [`score_of`](Self::score_of).
    by_head: ByHead,
}

impl Incumbent {
    /// None yet, in a fixed point of `bits` bits.
    pub fn start(&mut self, bits: u32) {
        self.unit = (1u64 << bits) as f64;
        self.score = None;
    }

    /// The incumbent's score; minus infinity while there is none.
    pub fn score(&self) -> f64 {
        self.score.unwrap_or(f64::NEG_INFINITY)
    }

    /// The incumbent with its score, if there is one.
    pub fn best(&self) -> Option<(Tree, f64)> {
        self.score.map(|score| (Tree::from_decoder(self.heads.clone()), score))
    }

    /// Scores are whole units, so a bound may be rounded down (paper, section 4.4).
    pub fn round_down(&self, bound: f64) -> f64 {
        (bound / self.unit).floor() * self.unit
    }

    /// The true score of a tree.
    pub fn score_of(&mut self, instance: &Instance, tree: &TreeArcs) -> f64 {
        score_tree(instance, tree, &mut self.by_head)
    }

    /// Makes `tree` the incumbent if it is better.
    pub fn offer(&mut self, space: &ArcSpace, tree: &TreeArcs, tree_score: f64) {
        if self.score.is_none_or(|best| tree_score > best) {
            self.score = Some(tree_score);
            self.heads.clear();
            self.heads.extend(tree.arcs().iter().map(|&a| space.head(a)));
        }
    }

    /// Offers the tree that is climbed to from `tree`, if there is a way up.
    pub fn climb_from(&mut self, instance: &Instance, tree: &TreeArcs) {
        let mut climbed = std::mem::take(&mut self.climbed);
        climbed.clone_from(tree);
        if self.climber.climb(instance, &mut climbed) {
            let better = self.score_of(instance, &climbed);
            debug_assert!(!instance.other.is_empty() || better > self.score_of(instance, tree), "climbing went down");
            self.offer(&instance.space, &climbed, better);
        }
        self.climbed = climbed;
    }
}
