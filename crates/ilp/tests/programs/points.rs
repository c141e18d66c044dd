//! The whole points of a program are the graph's trees, and worth what they score: without a solver, by fixing the arcs and
//! following what the rows then say of the other variables.

use proptest::prelude::*;
use treebound_core::decode::brute::for_each_tree;
use treebound_core::graph::{FactorGraph, TreeArcs, Trees, tree_score};
use treebound_ilp::{ColumnId, Form, Formulation, Program, Rows};

use crate::shapes::shapes;

/// Bounds of all variables.
#[derive(Clone)]
struct Box {
    least: Vec<i64>,
    most: Vec<i64>,
}

impl Box {
    /// Narrows bounds until no row narrows one; false if nothing is left. All coefficients and bounds are whole, and so are
    /// the variables: those that need not be lie at the ends of their bounds in a best point.
    fn narrow(&mut self, program: &Program) -> bool {
        loop {
            let mut changed = false;
            for (_, row) in program.rows() {
                let terms = || row.columns.iter().zip(row.coefficients);
                let low = |c: &ColumnId, k: i64| k * if k > 0 { self.least[c.ix()] } else { self.most[c.ix()] };
                let high = |c: &ColumnId, k: i64| k * if k > 0 { self.most[c.ix()] } else { self.least[c.ix()] };
                let (lows, highs): (i64, i64) = terms().fold((0, 0), |(l, h), (c, &k)| (l + low(c, k), h + high(c, k)));
                if row.most.is_some_and(|most| lows > most) || row.least.is_some_and(|least| highs < least) {
                    return false;
                }
                let mut found = Vec::new();
                for (c, &k) in terms() {
                    let most = row.most.map(|most| most - (lows - low(c, k)));
                    let least = row.least.map(|least| least - (highs - high(c, k)));
                    // k x <= most and k x >= least.
                    let (up, down) = if k > 0 { (most, least) } else { (least.map(|v| -v), most.map(|v| -v)) };
                    found.push((*c, down.map(|v| ceiling(v, k.abs())), up.map(|v| v.div_euclid(k.abs()))));
                }
                for (c, least, most) in found {
                    if let Some(least) = least.filter(|&v| v > self.least[c.ix()]) {
                        self.least[c.ix()] = least;
                        changed = true;
                    }
                    if let Some(most) = most.filter(|&v| v < self.most[c.ix()]) {
                        self.most[c.ix()] = most;
                        changed = true;
                    }
                    if self.least[c.ix()] > self.most[c.ix()] {
                        return false;
                    }
                }
            }
            if !changed {
                return true;
            }
        }
    }

    /// No whole point within the bounds is worth more than this; none if there is no point.
    fn best(mut self, program: &Program) -> Option<i128> {
        if !self.narrow(program) {
            return None;
        }
        let open = program.ids().find(|&c| program.is_integer(c) && self.least[c.ix()] < self.most[c.ix()]);
        let Some(c) = open else {
            let value = |c: ColumnId| {
                let at = if program.cost(c) > 0 { self.most[c.ix()] } else { self.least[c.ix()] };
                i128::from(at) * i128::from(program.cost(c))
            };
            return Some(program.constant() + program.ids().map(value).sum::<i128>());
        };
        let values = self.least[c.ix()]..=self.most[c.ix()];
        let fixed = values.filter_map(|value| {
            let mut fixed = self.clone();
            (fixed.least[c.ix()], fixed.most[c.ix()]) = (value, value);
            fixed.best(program)
        });
        fixed.max()
    }
}

fn ceiling(v: i64, k: i64) -> i64 {
    -(-v).div_euclid(k)
}

/// The best whole point with these arcs.
fn best_with(program: &Program, arcs: &[i64]) -> Option<i128> {
    let mut bounds =
        Box { least: vec![0; program.columns().len()], most: program.ids().map(|c| program.most(c)).collect() };
    bounds.least[..arcs.len()].copy_from_slice(arcs);
    bounds.most[..arcs.len()].copy_from_slice(arcs);
    bounds.best(program)
}

