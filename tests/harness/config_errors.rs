//! Configs that make no experiment: every fault with file, line and a way out, all faults together.

use std::path::Path;

use crate::desk::Desk;
use crate::properties::{Tally, cases};
use proptest::prelude::*;
use treebound::cli::declared_claims;
use treebound::experiment::config;
use treebound::experiment::data::Treebank;

/// A valid config; the cases below change one thing each.
const CONFIG: &str = r#"seeds = [1, 2]
tags = ["gold"]

[[corpus]]
name = "toy"
format = "conllu"
train = "toy.conllu"
dev = "toy.conllu"
test = "toy.conllu"

[corpus.expected]
train = { sentences = 2, tokens = 5 }

[tagger]
folds = 4

[pruner]
rate = 0.02

[training]
epochs = 1
pruning = "k=5"
decoder = "bnb"
dp_calls = 20

[features]
sets = ["sibling"]

[decoding]
pruning = [5]
decoders = ["bnb"]

[evaluation]
splits = ["test"]
rounds = 10

[timing]
repeats = 1
"#;

/// The pruning while training, and that of the grid.
const K: &str = "pruning = \"k=5\"";
const KS: &str = "pruning = [5]";

const TREEBANK: &str = "1\ta\t_\tX\tX\t_\t2\tdep\t_\t_\n2\tb\t_\tX\tX\t_\t0\troot\t_\t_\n\n\
                        1\ta\t_\tX\tX\t_\t0\troot\t_\t_\n2\tb\t_\tX\tX\t_\t1\tdep\t_\t_\n3\tc\t_\tX\tX\t_\t1\tdep\t_\t_\n";

fn message(text: &str) -> String {
    match config::parse(text, Path::new("some.toml")) {
        Ok(config) => declared_claims(&config).expect_err(text).to_string(),
        Err(e) => e.to_string(),
    }
}

#[test]
fn the_config_to_be_spoilt_is_valid() {
    let desk = Desk::new();
    desk.write("toy.conllu", TREEBANK);
    desk.write("some.toml", CONFIG);
    let out = desk.treebound(&["check", "some.toml"]).success();
    assert!(out.contains("train      2 sentences        5 words") && out.contains("4 cells"), "{out}");
    assert!(out.contains("toy.conllu is a file of train and of test: a parser would be judged on sentences"), "{out}");
    assert_eq!(desk.treebound(&["check", "--cells", "some.toml"]).success().lines().count(), 1 + 4);
    assert_eq!(desk.treebound(&["check", "--cells", "some.toml", "-f", "sibling"]).success().lines().count(), 1 + 2);
    desk.treebound(&["check", "--cells", "some.toml", "-f", "(("]).failure(&["--filter (("]);
    desk.treebound(&["run", "some.toml", "-f", "(("]).failure(&["--filter (("]);
    desk.treebound(&["run", "some.toml", "-j", "0"]).failure(&["-j 0: at least one thread is needed"]);
}

#[test]
fn a_feature_set_has_templates() {
    let desk = Desk::new();
    desk.write("toy.conllu", TREEBANK);
    desk.write("few.toml", "[[group]]\npart = \"any-sibling\"\nvariants = [\"plain\"]\ntemplates = [\"h.w m.w\"]\n");
    let few = CONFIG.replace("epochs = 1\n", "epochs = 1\ntemplates = \"few.toml\"\n");
    desk.write("some.toml", &few);
    let told = "templates few have none of the family hand";
    assert!(!desk.treebound(&["check", "some.toml"]).success().contains(told));
    desk.write("some.toml", few.replace("[\"sibling\"]", "[\"hand+sibling\"]"));
    let out = desk.treebound(&["check", "some.toml"]).success();
    assert!(out.contains(told), "{out}");
}

#[test]
fn no_sentence_stands_in_two_folds() {
    let desk = Desk::new();
    desk.write("toy.conllu", TREEBANK);
    let folds = CONFIG.replace("splits = [\"test\"]", "folds = 3");
    desk.write("some.toml", folds);
    for verb in ["check", "run"] {
        let done = desk.treebound(&[verb, "some.toml"]);
        done.failure(&["toy.conllu is a file of train and of dev", "name it in one part"]);
    }
}

