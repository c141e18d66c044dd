//! The report: everything that was measured is on the page, trees are drawn inside their drawings, and nothing overflows.

use std::process::{Command, Stdio};

use crate::desk::Desk;

const CONFIG: &str = r#"
claims = "paper"
seeds = [1, 2]
[[corpus]]
name = "made"
format = "synthetic"
[corpus.synthetic]
train = 120
dev = 20
test = 60
vocabulary = 500
[training]
epochs = 2
pruning = "k=4"
[pruner]
epochs = 1
[evaluation]
rounds = 100
[timing]
repeats = 1
[features]
sets = ["sibling", "grandchild+sibling"]
[[grid]]
name = "main"
[[grid]]
name = "prunings"
default = false
sets = "grandchild+sibling"
pruning = ["k=2", "none"]
[[grid]]
name = "learners"
default = false
sets = "baseline"
learners = ["mira", "crf"]
"#;

/// Numbers of an attribute of a drawing.
fn numbers(text: &str) -> Vec<f64> {
    text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).filter_map(|word| word.parse().ok()).collect()
}

/// The value of an attribute, from where it begins.
fn attribute<'t>(text: &'t str, name: &str) -> &'t str {
    let begin = text.find(name).map(|at| at + name.len()).expect(name);
    text[begin..].split('"').next().unwrap_or_default()
}

fn made() -> Desk {
    let desk = Desk::new();
    desk.write("made.toml", CONFIG);
    desk.treebound(&["run", "made.toml", "-q"]).success();
    desk.treebound(&["run", "made.toml", "-q", "--grid", "prunings"]).success();
    desk.treebound(&["run", "made.toml", "-q", "--grid", "learners"]).success();
    desk.treebound(&["measure", "calibration", "made.toml", "-q", "--grid", "learners", "-f", "crf"]).success();
    desk.treebound(&["measure", "time", "made.toml", "-q"]).success();
    desk.treebound(&["report", "made.toml", "--sentences", "3"]).success();
    desk
}

#[test]
fn a_report_has_every_section_figure_and_tree() {
    let desk = made();
    let html = desk.read("results/made/report.html");
    let text = desk.read("results/made/report.md");
    // What won comes first.
    assert!(text.starts_with("# Treebound: made\n\n## What won\n\nmade, "), "{text}");
    assert!(text.contains(" has the highest UAS, ") && text.contains("Its gain over the baseline is "), "{text}");
    // Claims that rest on nothing are one line.
    let missing = text.lines().filter(|line| line.contains("what was not run, and left out here")).count();
    assert_eq!(missing, 1, "{text}");
    assert!(!text.contains("| undecided | not run: made/test/gold/graph/compact/perceptron/hand/"), "{text}");
    for section in [
        "What was run",
        "Data",
        "Accuracy and speed",
        "Claims",
        "Ablation",
        "Figures",
        "Accuracy by class of words",
        "Sentences",
        "Other grids",
        "Learners",
        "Search effort",
        "Provenance",
    ] {
        assert_eq!(html.matches(&format!("<h2>{section}</h2>")).count(), 1, "{section}");
        assert_eq!(text.matches(&format!("\n## {section}\n")).count(), 1, "{section}");
    }
    // These have measurements, the others have none; they stand beside the page that names them.
    assert_eq!(html.matches("<figure class=\"plot\">").count(), 5);
    for figure in ["figure4", "figure5", "calibration", "ablation", "league"] {
        assert!(text.contains(&format!("](report/{figure}.svg)")), "{text}");
        assert!(desk.path(&format!("results/made/report/{figure}.svg")).exists());
    }
    // What tables print is what the page has.
    let table = desk.treebound(&["table", "made.toml", "2", "--markdown"]).success();
    let line = table.lines().find(|line| line.starts_with("| grandchild+sibling")).expect("a line");
    assert!(text.contains(line), "{line}");
    // A model is named once, so above the CRF where others stand before it.
    for table in ["learners", "calibration"] {
        let chosen = ["table", "made.toml", table, "--markdown", "--grid", "learners", "-f", "crf"];
        let table = desk.treebound(&chosen).success();
        let measured = table.lines().find_map(|line| line.find("| crf |").map(|at| &line[at..])).expect("a line");
        assert!(text.contains(measured), "{measured}");
    }
    // One family is added, and one left out; either way the other set is `sibling`.
    let table = desk.treebound(&["table", "made.toml", "ablation", "--csv"]).success();
    let steps: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').skip(9).take(4).collect()).collect();
    assert_eq!(
        steps,
        [["added", "sibling", "compact", "baseline"], ["left-out", "grandchild", "compact", "grandchild+sibling"]]
    );
    let drawn = html.matches("<figure class=\"trees\">").count();
    assert!((1..=3).contains(&drawn), "{drawn}");
    assert_eq!(text.matches("\n    treebound explain made.toml --split test --sentence ").count(), drawn);
    for trees in html.split("<figure class=\"trees\">").skip(1) {
        let svg = &trees[trees.find("<svg").expect("a drawing")..trees.find("</svg>").expect("its end")];
        let view = numbers(attribute(svg, "viewBox=\""));
        let arcs: Vec<&str> = svg.split("class=\"arc\" ").skip(1).collect();
        let words = svg.matches("text-anchor=\"middle\"").count() - 1;
        assert!(arcs.len() > words, "the arcs of the gold tree and those that differ");
        for arc in arcs {
            let points = numbers(&attribute(arc, "d=\"").replace(['M', 'C'], " "));
            let [x, y, _, above, _, _, to, _] = points[..] else { panic!("{points:?}") };
            // The highest point of the curve is three quarters up.
            let top = y + (above - y) * 0.75;
            let inside = |at: f64, most: f64| (0.0..=most).contains(&at);
            assert!(inside(x, view[2]) && inside(to, view[2]) && inside(top, view[3]), "{points:?} in {view:?}");
        }
    }
    // The command that is named explains that sentence.
    let command = text.lines().find_map(|line| line.strip_prefix("    treebound ")).expect("a command");
    let number = command.split("--sentence ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a number");
    let explained = desk.treebound(&command.split(' ').collect::<Vec<_>>()).success();
    assert!(explained.starts_with(&format!("made test sentence {number}, ")), "{explained}");
}

