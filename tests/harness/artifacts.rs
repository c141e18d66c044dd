//! The artifacts that a tiny experiment keeps have the bytes that they had before, or their kind has another version.
//!
//! Artifacts are found again by keys that hold the version of their kind. Who changes what an artifact is made of and does not
//! raise its version gets the old one back; who raises a version retires every artifact of that kind, everywhere. So bytes
//! and versions must change together. `tests/golden/artifacts.toml` has both, by kind: tags, pruners, the models of each
//! system and the rows of its answers. A kind's checksum is over the contents of its artifacts, sorted: names and the
//! order of work do not count, and nothing in an artifact is of the machine.

mod kinds;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::desk::Desk;
use kinds::{Artifacts, Golden, Kind, faults, needless, own_versions, silent, stage};
use treebound::experiment::store::sha256;
use treebound::experiment::times;

/// Every kind of work that leads to an artifact: tagging, both rules of pruning, both learners, both dynamic programs, both
/// searches, a system that learns nothing, and a parser by command line that learns.
const CONFIG: &str = r#"
seeds = 1
tags = "predicted"

[[corpus]]
name = "made"
format = "synthetic"

[corpus.synthetic]
seed = 7
train = 60
dev = 15
test = 15
vocabulary = 500

[tagger]
epochs = 1
folds = 2

[pruner]
epochs = 1

[training]
epochs = 2
choose_epoch = "dev"
pruning = "k=4"
dp_calls = 10

[decoding]
dp_calls = 20

[[external]]
name = "outside"
version = ["echo", "outside 1.2"]
train = [
    "sh", "-c", 'printf "%s words, seed %s\n" "$(grep -c . "$1")" "$2" > "$3"', "sh", "{train}", "{seed}", "{model}",
]
parse = ["awk", 'BEGIN { FS = OFS = "\t" } NF == 10 { $7 = $1 - 1; $8 = "dep" } { print }', "{input}"]

[[grid]]
name = "graph"
learners = ["perceptron", "mira"]
sets = ["comb+grandchild+hand+sibling"]
pruning = ["k=4", "t=0.05"]
decoders = ["bnb", "paper+give-up=never"]
backbones = ["carreras", "grand-sibling"]

[[grid]]
name = "others"
systems = ["chain-before", "chain-after", "outside"]
"#;

const SYSTEMS: [&str; 4] = ["graph", "chain-before", "chain-after", "outside"];

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/artifacts.toml")
}

#[test]
fn the_bytes_of_artifacts_change_with_their_versions() {
    let found = made();
    let text = fs::read_to_string(file()).unwrap_or_default();
    let golden: Golden = toml::from_str(&text).expect("checksums");
    let is_asked_for = std::env::var("TREEBOUND_GOLDEN").as_deref() == Ok("write");
    // Writing makes no version right: bytes that changed without one are refused, unless the experiment is another.
    let faults = if is_asked_for { silent(&golden, &found) } else { faults(&golden, &found) };
    assert!(faults.is_empty(), "{}\n", faults.join("\n"));
    if is_asked_for {
        fs::write(file(), format!("{HEADER}{}", toml::to_string(&found).expect("TOML"))).expect("written");
    }
}

const HEADER: &str = "# The artifacts of a tiny experiment, and the versions that made them: see tests/artifacts.rs.\n\
    # `TREEBOUND_GOLDEN=write cargo test --test artifacts` writes this again.\n\n";

/// Runs the experiment, each system with a store of its own, and sums up what is in the stores.
fn made() -> Golden {
    let desk = Desk::new();
    desk.write("artifacts.toml", CONFIG);
    let mut golden = Golden::default();
    golden.experiment.insert("config".to_owned(), sha256(CONFIG.as_bytes()));
    for system in SYSTEMS {
        let (cache, filter) = (format!("{system}/cache"), format!("/{system}/"));
        desk.treebound(&["run", "artifacts.toml", "-q", "--out", system, "--cache", &cache, "-f", &filter]).success();
        let provenance: toml::Table =
            desk.read(&format!("{system}/results/artifacts/provenance.toml")).parse().expect("TOML");
        let runs = provenance["run"].as_array().expect("runs");
        let [run] = &runs[..] else { panic!("one run: {runs:?}") };
        for data in run["data"].as_array().into_iter().flatten() {
            let [what, name, sum] = ["what", "name", "sha256"].map(|key| data[key].as_str().expect("a text"));
            golden.experiment.insert(format!("{what} {name}"), sum.to_owned());
        }
        let versions = &run["program"]["versions"];
        let bodies = bodies(&desk, system);
        // What a kind is made of decides its bytes too: its versions are its own and theirs.
        let mut so_far = BTreeMap::new();
        for (kind, bodies) in bodies {
            for version in own_versions(&kind) {
                so_far.insert(version.clone(), versions[&version].as_integer().expect("a version"));
            }
            let artifacts = Artifacts { versions: so_far.clone(), artifacts: bodies.len(), sha256: checksum(bodies) };
            let other = golden.kinds.insert(kind.to_string(), artifacts.clone());
            assert!(other.is_none_or(|other| other == artifacts), "{kind}: all systems have the same");
        }
    }
    golden
}