#[test]
fn every_fault_names_its_line_and_a_way_out() {
    let cases = [
        // Keys that do not exist, wherever they stand.
        ("seeds = [1, 2]", "seed = [1, 2]", "1: unknown key `seed`; did you mean `seeds`?"),
        (
            "name = \"toy\"",
            "name = \"toy\"\nlanguage = \"en\"",
            "6: unknown key `language`; a corpus has `name`, `format`, `rules`",
        ),
        ("tokens = 5", "words = 5", "12: unknown key `words`; an expected count has `sentences`, `tokens`"),
        ("train = { sen", "trian = { sen", "12: unknown key `trian`; did you mean `train`?"),
        ("folds = 4", "fold = 4", "15: unknown key `fold`; did you mean `folds`?"),
        ("rate = 0.02", "rates = 0.02", "18: unknown key `rates`; did you mean `rate`?"),
        ("epochs = 1", "epoch = 1", "21: unknown key `epoch`; did you mean `epochs`?"),
        ("sets = [\"sib", "set = [\"sib", "27: unknown key `set`; did you mean `sets`?"),
        ("decoders = [", "decoder = [", "31: unknown key `decoder`; did you mean `decoders`?"),
        ("rounds = 10", "round = 10", "35: unknown key `round`; did you mean `rounds`?"),
        ("repeats = 1", "repeat = 1", "38: unknown key `repeat`; did you mean `repeats`?"),
        ("[timing]", "[time]", "37: unknown key `time`; did you mean `timing`?"),
        // No TOML.
        ("[timing]", "[timing", "37: "),
        ("rounds = 10", "rounds = 10\nrounds = 11", "36: not TOML: duplicate key"),
        ("tags = [\"gold\"]", "tags = \"gold", "2: "),
        // Values of another type.
        ("seeds = [1, 2]", "seeds = \"1\"", "1: seeds = \"1\": a whole number from 0 is needed"),
        (
            "seeds = [1, 2]",
            "seeds = \"1,2\"",
            "1: seeds = \"1,2\": a whole number from 0 is needed; a list is written [1, 2]",
        ),
        ("seeds = [1, 2]", "seeds = [-1]", "1: seeds = -1: a whole number from 0 is needed"),
        ("epochs = 1", "epochs = 1.5", "21: epochs = 1.5: a whole number from 1 is needed"),
        ("epochs = 1", "epochs = -1", "21: epochs = -1: a whole number from 1 is needed"),
        ("pruning = \"k=5\"", "pruning = 0.5", "22: pruning = 0.5: a threshold is written \"t=0.5\""),
        ("dp_calls = 20", "dp_calls = true", "24: dp_calls = true: a whole number from 1 or \"none\" is needed"),
        ("sets = [\"sibling\"]", "sets = 3", "27: sets = 3: a text in quotes is needed"),
        ("train = \"toy.conllu\"", "train = 3", "7: train = 3: a text in quotes is needed"),
        ("format = \"conllu\"\n", "", "4: the corpus has no key `format`"),
        ("name = \"toy\"\n", "", "4: the corpus has no key `name`"),
        (
            "[timing]\n",
            "[[external]]\nname = \"own\"\nparse = [\"own\", \"{input}\", \"{ouput}\"]\nversion = \"own\"\n\n[timing]\n",
            "39: parse: `{ouput}`: this command has {model}, {input}, {output}, {config}; did you mean `{output}`?",
        ),
        (
            "[timing]\n",
            "[[external]]\nname = \"own\"\nparse = [\"own\", \"{input}\", \"-s{seed}\"]\nversion = \"own\"\n\n[timing]\n",
            "39: parse: `-s{seed}`: this command has {model}, {input}, {output}, {config}",
        ),
        (
            "[timing]\n",
            "[[external]]\nname = \"own\"\nparse = \"own\"\nversion = \"own\"\n\n[timing]\n",
            "39: parse: no word of the command has {input}: the sentences to parse are read from there",
        ),
        (
            "[timing]\n",
            "[[external]]\nname = \"own\"\ntrain = [\"own\", \"{train}\"]\nparse = [\"own\", \"{model}\", \"{input}\"]\nversion = \"own\"\n\n[timing]\n",
            "39: train: no word of the command has {model}: what is learnt is written there",
        ),
        (
            "[timing]\n",
            "[[external]]\nname = \"own\"\nparse = [\"own\", \"{input}\"]\n\n[timing]\n",
            "37: the external parser has no key `version`: a command that prints its version, as a list",
        ),
        // A cluster.
        (
            "[timing]\n",
            "[engine]\noptions = [\"--qos=low\", \"--array=0-9\"]\n\n[timing]\n",
            "38: options: --array is chosen by the engine; take it out",
        ),
        (
            "[timing]\n",
            "[engine]\noptions = \"qos=low\"\n\n[timing]\n",
            "38: options: `qos=low`: an option of sbatch begins with a hyphen, such as --qos=low",
        ),
        ("[timing]\n", "[engine]\nthreads = 0\n\n[timing]\n", "38: threads = 0: a whole number from 1 is needed"),
        // Seeds and tags.
        ("seeds = [1, 2]", "seeds = []", "1: seeds = []: the grid is empty; name at least one"),
        ("seeds = [1, 2]", "seeds = [1, 2, 1]", "1: seeds: `1` is given twice"),
        ("tags = [\"gold\"]", "tags = []", "2: tags = []: the grid is empty; name at least one"),
        ("tags = [\"gold\"]", "tags = [\"silver\"]", "2: tags = `silver` is not known; it can be `gold`, `predicted`"),
        ("tags = [\"gold\"]", "tags = [\"gold\", \"gold\"]", "2: tags: `gold` is given twice"),
        // The corpus.
        ("format = \"conllu\"", "format = \"conll\"", "6: format = `conll` is not known; it can be `conllu`, `conllx`"),
        ("format = \"conllu\"", "format = \"penn\"", "4: brackets need head rules: add rules = \"english\""),
        (
            "format = \"conllu\"",
            "format = \"conllu\"\nrules = \"english\"",
            "7: rules are for format = \"penn\": in conllu words have heads",
        ),
        ("format = \"conllu\"", "format = \"synthetic\"", "7: train: a synthetic corpus has no files; remove the key"),
        ("name = \"toy\"", "name = \"\"", "5: name = ``: a name of letters, digits, `_`, `.` and `-` is needed"),
        ("test = \"toy.conllu\"\n", "", "4: the corpus has no `test` files"),
        (
            "name = \"toy\"",
            "name = \"toy\"\nencoding = \"klingon\"",
            "6: encoding = `klingon` is not known; it can be `utf-8`, `gb18030`",
        ),
        (
            "name = \"toy\"",
            "name = \"toy\"\nfine_tags = \"upos\"",
            "6: fine_tags = `upos` is not known; it can be `own`, `coarse`",
        ),
        (
            "format = \"conllu\"",
            "format = \"penn\"\nrules = \"english\"\nfine_tags = \"coarse\"",
            "8: fine_tags is for CoNLL files, which have two columns of tags: remove the key",
        ),
        ("sentences = 2", "sentences = []", "12: sentences = []: no count will do; name one, or remove the key"),
        ("sentences = 2", "sentences = \"two\"", "12: sentences = \"two\": a whole number from 0 is needed"),
        ("test = \"toy.conllu\"", "test = []", "4: the corpus has no `test` files"),
        (
            "test = \"toy.conllu\"",
            "test = \"toy.conllu\"\npunctuation = \"de\"",
            "10: punctuation = `de` is not known; it can be ud (coarse",
        ),
        (
            "test = \"toy.conllu\"",
            "test = \"toy.conllu\"\npunctuation = { column = \"form\", tags = [\".\"] }",
            "10: column = `form` is not known; it can be `fine`, `coarse`",
        ),
        (
            "test = \"toy.conllu\"",
            "test = \"toy.conllu\"\npunctuation = { tags = [] }",
            "10: punctuation needs both keys, as in { column = \"fine\"",
        ),
        (
            "test = \"toy.conllu\"",
            "test = \"toy.conllu\"\nnonprojective = \"keep\"",
            "10: nonprojective = `keep` is not known; it can be `projectivize`, `drop`",
        ),
        (
            "test = \"toy.conllu\"",
            "test = \"toy.conllu\"\npublished = \"WSJ\"",
            "10: published = `WSJ` is not known; it can be `PTB`, `CTB`, `PDT`, `DANISH`",
        ),
        (
            "test = \"toy.conllu\"",
            "test = \"toy.conllu\"\nsynthetic = { train = 5 }",
            "10: [corpus.synthetic] is for format = \"synthetic\"",
        ),
        // Tagger and pruner.
        ("folds = 4", "folds = 1", "15: folds = 1: it takes at least 2"),
        ("folds = 4", "epochs = 0", "15: epochs = 0: a whole number from 1 is needed"),
        ("rate = 0.02", "rate = 0.0", "18: rate = 0: a step size lies above 0 and is at most 1"),
        ("rate = 0.02", "rate = nan", "18: rate = NaN: a step size"),
        ("rate = 0.02", "epochs = 0", "18: epochs = 0: a whole number from 1 is needed"),
        // Training.
        ("epochs = 1", "epochs = 0", "21: epochs = 0: a whole number from 1 is needed"),
        (
            "epochs = 1",
            "learner = \"svm\"",
            "21: learner = `svm` is not known; it can be `perceptron`, `mira` or `crf`, or one of these with a word behind it",
        ),
        ("epochs = 1", "learner = []", "21: learner = []: the grid is empty; name at least one"),
        ("epochs = 1", "learner = [\"mira\", \"mira\"]", "21: learner: `mira` is given twice"),
        (
            "epochs = 1",
            "learner = \"mira-long\"",
            "21: the learner `mira-long` is not described; add [learner.mira-long]",
        ),
        ("epochs = 1", "aggressiveness = 0.0", "21: aggressiveness = 0: the longest step of `mira` lies above 0"),
        ("epochs = 1", "aggressiveness = 1e-5", "21: aggressiveness = 1e-5: steps are whole numbers of 6.1"),
        ("epochs = 1", "aggressiveness = nan", "21: aggressiveness = NaN: the longest step"),
        ("epochs = 1", "average_from = 0", "21: average_from = 0: a whole number from 1 is needed"),
        (
            "epochs = 1",
            "epochs = 3\naverage_from = 4",
            "22: average_from = 4: there are 3 epochs, so no weights would be averaged",
        ),
        ("epochs = 1", "choose_epoch = \"best\"", "21: choose_epoch = `best` is not known; it can be `last`, `dev`"),
        (K, "pruning = 0", "22: pruning = 0: keep at least 1 head a word, or write \"none\" for no pruning"),
        (K, "pruning = \"k=0\"", "22: pruning = `k=0`: `0` is no number of heads from 1 on; \"none\" is no pruning"),
        (K, "pruning = \"k=ten\"", "22: pruning = `k=ten`: `ten` is no number of heads from 1 on"),
        (K, "pruning = -3", "22: pruning = -3: keep at least 1 head a word"),
        (
            K,
            "pruning = \"all\"",
            "22: pruning = `all` is no pruning; it can be `none`, a number of heads such as `k=10`",
        ),
        (
            K,
            "pruning = true",
            "22: pruning = true: `none`, a number of heads such as `k=10`, or a threshold such as `t=1e-3`, is needed",
        ),
        (K, "pruning = \"t=0\"", "22: pruning = `t=0`: a head is kept if it is at least this times as probable"),
        (K, "pruning = \"t=2.0\"", "22: pruning = `t=2.0`: "),
        (K, "pruning = \"t=nan\"", "22: pruning = `t=nan`: "),
        // What stands in a learner's own table has an effect.
        (
            "[features]",
            "[learner.crf]\ntolerance = 1.0\n\n[features]",
            "27: tolerance = 1: the descent ends when its gradient has fallen to this share, so it lies below 1; 0.001 is usual",
        ),
        (
            "[features]",
            "[learner.perceptron-x]\nkbest = 3\n\n[features]",
            "27: kbest: it is of `mira`, and `perceptron-x` learns by `perceptron`; take it out",
        ),
        (
            "[features]",
            "[learner.crf]\nkbest = 3\n\n[features]",
            "27: kbest: it is of `mira`, and `crf` learns by `crf`; take it out",
        ),
        (
            "[features]",
            "[learner.perceptron]\naggressiveness = 0.1\n\n[features]",
            "27: aggressiveness: it is of `mira`, `crf`, and",
        ),
        (
            "[features]",
            "[learner.mira]\nc = 1.0\nrate = 0.1\n\n[features]",
            "27: c: it is of `crf`, and `mira` learns by `mira`; take it out",
        ),
        (
            "[features]",
            "[learner.mira]\nc = 1.0\nrate = 0.1\n\n[features]",
            "28: rate: it is of `crf`, and `mira` learns by `mira`; take it out",
        ),
        (
            "[features]",
            "[learner.crf-few]\nbatch = 3\nhistory = 3\n\n[features]",
            "28: history: a CRF learnt with `batch` has no descent; take one of the two out",
        ),
        // Words that were.
        (K, "k = 5", "22: `k` is called `pruning` now: write pruning = \"k=5\""),
        (K, "k = \"none\"", "22: `k` is called `pruning` now: write pruning = \"none\""),
        (K, "threshold = 1e-3", "22: `threshold` is called `pruning` now: write pruning = \"t=1e-3\""),
        (K, "trainer = \"mira\"", "22: `trainer` is called `learner` now: write learner = \"mira\""),
        ("[pruner]", "[pruning]", "17: [pruning], how the pruner learns, is called [pruner] now"),
        (
            "decoders = [\"bnb\"]",
            "backbones = \"arborescence\"",
            "31: the backbone `arborescence` gives trees that cross, and `perceptron` learns from projective ones",
        ),
        (
            "decoder = \"bnb\"",
            "trees = \"non-projective\"\nlearner = \"crf\"",
            "24: `crf` sums over projective trees alone",
        ),
        ("decoder = \"bnb\"", "trees = \"crossing\"", "23: trees = `crossing` is not known; it can be `projective`"),
        ("decoder = \"bnb\"", "longest = 0", "23: longest = 0: a whole number from 1 is needed"),
        ("rate = 0.02", "model = \"rank\"", "18: model = `rank` is not known; it can be `sums`, `ranker`"),
        ("decoder = \"bnb\"", "decoder = \"bbn\"", "23: decoder = `bbn` is not known; it can be `bnb`, `paper`"),
        ("decoder = \"bnb\"", "decoder = \"dp\"", "23: decoder = `dp` is not known; it can be `bnb`, `paper`"),
        ("dp_calls = 20", "dp_calls = 0", "24: dp_calls = 0: a whole number from 1 or \"none\" is needed"),
        ("dp_calls = 20", "dp_calls = -1", "24: dp_calls = -1: a whole number from 1 or \"none\" is needed"),
        ("dp_calls = 20", "nodes = \"no\"", "24: nodes = \"no\": a whole number from 1 or \"none\" is needed"),
        // Feature sets.
        (
            "sets = [\"sibling\"]",
            "sets = \"al\"",
            "27: the family `al` is not known; did you mean `all`? families are `",
        ),
        (
            "sets = [\"sibling\"]",
            "sets = [\"siblings\"]",
            "27: the family `siblings` is not known; did you mean `sibling`? families are ",
        ),
        ("sets = [\"sibling\"]", "sets = [\"grandchild+\"]", "27: the family `` is not known"),
        (
            "sets = [\"sibling\"]",
            "sets = [\"grandchild+sibling\", \"sibling + grandchild\"]",
            "27: the set `grandchild+sibling` is given twice",
        ),
        (
            "sets = [\"sibling\"]",
            "sets = [\"sibling\"]\nthird_order = [\"baseline\"]",
            "28: third_order is a grid now: write [[grid]] with backbones = \"grand-sibling\", sets = [\"baseline\"]",
        ),
        // The grid.
        (
            "decoders = [\"bnb\"]",
            "more = { sets = [\"sibling\"], k = [5] }",
            "31: more is a grid now: write [[grid]] with these sets, pruning and baseline = false",
        ),
        (KS, "k = [5, \"none\"]", "30: `k` is called `pruning` now: write pruning = [\"k=5\", \"none\"]"),
        (
            KS,
            "threshold = [1e-3, 0.25]",
            "30: `threshold` is called `pruning` now: write pruning = [\"t=1e-3\", \"t=0.25\"]",
        ),
        (KS, "pruning = []", "30: pruning = []: the grid is empty; name at least one"),
        (KS, "pruning = [5, 10, \"k=5\"]", "30: pruning: `k=5` is given twice"),
        (KS, "pruning = [\"t=0.1\", \"t=1e-1\"]", "30: pruning: `t=1e-1` is given twice"),
        (KS, "pruning = [5, 0]", "30: pruning = 0: keep at least 1 head a word"),
        (KS, "pruning = [5,\n\"t=-1.0\"]", "31: pruning = `t=-1.0`: "),
        ("decoders = [\"bnb\"]", "decoders = []", "31: decoders = []: the grid is empty; name at least one"),
        (
            "decoders = [\"bnb\"]",
            "decoders = [\"bnb\", \"papr\"]",
            "31: decoders = `papr` is not known; it can be `bnb`, `paper`",
        ),
        ("decoders = [\"bnb\"]", "decoders = [\"bnb\", \"bnb\"]", "31: decoders: `bnb` is given twice"),
        (
            "decoders = [\"bnb\"]",
            "decoders = [\"paper+give-up=10+polyak\"]",
            "31: decoders = `paper+give-up=10+polyak` is spelt `paper+polyak`",
        ),
        (
            "decoders = [\"bnb\"]",
            "backbones = \"cararas\"",
            "31: backbones = `cararas` is not known; it can be `carreras`, `grand-sibling`",
        ),
        (
            "decoders = [\"bnb\"]",
            "backbones = [\"carreras\", \"carreras\"]",
            "31: backbones: `carreras` is given twice",
        ),
        ("decoders = [\"bnb\"]", "backbones = []", "31: backbones = []: the grid is empty; name at least one"),
        (
            "decoders = [\"bnb\"]",
            "backbones = 3",
            "31: backbones = `3` is not known; it can be `carreras`, `grand-sibling`",
        ),
        (
            "decoders = [\"bnb\"]",
            "backbone = \"carreras\"",
            "31: `backbone` is called `backbones` now: write backbones = \"carreras\"",
        ),
        // Evaluation and timing.
        ("splits = [\"test\"]", "splits = []", "34: splits = []: the grid is empty"),
        ("splits = [\"test\"]", "splits = [\"train\"]", "34: splits = `train` is not known; it can be `dev`, `test`"),
        ("rounds = 10", "rounds = 0", "35: rounds = 0: a whole number from 1 is needed"),
        ("repeats = 1", "repeats = 0", "38: repeats = 0: a whole number from 1 is needed"),
    ];
    for (from, to, wanted) in cases {
        assert_eq!(CONFIG.matches(from).count(), 1, "`{from}` is to be changed in one place");
        let message = message(&CONFIG.replace(from, to));
        let wanted = format!("some.toml:{wanted}");
        assert!(message.lines().any(|line| line.starts_with(&wanted)), "{to}\nwanted {wanted}\nfound  {message}");
    }
}

