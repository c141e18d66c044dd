//! A sentence while it grows: words that hang on words, each at a place beside its head.

use super::lexicon::Entry;
use super::phenomenon::Phenomenon;
use super::tags::Tag;

/// A word of a draft.
pub(super) type Id = usize;

/// Where a modifier stands: on which side of its head, and how far out among the modifiers there. Of two modifiers in
/// the same place, the later one stands further out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Seat {
    /// On the root symbol.
    Root,
    Left(u8),
    Right(u8),
}

/// One word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'l> {
    pub tag: Tag,
    pub form: &'l str,
    pub field: usize,
    /// Its head; itself for the root.
    pub head: Id,
    pub place: Seat,
    /// Whether phrases may still be added to its right.
    pub open: bool,
    /// The phenomenon that decides its head, if any.
    pub decided: Option<Phenomenon>,
}

/// The words of a sentence, in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft<'l> {
    pub nodes: Vec<Node<'l>>,
}

impl<'l> Draft<'l> {
    /// Adds a word.
    pub fn add(&mut self, head: Id, place: Seat, tag: Tag, entry: Entry<'l>) -> Id {
        let Entry { form, field } = entry;
        self.nodes.push(Node { tag, form, field, head, place, open: true, decided: None });
        self.nodes.len() - 1
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The modifiers of `head` on its right, in the order in which they were added.
    pub fn right_of(&self, head: Id) -> impl Iterator<Item = Id> + '_ {
        (0..self.len()).filter(move |&i| self.nodes[i].head == head && matches!(self.nodes[i].place, Seat::Right(_)))
    }

    /// True if `head` has a modifier in `place`.
    pub fn has(&self, head: Id, place: Seat) -> bool {
        self.nodes.iter().any(|n| n.head == head && n.place == place)
    }

    /// The words in the order of the sentence.
    pub fn order(&self) -> Vec<Id> {
        let mut left: Vec<Vec<Id>> = vec![Vec::new(); self.len()];
        let mut right = left.clone();
        let mut roots = Vec::new();
        for (i, node) in self.nodes.iter().enumerate() {
            match node.place {
                Seat::Root => roots.push(i),
                Seat::Left(_) => left[node.head].push(i),
                Seat::Right(_) => right[node.head].push(i),
            }
        }
        for side in left.iter_mut().chain(&mut right) {
            // Stable: outward by place, then by age.
            side.sort_by_key(|&i| self.nodes[i].place);
        }
        // Depth first without recursion: a word is expanded once, into its left modifiers (outermost first), itself and
        // its right modifiers.
        let mut order = Vec::with_capacity(self.len());
        let mut stack: Vec<(Id, bool)> = roots.into_iter().rev().map(|r| (r, false)).collect();
        while let Some((at, expanded)) = stack.pop() {
            if expanded {
                order.push(at);
                continue;
            }
            stack.extend(right[at].iter().rev().map(|&c| (c, false)));
            stack.push((at, true));
            stack.extend(left[at].iter().map(|&c| (c, false)));
        }
        order
    }
}
