//! The training part as rows of contexts: what every part of every sentence sees, looked up once.
//!
//! Of a template group of templates, the parts of a sentence that see the same stand together, behind the number of what they see. So
//! a weight is read once for all of them, and written once; what is repeated for each part is two bytes long and read in
//! order. Where only features that right trees have are wanted, most parts see nothing of most template groups.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use rayon::prelude::*;

use crate::features::parts::{BetweenWords, PartList};
use crate::features::{Kind, TemplateGroups, Views};
use crate::learn::crf::{Scored, list_parts};
use crate::learn::online::Example;
use crate::model::build::TreeParts;
use crate::model::{Roots, scored_families};
use crate::weights::contexts::{Context, Seen, for_each_context};
use treebound_core::decode::Backbone;
use treebound_core::graph::{ArcSpace, SpaceError};

/// Parts whose numbers differ in less than this stand in one block.
const WINDOW: u32 = 1 << 16;

/// Sentences whose rows are made side by side before what they see is numbered: until then a group takes four times the memory.
const BATCH: usize = 64;

/// What one template group sees of parts of one sentence.
#[derive(Clone, Copy, Debug)]
struct Block {
    scored: Scored,
    /// The number that those of its parts are counted from.
    base: u32,
    /// Groups of parts that see the same.
    groups: u32,
}

/// The rows of some sentences.
#[derive(Debug)]
struct Lists<S> {
    /// By sentence, then by template group.
    blocks: Vec<Block>,
    /// By group: what it sees.
    contexts: Vec<S>,
    /// By group: its parts, less one.
    rest: Vec<u16>,
    /// By group, then by part: its number less the base of the block.
    parts: Vec<u16>,
}

impl<S> Default for Lists<S> {
    fn default() -> Self {
        Self { blocks: Vec::new(), contexts: Vec::new(), rest: Vec::new(), parts: Vec::new() }
    }
}

/// Where the rows of a sentence end.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    blocks: usize,
    groups: usize,
    parts: usize,
}

/// The rows of all sentences.
#[derive(Debug, Default)]
pub struct Rows {
    lists: Lists<u32>,
    /// By sentence.
    ends: Vec<End>,
    /// By sort of score: whether some kind has it.
    has: [bool; Scored::ALL.len()],
}

/// Parts of a sentence that see the same.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// Whose scores.
    pub scored: Scored,
    /// The number of what they see.
    pub context: usize,
    /// The number that the parts are counted from.
    pub base: usize,
    /// The parts.
    pub parts: &'a [u16],
}

/// A context that some row has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Known {
    /// The context.
    pub context: Context,
    /// Whether its template group tells distances apart that not all of its templates see.
    pub folds_distance: bool,
    /// Whether its template group guards others: then it must be known even if it weighs nothing.
    pub guards: bool,
}

impl Known {
    /// The details that its template group folds, as bits: distance, forms, tags. A detail that is folded is never 0.
    pub fn folded(&self) -> u8 {
        u8::from(self.folds_distance) | u8::from(self.context.forms != 0) << 1 | u8::from(self.context.tags != 0) << 2
    }
}

/// Mixes the four numbers of a context, which are well mixed already.
#[derive(Default)]
struct ContextHasher(u64);

