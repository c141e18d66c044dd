//! `treebound new`: a config for files of one's own, and treebanks without a development part.

use crate::desk::Desk;

/// A desk with a small treebank in files.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.treebound(&["data", "synth", "--out", "mine", "--train", "20", "--dev", "5", "--test", "10"]).success();
    desk
}

const FILES: [&str; 4] = ["--train", "mine/train.conllu", "--test", "mine/test.conllu"];

/// Values that make it quick.
const QUICK: [&str; 4] = ["--set", "training.epochs=1", "--set", "seeds=1"];

#[test]
fn a_config_of_ones_own_files_is_run_as_it_is() {
    let desk = desk();
    let out = desk.treebound(&[&["new", "mine", "--dev", "mine/dev.conllu"], &FILES[..]].concat()).success();
    for line in ["wrote configs/mine.toml", "  dev        5 sentences", "next: treebound plan configs/mine.toml"] {
        assert!(out.contains(line), "{line}\n{out}");
    }
    let text = desk.read("configs/mine.toml");
    for line in ["train = \"../mine/train.conllu\"", "choose_epoch = \"dev\"", "splits = [\"dev\", \"test\"]"] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    desk.treebound(&[&["run", "configs/mine.toml", "-q"], &QUICK[..]].concat()).success();
    let table = desk.treebound(&[&["table", "configs/mine.toml", "2"], &QUICK[..]].concat()).success();
    assert!(table.contains("Table 2: mine, test part") && table.contains("sibling"), "{table}");
    // What is there stays, and what cannot be used leaves nothing.
    desk.treebound(&[&["new", "mine"], &FILES[..]].concat()).failure(&["configs/mine.toml: there already"]);
    let other = ["new", "other", "--train", "mine/trian.conllu", "--test", "mine/test.conllu"];
    desk.treebound(&other).failure(&["train: no file matches configs/../mine/trian.conllu"]);
    let ending = ["new", "other", "--train", "configs/mine.toml", "--test", "mine/test.conllu"];
    desk.treebound(&ending).failure(&["configs/mine.toml: its ending does not say what it is; add --format"]);
    desk.treebound(&[&["new", "a/b"], &FILES[..]].concat()).failure(&["a/b: a name of letters, digits"]);
    assert!(!desk.path("configs/other.toml").exists());
}

#[test]
fn a_development_part_is_needed_where_something_looks_at_it() {
    let desk = desk();
    desk.treebound(&[&["new", "mine"], &FILES[..]].concat()).success();
    let text = desk.read("configs/mine.toml");
    assert!(text.contains("\nsplits = \"test\"\n") && !text.contains("\ndev = "), "{text}");
    for set in [
        &[][..],
        &["--set", "tags=predicted", "--set", "tagger.folds=2"],
        &["--set", "evaluation.splits=cv", "--set", "evaluation.folds=3"],
    ] {
        let out = format!("out{}", set.len());
        desk.treebound(&[&["run", "configs/mine.toml", "-q", "--out", &out], &QUICK[..], set].concat()).success();
        let scores = desk.read(&format!("{out}/results/mine/scores.csv"));
        assert!(scores.lines().count() == 1 + 4 && !scores.contains(",dev,"), "{scores}");
    }
    for (set, wanted) in [
        (
            "evaluation.splits=[\"dev\", \"test\"]",
            "which the grid `main` parses: add dev = \"FILE\", or write splits = \"test\"",
        ),
        ("training.choose_epoch=dev", "which the learner `perceptron` chooses its epochs by: add dev = \"FILE\""),
    ] {
        let wanted = format!("configs/mine.toml:13: the corpus `mine` has no `dev` files, {wanted}");
        desk.treebound(&["check", "configs/mine.toml", "--set", set]).failure(&[&wanted]);
    }
    let external = "[[external]]\nname = \"own\"\ntrain = [\"true\", \"{dev}\", \"{model}\"]\nparse = [\"true\", \"{input}\"]\n\
                    version = [\"true\"]\n[[grid]]\nname = \"own\"\nsystems = \"own\"\n";
    desk.write("configs/mine.toml", text + external);
    desk.treebound(&["check", "configs/mine.toml"]).failure(&["which the parser `own` is given to learn from"]);
    let explain = ["explain", "configs/mine.toml", "--split", "dev", "--sentence", "1"];
    desk.treebound(&[&explain[..], &["--set", "grid.own.systems=graph"]].concat())
        .failure(&["--split dev: the corpus `mine` has no sentence in that part"]);
}
