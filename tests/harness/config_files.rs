//! Configs of several files: what extends what, corpora in files of their own, values set on the command line, grids by
//! name, and where each value came from.

use crate::desk::Desk;
use treebound::experiment::config::{self, Config};

const TREEBANK: &str = "1\ta\t_\tX\tX\t_\t2\tdep\t_\t_\n2\tb\t_\tX\tX\t_\t0\troot\t_\t_\n\n\
                        1\ta\t_\tX\tX\t_\t0\troot\t_\t_\n2\tb\t_\tX\tX\t_\t1\tdep\t_\t_\n";

const CORPUS: &str = "name = 'toy'\nformat = 'conllu'\nfolder = '../data'\ntrain = 'toy.conllu'\ndev = 'toy.conllu'\n\
                      test = 'toy.conllu'\n[expected]\ntrain = { sentences = 2 }\n";

const BASE: &str = "seeds = [1, 2]\ncorpus = 'corpora/toy.toml'\n[training]\nepochs = 3\npruning = 'k=5'\n\
                    templates = 'sets/small.toml'\n[[grid]]\nname = 'main'\nsets = 'sibling'\n[[grid]]\nname = 'more'\n\
                    default = false\nsets = ['sibling', 'comb']\n";

const OWN: &str =
    "extends = 'shared/base.toml'\nseeds = 4\n[training]\nepochs = 1\n[[grid]]\nname = 'main'\npruning = 7\n";

const TEMPLATES: &str = "[[group]]\npart = 'arc'\nvariants = ['plain']\ntemplates = ['h.t m.t']\n";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("configs/shared/corpora/toy.toml", CORPUS);
    desk.write("configs/shared/data/toy.conllu", TREEBANK);
    desk.write("configs/shared/sets/small.toml", TEMPLATES);
    desk.write("configs/shared/base.toml", BASE);
    desk.write("configs/own.toml", OWN);
    desk
}

fn read(desk: &Desk, set: &[&str]) -> Result<Config, String> {
    let set: Vec<String> = set.iter().map(ToString::to_string).collect();
    config::read_with(&desk.path("configs/own.toml"), &set).map_err(|e| e.to_string())
}

fn names(config: &Config) -> Vec<&str> {
    config.grids.iter().map(|grid| grid.name.as_str()).collect()
}

#[test]
fn a_config_extends_another_key_by_key() {
    let desk = desk();
    let config = read(&desk, &[]).expect("a config");
    assert_eq!((config.name.as_str(), names(&config)), ("own", vec!["main", "more"]));
    let [main, more] = &config.grids[..] else { panic!("two grids") };
    let schedule = config.learners.values().next().expect("a learner");
    assert_eq!((schedule.epochs, schedule.pruning.to_string()), (1, "k=5".to_owned()));
    assert_eq!((&main.seeds, &more.seeds), (&vec![4], &vec![4]));
    let prunings = |grid: &config::Grid| grid.graph.prunings.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!((prunings(main), prunings(more)), (vec!["k=7".to_owned()], vec!["k=10".to_owned()]));
    assert_eq!(main.graph.sets.len() + more.graph.sets.len(), 1 + 2);
    // Paths start at the file that they stand in.
    assert_eq!(config.corpora[0].folder, ["shared/data"]);
    assert_eq!(config.templates.values().map(ToString::to_string).collect::<Vec<_>>(), ["shared/sets/small.toml"]);
    let out = desk.treebound(&["check", "configs/own.toml"]).success();
    assert!(out.contains("train      2 sentences        4 words"), "{out}");
    // What is extended may extend another, but not itself; a file that is not there is told.
    desk.write("configs/own.toml", "extends = 'no.toml'");
    let fault = read(&desk, &[]).expect_err("a fault");
    assert!(fault.contains("own.toml:1: extends: cannot read ") && fault.contains("no.toml"), "{fault}");
    desk.write("configs/own.toml", OWN);
    desk.write("configs/shared/base.toml", format!("extends = '../further/far.toml'\n{BASE}"));
    desk.write("configs/further/far.toml", "extends = 'farther.toml'\n[timing]\nrepeats = 7\n[training]\nepochs = 9\n");
    desk.write("configs/further/farther.toml", "[timing]\nrepeats = 8\n[training]\naverage_from = 2\n");
    let config = read(&desk, &["training.epochs=2"]).expect("a chain");
    let schedule = config.learners.values().next().expect("a learner");
    assert_eq!((config.timing.repeats, schedule.epochs, schedule.average_from), (7, 2, 2));
    assert_eq!(names(&config), ["main", "more"]);
    desk.write("configs/further/farther.toml", "extends = '../own.toml'\n");
    let fault = read(&desk, &[]).expect_err("a fault");
    assert!(fault.contains("farther.toml:1: extends: ") && fault.contains("is extended by itself"), "{fault}");
}

