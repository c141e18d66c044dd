//! Steps: multipliers move along the looseness of a tree until the bound there would meet the incumbent.
//!
//! A Polyak step has the length (bound - target) / |slopes|^2. Here every multiplier stops at its capacity, where its
//! factor is exact; what such a factor cannot give, the others are asked for, like water that rises in vessels of
//! different heights. The target is the incumbent's score.
//!
//! All trees must come down to the incumbent. A step for the newest tree lifts others, often those that were best a call
//! or two before; then a call is spent to find them again. So the last trees of a node are kept, and steps go round them
//! until none is above the incumbent, or for some rounds: a known tree's value is its score and its looseness, without a
//! call.

use super::{Move, Seen, add_by_arc, find, total};
use crate::decode::bnb::exact::Options;
use crate::decode::bnb::exact::instance::Instance;
use crate::decode::bnb::exact::relaxation::Multipliers;

/// The moves at one tree at a time; memory to be reused.
#[derive(Debug, Default)]
pub struct Steps {
    moves: Vec<Move>,
    /// Memory of [`length`].
    order: Vec<(f64, f64)>,
}

impl Steps {
    /// Finds the moves at a tree, the newest, and adds the looseness of each factor to its arcs' `gap`.
    pub fn start(&mut self, instance: &Instance, multipliers: &Multipliers, newest: &mut Seen, gap: &mut [f64]) {
        find(instance, multipliers, newest, &mut self.moves);
        add_by_arc(instance, &self.moves, gap);
    }

    /// All that is loose at the tree looked at last.
    pub fn looseness(&self) -> f64 {
        total(&self.moves)
    }

    /// Moves the multipliers, tree by tree from the newest on, the last of `trees`, for which [`start`](Self::start) has found
    /// the moves, then from the oldest, each as far as its own value asks for. Fixing may have dropped what made the bound
    /// loose, so that even the newest may be below the incumbent, whose score is `lower`.
    pub fn go_round(
        &mut self,
        instance: &Instance,
        multipliers: &mut Multipliers,
        trees: &mut [Seen],
        lower: f64,
        options: &Options,
    ) {
        let count = trees.len();
        // Trees passed since the last step, with the tree that it was for.
        let mut below = 0;
        for turn in 0..count * options.rounds {
            let seen = &mut trees[(count - 1 + turn) % count];
            if turn > 0 {
                find(instance, multipliers, seen, &mut self.moves);
            }
            let above = seen.score + total(&self.moves) - lower;
            below += 1;
            if above > 0.0 {
                below = 1;
                let length = length(&self.moves, above * options.step, &mut self.order);
                for mv in &self.moves {
                    let units = (length * mv.slope).ceil().min(mv.capacity);
                    multipliers.shift(instance, &seen.tree, mv.which, mv.sign * units, |a, due| seen.pays(a, due));
                }
            }
            if below == count {
                break;
            }
        }
    }
}

/// The time t at which `sum of slope * min(t * slope, capacity)` reaches `wanted`; the last capacity's if it never does.
fn length(moves: &[Move], wanted: f64, order: &mut Vec<(f64, f64)>) -> f64 {
    order.clear();
    order.extend(moves.iter().map(|m| (m.capacity / m.slope, m.slope * m.slope)));
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut rate: f64 = order.iter().map(|m| m.1).sum();
    let (mut gained, mut at) = (0.0, 0.0);
    for &(full, square) in &*order {
        let next = gained + (full - at) * rate;
        if next >= wanted {
            return at + (wanted - gained) / rate;
        }
        (gained, at) = (next, full);
        rate -= square;
    }
    at
}
