//! `claims` and `[[claim]]`: a named list of claims, and claims of the config's own.
//!
//! A kind of claim has keys of its own. All keys are read into one wire form first, so that a key which is unknown, missing
//! or of another kind is a fault with its line.

use std::collections::BTreeSet;

use super::model::FeatureSet;
use super::resolve::Resolver;
use super::wire::{At, ClaimListWire, ClaimWire, ConfigWire, SelectorWire};
use crate::cell::{self, Method};
use crate::claims::{Claim, LISTS, Metric, Selector, Test};
use crate::decode::{Backbone, Decoder};

/// The claims of a config.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Claims {
    /// The name of a list.
    pub list: Option<String>,
    /// The config's own.
    pub own: Vec<Claim>,
}

impl Claims {
    /// Those of the list, then the config's own.
    pub fn all(&self) -> Vec<Claim> {
        let mut all = self.list.as_deref().and_then(list).unwrap_or_default();
        all.extend(self.own.iter().cloned());
        all
    }
}

/// The claims of the list of that name.
fn list(name: &str) -> Option<Vec<Claim>> {
    let (_, text) = LISTS.iter().find(|(list, _)| *list == name)?;
    let wire: ClaimListWire = toml::from_str(text).ok()?;
    let mut resolver = Resolver::new(text);
    let claims = wire.claim.iter().filter_map(|claim| resolver.claim(claim)).collect();
    resolver.is_faultless().then_some(claims)
}

/// The keys that some kinds have and others do not.
const KEYS: [&str; 10] =
    ["a", "others", "metric", "level", "tolerance", "value", "relative", "low", "high", "to_length"];

impl Resolver<'_> {
    pub(super) fn claims(&mut self, wire: &ConfigWire) -> Claims {
        let names = LISTS.map(|(name, _)| (name, name));
        let list = wire.claims.as_ref().and_then(|at| self.one_of(at, "claims", &names)).map(str::to_owned);
        let mut claims = Claims { list, own: Vec::new() };
        let mut names: BTreeSet<String> = claims.all().into_iter().map(|claim| claim.name).collect();
        for at in &wire.claim {
            let name = &at.get_ref().name;
            if !names.insert(name.get_ref().clone()) {
                self.fault(name, format!("two claims are named `{}`", name.get_ref()));
            }
            claims.own.extend(self.claim(at));
        }
        claims
    }

    fn claim(&mut self, at: &At<ClaimWire>) -> Option<Claim> {
        let wire = at.get_ref();
        let Some((kind, needed, allowed)) = KINDS.iter().find(|(kind, ..)| kind == wire.kind.get_ref()) else {
            let kinds: Vec<String> = KINDS.iter().map(|(kind, ..)| format!("`{kind}`")).collect();
            self.fault(
                &wire.kind,
                format!("kind = `{}` is not known; it can be {}", wire.kind.get_ref(), kinds.join(", ")),
            );
            return None;
        };
        for key in KEYS {
            match place(wire, key) {
                None if needed.contains(&key) => {
                    self.fault(at, format!("a claim of kind `{kind}` needs the key `{key}`"))
                }
                Some(start) if !needed.contains(&key) && !allowed.contains(&key) => {
                    self.fault_at(start, format!("a claim of kind `{kind}` has no key `{key}`"));
                }
                _ => {}
            }
        }
        let test = self.test(wire, kind);
        let claim = |test| Claim {
            name: wire.name.get_ref().clone(),
            text: wire.text.clone(),
            source: wire.source.clone(),
            test,
        };
        test.map(claim)
    }

    fn test(&mut self, wire: &ClaimWire, kind: &str) -> Option<Test> {
        let a = wire.a.as_ref().map(|at| self.selector(at));
        let others = wire.others.as_ref().map(|list| {
            if list.get_ref().is_empty() {
                self.fault(list, "others = []: there is nothing to compare with; name at least one row");
            }
            list.get_ref().iter().map(|at| self.selector(at)).collect()
        });
        let metrics = [Metric::DpCalls, Metric::Time].map(|metric| (metric.name(), metric));
        let metric = wire.metric.as_ref().and_then(|at| self.one_of(at, "metric", &metrics));
        let level = wire
            .level
            .as_ref()
            .map(|at| self.number(at, "level", "a level lies above 0 and below 0.5", |v| v > 0.0 && v < 0.5));
        let not_negative = "it is not negative";
        let tolerance = wire.tolerance.as_ref().map(|at| self.number(at, "tolerance", not_negative, |v| v >= 0.0));
        let relative = wire.relative.as_ref().map(|at| self.number(at, "relative", not_negative, |v| v >= 0.0));
        let mut any = |at: &Option<At<f64>>, key| {
            at.as_ref().map(|at| self.number(at, key, "a finite number is needed", |_| true))
        };
        let (value, low, high) = (any(&wire.value, "value"), any(&wire.low, "low"), any(&wire.high, "high"));
        if let (Some(at), None, None) = (wire.others.as_ref().filter(|_| kind == "ratio"), low, high) {
            self.fault(at, "a claim of kind `ratio` needs the key `low` or `high`");
        }
        if let (Some(at), Some(low), Some(high)) = (&wire.low, low, high)
            && low > high
        {
            self.fault(at, format!("low = {low} is above high = {high}: no ratio lies between them"));
        }
        let to_length = wire.to_length.as_ref().map(|at| *at.get_ref());
        Some(match kind {
            "largest" => Test::Largest { a: a?, others: others?, level: level? },
            "better" => Test::Better { a: a?, others: others?, level: level? },
            "no-better" => Test::NoBetter { a: a?, others: others?, tolerance: tolerance?, level: level? },
            "within" => Test::Within { a: a?, others: others?, tolerance: tolerance?, level: level? },
            "near" => Test::Near { a: a?, metric: metric?, value: value?, relative: relative? },
            "ratio" => Test::Ratio { a: a?, others: others?, metric: metric?, low, high },
            "smooth-growth" => {
                Test::SmoothGrowth { a: a?, metric: metric?, to_length: to_length?, tolerance: tolerance? }
            }
            _ => Test::AllProven,
        })
    }

    fn number(&mut self, at: &At<f64>, key: &str, rule: &str, fits: impl Fn(f64) -> bool) -> f64 {
        let value = *at.get_ref();
        if !value.is_finite() || !fits(value) {
            self.fault(at, format!("{key} = {value}: {rule}"));
        }
        value
    }

    fn selector(&mut self, at: &At<SelectorWire>) -> Selector {
        let wire = at.get_ref();
        let set = FeatureSet::parse(wire.set.get_ref());
        if set.is_none() {
            let message = format!(
                "the set `{}` is not known; a set is `baseline`, or families such as `sibling` joined by `+`",
                wire.set.get_ref()
            );
            self.fault(&wire.set, message);
        }
        let decoders = [Decoder::Dp, Decoder::Bnb, Decoder::Paper].map(|d| (d.name(), d));
        let tags = cell::Tags::ALL.map(|t| (t.name(), t));
        let backbones = Backbone::ALL.map(|b| (b.name(), b));
        let learners = Method::ALL.map(|method| (method.name(), method));
        let splits = [cell::Split::Dev, cell::Split::Test].map(|s| (s.name(), s));
        Selector {
            set: set.map_or_else(cell::FeatureSet::baseline, |set| cell::FeatureSet::new(set.families().to_vec())),
            decoder: wire.decoder.as_ref().and_then(|at| self.one_of(at, "decoder", &decoders)),
            tags: wire.tags.as_ref().and_then(|at| self.one_of(at, "tags", &tags)),
            split: wire.split.as_ref().and_then(|at| self.one_of(at, "split", &splits)),
            backbone: wire.backbone.as_ref().and_then(|at| self.one_of(at, "backbone", &backbones)),
            learner: wire.trainer.as_ref().and_then(|at| self.one_of(at, "trainer", &learners)).map(Into::into),
            templates: None,
            pruning: wire.k.as_ref().and_then(|k| self.rule(k)),
        }
    }
}

