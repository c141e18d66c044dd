//! Diffs of hand-made results.

use std::collections::{BTreeMap, BTreeSet};

use treebound::answer::Count;
use treebound::diff::{self, Diff, Mark};
use treebound::experiment::rows::{ScoreRow, SentenceRow, SpeedRow, aggregate};
use treebound::records::{ReportError, schema};

use crate::fixture::{cell, changed, frame, phases, score, sentence, sentences};

/// A side by its rows.
#[derive(Clone)]
struct Side {
    name: String,
    scores: Vec<ScoreRow>,
    config: Option<toml::Table>,
    sentences: Vec<SentenceRow>,
    treebanks: BTreeMap<String, BTreeSet<String>>,
    times: Times,
}

#[derive(Clone, Default)]
struct Times {
    rows: Vec<SpeedRow>,
    machines: BTreeMap<String, BTreeSet<String>>,
}

impl Side {
    fn read(&self) -> diff::Side {
        let Times { rows, machines } = self.times.clone();
        diff::Side {
            name: self.name.clone(),
            scores: frame(&self.scores, &schema::SCORES),
            config: self.config.clone(),
            sentences: sentences(&self.sentences),
            treebanks: self.treebanks.clone(),
            times: diff::Times { rows: Some(frame(&rows, &schema::SPEED)), machines },
        }
    }
}

fn diff(old: &Side, new: &Side) -> Result<Diff, ReportError> {
    diff::diff(&old.read(), &new.read())
}

fn text(diff: &Diff, all: bool) -> String {
    diff.table(all).expect("a table").text()
}

fn config(epochs: u64, punctuation: &str) -> Option<toml::Table> {
    let text = format!("[training]\nepochs = {epochs}\n[[corpus]]\nname = 'toy'\npunctuation = '{punctuation}'\n");
    Some(text.parse().expect("TOML"))
}

/// A cell that gets better, one that gets worse, one that stays, one that fails, one that goes and one that comes.
fn sides() -> (Side, Side) {
    let set = |features: &str| cell(features, "k=10", "bnb", 1);
    let baseline = cell("baseline", "k=10", "dp", 1);
    let mut old = vec![score(&baseline, 800), score(&set("comb"), 810), score(&set("grandchild"), 820)];
    old.extend([score(&set("hand"), 830), score(&set("sibling"), 840)]);
    let mut new = vec![score(&baseline, 800), score(&set("comb"), 819), score(&set("grandchild"), 820)];
    let failed = ScoreRow { cell: set("hand"), key: Default::default(), counts: Err("out of memory".to_owned()) };
    new.extend([failed, score(&set("tri-sibling"), 850)]);
    if let Ok(counts) = &mut new[2].counts {
        counts.proven = Some(98);
        counts.effort.set(Count::DpCalls, Some(12_345));
    }
    let old = Side {
        name: "HEAD:results/toy".to_owned(),
        scores: old,
        config: config(5, "ud"),
        sentences: Vec::new(),
        treebanks: BTreeMap::new(),
        times: Times::default(),
    };
    (
        old,
        Side {
            name: "results/toy".to_owned(),
            scores: new,
            config: config(6, "ud"),
            sentences: Vec::new(),
            treebanks: BTreeMap::new(),
            times: Times::default(),
        },
    )
}

fn set(cell: &str) -> String {
    cell.split('/').nth(6).unwrap_or_default().to_owned()
}

fn made() -> Diff {
    let (old, new) = sides();
    diff(&old, &new).expect("comparable")
}

#[test]
fn old_new_and_change_stand_side_by_side() {
    assert_eq!(text(&made(), false), include_str!("diff.txt"));
    let markdown = made().table(false).expect("a table").markdown();
    assert!(
        markdown.contains("| comb | k=10 | bnb | 1 | 90.000 | 91.000 | +1.000 | - | 100 | 100 | 100 | 100 |  |"),
        "{markdown}"
    );
    assert!(markdown.contains("| training.epochs | 5 | 6 |"), "{markdown}");
}

#[test]
fn all_shows_what_did_not_change() {
    let (some, all) = (text(&made(), false), text(&made(), true));
    assert!(
        !some.contains("baseline")
            && all.contains("toy/test/predicted/graph/compact/perceptron/baseline/k=10/carreras/dp/seed=1")
    );
    assert!(all.lines().count() > some.lines().count() + 9);
}