impl Hasher for ContextHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = (self.0.rotate_left(23) ^ u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

/// The addresses that may be seen; all, if there is no list.
type Addresses = Option<HashSet<u64, BuildHasherDefault<ContextHasher>>>;

/// What makes rows, reused from sentence to sentence.
#[derive(Default)]
struct Reader {
    views: Views,
    between: BetweenWords,
    list: PartList,
    space: ArcSpace,
    seen: Vec<(Known, u32)>,
}

impl Reader {
    /// The rows of a sentence.
    fn read(
        &mut self,
        template_groups: &TemplateGroups,
        backbone: Backbone,
        roots: Roots,
        addresses: &Addresses,
        Example { sentence, candidates, .. }: &Example,
    ) -> Result<Lists<Known>, SpaceError> {
        let mut lists = Lists::default();
        let Self { views, between, list, space, seen } = self;
        let tokens = &sentence.tokens;
        space.rebuild(tokens.len(), roots == Roots::One, &candidates.arcs)?;
        views.fill(template_groups, tokens);
        for kind in Kind::ALL {
            let (Some(of_kind), Some(scored)) = (template_groups.kind(kind), Scored::for_kind(kind, backbone)) else {
                continue;
            };
            list_parts(kind, space, views.none_row(), tokens, between, list);
            seen.clear();
            for_each_context(of_kind, views, list, |Seen { template_group, context, part }| {
                if addresses.as_ref().is_none_or(|addresses| addresses.contains(&context.whole_address())) {
                    let known = Known {
                        context,
                        folds_distance: template_group.product.fold.distance,
                        guards: template_group.may_guard,
                    };
                    seen.push((known, list.target[part]));
                }
                // A template group has all parts of the list, in order.
                if part + 1 == list.len() {
                    lists.add(scored, seen);
                    seen.clear();
                }
            });
        }
        Ok(lists)
    }
}

impl Lists<Known> {
    /// Adds what a template group sees of parts.
    fn add(&mut self, scored: Scored, seen: &mut [(Known, u32)]) {
        seen.sort_unstable_by_key(|&(known, part)| (part / WINDOW, known.context, part));
        for window in seen.chunk_by(|a, b| a.1 / WINDOW == b.1 / WINDOW) {
            let base = window[0].1 / WINDOW * WINDOW;
            let before = self.contexts.len();
            let groups = window.chunk_by(|a, b| a.0.context == b.0.context);
            for group in groups.flat_map(|group| group.chunks(WINDOW as usize)) {
                self.contexts.push(group[0].0);
                self.rest.push((group.len() - 1) as u16);
                self.parts.extend(group.iter().map(|&(_, part)| (part - base) as u16));
            }
            self.blocks.push(Block { scored, base, groups: (self.contexts.len() - before) as u32 });
        }
    }
}

/// The addresses of what the right trees of `examples` see.
fn gold_addresses(template_groups: &TemplateGroups, backbone: Backbone, examples: &[Example]) -> Addresses {
    let families = scored_families(&[], backbone);
    let of_some = |examples: &[Example]| {
        let (mut views, mut between, mut list) = (Views::default(), BetweenWords::default(), PartList::default());
        let (mut parts, mut addresses) = (TreeParts::default(), Vec::new());
        for Example { sentence, tree, .. } in examples {
            views.fill(template_groups, &sentence.tokens);
            parts.fill(template_groups, &families, &sentence.tokens, tree, &mut between);
            for of_kind in parts.parts.chunk_by(|a, b| a.0 == b.0) {
                list.clear();
                of_kind.iter().for_each(|&(_, part)| list.push(part, 0));
                let Some(kind) = template_groups.kind(of_kind[0].0) else { continue };
                for_each_context(kind, &views, &list, |seen| addresses.push(seen.context.whole_address()));
            }
        }
        addresses.sort_unstable();
        addresses.dedup();
        addresses
    };
    let lists: Vec<Vec<u64>> = examples.par_chunks(BATCH).map(of_some).collect();
    Some(lists.into_iter().flatten().collect())
}

impl Rows {
    /// The rows of `examples`, and the distinct contexts by number, address by address. With `gold_only` a context is one whose
    /// address a right tree has.
    ///
    /// # Errors
    /// If an example's arcs are no arc space.
    pub fn new(
        template_groups: &TemplateGroups,
        backbone: Backbone,
        roots: Roots,
        examples: &[Example],
        gold_only: bool,
    ) -> Result<(Self, Vec<Known>), SpaceError> {
        let mut rows = Self::default();
        for kind in Kind::ALL {
            if let (Some(_), Some(scored)) = (template_groups.kind(kind), Scored::for_kind(kind, backbone)) {
                rows.has[scored as usize] = true;
            }
        }
        let addresses = if gold_only { gold_addresses(template_groups, backbone, examples) } else { None };
        let mut known: Vec<Known> = Vec::new();
        let mut numbers: HashMap<Context, u32, BuildHasherDefault<ContextHasher>> = HashMap::default();
        for batch in examples.chunks(BATCH) {
            let read =
                |reader: &mut Reader, example| reader.read(template_groups, backbone, roots, &addresses, example);
            let lists: Vec<Lists<Known>> =
                batch.par_iter().map_init(Reader::default, read).collect::<Result<_, SpaceError>>()?;
            for Lists { blocks, contexts, rest, parts } in lists {
                let to = &mut rows.lists;
                to.blocks.extend(blocks);
                to.rest.extend(rest);
                to.parts.extend(parts);
                to.contexts.extend(contexts.into_iter().map(|of| {
                    *numbers.entry(of.context).or_insert_with(|| {
                        known.push(of);
                        (known.len() - 1) as u32
                    })
                }));
                rows.ends.push(End { blocks: to.blocks.len(), groups: to.contexts.len(), parts: to.parts.len() });
            }
        }
        drop((numbers, addresses));
        rows.sort(&mut known);
        Ok((rows, known))
    }

    /// The groups of a sentence.
    #[inline]
    pub fn groups(&self, sentence: usize) -> impl Iterator<Item = Group<'_>> {
        let start = if sentence == 0 { End::default() } else { self.ends[sentence - 1] };
        let end = self.ends[sentence];
        let (mut group, mut at) = (start.groups, start.parts);
        self.lists.blocks[start.blocks..end.blocks]
            .iter()
            .flat_map(move |&Block { scored, base, groups }| {
                let from = group;
                group += groups as usize;
                let contexts = &self.lists.contexts[from..group];
                contexts
                    .iter()
                    .zip(&self.lists.rest[from..group])
                    .map(move |(&context, &rest)| (scored, base, context, rest))
            })
            .map(move |(scored, base, context, rest)| {
                let parts = &self.lists.parts[at..at + usize::from(rest) + 1];
                at += parts.len();
                Group { scored, context: context as usize, base: base as usize, parts }
            })
    }

    /// Whether some kind of templates has these scores.
    pub fn has(&self, scored: Scored) -> bool {
        self.has[scored as usize]
    }

    /// How often the most frequent of so many contexts stands in the rows.
    pub fn most_of_a_context(&self, contexts: usize) -> u64 {
        let mut counts = vec![0u64; contexts];
        for (&context, &rest) in self.lists.contexts.iter().zip(&self.lists.rest) {
            counts[context as usize] += u64::from(rest) + 1;
        }
        counts.into_iter().max().unwrap_or(0)
    }

    /// Numbers the contexts address by address, in the order in which addresses are met: what a sentence alone has stands
    /// together. Those of an address stand in their own order.
    fn sort(&mut self, known: &mut Vec<Known>) {
        let mut order: Vec<u32> = (0..known.len() as u32).collect();
        let context = |&i: &u32| known[i as usize].context;
        order.par_sort_unstable_by_key(|i| context(i));
        let same = |a: &u32, b: &u32| context(a).whole_address() == context(b).whole_address();
        // By address: when it is met first, and where its contexts stand in `order`.
        let mut runs: Vec<(u32, u32)> = Vec::new();
        let mut start = 0;
        for run in order.chunk_by(same) {
            runs.push((run.iter().copied().min().unwrap_or(0), start));
            start += run.len() as u32;
        }
        runs.par_sort_unstable();
        let mut number = vec![0u32; known.len()];
        let mut sorted = Vec::with_capacity(known.len());
        for &(_, start) in &runs {
            let rest = &order[start as usize..];
            for &old in rest.iter().take_while(|i| same(&rest[0], i)) {
                number[old as usize] = sorted.len() as u32;
                sorted.push(known[old as usize]);
            }
        }
        *known = sorted;
        self.lists.contexts.par_iter_mut().for_each(|context| *context = number[*context as usize]);
    }
}
