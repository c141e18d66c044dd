//! Table 2: feature sets against the baseline, and other parsers. One line a setting, averaged over seeds.
//!
//! `table2.csv` depends on records alone. Words per second depend on a machine, so they are not in it: they join the
//! table only where it is shown.

use polars::prelude::{DataType, JoinArgs, JoinType, LazyFrame, SortMultipleOptions, col, lit, when};

use super::blocks::RERANKING;
use super::blocks::{
    PLACE, SYSTEM_PLACE, TableOptions, block_words, decoder_labels, features_labels, has_axis, placed, pruning_label,
    system_labels,
};
use super::table::{Section, Table};
use super::{notes as note, papers as published};
use crate::comparison::{NO_SENTENCES, Pair, seeds_of_lines, with_tests};
use crate::frame::{ABSENT, BASELINE, Frame};
use crate::measures::{LAS, ORACLE, UAS};
use crate::sentences::Sentences;
use treebound_records::ReportError;
use treebound_records::number::{counted, fixed};
use treebound_statistics::CONFIDENCE;

/// Characters of a line of a feature set: the longest family name and its `+`.
const FEATURES_WIDTH: usize = 17;

/// The columns of `table2.csv` behind the axes.
pub const COLUMNS: [&str; 24] = [
    "seeds",
    "failed_seeds",
    "sentences",
    "tokens",
    "scored_tokens",
    "uas_pct",
    "uas_sd_points",
    "uas_all_pct",
    "root_pct",
    "complete_pct",
    "decoded",
    "proven",
    "dp_calls_per_sentence",
    "gold_kept_pct",
    "heads_per_word",
    "gain_points",
    "gain_low_points",
    "gain_high_points",
    "p_value",
    "p_two_way",
    "p_holm",
    "detectable_points",
    "published_uas_pct",
    "published_gain_points",
];

/// The lines: [means](Frame::means) in the order of the table, with `baseline`, the line that each is held against, what
/// [tests](with_tests) say of the gain over it, the figures of papers, and speeds. Without sentences they have no p-values.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data.
pub fn lines(
    scores: &Frame,
    sentences: &Sentences,
    speeds: LazyFrame,
    options: &TableOptions,
) -> Result<Frame, ReportError> {
    // Blocks by corpus, part, tags, templates, learner and pruning; in them the paper's backbone, and small feature sets, first.
    let parser = ["pruning.order", "backbone.order", "features.order", "decoder.order"];
    let lines = placed(&scores.means()?, options)?;
    let reranking: &[&str] = if has_axis(&lines, RERANKING) { &["reranking.order"] } else { &[] };
    let lines = lines.sorted(&[&PLACE[..], &parser, reranking, &SYSTEM_PLACE].concat())?;
    let lines = with_baselines(&lines)?;
    let seeds = seeds_of_lines(&lines)?;
    let mut names = vec!["line", "baseline", "block", "pruning", "system", "backbone", "features"];
    names.extend(has_axis(&lines, RERANKING).then_some(RERANKING));
    let words = names.iter().map(|name| lines.words(name)).collect::<Result<Vec<_>, _>>()?;
    let pair = |row: usize| {
        let own = |at: usize| words[at][row].clone();
        let question = (4..names.len()).map(own).collect::<Vec<_>>().join("/");
        let family = format!("{}/{}", own(2), own(3));
        let of_baseline = words[0].iter().position(|line| *line == own(1))?;
        let seeds = [seeds[row].clone(), seeds[of_baseline].clone()];
        Some(Pair { lines: [own(0), own(1)], seeds, family, question })
    };
    let pairs: Vec<Option<Pair>> = (0..lines.height()).map(pair).collect();
    let lines = with_las(with_tests(lines, &pairs, sentences, options, &UAS)?, &pairs, sentences, options)?;
    let lines = published::with_published(lines, &["uas_pct"], &options.published)?;
    let theirs = published::figures_of_changed(&lines, &published::to_baseline(), "uas_pct", &options.published)?;
    let is_own = col("features").eq(lit(BASELINE)).and(col("backbone").eq(lit(crate::frame::USUAL_BACKBONE)));
    let gain = when(is_own).then(lit(polars::prelude::NULL)).otherwise(col("published_uas_pct") - col("value"));
    let lines = lines.joined(theirs, "line")?;
    let lines = lines.query(|rows| rows.with_columns([gain.cast(DataType::Float64).alias("published_gain_points")]))?;
    lines.joined(speeds, "line")
}

