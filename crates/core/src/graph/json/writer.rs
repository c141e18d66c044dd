//! From the ids of a graph to a file's words.

use super::{FactorFile, GraphFile};
use crate::graph::{ArcId, FactorGraph};

impl GraphFile {
    /// The file of a graph and the probabilities of its arcs; parts with score 0 are left out.
    pub fn of(graph: &FactorGraph, prior: Option<&[f64]>) -> Self {
        let space = &graph.space;
        let ends = |a: ArcId| (u64::from(space.head(a).0), u64::from(space.modifier(a).0));
        let mut file = GraphFile {
            version: 1,
            words: space.words(),
            single_root: space.single_root(),
            arcs: Vec::new(),
            siblings: Vec::new(),
            grandchildren: Vec::new(),
            grand_siblings: Vec::new(),
            factors: Vec::new(),
            prior: prior.map(<[f64]>::to_vec),
        };
        for a in (0..space.arcs()).map(ArcId::new) {
            let (h, m) = ends(a);
            file.arcs.push((h, m, graph.local.arc[a.ix()]));
            let mut sibling = |inner: u64, part: usize| {
                let score = graph.local.sibling[part];
                if score != 0 {
                    file.siblings.push((h, inner, m, score));
                }
            };
            sibling(h, space.first_modifier_part(a));
            for b in space.inner_siblings(a).map(ArcId::new) {
                sibling(ends(b).1, space.sibling_part(a, b));
            }
            for b in space.children(a).map(ArcId::new) {
                let part = space.grandchild_part(a, b);
                let (child, score) = (ends(b).1, graph.local.grandchild[part]);
                if score != 0 {
                    file.grandchildren.push((h, m, child, score));
                }
                for (sibling, score) in graph.grand_siblings.of(part).filter(|(_, score)| *score != 0) {
                    let inner = sibling.checked_sub(space.first_modifier_part(b) + 1);
                    let inner = inner.map_or(m, |i| ends(ArcId::new(space.inner_siblings(b).start + i)).1);
                    file.grand_siblings.push((h, m, inner, child, score));
                }
            }
        }
        for (_, arcs, score) in graph.factors.iter() {
            file.factors.push(FactorFile { arcs: arcs.iter().map(|&a| ends(a)).collect(), score });
        }
        file
    }
}
