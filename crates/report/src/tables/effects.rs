//! Effects: what each family adds beside all others, where every combination of families was run.
//!
//! With families F and the UAS u(S) of each set S of them,
//!
//! > main effect of f = mean over S without f of u(S + f) - u(S)
//! > effect of the pair f, g = mean over S without f and g of (u(S + f + g) - u(S + g)) - (u(S + f) - u(S))
//!
//! Both are one sum over all sets, each with a sign, so they have a value for each sentence: tests and intervals are of these.

use std::collections::BTreeMap;

use polars::prelude::{Column, col, lit};

use super::blocks::{TableOptions, block_words, placed, pruning_label};
use super::notes::tests_of_sections;
use super::table::{Section, Table, plain_sheet};
use crate::comparison::{Contrast, seeds_of_lines, with_contrast_tests};
use crate::frame::{ABSENT, BASELINE, Frame};
use crate::measures::UAS;
use crate::sentences::{Sentences, Term};
use treebound_records::ReportError;
use treebound_records::number::{fixed, signed};

/// Sets that are shown as the best.
const BEST_SETS: usize = 10;

/// What a line of effects is: a family, a pair of families, or a set of the best.
const KINDS: [&str; 3] = ["family", "pair", "set"];

/// All combinations of some families, which differ in nothing else: the row of each set, a bit a family.
struct Factorial {
    families: Vec<String>,
    rows: Vec<usize>,
    seeds: Vec<u64>,
}

/// All effects, one a row: `kind`, `what`, `sets`, how many were run, `seeds` that all of them have, `effect_points`, and what
/// [tests](with_contrast_tests) say of it. Behind the families and pairs of a block stand its best sets by the UAS over these
/// seeds, whose effect is the gain over the baseline. Each kind of a block is corrected together.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data.
pub fn effects(scores: &Frame, sentences: &Sentences, options: &TableOptions) -> Result<Frame, ReportError> {
    let lines = placed(&scores.means()?.filtered(col("seeds").gt(lit(0)))?, options)?;
    let names = lines.words("line")?;
    let (mut rows, mut kinds, mut whats, mut titles) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut sets, mut seeds, mut uas, mut contrasts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for factorial in factorials(&lines)? {
        let block = lines.rows(&factorial.rows[..1])?;
        let title = format!("{}, {}", block_words(&block)?, pruning_label(&block.words("pruning")?.swap_remove(0)));
        let mut add = |kind: usize, what: String, row: usize, terms: Vec<Term>, own_uas: Option<f64>| {
            rows.push(row);
            kinds.push(Some(KINDS[kind].to_owned()));
            titles.push(Some(title.clone()));
            sets.push(factorial.rows.len() as u64);
            seeds.push(factorial.seeds.len() as u64);
            uas.push(own_uas);
            contrasts.push(Contrast {
                terms,
                seeds: factorial.seeds.clone(),
                family: format!("{}/{kind}", names[factorial.rows[0]]),
                question: what.clone(),
            });
            whats.push(Some(what));
        };
        let count = factorial.families.len();
        for first in 0..count {
            let what = factorial.families[first].clone();
            add(0, what, factorial.rows[1 << first], factorial.terms(&names, 1 << first), None);
        }
        for (first, second) in pairs(count) {
            let what = format!("{}+{}", factorial.families[first], factorial.families[second]);
            let both = 1 << first | 1 << second;
            add(1, what, factorial.rows[both], factorial.terms(&names, both), None);
        }
        for (row, own_uas) in factorial.best(scores, &names)? {
            let what = lines.words("features")?.swap_remove(row);
            let terms = [(row, 1), (factorial.rows[0], -1)];
            let terms = terms.map(|(row, sign)| Term { line: names[row].clone(), sign, is_whole: sign > 0 });
            add(2, what, row, terms.into(), Some(own_uas));
        }
    }
    let effects = lines
        .rows(&rows)?
        .with(Column::new("sets".into(), sets))?
        .with(Column::new("seeds".into(), seeds))?
        .with_words("kind", kinds)?
        .with_words("what", whats)?
        .with_words("title", titles)?
        .with_numbers("own_uas_pct", uas)?;
    with_contrast_tests(effects, &contrasts, sentences, options)
}

