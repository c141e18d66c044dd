//! Each line against the baseline of its block.

use std::collections::BTreeMap;

use crate::statistics::average::Averaged;
use crate::statistics::significance;
use crate::statistics::significance::{CONFIDENCE, Draws, Interval, PairFault, Power, Randomisation, TwoWay};
use crate::statistics::significance::{bootstrap, holm_by_question, power, randomisation, two_way};
use crate::tables::block::Block;
use treebound_parser::cell::Setting;
use treebound_parser::pruning::Rule;
use treebound_records::SentenceRow;
use treebound_records::number::fixed;

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
    /// The same over sentences and seeds; none of one seed.
    pub two_way: Option<TwoWay>,
    /// The p-value of the first after Holm's correction over the models of the same block and pruning.
    pub p_holm: f64,
    /// Paired bootstrap: the 95 % confidence interval of the gain.
    pub interval: Option<Interval>,
    /// What the sentences can show.
    pub power: Option<Power>,
}

impl Comparison {
    /// The p-value, with as many decimals as the number of rounds can tell apart (at least four).
    pub fn p_text(&self) -> Option<String> {
        let test = self.tested.as_ref().ok()?;
        Some(fixed(test.randomisation.p_value(), test.decimals()))
    }

    /// The p-value over sentences and seeds, with as many decimals.
    pub fn p_two_way_text(&self) -> Option<String> {
        let test = self.tested.as_ref().ok()?;
        Some(fixed(test.two_way?.p_value(), test.decimals()))
    }

    /// The p-value after Holm's correction, with as many decimals.
    pub fn p_holm_text(&self) -> Option<String> {
        let test = self.tested.as_ref().ok()?;
        Some(fixed(test.p_holm, test.decimals()))
    }

    /// The smallest gain, in points, that the sentences would have shown in 80 of 100 samples.
    pub fn detectable_points(&self) -> Option<f64> {
        Some(self.tested.as_ref().ok()?.power?.detectable_points())
    }
}

impl Tested {
    fn decimals(&self) -> usize {
        self.randomisation.rounds.checked_ilog10().unwrap_or(0).max(4) as usize
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
    let rows_of = |line: &Averaged| {
        let rows = rows.get(&line.setting).cloned().unwrap_or_default();
        significance::of_all_seeds(rows, &line.seeds)
    };
    let comparison = |line: &Averaged| {
        let baseline = baseline(line, lines)?;
        let tested = significance::pair(rows_of(line), rows_of(baseline)).map(|paired| {
            let randomisation = randomisation(&paired, draws);
            Tested {
                randomisation,
                two_way: two_way(&paired),
                // Corrected when all lines are there.
                p_holm: randomisation.p_value(),
                interval: bootstrap(&paired, draws, CONFIDENCE),
                power: power(&paired),
            }
        });
        let pair = line.uas_pct().zip(baseline.uas_pct()).filter(|_| line.seeds == baseline.seeds);
        let gain_points = pair.map(|(uas, baseline)| uas - baseline);
        Some(Comparison { baseline: baseline.setting.clone(), gain_points, tested })
    };
    let mut comparisons: Vec<Option<Comparison>> = lines.iter().map(comparison).collect();
    let mut begin = 0;
    for block in lines.chunk_by(|a, b| family(a) == family(b)) {
        let end = begin + block.len();
        correct(block, &mut comparisons[begin..end]);
        begin = end;
    }
    comparisons
}

/// What lines have in common whose tests are corrected together: they stand in one block, and are pruned alike.
fn family(line: &Averaged) -> (Block<'_>, Option<Rule>) {
    (Block::of(&line.setting), line.setting.pruning)
}

/// Holm's correction of a block. One model under several searches asks one question.
fn correct(lines: &[Averaged], comparisons: &mut [Option<Comparison>]) {
    let model = |line: &Averaged| {
        let Setting { system, features, .. } = &line.setting;
        (system.clone(), line.setting.backbone(), features.clone())
    };
    let models: Vec<_> = lines.iter().map(model).collect();
    let p_value = |c: &Option<Comparison>| Some(c.as_ref()?.tested.as_ref().ok()?.randomisation.p_value());
    let p_values: Vec<Option<f64>> = comparisons.iter().map(p_value).collect();
    for (comparison, corrected) in comparisons.iter_mut().zip(holm_by_question(&models, &p_values)) {
        if let (Some(Comparison { tested: Ok(tested), .. }), Some(corrected)) = (comparison, corrected) {
            tested.p_holm = corrected;
        }
    }
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
