//! Features: from the words of a sentence to the keys of what each part fires.

mod alike;
pub mod atoms;
pub mod bundles;
pub mod describe;
pub mod families;
pub mod geometry;
pub mod hand;
pub mod parts;
pub mod plan;
pub mod template;
mod viewer;

pub use alike::Codes;
pub use bundles::{Bundles, KindBundles, Views};
pub use families::Family;
pub use geometry::Geometry;
pub use parts::PartList;
pub use plan::Plan;
pub use template::{Kind, TemplateSet, Variant};
