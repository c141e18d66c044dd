//! The score that a graph gives a tree is the sum of the weights of the tree's features, for each kind of part by
//! itself and for all together.
//!
//! Graphs are built from all parts of a space, trees are taken apart by what learning takes them apart with, and
//! features are told by their descriptions: three accounts of one definition.

use std::collections::{BTreeMap, BTreeSet};

use treebound::features::groups::Folding;
use treebound::features::parts::BetweenWords;
use treebound::features::{Family, Kind, PartList, TemplateGroups, TemplateSet, Views};
use treebound::graph::{TreeArcs, Word, tree_score};
use treebound::model::TreeKind;
use treebound::model::build::{Builder, TreeParts};
use treebound::treebank::{Token, Tree};
use treebound::weights::cache::SumCache;
use treebound::weights::contexts::Weights;
use treebound::weights::contexts::learner::Learner;
use treebound::weights::contexts::{Counted, Seen, for_each_context, sum_by_context};

use super::contexts::{Feature, features};
use crate::common::{Draw, random_tree};

/// Words of which the built-in patterns for English find some, and neighbours with one tag.
fn sentence() -> Vec<Token> {
    let words =
        "on/ADP/IN chairs/NOUN/NNS rather/ADV/RB than/SCONJ/IN on/ADP/IN tables/NOUN/NNS here/ADV/RB now/ADV/RB";
    let tokens = words.split_whitespace().map(|word| {
        let mut fields = word.split('/').map(str::to_owned);
        let mut next = || fields.next().unwrap_or_default();
        Token { form: next(), coarse: next(), fine: next(), ..Token::default() }
    });
    tokens.collect()
}

/// Trees of a pattern, which chance would seldom make, then flat and steep ones, every other one with several words on the
/// root.
fn trees(n: usize) -> Vec<Tree> {
    let of_patterns = [[0, 1, 4, 1, 4, 5, 1, 1], [0, 1, 5, 3, 1, 5, 1, 1]];
    let mut trees = of_patterns.map(|heads| Tree::new(heads.map(Word).to_vec()).expect("a tree")).to_vec();
    let mut draw = Draw::new(5);
    trees.extend((0..80).map(|i| random_tree(&mut draw, n, i % 2 == 0)));
    // Words change their heads, so that arcs cross.
    let mut crossing = trees.clone();
    for tree in crossing.iter_mut().skip(2) {
        let mut heads = tree.heads().to_vec();
        for _ in 0..3 {
            let (m, h) = (draw.below(n as u64) as usize, draw.below(n as u64 + 1) as usize);
            let own = std::mem::replace(&mut heads[m], Word::new(h));
            if Tree::new(heads.clone()).is_err() {
                heads[m] = own;
            }
        }
        *tree = Tree::new(heads).expect("a tree");
    }
    assert!(crossing.iter().filter(|tree| !tree.is_projective()).count() > 20);
    trees.extend(crossing);
    trees
}

/// How many parts of a kind of arcs a tree has: one an arc, or one for each distinct value between the ends of an arc.
fn parts_of_arcs(kind: Kind, tokens: &[Token], tree: &Tree) -> usize {
    let value: fn(&Token) -> [&str; 2] = match kind {
        Kind::Between => |token| [&token.fine, &token.coarse],
        Kind::BetweenCoarse => |token| [&token.coarse, ""],
        Kind::BetweenForm => |token| [&token.form, ""],
        _ => return tree.len(),
    };
    let between = |m: usize| {
        let h = tree.head(Word::new(m)).ix();
        let values: BTreeSet<[&str; 2]> = (h.min(m) + 1..h.max(m)).map(|b| value(&tokens[b - 1])).collect();
        values.len()
    };
    (1..=tree.len()).map(between).sum()
}

/// The features of each tree, from the descriptions of its parts, and its parts.
fn of_trees(
    set: &TemplateSet,
    template_groups: &TemplateGroups,
    tokens: &[Token],
    trees: &[Tree],
) -> Vec<(Vec<Feature>, TreeParts)> {
    let mut between = BetweenWords::default();
    let of_tree = |tree: &Tree| {
        let mut parts = TreeParts::default();
        parts.fill(template_groups, &Family::ALL, tokens, tree, &mut between);
        for kind in Kind::OF_ARCS.into_iter().filter(|&kind| template_groups.kind(kind).is_some()) {
            let found = parts.parts.iter().filter(|part| part.0 == kind).count();
            assert_eq!(found, parts_of_arcs(kind, tokens, tree), "{kind}: {:?}", tree.heads());
        }
        (parts.parts.iter().flat_map(|&(kind, part)| features(set, kind, part, tokens)).collect(), parts)
    };
    trees.iter().map(of_tree).collect()
}

