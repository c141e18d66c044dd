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
//! feature's *address*, common to all variants of a template, and the low half of key plus constant its *fingerprint*:
//! variants lie in one cache line of the weight table.

use super::atoms::{Attribute, Slot, hash_text, mix};
use super::geometry::{CODES, Geometry};
use super::hand::Patterns;
use super::template::{Atom, Kind, TemplateSet, Variant};
use crate::treebank::Token;

/// Most roles of any kind.
pub const MAX_ROLES: usize = 4;

/// Templates of one kind with the same variants, next to each other.
#[derive(Clone, Debug)]
pub struct Group {
    /// Which of the kind's keys.
    pub keys: std::ops::Range<usize>,
    /// What each key fires.
    pub variants: Vec<Variant>,
    /// `CODES` x variants: what to add to the low half of a key.
    constants: Vec<u32>,
}

impl Group {
    /// The constants of the variants for a part's geometry.
    #[inline(always)]
    pub fn constants(&self, geometry: Geometry) -> &[u32] {
        let len = self.variants.len();
        &self.constants[geometry.code() * len..][..len]
    }
}

/// A template that all others of its kind refine: they have all its atoms, and its variant or a finer one.
///
/// Whenever one of them has been learnt from a part, the guard has been learnt from it too. So a part whose guard has
/// never been seen has no feature with a weight, and its score is 0 for certain: one look-up spares all the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// Which of the kind's keys.
    pub key: usize,
    /// The group of the key.
    group: usize,
    /// Which of the group's variants.
    variant: usize,
}

/// The templates of one kind.
#[derive(Clone, Debug)]
pub struct KindPlan {
    /// The kind.
    pub kind: Kind,
    /// Atoms of each key, in the order of the keys.
    pub keys: Vec<Vec<Atom>>,
    /// Keys by their variants.
    pub groups: Vec<Group>,
    /// The guard, if the templates have one.
    pub guard: Option<Guard>,
    /// By role and key: which view, or none if the template does not look at the role.
    views: Vec<Vec<Option<u32>>>,
    /// By role: the odd number that makes a view differ between roles and kinds.
    role_factor: Vec<u64>,
}

impl KindPlan {
    /// Features that a part of this kind fires.
    pub fn features(&self) -> usize {
        self.groups.iter().map(|g| g.keys.len() * g.variants.len()).sum()
    }

    /// What to add to the guard's key for a part's geometry.
    #[inline(always)]
    pub fn guard_constant(&self, guard: Guard, geometry: Geometry) -> u32 {
        self.groups[guard.group].constants(geometry)[guard.variant]
    }

    fn find_guard(groups: &[Group], bases: &[(Vec<Variant>, Vec<Atom>)]) -> Option<Guard> {
        let all = || bases.iter().flat_map(|(variants, atoms)| variants.iter().map(move |v| (*v, atoms)));
        let coarsest = all().map(|(v, _)| v).min()?;
        let refined = |atoms: &[Atom]| all().all(|(_, others)| atoms.iter().all(|a| others.contains(a)));
        let key = bases.iter().position(|(variants, atoms)| variants.contains(&coarsest) && refined(atoms))?;
        let group = groups.iter().position(|g| g.keys.contains(&key))?;
        let variant = groups[group].variants.iter().position(|v| *v == coarsest)?;
        Some(Guard { key, group, variant })
    }

    /// Number of roles.
    pub fn roles(&self) -> usize {
        self.views.len()
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
}

impl Plan {
    /// Compiles `set`, leaving out the kinds that `wanted` refuses.
    pub fn new(set: &TemplateSet, wanted: impl Fn(Kind) -> bool) -> Self {
        let patterns = if wanted(Kind::Hand) { set.patterns().clone() } else { Patterns::default() };
        let mut plan = Self { patterns, kinds: Vec::new(), attributes: Vec::new(), views: Vec::new() };
        for kind in Kind::ALL {
            let kind_plan = if wanted(kind) { plan.compile(set, kind) } else { None };
            plan.kinds.push(kind_plan);
        }
        plan
    }

