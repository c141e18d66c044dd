//! Template groups: a template set compiled so that one look-up serves all templates that nearly see the same.
//!
//! A *template group* is a [product](product::Product) of templates. What all of them see of a part is its *address*, a 64-bit hash;
//! what only some of them see is its *detail*: words as written, fine tags, distance. Address and detail together are the
//! *context* of the part. A template group's weights are kept by context ([`crate::weights::contexts`]), and all contexts of one address stand
//! in one place, so that one look-up finds what any of the templates has learnt.
//!
//! ```text
//! address(template group, part) = sum over roles of view(template group, role, word of that role)  +  constant of the geometry
//! detail(template group, part)  = (forms, tags, distance): exclusive or over roles, 24 bits each of the first two
//! ```
//!
//! Views are well mixed and differ by kind, role and atoms, so that sums of them are as good as fresh hashes.
//!
//! A template group *guards* another of its kind if its address depends on nothing that the other's does not depend on. Both learn from
//! the same parts, so where the guard has nothing at its address, the other has nothing at its own: it need not be looked up.
//! Guarding is the back-off of template sets read backwards.
//!
//! A local kind and its twin among the non-local families (adjacent siblings and any siblings, outermost grandchildren and any)
//! have the same addresses, and weights side by side in two *lanes*: where both are wanted, the local kind has the template groups of
//! both, and one walk over the parts yields both scores.

mod compile;
pub mod product;

use crate::features::atoms::{Seen, Viewer, mix};
use crate::features::geometry::{CODES, Codes, print_with};
use crate::features::hand::Patterns;
use crate::features::template::{Kind, MAX_ROLES, TemplateSet};
use crate::treebank::Token;

pub use product::Fold;

/// Templates that share a look-up.
#[derive(Clone, Debug)]
pub struct TemplateGroup {
    /// The templates.
    pub product: product::Product,
    /// Whether parts of the kind itself fire them, and not only those of its twin.
    pub is_own: bool,
    /// Whether parts of the kind's twin fire them.
    pub is_of_twin: bool,
    /// By geometry code: what to add to the address, and the bin of the distance; 0 if not some templates see it and some do not.
    pub geometry: Box<[(u64, u32); CODES]>,
    /// Bits of the guards that must have found something.
    pub needs: u64,
    /// The bit of this template group if it guards others, else 0.
    pub bit: u64,
    /// Whether it might guard others in some set of kinds, so that what it has seen stays in models.
    pub may_guard: bool,
}

impl TemplateGroup {
    /// Whether some of the templates see words or tags in finer detail than others.
    #[inline(always)]
    pub fn has_details(&self) -> bool {
        self.product.fold.forms || self.product.fold.tags
    }
}

/// Template groups that look at the same words of a part.
///
/// Many parts of a sentence look alike to templates that leave a word out, or see nothing but tags: they share one sum.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Number among the layers of all kinds.
    index: usize,
    /// The template groups; guards before what they guard.
    pub template_groups: Vec<TemplateGroup>,
    /// Where runs of template groups end of which none guards another: what one run found is known to the next.
    pub run_ends: Vec<usize>,
    /// Whether parts that look alike are to be looked for.
    pub is_shared: bool,
    /// Whether the templates see nothing but the tags of a part's own words, of all of them.
    pub by_tags: bool,
    /// The geometries that the templates tell apart.
    pub codes: Codes,
    roles: usize,
    /// By role, by template group: the view that goes into the address.
    address_views: Vec<Vec<u32>>,
    /// By role, by template group: the views whose hashes are the detail of forms and of tags.
    detail_views: Vec<Vec<[u32; 2]>>,
    /// By role: the odd number that makes a view differ between roles and kinds.
    role_factor: Vec<u64>,
}

impl Layer {
    /// Number of roles.
    #[inline(always)]
    pub fn roles(&self) -> usize {
        self.roles
    }

    /// Which guards of the layer are among the bits `found`, in a few bits of their own.
    pub fn guards_found(&self, found: u64) -> u64 {
        self.guard_bits().enumerate().fold(0, |guards, (i, bit)| guards | u64::from(found & bit != 0) << i)
    }

    /// The bits of what [`guards_found`](Self::guards_found) said.
    pub fn bits_of_guards(&self, guards: u64) -> u64 {
        self.guard_bits().enumerate().fold(0, |found, (i, bit)| if guards >> i & 1 == 1 { found | bit } else { found })
    }

    fn guard_bits(&self) -> impl Iterator<Item = u64> {
        self.template_groups.iter().map(|template_group| template_group.bit).filter(|&bit| bit != 0)
    }

    /// The runs of template groups that can be looked up side by side.
    pub fn runs(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let starts = std::iter::once(0).chain(self.run_ends.iter().copied());
        starts.zip(self.run_ends.iter().copied()).map(|(start, end)| start..end)
    }
}

/// The template groups of one kind.
#[derive(Clone, Debug)]
pub struct KindGroups {
    /// The kind.
    pub kind: Kind,
    /// By what they look at.
    pub layers: Vec<Layer>,
    /// Whether the layers hold the template groups of the kind's twin too.
    pub with_twin: bool,
    /// The template group that guards all others, if there is one: layer, and place in it.
    pub guard: Option<(usize, usize)>,
}

impl KindGroups {
    /// All template groups.
    pub fn template_groups(&self) -> impl Iterator<Item = &TemplateGroup> {
        self.layers.iter().flat_map(|layer| &layer.template_groups)
    }

