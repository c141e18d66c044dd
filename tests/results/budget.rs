//! The budget figure, from made-up counts.

use treebound::experiment::rows::SearchRow;
use treebound::figures::{self, Figure};
use treebound::records::schema;
use treebound::tables::blocks::TableOptions;

use crate::fixture::{cell, frame};
use crate::svg::{labels, size};

/// A setting on each budget: every call proves some more sentences and gets some more words right.
fn rows(features: &str, prune: &str, seed: u64, lag: u64) -> Vec<SearchRow> {
    let ways = ["1", "2", "3", "5", "10", "20", "50", "no limit"];
    let row = |(i, way): (usize, &&str)| SearchRow {
        cell: cell(features, prune, "bnb", seed),
        key: Default::default(),
        way: (*way).to_owned(),
        sentences: 200,
        proven: 200 - lag * (7 - i as u64),
        nodes: 200,
        dp_calls: 200 + 30 * i as u64,
        scored_tokens: 2000,
        at_root: 0,
        scored_correct: 1800 - lag * (7 - i as u64),
    };
    ways.iter().enumerate().map(row).collect()
}

fn budget(rows: &[SearchRow]) -> Figure {
    figures::budget(&frame(rows, &schema::SEARCH), &TableOptions::default()).expect("rows")
}

#[test]
fn a_small_budget_figure_is_exactly_this() {
    let rows = [rows("sibling", "k=10", 1, 5), rows("sibling", "k=10", 2, 7), rows("sibling", "k=3", 1, 2)].concat();
    let chart = budget(&rows);
    let csv = String::from_utf8(chart.csv().expect("bytes")).expect("text");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines[0],
        "corpus,split,tags,system,templates,learner,features,pruning,decoding,dp_calls_at_most,sentences,proven,dp_calls,\
         scored_tokens,scored_correct,uas_pct,proven_pct,dp_calls_per_sentence"
    );
    // Both seeds together, in the order of the numbers, and no limit last.
    let of = "toy,test,predicted,graph,compact,perceptron,sibling,k=10,carreras/bnb";
    assert_eq!(lines[1], format!("{of},1,400,316,400,4000,3516,87.9000,79.0000,1.0000"));
    assert_eq!(lines[5], format!("{of},10,400,364,640,4000,3564,89.1000,91.0000,1.6000"));
    assert_eq!(lines[8], format!("{of},,400,400,820,4000,3600,90.0000,100.0000,2.0500"));
    assert_eq!(lines.len(), 17);

    let svg = chart.svg().expect("drawn");
    let texts: Vec<String> = labels(&svg).into_iter().map(|label| label.text).collect();
    for text in ["toy, test part, predicted tags, templates compact, perceptron, sibling, bnb", "k=10", "k=3"] {
        assert_eq!(texts.iter().filter(|t| *t == text).count(), 1, "{text}: {texts:?}");
    }
    for text in ["1", "50", "no limit", "DP calls a sentence at most"] {
        assert_eq!(texts.iter().filter(|t| *t == text).count(), 2, "once a plot: {text}: {texts:?}");
    }
    assert!(texts.iter().any(|t| t == "UAS (%)") && texts.iter().any(|t| t == "sentences proven (%)"));
}

#[test]
fn the_order_of_the_rows_changes_no_byte() {
    let rows = [rows("sibling", "k=10", 1, 5), rows("comb", "none", 1, 3)].concat();
    let reversed: Vec<SearchRow> = rows.iter().rev().cloned().collect();
    let (one, other) = (budget(&rows), budget(&reversed));
    assert_eq!(one.svg().expect("drawn"), other.svg().expect("drawn"));
    assert!(one.png().expect("drawn").starts_with(b"\x89PNG"));
    assert_eq!(one.csv().expect("bytes"), other.csv().expect("bytes"));
}

#[test]
fn many_lines_do_not_overlap() {
    let long = "comb+grandchild+great-grandchild+hand+sibling+tri-sibling";
    let mut many = Vec::new();
    for (i, features) in ["comb", "grandchild", "grandchild+sibling", "sibling", long].into_iter().enumerate() {
        for (j, prune) in ["none", "k=10", "k=3"].into_iter().enumerate() {
            many.extend(rows(features, prune, 1, 1 + (i + 2 * j) as u64));
        }
    }
    let svg = budget(&many).svg().expect("drawn");
    let (width, height) = size(&svg);
    let labels = labels(&svg);
    for (i, label) in labels.iter().enumerate() {
        assert!(label.left >= 0.0 && label.top >= 0.0, "{label:?}");
        assert!(label.right <= width && label.bottom <= height, "{label:?}");
        if let Some(other) = labels[..i].iter().find(|other| other.overlaps(label)) {
            panic!("{label:?} overlaps {other:?}");
        }
    }
}

#[test]
fn no_budgets_are_no_figure() {
    let message = budget(&[]).svg().expect_err("nothing").to_string();
    assert_eq!(message, "cannot draw budget: there are no measurements to plot");
}
