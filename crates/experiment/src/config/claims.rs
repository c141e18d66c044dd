//! `claims`, `[[claim]]` and `[[failure]]`: a named list of claims, claims of the config's own, and why some do not hold.
//!
//! A kind of claim has keys of its own: one which is unknown, missing or of another kind is a fault with its line.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::model::Grid;
use super::place::Source;
use super::reader::{Keys, Reader, Section, nearest, plain, quoted};
use super::tree::{self, Node, Value};
use treebound_core::decode::{Backbone, Decoder};
use treebound_parser::cell::{Axis, CorpusName, FeatureSet, Learner, Split, SystemName, Tags, TemplatesName};
use treebound_report::claims::{Cause, Claim, Failure, Figure, LISTS, Metric, Selector, Test};
use treebound_report::statistics::accuracy::Accuracy;

/// The claims of a config.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Claims {
    /// The name of a list.
    pub list: Option<String>,
    /// The config's own.
    pub own: Vec<Claim>,
    /// Why some of both do not hold.
    pub failures: Vec<Failure>,
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
    let source = Source { order: 0, shown: name.to_owned(), relative: name.to_owned(), folder: PathBuf::new() };
    let entries = tree::parse(text, &Arc::new(source)).ok()?;
    let mut reader = Reader::default();
    let claims = entries.get("claim")?.each().iter().filter_map(|node| reader.claim(node)).collect();
    reader.faults.is_empty().then_some(claims)
}

/// The keys of all kinds, of which each kind has some.
const CLAIM: Keys = Keys {
    table: "a claim",
    known: &[
        "name",
        "text",
        "source",
        "published",
        "only",
        "kind",
        "a",
        "others",
        "metric",
        "level",
        "tolerance",
        "value",
        "relative",
        "low",
        "high",
        "to_length",
    ],
    old: &[],
};

/// The keys that some kinds have and others do not.
const KEYS: [&str; 11] =
    ["a", "others", "metric", "level", "tolerance", "value", "relative", "low", "high", "to_length", "published"];

const SELECTOR: Keys = Keys {
    table: "a row",
    known: &["set", "system", "pruning", "decoder", "backbone", "learner", "templates", "tags", "split", "threads"],
    old: &[
        ("k", super::reader::old_k),
        ("trainer", |node| {
            format!("`trainer` is called `learner` now: write learner = {}", super::reader::shown(node))
        }),
    ],
};

const FAILURE: Keys = Keys { table: "a failure", known: &["claims", "cause", "text", "grids"], old: &[] };

impl Reader {
    pub(super) fn claims(&mut self, top: &Section, grids: &[Grid]) -> Claims {
        let names = LISTS.map(|(name, _)| (name, name));
        let list = self.get(top, "claims").and_then(|node| self.one_of(node, "claims", &names)).map(str::to_owned);
        let mut claims = Claims { list, ..Claims::default() };
        let mut names: BTreeSet<String> = claims.all().into_iter().map(|claim| claim.name).collect();
        for node in top.find("claim").into_iter().flat_map(Node::each) {
            if let Some(name) = node.name().filter(|name| !names.insert((*name).to_owned())) {
                let place = self.section_of(node).find("name").unwrap_or(node);
                self.fault(place, format!("two claims are named `{name}`"));
            }
            let path = format!("claim.{}", node.name().unwrap_or_default());
            self.origins.record(path, &node.place);
            claims.own.extend(self.claim(node));
        }
        let mut explained = BTreeSet::new();
        for node in top.find("failure").into_iter().flat_map(Node::each) {
            let failure = self.failure(node, &names, grids);
            for claim in failure.iter().flat_map(|failure| &failure.claims) {
                if !explained.insert(claim.clone()) {
                    self.fault(node, format!("two failures explain `{claim}`"));
                }
            }
            claims.failures.extend(failure);
        }
        claims
    }

