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

use std::collections::BTreeMap;
use std::ops::Range;

use super::atoms::{Attribute, Slot, hash_text, mix};
use super::describe::arcs_of;
use super::geometry::{BINS, CODES, Geometry};
use super::guard::Guard;
use super::hand::Patterns;
use super::template::{Atom, Kind, TemplateSet, Variant};
use crate::treebank::Token;

/// Most roles of any kind.
pub const MAX_ROLES: usize = 4;

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
    /// What each key fires for the twin of its kind.
    pub twin_variants: Vec<Variant>,
    /// Whether all variants see the directions.
    directed: bool,
    /// `CODES` x variants: what to add to the low half of a key.
    constants: Vec<u32>,
    /// As `constants`, for the twin.
    twin_constants: Vec<u32>,
}

impl Group {
    /// The group of `keys`, in the blocks from `block` on.
    fn new(kind: Kind, keys: Range<usize>, block: usize, [variants, twin_variants]: &[Vec<Variant>; 2]) -> Self {
        Self {
            blocks: block..block + keys.len().div_ceil(BLOCK),
            keys,
            directed: is_directed(variants) && is_directed(twin_variants),
            constants: constants(kind, variants),
            twin_constants: kind.twin().map(|twin| constants(twin, twin_variants)).unwrap_or_default(),
            variants: variants.clone(),
            twin_variants: twin_variants.clone(),
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

    /// The constants of the twin's variants.
    #[inline(always)]
    pub fn twin_constants(&self, geometry: Geometry) -> &[u32] {
        let len = self.twin_variants.len();
        &self.twin_constants[geometry.code() * len..][..len]
    }

    /// The constants of the variants for each geometry code in turn.
    #[inline(always)]
    pub fn all_constants(&self) -> &[u32] {
        &self.constants
    }

    /// As [`all_constants`](Self::all_constants), of the twin's variants.
    #[inline(always)]
    pub fn all_twin_constants(&self) -> &[u32] {
        &self.twin_constants
    }

    fn features(&self) -> usize {
        self.keys.len() * (self.variants.len() + self.twin_variants.len())
    }
}

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
    /// By geometry code: a number that two codes share if no variant tells them apart.
    pub code_class: Vec<u32>,
    /// Number of these.
    pub code_classes: usize,
    /// By role, blocks of a row: which view stands at each place, [`NO_VIEW`] if the template does not look at the role or
    /// none stands there.
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

/// What the templates of a layer look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sight {
    /// Everything.
    All,
    /// The tags of all roles' own words.
    Tags,
    /// Not all of the roles: one bit a role.
    Roles(u8),
}

impl Sight {
    fn of(kind: Kind, atoms: &[Atom]) -> Self {
        let roles = atoms.iter().fold(0u8, |roles, atom| roles | 1 << atom.role);
        if roles.count_ones() as usize != kind.roles().len() {
            return Self::Roles(roles);
        }
        let is_tag = |atom: &Atom| atom.offset == 0 && matches!(atom.attribute, Attribute::Fine | Attribute::Coarse);
        if atoms.iter().all(is_tag) { Self::Tags } else { Self::All }
    }
}

/// A view: some atoms of one word.
#[derive(Clone, Debug, PartialEq, Eq)]
struct View {
    /// Offset and attribute.
    atoms: Vec<(i8, usize)>,
}

/// The number of the view that is 0 for all words; those of the plan follow it.
const NO_VIEW: u32 = 0;

/// A compiled template set.
#[derive(Clone, Debug)]
pub struct Plan {
    patterns: Patterns,
    kinds: Vec<Option<KindPlan>>,
    attributes: Vec<Attribute>,
    views: Vec<View>,
    layers: usize,
}

/// The atoms of some templates, and the variants in which the set has them: of the kind itself, and of its twin.
type Base = ([Vec<Variant>; 2], Vec<Atom>);

/// The templates of one kind, those with the same atoms together. Both lists are sorted by atoms.
fn bases(set: &TemplateSet, kind: Kind) -> Vec<(Vec<Variant>, Vec<Atom>)> {
    let mut bases: Vec<(Vec<Variant>, Vec<Atom>)> = Vec::new();
    for template in set.of(kind) {
        match bases.last_mut() {
            Some((variants, atoms)) if *atoms == template.atoms => variants.push(template.variant),
            _ => bases.push((vec![template.variant], template.atoms.clone())),
        }
    }
    bases
}

/// Whether all variants see the directions, so that these may go into the address.
fn is_directed(variants: &[Variant]) -> bool {
    !variants.contains(&Variant::Plain)
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

    fn compile(&mut self, set: &TemplateSet, kind: Kind, wanted: impl Fn(Kind) -> bool) -> Option<KindPlan> {
        let mut bases: Vec<Base> =
            bases(set, kind).into_iter().map(|(variants, atoms)| ([variants, Vec::new()], atoms)).collect();
        let twin = kind.twin().filter(|&twin| kind.is_local() && !bases.is_empty() && wanted(twin));
        for (twin_variants, atoms) in twin.into_iter().flat_map(|twin| self::bases(set, twin)) {
            // Templates of one address must agree in what goes into it.
            let same = |base: &&mut Base| base.1 == atoms && is_directed(&base.0[0]) == is_directed(&twin_variants);
            match bases.iter_mut().find(same) {
                Some(base) => base.0[1] = twin_variants,
                None => bases.push(([Vec::new(), twin_variants], atoms)),
            }
        }
        if bases.is_empty() {
            return None;
        }
        let mut by_sight: BTreeMap<Sight, Vec<Base>> = BTreeMap::new();
        for base in bases {
            by_sight.entry(Sight::of(kind, &base.1)).or_default().push(base);
        }
        // A layer of one template saves less than it costs.
        let mut rest = Vec::new();
        by_sight.retain(|&sight, bases| {
            let keep = sight == Sight::All || bases.len() > 1;
            if !keep {
                rest.append(bases);
            }
            keep
        });
        by_sight.entry(Sight::All).or_default().append(&mut rest);
        by_sight.retain(|_, bases| !bases.is_empty());
        let layers: Vec<Layer> = by_sight.into_iter().map(|(sight, bases)| self.layer(kind, sight, bases)).collect();
        let with_twin = layers.iter().flat_map(|layer| &layer.groups).any(|group| !group.twin_variants.is_empty());
        let guard = if with_twin { None } else { Guard::of(&layers) };
        Some(KindPlan { kind, layers, guard, with_twin })
    }

    fn layer(&mut self, kind: Kind, sight: Sight, mut bases: Vec<Base>) -> Layer {
        bases.sort();
        let mut groups: Vec<Group> = Vec::new();
        let mut keys = 0;
        for alike in bases.chunk_by(|a, b| a.0 == b.0) {
            let block = groups.last().map_or(0, |group| group.blocks.end);
            groups.push(Group::new(kind, keys..keys + alike.len(), block, &alike[0].0));
            keys += alike.len();
        }
        let mut seen: Vec<Vec<[&[u32]; 2]>> = Vec::new();
        let mut code_class = Vec::with_capacity(CODES);
        // Codes beyond the kind's directions never occur and may share a class with any.
        let occurring = BINS << arcs_of(kind);
        for code in (0..CODES).map(|code| Geometry::from_code(code % occurring)) {
            let of_code: Vec<[&[u32]; 2]> =
                groups.iter().map(|g| [g.constants(code), g.twin_constants(code)]).collect();
            let class = seen.iter().position(|other| *other == of_code).unwrap_or_else(|| {
                seen.push(of_code);
                seen.len() - 1
            });
            code_class.push(class as u32);
        }
        let code_classes = seen.len();
        let roles = kind.roles().len();
        let views = (0..roles).map(|role| self.row(&groups, &bases, role)).collect();
        let name = kind.owner_of_address().name();
        let role_factor = (0..roles).map(|role| mix(hash_text(role as u64, name)) | 1).collect();
        let index = self.layers;
        self.layers += 1;
        Layer {
            index,
            keys: bases.into_iter().map(|b| b.1).collect(),
            groups,
            shared: sight != Sight::All,
            code_class,
            code_classes,
            views,
            role_factor,
        }
    }

    /// The views of a role by their places in a row.
    fn row(&mut self, groups: &[Group], bases: &[Base], role: usize) -> Vec<[u32; BLOCK]> {
        let mut row = vec![[NO_VIEW; BLOCK]; groups.last().map_or(0, |group| group.blocks.end)];
        for group in groups {
            let places = row[group.blocks.clone()].as_flattened_mut();
            for (place, (_, atoms)) in places.iter_mut().zip(&bases[group.keys.clone()]) {
                *place = self.view(atoms, role);
            }
        }
        row
    }

    fn view(&mut self, atoms: &[Atom], role: usize) -> u32 {
        let atoms: Vec<(i8, usize)> =
            atoms.iter().filter(|a| a.role == role).map(|a| (a.offset, self.attribute(a.attribute))).collect();
        if atoms.is_empty() {
            return NO_VIEW;
        }
        let view = View { atoms };
        let ix = self.views.iter().position(|v| *v == view).unwrap_or_else(|| {
            self.views.push(view);
            self.views.len() - 1
        });
        1 + ix as u32
    }

    fn attribute(&mut self, attribute: Attribute) -> usize {
        self.attributes.iter().position(|a| *a == attribute).unwrap_or_else(|| {
            self.attributes.push(attribute);
            self.attributes.len() - 1
        })
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

fn constants(kind: Kind, variants: &[Variant]) -> Vec<u32> {
    let codes = (0..CODES).map(Geometry::from_code);
    let seed = if kind.owner_of_address() == kind { 0x6765_6f6d } else { hash_text(0x6765_6f6d, kind.name()) };
    codes.flat_map(|g| variants.iter().map(move |&v| mix(seed ^ g.seen_by(v)) as u32)).collect()
}

/// What a layer sees of the words of a sentence.
#[derive(Clone, Debug, Default)]
pub struct LayerViews {
    /// By role: `words + 2` rows (the root, the words, no word) of [`Layer::blocks`] blocks of views.
    pub matrix: [Vec<[u64; BLOCK]>; MAX_ROLES],
    /// By role, for shared layers: the class of each row; equal rows share one.
    pub class: [Vec<u32>; MAX_ROLES],
    /// By role: number of classes.
    pub classes: [usize; MAX_ROLES],
    /// A number a row that differs if rows differ, as good as always.
    prints: Vec<u64>,
}

impl LayerViews {
    fn fill(&mut self, layer: &Layer, values: &[u64], all: usize) {
        for role in 0..layer.roles() {
            let matrix = &mut self.matrix[role];
            matrix.clear();
            let factor = layer.role_factor[role];
            for values in values.chunks_exact(all) {
                for block in &layer.views[role] {
                    let mut filled = [0; BLOCK];
                    for (to, &view) in filled.iter_mut().zip(block) {
                        *to = values[view as usize].wrapping_mul(factor);
                    }
                    matrix.push(filled);
                }
            }
            if layer.shared {
                self.classes[role] = classes(matrix, layer.blocks(), &mut self.prints, &mut self.class[role]);
            }
        }
    }
}

/// Numbers the distinct rows of a matrix in the order in which they come; the number of them.
fn classes(matrix: &[[u64; BLOCK]], blocks: usize, prints: &mut Vec<u64>, class: &mut Vec<u32>) -> usize {
    class.clear();
    prints.clear();
    let row = |i: usize| matrix[i * blocks..(i + 1) * blocks].as_flattened();
    let mut distinct = 0;
    for i in 0..matrix.len() / blocks {
        let print = row(i).iter().fold(0u64, |print, view| print.rotate_left(7) ^ view);
        let mut alike = prints.iter().enumerate().filter(|&(_, &other)| other == print);
        let same = alike.find(|&(j, _)| row(j) == row(i)).map(|(j, _)| class[j]);
        prints.push(print);
        class.push(same.unwrap_or_else(|| {
            distinct += 1;
            distinct - 1
        }));
    }
    distinct as usize
}

/// The views of one sentence, by layer.
#[derive(Clone, Debug, Default)]
pub struct Views {
    words: usize,
    /// By row: no view, then the distinct views of the plan.
    values: Vec<u64>,
    atoms: Vec<u64>,
    layers: Vec<LayerViews>,
    text: String,
}

impl Views {
    /// Computes the views of `tokens`, reusing memory.
    pub fn fill(&mut self, plan: &Plan, tokens: &[Token]) {
        self.words = tokens.len();
        self.fill_atoms(plan, tokens);
        self.fill_values(plan);
        self.layers.resize_with(plan.layers, Default::default);
        for layer in plan.kinds.iter().flatten().flat_map(|kind| &kind.layers) {
            self.layers[layer.index].fill(layer, &self.values, 1 + plan.views.len());
        }
    }

    /// Hashes of every attribute at places -2 ..= n + 2, then at no place.
    fn fill_atoms(&mut self, plan: &Plan, tokens: &[Token]) {
        self.atoms.clear();
        let n = tokens.len() as i64;
        let places = (-2..=n + 2).map(|p| Slot::at(p, tokens.len())).chain([Slot::None]);
        for slot in places {
            for &attribute in &plan.attributes {
                slot.value(attribute, tokens, &mut self.text);
                // A word that is written `<root>` is not the root.
                let seed = u64::from(!matches!(slot, Slot::Word(_)));
                self.atoms.push(hash_text(seed, &self.text));
            }
        }
    }

    fn fill_values(&mut self, plan: &Plan) {
        self.values.clear();
        let attributes = plan.attributes.len();
        let none = self.words + 5;
        for row in 0..self.words + 2 {
            self.values.push(0);
            for view in &plan.views {
                let mut value = 0x7472_6565_626f_756e_u64;
                for &(offset, attribute) in &view.atoms {
                    let place = if row > self.words { none } else { (row as i64 + 2 + i64::from(offset)) as usize };
                    let atom = self.atoms[place * attributes + attribute];
                    let name = attribute_code(plan.attributes[attribute]) * 8 + (offset + 2) as u64;
                    value = mix(value ^ atom.wrapping_add(name.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
                }
                self.values.push(value);
            }
        }
    }

    /// Words of the sentence.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The row that stands for "no word" in any role.
    pub fn none_row(&self) -> usize {
        self.words + 1
    }

    /// What a layer sees.
    #[inline(always)]
    pub fn of(&self, layer: &Layer) -> &LayerViews {
        &self.layers[layer.index]
    }
}

/// A number that stays the same whatever the template set is, so that models do not depend on its order.
fn attribute_code(attribute: Attribute) -> u64 {
    match attribute {
        Attribute::Form => 1,
        Attribute::Lower => 2,
        Attribute::Fine => 3,
        Attribute::Coarse => 4,
        Attribute::Length => 5,
        Attribute::Prefix(k) => 16 + u64::from(k),
        Attribute::Suffix(k) => 32 + u64::from(k),
    }
}
