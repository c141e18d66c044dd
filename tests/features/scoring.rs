//! The score of a part is the sum of the weights of its features, however crowded the table of weights is.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use treebound::features::parts::{self, Part};
use treebound::features::plan::Views;
use treebound::features::template::{Atom, Template};
use treebound::features::{Kind, PartList, Plan, TemplateSet, Variant, atoms::Attribute};
use treebound::graph::Word;
use treebound::treebank::Token;
use treebound::weights::KeyBuffers;
use treebound::weights::cache::SumCache;
use treebound::weights::fixed::Weights;
use treebound::weights::lookup::for_each_feature;
use treebound::weights::scorer::{Scores, add_scores};
use treebound::weights::table::{FeatureKey, Table};

use crate::described::Described;
use crate::properties::{Tally, cases};

/// Few forms and fewer tags, so that many parts look alike to some templates.
pub fn sentence() -> impl Strategy<Value = Vec<Token>> {
    // A fine tag may stand under several coarse ones, and a form in several cases.
    let word = (0..6u8, any::<bool>(), 0..3u8, 0..2u8).prop_map(|(form, upper, fine, coarse)| Token {
        form: format!("{}{form}", if upper { 'W' } else { 'w' }),
        fine: format!("t{fine}"),
        coarse: format!("c{coarse}"),
    });
    prop::collection::vec(word, 1..9)
}

/// All parts of a kind in a sentence of `n` words, and some beside them that no tree has.
pub fn all_parts(kind: Kind, n: usize, none_row: usize) -> Vec<Part> {
    let words = || (0..=n).map(Word::new);
    let modifiers = |h: Word| words().skip(1).filter(move |&m| m != h);
    let pairs = || words().flat_map(move |h| modifiers(h).map(move |m| (h, m)));
    let triples = || pairs().flat_map(move |(g, h)| modifiers(h).filter(move |&m| m != g).map(move |m| (g, h, m)));
    match kind {
        Kind::Arc => pairs().map(|(h, m)| parts::arc(h, m)).collect(),
        Kind::Grandchild | Kind::AnyGrandchild => pairs()
            .flat_map(|(h, m)| words().filter(move |&g| g != h).map(move |g| parts::grandchild(g, h, m)))
            .collect(),
        Kind::Between | Kind::BetweenCoarse | Kind::BetweenForm => {
            let between = |h: Word, m: Word| h.ix().min(m.ix()) + 1..h.ix().max(m.ix());
            pairs().flat_map(|(h, m)| between(h, m).map(move |b| parts::between(h, b, m))).collect()
        }
        Kind::Sibling => {
            let siblings = |h, m| words().filter(move |&s| s != h && s != m).map(Some).chain([None]);
            pairs().flat_map(|(h, m)| siblings(h, m).map(move |s| parts::sibling(h, s, m, none_row))).collect()
        }
        Kind::GrandSibling => {
            let siblings = |h, m| modifiers(h).filter(move |&s| s != m).map(Some).chain([None]);
            let of = |(g, h, m)| siblings(h, m).map(move |s| parts::grand_sibling(g, h, s, m, none_row));
            triples().flat_map(of).collect()
        }
        Kind::AnySibling => {
            let right = |h, left| modifiers(h).filter(move |&m| m > left);
            pairs().flat_map(|(h, s)| right(h, s).map(move |m| parts::any_sibling(h, s, m))).collect()
        }
        Kind::Comb => {
            let last = |h, s| modifiers(h).filter(move |&m| m > s);
            pairs().flat_map(|(h, s)| last(h, s).map(move |m| parts::comb(h, s, m))).collect()
        }
        Kind::GreatGrandchild => {
            let chains = |(g, h, m)| modifiers(m).map(move |c| parts::great_grandchild(g, h, m, c));
            triples().flat_map(chains).collect()
        }
        Kind::Hand => {
            let first = |(h, m): (Word, Word)| (h.ix() % 7, (h, m));
            pairs()
                .map(first)
                .flat_map(|(k, arc)| modifiers(arc.1).map(move |b| parts::hand(k, arc.1, b, arc)))
                .collect()
        }
        Kind::TriSibling => {
            let right = |h, left| modifiers(h).filter(move |&m| m > left);
            let pairs = pairs().flat_map(|(h, s)| right(h, s).map(move |t| (h, s, t)));
            pairs.flat_map(|(h, s, t)| right(h, t).map(move |m| parts::tri_sibling(h, s, t, m))).collect()
        }
    }
}

/// The features of each part, looked at together.
fn features(set: &TemplateSet, kind: Kind, tokens: &[Token], parts: &PartList) -> Vec<(usize, FeatureKey)> {
    let plan = Plan::new(set, |k| k == kind);
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
    own: Vec<(usize, FeatureKey)>,
    of_twin: Vec<(usize, FeatureKey)>,
}

/// How weights are kept.
#[derive(Clone, Debug)]
struct Setting {
    features_a_line: usize,
    /// No weight is as large.
    largest: i32,
    with_twin: bool,
    cache_bits: u32,
    seed: u64,
}

