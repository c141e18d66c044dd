//! The command and its experiments.

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
#[path = "../shared/expected/mod.rs"]
mod expected;
#[path = "../extend/mod.rs"]
mod extend;
#[allow(dead_code, reason = "shared by test programs")]
#[path = "../shared/model_zero/mod.rs"]
mod model_zero;
#[allow(dead_code, reason = "shared by test programs")]
#[path = "../shared/properties/mod.rs"]
mod properties;

mod about;
mod artifacts;
mod config_errors;
mod config_files;
mod configure_page;
mod data;
mod decode_cli;
mod determinism;
mod errors;
mod every_verb;
mod explain;
mod fields;
mod folds;
mod golden;
mod growth;
mod hosts;
mod kept;
mod licensed;
mod nearest_paths;
mod new;
mod nothing_lost;
mod plan;
mod real_data;
mod report;
mod reranking;
mod reuse;
mod timing;
mod verify;
mod what_if;
mod writers;
