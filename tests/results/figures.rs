//! Figures from made-up but plausible measurements.

use std::collections::BTreeSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use treebound::answer::Count;
use treebound::cell::{CorpusName, FeatureSet};
use treebound::curves::{self, Curves};
use treebound::experiment::rows::{LengthRow, SpeedRow};
use treebound::figures::{self, Figure};
use treebound::pruning::Rule;
use treebound::random::below;
use treebound::records::schema;
use treebound::sentences::Sentences;
use treebound::tables::blocks::TableOptions;

use crate::fixture::{cell, changed, frame, length as row_of, phases, text};
use crate::svg::{Label, labels, size};

const PRUNINGS: [(&str, u64); 5] = [("none", 100), ("k=20", 20), ("k=10", 10), ("k=5", 5), ("k=3", 3)];

/// Sentences of each length up to 81: many short ones, few long ones.
fn sentences(length: u64) -> u64 {
    match length {
        1 => 130,
        2..=30 => 110 - 3 * length,
        31..=50 => (52 - length) * 2 / 3,
        51..=64 => length % 3,
        81 => 1,
        _ => 0,
    }
}

/// 0.5 to 1.5, closer to 1 the more sentences.
fn noise(random: &mut ChaCha8Rng, sentences: u64) -> f64 {
    let draws = sentences.min(20);
    0.5 + (0..draws).map(|_| below(random, 1000) as f64 / 1000.0).sum::<f64>() / draws as f64
}

fn calls(corpus: &str, decoders: &[(&str, f64)]) -> Vec<LengthRow> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut rows = Vec::new();
    for &(decoder, factor) in decoders {
        for (prune, k) in PRUNINGS {
            for seed in 1..=2 {
                let cell = cell("grandchild+sibling", prune, decoder, seed);
                let cell = changed(&cell, |setting| setting.corpus = CorpusName::like(corpus));
                for length in 1..=81 {
                    let sentences = sentences(length);
                    if sentences > 0 {
                        let candidates = k.min(length) as f64;
                        let mean = 1.0
                            + factor
                                * candidates.powf(0.7)
                                * (length as f64).powi(2)
                                * 0.018
                                * noise(&mut random, sentences);
                        rows.push(row_of(&cell, length, sentences, (mean * sentences as f64) as u64));
                    }
                }
            }
        }
    }
    rows
}

fn times(decoders: &[(&str, f64)]) -> Vec<SpeedRow> {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    calls("toy", decoders)
        .into_iter()
        .filter(|row| row.cell.seed == 1)
        .flat_map(|row| {
            let ns = row.effort.get(Count::DpCalls).expect("counted") * row.length * row.length * 40;
            let total = move |random: &mut ChaCha8Rng| (ns as f64 * noise(random, 20)) as u64;
            let mut row = |repeat| SpeedRow {
                cell: row.cell.clone(),
                key: Default::default(),
                repeat,
                length: Some(row.length),
                sentences: row.sentences,
                phases: phases([20_000 * row.length, 40_000 * row.length * row.sentences, total(&mut random)]),
            };
            [row(1), row(2), row(3)]
        })
        .collect()
}

/// The curves of rows, which stand for those of scores too.
fn curves_of(rows: &[LengthRow]) -> Curves {
    let rows = frame(rows, &schema::BY_LENGTH);
    curves::calls(&rows, &Sentences::default(), &rows, &TableOptions::default()).expect("rows")
}

fn figure5(rows: &[LengthRow]) -> Figure {
    figures::figure5(&curves_of(rows), &TableOptions::default()).expect("curves")
}

fn figure4(rows: &[SpeedRow]) -> Figure {
    let curves = curves::times(&frame(rows, &schema::SPEED), &TableOptions::default());
    figures::figure4(&curves.expect("rows"), &TableOptions::default()).expect("curves")
}

/// The same rows of another corpus.
fn of_corpus(rows: &[LengthRow], corpus: &str) -> Vec<LengthRow> {
    let corpus = |row: &LengthRow| changed(&row.cell, |setting| setting.corpus = CorpusName::like(corpus));
    rows.iter().map(|row| LengthRow { cell: corpus(row), ..row.clone() }).collect()
}

