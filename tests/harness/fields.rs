//! CRFs as they are run: by config and from the command line.

use crate::desk::{Desk, tiny};

/// A tiny experiment with one learner.
fn of_one(learner: &str) -> String {
    tiny(60, 10, 20)
        .replace("[training]", &format!("[training]\ntemplates = \"ma-zhao\"\nlearner = \"{learner}\""))
        .replace(
            "[features]",
            "[learner.crf]\nc = 2.0\n\n[learner.crf-batches]\nbatch = 3\nrate = 0.05\nepochs = 3\n\n\
             [learner.mira-kbest]\nkbest = 5\n\n[features]",
        )
}

/// One with a CRF over each program, decoded in both ways.
fn config() -> String {
    of_one("crf")
        + r#"
[[grid]]
name = "local"
learners = "crf"
sets = "baseline"
decoders = ["bnb", "mbr"]
backbones = ["carreras", "grand-sibling"]

[[grid]]
name = "online"
learners = ["mira-kbest", "crf-batches"]
sets = "baseline"

[[grid]]
name = "nonlocal"
templates = "compact"
learners = "crf"
sets = "sibling"
"#
}

fn column(csv: &str, name: &str) -> Vec<String> {
    let at = csv.lines().next().expect("a heading").split(',').position(|column| column == name).expect("a column");
    csv.lines().skip(1).map(|line| line.split(',').nth(at).expect("a cell").to_owned()).collect()
}

#[test]
fn a_field_is_run_and_looked_at() {
    let desk = Desk::new();
    desk.write("made.toml", config());
    desk.treebound(&["run", "made.toml", "-j", "1", "--quiet"]).success();
    let scores = desk.read("results/made/scores.csv");
    assert!(column(&scores, "error").iter().all(String::is_empty), "{scores}");
    let decoding = column(&scores, "decoding");
    for wanted in ["carreras/dp", "carreras/mbr", "grand-sibling/dp", "grand-sibling/mbr", "carreras/bnb"] {
        assert!(decoding.iter().any(|found| found == wanted), "{scores}");
    }
    // Steps go down, the last is the model's, and whole numbers cost next to nothing.
    let training = desk.read("results/made/training.csv");
    let [templates, learner, set, backbone] =
        ["templates", "learner", "features", "backbone"].map(|name| column(&training, name));
    let (objective, chosen) = (column(&training, "objective_e6"), column(&training, "chosen"));
    let rounded = column(&training, "objective_of_model_e6");
    let number = |text: &String| text.parse::<i64>().expect("a number");
    let of = |program: &str| {
        let is_ours = |i: usize| templates[i] == "ma-zhao" && learner[i] == "crf" && set[i] == "baseline";
        let is_of = |i: &usize| is_ours(*i) && backbone[*i] == program;
        (0..learner.len()).filter(is_of).collect::<Vec<usize>>()
    };
    for rows in ["carreras", "grand-sibling"].map(of) {
        assert!(rows.len() > 5);
        assert!(rows.windows(2).all(|pair| number(&objective[pair[1]]) < number(&objective[pair[0]])), "{training}");
        let last = rows[rows.len() - 1];
        assert!(rows.iter().all(|&i| (chosen[i] == "1") == (i == last)));
        let cost = number(&rounded[last]) - number(&objective[last]);
        assert!(cost.abs() <= number(&objective[last]) / 1000, "{training}");
    }
    // A CRF learnt by batches loses less from pass to pass.
    let batches: Vec<i64> =
        (0..learner.len()).filter(|&i| learner[i] == "crf-batches").map(|i| number(&objective[i])).collect();
    assert!(batches.len() > 1 && batches.windows(2).all(|pair| pair[1] < pair[0]), "{training}");
    assert!(column(&training, "mistakes").iter().any(String::is_empty));
    // Other threads and processes make the same bytes.
    let other = Desk::new();
    other.write("made.toml", config());
    other.treebound(&["run", "made.toml", "-j", "3", "--quiet"]).success();
    for name in
        ["scores.csv", "sentences.csv", "by_sentence.csv", "training.csv"].map(|name| format!("results/made/{name}"))
    {
        assert!(other.read(&name) == desk.read(&name), "{name}");
    }

    let table = desk.treebound(&["table", "made.toml", "learners"]).success();
    for wanted in ["crf", "mbr", "mira-kbest", "root", "complete", "ma-zhao, grand-sibling"] {
        assert!(table.contains(wanted), "{table}");
    }
    assert!(desk.read("results/made/learners.csv").contains("complete_pct"));
    desk.treebound(&["verify", "results/made"]).success();
}

