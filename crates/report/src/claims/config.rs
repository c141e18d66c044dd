//! `claims`, `[[claim]]` and `[[failure]]` of a config: the name of a list, the config's own claims, and why some do not hold.
//!
//! A kind of claim has keys of its own: one which is unknown, missing or of another kind is a fault with its line.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Cause, Claim, Failure, Figure, LISTS, Metric, Selector, Test};
use crate::statistics::accuracy::Accuracy;
use treebound_core::decode::{Backbone, Decoder};
use treebound_parser::cell::{CorpusName, FeatureSet, Learner, Split, SystemName, Tags, TemplatesName};
use treebound_parser::pruning::Rule;
use treebound_records::spanned::{
    self, AtLeast, Faults, Key, Many, Node, Reader, Renamed, Source, Value, listed, nearest,
};
use treebound_records::table;

table! {
    /// A claim about the results, which one comparison decides.
    Keys, "[[claim]]", "a claim" {
        /// Its name in results. Required.
        name: String, "\"siblings-help\"";
        /// What is claimed. Required.
        text: String, "\"Siblings help.\"";
        /// Where it is claimed. Required.
        source: String, "\"section 4.3\"";
        /// The figure that is claimed, to be shown beside ours: a number, or what a paper has of these rows on `PTB`, `CTB` or `PDT`.
        published: Figure, "0.36";
        /// The corpus that the claim is about; it is not judged on others.
        only: CorpusName, "\"ptb\"";
        /// The comparison: see [above](#claims). Required.
        kind: String, "\"better\"";
        /// The row that is compared.
        a: Row, "{ set = \"sibling\" }";
        /// The rows that it is compared with.
        others: Many<Row>, "[{ set = \"baseline\" }]";
        /// What is measured: an accuracy (`uas`, `root`, `complete`), `dp-calls`, `time`, `learning-time`, `proven` or `at-root`, as
        /// the kind has it.
        metric: String, "\"dp-calls\"";
        /// Level of the test: above 0, below 0.5.
        level: f64, "0.05";
        /// Points of accuracy that do not matter; for `smooth-growth` the share of the variation that the curve may leave.
        tolerance: f64, "0.1";
        /// The published value that a measure is near.
        value: f64, "54.7";
        /// The share of that value that the difference may come to.
        relative: f64, "0.1";
        /// The least ratio or share.
        low: f64, "1.0";
        /// The largest ratio.
        high: f64, "3.0";
        /// The longest sentences that count.
        to_length: u64, "60";
    }
}

table! {
    /// A row of results. What is left out is usual: `k=10`, the perceptron, Carreras's program; decoder, templates and part of the
    /// config's first grid; each of its tags in turn. A row of another system has `system`, `tags` and `split` alone.
    Row, "[[claim]] a, others", "a row" {
        /// The feature set. Required for rows of the system `graph`.
        set: String, "\"comb+sibling\"";
        /// Another system.
        system: SystemName, "\"udpipe\"";
        /// Candidate heads.
        pruning: Rule, "\"k=3\"";
        /// The decoder.
        decoder: String, "\"paper\"";
        /// The dynamic program.
        backbone: Backbone, "\"grand-sibling\"";
        /// The learner.
        learner: Learner, "\"mira\"";
        /// The template set.
        templates: TemplatesName, "\"paper\"";
        /// Whose tags.
        tags: Tags, "\"predicted\"";
        /// The part.
        split: String, "\"dev\"";
        /// For `learning-time`: the threads that it was learnt on.
        threads: AtLeast<1>, "2";
    }
}

table! {
    /// Why claims do not hold, where an experiment of the same config shows it. It is shown beside the verdict.
    FailureKeys, "[[failure]]", "a failure" {
        /// The names of the claims. Required.
        claims: Many<String>, "[\"dp-calls\"]";
        /// What they fail by. Required.
        cause: Cause, "\"learner\"";
        /// The reason in a sentence. Required.
        text: String, "\"Learnt with MIRA, the search takes what the paper has.\"";
        /// The grids that show it. Required, unless the cause is unknown.
        grids: Many<String>, "\"calls-unpruned\"";
    }
}

/// The keys of claims in Markdown, as `docs/CONFIGURE.md` has them.
pub fn reference() -> String {
    [spanned::reference::<Keys>(), spanned::reference::<Row>(), spanned::reference::<FailureKeys>()].join("\n")
}

