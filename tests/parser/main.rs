//! Treebanks, features, pruning, tagging and systems.

#[allow(dead_code, reason = "shared by test programs")]
#[path = "../shared/at_hand/mod.rs"]
mod at_hand;
#[allow(dead_code, reason = "shared by test programs")]
#[path = "../shared/common/mod.rs"]
mod common;
#[allow(dead_code, reason = "shared by test programs")]
#[path = "../shared/desk/mod.rs"]
mod desk;
#[allow(dead_code, reason = "shared by test programs")]
#[path = "../shared/properties/mod.rs"]
mod properties;

mod features;
mod field;
mod labels;
mod penn_sample;
mod pruning;
mod readers;
mod relaxed;
mod shift_reduce;
mod starts;
mod synth;
mod systems;
mod tagger;
mod treebank_errors;
