//! Words per second, from the passes that were timed.
//!
//! A pass parses all sentences of a cell on one thread. Of several passes (repeats, seeds) the median counts, and their
//! spread is the median distance from it.

use std::collections::BTreeMap;
use std::sync::Arc;

use treebound_parser::answer::{Phase, Phases};
use treebound_parser::cell::{CellKey, Setting};
use treebound_records::number::{median, ratio};
use treebound_records::{MixedFault, ReportError, ScoreRow, SpeedRow};

/// How fast a cell is parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Speed {
    /// Passes that were timed.
    pub passes: u64,
    /// Sentences of a pass.
    pub sentences: u64,
    /// Words of a pass, if they are known.
    pub words: Option<u64>,
    /// Median time of a pass, from tokens to trees.
    pub total_ns: u64,
    /// Median distance of the passes from `total_ns`.
    pub spread_ns: u64,
    /// Median time of each phase of a pass.
    pub phases: Phases,
}

impl Speed {
    /// Words per second; none if no time passed.
    pub fn words_per_second(&self) -> Option<f64> {
        ratio(self.words?, self.total_ns).map(|words| 1e9 * words)
    }

    /// The spread of the passes in percent of their median.
    pub fn spread_pct(&self) -> Option<f64> {
        ratio(self.spread_ns, self.total_ns).map(|share| 100.0 * share)
    }

    /// A phase as milliseconds a sentence.
    pub fn phase_ms_per_sentence(&self, phase: Phase) -> Option<f64> {
        self.ms_per_sentence(self.phases.get(phase)?)
    }

    /// A time of a pass as milliseconds a sentence.
    pub fn ms_per_sentence(&self, pass_ns: u64) -> Option<f64> {
        ratio(pass_ns, self.sentences).map(|ns| ns / 1e6)
    }
}

/// One pass.
#[derive(Clone, Debug)]
struct Pass {
    name: String,
    sentences: u64,
    words: Option<u64>,
    phases: Phases,
}

/// The speed of every setting that was timed. `scores` say how many words a pass has that is not timed by sentence length.
///
/// # Errors
/// If passes of one setting did not parse the same sentences.
pub fn speeds(rows: &[SpeedRow], scores: &[ScoreRow]) -> Result<BTreeMap<Setting, Speed>, ReportError> {
    let mut passes: BTreeMap<(&Arc<CellKey>, u64), Pass> = BTreeMap::new();
    for row in rows {
        let pass = passes.entry((&row.cell, row.repeat)).or_insert_with_key(|(cell, repeat)| Pass {
            name: format!("{cell}, repeat {repeat}"),
            sentences: 0,
            words: Some(0),
            phases: Phases::default(),
        });
        let words = match row.length {
            Some(length) => Some(row.sentences.saturating_mul(length)),
            None => {
                scores.iter().find(|score| score.cell == row.cell).and_then(|s| Some(s.counts.as_ref().ok()?.tokens))
            }
        };
        pass.sentences = pass.sentences.saturating_add(row.sentences);
        pass.words = pass.words.zip(words).map(|(sum, words)| sum.saturating_add(words));
        pass.phases.add(&row.phases);
    }
    let mut settings: BTreeMap<Setting, Vec<Pass>> = BTreeMap::new();
    for ((cell, _), pass) in passes {
        settings.entry(cell.setting.clone()).or_default().push(pass);
    }
    settings.into_iter().map(|(setting, passes)| Ok((setting, speed(&passes)?))).collect()
}

fn speed(passes: &[Pass]) -> Result<Speed, ReportError> {
    let first = passes.first();
    if let Some(first) = first {
        for pass in passes {
            let words = |pass: &Pass| pass.words.unwrap_or(0);
            let pairs = [("sentences", first.sentences, pass.sentences), ("words", words(first), words(pass))];
            if let Some(&(column, first_value, second_value)) = pairs.iter().find(|(_, a, b)| a != b) {
                let (first, second) = (first.name.clone(), pass.name.clone());
                return Err(ReportError::Mixed(MixedFault::Data { first, second, column, first_value, second_value }));
            }
        }
    }
    let middle = |value: &dyn Fn(&Pass) -> Option<u64>| {
        let mut values: Vec<u64> = passes.iter().filter_map(value).collect();
        median(&mut values)
    };
    let total_ns = middle(&|pass| Some(pass.phases.total_ns())).unwrap_or(0);
    let mut phases = Phases::default();
    for phase in Phase::ALL {
        phases.set(phase, middle(&|pass| pass.phases.get(phase)));
    }
    Ok(Speed {
        passes: passes.len() as u64,
        sentences: first.map_or(0, |pass| pass.sentences),
        words: first.and_then(|pass| pass.words),
        total_ns,
        spread_ns: middle(&|pass| Some(pass.phases.total_ns().abs_diff(total_ns))).unwrap_or(0),
        phases,
    })
}
