//! Pages with blocks. What is no block stays as it is, and without results no block changes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treebound::pages::{BLOCKS, Shelf, fill, known};
use treebound_fuzz::seed;

fuzz_target!(
    init: {
        let page = "Text.\n<!-- begin: table2 ewt grid=main,mira split=test columns=features,uas\n  pruning=k=10 -->\n\n| a |\n\n<!-- end -->\nMore.\n";
        let all: Vec<String> = BLOCKS.iter().map(|block| format!("<!-- begin: {} x -->\nold\n<!-- end -->\n", block.name)).collect();
        seed([page.to_owned(), all.concat(), "<!-- begin: templates compact paper -->\n\n<!-- end -->".to_owned()]);
    },
    |data: &str| {
        let faults = known("page.md", data);
        let filled = fill(&Shelf::new("no-such-folder"), "page.md", data);
        assert!(filled.faults.len() >= faults.len());
        if filled.differences.is_empty() {
            assert_eq!(filled.text, data);
        } else {
            // A page that is filled is full.
            let again = fill(&Shelf::new("no-such-folder"), "page.md", &filled.text);
            assert!(again.differences.is_empty() && again.text == filled.text, "{}", filled.text);
        }
    }
);
