//! Walking over the keys of many parts, some parts ahead of the work on them.
//!
//! A part's keys are the sum of one row of views a role, added up a block at a time. Parts are taken by the chunk, and three
//! chunks are under way: the keys of the first are added up and the table lines that they address asked for; of the lines
//! of the second, which have come meanwhile, those that are full send a look-up on to the next line, and this is asked for;
//! the third is worked on, and does not wait for memory.

use multiversion::multiversion;

use super::sharing::Sharing;
use super::table::{Line, home, next, prefetch};
use crate::features::PartList;
use crate::features::geometry::Geometry;
use crate::features::plan::{BLOCK, Group, Layer, LayerViews, MAX_ROLES};

/// Keys in a chunk, about: as many lines as keep a core's miss buffers busy.
const KEYS_IN_CHUNK: usize = 48;

/// Memory for the keys of the parts under way, reused.
#[derive(Clone, Debug, Default)]
pub struct KeyBuffers {
    /// The keys of the chunks under way.
    chunks: [Vec<u64>; 3],
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

/// What is done with the keys of parts.
pub trait Sink {
    /// The table at which the sink looks, if it looks at one.
    fn lines(&self) -> Option<&[Line]>;

    /// Some parts, from the one of index `first` on, by their geometries; `keys` has as many for each as the group. If the
    /// sink looks at a table, the high half of a key is no longer the features' address but the [line](home) where their
    /// search begins.
    fn parts(&mut self, group: &Group, first: usize, geometries: &[Geometry], keys: &[u64]);
}

/// Gives `sink` the keys of every part of `parts`: for one group of templates after the other, the parts in order.
#[inline]
pub fn walk(layer: &Layer, views: &LayerViews, parts: &PartList, buffers: &mut KeyBuffers, sink: &mut impl Sink) {
    let matrices = views.matrix.each_ref().map(Vec::as_slice);
    for group in &layer.groups {
        match *matrices.split_at(layer.roles()).0 {
            [a, b] => run(group, layer.blocks(), [a, b], parts, &mut buffers.chunks, sink),
            [a, b, c] => run(group, layer.blocks(), [a, b, c], parts, &mut buffers.chunks, sink),
            _ => run(group, layer.blocks(), matrices, parts, &mut buffers.chunks, sink),
        }
    }
}

/// As [`walk`], for one group; a row of views is `stride` blocks.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn run<S: Sink, const ROLES: usize>(
    group: &Group,
    stride: usize,
    matrices: [&[[u64; BLOCK]]; ROLES],
    parts: &PartList,
    chunks: &mut [Vec<u64>; 3],
    sink: &mut S,
) {
    let width = group.keys.len();
    let size = KEYS_IN_CHUNK.div_ceil(width);
    let number = parts.len().div_ceil(size);
    let parts_of = |chunk: usize| chunk * size..((chunk + 1) * size).min(parts.len());
    for chunk in chunks.iter_mut() {
        chunk.clear();
        // Whole blocks are written, the last of them beyond the last key.
        chunk.resize(size * width + BLOCK, 0);
    }
    let [first, second, third] = chunks;
    for step in 0..number + 2 {
        std::mem::swap(second, third);
        std::mem::swap(first, second);
        if step < number {
            let range = parts_of(step);
            add_up(first, group, stride, matrices, &parts.rows[range.clone()], &parts.geometry[range.clone()]);
            if let Some(lines) = sink.lines() {
                ask(&mut first[..range.len() * width], lines);
            }
        }
        if let (Some(lines), Some(chunk)) = (sink.lines(), step.checked_sub(1).filter(|&chunk| chunk < number)) {
            ask_further(&second[..parts_of(chunk).len() * width], lines);
        }
        if let Some(chunk) = step.checked_sub(2) {
            let range = parts_of(chunk);
            let keys = &third[..range.len() * width];
            sink.parts(group, range.start, &parts.geometry[range], keys);
        }
    }
}

/// The keys of some parts: the place-by-place sum of their rows, and what their directions add.
#[inline(always)]
fn add_up<const ROLES: usize>(
    keys: &mut [u64],
    group: &Group,
    stride: usize,
    matrices: [&[[u64; BLOCK]]; ROLES],
    rows: &[[u32; MAX_ROLES]],
    geometries: &[Geometry],
) {
    let (width, blocks) = (group.keys.len(), group.blocks.clone());
    let directed = group.is_directed();
    let mut at = 0;
    for (rows, geometry) in rows.iter().zip(geometries) {
        let address = if directed { geometry.address() } else { 0 };
        let mut place = at;
        for block in blocks.clone() {
            let mut sum = [address; BLOCK];
            for role in 0..ROLES {
                let views = &matrices[role][rows[role] as usize * stride + block];
                sum = std::array::from_fn(|i| sum[i].wrapping_add(views[i]));
            }
            // What is beyond the group's keys is overwritten by those of the next part.
            keys[place..place + BLOCK].copy_from_slice(&sum);
            place += BLOCK;
        }
        at += width;
    }
}

/// Turns addresses into lines, and asks for these.
#[inline(always)]
fn ask(keys: &mut [u64], lines: &[Line]) {
    let count = lines.len();
    for key in &mut *keys {
        *key = (home(*key, count) as u64) << 32 | *key & 0xffff_ffff;
    }
    for &key in &*keys {
        prefetch(&lines[(key >> 32) as usize]);
    }
}

/// Asks for the lines to which full lines send a look-up on.
#[inline(always)]
fn ask_further(keys: &[u64], lines: &[Line]) {
    for &key in keys {
        let line = (key >> 32) as usize;
        // Without a branch, which would be guessed wrong: a line that is not full is asked for again, at no cost.
        let further = if lines[line].is_full() { next(line, lines.len()) } else { line };
        prefetch(&lines[further]);
    }
}
