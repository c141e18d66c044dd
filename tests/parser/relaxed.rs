//! Learning from points of relaxations: one that is a tree teaches what the tree does.

use crate::common::Draw;
use treebound::decode::bnb::Limits;
use treebound::decode::{self, Backbone, Decoder};
use treebound::features::groups::Folding;
use treebound::features::parts::BetweenWords;
use treebound::features::{Family, TemplateGroups, TemplateSet};
use treebound::graph::{FactorGraph, TreeArcs, Trees, Word};
use treebound::learn::online::{Example, Online, Predicted, Steps};
use treebound::model::build::{Builder, TreeParts};
use treebound::model::point::PointParts;
use treebound::model::{TreeKind, kinds_wanted};
use treebound::pruning::{Candidates, Rule};
use treebound::treebank::synth::{Config, generate};
use treebound::treebank::{Sentence, Tree};
use treebound::weights::contexts::Weights;
use treebound_ilp::{Formulation, Fractions, Program};

const BACKBONE: Backbone = Backbone::Arborescence;
const FAMILIES: [Family; 5] = [Family::Grandchild, Family::Nonprojective, Family::Or, Family::Sibling, Family::Valency];
const STEPS: Steps = Steps::Mira { aggressiveness: 0.05 };

fn kind() -> TreeKind {
    TreeKind { trees: Trees::NonProjective, ..TreeKind::default() }
}

fn template_groups() -> TemplateGroups {
    let templates = TemplateSet::built_in("martins").expect("built in").expect("sound");
    TemplateGroups::new(&templates, |kind| kinds_wanted(&FAMILIES, BACKBONE, kind), Folding::All)
}

/// Sentences of trees of which many cross, with all arcs kept.
fn text() -> (Vec<Sentence>, Vec<Candidates>) {
    let made = generate(&Config { train: 200, dev: 1, test: 1, ..Config::default() }).expect("valid settings");
    let mut sentences: Vec<Sentence> = made.train.into_iter().filter(|sentence| sentence.len() <= 15).collect();
    let mut draw = Draw::new(3);
    for sentence in &mut sentences {
        let own = gold(sentence).clone();
        let mut heads = own.heads().to_vec();
        let [m, h] = [(); 2].map(|()| draw.below(own.len() as u64) as usize);
        if !heads[m].is_root() {
            heads[m] = Word::new(1 + h);
        }
        sentence.gold = Some(Tree::new(heads).unwrap_or(own));
    }
    assert!(sentences.iter().filter(|sentence| !gold(sentence).is_projective()).count() > 10);
    let mut kept = vec![Candidates::default(); sentences.len()];
    kept.iter_mut().zip(&sentences).for_each(|(kept, sentence)| kept.fill(Rule::None, sentence.len(), &[]));
    (sentences, kept)
}

fn gold(sentence: &Sentence) -> &Tree {
    sentence.gold.as_ref().expect("a tree")
}

fn examples<'a>(sentences: &'a [Sentence], kept: &'a [Candidates]) -> Vec<Example<'a>> {
    let pairs = sentences.iter().zip(kept);
    pairs.map(|(sentence, candidates)| Example { sentence, tree: gold(sentence), candidates }).collect()
}

/// The point of a tree of a graph that scores `score`.
fn point(graph: &FactorGraph, tree: &Tree, score: i128) -> Fractions {
    let program = Program::new(graph, Formulation::usual(graph.trees));
    let mut arcs = TreeArcs::default();
    assert!(arcs.find(&graph.space, tree.heads()));
    let point: Vec<f64> = program.at(graph, &arcs).into_iter().map(|value| value as f64).collect();
    Fractions::new(graph, &program, &point, (score - program.constant()) as f64)
}

/// Learns two passes, from trees or from their points.
fn learnt<'t>(groups: &'t TemplateGroups, from_points: bool) -> Online<'t> {
    let (sentences, kept) = text();
    let mut online = Online::new(groups, &FAMILIES, STEPS.unit(), 1).expect("memory").with_kind(kind());
    let (mut scratch, limits) = (decode::Scratch::default(), Limits { dp_calls: Some(30), ..Limits::default() });
    for _ in 0..2 {
        let statistics = online.pass(&examples(&sentences, &kept), STEPS, |graph, prior| {
            let found = Decoder::Bnb.decode(graph, BACKBONE, prior, limits, &mut scratch)?;
            let mut found = Predicted::from(found);
            if from_points {
                found.point = found.trees.first().map(|(tree, score)| point(graph, tree, *score));
            }
            Ok::<_, decode::DpError>(found)
        });
        assert!(statistics.expect("a pass").mistakes > 20);
    }
    online
}

#[test]
fn a_point_that_is_a_tree_teaches_what_the_tree_does() {
    let groups = template_groups();
    let [trees, points] = [false, true].map(|from_points| learnt(&groups, from_points).average().expect("small"));
    assert!(trees.iter().filter(|entry| entry.weight != 0).count() > 1000);
    // Contexts that came to nothing may be there or not.
    let weighted = |entries: Vec<_>| {
        let weighted = entries.into_iter().filter(|entry: &treebound::weights::contexts::Entry| entry.weight != 0);
        weighted.collect::<Vec<_>>()
    };
    assert_eq!(weighted(trees), weighted(points));
}

#[test]
fn the_parts_of_a_point_are_those_of_its_trees() {
    let groups = template_groups();
    let online = learnt(&groups, false);
    let (sentences, kept) = text();
    let mut builder = Builder::default();
    let (mut parts, mut of_tree, mut between) = (PointParts::default(), TreeParts::default(), BetweenWords::default());
    // Without weights nothing is in a program; with weights much is, and not all.
    let empty = Online::new(&groups, &FAMILIES, STEPS.unit(), 1).expect("memory");
    for table in [empty.table(), online.table()] {
        let mut scored = 0;
        for (sentence, kept) in sentences.iter().zip(&kept) {
            let weights = Weights::changing(table);
            let graph = builder.build(&groups, &FAMILIES, weights, &sentence.tokens, &kept.arcs, kind()).expect("arcs");
            scored += graph.factors.len() + graph.counts.len();
            let tree = gold(sentence);
            let own = point(graph, tree, 0);
            let families = (&groups, &FAMILIES[..]);
            parts.fill(families, &sentence.tokens, graph, &own, tree, &mut between);
            of_tree.fill(&groups, &FAMILIES, &sentence.tokens, tree, &mut between);
            let mut found = parts.parts.clone();
            found.sort_unstable();
            let all = |&(kind, part)| (kind, part, Fractions::WHOLE);
            assert_eq!(found, of_tree.parts.iter().map(all).collect::<Vec<_>>());
        }
        assert_eq!(scored > 0, std::ptr::eq(table, online.table()));
    }
}
