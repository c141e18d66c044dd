//! `claims`, `[[claim]]` and `[[failure]]` of a config: the name of a list, the config's own claims, and why some do not hold.
//!
//! A kind of claim has keys of its own: one which is unknown, missing or of another kind is a fault with its line.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::finding::Failure;
use super::{Claim, Figure, Kind, LISTS, Metric, Selector};
use crate::measures::{MEASURES, Measure, Of};
use serde::de::IgnoredAny;
use treebound_records::spanned::{self, Faults, Key, Many, Node, Reader, Source, listed, nearest};
use treebound_records::table;

/// What reads axes off a config, given by who knows their values.
#[derive(Clone, Copy)]
pub struct Axes<'a> {
    /// The row that a claim names; none if it has a fault.
    pub row: &'a dyn Fn(&Reader, &Node) -> Option<Selector>,
    /// The name of a corpus; none if it is no name.
    pub corpus: fn(&Reader, &Node) -> Option<String>,
}

/// A row as it is written: [`Axes`] read it.
type Written = BTreeMap<String, IgnoredAny>;

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
        only: String, "\"ptb\"";
        /// What is asked: see [above](#claims). Required.
        kind: Kind, "\"difference\"";
        /// The row that is compared.
        a: Written, "{ set = \"sibling\" }";
        /// The rows that it is compared with: the claim is of each of them.
        others: Many<Written>, "[{ set = \"baseline\" }]";
        /// What is measured: a measure of tables such as `root_pct`, `time`, `learning-time`, `proven` or `at-root`, as the kind has
        /// it. Of a difference it is the UAS if it is left out.
        metric: String, "\"dp_calls_per_sentence\"";
        /// The lower end of the range: points, a ratio, a value, or a share from 0 to 1.
        low: f64, "1.0";
        /// The upper end of the range.
        high: f64, "3.0";
        /// What an interval leaves out, and the level of a test: above 0, below 0.5.
        level: f64 = "0.05", "0.01";
        /// The shortest sentences that count.
        from_length: u64, "10";
        /// The longest sentences that count.
        to_length: u64, "60";
    }
}

table! {
    /// Why claims do not hold, where an experiment of the same config shows it. It is shown beside the verdict.
    FailureKeys, "[[failure]]", "a failure" {
        /// The names of the claims. Required.
        claims: Many<String>, "[\"dp-calls\"]";
        /// What they fail by: `chance` (sentences or seeds happened to fall so), `treebank` (language, guidelines, length of
        /// sentences), `size` (of what is learnt from), `templates`, `learner`, `search` (its reading of the paper, or its
        /// limit), `program` (what it spends its time on) or `unknown` (no experiment tells). Required.
        cause: String, "\"learner\"";
        /// The reason in a sentence. Required.
        text: String, "\"Learnt with MIRA, the search takes what the paper has.\"";
        /// The grids that show it. Required, unless the cause is unknown.
        grids: Many<String>, "\"calls-unpruned\"";
    }
}

const UNKNOWN: &str = "unknown";
const CAUSES: [&str; 8] = ["chance", "treebank", "size", "templates", "learner", "search", "program", UNKNOWN];

/// The keys of claims in Markdown, as `docs/CONFIGURE.md` has them, with those of their rows.
pub fn reference(rows: &str) -> String {
    [&spanned::reference::<Keys>(), rows, &spanned::reference::<FailureKeys>()].join("\n")
}

/// The claims of a config.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Claims {
    /// Those of the list that it names, then its own.
    pub all: Vec<Claim>,
    /// Why some of them do not hold.
    pub failures: Vec<Failure>,
}

