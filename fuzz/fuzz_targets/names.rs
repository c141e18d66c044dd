//! Spellings of axes, on the command line and in results: each value has one, by which it is read again.
#![no_main]

use std::fmt::Display;

use libfuzzer_sys::fuzz_target;
use treebound::cell::{
    Axis, CorpusName, Decoding, FeatureSet, Fold, Learner, Setting, Split, SystemName, Tags, TemplatesName,
};
use treebound::decode::{Backbone, Decoder};
use treebound::pruning::Rule;
use treebound_fuzz::seed;

fn one<T: Display + PartialEq>(text: &str, parse: impl Fn(&str) -> Option<T>) {
    if let Some(value) = parse(text) {
        let spelt = value.to_string();
        assert_eq!(spelt, text);
        assert!(parse(&spelt).is_some_and(|again| again == value), "{spelt}");
    }
}

fuzz_target!(
    init: seed([
        "toy/test/gold/graph/compact/mira-long/comb+sibling/t=1e-3/grand-sibling/paper+polyak+give-up=50",
        "toy/cv/predicted/chain-before/-/-/-/-/-",
        "k=10/none/3/10/paper+harmonic+short-first-step+step-goes-on+last-duals+own-tight+precision=0.01+unrounded",
        "paper+constant+fresh-duals+rounded-precision+own-arcs+local-first-bound+nodes-only/bnb/brute/dp",
        "carreras/paper+best-first+no-first-bound/baseline/perceptron",
    ]),
    |data: &str| {
        let words: Vec<&str> = data.split('/').collect();
        for text in words.iter().copied().chain(data.split_once('/').map(|_| data)) {
            one(text, CorpusName::parse);
            one(text, SystemName::parse);
            one(text, TemplatesName::parse);
            one(text, Split::parse);
            one(text, Tags::parse);
            one(text, Learner::parse);
            one(text, <FeatureSet as Axis>::parse);
            one(text, Rule::parse);
            one(text, Backbone::parse);
            one(text, Decoder::parse);
            one(text, Decoding::parse);
            one(text, Fold::parse);
            let name = CorpusName::like(text);
            assert_eq!(CorpusName::parse(name.as_str()), Some(name));
        }
        if let [front @ .., backbone, decoder] = &words[..]
            && let Ok(front) = <[&str; 8]>::try_from(front)
        {
            let decoding = format!("{backbone}/{decoder}");
            let mut texts = [""; 9];
            texts[..8].copy_from_slice(&front);
            texts[8] = &decoding;
            if let Ok(setting) = Setting::read(texts) {
                assert_eq!(setting.spelt(), texts.map(str::to_owned));
            }
        }
    }
);
