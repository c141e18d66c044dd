//! What `docs/EXTENDING.md` says, tried: a system with axes of its own, a decoder, a measure and a table that no crate knows, added
//! through the public interface alone. Families are a closed list, and cannot be added from outside.

mod chunks;

use std::path::Path;

use crate::common::{Shape, random_graph};
use chunks::KIND;
use treebound::decode::bnb::Limits;
use treebound::decode::{Backbone, Decoded, Decoder, Scratch};
use treebound::experiment::cell::cells;
use treebound::experiment::config::{self, Config, parse_with_systems};
use treebound::experiment::progress::Progress;
use treebound::experiment::results::ResultRows;
use treebound::experiment::rows::{ScoreRow, csv};
use treebound::experiment::run::ExperimentContext;
use treebound::experiment::store::Store;
use treebound::experiment::table_options::table_options;
use treebound::frame::Frame;
use treebound::graph::FactorGraph;
use treebound::measures::{Measure, Of};
use treebound::records::sheet::Sheet;
use treebound::records::{ReportError, schema};
use treebound::sentences::Sentences;
use treebound::speed;
use treebound::systems::{BUILT_IN, Kind};
use treebound::tables::table::{Section, Table};
use treebound::tables::table2;

const CONFIG: &str = "[evaluation]\nrounds = 100\n\
    [[corpus]]\nname = 'made'\nformat = 'synthetic'\nsynthetic = { train = 12, dev = 4, test = 8 }\n\
    [[grid]]\nname = 'main'\nsystems = ['chunks', 'chain-before']\nseeds = [1, 2]\n\
    axes.size = ['size=10', 'size=02', 'size=1']\naxes.learner = ['fixed', 'counted']\n";

/// The built-in systems, and one more.
fn kinds() -> Vec<Kind> {
    BUILT_IN.into_iter().chain([KIND]).collect()
}

fn config(text: &str) -> Result<Config, String> {
    parse_with_systems(text, Path::new("made.toml"), &[], &kinds()).map_err(|e| e.to_string())
}

/// The rows of the config's cells, from a run.
fn scores(config: &Config) -> Vec<ScoreRow> {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::new(folder.path().to_owned());
    let context = ExperimentContext::open(config, &store).expect("a context");
    let outcome = context.run(|_| true, &Progress::new(0, None, true), &|_, _| {});
    let mut rows = ResultRows::default();
    rows.replace(&context, &outcome);
    let again = context.run(|_| true, &Progress::new(0, None, true), &|_, _| {});
    let failed = outcome.cells.iter().chain(&again.cells).find_map(|cell| cell.rows.as_ref().err());
    assert_eq!(failed, None, "what is kept reads back");
    rows.scores
}

#[test]
fn a_system_with_axes_of_its_own_is_run_and_shown() {
    let config = config(CONFIG).expect("a config");
    let names: Vec<String> = cells(&config).iter().map(|cell| cell.key(&config).to_string()).collect();
    assert_eq!(
        names[..4],
        [
            "made/test/gold/chain-before/-/-/-/-/-/seed=0",
            "made/test/gold/chunks/-/counted/-/-/-/size=size=1/seed=1",
            "made/test/gold/chunks/-/counted/-/-/-/size=size=1/seed=2",
            "made/test/gold/chunks/-/counted/-/-/-/size=size=2/seed=1",
        ]
    );
    let rows = scores(&config);
    assert_eq!(rows.len(), 1 + 2 * 2 * 3);
    let correct = |cell: &str| {
        let row = rows.iter().find(|row| row.cell.to_string().contains(cell)).expect("a row");
        row.counts.as_ref().expect("counts").correct
    };
    assert_eq!(correct("chunks/-/fixed/-/-/-/size=size=1/"), correct("chain-before"), "chunks of one word");
    assert_ne!(correct("chunks/-/fixed/-/-/-/size=size=10/"), correct("chain-before"));

    // Rows read back, without the system being known.
    let bytes = csv::text(&rows).expect("a file");
    let text = String::from_utf8(bytes.clone()).expect("text");
    let header = text.lines().next().expect("a header");
    assert!(header.starts_with("corpus,split,tags,system,templates,learner,features,pruning,decoding,size,seed,key,"));
    assert!(text.contains("\nmade,test,gold,chain-before,-,-,-,-,-,-,0,"), "{text}");
    let mut sorted = rows.clone();
    sorted.sort();
    assert_eq!(csv::parse::<ScoreRow>(&bytes, Path::new("scores.csv")).expect("rows"), sorted);

    let frame = Frame::parse(&bytes, Path::new("scores.csv"), &schema::SCORES).expect("a frame");
    let (options, none) = (table_options(&config), Sentences::default());
    let times = Frame::read(Path::new("no/speed.csv"), &schema::SPEED).expect("no times");
    let speeds = speed::speeds(&times, &frame).expect("no speeds");
    let lines = table2::lines(&frame, &none, speeds, &options).expect("lines");
    let table = table2::table(&lines, &frame, &options).expect("a table");
    let shown = String::from_utf8(table.csv().expect("a file")).expect("text");
    assert!(shown.starts_with("corpus,split,tags,system,templates,learner,features,pruning,decoding,size,"), "{shown}");
    let sizes = |line: &&str| line.contains(",chunks,-,fixed,");
    let sizes: Vec<&str> = shown.lines().filter(sizes).filter_map(|line| line.split(',').nth(9)).collect();
    assert_eq!(sizes, ["size=1", "size=2", "size=10"], "numbers count as numbers");

    let text = table.text();
    assert!(text.contains("\nchunks counted size=10 "), "{text}");
    let text = long_shots(&frame).expect("a table").text();
    assert!(text.contains("words a sentence"), "{text}");
}

