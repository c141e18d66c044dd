//! The figures of finished parses looked at word by word, from made-up counts.

use std::sync::Arc;

use treebound::cell::CellKey;
use treebound::experiment::rows::{CalibrationRow, ClassRow};
use treebound::figures::{self, Figure};
use treebound::records::schema;

use crate::fixture::{fault, frame, of, text};
use crate::svg::{labels, size};

fn cell(learner: &str, decoding: &str, seed: u64) -> Arc<CellKey> {
    of(["toy", "test", "gold", "graph", "ma-zhao", learner, "baseline", "t=1e-3", decoding], seed)
}

/// The classes of a cell: sentences, arcs and depths, of which some more are wrong the longer they are.
fn classes(cell: &Arc<CellKey>, wrong: u64) -> Vec<ClassRow> {
    let ranges = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let sentences = ranges(&["1 to 10", "11 to 20", "21 to 30", "31 to 40", "41 to 50", "51 to 60", "more than 60"]);
    let arcs = ranges(&["to the root", "1", "2", "3", "4", "5", "6", "7 to 9", "10 to 14", "15 to 19", "20 and more"]);
    let depths = ranges(&["1", "2", "3", "4", "5", "6", "7", "8", "9 and more"]);
    let views = [
        ("sentence-length", &sentences, 100),
        ("arc-length", &arcs, 100),
        ("predicted-arc-length", &arcs, 80),
        ("depth", &depths, 100),
        ("predicted-depth", &depths, 80),
    ];
    let of_view = |(by, names, words): (&str, &Vec<String>, u64)| {
        let row = |(place, class): (u64, &String)| ClassRow {
            cell: cell.clone(),
            key: Default::default(),
            by: by.to_owned(),
            place,
            class: class.clone(),
            words,
            correct: 80 - wrong * place,
        };
        (0..).zip(names).map(row).collect::<Vec<_>>()
    };
    views.into_iter().flat_map(of_view).collect()
}

/// The bins of a cell of a CRF.
fn bins(cell: &Arc<CellKey>, too_sure: u64) -> Vec<CalibrationRow> {
    let row = |bin: u64| {
        let (words, correct) = (100 * bin, (10 * bin - 5 - too_sure) * bin);
        CalibrationRow {
            cell: cell.clone(),
            key: Default::default(),
            bin,
            words,
            correct,
            probability_e6: words * (100_000 * bin - 50_000),
        }
    };
    (1..=10).map(row).collect()
}

fn breakdown(rows: &[ClassRow]) -> Figure {
    figures::breakdown(&frame(rows, &schema::BREAKDOWN)).expect("rows")
}

fn calibration(rows: &[CalibrationRow]) -> Figure {
    figures::calibration(&frame(rows, &schema::CALIBRATION)).expect("rows")
}

/// The rows of three models by as many learners.
fn many<R>(rows: impl Fn(&Arc<CellKey>, u64) -> Vec<R>) -> Vec<R> {
    let mut all = Vec::new();
    for (i, learner) in ["perceptron", "mira-kbest", "crf", "crf-margin"].into_iter().enumerate() {
        for (j, decoding) in ["carreras/dp", "grand-sibling/dp", "grand-sibling/mbr"].into_iter().enumerate() {
            all.extend(rows(&cell(learner, decoding, 1), (i + j) as u64 % 5));
        }
    }
    all
}

#[track_caller]
fn assert_no_overlap(figure: &Figure) {
    let svg = figure.svg().expect("drawn");
    let (width, height) = size(&svg);
    let labels = labels(&svg);
    for (i, label) in labels.iter().enumerate() {
        assert!(label.left >= 0.0 && label.top >= 0.0, "{label:?}");
        assert!(label.right <= width && label.bottom <= height, "{label:?}");
        if let Some(other) = labels[..i].iter().find(|other| other.overlaps(label)) {
            panic!("{label:?} over {other:?}");
        }
    }
}