/// Every two of so many things, in order.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |first| (first + 1..count).map(move |second| (first, second)))
}

impl Factorial {
    /// That of the most families, by the rows of sets and the seeds of all rows; of equally many that with the most seeds, then
    /// the first by name. Other sets are passed by.
    fn largest(sets: &BTreeMap<Vec<&str>, usize>, seeds: &[Vec<u64>]) -> Option<Self> {
        let mut families: Vec<&str> = sets.keys().flatten().copied().collect();
        families.sort_unstable();
        families.dedup();
        let choices = 1_u32..1_u32.checked_shl(families.len() as u32)?;
        let chosen = |bits: u32| -> Vec<&str> {
            (0..families.len()).filter(|at| bits >> at & 1 == 1).map(|at| families[at]).collect()
        };
        let all = choices.map(chosen).filter(|choice| choice.len() > 1);
        let mut found: Vec<Self> = all.filter_map(|choice| Self::of_families(&choice, sets, seeds)).collect();
        found.sort_by_key(|one| (std::cmp::Reverse((one.families.len(), one.seeds.len())), one.families.clone()));
        found.into_iter().next()
    }

    /// That of some families, if every combination of them was run with a seed that all share.
    fn of_families(families: &[&str], sets: &BTreeMap<Vec<&str>, usize>, seeds: &[Vec<u64>]) -> Option<Self> {
        let row = |bits: usize| {
            let set: Vec<&str> = (0..families.len()).filter(|at| bits >> at & 1 == 1).map(|at| families[at]).collect();
            sets.get(&set).copied()
        };
        let rows: Vec<usize> = (0..1 << families.len()).map(row).collect::<Option<_>>()?;
        let is_shared = |seed: &u64| rows.iter().all(|&row| seeds[row].contains(seed));
        let seeds: Vec<u64> = seeds[rows[0]].iter().copied().filter(is_shared).collect();
        let families = families.iter().map(|&family| family.to_owned()).collect();
        (!seeds.is_empty()).then_some(Self { families, rows, seeds })
    }

    /// The terms of the effect of some families, a bit each: every set, with the sign of how many of these it lacks. The words of
    /// the sets that have all are what the sum is of.
    fn terms(&self, names: &[String], families: usize) -> Vec<Term> {
        let term = |(set, &row): (usize, &usize)| {
            let lacking = (families & !set).count_ones();
            Term {
                line: names[row].clone(),
                sign: if lacking.is_multiple_of(2) { 1 } else { -1 },
                is_whole: lacking == 0,
            }
        };
        self.rows.iter().enumerate().map(term).collect()
    }

    /// The rows of the best sets and their UAS, the best first; of equal ones the smaller set.
    fn best(&self, scores: &Frame, names: &[String]) -> Result<Vec<(usize, f64)>, ReportError> {
        let mut sets = Vec::new();
        for &row in &self.rows[1..] {
            let uas = crate::comparison::points(scores, &names[row], &self.seeds, &UAS)?;
            sets.extend(uas.map(|uas| (row, uas)));
        }
        sets.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        sets.truncate(BEST_SETS);
        Ok(sets)
    }
}

