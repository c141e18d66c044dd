//! The verbs that report, as they are typed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use tempfile::TempDir;
use treebound::cell::{CellKey, Split};
use treebound::experiment::rows::by_sentence::{self, CellSentences};
use treebound::experiment::rows::{ScoreRow, SearchRow, SentenceRow, SpeedRow, aggregate, csv};
use treebound::pruning::Rule;

use crate::fixture::{phases, sentence, setting};

const CONFIG: &str = "analysis = 'What this shows.'
seeds = [1, 2]
[features]
sets = ['sibling']
[decoding]
pruning = ['none', 10]
[[corpus]]
name = 'toy'
format = 'conllu'
train = 'toy.conllu'
dev = 'toy.conllu'
test = 'toy.conllu'
published = 'PTB'
[evaluation]
splits = ['dev', 'test']
rounds = 100
";

/// A folder with a config, in which verbs are typed.
struct Desk {
    folder: TempDir,
}

/// What a verb did.
#[derive(Debug)]
struct Done {
    success: bool,
    out: String,
    err: String,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("toy.toml"), CONFIG).expect("written");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn type_in(&self, program: &str, arguments: &[&str]) -> Done {
        let output = Command::new(program).args(arguments).current_dir(self.folder.path()).output().expect("started");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Done { success: output.status.success(), out: text(output.stdout), err: text(output.stderr) }
    }

    fn treebound(&self, arguments: &[&str]) -> Done {
        self.type_in(env!("CARGO_BIN_EXE_treebound"), arguments)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("read")
    }

    /// Results of the cells that are wanted, `right` words right in each sentence.
    fn fill(&self, folder: &str, wanted: impl Fn(&CellKey) -> bool, right: u64) {
        let mut rows: Vec<SentenceRow> = Vec::new();
        for cell in keys().into_iter().filter(wanted) {
            let cell = Arc::new(cell);
            let more = u64::from(cell.setting.families() == 1);
            rows.extend((1..=20).map(|i| sentence(&cell, i, 5 + i, right + (more & i))));
        }
        let folder = self.path(folder);
        csv::write(&folder.join("sentences.csv"), &rows).expect("written");
        csv::write(&folder.join("scores.csv"), &aggregate::scores(&rows)).expect("written");
        let by_sentence = CellSentences::of(&rows);
        by_sentence::write(&folder.join("by_sentence.csv"), by_sentence).expect("written");
        csv::write(&folder.join("by_length.csv"), &aggregate::by_length(&rows)).expect("written");
    }
}

/// The cells of the config.
fn keys() -> Vec<CellKey> {
    let mut keys = Vec::new();
    for split in ["dev", "test"] {
        for (features, decoder) in [("baseline", "dp"), ("sibling", "bnb")] {
            for prune in ["none", "k=10"] {
                for seed in [1, 2] {
                    let decoding = format!("carreras/{decoder}");
                    let axes = ["toy", split, "gold", "graph", "compact", "perceptron", features, prune, &decoding];
                    keys.push(setting(axes).with_seed(seed));
                }
            }
        }
    }
    keys
}

