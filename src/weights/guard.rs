//! Guards: parts that have no feature with a weight, found by one look-up.

use super::table::{FeatureKey, Table};
use super::walk::matrices;
use crate::features::Views;
use crate::features::parts::Part;
use crate::features::plan::{Guard, KindPlan, MAX_ROLES};

/// The guard of a kind in a sentence, if its templates have one.
#[derive(Clone, Copy, Debug)]
pub struct Guards<'a> {
    plan: &'a KindPlan,
    guard: Guard,
    matrices: [&'a [u64]; MAX_ROLES],
}

impl<'a> Guards<'a> {
    /// The guard of `plan` over the views of a sentence.
    pub fn new(plan: &'a KindPlan, views: &'a Views) -> Option<Self> {
        plan.guard.map(|guard| Self { plan, guard, matrices: matrices(plan, views) })
    }

    /// The guard's feature of a part.
    #[inline(always)]
    pub fn feature(&self, part: &Part) -> FeatureKey {
        FeatureKey::new(self.key(part), self.plan.guard_constant(self.guard, part.geometry))
    }

    /// False only if no feature of the part has a weight in `table`.
    #[inline(always)]
    pub fn may_score(&self, table: &Table, part: &Part) -> bool {
        table.filter().may_have(self.key(part)) != 0 && table.find(self.feature(part)).is_some()
    }

    #[inline(always)]
    fn key(&self, part: &Part) -> u64 {
        let keys = self.plan.keys.len();
        let view = |role: usize| self.matrices[role][part.rows[role] as usize * keys + self.guard.key];
        (0..self.plan.roles()).fold(0, |sum, role| sum.wrapping_add(view(role)))
    }
}
