//! `[tagger]`, `[pruner]`, `[training]` and `[learner.NAME]`.

use std::collections::BTreeMap;

use crate::config::model::{Pruner, Tagging, TemplatesSource};
use crate::config::reader::{self, Keys, Reader, Section, listed, plain, shown};
use crate::config::tree::{Node, Value};
use treebound_core::decode::Decoder;
use treebound_parser::cell::{Axis, Learner, Method};
use treebound_parser::learn::crf::Features;
use treebound_parser::learn::mira;
use treebound_parser::model::Roots;
use treebound_parser::pruning::Rule;
use treebound_parser::systems::graph::{Batches, ChooseEpoch, CrfSchedule, NonlocalFeatures, Schedule, Share, Start};

/// DP calls a sentence that training may spend where the config names no limit.
const TRAINING_DP_CALLS: u64 = 200;
/// The longest step of MIRA unless the config says otherwise.
const AGGRESSIVENESS: f64 = 0.01;

/// What a CRF's weights may cost unless the config says otherwise.
const C: f64 = 1.0;
/// The share of its first gradient at which a CRF is learnt.
const TOLERANCE: f64 = 1e-3;
/// Steps that its descent may take.
const ITERATIONS: u64 = 500;
/// Steps that it remembers.
const HISTORY: u64 = 6;
/// A CRF of which nothing is said.
const USUAL: CrfSchedule = CrfSchedule {
    c: C,
    charge: 0.0,
    features: Features::Gold,
    tolerance: TOLERANCE,
    iterations: ITERATIONS as usize,
    history: HISTORY as usize,
    batches: None,
};
/// The length of a step along one sentence's gradient.
const STEP: f64 = 0.02;

const TAGGER: Keys = Keys { table: "[tagger]", known: &["epochs", "folds", "seed"], old: &[] };

const PRUNER: Keys = Keys { table: "[pruner]", known: &["templates", "epochs", "rate"], old: &[] };

/// What `[training]` has; a learner's own table has what follows the first two.
const SCHEDULE: &[&str] = &[
    "templates",
    "learner",
    "aggressiveness",
    "kbest",
    "c",
    "charge",
    "features",
    "tolerance",
    "iterations",
    "history",
    "batch",
    "rate",
    "epochs",
    "average_from",
    "choose_epoch",
    "sentences",
    "start",
    "nonlocal_features",
    "roots",
    "pruning",
    "decoder",
    "dp_calls",
    "nodes",
];

pub(super) const TRAINING: Keys = Keys {
    table: "[training]",
    known: SCHEDULE,
    old: &[
        ("k", reader::old_k),
        ("threshold", reader::old_threshold),
        ("trainer", |node| format!("`trainer` is called `learner` now: write learner = {}", shown(node))),
    ],
};

const LEARNER: Keys = Keys {
    table: "a learner",
    known: SCHEDULE.split_at(2).1,
    old: &[("k", reader::old_k), ("threshold", reader::old_threshold)],
};

/// Keys that say something for some methods alone. A CRF goes on with steps of MIRA where there are non-local features.
const OF_METHODS: [(&[Method], &[&str]); 3] = [
    (&[Method::Mira, Method::Crf], &["aggressiveness"]),
    (&[Method::Mira], &["kbest"]),
    (&[Method::Crf], &["c", "charge", "features", "tolerance", "iterations", "history", "batch", "rate"]),
];

/// Keys of a CRF's descent, which has no batches.
const OF_DESCENTS: [&str; 5] = ["c", "features", "tolerance", "iterations", "history"];