    /// Why claims do not hold. `names` are those of all claims.
    fn failure(&mut self, node: &Node, names: &BTreeSet<String>, grids: &[Grid]) -> Option<Failure> {
        let table = self.section(Some(node), "", &FAILURE);
        let mut needed = |key: &str| {
            let found = table.find(key);
            if found.is_none() {
                self.fault(node, format!("a failure needs the key `{key}`"));
            }
            found
        };
        let (claims, cause, text) = (needed("claims"), needed("cause"), needed("text"));
        let claims = claims.map(|node| self.named(node, "claims", names.iter().map(String::as_str)));
        let cause = cause.and_then(|node| self.one_of(node, "cause", &Cause::ALL.map(|cause| (cause.name(), cause))));
        let text = text.and_then(|node| self.text(node, "text")).map(str::to_owned);
        let shown_by = table.find("grids").map(|node| self.named(node, "grids", grids.iter().map(|grid| &*grid.name)));
        match (cause, &shown_by) {
            (Some(Cause::Unknown), Some(_)) => {
                let place = table.find("grids").unwrap_or(node);
                self.fault(place, "a cause that is unknown is shown by no grid: name the cause, or leave `grids` out");
            }
            (Some(cause), None) if cause != Cause::Unknown => {
                let message = "a failure needs the key `grids`, those that show its cause, or cause = \"unknown\"";
                self.fault(node, message);
            }
            _ => {}
        }
        Some(Failure { claims: claims?, cause: cause?, text: text?, grids: shown_by.unwrap_or_default() })
    }

