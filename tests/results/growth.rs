//! The growth figure, from made-up measurements.

use treebound::cell::FeatureSet;
use treebound::decode::Decoder;
use treebound::experiment::rows::GrowthRow;
use treebound::figures::{self, Figure};
use treebound::pruning::Rule;
use treebound::records::schema;

use crate::fixture::frame;
use crate::svg::{labels, size};

fn row(axis: &str, value: Option<i64>, features: &str) -> GrowthRow {
    // Millions of words are learnt from, not parsed.
    let v = value.unwrap_or(60).unsigned_abs().min(200);
    GrowthRow {
        axis: axis.to_owned(),
        value,
        key: Default::default(),
        features: FeatureSet::from_names(features).expect(features),
        template_set: "compact".to_owned(),
        pruning: Rule::Best(10),
        decoder: Decoder::Bnb,
        templates: 140,
        train_words: 20_000,
        sentences: 20,
        words: 20 * v,
        proven: 19,
        dp_calls: 20 + v,
        pruner_ns: 2_000_000_000,
        train_ns: 1_000_000 * v,
        train_peak_kib: Some(200_000 + v as i64),
        prune_ns: 1_000 * v,
        score_ns: 10_000 * v,
        decode_ns: 100 * v * v,
        parse_peak_kib: Some(90_000 + v as i64),
        train_sentences: 0,
        epochs: 0,
        learnt_features: 0,
        train_dp_calls: 0,
        train_unproven: 0,
        heads_kept: 0,
        nodes: 0,
        train_repeats: 0,
        parse_repeats: 0,
    }
}

fn rows() -> Vec<GrowthRow> {
    let mut rows = Vec::new();
    for features in ["baseline", "grandchild+sibling"] {
        rows.extend([10, 20, 40, 80, 120, 160, 200].map(|value| row("length", Some(value), features)));
        rows.extend([Some(3), Some(5), Some(10), Some(20), None].map(|value| row("k", value, features)));
    }
    rows.extend([60, 120, 240, 480].map(|value| row("templates", Some(value), "baseline")));
    rows.push(row("families", Some(0), "baseline"));
    rows.push(row("families", Some(1), "sibling"));
    rows.push(row("families", Some(2), "grandchild+sibling"));
    rows.extend([20_000, 50_000, 1_000_000].map(|value| row("size", Some(value), "baseline")));
    rows
}

fn growth(rows: &[GrowthRow]) -> Figure {
    figures::growth(&frame(rows, &schema::GROWTH)).expect("rows")
}

#[test]
fn every_axis_has_its_plots_and_no_two_texts_overlap() {
    let svg = growth(&rows()).svg().expect("drawn");
    let (width, height) = size(&svg);
    let labels = labels(&svg);
    for (i, label) in labels.iter().enumerate() {
        assert!(label.left >= 0.0 && label.top >= 0.0, "{label:?}");
        assert!(label.right <= width && label.bottom <= height, "{label:?}");
        if let Some(other) = labels[..i].iter().find(|other| other.overlaps(label)) {
            panic!("{label:?} overlaps {other:?}");
        }
    }
    let count = |text: &str| labels.iter().filter(|label| label.text == text).count();
    for heading in ["Sentence length", "Candidate heads", "Templates", "Size of the treebank", "baseline"] {
        assert_eq!(count(heading), 1, "{heading}");
    }
    assert_eq!(count("sentence length (words), log scale"), 3);
    assert_eq!((count("all"), count("families added one by one")), (3, 1));
    let note: Vec<&str> = labels.iter().map(|label| label.text.as_str()).collect();
    assert!(note.join(" ").contains("Families are added in this order: sibling, grandchild."), "{note:?}");
}

#[test]
fn the_order_of_the_rows_changes_no_byte() {
    let (rows, reversed): (Vec<_>, Vec<_>) = (rows(), rows().into_iter().rev().collect());
    let (one, other) = (growth(&rows), growth(&reversed));
    assert_eq!(one.svg().expect("drawn"), other.svg().expect("drawn"));
    assert_eq!(one.csv().expect("bytes"), other.csv().expect("bytes"));
}

#[test]
fn points_are_derived_and_missing_is_empty() {
    let unknown = GrowthRow { train_peak_kib: None, ..row("k", None, "sibling") };
    let chart = growth(&[unknown, row("length", Some(10), "sibling")]);
    let csv = String::from_utf8(chart.csv().expect("bytes")).expect("text");
    let expected = "axis,value,features,template_set,pruning,templates,train_words,train_s,train_peak_mib,\
                    dp_calls_per_sentence,ms_per_sentence,words_per_s,parse_peak_mib\n\
                    length,10,sibling,compact,k=10,140,20000,2.010,195.3,1.5000,0.0060,1666667,87.9\n\
                    k,,sibling,compact,k=10,140,20000,2.060,,4.0000,0.0510,1176471,87.9\n";
    assert_eq!(csv, expected);
    assert!(chart.svg().is_ok());
    assert!(growth(&[]).svg().is_err());
}