/// How many trees have a score that is not 0.
fn check(set: &TemplateSet, kinds: &[Kind]) -> usize {
    let template_groups = TemplateGroups::new(set, |kind| kinds.contains(&kind), Folding::All);
    let tokens = sentence();
    let trees = trees(tokens.len());
    let of_trees = of_trees(set, &template_groups, &tokens, &trees);
    // As learning does: the features of a part are learnt together, by some steps more than by others.
    let mut views = Views::default();
    views.fill(&template_groups, &tokens);
    let mut draw = Draw::new(7);
    let mut learner = Learner::new(1, template_groups.most_features()).expect("memory");
    let mut weights: BTreeMap<&Feature, i64> = BTreeMap::new();
    for (features, parts) in &of_trees[..trees.len() / 2] {
        let step = draw.below(9) as i32 - 4;
        let mut contexts = Vec::new();
        for &(kind, part) in &parts.parts {
            let of_kind = template_groups.kind(kind).expect("a kind that is wanted");
            let mut list = PartList::default();
            list.push(part, 0);
            for_each_context(of_kind, &views, &list, |Seen { template_group, context, .. }| {
                let (fold, guards) = (template_group.product.fold, template_group.may_guard);
                contexts.push(Counted { context, fold, guards, count: 1 });
            });
        }
        sum_by_context(&mut contexts);
        learner.next_example();
        learner.update(&contexts, step).expect("memory");
        features.iter().for_each(|feature| *weights.entry(feature).or_default() += i64::from(step));
    }
    let table = learner.table();

    let words = || (1..=tokens.len()).map(Word::new);
    let into = |h: Word| words().filter(move |&m| m != h).map(move |m| (h, m));
    let arcs: Vec<_> = std::iter::once(Word::ROOT).chain(words()).flat_map(into).collect();
    let cache = SumCache::new(10);
    let mut scored = 0;
    for tree_kind in TreeKind::all() {
        for (mut builder, cache) in
            [(Builder::unguarded(), None), (Builder::default(), None), (Builder::default(), Some(&cache))]
        {
            let of_table = Weights { table, cache };
            let graph =
                builder.build(&template_groups, &Family::ALL, of_table, &tokens, &arcs, tree_kind).expect("all arcs");
            scored = 0;
            for (tree, (features, _)) in trees.iter().zip(&of_trees).filter(|(tree, _)| tree_kind.allows(tree)) {
                let mut arcs = TreeArcs::default();
                assert!(arcs.find(&graph.space, tree.heads()));
                let sum: i64 = features.iter().map(|feature| weights.get(feature).copied().unwrap_or(0)).sum();
                assert_eq!(tree_score(graph, &arcs), i128::from(sum), "{kinds:?}: {:?}", tree.heads());
                scored += usize::from(sum != 0);
            }
        }
    }
    scored
}

#[test]
fn a_trees_score_is_the_sum_of_its_features() {
    for name in ["compact", "paper", "paper-zh"] {
        // The patterns of one set serve all: only English has some for these words.
        let text = TemplateSet::built_in(name).expect("built in").expect("sound").to_string();
        let english = TemplateSet::built_in("paper").expect("built in").expect("sound").to_string();
        let patterns = english.lines().filter(|line| line.starts_with("pattern "));
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("pattern ")).chain(patterns).collect();
        let set = TemplateSet::from_lines(&lines.join("\n")).expect("sound");
        for kind in Kind::ALL {
            let scored = check(&set, &[kind]);
            assert_eq!(scored > 0, set.for_kind(kind).next().is_some(), "{name}: {kind}: {scored} trees have a score");
            if let Some(twin) = kind.twin() {
                check(&set, &[kind, twin]);
            }
        }
        assert!(check(&set, &Kind::ALL) > 0);
    }
}