fn settings() -> impl Strategy<Value = Setting> {
    // Weights whose sums fit 32 bits, and weights whose sums do not.
    let largest = select(vec![1000, i32::MAX]);
    (1usize..8, largest, any::<bool>(), 1u32..13, any::<u64>()).prop_map(
        |(features_a_line, largest, with_twin, cache_bits, seed)| Setting {
            features_a_line,
            largest,
            with_twin,
            cache_bits,
            seed,
        },
    )
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
    let twin = kind.twin().filter(|twin| setting.with_twin && kind.is_local() && set.of(*twin).next().is_some());
    let plan = Plan::new(set, |k| k == kind || Some(k) == twin);
    let mut by = Described::new(set, kind);
    let mut by_twin = twin.map(|twin| Described::new(set, twin));
    let mut listed = Vec::new();
    for tokens in sentences {
        // Parts of four roles are many.
        let tokens = &tokens[..tokens.len().min(if kind.roles().len() > 3 { 5 } else { 8 })];
        let mut views = Views::default();
        views.fill(&plan, tokens);
        let mut parts = PartList::default();
        for (i, part) in all_parts(kind, tokens.len(), views.none_row()).into_iter().enumerate() {
            parts.push(part, i);
        }
        let own = features(set, kind, tokens, &parts);
        assert_eq!(own, described(&mut by, tokens, &parts));
        let mut of_twin = Vec::new();
        if let (Some(twin), Some(by_twin)) = (twin, &mut by_twin) {
            of_twin = features(set, twin, tokens, &parts);
            assert_eq!(of_twin, described(by_twin, tokens, &parts));
        }
        listed.push(Listed { views, parts, own, of_twin });
    }
    let table =
        random_table(listed.iter().flat_map(|of| of.own.iter().chain(&of.of_twin)).map(|f| f.1).collect(), setting);

    let kind = plan.kind(kind).expect("the set has templates of it");
    assert_eq!(kind.with_twin, twin.is_some());
    let cache = SumCache::new(setting.cache_bits);
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
            assert_eq!(scores, sums(own));
            scores.iter().filter(|&&score| score != 0).for_each(|_| tally.add(kind.kind));
            if kind.with_twin {
                assert_eq!(twin_scores, sums(of_twin));
                twin_scores.iter().filter(|&&score| score != 0).for_each(|_| tally.add("twins"));
            }
        }
    }
}

/// Templates of a kind, with any of the variants each.
fn templates(kind: Kind) -> impl Strategy<Value = Vec<Template>> {
    let attributes = ["w", "l", "t", "t", "t", "c", "p1", "s2", "n"];
    let attribute = select(attributes.map(|name| Attribute::parse(name).expect("a name")).to_vec());
    let offset = prop_oneof![3 => Just(0i8), 1 => -2i8..=2];
    let atom = (0..kind.roles().len(), offset, attribute);
    let some = if kind == Kind::Hand { vec![Variant::Pattern] } else { Variant::ALL[..3].to_vec() };
    let variants = subsequence(some.clone(), 1..=some.len());
    let template = (prop::collection::vec(atom, 1..5), variants).prop_map(move |(atoms, variants)| {
        let mut atoms: Vec<Atom> =
            atoms.into_iter().map(|(role, offset, attribute)| Atom { role, offset, attribute }).collect();
        if let Some(attribute) = kind.told_apart_by() {
            atoms.retain(|atom| atom.role != 1);
            atoms.push(Atom { role: 1, offset: 0, attribute });
        }
        atoms.sort_unstable();
        atoms.dedup();
        variants.into_iter().map(|variant| Template { kind, atoms: atoms.clone(), variant }).collect::<Vec<_>>()
    });
    prop::collection::vec(template, 1..9).prop_map(|all| all.concat())
}

/// A set of random templates of a kind and, if it is local, its twin: some with the same atoms in other variants.
pub fn random_set(kind: Kind) -> impl Strategy<Value = TemplateSet> {
    let twin = kind.twin().filter(|_| kind.is_local());
    let variants = subsequence(Variant::ALL[..3].to_vec(), 1..=3);
    (templates(kind), templates(twin.unwrap_or(kind)), variants, 0usize..9).prop_map(
        move |(own, other, variants, alike)| {
            let mut all = own.clone();
            if let Some(twin) = twin {
                all.extend(other);
                for template in own.iter().take(alike) {
                    let of = |&variant: &Variant| Template { kind: twin, variant, ..template.clone() };
                    all.extend(variants.iter().map(of));
                }
            }
            let lines: String = all.iter().map(|template| format!("{} {template}\n", template.kind)).collect();
            TemplateSet::from_lines(&lines).expect("sound templates")
        },
    )
}

pub fn built_in(name: &str) -> TemplateSet {
    TemplateSet::built_in(name).expect("a built-in set").expect("a sound file")
}

/// Kinds of which the compact set has templates.
pub fn kinds_of(set: &TemplateSet) -> Vec<Kind> {
    Kind::ALL.into_iter().filter(|&kind| set.of(kind).next().is_some()).collect()
}

#[test]
fn scores_are_sums_over_features() {
    let (set, tally) = (built_in("compact"), Tally::default());
    for kind in kinds_of(&set) {
        proptest!(cases(12), |(sentences in prop::collection::vec(sentence(), 1..4), setting in settings())| {
            check_scores(&set, kind, &sentences, &setting, &tally);
        });
    }
    tally.has(kinds_of(&set));
    tally.has(["twins"]);
}

#[test]
fn scores_of_any_templates_are_sums_over_features() {
    let tally = Tally::default();
    for kind in Kind::ALL {
        proptest!(cases(24), |(
            set in random_set(kind), sentences in prop::collection::vec(sentence(), 1..4), setting in settings(),
        )| {
            check_scores(&set, kind, &sentences, &setting, &tally);
        });
    }
    tally.has(Kind::ALL);
    tally.has(["twins"]);
}