/// What learners share may say nothing for some of them.
#[test]
fn what_learners_share_may_be_of_some() {
    let all = "epochs = 1\nkbest = 3\naggressiveness = 0.1\nc = 2.0\ntolerance = 1e-2\nhistory = 3";
    let own = "[learner.crf-few]\nbatch = 3\nrate = 0.1\ncharge = 1.0\n[learner.crf]\naggressiveness = 0.2\n\
               [learner.mira]\nkbest = 2\n[learner.perceptron]\nstart = \"baseline\"\n[features]";
    let text = CONFIG.replace("epochs = 1", all).replace("[features]", own);
    let path = Path::new("some.toml");
    let shared = config::parse(&text, path).expect("a config");
    // What has no effect is not said to be as it stands there.
    let resolved = config::resolved(&shared);
    assert_eq!(resolved.matches("aggressiveness = 0.01\n").count(), 1, "{resolved}");
    assert_eq!(resolved.matches("kbest = ").count(), 1, "{resolved}");
    assert_eq!(config::parse(&resolved, path).expect("a config"), shared);
}

const NO_CORPUS: &str =
    "some.toml: no corpus: add a [[corpus]] table with name, format and files, or corpus = \"FILE\"";

#[test]
fn corpora_are_there_and_have_names_of_their_own() {
    assert_eq!(message("seeds = [1]"), NO_CORPUS);
    assert_eq!(message(""), NO_CORPUS);
    let corpus = CONFIG.split("[[corpus]]").nth(1).and_then(|rest| rest.split("[corpus.exp").next()).expect("a corpus");
    let twice = format!("{CONFIG}\n[[corpus]]{corpus}");
    assert_eq!(message(&twice), "some.toml:40: two corpora are named `toy`");
}

