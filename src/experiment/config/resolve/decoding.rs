//! `[decoding]`.

use super::Resolver;
use super::values::search_decoders;
use crate::decode::bnb::Limits;
use crate::decode::{Backbone, Decoder};
use crate::experiment::config::error::line_of;
use crate::experiment::config::model::{Decoding, FeatureSet, MorePrunings};
use crate::experiment::config::wire::{At, DecodingWire, MoreWire, OneOrMany};
use crate::pruning::Rule;

/// DP calls a sentence that decoding may spend where the config names no limit.
const DECODING_DP_CALLS: u64 = 20_000;

impl Resolver<'_> {
    pub(in crate::experiment::config) fn decoding(&mut self, wire: &DecodingWire) -> Decoding {
        let mut rules: Vec<Rule> = Vec::new();
        for at in wire.k.iter().flat_map(|list| list.get_ref()) {
            rules.extend(self.rule(at));
        }
        for at in wire.threshold.iter().flat_map(|list| list.get_ref()) {
            rules.extend(self.threshold(at));
        }
        let lists = || wire.k.iter().map(|l| l.span()).chain(wire.threshold.iter().map(|l| l.span()));
        let named = lists().next().map(|span| line_of(self.text, span.start));
        if let Some(line) = named {
            let empty = wire.k.as_ref().is_none_or(|l| l.get_ref().is_empty())
                && wire.threshold.as_ref().is_none_or(|l| l.get_ref().is_empty());
            if empty {
                let message = "the grid is empty: name at least one k or threshold to decode with";
                self.faults.push((Some(line), message.into()));
            }
            if let Some(twice) = rules.iter().enumerate().find(|(i, r)| rules[..*i].contains(r)) {
                self.faults.push((Some(line), format!("the pruning `{}` is given twice", twice.1)));
            }
        } else {
            rules.push(Rule::Best(10));
        }
        let more = wire.more.as_ref().map(|at| self.more(at, &rules));
        Decoding {
            rules,
            decoders: self.list(wire.decoders.as_ref(), "decoders", &search_decoders(), Decoder::Bnb),
            backbones: self.backbones(wire.backbone.as_ref()),
            more,
            limits: Limits {
                dp_calls: self.limit(wire.dp_calls.as_ref(), "dp_calls", Some(DECODING_DP_CALLS)),
                nodes: self.limit(wire.nodes.as_ref(), "nodes", None),
            },
        }
    }

    pub(in crate::experiment::config) fn more(&mut self, at: &At<MoreWire>, usual: &[Rule]) -> MorePrunings {
        let wire = at.get_ref();
        let named = |name: &String| {
            if name == "baseline" { Some(FeatureSet::baseline()) } else { self.set(at, name) }
        };
        let sets: Vec<FeatureSet> = wire.sets.iter().filter_map(named).collect();
        let mut rules: Vec<Rule> = wire.k.iter().filter_map(|k| self.rule(k)).collect();
        rules.extend(wire.threshold.iter().filter_map(|t| self.threshold(t)));
        if wire.sets.is_empty() || wire.k.is_empty() && wire.threshold.is_empty() {
            self.fault(at, "more: name at least one of its sets, and at least one k or threshold");
        }
        let seen = |i: usize, rule: &Rule| usual.contains(rule) || rules[..i].contains(rule);
        if let Some((_, twice)) = rules.iter().enumerate().find(|(i, rule)| seen(*i, rule)) {
            let message = format!("more: the pruning `{twice}` is given twice");
            self.fault(at, message);
        }
        MorePrunings { sets, rules }
    }

    pub(in crate::experiment::config) fn backbones(&mut self, at: Option<&At<OneOrMany<String>>>) -> Vec<Backbone> {
        let Some(at) = at else { return vec![Backbone::default()] };
        let names = at.get_ref().clone().into_vec();
        if names.is_empty() {
            self.fault(at, "backbone = []: the grid is empty; name at least one");
        }
        let mut backbones = Vec::new();
        for name in &names {
            match Backbone::parse(name) {
                Some(backbone) if backbones.contains(&backbone) => self.fault(at, format!("`{name}` is given twice")),
                Some(backbone) => backbones.push(backbone),
                None => {
                    let known = Backbone::ALL.map(|b| format!("`{b}`")).join(", ");
                    self.fault(at, format!("backbone = `{name}` is not known; it can be {known}"));
                }
            }
        }
        backbones
    }
}
