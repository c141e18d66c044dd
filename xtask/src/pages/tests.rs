//! Pages: what blocks hold, what is left alone, and what is said of a block that cannot be filled.

use std::fs;
use std::path::Path;

use std::sync::Arc;

use tempfile::TempDir;

use super::blocks::BLOCKS;
use super::experiment::Experiments;
use super::page::{fill, known};
use treebound_experiment::cell::cells;
use treebound_experiment::config;
use treebound_experiment::rows::{Counts, ScoreRow, SpeedRow, csv};
use treebound_parser::answer::{Count, Effort, Phase, Phases};
use treebound_parser::cell::CellKey;
use treebound_records::RowKey;

const CONFIG: &str = "seeds = [1, 2]
[[corpus]]
name = 'toy'
format = 'synthetic'
[[grid]]
name = 'main'
sets = ['sibling', 'grandchild+sibling']
learners = ['perceptron', 'mira']
[[grid]]
name = 'pruned'
sets = 'sibling'
pruning = ['none', 'k=5']
seeds = 1
default = false
[[grid]]
name = 'third-order'
sets = 'baseline'
backbones = 'grand-sibling'
";

/// A checkout with one experiment, all of whose cells were run.
fn checkout() -> TempDir {
    let root = tempfile::tempdir().expect("a folder");
    fs::create_dir(root.path().join("configs")).expect("a folder");
    let path = root.path().join("configs/toy.toml");
    fs::write(&path, CONFIG).expect("written");
    let config = config::read(&path).expect("a config");
    let mut rows = Vec::new();
    for cell in cells(&config) {
        let key = cell.key(&config);
        let families = key.setting.features().map_or(0, |set| set.families().len()) as u64;
        // Of 900 words nine are a point, and seed 2 has one word more than seed 1.
        let right = 800 + 9 * families + key.seed;
        rows.push(score(key.into(), right));
    }
    csv::write(&root.path().join("results/toy/scores.csv"), &rows).expect("written");
    root
}

/// A cell of 100 sentences and 1,000 words, 900 of them scored.
fn score(cell: Arc<CellKey>, scored_correct: u64) -> ScoreRow {
    let counts = Counts {
        sentences: 100,
        tokens: 1000,
        correct: scored_correct + 80,
        scored_tokens: 900,
        scored_correct,
        root_correct: 90,
        complete: 40,
        gold_kept: Some(990),
        heads_kept: Some(8500),
        proven: Some(100),
        effort: Effort::default().with(Count::Nodes, 100).with(Count::DpCalls, 100),
    };
    ScoreRow { cell, key: RowKey::default(), counts: Ok(counts) }
}

/// Where the time went: pruning, scoring and decoding.
fn phases([prune, score, decode]: [u64; 3]) -> Phases {
    Phases::default().with(Phase::Prune, prune).with(Phase::Score, score).with(Phase::Decode, decode)
}

fn page(block: &str) -> String {
    format!("# A page\n\n<!-- begin: {block} -->\nold\n<!-- end -->\n\nNo number stands here: 12.\n")
}

/// What a block holds once it is filled.
fn filled(root: &Path, block: &str) -> String {
    let filled = fill(&Experiments::new(root), "PAGE.md", &page(block));
    assert!(filled.faults.is_empty(), "{}", filled.faults[0]);
    let start = format!("# A page\n\n<!-- begin: {block} -->\n\n");
    let body = filled.text.strip_prefix(&start).expect("what stands before the block is as it was");
    let body = body.strip_suffix("\n<!-- end -->\n\nNo number stands here: 12.\n");
    body.expect("what stands behind the block is as it was").to_owned()
}

/// What is wrong with a block, but for where it stands; the page is then as it was.
fn fault(root: &Path, block: &str) -> String {
    let filled = fill(&Experiments::new(root), "PAGE.md", &page(block));
    assert_eq!(filled.text, page(block));
    assert!(filled.differences.is_empty());
    let message = filled.faults.first().unwrap_or_else(|| panic!("{block}: no fault")).to_string();
    let message = message.strip_prefix(&format!("PAGE.md:3: {block}: ")).expect("page, line and block are named");
    message.replace(&format!("{}/", root.display()), "")
}

