//! Random factor graphs for property tests: every density, sign, size of score and shape of factor.

use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use treebound::graph::{ArcId, ArcSpace, FactorGraph, Factors, LocalScores, TreeArcs, Word, tree_score};
use treebound::tree::Tree;

use crate::properties::Tally;

/// What a random graph is like; the rest follows from `seed`.
#[derive(Clone, Debug)]
pub struct Shape {
    pub words: usize,
    pub single_root: bool,
    /// Share of arcs kept, in 1/8.
    pub kept_of_8: u64,
    /// Scores are drawn from -range..=range, then multiplied by `unit`.
    pub range: i64,
    pub unit: i64,
    /// Only negative, only positive, or both.
    pub sign: i64,
    pub factors: usize,
    /// Whether the arcs of a random projective tree are kept besides, so that there is a tree.
    pub has_tree: bool,
    pub seed: u64,
}

#[allow(dead_code, reason = "not every test crate draws its shapes")]
pub fn shapes(max_words: usize, max_factors: usize) -> impl Strategy<Value = Shape> {
    let ranges = prop_oneof![Just(0i64), Just(1), Just(3), Just(100), Just(1_000_000)];
    (
        1..=max_words,
        any::<bool>(),
        1u64..=8,
        ranges,
        prop_oneof![4 => Just(1i64), 1 => Just(1 << 40)],
        -1i64..=1,
        0..=max_factors,
        any::<u64>(),
    )
        .prop_map(|(words, single_root, kept_of_8, range, unit, sign, factors, seed)| Shape {
            words,
            single_root,
            kept_of_8,
            range,
            unit,
            sign,
            factors,
            has_tree: false,
            seed,
        })
}

/// Longer sentences over few arcs a word, factors mostly on connected arcs.
#[allow(dead_code, reason = "not every test crate has long sentences")]
pub fn long_shapes(max_factors: usize) -> impl Strategy<Value = Shape> {
    (8usize..=18, any::<u64>(), 0..=max_factors).prop_map(|(words, seed, factors)| Shape {
        words,
        single_root: seed % 4 != 0,
        kept_of_8: 1 + seed / 8 % if words > 14 { 2 } else { 4 },
        range: 100,
        unit: 1,
        sign: 0,
        factors,
        // Few arcs seldom hold a tree by chance.
        has_tree: seed % 8 != 7,
        seed,
    })
}

pub struct Draw(ChaCha8Rng);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0.next_u64() % n
    }

    pub fn score(&mut self, shape: &Shape) -> i64 {
        let v = self.below(2 * shape.range as u64 + 1) as i64 - shape.range;
        let v = match shape.sign {
            1 => v.abs(),
            -1 => -v.abs(),
            _ => v,
        };
        v * shape.unit
    }
}

/// The arcs of factors of the families with three arcs and more: chains, triples and runs of one head.
fn family_shapes(space: &ArcSpace) -> Vec<Vec<ArcId>> {
    use treebound::features::{Family, hand::Sites};

    let mut shapes = Vec::new();
    for family in [Family::Comb, Family::GreatGrandchild, Family::TriSibling] {
        family.factors(space, Default::default(), &Sites::default(), |arcs, _| shapes.push(arcs.to_vec()));
    }
    shapes
}

/// A random projective tree: the words of a span hang on a random one of them, directly or not.
pub fn random_tree(draw: &mut Draw, n: usize, single_root: bool) -> Tree {
    let mut heads = vec![Word::ROOT; n];
    let mut spans = vec![(0, n, Word::ROOT, single_root)];
    while let Some((from, to, head, one)) = spans.pop() {
        if from == to {
            continue;
        }
        // The first part of the span is a subtree of its own under `head`; flat and steep trees alike.
        let longest = (to - from).min(if draw.below(3) == 0 { 9 } else { 2 });
        let end = if one { to } else { from + 1 + draw.below(longest as u64) as usize };
        let top = from + draw.below((end - from) as u64) as usize;
        heads[top] = head;
        let word = Word::new(top + 1);
        spans.extend([(from, top, word, false), (top + 1, end, word, false), (end, to, head, false)]);
    }
    Tree::new(heads).expect("a tree")
}

