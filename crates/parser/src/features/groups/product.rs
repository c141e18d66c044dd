//! Products: templates that differ only in whether they take words as written or in lower case, fine or coarse tags, with or
//! without the distance.
//!
//! Template sets repeat themselves: with `h.w h.t m.t` they have `h.l h.t m.t`, `h.w h.c m.c` and `h.l h.c m.c`, each with
//! directions and with distances. All eight see the same of a part but for three details: the form as written decides the one
//! in lower case, and the [fine tag](Attribute::Fine) the coarse one. Templates of a kind are cut into
//! products, each of all combinations of its choices: the largest first, until none is left.

use std::collections::{BTreeMap, BTreeSet};

use crate::features::atoms::Attribute;
use crate::features::template::{Atom, Kind, Template, Variant};

/// The details that templates of one product see or do not see: for each, whether it has templates of both sorts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fold {
    /// Words as written, and in lower case.
    pub forms: bool,
    /// Fine tags, and coarse ones.
    pub tags: bool,
    /// The distance, and directions alone.
    pub distance: bool,
}

impl Fold {
    /// The number of templates.
    pub fn templates(self) -> usize {
        1 << (usize::from(self.forms) + usize::from(self.tags) + usize::from(self.distance))
    }
}

/// Templates of one kind that are all combinations of some details.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Product {
    /// What all of them see: in lower case where `fold.forms`, coarse where `fold.tags`.
    pub atoms: Vec<Atom>,
    /// The geometry that all of them see: directions where `fold.distance`.
    pub variant: Variant,
    /// What some of them see beside it.
    pub fold: Fold,
}

impl Product {
    /// The atom that the finest template has in the place of one of [`atoms`](Self::atoms).
    pub fn finest(&self, kind: Kind, atom: Atom) -> Atom {
        let attribute = match atom.attribute {
            Attribute::Lower if self.fold.forms => Attribute::Form,
            Attribute::Coarse if self.fold.tags && !is_told_apart(kind, atom) => Attribute::Fine,
            other => other,
        };
        Atom { attribute, ..atom }
    }
}

/// Of words and of tags: 1 takes the finer.
type Choice = [usize; 2];

/// Cuts templates of one kind into products, in an order that depends on the templates alone; into one a template if they are
/// not to be folded.
pub fn products<'a>(kind: Kind, templates: impl Iterator<Item = &'a Template>, folded: bool) -> Vec<Product> {
    if !folded {
        let alone = |t: &Template| Product { atoms: t.atoms.clone(), variant: t.variant, fold: Fold::default() };
        return templates.map(alone).collect();
    }
    let mut classes: BTreeMap<Vec<Atom>, BTreeSet<(Choice, Variant)>> = BTreeMap::new();
    for template in templates {
        let (atoms, choice) = coarsest(kind, template);
        classes.entry(atoms).or_default().insert((choice, template.variant));
    }
    let mut products = Vec::new();
    for (atoms, mut left) in classes {
        for (forms, tags, variants) in boxes() {
            let members: Vec<(Choice, Variant)> = forms
                .iter()
                .flat_map(|&f| tags.iter().flat_map(move |&t| variants.iter().map(move |&v| ([f, t], v))))
                .collect();
            if members.iter().all(|member| left.contains(member)) {
                members.iter().for_each(|member| {
                    left.remove(member);
                });
                let fold = Fold { forms: forms.len() == 2, tags: tags.len() == 2, distance: variants.len() == 2 };
                let finer = [forms == [1], tags == [1]];
                let mut atoms: Vec<Atom> = atoms.iter().map(|&atom| refined(kind, atom, finer)).collect();
                atoms.sort_unstable();
                products.push(Product { atoms, variant: variants[0], fold });
            }
        }
    }
    products
}

/// All boxes of choices, larger ones first: of forms, of tags, of variants.
fn boxes() -> Vec<(&'static [usize], &'static [usize], &'static [Variant])> {
    const SIDES: [&[usize]; 3] = [&[0, 1], &[0], &[1]];
    const VARIANTS: [&[Variant]; 6] = [
        &[Variant::Direction, Variant::Distance],
        &[Variant::Plain],
        &[Variant::Direction],
        &[Variant::Distance],
        &[Variant::Pattern],
        &[Variant::Number],
    ];
    let mut boxes: Vec<_> = SIDES
        .iter()
        .flat_map(|&forms| SIDES.iter().flat_map(move |&tags| VARIANTS.iter().map(move |&v| (forms, tags, v))))
        .collect();
    // Stable: of boxes of one size the earlier first.
    boxes.sort_by_key(|(forms, tags, variants)| std::cmp::Reverse(forms.len() * tags.len() * variants.len()));
    boxes
}

/// Whether parts of the kind differ by this very atom, so that it is never made coarser.
fn is_told_apart(kind: Kind, atom: Atom) -> bool {
    kind.told_apart_by().is_some() && atom.role == 1
}

/// The template's atoms made coarser where all of a sort can be, and whether they were.
///
/// Tags are left alone where no word stands beside them. A word makes what is seen rare, so that a look-up finds few
/// weights; tags alone are seen with all distances and contexts, and one look-up for both sorts would find too many.
fn coarsest(kind: Kind, template: &Template) -> (Vec<Atom>, Choice) {
    let of = |attribute: Attribute| {
        template.atoms.iter().any(|&atom| atom.attribute == attribute && !is_told_apart(kind, atom))
    };
    let forms = of(Attribute::Form) && !of(Attribute::Lower);
    let is_lexical = of(Attribute::Form) || of(Attribute::Lower);
    let tags = is_lexical && of(Attribute::Fine) && !of(Attribute::Coarse);
    let coarser = |atom: &Atom| {
        let attribute = match atom.attribute {
            _ if is_told_apart(kind, *atom) => atom.attribute,
            Attribute::Form if forms => Attribute::Lower,
            Attribute::Fine if tags => Attribute::Coarse,
            other => other,
        };
        Atom { attribute, ..*atom }
    };
    let mut atoms: Vec<Atom> = template.atoms.iter().map(coarser).collect();
    atoms.sort_unstable();
    (atoms, [usize::from(forms), usize::from(tags)])
}

/// The atom with the finer attributes where they are wanted.
fn refined(kind: Kind, atom: Atom, [forms, tags]: [bool; 2]) -> Atom {
    let attribute = match atom.attribute {
        _ if is_told_apart(kind, atom) => atom.attribute,
        Attribute::Lower if forms => Attribute::Form,
        Attribute::Coarse if tags => Attribute::Fine,
        other => other,
    };
    Atom { attribute, ..atom }
}
