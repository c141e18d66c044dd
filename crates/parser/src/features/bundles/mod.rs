//! Bundles: a template set compiled so that one look-up serves all templates that nearly see the same.
//!
//! A *bundle* is a [product](product::Product) of templates. What all of them see of a part is its *address*, a 64-bit hash;
//! what only some of them see is its *detail*: words as written, fine tags, distance. Address and detail together are the
//! *sight* of the part. A bundle's weights are kept by sight ([`crate::weights::sights`]), and all sights of one address stand
//! in one place, so that one look-up finds what any of the templates has learnt.
//!
//! ```text
//! address(bundle, part) = sum over roles of view(bundle, role, word of that role)  +  constant of the geometry
//! detail(bundle, part)  = (forms, tags, distance): exclusive or over roles, 24 bits each of the first two
//! ```
//!
//! Views are well mixed and differ by kind, role and atoms, so that sums of them are as good as fresh hashes.
//!
//! A bundle *guards* another of its kind if its address depends on nothing that the other's does not depend on. Both learn from
//! the same parts, so where the guard has nothing at its address, the other has nothing at its own: it need not be looked up.
//! That is the back-off of template sets read backwards.
//!
//! A local kind and its twin among the non-local families (adjacent siblings and any siblings, outermost grandchildren and any)
//! have the same addresses, and weights side by side in two *lanes*: where both are wanted, the local kind has the bundles of
//! both, and one walk over the parts yields both scores.

mod compile;
mod needs;
pub mod product;
mod views;

use super::alike::Codes;
use super::geometry::CODES;
use super::hand::Patterns;
use super::template::{Kind, TemplateSet};
use super::viewer::Viewer;

pub use product::Fold;
pub use views::{DETAIL_BITS, LayerViews, Views};

/// Templates that share a look-up.
#[derive(Clone, Debug)]
pub struct Bundle {
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
    /// The bit of this bundle if it guards others, else 0.
    pub bit: u64,
    /// Whether it might guard others in some set of kinds, so that what it has seen stays in models.
    pub may_guard: bool,
}

impl Bundle {
    /// Whether some of the templates see words or tags in finer detail than others.
    #[inline(always)]
    pub fn has_details(&self) -> bool {
        self.product.fold.forms || self.product.fold.tags
    }
}

/// Bundles that look at the same words of a part.
///
/// Many parts of a sentence look alike to templates that leave a word out, or see nothing but tags: they share one sum.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Number among the layers of all kinds.
    index: usize,
    /// The bundles; guards before what they guard.
    pub bundles: Vec<Bundle>,
    /// Where runs of bundles end of which none guards another: what one run found is known to the next.
    pub run_ends: Vec<usize>,
    /// Whether parts that look alike are to be looked for.
    pub is_shared: bool,
    /// Whether the templates see nothing but the tags of a part's own words, of all of them.
    pub by_tags: bool,
    /// The geometries that the templates tell apart.
    pub codes: Codes,
    roles: usize,
    /// By role, by bundle: the view that goes into the address.
    address_views: Vec<Vec<u32>>,
    /// By role, by bundle: the views whose hashes are the detail of forms and of tags.
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
        self.bundles.iter().map(|bundle| bundle.bit).filter(|&bit| bit != 0)
    }

    /// The runs of bundles that can be looked up side by side.
    pub fn runs(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let starts = std::iter::once(0).chain(self.run_ends.iter().copied());
        starts.zip(self.run_ends.iter().copied()).map(|(start, end)| start..end)
    }
}

/// The bundles of one kind.
#[derive(Clone, Debug)]
pub struct KindBundles {
    /// The kind.
    pub kind: Kind,
    /// By what they look at.
    pub layers: Vec<Layer>,
    /// Whether the layers hold the bundles of the kind's twin too.
    pub with_twin: bool,
    /// The bundle that guards all others, if there is one: layer, and place in it.
    pub guard: Option<(usize, usize)>,
}

impl KindBundles {
    /// All bundles.
    pub fn bundles(&self) -> impl Iterator<Item = &Bundle> {
        self.layers.iter().flat_map(|layer| &layer.bundles)
    }

    /// Features that a part of this kind and its twin fire.
    pub fn features(&self) -> usize {
        let lanes = |b: &Bundle| usize::from(b.is_own) + usize::from(b.is_of_twin);
        self.bundles().map(|b| b.product.fold.templates() * lanes(b)).sum()
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
    /// Of local kinds. Each other template is a bundle of its own, so that what is seen is a single feature.
    Local,
}

/// A template set compiled to bundles.
#[derive(Clone, Debug)]
pub struct Bundles {
    patterns: Patterns,
    kinds: Vec<Option<KindBundles>>,
    viewer: Viewer,
    layers: usize,
}

impl Bundles {
    /// Compiles `set`, leaving out the kinds that `wanted` refuses.
    pub fn new(set: &TemplateSet, wanted: impl Fn(Kind) -> bool, folding: Folding) -> Self {
        let patterns = if wanted(Kind::Hand) { set.patterns().clone() } else { Patterns::default() };
        let mut bundles = Self { patterns, kinds: Vec::new(), viewer: Viewer::default(), layers: 0 };
        for kind in Kind::ALL {
            let of_kind = if wanted(kind) { bundles.compile(set, kind, &wanted, folding) } else { None };
            bundles.kinds.push(of_kind);
        }
        bundles
    }

    /// The hand-crafted patterns; none if they are not wanted.
    pub fn patterns(&self) -> &Patterns {
        &self.patterns
    }

    /// The most features that any part and its twin fire.
    pub fn most_features(&self) -> usize {
        self.kinds.iter().flatten().map(KindBundles::features).max().unwrap_or(0)
    }

    /// The bundles of a kind, if the set has templates of it and it was wanted.
    #[inline(always)]
    pub fn kind(&self, kind: Kind) -> Option<&KindBundles> {
        self.kinds[kind as usize].as_ref()
    }
}
