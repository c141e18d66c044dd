//! Derived tables, as blocks of pages read them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treebound::records::sheet::records;
use treebound_fuzz::{path, seed};

fuzz_target!(
    init: seed([
        "corpus,split,tags,system,templates,learner,features,pruning,decoding,uas,p\n\
         toy,test,gold,graph,compact,mira,comb+sibling,k=10,carreras/bnb,91.2,\n\
         toy,cv,gold,chain-before,-,-,-,-,-,\"1,0\",0.5\n",
        "a,b\r\n\"x\"\"\ny\",\n",
    ]),
    |data: &[u8]| match records(data, path(), &["system", "p"]) {
        Ok(lines) => assert!(lines.iter().all(|line| ["system", "p"].iter().all(|name| line.contains_key(*name)))),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
);
