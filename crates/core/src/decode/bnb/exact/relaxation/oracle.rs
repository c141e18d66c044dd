//! The dynamic program as oracle: what is best under the multipliers of a node.

use super::{Multipliers, Relaxed};
use crate::decode::backbone::Chart;
use crate::decode::bnb::exact::instance::Instance;
use crate::decode::value::Value;
use crate::graph::{ArcId, TreeArcs};

/// The dynamic program with the scores that it was last asked about, and its answers.
#[derive(Debug, Default)]
pub struct Oracle {
    chart: Chart<f64>,
    relaxed: Relaxed,
    /// By arc, without the constant.
    marginals: Vec<f64>,
}

impl Oracle {
    /// DP calls since the last [`start`](Self::start).
    pub fn calls(&self) -> u64 {
        self.chart.calls()
    }

    /// Counts from 0 again.
    pub fn start(&mut self) {
        self.chart.start_count();
    }

    /// One DP call: puts the best tree under the multipliers into `tree`; with its value there. None if there is no tree.
    pub fn best_tree(&mut self, instance: &Instance, multipliers: &Multipliers, tree: &mut TreeArcs) -> Option<f64> {
        self.relaxed.fill(instance, multipliers);
        let Instance { space, backbone, .. } = instance;
        let Relaxed { scores, grand, constant, .. } = &self.relaxed;
        let value = self.chart.best_score(*backbone, space, scores, grand);
        value.to_score()?;
        tree.set(space, self.chart.best_arcs(*backbone, space, scores, grand));
        Some(value + constant)
    }

    /// One DP call: the max-marginals under the multipliers of the last [`best_tree`](Self::best_tree), which must have found
    /// one, in the same instance.
    pub fn find_marginals(&mut self, instance: &Instance) {
        let Instance { space, backbone, .. } = instance;
        let Relaxed { scores, grand, .. } = &self.relaxed;
        self.chart.max_marginals(*backbone, space, scores, grand, &mut self.marginals);
    }

    /// The max-marginals that were found last, by arc: what the best tree that has the arc is worth, less
    /// [`constant`](Self::constant).
    pub fn marginals(&self) -> &[f64] {
        &self.marginals
    }

    /// What every tree is worth beside its parts.
    pub fn constant(&self) -> f64 {
        self.relaxed.constant
    }

    /// Puts the best tree that has `a` into `tree`; false if no tree has it. Takes no DP call: it must follow
    /// [`find_marginals`](Self::find_marginals).
    pub fn best_tree_with(&mut self, instance: &Instance, a: ArcId, tree: &mut TreeArcs) -> bool {
        let Relaxed { scores, grand, .. } = &self.relaxed;
        let arcs = self.chart.best_arcs_with(instance.backbone, &instance.space, scores, grand, a);
        arcs.map(|arcs| tree.set(&instance.space, arcs)).is_some()
    }
}
