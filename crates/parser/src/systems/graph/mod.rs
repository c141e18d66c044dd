//! The graph system: candidate arcs, a factor graph scored by features, and an exact decoder (paper, sections 2 to 4).
//!
//! Its trainer, backbone and decoder are closed enums with static dispatch. Verbs that look into its search (ablation,
//! budget, graph files, growth) ask it for its [`Parser`] rather than for a session.
//!
//! What experiments choose of it is in [`axes`](self::axes), and how it learns in [`schedule`](self::schedule).

mod axes;
mod schedule;
pub(super) mod train;

use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::cell::{FeatureSet, Labelling, Method, SystemName};
use crate::features::{Family, TemplateSet};
use crate::learn::crf::stochastic::Descent;
use crate::learn::online::Steps;
use crate::learn::{crf, mira};
use crate::model::Parser;
use crate::systems::facts::{spell_limits, spell_templates};
use crate::systems::graph::train::GraphSession;
use crate::systems::{
    Capability, Choice, Facts, HasGraphs, How, Kind, Needs, PassRecord, Session, System, SystemError, Task, Trained,
    Versions,
};
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::{Backbone, Decoder};
use treebound_core::graph::Trees;

pub use axes::GraphGrid;
pub use schedule::{Batches, ChooseEpoch, CrfSchedule, NonlocalFeatures, Schedule, Share, Start};
pub use train::GraphModel;

/// The name in configs and results.
const NAME: &str = "graph";

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
    /// The templates of labels, if they are found inside the search.
    pub label_templates: Option<TemplateSet>,
}

/// What a weight of 1 is in the model of a CRF.
fn unit_of(crf: CrfSchedule) -> i64 {
    if crf.batches.is_some() { mira::AVERAGE_UNIT } else { crf::UNIT }
}

impl GraphSystem {
    /// The system of a choice.
    ///
    /// # Errors
    /// If the choice lacks something.
    pub fn new(choice: &Choice) -> Result<Self, SystemError> {
        let Choice { axes, templates, learners, choice_limits, label_templates } = *choice;
        let missing = |what| SystemError::Missing { system: NAME, what };
        Ok(Self {
            templates: axes.templates().and_then(|name| templates.get(name)).ok_or(missing("templates"))?.clone(),
            schedule: axes.learner().and_then(|learner| learners.get(learner)).ok_or(missing("a learner"))?.clone(),
            set: axes.features().ok_or(missing("a feature set"))?.clone(),
            backbone: axes.backbone().ok_or(missing("a dynamic program"))?,
            choice_limits,
            label_templates: (axes.labels() == Labelling::InSearch).then(|| label_templates.clone()),
        })
    }

    /// A family of its feature set of which its templates have none, if there is one: its parser is that of fewer families.
    pub fn family_without_templates(&self) -> Option<Family> {
        let is_empty = |family: Family| {
            let has_no_patterns = family == Family::Hand && self.templates.patterns().all().is_empty();
            has_no_patterns || self.templates.for_kind(family.kind()).next().is_none()
        };
        self.set.families().iter().copied().find(|&family| is_empty(family))
    }

    fn steps(&self) -> Steps {
        let Schedule { aggressiveness, kbest: trees, .. } = self.schedule;
        match self.schedule.method {
            Method::Perceptron => Steps::Perceptron,
            // What no sum over trees can tell of is learnt by MIRA, from the weights of the CRF.
            // A search for the best tree gives no others.
            Method::Mira if trees > 1 && self.is_local() => Steps::KBestMira { aggressiveness, trees },
            Method::Mira | Method::Crf => Steps::Mira { aggressiveness },
        }
    }

    /// How it learns, if it is a CRF.
    fn crf(&self) -> Option<CrfSchedule> {
        self.schedule.crf.filter(|_| self.set.is_baseline())
    }

    /// How it learns, if it is a CRF learnt from all sentences at once.
    fn descent(&self) -> Option<CrfSchedule> {
        self.crf().filter(|crf| crf.batches.is_none())
    }

    /// Whether it learns in steps of a descent, not in passes over the sentences.
    pub fn is_descent(&self) -> bool {
        self.descent().is_some()
    }

    /// How it learns, if it is a CRF learnt batch by batch.
    fn batches(&self) -> Option<Descent> {
        let CrfSchedule { batches, charge, .. } = self.crf()?;
        batches.map(|Batches { batch, rate }| Descent { batch, rate, charge })
    }

    /// What its weights count as 1 while it learns by passes.
    fn unit(&self) -> i64 {
        if self.batches().is_some() { mira::UNIT } else { self.steps().unit() }
    }

    /// What a score must be for its exponential to be a probability's share, if it is a CRF.
    fn log_unit(&self) -> Option<i64> {
        self.crf().map(unit_of)
    }

    fn start(&self) -> Start {
        self.schedule.start_of(&self.set)
    }

    /// Whether it learns from what its baseline has learnt.
    pub fn needs_baseline(&self) -> bool {
        self.start() != Start::Zero
    }

    /// The decoder of training searches: the dynamic program alone where there is nothing else to do.
    fn training_decoder(&self) -> Decoder {
        if self.is_local() { Decoder::Dp } else { self.schedule.decoder }
    }

    /// Whether the program scores all: it has no more non-local families than it has trees that cross.
    fn is_local(&self) -> bool {
        let has_other_trees = self.schedule.trees == Trees::NonProjective && self.backbone.is_projective();
        self.set.is_baseline() && !has_other_trees
    }
}

