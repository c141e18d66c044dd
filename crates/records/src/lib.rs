//! Records: results files read as columns of words and numbers, derived tables written, and what reads TOML with line numbers.
//! All that tables, figures and claims see; nothing here knows a parser.

pub mod calibration;
pub mod cell_numbers;
pub mod check;
mod error;
pub mod file;
mod key;
pub mod lines;
pub mod number;
mod options;
pub mod schema;
pub mod series;
pub mod sheet;
pub mod spanned;
pub mod table;

pub use error::{HeaderFault, LineFault, MixedFault, ReportError};
pub use key::RowKey;
pub use options::TableOptions;
