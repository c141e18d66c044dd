//! Walking over the keys of many parts, some parts ahead of the work on them.
//!
//! A part's keys are the sum of one row of views a role, added up a block at a time. Parts are taken by the chunk, and three
//! chunks are under way: the keys of the first are added up, and the table lines that they address asked for, bit by bit
//! while the third is worked on, since a core waits when it has asked for more lines than it can keep track of; of the lines
//! of the second, which have come meanwhile, those that are full send a look-up on to the next line: such keys are listed,
//! and these lines asked for; the third is worked on, and does not wait for memory. The list is made without a branch, and
//! the work on first lines needs none: whether a line is full could not be guessed.
//!
//! Feature ids: the position of a feature in an array of weights, for learners that keep several weights a feature.

use multiversion::multiversion;

use crate::features::PartList;
use crate::features::geometry::Geometry;
use crate::features::plan::{BLOCK, Group, KindPlan, Layer, LayerViews, Views};
use crate::features::template::MAX_ROLES;
use crate::weights::cache::{Known, Sharing};
use crate::weights::mapped::{next, prefetch};
use crate::weights::table::{FeatureKey, Line, SLOTS, Table, fingerprint, home};

/// Keys in a chunk, about: enough for their lines to come before they are looked at.
const KEYS_IN_CHUNK: usize = 48;

/// Memory for the keys of the parts under way, reused.
#[derive(Clone, Debug, Default)]
pub struct KeyBuffers {
    /// The chunks under way.
    chunks: [Chunk; 3],
    /// Parts that look alike.
    pub(super) sharing: Sharing,
    /// Parts whose sums are known, and those whose are not.
    pub(super) known: Known,
    /// By part that is not known.
    pub(super) of_missing: Vec<i64>,
    /// By distinct part.
    pub(super) of_distinct: Vec<i64>,
    /// Look-ups made so far: keys of distinct parts.
    pub(super) lookups: u64,
}

impl KeyBuffers {
    /// Look-ups made with these buffers in scoring: a line of the table each.
    pub fn lookups(&self) -> u64 {
        self.lookups
    }
}

/// Keys of consecutive parts.
#[derive(Clone, Debug, Default)]
struct Chunk {
    /// As many a part as the group has; beyond them, remains.
    keys: Vec<u64>,
    /// The keys whose first line is full, in order; beyond `further_len`, remains.
    further: Vec<Further>,
    further_len: usize,
}

impl Chunk {
    /// Makes room for at least so many parts with so many keys each. Room is never given back, since a sentence has many short
    /// runs, and each would clear it anew.
    fn reserve(&mut self, parts: usize, width: usize) {
        // Whole blocks are written, the last of them beyond the last key.
        let keys = parts * width + BLOCK;
        if self.keys.len() < keys {
            self.keys.resize(keys, 0);
            self.further.resize(keys, Further::default());
        }
        self.further_len = 0;
    }
}

/// A key whose first line is full, so that its features may stand in the next one too.
#[derive(Clone, Copy, Debug, Default)]
pub struct Further {
    /// Which of the parts at hand.
    pub part: u32,
    /// The line after the first one.
    pub line: u32,
    /// The low half of the key.
    pub low: u32,
}

/// What is done with the keys of parts.
pub trait Sink {
    /// The table at which the sink looks, if it looks at one.
    fn lines(&self) -> Option<&[Line]>;

    /// Some parts of a group.
    fn parts(&mut self, group: &Group, batch: Batch<'_>);
}

/// Parts next to each other, with their keys.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The index of the first of them.
    pub first: usize,
    /// By part.
    pub geometries: &'a [Geometry],
    /// As many a part as the group has. If the sink looks at a table, the high half of a key is no longer the features' address
    /// but the [line](home) where their search begins.
    pub keys: &'a [u64],
    /// If the sink looks at a table: all keys whose search does not end in its first line.
    pub further: &'a [Further],
    /// Keys of parts to come, whose lines the sink must [ask](ask_for) for while it works on these: as many as for so many
    /// parts, or fewer.
    pub ahead: &'a [u64],
}

