//! Branch and bound: exact decoding with non-local factors (paper, section 3).
//!
//! * [`exact`]: the default search;
//! * [`paper`]: the algorithm of Qian & Liu (2013), faithfully;
//! * [`Problem`]: a graph made ready for it (impossible factors dropped, local ones folded in, scores in fixed point).
//!
//! A factor graph made ready for branch and bound.
//!
//! * Factors that no tree can have (two heads for one word, crossing arcs, two root modifiers, a cycle) are dropped.
//! * Factors that the dynamic program scores itself are folded into its parts: a single arc; two arcs that can only be
//!   adjacent siblings, because no candidate arc lies between them; an arc and a child that can only be outermost (paper,
//!   section 3.5: higher-order factors of the backbone are local). With [`Backbone::GrandSibling`] every arc and child is.
//! * Scores become fixed-point numbers with [`Scale::bits`] bits below the unit, so that a multiplier can hold a fraction
//!   of a score and sums stay exact.

pub mod exact;
pub mod paper;

use crate::decode::backbone::Backbone;
use crate::decode::grand_sibling::GrandScores;
use crate::decode::semiring::{Value, exact_in_f64};
use crate::graph::{ArcId, ArcSpace, FactorGraph, LocalScores};
use crate::tree::crossing;

pub use crate::decode::outcome::Limits;

/// The fixed point of a problem: a score of 1 is `1 << bits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Bits below the unit.
    pub bits: u32,
    /// Whether all sums of scaled scores are exact in `f64`.
    pub fits_f64: bool,
}

/// Most bits below the unit: finer multipliers do not tighten bounds that are rounded to whole units.
const MOST_BITS: u32 = 16;
/// With fewer bits than this in `f64`, wider numbers are used instead.
const FEWEST_BITS: u32 = 6;

impl Scale {
    /// The finest scale in which no sum that a search forms can lose a bit.
    pub fn finest(graph: &FactorGraph) -> Self {
        Self::for_sums(largest_sum(graph))
    }

    /// The finest scale for sums of at most `total` units.
    fn for_sums(total: u128) -> Self {
        let bits = (0..=MOST_BITS).rev().find(|&bits| exact_in_f64(total.saturating_mul(1 << bits)));
        match bits {
            Some(bits) if bits >= FEWEST_BITS => Self { bits, fits_f64: true },
            // Scores this large are integers of 40 bits and more; whole units are fine enough for them.
            _ => Self { bits: 0, fits_f64: false },
        }
    }
}

/// No partial tree, with any share of the factors added to its arcs, has a score beyond this in absolute value.
fn largest_sum(graph: &FactorGraph) -> u128 {
    let mut by_arc: Vec<u128> = graph.local.arc.iter().map(|s| s.unsigned_abs().into()).collect();
    let mut constants = 0;
    for (_, arcs, score) in graph.factors.iter() {
        let size = u128::from(score.unsigned_abs());
        arcs.iter().for_each(|a| by_arc[a.ix()] += size);
        constants += size * arcs.len() as u128;
    }
    let largest = |scores: &[i64]| u128::from(scores.iter().map(|s| s.unsigned_abs()).max().unwrap_or(0));
    let word = by_arc.iter().max().copied().unwrap_or(0)
        + largest(&graph.local.sibling)
        + largest(graph.grand_siblings.scores())
        + 2 * largest(&graph.local.grandchild);
    // Differences of sums are formed too: leave a bit for the sign of each.
    2 * (word * graph.space.words() as u128 + constants) + 1
}

/// A graph ready for search, in fixed point.
#[derive(Debug)]
pub struct Problem<'a, V> {
    /// The graph that it was made from.
    pub graph: &'a FactorGraph,
    /// The fixed point.
    pub scale: Scale,
    /// The dynamic program.
    pub backbone: Backbone,
    /// Local scores with folded factors, scaled.
    pub local: LocalScores<V>,
    /// The scores that only the third-order program has, with folded factors, scaled.
    pub grand: GrandScores<V>,
    /// The factors left, scaled.
    pub factors: Factors,
    /// What every tree gains: the factors without arcs, scaled.
    pub constant: i128,
    /// How many of the graph's factors and parts the program does not score.
    pub beyond: usize,
}

/// The factors of a problem: as [`crate::graph::Factors`], two arcs or more each and no score 0.
pub type Factors = crate::graph::Factors;

