//! Best-first search over states (paper, algorithms 1 and 2), and A* over them.
//!
//! A *state* is (i, j, classes of s0, s1, s2), where s0 spans the words from i to j; it stands for its cheapest derivation. A
//! *context* is what is below the top tree: (i, classes of s1 and s2). A state's lefts, with which its top tree can be reduced,
//! depend on its context alone, so contexts have them:
//!
//! ```text
//! lefts(i, k1, k2)    states (_, i) whose s0 is of class k1 at place 1, and s1 of class k2 at place 2
//! members(i, k1, k2)  states (i, _) whose s1 and s2 are of these classes
//! ```
//!
//! A state p that is taken is reduced with all lefts of its own context, and as a left itself with all members of the context
//! that a shift from it leads to. The lazy order makes it such a left when the shifted state is taken.
//!
//! ```text
//! shift    p = (i, j): (c, v)                              ->  (j, j+1): (c + sh(p), 0)
//! reduce   q = (k, i): (c', v'), p = (i, j): (_, v)         ->  (k, j): (c' + v + d, v' + v + d), d = sh(q) + re(p)
//! ```
//!
//! States are taken by (prefix cost, inside cost), on which the paper's Lemma 1 rests: what is made of a state that waits comes
//! no earlier than it, also where costs are 0. So a state that is taken has its cheapest derivation.
//!
//! A* adds `h(p)`, at most the cost from p to the end. It falls by no more than an action costs, so that sums along a derivation
//! do not fall, and those of a tree moved onto another left do not either: the lemma holds as before.

use std::collections::hash_map::Entry;

use super::back::{Back, NONE, write_actions};
use super::memory::{Memory, NumberMap};
use super::queue::{Key, Queue};
use super::search::{End, Found, Limits, Order, Work, ended_greedily};
use super::transition::{Action, Actions, Costs, Partial, State, class};

/// The context of the lowest tree.
const LOWEST: u32 = 0;

#[derive(Clone, Copy, Debug)]
struct Node {
    state: State,
    context: u32,
    prefix: i64,
    inside: i64,
    back: Back,
    /// Where it waits in the queue.
    queued: Option<Key>,
    is_taken: bool,
    by_action: Actions<i64>,
    /// The next left of the context that a shift leads to, taken or waiting.
    next_left: u32,
    /// The next member of its context.
    next_member: u32,
}

#[derive(Clone, Copy, Debug)]
struct Context {
    /// What costs see of the trees below the top one: representatives of their classes.
    below: [Partial; 2],
    lefts: u32,
    members: u32,
    /// Lefts from which the shift was not taken yet.
    waiting: u32,
}

/// States and contexts of a sentence.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    nodes: Vec<Node>,
    contexts: Vec<Context>,
    /// By context, words shifted, class of the top tree.
    states: NumberMap<(u32, u32, u64), u32>,
    /// By start and classes.
    known: NumberMap<(u32, u64, u64), u32>,
}

struct Run<'a, C> {
    costs: &'a mut C,
    chart: &'a mut Chart,
    queue: &'a mut Queue,
    order: Order,
    words: u32,
    work: Work,
}

pub(super) fn search(costs: &mut impl Costs, order: Order, limits: Limits, memory: &mut Memory) -> Found {
    let Memory { chart, queue, .. } = memory;
    let words = costs.words();
    chart.start();
    queue.start(limits.queue);
    let mut run = Run { costs, chart, queue, order, words, work: Work::default() };
    run.take_start();
    let mut last = 0;
    let mut end = End::Inexact;
    while let Some(key) = run.queue.pop() {
        let node = &mut run.chart.nodes[key.2 as usize];
        if node.queued != Some(key) {
            continue;
        }
        node.queued = None;
        if node.is_taken {
            // A shift led to it again, from new lefts.
            run.wake_lefts(key.2);
            continue;
        }
        node.is_taken = true;
        if node.context == LOWEST && node.state.shifted == words {
            let cost = node.prefix;
            let work = run.work;
            chart.actions(key.2, &mut memory.actions);
            let end = if limits.queue.is_none() { End::Optimal } else { End::Inexact };
            return Found { cost, end, work };
        }
        last = key.2;
        if limits.states.is_some_and(|most| run.work.expanded >= most) {
            end = End::StateLimit;
            break;
        }
        run.expand(key.2);
    }
    let work = run.work;
    let cost = chart.nodes[last as usize].prefix;
    chart.actions(last, &mut memory.actions);
    ended_greedily(costs, memory, cost, end, work)
}

