//! The settings of the graph system.

use crate::cell::{FeatureSet, Method};
use crate::features::{Family, TemplateSet};
use crate::learn::crf::stochastic::Descent;
use crate::learn::online::Steps;
use crate::learn::{crf, mira};
use crate::systems::graph::schedule::{Batches, CrfSchedule, Schedule, Start};
use crate::systems::{Choice, SystemError};
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::{Backbone, Decoder};

/// The name in configs and results.
pub(super) const NAME: &str = "graph";

/// The graph system with its settings.
#[derive(Clone, Debug)]
pub struct GraphSystem {
    /// The templates of its features.
    pub templates: TemplateSet,
    /// How weights are learnt.
    pub schedule: Schedule,
    /// Non-local families.
    pub set: FeatureSet,
    /// The dynamic program.
    pub backbone: Backbone,
    /// Limits of the searches that choose a pass on the development part.
    pub choice_limits: Limits,
}

/// What a weight of 1 is in the model of a CRF.
pub(super) fn unit_of(crf: CrfSchedule) -> i64 {
    if crf.batches.is_some() { mira::AVERAGE_UNIT } else { crf::UNIT }
}

impl GraphSystem {
    /// The system of a choice.
    ///
    /// # Errors
    /// If the choice lacks something.
    pub fn new(choice: Choice) -> Result<Self, SystemError> {
        let Choice { templates, schedule, set, backbone, choice_limits } = choice;
        let missing = |what| SystemError::Missing { system: NAME, what };
        Ok(Self {
            templates: templates.ok_or(missing("templates"))?,
            schedule: schedule.ok_or(missing("a learner"))?,
            set: set.ok_or(missing("a feature set"))?,
            backbone: backbone.ok_or(missing("a dynamic program"))?,
            choice_limits,
        })
    }

    /// A family of its feature set of which its templates have none, if there is one: its parser is that of fewer families.
    pub fn family_without_templates(&self) -> Option<Family> {
        let is_empty = |family: Family| {
            let has_no_patterns = family == Family::Hand && self.templates.patterns().all().is_empty();
            has_no_patterns || self.templates.of(family.kind()).next().is_none()
        };
        self.set.families().iter().copied().find(|&family| is_empty(family))
    }

    pub(super) fn steps(&self) -> Steps {
        let Schedule { aggressiveness, kbest: trees, .. } = self.schedule;
        match self.schedule.method {
            Method::Perceptron => Steps::Perceptron,
            // What no sum over trees can tell of is learnt by MIRA, from the weights of the CRF.
            // A search for the best tree gives no others.
            Method::Mira if trees > 1 && self.set.is_baseline() => Steps::KBestMira { aggressiveness, trees },
            Method::Mira | Method::Crf => Steps::Mira { aggressiveness },
        }
    }

    /// How it learns, if it is a CRF.
    pub(super) fn crf(&self) -> Option<CrfSchedule> {
        self.schedule.crf.filter(|_| self.set.is_baseline())
    }

    /// How it learns, if it is a CRF learnt from all sentences at once.
    pub(super) fn descent(&self) -> Option<CrfSchedule> {
        self.crf().filter(|crf| crf.batches.is_none())
    }

    /// Whether it learns in steps of a descent, not in passes over the sentences.
    pub fn is_descent(&self) -> bool {
        self.descent().is_some()
    }

    /// How it learns, if it is a CRF learnt batch by batch.
    pub(super) fn batches(&self) -> Option<Descent> {
        let CrfSchedule { batches, charge, .. } = self.crf()?;
        batches.map(|Batches { batch, rate }| Descent { batch, rate, charge })
    }

    /// What its weights count as 1 while it learns by passes.
    pub(super) fn unit(&self) -> i64 {
        if self.batches().is_some() { mira::UNIT } else { self.steps().unit() }
    }

    /// What a score must be for its exponential to be a probability's share, if it is a CRF.
    pub(super) fn log_unit(&self) -> Option<i64> {
        self.crf().map(unit_of)
    }

    pub(super) fn start(&self) -> Start {
        self.schedule.start_of(&self.set)
    }

    /// Whether it learns from what its baseline has learnt.
    pub fn needs_baseline(&self) -> bool {
        self.start() != Start::Zero
    }

    /// The decoder of training searches: the dynamic program alone where there is nothing else to do.
    pub(super) fn training_decoder(&self) -> Decoder {
        if self.set.is_baseline() { Decoder::Dp } else { self.schedule.decoder }
    }
}
