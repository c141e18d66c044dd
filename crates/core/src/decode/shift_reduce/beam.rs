//! Beam search without merging: the cheapest derivations of each length.

use super::memory::Memory;
use super::nodes::{Nodes, START};
use super::search::{End, Found, Work};
use super::transition::{Action, Costs};

/// Derivations, and those of the step.
#[derive(Clone, Debug, Default)]
pub(super) struct Beam {
    nodes: Nodes,
    front: Vec<u32>,
    /// Cost, derivation before, last action.
    next: Vec<(i64, u32, Action)>,
}

/// All whole derivations of a sentence have the same length, so costs of a step are comparable.
pub(super) fn search(costs: &mut impl Costs, width: u32, memory: &mut Memory) -> Found {
    let Beam { nodes, front, next } = &mut memory.beam;
    let words = costs.words();
    let mut work = Work::default();
    nodes.start();
    front.clear();
    front.push(START);
    for _ in 1..2 * words {
        next.clear();
        for &before in &*front {
            let state = nodes.state(before);
            let by_action = costs.actions(&state);
            let so_far = nodes.node(before).cost;
            work.expanded += 1;
            next.extend(state.allowed(words).map(|action| (so_far + by_action[action as usize], before, action)));
        }
        work.generated += next.len() as u64;
        if next.len() > width as usize {
            next.select_nth_unstable(width as usize);
            next.truncate(width as usize);
        }
        next.sort_unstable();
        front.clear();
        front.extend(next.iter().map(|&(cost, before, action)| nodes.push(before, action, cost)));
    }
    let whole = front.iter().map(|&node| (nodes.node(node).cost + costs.end(nodes.state(node).trees[0]), node));
    let (cost, node) = whole.min().unwrap_or_default();
    nodes.actions(node, &mut memory.actions);
    Found { cost, end: End::Inexact, work }
}
