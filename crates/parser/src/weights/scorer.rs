//! Scoring: the weights of all features of many parts, summed.

use std::marker::PhantomData;
use std::mem::take;

use super::cache::{Known as KnownSums, SumCache};
use super::fixed::Weights;
use super::known::Known;
use super::mapped::next;
use super::sharing::Sharing;
use super::slots::{Sums, Sums32, Sums64};
use super::table::{Line, Table, fingerprint};
use super::walk::{Batch, Further, KeyBuffers, Sink, ask_for, walk};
use crate::features::PartList;
use crate::features::plan::Views;
use crate::features::plan::{Group, KindPlan, Layer, LayerViews};

/// Adds the score of each part of `parts` to its target in `scores`.
pub fn add_scores(
    weights: Weights<'_, Table>,
    plan: &KindPlan,
    views: &Views,
    parts: &PartList,
    buffers: &mut KeyBuffers,
    scores: &mut [i64],
) {
    let Weights { table, cache } = weights;
    // Sums of 32-bit weights stay within 32 bits unless the weights are those of a very long training run.
    let narrow = u64::from(table.largest()) * (plan.features() as u64) < 1 << 31;
    for layer in &plan.layers {
        let of_layer = LayerScorer { narrow, table, layer, views: views.of(layer) };
        match cache.filter(|_| layer.by_tags && narrow) {
            Some(cache) => of_layer.add_known(cache, parts, buffers, scores),
            None => of_layer.add_distinct(parts, buffers, scores),
        }
    }
}

/// Scores the templates of one layer in one sentence.
#[derive(Clone, Copy)]
struct LayerScorer<'a> {
    /// Whether all sums fit 32 bits.
    narrow: bool,
    table: &'a Table,
    layer: &'a Layer,
    views: &'a LayerViews,
}

impl LayerScorer<'_> {
    /// As [`add_distinct`](Self::add_distinct), for a layer whose sums are kept: only parts that the cache does not know are
    /// summed, and are known then.
    fn add_known(self, cache: &SumCache, parts: &PartList, buffers: &mut KeyBuffers, scores: &mut [i64]) {
        let (mut known, mut of_missing) = (take(&mut buffers.known), take(&mut buffers.of_missing));
        known.look_up(cache, &self.layer.codes, self.prints(), parts);
        let Known { keys, missing, part_of, sums: of_parts } = &mut known;
        if !missing.is_empty() {
            of_missing.clear();
            of_missing.resize(missing.len(), 0);
            self.add_distinct(missing, buffers, &mut of_missing);
            for (&part, &sum) in part_of.iter().zip(&of_missing) {
                // Arcs have no twins.
                let sums = KnownSums { sums: [sum, 0], guards: 0 };
                cache.set(keys[part as usize], sums);
                of_parts[part as usize] = sums;
            }
        }
        for (known, &target) in of_parts.iter().zip(&parts.target) {
            scores[target as usize] += known.sums[0];
        }
        (buffers.known, buffers.of_missing) = (known, of_missing);
    }

    /// As [`add_all`](Self::add_all); of parts that look alike, if the layer is one where they are looked for, only one is
    /// summed.
    fn add_distinct(self, parts: &PartList, buffers: &mut KeyBuffers, scores: &mut [i64]) {
        let (mut sharing, mut of_distinct) = (take(&mut buffers.sharing), take(&mut buffers.of_distinct));
        if self.layer.shared && sharing.find(&self.layer.codes, self.prints(), parts) {
            let Sharing { distinct, of_part, .. } = &sharing;
            of_distinct.clear();
            of_distinct.resize(distinct.len(), 0);
            self.add_all(distinct, buffers, &mut of_distinct);
            for (&target, &at) in parts.target.iter().zip(of_part) {
                scores[target as usize] += of_distinct[at as usize];
            }
        } else {
            self.add_all(parts, buffers, scores);
        }
        (buffers.sharing, buffers.of_distinct) = (sharing, of_distinct);
    }

    /// By role and row.
    fn prints(&self) -> &[Vec<u64>] {
        &self.views.prints[..self.layer.roles()]
    }

    /// Adds the sum of each part to its target.
    fn add_all(self, parts: &PartList, buffers: &mut KeyBuffers, scores: &mut [i64]) {
        let Self { narrow, table, layer, views } = self;
        buffers.lookups += (parts.len() * layer.keys.len()) as u64;
        let (lines, targets) = (table.lines(), &parts.target[..]);
        if narrow {
            walk(layer, views, parts, buffers, &mut Adder::<Sums32> { lines, targets, scores, sums: PhantomData });
        } else {
            walk(layer, views, parts, buffers, &mut Adder::<Sums64> { lines, targets, scores, sums: PhantomData });
        }
    }
}

