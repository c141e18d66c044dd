//! The arc space: which arcs a sentence's trees may use, and how the second-order parts hang on them.
//!
//! Arcs are sorted by head, then modifier, so the arcs of one head are one contiguous run, its left arcs first. Two
//! facts follow, and the whole dynamic program is built on them:
//!
//! * the *inner siblings* of an arc (arcs of the same head, on the same side, nearer to the head) are contiguous;
//! * the *children* an arc's modifier may have without crossing the arc are contiguous.
//!
//! So every second-order part has a place in a dense array (`sibling_parts`, `grandchild_parts`) that is found by
//! adding two numbers; no part is ever looked up by hashing.
//!
//! Room: how much memory a graph may take, counted before it is taken.
//!
//! Parts are many: those of the second order grow with the cube of the words where nothing is pruned, and factors faster.
//! What is counted is about what a graph, a decoder's copy of it and its program take together, so that a decoder that
//! begins has room to end its first call.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::tree::{Word, index};

index!(
    /// A candidate arc of an [`ArcSpace`](super::ArcSpace): arcs are numbered by head, then by modifier.
    ArcId
);

/// What is wrong with a set of arcs.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum SpaceError {
    /// The sentence has no words.
    #[error("a graph needs at least one word")]
    NoWords,
    /// More words than there may be.
    #[error("{words} words are too many for one sentence, which may have {most}; cut it into sentences")]
    TooLarge {
        /// Its words.
        words: usize,
        /// The most that there may be.
        most: usize,
    },
    /// More parts than 32-bit indices hold.
    #[error(
        "{words} words with {arcs} candidate arcs have {parts} {kind}, more than 32-bit indices hold; keep fewer heads a word (k or threshold)"
    )]
    TooManyParts {
        /// Words in the sentence.
        words: usize,
        /// Candidate arcs.
        arcs: usize,
        /// Of what there are too many.
        kind: &'static str,
        /// How many, where counting stopped.
        parts: u64,
    },
    /// More memory than a graph may take.
    #[error(
        "{words} words with {arcs} candidate arcs take more than {mib} MiB; keep fewer heads a word (k or threshold), or \
         allow more (--memory-mib)"
    )]
    NoRoom {
        /// Words in the sentence.
        words: usize,
        /// Candidate arcs.
        arcs: usize,
        /// What it may take.
        mib: u64,
    },
    /// A head beyond the sentence.
    #[error("arc [{head}, {modifier}]: the head must lie between 0 and {words}")]
    HeadOutOfRange {
        /// The head given.
        head: u64,
        /// The modifier given.
        modifier: u64,
        /// Words in the sentence.
        words: usize,
    },
    /// A modifier that is the root or lies beyond the sentence.
    #[error("arc [{head}, {modifier}]: the modifier must lie between 1 and {words}")]
    ModifierOutOfRange {
        /// The head given.
        head: u64,
        /// The modifier given.
        modifier: u64,
        /// Words in the sentence.
        words: usize,
    },
    /// An arc from a word to itself.
    #[error("arc [{head}, {head}] goes from a word to itself")]
    Loop {
        /// The word.
        head: u32,
    },
    /// An arc listed twice.
    #[error("arc [{head}, {modifier}] is given twice")]
    Duplicate {
        /// Its head.
        head: u32,
        /// Its modifier.
        modifier: u32,
    },
}

/// Whether so many parts of a kind can be numbered.
///
/// # Errors
/// If not.
pub fn fits(words: usize, arcs: usize, kind: &'static str, parts: u64) -> Result<(), SpaceError> {
    if parts > u64::from(u32::MAX) { Err(SpaceError::TooManyParts { words, arcs, kind, parts }) } else { Ok(()) }
}