#[test]
fn all_faults_are_told_at_once_in_the_order_of_lines() {
    let desk = Desk::new();
    let spoilt = CONFIG
        .replace("seeds = [1, 2]", "seeds = [2, 2]")
        .replace("epochs = 1", "epochs = 0")
        .replace(KS, "pruning = [0, -1]")
        .replace("sets = [\"sibling\"]", "sets = [\"sibling\", \"cousin\", \"uncle\"]")
        .replace("decoders = [\"bnb\"]", "decoders = [\"bmb\"]");
    desk.write("some.toml", &spoilt);
    for verb in [
        &["check", "some.toml"][..],
        &["check", "--cells", "some.toml"],
        &["run", "some.toml"],
        &["measure", "time", "some.toml"],
    ] {
        let done = desk.treebound(verb);
        done.failure(&[]);
        let lines: Vec<&str> = done.err.lines().collect();
        let begins = [
            "treebound: some.toml:1: seeds: `2` is given twice",
            "some.toml:21: epochs = 0",
            "some.toml:27: the family `cousin` is not known",
            "some.toml:27: the family `uncle` is not known",
            "some.toml:30: pruning = -1",
            "some.toml:30: pruning = 0",
            "some.toml:31: decoders = `bmb` is not known",
        ];
        assert_eq!(lines.len(), begins.len(), "{}", done.err);
        for (line, begin) in lines.iter().zip(begins) {
            assert!(line.starts_with(begin), "{line}");
        }
        assert_eq!(done.out, "");
    }
    assert!(!desk.path("results").exists() && !desk.path("cache").exists(), "nothing is begun");
}

