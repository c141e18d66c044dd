//! From a template set to layers.

use std::collections::BTreeMap;

use super::layer::{BLOCK, Group, Layer};
use super::{KindPlan, Plan};
use crate::features::alike::Codes;
use crate::features::atoms::{Attribute, hash_text, mix};
use crate::features::geometry::Geometry;
use crate::features::template::{Atom, Kind, TemplateSet, Variant};
use crate::features::viewer::NO_VIEW;

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

/// The atoms of some templates, and the variants in which the set has them.
type Base = (Vec<Variant>, Vec<Atom>);

/// The templates of one kind, those with the same atoms together. Both lists are sorted.
fn bases(set: &TemplateSet, kind: Kind) -> Vec<Base> {
    let mut bases: Vec<Base> = Vec::new();
    for template in set.of(kind) {
        match bases.last_mut() {
            Some((variants, atoms)) if *atoms == template.atoms => variants.push(template.variant),
            _ => bases.push((vec![template.variant], template.atoms.clone())),
        }
    }
    bases
}

impl Plan {
    pub(super) fn compile(&mut self, set: &TemplateSet, kind: Kind) -> Option<KindPlan> {
        let bases = bases(set, kind);
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
        let layers = by_sight.into_iter().map(|(sight, bases)| self.layer(kind, sight, bases)).collect();
        Some(KindPlan { kind, layers })
    }

    fn layer(&mut self, kind: Kind, sight: Sight, mut bases: Vec<Base>) -> Layer {
        bases.sort();
        let by_tags = bases.iter().all(|base| Sight::of(kind, &base.1) == Sight::Tags);
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
        Layer { index, keys, groups, shared: sight != Sight::All, by_tags, codes, views, role_factor }
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
