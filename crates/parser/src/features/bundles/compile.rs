//! From a template set to layers of bundles.

use std::collections::BTreeMap;

use super::product::{Fold, Product, products};
use super::{Bundle, Bundles, Folding, KindBundles, Layer, needs};
use crate::features::alike::Codes;
use crate::features::atoms::{Attribute, hash_text, mix};
use crate::features::geometry::{BINS, CODES, Geometry};
use crate::features::template::{Atom, Kind, TemplateSet, Variant};

/// What the templates of a layer look at. The order is that in which layers are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sight {
    /// The tags of all roles' own words.
    Tags,
    /// Not all of the roles: one bit a role.
    Roles(u8),
    /// Everything.
    All,
}

impl Sight {
    fn of(kind: Kind, product: &Product) -> Self {
        let roles = product.atoms.iter().fold(0u8, |roles, atom| roles | 1 << atom.role);
        if roles.count_ones() as usize != kind.roles().len() {
            return Self::Roles(roles);
        }
        let is_tag = |atom: &Atom| atom.offset == 0 && matches!(atom.attribute, Attribute::Fine | Attribute::Coarse);
        if product.atoms.iter().all(is_tag) { Self::Tags } else { Self::All }
    }
}

impl Bundles {
    pub(super) fn compile(
        &mut self,
        set: &TemplateSet,
        kind: Kind,
        wanted: impl Fn(Kind) -> bool,
        folding: Folding,
    ) -> Option<KindBundles> {
        let products = |kind: Kind| products(kind, set.of(kind), folding == Folding::All || kind.is_local());
        let own = products(kind);
        let twin = kind.twin().filter(|&twin| kind.is_local() && !own.is_empty() && wanted(twin));
        let of_twin = twin.map(products).unwrap_or_default();
        let mut by_product: BTreeMap<Product, [bool; 2]> = BTreeMap::new();
        for (lane, products) in [own, of_twin].into_iter().enumerate() {
            for product in products {
                by_product.entry(product).or_default()[lane] = true;
            }
        }
        if by_product.is_empty() {
            return None;
        }
        let mut by_sight: BTreeMap<Sight, Vec<Bundle>> = BTreeMap::new();
        for (product, [is_own, is_of_twin]) in by_product {
            let geometry = geometry(kind, product.variant, product.fold);
            let bundle = Bundle { is_own, is_of_twin, geometry, needs: 0, bit: 0, may_guard: false, product };
            by_sight.entry(Sight::of(kind, &bundle.product)).or_default().push(bundle);
        }
        // A layer of one bundle saves less than it costs.
        let mut rest = Vec::new();
        by_sight.retain(|&sight, bundles| {
            let keep = sight == Sight::All || bundles.len() > 1;
            if !keep {
                rest.append(bundles);
            }
            keep
        });
        by_sight.entry(Sight::All).or_default().append(&mut rest);
        by_sight.retain(|_, bundles| !bundles.is_empty());
        let mut layers: Vec<(Sight, Vec<Bundle>)> = by_sight.into_iter().collect();
        let by_tags = |bundles: &[Bundle]| bundles.iter().all(|bundle| Sight::of(kind, &bundle.product) == Sight::Tags);
        let unshared = layers.iter().position(|(sight, bundles)| *sight == Sight::All && !by_tags(bundles));
        let guard = needs::assign(&mut layers.iter_mut().map(|(_, bundles)| bundles).collect::<Vec<_>>(), unshared);
        let layers: Vec<Layer> = layers.into_iter().map(|(sight, bundles)| self.layer(kind, sight, bundles)).collect();
        let with_twin = layers.iter().flat_map(|layer| &layer.bundles).any(|bundle| bundle.is_of_twin);
        Some(KindBundles { kind, layers, with_twin, guard: guard.filter(|_| !with_twin) })
    }

    fn layer(&mut self, kind: Kind, sight: Sight, bundles: Vec<Bundle>) -> Layer {
        let by_tags = bundles.iter().all(|bundle| Sight::of(kind, &bundle.product) == Sight::Tags);
        let run_ends = needs::run_ends(&bundles);
        let roles = kind.roles().len();
        let name = kind.owner_of_address().name();
        let index = self.layers;
        self.layers += 1;
        let of_code = |code: usize| bundles.iter().map(|bundle| bundle.geometry[code]).collect::<Vec<_>>();
        let codes = Codes::new(kind, index, of_code);
        let mut views = |role: usize, wanted: &dyn Fn(Atom, &Product) -> Option<Attribute>| -> Vec<u32> {
            let view = |bundle: &Bundle| {
                let product = &bundle.product;
                let of_role = product.atoms.iter().filter(|atom| atom.role == role);
                self.viewer.view(of_role.filter_map(|&atom| Some((atom.offset, wanted(atom, product)?))))
            };
            bundles.iter().map(view).collect()
        };
        let address_views = (0..roles).map(|role| views(role, &|atom, _| Some(atom.attribute))).collect();
        let refined = |atom: Atom, product: &Product, finer: Attribute| {
            let finest = product.finest(kind, atom).attribute;
            (finest != atom.attribute && finest == finer).then_some(finest)
        };
        let detail_views = (0..roles)
            .map(|role| {
                let forms = views(role, &|atom, product| refined(atom, product, Attribute::Form));
                let tags = views(role, &|atom, product| refined(atom, product, Attribute::Fine));
                forms.into_iter().zip(tags).map(|(forms, tags)| [forms, tags]).collect()
            })
            .collect();
        Layer {
            index,
            run_ends,
            is_shared: sight != Sight::All,
            by_tags,
            codes,
            roles,
            address_views,
            detail_views,
            role_factor: (0..roles).map(|role| mix(hash_text(role as u64, name)) | 1).collect(),
            bundles,
        }
    }
}

/// What each geometry code adds to an address, with the bin of its distance if some templates see it and some do not.
fn geometry(kind: Kind, variant: Variant, fold: Fold) -> Box<[(u64, u32); CODES]> {
    let details = [fold.forms, fold.tags, fold.distance].iter().fold(0, |bits, &bit| bits * 2 + u64::from(bit));
    // Products of the same atoms with other details have addresses of their own.
    let seed = mix(hash_text(0x6765_6f6d, kind.owner_of_address().name()) ^ details);
    Box::new(std::array::from_fn(|code| {
        let geometry = Geometry::from_code(code);
        let bin = if fold.distance { code % BINS } else { 0 };
        (mix(seed ^ geometry.seen_by(variant)), bin as u32)
    }))
}
