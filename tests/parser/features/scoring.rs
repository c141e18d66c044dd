//! The score of an arc is the sum of the weights of its features, however crowded the table of weights is.

use proptest::prelude::*;
use proptest::sample::select;
use treebound::features::plan::{KindPlan, Views};
use treebound::features::{Kind, PartList, Plan, TemplateSet};
use treebound::treebank::Token;
use treebound::weights::KeyBuffers;
use treebound::weights::cache::SumCache;
use treebound::weights::cache::Weights;
use treebound::weights::scorer::add_scores;
use treebound::weights::table::{FeatureKey, Table};
use treebound::weights::walk::{FeatureIds, for_each_feature};

use super::described::Described;
use super::made::{all_parts, built_in, random_set, sentence};
use crate::properties::{Tally, cases};

/// The features of each part, looked at together.
fn features(set: &TemplateSet, kind: Kind, tokens: &[Token], parts: &PartList) -> Vec<(usize, FeatureKey)> {
    let plan = Plan::new(set);
    let mut views = Views::default();
    views.fill(&plan, tokens);
    let mut found = Vec::new();
    if let Some(kind) = plan.kind(kind) {
        for_each_feature(kind, &views, parts, &mut KeyBuffers::default(), |part, key| found.push((part, key)));
    }
    found.sort_unstable();
    found
}

/// The features of each part as they are described, one by one.
fn described(by: &mut Described, tokens: &[Token], parts: &PartList) -> Vec<(usize, FeatureKey)> {
    by.begin(tokens);
    let of = |i: usize| by.features(parts.get(i), tokens).into_iter().map(move |key| (i, key)).collect::<Vec<_>>();
    let mut found: Vec<_> = (0..parts.len()).flat_map(of).collect();
    found.sort_unstable();
    found
}

/// A sentence's parts of one kind, and their features.
struct Listed {
    views: Views,
    parts: PartList,
    features: Vec<(usize, FeatureKey)>,
}

/// How weights are kept.
#[derive(Clone, Debug)]
struct Setting {
    features_a_line: usize,
    /// No weight is as large.
    largest: i32,
    cache_bits: u32,
    seed: u64,
}

fn settings() -> impl Strategy<Value = Setting> {
    // Weights whose sums fit 32 bits, and weights whose sums do not.
    let largest = select(vec![1000, i32::MAX]);
    (1usize..8, largest, 1u32..13, any::<u64>()).prop_map(|(features_a_line, largest, cache_bits, seed)| Setting {
        features_a_line,
        largest,
        cache_bits,
        seed,
    })
}

/// A table of the distinct features with random weights; one in four is not in it.
fn random_table(mut features: Vec<FeatureKey>, setting: &Setting) -> Table {
    features.sort_unstable();
    features.dedup();
    let mut table = Table::new(features.len().div_ceil(setting.features_a_line) + 1).expect("memory");
    for (i, &key) in features.iter().enumerate() {
        let drawn = (key.0 ^ setting.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31);
        let drawn = drawn.wrapping_mul(i as u64 | 1);
        if !drawn.is_multiple_of(4) {
            let (line, slot, _) = table.insert(key);
            table.set(line, slot, (drawn >> 32) as i32 % setting.largest);
        }
    }
    table
}

/// Whether sums are kept from part to part and from sentence to sentence, in much room or little, or not at all.
fn check_scores(set: &TemplateSet, kind: Kind, sentences: &[Vec<Token>], setting: &Setting, tally: &Tally) {
    let plan = Plan::new(set);
    let mut by = Described::new(set, kind);
    let mut listed = Vec::new();
    for tokens in sentences {
        let mut views = Views::default();
        views.fill(&plan, tokens);
        let mut parts = PartList::default();
        for (i, part) in all_parts(kind, tokens.len(), tokens.len() + 1).into_iter().enumerate() {
            parts.push(part, i);
        }
        let features = features(set, kind, tokens, &parts);
        assert_eq!(features, described(&mut by, tokens, &parts));
        listed.push(Listed { views, parts, features });
    }
    let table = random_table(listed.iter().flat_map(|of| &of.features).map(|f| f.1).collect(), setting);
    let kind = plan.kind(kind).expect("the set has templates of it");
    let cache = SumCache::new(setting.cache_bits);
    let mut buffers = KeyBuffers::default();
    for cache in [None, Some(&cache), Some(&cache)] {
        for Listed { views, parts, features } in &listed {
            let mut sums = vec![0i64; parts.len()];
            features.iter().for_each(|&(part, key)| sums[part] += i64::from(table.weight(key)));
            let mut scores = vec![0; parts.len()];
            add_scores(Weights { table: &table, cache }, kind, views, parts, &mut buffers, &mut scores);
            assert_eq!(scores, sums);
            scores.iter().filter(|&&score| score != 0).for_each(|_| tally.add(kind.kind));
        }
    }
    check_ids(kind, &listed, setting);
}

/// Numbered features are found again, and no others.
fn check_ids(kind: &KindPlan, listed: &[Listed], setting: &Setting) {
    let is_numbered = |key: &FeatureKey| (key.0 ^ setting.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 62 != 0;
    let all = listed.iter().flat_map(|of| &of.features).map(|f| f.1);
    let ids = FeatureIds::new(all.filter(is_numbered)).expect("memory");
    for Listed { views, parts, features } in listed {
        let mut found = Vec::new();
        let mut buffers = KeyBuffers::default();
        ids.for_each(kind, views, parts, &mut buffers, |part, id| found.push((part, ids.keys()[id as usize])));
        found.sort_unstable();
        let numbered = features.iter().copied().filter(|(_, key)| is_numbered(key));
        assert_eq!(found, numbered.collect::<Vec<_>>());
    }
}

#[test]
fn scores_are_sums_over_features() {
    for name in ["pruner", "paper-zh"] {
        let (set, tally) = (built_in(name), Tally::default());
        let kinds = Kind::OF_ARCS.into_iter().filter(|&kind| set.for_kind(kind).next().is_some());
        for kind in kinds.clone() {
            proptest!(cases(12), |(sentences in prop::collection::vec(sentence(), 1..4), setting in settings())| {
                check_scores(&set, kind, &sentences, &setting, &tally);
            });
        }
        tally.has(kinds);
    }
}

#[test]
fn scores_of_any_templates_are_sums_over_features() {
    let tally = Tally::default();
    for kind in Kind::OF_ARCS {
        proptest!(cases(48), |(
            set in random_set(kind), sentences in prop::collection::vec(sentence(), 1..4), setting in settings(),
        )| {
            check_scores(&set, kind, &sentences, &setting, &tally);
        });
    }
    tally.has(Kind::OF_ARCS);
}

/// Other kinds have no place in a plan, whatever the set has of them.
#[test]
fn a_plan_is_of_arcs_alone() {
    for name in TemplateSet::BUILT_IN {
        let set = built_in(name);
        let plan = Plan::new(&set);
        for kind in Kind::ALL {
            let is_wanted = Kind::OF_ARCS.contains(&kind) && set.for_kind(kind).next().is_some();
            assert_eq!(plan.kind(kind).is_some(), is_wanted, "{name}: {kind}");
        }
    }
}