/// The blocks of lines in which every combination of two families or more was run with some seed.
fn factorials(lines: &Frame) -> Result<Vec<Factorial>, ReportError> {
    let axes = ["corpus", "split", "tags", "system", "templates", "learner", "pruning", "backbone"];
    let axes = axes.map(|axis| lines.counts(&format!("{axis}.order"))).into_iter().collect::<Result<Vec<_>, _>>()?;
    let (features, seeds) = (lines.words("features")?, seeds_of_lines(lines)?);
    let decoders = lines.counts("decoder.order")?;
    let mut blocks: BTreeMap<Vec<Option<u64>>, BTreeMap<Vec<&str>, usize>> = BTreeMap::new();
    for row in (0..lines.height()).filter(|&row| features[row] != ABSENT) {
        let mut set: Vec<&str> = features[row].split('+').filter(|family| *family != BASELINE).collect();
        set.sort_unstable();
        let block = blocks.entry(axes.iter().map(|axis| axis[row]).collect()).or_default();
        // Of each set the first decoder counts.
        let first = block.entry(set).or_insert(row);
        if decoders[row] < decoders[*first] {
            *first = row;
        }
    }
    Ok(blocks.into_values().filter_map(|sets| Factorial::largest(&sets, &seeds)).collect())
}

/// The table, with the columns of `effects.csv`: for each block its families, its pairs and its best sets.
///
/// # Errors
/// If effects are not those that [`effects`] gives.
pub fn table(effects: &Frame, options: &TableOptions) -> Result<Table, ReportError> {
    let sections = effects.blocks(&["title", "kind"])?.iter().map(section).collect::<Result<_, _>>()?;
    let four = |name: &str| {
        let values = effects.numbers(name)?.into_iter();
        Ok::<Vec<Option<String>>, ReportError>(values.map(|value| value.map(|value| fixed(value, 4))).collect())
    };
    let plain = plain_sheet(effects, &["kind", "what", "sets", "seeds"])?;
    let numbers = [
        ("own_uas_pct", "own_uas_pct"),
        ("effect_points", "effect_points"),
        ("low_points", "gain_low_points"),
        ("high_points", "gain_high_points"),
        ("p_value", "p_value"),
        ("p_holm", "p_holm"),
        ("detectable_points", "detectable_points"),
    ];
    let sheet = numbers
        .iter()
        .try_fold(plain, |sheet, (name, own)| Ok::<_, ReportError>(sheet.optional_text(name, four(own)?)))?;
    Ok(Table::new(sections, sheet).with_notes(notes(options)))
}

/// What the numbers of effects are.
fn notes(options: &TableOptions) -> Vec<String> {
    vec![
        "effect of a family: what it adds to the UAS, in percentage points, on average over all sets of the other families. \
         Of a pair: by how much more the one adds where the other is there. Of a set: its gain over the baseline."
            .to_owned(),
        tests_of_sections(options),
    ]
}