/// What keys of rows were called before.
const RENAMED: &[Renamed] = &[
    Renamed {
        table: "a row",
        key: "k",
        message: |node| format!("`k` is called `pruning` now: write pruning = \"k={}\"", node.shown()),
    },
    Renamed {
        table: "a row",
        key: "trainer",
        message: |node| format!("`trainer` is called `learner` now: write learner = {}", node.shown()),
    },
];

/// The keys that some kinds have and others do not.
const OF_KINDS: [&str; 11] =
    ["a", "others", "metric", "level", "tolerance", "value", "relative", "low", "high", "to_length", "published"];

/// A kind of claims: its name, the keys that it needs, those that it may have, and what can be measured for it, if it does not
/// compare accuracies.
type Kind = (&'static str, &'static [&'static str], &'static [&'static str], &'static [Metric]);

const KINDS: [Kind; 9] = [
    ("largest", &["a", "others", "level"], &["metric", "published"], &[]),
    ("better", &["a", "others", "level"], &["metric", "published"], &[]),
    ("no-better", &["a", "others", "tolerance", "level"], &["metric", "published"], &[]),
    ("within", &["a", "others", "tolerance", "level"], &["metric", "published"], &[]),
    (
        "near",
        &["a", "metric", "value", "relative"],
        &[],
        &[Metric::DpCalls, Metric::Time, Metric::LearningTime, Metric::Uas],
    ),
    (
        "ratio",
        &["a", "others", "metric"],
        &["low", "high", "published"],
        &[Metric::DpCalls, Metric::Time, Metric::LearningTime],
    ),
    ("all-proven", &[], &[], &[]),
    ("share", &["a", "metric", "low"], &["published"], &[Metric::Proven, Metric::AtRoot]),
    ("smooth-growth", &["a", "metric", "to_length", "tolerance"], &[], &[Metric::DpCalls, Metric::Time]),
];

/// The claims of a config.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Claims {
    /// Those of the list that it names, then its own.
    pub all: Vec<Claim>,
    /// Why some of them do not hold.
    pub failures: Vec<Failure>,
}

impl Claims {
    /// Reads the name of a list, the claims of a config and its failures. `grids` are the names of its grids.
    ///
    /// # Errors
    /// All that is wrong with them, each with its line.
    pub fn read(list: Option<&Node>, own: &[Node], failures: &[Node], grids: &[&str]) -> Result<Self, Faults> {
        let reader = Reader::new(RENAMED);
        let mut all = Vec::new();
        if let Some(key) = list.and_then(|node| reader.read::<Key<String>>("claims", node)) {
            all.extend(choose(&reader, &key, &LISTS).into_iter().flat_map(listed_claims));
        }
        let mut names: BTreeSet<String> = all.iter().map(|claim| claim.name.clone()).collect();
        for key in own.iter().filter_map(|node| reader.read::<Key<Keys>>("claim", node)) {
            if let Some(keys) = key.value()
                && let Some(name) = keys.name.value().filter(|name| !names.insert((*name).clone()))
            {
                reader.fault(&keys.name, format!("two claims are named `{name}`"));
            }
            all.extend(claim(&reader, &key));
        }
        let (mut explained, mut read) = (BTreeSet::new(), Vec::new());
        for key in failures.iter().filter_map(|node| reader.read::<Key<FailureKeys>>("failure", node)) {
            let Some(failure) = failure(&reader, &key, &names, grids) else { continue };
            for claim in &failure.claims {
                if !explained.insert(claim.clone()) {
                    reader.fault(&key, format!("two failures explain `{claim}`"));
                }
            }
            read.push(failure);
        }
        let faults = reader.into_faults();
        if faults.is_empty() { Ok(Self { all, failures: read }) } else { Err(Faults::new(faults)) }
    }
}

/// The claims of a list of this project, which is faultless.
fn listed_claims(text: &str) -> Vec<Claim> {
    let reader = Reader::default();
    let entries = spanned::parse(text, &Arc::new(Source::default())).unwrap_or_default();
    let claims = entries.get("claim").map_or(&[][..], Node::each);
    claims.iter().filter_map(|node| claim(&reader, &reader.read("claim", node)?)).collect()
}

/// One of several names.
fn choose<T: Copy>(reader: &Reader, key: &Key<String>, choice: &[(&str, T)]) -> Option<T> {
    let name = key.value()?;
    let found = choice.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
    if found.is_none() {
        let names = listed(choice.iter().map(|(name, _)| name));
        reader.wrong(key, format!("is not known; it can be {names}"));
    }
    found
}

/// The value of a key that a table needs.
fn needed<'k, T, W>(reader: &Reader, table: &Key<W>, kind: &str, key: &'k Key<T>, name: &str) -> Option<&'k T> {
    if !key.is_given() {
        reader.fault(table, format!("{kind} needs the key `{name}`"));
    }
    key.value()
}