    fn compile(&mut self, set: &TemplateSet, kind: Kind) -> Option<KindPlan> {
        // Templates arrive sorted by atoms, so the variants of one list of atoms are neighbours.
        let mut bases: Vec<(Vec<Variant>, Vec<Atom>)> = Vec::new();
        for template in set.of(kind) {
            match bases.last_mut() {
                Some((variants, atoms)) if *atoms == template.atoms => variants.push(template.variant),
                _ => bases.push((vec![template.variant], template.atoms.clone())),
            }
        }
        if bases.is_empty() {
            return None;
        }
        bases.sort();
        let mut groups: Vec<Group> = Vec::new();
        for (i, (variants, _)) in bases.iter().enumerate() {
            match groups.last_mut() {
                Some(group) if group.variants == *variants => group.keys.end = i + 1,
                _ => groups.push(Group { keys: i..i + 1, variants: variants.clone(), constants: constants(variants) }),
            }
        }
        let roles = kind.roles().len();
        let views = (0..roles).map(|role| bases.iter().map(|(_, atoms)| self.view(atoms, role)).collect()).collect();
        let role_factor = (0..roles).map(|role| mix(hash_text(role as u64, kind.name())) | 1).collect();
        let guard = KindPlan::find_guard(&groups, &bases);
        Some(KindPlan { kind, keys: bases.into_iter().map(|b| b.1).collect(), groups, guard, views, role_factor })
    }

    fn view(&mut self, atoms: &[Atom], role: usize) -> Option<u32> {
        let atoms: Vec<(i8, usize)> =
            atoms.iter().filter(|a| a.role == role).map(|a| (a.offset, self.attribute(a.attribute))).collect();
        if atoms.is_empty() {
            return None;
        }
        let view = View { atoms };
        let ix = self.views.iter().position(|v| *v == view).unwrap_or_else(|| {
            self.views.push(view);
            self.views.len() - 1
        });
        Some(ix as u32)
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

fn constants(variants: &[Variant]) -> Vec<u32> {
    let codes = (0..CODES).map(Geometry::from_code);
    codes.flat_map(|g| variants.iter().map(move |&v| mix(0x6765_6f6d ^ g.seen_by(v)) as u32)).collect()
}

/// The views of one sentence: for each kind and role a matrix of words by keys.
#[derive(Clone, Debug, Default)]
pub struct Views {
    words: usize,
    /// Distinct views of the plan: places by views.
    values: Vec<u64>,
    atoms: Vec<u64>,
    matrices: Vec<[Vec<u64>; MAX_ROLES]>,
    text: String,
}

impl Views {
    /// Computes the views of `tokens`, reusing memory.
    pub fn fill(&mut self, plan: &Plan, tokens: &[Token]) {
        let n = tokens.len();
        self.words = n;
        self.fill_atoms(plan, tokens);
        self.fill_values(plan);
        self.matrices.resize_with(plan.kinds.len(), Default::default);
        let rows = n + 2;
        let all = plan.views.len();
        for (kind, matrices) in plan.kinds.iter().zip(&mut self.matrices) {
            let Some(kind) = kind else { continue };
            for (role, matrix) in matrices.iter_mut().enumerate().take(kind.roles()) {
                matrix.clear();
                let factor = kind.role_factor[role];
                for row in 0..rows {
                    let values = &self.values[row * all..(row + 1) * all];
                    matrix.extend(
                        kind.views[role].iter().map(|v| v.map_or(0, |v| values[v as usize].wrapping_mul(factor))),
                    );
                }
            }
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

    /// The matrix of a kind and role: `words + 2` rows (the root, the words, no word) of one view a key.
    #[inline(always)]
    pub fn matrix(&self, kind: Kind, role: usize) -> &[u64] {
        &self.matrices[kind as usize][role]
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
