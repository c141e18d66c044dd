//! Geometry: the directions and distances of a part, as one small number.
//!
//! Parts that look alike: what a layer of templates tells apart, in numbers that can be compared.

use crate::features::atoms::mix;
use crate::features::template::{Kind, Variant};

/// Number of distance bins.
pub const BINS: usize = 8;
/// Number of direction codes: one bit an arc, up to three arcs.
pub const DIRECTIONS: usize = 8;
/// Number of geometry codes.
pub const CODES: usize = DIRECTIONS * BINS;

/// The bin of a distance of `words` words, at least 1.
#[inline(always)]
pub fn bin(words: usize) -> usize {
    match words {
        0..=1 => 0,
        2 => 1,
        3 => 2,
        4 => 3,
        5..=6 => 4,
        7..=10 => 5,
        11..=20 => 6,
        _ => 7,
    }
}

/// The words that a bin covers, for people.
pub fn bin_name(bin: usize) -> &'static str {
    ["1", "2", "3", "4", "5-6", "7-10", "11-20", "21+"][bin]
}

/// A part's directions and distance; of a part of kind `hand`, the number of the pattern's tree; of kind `valency`, how many
/// modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Geometry(u8);

impl Geometry {
    /// `rightward` says for each arc of the part whether it goes right; `a` and `b` are the words whose distance counts.
    #[inline(always)]
    pub fn new(rightward: &[bool], a: usize, b: usize) -> Self {
        let directions = rightward.iter().fold(0, |code, &r| code * 2 + usize::from(r));
        Self((directions * BINS + bin(a.abs_diff(b))) as u8)
    }

    /// The geometry of a code below [`CODES`].
    pub fn from_code(code: usize) -> Self {
        Self(code as u8)
    }

    /// The code, below [`CODES`].
    #[inline(always)]
    pub fn code(self) -> usize {
        self.0.into()
    }

    /// What is added to a key whose variants all see the directions: parts of different directions then have different
    /// addresses, so that the features of a frequent key do not crowd one line.
    #[inline(always)]
    pub fn address(self) -> u64 {
        const SPREAD: [u64; DIRECTIONS] = spread();
        SPREAD[self.code() / BINS]
    }

    /// What a feature of `variant` sees of it.
    pub fn seen_by(self, variant: Variant) -> u64 {
        match variant {
            Variant::Plain => 0,
            Variant::Direction => 1 + self.code() as u64 / BINS as u64,
            Variant::Distance | Variant::Pattern | Variant::Number => 1 + DIRECTIONS as u64 + self.code() as u64,
        }
    }

    /// For people: `R`, `RL 3`, as a feature of `variant` sees it.
    pub fn describe(self, variant: Variant, arcs: usize) -> String {
        let directions = self.code() / BINS;
        let letters: String = (0..arcs).rev().map(|i| if directions >> i & 1 == 1 { 'R' } else { 'L' }).collect();
        match variant {
            Variant::Plain => String::new(),
            Variant::Direction => letters,
            Variant::Distance => format!("{letters} {}", bin_name(self.code() % BINS)),
            Variant::Pattern => format!("pattern {}", self.code()),
            Variant::Number => self.code().to_string(),
        }
    }
}

/// High halves that differ in all their bits.
const fn spread() -> [u64; DIRECTIONS] {
    let mut values = [0; DIRECTIONS];
    let mut i = 0;
    while i < DIRECTIONS {
        values[i] = (i as u64).wrapping_mul(0x9e37_79b9) << 32;
        i += 1;
    }
    values
}

/// The geometries that a layer tells apart.
#[derive(Clone, Debug)]
pub struct Codes {
    /// By geometry code: a number that two codes share if no template tells them apart.
    pub class: Vec<u32>,
    /// Number of these.
    pub classes: usize,
    /// By geometry code: a hash of the layer and the class.
    pub print: Vec<u64>,
}

impl Codes {
    /// The codes of layer number `index`, with templates of `kind`, to which a geometry code looks as `seen` says.
    pub(super) fn new<T: PartialEq>(kind: Kind, index: usize, seen: impl Fn(usize) -> T) -> Self {
        // Codes beyond the kind's directions never occur and may share a class with any.
        let occurring = BINS << kind.directions();
        let mut distinct: Vec<T> = Vec::new();
        let mut class = Vec::with_capacity(CODES);
        for of_code in (0..CODES).map(|code| seen(code % occurring)) {
            let number = distinct.iter().position(|other| *other == of_code).unwrap_or_else(|| {
                distinct.push(of_code);
                distinct.len() - 1
            });
            class.push(number as u32);
        }
        let print = class.iter().map(|&class| mix((index as u64 + 1) << 32 | u64::from(class))).collect();
        Self { class, classes: distinct.len(), print }
    }
}

/// The print of a row with one view more; it begins with 0, and [`mix`] ends it. What is seen twice does not cancel out.
#[inline(always)]
pub(super) fn print_with(print: u64, seen: u64) -> u64 {
    (print.rotate_left(5) ^ seen).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