#[test]
fn faults_and_data_name_the_file_that_they_stand_in() {
    let desk = desk();
    desk.write("configs/shared/corpora/toy.toml", CORPUS.replace("sentences = 2", "sentences = 3"));
    let wanted = "configs/shared/corpora/toy.toml:8: corpus `toy`, train: 2 sentences where the config expects 3";
    desk.treebound(&["check", "configs/own.toml"]).failure(&[wanted]);
    desk.write("configs/shared/corpora/toy.toml", CORPUS.replace("format", "fromat"));
    desk.write("configs/shared/base.toml", BASE.replace("epochs", "epoch"));
    desk.write("configs/own.toml", OWN.replace("pruning", "prune"));
    let fault = read(&desk, &[]).expect_err("faults");
    let ends: Vec<&str> = fault.lines().map(|line| line.rsplit('/').next().expect("a file")).collect();
    assert_eq!(
        ends,
        [
            "own.toml:7: unknown key `prune`; did you mean `pruning`?",
            "base.toml:4: unknown key `epoch`; did you mean `epochs`?",
            "toy.toml: the corpus has no key `format`",
            "toy.toml:2: unknown key `fromat`; did you mean `format`?",
        ],
        "{fault}"
    );
    // A corpus of the same name is merged, too.
    let inline = "[[corpus]]\nname = 'toy'\npublished = 'CTB'\n";
    desk.write("configs/shared/corpora/toy.toml", CORPUS);
    desk.write("configs/shared/base.toml", BASE);
    desk.write("configs/own.toml", format!("{OWN}{inline}"));
    assert_eq!(read(&desk, &[]).expect("a config").corpora[0].published.as_deref(), Some("CTB"));
}

#[test]
fn values_are_set_on_the_command_line() {
    let desk = desk();
    let set = ["training.epochs=2", "grid.more.seeds=[8, 9]", "corpus.toy.nonprojective=drop", "timing.repeats = 5"];
    let config = read(&desk, &set).expect("a config");
    assert_eq!(config.learners.values().next().expect("a learner").epochs, 2);
    assert_eq!((&config.grids[0].seeds, &config.grids[1].seeds), (&vec![4], &vec![8, 9]));
    assert_eq!((config.corpora[0].nonprojective, config.timing.repeats), (treebound::systems::Nonprojective::Drop, 5));
    for (set, wanted) in [
        ("training.epoch=2", "--set training.epoch=2: unknown key `epoch`; did you mean `epochs`?"),
        ("training.epochs=two", "--set training.epochs=two: epochs = \"two\": a whole number from 1 is needed"),
        ("training.epochs", "--set training.epochs: write KEY=VALUE, as in training.epochs=2"),
        (
            "grid.mira.seeds=1",
            "no grid has the name at the beginning of `mira.seeds`; write grid.NAME.KEY, of `main`, `more`",
        ),
        ("training..epochs=1", "`training..epochs` is no key: a part of it is empty"),
        ("seeds.first=1", "`seeds` has no keys of its own"),
    ] {
        let fault = read(&desk, &[set]).expect_err("a fault");
        assert!(fault.contains(wanted), "{fault}");
        desk.treebound(&["check", "--cells", "configs/own.toml", "--set", set]).failure(&[wanted]);
    }
    // A config without grids has one that can be named.
    desk.write("configs/own.toml", "corpus = 'shared/corpora/toy.toml'");
    assert_eq!(read(&desk, &["grid.main.seeds=[5]"]).expect("a config").grids[0].seeds, [5]);
    let out = desk.treebound(&["check", "--cells", "configs/own.toml", "--set", "grid.main.sets=[]"]).success();
    assert_eq!(out.lines().count(), 1 + 1, "{out}");
}

