//! Scoring: the weights of all features of many parts, summed.
//!
//! Guards of whole kinds: parts that have no feature with a weight, found by one look-up before they are listed.

use crate::features::PartList;
use crate::features::groups::{KindGroups, Layer, LayerViews, TemplateGroup, Views};
use crate::features::parts::Part;
use crate::weights::cache::{Known, KnownSums, Sharing, SumCache};
use crate::weights::contexts::Weights;
use crate::weights::contexts::line::Sum;
use crate::weights::contexts::lookups::{Buffers, Queue, walk};
use crate::weights::contexts::table::Table;

/// Adds the score of each part of `parts` to its target in `scores`.
pub fn add_scores(
    weights: Weights<'_>,
    kind: &KindGroups,
    views: &Views,
    parts: &PartList,
    buffers: &mut Buffers,
    scores: Scores<'_>,
) {
    if parts.is_empty() {
        return;
    }
    let Weights { table, cache } = weights;
    // Sums wrap around, and are right in the end if the sum of all features of a part fits 32 bits.
    let is_narrow = u128::from(table.largest()) * (kind.features() as u128) < 1 << 31;
    let Buffers { queue, sharing, known, narrow, wide, lookups } = buffers;
    if is_narrow {
        Scorer { table, cache, views, queue, sharing, known, lookups }.add_scores(kind, parts, narrow, scores);
    } else {
        let cache = None;
        Scorer { table, cache, views, queue, sharing, known, lookups }.add_scores(kind, parts, wide, scores);
    }
}

/// Scores the parts of a kind in a sentence.
struct Scorer<'a> {
    table: &'a Table,
    cache: Option<&'a SumCache>,
    views: &'a Views,
    queue: &'a mut Queue,
    sharing: &'a mut Sharing,
    known: &'a mut Known,
    lookups: &'a mut u64,
}

impl Scorer<'_> {
    fn add_scores<S: Sum>(
        &mut self,
        kind: &KindGroups,
        parts: &PartList,
        AllSums { of_parts: sums, missing, distinct }: &mut AllSums<S>,
        scores: Scores<'_>,
    ) {
        sums.reset(parts.len());
        let Scores { own, twin } = scores;
        let lane = kind.lane();
        for layer in &kind.layers {
            match self.cache.filter(|_| layer.by_tags) {
                Some(cache) => self.add_known(cache, layer, parts, sums, [missing, distinct]),
                None => self.add_distinct(layer, parts, sums, distinct),
            }
        }
        if twin.is_empty() {
            for (sums, &target) in sums.sums.iter().zip(&parts.target) {
                own[target as usize] += sums.totals()[lane];
            }
        } else {
            for (sums, &target) in sums.sums.iter().zip(&parts.target) {
                let [of_own, of_twin] = sums.totals();
                own[target as usize] += of_own;
                twin[target as usize] += of_twin;
            }
        }
    }

    /// As [`add_distinct`](Self::add_distinct), for a layer whose sums are kept: only parts that the cache does not know are
    /// summed, and are known then.
    fn add_known<S: Sum>(
        &mut self,
        cache: &SumCache,
        layer: &Layer,
        parts: &PartList,
        sums: &mut Sums<S>,
        [of_missing, distinct]: [&mut Sums<S>; 2],
    ) {
        let mut known = std::mem::take(self.known);
        known.look_up(cache, &layer.codes, &self.views.layer(layer).prints[..layer.roles()], parts);
        let Known { keys, missing, part_of, sums: of_parts } = &mut known;
        if !missing.is_empty() {
            of_missing.reset(missing.len());
            self.add_distinct(layer, missing, of_missing, distinct);
            for ((&part, found), sums) in part_of.iter().zip(&of_missing.found).zip(&of_missing.sums) {
                let sums = KnownSums { sums: sums.totals(), guards: layer.guards_found(*found) };
                cache.set(keys[part as usize], sums);
                of_parts[part as usize] = sums;
            }
        }
        for ((known, sum), found) in of_parts.iter().zip(&mut sums.sums).zip(&mut sums.found) {
            sum.add_totals(known.sums);
            *found |= layer.bits_of_guards(known.guards);
        }
        *self.known = known;
    }

    /// Adds the sum of each part; of parts that look alike, if the layer is one where they are looked for, only one is summed.
    fn add_distinct<S: Sum>(&mut self, layer: &Layer, parts: &PartList, sums: &mut Sums<S>, of_distinct: &mut Sums<S>) {
        let views = self.views.layer(layer);
        let rows = self.views.rows();
        if layer.is_shared && self.sharing.find(&layer.codes, &views.prints[..layer.roles()], parts) {
            let Sharing { distinct, of_part, .. } = self.sharing;
            of_distinct.reset(distinct.len());
            *self.lookups += walk(layer, views, rows, distinct, self.table, self.queue, of_distinct);
            let of_parts = sums.sums.iter_mut().zip(&mut sums.found);
            for ((sum, found), &at) in of_parts.zip(&*of_part) {
                sum.add(&of_distinct.sums[at as usize]);
                *found |= of_distinct.found[at as usize];
            }
        } else {
            *self.lookups += walk(layer, views, rows, parts, self.table, self.queue, sums);
        }
    }
}

/// The template group that guards all others of a kind, in a sentence.
#[derive(Clone, Copy, Debug)]
pub struct Guard<'a> {
    template_group: &'a TemplateGroup,
    number: usize,
    layer: &'a Layer,
    views: &'a LayerViews,
    rows: usize,
}

impl<'a> Guard<'a> {
    /// The guard of `kind` over the views of a sentence, if the kind has one.
    pub fn new(kind: &'a KindGroups, views: &'a Views) -> Option<Self> {
        let (layer, number) = kind.guard?;
        let layer = &kind.layers[layer];
        Some(Self {
            template_group: &layer.template_groups[number],
            number,
            layer,
            views: views.layer(layer),
            rows: views.rows(),
        })
    }

    #[inline(always)]
    fn address(&self, part: &Part) -> u64 {
        let (constant, _) = self.template_group.geometry[part.geometry.code()];
        let view = |role: usize| self.views.address[role][self.number * self.rows + part.rows[role] as usize];
        (0..self.layer.roles()).fold(constant, |sum, role| sum.wrapping_add(view(role)))
    }

    /// Asks for the line that [`may_score`](Self::may_score) will look at: memory then answers for many parts at once.
    #[inline(always)]
    pub fn ask(&self, table: &Table, part: &Part) {
        table.ask(self.address(part), self.template_group.has_details());
    }

    /// False only if no feature of the part has a weight in `table`.
    #[inline(always)]
    pub fn may_score(&self, table: &Table, part: &Part) -> bool {
        table.has(self.address(part), self.template_group.has_details())
    }
}

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
    pub fn new(own: &'a mut [i64]) -> Self {
        Self { own, twin: &mut [] }
    }
}

/// By part: its sums, and the bits of the guards that found something.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums<S> {
    pub sums: Vec<S>,
    pub found: Vec<u64>,
}

impl<S: Sum> Sums<S> {
    /// All 0, for so many parts.
    pub fn reset(&mut self, parts: usize) {
        self.sums.clear();
        self.sums.resize(parts, S::default());
        self.found.clear();
        self.found.resize(parts, 0);
    }
}

/// The sums of all parts at hand, and of some of them.
#[derive(Clone, Debug, Default)]
pub(super) struct AllSums<S> {
    pub of_parts: Sums<S>,
    /// Of those that are not known yet.
    pub missing: Sums<S>,
    /// Of one part of each sort.
    pub distinct: Sums<S>,
}
