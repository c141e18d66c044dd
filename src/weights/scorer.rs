//! Scoring: the weights of all features of many parts, summed.

use multiversion::multiversion;

use super::table::{Line, SLOTS, Table, fingerprint, home, next, prefetch};
use super::walk::{KeyBuffers, add_up};
use crate::features::plan::{KindPlan, Layer, LayerViews, MAX_ROLES};
use crate::features::{PartList, Views};

/// Adds the score of each part of `parts` to its target in `scores`.
pub fn add_scores(
    table: &Table,
    plan: &KindPlan,
    views: &Views,
    parts: &PartList,
    buffers: &mut KeyBuffers,
    scores: &mut [i64],
) {
    // Sums of 32-bit weights stay within 32 bits unless the weights are those of a very long training run.
    let narrow = u64::from(table.largest()) * (plan.features() as u64) < 1 << 31;
    for layer in &plan.layers {
        let views = views.of(layer);
        let mut sharing = std::mem::take(&mut buffers.sharing);
        if layer.shared && sharing.find(layer, views, parts) {
            sharing.sums.clear();
            sharing.sums.resize(sharing.distinct.len(), 0);
            add_layer(narrow, table, layer, views, &sharing.distinct, buffers, &mut sharing.sums);
            for (&target, &at) in parts.target.iter().zip(&sharing.of_part) {
                scores[target as usize] += sharing.sums[at as usize];
            }
        } else {
            add_layer(narrow, table, layer, views, parts, buffers, scores);
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
    scores: &mut [i64],
) {
    let matrices = views.matrix.each_ref().map(Vec::as_slice);
    if narrow {
        run::<i32>(table.lines(), layer, &matrices, parts, &mut buffers.keys, scores);
    } else {
        run::<i64>(table.lines(), layer, &matrices, parts, &mut buffers.keys, scores);
    }
}

/// Parts under way between the request for their lines and the use of them.
const PARTS_AHEAD: usize = 3;

/// Two stages, [`PARTS_AHEAD`] parts apart: a part's keys are added up and their lines asked for; then the weights are
/// summed.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn run<N: Number>(
    lines: &[Line],
    layer: &Layer,
    matrices: &[&[u64]; MAX_ROLES],
    parts: &PartList,
    ring: &mut Vec<u64>,
    scores: &mut [i64],
) {
    const SLOTS_UNDER_WAY: usize = PARTS_AHEAD + 1;
    let keys = layer.keys.len();
    ring.clear();
    ring.resize(SLOTS_UNDER_WAY * keys, 0);
    for i in 0..parts.len() + PARTS_AHEAD {
        if i < parts.len() {
            let slot = &mut ring[i % SLOTS_UNDER_WAY * keys..][..keys];
            add_up(slot, layer, matrices, &parts.rows[i], parts.geometry[i]);
            for &key in &*slot {
                prefetch(&lines[home(key, lines.len())]);
            }
        }
        if let Some(part) = i.checked_sub(PARTS_AHEAD) {
            let slot = &ring[part % SLOTS_UNDER_WAY * keys..][..keys];
            let mut total = 0i64;
            for group in &layer.groups {
                let keys = &slot[group.keys.clone()];
                total += match *group.constants(parts.geometry[part]) {
                    [a] => sum_group::<N, 1>(lines, keys, [a]),
                    [a, b] => sum_group::<N, 2>(lines, keys, [a, b]),
                    [a, b, c] => sum_group::<N, 3>(lines, keys, [a, b, c]),
                    _ => 0,
                };
            }
            scores[parts.target[part] as usize] += total;
        }
    }
}

trait Number: Copy + Default + From<i32> + Into<i64> + std::ops::Add<Output = Self> {}
impl Number for i32 {}
impl Number for i64 {}

#[inline(always)]
fn sum_group<N: Number, const V: usize>(lines: &[Line], keys: &[u64], constants: [u32; V]) -> i64 {
    let mut sums = [N::default(); SLOTS];
    for &key in keys {
        let wanted = constants.map(|c| fingerprint(key, c));
        let mut at = home(key, lines.len());
        loop {
            let line = &lines[at];
            for &w in &wanted {
                sums = plus_matching(sums, line, w);
            }
            if line.fingerprint[SLOTS - 1] == 0 {
                break;
            }
            at = next(at, lines.len());
        }
    }
    sums.iter().map(|&s| s.into()).sum()
}

/// Adds the weight of the slot that holds `wanted`, if one does, without a branch: all slots at once.
#[inline(always)]
fn plus_matching<N: Number>(sums: [N; SLOTS], line: &Line, wanted: u32) -> [N; SLOTS] {
    let matches: [i32; SLOTS] = line.fingerprint.map(|f| -i32::from(f == wanted));
    std::array::from_fn(|slot| sums[slot] + N::from(line.weight[slot] & matches[slot]))
}
