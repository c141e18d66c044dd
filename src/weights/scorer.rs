//! Scoring: the weights of all features of many parts, summed.

use multiversion::multiversion;

use super::sharing::Sharing;
use super::table::{Line, SLOTS, Table, fingerprint, home, next, prefetch};
use super::walk::{KeyBuffers, add_up};
use crate::features::plan::{KindPlan, Layer, LayerViews, MAX_ROLES};
use crate::features::{PartList, Views};

/// Where the scores of parts go: the score of each is added to its target.
#[derive(Debug)]
pub struct Scores<'a> {
    /// The scores of the kind.
    pub own: &'a mut [i64],
    /// The scores of its twin, by the same targets; empty if they are not wanted.
    pub twin: &'a mut [i64],
}

impl<'a> Scores<'a> {
    /// The scores of the kind alone.
    pub fn of(own: &'a mut [i64]) -> Self {
        Self { own, twin: &mut [] }
    }

    #[inline(always)]
    fn add(&mut self, target: u32, [own, twin]: [i64; 2]) {
        self.own[target as usize] += own;
        if !self.twin.is_empty() {
            self.twin[target as usize] += twin;
        }
    }
}

/// Adds the score of each part of `parts` to its target in `scores`.
pub fn add_scores(
    table: &Table,
    plan: &KindPlan,
    views: &Views,
    parts: &PartList,
    buffers: &mut KeyBuffers,
    mut scores: Scores<'_>,
) {
    // Sums of 32-bit weights stay within 32 bits unless the weights are those of a very long training run.
    let narrow = u64::from(table.largest()) * (plan.features() as u64) < 1 << 31;
    for layer in &plan.layers {
        let views = views.of(layer);
        let mut sharing = std::mem::take(&mut buffers.sharing);
        if layer.shared && sharing.find(layer, views, parts) {
            sharing.clear_sums(!scores.twin.is_empty());
            let Sharing { distinct, own, twin, .. } = &mut sharing;
            add_layer(narrow, table, layer, views, distinct, buffers, &mut Scores { own, twin });
            for (&target, &at) in parts.target.iter().zip(&sharing.of_part) {
                scores.add(target, sharing.sums_at(at));
            }
        } else {
            add_layer(narrow, table, layer, views, parts, buffers, &mut scores);
        }
        buffers.sharing = sharing;
    }
}

fn add_layer(
    narrow: bool,
    table: &Table,
    layer: &Layer,
    views: &LayerViews,
    parts: &PartList,
    buffers: &mut KeyBuffers,
    scores: &mut Scores<'_>,
) {
    buffers.lookups += (parts.len() * layer.keys.len()) as u64;
    let matrices = views.matrix.each_ref().map(Vec::as_slice);
    if narrow {
        run::<i32>(table.lines(), layer, &matrices, parts, &mut buffers.keys, scores);
    } else {
        run::<i64>(table.lines(), layer, &matrices, parts, &mut buffers.keys, scores);
    }
}

/// Lines under way between the request for them and their use: as many as keep a core's miss buffers busy.
const LINES_AHEAD: usize = 16;
/// Parts under way, at least and at most.
const PARTS_AHEAD: [usize; 2] = [3, 15];

/// Two stages, some parts apart: a part's keys are added up and their lines asked for; then the weights are summed.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn run<N: Number>(
    lines: &[Line],
    layer: &Layer,
    matrices: &[&[u64]; MAX_ROLES],
    parts: &PartList,
    ring: &mut Vec<u64>,
    scores: &mut Scores<'_>,
) {
    let keys = layer.keys.len();
    let ahead = LINES_AHEAD.div_ceil(keys).clamp(PARTS_AHEAD[0], PARTS_AHEAD[1]);
    // A power of two, so that the place in the ring is a mask away.
    let mask = (ahead + 1).next_power_of_two() - 1;
    ring.clear();
    ring.resize((mask + 1) * keys, 0);
    for i in 0..parts.len() + ahead {
        if i < parts.len() {
            let slot = &mut ring[(i & mask) * keys..][..keys];
            add_up(slot, layer, matrices, &parts.rows[i], parts.geometry[i]);
            for &key in &*slot {
                prefetch(&lines[home(key, lines.len())]);
            }
        }
        if let Some(part) = i.checked_sub(ahead) {
            let slot = &ring[(part & mask) * keys..][..keys];
            let mut total = [0, 0];
            for group in &layer.groups {
                let keys = &slot[group.keys.clone()];
                let geometry = parts.geometry[part];
                let [own, twin] =
                    sum_group::<N>(lines, keys, group.constants(geometry), group.twin_constants(geometry));
                total = [total[0] + own, total[1] + twin];
            }
            scores.add(parts.target[part], total);
        }
    }
}

trait Number: Copy + Default + From<i32> + Into<i64> + std::ops::Add<Output = Self> {}
impl Number for i32 {}
impl Number for i64 {}

/// The sums of the weights of a group's features: its own, and those of the twin.
#[inline(always)]
fn sum_group<N: Number>(lines: &[Line], keys: &[u64], own: &[u32], twin: &[u32]) -> [i64; 2] {
    // The numbers of variants become constants, so that all loops over them unroll.
    match (own, twin) {
        (&[a], &[]) => sum_variants::<N, 1, 0>(lines, keys, [a], []),
        (&[a, b], &[]) => sum_variants::<N, 2, 0>(lines, keys, [a, b], []),
        (&[a, b, c], &[]) => sum_variants::<N, 3, 0>(lines, keys, [a, b, c], []),
        (&[a], &[t]) => sum_variants::<N, 1, 1>(lines, keys, [a], [t]),
        (&[a, b], &[t, u]) => sum_variants::<N, 2, 2>(lines, keys, [a, b], [t, u]),
        // All others one variant at a time.
        _ => {
            let each =
                |variants: &[u32]| variants.iter().map(|&a| sum_variants::<N, 1, 0>(lines, keys, [a], [])[0]).sum();
            [each(own), each(twin)]
        }
    }
}

#[inline(always)]
fn sum_variants<N: Number, const V: usize, const W: usize>(
    lines: &[Line],
    keys: &[u64],
    own: [u32; V],
    twin: [u32; W],
) -> [i64; 2] {
    let mut sums = [[N::default(); SLOTS]; 2];
    for &key in keys {
        let own = own.map(|c| fingerprint(key, c));
        let twin = twin.map(|c| fingerprint(key, c));
        let mut at = home(key, lines.len());
        loop {
            let line = &lines[at];
            for &w in &own {
                sums[0] = plus_matching(sums[0], line, w);
            }
            for &w in &twin {
                sums[1] = plus_matching(sums[1], line, w);
            }
            if line.fingerprint[SLOTS - 1] == 0 {
                break;
            }
            at = next(at, lines.len());
        }
    }
    sums.map(|slots| slots.iter().map(|&s| s.into()).sum())
}

/// Adds the weight of the slot that holds `wanted`, if one does, without a branch: all slots at once.
#[inline(always)]
fn plus_matching<N: Number>(sums: [N; SLOTS], line: &Line, wanted: u32) -> [N; SLOTS] {
    let matches: [i32; SLOTS] = line.fingerprint.map(|f| -i32::from(f == wanted));
    std::array::from_fn(|slot| sums[slot] + N::from(line.weight[slot] & matches[slot]))
}
