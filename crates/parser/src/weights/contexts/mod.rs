//! Weights by context: what a group of templates has learnt, once a context instead of once a feature.
//!
//! A template group's templates take words as written or in lower case, fine or coarse tags, with or without the distance
//! ([`crate::features::groups`]). When a part is learnt from, the weights of all of its features move by the same step. So the
//! weight of a feature is the sum of the steps of the contexts that show it, and the sum of a part's weights can be had from these
//! steps alone:
//!
//! ```text
//! score(group, p) = sum over templates of w(template(p)) = sum over templates, over contexts u with template(u) = template(p), of step(u)
//!                  = sum over contexts u with address(u) = address(p) of  step(u) * k(u, p)
//! k(u, p)          = number of its templates that do not tell u and p apart
//!                  = 2^(number of details in which u and p agree, of those that some templates see and some do not)
//! ```
//!
//! This is the perceptron's dual form (Aizerman et al. 1964; Collins & Duffy 2002), address by address. Nothing is
//! approximated: sums, averages and so scores are the same integers. Rare words, of which there are most, have one or two contexts
//! an address, where their features would be eight or sixteen a context; so a look-up reads one cache line for eight or sixteen
//! features, and memory falls likewise.

pub mod entries;
pub mod learner;
mod line;
mod lookups;
pub mod scorer;
pub mod table;

use crate::features::PartList;
use crate::features::groups::{Fold, KindGroups, TemplateGroup, Views};
use crate::weights::cache;

pub use entries::{Entry, at_address};
pub(crate) use line::{Long, Short};
pub use lookups::Buffers;
pub use table::{Context, Table};

/// A part's context by one template group.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Which of the parts.
    pub part: usize,
    /// The template group.
    pub template_group: &'a TemplateGroup,
    /// What it sees.
    pub context: Context,
}

/// Calls `visit` with every context of every part by a template group that it fires.
pub fn for_each_context(kind: &KindGroups, views: &Views, parts: &PartList, mut visit: impl FnMut(Seen)) {
    let (rows, lane) = (views.rows(), kind.lane());
    for layer in &kind.layers {
        let of_layer = views.layer(layer);
        for (number, template_group) in
            layer.template_groups.iter().enumerate().filter(|(_, template_group)| template_group.is_own)
        {
            for part in 0..parts.len() {
                let (mut address, bin) = template_group.geometry[parts.geometry[part].code()];
                let mut detail = [0; 2];
                for role in 0..layer.roles() {
                    let at = number * rows + parts.rows[part][role] as usize;
                    address = address.wrapping_add(of_layer.address[role][at]);
                    let of_role = of_layer.detail[role][at];
                    detail = [detail[0] ^ of_role[0], detail[1] ^ of_role[1]];
                }
                // A detail is never 0: that stands for none.
                let [forms, tags] =
                    [template_group.product.fold.forms, template_group.product.fold.tags].map(u32::from);
                let detail = [detail[0].max(forms), detail[1].max(tags)];
                visit(Seen { part, template_group, context: Context::new(address, lane, bin, detail) });
            }
        }
    }
}

/// How often a context stands in the difference of two trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The context.
    pub context: Context,
    /// What the template group folds.
    pub fold: Fold,
    /// Whether the template group guards others.
    pub guards: bool,
    /// How much more often in the one tree than in the other.
    pub count: i32,
}

impl Counted {
    /// Whether both stand for features of one address in one lane.
    pub fn has_address_of(&self, other: &Self) -> bool {
        self.context.whole_address() == other.context.whole_address()
    }
}

/// Sorts, and adds up what each context has; contexts of guards stay even if they come to nothing.
pub fn sum_by_context(contexts: &mut Vec<Counted>) {
    contexts.sort_unstable_by_key(|c| c.context);
    contexts.dedup_by(|next, kept| {
        let same = next.context == kept.context;
        if same {
            kept.count += next.count;
        }
        same
    });
    contexts.retain(|c| c.count != 0 || c.guards);
}

/// The squared length of a difference in the space of features, from contexts summed by [`sum_by_context`].
///
/// Two contexts of one address share as many features as the template group has templates that do not tell them apart.
pub fn squared_length(contexts: &[Counted]) -> i128 {
    product(contexts, contexts)
}

/// The inner product of two differences in the space of features, from contexts summed by [`sum_by_context`].
pub fn product(left: &[Counted], right: &[Counted]) -> i128 {
    let mut others = right.chunk_by(Counted::has_address_of).peekable();
    let mut sum = 0;
    for run in left.chunk_by(Counted::has_address_of) {
        let address = run[0].context.whole_address();
        while others.next_if(|other| other[0].context.whole_address() < address).is_some() {}
        let Some(other) = others.next_if(|other| other[0].context.whole_address() == address) else { continue };
        for (a, b) in run.iter().flat_map(|a| other.iter().map(move |b| (a, b))) {
            sum += i128::from(a.count) * i128::from(b.count) * shared(a.fold, a.context, b.context);
        }
    }
    sum
}

/// The number of templates that do not tell two contexts of one address apart.
fn shared(fold: Fold, a: Context, b: Context) -> i128 {
    let agree = [fold.distance && a.first == b.first, fold.forms && a.forms == b.forms, fold.tags && a.tags == b.tags];
    1 << agree.iter().filter(|&&agree| agree).count()
}

/// Contexts to score with.
pub type Weights<'a> = cache::Weights<'a, Table>;

/// Contexts that change no more.
pub type FixedWeights = cache::FixedWeights<Table>;
