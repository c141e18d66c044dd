//! Learning the weights of the graph system: passes over the training part, and the choice among them.
//!
//! Learning a CRF instead of the weights of an online learner.

use std::sync::Mutex;

use rayon::prelude::*;

use crate::answer::{Answer, Clock, Evaluated, NoClock};
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::features::groups::Folding;
use crate::features::{Kind, TemplateGroups};
use crate::labels::ArcLabeller;
use crate::learn::crf::lbfgs::{End, Settings, Step};
use crate::learn::crf::stochastic::Stochastic;
use crate::learn::online::{Example, Online, PassStatistics, Predicted, Steps};
use crate::learn::{crf, mira};
use crate::model::{Model, Parser, Scratch, Search, SearchError, kinds_wanted, scored_families};
use crate::systems::graph::schedule::{ChooseEpoch, CrfSchedule, NonlocalFeatures, Start};
use crate::systems::graph::{GraphSystem, NAME, unit_of};
use crate::systems::{Descent, Facts, Learnt, PassRecord, Pruned, Session, System, SystemError, Task, TrainingPart};
use crate::treebank::{Sentence, Token};
use crate::weights::contexts::entries::{decode_entries, encode_entries};
use crate::weights::contexts::{Entry, Table};
use treebound_core::decode::Backbone;

/// Sentences that one session parses before the next looks for work.
const BATCH: usize = 16;

/// A trained model and how it came about.
#[derive(Debug)]
pub struct GraphModel {
    /// The model.
    pub model: Model,
    /// One record a pass.
    pub passes: Vec<PassRecord>,
    /// Why its descent ended; none of a model that was not learnt by one, or was learnt before.
    pub end: Option<End>,
}

impl GraphModel {
    pub(super) fn write(&self, to: &mut BytesWriter) {
        encode_entries(self.model.entries(), to);
        encode_passes(&self.passes, to);
        encode_descent(&self.passes, to);
        self.model.arc_labeller().into_iter().for_each(|labeller| labeller.encode(to));
    }
}