#[test]
fn tables_are_printed_and_written() {
    let desk = Desk::new();
    desk.fill("results/toy", |_| true, 2);
    let done = desk.treebound(&["table", "toy.toml", "2"]);
    assert!(done.success && done.err.is_empty(), "{done:?}");
    assert!(done.out.contains("sibling") && done.out.ends_with("\nWhat this shows.\n"), "{}", done.out);
    assert!(done.out.contains("gold coarse tag PUNCT") && done.out.contains("PTB beside toy"), "{}", done.out);
    let table2 = desk.read("results/toy/table2.csv");
    assert_eq!(table2.lines().count(), 9, "{table2}");
    let done = desk.treebound(&["table", "toy.toml", "3", "--markdown"]);
    assert!(done.success && done.out.contains("| no pruning |"), "{done:?}");
    assert!(desk.read("results/toy/table3.csv").starts_with("corpus,"));
    for (table, file) in [("2", "table2.csv"), ("3", "table3.csv")] {
        let done = desk.treebound(&["table", "toy.toml", table, "--csv"]);
        assert_eq!(done.out, desk.read(&format!("results/toy/{file}")));
    }
    assert!(!desk.treebound(&["table", "toy.toml", "3", "--csv", "--markdown"]).success);
    assert!(done.out.contains("**Section 4.6: toy, test part"), "{done:?}");
    assert_eq!(desk.read("results/toy/dp_calls.csv").lines().count(), 1 + 4);
    // What stands there is held against the results, and nothing is written.
    let check = || desk.treebound(&["table", "toy.toml", "--check"]);
    let done = check();
    assert!(done.success && done.out.is_empty() && done.err.is_empty(), "{done:?}");
    let changed = table2.replacen(",sibling,", ",comb,", 1);
    assert_ne!(changed, table2);
    let line = 1 + changed.lines().zip(table2.lines()).take_while(|(a, b)| a == b).count();
    for (there, line) in [(changed, line), (table2.lines().take(8).collect::<Vec<_>>().join("\n") + "\n", 9)] {
        fs::write(desk.path("results/toy/table2.csv"), &there).expect("written");
        let done = check();
        let wanted = format!("results/toy/table2.csv: line {line} is not what the results say");
        assert!(!done.success && done.err.contains(&wanted), "{done:?}");
        assert_eq!(desk.read("results/toy/table2.csv"), there);
    }
    assert!(!desk.treebound(&["table", "toy.toml", "2", "--check"]).success);
    assert!(!desk.treebound(&["table", "toy.toml"]).success);
    // With one pruning there is nothing to compare, but calls are counted all the same.
    fs::write(desk.path("toy.toml"), CONFIG.replace("pruning = ['none', 10]", "pruning = 10")).expect("written");
    let done = desk.treebound(&["table", "toy.toml", "3"]);
    assert!(done.success && done.err.contains("it compares prunings") && done.out.contains("Section 4.6"), "{done:?}");
    // There are no times, and none are made up.
    assert!(!desk.path("results/toy/speed_table3.csv").exists());
}

#[test]
fn what_is_missing_is_named_and_nothing_is_written() {
    let desk = Desk::new();
    desk.fill("out/results/toy", |key| key.seed == 1 || key.setting.is_baseline(), 2);
    let done = desk.treebound(&["table", "toy.toml", "2", "--out", "out"]);
    assert!(!done.success && done.out.contains("sibling"), "{done:?}");
    assert!(done.err.contains("out/results/toy/scores.csv: 4 of 16 are missing:"), "{}", done.err);
    assert!(
        done.err.contains("\n  toy/dev/gold/graph/compact/perceptron/sibling/k=10/carreras/bnb/seed=2\n"),
        "{}",
        done.err
    );
    assert!(done.err.contains("make them with: treebound run toy.toml --out out\n"), "{}", done.err);
    assert!(!desk.path("out/results/toy/table2.csv").exists());
    let done = desk.treebound(&["figure", "toy.toml", "5", "--out", "out"]);
    assert!(!done.success && done.err.contains("2 of 4 are missing"), "{done:?}");
    assert!(!desk.path("out/figures").exists());
}

#[test]
fn without_results_the_way_to_them_is_shown() {
    let desk = Desk::new();
    for arguments in [["table", "toy.toml", "2"], ["table", "toy.toml", "3"], ["figure", "toy.toml", "5"]] {
        let done = desk.treebound(&arguments);
        assert!(!done.success && done.out.is_empty(), "{done:?}");
        assert!(done.err.contains("is not there") && done.err.contains("treebound run toy.toml"), "{}", done.err);
    }
    let done = desk.treebound(&["figure", "toy.toml", "4"]);
    assert!(
        done.err.contains("results/toy/speed.csv is not there") && done.err.contains("treebound measure time toy.toml")
    );
    assert!(!desk.treebound(&["table", "toy.toml", "4"]).success);
}

