//! The figures of Qian & Liu (2013) and of other papers, to stand beside ours.
//!
//! `published.csv` gives those of each paper's own parsers under our names. The third-order parser of the first is the baseline
//! of the backbone `grand-sibling`; it added no hand-crafted features for Chinese, so its best set is one family smaller there.
//! The sibling, grandchild and grand-sibling models of the second are those of `configs/ma-zhao.toml`, its L-BFGS is `crf` there
//! and its MIRA `mira-kbest`. An axis that a paper does not set apart is spelt [`ABSENT`]: whatever ours is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use polars::prelude::{
    Column, DataFrame, DataType, Expr, IntoLazy, JoinArgs, JoinType, LazyFrame, SortMultipleOptions, col, lit,
};

use crate::frame::{ABSENT, BASELINE, Frame, USUAL_BACKBONE};
use treebound_records::ReportError;
use treebound_records::schema::PUBLISHED;

/// The decoder that is in no paper: it does not look for the best tree.
const MBR: &str = "mbr";

/// The axes that a paper may not set apart.
const OPEN: [&str; 4] = ["templates", "learner", "pruning", "decoder"];

/// The figures that papers give of a measure for parsers like those of some lines: `line`, `dataset`, `corpus`, `value` and
/// `paper`. `data_sets` has the data set that stands beside a corpus. Of two papers that which sets more axes apart counts.
fn figures(lines: LazyFrame, measure: &str, data_sets: &BTreeMap<String, String>) -> Result<LazyFrame, ReportError> {
    let published = Frame::parse(include_bytes!("published.csv"), Path::new("published.csv"), &PUBLISHED)?;
    let open = OPEN.map(|axis| col(axis).alias(format!("{axis}.published")));
    let kept = ["dataset", "features", "backbone", "paper"].map(col);
    let value = col("value").cast(DataType::Float64);
    let published = published.lazy().filter(col("measure").eq(lit(measure)));
    let published = published.select([&open[..], &kept[..], &[value]].concat());
    let data_sets = DataFrame::new_infer_height(vec![
        Column::new("corpus".into(), data_sets.keys().cloned().collect::<Vec<String>>()),
        Column::new("dataset".into(), data_sets.values().cloned().collect::<Vec<String>>()),
    ])?;
    let theirs = |axis: &str| col(format!("{axis}.published"));
    let is_like = |axis: &&str| theirs(axis).eq(lit(ABSENT)).or(theirs(axis).eq(col(*axis)));
    let are_like = OPEN.iter().map(is_like).fold(col("decoder").neq(lit(MBR)), Expr::and);
    let sets_apart: Vec<Expr> = OPEN.iter().map(|axis| theirs(axis).neq(lit(ABSENT))).collect();
    let parsers = ["line", "corpus", "templates", "learner", "features", "pruning", "backbone", "decoder"].map(col);
    let on = ["dataset", "features", "backbone"].map(col);
    let inner = || JoinArgs::new(JoinType::Inner);
    Ok(lines
        .select(parsers)
        .join(data_sets.lazy(), [col("corpus")], [col("corpus")], inner())
        .join(published, on.clone(), on, inner())
        .filter(are_like)
        .sort_by_exprs(sets_apart, SortMultipleOptions::default().with_maintain_order(true))
        .group_by_stable([col("line")])
        .agg(["dataset", "corpus", "value", "paper"].map(|name| col(name).last())))
}

/// Lines with the figures that papers give of some measures: `published_` and the measure, unknown where no paper has one.
///
/// # Errors
/// If the table engine refuses.
pub fn with_published(
    lines: Frame,
    measures: &[&str],
    data_sets: &BTreeMap<String, String>,
) -> Result<Frame, ReportError> {
    measures.iter().try_fold(lines, |lines, measure| {
        let figures = figures(lines.lazy(), measure, data_sets)?;
        let value = col("value").alias(format!("published_{measure}"));
        lines.joined(figures.select([col("line"), value]), "line")
    })
}

/// The figures of a measure of parsers that are as those of the lines, but for some axes.
///
/// # Errors
/// If the table engine refuses.
pub fn figures_of_changed(
    lines: &Frame,
    changes: &[Expr],
    measure: &str,
    data_sets: &BTreeMap<String, String>,
) -> Result<LazyFrame, ReportError> {
    let figures = figures(lines.lazy().with_columns(changes), measure, data_sets)?;
    Ok(figures.select([col("line"), col("value")]))
}

/// What turns a parser into the baseline of its paper: the same without non-local features, over the second-order program.
pub fn to_baseline() -> [Expr; 3] {
    let decoder = polars::prelude::when(col("families").eq(lit(0))).then(col("decoder")).otherwise(lit("dp"));
    [decoder.alias("decoder"), lit(BASELINE).alias("features"), lit(USUAL_BACKBONE).alias("backbone")]
}

/// The note under a table that shows figures of papers: whose they are, and beside what; none if there are none.
///
/// # Errors
/// If the table engine refuses.
pub fn note(lines: &Frame, measure: &str, data_sets: &BTreeMap<String, String>) -> Result<Option<String>, ReportError> {
    let found = figures(lines.lazy(), measure, data_sets)?;
    let found = lines.query(|_| found)?;
    let papers: BTreeSet<String> = found.words("paper")?.into_iter().collect();
    let pairs = found.words("dataset")?.into_iter().zip(found.words("corpus")?);
    let pairs: BTreeSet<String> = pairs.map(|(data_set, corpus)| format!("{data_set} beside {corpus}")).collect();
    let [papers, pairs] = [(papers, "; "), (pairs, ", ")].map(|(all, with)| Vec::from_iter(all).join(with));
    Ok((!papers.is_empty())
        .then(|| format!("paper: {papers} ({pairs}). Absolute figures compare only on the same treebank and split.")))
}