impl Reader {
    pub(super) fn tagger(&mut self, node: Option<&Node>) -> Tagging {
        let table = self.section(node, "tagger", &TAGGER);
        let folds = self.get(&table, "folds");
        if let Some(node @ Node { value: Value::Whole(Some(folds @ (0 | 1)), _), .. }) = folds {
            self.fault(
                node,
                format!("folds = {folds}: it takes at least 2 to tag a fold without having learnt from it"),
            );
        }
        let (epochs, seed) = (self.get(&table, "epochs"), self.get(&table, "seed"));
        Tagging {
            epochs: self.whole_or(epochs, "epochs", 1, 10) as usize,
            folds: self.whole_or(folds, "folds", 0, 10) as usize,
            seed: self.whole_or(seed, "seed", 0, 1),
        }
    }

    pub(super) fn pruner(&mut self, node: Option<&Node>) -> Pruner {
        let table = self.section(node, "pruner", &PRUNER);
        let templates = self.get(&table, "templates").and_then(|node| self.templates_source(node, "templates"));
        let epochs = self.get(&table, "epochs");
        let rate = match self.get(&table, "rate") {
            None => RATE,
            Some(node) => match self.number(node, "rate") {
                Some(rate) if !(rate > 0.0 && rate <= 1.0) => {
                    self.fault(node, format!("rate = {}: a step size lies above 0 and is at most 1", plain(rate)));
                    RATE
                }
                rate => rate.unwrap_or(RATE),
            },
        };
        Pruner {
            templates: templates.unwrap_or_else(|| TemplatesSource::new("pruner")),
            epochs: self.whole_or(epochs, "epochs", 1, 3) as usize,
            rate,
        }
    }

    /// The schedules of the learners that are wanted and of those that have a table; `training` has what they share.
    pub(super) fn learners(
        &mut self,
        training: &Section,
        own: Option<&Node>,
        wanted: &[(Learner, Option<&Node>)],
    ) -> BTreeMap<Learner, Schedule> {
        let mut tables: BTreeMap<Learner, &Node> = BTreeMap::new();
        match own.map(|node| (node, &node.value)) {
            None => {}
            Some((_, Value::Table(entries))) => {
                for (name, node) in entries {
                    match Learner::parse(name) {
                        Some(learner) => drop(tables.insert(learner, node)),
                        None => self.fault(node, format!("learner `{name}`: its name can be {}", Learner::EXPECTED)),
                    }
                }
            }
            Some((node, _)) => self.fault(node, "learner: write [learner.NAME], such as [learner.mira-long]"),
        }
        for (learner, node) in wanted {
            if !learner.is_plain() && !tables.contains_key(learner) {
                let message =
                    format!("the learner `{learner}` is not described; add [learner.{learner}] with what it has");
                if let Some(node) = node {
                    self.fault(node, message);
                }
            }
        }
        let all: std::collections::BTreeSet<&Learner> = tables.keys().chain(wanted.iter().map(|w| &w.0)).collect();
        all.into_iter()
            .map(|learner| (learner.clone(), self.schedule(learner, training, tables.get(learner).copied())))
            .collect()
    }

