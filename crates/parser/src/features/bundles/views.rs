//! What the layers of bundles see of a sentence.

use super::{Bundles, Layer};
use crate::features::alike::print_with;
use crate::features::atoms::mix;
use crate::features::template::MAX_ROLES;
use crate::features::viewer::Seen;
use crate::treebank::Token;

/// Bits of each detail.
pub const DETAIL_BITS: u32 = 24;

/// What a layer sees of the words of a sentence, by role.
#[derive(Clone, Debug, Default)]
pub struct LayerViews {
    /// By bundle, `words + 2` rows (the root, the words, no word): what goes into the address.
    pub address: [Vec<u64>; MAX_ROLES],
    /// As `address`: forms and tags, [`DETAIL_BITS`] each.
    pub detail: [Vec<[u32; 2]>; MAX_ROLES],
    /// By row, for layers of parts that may look alike: a hash of all that is seen of the row.
    pub prints: [Vec<u64>; MAX_ROLES],
}

impl LayerViews {
    fn fill(&mut self, layer: &Layer, seen: &Seen) {
        let rows = seen.rows();
        for role in 0..layer.roles() {
            let factor = layer.role_factor[role];
            let (address, detail) = (&mut self.address[role], &mut self.detail[role]);
            address.clear();
            detail.clear();
            for &view in &layer.address_views[role] {
                address.extend(seen.of(view).iter().map(|value| value.wrapping_mul(factor)));
            }
            for &[forms, tags] in &layer.detail_views[role] {
                let high = |value: u64| (value.wrapping_mul(factor) >> (u64::BITS - DETAIL_BITS)) as u32;
                let both = seen.of(forms).iter().zip(seen.of(tags));
                detail.extend(both.map(|(&forms, &tags)| [high(forms), high(tags)]));
            }
            let prints = &mut self.prints[role];
            prints.clear();
            if layer.is_shared || layer.by_tags {
                prints.resize(rows, 0);
                for of_bundle in address.chunks_exact(rows) {
                    prints.iter_mut().zip(of_bundle).for_each(|(print, &view)| *print = print_with(*print, view));
                }
                for of_bundle in detail.chunks_exact(rows) {
                    let each = prints.iter_mut().zip(of_bundle);
                    each.for_each(|(print, &[forms, tags])| {
                        *print = print_with(*print, u64::from(forms) << 32 | u64::from(tags));
                    });
                }
                prints.iter_mut().for_each(|print| *print = mix(*print));
            }
        }
    }
}

/// The views of one sentence, by layer.
#[derive(Clone, Debug, Default)]
pub struct Views {
    seen: Seen,
    layers: Vec<LayerViews>,
}

impl Views {
    /// Computes the views of `tokens`, reusing memory.
    pub fn fill(&mut self, bundles: &Bundles, tokens: &[Token]) {
        self.seen.fill(&bundles.viewer, tokens);
        self.layers.resize_with(bundles.layers, Default::default);
        for layer in bundles.kinds.iter().flatten().flat_map(|kind| &kind.layers) {
            self.layers[layer.index].fill(layer, &self.seen);
        }
    }

    /// Words of the sentence.
    pub fn words(&self) -> usize {
        self.seen.words()
    }

    /// Rows of a view: the root, the words, and no word.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.seen.rows()
    }

    /// The row that stands for "no word" in any role.
    pub fn none_row(&self) -> usize {
        self.words() + 1
    }

    /// What a layer sees.
    #[inline(always)]
    pub fn of(&self, layer: &Layer) -> &LayerViews {
        &self.layers[layer.index]
    }
}