#[test]
fn configs_that_cannot_be_read_are_named() {
    let desk = Desk::new();
    desk.treebound(&["check", "absent.toml"]).failure(&["absent.toml: cannot read the config: "]);
    desk.treebound(&["check", "."]).failure(&[".: cannot read the config: "]);
    desk.write("latin.toml", b"analysis = \"caf\xe9\"\n");
    desk.treebound(&["check", "latin.toml"]).failure(&["latin.toml: cannot read the config: ", "UTF-8"]);
    assert_eq!(desk.treebound(&["check"]).code, Some(2));
    // Names that would put results where nobody looks for them.
    for name in ["..toml", "...toml", "a\nb.toml", &format!("{}.toml", "x".repeat(101))] {
        desk.write(name, CONFIG);
        desk.treebound(&["check", name]).failure(&["whose name is not one for a folder: rename it"]);
    }
    // What the config names and is not there.
    desk.write("toy.conllu", TREEBANK);
    for (from, to, wanted) in [
        ("epochs = 1", "templates = \"my.templates\"", "my.templates"),
        ("rate = 0.02", "templates = \"no/such.templates\"", "no/such.templates"),
    ] {
        desk.write("some.toml", CONFIG.replace(from, to));
        desk.treebound(&["check", "some.toml"]).failure(&[wanted]);
        desk.treebound(&["run", "some.toml", "-q"]).failure(&[wanted]);
    }
}

