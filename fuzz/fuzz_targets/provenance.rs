//! Provenance files: of any TOML, cells and versions are asked for, and cells whose rows are gone are taken out.
#![no_main]

use std::collections::BTreeSet;

use libfuzzer_sys::fuzz_target;
use treebound::provenance::Earlier;
use treebound_fuzz::{path, seed};

const SEED: &str = r#"[run.main]
command = "treebound run a.toml"
threads = 2

[run.main.program]
version = "0.1.0"
[run.main.program.versions]
model = 2

[run.main.machine]
cpu = "a"
[[run.main.data]]
what = "treebank"
[run.main.cells]
"a cell" = "rows-56"
b = "rows-57"

[time]
command = "treebound measure time a.toml"
"#;

fuzz_target!(init: seed([SEED, "run = 1\n", "[run]\nmain = { command = 1, cells = { a = 2 } }\n"]), |data: &str| {
    let Ok(earlier) = Earlier::parse(data, path()) else { return };
    for verb in ["run", "time"] {
        let cells_of = |provenance: &Earlier| -> usize {
            provenance.made_of().iter().filter(|made| made.verb == verb).filter_map(|made| made.cells).sum()
        };
        let cells = cells_of(&earlier);
        let kept = earlier.clone().keep(verb, &BTreeSet::from(["a cell".to_owned()]));
        let left = cells_of(&kept);
        assert!(left <= cells, "{left} of {cells}");
    }
});