fn section(effects: &Frame) -> Result<Section, ReportError> {
    let kind = effects.words("kind")?.swap_remove(0);
    let (title, sets) = (effects.words("title")?.swap_remove(0), effects.words("sets")?.swap_remove(0));
    let seeds = effects.words("seeds")?.swap_remove(0);
    let what = match KINDS.iter().position(|known| *known == kind) {
        Some(0) => "what a family adds",
        Some(1) => "what a pair adds beyond both",
        _ => "the best sets",
    };
    let words = if seeds == "1" { "one seed".to_owned() } else { format!("{seeds} seeds") };
    let section = Section::new(format!("{title}: {what}; {sets} sets, {words}")).left(&kind, effects.words("what")?);
    let section = match kind == KINDS[2] {
        true => section.right(
            "UAS",
            effects.numbers("own_uas_pct")?.into_iter().map(|uas| uas.map_or_else(String::new, |uas| fixed(uas, 2))),
        ),
        false => section,
    };
    let effect = effects.numbers("effect_points")?.into_iter();
    let ends = effects.numbers("gain_low_points")?.into_iter().zip(effects.numbers("gain_high_points")?);
    let interval = |(low, high): (Option<f64>, Option<f64>)| {
        low.zip(high).map_or_else(String::new, |(low, high)| format!("{} to {}", signed(low, 2), signed(high, 2)))
    };
    let faults = effects.words("fault")?;
    let p_words = |name: &str| {
        let values = effects.words(name)?.into_iter().zip(&faults);
        Ok::<Vec<String>, ReportError>(values.map(|(p, fault)| if p.is_empty() { fault.clone() } else { p }).collect())
    };
    Ok(section
        .right("effect", effect.map(|value| value.map_or_else(String::new, |value| signed(value, 2))))
        .right("95 % interval", ends.map(interval))
        .right("p", p_words("p_value")?)
        .right("p, Holm", p_words("p_holm")?))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use treebound_records::schema;

    use super::*;

    /// Three sentences of ten words: wrong words a sentence by set.
    const WRONG: [(&str, u32); 4] = [("baseline", 5), ("comb", 4), ("sibling", 3), ("comb+sibling", 1)];

    fn of_sets(wrong: &[(&str, u32)]) -> Frame {
        let axes = "corpus,split,tags,system,templates,learner,features,pruning,decoding,seed,key";
        let counts = "sentences,tokens,correct,scored_tokens,scored_correct,root_correct,complete,gold_kept,heads_kept,proven,nodes,\
                      dp_calls,error";
        let mut scores = format!("{axes},{counts}\n");
        let mut sentences = format!(
            "{axes},tokens,not_scored,wrong,scored_wrong,root_wrong,incomplete,gold_lost,heads_kept,status,nodes,dp_calls\n"
        );
        for (set, wrong) in wrong {
            let decoder = if *set == "baseline" { "dp" } else { "bnb" };
            let cell = format!("c,test,gold,graph,compact,perceptron,{set},k=10,carreras/{decoder},1,0123456789abcdef");
            let right = 30 - 3 * wrong;
            scores.push_str(&format!("{cell},3,30,{right},30,{right},3,0,30,30,3,3,3,\n"));
            sentences.push_str(&format!(
                "{cell},aaa,000,{wrong}{wrong}{wrong},{wrong}{wrong}{wrong},000,111,000,aaa,000,111,111\n"
            ));
        }
        let options = TableOptions {
            folds: None,
            punctuation: "none".to_owned(),
            published: BTreeMap::new(),
            rounds: 100,
            random_seed: 1,
            systems: vec!["graph".to_owned()],
            beside: Vec::new(),
        };
        let scores = Frame::parse(scores.as_bytes(), Path::new("scores.csv"), &schema::SCORES).expect("scores");
        let sentences = Sentences::parse(sentences.as_bytes(), Path::new("by_sentence.csv")).expect("sentences");
        effects(&scores, &sentences, &options).expect("effects")
    }

    #[test]
    fn effects_are_means_over_all_sets_of_the_other_families() {
        let effects = of_sets(&WRONG);
        let found: Vec<(String, Option<f64>)> = effects
            .words("what")
            .expect("words")
            .into_iter()
            .zip(effects.numbers("effect_points").expect("numbers"))
            .collect();
        // Comb alone adds 10 points and 20 beside siblings; siblings 20 and 30.
        let expected = [
            ("comb", 15.0),
            ("sibling", 25.0),
            ("comb+sibling", 10.0),
            ("comb+sibling", 40.0),
            ("sibling", 20.0),
            ("comb", 10.0),
        ];
        let expected: Vec<_> = expected.map(|(what, points)| (what.to_owned(), Some(points))).into();
        assert_eq!(found, expected);
        assert!(effects.words("fault").expect("words").iter().all(String::is_empty));
    }

    #[test]
    fn without_every_combination_there_are_none() {
        assert!(of_sets(&WRONG[..3]).is_empty());
    }

    #[test]
    fn sets_of_families_that_are_not_combined_are_passed_by() {
        let more = [WRONG.as_slice(), &[("tri-sibling", 2), ("comb+tri-sibling", 0)]].concat();
        assert_eq!(of_sets(&more).words("what").expect("words"), of_sets(&WRONG).words("what").expect("words"));
    }
}