impl<C: Costs> Run<'_, C> {
    /// Expands the state of no tree, which is in no context.
    fn take_start(&mut self) {
        self.chart.nodes.push(Node::new(State::default(), NONE, 0, 0, (NONE, NONE, Action::Shift)));
        self.chart.nodes[0].is_taken = true;
        self.score(0);
        let lowest = self.context(0, [Partial::NONE; 2]);
        self.shift(0, lowest);
    }

    fn score(&mut self, p: u32) {
        let node = &mut self.chart.nodes[p as usize];
        node.by_action = self.costs.actions(&node.state);
        self.work.expanded += 1;
    }

    /// Makes all that can be made of a state and those that were taken before.
    fn expand(&mut self, p: u32) {
        self.score(p);
        let node = self.chart.nodes[p as usize];
        let context = &mut self.chart.contexts[node.context as usize];
        self.chart.nodes[p as usize].next_member = std::mem::replace(&mut context.members, p);
        let mut q = context.lefts;
        while q != NONE {
            self.reduce(q, p);
            q = self.chart.nodes[q as usize].next_left;
        }
        if node.state.shifted < self.words {
            let [s0, s1, _] = node.state.trees;
            let context = self.context(node.state.shifted, [s0, s1]);
            if self.order == Order::Lazy {
                let context = &mut self.chart.contexts[context as usize];
                self.chart.nodes[p as usize].next_left = std::mem::replace(&mut context.waiting, p);
            } else {
                self.join_lefts(p, context);
            }
            self.shift(p, context);
        }
        // A shifted state: what it was shifted from can be reduced with trees that start as it does.
        self.wake_lefts(p);
    }

    /// Makes a state a left of a context.
    fn join_lefts(&mut self, q: u32, context: u32) {
        let context = &mut self.chart.contexts[context as usize];
        self.chart.nodes[q as usize].next_left = std::mem::replace(&mut context.lefts, q);
        let mut p = context.members;
        while p != NONE {
            self.reduce(q, p);
            p = self.chart.nodes[p as usize].next_member;
        }
    }

    /// If it is a shifted state: what waits for the shift to its context becomes a left.
    fn wake_lefts(&mut self, p: u32) {
        let Node { context, back: (q, ..), .. } = self.chart.nodes[p as usize];
        if q != NONE {
            return;
        }
        let mut q = std::mem::replace(&mut self.chart.contexts[context as usize].waiting, NONE);
        while q != NONE {
            let next = self.chart.nodes[q as usize].next_left;
            self.join_lefts(q, context);
            q = next;
        }
    }

    fn context(&mut self, start: u32, below: [Partial; 2]) -> u32 {
        let [k1, k2] = [(1, below[0]), (2, below[1])].map(|(place, tree)| class(self.costs, place, tree));
        let Chart { contexts, known, .. } = &mut *self.chart;
        *known.entry((start, k1, k2)).or_insert_with(|| {
            contexts.push(Context { below, lefts: NONE, members: NONE, waiting: NONE });
            (contexts.len() - 1) as u32
        })
    }

    fn shift(&mut self, p: u32, context: u32) {
        let Node { state: State { shifted, .. }, prefix, by_action, .. } = self.chart.nodes[p as usize];
        let prefix = prefix + by_action[Action::Shift as usize];
        self.add(context, shifted + 1, Partial::leaf(shifted + 1), prefix, 0, (NONE, p, Action::Shift));
    }

    fn reduce(&mut self, q: u32, p: u32) {
        let [left, right] = [q, p].map(|node| &self.chart.nodes[node as usize]);
        let (context, shifted) = (left.context, right.state.shifted);
        let trees = (left.state.trees[0], right.state.trees[0]);
        let shared = left.by_action[Action::Shift as usize] + right.inside;
        let by_action = right.by_action;
        let (prefix, inside) = (left.prefix + shared, left.inside + shared);
        for action in Action::REDUCTIONS {
            let step = by_action[action as usize];
            let top = trees.0.reduced(trees.1, action);
            self.add(context, shifted, top, prefix + step, inside + step, (q, p, action));
        }
    }

    /// Adds a state to the queue, or merges it with its equal.
    fn add(&mut self, context: u32, shifted: u32, top: Partial, prefix: i64, inside: i64, back: Back) {
        self.work.generated += 1;
        let is_whole = context == LOWEST && shifted == self.words;
        let prefix = if is_whole { prefix + self.costs.end(top) } else { prefix };
        let key = (context, shifted, class(self.costs, 0, top));
        let Chart { nodes, contexts, states, .. } = &mut *self.chart;
        let [s1, s2] = contexts[context as usize].below;
        let state = State { shifted, trees: [top, s1, s2] };
        let estimate = match self.order {
            Order::Estimated if !is_whole => self.costs.estimate(&state),
            _ => 0,
        };
        let (number, is_shift) = (nodes.len() as u32, back.2 == Action::Shift);
        let number = match states.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(number);
                nodes.push(Node::new(state, context, prefix, inside, back));
                number
            }
            Entry::Occupied(entry) => {
                self.work.merged += 1;
                *entry.get()
            }
        };
        let node = &mut nodes[number as usize];
        let key = (prefix + estimate, inside, number);
        if node.is_taken {
            // Only new lefts are news to it.
            if !(is_shift && self.order == Order::Lazy) {
                return;
            }
        } else if (prefix, inside) < (node.prefix, node.inside) || node.queued.is_none() {
            (node.state, node.prefix, node.inside, node.back) = (state, prefix, inside, back);
        }
        if node.queued.is_none_or(|old| key < old) {
            let old = node.queued.replace(key);
            if let Some((_, _, dropped)) = self.queue.push(key, old) {
                nodes[dropped as usize].queued = None;
            }
        }
    }
}

impl Node {
    fn new(state: State, context: u32, prefix: i64, inside: i64, back: Back) -> Self {
        Self {
            state,
            context,
            prefix,
            inside,
            back,
            queued: None,
            is_taken: false,
            by_action: [0; 3],
            next_left: NONE,
            next_member: NONE,
        }
    }
}

impl Chart {
    fn start(&mut self) {
        self.nodes.clear();
        self.contexts.clear();
        self.states.clear();
        self.known.clear();
    }

    /// Writes the actions of a state's cheapest derivation.
    fn actions(&self, node: u32, actions: &mut Vec<Action>) {
        write_actions(node, |node| self.nodes[node as usize].back, actions);
    }
}
