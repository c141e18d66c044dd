//! From a template set to layers of template groups.

use std::collections::BTreeMap;

use crate::features::atoms::{Attribute, hash_text, mix};
use crate::features::geometry::{BINS, CODES, Codes, Geometry};
use crate::features::groups::product::{Fold, Product, products};
use crate::features::groups::{Folding, KindGroups, Layer, TemplateGroup, TemplateGroups};
use crate::features::template::{Atom, Kind, TemplateSet, Variant};

/// What the templates of a layer look at. The order is that in which layers are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    /// The tags of all roles' own words.
    Tags,
    /// Not all of the roles: one bit a role.
    Roles(u8),
    /// Everything.
    All,
}

impl Scope {
    fn new(kind: Kind, product: &Product) -> Self {
        let roles = product.atoms.iter().fold(0u8, |roles, atom| roles | 1 << atom.role);
        if roles.count_ones() as usize != kind.roles().len() {
            return Self::Roles(roles);
        }
        let is_tag = |atom: &Atom| atom.offset == 0 && matches!(atom.attribute, Attribute::Fine | Attribute::Coarse);
        if product.atoms.iter().all(is_tag) { Self::Tags } else { Self::All }
    }
}

impl TemplateGroups {
    pub(super) fn compile(
        &mut self,
        set: &TemplateSet,
        kind: Kind,
        wanted: impl Fn(Kind) -> bool,
        folding: Folding,
    ) -> Option<KindGroups> {
        let products = |kind: Kind| products(kind, set.for_kind(kind), folding == Folding::All || kind.is_local());
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
        let mut by_scope: BTreeMap<Scope, Vec<TemplateGroup>> = BTreeMap::new();
        for (product, [is_own, is_of_twin]) in by_product {
            let geometry = geometry(kind, product.variant, product.fold);
            let template_group =
                TemplateGroup { is_own, is_of_twin, geometry, needs: 0, bit: 0, may_guard: false, product };
            by_scope.entry(Scope::new(kind, &template_group.product)).or_default().push(template_group);
        }
        // A layer of one template group saves less than it costs.
        let mut rest = Vec::new();
        by_scope.retain(|&scope, template_groups| {
            let keep = scope == Scope::All || template_groups.len() > 1;
            if !keep {
                rest.append(template_groups);
            }
            keep
        });
        by_scope.entry(Scope::All).or_default().append(&mut rest);
        by_scope.retain(|_, template_groups| !template_groups.is_empty());
        let mut layers: Vec<(Scope, Vec<TemplateGroup>)> = by_scope.into_iter().collect();
        let by_tags = |template_groups: &[TemplateGroup]| {
            template_groups.iter().all(|template_group| Scope::new(kind, &template_group.product) == Scope::Tags)
        };
        let unshared =
            layers.iter().position(|(scope, template_groups)| *scope == Scope::All && !by_tags(template_groups));
        let guard =
            assign(&mut layers.iter_mut().map(|(_, template_groups)| template_groups).collect::<Vec<_>>(), unshared);
        let layers: Vec<Layer> =
            layers.into_iter().map(|(scope, template_groups)| self.layer(kind, scope, template_groups)).collect();
        let with_twin =
            layers.iter().flat_map(|layer| &layer.template_groups).any(|template_group| template_group.is_of_twin);
        Some(KindGroups { kind, layers, with_twin, guard: guard.filter(|_| !with_twin) })
    }