/// Gives `sink` the keys of every part of `parts`: for one group of templates after the other, the parts in order.
#[inline]
pub fn walk(layer: &Layer, views: &LayerViews, parts: &PartList, buffers: &mut KeyBuffers, sink: &mut impl Sink) {
    let matrices = views.matrix.each_ref().map(Vec::as_slice);
    for group in &layer.groups {
        match *matrices.split_at(layer.roles()).0 {
            [a] => run(group, layer.blocks(), [a], parts, &mut buffers.chunks, sink),
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
    chunks: &mut [Chunk; 3],
    sink: &mut S,
) {
    let width = group.keys.len();
    let size = KEYS_IN_CHUNK.div_ceil(width);
    let number = parts.len().div_ceil(size);
    let parts_of = |chunk: usize| chunk * size..((chunk + 1) * size).min(parts.len());
    for chunk in chunks.iter_mut() {
        chunk.reserve(size, width);
    }
    let [first, second, third] = chunks;
    for step in 0..number + 2 {
        std::mem::swap(second, third);
        std::mem::swap(first, second);
        let mut ahead: &[u64] = &[];
        if step < number {
            let range = parts_of(step);
            add_up(
                &mut first.keys,
                group,
                stride,
                matrices,
                &parts.rows[range.clone()],
                &parts.geometry[range.clone()],
            );
            if let Some(lines) = sink.lines() {
                let keys = &mut first.keys[..range.len() * width];
                find_lines(keys, lines.len());
                if step < 2 {
                    // There is no work yet that could go on meanwhile.
                    ask_for(keys, lines);
                } else {
                    ahead = keys;
                }
            }
        }
        if let (Some(lines), Some(chunk)) = (sink.lines(), step.checked_sub(1).filter(|&chunk| chunk < number)) {
            ask_further(second, parts_of(chunk).len(), width, lines);
        }
        if let Some(chunk) = step.checked_sub(2) {
            let range = parts_of(chunk);
            let (keys, further) = (&third.keys[..range.len() * width], &third.further[..third.further_len]);
            sink.parts(group, Batch { first: range.start, geometries: &parts.geometry[range], keys, further, ahead });
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

/// Turns addresses into lines, out of so many.
#[inline(always)]
fn find_lines(keys: &mut [u64], lines: usize) {
    for key in keys {
        *key = (home(*key, lines) as u64) << 32 | *key & 0xffff_ffff;
    }
}

/// Asks for the first lines of keys.
#[inline(always)]
pub fn ask_for(keys: &[u64], lines: &[Line]) {
    for &key in keys {
        prefetch(&lines[(key >> 32) as usize]);
    }
}

/// Lists the keys of so many parts that full lines send on to the next line, and asks for these.
#[inline(always)]
fn ask_further(chunk: &mut Chunk, parts: usize, width: usize, lines: &[Line]) {
    let Chunk { keys, further, .. } = chunk;
    let mut len = 0;
    for (part, keys) in keys.chunks_exact(width).take(parts).enumerate() {
        for &key in keys {
            let line = (key >> 32) as usize;
            further[len] = Further { part: part as u32, line: line as u32, low: key as u32 };
            // The next one overwrites what does not count.
            len += usize::from(lines[line].is_full());
        }
    }
    for key in &mut further[..len] {
        let line = next(key.line as usize, lines.len());
        key.line = line as u32;
        prefetch(&lines[line]);
    }
    chunk.further_len = len;
}

/// Calls `visit` with the part's index and the feature, for every feature of every part.
pub fn for_each_feature(
    plan: &KindPlan,
    views: &Views,
    parts: &PartList,
    buffers: &mut KeyBuffers,
    mut visit: impl FnMut(usize, FeatureKey),
) {
    struct Each<F>(F);
    impl<F: FnMut(usize, FeatureKey)> Sink for Each<F> {
        #[inline(always)]
        fn lines(&self) -> Option<&[Line]> {
            None
        }

        #[inline(always)]
        fn parts(&mut self, group: &Group, Batch { first, geometries, keys, .. }: Batch<'_>) {
            for (part, keys) in (first..).zip(keys.chunks_exact(group.keys.len())) {
                for &key in keys {
                    for &constant in group.constants(geometries[part - first]) {
                        (self.0)(part, FeatureKey::new(key, constant));
                    }
                }
            }
        }
    }
    for layer in &plan.layers {
        walk(layer, views.layer(layer), parts, buffers, &mut Each(&mut visit));
    }
}

/// Numbers features in the order in which they are first seen.
#[derive(Debug)]
pub struct FeatureIds {
    /// The weight of a slot is the feature's id.
    table: Table,
    keys: Vec<FeatureKey>,
}

impl FeatureIds {
    /// Numbers the distinct `keys`.
    ///
    /// # Errors
    /// If the system has no memory for the table.
    pub fn new(keys: impl IntoIterator<Item = FeatureKey>) -> std::io::Result<Self> {
        let mut ids = Self { table: Table::new(1 << 12)?, keys: Vec::new() };
        for key in keys {
            ids.number(key)?;
        }
        Ok(ids)
    }

    /// The id of a feature, a new one if it has none.
    ///
    /// # Errors
    /// If the table must grow and the system has no memory.
    pub fn number(&mut self, key: FeatureKey) -> std::io::Result<u32> {
        let lines = self.table.lines().len();
        if (self.keys.len() + 1) * 2 > lines * SLOTS {
            let mut table = Table::new(lines * 2)?;
            for (id, &key) in self.keys.iter().enumerate() {
                let (line, slot, _) = table.insert(key);
                table.set(line, slot, id as i32);
            }
            self.table = table;
        }
        let (line, slot, new) = self.table.insert(key);
        if new {
            self.table.set(line, slot, self.keys.len() as i32);
            self.keys.push(key);
        }
        Ok(self.table.lines()[line].weight[slot] as u32)
    }

    /// The features by id.
    pub fn keys(&self) -> &[FeatureKey] {
        &self.keys
    }

    /// Calls `visit` with the part's index and the id, for every feature of every part that has an id.
    pub fn for_each(
        &self,
        plan: &KindPlan,
        views: &Views,
        parts: &PartList,
        buffers: &mut KeyBuffers,
        mut visit: impl FnMut(usize, u32),
    ) {
        struct Each<'a, F>(&'a [Line], F);
        impl<F: FnMut(usize, u32)> Sink for Each<'_, F> {
            #[inline(always)]
            fn lines(&self) -> Option<&[Line]> {
                Some(self.0)
            }

            #[inline(always)]
            fn parts(&mut self, group: &Group, Batch { first, geometries, keys, ahead, .. }: Batch<'_>) {
                ask_for(ahead, self.0);
                for (part, keys) in (first..).zip(keys.chunks_exact(group.keys.len())) {
                    for &key in keys {
                        for &constant in group.constants(geometries[part - first]) {
                            if let Some(id) = find(self.0, (key >> 32) as usize, fingerprint(key, constant)) {
                                (self.1)(part, id);
                            }
                        }
                    }
                }
            }
        }
        let lines = self.table.lines();
        for layer in &plan.layers {
            walk(layer, views.layer(layer), parts, buffers, &mut Each(lines, &mut visit));
        }
    }
}

/// The id of the feature of a fingerprint, looked for from the line `at` on.
#[inline(always)]
fn find(lines: &[Line], mut at: usize, fingerprint: u32) -> Option<u32> {
    loop {
        let line = &lines[at];
        let mut matches = 0u32;
        for slot in 0..SLOTS {
            matches |= u32::from(line.fingerprint[slot] == fingerprint) << slot;
        }
        if matches != 0 {
            return Some(line.weight[matches.trailing_zeros() as usize] as u32);
        }
        if !line.is_full() {
            return None;
        }
        at = next(at, lines.len());
    }
}
