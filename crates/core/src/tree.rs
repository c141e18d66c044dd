//! Dependency trees: one head a word, and what makes them valid. What treebanks hold and decoders find.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Newtypes for indices, so that a word is never taken for an arc.
macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a `usize`, for slices.
            #[inline(always)]
            pub const fn ix(self) -> usize {
                self.0 as usize
            }

            /// From a slice index.
            ///
            /// Callers index slices whose length fits 32 bits; larger values would be a programming error and are
            /// caught in debug builds.
            #[inline(always)]
            pub const fn new(ix: usize) -> Self {
                debug_assert!(ix <= u32::MAX as usize);
                Self(ix as u32)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

pub(crate) use index;

/// Why a vector of heads is no tree.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum TreeFault {
    /// A head beyond the sentence.
    #[error(
        "word {word} has head {head}, but the sentence has only {words} words (heads go from 0, the root, to {words})"
    )]
    HeadOutOfRange {
        /// The modifier, 1-based.
        word: usize,
        /// The head given.
        head: u64,
        /// Words in the sentence.
        words: usize,
    },
    /// A word that is its own head.
    #[error("word {word} is its own head")]
    OwnHead {
        /// The word, 1-based.
        word: usize,
    },
    /// No word hangs on the root (some words then form a cycle).
    #[error("no word has head 0, so the sentence has no root")]
    NoRoot,
    /// Words that never reach the root.
    #[error("words {} form a cycle", list(.words))]
    Cycle {
        /// The words of the cycle, 1-based, each the head of the one before it.
        words: Vec<usize>,
    },
}

fn list(words: &[usize]) -> String {
    words.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A dependency tree over words `1..=len`; heads are words or the root symbol 0. It may be non-projective and may have
/// several words on the root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Tree {
    heads: Vec<Word>,
}

impl Tree {
    /// Checks that `heads` (`heads[i]` is the head of word `i + 1`) is a tree.
    ///
    /// # Errors
    /// A head out of range, a missing root, a cycle.
    pub fn new(heads: Vec<Word>) -> Result<Self, TreeFault> {
        let n = heads.len();
        for (i, &h) in heads.iter().enumerate() {
            if h.ix() > n {
                return Err(TreeFault::HeadOutOfRange { word: i + 1, head: h.0.into(), words: n });
            }
            if h.ix() == i + 1 {
                return Err(TreeFault::OwnHead { word: i + 1 });
            }
        }
        if n > 0 && !heads.contains(&Word::ROOT) {
            return Err(TreeFault::NoRoot);
        }
        if let Some(words) = find_cycle(&heads) {
            return Err(TreeFault::Cycle { words });
        }
        Ok(Self { heads })
    }

    /// Takes heads that a decoder built as a tree; checked in debug builds only.
    pub fn from_decoder(heads: Vec<Word>) -> Self {
        debug_assert_eq!(Self::new(heads.clone()).err(), None);
        Self { heads }
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// True for the tree over no words.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The head of each word, in order.
    pub fn heads(&self) -> &[Word] {
        &self.heads
    }

    /// The head of word `m`, which must not be the root symbol.
    #[inline]
    pub fn head(&self, m: Word) -> Word {
        self.heads[m.ix() - 1]
    }

    /// The words on the root, ascending.
    pub fn roots(&self) -> impl Iterator<Item = Word> {
        (1..=self.heads.len()).map(Word::new).filter(|&m| self.head(m).is_root())
    }

    /// Whether the arc into word `m` is projective: all words between its ends descend from its head.
    pub fn is_projective_arc(&self, m: Word) -> bool {
        is_projective_arc(m, |word| self.head(word))
    }

    /// True if no two arcs cross and no arc passes over the root.
    ///
    /// The root symbol stands before the first word, so an arc from it to word `m` spans the words before `m`.
    pub fn is_projective(&self) -> bool {
        let spans: Vec<(usize, usize)> =
            self.heads.iter().enumerate().map(|(i, h)| (h.ix().min(i + 1), h.ix().max(i + 1))).collect();
        spans.iter().enumerate().all(|(i, &(a, b))| spans[..i].iter().all(|&(c, d)| !crossing((a, b), (c, d))))
    }
}

/// Whether a word, or the root, is `above` or descends from it in the tree with these heads.
#[inline(always)]
pub(crate) fn descends(mut word: Word, above: Word, head: impl Fn(Word) -> Word) -> bool {
    while word != above && !word.is_root() {
        word = head(word);
    }
    word == above
}

/// Whether the arc into `m` is projective in the tree with these heads: all words between its ends descend from its head
/// (Martins et al. 2009, section 2.1). Of these only words with a head beyond the ends need a look: ways up from the others
/// come to one of them, or to an end.
#[inline(always)]
pub(crate) fn is_projective_arc(m: Word, head: impl Fn(Word) -> Word) -> bool {
    let h = head(m);
    let (first, last) = (h.min(m), h.max(m));
    let mut heads = (first.ix() + 1..last.ix()).map(|k| head(Word::new(k)));
    heads.all(|g| (first..=last).contains(&g) || descends(g, h, &head))
}

/// Whether two arcs, each as (left end, right end), cross strictly.
pub fn crossing((a, b): (usize, usize), (c, d): (usize, usize)) -> bool {
    (a < c && c < b && b < d) || (c < a && a < d && d < b)
}

fn find_cycle(heads: &[Word]) -> Option<Vec<usize>> {
    // 0: unseen, 1: on the current path, 2: known to reach the root.
    let mut state = vec![0u8; heads.len()];
    for start in 0..heads.len() {
        let mut path = Vec::new();
        let mut at = start;
        while state[at] == 0 {
            state[at] = 1;
            path.push(at);
            match heads[at] {
                Word::ROOT => break,
                h => at = h.ix() - 1,
            }
        }
        if state[at] == 1 && !heads[at].is_root() {
            let from = path.iter().position(|&w| w == at)?;
            return Some(path[from..].iter().map(|w| w + 1).collect());
        }
        for w in path {
            state[w] = 2;
        }
    }
    None
}

index!(
    /// A word's position in its sentence: 1 is the first word, 0 the root symbol.
    Word
);

impl Word {
    /// The root symbol.
    pub const ROOT: Word = Word(0);

