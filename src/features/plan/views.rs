//! What the layers of a plan see of a sentence.

use super::layer::{BLOCK, Layer};
use super::{MAX_ROLES, Plan};
use crate::features::atoms::{Attribute, Slot, hash_text, mix};
use crate::treebank::Token;

/// What a layer sees of the words of a sentence.
#[derive(Clone, Debug, Default)]
pub struct LayerViews {
    /// By role: `words + 2` rows (the root, the words, no word) of [`Layer::blocks`] blocks of views.
    pub matrix: [Vec<[u64; BLOCK]>; MAX_ROLES],
    /// By role, for layers of parts that may look alike: a hash of each row.
    pub prints: [Vec<u64>; MAX_ROLES],
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
            self.prints[role].clear();
            if layer.shared || layer.by_tags {
                let rows = matrix.chunks_exact(layer.blocks()).map(|row| row.as_flattened());
                let print = |row: &[u64]| mix(row.iter().fold(0u64, |print, view| print.rotate_left(7) ^ view));
                self.prints[role].extend(rows.map(print));
            }
        }
    }
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
