//! `[tagger]`, `[pruning]` and `[training]`.

use super::Resolver;
use super::values::search_decoders;
use crate::decode::Decoder;
use crate::decode::bnb::Limits;
use crate::experiment::config::model::{ChooseEpoch, Pruning, Tagging, Trainer, Training};
use crate::experiment::config::wire::{PruningWire, TaggerWire, TrainingWire};
use crate::parser::mira;
use crate::pruning::Rule;

/// DP calls a sentence that training may spend where the config names no limit.
const TRAINING_DP_CALLS: u64 = 200;
/// The longest step of MIRA unless the config says otherwise.
const AGGRESSIVENESS: f64 = 0.01;

impl Resolver<'_> {
    pub(in crate::experiment::config) fn tagger(&mut self, wire: &TaggerWire) -> Tagging {
        let folds = wire.folds.as_ref().map_or(10, |f| *f.get_ref());
        if let Some(at) = wire.folds.as_ref().filter(|_| folds < 2) {
            self.fault(at, format!("folds = {folds}: it takes at least 2 to tag a fold without having learnt from it"));
        }
        let epochs = self.at_least_one(wire.epochs.as_ref(), "epochs", 10);
        Tagging { epochs, folds, seed: wire.seed.unwrap_or(1) }
    }

    pub(in crate::experiment::config) fn pruning(&mut self, wire: &PruningWire) -> Pruning {
        let rate = wire.rate.as_ref().map_or(0.02, |r| *r.get_ref());
        if let Some(at) = &wire.rate
            && !(rate > 0.0 && rate <= 1.0)
        {
            self.fault(at, format!("rate = {rate}: a step size lies above 0 and is at most 1"));
        }
        Pruning {
            templates: wire.templates.clone().unwrap_or_else(|| "pruner".into()),
            epochs: self.at_least_one(wire.epochs.as_ref(), "epochs", 3),
            rate,
        }
    }

    pub(in crate::experiment::config) fn training(&mut self, wire: &TrainingWire) -> Training {
        let rule = match (&wire.k, &wire.threshold) {
            (Some(_), Some(at)) => {
                self.fault(at, "training prunes by k or by threshold, not by both");
                None
            }
            (Some(k), None) => self.rule(k),
            (None, Some(t)) => self.threshold(t),
            (None, None) => None,
        };
        let epochs = self.at_least_one(wire.epochs.as_ref(), "epochs", 6);
        let choice = [("last", ChooseEpoch::Last), ("dev", ChooseEpoch::Dev)];
        Training {
            templates: wire.templates.clone().unwrap_or_else(|| "compact".into()),
            trainers: self.trainers(wire),
            aggressiveness: self.aggressiveness(wire),
            epochs,
            average_from: self.average_from(wire, epochs),
            choose_epoch: self.one_or(wire.choose_epoch.as_ref(), "choose_epoch", &choice, ChooseEpoch::Last),
            rule: rule.unwrap_or(Rule::Best(10)),
            decoder: self.one_or(wire.decoder.as_ref(), "decoder", &search_decoders(), Decoder::Bnb),
            limits: Limits {
                dp_calls: self.limit(wire.dp_calls.as_ref(), "dp_calls", Some(TRAINING_DP_CALLS)),
                nodes: self.limit(wire.nodes.as_ref(), "nodes", None),
            },
        }
    }

    pub(in crate::experiment::config) fn trainers(&mut self, wire: &TrainingWire) -> Vec<Trainer> {
        let Some(at) = &wire.trainer else { return vec![Trainer::Perceptron] };
        let mut trainers = Vec::new();
        for name in at.get_ref().clone().into_vec() {
            match Trainer::parse(&name) {
                None => {
                    let message =
                        format!("trainer = `{name}` is not known; it can be `perceptron`, `mira` or a list of both");
                    self.fault(at, message);
                }
                Some(trainer) if trainers.contains(&trainer) => {
                    self.fault(at, format!("trainer: `{name}` is given twice"));
                }
                Some(trainer) => trainers.push(trainer),
            }
        }
        if at.get_ref().clone().into_vec().is_empty() {
            self.fault(at, "trainer = []: name at least one");
        }
        trainers
    }

    fn average_from(&mut self, wire: &TrainingWire, epochs: usize) -> usize {
        let first = self.at_least_one(wire.average_from.as_ref(), "average_from", 1);
        if let Some(at) = wire.average_from.as_ref().filter(|_| first > epochs) {
            self.fault(
                at,
                format!("average_from = {first}: there are {epochs} epochs, so no weights would be averaged"),
            );
        }
        first
    }

    pub(in crate::experiment::config) fn aggressiveness(&mut self, wire: &TrainingWire) -> f64 {
        let Some(at) = &wire.aggressiveness else { return AGGRESSIVENESS };
        let value = *at.get_ref();
        if !(value > 0.0 && value <= 1.0) {
            self.fault(
                at,
                format!("aggressiveness = {value}: the longest step of `mira` lies above 0 and is at most 1"),
            );
        } else if (value * mira::UNIT as f64) < 1.0 {
            let unit = 1.0 / mira::UNIT as f64;
            self.fault(at, format!("aggressiveness = {value:e}: steps are whole numbers of {unit:e}, so this is none"));
        }
        value
    }
}
