//! The rows of a cell as a finished artifact, behind its checksum.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use treebound::answer::{Count, Effort, Evaluated, Limit, Proof};
use treebound::cell::{CellKey, Setting};
use treebound::experiment::parsed::{decode_rows, encode_rows};
use treebound_fuzz::seed;

static CELL: LazyLock<CellKey> = LazyLock::new(|| {
    let axes = ["toy", "test", "gold", "graph", "compact", "mira", "sibling", "k=10", "carreras/bnb"];
    Setting::read(axes).expect("a setting").with_seed(1)
});

fn row(gold_kept: Option<u64>, proof: Proof, effort: Effort) -> Evaluated {
    Evaluated {
        tokens: 5,
        correct: 4,
        scored_tokens: 3,
        scored_correct: 2,
        root_correct: true,
        complete: false,
        gold_kept,
        heads_kept: gold_kept,
        proof,
        score: Some(-7),
        bound: None,
        effort,
    }
}

fuzz_target!(
    init: {
        let full = row(Some(5), Proof::Stopped(Limit::DpCalls), Effort::ZERO.with(Count::DpCalls, 6));
        seed([encode_rows(&[full, row(None, Proof::Heuristic, Effort::default())]), encode_rows(&[])]);
    },
    |data: &[u8]| {
        if let Ok(rows) = decode_rows(data, &CELL) {
            assert!((1..).zip(&rows).all(|(number, row)| row.sentence == number));
            // A row has sixteen numbers at least.
            assert!(rows.len() <= data.len() / 128);
        }
    }
);
