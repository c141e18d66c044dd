//! The priority queue of best-first searches.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// What is taken first: the smallest cost so far, then the smallest cost of the top tree, then what was made first.
pub type Key = (i64, i64, u32);

/// A queue, bounded or not. Items are never changed: an item that is no longer true is skipped by who takes it.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    heap: BinaryHeap<Reverse<Key>>,
    /// Both ends are needed where there is a bound.
    ordered: BTreeSet<Key>,
    bound: Option<u32>,
}

impl Queue {
    /// Empties it.
    pub fn start(&mut self, bound: Option<u32>) {
        self.heap.clear();
        self.ordered.clear();
        self.bound = bound;
    }

    /// Adds an item in place of an older one of the same number; the one that is dropped for it, if there is a bound.
    #[inline]
    pub fn push(&mut self, key: Key, old: Option<Key>) -> Option<Key> {
        let Some(bound) = self.bound else {
            self.heap.push(Reverse(key));
            return None;
        };
        if let Some(old) = old {
            self.ordered.remove(&old);
        }
        self.ordered.insert(key);
        if self.ordered.len() > bound as usize { self.ordered.pop_last() } else { None }
    }

    /// Takes the first item.
    #[inline]
    pub fn pop(&mut self) -> Option<Key> {
        match self.bound {
            None => self.heap.pop().map(|Reverse(key)| key),
            Some(_) => self.ordered.pop_first(),
        }
    }
}
