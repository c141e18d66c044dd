//! Records: rows of counts and times as results files hold them, and sums of them. All that tables, figures and claims see;
//! nothing here parses a sentence.

pub mod aggregate;
mod artifact_time;
pub mod by_sentence;
pub mod calibration;
pub mod cell_numbers;
pub mod check;
mod classes;
pub mod columns;
pub mod csv;
mod error;
pub mod file;
mod growth;
mod learning;
pub mod lines;
mod model_name;
pub mod number;
mod options;
mod rows;
pub mod schema;
mod search;
pub mod series;
pub mod sheet;
pub mod spanned;
pub mod table;
mod tagging;
mod training;

pub use artifact_time::ArtifactTimeRow;
pub use calibration::CalibrationRow;
pub use classes::ClassRow;
pub use error::{HeaderFault, LineFault, MixedFault, ReportError};
pub use growth::{GrowthRow, mib};
pub use learning::LearningRow;
pub use model_name::ModelName;
pub use options::TableOptions;
pub use rows::{Counts, LengthRow, RowKey, ScoreRow, SentenceRow, SpeedRow, joined_to_scores};
pub use search::SearchRow;
pub use tagging::TaggingRow;
pub use training::TrainingRow;

#[doc(hidden)]
pub use treebound_parser::cell::AxisValues as __AxisValues;

pub(crate) use rows::at_most;
