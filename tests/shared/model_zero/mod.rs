//! Koo & Collins (2010), Model 0: scores of arcs and of all chains of two arcs, no siblings. Dense and slow, with nothing in
//! common with the programs of the library: an answer of its own to hold branch and bound against.
//!
//! ```text
//! C(g, h, e) = the best score of the words from h to e, all below h, whose head is g
//!            = 0 if e = h;  max over m from h to e of  I(g, h, m) + C(h, m, e)
//! I(g, h, m) = the same with m as a modifier of h, and of m's half the part towards h alone
//!            = score(h, m) + score(g, h, m) + max over splits r of  C(g, h, r) + C(h, m, r + 1)    (m to the right of h)
//! ```

use std::collections::BTreeMap;

use treebound::graph::{ArcId, FactorGraph, Factors, GrandSiblings, Word};

/// Drops all scores but those of arcs and of chains of two arcs.
pub fn keep_what_it_scores(graph: &mut FactorGraph) {
    graph.local.sibling.fill(0);
    graph.local.grandchild.fill(0);
    graph.grand_siblings = GrandSiblings::default();
    let mut factors = Factors::default();
    for (_, arcs, score) in graph.factors.iter() {
        if chain(graph, arcs).is_some() {
            factors.push(arcs, score);
        }
    }
    graph.factors = factors;
}

/// Grandparent, head and modifier of a chain of two arcs.
fn chain(graph: &FactorGraph, arcs: &[ArcId]) -> Option<[usize; 3]> {
    let &[a, b] = arcs else { return None };
    let ends = |a: ArcId| (graph.space.head(a).ix(), graph.space.modifier(a).ix());
    let ((upper, of_upper), (lower, of_lower)) =
        if ends(a).1 == ends(b).0 { (ends(a), ends(b)) } else { (ends(b), ends(a)) };
    (of_upper == lower).then_some([upper, lower, of_lower])
}

/// A table by grandparent, head and end; minus infinity where there is nothing.
struct Table {
    words: usize,
    values: Vec<Option<i128>>,
}

impl Table {
    fn new(words: usize) -> Self {
        Self { words, values: vec![None; (words + 1).pow(3)] }
    }

    fn at(&mut self, g: usize, h: usize, e: usize) -> &mut Option<i128> {
        &mut self.values[(g * (self.words + 1) + h) * (self.words + 1) + e]
    }
}

fn sum(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    Some(a? + b?)
}

/// The score of the best projective tree with one modifier on the root; none if there is none.
pub fn best_score(graph: &FactorGraph) -> Option<i128> {
    let n = graph.space.words();
    let mut chains: BTreeMap<[usize; 3], i128> = BTreeMap::new();
    for (_, arcs, score) in graph.factors.iter() {
        *chains.entry(chain(graph, arcs).expect("a chain of two arcs")).or_default() += i128::from(score);
    }
    let arc = |h: usize, m: usize| {
        let a = graph.space.find(Word::new(h), Word::new(m))?;
        Some(i128::from(graph.local.arc[a.ix()]))
    };
    let (mut complete, mut incomplete) = (Table::new(n), Table::new(n));
    for h in 1..=n {
        for g in (0..=n).filter(|&g| g != h) {
            *complete.at(g, h, h) = Some(0);
        }
    }
    for width in 1..n {
        for left in 1..=n - width {
            for (h, e) in [(left, left + width), (left + width, left)] {
                let (low, high) = (h.min(e), h.max(e));
                // A grandparent inside the span would be crossed by its own arc or lie below it.
                for g in (0..=n).filter(|g| !(low..=high).contains(g)) {
                    if let Some(score) = arc(h, e) {
                        let both = score + chains.get(&[g, h, e]).copied().unwrap_or(0);
                        let best = (low..high).filter_map(|r| {
                            let (of_head, of_modifier) = if h < e { (r, r + 1) } else { (r + 1, r) };
                            sum(*complete.at(g, h, of_head), *complete.at(h, e, of_modifier))
                        });
                        *incomplete.at(g, h, e) = best.max().map(|best| best + both);
                    }
                }
                for g in (0..=n).filter(|g| !(low..=high).contains(g)) {
                    let modifiers = (low..=high).filter(|&m| m != h);
                    let best = modifiers.filter_map(|m| sum(*incomplete.at(g, h, m), *complete.at(h, m, e)));
                    *complete.at(g, h, e) = best.max();
                }
            }
        }
    }
    (1..=n).filter_map(|m| sum(arc(0, m), sum(*complete.at(0, m, 1), *complete.at(0, m, n)))).max()
}
