//! The point of a tree, from what the variables mean.

use treebound_core::graph::{ArcId, FactorGraph, TreeArcs, TreePart, Word};

use crate::program::{Column, Order, Program, Side};

impl Program {
    /// Where each variable lies for the tree marked in `tree`.
    pub fn at(&self, graph: &FactorGraph, tree: &TreeArcs) -> Vec<i64> {
        self.columns().iter().map(|&column| value(graph, tree, column)).collect()
    }
}

fn value(graph: &FactorGraph, tree: &TreeArcs, column: Column) -> i64 {
    let (space, counts) = (&graph.space, &graph.counts);
    // The word at the far end of an arc of the tree descends from it.
    let below = |a: ArcId, word: Word| tree.has(a) && tree.descends(space, word, space.modifier(a));
    i64::from(match column {
        Column::Arc(a) => tree.has(a),
        Column::Factor(c) => tree.has_all(graph.factors.arcs(c)),
        Column::Siblings(a, b) => tree.has(a) && tree.has(b),
        Column::SiblingBetween(inner, outer, side) => {
            let above = space.head(tree.arcs()[inner.ix() - 1]);
            let between = |m: Word| match side {
                Side::Right => above < inner && inner < m && m < outer,
                Side::Left => above > inner && inner > m && m > outer,
            };
            tree.arcs().iter().any(|&a| space.head(a) == above && between(space.modifier(a)))
        }
        Column::Earlier(a, order) => earlier(graph, tree, a, order),
        Column::First(a, order) => tree.has(a) && !earlier(graph, tree, a, order),
        Column::Part(part) => has(graph, tree, part),
        Column::Or(c) => counts.count(c, tree) > 0,
        Column::Count(c, k) => {
            let last = counts.scores(c).len() as u32 - 1;
            counts.count(c, tree).min(last) == k
        }
        Column::Descends(above, word) => tree.descends(space, word, above),
        Column::NonProjective(a) => tree.has(a) && !tree.is_projective(space, a),
        Column::Commodity(a, word) => below(a, word),
        Column::Flow(a) => return (1..=space.words()).filter(|&m| below(a, Word::new(m))).count() as i64,
        Column::Excess(c) => {
            return i64::from(counts.count(c, tree).saturating_sub(counts.scores(c).len() as u32 - 1));
        }
    })
}

/// Whether the tree has an arc of the same head and side before `a` in the order.
fn earlier(graph: &FactorGraph, tree: &TreeArcs, a: ArcId, order: Order) -> bool {
    let space = &graph.space;
    let inner = space.inner_siblings(a);
    let mut before = match order {
        Order::Outwards => inner,
        Order::Inwards => {
            let (all, right) = (space.arcs_of(space.head(a)), space.head(a) < space.modifier(a));
            if right { a.ix() + 1..all.end } else { all.start..a.ix() }
        }
    };
    before.any(|b| tree.has(ArcId::new(b)))
}

fn has(graph: &FactorGraph, tree: &TreeArcs, part: TreePart) -> bool {
    let mut found = false;
    treebound_core::graph::each_part(graph, tree, |own, _| found |= own == part);
    found
}
