//! Steps over the last trees of a node, not the newest alone.
//!
//! All trees must come down to the incumbent. A step for the newest tree lifts others, often those that were best a call
//! or two before; then a call is spent to find them again. So the last trees are kept, and steps go round them until none
//! is above the incumbent, or for some rounds: a known tree's value is its score and its looseness, without a call.

use super::loose;
use super::search::{Exact, Node};
use super::seen::Seen;
use super::step;

impl Exact {
    /// Adds a tree to those of the node, and forgets the oldest if there are too many.
    pub(super) fn remember(&mut self, node: &mut Node, seen: Seen) {
        if node.seen.len() >= self.options.memory.max(1) {
            self.spare_trees.put([node.seen.remove(0)]);
        }
        node.seen.push(seen);
    }

    /// Moves the multipliers, tree by tree from the newest on, whose moves `self.moves` has, then from the oldest, each as
    /// far as its own value asks for. Fixing may have dropped what made the bound loose, so that even the newest may be
    /// below the incumbent.
    pub(super) fn step(&mut self, node: &mut Node) {
        let trees = node.seen.len();
        // Trees passed since the last step, with the tree that it was for.
        let mut below = 0;
        for turn in 0..trees * self.options.rounds {
            let seen = &mut node.seen[(trees - 1 + turn) % trees];
            if turn > 0 {
                loose::find(&node.instance, &node.multipliers, seen, &mut self.moves);
            }
            let above = seen.score + loose::total(&self.moves) - self.lower();
            below += 1;
            if above > 0.0 {
                below = 1;
                let length = step::length(&self.moves, above * self.options.step, &mut self.order);
                for mv in &self.moves {
                    let units = (length * mv.slope).ceil().min(mv.capacity);
                    node.multipliers.apply(&node.instance, seen, mv, units);
                }
            }
            if below == trees {
                break;
            }
        }
    }
}
