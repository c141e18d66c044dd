//! Kinds of artifacts with their checksums and versions, and what is wrong between those before and those now.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

/// A kind of artifact; models, rows and trees are a system's.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    kind: String,
    system: Option<String>,
}

impl Kind {
    /// The kind of an artifact that stands in the store of a system.
    pub fn of(kind: &str, system: &str) -> Self {
        let is_shared = ["tags", "pruner"].contains(&kind);
        Self { kind: kind.to_owned(), system: (!is_shared).then(|| system.to_owned()) }
    }

    fn read(text: &str) -> Self {
        match text.split_once(" of ") {
            Some((kind, system)) => Self::of(kind, system),
            None => Self { kind: text.to_owned(), system: None },
        }
    }
}

impl Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.system {
            Some(system) => write!(f, "{} of {system}", self.kind),
            None => f.write_str(&self.kind),
        }
    }
}

/// When a kind is made: later ones are made of earlier ones.
pub fn stage(kind: &Kind) -> u8 {
    match kind.kind.as_str() {
        "tags" => 0,
        "pruner" => 1,
        "model" => 2,
        _ => 3,
    }
}

/// The versions that stand for the code that makes a kind, as provenance names them.
pub fn own_versions(kind: &Kind) -> Vec<String> {
    match (kind.kind.as_str(), &kind.system) {
        ("rows" | "trees", Some(system)) => vec!["rows".to_owned(), format!("{system}-answers")],
        (kind, Some(system)) => vec![format!("{system}-{kind}")],
        (kind, None) => vec![kind.to_owned()],
    }
}

/// Where the versions of a kind stand.
fn place(kind: &Kind) -> &'static str {
    match (&kind.system, kind.kind.as_str()) {
        (None, _) => "crates/experiment/src/versions.rs",
        (Some(_), "rows" | "trees") => {
            "crates/experiment/src/versions.rs (rows) or crates/parser/src/systems (answers)"
        }
        (Some(_), _) => "crates/parser/src/systems",
    }
}

/// The artifacts of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artifacts {
    /// How many there are.
    pub artifacts: usize,
    /// Over their contents.
    pub sha256: String,
    /// The versions of the code that makes them, and of what they are made of.
    pub versions: BTreeMap<String, i64>,
}

/// All artifacts of an experiment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Golden {
    /// What the experiment is: checksums of its config, treebank and templates.
    #[serde(default)]
    pub experiment: BTreeMap<String, String>,
    /// Its artifacts by kind.
    #[serde(default)]
    pub kinds: BTreeMap<String, Artifacts>,
}

impl Golden {
    fn by_stage(&self) -> Vec<(Kind, &Artifacts)> {
        let mut kinds: Vec<_> = self.kinds.iter().map(|(kind, artifacts)| (Kind::read(kind), artifacts)).collect();
        kinds.sort_by_key(|(kind, _)| stage(kind));
        kinds
    }
}

/// All that is wrong.
pub fn faults(before: &Golden, now: &Golden) -> Vec<String> {
    if let Some(fault) = another(before, now) {
        return vec![fault];
    }
    [silent(before, now), needless(before, now)].concat()
}

/// That the two cannot be compared.
fn another(before: &Golden, now: &Golden) -> Option<String> {
    let names: BTreeSet<&String> = before.experiment.keys().chain(now.experiment.keys()).collect();
    let differs = |name: &&String| before.experiment.get(*name) != now.experiment.get(*name);
    let different: Vec<&str> = names.into_iter().filter(differs).map(String::as_str).collect();
    if !different.is_empty() {
        let different = different.join(", ");
        return Some(format!("the tiny experiment is another ({different}): write the checksums again"));
    }
    if before.kinds.keys().ne(now.kinds.keys()) {
        let list = |of: &Golden| of.by_stage().iter().map(|(kind, _)| kind.to_string()).collect::<Vec<_>>().join(", ");
        return Some(format!(
            "the kinds of artifacts are {}, where they were {}: write the checksums again",
            list(now),
            list(before)
        ));
    }
    None
}

/// Kinds whose bytes changed while no version of theirs did; of those that are made of each other, the first.
pub fn silent(before: &Golden, now: &Golden) -> Vec<String> {
    if before.experiment != now.experiment {
        return Vec::new();
    }
    let mut guilty: Vec<Kind> = Vec::new();
    for (kind, artifacts) in now.by_stage() {
        let Some(earlier) = before.kinds.get(&kind.to_string()) else { continue };
        let has_changed = earlier.sha256 != artifacts.sha256 && earlier.versions == artifacts.versions;
        let is_made_of =
            |other: &Kind| stage(other) < stage(&kind) && (other.system.is_none() || other.system == kind.system);
        if has_changed && !guilty.iter().any(is_made_of) {
            guilty.push(kind);
        }
    }
    let fault =
        |kind: &Kind| format!("the bytes of {kind} changed: raise its version in {}, or find out why", place(kind));
    guilty.iter().map(fault).collect()
}

/// Versions that are others while the bytes of no kind that they stand for changed.
pub fn needless(before: &Golden, now: &Golden) -> Vec<String> {
    let mut versions: BTreeMap<String, Change> = BTreeMap::new();
    for (kind, artifacts) in now.by_stage() {
        let Some(earlier) = before.kinds.get(&kind.to_string()) else { continue };
        for version in own_versions(&kind) {
            let (Some(&was), Some(&is)) = (earlier.versions.get(&version), artifacts.versions.get(&version)) else {
                continue;
            };
            let change = versions.entry(version).or_insert_with(|| Change { was, is, ..Change::default() });
            change.kinds.push(kind.to_string());
            change.shows |= earlier.sha256 != artifacts.sha256;
        }
    }
    versions.retain(|_, change| change.was != change.is && !change.shows);
    let fault = |(version, Change { was, is, kinds, .. }): (&String, &Change)| {
        format!(
            "the version {version} is {is} where it was {was}, but the bytes of {} are as before: set it back, or \
             write the checksums again if the tiny experiment cannot show what changed",
            kinds.join(", ")
        )
    };
    versions.iter().map(fault).collect()
}

/// A version before and now.
#[derive(Default)]
struct Change {
    was: i64,
    is: i64,
    /// What it stands for.
    kinds: Vec<String>,
    /// Whether the bytes of one of these changed.
    shows: bool,
}