#[test]
fn sentences_must_be_those_of_the_scores() {
    let desk = Desk::new();
    desk.fill("results/toy", |_| true, 2);
    desk.fill("other", |_| true, 3);
    let whole = desk.treebound(&["table", "toy.toml", "2", "--csv"]);
    // The long file, which is not committed, may be of any other state.
    fs::copy(desk.path("other/sentences.csv"), desk.path("results/toy/sentences.csv")).expect("copied");
    assert_eq!(desk.treebound(&["table", "toy.toml", "2", "--csv"]).out, whole.out);
    // A row that was taken out is told, by what is left of it.
    let scores = desk.path("results/toy/scores.csv");
    let mut of_first: Vec<ScoreRow> = csv::read(&scores).expect("rows");
    of_first.retain(|row| row.cell.seed == 1);
    csv::write(&scores, &of_first).expect("written");
    let done = desk.treebound(&["table", "toy.toml", "2", "--csv"]);
    assert!(!done.success && done.err.contains("does not add up to results/toy/scores.csv"), "{done:?}");
    desk.fill("results/toy", |_| true, 2);
    fs::copy(desk.path("other/by_sentence.csv"), desk.path("results/toy/by_sentence.csv")).expect("copied");
    for arguments in [["table", "toy.toml", "2"], ["figure", "toy.toml", "5"]] {
        let done = desk.treebound(&arguments);
        let wanted = "results/toy/by_sentence.csv: toy/";
        assert!(!done.success && done.err.contains(wanted), "{done:?}");
        assert!(done.err.contains("does not add up to results/toy/scores.csv"), "{done:?}");
    }
    fs::remove_file(desk.path("results/toy/by_sentence.csv")).expect("removed");
    // Without sentences nothing is tested.
    let done = desk.treebound(&["table", "toy.toml", "2"]);
    assert!(done.out.contains("sibling"), "{done:?}");
    assert!(done.err.contains("p-values need the sentences: results/toy/by_sentence.csv is not there"), "{}", done.err);
}

#[test]
fn figures_show_the_largest_sets_or_what_is_asked_for() {
    let desk = Desk::new();
    desk.fill("results/toy", |_| true, 2);
    let done = desk.treebound(&["figure", "toy.toml", "5"]);
    assert!(done.success, "{done:?}");
    assert_eq!(done.out, "wrote figures/toy/figure5.svg, .png and .csv\n");
    let csv = desk.read("figures/toy/figure5.csv");
    assert!(
        csv.lines().skip(1).all(|line| line.starts_with("toy,test,gold,graph,compact,perceptron,sibling,")),
        "{csv}"
    );
    assert_eq!(csv.lines().count(), 1 + 2 * 20);
    let done = desk.treebound(&["figure", "toy.toml", "5", "--filter", "dev/gold/graph/compact/perceptron/baseline"]);
    assert!(
        done.success
            && desk.read("figures/toy/figure5-part.csv").contains("toy,dev,gold,graph,compact,perceptron,baseline,"),
        "{done:?}"
    );
    let done = desk.treebound(&["figure", "toy.toml", "5", "--filter", "nothing"]);
    assert!(!done.success && done.err.contains("no cell of the config matches"), "{done:?}");
}

#[test]
fn budgets_are_drawn_from_what_is_stored() {
    let desk = Desk::new();
    let done = desk.treebound(&["figure", "toy.toml", "budget"]);
    assert!(!done.success && done.err.contains("make them with: treebound measure budget toy.toml"), "{done:?}");
    let wanted = |key: &CellKey| key.setting.split == Split::Test && key.seed == 1 && !key.setting.is_baseline();
    let row = |(cell, way): (CellKey, &str)| SearchRow {
        cell: Arc::new(cell),
        key: Default::default(),
        way: way.to_owned(),
        sentences: 20,
        proven: 12,
        scored_tokens: 100,
        scored_correct: 90,
        at_root: 0,
        nodes: 0,
        dp_calls: 0,
    };
    let cells = || keys().into_iter().filter(wanted);
    let rows: Vec<SearchRow> = ["1", "no limit"].iter().flat_map(|way| cells().map(|c| (c, *way))).map(row).collect();
    csv::write(&desk.path("results/toy/budget.csv"), &rows).expect("written");
    let done = desk.treebound(&["figure", "toy.toml", "budget"]);
    assert!(done.success && done.out == "wrote figures/toy/budget.svg, .png and .csv\n", "{done:?}");
    assert_eq!(desk.read("figures/toy/budget.csv").lines().count(), 1 + 4);
    let done = desk.treebound(&["figure", "toy.toml", "budget", "--filter", "k=10"]);
    assert!(done.success && done.out.contains("budget-part.svg"), "{done:?}");
    // A part never takes the place of the whole.
    assert_eq!(desk.read("figures/toy/budget-part.csv").lines().count(), 1 + 2);
    assert_eq!(desk.read("figures/toy/budget.csv").lines().count(), 1 + 4);
    // What the config says of a figure is the whole one.
    fs::write(desk.path("toy.toml"), format!("{CONFIG}[[figure]]\nname = 'budget'\nfilter = 'k=10'\n"))
        .expect("written");
    desk.treebound(&["figure", "toy.toml", "budget"]);
    assert_eq!(desk.read("figures/toy/budget.csv"), desk.read("figures/toy/budget-part.csv"));
}