    fn layer(&mut self, kind: Kind, scope: Scope, template_groups: Vec<TemplateGroup>) -> Layer {
        let by_tags =
            template_groups.iter().all(|template_group| Scope::new(kind, &template_group.product) == Scope::Tags);
        let run_ends = run_ends(&template_groups);
        let roles = kind.roles().len();
        let name = kind.owner_of_address().name();
        let index = self.layers;
        self.layers += 1;
        let of_code = |code: usize| {
            template_groups.iter().map(|template_group| template_group.geometry[code]).collect::<Vec<_>>()
        };
        let codes = Codes::new(kind, index, of_code);
        let mut views = |role: usize, wanted: &dyn Fn(Atom, &Product) -> Option<Attribute>| -> Vec<u32> {
            let view = |template_group: &TemplateGroup| {
                let product = &template_group.product;
                let of_role = product.atoms.iter().filter(|atom| atom.role == role);
                self.viewer.view(of_role.filter_map(|&atom| Some((atom.offset, wanted(atom, product)?))))
            };
            template_groups.iter().map(view).collect()
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
            is_shared: scope != Scope::All,
            by_tags,
            codes,
            roles,
            address_views,
            detail_views,
            role_factor: (0..roles).map(|role| mix(hash_text(role as u64, name)) | 1).collect(),
            template_groups,
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

/// Guards of a layer by tags: what they found is kept with the sums that come again (`weights::contexts`), in so many bits.
pub const GUARDS_BY_TAGS: usize = 2;

/// Sorts the template groups of each layer of a kind so that guards stand before what they guard, and gives guards their bits and
/// what they guard its needs. Layers are walked in order. The template group that guards all others of the kind, if there is one.
///
/// A layer whose sums serve several parts knows of its own guards only; `unshared` is the one whose sums do not.
pub(super) fn assign(layers: &mut [&mut Vec<TemplateGroup>], unshared: Option<usize>) -> Option<(usize, usize)> {
    for template_groups in layers.iter_mut() {
        // What a template group depends on, so do those that it guards, and more.
        template_groups.sort_by_key(depth);
    }
    let places: Vec<(usize, usize)> = layers
        .iter()
        .enumerate()
        .flat_map(|(l, template_groups)| (0..template_groups.len()).map(move |b| (l, b)))
        .collect();
    let guards = |a: (usize, usize), b: (usize, usize), layers: &[&mut Vec<TemplateGroup>]| {
        a < b && (a.0 == b.0 || Some(b.0) == unshared) && is_guard(&layers[a.0][a.1], &layers[b.0][b.1])
    };
    let mut by_use: Vec<(usize, (usize, usize))> = places
        .iter()
        .map(|&a| (places.iter().filter(|&&b| guards(a, b, layers)).count(), a))
        .filter(|&(guarded, _)| guarded > 0)
        .collect();
    by_use.sort_by_key(|&(guarded, place)| (std::cmp::Reverse(guarded), place));
    let mut of_layer = vec![0; layers.len()];
    // The last bit is nobody's.
    let mut bit = 1u64;
    for (_, (l, b)) in by_use {
        let by_tags = layers[l].iter().all(has_tags_alone);
        if bit == 0 || (by_tags && of_layer[l] == GUARDS_BY_TAGS) {
            continue;
        }
        of_layer[l] += 1;
        layers[l][b].bit = bit;
        bit = if bit < 1 << 62 { bit << 1 } else { 0 };
    }
    for &b in &places {
        let needs = places.iter().filter(|&&a| guards(a, b, layers)).fold(0, |n, a| n | layers[a.0][a.1].bit);
        layers[b.0][b.1].needs = needs;
    }
    // The guard of all is asked alone, before there are parts.
    for &a in &places {
        let may_guard = places.iter().any(|&b| a != b && is_guard(&layers[a.0][a.1], &layers[b.0][b.1]));
        layers[a.0][a.1].may_guard = may_guard;
    }
    let of_all = |&a: &(usize, usize)| places.iter().all(|&b| a == b || is_guard(&layers[a.0][a.1], &layers[b.0][b.1]));
    places.iter().copied().find(of_all)
}

/// Where runs of template groups end of which none needs another of the run.
pub(super) fn run_ends(template_groups: &[TemplateGroup]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut of_run = 0;
    for (i, template_group) in template_groups.iter().enumerate() {
        if template_group.needs & of_run != 0 {
            ends.push(i);
            of_run = 0;
        }
        of_run |= template_group.bit;
    }
    ends.push(template_groups.len());
    ends
}

/// Sorts guards before what they guard.
fn depth(template_group: &TemplateGroup) -> (usize, Variant, usize, crate::features::groups::product::Product) {
    let product = &template_group.product;
    let words = product.atoms.iter().filter(|atom| matches!(atom.attribute, Attribute::Form)).count();
    (product.atoms.len(), product.variant, words, product.clone())
}

fn has_tags_alone(template_group: &TemplateGroup) -> bool {
    let is_tag = |atom: &Atom| atom.offset == 0 && matches!(atom.attribute, Attribute::Fine | Attribute::Coarse);
    template_group.product.atoms.iter().all(is_tag)
}

/// Whether the address of `a` depends on nothing that the address of `b` does not depend on, and both learn from the same
/// parts.
fn is_guard(a: &TemplateGroup, b: &TemplateGroup) -> bool {
    let sees = |atom: &Atom| {
        let has = |attribute: Attribute| b.product.atoms.contains(&Atom { attribute, ..*atom });
        // A form decides its lower case, a fine tag the coarse one.
        let finer = match atom.attribute {
            Attribute::Lower => has(Attribute::Form),
            Attribute::Coarse => has(Attribute::Fine),
            _ => false,
        };
        finer || has(atom.attribute)
    };
    a.product != b.product
        && a.product.variant <= b.product.variant
        && (a.is_own || !b.is_own)
        && (a.is_of_twin || !b.is_of_twin)
        && a.product.atoms.iter().all(sees)
}