    /// Names, at least one, each of something that is there.
    fn named<'n>(&mut self, node: &Node, key: &str, known: impl Iterator<Item = &'n str> + Clone) -> Vec<String> {
        if node.each().is_empty() {
            self.fault(node, format!("{key} = []: name at least one"));
        }
        let names = self.texts(node, key);
        for name in names.iter().filter(|name| known.clone().all(|one| one != *name)) {
            let near =
                nearest(name, known.clone()).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            self.fault(node, format!("{key}: there is none of the name `{name}`{near}"));
        }
        names
    }

    /// The keys of a claim, looked at before.
    fn section_of<'t>(&self, node: &'t Node) -> Section<'t> {
        Self::default().section(Some(node), "", &CLAIM)
    }

    fn claim(&mut self, node: &Node) -> Option<Claim> {
        let table = self.section(Some(node), "", &CLAIM);
        let mut text = |key: &str| match table.find(key) {
            Some(node) => self.text(node, key).map(str::to_owned),
            None => {
                self.fault(node, format!("a claim needs the key `{key}`"));
                None
            }
        };
        let (name, words, source) = (text("name"), text("text"), text("source"));
        text("kind")?;
        let kinds = KINDS.map(|kind| (kind.0, kind));
        let (kind, needed, allowed) = self.one_of(table.find("kind")?, "kind", &kinds)?;
        for key in KEYS {
            match table.find(key) {
                None if needed.contains(&key) => {
                    self.fault(node, format!("a claim of kind `{kind}` needs the key `{key}`"))
                }
                Some(at) if !needed.contains(&key) && !allowed.contains(&key) => {
                    self.fault(at, format!("a claim of kind `{kind}` has no key `{key}`"));
                }
                _ => {}
            }
        }
        let published = table.find("published").and_then(|node| match &node.value {
            Value::Text(text) => Some(Figure::Of(text.clone())),
            _ => self.number(node, "published").map(Figure::Is),
        });
        let only = table.find("only").and_then(|node| {
            let only = if let Value::Text(text) = &node.value { CorpusName::parse(text) } else { None };
            if only.is_none() {
                self.fault(node, format!("only = {}: {} is needed", quoted(node), CorpusName::EXPECTED));
            }
            only
        });
        let test = self.test(&table, kind)?;
        Some(Claim { name: name?, text: words?, source: source?, published, only, test })
    }

    fn test(&mut self, table: &Section, kind: &str) -> Option<Test> {
        let a = table.find("a").map(|node| self.selector(node));
        let others = table.find("others").map(|node| {
            if node.each().is_empty() {
                self.fault(node, "others = []: there is nothing to compare with; name at least one row");
            }
            node.each().iter().map(|node| self.selector(node)).collect()
        });
        let metrics: Vec<(&str, Metric)> = metrics_of(kind).iter().map(|metric| (metric.name(), *metric)).collect();
        let metric = table.find("metric").filter(|_| !metrics.is_empty());
        let metric = metric.and_then(|node| self.one_of(node, "metric", &metrics));
        if metric != Some(Metric::LearningTime) {
            let rows = table.find("a").into_iter().chain(table.find("others").into_iter().flat_map(Node::each));
            for row in rows {
                if let Some(node) = Self::default().section(Some(row), "", &SELECTOR).find("threads") {
                    self.fault(node, "`threads` is a key of rows whose `learning-time` is measured".to_owned());
                }
            }
        }
        let accuracy = match table.find("metric").filter(|_| COMPARES_ACCURACY.contains(&kind)) {
            Some(node) => self.one_of(node, "metric", &Accuracy::ALL.map(|one| (one.name(), one))),
            None => Some(Accuracy::default()),
        };
        let mut ranged = |key: &str, rule: &str, fits: fn(f64) -> bool| {
            let node = table.find(key)?;
            let value = self.number(node, key)?;
            if !value.is_finite() || !fits(value) {
                self.fault(node, format!("{key} = {}: {rule}", plain(value)));
            }
            Some(value)
        };
        let level = ranged("level", "a level lies above 0 and below 0.5", |v| v > 0.0 && v < 0.5);
        let tolerance = ranged("tolerance", "it is not negative", |v| v >= 0.0);
        let relative = ranged("relative", "it is not negative", |v| v >= 0.0);
        let [value, low, high] = ["value", "low", "high"].map(|key| ranged(key, "a finite number is needed", |_| true));
        if let (Some(node), None, None) = (table.find("others").filter(|_| kind == "ratio"), low, high) {
            self.fault(node, "a claim of kind `ratio` needs the key `low` or `high`");
        }
        if let (Some(node), Some(low), Some(high)) = (table.find("low"), low, high)
            && low > high
        {
            self.fault(node, format!("low = {low} is above high = {high}: no ratio lies between them"));
        }
        if let (Some(node), true, Some(low)) = (table.find("low"), kind == "share", low)
            && !(0.0..=1.0).contains(&low)
        {
            self.fault(node, format!("low = {}: a share lies from 0 to 1", plain(low)));
        }
        let to_length = table.find("to_length").and_then(|node| self.whole(node, "to_length", 0));
        Some(match kind {
            "largest" => Test::Largest { a: a?, others: others?, metric: accuracy?, level: level? },
            "better" => Test::Better { a: a?, others: others?, metric: accuracy?, level: level? },
            "no-better" => {
                Test::NoBetter { a: a?, others: others?, metric: accuracy?, tolerance: tolerance?, level: level? }
            }
            "within" => {
                Test::Within { a: a?, others: others?, metric: accuracy?, tolerance: tolerance?, level: level? }
            }
            "near" => Test::Near { a: a?, metric: metric?, value: value?, relative: relative? },
            "ratio" => Test::Ratio { a: a?, others: others?, metric: metric?, low, high },
            "share" => Test::Share { a: a?, metric: metric?, low: low? },
            "smooth-growth" => {
                Test::SmoothGrowth { a: a?, metric: metric?, to_length: to_length?, tolerance: tolerance? }
            }
            _ => Test::AllProven,
        })
    }

    fn selector(&mut self, node: &Node) -> Selector {
        let table = self.section(Some(node), "", &SELECTOR);
        let set = match table.find("set").map(|node| (node, &node.value)) {
            None if table.find("system").is_some() => None,
            None => {
                self.fault(node, "a row needs the key `set`, or `system` if it is of another parser");
                None
            }
            Some((node, value)) => {
                let set = if let Value::Text(text) = value { FeatureSet::from_names(text) } else { None };
                if set.is_none() {
                    let message = format!(
                        "the set {} is not known; a set is `baseline`, or families such as `sibling` joined by `+`",
                        quoted(node)
                    );
                    self.fault(node, message);
                }
                set
            }
        };
        let decoders = [Decoder::Dp, Decoder::Bnb, Decoder::PAPER];
        let decoder = table.find("decoder").and_then(|node| self.decoder(node, "decoder", &decoders));
        let all = Tags::ALL.map(|tags| (tags.name(), tags));
        let tags = table.find("tags").and_then(|node| self.one_of(node, "tags", &all));
        let backbones = Backbone::ALL.map(|backbone| (backbone.name(), backbone));
        let backbone = table.find("backbone").and_then(|node| self.one_of(node, "backbone", &backbones));
        let splits = Split::PARSED.map(|split| (split.name(), split));
        let split = table.find("split").and_then(|node| self.one_of(node, "split", &splits));
        let templates = table.find("templates").and_then(|node| {
            let templates = if let Value::Text(text) = &node.value { TemplatesName::parse(text) } else { None };
            if templates.is_none() {
                self.fault(node, format!("templates = {}: {} is needed", quoted(node), TemplatesName::EXPECTED));
            }
            templates
        });
        let learner = table.find("learner").and_then(|node| {
            let learner = if let Value::Text(text) = &node.value { Learner::parse(text) } else { None };
            if learner.is_none() {
                self.fault(node, format!("learner = {} is not known; it can be {}", quoted(node), Learner::EXPECTED));
            }
            learner
        });
        let system = table.find("system").and_then(|node| {
            let system = if let Value::Text(text) = &node.value { SystemName::parse(text) } else { None };
            if system.is_none() {
                self.fault(node, format!("system = {}: {} is needed", quoted(node), SystemName::EXPECTED));
            }
            system
        });
        if system.is_some() {
            for key in ["set", "pruning", "decoder", "backbone", "learner", "templates", "threads"] {
                if let Some(node) = table.find(key) {
                    self.fault(node, format!("a row of another system has no key `{key}`"));
                }
            }
        }
        Selector {
            set,
            system,
            decoder,
            tags,
            split,
            backbone,
            learner,
            templates,
            pruning: table.find("pruning").and_then(|node| self.pruning(node, "pruning")),
            threads: table.find("threads").and_then(|node| self.whole(node, "threads", 1)),
        }
    }
}