/// That each change of a table, `(from, to, "LINE:MESSAGE")`, is told with its line; `before` lines stand above the table in a
/// `config`.
fn assert_faults(table: &str, cases: &[(&str, &str, &str)], before: usize, config: impl Fn(&str) -> String) {
    for (from, to, wanted) in cases {
        assert_eq!(table.matches(from).count(), 1, "`{from}` is to be changed in one place");
        let message = message(&config(&table.replace(from, to)));
        let (line, text) = wanted.split_once(':').expect("a line");
        let line: usize = line.parse().expect("a number");
        let found = message.lines().any(|m| m.starts_with(&format!("some.toml:{}:{text}", before + line)));
        assert!(found, "{wanted} is not said: {message}");
    }
}

/// A claim to be spoilt; `[[claim]]` is line 1.
const CLAIM: &str = "[[claim]]\nname = 'c'\ntext = 'T'\nsource = 'S'\nkind = 'difference'\na = { set = 'sibling' }\n\
                     others = [{ set = 'baseline', pruning = 10 }]\nlow = 0.0\n";

#[test]
fn every_fault_of_a_claim_names_its_line_and_a_way_out() {
    let cases = [
        ("low = 0.0", "levels = 0.05", "8: unknown key `levels`; did you mean `level`?"),
        ("{ set = 'sibling' }", "{ sets = 'sibling' }", "6: unknown key `sets`; did you mean `set`?"),
        ("low = 0.0\n", "", "1: a claim of kind `difference` needs the key `low` or `high`"),
        ("low = 0.0", "low = 0.0\nto_length = 9", "9: a claim of kind `difference` has no key `to_length`"),
        ("low = 0.0", "low = 0.0\nlevel = 0.5", "9: level = 0.5: a level lies above 0 and below 0.5"),
        ("'difference'", "'best'", "5: kind = `best` is not known; it can be `difference`, `ratio`, `value`"),
        ("'difference'", "'value'", "7: a claim of kind `value` has no key `others`"),
        ("'difference'", "'ratio'", "1: a claim of kind `ratio` needs the key `metric`"),
        (
            "set = 'sibling'",
            "set = 'sister'",
            "6: set = `sister` is not known; it can be `baseline`, or families such as `sibling`",
        ),
        ("pruning = 10", "pruning = 0", "7: pruning = 0: keep at least 1 head a word"),
        ("pruning = 10", "decoder = 'x'", "7: decoder = `x` is not known; it can be `dp`, `bnb`, `paper`"),
        (
            "pruning = 10",
            "backbone = 'carrera'",
            "7: backbone = `carrera` is not known; it can be `carreras`, `grand-sibling`",
        ),
        ("pruning = 10", "threads = 2", "7: `threads` is a key of rows whose `learning-time` is measured"),
        (
            "pruning = 10",
            "learner = 'mirra'",
            "7: learner = `mirra` is not known; it can be `perceptron`, `mira` or `crf`",
        ),
        (
            "'difference'\na = { set = 'sibling' }\nothers = [{ set = 'baseline', pruning = 10 }]\nlow = 0.0",
            "'ratio'\na = { set = 'sibling' }\nothers = [{ set = 'baseline', pruning = 10 }]\nmetric = 'dp_calls_per_sentence'\nlow = 3.0\nhigh = 1.0",
            "9: low = 3 is above high = 1: nothing lies between them",
        ),
        (
            "'difference'\na = { set = 'sibling' }\nothers = [{ set = 'baseline', pruning = 10 }]\nlow = 0.0",
            "'share'\na = { set = 'sibling' }\nmetric = 'at-root'\nlow = 50",
            "8: low = 50: a share lies from 0 to 1",
        ),
        (
            "'difference'\na = { set = 'sibling' }\nothers = [{ set = 'baseline', pruning = 10 }]\nlow = 0.0",
            "'share'\na = { set = 'sibling' }\nmetric = 'time'\nlow = 0.5",
            "7: metric = `time` is not known; it can be `proven`, `at-root`",
        ),
        ("low = 0.0", "low = 0.0\npublished = true", "9: published = true"),
        ("kind = 'difference'", "only = 'a b'\nkind = 'difference'", "5: only = `a b`: a name of letters"),
        ("set = 'sibling'", "system = 'a b'", "6: system = `a b`: a name of letters"),
        ("set = 'sibling'", "system = 'other', set = 'comb'", "6: a row of another system has no key `set`"),
        ("set = 'sibling'", "pruning = 5", "6: a row needs the key `set`, or `system`"),
        ("[{ set = 'baseline', pruning = 10 }]", "[]", "7: others = []: there is nothing to compare with"),
        ("name = 'c'", "name = 'dp-calls'", "2: two claims are named `dp-calls`"),
    ];
    // The claim stands last, and the name of a list first.
    let before = CONFIG.lines().count() + 1;
    let config = |claim: &str| format!("claims = \"paper\"\n{CONFIG}{claim}");
    let valid = config::parse(&config(CLAIM), Path::new("some.toml")).expect("a config");
    assert_eq!(config::parse(&config::resolved(&valid), Path::new("some.toml")).expect("a config"), valid);
    assert_eq!(valid.claims.own.len(), 1);
    declared_claims(&valid).expect("claims");
    // Every key of a claim comes back from the resolved config.
    let claim = CLAIM
        .replace("pruning = 10", "pruning = 5, split = 'dev'")
        .replace("{ set = 'sibling' }", "{ system = 'other' }");
    for keys in ["published = 'PTB'\n", "published = 0.36\nonly = 'ptb'\n"] {
        let written = config::parse(&config(&format!("{claim}{keys}")), Path::new("some.toml")).expect("a config");
        assert_eq!(config::parse(&config::resolved(&written), Path::new("some.toml")).expect("a config"), written);
    }
    assert_faults(CLAIM, &cases, before, config);
    let wanted =
        "some.toml:1: claims = `papers` is not known; it can be `paper`, `paper-zh`, `ma-zhao`, `zhao`, `martins`";
    assert!(message(&format!("claims = \"papers\"\n{CONFIG}")).starts_with(wanted));
}

