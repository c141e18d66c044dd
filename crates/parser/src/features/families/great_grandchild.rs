//! `great-grandchild`: all chains of three arcs, g -> h -> m -> c (paper, section 4.3).

use super::grandchild::below;
use super::{Facts, Shape};
use crate::features::geometry::Geometry;
use crate::features::hand::Sites;
use crate::features::parts::Part;
use crate::treebank::{Tree, crossing};
use treebound_core::graph::{ArcId, ArcSpace, Trees, Word};

pub(super) const FAMILY: Facts =
    Facts { name: "great-grandchild", roles: "ghmc", directions: 3, growth: Some(5), shape: Shape::All };

/// A chain of three arcs.
#[inline(always)]
fn part(g: Word, h: Word, m: Word, c: Word) -> Part {
    Part::new([g, h, m, c], Geometry::new(&[g < h, h < m, m < c], g.ix(), c.ix()))
}

pub(super) fn factors(space: &ArcSpace, trees: Trees, _: &Sites, mut visit: impl FnMut(&[ArcId], Part)) {
    for middle in (0..space.arcs()).map(ArcId::new) {
        let (h, m) = (space.head(middle), space.modifier(middle));
        if h.is_root() {
            continue;
        }
        for &upper in space.arcs_into(h) {
            let g = space.head(upper);
            if m == g || (trees == Trees::Projective && !space.children(upper).contains(&middle.ix())) {
                continue;
            }
            for lower in below(space, trees, middle) {
                let c = space.modifier(lower);
                if c != g && (trees == Trees::NonProjective || !crossing(span(g, h), span(m, c))) {
                    visit(&[upper, middle, lower], part(g, h, m, c));
                }
            }
        }
    }
}

fn span(a: Word, b: Word) -> (usize, usize) {
    (a.ix().min(b.ix()), a.ix().max(b.ix()))
}

pub(super) fn parts_in(tree: &Tree, _: &Sites, mut visit: impl FnMut(Part)) {
    for c in (1..=tree.len()).map(Word::new) {
        let m = tree.head(c);
        if m.is_root() {
            continue;
        }
        let h = tree.head(m);
        if !h.is_root() {
            visit(part(tree.head(h), h, m, c));
        }
    }
}