pub fn random_graph(shape: &Shape) -> FactorGraph {
    let mut draw = Draw::new(shape.seed);
    let n = shape.words;
    let tree = shape.has_tree.then(|| random_tree(&mut draw, n, shape.single_root));
    let mut arcs = Vec::new();
    for h in 0..=n {
        for m in 1..=n {
            let needed = tree.as_ref().is_some_and(|tree| tree.head(Word::new(m)).ix() == h);
            if h != m && (draw.below(8) < shape.kept_of_8 || needed) {
                arcs.push((Word::new(h), Word::new(m)));
            }
        }
    }
    let space = ArcSpace::new(n, shape.single_root, &arcs).expect("valid arcs");
    let mut local = LocalScores::filled(&space, 0i64);
    for v in local.arc.iter_mut().chain(&mut local.sibling).chain(&mut local.grandchild) {
        *v = draw.score(shape);
    }
    let mut factors = Factors::default();
    if space.arcs() > 0 {
        let shapes = family_shapes(&space);
        for _ in 0..shape.factors {
            let size = 2 + draw.below(4);
            let mut arcs: Vec<ArcId> =
                (0..size).map(|_| ArcId::new(draw.below(space.arcs() as u64) as usize)).collect();
            if !shapes.is_empty() && draw.below(8) == 0 {
                arcs.clone_from(&shapes[draw.below(shapes.len() as u64) as usize]);
            } else if draw.below(2) == 0 {
                // A connected shape: all arcs of one head, or a chain down from one arc.
                let h = space.head(arcs[0]);
                let pool: Vec<usize> =
                    if draw.below(2) == 0 { space.arcs_of(h).collect() } else { space.children(arcs[0]).collect() };
                for a in &mut arcs[1..] {
                    if !pool.is_empty() {
                        *a = ArcId::new(pool[draw.below(pool.len() as u64) as usize]);
                    }
                }
            }
            arcs.sort_unstable();
            arcs.dedup();
            factors.push(&arcs, draw.score(shape));
        }
    }
    FactorGraph { space, local, factors, ..FactorGraph::default() }
}

/// Gives a random half of the graph's grand-sibling parts (or all, or few) a score.
#[allow(dead_code, reason = "not every test crate has third-order graphs")]
pub fn add_grand_siblings(graph: &mut FactorGraph, shape: &Shape) {
    let mut draw = Draw::new(shape.seed ^ 0x6773);
    let share = draw.below(9);
    let space = &graph.space;
    for a in (0..space.arcs()).map(ArcId::new) {
        for b in space.children(a).map(ArcId::new) {
            for sibling in std::iter::once(space.first_modifier_part(b)).chain(space.sibling_parts_of(b)) {
                if draw.below(8) < share {
                    let score = draw.score(shape);
                    graph.grand_siblings.push(space.grandchild_part(a, b), sibling, score);
                }
            }
        }
    }
}

#[allow(dead_code, reason = "not every test crate has programs with max-marginals")]
/// Holds the trees that a program gives for each arc against its max-marginals.
pub fn check_trees_with(
    graph: &FactorGraph,
    marginals: &[Option<i128>],
    mut best_with: impl FnMut(ArcId) -> Option<Vec<ArcId>>,
) {
    for (a, &marginal) in (0..).map(ArcId::new).zip(marginals) {
        let Some(arcs) = best_with(a) else {
            assert_eq!(marginal, None, "a tree has arc {a:?}");
            continue;
        };
        assert!(arcs.contains(&a));
        let tree = Tree::from_decoder(arcs.iter().map(|&a| graph.space.head(a)).collect());
        let mut found = TreeArcs::default();
        assert!(found.find(&graph.space, tree.heads()) && found.arcs() == arcs, "each arc at the place of its word");
        assert_eq!(marginal, Some(tree_score(graph, &found)));
        assert!(tree.is_projective());
        assert!(!graph.space.single_root() || tree.roots().count() == 1);
    }
}

#[allow(dead_code, reason = "not every test crate has programs with max-marginals")]
/// Counts the arcs that trees have and those that no tree has.
pub fn count_marginals(tally: &Tally, marginals: &[Option<i128>]) {
    for marginal in marginals {
        tally.add(if marginal.is_some() { "an arc of a tree" } else { "an arc of no tree" });
    }
}