/// The columns of `table2.csv` behind the others where some parser finds labels.
pub const LABEL_COLUMNS: [&str; 8] = [
    "las_pct",
    "las_all_pct",
    "las_universal_pct",
    "labels_pct",
    "las_gain_points",
    "las_p_value",
    "las_inside_points",
    "las_inside_p_value",
];

/// The columns of `table2.csv` behind the others where some parser solves integer programs.
pub const PROGRAM_COLUMNS: [&str; 3] = ["integral_pct", "nodes_per_sentence", "iterations_per_sentence"];

/// The columns of `table2.csv` behind the axes, of some lines.
///
/// # Errors
/// If they are none that [`lines`] gives.
pub fn columns(lines: &Frame) -> Result<Vec<&'static str>, ReportError> {
    let has = |column: &str| Ok::<_, ReportError>(lines.numbers(column)?.iter().any(Option::is_some));
    let (has_labels, has_oracle, has_programs) = (has(LAS.name)?, has(ORACLE.name)?, has(PROGRAM_COLUMNS[0])?);
    let further = LABEL_COLUMNS.into_iter().filter(|_| has_labels).chain(has_oracle.then_some(ORACLE.name));
    let further = further.chain(PROGRAM_COLUMNS.into_iter().filter(|_| has_programs));
    Ok(COLUMNS.into_iter().chain(further).collect())
}

/// Lines with the differences in LAS to their baselines, and of labels inside the search to those of a second stage, where both lines
/// have labels; and what tests say of them.
fn with_las(
    lines: Frame,
    pairs: &[Option<Pair>],
    sentences: &Sentences,
    options: &TableOptions,
) -> Result<Frame, ReportError> {
    let stages = stages(&lines)?;
    let lines = las_tested(lines, pairs, ["las_gain_points", "las_p_value"], sentences, options)?;
    las_tested(lines, &stages, ["las_inside_points", "las_inside_p_value"], sentences, options)
}

/// The same parser with labels of a second stage beside each that finds them inside the search.
fn stages(lines: &Frame) -> Result<Vec<Option<Pair>>, ReportError> {
    let Some(at) = lines.axes().iter().position(|axis| axis == "labels") else {
        return Ok((0..lines.height()).map(|_| None).collect());
    };
    let axes = lines.axes().iter().map(|axis| lines.words(axis)).collect::<Result<Vec<_>, _>>()?;
    let (names, seeds) = (lines.words("line")?, seeds_of_lines(lines)?);
    let values = |row: usize| axes.iter().map(|axis| axis[row].as_str()).collect::<Vec<_>>();
    let pair = |row: usize| {
        let mut other = values(row);
        if std::mem::replace(&mut other[at], "second-stage") != "in-search" {
            return None;
        }
        let other = (0..names.len()).find(|&row| values(row) == other)?;
        let lines = [row, other].map(|row| names[row].clone());
        let question = lines[0].clone();
        Some(Pair { lines, seeds: [row, other].map(|row| seeds[row].clone()), family: "labels".to_owned(), question })
    };
    Ok((0..names.len()).map(pair).collect())
}

/// Lines with the difference in LAS of each pair in the first of two columns, and its p-value in the second.
fn las_tested(
    lines: Frame,
    pairs: &[Option<Pair>],
    [gain, p_value]: [&str; 2],
    sentences: &Sentences,
    options: &TableOptions,
) -> Result<Frame, ReportError> {
    let (names, las) = (lines.words("line")?, lines.numbers(LAS.name)?);
    let las_of = |line: &str| las[names.iter().position(|name| name == line)?];
    let is_whole = |pair: &&Pair| pair.lines.iter().all(|line| las_of(line).is_some());
    let pairs: Vec<Option<Pair>> = pairs.iter().map(|pair| pair.as_ref().filter(is_whole).cloned()).collect();
    let points = |pair: &Pair| Some(las_of(&pair.lines[0])? - las_of(&pair.lines[1])?);
    let gains = pairs.iter().map(|pair| pair.as_ref().and_then(points)).collect();
    let p_values = with_tests(lines.clone(), &pairs, sentences, options, &LAS)?.words("p_value")?;
    let p_values = p_values.into_iter().map(|p| Some(p).filter(|p| !p.is_empty())).collect();
    lines.with_numbers(gain, gains)?.with_words(p_value, p_values)
}

