//! Look-ups of many parts, some ahead of the work on them.
//!
//! Look-ups are taken by the chunk. While lines of one chunk are asked for, those of the chunk before, which have come
//! meanwhile, are summed. A few are asked for at a time, between sums of a few others: so many requests find room at once, and
//! memory is busy while sums are formed. Whether a look-up has to go on to another line cannot be guessed, so such look-ups are
//! kept without a branch, their next lines asked for, and they go on with the chunk that follows. No look-up waits for memory. A
//! template group is looked up for one part after the other, so that what it sees of the sentence's words, some hundred bytes a role,
//! stays at hand. Of template groups that can be looked up side by side, those of one half of the table come first.

use std::ops::Range;

use multiversion::multiversion;

use crate::features::PartList;
use crate::features::groups::{Layer, LayerViews, TemplateGroup};
use crate::weights::cache::{Known, Sharing};
use crate::weights::contexts::line::{BIN_BITS, Line, Long, Narrow, Query, Short, Sum, Wide};
use crate::weights::contexts::scorer::{AllSums, Sums};
use crate::weights::contexts::table::{Lines, Table, fingerprint, high};
use crate::weights::mapped;
use crate::weights::mapped::{home, prefetch};

/// Look-ups in a chunk: enough for their lines to come before they are looked at.
const CHUNK: usize = 48;

/// Lines that are asked for at a time: fewer than a core can wait for.
const BLOCK: usize = 8;

/// A look-up under way.
#[derive(Clone, Copy, Debug, Default)]
struct Item {
    /// The line that it looks at next, which has been asked for.
    line: u32,
    query: Query,
    /// Which of the parts.
    part: u32,
    /// Number of the template group's bit, [`NO_BIT`] if it guards none.
    bit: u32,
}

/// The number of a bit that nobody asks for.
const NO_BIT: u32 = u64::BITS - 1;

/// Look-ups under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    now: Vec<Item>,
    /// The chunk that follows, not asked for yet.
    next: Vec<Item>,
    /// The parts for which the guards at hand found something.
    passing: Vec<u32>,
}

/// Memory for scoring, reused.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    pub(super) queue: Queue,
    /// Parts that look alike.
    pub(super) sharing: Sharing,
    /// Parts whose sums are known, and those whose are not.
    pub(super) known: Known,
    pub(super) narrow: AllSums<Narrow>,
    pub(super) wide: AllSums<Wide>,
    /// Look-ups made so far.
    pub(super) lookups: u64,
}

impl Buffers {
    /// Look-ups made with these buffers: an address each, with one line of the table or more.
    pub fn lookups(&self) -> u64 {
        self.lookups
    }
}

/// Adds to the sums of each part what the layer's template groups find, but for template groups whose guards found nothing. The number of
/// look-ups.
pub(super) fn walk<S: Sum>(
    layer: &Layer,
    views: &LayerViews,
    rows: usize,
    parts: &PartList,
    table: &Table,
    queue: &mut Queue,
    sums: &mut Sums<S>,
) -> u64 {
    match layer.roles() {
        1 => run::<S, 1>(layer, views, rows, parts, table, queue, sums),
        2 => run::<S, 2>(layer, views, rows, parts, table, queue, sums),
        3 => run::<S, 3>(layer, views, rows, parts, table, queue, sums),
        _ => run::<S, 4>(layer, views, rows, parts, table, queue, sums),
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn run<S: Sum, const ROLES: usize>(
    layer: &Layer,
    views: &LayerViews,
    rows: usize,
    parts: &PartList,
    table: &Table,
    queue: &mut Queue,
    sums: &mut Sums<S>,
) -> u64 {
    let of = TemplateGroups { layer, views, rows, parts };
    let mut lookups = 0;
    for run in layer.runs() {
        lookups += of.look_up_half::<S, Short, ROLES>(run.clone(), &table.short, queue, sums);
        lookups += of.look_up_half::<S, Long, ROLES>(run, &table.long, queue, sums);
    }
    lookups
}

/// What is looked up: what some template groups see of some parts.
struct TemplateGroups<'a> {
    layer: &'a Layer,
    views: &'a LayerViews,
    rows: usize,
    parts: &'a PartList,
}

impl TemplateGroups<'_> {
    /// Looks up those of a run of template groups whose contexts stand in `lines`. The number of look-ups.
    #[inline(always)]
    fn look_up_half<S: Sum, L: Line, const ROLES: usize>(
        &self,
        run: Range<usize>,
        lines: &Lines<L>,
        queue: &mut Queue,
        sums: &mut Sums<S>,
    ) -> u64 {
        let guards =
            |template_group: &TemplateGroup| template_group.has_details() == L::HAS_DETAILS && template_group.bit != 0;
        if self.layer.template_groups[run.clone()].iter().any(guards) {
            self.look_up::<S, L, ROLES, true>(run, lines, queue, sums)
        } else {
            self.look_up::<S, L, ROLES, false>(run, lines, queue, sums)
        }
    }

    /// As [`look_up_half`](Self::look_up_half); `GUARDS` says whether any of them guards others.
    #[inline(always)]
    fn look_up<S: Sum, L: Line, const ROLES: usize, const GUARDS: bool>(
        &self,
        run: Range<usize>,
        lines: &Lines<L>,
        queue: &mut Queue,
        sums: &mut Sums<S>,
    ) -> u64 {
        let (of_table, lines) = (lines, lines.all());
        let mut lookups = 0;
        let mut needs = None;
        for number in run {
            let template_group = &self.layer.template_groups[number];
            if template_group.has_details() != L::HAS_DETAILS {
                continue;
            }
            if needs != Some(template_group.needs) {
                needs = Some(template_group.needs);
                queue.pass(template_group.needs, &sums.found);
            }
            let views = GroupViews::<ROLES>::new(self.views, number, self.rows);
            let passing = std::mem::take(&mut queue.passing);
            lookups += passing.len() as u64;
            for chunk in passing.chunks(CHUNK) {
                queue.prepare::<L, ROLES>(template_group, views, self.parts, chunk, lines.len());
                if of_table.is_unchecked() {
                    queue.check(of_table);
                }
                queue.step::<S, L, GUARDS>(lines, sums);
            }
            queue.passing = passing;
        }
        while !queue.now.is_empty() {
            if of_table.is_unchecked() {
                queue.check(of_table);
            }
            queue.step::<S, L, GUARDS>(lines, sums);
        }
        lookups
    }
}

