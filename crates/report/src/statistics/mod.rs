//! Statistics over records: means over seeds, speeds, tests of differences, and the shape of curves.

pub mod average;
pub mod curves;
pub mod significance;
pub mod speed;

pub use treebound_statistics::smooth;
