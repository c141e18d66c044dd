//! Room: how much memory a graph may take, counted before it is taken.
//!
//! Parts are many: those of the second order grow with the cube of the words where nothing is pruned, and factors faster.
//! What is counted is about what a graph, a decoder's copy of it and its program take together, so that a decoder that
//! begins has room to end its first call.

use super::space::{ArcSpace, SpaceError};

/// Bytes of a part of the second order: a score and its twin, the decoder's copies, a sum, a multiplier.
const OF_PART: u64 = 48;

/// Bytes of two words: places of a chart.
const OF_TWO_WORDS: u64 = 16;

/// What is asked of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asked {
    /// A best tree.
    #[default]
    Tree,
    /// Sums over all trees.
    Sums,
}

impl Asked {
    /// Bytes of an arc and a word: an entry of each chart that may be filled. The third-order program, to which a search may go
    /// over, has five charts, inside and outside. Sums are formed beside the best tree, at worst over numbers of 32 bytes.
    fn of_arc_and_word(self) -> u64 {
        match self {
            Self::Tree => 5 * 8,
            Self::Sums => 3 * 8 + 5 * 8 + 5 * 32,
        }
    }
}

/// Bytes of a factor: its words, score and place, and the decoder's copies.
const OF_FACTOR: u64 = 100;

/// Bytes of an arc of a factor: the arc, its links, shares and places.
const OF_INCIDENCE: u64 = 40;

/// What a graph takes of the memory that it may take.
#[derive(Clone, Copy, Debug, Default)]
pub struct Room {
    most: Option<u64>,
    asked: Asked,
    taken: u64,
}

impl Room {
    /// At most so many bytes; none for no limit.
    pub fn new(most: Option<u64>, asked: Asked) -> Self {
        Self { most, asked, taken: 0 }
    }

    /// Room for a space's own parts, and for nothing before.
    ///
    /// # Errors
    /// [`SpaceError::NoRoom`] if there is none.
    pub fn start(&mut self, space: &ArcSpace) -> Result<(), SpaceError> {
        let (words, parts) = (space.words() as u64, (space.sibling_parts() + space.grandchild_parts()) as u64);
        let charts = space.arcs() as u64 * (words + 1) * self.asked.of_arc_and_word();
        self.taken = parts * OF_PART + words * words * OF_TWO_WORDS + charts;
        self.check(space)
    }

    /// Takes room for a factor of so many arcs; false if there is none.
    #[inline]
    pub fn take_factor(&mut self, arcs: usize) -> bool {
        self.taken += OF_FACTOR + OF_INCIDENCE * arcs as u64;
        self.most.is_none_or(|most| self.taken <= most)
    }

    /// Whether no more was taken than there is.
    ///
    /// # Errors
    /// [`SpaceError::NoRoom`] if more was.
    pub fn check(&self, space: &ArcSpace) -> Result<(), SpaceError> {
        match self.most {
            Some(most) if self.taken > most => {
                Err(SpaceError::NoRoom { words: space.words(), arcs: space.arcs(), mib: most >> 20 })
            }
            _ => Ok(()),
        }
    }
}
