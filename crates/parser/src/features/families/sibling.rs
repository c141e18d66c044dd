//! `sibling`: all pairs of arcs with one head, adjacent or not, on one side or on both (paper, section 4.3, figure 2).
//!
//! The part gives the role `s` to the nearer modifier, and across sides to the left one.

use super::{Facts, Shape};
use crate::features::geometry::Geometry;
use crate::features::hand::Sites;
use crate::features::parts::Part;
use crate::treebank::Tree;
use treebound_core::graph::{ArcId, ArcSpace, Trees, Word};

pub(super) const FAMILY: Facts =
    Facts { name: "sibling", roles: "hsm", directions: 2, growth: Some(1), shape: Shape::All };

/// Two modifiers of one head. Of two on one side the nearer is `s`; of two on different sides the left one.
#[inline(always)]
fn part(h: Word, left: Word, right: Word) -> Part {
    let (s, m) = if right < h { (right, left) } else { (left, right) };
    Part::new([h, s, m, Word::ROOT], Geometry::new(&[h < s, h < m], s.ix(), m.ix()))
}

pub(super) fn factors(space: &ArcSpace, _: Trees, _: &Sites, mut visit: impl FnMut(&[ArcId], Part)) {
    for h in (0..=space.words()).map(Word::new) {
        if h.is_root() && space.single_root() {
            continue;
        }
        for a in space.arcs_of(h) {
            for b in a + 1..space.arcs_of(h).end {
                let (a, b) = (ArcId::new(a), ArcId::new(b));
                visit(&[a, b], part(h, space.modifier(a), space.modifier(b)));
            }
        }
    }
}

pub(super) fn parts_in(tree: &Tree, _: &Sites, mut visit: impl FnMut(Part)) {
    for m in 2..=tree.len() {
        let h = tree.heads()[m - 1];
        for s in (1..m).filter(|&s| tree.heads()[s - 1] == h) {
            visit(part(h, Word::new(s), Word::new(m)));
        }
    }
}
