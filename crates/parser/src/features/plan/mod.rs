//! The plan: the templates of arcs, compiled so that scoring a part is adding rows of hashes. The pruner scores by it.
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

mod compile;
mod layer;
mod views;

use super::template::{Kind, TemplateSet};
use super::viewer::Viewer;

pub use layer::{BLOCK, Group, Layer};
pub use views::{LayerViews, Views};

/// The templates of one kind.
#[derive(Clone, Debug)]
pub struct KindPlan {
    /// The kind.
    pub kind: Kind,
    /// Its templates, split by what they look at.
    pub layers: Vec<Layer>,
}

impl KindPlan {
    /// Features that a part fires.
    pub fn features(&self) -> usize {
        self.layers.iter().map(Layer::features).sum()
    }
}

/// A template set compiled for scoring arcs.
#[derive(Clone, Debug)]
pub struct Plan {
    kinds: Vec<KindPlan>,
    viewer: Viewer,
    layers: usize,
}

impl Plan {
    /// Compiles the templates of [`Kind::OF_ARCS`]; others have no place in a plan.
    pub fn new(set: &TemplateSet) -> Self {
        let mut plan = Self { kinds: Vec::new(), viewer: Viewer::default(), layers: 0 };
        for kind in Kind::OF_ARCS {
            let of_kind = plan.compile(set, kind);
            plan.kinds.extend(of_kind);
        }
        plan
    }

    /// The plan of a kind, if the set has templates of it.
    pub fn kind(&self, kind: Kind) -> Option<&KindPlan> {
        self.kinds.iter().find(|plan| plan.kind == kind)
    }
}