impl<'a, V: Value> Problem<'a, V> {
    /// Prepares `graph` at `scale`, which must be [`Scale::finest`] it; `V` must be `f64` only where that fits.
    pub fn new(graph: &'a FactorGraph, backbone: Backbone, scale: Scale) -> Self {
        let space = &graph.space;
        let backbone = backbone.for_graph(graph);
        let scaled = |score: i64| V::from_score(score << scale.bits);
        let mut local = LocalScores::default();
        graph.local.map_into(&mut local, scaled);
        let mut grand = GrandScores::default();
        graph.grand_siblings.map_into(&mut grand.siblings, scaled);
        if backbone == Backbone::GrandSibling {
            grand.any.resize(space.grandchild_parts(), V::ZERO);
        }
        let mut factors = Factors::default();
        let mut constant = 0;
        for (_, arcs, score) in graph.factors.iter() {
            if score == 0 || !possible(space, arcs, backbone.is_projective()) {
                continue;
            }
            match *arcs {
                [] => constant += i128::from(score),
                [a] => add(&mut local.arc[a.ix()], scaled(score)),
                [a, b] if backbone.is_projective() => match local_part(space, a, b).or_else(|| local_part(space, b, a))
                {
                    Some(LocalPart::Sibling(part)) => add(&mut local.sibling[part], scaled(score)),
                    Some(LocalPart::Grandchild(part)) => add(&mut local.grandchild[part], scaled(score)),
                    None => match chain(space, a, b).and_then(|part| grand.any.get_mut(part)) {
                        Some(any) => add(any, scaled(score)),
                        None => factors.push(arcs, score << scale.bits),
                    },
                },
                _ => factors.push(arcs, score << scale.bits),
            }
        }
        let parts = if backbone.is_projective() { 0 } else { graph.parts_beyond_arcs() };
        let beyond = factors.len() + graph.counts.len() + parts;
        Self { graph, scale, backbone, local, grand, factors, constant: constant << scale.bits, beyond }
    }

    /// The largest multiple of a unit that is not above `bound`: scores are whole units, so a bound may be rounded down
    /// (paper, section 4.4).
    pub fn round_down(&self, bound: i128) -> i128 {
        bound >> self.scale.bits << self.scale.bits
    }

    /// A scaled score in units of the graph; it must be a whole number of units.
    pub fn to_units(&self, scaled: i128) -> i128 {
        scaled >> self.scale.bits
    }
}

fn add<V: Value>(to: &mut V, score: V) {
    *to = *to + score;
}

enum LocalPart {
    Sibling(usize),
    Grandchild(usize),
}

/// The local part that a tree has exactly when it has both arcs, if there is one.
fn local_part(space: &ArcSpace, a: ArcId, b: ArcId) -> Option<LocalPart> {
    if space.head(a) == space.head(b) {
        let inner = space.inner_siblings(a);
        // The nearest inner arc is the last on the right side, the first on the left side.
        let nearest = if space.head(a) < space.modifier(a) { inner.end.checked_sub(1) } else { Some(inner.start) };
        return (inner.contains(&b.ix()) && nearest == Some(b.ix()))
            .then(|| LocalPart::Sibling(space.sibling_part(a, b)));
    }
    if space.head(b) == space.modifier(a) && space.children(a).contains(&b.ix()) {
        let leftward = space.modifier(b) < space.head(b);
        let beyond = if leftward { space.left_arcs_of(space.head(b)) } else { space.right_arcs_of(space.head(b)) };
        let children = space.children(a);
        let outermost = if leftward {
            beyond.start.max(children.start) == b.ix()
        } else {
            beyond.end.min(children.end) == b.ix() + 1
        };
        return outermost.then(|| LocalPart::Grandchild(space.grandchild_part(a, b)));
    }
    None
}

/// The grandchild part of two arcs in a chain, in whatever order they come.
fn chain(space: &ArcSpace, a: ArcId, b: ArcId) -> Option<usize> {
    let (upper, lower) = if space.head(b) == space.modifier(a) { (a, b) } else { (b, a) };
    let is_chain = space.head(lower) == space.modifier(upper) && space.children(upper).contains(&lower.ix());
    is_chain.then(|| space.grandchild_part(upper, lower))
}

/// Arcs of a set up to which looking at each two of them is the fastest.
const FEW: usize = 16;