impl GraphSystem {
    /// Learns; `log` is told of all passes so far when one has ended.
    ///
    /// # Errors
    /// See [`SystemError`].
    pub fn learn(&self, task: &Task, log: &mut dyn FnMut(&[PassRecord])) -> Result<GraphModel, SystemError> {
        let schedule = &self.schedule;
        let pruned = task.pruned.ok_or(SystemError::Missing { system: NAME, what: "a pruner" })?;
        let families = scored_families(self.set.families(), self.backbone);
        let wanted = |kind| kinds_wanted(&families, self.backbone, kind);
        let template_groups = TemplateGroups::new(&self.templates, wanted, self.folding());
        let TrainingPart { sentences, trees, .. } = task.train;
        let examples: Vec<Example> = sentences
            .iter()
            .zip(trees)
            .zip(&pruned.kept)
            .enumerate()
            .filter(|(i, ((sentence, _), _))| self.learns_from(*i, sentence.len()))
            .map(|(_, ((sentence, tree), candidates))| Example { sentence, tree, candidates })
            .collect();
        if examples.is_empty() {
            return Err(SystemError::Missing { system: NAME, what: "a larger share of the training part" });
        }
        if self.label_templates.is_some() && (self.crf().is_some() || matches!(self.steps(), Steps::KBestMira { .. })) {
            let what = "a learner of one tree at a time: labels inside the search are learnt by the perceptron or MIRA without `kbest`";
            return Err(SystemError::Missing { system: NAME, what });
        }
        let decoder = self.training_decoder();
        if decoder.is_program() && (self.backbone != Backbone::Arborescence || self.label_templates.is_some()) {
            let what = "the backbone `arborescence`, and no labels inside the search, to learn from relaxations";
            return Err(SystemError::Missing { system: NAME, what });
        }
        if let Some(crf) = self.descent() {
            return self.learn_field(crf, &template_groups, &examples, log);
        }
        let mut search = Search::default();
        let mut online =
            Online::new(&template_groups, &families, self.unit(), task.seed)?.with_kind(schedule.tree_kind());
        self.prepare(&mut online, task, &examples)?;
        if let Some(templates) = &self.label_templates {
            online = online.with_labels(templates, &examples)?;
        }
        let mover =
            |descent| Mutex::new(Stochastic::new(&template_groups, &families, self.backbone, schedule.roots, descent));
        let movers = |descent| (0..rayon::current_num_threads()).map(|_| mover(descent)).collect::<Vec<_>>();
        let batches = self.batches().map(|descent| (descent.batch, movers(descent)));
        let mut passes: Vec<PassRecord> = Vec::new();
        let mut best: Option<(u64, Vec<Entry>, Option<ArcLabeller>)> = None;
        for epoch in 1..=schedule.epochs {
            if epoch == schedule.average_from {
                online.restart_average();
            }
            let mut record = PassRecord::default();
            if let Some((batch, movers)) = &batches {
                let objective = online.pass_of_batches::<_, SearchError>(&examples, *batch, movers)?;
                record.descent = Some(Descent { objective, ..Descent::default() });
            } else {
                record.statistics = online.pass(&examples, self.steps(), |graph, prior| match self.steps() {
                    Steps::KBestMira { trees, .. } => {
                        let trees = search.best_trees(graph, self.backbone, trees)?;
                        Ok(Predicted { trees, is_proven: true, dp_calls: 1, point: None })
                    }
                    _ => {
                        let found = search.decode(decoder, graph, self.backbone, prior, schedule.limits)?;
                        let point = search.take_solved().and_then(|solved| solved.fractions);
                        Ok(Predicted { point, ..Predicted::from(found) })
                    }
                })?;
            }
            if schedule.choose_epoch == ChooseEpoch::Dev && epoch >= schedule.average_from {
                let mut averaged = online.averaged()?;
                let mut labeller = online.averaged_labels()?;
                let look = |table| {
                    let mut model = self.model_of_table(table).with_arc_labeller(labeller.take());
                    let correct = self.dev_score(task, pruned, &model);
                    labeller = model.take_arc_labeller();
                    (model.into_table(), correct)
                };
                let correct = online.with_average(&mut averaged, look).map_err(SystemError::Memory)??;
                record.dev_scored_correct = Some(correct);
                if best.as_ref().is_none_or(|b| correct > b.0) {
                    passes.iter_mut().for_each(|e| e.chosen = false);
                    record.chosen = true;
                    // Two of them need not be there at once.
                    drop(best.take());
                    best = Some((correct, online.entries(&averaged), labeller));
                }
            }
            passes.push(record);
            log(&passes);
        }
        let (mut entries, labeller) = match best {
            Some((_, entries, labeller)) => (entries, labeller),
            None => {
                passes.iter_mut().next_back().into_iter().for_each(|e| e.chosen = true);
                (online.entries(&online.averaged()?), online.averaged_labels()?)
            }
        };
        drop(online);
        entries.par_sort_unstable();
        let model = self.model(entries).map_err(SystemError::Memory)?.with_arc_labeller(labeller);
        Ok(GraphModel { model, passes, end: None })
    }

    /// Where only some features of non-local kinds may learn, their templates do not share look-ups.
    fn folding(&self) -> Folding {
        let is_chosen = !self.set.is_baseline() && self.schedule.nonlocal_features == NonlocalFeatures::Gold;
        if is_chosen { Folding::Local } else { Folding::All }
    }

    /// What comes before the first pass: the weights to start from, and which of them may learn.
    fn prepare(&self, online: &mut Online, task: &Task, examples: &[Example]) -> Result<(), SystemError> {
        let of_baseline = |kind: Kind| kinds_wanted(&scored_families(&[], self.backbone), self.backbone, kind);
        if self.needs_baseline() {
            let baseline = task.baseline.ok_or(SystemError::Missing { system: NAME, what: "its baseline's model" })?;
            online.start_from(baseline.entries, baseline.one)?;
            if self.start() == Start::BaselineFixed {
                online.fix(of_baseline);
            }
        }
        if self.folding() == Folding::Local {
            online.learn_gold_only(examples, |kind| !of_baseline(kind))?;
        }
        Ok(())
    }