/// The kinds of claims, the keys that each needs, and those that it may have.
const KINDS: [(&str, &[&str], &[&str]); 9] = [
    ("largest", &["a", "others", "level"], &["metric", "published"]),
    ("better", &["a", "others", "level"], &["metric", "published"]),
    ("no-better", &["a", "others", "tolerance", "level"], &["metric", "published"]),
    ("within", &["a", "others", "tolerance", "level"], &["metric", "published"]),
    ("near", &["a", "metric", "value", "relative"], &[]),
    ("ratio", &["a", "others", "metric"], &["low", "high", "published"]),
    ("all-proven", &[], &[]),
    ("share", &["a", "metric", "low"], &["published"]),
    ("smooth-growth", &["a", "metric", "to_length", "tolerance"], &[]),
];

/// The kinds that compare accuracies: of words, unless `metric` says another.
const COMPARES_ACCURACY: [&str; 4] = ["largest", "better", "no-better", "within"];

/// What can be measured in a kind of claim.
fn metrics_of(kind: &str) -> &'static [Metric] {
    match kind {
        "near" => &[Metric::DpCalls, Metric::Time, Metric::LearningTime, Metric::Uas],
        "ratio" => &[Metric::DpCalls, Metric::Time, Metric::LearningTime],
        "smooth-growth" => &[Metric::DpCalls, Metric::Time],
        "share" => &[Metric::Proven, Metric::AtRoot],
        _ => &[],
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
            // Tables have them in another order: each stands alone.
            assert!(claims.iter().all(|claim| !claim.text.starts_with("So ")), "{name}");
        }
        assert_eq!(list("papers"), None);
    }
}
