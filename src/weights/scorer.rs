//! Scoring: the weights of all features of many parts, summed.

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
    walk(lines, plan, views, parts, buffers, &mut Sum { lines, plan, target: &parts.target, scores });
}

struct Sum<'a> {
    lines: &'a [Line],
    plan: &'a KindPlan,
    target: &'a [u32],
    scores: &'a mut [i64],
}

impl Sink for Sum<'_> {
    #[inline(always)]
    fn part(&mut self, part: usize, geometry: Geometry, keys: &[u64]) {
        let mut total = 0i64;
        for group in &self.plan.groups {
            let keys = &keys[group.keys.clone()];
            total += match group.constants(geometry) {
                &[a] => sum_group(self.lines, keys, [a]),
                &[a, b] => sum_group(self.lines, keys, [a, b]),
                &[a, b, c] => sum_group(self.lines, keys, [a, b, c]),
                _ => 0,
            };
        }
        self.scores[self.target[part] as usize] += total;
    }
}

#[inline(always)]
fn sum_group<const V: usize>(lines: &[Line], keys: &[u64], constants: [u32; V]) -> i64 {
    let mut sums = [0i32; SLOTS];
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
    sums.iter().map(|&s| i64::from(s)).sum()
}

/// Adds the weight of the slot that holds `wanted`, if one does, without a branch: all slots at once.
#[inline(always)]
fn plus_matching(sums: [i32; SLOTS], line: &Line, wanted: u32) -> [i32; SLOTS] {
    let matches: [i32; SLOTS] = line.fingerprint.map(|f| -i32::from(f == wanted));
    std::array::from_fn(|slot| sums[slot].wrapping_add(line.weight[slot] & matches[slot]))
}
