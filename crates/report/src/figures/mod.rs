//! Figures: a measure against sentence length, one line a pruning, and plots of all else, as SVG, PNG and CSV.
//!
//! A [`Figure`] has a name, its points as a sheet, and what is drawn of them. No font of the system is used: the PNG is drawn
//! with a font that is compiled in, and the SVG, whose layout is measured with that font too, names only the generic family.
//! Both are the same bytes on every machine.

pub mod ablation;
mod axis;
pub mod breakdown;
pub mod budget;
mod by_length;
pub mod calibration;
pub mod choice;
mod dash;
mod draw;
mod figure;
mod frame;
pub mod growth;
mod intervals;
mod layout;
mod legend;
mod names;
mod paint;
mod paper;
mod plots;
mod quantity;
mod render;
mod style;
pub mod templates;
pub mod trees;

pub use figure::Figure;
pub use paper::{figure4, figure5};
