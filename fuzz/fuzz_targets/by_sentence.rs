//! Counts of each sentence in a row a cell. What is read is written as bytes that are read as the same; rows of sentences make
//! the same row of their cell.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treebound::experiment::rows::by_sentence::{CellSentences, parse, rows, text};
use treebound_fuzz::{path, seed};

/// Two cells of three sentences, the second with fields of the first, and one of seven.
fn sample() -> Vec<u8> {
    let cell = "toy,test,gold,graph,compact,mira,comb+sibling,k=10,carreras/bnb";
    let header = "corpus,split,tags,system,templates,learner,features,pruning,decoding,seed,tokens,not_scored,wrong,scored_wrong,\
                  root_wrong,incomplete,gold_lost,heads_kept,status,nodes,dp_calls";
    let first = "Z(62)a,123,345,111,010,101,0-0,300,030,123,(100)(101)1";
    format!("{header}\n{cell},1,{first}\n{cell},2,=,=,=,=,=,=,=,=,=,=,021\n{cell},3{}\n", ",0{7}".repeat(11))
        .into_bytes()
}

fuzz_target!(init: seed([sample()]), |data: &[u8]| {
    match parse(data, path()) {
        Ok(cells) => {
            let written = text(cells.clone()).expect("cells are distinct");
            let again = parse(&written, path()).expect("what was written");
            assert_eq!(text(again).expect("cells are distinct"), written);
            if let Ok(of_cells) = rows(&cells, path()) {
                assert_eq!(rows(&CellSentences::of(&of_cells), path()).expect("the same"), of_cells);
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
