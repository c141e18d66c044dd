//! The graph system: candidate arcs, a factor graph scored by features, and an exact decoder (paper, sections 2 to 4).
//!
//! Its trainer, backbone and decoder are closed enums with static dispatch. Verbs that look into its search (ablation,
//! budget, graph files, growth) ask it for its [`Parser`] rather than for a session.

mod field;
mod schedule;
mod session;
mod settings;
mod system;
mod train;

pub use schedule::{Batches, ChooseEpoch, CrfSchedule, NonlocalFeatures, Schedule, Share, Start};
pub use settings::GraphSystem;
pub use system::{KIND, VERSIONS};
pub use train::GraphModel;