/// The system's entry in the list of systems.
pub const KIND: Kind = Kind {
    capabilities: &[Capability::Graphs, Capability::Marginals(axes::has_marginals), Capability::Schedules],
    combinations: axes::combinations,
    ..Kind::new(NAME, |choice| Ok(Box::new(GraphSystem::new(choice)?))).with_axes(&axes::AXES).with_seed()
};

/// The first is raised when the models that it learns, or their bytes, change; the other when what it answers for a model does.
pub const VERSIONS: Versions = Versions { model: 3, answers: 1 };

/// Raised when the search over trees that cross, with a score of arcs that are not projective, answers otherwise at a limit.
const CROSSINGS: u32 = 2;

impl GraphSystem {
    /// What decides a model that is learnt by passes over sentences.
    fn online_facts(&self) -> Facts {
        let Schedule { epochs, average_from, choose_epoch, decoder, limits, nonlocal_features, .. } = &self.schedule;
        let steps = match (self.batches(), self.steps()) {
            (Some(Descent { batch, rate, charge }), _) => format!("crf, batch {batch}, rate {rate}, charge {charge}"),
            (None, Steps::Perceptron) => "perceptron".to_owned(),
            (None, Steps::Mira { aggressiveness }) => format!("mira, aggressiveness {aggressiveness}"),
            (None, Steps::KBestMira { aggressiveness, trees }) => {
                format!("mira, aggressiveness {aggressiveness}, trees {trees}")
            }
        };
        let choice = match choose_epoch {
            ChooseEpoch::Last => "last".to_owned(),
            ChooseEpoch::Dev => format!("dev, {}", spell_limits(&self.choice_limits)),
        };
        let search = match self.is_local() {
            true => "dp".to_owned(),
            false => format!("{}, {}", decoder.for_keys(), spell_limits(limits)),
        };
        let nonlocal_features = if self.set.is_baseline() { "none" } else { nonlocal_features.name() };
        vec![
            ("steps", steps),
            ("epochs", epochs.to_string()),
            ("average-from", average_from.to_string()),
            ("choice", choice),
            ("search", search),
            ("start", self.start().name().to_owned()),
            ("nonlocal-features", nonlocal_features.to_owned()),
        ]
    }
}

impl System for GraphSystem {
    fn name(&self) -> SystemName {
        KIND.system_name()
    }

    fn versions(&self) -> Versions {
        VERSIONS
    }

    fn facts(&self) -> Result<Facts, SystemError> {
        let Schedule { sentences, roots, trees, longest, .. } = self.schedule;
        let mut facts = vec![
            ("templates", spell_templates(&self.templates)),
            ("set", self.set.to_string()),
            ("backbone", self.backbone.to_string()),
            ("sentences", sentences.to_string()),
            ("roots", roots.name().to_owned()),
        ];
        facts.extend(self.label_templates.iter().map(|templates| ("labels", spell_templates(templates))));
        // What there was not always is in no key where it is as it was.
        facts.extend((trees != Trees::Projective).then(|| ("trees", trees.name().to_owned())));
        let charges = trees == Trees::NonProjective && self.set.families().contains(&Family::Nonprojective);
        facts.extend(charges.then(|| ("crossings", CROSSINGS.to_string())));
        facts.extend(longest.map(|words| ("longest", words.to_string())));
        match self.descent() {
            Some(crf) => facts.extend(self.field_facts(crf)),
            None => facts.extend(self.online_facts()),
        }
        Ok(facts)
    }

    fn needs(&self) -> Needs {
        Needs { pruner: true, whole_parts: false }
    }

    fn passes(&self) -> usize {
        self.descent().map_or(self.schedule.epochs, |crf| crf.iterations)
    }

    fn learns_from(&self, sentence: usize, words: usize) -> bool {
        self.schedule.learns_from(sentence, words)
    }

    fn train(&self, task: &Task, log: &mut dyn FnMut(&[PassRecord])) -> Result<Box<dyn Trained>, SystemError> {
        Ok(Box::new(self.learn(task, log)?))
    }

    fn load(&self, from: &mut BytesReader) -> Result<Box<dyn Trained>, Damaged> {
        Ok(Box::new(self.read(from)?))
    }
}

impl Trained for GraphModel {
    fn save(&self, to: &mut BytesWriter) {
        self.write(to);
    }

    fn passes(&self) -> &[PassRecord] {
        &self.passes
    }

    fn session<'a>(&'a self, how: &How<'a>) -> Result<Box<dyn Session + 'a>, SystemError> {
        Ok(Box::new(GraphSession::new(self.parser(how)?)))
    }

    fn graphs(&self) -> Option<&dyn HasGraphs> {
        Some(self)
    }
}

impl HasGraphs for GraphModel {
    fn parser<'a>(&'a self, how: &How<'a>) -> Result<Parser<'a>, SystemError> {
        let missing = |what| SystemError::Missing { system: NAME, what };
        Ok(Parser {
            pruner: how.pruner.ok_or(missing("a pruner"))?,
            rule: how.axes.pruning().ok_or(missing("a pruning"))?,
            model: &self.model,
            decoder: how.axes.decoder().ok_or(missing("a decoder"))?,
            limits: how.limits,
        })
    }
}
