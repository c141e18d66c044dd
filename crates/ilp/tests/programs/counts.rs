//! Variables, rows and coefficients against the orders that the paper states.

use treebound_core::graph::{ArcId, ArcSpace, FactorGraph, LocalScores, Trees, Word};
use treebound_ilp::{Form, Formulation, Program, Rows};

/// All arcs over so many words, without scores.
fn complete(words: usize, trees: Trees) -> FactorGraph {
    let all = |h| (1..=words).filter(move |&m| m != h).map(move |m| (Word::new(h), Word::new(m)));
    let pairs: Vec<_> = (0..=words).flat_map(all).collect();
    let space = ArcSpace::new(words, false, &pairs).expect("arcs");
    FactorGraph { local: LocalScores::filled(&space, 0), space, trees, ..Default::default() }
}

fn program(graph: &FactorGraph, form: Form) -> Program {
    Program::new(graph, Formulation { form, rows: Rows::Stated })
}

/// Variables, rows, coefficients.
fn size(program: &Program) -> [usize; 3] {
    [program.columns().len(), program.height(), program.coefficients()]
}

/// What a graph's program has beyond that of another.
fn beyond(graph: &FactorGraph, plain: &FactorGraph, form: Form) -> [usize; 3] {
    let (all, own) = (size(&program(graph, form)), size(&program(plain, form)));
    [0, 1, 2].map(|i| all[i] - own[i])
}

#[test]
fn trees_take_as_many_as_stated() {
    for n in [1, 2, 5, 12] {
        let (plain, arcs) = (complete(n, Trees::NonProjective), n * n);
        // Section 3.1: O(n^2).
        let [columns, rows, coefficients] = size(&program(&plain, Form::Flow));
        assert_eq!((columns, rows), (2 * arcs, n + 1 + n + arcs));
        // A head row and two flow rows have each arc (the root's are in its own, not in that of a word); each its own row.
        assert_eq!(coefficients, arcs + n + (2 * arcs - n) + 2 * arcs);
        // Section 3.5: O(n^3).
        let [columns, rows, coefficients] = size(&program(&plain, Form::Paths));
        assert_eq!((columns, rows), (arcs + n * arcs, n + n * n + n * arcs + 1));
        assert_eq!(coefficients, n * (n + (2 * arcs - n) + 2 * arcs) + arcs);
        // Section 3.6: three rows an arc at most.
        let [columns, rows, _] = size(&program(&complete(n, Trees::Projective), Form::Spans));
        assert!(columns == arcs && rows <= n + 3 * arcs, "{rows} rows");
    }
}

/// Equations 13 to 15: a variable and one row more than it has arcs, each.
#[test]
fn conjunctions_take_as_many_as_stated() {
    let n = 7;
    let plain = complete(n, Trees::NonProjective);
    let (space, mut graph) = (&plain.space, plain.clone());
    let mut triples = 0;
    for a in (0..space.arcs()).map(ArcId::new) {
        // Siblings of either side, once; and all arcs below.
        let siblings = a.ix() + 1..space.arcs_of(space.head(a)).end;
        for b in siblings.chain(space.arcs_of(space.modifier(a))).map(ArcId::new) {
            graph.factors.push(&[a, b], if triples % 2 == 0 { 1 } else { -1 });
            triples += 1;
        }
    }
    // O(|A| n) of them.
    assert_eq!(triples, n * (n - 1) / 2 + n * (n - 1) * (n - 2) / 2 + n * n * (n - 1));
    assert_eq!(beyond(&graph, &plain, Form::Flow), [triples, 3 * triples, 7 * triples]);
    let mut four = plain.clone();
    four.factors.push(&[0, 1, 2, 3].map(ArcId), -5);
    assert_eq!(beyond(&four, &plain, Form::Flow), [1, 5, 2 * 4 + 5]);
}

/// Equation 16: coefficients of the order n^3, where rows for each consecutive pair would have n^4.
#[test]
fn consecutive_siblings_take_no_more_than_cubes() {
    let of = |n: usize| {
        let plain = complete(n, Trees::NonProjective);
        let mut graph = plain.clone();
        graph.local.sibling.fill(1);
        let coefficients = beyond(&graph, &plain, Form::Flow)[2] as f64;
        coefficients / (n as f64).powi(3)
    };
    let ratios = [10, 20, 40].map(of);
    assert!(ratios.iter().all(|&ratio| ratio < ratios[0] * 1.3), "{ratios:?}");
}

/// Equation 17: a variable for each word and number of modifiers, and two rows a word.
#[test]
fn valencies_take_as_many_as_stated() {
    let n = 9;
    let plain = complete(n, Trees::NonProjective);
    let mut graph = plain.clone();
    for h in 0..=n {
        let arcs: Vec<_> = plain.space.arcs_of(Word::new(h)).map(ArcId::new).collect();
        let scores: Vec<_> = (0..=arcs.len() as i64).collect();
        graph.counts.push(&arcs, &scores, None);
    }
    let numbers = (n + 1) + n * n;
    // In the first row all but 0, and the arcs; in the second all.
    let coefficients = (numbers - (n + 1)) + n * n + numbers;
    assert_eq!(beyond(&graph, &plain, Form::Flow), [numbers, 2 * (n + 1), coefficients]);
}

/// Section 3.5: O(|A| n) rows; by flow of one commodity too.
#[test]
fn crossing_arcs_take_as_many_as_stated() {
    for (n, form) in [(6, Form::Paths), (12, Form::Paths), (6, Form::Flow), (12, Form::Flow)] {
        let plain = complete(n, Trees::NonProjective);
        let mut graph = plain.clone();
        graph.non_projective = vec![-1; plain.space.arcs()];
        let [columns, rows, _] = beyond(&graph, &plain, form);
        // Arcs from words, not to neighbours; and who descends from whom.
        let crossable = n * (n - 1) - 2 * (n - 1);
        assert_eq!(columns, crossable + n * (n - 1));
        // Two rows an arc, and one a word inside.
        let inside: usize = (1..n).map(|distance| 2 * (n - distance) * (distance - 1)).sum();
        let descent = match form {
            Form::Paths => n * (n - 1),
            // Of a pair, two rows a third word, and one each for the root and the word itself.
            _ => n * (n - 1) * (2 * (n - 2) + 2),
        };
        assert_eq!(rows, 2 * crossable + inside + descent, "{form:?}");
        assert!(rows <= 3 * n * n * n);
    }
}
