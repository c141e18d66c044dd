//! Feature ids: the position of a feature in an array of weights, for learners that keep several weights a feature.

use super::mapped::next;
use super::table::{FeatureKey, Line, SLOTS, Table, fingerprint};
use super::walk::{Batch, KeyBuffers, Sink, ask_for, walk};
use crate::features::PartList;
use crate::features::plan::Views;
use crate::features::plan::{Group, KindPlan};

/// Calls `visit` with the part's index and the feature, for every feature of every part.
pub fn for_each_feature(
    plan: &KindPlan,
    views: &Views,
    parts: &PartList,
    buffers: &mut KeyBuffers,
    mut visit: impl FnMut(usize, FeatureKey),
) {
    struct Each<F>(F);
    impl<F: FnMut(usize, FeatureKey)> Sink for Each<F> {
        #[inline(always)]
        fn lines(&self) -> Option<&[Line]> {
            None
        }

        #[inline(always)]
        fn parts(&mut self, group: &Group, Batch { first, geometries, keys, .. }: Batch<'_>) {
            for (part, keys) in (first..).zip(keys.chunks_exact(group.keys.len())) {
                for &key in keys {
                    for &constant in group.constants(geometries[part - first]) {
                        (self.0)(part, FeatureKey::new(key, constant));
                    }
                }
            }
        }
    }
    for layer in &plan.layers {
        walk(layer, views.of(layer), parts, buffers, &mut Each(&mut visit));
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
        struct Each<'a, F>(&'a [Line], F);
        impl<F: FnMut(usize, u32)> Sink for Each<'_, F> {
            #[inline(always)]
            fn lines(&self) -> Option<&[Line]> {
                Some(self.0)
            }

            #[inline(always)]
            fn parts(&mut self, group: &Group, Batch { first, geometries, keys, ahead, .. }: Batch<'_>) {
                ask_for(ahead, self.0);
                for (part, keys) in (first..).zip(keys.chunks_exact(group.keys.len())) {
                    for &key in keys {
                        for &constant in group.constants(geometries[part - first]) {
                            if let Some(id) = find(self.0, (key >> 32) as usize, fingerprint(key, constant)) {
                                (self.1)(part, id);
                            }
                        }
                    }
                }
            }
        }
        let lines = self.table.lines();
        for layer in &plan.layers {
            walk(layer, views.of(layer), parts, buffers, &mut Each(lines, &mut visit));
        }
    }
}

/// The id of the feature of a fingerprint, looked for from the line `at` on.
#[inline(always)]
fn find(lines: &[Line], mut at: usize, fingerprint: u32) -> Option<u32> {
    loop {
        let line = &lines[at];
        let mut matches = 0u32;
        for slot in 0..SLOTS {
            matches |= u32::from(line.fingerprint[slot] == fingerprint) << slot;
        }
        if matches != 0 {
            return Some(line.weight[matches.trailing_zeros() as usize] as u32);
        }
        if !line.is_full() {
            return None;
        }
        at = next(at, lines.len());
    }
}
