//! Scoring: the weights of all features of many parts, summed.

use std::marker::PhantomData;

use super::cache::{Known as KnownSums, SumCache};
use super::fixed::Weights;
use super::known::Known;
pub use super::scores::Scores;
use super::sharing::Sharing;
use super::slots::{Sums, Sums32, Sums64};
use super::table::{Line, Table, fingerprint, next};
use super::walk::{Batch, Further, KeyBuffers, Sink, ask_for, walk};
use crate::features::PartList;
use crate::features::plan::Views;
use crate::features::plan::{Group, KindPlan, Layer, LayerViews};

/// Adds the score of each part of `parts` to its target in `scores`.
pub fn add_scores(
    weights: Weights<'_>,
    plan: &KindPlan,
    views: &Views,
    parts: &PartList,
    buffers: &mut KeyBuffers,
    mut scores: Scores<'_>,
) {
    let Weights { table, cache } = weights;
    // Sums of 32-bit weights stay within 32 bits unless the weights are those of a very long training run.
    let narrow = u64::from(table.largest()) * (plan.features() as u64) < 1 << 31;
    for layer in &plan.layers {
        let of_layer = LayerScorer { narrow, table, layer, views: views.of(layer) };
        match cache.filter(|_| layer.by_tags && narrow) {
            Some(cache) => of_layer.add_known(cache, parts, buffers, &mut scores),
            None => of_layer.add_distinct(parts, buffers, &mut scores),
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
    fn add_known(self, cache: &SumCache, parts: &PartList, buffers: &mut KeyBuffers, scores: &mut Scores<'_>) {
        let mut known = std::mem::take(&mut buffers.known);
        known.look_up(cache, self.layer, self.views, parts, |target, sums| scores.add(target, sums));
        let Known { keys, missing, part_of, sums } = &mut known;
        if !missing.is_empty() {
            sums.reset(missing.len(), !scores.twin.is_empty());
            self.add_distinct(missing, buffers, &mut sums.scores());
            for (i, &part) in part_of.iter().enumerate() {
                let (key, target) = (keys[part as usize], parts.target[part as usize]);
                cache.set(key, KnownSums { sums: sums.get(i), guards: 0 });
                scores.add(target, sums.get(i));
            }
        }
        buffers.known = known;
    }

    /// As [`add_all`](Self::add_all); of parts that look alike, if the layer is one where they are looked for, only one is
    /// summed.
    fn add_distinct(self, parts: &PartList, buffers: &mut KeyBuffers, scores: &mut Scores<'_>) {
        let mut sharing = std::mem::take(&mut buffers.sharing);
        if self.layer.shared && sharing.find(self.layer, self.views, parts) {
            let Sharing { distinct, of_part, sums, .. } = &mut sharing;
            sums.reset(distinct.len(), !scores.twin.is_empty());
            self.add_all(distinct, buffers, &mut sums.scores());
            for (&target, &at) in parts.target.iter().zip(&*of_part) {
                scores.add(target, sums.get(at as usize));
            }
        } else {
            self.add_all(parts, buffers, scores);
        }
        buffers.sharing = sharing;
    }

    /// Adds the sum of each part to its target.
    fn add_all(self, parts: &PartList, buffers: &mut KeyBuffers, scores: &mut Scores<'_>) {
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
struct Adder<'a, 'b, S> {
    lines: &'a [Line],
    targets: &'a [u32],
    scores: &'a mut Scores<'b>,
    sums: PhantomData<S>,
}

impl<S: Sums> Sink for Adder<'_, '_, S> {
    #[inline(always)]
    fn lines(&self) -> Option<&[Line]> {
        Some(self.lines)
    }

    #[inline(always)]
    fn parts(&mut self, group: &Group, batch: Batch<'_>) {
        let (width, targets) = (group.keys.len(), &self.targets[batch.first..]);
        let run = Run { lines: self.lines, width, targets, batch };
        let (own, twin) = (&mut *self.scores.own, &mut *self.scores.twin);
        let (constants, twin_constants) = (group.all_constants(), group.all_twin_constants());
        // The numbers of variants become constants, so that all loops over them unroll.
        match (group.variants.len(), if twin.is_empty() { 0 } else { group.twin_variants.len() }) {
            (1, 0) => run.add::<S, 1>(constants.as_chunks().0, own),
            (2, 0) => run.add::<S, 2>(constants.as_chunks().0, own),
            (3, 0) => run.add::<S, 3>(constants.as_chunks().0, own),
            (1, 1) => run.add_both::<S, 1>([constants, twin_constants].map(|c| c.as_chunks().0), [own, twin]),
            (2, 2) => run.add_both::<S, 2>([constants, twin_constants].map(|c| c.as_chunks().0), [own, twin]),
            // All others one variant at a time.
            (variants, twin_variants) => {
                ask_for(batch.ahead, self.lines);
                let run = Run { batch: Batch { ahead: &[], ..batch }, ..run };
                let each = |constants: &[u32], of: usize, variant: usize| -> Vec<[u32; 1]> {
                    constants.iter().skip(variant).step_by(of).map(|&c| [c]).collect()
                };
                (0..variants).for_each(|v| run.add::<S, 1>(&each(constants, variants, v), own));
                (0..twin_variants).for_each(|v| run.add::<S, 1>(&each(twin_constants, twin_variants, v), twin));
            }
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

    /// Adds the weights of as many variants of the kind and its twin.
    #[inline(always)]
    fn add_both<S: Sums, const V: usize>(&self, constants: [&[[u32; V]]; 2], [own, twin]: [&mut [i64]; 2]) {
        let Self { lines, width, targets, batch: Batch { geometries, keys, further, ahead, .. } } = *self;
        let mut ahead = ahead.chunks_exact(width);
        let plus_both = |[own, twin]: [S; 2], line: &Line, key: u64, [of_own, of_twin]: [[u32; V]; 2]| {
            [plus_features(own, line, key, of_own), plus_features(twin, line, key, of_twin)]
        };
        for ((keys, geometry), &target) in keys.chunks_exact(width).zip(geometries).zip(targets) {
            ask_for(ahead.next().unwrap_or_default(), lines);
            let constants = constants.map(|c| c[geometry.code()]);
            let sums =
                keys.iter().fold([S::zero(); 2], |sums, &key| plus_both(sums, first_line(lines, key), key, constants));
            own[target as usize] += sums[0].total();
            twin[target as usize] += sums[1].total();
        }
        for key in further {
            let constants = constants.map(|c| c[geometries[key.part as usize].code()]);
            let mut sums = [S::zero(); 2];
            for_each_further_line(lines, key, |line| sums = plus_both(sums, line, key.low.into(), constants));
            let target = targets[key.part as usize] as usize;
            own[target] += sums[0].total();
            twin[target] += sums[1].total();
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
