//! Looking a sentence's parts up in a [`SumCache`]: which sums are known, and which are to be formed.

use super::cache::{Known as KnownSums, SumCache};
use super::scores::PartSums;
use crate::features::PartList;
use crate::features::plan::{Layer, LayerViews};

/// The parts of one layer, and memory for their keys and for those that are not known.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// By part.
    pub keys: Vec<u64>,
    /// The parts that the cache does not know; targets are their numbers.
    pub missing: PartList,
    /// By missing part: which part it is.
    pub part_of: Vec<u32>,
    /// By missing part.
    pub sums: PartSums,
}

impl Known {
    /// Gives `add` the target and the sums of each part that the cache knows, and lists the others.
    pub fn look_up(
        &mut self,
        cache: &SumCache,
        layer: &Layer,
        views: &LayerViews,
        parts: &PartList,
        mut add: impl FnMut(u32, [i64; 2]),
    ) {
        let Self { keys, missing, part_of, .. } = self;
        missing.clear();
        part_of.clear();
        keys.clear();
        let prints = views.prints.each_ref().map(Vec::as_slice);
        match *prints.split_at(layer.roles()).0 {
            [a, b] => push_keys(layer, [a, b], parts, keys),
            [a, b, c] => push_keys(layer, [a, b, c], parts, keys),
            _ => push_keys(layer, prints, parts, keys),
        }
        // All cells are asked for before the first is looked at.
        keys.iter().for_each(|&key| cache.ask(key));
        for (i, (&key, &target)) in keys.iter().zip(&parts.target).enumerate() {
            match cache.get(key) {
                Some(KnownSums { sums, .. }) => add(target, sums),
                None => {
                    missing.push(parts.get(i), part_of.len());
                    part_of.push(i as u32);
                }
            }
        }
    }
}

/// What the layer sees of each part, in one number that is never 0.
#[inline(always)]
fn push_keys<const ROLES: usize>(layer: &Layer, prints: [&[u64]; ROLES], parts: &PartList, keys: &mut Vec<u64>) {
    keys.extend(parts.rows.iter().zip(&parts.geometry).map(|(rows, geometry)| {
        let print = (0..ROLES).map(|role| prints[role][rows[role] as usize]);
        print.fold(layer.code_print[geometry.code()], u64::wrapping_add) | 1
    }));
}