/// The candidate arcs of one sentence, and the index ranges of the parts on them.
#[derive(Clone, Debug, Default)]
pub struct ArcSpace {
    words: usize,
    single_root: bool,
    head: Vec<Word>,
    modifier: Vec<Word>,
    /// `words + 2` entries: the arcs of head `h` are `head_start[h] .. head_start[h + 1]`.
    head_start: Vec<u32>,
    /// `words + 1` entries: the first arc of head `h` that goes to the right.
    right_start: Vec<u32>,
    /// `arcs + 1` entries: where the sibling parts of an arc begin; the first is "no inner sibling".
    sibling_offset: Vec<u32>,
    /// `arcs + 1` entries: where the grandchild parts of an arc begin.
    grandchild_offset: Vec<u32>,
    /// First arc among the children that the modifier of an arc may have.
    child_start: Vec<u32>,
    /// `words + 2` entries into `into`: the arcs into modifier `m` are `into[into_start[m] .. into_start[m + 1]]`.
    into_start: Vec<u32>,
    into: Vec<ArcId>,
}

impl ArcSpace {
    /// Builds the space of `arcs` over `words` words; the order of `arcs` does not matter.
    ///
    /// # Errors
    /// Arcs out of range, loops and duplicates.
    pub fn new(words: usize, single_root: bool, arcs: &[(Word, Word)]) -> Result<Self, SpaceError> {
        let mut sorted = arcs.to_vec();
        sorted.sort_unstable();
        let mut space = Self::default();
        space.rebuild(words, single_root, &sorted)?;
        Ok(space)
    }

    /// As [`ArcSpace::new`], for arcs already sorted by head, then modifier, and reusing this space's memory.
    ///
    /// # Errors
    /// Arcs out of range, loops, duplicates (or arcs out of order, which are reported as duplicates).
    pub fn rebuild(&mut self, words: usize, single_root: bool, sorted: &[(Word, Word)]) -> Result<(), SpaceError> {
        if words == 0 {
            return Err(SpaceError::NoWords);
        }
        let most = u32::MAX as usize / 2 - 1;
        if words > most {
            return Err(SpaceError::TooLarge { words, most });
        }
        fits(words, sorted.len(), "arcs", sorted.len() as u64)?;
        for (i, &(h, m)) in sorted.iter().enumerate() {
            let (head, modifier) = (u64::from(h.0), u64::from(m.0));
            if h.ix() > words {
                return Err(SpaceError::HeadOutOfRange { head, modifier, words });
            }
            if m.is_root() || m.ix() > words {
                return Err(SpaceError::ModifierOutOfRange { head, modifier, words });
            }
            if h == m {
                return Err(SpaceError::Loop { head: h.0 });
            }
            if i > 0 && sorted[i - 1] >= (h, m) {
                return Err(SpaceError::Duplicate { head: h.0, modifier: m.0 });
            }
        }
        self.words = words;
        self.single_root = single_root;
        self.head.clear();
        self.modifier.clear();
        self.head.extend(sorted.iter().map(|a| a.0));
        self.modifier.extend(sorted.iter().map(|a| a.1));
        self.index_heads();
        self.index_modifiers();
        self.index_parts()
    }

    fn index_heads(&mut self) {
        let arcs = self.head.len();
        self.head_start.clear();
        self.right_start.clear();
        let mut a = 0;
        for h in 0..=self.words {
            self.head_start.push(a as u32);
            while a < arcs && self.head[a].ix() == h && self.modifier[a].ix() < h {
                a += 1;
            }
            self.right_start.push(a as u32);
            while a < arcs && self.head[a].ix() == h {
                a += 1;
            }
        }
        self.head_start.push(a as u32);
    }

    fn index_modifiers(&mut self) {
        let words = self.words;
        self.into_start.clear();
        self.into_start.resize(words + 2, 0);
        for m in &self.modifier {
            self.into_start[m.ix() + 1] += 1;
        }
        for m in 0..=words {
            self.into_start[m + 1] += self.into_start[m];
        }
        self.into.clear();
        self.into.resize(self.head.len(), ArcId(0));
        // Filling from the back leaves `into_start` shifted into place and the heads of a modifier ascending.
        for a in (0..self.head.len()).rev() {
            let slot = &mut self.into_start[self.modifier[a].ix() + 1];
            *slot -= 1;
            self.into[*slot as usize] = ArcId::new(a);
        }
        // `into_start[m + 1]` now holds the start of m: shift down by one place.
        self.into_start.remove(0);
        self.into_start.push(self.head.len() as u32);
    }