/// Adds up the weights of each part's features, in sums of type `S`.
struct Adder<'a, S> {
    lines: &'a [Line],
    targets: &'a [u32],
    scores: &'a mut [i64],
    sums: PhantomData<S>,
}

impl<S: Sums> Sink for Adder<'_, S> {
    #[inline(always)]
    fn lines(&self) -> Option<&[Line]> {
        Some(self.lines)
    }

    #[inline(always)]
    fn parts(&mut self, group: &Group, batch: Batch<'_>) {
        let (width, targets) = (group.keys.len(), &self.targets[batch.first..]);
        let run = Run { lines: self.lines, width, targets, batch };
        let (constants, scores) = (group.all_constants(), &mut *self.scores);
        // The number of variants becomes a constant, so that all loops over them unroll.
        match group.variants.len() {
            1 => run.add::<S, 1>(constants.as_chunks().0, scores),
            2 => run.add::<S, 2>(constants.as_chunks().0, scores),
            // There is no fourth variant of a kind.
            _ => run.add::<S, 3>(constants.as_chunks().0, scores),
        }
    }
}

/// Some parts, with so many keys each, and where the scores go.
struct Run<'a> {
    lines: &'a [Line],
    width: usize,
    targets: &'a [u32],
    batch: Batch<'a>,
}

impl Run<'_> {
    /// Adds the weights of `V` variants; `constants` by geometry code.
    #[inline(always)]
    fn add<S: Sums, const V: usize>(&self, constants: &[[u32; V]], scores: &mut [i64]) {
        let Self { lines, width, targets, batch: Batch { geometries, keys, further, ahead, .. } } = *self;
        let mut ahead = ahead.chunks_exact(width);
        for ((keys, geometry), &target) in keys.chunks_exact(width).zip(geometries).zip(targets) {
            ask_for(ahead.next().unwrap_or_default(), lines);
            let constants = constants[geometry.code()];
            let sums =
                keys.iter().fold(S::zero(), |sums, &key| plus_features(sums, first_line(lines, key), key, constants));
            scores[target as usize] += sums.total();
        }
        for key in further {
            let constants = constants[geometries[key.part as usize].code()];
            let mut sums = S::zero();
            for_each_further_line(lines, key, |line| sums = plus_features(sums, line, key.low.into(), constants));
            scores[targets[key.part as usize] as usize] += sums.total();
        }
    }
}

/// The line where the features of a key begin.
#[inline(always)]
fn first_line(lines: &[Line], key: u64) -> &Line {
    &lines[(key >> 32) as usize]
}

/// Calls `visit` with every line but the first in which features of the key may stand.
#[inline(always)]
fn for_each_further_line(lines: &[Line], key: &Further, mut visit: impl FnMut(&Line)) {
    let mut at = key.line as usize;
    loop {
        let line = &lines[at];
        visit(line);
        if !line.is_full() {
            break;
        }
        at = next(at, lines.len());
    }
}

/// Adds the weights of a key's variants that stand in a line.
#[inline(always)]
fn plus_features<S: Sums, const V: usize>(sums: S, line: &Line, key: u64, constants: [u32; V]) -> S {
    constants.into_iter().fold(sums, |sums, constant| sums.plus_matching(line, fingerprint(key, constant)))
}
