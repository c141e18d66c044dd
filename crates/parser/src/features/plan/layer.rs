//! Layers and groups: the templates of a kind, laid out for the walk over its parts.

use std::ops::Range;

use crate::features::alike::Codes;
use crate::features::atoms::mix;
use crate::features::geometry::{CODES, Geometry};
use crate::features::template::{Atom, Variant};

/// Keys that are added up at once: a cache line of them.
pub const BLOCK: usize = 8;

/// Templates of one kind with the same variants, next to each other.
#[derive(Clone, Debug)]
pub struct Group {
    /// Which of the layer's keys.
    pub keys: Range<usize>,
    /// Where they stand in a row of views: in the first places of these blocks. A group begins with a block of its own, so
    /// that what a part's directions add is the same for all keys of a block.
    pub blocks: Range<usize>,
    /// What each key fires.
    pub variants: Vec<Variant>,
    /// Whether all variants see the directions.
    directed: bool,
    /// `CODES` x variants: what to add to the low half of a key.
    constants: Vec<u32>,
}

impl Group {
    /// The group of `keys`, in the blocks from `block` on.
    pub(super) fn new(keys: Range<usize>, block: usize, variants: &[Variant]) -> Self {
        Self {
            blocks: block..block + keys.len().div_ceil(BLOCK),
            keys,
            // The directions may go into the address.
            directed: !variants.contains(&Variant::Plain),
            constants: constants(variants),
            variants: variants.to_vec(),
        }
    }

    /// Whether the directions of a part are added to its keys.
    #[inline(always)]
    pub fn is_directed(&self) -> bool {
        self.directed
    }

    /// The constants of the variants for a part's geometry.
    #[inline(always)]
    pub fn constants(&self, geometry: Geometry) -> &[u32] {
        let len = self.variants.len();
        &self.constants[geometry.code() * len..][..len]
    }

    /// The constants of the variants for each geometry code in turn.
    #[inline(always)]
    pub fn all_constants(&self) -> &[u32] {
        &self.constants
    }

    fn features(&self) -> usize {
        self.keys.len() * self.variants.len()
    }
}

/// Templates of one kind that look at the same of its words.
///
/// Many parts of a sentence look alike to templates that leave a word out, or see nothing but tags: they share one sum.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Number among the layers of all kinds.
    pub(super) index: usize,
    /// Atoms of each key, in the order of the keys.
    pub keys: Vec<Vec<Atom>>,
    /// Keys by their variants.
    pub groups: Vec<Group>,
    /// Whether equal parts are to be looked for.
    pub shared: bool,
    /// Whether the templates see nothing but the tags of a part's own words, of all of them.
    pub by_tags: bool,
    /// The geometries that the variants tell apart.
    pub codes: Codes,
    /// By role, blocks of a row: which view stands at each place, [none](crate::features::viewer::NO_VIEW) if the template
    /// does not look at the role or no template stands there.
    pub(super) views: Vec<Vec<[u32; BLOCK]>>,
    /// By role: the odd number that makes a view differ between roles and kinds.
    pub(super) role_factor: Vec<u64>,
}

impl Layer {
    /// Features that a part fires.
    pub fn features(&self) -> usize {
        self.groups.iter().map(Group::features).sum()
    }

    /// Number of roles.
    #[inline(always)]
    pub fn roles(&self) -> usize {
        self.views.len()
    }

    /// Blocks in a row of views.
    #[inline(always)]
    pub fn blocks(&self) -> usize {
        self.groups.last().map_or(0, |group| group.blocks.end)
    }
}

/// What the variants add to the low half of a key, for each geometry code in turn.
fn constants(variants: &[Variant]) -> Vec<u32> {
    let codes = (0..CODES).map(Geometry::from_code);
    codes.flat_map(|g| variants.iter().map(move |&v| mix(0x6765_6f6d ^ g.seen_by(v)) as u32)).collect()
}