    fn index_parts(&mut self) -> Result<(), SpaceError> {
        self.sibling_offset.clear();
        self.grandchild_offset.clear();
        self.child_start.clear();
        let (mut siblings, mut grandchildren) = (0, 0);
        let (words, arcs) = (self.words, self.head.len());
        for a in 0..arcs {
            self.sibling_offset.push(siblings as u32);
            self.grandchild_offset.push(grandchildren as u32);
            siblings += 1 + self.inner_siblings(ArcId::new(a)).len() as u64;
            fits(words, arcs, "sibling parts", siblings)?;
            let (h, m) = (self.head[a], self.modifier[a]);
            let all = self.arcs_of(m);
            let children = if h < m {
                all.start + self.modifier[all.clone()].partition_point(|&c| c <= h)..all.end
            } else {
                all.start..all.start + self.modifier[all.clone()].partition_point(|&c| c < h)
            };
            self.child_start.push(children.start as u32);
            grandchildren += children.len() as u64;
            fits(words, arcs, "grandchild parts", grandchildren)?;
        }
        self.sibling_offset.push(siblings as u32);
        self.grandchild_offset.push(grandchildren as u32);
        Ok(())
    }

    /// Words of the sentence, the root symbol not counted.
    #[inline(always)]
    pub fn words(&self) -> usize {
        self.words
    }

    /// Whether the root takes exactly one modifier.
    #[inline(always)]
    pub fn single_root(&self) -> bool {
        self.single_root
    }

    /// Number of candidate arcs.
    #[inline(always)]
    pub fn arcs(&self) -> usize {
        self.head.len()
    }

    /// The head of an arc.
    #[inline(always)]
    pub fn head(&self, a: ArcId) -> Word {
        self.head[a.ix()]
    }

    /// The modifier of an arc.
    #[inline(always)]
    pub fn modifier(&self, a: ArcId) -> Word {
        self.modifier[a.ix()]
    }

    /// The arcs of head `h`, as a range of arc indices: left arcs first, modifiers ascending.
    #[inline(always)]
    pub fn arcs_of(&self, h: Word) -> Range<usize> {
        self.head_start[h.ix()] as usize..self.head_start[h.ix() + 1] as usize
    }

    /// The arcs of `h` to modifiers on its left.
    #[inline(always)]
    pub fn left_arcs_of(&self, h: Word) -> Range<usize> {
        self.head_start[h.ix()] as usize..self.right_start[h.ix()] as usize
    }

    /// The arcs of `h` to modifiers on its right.
    #[inline(always)]
    pub fn right_arcs_of(&self, h: Word) -> Range<usize> {
        self.right_start[h.ix()] as usize..self.head_start[h.ix() + 1] as usize
    }

    /// Whether every word has a candidate head. Otherwise there is no tree.
    pub fn has_all_heads(&self) -> bool {
        (1..=self.words).all(|m| !self.arcs_into(Word::new(m)).is_empty())
    }

    /// The arcs into modifier `m`, by ascending head.
    #[inline(always)]
    pub fn arcs_into(&self, m: Word) -> &[ArcId] {
        &self.into[self.into_start[m.ix()] as usize..self.into_start[m.ix() + 1] as usize]
    }

    /// The arc from `h` to `m`, if it is a candidate.
    pub fn find(&self, h: Word, m: Word) -> Option<ArcId> {
        if h.ix() > self.words {
            return None;
        }
        let range = self.arcs_of(h);
        let at = self.modifier[range.clone()].binary_search(&m).ok()?;
        Some(ArcId::new(range.start + at))
    }

