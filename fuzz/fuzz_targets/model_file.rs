//! Model files, behind their checksum. What is read is written as it was, tags words, and parses a sentence.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treebound::answer::NoClock;
use treebound::decode::Decoder;
use treebound::decode::bnb::Limits;
use treebound::model::{Parser, Scratch, TrainedParser};
use treebound::tagger;
use treebound_fuzz::{learnt, seed};

fuzz_target!(
    init: seed([learnt::parser(None).encode(), learnt::parser(Some(learnt::tagger())).encode()]),
    |data: &[u8]| {
        let Ok(trained) = TrainedParser::decode(data) else { return };
        let written = trained.encode();
        let again = TrainedParser::decode(&written).expect("what was written");
        assert_eq!(again.encode(), written);
        let mut tokens = learnt::sentences().swap_remove(0).tokens;
        if let Some(tagger) = &trained.tagger {
            tagger.tag(&mut tokens, &mut tagger::Scratch::default());
        }
        let parser = Parser {
            pruner: &trained.pruner,
            rule: trained.rule,
            model: &trained.model,
            decoder: if trained.model.needs_search() { Decoder::Bnb } else { Decoder::Dp },
            limits: Limits { dp_calls: Some(50), ..Limits::default() },
        };
        let (answer, _) = parser.parse(&tokens, &mut Scratch::default(), &mut NoClock).expect("an answer");
        let tree = answer.tree.expect("a tree");
        assert!(trained.model.roots().allow_tree(&tree));
    }
);
