//! Best-first search without merging (Sagae & Lavie 2006): Dijkstra's algorithm over derivations.
//!
//! Costs are at least 0, so no derivation costs less than its beginning, and the first whole one that is taken is a best one.
//! Time exponential in the number of words.

use super::memory::Memory;
use super::nodes::START;
use super::search::{End, Found, Limits, Work, ended_greedily};
use super::transition::Costs;

pub(super) fn search(costs: &mut impl Costs, limits: Limits, memory: &mut Memory) -> Found {
    let Memory { best_first: nodes, queue, .. } = memory;
    let words = costs.words();
    let mut work = Work::default();
    nodes.start();
    queue.start(limits.queue);
    queue.push((0, 0, START), None);
    let mut last = START;
    let mut end = End::Inexact;
    while let Some((cost, _, node)) = queue.pop() {
        if nodes.is_whole(node, words) {
            nodes.actions(node, &mut memory.actions);
            let end = if limits.queue.is_none() { End::Optimal } else { End::Inexact };
            return Found { cost, end, work };
        }
        last = node;
        if limits.states.is_some_and(|most| work.expanded >= most) {
            end = End::StateLimit;
            break;
        }
        work.expanded += 1;
        let state = nodes.state(node);
        let by_action = costs.actions(&state);
        for action in state.allowed(words) {
            work.generated += 1;
            let next = nodes.push(node, action, cost + by_action[action as usize]);
            if nodes.is_whole(next, words) {
                nodes.add(next, costs.end(nodes.state(next).trees[0]));
            }
            queue.push((nodes.node(next).cost, 0, next), None);
        }
    }
    nodes.actions(last, &mut memory.actions);
    let cost = nodes.node(last).cost;
    ended_greedily(costs, memory, cost, end, work)
}