#[test]
fn a_config_says_which_rows_its_tables_and_figures_show() {
    let desk = Desk::new();
    let more = "[[grid]]\nname = 'main'\n[[grid]]\nname = 'small'\ndefault = false\npruning = 5\n";
    let with = |entry: &str| fs::write(desk.path("toy.toml"), format!("{CONFIG}{more}{entry}")).expect("written");
    let told = |entry: &str| {
        with(entry);
        desk.treebound(&["table", "toy.toml", "2"]).err
    };
    let err = told("[[table]]\nname = 'ablatoin'\n");
    assert!(err.contains("toy.toml:") && err.contains("there is no table `ablatoin`"), "{err}");
    let err = told("[[figure]]\nname = '5'\ngrids = 'smal'\nfilter = '('\n");
    assert!(err.contains("did you mean `small`?") && err.contains("filter"), "{err}");
    with("");
    desk.fill("results/toy", |_| true, 2);
    let err = desk.treebound(&["run", "toy.toml", "--table", "2"]).err;
    assert!(err.contains("no [[table]] has the name `2`; add one"), "{err}");
    with("[[table]]\nname = '2'\nfilter = 'test/.*k=10'\n");
    let done = desk.treebound(&["table", "toy.toml", "2"]);
    assert!(done.success && !done.out.contains("dev part"), "{done:?}");
    assert_eq!(desk.read("results/toy/table2.csv").lines().count(), 1 + 2);
}

#[test]
fn values_of_axes_stand_side_by_side_and_parts_in_files_of_their_own() {
    let desk = Desk::new();
    desk.fill("results/toy", |_| true, 2);
    let done = desk.treebound(&["table", "toy.toml", "2", "--beside", "pruning"]);
    assert!(done.success && done.out.contains("no pruning:") && done.out.contains("k=10:"), "{done:?}");
    // Of each part a block: a heading, and under it a line a feature set.
    assert_eq!(done.out.lines().filter(|line| line.starts_with("sibling ")).count(), 2, "{}", done.out);
    let whole = desk.read("results/toy/table2.csv");
    assert_eq!(whole.lines().count(), 1 + 8);
    let done = desk.treebound(&["table", "toy.toml", "2", "--beside", "length"]);
    assert!(!done.success && done.err.contains("there is no axis `length`"), "{done:?}");
    let done = desk.treebound(&["table", "toy.toml", "ablation", "--beside", "pruning"]);
    assert!(done.success && done.out.contains("no pruning:") && done.out.contains("k=10:"), "{done:?}");
    assert_eq!(done.out.lines().filter(|line| line.starts_with("sibling ")).count(), 2, "{}", done.out);
    // One panel has the lines of both prunings already; of learners there is one.
    let done = desk.treebound(&["figure", "toy.toml", "5", "--beside", "learner,pruning"]);
    assert!(done.success && desk.path("figures/toy/figure5-by-learner+pruning.svg").exists(), "{done:?}");
    let svg = desk.read("figures/toy/figure5-by-learner+pruning.svg");
    assert!(svg.contains("perceptron, no pruning") && svg.contains("perceptron, k=10"), "{svg}");
    let done = desk.treebound(&["figure", "toy.toml", "ablation", "--beside", "pruning"]);
    assert!(done.success, "{done:?}");
    let svg = desk.read("figures/toy/ablation-by-pruning.svg");
    assert!(svg.contains("sibling (no pruning)") && svg.contains("sibling (k=10)"), "{svg}");
    let done = desk.treebound(&["table", "toy.toml", "3", "--beside", "pruning"]);
    assert!(!done.success && done.err.contains("--beside is for table 2, table ablation, figure 4, "), "{done:?}");
    for (filter, file) in [(["--grid", "main"], "table2-main.csv"), (["-f", "test/.*k=10"], "table2-part.csv")] {
        let done = desk.treebound(&[&["table", "toy.toml", "2"], &filter[..]].concat());
        assert!(
            done.success && done.err.contains(file) && desk.path(&format!("results/toy/{file}")).exists(),
            "{done:?}"
        );
        assert_eq!(desk.read("results/toy/table2.csv"), whole);
    }
}