#[test]
fn the_resolved_config_says_where_each_value_stands() {
    let desk = desk();
    let config = read(&desk, &["timing.repeats=5"]).expect("a config");
    let text = config::resolved(&config);
    for line in [
        "epochs = 1  # own.toml:4",
        "pruning = \"k=5\"  # shared/base.toml:5",
        "repeats = 5  # --set",
        "folder = [\"shared/data\"]  # shared/corpora/toy.toml:3",
        "sentences = 2  # shared/corpora/toy.toml:8",
        "pruning = [\"k=7\"]  # own.toml:7",
        "pruning = [\"k=10\"]",
        "sets = [\"comb\", \"sibling\"]  # shared/base.toml:13",
        "templates = [\"shared/sets/small.toml\"]  # shared/base.toml:6",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    // It can be run itself, and where values stand is no setting.
    desk.write("configs/again.toml", &text);
    let again = config::read(&desk.path("configs/again.toml")).expect("a config");
    assert_eq!(config::settings(&again), config::settings(&config));
    assert_eq!(Config { name: config.name.clone(), ..again }, config);
}

#[test]
fn what_files_hold_is_a_setting() {
    let desk = desk();
    let before = config::settings(&read(&desk, &[]).expect("a config"));
    desk.write("configs/again.toml", config::resolved(&read(&desk, &[]).expect("a config")));
    desk.write("configs/shared/sets/small.toml", TEMPLATES.replace("m.t", "m.w"));
    let after = config::settings(&read(&desk, &[]).expect("a config"));
    assert!(before != after && before.contains("[files]\n\"shared/sets/small.toml\" = \""), "{before}");
    // What was written with the old file does not go on with the new one unawares.
    let wanted =
        "shared/sets/small.toml is not the file that this config was written with; remove this line to go on with it";
    desk.treebound(&["check", "--cells", "configs/again.toml"]).failure(&[wanted]);
}

#[test]
fn template_sets_have_names_of_their_own() {
    let desk = desk();
    desk.write("configs/other/small.toml", TEMPLATES);
    let fault = read(&desk, &["grid.more.templates=other/small.toml"]).expect_err("a fault");
    assert!(fault.contains("`shared/sets/small.toml` and `other/small.toml` are both called `small`"), "{fault}");
    let fault = read(&desk, &["training.templates=other/paper.toml"]).expect_err("a fault");
    assert!(
        fault.contains("`paper` is a built-in set, and results name sets by their files; rename the file"),
        "{fault}"
    );
    // What is printed can be named.
    let printed = desk.treebound(&["features", "templates", "paper"]).success();
    desk.write("configs/mine.toml", &printed);
    desk.treebound(&["check", "configs/own.toml", "--set", "training.templates=mine.toml"]).success();
    assert_eq!(desk.treebound(&["features", "templates", "configs/mine.toml"]).success(), printed);
    desk.treebound(&["features", "templates", "papr"]).failure(&["papr: cannot read the template file"]);
}

#[test]
fn grids_are_chosen_by_name() {
    let desk = desk();
    let count = |more: &[&str]| {
        desk.treebound(&[&["check", "--cells", "configs/own.toml"], more].concat()).success().lines().count() - 1
    };
    // Baseline and siblings with k=7, those and combs with k=10.
    assert_eq!(count(&[]), 2);
    assert_eq!(count(&["--grid", "more"]), 3);
    assert_eq!(count(&["--grid", "main", "--grid", "more"]), 5);
    assert_eq!(count(&["-f", "sibling"]), 2);
    assert_eq!(count(&["-f", "sibling", "--grid", "more"]), 1);
    let wanted = ["--grid mroe: the config has no such grid; it has main, more"];
    desk.treebound(&["check", "--cells", "configs/own.toml", "--grid", "mroe"]).failure(&wanted);
    desk.treebound(&["run", "configs/own.toml", "--grid", "mroe"]).failure(&wanted);
    // A grid of an extended file may be changed, but not twice.
    desk.write(
        "configs/twice.toml",
        "extends = \"shared/base.toml\"\n[[grid]]\nname = \"more\"\n[[grid]]\nname = \"more\"\n",
    );
    desk.treebound(&["check", "configs/twice.toml"]).failure(&["twice.toml:4: two grids are named `more`"]);
    desk.treebound(&["check", "--cells", "configs/own.toml", "--set", "grid.main.default=false"])
        .failure(&["no grid of the config is run unless it is named: choose one with --grid"]);
}

#[test]
fn grids_that_contradict_each_other_are_a_fault() {
    let desk = desk();
    let set = ["grid.main.pruning=10", "grid.more.dp_calls=5"];
    let fault = read(&desk, &set).expect_err("a fault");
    let wanted = "the grids `main` and `more` have cells in common, with different limits: dp_calls = 20000 and 5";
    assert!(fault.contains(wanted), "{fault}");
    // The baseline searches nothing.
    read(&desk, &["grid.main.pruning=10", "grid.more.dp_calls=5", "grid.more.sets=comb"]).expect("a config");
}
