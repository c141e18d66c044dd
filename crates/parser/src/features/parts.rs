//! Parts as the feature plan sees them: which words stand in which role, and the geometry.
//!
//! One function a kind says what a part is; scoring, learning and printing all go through it. Those of kinds that only a
//! family has lie in the file of the family.

use super::atoms::{Attribute, hash_text};
use super::geometry::Geometry;
use super::template::{Kind, MAX_ROLES};
use crate::treebank::Token;
use treebound_core::graph::{ArcId, ArcSpace, Word};

/// One part: the row (word) of each role, in the order of [`Kind::roles`](super::Kind::roles), and the geometry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// Row of each role in the sentence's views.
    pub rows: [u32; MAX_ROLES],
    /// Directions and distance.
    pub geometry: Geometry,
}

impl Part {
    /// The part with those words in its roles; what stands behind the last role is looked at by nothing.
    #[inline(always)]
    pub fn new(words: [Word; MAX_ROLES], geometry: Geometry) -> Self {
        part(words.map(Word::ix), geometry)
    }
}

fn part(rows: [usize; MAX_ROLES], geometry: Geometry) -> Part {
    Part { rows: rows.map(|r| r as u32), geometry }
}

/// An arc.
#[inline(always)]
pub fn arc(h: Word, m: Word) -> Part {
    let (h, m) = (h.ix(), m.ix());
    part([h, m, 0, 0], Geometry::new(&[h < m], h, m))
}

/// An arc and a word between its ends.
#[inline(always)]
pub fn between(h: Word, b: usize, m: Word) -> Part {
    let (h, m) = (h.ix(), m.ix());
    part([h, b, m, 0], Geometry::new(&[h < m], h, m))
}

/// An arc and its adjacent inner sibling; `none_row` is the row of "no word".
#[inline(always)]
pub fn sibling(h: Word, s: Option<Word>, m: Word, none_row: usize) -> Part {
    let (h, m) = (h.ix(), m.ix());
    let (row, near) = s.map_or((none_row, h), |s| (s.ix(), s.ix()));
    part([h, row, m, 0], Geometry::new(&[h < m, h < m], near, m))
}

/// A chain of two arcs; for outermost grandchildren and for all.
#[inline(always)]
pub fn grandchild(g: Word, h: Word, m: Word) -> Part {
    let (g, h, m) = (g.ix(), h.ix(), m.ix());
    part([g, h, m, 0], Geometry::new(&[g < h, h < m], g, m))
}

/// An arc, and an arc from its modifier with its adjacent inner sibling; `none_row` is the row of "no word".
#[inline(always)]
pub fn grand_sibling(g: Word, h: Word, s: Option<Word>, m: Word, none_row: usize) -> Part {
    let (g, h, m) = (g.ix(), h.ix(), m.ix());
    let (row, near) = s.map_or((none_row, h), |s| (s.ix(), s.ix()));
    part([g, h, row, m], Geometry::new(&[g < h, h < m], near, m))
}

/// All grand-siblings of `space`, by grandchild part, then by sibling part: both, and the part.
pub fn grand_siblings_of(space: &ArcSpace, none_row: usize) -> impl Iterator<Item = ((usize, usize), Part)> {
    (0..space.arcs()).map(ArcId::new).flat_map(move |a| grand_siblings_below(space, a, none_row))
}

/// The grand-siblings of one arc.
#[inline(always)]
pub fn grand_siblings_below(
    space: &ArcSpace,
    a: ArcId,
    none_row: usize,
) -> impl Iterator<Item = ((usize, usize), Part)> {
    space.children(a).map(ArcId::new).flat_map(move |b| {
        let grandchild = space.grandchild_part(a, b);
        let inner = space.inner_siblings(b).map(|c| Some(space.modifier(ArcId::new(c))));
        let (g, h, m) = (space.head(a), space.head(b), space.modifier(b));
        let parts = (space.first_modifier_part(b)..).zip(std::iter::once(None).chain(inner));
        parts.map(move |(sibling, s)| ((grandchild, sibling), grand_sibling(g, h, s, m, none_row)))
    })
}

