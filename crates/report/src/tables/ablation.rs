//! Ablation: what each family and each group of templates is worth, settings one step apart.
//!
//! From the baseline a step adds one family of non-local features; from the largest set it leaves one out; from the templates
//! that a config usually has it goes to others. Both settings of a step are compared on the seeds that both have.

use std::collections::BTreeMap;

use polars::prelude::{col, lit};

use super::beside::{axes, intervals, side_by_side, values};
use super::blocks::{TableOptions, block_words, placed, pruning_label};
use super::notes::tests_of_sections;
use super::table::{Section, Table, plain_sheet};
use crate::comparison::{Pair, points, seeds_of_lines, with_tests};
use crate::frame::{ABSENT, BASELINE, Frame};
use crate::measures::UAS;
use crate::sentences::Sentences;
use treebound_records::ReportError;
use treebound_records::number::{fixed, signed};
use treebound_records::sheet::Sheet;

/// What a step does: a family is added to the baseline, a family is left out of the largest set, or templates are other ones.
const WAYS: [&str; 3] = ["added", "left-out", "templates"];

/// A step: the way, what is added, left out or put in place, and the rows of the settings before and behind it.
struct Step {
    way: usize,
    what: String,
    from: usize,
    to: usize,
}

/// All steps between settings that have scores, one a row, with the axes of the setting behind it: `way`, `step`, `from`, the
/// line before it, `from_templates` and `from_features`, the number of `seeds` and the `seed_list` that both have, `from_uas_pct`
/// and `uas_pct` over these, `difference_points`, and what [tests](with_tests) say of it; `what` says what the steps of a way do.
/// Steps that start from one setting in one way stand together, and are corrected together; `title` says what they are. `usual`
/// are the templates that others are held against.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data.
pub fn steps(scores: &Frame, sentences: &Sentences, usual: &str, options: &TableOptions) -> Result<Frame, ReportError> {
    let lines = placed(&scores.means()?.filtered(col("seeds").gt(lit(0)))?, options)?;
    let found = found(&lines, usual)?;
    let (names, seeds) = (lines.words("line")?, seeds_of_lines(&lines)?);
    let shared: Vec<Vec<u64>> = found
        .iter()
        .map(|step| seeds[step.from].iter().copied().filter(|seed| seeds[step.to].contains(seed)).collect())
        .collect();
    let (mut from_uas, mut uas, mut titles, mut whats) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (step, seeds) in found.iter().zip(&shared) {
        from_uas.push(points(scores, &names[step.from], seeds, &UAS)?);
        uas.push(points(scores, &names[step.to], seeds, &UAS)?);
        let (title, what) = title(&lines.rows(&[step.from])?, step.way)?;
        titles.push(Some(title));
        whats.push(Some(what));
    }
    let pair = |(step, seeds): (&Step, &Vec<u64>)| {
        let lines = [step.to, step.from].map(|row| names[row].clone());
        let family = format!("{}/{}", step.way, names[step.from]);
        let question = names[step.to].clone();
        Some(Pair { lines, seeds: [seeds.clone(), seeds.clone()], family, question })
    };
    let pairs: Vec<Option<Pair>> = found.iter().zip(&shared).map(pair).collect();
    let differences = uas.iter().zip(&from_uas).map(|(uas, from)| Some((*uas)? - (*from)?)).collect();
    let of_steps = |word: &dyn Fn(&Step) -> String| found.iter().map(|step| Some(word(step))).collect::<Vec<_>>();
    let list = |seeds: &Vec<u64>| Some(seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", "));
    let (templates, features) = (lines.words("templates")?, lines.words("features")?);
    let behind = lines.rows(&found.iter().map(|step| step.to).collect::<Vec<_>>())?;
    let counts =
        polars::prelude::Column::new("seeds".into(), shared.iter().map(|s| s.len() as u64).collect::<Vec<_>>());
    let steps = behind
        .with(counts)?
        .with_words("seed_list", shared.iter().map(list).collect())?
        .with_words("way", of_steps(&|step| WAYS[step.way].to_owned()))?
        .with_words("step", of_steps(&|step| step.what.clone()))?
        .with_words("from", of_steps(&|step| names[step.from].clone()))?
        .with_words("from_templates", of_steps(&|step| templates[step.from].clone()))?
        .with_words("from_features", of_steps(&|step| features[step.from].clone()))?
        .with_words("title", titles)?
        .with_words("what", whats)?
        .with_numbers("from_uas_pct", from_uas)?
        .with_numbers("uas_pct", uas)?
        .with_numbers("difference_points", differences)?;
    with_tests(steps, &pairs, sentences, options, &UAS)
}

