//! Guards: parts that have no feature with a weight, found by one look-up.

use super::table::{FeatureKey, Table};
use crate::features::parts::Part;
use crate::features::plan::Views;
use crate::features::plan::{BLOCK, Guard, KindPlan, Layer, LayerViews};

/// The guard of a kind in a sentence, if its templates have one.
#[derive(Clone, Copy, Debug)]
pub struct Guards<'a> {
    guard: Guard,
    layer: &'a Layer,
    views: &'a LayerViews,
}

impl<'a> Guards<'a> {
    /// The guard of `plan` over the views of a sentence.
    pub fn new(plan: &'a KindPlan, views: &'a Views) -> Option<Self> {
        let guard = plan.guard?;
        let layer = &plan.layers[guard.layer];
        Some(Self { guard, layer, views: views.of(layer) })
    }

    /// The guard's feature of a part.
    #[inline(always)]
    pub fn feature(&self, part: &Part) -> FeatureKey {
        let constants = self.layer.groups[self.guard.group].constants(part.geometry);
        FeatureKey::new(self.key(part), constants[self.guard.variant])
    }

    /// Asks for the line that [`may_score`](Self::may_score) will look at: memory then answers for many parts at once.
    #[inline(always)]
    pub fn ask(&self, table: &Table, part: &Part) {
        table.ask(self.feature(part));
    }

    /// False only if no feature of the part has a weight in `table`.
    #[inline(always)]
    pub fn may_score(&self, table: &Table, part: &Part) -> bool {
        table.find(self.feature(part)).is_some()
    }

    #[inline(always)]
    fn key(&self, part: &Part) -> u64 {
        let (blocks, place) = (self.layer.blocks(), self.guard.place);
        let view =
            |role: usize| self.views.matrix[role][part.rows[role] as usize * blocks + place / BLOCK][place % BLOCK];
        let sum = (0..self.layer.roles()).fold(0u64, |sum, role| sum.wrapping_add(view(role)));
        let directed = self.layer.groups[self.guard.group].is_directed();
        sum.wrapping_add(if directed { part.geometry.address() } else { 0 })
    }
}
