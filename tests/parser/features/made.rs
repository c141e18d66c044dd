//! Sentences, parts and template sets, drawn at random.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use treebound::features::parts::{self, Part};
use treebound::features::template::{Atom, Template};
use treebound::features::{Geometry, Kind, TemplateSet, Variant, atoms::Attribute};
use treebound::graph::Word;
use treebound::treebank::Token;

/// Few forms and fewer tags, so that many parts look alike to some templates.
pub fn sentence() -> impl Strategy<Value = Vec<Token>> {
    // A fine tag may stand under several coarse ones, and a form in several cases.
    let word = (0..6u8, any::<bool>(), 0..3u8, 0..2u8, 0..2u8).prop_map(|(form, upper, fine, coarse, more)| Token {
        form: format!("{}{form}", if upper { 'W' } else { 'w' }),
        fine: format!("t{fine}"),
        coarse: format!("c{coarse}"),
        lemma: format!("m{}", form / 2).into(),
        feats: ["A=x|B=y", "B=y"][usize::from(more)].into(),
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
        // Of families: words in any order, the root only in front.
        _ => {
            let roles = kind.roles().len();
            let mut tuples: Vec<Vec<Word>> = words().map(|first| vec![first]).collect();
            for _ in 1..roles {
                let longer = |tuple: &Vec<Word>| {
                    let others = words().skip(1).filter(|word| !tuple.contains(word));
                    others.map(|word| [&tuple[..], &[word]].concat()).collect::<Vec<_>>()
                };
                tuples = tuples.iter().flat_map(longer).collect();
            }
            let part = |tuple: &Vec<Word>| {
                let rightward: Vec<bool> = tuple.windows(2).map(|pair| pair[0] < pair[1]).collect();
                let geometry = Geometry::new(&rightward[..kind.directions()], tuple[0].ix(), tuple[roles - 1].ix());
                Part::new(std::array::from_fn(|role| tuple.get(role).copied().unwrap_or(Word::ROOT)), geometry)
            };
            tuples.iter().map(part).collect()
        }
    }
}

/// Templates of a kind, with any of the variants each.
fn templates(kind: Kind) -> impl Strategy<Value = Vec<Template>> {
    let attributes = ["w", "l", "t", "t", "t", "c", "p1", "s2", "n", "m", "f", "f:A"];
    let attribute = select(attributes.map(|name| Attribute::parse(name).expect("a name")).to_vec());
    let offset = prop_oneof![3 => Just(0i8), 1 => -2i8..=2];
    let atom = (0..kind.roles().len(), offset, attribute);
    let some = match kind {
        Kind::Hand => vec![Variant::Pattern],
        Kind::Valency => vec![Variant::Number],
        _ => Variant::ALL[..3].to_vec(),
    };
    let variants = subsequence(some.clone(), 1..=some.len());
    let template = (prop::collection::vec(atom, 1..5), variants).prop_map(move |(atoms, variants)| {
        let mut atoms: Vec<Atom> =
            atoms.into_iter().map(|(role, offset, attribute)| Atom { role, offset, attribute }).collect();
        if let Some(attribute) = kind.told_apart_by() {
            atoms.retain(|atom| atom.role != 1);
            atoms.push(Atom { role: 1, offset: 0, attribute });
        }
        if kind == Kind::Or {
            let of_class = |atom: &&mut Atom| atom.role == 1;
            atoms.iter_mut().filter(of_class).for_each(|atom| (atom.offset, atom.attribute) = (0, Attribute::Coarse));
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
    Kind::ALL.into_iter().filter(|&kind| set.for_kind(kind).next().is_some()).collect()
}