/// A failure to be spoilt, behind [`CLAIM`]; `[[failure]]` is line 1.
const FAILURE: &str = "[[failure]]\nclaims = ['c', 'dp-calls']\ncause = 'size'\ntext = 'T'\ngrids = 'second'\n";

#[test]
fn every_fault_of_a_failure_names_its_line_and_a_way_out() {
    let twice = "'second'\n[[failure]]\nclaims = 'c'\ncause = 'unknown'\ntext = 'T'";
    let cases = [
        (
            "['c', 'dp-calls']",
            "['c', 'dp-call']",
            "2: claims: there is none of the name `dp-call`; did you mean `dp-calls`?",
        ),
        ("['c', 'dp-calls']", "[]", "2: claims = []: name at least one"),
        ("['c', 'dp-calls']", "1", "2: claims = 1: a text in quotes is needed"),
        ("'size'", "'sizes'", "3: cause = `sizes` is not known; it can be `chance`, `treebank`, `size`"),
        ("'size'", "'unknown'", "5: a cause that is unknown is shown by no grid"),
        ("'second'", "'third'", "5: grids: there is none of the name `third`"),
        (
            "grids = 'second'\n",
            "",
            "1: a failure needs the key `grids`, those that show its cause, or cause = \"unknown\"",
        ),
        ("text = 'T'\n", "", "1: a failure needs the key `text`"),
        ("text", "texts", "4: unknown key `texts`; did you mean `text`?"),
        ("'second'", twice, "6: two failures explain `c`"),
    ];
    let before = format!("claims = \"paper\"\n{CONFIG}[[grid]]\nname = 'first'\n[[grid]]\nname = 'second'\n{CLAIM}");
    let valid = config::parse(&format!("{before}{FAILURE}"), Path::new("some.toml")).expect("a config");
    assert_eq!(declared_claims(&valid).expect("claims").failures.len(), 1);
    assert_eq!(config::parse(&config::resolved(&valid), Path::new("some.toml")).expect("a config"), valid);
    assert_faults(FAILURE, &cases, before.lines().count(), |failure| format!("{before}{failure}"));
}

