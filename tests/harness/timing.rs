//! The timer with a clock of the test's own: which time belongs to which row of `speed.csv`.

use std::fs;

use crate::desk::Desk;
use crate::expected::{assert_golden, golden, label, numbers, rows, table};
use treebound::answer::{Clock, Phase};
use treebound::experiment::artifacts::ArtifactError;
use treebound::experiment::rows::SpeedRow;
use treebound::experiment::rows::csv::text;
use treebound::experiment::run::ExperimentContext;
use treebound::experiment::store::Store;
use treebound::experiment::{config, timing};

/// The times that must not change, by their columns in `speed.csv`.
const TIMES: [&str; 4] = ["sentences", "prune_ns", "score_ns", "decode_ns"];

/// A clock that goes on only when it is read. The `s`th sentence that it times takes `s` ns to prune, a thousand times
/// that to score and a million times that to decode; what lies between two sentences takes longer than all of them.
#[derive(Default)]
struct ReadClock {
    readings: u64,
    now: u64,
    parsing: u64,
}

impl ReadClock {
    const BETWEEN: u64 = 1_000_000_000_000_000;
}

impl Clock for ReadClock {
    fn now_ns(&mut self) -> u64 {
        let sentence = 1 + self.readings / 4;
        let phase = (self.readings % 4) as usize;
        let passed = [Self::BETWEEN, sentence, sentence * 1_000, sentence * 1_000_000][phase];
        self.now += passed;
        self.parsing += if phase == 0 { 0 } else { passed };
        self.readings += 1;
        self.now
    }

    /// Something else runs half of the time.
    fn processor_ns(&mut self) -> Option<u64> {
        Some(self.parsing / 2)
    }
}

fn ns(row: &SpeedRow, phase: Phase) -> u64 {
    row.phases.get(phase).expect("a phase")
}

/// All of a sentence's time is in one of its phases, by its length and pass, and none of what is not parsing.
#[test]
fn times_are_told_by_phase_pass_and_length() {
    let desk = Desk::new();
    let config = config::parse(&fs::read_to_string(golden("tiny.toml")).expect("a config"), &desk.path("tiny.toml"));
    let config = config.expect("a config");
    let store = Store::new(desk.path("cache"));
    let context = ExperimentContext::open(&config, &store).expect("an experiment context");
    let is = |key: &str, cell: &str| key.contains("test/") && key.contains(cell);
    let cells = ["/mira/baseline/k=4/carreras/dp", "/mira/grandchild+sibling/k=4/carreras/bnb"];
    let mut clock = ReadClock::default();
    let (mut begun, mut speeds): (Vec<String>, Vec<SpeedRow>) = (Vec::new(), Vec::new());
    timing::time::<ArtifactError>(
        &context,
        &[],
        |cell| cells.iter().any(|wanted| is(&cell.key(&config).to_string(), wanted)),
        &mut clock,
        |key| begun.push(key.to_string()),
        |timed| {
            assert!(timed.processor_share.is_some_and(|share| (share - 0.5).abs() < 1e-6), "{timed:?}");
            speeds.extend(timed.rows);
            Ok(())
        },
    )
    .expect("times");
    assert!(begun.len() == 2 && begun.iter().zip(cells).all(|(key, cell)| is(key, cell)), "{begun:?}");
    let csv = String::from_utf8(text(&speeds).expect("a table")).expect("UTF-8");
    let found = table(rows(&csv, |row| {
        (format!("{} pass {} length {}", label(row), row["repeat"], row["length"]), numbers(row, &TIMES))
    }));
    assert_golden(&found, &TIMES, "speed.csv");

    // What the file must say: 30 sentences, two cells, a pass to warm up and two that count.
    let n = 30;
    assert_eq!(clock.readings, 4 * n * 2 * 3);
    for (number, cell) in begun.iter().enumerate() {
        for pass in 1..=2 {
            let of_pass = |row: &&SpeedRow| row.cell.to_string() == *cell && row.repeat == pass;
            let sum = |of: fn(&SpeedRow) -> u64| speeds.iter().filter(of_pass).map(of).sum::<u64>();
            let before = (number as u64 * 3 + pass) * n;
            let expected = n * before + n * (n + 1) / 2;
            assert_eq!(sum(|row| row.sentences), n);
            assert_eq!(sum(|row| ns(row, Phase::Prune)), expected);
            assert_eq!(sum(|row| ns(row, Phase::Score)), expected * 1_000);
            assert_eq!(sum(|row| ns(row, Phase::Decode)), expected * 1_000_000);
        }
    }
}