#[test]
fn a_table_is_filled_with_the_columns_that_it_asks_for() {
    let root = checkout();
    let block = "table2 toy grid=main,third-order learner=perceptron columns=features,uas,gain,proven,calls";
    assert_eq!(
        filled(root.path(), block),
        "\
| features | UAS | gain | proven | DP calls |
| --- | ---: | ---: | ---: | ---: |
| baseline (second order) | 89.06 ± 0.08 |  | all 200 | 1.00 |
| sibling | 90.06 ± 0.08 | +1.00 | all 200 | 1.00 |
| grandchild + sibling | 91.06 ± 0.08 | +2.00 | all 200 | 1.00 |
| third order | 89.06 ± 0.08 | 0.00 | all 200 | 1.00 |
"
    );
    let best = "table2 toy grid=main learner=mira best=1 columns=features,learner,uas";
    assert!(filled(root.path(), best).contains("| grandchild + sibling | mira |"));
    assert_eq!(filled(root.path(), best).lines().count(), 3);
    let beside = filled(root.path(), "table2 toy grid=main pruning=k=10 beside=learner columns=uas,gain");
    assert!(beside.starts_with("| features | perceptron: UAS | gain | mira: UAS | gain |\n"), "{beside}");
    assert_eq!(beside.lines().count(), 5);
}

#[test]
fn prunings_are_compared() {
    let root = checkout();
    let scores: Vec<ScoreRow> = csv::read(&root.path().join("results/toy/scores.csv")).expect("scores");
    let times = scores.iter().map(|row| SpeedRow {
        cell: row.cell.clone(),
        key: Default::default(),
        repeat: 1,
        length: None,
        sentences: 100,
        phases: phases([1, 2, if row.cell.to_string().contains("/none/") { 7 } else { 1 }].map(|ms| ms * 1_000_000)),
    });
    let block = "table3 toy grid=main,pruned learner=perceptron features=sibling seed=1 columns=pruning,words/s,speed-up,search-share";
    let untimed = "results/toy/speed.csv: no cell was timed; make it with: treebound measure time configs/toy.toml --grid main --grid pruned";
    assert_eq!(fault(root.path(), block), untimed);
    csv::write(&root.path().join("results/toy/speed.csv"), &times.collect::<Vec<_>>()).expect("written");
    assert_eq!(
        filled(root.path(), block),
        "\
| pruning | words/s | speed-up | search, % |
| --- | ---: | ---: | ---: |
| no pruning | 100,000 | 1.0 | 70 |
| k=10 | 250,000 | 2.5 | 25 |
| k=5 | 250,000 | 2.5 | 25 |
"
    );
}

/// Tests are read, and must be of the rows beside which they stand.
#[test]
fn tests_are_of_the_same_results() {
    let root = checkout();
    let block = "table2 toy grid=main learner=perceptron features=baseline,sibling columns=features,gain,p,interval";
    let make = "make it with: treebound table configs/toy.toml 2";
    assert_eq!(fault(root.path(), block), format!("results/toy/table2.csv is not there; {make}"));
    let path = root.path().join("results/toy/table2.csv");
    let header = "corpus,split,tags,system,templates,learner,features,pruning,decoding,seeds,uas_pct,gain_low_points,\
                  gain_high_points,p_value\n";
    let setting = "toy/test/gold/graph/compact/perceptron/sibling/k=10/carreras/bnb";
    let axes = "toy,test,gold,graph,compact,perceptron,sibling,k=10,carreras/bnb";
    let write = |rest: &str| fs::write(&path, format!("{header}{axes},{rest}\n")).expect("written");
    write("2,90.06,0.10,1.90,0.0123");
    let expected = "| sibling | +1.00 | 0.0123 | +0.10 to +1.90 |\n";
    assert!(filled(root.path(), block).ends_with(expected));
    write("2,89.00,0.10,1.90,0.0123");
    let stale = format!("has no test of {setting} with 2 seeds and a UAS of 90.06, but with 2 and 89.00");
    assert_eq!(fault(root.path(), block), format!("results/toy/table2.csv {stale}; {make}"));
    // Nothing was tested where the sentences are not there.
    write("2,90.06,,,");
    assert!(filled(root.path(), block).ends_with("| sibling | +1.00 |  |  |\n"));
    fs::write(&path, header).expect("written");
    assert_eq!(fault(root.path(), block), format!("results/toy/table2.csv has no test of {setting}; {make}"));
}

