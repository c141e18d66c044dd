//! Scoring: the weights of all features of many parts, summed.
//!
//! The weights of a line's slots, summed side by side: one look-up compares all fingerprints of a line at once, and adds the
//! weight of the slot that matches, without a branch.

use std::marker::PhantomData;
use std::mem::take;
use std::ops::Add;

use crate::features::PartList;
use crate::features::plan::{Group, KindPlan, Layer, LayerViews, Views};
use crate::weights::cache::{Known, KnownSums, Sharing, SumCache, Weights};
use crate::weights::mapped::next;
use crate::weights::table::{Line, SLOTS, Table, fingerprint};
use crate::weights::walk::{Batch, Further, KeyBuffers, Sink, ask_for, walk};

#[cfg(target_arch = "x86_64")]
pub use narrow::Sums32;

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
        let of_layer = LayerScorer { narrow, table, layer, views: views.layer(layer) };
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

/// One sum a slot.
pub trait Sums: Copy {
    /// All 0.
    fn zero() -> Self;

    /// Adds the weight of the slot of `line` that holds `wanted`, if one does.
    fn plus_matching(self, line: &Line, wanted: u32) -> Self;

    /// The sum of all.
    fn total(self) -> i64;
}

/// Sums of type `T`, one a slot.
#[derive(Clone, Copy)]
pub struct Lanes<T>([T; SLOTS]);

impl<T: Copy + Default + From<i32> + Into<i64> + Add<Output = T>> Sums for Lanes<T> {
    #[inline(always)]
    fn zero() -> Self {
        Self([T::default(); SLOTS])
    }

    #[inline(always)]
    fn plus_matching(self, line: &Line, wanted: u32) -> Self {
        let matches = line.fingerprint.map(|f| -i32::from(f == wanted));
        Self(std::array::from_fn(|slot| self.0[slot] + T::from(line.weight[slot] & matches[slot])))
    }

    #[inline(always)]
    fn total(self) -> i64 {
        self.0.into_iter().map(Into::into).sum()
    }
}

/// In 64 bits, for weights of which some might together exceed 32.
pub type Sums64 = Lanes<i64>;

/// In 32 bits.
#[cfg(not(target_arch = "x86_64"))]
pub type Sums32 = Lanes<i32>;

/// Left to itself the compiler compares each slot with all wanted fingerprints, instead of each of these with all slots.
#[cfg(target_arch = "x86_64")]
mod narrow {
    use std::arch::x86_64::{
        __m128i, _mm_add_epi32, _mm_and_si128, _mm_cmpeq_epi32, _mm_set1_epi32, _mm_setzero_si128,
    };

    use super::{Line, SLOTS, Sums};

    /// In 32 bits.
    #[derive(Clone, Copy)]
    pub struct Sums32([__m128i; 2]);

    impl Sums for Sums32 {
        #[inline(always)]
        fn zero() -> Self {
            Self([zero(); 2])
        }

        #[inline(always)]
        fn plus_matching(self, line: &Line, wanted: u32) -> Self {
            let fingerprints: [__m128i; 2] = bytemuck::cast(line.fingerprint);
            let weights: [__m128i; 2] = bytemuck::cast(line.weight);
            Self(std::array::from_fn(|half| plus_matching(self.0[half], fingerprints[half], weights[half], wanted)))
        }

        #[inline(always)]
        fn total(self) -> i64 {
            let [a, b, c, d, e, f, g, h] = bytemuck::cast::<_, [i32; SLOTS]>(self.0);
            (((a + e) + (c + g)) + ((b + f) + (d + h))).into()
        }
    }

    #[inline(always)]
    fn zero() -> __m128i {
        // SAFETY: every x86-64 has these instructions.
        unsafe { _mm_setzero_si128() }
    }

    #[inline(always)]
    fn plus_matching(sum: __m128i, fingerprints: __m128i, weights: __m128i, wanted: u32) -> __m128i {
        // SAFETY: every x86-64 has these instructions.
        unsafe {
            let matches = _mm_cmpeq_epi32(fingerprints, _mm_set1_epi32(wanted as i32));
            _mm_add_epi32(sum, _mm_and_si128(matches, weights))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// All sums are those of the slots that hold what is wanted, several of one line or none.
        #[test]
        fn sums_are_those_of_matching_slots(
            lines in prop::collection::vec(prop::array::uniform8((0u32..12, -1000i32..1000)), 1..9),
            wanted in 1u32..12,
        ) {
            let (mut narrow, mut lanes, mut wide, mut expected) =
                (Sums32::zero(), Lanes::<i32>::zero(), Sums64::zero(), 0);
            for slots in lines {
                let line = Line { fingerprint: slots.map(|s| s.0), weight: slots.map(|s| s.1) };
                narrow = narrow.plus_matching(&line, wanted);
                lanes = lanes.plus_matching(&line, wanted);
                wide = wide.plus_matching(&line, wanted);
                expected += slots.iter().filter(|s| s.0 == wanted).map(|s| i64::from(s.1)).sum::<i64>();
            }
            prop_assert_eq!((narrow.total(), lanes.total(), wide.total()), (expected, expected, expected));
        }
    }

    /// What does not fit 32 bits is summed in 64.
    #[test]
    fn wide_sums_do_not_overflow() {
        let line = Line { fingerprint: [7; SLOTS], weight: [i32::MAX; SLOTS] };
        let sums = Sums64::zero().plus_matching(&line, 7).plus_matching(&line, 7);
        assert_eq!(sums.total(), 16 * i64::from(i32::MAX));
    }
}
