//! Features: from the words of a sentence to the keys of what each part fires.

pub mod atoms;
pub mod describe;
pub mod families;
pub mod geometry;
pub mod groups;
pub mod hand;
pub mod parts;
pub mod plan;
pub mod template;

pub use families::Family;
pub use geometry::{Codes, Geometry};
pub use groups::{KindGroups, TemplateGroups, Views};
pub use parts::PartList;
pub use plan::Plan;
pub use template::{Kind, TemplateSet, Variant};
