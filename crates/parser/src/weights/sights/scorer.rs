//! Scoring: the weights of all features of many parts, summed.

use super::fixed::Weights;
use super::items::{Buffers, Queue, walk};
use super::query::Sum;
use super::scores::Scores;
use super::sums::{AllSums, Sums};
use super::table::Table;
use crate::features::PartList;
use crate::features::bundles::{KindBundles, Layer, Views};
use crate::weights::cache::{Known as KnownSums, SumCache};
use crate::weights::known::Known;
use crate::weights::sharing::Sharing;

/// Adds the score of each part of `parts` to its target in `scores`.
pub fn add_scores(
    weights: Weights<'_>,
    kind: &KindBundles,
    views: &Views,
    parts: &PartList,
    buffers: &mut Buffers,
    scores: Scores<'_>,
) {
    if parts.is_empty() {
        return;
    }
    let Weights { table, cache } = weights;
    // Sums wrap around, and are right in the end if the sum of all features of a part fits 32 bits.
    let is_narrow = u128::from(table.largest()) * (kind.features() as u128) < 1 << 31;
    let Buffers { queue, sharing, known, narrow, wide, lookups } = buffers;
    if is_narrow {
        Scorer { table, cache, views, queue, sharing, known, lookups }.add_scores(kind, parts, narrow, scores);
    } else {
        let cache = None;
        Scorer { table, cache, views, queue, sharing, known, lookups }.add_scores(kind, parts, wide, scores);
    }
}

/// Scores the parts of a kind in a sentence.
struct Scorer<'a> {
    table: &'a Table,
    cache: Option<&'a SumCache>,
    views: &'a Views,
    queue: &'a mut Queue,
    sharing: &'a mut Sharing,
    known: &'a mut Known,
    lookups: &'a mut u64,
}

impl Scorer<'_> {
    fn add_scores<S: Sum>(
        &mut self,
        kind: &KindBundles,
        parts: &PartList,
        AllSums { of_parts: sums, missing, distinct }: &mut AllSums<S>,
        scores: Scores<'_>,
    ) {
        sums.reset(parts.len());
        let Scores { own, twin } = scores;
        let lane = kind.lane();
        for layer in &kind.layers {
            match self.cache.filter(|_| layer.by_tags) {
                Some(cache) => self.add_known(cache, layer, parts, sums, [missing, distinct]),
                None => self.add_distinct(layer, parts, sums, distinct),
            }
        }
        if twin.is_empty() {
            for (sums, &target) in sums.sums.iter().zip(&parts.target) {
                own[target as usize] += sums.totals()[lane];
            }
        } else {
            for (sums, &target) in sums.sums.iter().zip(&parts.target) {
                let [of_own, of_twin] = sums.totals();
                own[target as usize] += of_own;
                twin[target as usize] += of_twin;
            }
        }
    }

    /// As [`add_distinct`](Self::add_distinct), for a layer whose sums are kept: only parts that the cache does not know are
    /// summed, and are known then.
    fn add_known<S: Sum>(
        &mut self,
        cache: &SumCache,
        layer: &Layer,
        parts: &PartList,
        sums: &mut Sums<S>,
        [of_missing, distinct]: [&mut Sums<S>; 2],
    ) {
        let mut known = std::mem::take(self.known);
        known.look_up(cache, &layer.codes, &self.views.of(layer).prints[..layer.roles()], parts);
        let Known { keys, missing, part_of, sums: of_parts } = &mut known;
        if !missing.is_empty() {
            of_missing.reset(missing.len());
            self.add_distinct(layer, missing, of_missing, distinct);
            for ((&part, found), sums) in part_of.iter().zip(&of_missing.found).zip(&of_missing.sums) {
                let sums = KnownSums { sums: sums.totals(), guards: layer.guards_found(*found) };
                cache.set(keys[part as usize], sums);
                of_parts[part as usize] = sums;
            }
        }
        for ((known, sum), found) in of_parts.iter().zip(&mut sums.sums).zip(&mut sums.found) {
            sum.add_totals(known.sums);
            *found |= layer.bits_of_guards(known.guards);
        }
        *self.known = known;
    }

    /// Adds the sum of each part; of parts that look alike, if the layer is one where they are looked for, only one is summed.
    fn add_distinct<S: Sum>(&mut self, layer: &Layer, parts: &PartList, sums: &mut Sums<S>, of_distinct: &mut Sums<S>) {
        let views = self.views.of(layer);
        let rows = self.views.rows();
        if layer.is_shared && self.sharing.find(&layer.codes, &views.prints[..layer.roles()], parts) {
            let Sharing { distinct, of_part, .. } = self.sharing;
            of_distinct.reset(distinct.len());
            *self.lookups += walk(layer, views, rows, distinct, self.table, self.queue, of_distinct);
            let of_parts = sums.sums.iter_mut().zip(&mut sums.found);
            for ((sum, found), &at) in of_parts.zip(&*of_part) {
                sum.add(&of_distinct.sums[at as usize]);
                *found |= of_distinct.found[at as usize];
            }
        } else {
            *self.lookups += walk(layer, views, rows, parts, self.table, self.queue, sums);
        }
    }
}
