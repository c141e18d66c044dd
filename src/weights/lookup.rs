//! Feature ids: the position of a feature in an array of weights, for learners that keep several weights a feature.

use super::table::{FeatureKey, Line, SLOTS, Table, home, next};
use super::walk::{KeyBuffers, Sink, walk};
use crate::features::geometry::Geometry;
use crate::features::plan::{KindPlan, Layer};
use crate::features::{PartList, Views};

/// Calls `visit` with the part's index and the feature, for every feature of every part.
pub fn for_each_feature(
    plan: &KindPlan,
    views: &Views,
    parts: &PartList,
    buffers: &mut KeyBuffers,
    mut visit: impl FnMut(usize, FeatureKey),
) {
    struct Each<'a, F>(&'a Layer, F);
    impl<F: FnMut(usize, FeatureKey)> Sink for Each<'_, F> {
        #[inline(always)]
        fn part(&mut self, part: usize, geometry: Geometry, keys: &[u64]) {
            for group in &self.0.groups {
                for &key in &keys[group.keys.clone()] {
                    for &constant in group.constants(geometry) {
                        (self.1)(part, FeatureKey::new(key, constant));
                    }
                }
            }
        }
    }
    for layer in &plan.layers {
        walk(&[], layer, views.of(layer), parts, buffers, &mut Each(layer, &mut visit));
    }
}

/// Numbers features in the order in which they are first seen.
#[derive(Debug)]
pub struct FeatureIds {
    /// The weight of a slot is the feature's id.
    table: Table,
    keys: Vec<FeatureKey>,
}

impl FeatureIds {
    /// Numbers the distinct `keys`.
    ///
    /// # Errors
    /// If the system has no memory for the table.
    pub fn new(keys: impl IntoIterator<Item = FeatureKey>) -> std::io::Result<Self> {
        let mut ids = Self { table: Table::new(1 << 12)?, keys: Vec::new() };
        for key in keys {
            ids.number(key)?;
        }
        Ok(ids)
    }

    /// The id of a feature, a new one if it has none.
    ///
    /// # Errors
    /// If the table must grow and the system has no memory.
    pub fn number(&mut self, key: FeatureKey) -> std::io::Result<u32> {
        let lines = self.table.lines().len();
        if (self.keys.len() + 1) * 2 > lines * SLOTS {
            let mut table = Table::new(lines * 2)?;
            for (id, &key) in self.keys.iter().enumerate() {
                let (line, slot, _) = table.insert(key);
                table.set(line, slot, id as i32);
            }
            self.table = table;
        }
        let (line, slot, new) = self.table.insert(key);
        if new {
            self.table.set(line, slot, self.keys.len() as i32);
            self.keys.push(key);
        }
        Ok(self.table.lines()[line].weight[slot] as u32)
    }

    /// The features by id.
    pub fn keys(&self) -> &[FeatureKey] {
        &self.keys
    }

    /// Calls `visit` with the part's index and the id, for every feature of every part that has an id.
    pub fn for_each(
        &self,
        plan: &KindPlan,
        views: &Views,
        parts: &PartList,
        buffers: &mut KeyBuffers,
        mut visit: impl FnMut(usize, u32),
    ) {
        struct Each<'a, F>(&'a [Line], &'a Layer, F);
        impl<F: FnMut(usize, u32)> Sink for Each<'_, F> {
            #[inline(always)]
            fn part(&mut self, part: usize, geometry: Geometry, keys: &[u64]) {
                let lines = self.0;
                for group in &self.1.groups {
                    for &key in &keys[group.keys.clone()] {
                        for &constant in group.constants(geometry) {
                            if let Some(id) = find(lines, FeatureKey::new(key, constant)) {
                                (self.2)(part, id);
                            }
                        }
                    }
                }
            }
        }
        let lines = self.table.lines();
        for layer in &plan.layers {
            walk(lines, layer, views.of(layer), parts, buffers, &mut Each(lines, layer, &mut visit));
        }
    }
}

#[inline(always)]
fn find(lines: &[Line], feature: FeatureKey) -> Option<u32> {
    let mut at = home(feature.0, lines.len());
    loop {
        let line = &lines[at];
        let mut matches = 0u32;
        for slot in 0..SLOTS {
            matches |= u32::from(line.fingerprint[slot] == feature.0 as u32) << slot;
        }
        if matches != 0 {
            return Some(line.weight[matches.trailing_zeros() as usize] as u32);
        }
        if line.fingerprint[SLOTS - 1] == 0 {
            return None;
        }
        at = next(at, lines.len());
    }
}
