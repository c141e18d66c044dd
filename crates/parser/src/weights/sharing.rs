//! Sharing: parts of a sentence that look alike to a layer are scored once.
//!
//! To a template that sees only a sibling and a modifier, all heads are alike; to one that sees only tags, all words of a
//! tag are. Rows of one print share a class, and two parts with the same class in every role and the same geometry have
//! the same features. They are found without hashing, in a dense table over classes.

use crate::features::template::MAX_ROLES;
use crate::features::{Codes, PartList};

/// Cells of the table beyond which looking for equal parts would cost more than it saves.
const MOST_CELLS: usize = 1 << 17;

/// The distinct parts among others, and memory to find them.
#[derive(Clone, Debug, Default)]
pub struct Sharing {
    /// One part of each sort; targets are their places in the sums.
    pub distinct: PartList,
    /// By part: its place in `distinct`.
    pub of_part: Vec<u32>,
    /// By role and row: the class, of which equal rows share one; then what it adds to the number of a cell.
    offsets: [Vec<u32>; MAX_ROLES],
    /// By classes and geometry: the place in `distinct`, plus 1; 0 if there is none yet. All are 0 between uses.
    cells: Vec<u32>,
    /// The cells that are not 0.
    used: Vec<u32>,
}

impl Sharing {
    /// Finds the distinct parts of a layer, given its prints by role and row; false if that is not worth while.
    pub fn find(&mut self, codes: &Codes, prints: &[Vec<u64>], parts: &PartList) -> bool {
        let mut stride = [0; MAX_ROLES];
        let mut size = codes.classes;
        for (role, offsets) in self.offsets.iter_mut().enumerate() {
            offsets.clear();
            stride[role] = size;
            match prints.get(role) {
                Some(prints) => size = size.saturating_mul(classes(prints, offsets)),
                // Roles that the kind has not are in row 0 of all parts.
                None => offsets.push(0),
            }
        }
        if size > MOST_CELLS {
            return false;
        }
        if self.cells.len() < size {
            self.cells.resize(size, 0);
        }
        self.distinct.clear();
        self.used.clear();
        self.of_part.clear();
        for (offsets, stride) in self.offsets.iter_mut().zip(stride) {
            offsets.iter_mut().for_each(|class| *class *= stride as u32);
        }
        let [a, b, c, d] = self.offsets.each_ref().map(Vec::as_slice);
        for (i, (rows, geometry)) in parts.rows.iter().zip(&parts.geometry).enumerate() {
            let rows = rows.map(|row| row as usize);
            let cell = codes.class[geometry.code()] + a[rows[0]] + b[rows[1]] + c[rows[2]] + d[rows[3]];
            let cell = cell as usize;
            let mut place = self.cells[cell];
            if place == 0 {
                self.distinct.push(parts.get(i), self.distinct.len());
                place = self.distinct.len() as u32;
                self.cells[cell] = place;
                self.used.push(cell as u32);
            }
            self.of_part.push(place - 1);
        }
        // A sentence uses few of its cells, and emptying all would drive other memory out of the caches.
        self.used.iter().for_each(|&cell| self.cells[cell as usize] = 0);
        true
    }
}

/// Numbers the distinct prints in the order in which they come; the number of them.
fn classes(prints: &[u64], class: &mut Vec<u32>) -> usize {
    let mut distinct = 0;
    for (i, print) in prints.iter().enumerate() {
        let same = prints[..i].iter().position(|other| other == print).map(|j| class[j]);
        class.push(same.unwrap_or_else(|| {
            distinct += 1;
            distinct - 1
        }));
    }
    distinct as usize
}
