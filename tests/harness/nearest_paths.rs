//! A path that is not there has a nearest one, as keys have; so have feature sets and learners. A config stands for its results, and
//! they for it.

use crate::desk::{Desk, tiny};

#[test]
fn slips_in_paths_and_sets_name_what_was_meant() {
    let desk = Desk::new();
    desk.write("configs/quickstart.toml", tiny(10, 5, 5));
    for (slip, meant) in
        [("configs/quikstart.toml", "configs/quickstart.toml"), ("configs/quickstart.tmol", "configs/quickstart.toml")]
    {
        let wanted =
            format!("{slip}: cannot read the config: No such file or directory (os error 2); did you mean {meant}?");
        desk.treebound(&["check", slip]).failure(&[&wanted]);
    }
    let done = desk.treebound(&["check", "configs/other-thing.toml"]);
    assert!(!done.err.contains("did you mean"), "{done:?}");
    desk.write("configs/mine.toml", "extends = 'quickstrt.toml'");
    desk.treebound(&["check", "configs/mine.toml"])
        .failure(&["mine.toml:1: extends: cannot read", "did you mean configs/quickstart.toml?"]);
    for (set, wanted) in [
        ("training.learner=\"perceptrn\"", "such as `mira-long`; did you mean `perceptron`?"),
        (
            "training.learner=\"mira-lng\"",
            "the learner `mira-lng` is not described; did you mean `mira-long`? else add",
        ),
    ] {
        let set = ["check", "configs/quickstart.toml", "--set", "learner.mira-long.average_from=1", "--set", set];
        desk.treebound(&set).failure(&[wanted]);
    }
    let features = ["train", "configs/quickstart.toml", "--model", "m", "--features", "grandchild+siblng"];
    desk.treebound(&features).failure(&["`siblng` is not known (did you mean sibling?): write baseline, or some of "]);
}

#[test]
fn a_config_stands_for_its_results_and_they_for_it() {
    let desk = Desk::new();
    desk.write("configs/tiny.toml", tiny(10, 5, 5));
    desk.treebound(&["run", "configs/tiny.toml", "-q"]).success();
    desk.put("other", &desk.files("results/tiny"));
    let verbs: [&[&str]; 14] = [
        &["check"],
        &["check", "--cells"],
        &["plan"],
        &["run", "-q"],
        &["table", "2"],
        &["figure", "5"],
        &["report"],
        &["verify", "-q"],
        &["diff", "other"],
        &["explain", "--sentence", "1"],
        &["features", "patterns"],
        &["measure", "breakdown", "-q"],
        &["train", "--model", "model"],
        &["data", "graphs", "-f", "^made/test/.*/sibling/", "-o", "graphs"],
    ];
    for verb in verbs {
        // The config is the first word behind the verb and its part.
        let parts =
            verb.iter().take(2).filter(|word| ["measure", "features", "data"].contains(&verb[0]) || *word == &verb[0]);
        let (verb, rest) = verb.split_at(parts.count());
        let typed = |name: &'static str| desk.treebound(&[verb, &[name], rest].concat()).success();
        let (by_config, by_results) = (typed("configs/tiny.toml"), typed("results/tiny"));
        let same = |out: String| out.replace("configs/tiny.toml", "results/tiny");
        if verb[0] != "train" {
            assert_eq!(same(by_config), same(by_results), "{verb:?}");
        }
    }
    desk.treebound(&["diff", "other", "configs/tiny.toml", "--exit-code"]).success();
    desk.treebound(&["verify", "configs/none.toml"]).failure(&["configs/none.toml"]);
}

/// A measurement of what a figure shows measures the cells that the figure shows.
#[test]
fn what_figures_show_is_measured() {
    let desk = Desk::new();
    let grid =
        "\n[[grid]]\nname = 'main'\n\n[[grid]]\nname = 'more'\ndefault = false\nlearners = 'mira'\nsets = 'baseline'\n";
    let config = tiny(10, 5, 5) + grid;
    desk.write("tiny.toml", &config);
    desk.treebound(&["run", "tiny.toml", "-q", "-f", "."]).success();
    let learners = || {
        let rows = desk.read("results/tiny/breakdown.csv");
        let of_row = rows.lines().skip(1).filter_map(|line| line.split(',').nth(5).map(str::to_owned));
        of_row.collect::<std::collections::BTreeSet<String>>()
    };
    desk.treebound(&["measure", "breakdown", "tiny.toml", "-q"]).success();
    assert_eq!(learners(), ["perceptron".to_owned()].into());
    desk.write("tiny.toml", config + "\n[[figure]]\nname = 'breakdown'\ngrids = ['more']\n");
    desk.treebound(&["measure", "breakdown", "tiny.toml", "-q"]).success();
    assert_eq!(learners(), ["perceptron".to_owned(), "mira".to_owned()].into());
}
