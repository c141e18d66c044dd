//! `treebound data synth` and `format = "synthetic"`: the same sentences by either way, and faults that name their place.

use std::path::Path;
use std::process::{Command, Output};

use treebound::cell::Split;
use treebound::experiment::config;
use treebound::experiment::data::Treebank;
use treebound::treebank::conll;
use treebound::treebank::synth::Phenomenon;

fn synth(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_treebound"))
        .args(["data", "synth"])
        .args(arguments)
        .output()
        .expect("the program runs")
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const CONFIG: &str = r#"
[[corpus]]
name = "made"
format = "synthetic"

[corpus.synthetic]
seed = 5
train = 30
dev = 10
test = 12
vocabulary = 900
head_noise = 0
phenomena = { ideophones = 0, brackets = 200 }
"#;

#[test]
fn files_and_corpora_have_the_same_sentences() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("some.toml");
    std::fs::write(&path, CONFIG).expect("written");
    let config = config::read(&path).expect("a valid config");
    let settings = config.corpora[0].synthetic.clone().expect("settings");
    assert_eq!((settings.seed, settings.train, settings.vocabulary, settings.head_noise), (5, 30, 900, 0));
    assert_eq!((settings.phenomena.brackets, settings.phenomena.rate(Phenomenon::Ideophones)), (200, 0));
    let treebank = Treebank::read(&config, &config.corpora[0]).expect("made");

    let path = path.to_string_lossy();
    for ending in ["conllu", "conllx"] {
        let out = folder.path().join(ending);
        let output = synth(&["--config", &path, "--format", ending, "--out", &out.to_string_lossy()]);
        assert!(output.status.success(), "{}", message(&output));
        for split in [Split::Train, Split::Dev, Split::Test] {
            let file = out.join(format!("{}.{ending}", split.name()));
            let read = conll::read_gold(&file).expect("a valid file");
            let made = &treebank.part(split).sentences;
            assert!(read.iter().zip(made).all(|(a, b)| a.tokens == b.tokens && a.gold == b.gold));
            assert_eq!(read.len(), made.len());
        }
    }
}

#[test]
fn the_resolved_settings_are_complete_and_make_the_same_treebank() {
    let config = config::parse(CONFIG, Path::new("some.toml")).expect("a valid config");
    let resolved = config::resolved(&config);
    for key in ["seed", "train", "dev", "test", "vocabulary", "unknown", "head_noise", "tag_noise", "nonprojective"] {
        assert!(resolved.contains(&format!("\n{key} = ")), "{key}: {resolved}");
    }
    for phenomenon in Phenomenon::ALL {
        assert!(resolved.contains(&format!("\n{phenomenon} = ")), "{phenomenon}: {resolved}");
    }
    let again = config::parse(&resolved, Path::new("some.toml")).expect("a valid config");
    assert_eq!(again.corpora, config.corpora);
}

#[test]
fn the_checksum_follows_the_sentences() {
    let checksum = |text: &str| {
        let config = config::parse(text, Path::new("some.toml")).expect("a valid config");
        Treebank::read(&config, &config.corpora[0]).expect("made").train.checksum
    };
    let one = checksum(CONFIG);
    assert_eq!(one, checksum(&CONFIG.replace("dev = 10", "dev = 11")));
    assert_ne!(one, checksum(&CONFIG.replace("seed = 5", "seed = 6")));
    assert_ne!(one, checksum(&CONFIG.replace("brackets = 200", "brackets = 100")));
}

#[test]
fn faults_in_the_settings_name_their_lines() {
    let fault = |from: &str, to: &str| {
        config::parse(&CONFIG.replace(from, to), Path::new("some.toml")).expect_err("a fault").to_string()
    };
    for (from, to, says) in [
        ("train = 30", "train = 0", "some.toml:8: train = 0"),
        ("vocabulary = 900", "vocabulary = 9", "some.toml:11: vocabulary = 9"),
        ("head_noise = 0", "head_noise = 1001", "some.toml:12: head_noise = 1001"),
        ("brackets = 200", "brackets = 2000", "some.toml:13: brackets = 2000"),
        ("brackets = 200", "brackets = 800", "some.toml:13: the phenomena add up to"),
        ("brackets = 200", "bracket = 200", "some.toml:13: unknown key `bracket`; did you mean `brackets`?"),
        ("test = 12", "tset = 12", "some.toml:10: unknown key `tset`; did you mean `test`?"),
        ("test = 12", "test = -1", "some.toml:10: "),
        ("format = \"synthetic\"", "format = \"synthetic\"\nfolder = \"x\"", "folder: a synthetic corpus has no files"),
    ] {
        let message = fault(from, to);
        assert!(message.contains(says), "{says}: {message}");
    }
}

#[test]
fn files_that_differ_are_not_replaced_unawares() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("made").to_string_lossy().into_owned();
    let sizes = ["--out", &out, "--train", "5", "--dev", "3", "--test", "4"];
    let train = folder.path().join("made/train.conllu");
    assert!(synth(&sizes).status.success());
    let first = std::fs::read(&train).expect("a file");

    // The same again is no fault.
    let again = synth(&sizes);
    assert!(again.status.success() && message(&again).contains("was there"), "{}", message(&again));

    let other = [&sizes[..], &["--seed", "2"]].concat();
    let refused = synth(&other);
    assert!(!refused.status.success() && message(&refused).contains("--force"), "{}", message(&refused));
    assert_eq!(std::fs::read(&train).expect("a file"), first);
    assert!(synth(&[&other[..], &["--force"]].concat()).status.success());
    assert_ne!(std::fs::read(&train).expect("a file"), first);
}

#[test]
fn rates_can_be_set_and_mistakes_are_explained() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_string_lossy().into_owned();
    let with = |rate: &str| synth(&["--out", &out, "--force", "--train", "200", "--rate", rate]);
    let decided = || {
        let text = std::fs::read_to_string(folder.path().join("train.conllu")).expect("a file");
        text.matches("Decided=brackets").count()
    };
    assert!(with("brackets=300").status.success());
    assert!(decided() > 20);
    assert!(with("brackets=0").status.success());
    assert_eq!(decided(), 0);
    for (rate, says) in [
        ("bracket=1", "no such rate"),
        ("brackets", "NAME=N"),
        ("brackets=many", "not a whole number"),
        ("unknown=1001", "unknown = 1001"),
    ] {
        let output = with(rate);
        assert!(!output.status.success() && message(&output).contains(says), "{}", message(&output));
    }
}