/// Counts are always the same, rows of other models and threads stay, and the store gains no model.
#[test]
fn learning_is_timed() {
    let desk = Desk::new();
    desk.write("made.toml", config());
    let time =
        |more: &[&str]| desk.treebound(&[&["measure", "learning", "made.toml", "--quiet"], more].concat()).success();
    let shown = time(&["--grid", "online", "-j", "2,1"]);
    assert!(shown.contains("crf-batches") && shown.contains("parallel"), "{shown}");
    let rows = |name: &str| column(&desk.read("results/made/learning.csv"), name);
    assert_eq!(rows("learner"), ["mira-kbest", "mira-kbest", "crf-batches", "crf-batches"]);
    assert_eq!(rows("threads"), ["1", "2", "1", "2"]);
    assert_eq!(rows("passes"), ["1", "1", "3", "3"]);
    assert!(rows("train_ns").iter().all(|ns| ns.parse::<u64>().expect("a number") > 0));
    time(&["-f", "ma-zhao/crf/baseline/.*carreras/dp", "-j", "1"]);
    assert_eq!(rows("learner"), ["mira-kbest", "mira-kbest", "crf", "crf-batches", "crf-batches"]);
    let models = std::fs::read_dir(desk.path("cache")).expect("a folder").filter_map(Result::ok);
    assert!(!models.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with("model-")));
    desk.treebound(&["measure", "learning", "made.toml", "-f", "nothing"]).failure(&["there is nothing to learn"]);
    // Times of another machine neither stay beside those of this one nor are lost.
    let origin = desk.read("results/made/provenance.toml");
    assert!(origin.contains("verb = \"learning\"") && origin.contains("cpu = "), "{origin}");
    desk.write("results/made/provenance.toml", origin.replace("cpu = \"", "cpu = \"another "));
    let before = desk.read("results/made/learning.csv");
    let one = ["measure", "learning", "made.toml", "-q", "-j", "1", "-f", "ma-zhao/crf/baseline/.*carreras/dp"];
    desk.treebound(&one).failure(&["learning.csv has rows that are left out now", "do not compare"]);
    assert_eq!(desk.read("results/made/learning.csv"), before);
}

/// The sum of a column over the lines that have all of `fields`.
fn sum(csv: &str, name: &str, fields: &[&str]) -> u64 {
    let is_of = |line: &&str| fields.iter().all(|wanted| line.split(',').any(|field| field == *wanted));
    let lines: Vec<&str> = csv.lines().take(1).chain(csv.lines().skip(1).filter(is_of)).collect();
    column(&lines.join("\n"), name).iter().map(|count| count.parse::<u64>().expect("a count")).sum()
}

#[test]
fn finished_parses_are_looked_at() {
    let desk = Desk::new();
    desk.write("made.toml", config());
    let look = |verb: &str, more: &[&str]| desk.treebound(&[&["measure", verb, "made.toml", "-q"], more].concat());
    look("breakdown", &[]).failure(&["scores.csv has no results for made/", "first treebound run made.toml"]);
    desk.treebound(&["run", "made.toml", "-q"]).success();
    look("breakdown", &["-j", "1"]).success();
    let printed = look("calibration", &["-j", "1"]).success();
    let [scores, classes, bins] =
        ["scores", "breakdown", "calibration"].map(|name| desk.read(&format!("results/made/{name}.csv")));
    for split in ["dev", "test"] {
        // Each word is once in each view, and all of a cell are those of its scores.
        for cell in [["crf", "carreras/dp"], ["crf", "grand-sibling/mbr"], ["mira-kbest", "carreras/dp"]] {
            let all = |csv: &str, name: &str, more: &[&str]| {
                sum(csv, name, &[&[split, "baseline", cell[0], cell[1]], more].concat())
            };
            let [words, right] = ["scored_tokens", "scored_correct"].map(|name| all(&scores, name, &[]));
            assert!(words > right && right > 0, "{scores}");
            for view in ["sentence-length", "arc-length", "predicted-arc-length", "depth", "predicted-depth"] {
                let found = ["words", "correct"].map(|name| all(&classes, name, &[view]));
                assert_eq!(found, [words, right], "{view}: {classes}");
            }
            let found = ["words", "correct"].map(|name| all(&bins, name, &[]));
            // What is no CRF has no probabilities.
            assert_eq!(found, if cell[0] == "crf" { [words, right] } else { [0, 0] }, "{bins}");
        }
    }
    // Sets with non-local features are not looked at.
    assert!(!(classes.clone() + &bins).contains("sibling,k=4,carreras/bnb"), "{bins}");

    // Again, in another order and with other threads, they are the same bytes.
    look("calibration", &["-j", "3", "-f", "grand-sibling"]).success();
    look("breakdown", &["-j", "3", "-f", "test/.*crf"]).success();
    assert!(desk.read("results/made/calibration.csv") == bins && desk.read("results/made/breakdown.csv") == classes);

    assert!(printed.contains("Calibration: made, test part") && printed.contains("mbr"), "{printed}");
    let table = desk.treebound(&["table", "made.toml", "calibration"]).success();
    assert!(table.starts_with(printed.lines().next().expect("a heading")), "{table}");
    assert!(desk.read("results/made/calibration_error.csv").contains("expected_error_points"));
    for figure in ["breakdown", "calibration"] {
        desk.treebound(&["figure", "made.toml", figure]).success();
        let csv = desk.read(&format!("figures/made/{figure}.csv"));
        assert!(csv.contains("made,test,") && !csv.contains("made,dev,"), "the test part: {csv}");
        desk.treebound(&["figure", "made.toml", figure, "-f", "/dev/"]).success();
        assert!(desk.read(&format!("figures/made/{figure}-part.csv")).contains("made,dev,"));
        assert_eq!(desk.read(&format!("figures/made/{figure}.csv")), csv, "a part never takes the place of the whole");
    }
    // Nothing is trained.
    std::fs::remove_dir_all(desk.path("cache")).expect("removed");
    for verb in ["breakdown", "calibration"] {
        look(verb, &[]).failure(&["the finished work of", "make it with treebound run made.toml"]);
    }
    look("calibration", &["-f", "mira"]).failure(&["no cell that is asked for is one of CRFs"]);
    let verify = |folder: &Desk| folder.treebound(&["verify", "results/made", "--records"]);
    verify(&desk).success();
    let wrong = classes.replacen(",sentence-length,", ",depth,", 1);
    assert!(wrong != classes);
    desk.write("results/made/breakdown.csv", wrong);
    verify(&desk).failure(&["breakdown.csv", "but", "by scores.csv"]);
}

