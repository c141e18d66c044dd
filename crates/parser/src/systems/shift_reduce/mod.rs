//! The shift-reduce system (Zhao, Cross & Huang 2013): arc-standard derivations, scored by features of states and found by searches
//! from greedy to exact.
//!
//! The transition system and the searches are those of [`treebound_core::decode::shift_reduce`]. Here are templates over states
//! with their kernel ([`templates`]), what they see ([`features`]), and the models.

mod axes;
mod estimates;
mod features;
mod maxent;
mod model;
mod perceptron;
pub mod templates;
mod weights;

use axes::{AXES, Learner, Search, Templates};
use features::StateFeatures;
use maxent::MaxEnt;
use model::{Model, Scale, Scratch};
use perceptron::Perceptron;
use templates::StateTemplates;
use weights::{WeightTable, Weights};

use crate::answer::{Answer, Clock};
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::cell::SystemName;
use crate::learn::crf::CrfError;
use crate::learn::crf::lbfgs::Settings;
use crate::systems::graph::train::{decode_descent, decode_passes, encode_descent, encode_passes};
use crate::systems::{
    Choice, Descent, Facts, How, Kind, Needs, PassRecord, Session, System, SystemError, Task, Trained, Versions,
};
use crate::treebank::Token;
use treebound_core::decode::shift_reduce;

/// The name in configs and results.
const NAME: &str = "shift-reduce";

/// The system's entry in the list of systems.
pub const KIND: Kind =
    Kind { combinations: axes::combinations, ..Kind::new(NAME, |choice| Ok(Box::new(ShiftReduce::new(choice)?))) }
        .with_axes(&AXES);

/// The descent of MaxEnt.
const DESCENT: Settings = Settings { history: 5, iterations: 60, tolerance: 1e-3 };

/// Passes of the perceptron.
const PASSES: usize = 15;

/// The system with its settings.
#[derive(Clone, Debug)]
struct ShiftReduce {
    templates: StateTemplates,
    learner: Learner,
}

impl ShiftReduce {
    fn new(choice: &Choice) -> Result<Self, SystemError> {
        let missing = |what| SystemError::Missing { system: NAME, what };
        let name = Templates::chosen(choice.axes).ok_or(missing("templates"))?;
        let templates = StateTemplates::built_in(name.0).and_then(Result::ok).ok_or(missing("templates"))?;
        Ok(Self { templates, learner: Learner::chosen(choice.axes).ok_or(missing("a learner"))? })
    }

    fn scale(&self) -> Scale {
        match self.learner {
            Learner::MaxEnt { .. } => Scale::MaxEnt,
            Learner::Perceptron { .. } => Scale::Perceptron,
            Learner::Random => Scale::Random,
        }
    }

    fn parser(&self, features: StateFeatures, weights: Weights, passes: Vec<PassRecord>) -> Parser {
        let table = WeightTable::new(&weights.0, &weights.1);
        Parser { model: Model { features, table, scale: self.scale() }, weights, passes }
    }
}

impl System for ShiftReduce {
    fn name(&self) -> SystemName {
        KIND.system_name()
    }

    fn versions(&self) -> Versions {
        Versions { model: 1, answers: 1 }
    }

    fn facts(&self) -> Result<Facts, SystemError> {
        let learner = match self.learner {
            Learner::MaxEnt { penalty } => {
                let Settings { history, iterations, tolerance } = DESCENT;
                format!(
                    "maxent, penalty {penalty}/1000, history {history}, iterations {iterations}, tolerance {tolerance}"
                )
            }
            Learner::Random => "random".to_owned(),
            Learner::Perceptron { width, is_early } => {
                format!(
                    "perceptron, beam {width}, passes {PASSES}, {}",
                    if is_early { "early" } else { "max-violation" }
                )
            }
        };
        Ok(vec![("templates", self.templates.to_string()), ("learner", learner)])
    }

    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn passes(&self) -> usize {
        match self.learner {
            Learner::MaxEnt { .. } => DESCENT.iterations,
            Learner::Perceptron { .. } => PASSES,
            Learner::Random => 0,
        }
    }

    fn train(&self, task: &Task, log: &mut dyn FnMut(&[PassRecord])) -> Result<Box<dyn Trained>, SystemError> {
        let features = StateFeatures::new(&self.templates);
        let mut passes: Vec<PassRecord> = Vec::new();
        let weights = match self.learner {
            Learner::MaxEnt { penalty } => {
                let maxent = MaxEnt { penalty: f64::from(penalty) / 1_000.0, descent: DESCENT };
                let learnt = maxent::learn(maxent, &features, task.train, |step| {
                    let descent =
                        Descent { objective: step.value, gradient_norm: Some(step.gradient_norm), whole_numbers: None };
                    passes.push(PassRecord { descent: Some(descent), ..PassRecord::default() });
                    log(&passes);
                });
                let learnt = learnt.map_err(CrfError::from)?;
                passes.iter_mut().next_back().into_iter().for_each(|pass| pass.chosen = true);
                learnt
            }
            Learner::Random => Weights::default(),
            Learner::Perceptron { width, is_early } => {
                let perceptron = Perceptron { width, is_early, passes: PASSES };
                let (weights, of_passes) = perceptron::learn(perceptron, &features, task, log)?;
                passes = of_passes;
                weights
            }
        };
        Ok(Box::new(self.parser(features, weights, passes)))
    }

    fn load(&self, from: &mut BytesReader) -> Result<Box<dyn Trained>, Damaged> {
        let weights = weights::decode(from)?;
        let mut passes = decode_passes(from)?;
        if self.scale() != Scale::Perceptron {
            decode_descent(&mut passes, from)?;
        }
        Ok(Box::new(self.parser(StateFeatures::new(&self.templates), weights, passes)))
    }
}

/// A model with what made it.
#[derive(Debug)]
struct Parser {
    model: Model,
    weights: Weights,
    passes: Vec<PassRecord>,
}

impl Trained for Parser {
    fn save(&self, to: &mut BytesWriter) {
        weights::encode(&self.weights.0, &self.weights.1, to);
        encode_passes(&self.passes, to);
        encode_descent(&self.passes, to);
    }

    fn passes(&self) -> &[PassRecord] {
        &self.passes
    }

    fn session<'a>(&'a self, how: &How<'a>) -> Result<Box<dyn Session + 'a>, SystemError> {
        let missing = |what| SystemError::Missing { system: NAME, what };
        let Search(search) = Search::chosen(how.axes).ok_or(missing("a search"))?;
        if self.model.scale == Scale::Perceptron && !search.allows_negative_costs() {
            return Err(missing("a beam with a perceptron, whose costs may be below 0"));
        }
        Ok(Box::new(Parsing { model: &self.model, search, scratch: Scratch::default() }))
    }
}

struct Parsing<'a> {
    model: &'a Model,
    search: shift_reduce::Search,
    scratch: Scratch,
}

impl Session for Parsing<'_> {
    fn parse(&mut self, sentences: &[&[Token]], clock: &mut dyn Clock) -> Result<Vec<Answer>, SystemError> {
        sentences.iter().map(|tokens| self.model.parse(self.search, tokens, &mut self.scratch, clock)).collect()
    }
}
