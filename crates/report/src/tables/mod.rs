//! Tables, for people and as CSV.

pub mod ablation;
pub mod beside;
pub mod blocks;
pub mod calls;
pub mod effects;
pub mod league;
pub mod learners;
pub mod notes;
pub mod papers;
pub mod search;
pub mod states;
pub mod table;
pub mod table1;
pub mod table2;
pub mod table3;
pub mod wrap;