    /// The sibling part "`m` follows `inner` among the modifiers of `h`", or "is the first" if `inner` is `h`; none if no tree
    /// over these arcs has it.
    pub fn find_sibling_part(&self, h: Word, inner: Word, m: Word) -> Option<usize> {
        let a = self.find(h, m)?;
        if inner == h {
            return Some(self.first_modifier_part(a));
        }
        let b = self.find(h, inner).filter(|b| self.inner_siblings(a).contains(&b.ix()))?;
        Some(self.sibling_part(a, b))
    }

    /// The grandchild part "`child` is an outermost child of `m`, a modifier of `h`"; none if no projective tree over these arcs
    /// has it.
    pub fn find_grandchild_part(&self, h: Word, m: Word, child: Word) -> Option<usize> {
        let (a, b) = self.find(h, m).zip(self.find(m, child))?;
        self.children(a).contains(&b.ix()).then(|| self.grandchild_part(a, b))
    }

    /// The arcs of the same head on the same side whose modifiers lie between the head and the modifier of `a`.
    #[inline(always)]
    pub fn inner_siblings(&self, a: ArcId) -> Range<usize> {
        let (h, m) = (self.head[a.ix()], self.modifier[a.ix()]);
        let split = self.right_start[h.ix()] as usize;
        if h < m { split..a.ix() } else { a.ix() + 1..split }
    }

    /// The [inner siblings](Self::inner_siblings) that `a` may follow in a tree: none for a root arc when the root takes one
    /// modifier.
    #[inline(always)]
    pub fn siblings_to_follow(&self, a: ArcId) -> Range<usize> {
        let inner = self.inner_siblings(a);
        if self.single_root() && self.head(a).is_root() { inner.start..inner.start } else { inner }
    }

    /// The arcs from the modifier of `a` that do not cross `a`: those inside it and those beyond its modifier.
    #[inline(always)]
    pub fn children(&self, a: ArcId) -> Range<usize> {
        let start = self.child_start[a.ix()] as usize;
        let len = self.grandchild_offset[a.ix() + 1] - self.grandchild_offset[a.ix()];
        start..start + len as usize
    }

    /// The [`children`](Self::children) of `a` that lie between its head and its modifier.
    #[inline(always)]
    pub fn inside_children(&self, a: ArcId) -> Range<usize> {
        let (h, m) = (self.head[a.ix()], self.modifier[a.ix()]);
        let all = self.children(a);
        let split = self.right_start[m.ix()] as usize;
        if h < m { all.start..split } else { split..all.end }
    }

    /// The [`children`](Self::children) of `a` on the far side of its modifier.
    #[inline(always)]
    pub fn outside_children(&self, a: ArcId) -> Range<usize> {
        let (h, m) = (self.head[a.ix()], self.modifier[a.ix()]);
        let all = self.children(a);
        let split = self.right_start[m.ix()] as usize;
        if h < m { split..all.end } else { all.start..split }
    }

    /// Number of adjacent-sibling parts, "first modifier" parts included.
    #[inline(always)]
    pub fn sibling_parts(&self) -> usize {
        self.sibling_offset[self.arcs()] as usize
    }

    /// Number of outermost-grandchild parts.
    #[inline(always)]
    pub fn grandchild_parts(&self) -> usize {
        self.grandchild_offset[self.arcs()] as usize
    }

    /// The part "`a` is the first (innermost) modifier on its side".
    #[inline(always)]
    pub fn first_modifier_part(&self, a: ArcId) -> usize {
        self.sibling_offset[a.ix()] as usize
    }

    /// The parts "`a` follows inner sibling `b`" for `b` in [`inner_siblings`](Self::inner_siblings), in that order.
    #[inline(always)]
    pub fn sibling_parts_of(&self, a: ArcId) -> Range<usize> {
        self.sibling_offset[a.ix()] as usize + 1..self.sibling_offset[a.ix() + 1] as usize
    }

    /// The part "`a` follows inner sibling `b`".
    #[inline(always)]
    pub fn sibling_part(&self, a: ArcId, b: ArcId) -> usize {
        self.sibling_offset[a.ix()] as usize + 1 + (b.ix() - self.inner_siblings(a).start)
    }