fn formulations(trees: Trees) -> impl Iterator<Item = Formulation> {
    let all = Form::ALL.into_iter().filter(move |form| form.has(trees));
    all.flat_map(|form| [Rows::Stated, Rows::Needed].map(|rows| Formulation { form, rows }))
}

fn trees(graph: &FactorGraph) -> Vec<TreeArcs> {
    let mut trees = Vec::new();
    for_each_tree(graph, |heads| {
        let mut arcs = TreeArcs::default();
        assert!(arcs.find(&graph.space, heads));
        trees.push(arcs);
    });
    trees
}

fn marks(graph: &FactorGraph, tree: &TreeArcs) -> Vec<i64> {
    let mut marks = vec![0; graph.space.arcs()];
    for a in tree.arcs() {
        marks[a.ix()] = 1;
    }
    marks
}

fn check(
    graph: &FactorGraph,
    trees: &[TreeArcs],
    chosen: &mut dyn Iterator<Item = Vec<i64>>,
    formulation: Formulation,
) {
    let program = Program::new(graph, formulation);
    let all: Vec<_> = trees.iter().map(|tree| marks(graph, tree)).collect();
    for (tree, marks) in trees.iter().zip(&all) {
        let (point, score) = (program.at(graph, tree), tree_score(graph, tree));
        assert_eq!(program.check(&point), Some(score), "{formulation:?}: the point of {:?}", tree.arcs());
        assert_eq!(best_with(&program, marks), Some(score), "{formulation:?}: the best point of {:?}", tree.arcs());
    }
    for marks in chosen.filter(|marks| !all.contains(marks)) {
        assert_eq!(best_with(&program, &marks), None, "{formulation:?}: {marks:?} is no tree");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn choices_of_a_head_a_word_are_points_if_they_are_trees(shape in shapes(4)) {
        let graph = shape.graph();
        let trees = trees(&graph);
        for formulation in formulations(graph.trees) {
            check(&graph, &trees, &mut choices(&graph), formulation);
        }
    }

    #[test]
    fn sets_of_arcs_are_points_if_they_are_trees(shape in shapes(3)) {
        let graph = shape.graph();
        let (trees, arcs) = (trees(&graph), graph.space.arcs());
        for formulation in formulations(graph.trees) {
            let mut sets = (0..1u32 << arcs).map(|set| (0..arcs).map(|a| i64::from(set >> a & 1)).collect());
            check(&graph, &trees, &mut sets, formulation);
        }
    }
}

/// All ways to give each word a candidate head.
fn choices(graph: &FactorGraph) -> impl Iterator<Item = Vec<i64>> {
    let space = graph.space.clone();
    let into = |m: usize| space.arcs_into(treebound_core::graph::Word::new(m)).to_vec();
    let words: Vec<_> = (1..=space.words()).map(into).collect();
    let ways: usize = words.iter().map(Vec::len).product();
    let arcs = space.arcs();
    (0..ways).map(move |mut way| {
        let mut marks = vec![0; arcs];
        for candidates in &words {
            marks[candidates[way % candidates.len()].ix()] = 1;
            way /= candidates.len();
        }
        marks
    })
}

/// Proposition 1 on all of 6^6 choices of a head for six words (5^5 for five): its rows leave the projective trees.
#[test]
fn spans_leave_the_projective_trees_of_six_words() {
    for words in 1..=6 {
        for single_root in [false, true] {
            let shape = crate::graphs::Shape {
                words,
                trees: Trees::Projective,
                single_root,
                missing: 0,
                scored: 0,
                largest: 9,
                factors: 0,
                counts: 0,
                seed: words as u64,
            };
            let graph = shape.graph();
            let program = Program::new(&graph, Formulation { form: Form::Spans, rows: Rows::Stated });
            let found = choices(&graph).filter(|marks| program.check(marks).is_some()).count();
            assert_eq!(found, trees(&graph).len(), "{words} words");
        }
    }
}