/// Why claims do not hold. `names` are those of all claims.
fn failure(reader: &Reader, at: &Key<FailureKeys>, names: &BTreeSet<String>, grids: &[&str]) -> Option<Failure> {
    let keys = at.value()?;
    needed(reader, at, "a failure", &keys.claims, "claims");
    let cause = needed(reader, at, "a failure", &keys.cause, "cause").copied();
    let text = needed(reader, at, "a failure", &keys.text, "text").cloned();
    match cause {
        Some(Cause::Unknown) if keys.grids.is_given() => {
            let message = "a cause that is unknown is shown by no grid: name the cause, or leave `grids` out";
            reader.fault(&keys.grids, message);
        }
        Some(cause) if cause != Cause::Unknown && !keys.grids.is_given() => {
            let message = "a failure needs the key `grids`, those that show its cause, or cause = \"unknown\"";
            reader.fault(at, message);
        }
        _ => {}
    }
    let claims = known_names(reader, &keys.claims, "claims", names.iter().map(String::as_str));
    let grids = known_names(reader, &keys.grids, "grids", grids.iter().copied());
    Some(Failure { claims, cause: cause?, text: text?, grids })
}

/// Names, at least one, each of something that is there.
fn known_names<'n>(
    reader: &Reader,
    key: &Key<Many<String>>,
    of: &str,
    known: impl Iterator<Item = &'n str> + Clone,
) -> Vec<String> {
    if key.value().is_some_and(Vec::is_empty) {
        reader.wrong(key, "name at least one");
    }
    let names: Vec<String> = key.value().into_iter().flatten().filter_map(|name| name.value().cloned()).collect();
    for name in names.iter().filter(|name| known.clone().all(|one| one != *name)) {
        let near = nearest(name, known.clone()).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        reader.fault(key, format!("{of}: there is none of the name `{name}`{near}"));
    }
    names
}

fn claim(reader: &Reader, at: &Key<Keys>) -> Option<Claim> {
    let keys = at.value()?;
    let [name, text, source] = [(&keys.name, "name"), (&keys.text, "text"), (&keys.source, "source")]
        .map(|(key, name)| needed(reader, at, "a claim", key, name).cloned());
    needed(reader, at, "a claim", &keys.kind, "kind");
    let kinds = KINDS.map(|kind| (kind.0, kind));
    let (kind, needs, allows, metrics) = choose(reader, &keys.kind, &kinds)?;
    let node = reader.node(at)?;
    for key in OF_KINDS {
        match node.get(key) {
            None if needs.contains(&key) => {
                reader.fault(at, format!("a claim of kind `{kind}` needs the key `{key}`"));
            }
            Some(found) if !needs.contains(&key) && !allows.contains(&key) => {
                reader.fault_at(&found.place, format!("a claim of kind `{kind}` has no key `{key}`"));
            }
            _ => {}
        }
    }
    let test = test(reader, keys, kind, metrics)?;
    let (published, only) = (keys.published.value().cloned(), keys.only.value().cloned());
    Some(Claim { name: name?, text: text?, source: source?, published, only, test })
}

