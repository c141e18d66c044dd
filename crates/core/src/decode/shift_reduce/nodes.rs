//! Derivations that share their beginnings: each is a node with its last action.

use super::transition::{Action, Partial, State};

/// The number of the node where all derivations start.
pub(super) const START: u32 = 0;

/// A derivation: its last action, and the state that it led to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    before: u32,
    action: Action,
    /// The node whose top tree is right below this one's; the start for the lowest tree.
    below: u32,
    top: Partial,
    shifted: u32,
    /// Of all actions.
    pub cost: i64,
}

/// All derivations of a search without merging.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes(Vec<Node>);

impl Nodes {
    /// The empty derivation alone.
    pub fn start(&mut self) {
        self.0.clear();
        let top = Partial::NONE;
        self.0.push(Node { before: START, action: Action::Shift, below: START, top, shifted: 0, cost: 0 });
    }

    /// A node.
    #[inline]
    pub fn node(&self, node: u32) -> &Node {
        &self.0[node as usize]
    }

    /// What costs see.
    #[inline]
    pub fn state(&self, node: u32) -> State {
        let s0 = self.node(node);
        let s1 = self.node(s0.below);
        State { shifted: s0.shifted, trees: [s0.top, s1.top, self.node(s1.below).top] }
    }

    /// Adds the derivation with one more action, which the state allows; its number.
    #[inline]
    pub fn push(&mut self, before: u32, action: Action, cost: i64) -> u32 {
        let s0 = *self.node(before);
        let node = if action == Action::Shift {
            let shifted = s0.shifted + 1;
            Node { before, action, below: before, top: Partial::leaf(shifted), shifted, cost }
        } else {
            let s1 = self.node(s0.below);
            Node { before, action, below: s1.below, top: s1.top.reduced(s0.top, action), shifted: s0.shifted, cost }
        };
        self.0.push(node);
        (self.0.len() - 1) as u32
    }

    /// Adds the end's cost.
    pub fn add(&mut self, node: u32, cost: i64) {
        self.0[node as usize].cost += cost;
    }

    /// Whether the derivation is a whole one of so many words.
    #[inline]
    pub fn is_whole(&self, node: u32, words: u32) -> bool {
        let Node { below, shifted, .. } = *self.node(node);
        shifted == words && below == START
    }

    /// Writes a derivation's actions in order.
    pub fn actions(&self, mut node: u32, actions: &mut Vec<Action>) {
        actions.clear();
        while node != START {
            let Node { before, action, .. } = *self.node(node);
            actions.push(action);
            node = before;
        }
        actions.reverse();
    }
}
