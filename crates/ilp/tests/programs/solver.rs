//! The solver against enumeration.

use proptest::prelude::*;
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::{Backbone, Decoder, Scratch, Status, brute};
use treebound_core::graph::{FactorGraph, TreeArcs, Word, tree_score};
use treebound_ilp::{Answer, Form, Fractions, Goal, IlpError, IlpStatus, Settings, decode};

use crate::fractions::{of_arcs, worth, worth_at_most};
use crate::graphs::Shape;
use crate::shapes::shapes;

fn solved(graph: &FactorGraph, goal: Goal, settings: &Settings) -> Answer {
    decode(graph, goal, settings).expect("a graph within the solver's reach")
}

/// What every answer must be, whatever its status.
fn check(graph: &FactorGraph, answer: &Answer) {
    let best = brute::decode(graph);
    let shown = answer.line();
    if let Some(tree) = &answer.tree {
        let mut arcs = TreeArcs::default();
        assert!(arcs.find(&graph.space, tree.heads()) && graph.allows(&arcs), "{shown}");
        assert_eq!(answer.score, Some(tree_score(graph, &arcs)), "{shown}");
        assert!(answer.score <= best.score, "{shown}");
    }
    if answer.bound.is_some() {
        assert!(answer.bound >= best.score, "{shown}: the best tree has {:?}", best.score);
    }
    match answer.status {
        IlpStatus::Optimal => assert_eq!((answer.score, answer.bound), (best.score, best.score), "{shown}"),
        IlpStatus::Infeasible => assert_eq!((answer.tree.as_ref(), best.score), (None, None), "{shown}"),
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn programs_have_the_scores_of_enumeration(shape in shapes(6)) {
        let graph = shape.graph();
        for form in Form::ALL.into_iter().filter(|form| form.has(graph.trees)) {
            for lazy in [true, false] {
                let answer = solved(&graph, Goal::Best, &Settings { form: Some(form), lazy, ..Default::default() });
                check(&graph, &answer);
                prop_assert!(matches!(answer.status, IlpStatus::Optimal | IlpStatus::Infeasible), "{form:?}: {}", answer.line());
            }
        }
    }

    #[test]
    fn relaxations_bound_what_they_are_rounded_to(shape in shapes(6)) {
        let graph = shape.graph();
        for form in Form::ALL.into_iter().filter(|form| form.has(graph.trees)) {
            let answer = solved(&graph, Goal::Relaxed, &Settings { form: Some(form), ..Default::default() });
            check(&graph, &answer);
            prop_assert!(answer.status != IlpStatus::Inexact && answer.nodes == 0);
            // Without a limit on numbers of arcs, a fraction can always be rounded.
            let limited = graph.counts.ids().any(|c| graph.counts.most(c) < u32::MAX);
            prop_assert!(answer.tree.is_some() || limited || answer.status == IlpStatus::Infeasible);
        }
    }

    /// What is learnt from in the place of a tree: worth what the relaxation is, with whole heads and numbers.
    #[test]
    fn fractions_are_worth_what_their_relaxation_is(shape in shapes(6)) {
        let graph = of_arcs(&shape);
        let answer = solved(&graph, Goal::Relaxed, &Settings::default());
        prop_assert_eq!(answer.fractions.is_some(), answer.integral == Some(false));
        if let Some(point) = answer.fractions {
            let whole = i128::from(Fractions::WHOLE);
            // Each part is rounded by up to half a unit, and the value by half a score.
            let scores: i128 = worth_at_most(&graph);
            let off = worth(&graph, &point) - whole * point.value;
            prop_assert!(2 * off.abs() <= scores + whole, "{} {}", off, scores);
            prop_assert!(answer.score < answer.bound || answer.status == IlpStatus::Optimal || answer.score.is_none());
            let space = &graph.space;
            for m in (1..=space.words()).map(Word::new) {
                let heads: i32 = space.arcs_into(m).iter().map(|a| point.arcs[a.ix()]).sum();
                prop_assert!((heads - Fractions::WHOLE).abs() <= space.arcs_into(m).len() as i32);
            }
        }
    }

    /// A limit never makes a claim false.
    #[test]
    fn limits_are_kept(shape in shapes(6), nodes in 0u64..3) {
        let graph = shape.graph();
        for seconds in [None, Some(0.0)] {
            let answer = solved(&graph, Goal::Best, &Settings { nodes: Some(nodes), seconds, ..Default::default() });
            check(&graph, &answer);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..Default::default() })]

    /// Two proofs that know nothing of each other, beyond what enumeration reaches.
    #[test]
    fn branch_and_bound_finds_the_same_scores(shape in shapes(9)) {
        let graph = shape.graph();
        let limits = Limits { dp_calls: Some(1_000), ..Limits::default() };
        let found = Decoder::Bnb.decode(&graph, Backbone::Carreras, None, limits, &mut Scratch::default());
        let found = found.expect("scores within its reach");
        let answer = solved(&graph, Goal::Best, &Settings { seconds: Some(3.0), ..Default::default() });
        let proven = matches!(answer.status, IlpStatus::Optimal | IlpStatus::Infeasible);
        if proven && found.status.is_proof() {
            prop_assert_eq!(answer.score, found.score, "{}", answer.line());
        }
        prop_assert!(found.score <= answer.bound || answer.bound.is_none() && !proven || found.score.is_none());
        prop_assert!(answer.score <= found.bound || found.status == Status::Infeasible && answer.tree.is_none());
    }
}

/// With arcs alone, a flow of one commodity a word has whole relaxations, also over trees that cross.
#[test]
fn relaxations_over_arcs_alone_are_whole() {
    for seed in 0..20 {
        let shape = Shape {
            words: 7,
            trees: treebound_core::graph::Trees::NonProjective,
            single_root: false,
            missing: 30,
            scored: 0,
            largest: 50,
            factors: 0,
            counts: 0,
            seed,
        };
        let mut graph = shape.graph();
        graph.non_projective.clear();
        graph.grand_siblings.clear();
        let answer = solved(&graph, Goal::Relaxed, &Settings { form: Some(Form::Paths), ..Default::default() });
        check(&graph, &answer);
        assert!(matches!(answer.status, IlpStatus::Optimal | IlpStatus::Infeasible), "{}", answer.line());
    }
}

#[test]
fn what_is_beyond_the_solver_is_refused() {
    let shape = Shape {
        words: 3,
        trees: treebound_core::graph::Trees::NonProjective,
        single_root: true,
        missing: 0,
        scored: 0,
        largest: 1 << 40,
        factors: 0,
        counts: 0,
        seed: 1,
    };
    let graph = shape.graph();
    let spans = Settings { form: Some(Form::Spans), ..Default::default() };
    assert_eq!(decode(&graph, Goal::Best, &spans).err(), Some(IlpError::Form));
    assert!(matches!(decode(&graph, Goal::Best, &Settings::default()), Err(IlpError::TooLarge(_))));
}
