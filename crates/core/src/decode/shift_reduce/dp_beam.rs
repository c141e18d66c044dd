//! Beam search over states (Huang & Sagae 2010): equal states of a step are merged.
//!
//! A state stands for its cheapest derivation, and has the *lefts* of all: the states that its top tree can be reduced with.
//!
//! ```text
//! shift    p = (i, j): (c, v)                                 ->  (j, j+1): (c + sh(p), 0), lefts {p}
//! reduce   q = (k, i): (c', v') in lefts of p = (i, j): (_, v) ->  (k, j): (c' + v + d, v' + v + d), lefts of q
//!                                                                  with d = sh(q) + re(p)
//! ```

use std::collections::hash_map::Entry;

use super::back::{Back, NONE, write_actions};
use super::memory::{Memory, NumberMap};
use super::search::{End, Found, Work};
use super::transition::{Action, Actions, Costs, Partial, State, class};

#[derive(Clone, Copy, Debug)]
struct Node {
    state: State,
    /// Words before the top tree.
    start: u32,
    /// Of the cheapest derivation, and of its top tree.
    cost: i64,
    inside: i64,
    back: Back,
    /// A slice of all lefts.
    lefts: (u32, u32),
    by_action: Actions<i64>,
}

/// The states of all steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    nodes: Vec<Node>,
    lefts: Vec<u32>,
    front: Vec<u32>,
    next: Vec<Node>,
    order: Vec<u32>,
    union: Vec<u32>,
    known: NumberMap<[u64; 4], u32>,
    pub trace: Vec<Step>,
}

/// What a step of a beam has kept.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The cost of the cheapest state.
    pub best: i64,
    /// The cost of the dearest state; the largest number if there was room for more.
    pub worst: i64,
    /// The cheapest state.
    pub(super) node: u32,
}

pub(super) fn search(costs: &mut impl Costs, width: u32, memory: &mut Memory) -> Found {
    let steps = &mut memory.dp_beam;
    let words = costs.words();
    let mut work = Work::default();
    steps.start();
    for _ in 1..2 * words {
        steps.next.clear();
        steps.known.clear();
        for at in 0..steps.front.len() {
            let p = steps.front[at];
            steps.expand(costs, p, &mut work);
        }
        steps.keep(width);
        let cost = |node: Option<&u32>| node.map_or(i64::MAX, |&node| steps.nodes[node as usize].cost);
        let worst = if steps.front.len() < width as usize { i64::MAX } else { cost(steps.front.last()) };
        let step = Step { best: cost(steps.front.first()), worst, node: steps.front.first().copied().unwrap_or(NONE) };
        steps.trace.push(step);
    }
    let whole = steps.front.iter().map(|&node| {
        let Node { cost, state, .. } = steps.nodes[node as usize];
        (cost + costs.end(state.trees[0]), node)
    });
    let (cost, node) = whole.min().unwrap_or((0, NONE));
    steps.actions(node, &mut memory.actions);
    Found { cost, end: End::Inexact, work }
}

impl Steps {
    fn start(&mut self) {
        self.nodes.clear();
        self.lefts.clear();
        self.front.clear();
        self.trace.clear();
        self.nodes.push(Node {
            state: State::default(),
            start: 0,
            cost: 0,
            inside: 0,
            back: (NONE, NONE, Action::Shift),
            lefts: (0, 0),
            by_action: [0; 3],
        });
        self.front.push(0);
    }

    fn expand(&mut self, costs: &mut impl Costs, p: u32, work: &mut Work) {
        let words = costs.words();
        let by_action = costs.actions(&self.nodes[p as usize].state);
        self.nodes[p as usize].by_action = by_action;
        work.expanded += 1;
        let before = self.nodes[p as usize];
        let State { shifted, trees: [s0, s1, _] } = before.state;
        if before.state.allows(Action::Shift, words) {
            let state = State { shifted: shifted + 1, trees: [Partial::leaf(shifted + 1), s0, s1] };
            let lefts = (self.lefts.len() as u32, self.lefts.len() as u32 + 1);
            self.lefts.push(p);
            let cost = before.cost + by_action[Action::Shift as usize];
            let back = (NONE, p, Action::Shift);
            self.add(costs, Node { state, start: shifted, cost, inside: 0, back, lefts, by_action: [0; 3] }, work);
        }
        if !before.state.allows(Action::LeftReduce, words) {
            return;
        }
        for at in before.lefts.0..before.lefts.1 {
            let number = self.lefts[at as usize];
            let q = self.nodes[number as usize];
            for action in Action::REDUCTIONS {
                let step = q.by_action[Action::Shift as usize] + by_action[action as usize];
                let top = q.state.trees[0].reduced(s0, action);
                let next = Node {
                    state: State { shifted, trees: [top, q.state.trees[1], q.state.trees[2]] },
                    start: q.start,
                    cost: q.cost + before.inside + step,
                    inside: q.inside + before.inside + step,
                    back: (number, p, action),
                    lefts: q.lefts,
                    by_action: [0; 3],
                };
                self.add(costs, next, work);
            }
        }
    }

    /// Adds a state to the next step, or merges it with its equal there.
    fn add(&mut self, costs: &impl Costs, node: Node, work: &mut Work) {
        work.generated += 1;
        let [k0, k1, k2] = std::array::from_fn(|place| class(costs, place, node.state.trees[place]));
        let spans = u64::from(node.start) << 32 | u64::from(node.state.shifted);
        match self.known.entry([spans, k0, k1, k2]) {
            Entry::Vacant(entry) => {
                entry.insert(self.next.len() as u32);
                self.next.push(node);
            }
            Entry::Occupied(entry) => {
                work.merged += 1;
                let old = &mut self.next[*entry.get() as usize];
                let lefts = old.lefts;
                if (node.cost, node.inside) < (old.cost, old.inside) {
                    *old = node;
                }
                old.lefts = if lefts == node.lefts {
                    lefts
                } else {
                    let slice = |(from, to): (u32, u32)| &self.lefts[from as usize..to as usize];
                    self.union.clear();
                    self.union.extend_from_slice(slice(lefts));
                    self.union.extend_from_slice(slice(node.lefts));
                    self.union.sort_unstable();
                    self.union.dedup();
                    let from = self.lefts.len() as u32;
                    self.lefts.extend_from_slice(&self.union);
                    (from, self.lefts.len() as u32)
                };
            }
        }
    }

    /// Makes the cheapest states of the next step the current ones.
    fn keep(&mut self, width: u32) {
        let Self { nodes, front, next, order, .. } = self;
        order.clear();
        order.extend(0..next.len() as u32);
        let key = |&at: &u32| (next[at as usize].cost, next[at as usize].inside, at);
        if order.len() > width as usize {
            order.select_nth_unstable_by_key(width as usize, key);
            order.truncate(width as usize);
        }
        order.sort_unstable_by_key(key);
        front.clear();
        for &at in &*order {
            front.push(nodes.len() as u32);
            nodes.push(next[at as usize]);
        }
    }

    /// Writes the actions of a state's cheapest derivation.
    pub fn actions(&self, node: u32, actions: &mut Vec<Action>) {
        write_actions(node, |node| self.nodes[node as usize].back, actions);
    }
}
