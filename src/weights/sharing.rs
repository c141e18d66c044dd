//! Sharing: parts of a sentence that look alike to a layer are scored once.
//!
//! To a template that sees only a sibling and a modifier, all heads are alike; to one that sees only tags, all words of a
//! tag are. Rows of views that are equal share a class (see [`LayerViews`]), and two parts with the same class in every
//! role and the same geometry have the same features. They are found without hashing, in a dense table over classes.

use crate::features::PartList;
use crate::features::plan::{Layer, LayerViews, MAX_ROLES};

/// Cells of the table beyond which looking for equal parts would cost more than it saves.
const MOST_CELLS: usize = 1 << 17;

/// The distinct parts among others, and memory to find them.
#[derive(Clone, Debug, Default)]
pub struct Sharing {
    /// One part of each sort; targets are their places in the sums.
    pub distinct: PartList,
    /// By part: its place in `distinct`.
    pub of_part: Vec<u32>,
    /// By distinct part: its score.
    pub own: Vec<i64>,
    /// By distinct part: its score for the twin of its kind, if that is wanted.
    pub twin: Vec<i64>,
    /// By role and row: what it adds to the number of a cell.
    offsets: [Vec<u32>; MAX_ROLES],
    /// By classes and geometry: the place in `distinct`, plus 1; 0 if there is none yet.
    cells: Vec<u32>,
}

impl Sharing {
    /// Makes room for the sums of the distinct parts, all 0: their own, and those of the twin if they are wanted.
    pub fn clear_sums(&mut self, with_twin: bool) {
        let len = self.distinct.len();
        self.own.clear();
        self.own.resize(len, 0);
        self.twin.clear();
        self.twin.resize(if with_twin { len } else { 0 }, 0);
    }

    /// The sums of a distinct part.
    #[inline(always)]
    pub fn sums_at(&self, at: u32) -> [i64; 2] {
        [self.own[at as usize], self.twin.get(at as usize).copied().unwrap_or(0)]
    }

    /// Finds the distinct parts; false if that is not worth while.
    pub fn find(&mut self, layer: &Layer, views: &LayerViews, parts: &PartList) -> bool {
        let roles = layer.roles();
        let mut stride = [0; MAX_ROLES];
        let mut size = layer.code_classes;
        for (stride, &classes) in stride.iter_mut().zip(&views.classes).take(roles) {
            *stride = size;
            size = size.saturating_mul(classes);
        }
        if size > MOST_CELLS {
            return false;
        }
        self.cells.clear();
        self.cells.resize(size, 0);
        self.distinct.clear();
        self.of_part.clear();
        for (role, offsets) in self.offsets.iter_mut().enumerate() {
            offsets.clear();
            // Roles that the kind has not are in row 0 of all parts.
            let classes = if role < roles { &views.class[role][..] } else { &[0] };
            offsets.extend(classes.iter().map(|&class| class * stride[role] as u32));
        }
        let [a, b, c, d] = self.offsets.each_ref().map(Vec::as_slice);
        for (i, (rows, geometry)) in parts.rows.iter().zip(&parts.geometry).enumerate() {
            let rows = rows.map(|row| row as usize);
            let cell = layer.code_class[geometry.code()] + a[rows[0]] + b[rows[1]] + c[rows[2]] + d[rows[3]];
            let cell = cell as usize;
            let mut place = self.cells[cell];
            if place == 0 {
                self.distinct.push(parts.get(i), self.distinct.len());
                place = self.distinct.len() as u32;
                self.cells[cell] = place;
            }
            self.of_part.push(place - 1);
        }
        true
    }
}
