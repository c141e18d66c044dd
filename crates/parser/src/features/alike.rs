//! Parts that look alike: what a layer of templates tells apart, in numbers that can be compared.

use super::atoms::mix;
use super::describe::arcs_of;
use super::geometry::{BINS, CODES};
use super::template::Kind;

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
    /// Those of layer number `index`, with templates of `kind`, to which a geometry code looks as `seen` says.
    pub(super) fn new<T: PartialEq>(kind: Kind, index: usize, seen: impl Fn(usize) -> T) -> Self {
        // Codes beyond the kind's directions never occur and may share a class with any.
        let occurring = BINS << arcs_of(kind);
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
