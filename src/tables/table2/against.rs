//! Each line against the baseline of its block.

use std::collections::BTreeMap;

use crate::cell::Setting;
use crate::records::SentenceRow;
use crate::records::number::fixed;
use crate::statistics::average::Averaged;
use crate::statistics::significance;
use crate::statistics::significance::{Draws, Interval, PairFault, Randomisation, bootstrap, randomisation};
use crate::tables::block::Block;

/// The share of samples that a confidence interval holds.
pub(super) const CONFIDENCE: f64 = 0.95;

/// A line less its baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The baseline that the line is compared with.
    pub baseline: Setting,
    /// Difference of the accuracies without punctuation, in percentage points; none if the seeds are not the same.
    pub gain_points: Option<f64>,
    /// The tests over sentences, or why there are none.
    pub tested: Result<Tested, PairFault>,
}

/// What the tests over sentences say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tested {
    /// Paired approximate randomisation.
    pub randomisation: Randomisation,
    /// Paired bootstrap: the 95 % confidence interval of the gain.
    pub interval: Option<Interval>,
}

impl Comparison {
    /// The p-value, with as many decimals as the number of rounds can tell apart (at least four).
    pub fn p_text(&self) -> Option<String> {
        let test = self.tested.as_ref().ok()?.randomisation;
        let decimals = test.rounds.checked_ilog10().unwrap_or(0).max(4) as usize;
        Some(fixed(test.p_value(), decimals))
    }
}

/// The comparison of each line; none for baselines and where there is no baseline.
pub(super) fn compare(lines: &[Averaged], sentences: &[SentenceRow], draws: Draws) -> Vec<Option<Comparison>> {
    let mut rows: BTreeMap<Setting, Vec<&SentenceRow>> = BTreeMap::new();
    for cell in sentences.chunk_by(|a, b| a.cell == b.cell) {
        if let Some(first) = cell.first() {
            rows.entry(first.cell.setting.clone()).or_default().extend(cell);
        }
    }
    let rows_of = |setting: &Setting| rows.get(setting).into_iter().flatten().copied();
    let comparison = |line: &Averaged| {
        let baseline = baseline(line, lines)?;
        let tested = significance::pair(rows_of(&line.setting), rows_of(&baseline.setting)).map(|paired| Tested {
            randomisation: randomisation(&paired, draws),
            interval: bootstrap(&paired, draws, CONFIDENCE),
        });
        let pair = line.uas_pct().zip(baseline.uas_pct()).filter(|_| line.seeds == baseline.seeds);
        let gain_points = pair.map(|(uas, baseline)| uas - baseline);
        Some(Comparison { baseline: baseline.setting.clone(), gain_points, tested })
    };
    lines.iter().map(comparison).collect()
}

/// The baseline of the same corpus, part, tags, templates, learner and pruning: that of the paper's backbone if there is one (so
/// third-order parsers are compared with it too), and there that of the same decoder if there is one, else that of the dynamic
/// program, else the first.
fn baseline<'a>(line: &Averaged, lines: &'a [Averaged]) -> Option<&'a Averaged> {
    let setting = &line.setting;
    let fits = |other: &&Averaged| {
        let other = &other.setting;
        other.is_baseline()
            && (!setting.is_baseline() || other.backbone() < setting.backbone())
            && (Block::of(other), other.pruning) == (Block::of(setting), setting.pruning)
    };
    lines.iter().filter(fits).min_by_key(|other| {
        let other = &other.setting;
        (other.backbone(), other.decoder() != setting.decoder(), other.decoder())
    })
}
