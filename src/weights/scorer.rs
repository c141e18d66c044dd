//! Scoring: the weights of all features of many parts, summed.

use std::marker::PhantomData;

use super::table::{Line, SLOTS, Table, fingerprint, home, next};
use super::walk::{KeyBuffers, Sink, walk};
use crate::features::geometry::Geometry;
use crate::features::plan::KindPlan;
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
    let lines = table.lines();
    // Sums of 32-bit weights stay within 32 bits unless the weights are those of a very long training run.
    let narrow = u64::from(table.largest()) * (plan.features() as u64) < 1 << 31;
    if narrow {
        walk(
            lines,
            plan,
            views,
            parts,
            buffers,
            &mut Sum::<i32> { lines, plan, target: &parts.target, scores, width: PhantomData },
        );
    } else {
        walk(
            lines,
            plan,
            views,
            parts,
            buffers,
            &mut Sum::<i64> { lines, plan, target: &parts.target, scores, width: PhantomData },
        );
    }
}

/// Sums in numbers of type `N`.
struct Sum<'a, N> {
    lines: &'a [Line],
    plan: &'a KindPlan,
    target: &'a [u32],
    scores: &'a mut [i64],
    width: PhantomData<N>,
}

trait Number: Copy + Default + From<i32> + Into<i64> + std::ops::Add<Output = Self> {}
impl Number for i32 {}
impl Number for i64 {}

impl<N: Number> Sink for Sum<'_, N> {
    #[inline(always)]
    fn part(&mut self, part: usize, geometry: Geometry, keys: &[u64]) {
        let mut total = 0i64;
        for group in &self.plan.groups {
            let keys = &keys[group.keys.clone()];
            total += match group.constants(geometry) {
                &[a] => sum_group::<N, 1>(self.lines, keys, [a]),
                &[a, b] => sum_group::<N, 2>(self.lines, keys, [a, b]),
                &[a, b, c] => sum_group::<N, 3>(self.lines, keys, [a, b, c]),
                _ => 0,
            };
        }
        self.scores[self.target[part] as usize] += total;
    }
}

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