/// Two seeds on the old side, one of them on the new: the other is left out.
#[test]
fn seeds_are_put_together_and_tested_by_their_sentences() {
    let rows = |seed: u64, right: u64| -> Vec<SentenceRow> {
        let cell = cell("comb", "k=10", "bnb", seed);
        (1..=40).map(|number| sentence(&cell, number, 10, right)).collect()
    };
    let side = |name: &str, sentences: Vec<SentenceRow>| Side {
        name: name.to_owned(),
        scores: aggregate::scores(&sentences),
        config: None,
        sentences,
        treebanks: BTreeMap::new(),
        times: Times::default(),
    };
    let old = side("old", [rows(1, 5), rows(2, 9)].concat());
    let new = side("new", rows(1, 6));
    let found = diff(&old, &new).expect("comparable");
    let [one] = &found.settings[..] else { panic!("one setting: {found:?}") };
    assert_eq!((&one.seeds[..], one.mark), (&[1][..], Some(Mark::Gone)), "seed 2 is gone");
    assert!(one.change_points().is_some_and(|change| (change - 100.0 / 9.0).abs() < 1e-9), "{one:?}");
    assert!(one.p_value.is_some_and(|p| p < 0.001), "{one:?}");
    // Without the sentences of a side, and with those of another run, there is no test.
    for sentences in [Vec::new(), rows(1, 7)] {
        let new = Side { sentences, ..new.clone() };
        assert_eq!(diff(&old, &new).expect("comparable").settings[0].p_value, None);
    }
}

/// Times that one machine took stand side by side; those of two machines, or of one that nobody knows, do not.
#[test]
fn times_compare_on_one_machine_alone() {
    let cell = cell("comb", "k=10", "bnb", 1);
    let side = |name: &str, ms: u64, machine: Option<&str>| {
        let sentences: Vec<SentenceRow> = (1..=40).map(|number| sentence(&cell, number, 10, 5)).collect();
        let one = SpeedRow {
            cell: cell.clone(),
            key: Default::default(),
            repeat: 1,
            length: Some(10),
            sentences: 40,
            phases: phases([ms * 1_000_000, 0, 0]),
        };
        let machines = machine.map(|machine| (cell.to_string(), BTreeSet::from([machine.to_owned()])));
        Side {
            name: name.to_owned(),
            scores: aggregate::scores(&sentences),
            config: None,
            sentences,
            treebanks: BTreeMap::new(),
            times: Times { rows: vec![one], machines: machines.into_iter().collect() },
        }
    };
    let found = |old: (u64, Option<&str>), new: (u64, Option<&str>)| {
        diff(&side("old", old.0, old.1), &side("new", new.0, new.1)).expect("comparable")
    };
    let faster = found((200, Some("a")), (100, Some("a")));
    let [speed] = &faster.speeds[..] else { panic!("one setting: {faster:?}") };
    assert_eq!((speed.words_per_second, speed.is_changed, faster.timed_elsewhere), ([2000.0, 4000.0], true, 0));
    let shown = text(&faster, false);
    assert!(shown.contains("Words/s, old to new, on one machine") && shown.contains("2.00"), "{shown}");
    assert_eq!(faster.json(false).expect("json")["speeds"][0]["new_words_per_second"], 4000.0);
    // That is no verdict.
    assert!(faster.worse().next().is_none() && found((100, Some("a")), (200, Some("a"))).worse().next().is_none());
    assert!(!text(&found((100, Some("a")), (100, Some("a"))), false).contains("Words/s"));
    for machine in [Some("b"), None] {
        let elsewhere = found((200, Some("a")), (100, machine));
        assert!(elsewhere.speeds.is_empty() && elsewhere.timed_elsewhere == 1);
        let shown = text(&elsewhere, true);
        assert!(
            shown.contains("1 cell was timed by other machines on the two sides: times do not compare."),
            "{shown}"
        );
    }
}

/// What a change of a config replaced is held against it, by the sentences of both; of two that it may be, neither is.
#[test]
fn what_was_replaced_stands_beside_what_replaced_it() {
    let rows = |features: &str, pruning: &str, right: u64| -> Vec<SentenceRow> {
        let cell = cell(features, pruning, "bnb", 1);
        (1..=40).map(|number| sentence(&cell, number, 10, right)).collect()
    };
    let side = |name: &str, rows: &[Vec<SentenceRow>]| {
        let sentences = rows.concat();
        let scores = aggregate::scores(&sentences);
        let (name, treebanks, times) = (name.to_owned(), BTreeMap::new(), Times::default());
        Side { name, scores, config: None, sentences, treebanks, times }
    };
    let old = side("old", &[rows("comb", "k=10", 5), rows("hand", "k=10", 6)]);
    let new = side("new", &[rows("comb", "k=20", 7), rows("hand", "k=20", 6)]);
    let found = diff(&old, &new).expect("comparable");
    let [comb, hand] = &found.replacements[..] else { panic!("two settings: {found:?}") };
    assert!(comb.change_points().is_some_and(|change| change > 20.0) && comb.p_value.is_some_and(|p| p < 0.001));
    assert_eq!((hand.change_points(), hand.p_value, hand.mark), (Some(0.0), None, None), "the same counts");
    assert_eq!(found.json(false).expect("json")["replacements"][0]["in_the_place_of"]["pruning"], "k=10");
    let shown = text(&found, false);
    assert!(shown.contains("Replaced, old to new: toy") && shown.contains("in the place of"), "{shown}");

    let two = side("new", &[rows("comb", "k=20", 7), rows("comb", "k=5", 7), rows("hand", "k=10", 6)]);
    assert!(diff(&old, &two).expect("comparable").replacements.is_empty());
    // Other seeds do not compare.
    let mut other_seed = new.clone();
    other_seed.scores.iter_mut().for_each(|row| row.cell = row.cell.setting.with_seed(2).into());
    assert!(diff(&old, &other_seed).expect("comparable").replacements.is_empty());
    // What is still there was not replaced.
    let more = side("new", &[rows("comb", "k=10", 5), rows("hand", "k=10", 6), rows("comb", "k=20", 7)]);
    assert!(diff(&old, &more).expect("comparable").replacements.is_empty());
}

