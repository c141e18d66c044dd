//! From a template set to layers.

use std::collections::BTreeMap;

use super::guard::Guard;
use super::layer::{BLOCK, Group, Layer, NO_VIEW, is_directed};
use super::{KindPlan, Plan, View};
use crate::features::atoms::{Attribute, hash_text, mix};
use crate::features::describe::arcs_of;
use crate::features::geometry::{BINS, CODES, Geometry};
use crate::features::template::{Atom, Kind, TemplateSet, Variant};

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

impl Plan {
    pub(super) fn compile(&mut self, set: &TemplateSet, kind: Kind, wanted: impl Fn(Kind) -> bool) -> Option<KindPlan> {
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
        let by_tags = bases.iter().all(|base| Sight::of(kind, &base.1) == Sight::Tags);
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
        let code_print = code_class.iter().map(|&class| mix((index as u64 + 1) << 32 | u64::from(class))).collect();
        Layer {
            index,
            keys: bases.into_iter().map(|b| b.1).collect(),
            groups,
            shared: sight != Sight::All,
            by_tags,
            code_class,
            code_classes,
            code_print,
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
}