#[test]
fn a_wrong_axis_or_value_is_told_with_what_there_is() {
    let faults = |from: &str, to: &str| config(&CONFIG.replace(from, to)).expect_err("a fault");
    let fault = faults("axes.size", "axes.sizes");
    assert!(fault.contains("no system of the grid has an axis `sizes`; did you mean `size`?"), "{fault}");
    assert!(fault.contains("learner"), "{fault}");
    let fault = faults("'size=10'", "'siz=10'");
    assert!(fault.contains("did you mean `size=`? it can be a size such as `size=4`"), "{fault}");
    let fault = faults("'counted'", "'mira'");
    assert!(fault.contains("`fixed` or `counted`"), "{fault}");
    let fault = faults("'size=1'", "'size=10'");
    assert!(fault.contains("size=10"), "{fault}");
    let fault = faults("systems = ['chunks', 'chain-before']", "systems = 'graph'");
    assert!(fault.contains("the system `graph` has keys of its own"), "{fault}");
    // What is not named is as the system says.
    let usual = config(&CONFIG.replace("axes.size = ['size=10', 'size=02', 'size=1']\n", "")).expect("a config");
    let sizes = cells(&usual).iter().filter(|cell| cell.axes.spelt("size") == "size=4").count();
    assert_eq!(sizes, 2 * 2);
}

/// The resolved config says what it says, axes of its own among it.
#[test]
fn a_resolved_config_has_the_axes() {
    let config = config(CONFIG).expect("a config");
    let resolved = config::resolved(&config);
    let again = self::config(&resolved).expect("a config");
    assert_eq!(again.grids, config.grids, "{resolved}");
}

/// A decoder from outside: the best of all trees, by the dynamic program's list of them.
fn slow(graph: &FactorGraph, _: Limits) -> Decoded {
    treebound::decode::brute::decode(graph)
}

#[test]
fn a_decoder_is_a_function_of_a_graph() {
    for seed in 0..20 {
        let shape = Shape {
            words: 4,
            single_root: true,
            kept_of_8: 6,
            range: 9,
            unit: 1,
            sign: 0,
            factors: 5,
            has_tree: true,
            seed,
        };
        let graph = random_graph(&shape);
        let ours = slow(&graph, Limits::default());
        let theirs = Decoder::Bnb.decode(&graph, Backbone::Carreras, None, Limits::default(), &mut Scratch::default());
        assert_eq!(ours.score, theirs.expect("an answer").score);
    }
}

/// A measure from outside.
const LENGTH: Measure = Measure {
    name: "words_per_sentence",
    heading: "words a sentence",
    decimals: 2,
    shown: 1,
    of: Of::Ratio("tokens", "sentences"),
};

/// A table from outside: the measure of each line.
fn long_shots(scores: &Frame) -> Result<Table, ReportError> {
    let lines = scores.means()?.query(|rows| rows.with_column(LENGTH.value().alias(LENGTH.name)))?;
    let values = lines.numbers(LENGTH.name)?.into_iter().map(|value| LENGTH.text(value));
    let section = Section::new("Lengths").left("line", lines.words("line")?).right(LENGTH.heading, values);
    Ok(Table::new(vec![section], Sheet::default()))
}
