//! Which bundles guard which others.

use super::Bundle;
use crate::features::atoms::Attribute;
use crate::features::template::{Atom, Variant};

/// Guards of a layer by tags: what they found is kept with the sums that come again (`weights::sights`), in so many bits.
pub const GUARDS_BY_TAGS: usize = 2;

/// Sorts the bundles of each layer of a kind so that guards stand before what they guard, and gives guards their bits and
/// what they guard its needs. Layers are walked in order. The bundle that guards all others of the kind, if there is one.
///
/// A layer whose sums serve several parts knows of its own guards only; `unshared` is the one whose sums do not.
pub(super) fn assign(layers: &mut [&mut Vec<Bundle>], unshared: Option<usize>) -> Option<(usize, usize)> {
    for bundles in layers.iter_mut() {
        // What a bundle depends on, so do those that it guards, and more.
        bundles.sort_by_key(depth);
    }
    let places: Vec<(usize, usize)> =
        layers.iter().enumerate().flat_map(|(l, bundles)| (0..bundles.len()).map(move |b| (l, b))).collect();
    let guards = |a: (usize, usize), b: (usize, usize), layers: &[&mut Vec<Bundle>]| {
        a < b && (a.0 == b.0 || Some(b.0) == unshared) && is_guard(&layers[a.0][a.1], &layers[b.0][b.1])
    };
    let mut by_use: Vec<(usize, (usize, usize))> = places
        .iter()
        .map(|&a| (places.iter().filter(|&&b| guards(a, b, layers)).count(), a))
        .filter(|&(guarded, _)| guarded > 0)
        .collect();
    by_use.sort_by_key(|&(guarded, place)| (std::cmp::Reverse(guarded), place));
    let mut of_layer = vec![0; layers.len()];
    // The last bit is nobody's.
    let mut bit = 1u64;
    for (_, (l, b)) in by_use {
        let by_tags = layers[l].iter().all(has_tags_alone);
        if bit == 0 || (by_tags && of_layer[l] == GUARDS_BY_TAGS) {
            continue;
        }
        of_layer[l] += 1;
        layers[l][b].bit = bit;
        bit = if bit < 1 << 62 { bit << 1 } else { 0 };
    }
    for &b in &places {
        let needs = places.iter().filter(|&&a| guards(a, b, layers)).fold(0, |n, a| n | layers[a.0][a.1].bit);
        layers[b.0][b.1].needs = needs;
    }
    // The guard of all is asked alone, before there are parts.
    for &a in &places {
        let may_guard = places.iter().any(|&b| a != b && is_guard(&layers[a.0][a.1], &layers[b.0][b.1]));
        layers[a.0][a.1].may_guard = may_guard;
    }
    let of_all = |&a: &(usize, usize)| places.iter().all(|&b| a == b || is_guard(&layers[a.0][a.1], &layers[b.0][b.1]));
    places.iter().copied().find(of_all)
}

/// Where runs of bundles end of which none needs another of the run.
pub(super) fn run_ends(bundles: &[Bundle]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut of_run = 0;
    for (i, bundle) in bundles.iter().enumerate() {
        if bundle.needs & of_run != 0 {
            ends.push(i);
            of_run = 0;
        }
        of_run |= bundle.bit;
    }
    ends.push(bundles.len());
    ends
}

/// Sorts guards before what they guard.
fn depth(bundle: &Bundle) -> (usize, Variant, usize, super::product::Product) {
    let product = &bundle.product;
    let words = product.atoms.iter().filter(|atom| matches!(atom.attribute, Attribute::Form)).count();
    (product.atoms.len(), product.variant, words, product.clone())
}

fn has_tags_alone(bundle: &Bundle) -> bool {
    let is_tag = |atom: &Atom| atom.offset == 0 && matches!(atom.attribute, Attribute::Fine | Attribute::Coarse);
    bundle.product.atoms.iter().all(is_tag)
}

/// Whether the address of `a` depends on nothing that the address of `b` does not depend on, and both learn from the same
/// parts.
fn is_guard(a: &Bundle, b: &Bundle) -> bool {
    let sees = |atom: &Atom| {
        let has = |attribute: Attribute| b.product.atoms.contains(&Atom { attribute, ..*atom });
        // A form decides its lower case, a fine tag the coarse one.
        let finer = match atom.attribute {
            Attribute::Lower => has(Attribute::Form),
            Attribute::Coarse => has(Attribute::Fine),
            _ => false,
        };
        finer || has(atom.attribute)
    };
    a.product != b.product
        && a.product.variant <= b.product.variant
        && (a.is_own || !b.is_own)
        && (a.is_of_twin || !b.is_of_twin)
        && a.product.atoms.iter().all(sees)
}
