//! What the layers of a plan see of a sentence.

use super::Plan;
use super::layer::{BLOCK, Layer};
use crate::features::alike::print_with;
use crate::features::atoms::mix;
use crate::features::template::MAX_ROLES;
use crate::features::viewer::Seen;
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
    fn fill(&mut self, layer: &Layer, seen: &Seen) {
        for role in 0..layer.roles() {
            let (matrix, factor) = (&mut self.matrix[role], layer.role_factor[role]);
            matrix.clear();
            for row in 0..seen.rows() {
                let views = layer.views[role].iter();
                matrix.extend(views.map(|block| block.map(|view| seen.of(view)[row].wrapping_mul(factor))));
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
    pub fn of(&self, layer: &Layer) -> &LayerViews {
        &self.layers[layer.index]
    }
}
