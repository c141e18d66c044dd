//! A sentence while it grows: words that hang on words, each at a place beside its head.
//!
//! Random choices, all by integers, so that they are the same on every machine.
//!
//! The places of modifiers around their heads, outward: 0 stands next to the head.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use self::Seat::{Left, Right};
use crate::lexicon::Entry;
use crate::phenomena::Phenomenon;
use crate::tags::Tag;
use treebound_parser::random::{below, shuffle};

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

/// A source of choices: one of the 2^64 streams of a seed.
#[derive(Clone, Debug)]
pub(super) struct Draw(ChaCha8Rng);

impl Draw {
    /// Stream `stream` of `seed`; different streams are independent.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        Self(random)
    }

    /// A number below `n`; 0 for `n = 0`.
    pub fn below(&mut self, n: usize) -> usize {
        self.below_u64(n as u64) as usize
    }

    /// As [`below`](Self::below), for numbers that need 64 bits wherever this runs.
    pub fn below_u64(&mut self, n: u64) -> u64 {
        if n == 0 { 0 } else { below(&mut self.0, n) }
    }

    /// True this many times in 1,000.
    pub fn chance(&mut self, per_mille: u32) -> bool {
        self.below(1000) < per_mille as usize
    }

    /// One of `items`; none of none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }

    /// The index of one of `weights`, as often as its weight says; their sum must not be 0.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut at = self.below(weights.iter().sum::<u32>() as usize) as u32;
        for (i, &w) in weights.iter().enumerate() {
            if at < w {
                return i;
            }
            at -= w;
        }
        weights.len().saturating_sub(1)
    }

    /// A random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        shuffle(items, &mut self.0);
    }
}

/// Weights are integers: `UNIT / (rank + shift)`.
const UNIT: u64 = 1 << 32;
/// Flattens the head of the distribution a little (Mandelbrot's correction).
const SHIFT: u64 = 3;

/// Zipfian choice: a sampler of ranks, of which rank r (from 0) has a weight proportional to 1 / (r + shift).
#[derive(Clone, Debug)]
pub(super) struct Zipf {
    /// Sums of the weights of ranks `0..=r`.
    sums: Vec<u64>,
}

impl Zipf {
    /// A sampler of ranks below `ranks`.
    pub fn new(ranks: usize) -> Self {
        let mut sum = 0;
        let sums = (0..ranks as u64).map(|r| {
            sum += UNIT / (r + SHIFT);
            sum
        });
        Self { sums: sums.collect() }
    }

    /// A rank; 0 if there are none.
    pub fn rank(&self, draw: &mut Draw) -> usize {
        let at = draw.below_u64(self.sums.last().copied().unwrap_or(0));
        self.sums.partition_point(|&s| s <= at)
    }
}

/// Beside a noun.
pub(super) mod noun {
    use super::*;
    pub const ADJECTIVE: Seat = Left(10);
    pub const COMPOUND: Seat = Left(5);
    pub const POSSESSOR: Seat = Left(20);
    pub const ADJECTIVE_OUTSIDE: Seat = Left(22);
    pub const NUMERAL: Seat = Left(25);
    pub const DETERMINER: Seat = Left(30);
    pub const OPENING: Seat = Left(40);
    pub const NAME: Seat = Right(15);
    pub const PHRASE: Seat = Right(20);
    pub const CONJUNCT: Seat = Right(25);
    pub const IDEOPHONE: Seat = Right(35);
    pub const CLAUSE: Seat = Right(40);
}

/// Beside a verb.
pub(super) mod verb {
    use super::*;
    pub const MOOD: Seat = Left(5);
    pub const ADVERB: Seat = Left(20);
    pub const IDEOPHONE_LEFT: Seat = Left(29);
    pub const PHRASE_LEFT: Seat = Left(28);
    pub const SUBJECT: Seat = Left(30);
    pub const ASPECT: Seat = Left(35);
    pub const FRONTED: Seat = Left(40);
    pub const OPENER: Seat = Left(50);
    pub const OBJECT: Seat = Right(10);
    pub const IDEOPHONE_RIGHT: Seat = Right(12);
    pub const PHRASE: Seat = Right(20);
    pub const ADVERB_RIGHT: Seat = Right(30);
    pub const CLAUSE: Seat = Right(40);
    pub const LATE: Seat = Right(45);
    pub const CONJUNCT: Seat = Right(50);
    pub const FINAL: Seat = Right(60);
    pub const STOP: Seat = Right(100);
}

/// Beside an adposition.
pub(super) mod adposition {
    use super::*;
    pub const FOCUS: Seat = Left(10);
    pub const OBJECT: Seat = Right(10);
    pub const AFTER: Seat = Right(15);
    pub const TAIL: Seat = Right(20);
}
