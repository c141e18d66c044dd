//! Provenance files: of any TOML, the last runs are asked for, and the treebanks that they read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treebound::provenance::Log;
use treebound_fuzz::{path, seed};

const SEED: &str = r#"[[run]]
verb = "run"
command = "treebound run a.toml"
config = "a.toml"
settings = "ab"
threads = 2
rows = 4

[run.program]
version = "0.1.0"
toolchain = "rustc"
target = "a"
profile = "release"
[run.program.versions]
rows = 2

[run.source]
commit = "abc"
dirty = false

[run.machine]
cpu = "a"
cores = 2
os = "b"

[[run.data]]
what = "treebank"
name = "a/test"
sha256 = "cd"
"#;

fuzz_target!(init: seed([SEED, "run = 1\n", "[[run]]\nverb = 'time'\n"]), |data: &str| {
    let Ok(log) = Log::parse(data, path()) else { return };
    for verb in ["run", "time"] {
        let last = log.last(verb);
        assert!(last.is_none_or(|entry| entry.verb == verb && entry.measures_alike(entry)));
    }
    assert!(log.treebanks().values().all(|sums| !sums.is_empty()));
});
