//! The plan: templates compiled so that the keys of a part are a sum of rows of hashes. The pruner scores arcs by it, and the
//! labeller finds the keys of relations.
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

use std::collections::BTreeMap;
use std::ops::Range;

use crate::features::atoms::{Attribute, NO_VIEW, Seen, Viewer, hash_text, mix};
use crate::features::geometry::{CODES, Codes, Geometry, print_with};
use crate::features::template::{Atom, Kind, MAX_ROLES, TemplateSet, Variant};
use crate::treebank::Token;

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
    /// Compiles the templates of [`Kind::OF_ARCS`].
    pub fn new(set: &TemplateSet) -> Self {
        Self::of_kinds(set, &Kind::OF_ARCS)
    }

    /// Compiles the templates of some kinds; others have no place in the plan.
    pub fn of_kinds(set: &TemplateSet, kinds: &[Kind]) -> Self {
        let mut plan = Self { kinds: Vec::new(), viewer: Viewer::default(), layers: 0 };
        for &kind in kinds {
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
    fn new(keys: Range<usize>, block: usize, variants: &[Variant]) -> Self {
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
    index: usize,
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
    /// By role, blocks of a row: which view stands at each place, [none](crate::features::atoms::NO_VIEW) if the template
    /// does not look at the role or no template stands there.
    views: Vec<Vec<[u32; BLOCK]>>,
    /// By role: the odd number that makes a view differ between roles and kinds.
    role_factor: Vec<u64>,
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

/// What a layer sees of the words of a sentence.
#[derive(Clone, Debug, Default)]
pub struct LayerViews {
    /// By role: `words + 2` rows (the root, the words, no word) of [`Layer::blocks`] blocks of views.
    pub matrix: [Vec<[u64; BLOCK]>; MAX_ROLES],
    /// By role, for layers of parts that may look alike: a hash of each row.
    pub prints: [Vec<u64>; MAX_ROLES],
}

impl LayerViews {
    fn fill(&mut self, layer: &Layer, seen: &Seen) {
        for role in 0..layer.roles() {
            let (matrix, factor) = (&mut self.matrix[role], layer.role_factor[role]);
            matrix.clear();
            for row in 0..seen.rows() {
                let views = layer.views[role].iter();
                matrix.extend(views.map(|block| block.map(|view| seen.view(view)[row].wrapping_mul(factor))));
            }
            self.prints[role].clear();
            if layer.shared || layer.by_tags {
                let rows = matrix.chunks_exact(layer.blocks()).map(|row| row.as_flattened());
                let print = |row: &[u64]| mix(row.iter().fold(0, |print, &view| print_with(print, view)));
                self.prints[role].extend(rows.map(print));
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
    pub fn fill(&mut self, plan: &Plan, tokens: &[Token]) {
        self.seen.fill(&plan.viewer, tokens);
        self.layers.resize_with(plan.layers, Default::default);
        for layer in plan.kinds.iter().flat_map(|kind| &kind.layers) {
            self.layers[layer.index].fill(layer, &self.seen);
        }
    }

    /// What a layer sees.
    #[inline(always)]
    pub fn layer(&self, layer: &Layer) -> &LayerViews {
        &self.layers[layer.index]
    }
}

/// What the templates of a layer look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    /// Everything.
    All,
    /// The tags of all roles' own words.
    Tags,
    /// Not all of the roles: one bit a role.
    Roles(u8),
}

impl Scope {
    fn new(kind: Kind, atoms: &[Atom]) -> Self {
        let roles = atoms.iter().fold(0u8, |roles, atom| roles | 1 << atom.role);
        if roles.count_ones() as usize != kind.roles().len() {
            return Self::Roles(roles);
        }
        let is_tag = |atom: &Atom| atom.offset == 0 && matches!(atom.attribute, Attribute::Fine | Attribute::Coarse);
        if atoms.iter().all(is_tag) { Self::Tags } else { Self::All }
    }
}

/// The atoms of some templates, and the variants in which the set has them.
type Base = (Vec<Variant>, Vec<Atom>);

/// The templates of one kind, those with the same atoms together. Both lists are sorted.
fn bases(set: &TemplateSet, kind: Kind) -> Vec<Base> {
    let mut bases: Vec<Base> = Vec::new();
    for template in set.for_kind(kind) {
        match bases.last_mut() {
            Some((variants, atoms)) if *atoms == template.atoms => variants.push(template.variant),
            _ => bases.push((vec![template.variant], template.atoms.clone())),
        }
    }
    bases
}

impl Plan {
    fn compile(&mut self, set: &TemplateSet, kind: Kind) -> Option<KindPlan> {
        let bases = bases(set, kind);
        if bases.is_empty() {
            return None;
        }
        let mut by_scope: BTreeMap<Scope, Vec<Base>> = BTreeMap::new();
        for base in bases {
            by_scope.entry(Scope::new(kind, &base.1)).or_default().push(base);
        }
        // A layer of one template saves less than it costs.
        let mut rest = Vec::new();
        by_scope.retain(|&scope, bases| {
            let keep = scope == Scope::All || bases.len() > 1;
            if !keep {
                rest.append(bases);
            }
            keep
        });
        by_scope.entry(Scope::All).or_default().append(&mut rest);
        by_scope.retain(|_, bases| !bases.is_empty());
        let layers = by_scope.into_iter().map(|(scope, bases)| self.layer(kind, scope, bases)).collect();
        Some(KindPlan { kind, layers })
    }

    fn layer(&mut self, kind: Kind, scope: Scope, mut bases: Vec<Base>) -> Layer {
        bases.sort();
        let by_tags = bases.iter().all(|base| Scope::new(kind, &base.1) == Scope::Tags);
        let mut groups: Vec<Group> = Vec::new();
        let mut keys = 0;
        for alike in bases.chunk_by(|a, b| a.0 == b.0) {
            let block = groups.last().map_or(0, |group| group.blocks.end);
            groups.push(Group::new(keys..keys + alike.len(), block, &alike[0].0));
            keys += alike.len();
        }
        let index = self.layers;
        self.layers += 1;
        let of_code = |code: usize| {
            let of_group = |group: &Group| group.constants(Geometry::from_code(code)).to_vec();
            groups.iter().map(of_group).collect::<Vec<_>>()
        };
        let codes = Codes::new(kind, index, of_code);
        let roles = kind.roles().len();
        let views = (0..roles).map(|role| self.row(&groups, &bases, role)).collect();
        let role_factor = (0..roles).map(|role| mix(hash_text(role as u64, kind.name())) | 1).collect();
        let keys = bases.into_iter().map(|b| b.1).collect();
        Layer { index, keys, groups, shared: scope != Scope::All, by_tags, codes, views, role_factor }
    }

    /// The views of a role by their places in a row.
    fn row(&mut self, groups: &[Group], bases: &[Base], role: usize) -> Vec<[u32; BLOCK]> {
        let mut row = vec![[NO_VIEW; BLOCK]; groups.last().map_or(0, |group| group.blocks.end)];
        for group in groups {
            let places = row[group.blocks.clone()].as_flattened_mut();
            for (place, (_, atoms)) in places.iter_mut().zip(&bases[group.keys.clone()]) {
                let of_role = atoms.iter().filter(|atom| atom.role == role);
                *place = self.viewer.view(of_role.map(|atom| (atom.offset, atom.attribute)));
            }
        }
        row
    }
}
