//! Configs, with what `--set` sets. One that is sound can be written out, and says the same when it is read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treebound::experiment::config::{parse, parse_with, resolved, settings};
use treebound_fuzz::{path, seed};

const SEEDS: [&str; 4] = [
    include_str!("../../configs/quickstart.toml"),
    include_str!("../../tests/golden/tiny.toml"),
    r#"seeds = [1, 2]
tags = ["gold", "predicted"]
analysis = "text"
[[corpus]]
name = "toy"
format = "conllu"
fine_tags = "coarse"
folder = ["a", "b"]
train = "t.conllu"
dev = "d*.conllu"
test = ["x", "y"]
punctuation = { column = "fine", tags = ["."] }
nonprojective = "drop"
[corpus.expected]
train = { sentences = 2, tokens = [5, 6] }
[tagger]
folds = 4
[pruner]
rate = 0.02
[training]
epochs = 3
pruning = "t=1e-3"
decoder = "paper+polyak"
dp_calls = "none"
choose_epoch = "dev"
[learner.mira-long]
aggressiveness = 0.05
start = "baseline-fixed"
nonlocal_features = "gold"
sentences = 0.5
[evaluation]
splits = ["dev", "cv"]
folds = 5
[[external]]
name = "other"
version = ["v"]
train = ["t", "{model}"]
parse = ["p", "{input}"]
environment = { A = "1" }
[[grid]]
name = "main"
learners = ["perceptron", "mira-long"]
sets = ["sibling", "leave-one-out"]
systems = ["graph", "other"]
templates = ["compact", "mine.toml"]
[[claim]]
name = "c"
text = "t"
source = "me"
kind = "difference"
a = { set = "sibling" }
others = [{ set = "baseline" }]
"#,
    "[[corpus]]\nname = \"p\"\nformat = \"penn\"\nrules = \"english\"\ntrain = \"a\"\ndev = \"b\"\ntest = \"c\"\n\0training.epochs=2\0grid.main.seeds=[1]\0features.sets=\"all\"",
];

fuzz_target!(init: seed(SEEDS), |data: &str| {
    // Flags stand behind the text.
    let mut texts = data.split('\0');
    let (text, flags) = (texts.next().unwrap_or_default(), texts.map(str::to_owned).collect::<Vec<_>>());
    match parse_with(text, path(), &flags) {
        Ok(config) => {
            let written = resolved(&config);
            let again = parse(&written, path()).unwrap_or_else(|e| panic!("{e}\n{written}"));
            assert_eq!(settings(&again), settings(&config));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
