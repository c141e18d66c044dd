//! The templates figure: accuracy and DP calls against the number of templates. It is the same on every machine.

use std::collections::{BTreeMap, BTreeSet};

use polars::prelude::Column;

use super::Figure;
use super::axis::{Axis, is_wide};
use super::line::{self, Names, other_backbones, range, words_if_any};
use crate::frame::{BASELINE, Frame};
use crate::tables::blocks::pruning_labels;
use crate::tables::table::plain_sheet;
use treebound_core::decode::Decoder;
use treebound_records::ReportError;
use treebound_records::number::{counted, percent};
use treebound_records::sheet::Sheet;

/// What the points of a line share.
const LINE: [&str; 8] = ["corpus", "split", "tags", "system", "learner", "features", "pruning", "decoding"];

/// What the points of a panel share.
const PANEL: [&str; 3] = ["corpus", "split", "tags"];

/// The order of points.
const PLACE: [&str; 9] = [
    "corpus.order",
    "split.order",
    "tags.order",
    "system",
    "learner.order",
    "features.order",
    "pruning.order",
    "decoding.order",
    "template_count",
];

/// The figure: a line is all but the templates of rows of `scores.csv` that were run with two sets or more. `sizes` has the number
/// of templates of each set.
///
/// # Errors
/// If rows do not come from the same data.
pub fn templates(scores: &Frame, sizes: &BTreeMap<String, u64>) -> Result<Figure, ReportError> {
    let sized = |rows: &Frame| {
        let counts: Vec<Option<u64>> = rows.words("templates")?.iter().map(|set| sizes.get(set).copied()).collect();
        let rows = rows.clone().with(Column::new("template_count".into(), counts))?;
        rows.only("template_count", |count| !count.is_empty())?.sorted(&PLACE)
    };
    let all = sized(&scores.means()?)?;
    // Lines of one point show nothing.
    let shown: Vec<usize> = all.runs(&LINE)?.into_iter().filter(|run| run.len() > 1).flatten().collect();
    let drawn: BTreeSet<String> = all.rows(&shown)?.words("line")?.into_iter().collect();
    // What is drawn together is of the same seeds.
    let scores = scores.only("line", |line| drawn.contains(line))?.only("error", str::is_empty)?;
    let points = sized(&scores.of_shared_seeds(&PANEL)?.means()?)?;
    let is_baseline: Vec<bool> = points.words("features")?.iter().map(|set| set == BASELINE).collect();
    let decoders = points.words("decoder")?;
    let named = decoders.iter().zip(&is_baseline);
    let named = named.map(|(decoder, &is_baseline)| if is_baseline { String::new() } else { decoder.clone() });
    let names = Names::new(&[
        points.words("learner")?,
        words_if_any(&points, "features")?,
        pruning_labels(&points)?,
        other_backbones(&points)?,
        named.collect(),
    ]);
    let (sizes, uas) = (points.numbers("template_count")?, points.numbers("uas_pct")?);
    // A dynamic program alone is one call, which says nothing.
    let is_search = |decoder: &String| Decoder::parse(decoder).is_some_and(Decoder::is_search);
    let calls = points.numbers("dp_calls_per_sentence")?.into_iter().zip(&decoders);
    let calls: Vec<Option<f64>> = calls.map(|(calls, decoder)| calls.filter(|_| is_search(decoder))).collect();
    let mut rows = Vec::new();
    for row in points.runs(&PANEL)? {
        let most = sizes[row.clone()].iter().flatten().fold(0.0, |most: f64, &size| most.max(size)) as u64;
        let own: Vec<_> = points.runs(&LINE)?.into_iter().filter(|run| row.contains(&run.start)).collect();
        let lines = |values: &[Option<f64>]| {
            let point = |at: usize| Some((sizes[at]?, values[at]?));
            let lines =
                own.iter().map(|run| line::line(names.place(run.start), run.clone().filter_map(point).collect()));
            lines.collect::<Vec<_>>()
        };
        let x = || (Axis::whole(most, 6), "templates");
        let (uas, calls) = (lines(&uas), lines(&calls));
        let (low, high) = range(&uas, (100.0, 0.0));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 100.0) };
        let values: Vec<f64> = calls.iter().flat_map(|line| &line.points).map(|dot| dot.y).collect();
        let panels = vec![
            line::panel(x(), (Axis::between(low, high, 6), "UAS (%)".to_owned()), uas),
            line::panel(x(), (Axis::of(&values, is_wide(&values)), "DP calls a sentence".to_owned()), calls),
        ];
        let [corpus, split, tags] = ["corpus", "split", "tags"].map(|name| points.words(name));
        let heading = format!("{}, {} part, {} tags", corpus?[row.start], split?[row.start], tags?[row.start]);
        rows.push((names.heading(vec![heading], row.start), panels));
    }
    let seeds: Vec<u64> = points.counts("seeds")?.into_iter().flatten().collect();
    let (least, most) = (seeds.iter().min().copied().unwrap_or(0), seeds.iter().max().copied().unwrap_or(0));
    let most_words = counted(most, "training seed", "training seeds");
    let seeds =
        if least == most { most_words } else { format!("{least} to {most_words}, as many for each line of a panel") };
    let note = format!("Templates of the whole set, each once for each variant. Mean over {seeds}.");
    Ok(Figure::new("templates", sheet(&points)?, line::draw(rows, &names.lines, note)))
}

fn sheet(points: &Frame) -> Result<Sheet, ReportError> {
    let proven = points.counts("proven")?.into_iter().zip(points.counts("sentences")?);
    Ok(plain_sheet(points, &["template_count", "seeds"])?
        .fixed("uas_pct", 4, points.numbers("uas_pct")?)
        .fixed("dp_calls_per_sentence", 4, points.numbers("dp_calls_per_sentence")?)
        .fixed("proven_pct", 4, proven.map(|(proven, sentences)| percent(proven?, sentences?))))
}
