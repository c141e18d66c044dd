//! Words per second, from the passes that were timed.
//!
//! A pass parses all sentences of a cell on one thread. Of several passes (repeats, seeds) the median counts, and their
//! spread is the median distance from it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::records::number::{median, ratio};
use crate::records::{CellKey, MixedFault, ReportError, Setting, SpeedRow};

/// How fast a cell is parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Speed {
    /// Passes that were timed.
    pub passes: u64,
    /// Sentences of a pass.
    pub sentences: u64,
    /// Words of a pass.
    pub words: u64,
    /// Median time of a pass, from tokens to trees.
    pub total_ns: u64,
    /// Median distance of the passes from `total_ns`.
    pub spread_ns: u64,
    /// Median time of a pass to choose candidate heads.
    pub prune_ns: u64,
    /// Median time of a pass to compute features and score parts and factors.
    pub score_ns: u64,
    /// Median time of a pass to search for the best trees.
    pub decode_ns: u64,
}

impl Speed {
    /// Words per second; none if no time passed.
    pub fn words_per_second(&self) -> Option<f64> {
        ratio(self.words, self.total_ns).map(|words| 1e9 * words)
    }

    /// The spread of the passes in percent of their median.
    pub fn spread_pct(&self) -> Option<f64> {
        ratio(self.spread_ns, self.total_ns).map(|share| 100.0 * share)
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
    words: u64,
    prune_ns: u64,
    score_ns: u64,
    decode_ns: u64,
}

impl Pass {
    fn new(name: String) -> Self {
        Self { name, sentences: 0, words: 0, prune_ns: 0, score_ns: 0, decode_ns: 0 }
    }

    fn add(&mut self, row: &SpeedRow) {
        self.sentences = self.sentences.saturating_add(row.sentences);
        self.words = self.words.saturating_add(row.sentences.saturating_mul(row.length));
        self.prune_ns = self.prune_ns.saturating_add(row.prune_ns);
        self.score_ns = self.score_ns.saturating_add(row.score_ns);
        self.decode_ns = self.decode_ns.saturating_add(row.decode_ns);
    }

    fn total_ns(&self) -> u64 {
        self.prune_ns.saturating_add(self.score_ns).saturating_add(self.decode_ns)
    }
}

/// The speed of every setting that was timed.
///
/// # Errors
/// If two passes of one setting did not parse the same words.
pub fn speeds(rows: &[SpeedRow]) -> Result<BTreeMap<Setting, Speed>, ReportError> {
    let mut passes: BTreeMap<(Arc<CellKey>, u64), Pass> = BTreeMap::new();
    for row in rows {
        let pass = passes.entry((row.cell.clone(), row.repeat));
        pass.or_insert_with_key(|(cell, repeat)| Pass::new(format!("{cell}, repeat {repeat}"))).add(row);
    }
    let mut settings: BTreeMap<Setting, Vec<Pass>> = BTreeMap::new();
    for ((cell, _), pass) in passes {
        settings.entry(cell.setting()).or_default().push(pass);
    }
    settings.into_iter().map(|(setting, passes)| Ok((setting, speed(&passes)?))).collect()
}

fn speed(passes: &[Pass]) -> Result<Speed, ReportError> {
    let first = passes.first();
    if let Some(first) = first {
        for pass in passes {
            let pairs = [("sentences", first.sentences, pass.sentences), ("words", first.words, pass.words)];
            if let Some(&(column, first_value, second_value)) = pairs.iter().find(|(_, a, b)| a != b) {
                let (first, second) = (first.name.clone(), pass.name.clone());
                return Err(ReportError::Mixed(MixedFault::Data { first, second, column, first_value, second_value }));
            }
        }
    }
    let middle = |value: &dyn Fn(&Pass) -> u64| {
        let mut values: Vec<u64> = passes.iter().map(value).collect();
        median(&mut values).unwrap_or(0)
    };
    let total_ns = middle(&Pass::total_ns);
    Ok(Speed {
        passes: passes.len() as u64,
        sentences: first.map_or(0, |pass| pass.sentences),
        words: first.map_or(0, |pass| pass.words),
        total_ns,
        spread_ns: middle(&|pass| pass.total_ns().abs_diff(total_ns)),
        prune_ns: middle(&|pass| pass.prune_ns),
        score_ns: middle(&|pass| pass.score_ns),
        decode_ns: middle(&|pass| pass.decode_ns),
    })
}
