//! The plan: a template set compiled so that scoring a part is adding rows of hashes.
//!
//! What a template sees of one word in one role is a *view*, a 64-bit hash. The *key* of a template for a part is the
//! sum of its views over the part's words, and the geometry of a variant is added last:
//!
//! ```text
//! key(template, part)          = sum over roles of  view(template, role, word of that role)
//! feature(template, v, part)   = key + geometry constant of variant v
//! ```
//!
//! Views are well mixed and differ by kind, role and atoms, so sums of them are as good as fresh hashes, and the keys of
//! all templates of a part are the place-by-place sum of one row of views a role. The high half of the key is the
//! feature's *address*, and the low half of key plus constant its *fingerprint*. All variants of a template see the same
//! address, so they lie in one cache line of the weight table; where all of them see the directions, these are added to
//! the address, so that not too many features share a line.
//!
//! A local kind and its twin among the non-local families (adjacent siblings and any siblings, outermost grandchildren
//! and any) have the same addresses and differ in their constants: where both are wanted, the local kind's layers hold
//! the templates of both, and one walk over the parts yields both scores.

mod compile;
mod guard;
mod layer;
mod views;

use super::atoms::Attribute;
use super::hand::Patterns;
use super::template::{Kind, TemplateSet};

pub use super::template::MAX_ROLES;
pub use guard::Guard;
pub use layer::{BLOCK, Group, Layer};
pub use views::{LayerViews, Views};

/// The templates of one kind.
#[derive(Clone, Debug)]
pub struct KindPlan {
    /// The kind.
    pub kind: Kind,
    /// Its templates, split by what they look at.
    pub layers: Vec<Layer>,
    /// The template that all others refine, if there is one.
    pub guard: Option<Guard>,
    /// Whether the layers hold the templates of the kind's twin too.
    pub with_twin: bool,
}

impl KindPlan {
    /// Features that a part of this kind and its twin fire.
    pub fn features(&self) -> usize {
        self.layers.iter().map(Layer::features).sum()
    }
}

/// A view: some atoms of one word.
#[derive(Clone, Debug, PartialEq, Eq)]
struct View {
    /// Offset and attribute.
    atoms: Vec<(i8, usize)>,
}

/// A compiled template set.
#[derive(Clone, Debug)]
pub struct Plan {
    patterns: Patterns,
    kinds: Vec<Option<KindPlan>>,
    attributes: Vec<Attribute>,
    views: Vec<View>,
    layers: usize,
}

impl Plan {
    /// Compiles `set`, leaving out the kinds that `wanted` refuses.
    pub fn new(set: &TemplateSet, wanted: impl Fn(Kind) -> bool) -> Self {
        let patterns = if wanted(Kind::Hand) { set.patterns().clone() } else { Patterns::default() };
        let mut plan = Self { patterns, kinds: Vec::new(), attributes: Vec::new(), views: Vec::new(), layers: 0 };
        for kind in Kind::ALL {
            let kind_plan = if wanted(kind) { plan.compile(set, kind, &wanted) } else { None };
            plan.kinds.push(kind_plan);
        }
        plan
    }

    /// The hand-crafted patterns; none if they are not wanted.
    pub fn patterns(&self) -> &Patterns {
        &self.patterns
    }

    /// The plan of a kind, if the set has templates of it and it was wanted.
    #[inline(always)]
    pub fn kind(&self, kind: Kind) -> Option<&KindPlan> {
        self.kinds[kind as usize].as_ref()
    }
}