#[test]
fn data_that_is_not_what_the_config_says_stops_everything() {
    let desk = Desk::new();
    desk.write("toy.conllu", TREEBANK);
    desk.write("data/other.conllu", TREEBANK);
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "train = \"toy.conllu\"",
            "train = \"to.conllu\"",
            &["some.toml:7: corpus `toy`, train: no file matches", "to.conllu"],
        ),
        (
            "dev = \"toy.conllu\"",
            "dev = \"*.conllx\"",
            &["some.toml:8: corpus `toy`, dev: no file matches", "*.conllx"],
        ),
        ("test = \"toy.conllu\"", "test = \"{1..9}.conllu\"", &["corpus `toy`, test: no file matches"]),
        ("test = \"toy.conllu\"", "test = \"{1-9}.conllu\"", &["corpus `toy`, test: `{1-9}.conllu`: a run of numbers"]),
        ("test = \"toy.conllu\"", "test = \"{0..4000000000}\"", &["corpus `toy`, test: ", "at most 100000 files"]),
        ("test = \"toy.conllu\"", "test = \"a[\"", &["corpus `toy`, test: `a[`: "]),
        (
            "name = \"toy\"",
            "name = \"toy\"\nfolder = [\"here\", \"there\"]",
            &[
                "some.toml:6: corpus `toy`, folder: none of these folders has files: ",
                "here, ",
                "there; put the treebank in one of them",
            ],
        ),
        ("name = \"toy\"", "name = \"toy\"\nfolder = \"data\"", &["no file matches", "data/toy.conllu"]),
        (
            "sentences = 2",
            "sentences = 3",
            &["some.toml:12: corpus `toy`, train: 2 sentences where the config expects 3;", "[corpus.expected]"],
        ),
        ("tokens = 5", "tokens = 6", &["corpus `toy`, train: 5 tokens where the config expects 6"]),
        (
            "sentences = 2",
            "sentences = [3, 4]",
            &["some.toml:12: corpus `toy`, train: 2 sentences where the config expects 3 or 4;"],
        ),
        ("sentences = 2", "sentences = [3, 2]", &[]),
        ("train = { sen", "test = { sen", &[]),
        (
            "format = \"conllu\"",
            "format = \"penn\"\nrules = \"my.rules\"",
            &["some.toml:7: corpus `toy`, rules: ", "my.rules: cannot read the head rules"],
        ),
        ("name = \"toy\"", "name = \"toy\"\nencoding = \"gb18030\"", &[]),
        (
            "sentences = 2, tokens = 5 }",
            "tokens = 5 }\ntest = { tokens = 1 }",
            &["corpus `toy`, test: 5 tokens where the config expects 1"],
        ),
    ];
    for (from, to, wanted) in cases {
        assert_eq!(CONFIG.matches(from).count(), 1, "`{from}` is to be changed in one place");
        desk.write("some.toml", CONFIG.replace(from, to));
        if wanted.is_empty() {
            desk.treebound(&["check", "some.toml"]).success();
            continue;
        }
        desk.treebound(&["check", "some.toml"]).failure(wanted);
        desk.treebound(&["run", "some.toml", "-q"]).failure(wanted);
    }
    // A file that is no treebank is named with its line.
    desk.write("some.toml", CONFIG);
    desk.write("toy.conllu", TREEBANK.replacen("\t2\tdep", "\t3\tdep", 1));
    let wanted = ["toy.conllu:1: sentence 1: word 1 has head 3"];
    desk.treebound(&["check", "some.toml"]).failure(&wanted);
    desk.treebound(&["run", "some.toml", "-q"]).failure(&wanted);
    assert!(!desk.path("results").exists() && !desk.path("cache").exists(), "nothing is begun");
    // Folders are looked for from the config's folder, not from where one stands.
    desk.write("data/some.toml", CONFIG.replace("toy.conllu", "other.conllu"));
    desk.treebound(&["check", "data/some.toml"]).success();
}

#[test]
fn a_treebank_too_small_for_the_tagger_is_explained() {
    let desk = Desk::new();
    desk.write("toy.conllu", TREEBANK.split_inclusive("\n\n").next().expect("a sentence"));
    let one = CONFIG.replace("sentences = 2, tokens = 5", "sentences = 1, tokens = 2");
    desk.write("some.toml", one.replace("\"gold\"", "\"predicted\""));
    desk.treebound(&["run", "some.toml", "-q"])
        .failure(&["corpus `toy`: jackknifing needs at least 2 folds and 2 sent"]);
    // With the treebank's tags a single sentence will do.
    desk.write("some.toml", one);
    desk.treebound(&["run", "some.toml", "-q"]).success();
    let scores = desk.read("results/some/scores.csv");
    assert_eq!(scores.lines().count(), 1 + 4, "{scores}");
}

/// Whatever is mistyped, there is a message that names the file, or a config that resolves to itself.
#[test]
fn slips_are_faults_or_configs() {
    let tally = Tally::default();
    proptest!(cases(1500), |(slips in crate::desk::slips())| {
        let path = Path::new("some.toml");
        let Ok(text) = String::from_utf8(crate::desk::slip(CONFIG.as_bytes(), &slips)) else { return Ok(()) };
        match config::parse(&text, path) {
            Ok(config) => {
                tally.add("a config");
                let written = config::resolved(&config);
                let again = config::parse(&written, path);
                prop_assert!(again.as_ref().is_ok_and(|again| *again == config), "{written}\n{again:?}");
            }
            Err(e) => {
                tally.add("a fault");
                let text = e.to_string();
                prop_assert!(text.lines().next().is_some_and(|line| line.starts_with("some.toml:")), "{e}");
            }
        }
    });
    tally.has(["a config", "a fault"]);
}

#[test]
fn every_config_of_the_project_is_valid_and_its_counts_are_those_of_the_data() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let config = config::read(&path).expect("a config");
        for corpus in &config.corpora {
            let is_there = corpus.folder.iter().any(|folder| config.base.join(folder).is_dir());
            if !corpus.folder.is_empty() && !is_there {
                crate::at_hand::absent(corpus.name.as_str());
                continue;
            }
            if let Err(fault) = Treebank::read(&config, corpus) {
                panic!("{fault}");
            }
        }
    }
}