#[test]
fn programs_get_counts() {
    let json = made().json(false).expect("json");
    assert_eq!((&json["changed"], &json["worse"]), (&5.into(), &3.into()));
    let cells = json["cells"].as_array().expect("cells");
    assert_eq!(cells[0]["cell"]["features"], "comb");
    assert_eq!((&cells[0]["old"]["scored_correct"], &cells[0]["new"]["scored_correct"]), (&810.into(), &819.into()));
    assert_eq!(cells[0]["old"].as_object().map(serde_json::Map::len), Some(12));
    assert_eq!(cells[2]["new"]["error"], "out of memory");
    assert!(cells[3]["new"].is_null() && cells[4]["old"].is_null());
    assert_eq!(json["settings"][0]["new"]["scored_correct"], 819);
    assert_eq!(json["config"][0]["setting"], "training.epochs");
}

#[test]
fn worse_is_fewer_words_fewer_proofs_failed_or_gone() {
    let worse: Vec<String> = made().worse().map(|cell| set(&cell.cell)).collect();
    assert_eq!(worse, ["grandchild", "hand", "sibling"]);
    let (old, new) = sides();
    let back: Vec<String> = diff(&new, &old).expect("comparable").worse().map(|cell| set(&cell.cell)).collect();
    assert_eq!(back, ["comb", "tri-sibling"]);
}

#[test]
fn nothing_changed_is_one_line() {
    let (old, _) = sides();
    let same = diff(&old, &old).expect("comparable");
    assert_eq!(text(&same, false), "No change in 5 cells between HEAD:results/toy and HEAD:results/toy.\n");
}

#[test]
fn other_data_and_other_rules_are_refused() {
    let refused = |change: &dyn Fn(&mut Side)| {
        let (old, mut new) = sides();
        change(&mut new);
        diff(&old, &new).expect_err("not comparable").to_string()
    };
    let message = refused(&|side| {
        for row in &mut side.scores {
            if let Ok(counts) = &mut row.counts {
                counts.scored_tokens = 899;
            }
        }
    });
    let expected = "toy/test/predicted/graph/compact/perceptron/baseline/k=10/carreras/dp/seed=1 in HEAD:results/toy and \
        toy/test/predicted/graph/compact/perceptron/baseline/k=10/carreras/dp/seed=1 in results/toy are not from the same data: `scored_tokens` is 900 and 899";
    assert!(message.starts_with(expected), "{message}");
    let message = refused(&|side| side.config = config(5, "ptb"));
    assert!(message.starts_with("toy: the punctuation rule is \"ud\" in HEAD:results/toy and \"ptb\" in"), "{message}");
}

/// What is parsed must be the same files; what is learnt from may be others, and is told.
#[test]
fn other_files_are_refused() {
    let with = |part: &str, sums: [&[&str]; 2]| {
        let (mut old, mut new) = sides();
        for (side, sums) in [&mut old, &mut new].into_iter().zip(sums) {
            let sums: BTreeSet<String> = sums.iter().map(|sum| (*sum).to_owned()).collect();
            side.treebanks = BTreeMap::from([(format!("toy/{part}"), sums)]);
        }
        diff(&old, &new).map_err(|e| e.to_string())
    };
    let message = with("test", [&["aaa"], &["bbb"]]).expect_err("other files");
    let expected = "toy/test: HEAD:results/toy (aaa...) and results/toy (bbb...) are from other files";
    assert!(message.starts_with(expected), "{message}");
    // One of several runs may have made what is compared.
    assert_eq!(with("test", [&["aaa", "bbb"], &["bbb"]]).map(|diff| text(&diff, true)), Ok(text(&made(), true)));
    let told = text(&with("train", [&["aaa"], &["bbb"]]).expect("comparable"), false);
    assert!(told.contains("data.toy/train   aaa  bbb"), "{told}");

    let (old, mut new) = sides();
    for row in &mut new.scores {
        row.cell = changed(&row.cell, |setting| setting.corpus = treebound::cell::CorpusName::like("other"));
    }
    let message = diff(&old, &new).expect_err("nothing in common").to_string();
    assert!(message.contains("have no part of a corpus in common"), "{message}");
}

#[test]
fn an_unknown_config_is_said() {
    let (old, new) = sides();
    let shown = text(&diff(&Side { config: None, ..old }, &new).expect("comparable"), false);
    assert!(shown.contains("HEAD:results/toy has no config.resolved.toml"), "{shown}");
}