#[test]
fn heads_have_probabilities() {
    let desk = Desk::new();
    let train = |learner: &str, features: &str, model: &str| {
        // `ma-zhao` has no templates of families.
        let templates = if features == "baseline" { "ma-zhao" } else { "compact" };
        desk.write("made.toml", of_one(learner).replace("\"ma-zhao\"", &format!("\"{templates}\"")));
        let done = desk.treebound(&["train", "made.toml", "--features", features, "--model", model]);
        assert_eq!(done.code, Some(0), "{done:?}");
        done.err
    };
    let told = train("crf", "baseline", "field.model");
    assert!(told.contains("the descent ended: the gradient has fallen to `tolerance` of what it was\n"), "{told}");
    let told = desk.treebound(&["train", "made.toml", "--model", "again.model"]).err;
    assert!(told.contains("step 1 of ") && told.contains(": objective ") && told.contains(", gradient "), "{told}");
    let text: String = "the dog sees the cat"
        .split(' ')
        .enumerate()
        .map(|(i, word)| format!("{}\t{word}\t_\tNOUN\tNN\t_\t_\t_\t_\tSpaceAfter=No|HeadProb=2\n", i + 1))
        .collect();
    desk.write("in.conllu", text + "\n");
    let parse =
        |model: &str, more: &[&str]| desk.treebound(&[&["parse", "--model", model, "in.conllu"], more].concat());
    let plain = parse("field.model", &[]).success();
    assert_eq!(plain.matches("\tSpaceAfter=No\n").count(), 5, "the probability of another head goes, the rest stays");
    for more in [&["--probabilities"][..], &["--probabilities", "--decoder", "mbr"]] {
        let out = parse("field.model", more).success();
        for line in out.lines().filter(|line| !line.is_empty()) {
            let p = line.rsplit_once("SpaceAfter=No|HeadProb=").expect("a probability").1;
            assert_eq!(p.len(), "0.123456".len(), "{line}");
            assert!((0.0..=1.0).contains(&p.parse::<f64>().expect("a number")), "{line}");
        }
    }
    // What has no probabilities says so.
    train("mira-kbest", "baseline", "online.model");
    train("crf", "sibling", "searched.model");
    for model in ["online.model", "searched.model"] {
        parse(model, &["--probabilities"]).failure(&[model, "only a CRF without non-local features"]);
        parse(model, &["--decoder", "mbr"]).failure(&[model, "only a CRF without non-local features"]);
    }
}

#[test]
fn faults_are_named() {
    let desk = Desk::new();
    for (from, to, wanted) in [
        ("c = 2.0", "c = 0.0", "c = 0: it lies above 0"),
        ("c = 2.0", "tolerance = -1.0", "tolerance = -1: it lies above 0"),
        ("c = 2.0", "iterations = 0", "iterations = 0"),
        ("c = 2.0", "features = \"some\"", "features = `some`"),
        ("kbest = 5", "kbest = 0", "kbest = 0"),
        ("kbest = 5", "roots = \"two\"", "it can be `one`, `several`"),
        ("kbest = 5", "roots = 2", "it can be `one`, `several`"),
        ("batch = 3", "", "add `batch`"),
        ("batch = 3", "batch = 0", "batch = 0"),
        ("rate = 0.05", "rate = 0.00001", "rate = 1e-5"),
        (
            "learners = [\"mira-kbest\", \"crf-batches\"]",
            "learners = \"mira-kbest\"\ndecoders = \"mbr\"",
            "`mbr` needs probabilities",
        ),
    ] {
        assert!(config().contains(from));
        desk.write("made.toml", config().replace(from, to));
        desk.treebound(&["run", "made.toml", "--quiet"]).failure(&["made.toml:", wanted]);
    }
}