#[test]
fn times_need_one_seed_of_every_line() {
    let desk = Desk::new();
    let timed = |wanted: &dyn Fn(&CellKey) -> bool| {
        let row = |cell: CellKey| SpeedRow {
            cell: Arc::new(cell),
            key: Default::default(),
            repeat: 1,
            length: Some(5),
            sentences: 20,
            phases: phases([1_000, 2_000, 3_000_000]),
        };
        let rows: Vec<SpeedRow> = keys().into_iter().filter(wanted).map(row).collect();
        csv::write(&desk.path("results/toy/speed.csv"), &rows).expect("written");
    };
    timed(&|key| key.seed == 1);
    let done = desk.treebound(&["figure", "toy.toml", "4"]);
    assert!(done.success && desk.read("figures/toy/figure4.csv").contains("time_ns"), "{done:?}");
    timed(&|key| key.setting.pruning() == Some(Rule::None));
    let done = desk.treebound(&["figure", "toy.toml", "4"]);
    assert!(
        !done.success && done.err.contains("\n  toy/test/gold/graph/compact/perceptron/sibling/k=10/carreras/bnb\n"),
        "{done:?}"
    );
    desk.fill("results/toy", |_| true, 2);
    let done = desk.treebound(&["table", "toy.toml", "3"]);
    assert!(done.success && done.err.contains("treebound measure time toy.toml"), "{done:?}");
    assert!(done.out.contains("words/s") && desk.path("results/toy/speed_table3.csv").exists(), "{}", done.out);
}