/// Numbers stand there where the file has them; files of before are read as they are.
#[test]
fn claims_of_older_files_are_read() {
    let root = checkout();
    let block = "claims toy columns=claim,verdict,ours,interval,p-holm,shows-from";
    let path = root.path().join("results/toy/claims.csv");
    let before = ("corpus,tags,claim,kind,verdict,evidence,text,source", "toy,gold,c,better,holds,+1,Text.,here");
    fs::write(&path, format!("{}\n{}\n", before.0, before.1)).expect("written");
    let heading =
        "| claim | verdict | ours | interval | p Holm | shows from |\n| --- | --- | ---: | ---: | ---: | ---: |\n";
    assert_eq!(filled(root.path(), block), format!("{heading}| Text. | holds |  |  |  |  |\n"));
    let (columns, fields) = ("unit,ours,low,high,p_holm,detectable_points", "points,1.00,0.10,1.90,0.0200,0.80");
    fs::write(&path, format!("{},{columns}\n{},{fields}\n", before.0, before.1)).expect("written");
    assert_eq!(
        filled(root.path(), block),
        format!("{heading}| Text. | holds | 1.00 | 0.10 to 1.90 | 0.0200 | 0.80 |\n")
    );
    assert_eq!(
        filled(root.path(), "claims toy"),
        "| claim | source | verdict | evidence |\n| --- | --- | --- | --- |\n| Text. | here | holds | +1 |\n"
    );
}

/// Claims with one explanation share a line; those without any have one each.
#[test]
fn failures_stand_by_their_causes() {
    let root = checkout();
    let header = "corpus,tags,claim,kind,verdict,evidence,text,source,cause,why,shown_by\n";
    let lines = [
        "toy,gold,a,better,does not hold,+1,First.,here,size,Few.,small",
        "toy,gold,b,better,does not hold,+1,Second.,here,,,",
        "toy,gold,c,better,does not hold,+1,Third.,here,size,Few.,small",
        "toy,gold,d,better,undecided,+1,Fourth.,here,,,",
        "toy,gold,e,better,does not hold,+1,Fifth.,here,,,",
    ];
    fs::write(root.path().join("results/toy/claims.csv"), format!("{header}{}\n", lines.join("\n"))).expect("written");
    assert_eq!(
        filled(root.path(), "failures toy"),
        "| does not hold | cause | why | grids |\n| --- | --- | --- | --- |\n\
         | First. Third. | size | Few. | small |\n\
         | Second. | not explained |  |  |\n\
         | Fifth. | not explained |  |  |\n"
    );
}

#[test]
fn a_filled_page_stays_as_it_is_and_another_is_told_apart() {
    let root = checkout();
    let experiments = Experiments::new(root.path());
    let block = "table2 toy grid=third-order columns=features,uas";
    let first = fill(&experiments, "PAGE.md", &page(block));
    assert_eq!(first.differences.len(), 1);
    let again = fill(&experiments, "PAGE.md", &first.text);
    assert_eq!(again.text, first.text);
    assert!(again.differences.is_empty() && again.faults.is_empty());

    let edited = first.text.replace("89.06", "99.06");
    let message = fill(&experiments, "PAGE.md", &edited).differences[0].to_string();
    let expected = format!(
        "PAGE.md:7: {block}\n  the page has   | third order | 99.06 ± 0.08 |\n  results give   | third order | 89.06 ± 0.08 |"
    );
    assert_eq!(message, expected);
    let shorter = first.text.replace("| third order | 89.06 ± 0.08 |\n", "");
    let message = fill(&experiments, "PAGE.md", &shorter).differences[0].to_string();
    assert!(message.contains("PAGE.md:7:") && message.contains("89.06"), "{message}");
}