#[test]
fn arcs_have_f1_and_seeds_are_added_up() {
    let of_seed = |seed, wrong| classes(&cell("crf", "carreras/dp", seed), wrong);
    let figure = breakdown(&[of_seed(1, 1), of_seed(2, 3)].concat());
    let csv = text(figure.csv().expect("bytes"));
    let lines: Vec<&str> = csv.lines().collect();
    let axes = "corpus,split,tags,system,templates,learner,features,pruning,decoding";
    let columns = "by,class,words,correct,predicted_words,predicted_correct,recall_pct,precision_pct,accuracy_pct";
    assert_eq!(lines[0], format!("{axes},{columns}"));
    let of = "toy,test,gold,graph,ma-zhao,crf,baseline,t=1e-3,carreras/dp";
    assert_eq!(lines[2], format!("{of},sentence-length,11 to 20,200,156,,,78.0000,,78.0000"));
    // Recall 0.8 and precision 1.
    assert_eq!(lines[8], format!("{of},arc-length,to the root,200,160,160,160,80.0000,100.0000,88.8889"));
    assert_eq!(lines.len(), 1 + 7 + 11 + 9);
    // Classes without words are no fault, and few words are not drawn.
    let mut few = classes(&cell("crf", "carreras/dp", 1), 0);
    few.iter_mut().for_each(|row| (row.words, row.correct) = (1, 0));
    few[0].words = 0;
    assert!(breakdown(&few).is_empty() && breakdown(&[]).is_empty());
}

#[test]
fn learners_are_lines_and_models_are_rows() {
    let figure = breakdown(&many(classes));
    assert_no_overlap(&figure);
    let texts: Vec<String> = labels(&figure.svg().expect("drawn")).into_iter().map(|label| label.text).collect();
    let count = |wanted: &str| texts.iter().filter(|text| *text == wanted).count();
    for learner in ["perceptron, dp", "mira-kbest, dp", "crf, dp", "crf, mbr"] {
        assert_eq!(count(learner), 1, "{learner}: {texts:?}");
    }
    // Arcs are drawn twice, and lines of a third kind of model there are none.
    assert_eq!([count("words of the sentence"), count("length of the arc")], [2, 4], "{texts:?}");
    assert_eq!(count("F1 less that of perceptron, dp (points)"), 2, "{texts:?}");
    let reversed: Vec<ClassRow> = many(classes).into_iter().rev().collect();
    assert_eq!(breakdown(&reversed).svg().expect("drawn"), figure.svg().expect("drawn"));
}

#[test]
fn calibration_is_drawn_against_what_was_said() {
    let one = bins(&cell("crf", "carreras/dp", 1), 5);
    let csv = text(calibration(&one).csv().expect("bytes"));
    let of = "toy,test,gold,graph,ma-zhao,crf,baseline,t=1e-3,carreras/dp";
    // Every bin is right five points less often than was said.
    assert_eq!(csv.lines().nth(1), Some(&*format!("{of},1,100,0,5.0000,0.0000,5.0000")));
    assert_eq!(csv.lines().nth(10), Some(&*format!("{of},10,1000,900,95.0000,90.0000,5.0000")));
    let figure = calibration(&many(bins));
    assert_no_overlap(&figure);
    let texts: Vec<String> = labels(&figure.svg().expect("drawn")).into_iter().map(|label| label.text).collect();
    assert!(texts.iter().any(|text| text == "as said"), "{texts:?}");
    let heading = "toy, test part, gold tags, pruning t=1e-3, ma-zhao, carreras: error 0.00, 1.00, 2.00, 3.00";
    assert!(texts.iter().any(|text| text == heading), "{texts:?}");
}

#[test]
fn impossible_rows_are_refused() {
    let axes = "corpus,split,tags,system,templates,learner,features,pruning,decoding,seed";
    let cell = "toy,test,gold,graph,ma-zhao,crf,baseline,t=1e-3,carreras/dp,1";
    let bins =
        |line: &str| fault::<CalibrationRow>(&format!("{axes},bin,words,correct,probability_e6\n{cell},{line}\n"));
    assert_eq!(bins("1,2,1,2000000"), "no error");
    for (line, says) in [("0,1,1,1", "from 1 to 10"), ("11,1,1,1", "from 1 to 10"), ("1,1,2,1", "correct")] {
        assert!(bins(line).contains(says), "{}", bins(line));
    }
    assert!(bins("1,1,1,1000001").contains("probability_e6"), "{}", bins("1,1,1,1000001"));
    let classes = fault::<ClassRow>(&format!("{axes},by,place,class,words,correct\n{cell},depth,1,1,3,4\n"));
    assert!(classes.contains("correct"), "{classes}");
}