#[test]
fn claims_are_judged_printed_and_written() {
    let desk = Desk::new();
    let claims = |arguments: &[&str]| desk.treebound(&[&["claims"], arguments].concat());
    let done = claims(&["toy.toml"]);
    assert!(!done.success && done.err.contains("no claims; add claims = \"paper\""), "{done:?}");
    fs::write(desk.path("toy.toml"), format!("claims = 'paper'\n{CONFIG}")).expect("written");
    let done = claims(&["toy.toml"]);
    assert!(
        done.out.contains("not run: toy/test/gold/graph/compact/perceptron/great-grandchild/k=10/carreras/bnb"),
        "{done:?}"
    );
    assert!(!done.success && done.err.contains("claims.csv not written"), "{done:?}");
    assert!(!desk.path("results/toy/claims.csv").exists());
    assert!(done.out.contains("Of 39 claims: 0 hold, 0 do not hold, 39 undecided."), "{}", done.out);
    desk.fill("results/toy", |_| true, 2);
    let own = "[[claim]]\nname = 'own'\ntext = 'No better.'\nsource = 'here'\nkind = 'difference'\nlow = 0\n\
               a = { set = 'baseline' }\nothers = [{ set = 'sibling' }]\n\
               [[failure]]\nclaims = ['own', 'every-sentence-is-solved']\ncause = 'unknown'\ntext = 'Nobody knows.'\n";
    fs::write(desk.path("toy.toml"), format!("claims = 'paper'\n{CONFIG}{own}")).expect("written");
    let done = claims(&["toy.toml"]);
    assert!(done.success && done.out.contains("does not hold  No better. (here)"), "{done:?}");
    assert_eq!(done.out.matches("Why: unknown: Nobody knows.").count(), 1, "{done:?}");
    assert!(done.err.contains("explains `every-sentence-is-solved`, which does not fail; take it out"), "{done:?}");
    let csv = desk.read("results/toy/claims.csv");
    assert!(
        csv.starts_with("corpus,tags,claim,kind,verdict,evidence,text,source,unit,published,ours,low,high,p_value,"),
        "{csv}"
    );
    assert!(csv.contains("\ntoy,gold,own,difference,does not hold,"), "{csv}");
    assert!(csv.contains("\ntoy,gold,every-sentence-is-solved,share,holds,"), "{csv}");
    // What depends on the machine stands apart.
    let timed = desk.read("results/toy/speed_claims.csv");
    assert!(
        !csv.contains("pruning-speeds-up") && timed.contains("\ntoy,gold,pruning-speeds-up,ratio,undecided,"),
        "{timed}"
    );
    assert_eq!(csv.lines().count() + timed.lines().count(), 2 + 40);
    // What is committed of sentences decides as well, and so does it of lengths.
    for name in ["sentences.csv", "by_length.csv"] {
        fs::remove_file(desk.path("results/toy").join(name)).expect("removed");
    }
    assert!(claims(&["toy.toml"]).success);
    assert_eq!(desk.read("results/toy/claims.csv"), csv);
    // Verdicts that need sentences are not decided without them.
    let sentences = desk.path("results/toy/by_sentence.csv");
    fs::rename(&sentences, desk.path("aside")).expect("moved");
    let done = claims(&["toy.toml"]);
    assert!(done.err.contains("p-values need the sentences"), "{done:?}");
    assert!(done.out.contains("undecided  No better. (here)"), "{done:?}");
    fs::rename(desk.path("aside"), &sentences).expect("moved back");
    assert!(claims(&["toy.toml"]).success);
    assert_eq!(desk.read("results/toy/claims.csv"), csv);
    assert!(!claims(&["toy.toml", "--exit-code"]).success);
    let markdown = claims(&["toy.toml", "--markdown"]).out;
    assert!(markdown.contains("| claim | source | verdict | what decided | why it does not hold |"), "{markdown}");
    assert!(markdown.contains("| No better. | here | does not hold | "), "{markdown}");
    assert!(claims(&["toy.toml", "--csv"]).out.starts_with("corpus,tags,claim,"));
    let done = claims(&["--show", "paper-zh"]);
    assert!(done.success && done.out.contains("name = \"sibling-helps-most\""), "{done:?}");
    assert!(
        claims(&["--show", "papers"]).err.contains("the lists of claims are paper, paper-zh, ma-zhao, zhao, martins")
    );
}

#[test]
fn table_1_counts_the_corpora() {
    let desk = Desk::new();
    let words = [
        "1\tA\t_\tDET\tDT\t_\t2\tdet\t_\t_",
        "2\tdog\t_\tNOUN\tNN\t_\t0\troot\t_\t_",
        "3\t.\t_\tPUNCT\t.\t_\t2\tpunct\t_\t_",
    ];
    fs::write(desk.path("toy.conllu"), words.join("\n") + "\n\n").expect("written");
    let done = desk.treebound(&["table", "toy.toml", "1"]);
    assert!(done.success && done.out.contains("Table 1") && done.out.contains("What this shows."), "{done:?}");
    let csv = desk.read("results/toy/table1.csv");
    assert_eq!(csv.lines().nth(1), Some("toy,train,toy.conllu,1,1,3,2,0,3"));
    assert_eq!(csv.lines().count(), 4);
}