/// What a template group sees of the words of a sentence, by role and row.
#[derive(Clone, Copy)]
struct GroupViews<'a, const ROLES: usize> {
    address: [&'a [u64]; ROLES],
    detail: [&'a [[u32; 2]]; ROLES],
}

impl<'a, const ROLES: usize> GroupViews<'a, ROLES> {
    #[inline(always)]
    fn new(views: &'a LayerViews, number: usize, rows: usize) -> Self {
        let of = number * rows..(number + 1) * rows;
        Self {
            address: std::array::from_fn(|role| &views.address[role][of.clone()]),
            detail: std::array::from_fn(|role| &views.detail[role][of.clone()]),
        }
    }
}

impl Queue {
    /// Lists the parts for which all guards of a template group found something.
    #[inline(always)]
    fn pass(&mut self, needs: u64, found: &[u64]) {
        self.passing.clear();
        if needs == 0 {
            self.passing.extend(0..found.len() as u32);
            return;
        }
        self.passing.resize(found.len(), 0);
        let mut len = 0;
        for (part, &found) in found.iter().enumerate() {
            self.passing[len] = part as u32;
            // The next one overwrites what does not count.
            len += usize::from(found & needs == needs);
        }
        self.passing.truncate(len);
    }

    /// Fills `next` with the look-ups of some parts.
    #[inline(always)]
    fn prepare<L: Line, const ROLES: usize>(
        &mut self,
        template_group: &TemplateGroup,
        views: GroupViews<'_, ROLES>,
        parts: &PartList,
        chunk: &[u32],
        lines: usize,
    ) {
        let fold = template_group.product.fold;
        // In what is not folded, stored contexts have 0, with which no query may agree.
        let bins = if fold.distance { 0 } else { BIN_BITS };
        let details = [u32::from(!fold.forms), u32::from(!fold.tags)];
        let bit = template_group.bit.trailing_zeros().min(NO_BIT);
        let (part_rows, geometries) = (&parts.rows[..], &parts.geometry[..]);
        self.next.resize(chunk.len(), Item::default());
        for (item, &part) in self.next.iter_mut().zip(chunk) {
            let rows = &part_rows[part as usize];
            let (mut address, bin) = template_group.geometry[geometries[part as usize].code()];
            for (of_role, &row) in views.address.iter().zip(rows) {
                address = address.wrapping_add(of_role[row as usize]);
            }
            let [mut forms, mut tags] = details;
            if L::HAS_DETAILS {
                for (of_role, &row) in views.detail.iter().zip(rows) {
                    let [of_forms, of_tags] = of_role[row as usize];
                    (forms, tags) = (forms ^ of_forms, tags ^ of_tags);
                }
                // As in stored contexts, a detail is never 0.
                (forms, tags) = (forms.max(1), tags.max(1));
            }
            let line = home(high(address), lines) as u32;
            let query = Query { first: fingerprint(address) | bin | bins, forms, tags };
            *item = Item { line, query, part, bit };
        }
    }

    /// Checks the lines that the next [`step`](Self::step) looks at, of a table in a file. Look-ups of damaged ones end: they
    /// find nothing, and their sums are never used.
    #[cold]
    fn check<L: Line>(&mut self, lines: &Lines<L>) {
        let Self { now, next, .. } = self;
        now.iter().chain(&*next).for_each(|item| _ = lines.is_sound(item.line as usize));
        if lines.is_damaged() {
            now.clear();
            next.clear();
        }
    }

    /// Sums the lines of all look-ups under way, while those of the next chunk are asked for. What has to go on stays under way,
    /// and the next chunk comes to it.
    #[inline(always)]
    fn step<S: Sum, L: Line, const GUARDS: bool>(&mut self, lines: &[L], sums: &mut Sums<S>) {
        let Self { now, next, .. } = self;
        let (mut done, mut sent_on) = (0, 0);
        let blocks = next.len().div_ceil(BLOCK).max(1);
        for block in 0..blocks {
            for ahead in next[block * BLOCK..].iter().take(BLOCK) {
                prefetch(&lines[ahead.line as usize]);
            }
            let (until, known_before) = (now.len() * (block + 1) / blocks, sent_on);
            for i in done..until {
                let mut item = now[i];
                let at = item.line as usize;
                let line = &lines[at];
                let part = item.part as usize;
                let found = sums.sums[part].add_line(line, item.query);
                if GUARDS {
                    sums.found[part] |= u64::from(found) << item.bit;
                }
                item.line = mapped::next(at, lines.len()) as u32;
                // The next one overwrites what has come to its end.
                now[sent_on] = item;
                sent_on += usize::from(line.goes_on(item.query.first));
            }
            done = until;
            for ahead in &now[known_before..sent_on] {
                prefetch(&lines[ahead.line as usize]);
            }
        }
        now.truncate(sent_on);
        now.append(next);
    }
}
