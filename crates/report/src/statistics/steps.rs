//! Ablation: settings one step apart, and what the step is worth.
//!
//! From the baseline a step adds one family of non-local features; from the largest set it leaves one out; from the templates
//! that a config usually has it goes to others. Both settings of a step are compared on the seeds that both have.

use std::collections::{BTreeMap, BTreeSet};

use super::significance::{
    CONFIDENCE, Draws, Interval, PairFault, Power, bootstrap, holm_of_some, of_all_seeds, pair, power, randomisation,
};
use treebound_core::decode::Backbone;
use treebound_parser::cell::{FeatureSet, Setting, TemplatesName, show_optional};
use treebound_records::number::percent;
use treebound_records::{ScoreRow, SentenceRow};

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// A family is added to the baseline.
    Added,
    /// A family is left out of the largest set.
    LeftOut,
    /// Other templates.
    Templates,
}

impl Way {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::LeftOut => "left-out",
            Self::Templates => "templates",
        }
    }
}

/// Two settings one step apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What is done.
    pub way: Way,
    /// To which family, or which templates stand in the place of the usual ones.
    pub what: String,
    /// The setting before.
    pub from: Setting,
    /// The setting behind it.
    pub to: Setting,
    /// The seeds that both have.
    pub seeds: Vec<u64>,
    /// Accuracy without punctuation before and behind, over those seeds.
    pub uas_pct: [Option<f64>; 2],
    /// The difference over sentences, or why it cannot be tested.
    pub tested: Result<Difference, PairFault>,
}

/// A difference, tested.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Its 95 % confidence interval.
    pub interval: Option<Interval>,
    /// Two-sided p-value of paired approximate randomisation.
    pub p_value: f64,
    /// The same after Holm's correction over the steps of the same way from the same setting.
    pub p_holm: f64,
    /// What the sentences can show.
    pub power: Option<Power>,
}

impl Step {
    /// What the step is worth, in percentage points.
    pub fn gain_points(&self) -> Option<f64> {
        let [before, behind] = self.uas_pct;
        Some(behind? - before?)
    }
}

/// All steps between settings that have scores, by block: what they have in common but features, templates and decoder.
/// `usual` are the templates that others are held against.
pub fn steps(scores: &[ScoreRow], sentences: &[SentenceRow], usual: &TemplatesName, draws: Draws) -> Vec<Step> {
    let counted: Vec<&ScoreRow> = scores.iter().filter(|row| row.counts.is_ok()).collect();
    let settings: BTreeSet<&Setting> = counted.iter().map(|row| &row.cell.setting).collect();
    let mut blocks: BTreeMap<(Setting, Option<Backbone>), Vec<&Setting>> = BTreeMap::new();
    for setting in settings {
        let block = Setting { features: None, templates: None, decoding: None, ..setting.clone() };
        blocks.entry((block, setting.backbone())).or_default().push(setting);
    }
    let pairs = blocks.values().flat_map(|settings| pairs(settings, usual));
    let mut steps: Vec<Step> = pairs.map(|pair| pair.step(&counted, sentences, draws)).collect();
    for steps in steps.chunk_by_mut(|a, b| (a.way, &a.from) == (b.way, &b.from)) {
        let p_values: Vec<Option<f64>> = steps.iter().map(|step| Some(step.tested.as_ref().ok()?.p_value)).collect();
        for (step, corrected) in steps.iter_mut().zip(holm_of_some(&p_values)) {
            if let (Ok(difference), Some(corrected)) = (&mut step.tested, corrected) {
                difference.p_holm = corrected;
            }
        }
    }
    steps
}

struct Pair<'a> {
    way: Way,
    what: String,
    from: &'a Setting,
    to: &'a Setting,
}

/// The steps of a block: of each set the first decoder counts.
fn pairs<'a>(settings: &[&'a Setting], usual: &TemplatesName) -> Vec<Pair<'a>> {
    let mut by_choice: BTreeMap<(&TemplatesName, &FeatureSet), &Setting> = BTreeMap::new();
    for setting in settings.iter().copied() {
        let Some(choice) = setting.templates.as_ref().zip(setting.features.as_ref()) else { continue };
        let first = by_choice.entry(choice).or_insert(setting);
        if setting.decoder() < first.decoder() {
            *first = setting;
        }
    }
    let of = |templates: &TemplatesName, set: &FeatureSet| by_choice.get(&(templates, set)).copied();
    let usual_sets = || by_choice.keys().filter(|(templates, _)| *templates == usual).map(|(_, set)| *set);
    let mut pairs = Vec::new();
    let baseline = FeatureSet::baseline();
    if let Some(from) = of(usual, &baseline) {
        for set in usual_sets().filter(|set| set.families().len() == 1) {
            pairs.extend(of(usual, set).map(|to| Pair { way: Way::Added, what: set.to_string(), from, to }));
        }
    }
    // The first of several that are as large.
    let largest = usual_sets().max_by_key(|set| (set.families().len(), std::cmp::Reverse((*set).clone())));
    let largest = largest.filter(|set| set.families().len() > 1);
    if let Some((largest, from)) = largest.and_then(|set| Some((set, of(usual, set)?))) {
        for &family in largest.families() {
            let rest = FeatureSet::new(largest.families().iter().copied().filter(|&other| other != family).collect());
            let to = of(usual, &rest).filter(|to| !to.is_baseline());
            pairs.extend(to.map(|to| Pair { way: Way::LeftOut, what: family.name().to_owned(), from, to }));
        }
    }
    for (&(templates, set), to) in by_choice.iter().filter(|((templates, _), _)| *templates != usual) {
        let from = of(usual, set);
        pairs.extend(from.map(|from| Pair { way: Way::Templates, what: templates.to_string(), from, to }));
    }
    // Those that start from one setting stand together.
    pairs.sort_by_key(|pair| (pair.way, pair.from));
    pairs
}