#[test]
fn folders_are_compared() {
    let desk = Desk::new();
    desk.fill("a", |_| true, 2);
    desk.fill("b", |key| key.setting.pruning() == Some(Rule::None), 3);
    let done = desk.treebound(&["diff", "a", "b"]);
    assert!(
        done.success && done.out.contains("16 of 16 cells changed, none of them worse, 8 failed or gone;"),
        "{done:?}"
    );
    let done = desk.treebound(&["diff", "a", "b", "--filter", "none", "--exit-code"]);
    assert!(done.success && done.out.contains("8 of 8 cells changed, none of them worse"), "{done:?}");
    assert!(!desk.treebound(&["diff", "b", "a/scores.csv", "--filter", "none", "--exit-code"]).success);
    // A verdict is for whoever started the verb, though nobody reads what it prints.
    let mut unread = Command::new(env!("CARGO_BIN_EXE_treebound"));
    unread.args(["diff", "b", "a/scores.csv", "--filter", "none", "--exit-code"]).current_dir(desk.folder.path());
    let mut unread = unread.stdout(Stdio::piped()).spawn().expect("started");
    drop(unread.stdout.take());
    assert_eq!(unread.wait().expect("ended").code(), Some(1));
    let done = desk.treebound(&["diff", "a", "b", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&done.out).expect("JSON");
    assert_eq!(json["changed"], 16);
    let done = desk.treebound(&["diff", "a", "c"]);
    assert!(!done.success && done.err.contains("c: neither a file or folder nor a git revision"), "{done:?}");
    let done = desk.treebound(&["diff", "a"]);
    assert!(!done.success && done.err.contains("a: in no git checkout"), "{done:?}");
}

#[test]
fn revisions_are_compared() {
    let desk = Desk::new();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=n", "-c", "user.email=e"];
        let done = desk.type_in("git", &[&identity[..], arguments].concat());
        assert!(done.success, "{arguments:?}: {done:?}");
    };
    git(&["init", "--quiet"]);
    for (right, tag) in [(2, "one"), (3, "two")] {
        desk.fill("results/toy", |_| true, right);
        fs::write(desk.path("results/toy/config.resolved.toml"), format!("seeds = [{right}]\n")).expect("written");
        fs::remove_file(desk.path("results/toy/sentences.csv")).expect("removed");
        git(&["add", "results"]);
        git(&["commit", "--quiet", "-m", tag]);
        git(&["tag", tag]);
    }
    let done = desk.treebound(&["diff", "results/toy"]);
    assert!(done.success, "{done:?}");
    assert_eq!(done.out, "No change in 16 cells between HEAD:results/toy and results/toy.\n");
    // All folders, if none is named; one that is new does not hide the others.
    assert_eq!(desk.treebound(&["diff"]).out, done.out);
    desk.fill("results/later", |_| true, 2);
    let done = desk.treebound(&["diff", "--json"]);
    assert!(done.success && done.err.contains("results/later: new, not in HEAD"), "{done:?}");
    let json: serde_json::Value = serde_json::from_str(&done.out).expect("JSON");
    assert_eq!((json.as_array().map(Vec::len), &json[0]["changed"]), (Some(1), &0.into()));
    fs::remove_dir_all(desk.path("results/later")).expect("removed");
    let done = desk.treebound(&["diff", "results/toy", "one", "--exit-code"]);
    assert!(done.success && done.out.contains("seeds    [2]  [3]"), "{done:?}");
    assert!(done.out.contains("Scores, one:results/toy to results/toy: toy, "), "{}", done.out);
    let done = desk.treebound(&["diff", "results/toy/scores.csv", "two", "one", "--exit-code"]);
    assert!(!done.success && done.out.contains("16 of 16 cells changed, 16 of them worse"), "{done:?}");
    let done = desk.treebound(&["diff", "results/toy", "one", "two", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&done.out).expect("JSON");
    let p = &json["settings"][0]["p_value"];
    assert!(p.as_f64().is_some_and(|p| p < 0.05), "revisions have p-values: {}", done.out);
    fs::remove_dir_all(desk.path("results")).expect("removed");
    assert!(desk.treebound(&["diff", "results/toy", "one", "two"]).success, "gone from the folder, but not from git");
    let absolute = desk.path("results/toy");
    assert!(desk.treebound(&["diff", text(&absolute), "one", "two"]).success);
    let done = desk.treebound(&["diff", "results/other"]);
    let says = "results/other: there is no such file or folder, nor was there one at HEAD";
    assert!(!done.success && done.err.contains(says), "{done:?}");
    desk.fill("results/other", |_| true, 2);
    let done = desk.treebound(&["diff", "results/other"]);
    assert!(!done.success && done.err.contains("HEAD:results/other/scores.csv: not in that revision"), "{done:?}");
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}