    fn schedule(&mut self, learner: &Learner, training: &Section, own: Option<&Node>) -> Schedule {
        let own = self.section(own, format!("learner.{learner}"), &LEARNER);
        let find =
            |reader: &mut Self, key: &'static str| reader.take(&own.path, key, [own.find(key), training.find(key)]);
        let epochs = find(self, "epochs");
        let epochs = self.whole_or(epochs, "epochs", 1, 6) as usize;
        let choose = find(self, "choose_epoch");
        let choice = [("last", ChooseEpoch::Last), ("dev", ChooseEpoch::Dev)];
        let (pruning, decoder) = (find(self, "pruning"), find(self, "decoder"));
        let (sentences, start, features) =
            (find(self, "sentences"), find(self, "start"), find(self, "nonlocal_features"));
        let roots = find(self, "roots");
        let crf = (learner.method() == Method::Crf).then(|| self.crf(find));
        let kbest = find(self, "kbest");
        let (average_from, aggressiveness) = (find(self, "average_from"), find(self, "aggressiveness"));
        let schedule = Schedule {
            method: learner.method(),
            aggressiveness: self.aggressiveness(aggressiveness),
            kbest: self.whole_or(kbest, "kbest", 1, 1) as usize,
            crf,
            epochs,
            average_from: self.average_from(average_from, epochs),
            choose_epoch: self.one_or(choose, "choose_epoch", &choice, ChooseEpoch::Last),
            sentences: sentences.and_then(|node| self.share(node, "sentences")).unwrap_or(Share::ALL),
            start: self.one_or(start, "start", &Start::ALL.map(|start| (start.name(), start)), Start::Zero),
            nonlocal_features: self.one_or(
                features,
                "nonlocal_features",
                &NonlocalFeatures::ALL.map(|features| (features.name(), features)),
                NonlocalFeatures::Seen,
            ),
            roots: self.one_or(roots, "roots", &Roots::ALL.map(|roots| (roots.name(), roots)), Roots::One),
            pruning: pruning.and_then(|node| self.pruning(node, "pruning")).unwrap_or(Rule::Best(10)),
            decoder: decoder.and_then(|node| self.search_decoder(node, "decoder")).unwrap_or(Decoder::Bnb),
            limits: self.limits(TRAINING_DP_CALLS, find),
        };
        self.effective(learner, &own, schedule)
    }

    /// A schedule in which what has no effect is what it usually is. In `[training]` that may be for other learners; in the
    /// learner's own table it is a fault.
    fn effective(&mut self, learner: &Learner, own: &Section, schedule: Schedule) -> Schedule {
        let (mut usual, method) = (schedule.clone(), learner.method());
        let mut silent: Vec<(&str, String)> = Vec::new();
        for (methods, keys) in OF_METHODS.iter().filter(|(methods, _)| !methods.contains(&method)) {
            let of = listed(methods.iter().map(|method| method.name()));
            let why = format!("it is of {of}, and `{learner}` learns by `{}`; take it out", method.name());
            silent.extend(keys.iter().map(|key| (*key, why.clone())));
        }
        if let Some(crf) = usual.crf.as_mut().filter(|crf| crf.batches.is_some()) {
            let why = "a CRF learnt with `batch` has no descent; take one of the two out";
            silent.extend(OF_DESCENTS.iter().map(|key| (*key, why.to_owned())));
            *crf = CrfSchedule { charge: crf.charge, batches: crf.batches, ..USUAL };
        }
        if method == Method::Perceptron {
            usual.aggressiveness = AGGRESSIVENESS;
        }
        if method != Method::Mira {
            usual.kbest = 1;
        }
        for (key, why) in silent {
            let Some(node) = own.find(key) else {
                self.origins.forget(&format!("{}.{key}", own.path));
                continue;
            };
            // As in a config that was resolved.
            let is_usual = match (key, schedule.crf) {
                ("aggressiveness", _) => schedule.aggressiveness == AGGRESSIVENESS,
                ("c", Some(crf)) => crf.c == C,
                ("features", Some(crf)) => crf.features == USUAL.features,
                ("tolerance", Some(crf)) => crf.tolerance == TOLERANCE,
                ("iterations", Some(crf)) => crf.iterations == USUAL.iterations,
                ("history", Some(crf)) => crf.history == USUAL.history,
                _ => false,
            };
            if !is_usual {
                self.fault(node, format!("{key}: {why}"));
            }
        }
        usual
    }