/// Lines with `baseline`, that of the same corpus, part, tags, templates, learner and pruning, and `gain_points` over it where both
/// have the same seeds. It is that of the paper's backbone if there is one (so third-order parsers are compared with it too), and
/// there that of the same decoder if there is one, else that of the dynamic program, else the first.
fn with_baselines(lines: &Frame) -> Result<Frame, ReportError> {
    let theirs = |name: &str| col(name).alias(format!("{name}.baseline"));
    let of_baseline = ["line", "seed_list", "uas_pct", "backbone.order", "decoder", "decoder.order"].map(theirs);
    let of_baseline = [&of_baseline[..], &[col("block"), col("pruning")]].concat();
    let is_baseline = || col("features").eq(lit(BASELINE));
    let is_other = is_baseline().not().or(col("backbone.order.baseline").lt(col("backbone.order")));
    let nearest =
        [col("backbone.order.baseline"), col("decoder.baseline").neq(col("decoder")), col("decoder.order.baseline")];
    let on = [col("block"), col("pruning")];
    let baselines = lines.lazy().filter(is_baseline()).select(of_baseline);
    let same_seeds = col("seed_list").eq(col("seed_list.baseline"));
    let gain = when(same_seeds).then(col("uas_pct") - col("uas_pct.baseline")).otherwise(lit(polars::prelude::NULL));
    let found = lines
        .lazy()
        .join(baselines, on.clone(), on, JoinArgs::new(JoinType::Inner))
        .filter(is_other)
        .sort_by_exprs(nearest, SortMultipleOptions::default().with_maintain_order(true))
        .with_columns([gain.alias("gain_points")])
        .group_by_stable([col("line")])
        .agg([col("line.baseline").first().alias("baseline"), col("gain_points").first()]);
    lines.joined(found, "line")
}

/// The table, with the columns of `table2.csv`. `scores` are the rows that the lines are made of.
///
/// # Errors
/// If lines are not those that [`lines`] gives.
pub fn table(lines: &Frame, scores: &Frame, options: &TableOptions) -> Result<Table, ReportError> {
    let mut sections = Vec::new();
    for block in lines.blocks(&["block", "pruning"])? {
        sections.push(section(&block, options)?);
    }
    let mut notes = note::scoring(lines, &options.punctuation)?;
    if lines.numbers(LAS.name)?.iter().any(Option::is_some) {
        notes.push(note::LAS.to_owned());
    }
    if lines.numbers(ORACLE.name)?.iter().any(Option::is_some) {
        notes.push(note::ORACLE.to_owned());
    }
    notes.push(note::seeds(lines)?);
    notes.extend(test_notes(lines, options)?);
    notes.push(note::proofs(lines)?);
    notes.push(note::CALLS.to_owned());
    if lines.numbers("words_per_second")?.iter().any(Option::is_some) {
        notes.push(note::SPEED.to_owned());
    }
    notes.extend(published::note(lines, "uas_pct", &options.published)?);
    notes.extend(note::external(lines, options)?);
    notes.extend(note::failures(lines, scores)?);
    Ok(Table::new(sections, super::table::sheet(lines, &columns(lines)?)?).with_notes(notes))
}