/// The contents of the artifacts in the store of a system by kind, in the order in which they are made. Kinds whose artifacts
/// are all empty are left out: they cannot change.
fn bodies(desk: &Desk, system: &str) -> Vec<(Kind, Vec<Vec<u8>>)> {
    let mut all: BTreeMap<(u8, Kind), Vec<Vec<u8>>> = BTreeMap::new();
    for (name, mut bytes) in desk.files(&format!("{system}/cache")) {
        let name = name.to_string_lossy().into_owned();
        // How long artifacts took is of the machine.
        if name == times::FILE {
            continue;
        }
        let (kind, _) = name.rsplit_once('-').expect("a kind and a digest");
        let kind = Kind::of(kind, system);
        let sum = bytes.split_off(bytes.len() - 32);
        let with_key = [format!("{name}\n").as_bytes(), &bytes].concat();
        let is_whole = sha256(&with_key) == sum.iter().map(|b| format!("{b:02x}")).collect::<String>();
        assert!(is_whole, "{name} ends with a checksum of its name and the rest");
        all.entry((stage(&kind), kind)).or_default().push(bytes);
    }
    all.retain(|_, bodies| bodies.iter().any(|body| !body.is_empty()));
    all.into_iter().map(|((_, kind), bodies)| (kind, bodies)).collect()
}

fn checksum(mut bodies: Vec<Vec<u8>>) -> String {
    bodies.sort();
    let with_lengths = bodies.iter().flat_map(|body| [&(body.len() as u64).to_le_bytes()[..], &body[..]].concat());
    sha256(&with_lengths.collect::<Vec<u8>>())
}

/// Versions by name.
type Versions<'a> = &'a [(&'a str, i64)];

fn golden(kinds: &[(&str, Versions, &str)]) -> Golden {
    let artifacts = |versions: Versions, sum: &str| Artifacts {
        versions: versions.iter().map(|(name, version)| ((*name).to_owned(), *version)).collect(),
        artifacts: 1,
        sha256: sum.to_owned(),
    };
    let kinds = kinds.iter().map(|(kind, versions, sum)| ((*kind).to_owned(), artifacts(versions, sum))).collect();
    Golden { experiment: BTreeMap::new(), kinds }
}

/// Tags, models and rows of a system with these contents.
fn three(tags: (i64, &str), model: (i64, &str), rows: (i64, &str)) -> Golden {
    golden(&[
        ("tags", &[("tags", tags.0)], tags.1),
        ("model of s", &[("tags", tags.0), ("s-model", model.0)], model.1),
        ("rows of s", &[("tags", tags.0), ("s-model", model.0), ("rows", rows.0), ("s-answers", 1)], rows.1),
    ])
}

#[test]
fn a_change_without_a_version_is_a_fault_and_a_version_without_a_change() {
    let before = three((1, "a"), (1, "b"), (1, "c"));
    let after = |now: &Golden| faults(&before, now);
    assert_eq!(after(&before), [""; 0]);
    // Bytes and version change together; what is made of them may change, too.
    assert_eq!(after(&three((2, "A"), (1, "B"), (1, "C"))), [""; 0]);
    assert_eq!(after(&three((2, "A"), (1, "b"), (1, "c"))), [""; 0]);
    // Only the first kind that changed is told.
    let fault = "the bytes of model of s changed: raise its version in crates/parser/src/systems, or find out why";
    assert_eq!(after(&three((1, "a"), (1, "B"), (1, "C"))), [fault]);
    assert_eq!(silent(&before, &three((1, "a"), (1, "B"), (1, "C"))), [fault]);
    let fault = "the bytes of tags changed: raise its version in crates/experiment/src/versions.rs, or find out why";
    assert_eq!(after(&three((1, "A"), (1, "B"), (1, "C"))), [fault]);
    let fault = "the bytes of rows of s changed: raise its version in crates/experiment/src/versions.rs (rows) or \
                 crates/parser/src/systems (answers), or find out why";
    assert_eq!(after(&three((1, "a"), (1, "b"), (1, "C"))), [fault]);
    // A version is raised for something.
    let now = three((1, "a"), (2, "b"), (1, "C"));
    assert_eq!(
        after(&now),
        ["the version s-model is 2 where it was 1, but the bytes of model of s are as before: set it back, or write \
          the checksums again if the tiny experiment cannot show what changed"]
    );
    assert_eq!(needless(&before, &now).len(), 1);
    assert_eq!(silent(&before, &now), [""; 0]);
    // Another experiment has other bytes; kinds come and go.
    let mut other = three((1, "A"), (1, "B"), (1, "C"));
    other.experiment.insert("config".to_owned(), "other".to_owned());
    assert_eq!(after(&other), ["the tiny experiment is another (config): write the checksums again"]);
    assert_eq!(silent(&before, &other), [""; 0]);
    let fewer = golden(&[("tags", &[("tags", 1)], "a"), ("new", &[("new", 1)], "n")]);
    assert_eq!(
        after(&fewer),
        [
            "the kinds of artifacts are tags, new, where they were tags, model of s, rows of s: write the checksums again"
        ]
    );
}