/// What is drawn in one panel is of the same seeds, unless its lines have none in common.
#[test]
fn lines_of_a_panel_are_of_the_same_seeds() {
    let all = calls("toy", &[("bnb", 0.05), ("paper", 1.0)]);
    let of = |is_kept: &dyn Fn(&str, u64) -> bool| -> (Vec<String>, String) {
        let decoder = |row: &&LengthRow| row.cell.setting.decoder().expect("one").to_string();
        let rows: Vec<LengthRow> = all.iter().filter(|row| is_kept(&decoder(row), row.cell.seed)).cloned().collect();
        let figure = figure5(&rows);
        let csv = String::from_utf8(figure.csv().expect("rows")).expect("text");
        let at = csv.lines().next().expect("a head").split(',').position(|name| name == "seeds").expect("seeds");
        let mut seeds: Vec<String> =
            csv.lines().skip(1).map(|line| line.split(',').nth(at).expect("a field").to_owned()).collect();
        seeds.sort();
        seeds.dedup();
        (seeds, figure.svg().expect("drawn"))
    };
    let (seeds, svg) = of(&|decoder, seed| decoder == "bnb" || seed == 1);
    assert!(seeds == ["1"] && svg.contains("One training seed."), "{seeds:?}");
    let (seeds, svg) = of(&|_, _| true);
    assert!(seeds == ["2"] && svg.contains("Mean over 2 training seeds."), "{seeds:?}");
    let (seeds, svg) = of(&|decoder, seed| (decoder == "bnb") == (seed == 1));
    assert!(seeds == ["1"] && svg.contains("bnb") && svg.contains("paper"), "{seeds:?}");
}

/// Figures of all kinds: many lines and one, many panels and one, many points and one.
fn samples() -> Vec<(&'static str, Figure)> {
    let both = [("bnb", 0.05), ("paper", 1.0)];
    let long = "comb+grandchild+great-grandchild+hand+sibling+tri-sibling";
    let mut four = calls("en_ewt", &both);
    four.extend(calls("zh_gsd", &both));
    let mut longer = four.clone();
    for row in &mut longer {
        row.cell = changed(&row.cell, |setting| {
            setting.axes = setting.axes.with(FeatureSet::from_names(long).expect("a set"));
        });
    }
    four.extend(longer);
    let all = calls("toy", &[("bnb", 1.0)]);
    let only = |wanted: &dyn Fn(&LengthRow) -> bool| -> Vec<LengthRow> {
        all.iter().filter(|row| wanted(row)).cloned().collect()
    };
    vec![
        ("five lines", figure5(&all)),
        ("ten lines", figure5(&calls("toy", &both))),
        ("four panels", figure5(&four)),
        ("one line", figure5(&only(&|row| row.cell.setting.pruning() == Some(Rule::Best(10))))),
        ("one length", figure5(&only(&|row| row.length == 17))),
        (
            "one point",
            figure5(&only(&|row| {
                row.length == 1 && row.cell.setting.pruning() == Some(Rule::None) && row.cell.seed == 1
            })),
        ),
        ("times", figure4(&times(&both))),
    ]
}

#[test]
fn a_small_figure_is_exactly_this() {
    let row = |prune: &str, length: u64, sentences: u64, dp_calls: u64| {
        row_of(&cell("sibling", prune, "bnb", 1), length, sentences, dp_calls)
    };
    let rows = [
        row("none", 2, 20, 40),
        row("none", 5, 12, 60),
        row("none", 9, 1, 9),
        row("k=3", 2, 20, 20),
        row("k=3", 5, 12, 30),
        row("k=3", 9, 1, 4),
    ];
    let figure = figure5(&rows);
    assert_eq!(figure.svg().expect("drawn"), include_str!("figure5.svg"));
    assert_eq!(text(figure.csv().expect("written")), include_str!("figure5.csv"));
}

#[test]
fn the_order_of_the_rows_and_repetition_change_no_byte() {
    let rows = calls("toy", &[("bnb", 0.1), ("paper", 1.0)]);
    let reversed: Vec<LengthRow> = rows.iter().rev().cloned().collect();
    let (one, other) = (figure5(&rows), figure5(&reversed));
    assert_eq!(one.svg().expect("drawn"), other.svg().expect("drawn"));
    let (png, again) = (one.png().expect("drawn"), other.png().expect("drawn"));
    assert!(png == again && png.starts_with(b"\x89PNG"));
    assert_eq!(one.csv().expect("written"), other.csv().expect("written"));
}

