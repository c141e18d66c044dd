//! Factors left out for their guards score nothing: graphs are the same without guards.

use treebound::decode::bnb::Limits;
use treebound::decode::{self, Backbone, Decoder};
use treebound::features::groups::Folding;
use treebound::features::{Family, Kind, TemplateGroups, TemplateSet};
use treebound::graph::{ArcId, FactorGraph};
use treebound::learn::online::{Example, Online, Predicted, Steps};
use treebound::model::build::Builder;
use treebound::model::{Model, Roots, projectivize};
use treebound::pruning::{Candidates, Rule};
use treebound::treebank::Sentence;
use treebound::treebank::synth::{Config, generate};
use treebound::weights::cache::SumCache;
use treebound::weights::contexts::Table;
use treebound::weights::contexts::Weights;

/// Factors and grand-siblings, which have places of two numbers.
fn factors(graph: &FactorGraph) -> Vec<(Vec<ArcId>, i64)> {
    let mut all: Vec<_> = graph.factors.iter().map(|(_, arcs, score)| (arcs.to_vec(), score)).collect();
    for part in 0..graph.space.grandchild_parts() {
        let place = |sibling: usize| vec![ArcId::new(part), ArcId::new(sibling)];
        all.extend(graph.grand_siblings.entries(part).map(|(sibling, score)| (place(sibling), score)));
    }
    all
}

fn same_graphs(template_groups: &TemplateGroups, table: &Table, sentences: &[Sentence]) -> usize {
    let (mut guarded, mut unguarded) = (Builder::default(), Builder::unguarded());
    let cache = SumCache::new(12);
    let mut candidates = Candidates::default();
    let mut total = 0;
    for (sentence, roots) in sentences.iter().flat_map(|sentence| Roots::ALL.map(|roots| (sentence, roots))) {
        candidates.fill(Rule::None, sentence.len(), &[]);
        let build = |builder: &mut Builder, cache| {
            let weights = Weights { table, cache };
            let graph = builder
                .build(template_groups, &Family::ALL, weights, &sentence.tokens, &candidates.arcs, roots)
                .expect("all arcs");
            (graph.local.clone(), factors(graph))
        };
        let found = build(&mut guarded, None);
        total += found.1.len();
        assert!(found == build(&mut unguarded, None), "{}", sentence.place);
        assert!(found == build(&mut guarded, Some(&cache)), "{}: with sums of earlier sentences", sentence.place);
    }
    total
}

#[test]
fn the_large_families_of_the_built_in_sets_have_guards() {
    for name in ["compact", "paper", "paper-zh"] {
        let set = TemplateSet::built_in(name).expect("built in").expect("sound");
        let template_groups = TemplateGroups::new(&set, |_| true, Folding::All);
        for kind in [Kind::GrandSibling, Kind::GreatGrandchild, Kind::TriSibling, Kind::Comb] {
            let of_kind = template_groups.kind(kind).expect("templates");
            let (layer, number) = of_kind.guard.expect("a guard");
            let atoms = of_kind.layers[layer].template_groups[number].product.atoms.len();
            // The third-order backed-off features of the large sets leave the head out.
            let roles = kind.roles().len() - usize::from(kind == Kind::GrandSibling && name != "compact");
            assert!(atoms >= roles, "{name}: {kind}: a tag a role");
        }
        assert_eq!(
            template_groups.kind(Kind::AnySibling).and_then(|of_kind| of_kind.guard),
            None,
            "{name}: words alone and tags alone"
        );
    }
}

#[test]
fn graphs_with_and_without_guards_are_equal() {
    graphs_are_equal(Steps::Perceptron);
    // Counts of a feature may cancel out in a step of MIRA, its guard must be there nevertheless.
    graphs_are_equal(Steps::Mira { aggressiveness: 0.01 });
}

fn graphs_are_equal(steps: Steps) {
    let config = Config { train: 120, dev: 1, test: 40, ..Config::default() };
    let treebank = generate(&config).expect("valid settings");
    let short = |s: &&Sentence| s.len() <= 20;
    let train: Vec<&Sentence> = treebank.train.iter().filter(short).collect();
    let test: Vec<Sentence> = treebank.test.iter().filter(short).cloned().collect();
    let trees: Vec<_> = train.iter().map(|s| projectivize(s.gold.as_ref().expect("a tree"), Roots::One)).collect();
    let mut all = vec![Candidates::default(); train.len()];
    all.iter_mut().zip(&train).for_each(|(c, s)| c.fill(Rule::Best(4), s.len(), &near(s.len())));
    all.iter_mut().zip(&trees).for_each(|(c, t)| c.add(t.heads(), &near(t.len())));
    let examples: Vec<_> = train
        .iter()
        .zip(&trees)
        .zip(&all)
        .map(|((sentence, tree), candidates)| Example { sentence, tree, candidates })
        .collect();

    let templates = TemplateSet::built_in("compact").expect("built in").expect("sound");
    let template_groups = TemplateGroups::new(&templates, |_| true, Folding::All);
    let mut online = Online::new(&template_groups, &Family::ALL, steps.unit(), 1).expect("memory");
    let mut scratch = decode::Scratch::default();
    let limits = Limits { dp_calls: Some(20), ..Limits::default() };
    for _ in 0..2 {
        online
            .pass(&examples, steps, |graph, prior| {
                Decoder::Bnb.decode(graph, Backbone::GrandSibling, prior, limits, &mut scratch).map(Predicted::from)
            })
            .expect("a pass");
    }
    // While learning, and as the averaged model.
    let found = same_graphs(&template_groups, online.table(), &test);
    let entries = online.average().expect("small sums");
    let model =
        Model::new(templates.clone(), &Family::ALL, Backbone::GrandSibling, Folding::All, entries).expect("memory");
    let averaged = same_graphs(model.template_groups(), model.weights().table, &test);
    assert!(found > 1000 && averaged > 1000, "{found}, {averaged}");
}

/// Made-up marginals: near heads are probable.
fn near(n: usize) -> Vec<f64> {
    let of = |h: usize, m: usize| if h == m || m == 0 { 0.0 } else { 1.0 / (1 + h.abs_diff(m)) as f64 };
    (0..=n).flat_map(|h| (0..=n).map(move |m| of(h, m))).collect()
}