fn section(block: &Frame, options: &TableOptions) -> Result<Section, ReportError> {
    let pruning = block.words("pruning")?.into_iter().next().unwrap_or_default();
    let mut heading = format!("Table 2: {}", block_words(block)?);
    if pruning != ABSENT {
        heading.push_str(&format!(", {}", pruning_label(&pruning)));
    }
    heading.push_str(&note::data_words(block)?);
    // All lines of a block are pruned alike, unless something is odd; then each value is shown.
    let [kept, heads] = ["gold_kept_pct", "heads_per_word"].map(|name| block.shown(name));
    let [kept, heads] = [distinct(kept?), distinct(heads?)];
    if !kept.is_empty() {
        heading.push_str(&format!("; candidates: {heads} a word, with {kept} % of gold heads"));
    }
    let p_values = block.words("p_value")?;
    let is_family = p_values.iter().filter(|p| !p.is_empty()).count() > 1;
    let corrected = if is_family { block.words("p_holm")? } else { Vec::new() };
    let names = if block.words("is_other")?.first().is_some_and(|is_other| is_other == "true") {
        Section::new(heading).left("system", system_labels(block, options)?)
    } else {
        Section::new(heading)
            .left("features", features_labels(block, FEATURES_WIDTH)?)
            .left("decoder", decoder_labels(block)?)
    };
    let (proven, of_proven) = note::proven(block)?;
    names
        .right("UAS", block.shown("uas_pct")?)
        .measures(block, &["uas_sd_points", "gain_points"])?
        .right_if_any("p", p_values)
        .right_if_any("p,\nHolm", corrected)
        .measures(block, &[ORACLE.name])?
        .measures(block, &[LAS.name, "las_gain_points"])?
        .right_if_any("p,\nLAS", block.words("las_p_value")?)
        .measures(block, &["las_inside_points"])?
        .right_if_any("p,\ninside", block.words("las_inside_p_value")?)
        .measures(block, &["las_universal_pct", "labels_pct"])?
        .right("UAS\nall", block.shown("uas_all_pct")?)
        .right("root", block.shown("root_pct")?)
        .right("compl.\nmatch", block.shown("complete_pct")?)
        .right(&proven, of_proven)
        .measures(block, &["integral_pct", "iterations_per_sentence", "dp_calls_per_sentence"])?
        .measures(block, &["words_per_second", "published_uas_pct", "published_gain_points"])
}

/// The different texts, in the order of their first lines.
fn distinct(texts: Vec<String>) -> String {
    let mut all: Vec<String> = Vec::new();
    for text in texts {
        if !text.is_empty() && !all.contains(&text) {
            all.push(text);
        }
    }
    all.join(" / ")
}

/// What the tests are and assume, and which lines have none.
fn test_notes(lines: &Frame, options: &TableOptions) -> Result<Vec<String>, ReportError> {
    let compared = lines.only("baseline", |baseline| !baseline.is_empty())?;
    if compared.is_empty() {
        return Ok(Vec::new());
    }
    let mut notes = vec!["gain: UAS less that of the baseline in the same block, in percentage points.".to_owned()];
    if compared.words("p_value")?.iter().any(|p| !p.is_empty()) {
        notes.push(format!(
            "p: two-sided paired approximate randomisation of that gain, {}, ten times as many where p is below 0.2. \
             The unit is the sentence with all its seeds; sentences are taken as independent and the seeds as given. \
             Beside it, where a block has several: after Holm's correction. table2.csv has {} % bootstrap intervals, and p over sentences and seeds.",
            counted(u64::from(options.rounds), "round", "rounds"),
            100.0 * CONFIDENCE
        ));
    }
    let detectable: Vec<f64> = compared.numbers("detectable_points")?.into_iter().flatten().collect();
    if let Some(least) = detectable.iter().copied().min_by(f64::total_cmp) {
        let most = detectable.iter().copied().fold(least, f64::max);
        let range = if fixed(least, 2) == fixed(most, 2) {
            fixed(most, 2)
        } else {
            format!("{} to {}", fixed(least, 2), fixed(most, 2))
        };
        notes.push(format!(
            "Gains of {range} points would be found at 5 % in 80 of 100 such samples of sentences; table2.csv has this \
             of each line (detectable_points). A smaller one is not shown to be none."
        ));
    }
    let faults = compared.words("fault")?;
    if faults.iter().any(|fault| fault == NO_SENTENCES) {
        notes.push("No p where the sentences of the line or of its baseline are not all there.".to_owned());
    }
    // Of other seeds there is no gain either.
    let gains = compared.numbers("gain_points")?;
    let faulty = faults.iter().zip(&gains).zip(compared.words("line")?);
    let (of_seeds, of_sentences): (Vec<_>, Vec<_>) = faulty
        .filter(|((fault, _), _)| !fault.is_empty() && *fault != NO_SENTENCES)
        .partition(|((_, gain), _)| gain.is_none());
    if !of_seeds.is_empty() {
        let lines = counted(of_seeds.len() as u64, "line", "lines");
        notes.push(format!("No gain or p where the baseline has other seeds ({lines})."));
    }
    for ((fault, _), line) in of_sentences {
        notes.push(format!("No p for {line}: compared with its baseline, {fault}."));
    }
    Ok(notes)
}
