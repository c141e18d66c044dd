//! Decoders and what learns with them, against brute force and against each other.

#[allow(dead_code, reason = "shared by test programs")]
#[path = "../shared/common/mod.rs"]
mod common;
#[allow(dead_code, reason = "shared by test programs")]
#[path = "../shared/desk/mod.rs"]
mod desk;
#[allow(dead_code, reason = "shared by test programs")]
#[path = "../shared/model_zero/mod.rs"]
mod model_zero;
#[allow(dead_code, reason = "shared by test programs")]
#[path = "../shared/properties/mod.rs"]
mod properties;
#[allow(dead_code, reason = "shared by test programs")]
#[path = "../shared/common/top.rs"]
mod top;

mod crf;
mod crossing;
mod descent;
mod exact;
mod kbest;
mod library;
mod roots;
mod sums;
mod third_order;
