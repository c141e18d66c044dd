//! The templates figure: accuracy and DP calls against the number of templates. It is the same on every machine.

use std::collections::BTreeMap;

use super::Figure;
use super::axis::{Axis, is_wide};
use super::line::{self, Names, range};
use crate::statistics::average::{Averaged, average};
use crate::tables::block::{decoder_label, other_backbone, pruning_label, set_label};
use treebound_parser::answer::Count;
use treebound_parser::cell::{CorpusName, Setting, Split, Tags, TemplatesName, show_optional};
use treebound_records::number::{counted, percent};
use treebound_records::sheet::Sheet;
use treebound_records::{ReportError, ScoreRow};

/// A line's setting, summed over its seeds, with the number of templates.
type Point = (u64, Averaged);

/// The figure: a line is all but the templates of settings that were run with two sets or more. `sizes` has the number of
/// templates of each set.
///
/// # Errors
/// If rows do not come from the same data.
pub fn templates(rows: &[ScoreRow], sizes: &BTreeMap<TemplatesName, u64>) -> Result<Figure, ReportError> {
    let size = |line: &Averaged| sizes.get(line.setting.templates()?).copied();
    let points = average(rows)?.into_iter().filter_map(|line| Some((size(&line)?, line)));
    let mut points: Vec<Point> = points.collect();
    points.sort_by(|(n, a), (m, b)| (place(&a.setting), n).cmp(&(place(&b.setting), m)));
    // Lines of one point show nothing.
    let lines = points.chunk_by(|(_, a), (_, b)| line_of(&a.setting) == line_of(&b.setting));
    let lines: Vec<&[Point]> = lines.filter(|line| line.len() > 1).collect();
    let names = Names::new(lines.iter().map(|line| &line[0].1.setting), properties);
    let rows = lines.chunk_by(|a, b| row_of(&a[0].1.setting) == row_of(&b[0].1.setting)).map(|row| {
        let most = row.iter().flat_map(|line| line.iter()).map(|point| point.0).max().unwrap_or(0);
        let lines = |value: fn(&Averaged) -> Option<f64>| {
            let point = |(templates, averaged): &Point| Some((*templates as f64, value(averaged)?));
            let line =
                |line: &&[Point]| line::line(names.place(&line[0].1.setting), line.iter().filter_map(point).collect());
            row.iter().map(line).collect::<Vec<_>>()
        };
        let x = || (Axis::whole(most, 6), "templates");
        let (uas, calls) = (lines(Averaged::uas_pct), lines(searched_calls));
        let (low, high) = range(&uas, (100.0, 0.0));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 100.0) };
        let values: Vec<f64> = calls.iter().flat_map(|line| &line.points).map(|dot| dot.y).collect();
        let panels = vec![
            line::panel(x(), (Axis::between(low, high, 6), "UAS (%)".to_owned()), uas),
            line::panel(x(), (Axis::of(&values, is_wide(&values)), "DP calls a sentence".to_owned()), calls),
        ];
        let first = &row[0][0].1.setting;
        let heading = format!("{}, {} part, {} tags", first.corpus, first.split, first.tags);
        (names.heading(vec![heading], first), panels)
    });
    let points: Vec<&Point> = lines.iter().flat_map(|line| line.iter()).collect();
    let seeds = || points.iter().map(|(_, line)| line.seeds.len() as u64);
    let (least, most) = (seeds().min().unwrap_or(0), seeds().max().unwrap_or(0));
    let most_words = counted(most, "training seed", "training seeds");
    let seeds = if least == most { most_words } else { format!("{least} to {most_words}") };
    let note = format!("Templates of the whole set, each once for each variant. Mean over {seeds}.");
    Ok(Figure::new("templates", sheet(&points), line::draw(rows.collect(), &names.lines, note)))
}

/// DP calls a sentence of searches: a dynamic program alone is one call, which says nothing.
fn searched_calls(line: &Averaged) -> Option<f64> {
    let is_search = line.setting.decoder().is_some_and(|decoder| decoder.is_search());
    line.per_sentence(Count::DpCalls).filter(|_| is_search)
}

/// What the points of a line share.
fn line_of(setting: &Setting) -> Setting {
    Setting { axes: setting.axes.only(|axis| axis != "templates"), ..setting.clone() }
}

/// What the lines of a row share.
fn row_of(setting: &Setting) -> (&CorpusName, Split, Tags) {
    (&setting.corpus, setting.split, setting.tags)
}

/// What tells the lines of a row apart, for people.
fn properties(setting: &Setting) -> Vec<String> {
    let backbone = other_backbone(setting).map_or_else(String::new, |backbone| backbone.to_string());
    let decoder = if setting.is_baseline() { String::new() } else { decoder_label(setting) };
    let learner = show_optional(setting.learner());
    vec![learner, set_label(setting.features()), pruning_label(setting.pruning()), backbone, decoder]
}

/// Where a line stands: by row, then as in tables.
fn place(setting: &Setting) -> impl Ord + '_ {
    (row_of(setting), &setting.system, setting.learner(), setting.features(), setting.pruning(), setting.decoding())
}

fn sheet(points: &[&Point]) -> Sheet {
    let rows = || points.iter().map(|point| &point.1);
    let proven_pct = |line: &Averaged| percent(line.sums.proven?, line.sums.sentences);
    Sheet::default()
        .settings(rows().map(|line| &line.setting))
        .count("template_count", points.iter().map(|point| Some(point.0)))
        .count("seeds", rows().map(|line| Some(line.seeds.len() as u64)))
        .fixed("uas_pct", 4, rows().map(Averaged::uas_pct))
        .fixed("dp_calls_per_sentence", 4, rows().map(|line| line.per_sentence(Count::DpCalls)))
        .fixed("proven_pct", 4, rows().map(proven_pct))
}