fn test(reader: &Reader, keys: &Keys, kind: &str, metrics: &[Metric]) -> Option<Test> {
    if keys.others.value().is_some_and(Vec::is_empty) {
        reader.wrong(&keys.others, "there is nothing to compare with; name at least one row");
    }
    let rows: Vec<&Key<Row>> = keys.others.value().into_iter().flatten().collect();
    let names: Vec<(&str, Metric)> = metrics.iter().map(|metric| (metric.name(), *metric)).collect();
    let metric = if metrics.is_empty() { None } else { choose(reader, &keys.metric, &names) };
    if metric != Some(Metric::LearningTime) {
        for row in rows.iter().copied().chain([&keys.a]).filter_map(Key::value) {
            reader.fault(&row.threads, "`threads` is a key of rows whose `learning-time` is measured");
        }
    }
    let accuracy = match metrics.is_empty() && keys.metric.is_given() {
        true => choose(reader, &keys.metric, &Accuracy::ALL.map(|one| (one.name(), one))),
        false => Some(Accuracy::default()),
    };
    let ranged = |key: &Key<f64>, fits: fn(f64) -> bool, rule: &str| {
        let value = *key.value()?;
        if !value.is_finite() || !fits(value) {
            reader.wrong(key, rule);
        }
        Some(value)
    };
    let level = ranged(&keys.level, |v| v > 0.0 && v < 0.5, "a level lies above 0 and below 0.5");
    let tolerance = ranged(&keys.tolerance, |v| v >= 0.0, "it is not negative");
    let relative = ranged(&keys.relative, |v| v >= 0.0, "it is not negative");
    let [value, low, high] =
        [&keys.value, &keys.low, &keys.high].map(|key| ranged(key, |_| true, "a finite number is needed"));
    if kind == "ratio" && low.is_none() && high.is_none() {
        reader.fault(&keys.others, "a claim of kind `ratio` needs the key `low` or `high`");
    }
    if let (Some(low), Some(high)) = (low, high)
        && low > high
    {
        reader.fault(&keys.low, format!("low = {low} is above high = {high}: no ratio lies between them"));
    }
    if kind == "share" && low.is_some_and(|low| !(0.0..=1.0).contains(&low)) {
        reader.wrong(&keys.low, "a share lies from 0 to 1");
    }
    if kind == "all-proven" {
        return Some(Test::AllProven);
    }
    let others: Vec<Selector> = rows.iter().filter_map(|row| selector(reader, row)).collect();
    let (a, to_length) = (selector(reader, &keys.a)?, keys.to_length.value().copied());
    Some(match kind {
        "largest" => Test::Largest { a, others, metric: accuracy?, level: level? },
        "better" => Test::Better { a, others, metric: accuracy?, level: level? },
        "no-better" => Test::NoBetter { a, others, metric: accuracy?, tolerance: tolerance?, level: level? },
        "within" => Test::Within { a, others, metric: accuracy?, tolerance: tolerance?, level: level? },
        "near" => Test::Near { a, metric: metric?, value: value?, relative: relative? },
        "ratio" => Test::Ratio { a, others, metric: metric?, low, high },
        "share" => Test::Share { a, metric: metric?, low: low? },
        _ => Test::SmoothGrowth { a, metric: metric?, to_length: to_length?, tolerance: tolerance? },
    })
}

fn selector(reader: &Reader, at: &Key<Row>) -> Option<Selector> {
    let row = at.value()?;
    let set = row.set.value().and_then(|text| FeatureSet::from_names(text));
    if !row.set.is_given() && !row.system.is_given() {
        reader.fault(at, "a row needs the key `set`, or `system` if it is of another parser");
    }
    if row.set.value().is_some() && set.is_none() {
        reader.wrong(&row.set, "is not known; it can be `baseline`, or families such as `sibling` joined by `+`");
    }
    let decoder = row.decoder.value().and_then(|text| Decoder::parse(text));
    let decoder = decoder.filter(|decoder| matches!(decoder, Decoder::Dp | Decoder::Bnb | Decoder::Paper(_)));
    if row.decoder.value().is_some() && decoder.is_none() {
        let known = listed([Decoder::Dp, Decoder::Bnb, Decoder::PAPER]);
        reader.wrong(&row.decoder, format!("is not known; it can be {known}, and readings such as `paper+polyak`"));
    }
    if let (true, Some(Value::Table(entries))) = (row.system.is_given(), reader.node(at).map(|node| node.value)) {
        for (key, node) in entries.iter().filter(|(key, _)| !["system", "tags", "split"].contains(&key.as_str())) {
            reader.fault_at(&node.place, format!("a row of another system has no key `{key}`"));
        }
    }
    Some(Selector {
        set,
        system: row.system.value().cloned(),
        decoder,
        tags: row.tags.value().copied(),
        split: choose(reader, &row.split, &Split::PARSED.map(|split| (split.name(), split))),
        backbone: row.backbone.value().copied(),
        learner: row.learner.value().cloned(),
        templates: row.templates.value().cloned(),
        pruning: row.pruning.value().copied(),
        threads: row.threads.value().map(|threads| threads.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_faultless_and_names_differ() {
        for (name, text) in LISTS {
            let claims = listed_claims(text);
            assert_eq!(claims.len(), text.matches("[[claim]]").count(), "{name}");
            let names: BTreeSet<&str> = claims.iter().map(|claim| claim.name.as_str()).collect();
            assert_eq!(names.len(), claims.len(), "{name}");
            // Tables have them in another order: each stands alone.
            assert!(claims.iter().all(|claim| !claim.text.starts_with("So ")), "{name}");
        }
    }

    #[test]
    fn examples_are_of_the_type_of_their_key() {
        let wrong = [spanned::wrong_examples::<Keys>(), spanned::wrong_examples::<Row>()];
        assert_eq!(wrong.concat(), spanned::wrong_examples::<FailureKeys>());
    }
}