impl Claims {
    /// Reads the name of a list, the claims of a config and its failures. `grids` are the names of its grids, and `axes` read
    /// rows.
    ///
    /// # Errors
    /// All that is wrong with them, each with its line.
    pub fn read(
        list: Option<&Node>,
        own: &[Node],
        failures: &[Node],
        grids: &[&str],
        axes: Axes<'_>,
    ) -> Result<Self, Faults> {
        let reader = Reader::default();
        let mut all = Vec::new();
        if let Some(key) = list.and_then(|node| reader.read::<Key<String>>("claims", node)) {
            all.extend(choose(&reader, &key, &LISTS).into_iter().flat_map(|text| listed_claims(text, axes)));
        }
        let mut names: BTreeSet<String> = all.iter().map(|claim| claim.name.clone()).collect();
        for key in own.iter().filter_map(|node| reader.read::<Key<Keys>>("claim", node)) {
            if let Some(keys) = key.value()
                && let Some(name) = keys.name.value().filter(|name| !names.insert((*name).clone()))
            {
                reader.fault(&keys.name, format!("two claims are named `{name}`"));
            }
            all.extend(claim(&reader, &key, axes));
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
fn listed_claims(text: &str, axes: Axes<'_>) -> Vec<Claim> {
    let reader = Reader::default();
    let entries = spanned::parse(text, &Arc::new(Source::default())).unwrap_or_default();
    let claims = entries.get("claim").map_or(&[][..], Node::each);
    claims.iter().filter_map(|node| claim(&reader, &reader.read("claim", node)?, axes)).collect()
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
    needed(reader, at, "a failure", &keys.cause, "cause");
    let cause = choose(reader, &keys.cause, &CAUSES.map(|cause| (cause, cause)));
    let text = needed(reader, at, "a failure", &keys.text, "text").cloned();
    match cause {
        Some(UNKNOWN) if keys.grids.is_given() => {
            let message = "a cause that is unknown is shown by no grid: name the cause, or leave `grids` out";
            reader.fault(&keys.grids, message);
        }
        Some(cause) if cause != UNKNOWN && !keys.grids.is_given() => {
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

/// The measures that a kind can be about.
fn metrics(kind: Kind) -> Vec<(&'static str, Metric)> {
    let is_percent = |measure: &&Measure| matches!(measure.of, Of::Percent(..));
    let percents = || MEASURES.iter().filter(is_percent).map(|measure| (measure.name, Metric::Counted(measure)));
    let counts = || {
        MEASURES.iter().filter(|measure| measure.is_of_search()).map(|measure| (measure.name, Metric::Counted(measure)))
    };
    let (time, learning) = (("time", Metric::Time), ("learning-time", Metric::LearningTime));
    match kind {
        Kind::Difference => percents().collect(),
        Kind::Ratio => counts().chain([time, learning]).collect(),
        Kind::Value => counts().chain([time, learning]).chain(percents()).collect(),
        Kind::Share => vec![("proven", Metric::Proven), ("at-root", Metric::AtRoot)],
        Kind::Smoothness | Kind::Growth => counts().chain([time]).collect(),
    }
}

/// The keys that a kind needs, and those that it may have beside them.
fn keys_of(kind: Kind) -> (&'static [&'static str], &'static [&'static str]) {
    match kind {
        Kind::Difference => (&["a", "others"], &["metric", "low", "high", "level", "published"]),
        Kind::Ratio => (&["a", "others", "metric"], &["low", "high", "published"]),
        Kind::Value => (&["a", "metric"], &["low", "high", "published"]),
        Kind::Share => (&["metric", "low"], &["a", "published"]),
        Kind::Smoothness => (&["a", "metric", "to_length", "low"], &["from_length"]),
        Kind::Growth => (&["a", "metric"], &["from_length", "to_length", "low", "high", "published"]),
    }
}

/// The keys that some kinds have and others do not.
const OF_KINDS: [&str; 9] = ["a", "others", "metric", "low", "high", "level", "from_length", "to_length", "published"];

fn claim(reader: &Reader, at: &Key<Keys>, axes: Axes<'_>) -> Option<Claim> {
    let keys = at.value()?;
    let [name, text, source] = [(&keys.name, "name"), (&keys.text, "text"), (&keys.source, "source")]
        .map(|(key, name)| needed(reader, at, "a claim", key, name).cloned());
    let kind = *needed(reader, at, "a claim", &keys.kind, "kind")?;
    let (needs, allows) = keys_of(kind);
    let (node, kind_name) = (reader.node(at)?, kind.name());
    for key in OF_KINDS {
        match node.get(key) {
            None if needs.contains(&key) => {
                reader.fault(at, format!("a claim of kind `{kind_name}` needs the key `{key}`"));
            }
            Some(found) if !needs.contains(&key) && !allows.contains(&key) => {
                reader.fault_at(&found.place, format!("a claim of kind `{kind_name}` has no key `{key}`"));
            }
            _ => {}
        }
    }
    let metrics = metrics(kind);
    let usual = metrics.first().map(|(_, metric)| *metric).filter(|_| !needs.contains(&"metric"));
    let metric = if keys.metric.is_given() { choose(reader, &keys.metric, &metrics) } else { usual };
    if keys.others.value().is_some_and(Vec::is_empty) {
        reader.wrong(&keys.others, "there is nothing to compare with; name at least one row");
    }
    let written = |row: &Key<Written>| row.value().and_then(|_| reader.node(row));
    let a = written(&keys.a);
    let others: Vec<Node> = keys.others.value().into_iter().flatten().filter_map(written).collect();
    if metric != Some(Metric::LearningTime) {
        for threads in others.iter().chain(&a).filter_map(|row| row.get("threads")) {
            reader.fault_at(&threads.place, "`threads` is a key of rows whose `learning-time` is measured");
        }
    }
    let only = keys.only.value().and_then(|_| (axes.corpus)(reader, &reader.node(&keys.only)?));
    let range = range(reader, at, keys, kind);
    if keys.level.value().is_some_and(|level| !(*level > 0.0 && *level < 0.5)) {
        reader.wrong(&keys.level, "a level lies above 0 and below 0.5");
    }
    Some(Claim {
        name: name?,
        text: text?,
        source: source?,
        published: keys.published.value().cloned(),
        only,
        kind,
        metric: metric?,
        a: if keys.a.is_given() { Some((axes.row)(reader, &a?)?) } else { None },
        others: others.iter().filter_map(|row| (axes.row)(reader, row)).collect(),
        range,
        level: *keys.level.value()?,
        from_length: keys.from_length.value().copied().unwrap_or(1),
        to_length: keys.to_length.value().copied().unwrap_or(u64::MAX),
    })
}

/// The range of a claim, which has at least one end.
fn range(reader: &Reader, at: &Key<Keys>, keys: &Keys, kind: Kind) -> (f64, f64) {
    let ends = [&keys.low, &keys.high];
    for end in ends {
        if end.value().is_some_and(|value| !value.is_finite()) {
            reader.wrong(end, "a finite number is needed");
        }
    }
    let [low, high] = ends.map(|end| end.value().copied());
    if !keys.low.is_given() && !keys.high.is_given() {
        reader.fault(at, format!("a claim of kind `{}` needs the key `low` or `high`", kind.name()));
    }
    if let (Some(low), Some(high)) = (low, high)
        && low > high
    {
        reader.fault(&keys.low, format!("low = {low} is above high = {high}: nothing lies between them"));
    }
    let is_share = matches!(kind, Kind::Share | Kind::Smoothness);
    if is_share && low.is_some_and(|low| !(0.0..=1.0).contains(&low)) {
        reader.wrong(&keys.low, "a share lies from 0 to 1");
    }
    (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_of_the_type_of_their_key() {
        let wrong = [spanned::wrong_examples::<Keys>(), spanned::wrong_examples::<FailureKeys>()];
        assert_eq!(wrong.concat(), [""; 0]);
    }
}