    /// The weights that its baseline has learnt by this schedule from a training part. With the perceptron each example in the
    /// average counts 1; a CRF, which only a baseline is, has a unit of its own.
    pub fn learnt<'m>(&self, model: &'m GraphModel, sentences: &[Sentence]) -> Learnt<'m> {
        let is_example = |(i, sentence): &(usize, &Sentence)| self.schedule.learns_from(*i, sentence.len());
        let examples = sentences.iter().enumerate().filter(is_example).count();
        let chosen = model.passes.iter().position(|pass| pass.chosen).unwrap_or(0) + 1;
        let averaged = chosen + 1 - self.schedule.average_from.min(chosen);
        let one = match (self.schedule.crf.map(unit_of), self.steps()) {
            (Some(unit), _) => unit,
            (None, Steps::Perceptron) => (examples * averaged) as i64,
            (None, Steps::Mira { .. } | Steps::KBestMira { .. }) => mira::AVERAGE_UNIT,
        };
        Learnt { entries: model.model.entries(), one }
    }

    /// Reads what [`GraphModel`] was saved as.
    ///
    /// # Errors
    /// If the bytes are damaged.
    pub fn read(&self, from: &mut BytesReader) -> Result<GraphModel, Damaged> {
        let entries = decode_entries(from)?;
        let mut passes = decode_passes(from)?;
        if self.crf().is_some() {
            decode_descent(&mut passes, from)?;
        }
        let labeller = self.label_templates.is_some().then(|| ArcLabeller::decode(from)).transpose()?;
        let model = self.model(entries).map_err(|_| Damaged)?.with_arc_labeller(labeller);
        Ok(GraphModel { model, passes, end: None })
    }

    pub(super) fn model(&self, entries: Vec<Entry>) -> std::io::Result<Model> {
        let model = Model::new(self.templates.clone(), self.set.families(), self.backbone, self.folding(), entries)?;
        Ok(model.with_log_unit(self.log_unit()).with_roots(self.schedule.roots).with_trees(self.schedule.trees))
    }

    fn model_of_table(&self, table: Table) -> Model {
        Model::from_table(self.templates.clone(), self.set.families(), self.backbone, self.folding(), table)
            .with_roots(self.schedule.roots)
            .with_trees(self.schedule.trees)
    }

    /// Scored words of the development part that a model gets right, parsed as training sentences are.
    fn dev_score(&self, task: &Task, pruned: &Pruned, model: &Model) -> Result<u64, SystemError> {
        let parser = Parser {
            pruner: &pruned.pruner,
            rule: self.schedule.pruning,
            model,
            decoder: self.training_decoder(),
            limits: self.choice_limits,
        };
        task.dev
            .par_chunks(BATCH)
            .zip(task.gold_dev.par_chunks(BATCH))
            .map_init(
                || GraphSession::new(parser),
                |session, (batch, gold)| {
                    let tokens: Vec<&[Token]> = batch.iter().map(|s| s.tokens.as_slice()).collect();
                    let answers = session.parse(&tokens, &mut NoClock)?;
                    let scored = |(answer, gold)| Evaluated::new(answer, gold, task.punctuation).scored_correct;
                    Ok(answers.iter().zip(gold).map(scored).sum::<u64>())
                },
            )
            .sum()
    }
}

pub(in crate::systems) fn encode_passes(passes: &[PassRecord], out: &mut BytesWriter) {
    out.u64(passes.len() as u64);
    for e in passes {
        let s = e.statistics;
        let dev = e.dev_scored_correct.map_or(0, |c| c + 1);
        for value in [s.mistakes as u64, s.wrong_heads as u64, s.unproven as u64, s.dp_calls, dev, e.chosen.into()] {
            out.u64(value);
        }
    }
}

pub(in crate::systems) fn decode_passes(from: &mut BytesReader) -> Result<Vec<PassRecord>, Damaged> {
    let mut passes = Vec::new();
    for _ in 0..from.u64()? {
        let mut next = || from.u64();
        let statistics = PassStatistics {
            mistakes: next()? as usize,
            wrong_heads: next()? as usize,
            unproven: next()? as usize,
            dp_calls: next()?,
        };
        let dev_scored_correct = next()?.checked_sub(1);
        passes.push(PassRecord { statistics, descent: None, dev_scored_correct, chosen: next()? == 1 });
    }
    Ok(passes)
}

