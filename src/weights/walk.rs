//! Walking over the keys of many parts, some parts ahead of the work on them.
//!
//! A part's keys are the sum of one row of views a role. The table lines that they address are fetched while the parts
//! before are worked on, so that the table's latency is hidden behind them.

use multiversion::multiversion;

use super::sharing::Sharing;
use super::table::{Line, home, prefetch};
use crate::features::PartList;
use crate::features::geometry::Geometry;
use crate::features::plan::{Layer, LayerViews, MAX_ROLES};

/// Lines that are under way at once: as many as keep a core's miss buffers busy for the latency of a distant cache.
const LINES_AHEAD: usize = 32;

/// Memory for the keys of the parts under way, reused.
#[derive(Clone, Debug, Default)]
pub struct KeyBuffers {
    /// A ring of parts, the keys of each next to each other.
    pub(super) keys: Vec<u64>,
    /// Parts that look alike.
    pub(super) sharing: Sharing,
    /// Look-ups made so far: keys of distinct parts.
    pub(super) lookups: u64,
}

impl KeyBuffers {
    /// Look-ups made with these buffers in scoring: a line of the table each.
    pub fn lookups(&self) -> u64 {
        self.lookups
    }
}

/// What is done with the keys of each part.
pub trait Sink {
    /// `part` is the index in the list; `keys` are those of the layer's templates, in its order.
    fn part(&mut self, part: usize, geometry: Geometry, keys: &[u64]);
}

/// Gives `sink` the keys of every part of `parts` in order; `lines` is the table that the sink will look at, or empty.
pub fn walk(
    lines: &[Line],
    layer: &Layer,
    views: &LayerViews,
    parts: &PartList,
    buffers: &mut KeyBuffers,
    sink: &mut impl Sink,
) {
    let matrices = views.matrix.each_ref().map(Vec::as_slice);
    run(lines, layer, &matrices, parts, &mut buffers.keys, sink);
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn run<S: Sink>(
    lines: &[Line],
    layer: &Layer,
    matrices: &[&[u64]; MAX_ROLES],
    parts: &PartList,
    ring: &mut Vec<u64>,
    sink: &mut S,
) {
    let keys = layer.keys.len();
    let ahead = LINES_AHEAD.div_ceil(keys).clamp(1, 16);
    let slots = ahead + 1;
    ring.clear();
    ring.resize(slots * keys, 0);
    let (mut put, mut take) = (0, 0);
    for i in 0..parts.len() + ahead {
        if i < parts.len() {
            let slot = &mut ring[put * keys..][..keys];
            add_up(slot, layer, matrices, &parts.rows[i], parts.geometry[i]);
            if !lines.is_empty() {
                for &key in &*slot {
                    prefetch(&lines[home(key, lines.len())]);
                }
            }
            put = if put + 1 == slots { 0 } else { put + 1 };
        }
        if let Some(part) = i.checked_sub(ahead) {
            sink.part(part, parts.geometry[part], &ring[take * keys..][..keys]);
            take = if take + 1 == slots { 0 } else { take + 1 };
        }
    }
}

/// A part's keys: the place-by-place sum of its rows, and what its directions add.
#[inline(always)]
pub(super) fn add_up(
    keys: &mut [u64],
    layer: &Layer,
    matrices: &[&[u64]; MAX_ROLES],
    rows: &[u32; MAX_ROLES],
    geometry: Geometry,
) {
    sum_rows(keys, matrices, layer.roles(), rows);
    for group in &layer.groups {
        let address = group.address(geometry);
        keys[group.keys.clone()].iter_mut().for_each(|key| *key = key.wrapping_add(address));
    }
}

#[inline(always)]
fn sum_rows(keys: &mut [u64], matrices: &[&[u64]; MAX_ROLES], roles: usize, rows: &[u32; MAX_ROLES]) {
    let len = keys.len();
    let row = |role: usize| &matrices[role][rows[role] as usize * len..][..len];
    let (a, b) = (row(0), row(1));
    match roles {
        2 => {
            for i in 0..len {
                keys[i] = a[i].wrapping_add(b[i]);
            }
        }
        3 => {
            let c = row(2);
            for i in 0..len {
                keys[i] = a[i].wrapping_add(b[i]).wrapping_add(c[i]);
            }
        }
        _ => {
            let (c, d) = (row(2), row(3));
            for i in 0..len {
                keys[i] = a[i].wrapping_add(b[i]).wrapping_add(c[i].wrapping_add(d[i]));
            }
        }
    }
}