#[test]
fn unknown_names_are_told_with_the_nearest_right_one() {
    let root = checkout();
    for (block, message) in [
        ("tabel2 toy", "unknown block `tabel2`; did you mean `table2`?"),
        ("table2 toi", "unknown experiment `toi`; did you mean `toy`?"),
        ("table2", "name an experiment behind the block, such as `ewt`"),
        ("table2 toy prunning=k=5", "unknown key `prunning`; did you mean `pruning`?"),
        ("table2 toy columns=features,uaz", "unknown column `uaz`; did you mean `uas`?"),
        ("table2 toy grid=mian", "unknown grid `mian`; did you mean `main`?"),
        ("table2 toy features=siblings", "unknown features `siblings`; did you mean `sibling`?"),
        ("table2 toy seed=9", "unknown seed `9`; there are `1`, `2`"),
        ("table2 toy beside=learners", "unknown axis `learners`; did you mean `learner`?"),
        ("table2 toy best=no columns=uas", "best=no: expected a number of lines, from 1"),
        ("table2 toy pruning=none seed=2", "no cell has all of these values"),
        (
            "ablation toy columns=search",
            "results/toy/search.csv is not there; make it with: treebound measure search-ablation configs/toy.toml --grid main --grid pruned --grid third-order",
        ),
        (
            "learning toy corpus=toy",
            "results/toy/learning.csv is not there; make it with: treebound measure learning configs/toy.toml",
        ),
        (
            "growth toy axis=size",
            "results/toy/growth.csv is not there; make it with: treebound measure growth configs/toy.toml",
        ),
        ("claims toy", "results/toy/claims.csv is not there; make it with: treebound claims configs/toy.toml"),
        ("table1 toy", "results/toy/table1.csv is not there; make it with: treebound table configs/toy.toml 1"),
        ("templates compact columns=sets", "unknown column `sets`; did you mean `set`?"),
    ] {
        let columns =
            if block.contains("columns=") || !block.starts_with("table2 toy ") { "" } else { " columns=features,uas" };
        assert_eq!(fault(root.path(), &format!("{block}{columns}")), message, "{block}");
    }
    let message = fault(root.path(), "table2 toy grid=main columns=features,uas");
    assert!(message.starts_with("nothing tells the lines of toy/test/"), "{message}");
    assert!(message.ends_with("apart: choose one, or show the column"), "{message}");
}

#[test]
fn missing_cells_are_told_with_what_makes_them() {
    let root = checkout();
    let path = root.path().join("results/toy/scores.csv");
    let mut scores: Vec<ScoreRow> = csv::read(&path).expect("scores");
    scores.retain(|row| !row.cell.to_string().contains("/k=5/"));
    csv::write(&path, &scores).expect("written");
    let message = fault(root.path(), "table2 toy features=sibling learner=perceptron columns=pruning,uas");
    assert_eq!(
        message,
        "results/toy/scores.csv: 1 of 4 cells are missing, \
         toy/test/gold/graph/compact/perceptron/sibling/k=5/carreras/bnb/seed=1 the first; \
         make it with: treebound run configs/toy.toml --grid pruned"
    );
    // What is not missing is filled all the same.
    filled(root.path(), "table2 toy features=sibling grid=main learner=perceptron columns=pruning,uas");
}

#[test]
fn markers_go_in_pairs() {
    let filled = fill(&Experiments::new(""), "PAGE.md", "a\n<!-- begin: table2 toy -->\n");
    assert_eq!(filled.text, "a\n<!-- begin: table2 toy -->\n");
    assert_eq!(filled.faults[0].to_string(), "PAGE.md:2: the block does not end: there is no line <!-- end -->");
}

/// No results are needed to know that the pages of this checkout ask for blocks, keys and columns that there are.
#[test]
fn the_blocks_of_the_pages_are_known() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let pages = super::pages(&root).expect("pages");
    let mut blocks = 0;
    for path in pages {
        let page = fs::read_to_string(&path).expect("a page");
        let faults: Vec<String> = known(&path.display().to_string(), &page).iter().map(ToString::to_string).collect();
        assert!(faults.is_empty(), "{faults:#?}");
        blocks += page.lines().filter(|line| line.starts_with("<!-- begin: ")).count();
    }
    assert!(blocks >= 20, "{blocks} blocks");
}

#[test]
fn each_block_is_listed_once() {
    let mut names: Vec<&str> = BLOCKS.iter().map(|block| block.name).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}