impl Pair<'_> {
    fn step(&self, scores: &[&ScoreRow], sentences: &[SentenceRow], draws: Draws) -> Step {
        let of = |setting: &Setting| {
            let rows = scores.iter().filter(|row| row.cell.setting == *setting && row.counts.is_ok());
            rows.map(|row| row.cell.seed).collect::<BTreeSet<u64>>()
        };
        let seeds: Vec<u64> = of(self.from).intersection(&of(self.to)).copied().collect();
        let uas = |setting: &Setting| {
            let rows = scores.iter().filter(|row| row.cell.setting == *setting && seeds.contains(&row.cell.seed));
            let counts = rows.filter_map(|row| row.counts.as_ref().ok());
            let sum = counts.fold((0, 0), |sum, counts| (sum.0 + counts.scored_correct, sum.1 + counts.scored_tokens));
            percent(sum.0, sum.1)
        };
        let rows = |setting: &Setting| {
            let wanted = |row: &&SentenceRow| row.cell.setting == *setting && seeds.contains(&row.cell.seed);
            of_all_seeds(sentences.iter().filter(wanted).collect(), &seeds)
        };
        let tested = pair(rows(self.to), rows(self.from)).map(|paired| {
            let p_value = randomisation(&paired, draws).p_value();
            // Corrected when all steps are there.
            Difference {
                interval: bootstrap(&paired, draws, CONFIDENCE),
                p_value,
                p_holm: p_value,
                power: power(&paired),
            }
        });
        Step {
            way: self.way,
            what: self.what.clone(),
            from: self.from.clone(),
            to: self.to.clone(),
            uas_pct: [uas(self.from), uas(self.to)],
            seeds,
            tested,
        }
    }
}

/// What the steps of a way from a setting are, for people.
pub fn heading(step: &Step) -> String {
    let from = match step.way {
        Way::Added => "families added to the baseline".to_owned(),
        Way::LeftOut => format!("families left out of {}", show_optional(step.from.features.as_ref())),
        Way::Templates => format!(
            "{} in the place of templates {}",
            show_optional(step.from.features.as_ref()),
            show_optional(step.from.templates.as_ref())
        ),
    };
    match step.way {
        Way::Templates => format!("other templates for {from}"),
        _ => from,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use treebound_parser::answer::{Effort, Proof};
    use treebound_parser::cell::Axis;
    use treebound_records::aggregate;

    /// Rows of four sentences of ten words, of which so many are right.
    fn rows(templates: &str, features: &str, decoding: &str, seed: u64, right: [u64; 4]) -> Vec<SentenceRow> {
        let axes = ["a", "test", "gold", "graph", templates, "mira", features, "k=10", decoding];
        let cell = Arc::new(Setting::read(axes).expect("a setting").with_seed(seed));
        let row = |(i, right): (usize, u64)| SentenceRow {
            cell: cell.clone(),
            key: Default::default(),
            sentence: i as u64 + 1,
            tokens: 10,
            correct: right,
            scored_tokens: 10,
            scored_correct: right,
            root_correct: 1,
            complete: 0,
            gold_kept: None,
            heads_kept: None,
            status: Proof::Optimal,
            score: None,
            bound: None,
            effort: Effort::default(),
        };
        right.into_iter().enumerate().map(row).collect()
    }

    #[test]
    fn steps_are_between_settings_that_differ_in_one_thing() {
        let sentences = [
            rows("paper", "baseline", "carreras/dp", 1, [5, 5, 5, 5]),
            rows("paper", "baseline", "carreras/dp", 2, [6, 5, 5, 5]),
            rows("paper", "comb", "carreras/bnb", 1, [7, 5, 6, 5]),
            rows("paper", "comb", "carreras/paper", 1, [1, 1, 1, 1]),
            rows("paper", "comb+sibling", "carreras/bnb", 1, [8, 8, 8, 8]),
            rows("paper", "comb+hand+sibling", "carreras/bnb", 1, [9, 8, 8, 8]),
            rows("few", "baseline", "carreras/dp", 1, [4, 5, 5, 5]),
            rows("few", "sibling", "carreras/bnb", 1, [4, 5, 5, 5]),
        ]
        .concat();
        let scores = aggregate::scores(&sentences);
        let usual = TemplatesName::parse("paper").expect("a name");
        let steps = steps(&scores, &sentences, &usual, Draws { rounds: 100, seed: 1 });
        let shown: Vec<String> = steps
            .iter()
            .map(|step| {
                let gain = step.gain_points().expect("a gain");
                format!("{}: {} {gain:.1} {:?}", heading(step), step.what, step.seeds)
            })
            .collect();
        assert_eq!(
            shown,
            [
                "families added to the baseline: comb 7.5 [1]",
                "families left out of comb+hand+sibling: hand -2.5 [1]",
                "other templates for baseline in the place of templates paper: few -2.5 [1]",
            ]
        );
        for step in &steps {
            let difference = step.tested.as_ref().expect("tested");
            let interval = difference.interval.expect("an interval");
            let gain = step.gain_points().expect("a gain");
            assert!(interval.low_points <= gain && gain <= interval.high_points, "{step:?}");
        }
    }
}
