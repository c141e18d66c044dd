//! Rows of results as the runner writes and reads them: each kind with its types, its columns and what it must fulfil.
//!
//! Reports read the same files without these types, by their [schema](treebound_records::schema).

pub mod aggregate;
mod artifact_time;
pub mod by_sentence;
mod calibration;
mod cells;
mod classes;
pub mod columns;
pub mod csv;
mod growth;
mod learning;
mod model_name;
mod search;
mod tagging;
mod training;

use treebound_records::LineFault;

pub use artifact_time::ArtifactTimeRow;
pub use calibration::CalibrationRow;
pub use cells::{Counts, LengthRow, ScoreRow, SentenceRow, SpeedRow, sentence_fault};
pub use classes::ClassRow;
pub use columns::differences;
pub use growth::{GrowthRow, mib};
pub use learning::LearningRow;
pub use model_name::ModelName;
pub use search::SearchRow;
pub use tagging::TaggingRow;
pub use training::TrainingRow;

/// `less`, if it is known, must not be more than `more`.
fn at_most(less: (&'static str, impl Into<Option<u64>>), more: (&'static str, u64)) -> Result<(), LineFault> {
    match less.1.into() {
        Some(value) if value > more.1 => {
            Err(LineFault::Exceeds { less: less.0, less_value: value, more: more.0, more_value: more.1 })
        }
        _ => Ok(()),
    }
}