#[test]
fn no_two_texts_overlap_and_none_leaves_the_picture() {
    for (name, figure) in samples() {
        let svg = figure.svg().expect("drawn");
        let (width, height) = size(&svg);
        let labels = labels(&svg);
        for (i, label) in labels.iter().enumerate() {
            let Label { left, right, top, bottom, .. } = label;
            assert!(*left >= 0.0 && *top >= 0.0 && *right <= width && *bottom <= height, "{name}: {label:?}");
            if let Some(other) = labels[..i].iter().find(|other| other.overlaps(label)) {
                panic!("{name}: {label:?} overlaps {other:?}");
            }
        }
    }
}

#[test]
fn every_line_is_in_the_legend_and_looks_its_own() {
    let svg = figure5(&calls("toy", &[("bnb", 0.05), ("paper", 1.0)])).svg().expect("drawn");
    let texts: Vec<String> = labels(&svg).into_iter().map(|label| label.text).collect();
    for name in ["no pruning", "k=20", "k=10", "k=5", "k=3"] {
        assert_eq!(texts.iter().filter(|text| *text == name).count(), 2, "once a decoder: {name}");
    }
    for name in ["bnb", "paper", "sentence length (words)", "DP calls per sentence, log scale", "sentences"] {
        assert_eq!(texts.iter().filter(|text| *text == name).count(), 1, "{name}");
    }
    let colors = svg.split("<polyline").skip(1).filter_map(|line| line.split("stroke=\"").nth(1)?.get(..7));
    let colors: BTreeSet<&str> = colors.collect();
    // Five prunings, the axes and two kinds of grid lines.
    assert_eq!(colors.len(), 8, "{colors:?}");
}

#[test]
fn axes_are_linear_as_in_the_paper_until_that_hides_the_lines() {
    let is_logarithmic = |rows: &[LengthRow]| figure5(rows).svg().expect("drawn").contains("log scale");
    let mut rows = calls("toy", &[("bnb", 0.02)]);
    assert!(!is_logarithmic(&rows));
    let hard = rows.iter_mut().find(|row| row.length == 81 && row.cell.setting.pruning() == Some(Rule::None));
    hard.expect("a long sentence").effort.set(Count::DpCalls, Some(3000));
    assert!(is_logarithmic(&rows), "one line far above the others");
    assert!(is_logarithmic(&calls("toy", &[("bnb", 0.001), ("paper", 0.2)])), "decoders far apart");
}

#[test]
fn thin_lengths_are_hollow_and_explained() {
    let all = calls("toy", &[("bnb", 1.0)]);
    let thick: Vec<LengthRow> = all.iter().filter(|row| row.length <= 30).cloned().collect();
    let hollow = |rows: &[LengthRow]| figure5(rows).svg().expect("drawn").contains("Hollow: fewer than 10 sentences");
    assert!(hollow(&all) && !hollow(&thick));
}

#[test]
fn every_corpus_has_a_panel() {
    let rows = calls("en_ewt", &[("bnb", 1.0)]);
    let mut both = of_corpus(&rows, "zh_gsd");
    both.extend(rows);
    let curves = curves_of(&both);
    let corpora = curves.lines.words("corpus").expect("an axis");
    let panels: Vec<&str> = curves.panels.iter().map(|panel| corpora[panel.series[0].row].as_str()).collect();
    assert_eq!(panels, ["en_ewt", "zh_gsd"]);
}

#[test]
fn nothing_to_plot_is_an_error_and_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let message = figure5(&[]).write(folder.path()).expect_err("empty").to_string();
    assert_eq!(message, "cannot draw figure5: there are no measurements to plot");
    assert!(figure4(&[]).png().is_err());
    assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 0);
}

#[test]
fn three_files_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    figure4(&times(&[("bnb", 1.0)])).write(&folder.path().join("toy")).expect("written");
    let entries = std::fs::read_dir(folder.path().join("toy")).expect("listed");
    let names: BTreeSet<_> = entries.filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["figure4.csv", "figure4.png", "figure4.svg"]);
}
