//! Weights by context are weights by feature: scores, the length of a difference and averages are what they are when each
//! feature has a weight of its own, told by its description.

use std::collections::HashMap;

use proptest::prelude::*;
use proptest::sample::select;
use treebound::features::groups::Folding;
use treebound::features::parts::Part;
use treebound::features::{Kind, PartList, TemplateGroups, TemplateSet, Views, describe};
use treebound::treebank::Token;
use treebound::weights::cache::SumCache;
use treebound::weights::contexts::Weights;
use treebound::weights::contexts::learner::Learner;
use treebound::weights::contexts::scorer::Scores;
use treebound::weights::contexts::scorer::add_scores;
use treebound::weights::contexts::{Buffers, Table};
use treebound::weights::contexts::{Counted, Seen, for_each_context, squared_length, sum_by_context};

use super::made::{all_parts, built_in, kinds_of, random_set, sentence};
use crate::properties::{Tally, cases};

/// A kind, the number of a template of it, and a description.
pub type Feature = (Kind, usize, String);

/// Weights of features.
type ByFeature = HashMap<Feature, i64>;

/// The features of a part of a kind.
pub fn features(set: &TemplateSet, kind: Kind, part: Part, tokens: &[Token]) -> Vec<Feature> {
    let describe = |(i, template)| (kind, i, describe::feature(template, part, tokens));
    set.for_kind(kind).enumerate().map(describe).collect()
}

/// One step of learning: parts of a sentence by kind, and how often the one tree has them more than the other.
#[derive(Clone, Debug)]
struct Step {
    sentence: usize,
    /// Whether the part is learnt for the twin of the kind, which of the parts, and how often.
    parts: Vec<(bool, usize, i32)>,
    length: i32,
}

#[derive(Clone, Debug)]
struct Setting {
    steps: Vec<Step>,
    folding: Folding,
    cache_bits: u32,
}

fn setting() -> impl Strategy<Value = Setting> {
    // Steps whose sums fit 32 bits, and steps that might not.
    let length = select(vec![1, 3, 1 << 20]);
    let parts = prop::collection::vec((any::<bool>(), any::<usize>(), -2i32..3), 0..12);
    let step = (any::<usize>(), parts, length).prop_map(|(sentence, parts, length)| Step { sentence, parts, length });
    let folding = select(vec![Folding::All, Folding::All, Folding::Local]);
    (prop::collection::vec(step, 1..8), folding, 1u32..13).prop_map(|(steps, folding, cache_bits)| Setting {
        steps,
        folding,
        cache_bits,
    })
}