/// Whether some set of arcs could stand in one tree, a `projective` one: no word has two heads, nor the root two modifiers where
/// it may have one, none go round, and in a projective one no two cross.
fn possible(space: &ArcSpace, arcs: &[ArcId], projective: bool) -> bool {
    if arcs.len() > FEW { possible_of_many(space, arcs, projective) } else { possible_of_few(space, arcs, projective) }
}

/// As [`possible`], looking at each two arcs, and up from each.
fn possible_of_few(space: &ArcSpace, arcs: &[ArcId], projective: bool) -> bool {
    let ends = |a: ArcId| (space.head(a).ix(), space.modifier(a).ix());
    for (i, &a) in arcs.iter().enumerate() {
        for &b in &arcs[..i] {
            let two_heads = ends(a).1 == ends(b).1;
            let two_roots = space.single_root() && ends(a).0 == 0 && ends(b).0 == 0;
            if two_heads || two_roots || projective && crossing(span(space, a), span(space, b)) {
                return false;
            }
        }
    }
    // With one head a word, following heads from any modifier either leaves the set or goes round.
    arcs.iter().all(|&start| {
        let mut at = ends(start).0;
        for _ in 0..arcs.len() {
            match arcs.iter().find(|&&a| ends(a).1 == at) {
                Some(&a) => at = ends(a).0,
                None => return true,
            }
        }
        false
    })
}

/// As [`possible`], in time of the order of arcs and words, and of sorting the arcs.
fn possible_of_many(space: &ArcSpace, arcs: &[ArcId], projective: bool) -> bool {
    let mut heads = vec![None; space.words() + 1];
    for &a in arcs {
        if heads[space.modifier(a).ix()].replace(space.head(a)).is_some() {
            return false;
        }
    }
    let of_root = arcs.iter().filter(|&&a| space.head(a).is_root()).count();
    if space.single_root() && of_root > 1 {
        return false;
    }
    // Spans from left to right, of those that begin together the widest first: each lies in all that are open, or crosses one.
    let mut spans: Vec<(usize, usize)> = arcs.iter().map(|&a| span(space, a)).collect();
    spans.sort_unstable_by_key(|&(start, end)| (start, std::cmp::Reverse(end)));
    let mut open: Vec<usize> = Vec::new();
    for (start, end) in spans {
        while open.last().is_some_and(|&last| last <= start) {
            open.pop();
        }
        if projective && open.last().is_some_and(|&last| last < end) {
            return false;
        }
        open.push(end);
    }
    // Words are struck off the way up from each; who comes to a word of the same way goes round.
    let mut passed_from = vec![0; space.words() + 1];
    (1..=space.words()).all(|start| {
        let mut at = start;
        while let Some(head) = heads[at] {
            if passed_from[at] != 0 {
                return passed_from[at] != start;
            }
            passed_from[at] = start;
            at = head.ix();
        }
        true
    })
}

/// The words between which an arc stands.
fn span(space: &ArcSpace, a: ArcId) -> (usize, usize) {
    let (h, m) = (space.head(a).ix(), space.modifier(a).ix());
    (h.min(m), h.max(m))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Word;
    use proptest::prelude::*;

    proptest! {
        /// Both ways to find out agree, on sets of which one in some is possible.
        #[test]
        fn few_and_many_arcs_are_looked_at_alike(
            words in 2usize..9,
            single_root in any::<bool>(),
            draws in prop::collection::vec((0usize..100, 0usize..100), 1..9),
        ) {
            let pairs = (0..=words).flat_map(|h| (1..=words).map(move |m| (h, m))).filter(|(h, m)| h != m);
            let all: Vec<_> = pairs.map(|(h, m)| (Word::new(h), Word::new(m))).collect();
            let space = ArcSpace::new(words, single_root, &all).expect("valid arcs");
            let mut arcs = Vec::new();
            for (h, m) in draws {
                let m = 1 + m % words;
                arcs.extend(space.find(Word::new(h % (words + 1)), Word::new(m)));
                for projective in [false, true] {
                    let [few, many] = [possible_of_few, possible_of_many].map(|is| is(&space, &arcs, projective));
                    prop_assert_eq!(few, many, "{:?}", &arcs);
                }
                if !possible_of_few(&space, &arcs, single_root) {
                    arcs.pop();
                }
            }
        }
    }
}