/// The steps, those that start from one setting in one way together.
fn found(lines: &Frame, usual: &str) -> Result<Vec<Step>, ReportError> {
    // What the settings of a block have in common is all but features, templates and decoder.
    let axes = ["corpus", "split", "tags", "system", "learner", "pruning", "backbone"];
    let axes = axes.map(|axis| lines.counts(&format!("{axis}.order"))).into_iter().collect::<Result<Vec<_>, _>>()?;
    let (templates, features) = (lines.words("templates")?, lines.words("features")?);
    let (orders, decoders) = (lines.counts("features.order")?, lines.counts("decoder.order")?);
    let families = lines.counts("families")?;
    let mut blocks: BTreeMap<Vec<Option<u64>>, Vec<usize>> = BTreeMap::new();
    for row in (0..lines.height()).filter(|&row| templates[row] != ABSENT && features[row] != ABSENT) {
        blocks.entry(axes.iter().map(|axis| axis[row]).collect()).or_default().push(row);
    }
    let mut all = Vec::new();
    for rows in blocks.into_values() {
        // Of each set the first decoder counts.
        let mut choices: BTreeMap<(&str, Option<u64>), usize> = BTreeMap::new();
        for row in rows {
            let first = choices.entry((&templates[row], orders[row])).or_insert(row);
            if decoders[row] < decoders[*first] {
                *first = row;
            }
        }
        let of_usual = |set: &str| {
            choices
                .iter()
                .find(|((templates, _), row)| *templates == usual && features[**row] == set)
                .map(|(_, row)| *row)
        };
        let usual_sets: Vec<usize> =
            choices.iter().filter(|((templates, _), _)| *templates == usual).map(|(_, row)| *row).collect();
        let mut steps = Vec::new();
        if let Some(from) = of_usual(BASELINE) {
            let single = usual_sets.iter().filter(|&&row| families[row] == Some(1));
            steps.extend(single.map(|&to| Step { way: 0, what: features[to].clone(), from, to }));
        }
        // The first of several that are as large.
        let largest =
            usual_sets.iter().copied().reduce(|best, row| if families[row] > families[best] { row } else { best });
        if let Some(from) = largest.filter(|&row| families[row] > Some(1)) {
            for family in features[from].split('+') {
                let rest: Vec<&str> = features[from].split('+').filter(|other| *other != family).collect();
                let to = of_usual(&rest.join("+"));
                steps.extend(to.map(|to| Step { way: 1, what: family.to_owned(), from, to }));
            }
        }
        for (&(own, _), &to) in choices.iter().filter(|((templates, _), _)| *templates != usual) {
            let from = of_usual(&features[to]);
            steps.extend(from.map(|from| Step { way: 2, what: own.to_owned(), from, to }));
        }
        steps.sort_by_key(|step| (step.way, step.from));
        all.extend(steps);
    }
    Ok(all)
}

/// What the steps of a way from a setting are, for people: with the setting, and without.
fn title(from: &Frame, way: usize) -> Result<(String, String), ReportError> {
    let first = |name: &str| Ok::<_, ReportError>(from.words(name)?.into_iter().next().unwrap_or_default());
    let (features, templates) = (first("features")?, first("templates")?);
    let what = match way {
        0 => "families added to the baseline".to_owned(),
        1 => format!("families left out of {features}"),
        _ => format!("other templates for {features} in the place of templates {templates}"),
    };
    Ok((format!("{}, {}: {what}", block_words(from)?, pruning_label(&first("pruning")?)), what))
}

/// Steps that are shown together, under a title: those of one way from one setting, or from all settings that differ only in the
/// axes that stand side by side.
///
/// # Errors
/// If steps are not those that [`steps`] gives.
pub fn together(steps: &Frame, options: &TableOptions) -> Result<Vec<(String, Frame)>, ReportError> {
    if options.beside.is_empty() {
        let title = |block: Frame| Ok((block.words("title")?.swap_remove(0), block));
        return steps.blocks(&["way", "from"])?.into_iter().map(title).collect();
    }
    // The templates behind a step are its own.
    let shared: Vec<&str> =
        axes(steps).filter(|axis| *axis != "templates" && !options.beside.contains(&(*axis).to_owned())).collect();
    let orders: Vec<String> = shared.iter().map(|axis| format!("{axis}.order")).collect();
    let sorted =
        steps.sorted(&orders.iter().map(String::as_str).chain(["way", "from_features"]).collect::<Vec<_>>())?;
    let mut same = shared.clone();
    same.extend(["way", "from_features"]);
    same.extend((!options.beside.iter().any(|axis| axis == "templates")).then_some("from_templates"));
    let title = |block: Frame| {
        let of_block = values(&block, shared.iter().copied(), 0)?;
        Ok((format!("{of_block}: {}", block.words("what")?.swap_remove(0)), block))
    };
    sorted.blocks(&same)?.into_iter().map(title).collect()
}