/// Learns both ways, and holds them against each other.
fn check(set: &TemplateSet, kind: Kind, sentences: &[Vec<Token>], setting: &Setting, tally: &Tally) {
    let twin = kind.twin().filter(|&twin| kind.is_local() && set.for_kind(twin).next().is_some());
    let template_groups = TemplateGroups::new(set, |k| k == kind || Some(k) == twin, setting.folding);
    // Parts of four roles are many.
    let longest = if kind.roles().len() > 3 { 5 } else { 8 };
    let sentences: Vec<&[Token]> = sentences.iter().map(|tokens| &tokens[..tokens.len().min(longest)]).collect();
    let listed: Vec<(Views, PartList)> = sentences
        .iter()
        .map(|tokens| {
            let (mut views, mut parts) = (Views::default(), PartList::default());
            views.fill(&template_groups, tokens);
            let all = all_parts(kind, tokens.len(), views.none_row());
            all.into_iter().enumerate().for_each(|(i, part)| parts.push(part, i));
            (views, parts)
        })
        .collect();

    let mut learner = Learner::new(1, template_groups.most_features()).expect("memory");
    let (mut now, mut sums) = (ByFeature::new(), ByFeature::new());
    for step in &setting.steps {
        learner.next_example();
        let at = step.sentence % sentences.len();
        let (views, parts) = &listed[at];
        let (mut contexts, mut difference) = (Vec::new(), ByFeature::new());
        for &(of_twin, part, count) in step.parts.iter().filter(|_| !parts.is_empty()) {
            let part = parts.get(part % parts.len());
            let of = twin.filter(|_| of_twin).unwrap_or(kind);
            let mut alone = PartList::default();
            alone.push(part, 0);
            let of_kind = template_groups.kind(of).expect("the set has templates of it");
            for_each_context(of_kind, views, &alone, |Seen { template_group, context, .. }| {
                let (fold, guards) = (template_group.product.fold, template_group.may_guard);
                contexts.push(Counted { context, fold, guards, count });
            });
            features(set, of, part, sentences[at])
                .into_iter()
                .for_each(|feature| *difference.entry(feature).or_default() += i64::from(count));
        }
        sum_by_context(&mut contexts);
        let square = difference.values().map(|&count| i128::from(count) * i128::from(count)).sum::<i128>();
        assert_eq!(squared_length(&contexts), square, "{kind}: the length of a difference");
        tally.add(if square > 0 { "steps" } else { "no steps" });
        learner.update(&contexts, step.length).expect("memory");
        for (feature, count) in difference {
            *now.entry(feature).or_default() += count * i64::from(step.length);
        }
        now.iter().for_each(|(feature, weight)| *sums.entry(feature.clone()).or_default() += weight);
    }

    let compare = |table: &Table, wanted: &ByFeature, with_cache: bool| {
        let cache = SumCache::new(setting.cache_bits);
        let mut buffers = Buffers::default();
        // The second time, the cache knows.
        for _ in 0..2 {
            for ((views, parts), tokens) in listed.iter().zip(&sentences) {
                let sum = |kind: Kind, i: usize| -> i64 {
                    let of = features(set, kind, parts.get(i), tokens);
                    of.iter().map(|feature| wanted.get(feature).copied().unwrap_or(0)).sum()
                };
                let weights = Weights { table, cache: with_cache.then_some(&cache) };
                for (kind, twin) in [(Some(kind), twin), (twin, None)] {
                    let Some(kind) = kind else { continue };
                    let of_kind = template_groups.kind(kind).expect("the set has templates of it");
                    let mut own = vec![0; parts.len()];
                    let mut of_twin = vec![0; if of_kind.with_twin { parts.len() } else { 0 }];
                    let scores = Scores { own: &mut own, twin: &mut of_twin };
                    add_scores(weights, of_kind, views, parts, &mut buffers, scores);
                    assert_eq!(own, (0..parts.len()).map(|i| sum(kind, i)).collect::<Vec<_>>(), "{kind}");
                    own.iter().filter(|&&score| score != 0).for_each(|_| tally.add(kind));
                    if let Some(twin) = twin.filter(|_| of_kind.with_twin) {
                        assert_eq!(of_twin, (0..parts.len()).map(|i| sum(twin, i)).collect::<Vec<_>>(), "{twin}");
                        of_twin.iter().filter(|&&score| score != 0).for_each(|_| tally.add("twins"));
                    }
                }
            }
        }
    };
    compare(learner.table(), &now, false);
    let Ok(mut summed) = learner.summed() else { return tally.add("sums beyond 32 bits") };
    let look = |table: Table| {
        compare(&table, &sums, false);
        (table, ())
    };
    learner.with(&mut summed, look).expect("memory");
    compare(learner.table(), &now, false);
    let mut entries = learner.entries(&summed);
    entries.sort_unstable();
    let table = Table::build(&entries).expect("memory");
    let largest = sums.values().map(|sum| sum.unsigned_abs()).max().unwrap_or(0);
    assert_eq!(table.largest(), largest, "{kind}: the largest weight of a feature");
    compare(&table, &sums, false);
    compare(&table, &sums, true);
}

#[test]
fn weights_by_sight_are_weights_by_feature() {
    for name in ["compact", "paper", "paper-zh"] {
        let (set, tally) = (built_in(name), Tally::default());
        for kind in kinds_of(&set) {
            proptest!(cases(6), |(sentences in prop::collection::vec(sentence(), 1..4), setting in setting())| {
                check(&set, kind, &sentences, &setting, &tally);
            });
        }
        tally.has(kinds_of(&set));
        tally.has(["twins", "steps"]);
    }
}

#[test]
fn weights_by_sight_of_any_templates_are_weights_by_feature() {
    let tally = Tally::default();
    for kind in Kind::ALL {
        proptest!(cases(24), |(
            set in random_set(kind), sentences in prop::collection::vec(sentence(), 1..4), setting in setting(),
        )| {
            check(&set, kind, &sentences, &setting, &tally);
        });
    }
    tally.has(Kind::ALL);
    tally.has(["twins", "steps"]);
}

/// Templates that differ in case, sort of tag and distance alone share a look-up, and every template is in one template group.
#[test]
fn bundles_hold_every_template_once() {
    for (name, most) in [("compact", 184), ("paper", 500), ("paper-zh", 600)] {
        let set = built_in(name);
        let template_groups = TemplateGroups::new(&set, |_| true, Folding::All);
        let mut number = 0;
        for kind in kinds_of(&set) {
            let of_kind = template_groups.kind(kind).expect("templates");
            let twin = kind.twin().filter(|_| of_kind.with_twin);
            let wanted = set.for_kind(kind).count() + twin.map_or(0, |twin| set.for_kind(twin).count());
            assert_eq!(of_kind.features(), wanted, "{name}: {kind}");
            number += of_kind.template_groups().filter(|template_group| template_group.is_own).count();
        }
        assert!(number < most, "{name}: {number} template groups");
    }
}
