//! The templates figure, from made-up counts.

use std::collections::BTreeMap;
use std::sync::Arc;

use treebound::cell::{CellKey, TemplatesName};
use treebound::experiment::rows::ScoreRow;
use treebound::figures::{self, Figure};
use treebound::records::schema;

use crate::fixture::{cell, changed, effort, frame, score, text};

fn templates(rows: &[ScoreRow]) -> Figure {
    let sizes = [("compact", 184), ("wide", 202), ("paper", 952)].map(|(name, size)| (name.to_owned(), size));
    figures::templates(&frame(rows, &schema::SCORES), &BTreeMap::from(sizes)).expect("rows")
}

fn with(key: &Arc<CellKey>, set: &str) -> Arc<CellKey> {
    changed(key, |setting| setting.axes = setting.axes.with(TemplatesName::like(set)))
}

fn row(features: &str, decoder: &str, set: &str, seed: u64, right: u64, calls: u64) -> ScoreRow {
    let mut row = score(&with(&cell(features, "k=10", decoder, seed), set), right);
    if let Ok(counts) = &mut row.counts {
        counts.effort = effort(100, calls);
    }
    row
}

fn rows() -> Vec<ScoreRow> {
    vec![
        row("baseline", "dp", "compact", 1, 800, 100),
        row("baseline", "dp", "compact", 2, 802, 100),
        row("baseline", "dp", "paper", 1, 819, 100),
        row("sibling", "bnb", "compact", 1, 810, 300),
        row("sibling", "bnb", "paper", 1, 828, 150),
        row("sibling", "paper", "compact", 1, 810, 9000),
        row("sibling", "paper", "paper", 1, 828, 1100),
        // Run with one set: no line.
        row("grandchild", "bnb", "paper", 1, 828, 150),
        // Of no known size.
        row("comb", "bnb", "small", 1, 828, 150),
        row("comb", "bnb", "large", 1, 828, 150),
    ]
}

#[test]
fn lines_run_over_the_template_sets_of_a_setting() {
    let figure = templates(&rows());
    let csv = text(figure.csv().expect("a sheet"));
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].ends_with("template_count,seeds,uas_pct,dp_calls_per_sentence,proven_pct"), "{csv}");
    let expected = [
        // Its second seed is of no other point, so it is left out: seeds differ by more than templates.
        "184,1,88.8889,1.0000,100.0000",
        "952,1,91.0000,1.0000,100.0000",
        "184,1,90.0000,3.0000,100.0000",
        "952,1,92.0000,1.5000,100.0000",
        "184,1,90.0000,90.0000,100.0000",
        "952,1,92.0000,11.0000,100.0000",
    ];
    assert_eq!(lines.len(), 1 + expected.len(), "{csv}");
    for (line, wanted) in lines[1..].iter().zip(expected) {
        assert!(line.ends_with(wanted), "{line}");
    }
    let svg = figure.svg().expect("drawn");
    for words in
        ["UAS (%)", "DP calls a sentence, log scale", "sibling, paper", "baseline", "Mean over 1 training seed."]
    {
        assert!(svg.contains(words), "{words}");
    }
    assert!(!svg.contains("grandchild"));
    let mut reversed = rows();
    reversed.reverse();
    assert_eq!(templates(&reversed).csv().expect("a sheet"), csv.into_bytes());
}

#[test]
fn one_set_is_no_figure() {
    let is_compact = |row: &ScoreRow| row.cell.setting.templates() == Some(&TemplatesName::like("compact"));
    let one: Vec<ScoreRow> = rows().into_iter().filter(is_compact).collect();
    let figure = templates(&one);
    assert!(figure.is_empty());
    assert_eq!(
        figure.svg().expect_err("nothing").to_string(),
        "cannot draw templates: there are no measurements to plot"
    );
}
