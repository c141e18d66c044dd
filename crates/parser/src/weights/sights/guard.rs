//! Guards of whole kinds: parts that have no feature with a weight, found by one look-up before they are listed.

use super::table::Table;
use crate::features::bundles::{Bundle, KindBundles, Layer, LayerViews, Views};
use crate::features::parts::Part;

/// The bundle that guards all others of a kind, in a sentence.
#[derive(Clone, Copy, Debug)]
pub struct Guard<'a> {
    bundle: &'a Bundle,
    number: usize,
    layer: &'a Layer,
    views: &'a LayerViews,
    rows: usize,
}

impl<'a> Guard<'a> {
    /// The guard of `kind` over the views of a sentence, if the kind has one.
    pub fn new(kind: &'a KindBundles, views: &'a Views) -> Option<Self> {
        let (layer, number) = kind.guard?;
        let layer = &kind.layers[layer];
        Some(Self { bundle: &layer.bundles[number], number, layer, views: views.of(layer), rows: views.rows() })
    }

    #[inline(always)]
    fn address(&self, part: &Part) -> u64 {
        let (constant, _) = self.bundle.geometry[part.geometry.code()];
        let view = |role: usize| self.views.address[role][self.number * self.rows + part.rows[role] as usize];
        (0..self.layer.roles()).fold(constant, |sum, role| sum.wrapping_add(view(role)))
    }

    /// Asks for the line that [`may_score`](Self::may_score) will look at: memory then answers for many parts at once.
    #[inline(always)]
    pub fn ask(&self, table: &Table, part: &Part) {
        table.ask(self.address(part), self.bundle.has_details());
    }

    /// False only if no feature of the part has a weight in `table`.
    #[inline(always)]
    pub fn may_score(&self, table: &Table, part: &Part) -> bool {
        table.has(self.address(part), self.bundle.has_details())
    }
}