    /// True for the root symbol.
    #[inline(always)]
    pub const fn is_root(self) -> bool {
        self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(heads: &[u32]) -> Vec<Word> {
        heads.iter().map(|&h| Word(h)).collect()
    }

    /// A head vector is a tree exactly when every word reaches the root in at most n steps: checked on all of them.
    #[test]
    fn validity_and_projectivity_agree_with_their_definitions_on_all_small_head_vectors() {
        for n in 1..=4usize {
            for code in 0..(n + 1).pow(n as u32) {
                let heads: Vec<u32> = (0..n).map(|i| (code / (n + 1).pow(i as u32) % (n + 1)) as u32).collect();
                let reaches_root = (1..=n).all(|m| {
                    let mut at = m;
                    for _ in 0..n {
                        if at == 0 {
                            break;
                        }
                        at = heads[at - 1] as usize;
                    }
                    at == 0
                });
                let tree = Tree::new(words(&heads));
                assert_eq!(tree.is_ok(), reaches_root, "{heads:?}");
                if let Ok(tree) = tree {
                    // Projective: every word between head and modifier descends from the head.
                    let under = |mut w: usize, h: usize| {
                        while w != h && w != 0 {
                            w = heads[w - 1] as usize;
                        }
                        w == h
                    };
                    let projective = (1..=n).all(|m| {
                        let h = heads[m - 1] as usize;
                        (h.min(m) + 1..h.max(m)).all(|w| under(w, h))
                    });
                    assert_eq!(tree.is_projective(), projective, "{heads:?}");
                    for m in 1..=n {
                        let h = heads[m - 1] as usize;
                        let expected = (h.min(m) + 1..h.max(m)).all(|w| under(w, h));
                        assert_eq!(tree.is_projective_arc(Word::new(m)), expected, "{heads:?}: {m}");
                    }
                }
            }
        }
    }

    /// Martins et al. (2009), proposition 1, as all head vectors of up to seven words confirm it: a vector is a projective tree
    /// exactly if for each arc, between its ends,
    ///
    /// (a) each word strictly inside has its head at an end or inside;
    /// (b) each word outside has its head at an end or outside;
    /// (c) the head of the arc's head lies strictly outside.
    ///
    /// Without (c) cycles come in, and from four words on (a) and (c) are not enough.
    #[test]
    fn projective_trees_are_those_whose_arcs_nest() {
        let trees_of = [1, 3, 12, 55, 273, 1428, 7752];
        for (n, trees) in (1usize..).zip(trees_of) {
            let (mut found, mut cycles, mut crossed) = (0, 0, 0);
            for code in 0..n.pow(n as u32) {
                // Of each word the heads but itself.
                let head = |k: usize| {
                    let head = code / n.pow(k as u32 - 1) % n;
                    if head < k { head } else { head + 1 }
                };
                let heads: Vec<usize> = (1..=n).map(head).collect();
                let of = |k: usize| heads[k - 1];
                let spans = || (1..=n).map(|m| (of(m).min(m), of(m).max(m)));
                let inside = |(i, j): (usize, usize)| (i + 1..j).all(|k| (i..=j).contains(&of(k)));
                let outside = |(i, j): (usize, usize)| (1..i).chain(j + 1..=n).all(|k| of(k) <= i || of(k) >= j);
                let above = |m: usize| {
                    let (i, j) = (of(m).min(m), of(m).max(m));
                    of(m) == 0 || !(i..=j).contains(&of(of(m)))
                };
                let (a, b, c) = (spans().all(inside), spans().all(outside), (1..=n).all(above));
                let vector: Vec<u32> = heads.iter().map(|&h| h as u32).collect();
                let tree = Tree::new(words(&vector));
                assert_eq!(a && b && c, tree.as_ref().is_ok_and(Tree::is_projective), "{heads:?}");
                found += usize::from(a && b && c);
                cycles += usize::from(a && tree.is_err());
                crossed += usize::from(a && c && !b);
            }
            assert_eq!(found, trees);
            assert_eq!((cycles > 0, crossed > 0), (n > 1, n > 3), "{n} words");
        }
    }

    #[test]
    fn faults_name_the_words() {
        assert_eq!(Tree::new(words(&[0, 3, 4, 2])), Err(TreeFault::Cycle { words: vec![2, 3, 4] }),);
        assert_eq!(Tree::new(words(&[1])), Err(TreeFault::OwnHead { word: 1 }));
        assert_eq!(Tree::new(words(&[2, 1])), Err(TreeFault::NoRoot));
        assert_eq!(Tree::new(words(&[7])), Err(TreeFault::HeadOutOfRange { word: 1, head: 7, words: 1 }));
        assert!(Tree::new(vec![]).is_ok());
    }
}