    /// The parts "`b` is the outermost child of `a`'s modifier on its side" for `b` in [`children`](Self::children).
    #[inline(always)]
    pub fn grandchild_parts_of(&self, a: ArcId) -> Range<usize> {
        self.grandchild_offset[a.ix()] as usize..self.grandchild_offset[a.ix() + 1] as usize
    }

    /// The part "`b` is the outermost child of `a`'s modifier on its side".
    #[inline(always)]
    pub fn grandchild_part(&self, a: ArcId, b: ArcId) -> usize {
        self.grandchild_offset[a.ix()] as usize + (b.ix() - self.child_start[a.ix()] as usize)
    }
}

/// Bytes of a part of the second order: a score and its twin, the decoder's copies, a sum, a multiplier.
const OF_PART: u64 = 48;

/// Bytes of two words: places of a chart.
const OF_TWO_WORDS: u64 = 16;

/// What is asked of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asked {
    /// A best tree.
    #[default]
    Tree,
    /// Sums over all trees.
    Sums,
}

impl Asked {
    /// Bytes of an arc and a word: an entry of each chart that may be filled. The third-order program, to which a search may go
    /// over, has five charts, inside and outside. Sums are formed beside the best tree, at worst over numbers of 32 bytes.
    fn chart_bytes(self) -> u64 {
        match self {
            Self::Tree => 5 * 8,
            Self::Sums => 3 * 8 + 5 * 8 + 5 * 32,
        }
    }
}

/// Bytes of a factor: its words, score and place, and the decoder's copies.
const OF_FACTOR: u64 = 100;

/// Bytes of an arc of a factor: the arc, its links, shares and places.
const OF_INCIDENCE: u64 = 40;

/// What a graph takes of the memory that it may take.
#[derive(Clone, Copy, Debug, Default)]
pub struct Room {
    most: Option<u64>,
    asked: Asked,
    taken: u64,
}

impl Room {
    /// At most so many bytes; none for no limit.
    pub fn new(most: Option<u64>, asked: Asked) -> Self {
        Self { most, asked, taken: 0 }
    }

    /// Room for a space's own parts, and for nothing before.
    ///
    /// # Errors
    /// [`SpaceError::NoRoom`] if there is none.
    pub fn start(&mut self, space: &ArcSpace) -> Result<(), SpaceError> {
        let (words, parts) = (space.words() as u64, (space.sibling_parts() + space.grandchild_parts()) as u64);
        let charts = space.arcs() as u64 * (words + 1) * self.asked.chart_bytes();
        self.taken = parts * OF_PART + words * words * OF_TWO_WORDS + charts;
        self.check(space)
    }

    /// Takes room for a factor of so many arcs; false if there is none.
    #[inline]
    pub fn take_factor(&mut self, arcs: usize) -> bool {
        self.taken += OF_FACTOR + OF_INCIDENCE * arcs as u64;
        self.most.is_none_or(|most| self.taken <= most)
    }

    /// Whether no more was taken than there is.
    ///
    /// # Errors
    /// [`SpaceError::NoRoom`] if more was.
    pub fn check(&self, space: &ArcSpace) -> Result<(), SpaceError> {
        match self.most {
            Some(most) if self.taken > most => {
                Err(SpaceError::NoRoom { words: space.words(), arcs: space.arcs(), mib: most >> 20 })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parts beyond 32 bits would be numbered anew from 0, and their scores mixed up.
    #[test]
    fn parts_that_cannot_be_numbered_are_refused() {
        let words = 2_400;
        let all = |h| (1..=words).filter(move |&m| m != h).map(move |m| (Word(h), Word(m)));
        let arcs: Vec<_> = (0..=words).flat_map(all).collect();
        let error = ArcSpace::new(words as usize, true, &arcs).expect_err("n^3/3 sibling parts are too many");
        let SpaceError::TooManyParts { kind, parts, .. } = error else { panic!("{error}") };
        assert!(parts > u64::from(u32::MAX), "{parts} {kind}");
    }
}