/// Where the steps of a descent led; nothing of the passes of an online learner.
pub(in crate::systems) fn encode_descent(passes: &[PassRecord], out: &mut BytesWriter) {
    for Descent { objective, gradient_norm, whole_numbers } in passes.iter().filter_map(|pass| pass.descent) {
        for value in [objective, gradient_norm.unwrap_or(f64::NAN), whole_numbers.unwrap_or(f64::NAN)] {
            out.u64(value.to_bits());
        }
    }
}

pub(in crate::systems) fn decode_descent(passes: &mut [PassRecord], from: &mut BytesReader) -> Result<(), Damaged> {
    for pass in passes {
        let mut next = || from.u64().map(f64::from_bits);
        let objective = next()?;
        let [gradient_norm, whole_numbers] = [next()?, next()?].map(|value| Some(value).filter(|v| !v.is_nan()));
        pass.descent = Some(Descent { objective, gradient_norm, whole_numbers });
    }
    Ok(())
}

impl GraphSystem {
    /// What decides a CRF that is learnt by a descent.
    pub(super) fn field_facts(&self, crf: CrfSchedule) -> Facts {
        let CrfSchedule { c, charge, features, tolerance, iterations, history, batches: _ } = crf;
        vec![
            ("crf", format!("c {c}, tolerance {tolerance}, iterations {iterations}, history {history}")),
            ("features", features.name().to_owned()),
            ("charge", charge.to_string()),
        ]
    }

    /// Learns; `log` is told of each step.
    pub(super) fn learn_field(
        &self,
        crf: CrfSchedule,
        template_groups: &TemplateGroups,
        examples: &[Example],
        log: &mut dyn FnMut(&[PassRecord]),
    ) -> Result<GraphModel, SystemError> {
        let CrfSchedule { c, charge, features, tolerance, iterations, history, batches: _ } = crf;
        let mut passes: Vec<PassRecord> = Vec::new();
        let told = |Step { value, gradient_norm, .. }: Step| {
            let descent = Some(Descent { objective: value, gradient_norm: Some(gradient_norm), whole_numbers: None });
            passes.push(PassRecord { descent, ..PassRecord::default() });
            log(&passes);
        };
        let (roots, descent) = (self.schedule.roots, Settings { history, iterations, tolerance });
        let task = crf::Task { c, charge, features, roots, descent };
        let field = crf::learn(template_groups, self.backbone, examples, task, told)?;
        if let Some(last) = passes.last_mut() {
            last.chosen = true;
            if let Some(descent) = &mut last.descent {
                descent.whole_numbers = Some(field.value_of_whole_numbers);
            }
        }
        let model = self.model(field.entries).map_err(SystemError::Memory)?;
        Ok(GraphModel { model, passes, end: Some(field.end) })
    }
}

/// A parser with its memory, which is reused from sentence to sentence.
pub(super) struct GraphSession<'a> {
    parser: Parser<'a>,
    scratch: Scratch,
}

impl<'a> GraphSession<'a> {
    pub(super) fn new(parser: Parser<'a>) -> Self {
        Self { parser, scratch: Scratch::default() }
    }
}

impl Session for GraphSession<'_> {
    fn parse(&mut self, sentences: &[&[Token]], clock: &mut dyn Clock) -> Result<Vec<Answer>, SystemError> {
        let mut answers = Vec::with_capacity(sentences.len());
        for (at, tokens) in sentences.iter().enumerate() {
            let parsed = self.parser.parse(tokens, &mut self.scratch, clock);
            let (decoded, phases) = parsed.map_err(|source| SystemError::Parse { at, source })?;
            // The clock has stopped: what follows is no part of parsing.
            let (relations, list) = (self.scratch.take_relations(), self.scratch.take_list());
            let answer = Answer::from_decoded(decoded, self.scratch.arcs(), phases);
            let answer = answer.with_relations(relations).with_list(list);
            answers.push(answer.with_solved(self.scratch.solved()));
        }
        Ok(answers)
    }
}
