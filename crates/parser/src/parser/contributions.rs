//! Which features tell two trees apart, and by how much: the difference of their scores, feature by feature.
//!
//! A model keeps weights by sight, and a sight counts for every template that does not tell it from what is seen
//! ([`crate::weights::sights`]). So the weight of one template's feature is the sum over the sights of its address that agree in
//! what this template looks at. Over all templates of a bundle that adds up to what a look-up finds.

use std::collections::BTreeMap;

use super::Model;
use super::build::TreeParts;
use crate::features::atoms::Attribute;
use crate::features::bundles::{Bundle, Fold};
use crate::features::parts::{BetweenWords, Part};
use crate::features::template::{Atom, Kind, Template, Variant};
use crate::features::{PartList, Views, describe};
use crate::treebank::{Token, Tree};
use crate::weights::sights::visit::{Seen, for_each_sight};
use crate::weights::sights::{Entry, Sight, at_address};

/// A feature that stands in one tree more often than in another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// The template, as `treebound features templates NAME --lines` prints it.
    pub template: String,
    /// What it sees.
    pub value: String,
    /// How much more often in the first tree.
    pub count: i64,
    /// Its weight, in units of the model.
    pub weight: i128,
}

impl Contribution {
    /// What it adds to the score of the first tree less that of the second.
    pub fn score(&self) -> i128 {
        i128::from(self.count) * self.weight
    }
}

/// The features that stand in one of two trees more often than in the other and have a weight: those that decide most first.
/// The tokens have the tags that the parser saw.
pub fn contributions(model: &Model, tokens: &[Token], first: &Tree, second: &Tree) -> Vec<Contribution> {
    // By weight too: words may be such that two features print alike.
    let mut found: BTreeMap<(String, String, i128), i64> = BTreeMap::new();
    for (tree, sign) in [(first, 1), (second, -1)] {
        each_feature(model, tokens, tree, |template, value, weight| {
            *found.entry((template, value, weight)).or_default() += sign;
        });
    }
    let contribution = |((template, value, weight), count)| Contribution { template, value, count, weight };
    let mut all: Vec<Contribution> = found.into_iter().map(contribution).collect();
    all.retain(|one| one.score() != 0);
    // Stable: of those that decide as much, in the order of templates and values.
    all.sort_by_key(|one| std::cmp::Reverse(one.score().unsigned_abs()));
    all
}

/// Calls `visit` with template, value and weight of every feature that a tree fires.
fn each_feature(model: &Model, tokens: &[Token], tree: &Tree, mut visit: impl FnMut(String, String, i128)) {
    let bundles = model.bundles();
    let mut parts = TreeParts::default();
    parts.fill(bundles, model.families(), tokens, tree, &mut BetweenWords::default());
    let mut views = Views::default();
    views.fill(bundles, tokens);
    for of_kind in parts.parts.chunk_by(|a, b| a.0 == b.0) {
        let Some((kind, of)) = of_kind.first().and_then(|(kind, _)| Some((*kind, bundles.kind(*kind)?))) else {
            continue;
        };
        let mut list = PartList::default();
        of_kind.iter().for_each(|(_, part)| list.push(*part, 0));
        for_each_sight(of, &views, &list, |Seen { part, bundle, sight }| {
            let part: Part = of_kind[part].1;
            for seen in subsets(bundle.product.fold) {
                let template = template(kind, bundle, seen);
                let value = describe::feature(&template, part, tokens);
                visit(format!("{kind} {template}"), value, weight(model.entries(), seen, sight));
            }
        });
    }
}

/// What the templates of a bundle look at of what some of them look at.
fn subsets(fold: Fold) -> impl Iterator<Item = Fold> {
    let choices = |folded: bool| if folded { &[false, true][..] } else { &[false][..] };
    choices(fold.forms).iter().flat_map(move |&forms| {
        choices(fold.tags)
            .iter()
            .flat_map(move |&tags| choices(fold.distance).iter().map(move |&distance| Fold { forms, tags, distance }))
    })
}

/// The template of a bundle that looks at some of the details.
fn template(kind: Kind, bundle: &Bundle, seen: Fold) -> Template {
    let product = &bundle.product;
    let atom = |atom: Atom| {
        let finest = product.finest(kind, atom);
        let is_seen = match finest.attribute {
            Attribute::Form => seen.forms,
            _ => seen.tags,
        };
        if is_seen { finest } else { atom }
    };
    let mut atoms: Vec<Atom> = product.atoms.iter().map(|&one| atom(one)).collect();
    atoms.sort_unstable();
    let variant = if seen.distance { Variant::Distance } else { product.variant };
    Template { kind, atoms, variant }
}

/// The weight of the feature that a template which looks at `seen` has of a sight. `entries` are sorted.
fn weight(entries: &[Entry], seen: Fold, sight: Sight) -> i128 {
    let agrees = |entry: &&Entry| {
        let other = entry.sight;
        (!seen.distance || other.first == sight.first)
            && (!seen.forms || other.forms == sight.forms)
            && (!seen.tags || other.tags == sight.tags)
    };
    at_address(entries, sight).filter(agrees).map(|entry| i128::from(entry.weight)).sum()
}