    /// Features that a part of this kind and its twin fire.
    pub fn features(&self) -> usize {
        let lanes = |b: &TemplateGroup| usize::from(b.is_own) + usize::from(b.is_of_twin);
        self.template_groups().map(|b| b.product.fold.templates() * lanes(b)).sum()
    }

    /// The lane in which the kind's own weights stand: 1 for a non-local kind with a local twin, else 0.
    #[inline(always)]
    pub fn lane(&self) -> usize {
        usize::from(self.kind.owner_of_address() != self.kind)
    }
}

/// Of which kinds templates share look-ups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Folding {
    /// Of all.
    #[default]
    All,
    /// Of local kinds. Each other template is a template group of its own, so that what is seen is a single feature.
    Local,
}

/// A template set compiled to template groups.
#[derive(Clone, Debug)]
pub struct TemplateGroups {
    patterns: Patterns,
    kinds: Vec<Option<KindGroups>>,
    viewer: Viewer,
    layers: usize,
}

impl TemplateGroups {
    /// Compiles `set`, leaving out the kinds that `wanted` refuses.
    pub fn new(set: &TemplateSet, wanted: impl Fn(Kind) -> bool, folding: Folding) -> Self {
        let patterns = if wanted(Kind::Hand) { set.patterns().clone() } else { Patterns::default() };
        let mut template_groups = Self { patterns, kinds: Vec::new(), viewer: Viewer::default(), layers: 0 };
        for kind in Kind::ALL {
            let of_kind = if wanted(kind) { template_groups.compile(set, kind, &wanted, folding) } else { None };
            template_groups.kinds.push(of_kind);
        }
        template_groups
    }

    /// The hand-crafted patterns; none if they are not wanted.
    pub fn patterns(&self) -> &Patterns {
        &self.patterns
    }

    /// The most features that any part and its twin fire.
    pub fn most_features(&self) -> usize {
        self.kinds.iter().flatten().map(KindGroups::features).max().unwrap_or(0)
    }

    /// The template groups of a kind, if the set has templates of it and it was wanted.
    #[inline(always)]
    pub fn kind(&self, kind: Kind) -> Option<&KindGroups> {
        self.kinds[kind as usize].as_ref()
    }
}

/// Bits of each detail.
pub const DETAIL_BITS: u32 = 24;

/// What a layer sees of the words of a sentence, by role.
#[derive(Clone, Debug, Default)]
pub struct LayerViews {
    /// By template group, `words + 2` rows (the root, the words, no word): what goes into the address.
    pub address: [Vec<u64>; MAX_ROLES],
    /// As `address`: forms and tags, [`DETAIL_BITS`] each.
    pub detail: [Vec<[u32; 2]>; MAX_ROLES],
    /// By row, for layers of parts that may look alike: a hash of all that is seen of the row.
    pub prints: [Vec<u64>; MAX_ROLES],
}

impl LayerViews {
    fn fill(&mut self, layer: &Layer, seen: &Seen) {
        let rows = seen.rows();
        for role in 0..layer.roles() {
            let factor = layer.role_factor[role];
            let (address, detail) = (&mut self.address[role], &mut self.detail[role]);
            address.clear();
            detail.clear();
            for &view in &layer.address_views[role] {
                address.extend(seen.view(view).iter().map(|value| value.wrapping_mul(factor)));
            }
            for &[forms, tags] in &layer.detail_views[role] {
                let high = |value: u64| (value.wrapping_mul(factor) >> (u64::BITS - DETAIL_BITS)) as u32;
                let both = seen.view(forms).iter().zip(seen.view(tags));
                detail.extend(both.map(|(&forms, &tags)| [high(forms), high(tags)]));
            }
            let prints = &mut self.prints[role];
            prints.clear();
            if layer.is_shared || layer.by_tags {
                prints.resize(rows, 0);
                for of_group in address.chunks_exact(rows) {
                    prints.iter_mut().zip(of_group).for_each(|(print, &view)| *print = print_with(*print, view));
                }
                for of_group in detail.chunks_exact(rows) {
                    let each = prints.iter_mut().zip(of_group);
                    each.for_each(|(print, &[forms, tags])| {
                        *print = print_with(*print, u64::from(forms) << 32 | u64::from(tags));
                    });
                }
                prints.iter_mut().for_each(|print| *print = mix(*print));
            }
        }
    }
}

/// The views of one sentence, by layer.
#[derive(Clone, Debug, Default)]
pub struct Views {
    seen: Seen,
    layers: Vec<LayerViews>,
}

impl Views {
    /// Computes the views of `tokens`, reusing memory.
    pub fn fill(&mut self, template_groups: &TemplateGroups, tokens: &[Token]) {
        self.seen.fill(&template_groups.viewer, tokens);
        self.layers.resize_with(template_groups.layers, Default::default);
        for layer in template_groups.kinds.iter().flatten().flat_map(|kind| &kind.layers) {
            self.layers[layer.index].fill(layer, &self.seen);
        }
    }

    /// Words of the sentence.
    pub fn words(&self) -> usize {
        self.seen.words()
    }

    /// Rows of a view: the root, the words, and no word.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.seen.rows()
    }

    /// The row that stands for "no word" in any role.
    pub fn none_row(&self) -> usize {
        self.words() + 1
    }

    /// What a layer sees.
    #[inline(always)]
    pub fn layer(&self, layer: &Layer) -> &LayerViews {
        &self.layers[layer.index]
    }
}
