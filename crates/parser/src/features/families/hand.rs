//! `hand`: hand-crafted features (paper, section 4.3 and figure 3): sets of arcs between the words of a pattern such as
//! `A ... rather than A`. The patterns are data, by language: see [`crate::features::hand`].
//!
//! A factor is one tree shape of a pattern at one place of the sentence where its words stand. The part gives the first
//! and the last word of the pattern the roles `a` and `b`, and those of the tree's first arc `h` and `m`.

use super::{Facts, Shape};
use crate::features::hand::Sites;
use crate::features::parts::Part;
use crate::treebank::Tree;
use treebound_core::graph::{ArcId, ArcSpace, Trees, Word};

/// The numbers of a pattern's trees use all geometries, as three directions do.
pub(super) const FAMILY: Facts =
    Facts { name: "hand", roles: "abhm", directions: 3, growth: Some(4), shape: Shape::All };

pub(super) fn factors(space: &ArcSpace, _: Trees, sites: &Sites, mut visit: impl FnMut(&[ArcId], Part)) {
    let mut arcs = Vec::new();
    for site in sites.iter() {
        let mut at = |head: Word| {
            arcs.clear();
            arcs.extend(site.arcs(head).map_while(|(h, m)| space.find(h, m)));
            if arcs.len() == site.len() {
                visit(&arcs, site.part(head));
            }
        };
        match site.modifier_of_any() {
            None => at(Word::ROOT),
            Some(m) => {
                for &a in space.arcs_into(m) {
                    let head = space.head(a);
                    // Two modifiers share the free head, so it is not a root of one modifier.
                    if !(head.is_root() && space.single_root()) {
                        at(head);
                    }
                }
            }
        }
    }
}

pub(super) fn parts_in(tree: &Tree, sites: &Sites, mut visit: impl FnMut(Part)) {
    for site in sites.iter() {
        let head = site.modifier_of_any().map_or(Word::ROOT, |m| tree.head(m));
        if site.arcs(head).all(|(h, m)| tree.head(m) == h) {
            visit(site.part(head));
        }
    }
}