/// The kinds of claims, the keys that each needs, and those that it may have.
const KINDS: [(&str, &[&str], &[&str]); 8] = [
    ("largest", &["a", "others", "level"], &[]),
    ("better", &["a", "others", "level"], &[]),
    ("no-better", &["a", "others", "tolerance", "level"], &[]),
    ("within", &["a", "others", "tolerance", "level"], &[]),
    ("near", &["a", "metric", "value", "relative"], &[]),
    ("ratio", &["a", "others", "metric"], &["low", "high"]),
    ("all-proven", &[], &[]),
    ("smooth-growth", &["a", "metric", "to_length", "tolerance"], &[]),
];

/// Where the value of a key stands, if it is given.
fn place(wire: &ClaimWire, key: &str) -> Option<usize> {
    fn of<T>(at: &Option<At<T>>) -> Option<usize> {
        at.as_ref().map(|at| at.span().start)
    }
    match key {
        "a" => of(&wire.a),
        "others" => of(&wire.others),
        "metric" => of(&wire.metric),
        "level" => of(&wire.level),
        "tolerance" => of(&wire.tolerance),
        "value" => of(&wire.value),
        "relative" => of(&wire.relative),
        "low" => of(&wire.low),
        "high" => of(&wire.high),
        _ => of(&wire.to_length),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_faultless_and_names_differ() {
        for (name, text) in LISTS {
            let claims = list(name).expect(name);
            assert_eq!(claims.len(), text.matches("[[claim]]").count(), "{name}");
            let names: BTreeSet<&str> = claims.iter().map(|claim| claim.name.as_str()).collect();
            assert_eq!(names.len(), claims.len(), "{name}");
        }
        assert_eq!(list("papers"), None);
    }
}