/// The table, with the columns of `ablation.csv`: a section for each setting that steps start from, and each way of stepping.
///
/// # Errors
/// If steps are not those that [`steps`] gives.
pub fn table(steps: &Frame, options: &TableOptions) -> Result<Table, ReportError> {
    let section = |(title, steps): &(String, Frame)| match &options.beside[..] {
        [] => section(title, steps),
        beside => section_beside(title, steps, &beside.iter().map(String::as_str).collect::<Vec<_>>()),
    };
    let sections = together(steps, options)?.iter().map(section).collect::<Result<_, _>>()?;
    Ok(Table::new(sections, step_sheet(steps)?).with_notes(notes(options)))
}

/// What the numbers of steps are.
pub fn notes(options: &TableOptions) -> Vec<String> {
    vec![
        "difference: UAS behind the step less that before it, in percentage points, over the seeds that both have. A \
         family that helps is above 0 where it is added, and below 0 where it is left out."
            .to_owned(),
        tests_of_sections(options),
    ]
}

/// The columns of `ablation.csv`; the setting is that behind the step. The figure has them too.
///
/// # Errors
/// If steps are not those that [`steps`] gives.
pub fn step_sheet(steps: &Frame) -> Result<Sheet, ReportError> {
    let four = |name: &str| {
        let values = steps.numbers(name)?.into_iter();
        Ok::<Vec<Option<String>>, ReportError>(values.map(|value| value.map(|value| fixed(value, 4))).collect())
    };
    let plain = plain_sheet(steps, &["way", "step", "from_templates", "from_features", "seeds"])?;
    let numbers = [
        ("from_uas_pct", "from_uas_pct"),
        ("uas_pct", "uas_pct"),
        ("difference_points", "difference_points"),
        ("low_points", "gain_low_points"),
        ("high_points", "gain_high_points"),
        ("p_value", "p_value"),
        ("p_holm", "p_holm"),
        ("detectable_points", "detectable_points"),
    ];
    numbers.iter().try_fold(plain, |sheet, (name, own)| Ok(sheet.optional_text(name, four(own)?)))
}

fn section(title: &str, steps: &Frame) -> Result<Section, ReportError> {
    let two = |name: &str| {
        let values = steps.numbers(name)?.into_iter();
        Ok::<Vec<String>, ReportError>(values.map(|value| value.map_or_else(String::new, |v| fixed(v, 2))).collect())
    };
    let (seeds, from) = (steps.words("seed_list")?, two("from_uas_pct")?);
    // Where steps were run with fewer seeds than others, each is held against what these seeds start from.
    let before = steps.numbers("from_uas_pct")?;
    let is_one = seeds.windows(2).all(|pair| pair[0] == pair[1]) && before.windows(2).all(|pair| pair[0] == pair[1]);
    let mut title = title.to_owned();
    if is_one {
        title.push_str(&format!(" (UAS {}, seeds {})", from[0], seeds[0]));
    }
    let section = Section::new(title).left("step", steps.words("step")?);
    let section = if is_one { section } else { section.left("seeds", seeds).right("from", from) };
    Ok(section
        .right("UAS", two("uas_pct")?)
        .right("difference", differences(steps)?)
        .right("95 % interval", intervals(steps)?)
        .right("p", p_words(steps, "p_value")?)
        .right("p, Holm", p_words(steps, "p_holm")?))
}

/// Steps with the values of some axes side by side. What the seeds of each are stands in the file.
fn section_beside(title: &str, steps: &Frame, beside: &[&str]) -> Result<Section, ReportError> {
    let columns = [
        ("difference", differences(steps)?),
        ("95 %\ninterval", intervals(steps)?),
        ("p", p_words(steps, "p_value")?),
        ("p,\nHolm", p_words(steps, "p_holm")?),
    ];
    side_by_side(title.to_owned(), ("step", &steps.words("step")?), steps, beside, &columns)
}

fn differences(steps: &Frame) -> Result<Vec<String>, ReportError> {
    let values = steps.numbers("difference_points")?.into_iter();
    Ok(values.map(|value| value.map_or_else(String::new, |value| signed(value, 2))).collect())
}

/// P-values, or why there is none.
fn p_words(steps: &Frame, name: &str) -> Result<Vec<String>, ReportError> {
    let values = steps.words(name)?.into_iter().zip(steps.words("fault")?);
    Ok(values.map(|(p, fault)| if p.is_empty() { fault } else { p }).collect())
}