/// Words of a treebank that is no made one are shown where they are asked for, and folders of this machine never.
#[test]
fn what_is_somebodys_is_left_out() {
    let desk = Desk::new();
    desk.treebound(&[
        "data",
        "synth",
        "--out",
        "data",
        "--train",
        "120",
        "--dev",
        "20",
        "--test",
        "40",
        "--vocabulary",
        "500",
    ])
    .success();
    let own = "[[corpus]]\nname = \"own\"\nformat = \"conllu\"\nfolder = [\"data\"]\ntrain = \"train.conllu\"\ndev = \"dev.conllu\"\n\
               test = \"test.conllu\"\n[training]";
    let (begin, end) = (CONFIG.find("[[corpus]]").expect("one"), CONFIG.find("[training]").expect("one"));
    desk.write("own.toml", format!("{}{own}{}", &CONFIG[..begin], &CONFIG[end + "[training]".len()..]));
    let folder = desk.folder().canonicalize().expect("there").to_string_lossy().into_owned();
    let config = format!("{folder}/own.toml");
    desk.treebound(&["run", &config, "-q", "--out", &folder, "--cache", &format!("{folder}/kept")]).success();
    let report = |more: &[&str]| {
        let usual = ["report", &config, "--out", &folder, "--cache", "kept"];
        desk.treebound(&[&usual[..], more].concat()).success();
        let text = desk.read("results/own/report.md");
        assert!(!text.contains(&folder), "{text}");
        text
    };
    let text = report(&[]);
    assert!(
        text.contains("They are not drawn: the treebank has a licence") && !text.contains("treebound explain"),
        "{text}"
    );
    let text = report(&["--sentences", "2"]);
    assert!(text.contains("treebound explain own.toml ") && text.contains("\ndata/test.conllu:"), "{text}");
    let text = report(&["--beside", "learner"]);
    assert!(text.contains("| perceptron: UAS |"), "{text}");
}

#[test]
fn without_models_a_report_says_what_it_lacks() {
    let desk = made();
    std::fs::remove_dir_all(desk.path("cache")).expect("a cache");
    desk.treebound(&["report", "made.toml"]).success();
    let text = desk.read("results/made/report.md");
    assert!(text.contains("The models are not there") && !text.contains("## Sentences"), "{text}");
    assert!(!desk.path("cache").join("models").exists(), "a report trains nothing");
}

/// A page as wide as the window, at the width of a desk and of a phone.
#[test]
fn nothing_overflows() {
    let Some(browser) = crate::at_hand::program(&["chromium", "chromium-browser", "google-chrome"]) else { return };
    let desk = made();
    let page = desk.read("results/made/report.html");
    // The page itself has no script; this one tells its width.
    let probe = "<script>document.title = 'width ' + document.documentElement.scrollWidth;</script></body>";
    desk.write("probe.html", page.replace("</body>", probe));
    let url = format!("file://{}", desk.path("probe.html").display());
    for width in [500, 1280] {
        let output = Command::new(&browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
            .arg(format!("--user-data-dir={}", desk.path("browser").display()))
            .args([&format!("--window-size={width},2000"), "--dump-dom", &url])
            .stderr(Stdio::null())
            .output()
            .expect("the browser starts");
        let dom = String::from_utf8_lossy(&output.stdout);
        let found = dom.split("<title>width ").nth(1).and_then(|rest| rest.split('<').next()?.parse::<u32>().ok());
        assert!(found.is_some_and(|found| found <= width), "{found:?} of {width}");
    }
}