/// Parts to be scored together, as a struct of arrays. The score of a part is added to place `target` of the output.
#[derive(Clone, Debug, Default)]
pub struct PartList {
    /// Rows of the roles.
    pub rows: Vec<[u32; MAX_ROLES]>,
    /// Geometries.
    pub geometry: Vec<Geometry>,
    /// Where the scores go.
    pub target: Vec<u32>,
}

impl PartList {
    /// Empties the list, keeping its memory.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.geometry.clear();
        self.target.clear();
    }

    /// Adds a part.
    #[inline(always)]
    pub fn push(&mut self, part: Part, target: usize) {
        self.rows.push(part.rows);
        self.geometry.push(part.geometry);
        self.target.push(target as u32);
    }

    /// Number of parts.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Part `i`.
    pub fn get(&self, i: usize) -> Part {
        Part { rows: self.rows[i], geometry: self.geometry[i] }
    }

    /// All arcs of `space`; targets are arc ids.
    pub fn fill_arcs(&mut self, space: &ArcSpace) {
        self.clear();
        for a in (0..space.arcs()).map(ArcId::new) {
            self.push(arc(space.head(a), space.modifier(a)), a.ix());
        }
    }

    /// The distinct words between the ends of each arc of `space`; targets are arc ids.
    pub fn fill_between(&mut self, space: &ArcSpace, between_words: &BetweenWords) {
        self.clear();
        for a in (0..space.arcs()).map(ArcId::new) {
            self.push_between(space.head(a), space.modifier(a), between_words, a.ix());
        }
    }

    /// The distinct words between `h` and `m`.
    pub fn push_between(&mut self, h: Word, m: Word, between_words: &BetweenWords, target: usize) {
        let (s, t) = (h.ix().min(m.ix()), h.ix().max(m.ix()));
        for b in s + 1..t {
            if between_words.previous[b] as usize <= s {
                self.push(between(h, b, m), target);
            }
        }
    }

    /// All sibling parts of `space`; targets are part numbers.
    pub fn fill_siblings(&mut self, space: &ArcSpace, none_row: usize) {
        self.clear();
        for a in (0..space.arcs()).map(ArcId::new) {
            let (h, m) = (space.head(a), space.modifier(a));
            self.push(sibling(h, None, m, none_row), self.len());
            for b in space.inner_siblings(a) {
                self.push(sibling(h, Some(space.modifier(ArcId::new(b))), m, none_row), self.len());
            }
        }
    }

    /// All grandchild parts of `space`; targets are part numbers.
    pub fn fill_grandchildren(&mut self, space: &ArcSpace) {
        self.clear();
        for a in (0..space.arcs()).map(ArcId::new) {
            for b in space.children(a) {
                let part = grandchild(space.head(a), space.modifier(a), space.modifier(ArcId::new(b)));
                self.push(part, self.len());
            }
        }
    }
}

/// For each word the nearest earlier word with the same value, so that the first word of each value between two ends is
/// found without a set.
#[derive(Clone, Debug, Default)]
pub struct BetweenWords {
    /// By word position; 0 where there is none. The root's own place holds 0.
    previous: Vec<u32>,
    /// By word: a hash of its value, to tell most of them apart by.
    hashes: Vec<u64>,
}

impl BetweenWords {
    /// For the words of a sentence, told apart as `kind` does.
    pub fn fill(&mut self, kind: Kind, tokens: &[Token]) {
        fn value(kind: Kind, token: &Token) -> [&str; 2] {
            match kind.told_apart_by() {
                Some(Attribute::Coarse) => ["", &token.coarse],
                Some(Attribute::Form) => [&token.form, ""],
                _ => [&token.fine, &token.coarse],
            }
        }
        self.previous.clear();
        self.previous.push(0);
        self.hashes.clear();
        for (i, token) in tokens.iter().enumerate() {
            let [first, second] = value(kind, token);
            let hash = hash_text(hash_text(0, first), second);
            let same = |&j: &usize| self.hashes[j] == hash && value(kind, &tokens[j]) == value(kind, token);
            let previous = (0..i).rev().find(same).map_or(0, |j| j + 1);
            self.previous.push(previous as u32);
            self.hashes.push(hash);
        }
    }
}