    fn crf<'t>(&mut self, find: impl Fn(&mut Self, &'static str) -> Option<&'t Node>) -> CrfSchedule {
        let positive = |reader: &mut Self, key: &'static str, usual: f64| {
            let Some(node) = find(reader, key) else { return usual };
            let Some(value) = reader.number(node, key) else { return usual };
            if !(value > 0.0 && value.is_finite()) {
                reader.fault(node, format!("{key} = {}: it lies above 0", plain(value)));
            }
            value
        };
        let (c, tolerance) = (positive(self, "c", C), positive(self, "tolerance", TOLERANCE));
        if let Some(node) = find(self, "tolerance").filter(|_| tolerance >= 1.0 && tolerance.is_finite()) {
            let message = format!(
                "tolerance = {}: the descent ends when its gradient has fallen to this share, so it lies below 1; {} is \
                 usual",
                plain(tolerance),
                plain(TOLERANCE)
            );
            self.fault(node, message);
        }
        let (iterations, history) = (find(self, "iterations"), find(self, "history"));
        let (features, charge) = (find(self, "features"), find(self, "charge"));
        let (batch, rate) = (find(self, "batch"), find(self, "rate"));
        let charge = charge.and_then(|node| {
            let charge = self.number(node, "charge")?;
            if !(charge >= 0.0 && charge.is_finite()) {
                self.fault(node, format!("charge = {}: it is not below 0", plain(charge)));
            }
            Some(charge)
        });
        CrfSchedule {
            c,
            charge: charge.unwrap_or(USUAL.charge),
            features: self.one_or(features, "features", &Features::ALL.map(|f| (f.name(), f)), USUAL.features),
            tolerance,
            iterations: self.whole_or(iterations, "iterations", 1, ITERATIONS) as usize,
            history: self.whole_or(history, "history", 1, HISTORY) as usize,
            batches: self.batches(batch, rate),
        }
    }

    fn batches(&mut self, batch: Option<&Node>, rate: Option<&Node>) -> Option<Batches> {
        if let (None, Some(node)) = (batch, rate) {
            self.fault(node, "rate: it is of steps by batches; add `batch`, the sentences of one".to_owned());
        }
        let batch = self.whole_or(Some(batch?), "batch", 1, 1) as usize;
        let rate = match rate {
            None => STEP,
            Some(node) => match self.number(node, "rate") {
                Some(rate) if !(rate * mira::UNIT as f64 >= 1.0 && rate <= 1.0) => {
                    let unit = 1.0 / mira::UNIT as f64;
                    self.fault(node, format!("rate = {}: steps by batches lie between {unit:e} and 1", plain(rate)));
                    STEP
                }
                rate => rate.unwrap_or(STEP),
            },
        };
        Some(Batches { batch, rate })
    }

    fn share(&mut self, node: &Node, key: &str) -> Option<Share> {
        let number = self.number(node, key)?;
        let share = Share::new(number);
        if share.is_none() {
            let message =
                format!("{key} = {}: a share of the training part lies above 0 and is at most 1", plain(number));
            self.fault(node, message);
        }
        share
    }

    fn average_from(&mut self, node: Option<&Node>, epochs: usize) -> usize {
        let first = self.whole_or(node, "average_from", 1, 1) as usize;
        if let Some(node) = node.filter(|_| first > epochs) {
            self.fault(
                node,
                format!("average_from = {first}: there are {epochs} epochs, so no weights would be averaged"),
            );
        }
        first
    }

    fn aggressiveness(&mut self, node: Option<&Node>) -> f64 {
        let Some(node) = node else { return AGGRESSIVENESS };
        let Some(value) = self.number(node, "aggressiveness") else { return AGGRESSIVENESS };
        let written = plain(value);
        if !(value > 0.0 && value <= 1.0) {
            let message =
                format!("aggressiveness = {written}: the longest step of `mira` lies above 0 and is at most 1");
            self.fault(node, message);
        } else if (value * mira::UNIT as f64) < 1.0 {
            let unit = 1.0 / mira::UNIT as f64;
            self.fault(
                node,
                format!("aggressiveness = {written}: steps are whole numbers of {unit:e}, so this is none"),
            );
        }
        value
    }
}

/// The step size of the pruner's first pass unless the config says otherwise.
const RATE: f64 = 0.02;

/// The learner of a config that names none: the paper's.
pub(super) fn usual() -> Learner {
    Method::Perceptron.into()
}
