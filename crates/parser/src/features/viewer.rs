//! Views: what templates see of one word, as 64-bit hashes.

use super::atoms::{Attribute, Slot, hash_text, mix};
use crate::treebank::Token;

/// The number of the view that is 0 for all words; those of the viewer follow it.
pub(super) const NO_VIEW: u32 = 0;

/// The distinct views of a compiled template set.
#[derive(Clone, Debug, Default)]
pub(super) struct Viewer {
    attributes: Vec<Attribute>,
    /// Offset and attribute of each atom.
    views: Vec<Vec<(i8, usize)>>,
}

impl Viewer {
    /// The number of the view of some atoms of one word.
    pub fn view(&mut self, atoms: impl Iterator<Item = (i8, Attribute)>) -> u32 {
        let view: Vec<(i8, usize)> = atoms.map(|(offset, attribute)| (offset, self.attribute(attribute))).collect();
        if view.is_empty() {
            return NO_VIEW;
        }
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

/// The views of one sentence; memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// By view, by row (the root, the words, no word).
    values: Vec<u64>,
    atoms: Vec<u64>,
    text: String,
    words: usize,
}

impl Seen {
    /// Computes the views of `tokens`.
    pub fn fill(&mut self, viewer: &Viewer, tokens: &[Token]) {
        self.words = tokens.len();
        self.fill_atoms(viewer, tokens);
        let attributes = viewer.attributes.len();
        let none = self.words + 5;
        self.values.clear();
        self.values.resize(self.rows(), 0);
        for view in &viewer.views {
            for row in 0..self.words + 2 {
                let mut value = 0x7472_6565_626f_756e_u64;
                for &(offset, attribute) in view {
                    let place = if row > self.words { none } else { (row as i64 + 2 + i64::from(offset)) as usize };
                    let atom = self.atoms[place * attributes + attribute];
                    let name = attribute_code(viewer.attributes[attribute]) * 8 + (offset + 2) as u64;
                    value = mix(value ^ atom.wrapping_add(name.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
                }
                self.values.push(value);
            }
        }
    }

    /// Hashes of every attribute at places -2 ..= n + 2, then at no place.
    fn fill_atoms(&mut self, viewer: &Viewer, tokens: &[Token]) {
        self.atoms.clear();
        let n = tokens.len() as i64;
        let places = (-2..=n + 2).map(|p| Slot::at(p, tokens.len())).chain([Slot::None]);
        for slot in places {
            for &attribute in &viewer.attributes {
                slot.value(attribute, tokens, &mut self.text);
                // A word that is written `<root>` is not the root.
                let seed = u64::from(!matches!(slot, Slot::Word(_)));
                self.atoms.push(hash_text(seed, &self.text));
            }
        }
    }

    /// Words of the sentence.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Rows of a view.
    pub fn rows(&self) -> usize {
        self.words + 2
    }

    /// The values of a view by row.
    #[inline(always)]
    pub fn of(&self, view: u32) -> &[u64] {
        &self.values[view as usize * self.rows()..][..self.rows()]
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
