//! The arc-standard transition system: actions, states, the canonical derivation of a tree.

use crate::tree::{Tree, Word};

/// What is done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// The next word goes onto the stack.
    Shift,
    /// s1 becomes a child of s0.
    LeftReduce,
    /// s0 becomes a child of s1.
    RightReduce,
}

impl Action {
    /// All actions; the first of equal ones is taken.
    pub const ALL: [Self; 3] = [Self::Shift, Self::LeftReduce, Self::RightReduce];

    /// The reductions.
    pub const REDUCTIONS: [Self; 2] = [Self::LeftReduce, Self::RightReduce];
}

/// A number by [`Action`]: costs.
pub type Actions<T> = [T; 3];

/// What costs can see of a tree on the stack: its head and the head's outermost children, as words; 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Partial {
    /// The head of the tree.
    pub head: u32,
    /// The head's leftmost child.
    pub left: u32,
    /// The head's rightmost child.
    pub right: u32,
}

impl Partial {
    /// No tree: what is below the lowest one.
    pub const NONE: Self = Self { head: 0, left: 0, right: 0 };

    /// The tree of one word.
    pub const fn leaf(word: u32) -> Self {
        Self { head: word, left: 0, right: 0 }
    }

    /// Whether there is no tree.
    pub const fn is_none(self) -> bool {
        self.head == 0
    }

    /// The tree of s1 (`self`) and s0 after a reduction. A leftmost child is to the left of its head, a rightmost to the right.
    #[must_use]
    pub fn reduced(self, s0: Self, action: Action) -> Self {
        match action {
            Action::RightReduce => Self { right: s0.head, ..self },
            // The new child is further left than all others.
            Action::LeftReduce | Action::Shift => Self { left: self.head, ..s0 },
        }
    }
}

/// What costs can see of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Words that were shifted; the next one is the word of that number plus 1.
    pub shifted: u32,
    /// s0, s1, s2.
    pub trees: [Partial; 3],
}

impl State {
    /// Whether an action may be taken in a sentence of so many words.
    #[inline]
    pub fn allows(&self, action: Action, words: u32) -> bool {
        match action {
            Action::Shift => self.shifted < words,
            Action::LeftReduce | Action::RightReduce => !self.trees[1].is_none(),
        }
    }

    /// The actions that may be taken, in order.
    #[inline]
    pub fn allowed(&self, words: u32) -> impl Iterator<Item = Action> {
        Action::ALL.into_iter().filter(move |&action| self.allows(action, words))
    }
}

/// The costs of actions in one sentence.
///
/// Two trees of one class at a place of the stack cost the same there, whatever is done later. For that, classes must be
/// *monotonic*: trees of one class at a place are of one class at all lower places, and the class at the top of a reduced tree
/// is that of its two parts' classes at the top. So a class is what may be merged.
pub trait Costs {
    /// Words of the sentence.
    fn words(&self) -> u32;

    /// The class of a tree, which is one, at a place of the stack: 0 is the top.
    fn class(&self, place: usize, tree: Partial) -> u64;

    /// The costs of all actions in a state. Those that it does not allow mean nothing. Best-first searches need costs of at
    /// least 0.
    fn actions(&mut self, state: &State) -> Actions<i64>;

    /// The cost of ending with this tree over all words.
    fn end(&self, _tree: Partial) -> i64 {
        0
    }

    /// At most the cost from a state to the end. No action may cost less than the estimate falls by it (it is *consistent*), and it
    /// must be one for all states that are merged: those of one span of s0 and the same classes.
    fn estimate(&self, _state: &State) -> i64 {
        0
    }
}

/// The class of a place of the stack, where there may be no tree.
#[inline]
pub(super) fn class(costs: &impl Costs, place: usize, tree: Partial) -> u64 {
    if tree.is_none() { u64::MAX } else { costs.class(place, tree) }
}

/// A state with its whole stack and the arcs so far.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    trees: Vec<Partial>,
    shifted: u32,
    /// By word - 1; 0 where there is none yet.
    heads: Vec<u32>,
}

impl Stack {
    /// Starts a sentence of so many words.
    pub fn start(&mut self, words: u32) {
        self.trees.clear();
        self.shifted = 0;
        self.heads.clear();
        self.heads.resize(words as usize, 0);
    }

    /// What costs see.
    #[inline]
    pub fn state(&self) -> State {
        let from_top = |k: usize| self.trees.len().checked_sub(k + 1).map_or(Partial::NONE, |at| self.trees[at]);
        State { shifted: self.shifted, trees: [from_top(0), from_top(1), from_top(2)] }
    }

    /// Takes an action that the state allows.
    pub fn take(&mut self, action: Action) {
        if action == Action::Shift {
            self.shifted += 1;
            self.trees.push(Partial::leaf(self.shifted));
            return;
        }
        if let (Some(s0), Some(s1)) = (self.trees.pop(), self.trees.pop()) {
            let (head, child) = if action == Action::LeftReduce { (s0, s1) } else { (s1, s0) };
            self.heads[child.head as usize - 1] = head.head;
            self.trees.push(s1.reduced(s0, action));
        }
    }

    /// The head of each word: 0 for the head of a tree on the stack.
    pub fn heads(&self) -> &[u32] {
        &self.heads
    }
}

/// The tree of a whole derivation of so many words.
pub fn heads(actions: &[Action], words: u32) -> Tree {
    let mut stack = Stack::default();
    stack.start(words);
    actions.iter().for_each(|&action| stack.take(action));
    Tree::from_decoder(stack.heads().iter().map(|&head| Word(head)).collect())
}

/// The canonical derivation of a projective tree with one word on the root: what can be reduced is reduced at once.
///
/// s1 is reduced as soon as its head is on top, since by then it has all its children; s0 as soon as it has all its children
/// and its head is below it. None if the tree has no derivation.
pub fn gold_actions(tree: &Tree) -> Option<Vec<Action>> {
    let words = tree.len() as u32;
    let mut missing = vec![0u32; tree.len() + 1];
    tree.heads().iter().for_each(|head| missing[head.ix()] += 1);
    let mut stack = Stack::default();
    stack.start(words);
    let mut actions = Vec::with_capacity(2 * tree.len());
    while actions.len() + 1 < 2 * tree.len() {
        let state = stack.state();
        let [s0, s1, _] = state.trees.map(|tree| tree.head);
        let head = |word: u32| if word == 0 { 0 } else { tree.head(Word(word)).0 };
        let action = if s1 != 0 && head(s1) == s0 {
            Action::LeftReduce
        } else if s1 != 0 && head(s0) == s1 && missing[s0 as usize] == 0 {
            Action::RightReduce
        } else {
            Action::Shift
        };
        if !state.allows(action, words) {
            return None;
        }
        match action {
            Action::Shift => {}
            Action::LeftReduce => missing[s0 as usize] -= 1,
            Action::RightReduce => missing[s1 as usize] -= 1,
        }
        stack.take(action);
        actions.push(action);
    }
    Some(actions)
}
