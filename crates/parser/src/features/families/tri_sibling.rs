//! `tri-sibling`: all triples of arcs with one head, adjacent or not, on one side or on both (paper, section 4.3).
//!
//! The modifiers take the roles `s`, `t` and `m` from left to right.

use super::{Facts, Shape};
use crate::features::geometry::Geometry;
use crate::features::hand::Sites;
use crate::features::parts::Part;
use crate::treebank::Tree;
use treebound_core::graph::{ArcId, ArcSpace, Trees, Word};

pub(super) const FAMILY: Facts =
    Facts { name: "tri-sibling", roles: "hstm", directions: 3, growth: Some(6), shape: Shape::All };

/// Three modifiers of one head, from left to right.
#[inline(always)]
fn part(h: Word, s: Word, t: Word, m: Word) -> Part {
    Part::new([h, s, t, m], Geometry::new(&[h < s, h < t, h < m], s.ix(), m.ix()))
}

pub(super) fn factors(space: &ArcSpace, _: Trees, _: &Sites, mut visit: impl FnMut(&[ArcId], Part)) {
    for h in (0..=space.words()).map(Word::new) {
        if h.is_root() && space.single_root() {
            continue;
        }
        let end = space.arcs_of(h).end;
        for a in space.arcs_of(h) {
            for b in a + 1..end {
                for c in b + 1..end {
                    let arcs = [a, b, c].map(ArcId::new);
                    let [s, t, m] = arcs.map(|a| space.modifier(a));
                    visit(&arcs, part(h, s, t, m));
                }
            }
        }
    }
}

pub(super) fn parts_in(tree: &Tree, _: &Sites, mut visit: impl FnMut(Part)) {
    let heads = tree.heads();
    let before = |m: usize, h: Word| (1..m).filter(move |&s| heads[s - 1] == h);
    for m in 3..=tree.len() {
        let h = heads[m - 1];
        for t in before(m, h) {
            for s in before(t, h) {
                visit(part(h, Word::new(s), Word::new(t), Word::new(m)));
            }
        }
    }
}
