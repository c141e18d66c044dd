//! The score of a part is the sum of the weights of its features, however crowded the table of weights is.

use proptest::prelude::*;
use treebound::features::parts::{self, Part};
use treebound::features::{Kind, PartList, Plan, TemplateSet, Views};
use treebound::graph::Word;
use treebound::treebank::Token;
use treebound::weights::KeyBuffers;
use treebound::weights::cache::SumCache;
use treebound::weights::fixed::Weights;
use treebound::weights::lookup::for_each_feature;
use treebound::weights::scorer::{Scores, add_scores};
use treebound::weights::table::{FeatureKey, Table};

use crate::properties::cases;

/// Few forms and fewer tags, so that many parts look alike to some templates.
fn sentence() -> impl Strategy<Value = Vec<Token>> {
    let word = (0..6u8, 0..3u8).prop_map(|(form, tag)| Token {
        form: format!("w{form}"),
        fine: format!("t{tag}"),
        coarse: format!("c{}", tag / 2),
    });
    prop::collection::vec(word, 1..9)
}

/// All parts of a kind in a sentence of `n` words, and some beside them that no tree has.
fn all_parts(kind: Kind, n: usize, none_row: usize) -> Vec<Part> {
    let words = || (0..=n).map(Word::new);
    let pairs = || words().flat_map(|h| words().skip(1).filter(move |&m| m != h).map(move |m| (h, m)));
    match kind {
        Kind::Arc => pairs().map(|(h, m)| parts::arc(h, m)).collect(),
        Kind::Grandchild => pairs()
            .flat_map(|(h, m)| words().filter(move |&g| g != h).map(move |g| parts::grandchild(g, h, m)))
            .collect(),
        Kind::Between => {
            let between = |h: Word, m: Word| h.ix().min(m.ix()) + 1..h.ix().max(m.ix());
            pairs().flat_map(|(h, m)| between(h, m).map(move |b| parts::between(h, b, m))).collect()
        }
        _ => {
            let siblings = |h, m| words().filter(move |&s| s != h && s != m).map(Some).chain([None]);
            pairs().flat_map(|(h, m)| siblings(h, m).map(move |s| parts::sibling(h, s, m, none_row))).collect()
        }
    }
}

/// The features of each part, looked at one by one.
fn features(set: &TemplateSet, kind: Kind, tokens: &[Token], parts: &PartList) -> Vec<(usize, FeatureKey)> {
    let plan = Plan::new(set, |k| k == kind);
    let mut views = Views::default();
    views.fill(&plan, tokens);
    let mut found = Vec::new();
    if let Some(kind) = plan.kind(kind) {
        for_each_feature(kind, &views, parts, &mut KeyBuffers::default(), |part, key| found.push((part, key)));
    }
    found
}

/// A sentence's parts of one kind, and their features.
struct Listed {
    views: Views,
    parts: PartList,
    own: Vec<(usize, FeatureKey)>,
    of_twin: Vec<(usize, FeatureKey)>,
}

proptest! {
    #![proptest_config(cases(48))]

    /// Whether sums are kept from part to part and from sentence to sentence, in much room or little, or not at all.
    #[test]
    fn scores_are_sums_over_features(
        sentences in prop::collection::vec(sentence(), 1..4),
        features_a_line in 1usize..8,
        // Weights whose sums fit 32 bits, and weights whose sums do not.
        largest in prop::sample::select(vec![1000, i32::MAX]),
        with_twin: bool,
        kind in prop::sample::select(vec![Kind::Arc, Kind::Between, Kind::Sibling, Kind::Grandchild]),
        cache_bits in 1u32..13,
        seed: u64,
    ) {
        let set = TemplateSet::built_in("compact").expect("a built-in set").expect("a sound file");
        let twin = kind.twin().filter(|_| with_twin);
        let plan = Plan::new(&set, |k| k == kind || Some(k) == twin);
        let listed = |tokens: &Vec<Token>| {
            let mut views = Views::default();
            views.fill(&plan, tokens);
            let mut parts = PartList::default();
            for (i, part) in all_parts(kind, tokens.len(), views.none_row()).into_iter().enumerate() {
                parts.push(part, i);
            }
            let own = features(&set, kind, tokens, &parts);
            let of_twin = twin.map(|twin| features(&set, twin, tokens, &parts)).unwrap_or_default();
            Listed { views, parts, own, of_twin }
        };
        let listed: Vec<Listed> = sentences.iter().map(listed).collect();

        let mut distinct: Vec<FeatureKey> =
            listed.iter().flat_map(|of| of.own.iter().chain(&of.of_twin)).map(|f| f.1).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let mut table = Table::new(distinct.len().div_ceil(features_a_line) + 1).expect("memory");
        for (i, &key) in distinct.iter().enumerate() {
            // One feature in four is not in the table.
            let drawn = (key.0 ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31).wrapping_mul(i as u64 | 1);
            if drawn % 4 > 0 {
                let (line, slot, _) = table.insert(key);
                table.set(line, slot, (drawn >> 32) as i32 % largest);
            }
        }

        let kind = plan.kind(kind).expect("the set has templates of it");
        let cache = SumCache::new(cache_bits);
        let mut buffers = KeyBuffers::default();
        for cache in [None, Some(&cache), Some(&cache)] {
            for Listed { views, parts, own, of_twin } in &listed {
                let sums = |features: &[(usize, FeatureKey)]| {
                    let mut sums = vec![0i64; parts.len()];
                    features.iter().for_each(|&(part, key)| sums[part] += i64::from(table.weight(key)));
                    sums
                };
                let mut scores = vec![0; parts.len()];
                let mut twin_scores = vec![0; if kind.with_twin { parts.len() } else { 0 }];
                let to = Scores { own: &mut scores, twin: &mut twin_scores };
                add_scores(Weights { table: &table, cache }, kind, views, parts, &mut buffers, to);
                prop_assert_eq!(scores, sums(own));
                if kind.with_twin {
                    prop_assert_eq!(twin_scores, sums(of_twin));
                }
            }
        }
    }
}
