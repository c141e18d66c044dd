//! Tables, for people and as CSV.

pub mod ablation;
pub mod block;
pub mod calibration;
pub mod calls;
pub mod growth;
pub mod learners;
pub mod learning;
pub mod models;
pub mod note;
pub mod options;
pub mod published;
pub mod search;
pub mod spread;
pub mod table;
pub mod table1;
pub mod table2;
pub mod table3;
pub mod wrap;
