//! The sights of parts, one by one, for the learner; and how far they reach in the space of features.

use super::table::Sight;
use crate::features::PartList;
use crate::features::bundles::{Bundle, Fold, KindBundles, Views};

/// A part's sight by one bundle.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Which of the parts.
    pub part: usize,
    /// The bundle.
    pub bundle: &'a Bundle,
    /// What it sees.
    pub sight: Sight,
}

/// Calls `visit` with every sight of every part by a bundle that it fires.
pub fn for_each_sight(kind: &KindBundles, views: &Views, parts: &PartList, mut visit: impl FnMut(Seen)) {
    let (rows, lane) = (views.rows(), kind.lane());
    for layer in &kind.layers {
        let of_layer = views.of(layer);
        for (number, bundle) in layer.bundles.iter().enumerate().filter(|(_, bundle)| bundle.is_own) {
            for part in 0..parts.len() {
                let (mut address, bin) = bundle.geometry[parts.geometry[part].code()];
                let mut detail = [0; 2];
                for role in 0..layer.roles() {
                    let at = number * rows + parts.rows[part][role] as usize;
                    address = address.wrapping_add(of_layer.address[role][at]);
                    let of_role = of_layer.detail[role][at];
                    detail = [detail[0] ^ of_role[0], detail[1] ^ of_role[1]];
                }
                // A detail is never 0: that stands for none.
                let [forms, tags] = [bundle.product.fold.forms, bundle.product.fold.tags].map(u32::from);
                let detail = [detail[0].max(forms), detail[1].max(tags)];
                visit(Seen { part, bundle, sight: Sight::new(address, lane, bin, detail) });
            }
        }
    }
}

/// How often a sight stands in the difference of two trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The sight.
    pub sight: Sight,
    /// What the bundle folds.
    pub fold: Fold,
    /// Whether the bundle guards others.
    pub guards: bool,
    /// How much more often in the one tree than in the other.
    pub count: i32,
}

impl Counted {
    /// Whether both stand for features of one address in one lane.
    pub fn has_address_of(&self, other: &Self) -> bool {
        self.sight.whole_address() == other.sight.whole_address()
    }
}

/// Sorts, and adds up what each sight has; sights of guards stay even if they come to nothing.
pub fn sum_by_sight(sights: &mut Vec<Counted>) {
    sights.sort_unstable_by_key(|c| c.sight);
    sights.dedup_by(|next, kept| {
        let same = next.sight == kept.sight;
        if same {
            kept.count += next.count;
        }
        same
    });
    sights.retain(|c| c.count != 0 || c.guards);
}

/// The squared length of a difference in the space of features, from sights summed by [`sum_by_sight`].
///
/// Two sights of one address share as many features as the bundle has templates that do not tell them apart.
pub fn squared_length(sights: &[Counted]) -> i128 {
    product(sights, sights)
}

/// The inner product of two differences in the space of features, from sights summed by [`sum_by_sight`].
pub fn product(left: &[Counted], right: &[Counted]) -> i128 {
    let mut others = right.chunk_by(Counted::has_address_of).peekable();
    let mut sum = 0;
    for run in left.chunk_by(Counted::has_address_of) {
        let address = run[0].sight.whole_address();
        while others.next_if(|other| other[0].sight.whole_address() < address).is_some() {}
        let Some(other) = others.next_if(|other| other[0].sight.whole_address() == address) else { continue };
        for (a, b) in run.iter().flat_map(|a| other.iter().map(move |b| (a, b))) {
            sum += i128::from(a.count) * i128::from(b.count) * shared(a.fold, a.sight, b.sight);
        }
    }
    sum
}

/// The number of templates that do not tell two sights of one address apart.
fn shared(fold: Fold, a: Sight, b: Sight) -> i128 {
    let agree = [fold.distance && a.first == b.first, fold.forms && a.forms == b.forms, fold.tags && a.tags == b.tags];
    1 << agree.iter().filter(|&&agree| agree).count()
}
