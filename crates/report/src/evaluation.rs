//! One parse of a treebank, or two side by side, measure by measure.

use treebound_records::number::{fixed, grouped, percent, signed};
use treebound_statistics::{Draws, Paired, randomisation};

/// A sentence by a measure: how many are right, of how many.
pub type Right = [u64; 2];

/// A line of text: a measure of one parse by sentence, or of two with what the second has more and the p-value of a paired test.
pub fn line(name: &str, parses: &[Vec<Right>]) -> String {
    let sums: Vec<String> = parses.iter().map(|sentences| format!("{:<WIDTH$}", sum(sentences))).collect();
    let difference = match parses {
        [first, second] => format!("   {}", difference(first, second)),
        _ => String::new(),
    };
    format!("{name:<32} {}{difference}", sums.join("   ")).trim_end().to_owned() + "\n"
}

/// Columns of a parse: percent, and how many are right of how many.
const WIDTH: usize = 26;

/// The line above the lines of two parses: their names, cut to their last characters, and what is behind them.
pub fn header(names: [&str; 2]) -> String {
    let cut = |name: &str| {
        let skipped = name.chars().count().saturating_sub(WIDTH);
        format!("{:<WIDTH$}", name.chars().skip(skipped).collect::<String>())
    };
    format!("{:<32} {}   second less first\n", "", names.map(cut).join("   "))
}

/// What a second parse adds to a line.
pub fn reading() -> String {
    let rounds = grouped(u64::from(Draws::default().rounds));
    format!("second less first: in percentage points, with p of a paired randomisation test ({rounds} rounds)\n")
}

/// How many are right of how many, over all sentences.
fn sum(sentences: &[Right]) -> String {
    let [right, all] = sentences.iter().fold([0, 0], |sum, of| [sum[0] + of[0], sum[1] + of[1]]);
    let percent = percent(right, all).map_or("-".to_owned(), |percent| fixed(percent, 2));
    format!("{percent:>7}   {right} / {all}")
}

/// The difference in points, and the probability of one as large by chance.
fn difference(first: &[Right], second: &[Right]) -> String {
    let paired = Paired {
        difference: first.iter().zip(second).map(|([a, _], [b, _])| *b as i64 - *a as i64).collect(),
        scored: first.iter().map(|[_, all]| *all).collect(),
        by_seed: Vec::new(),
    };
    let Some(points) = paired.difference_points() else { return "-".to_owned() };
    format!("{} (p = {})", signed(points, 2), fixed(randomisation(&paired, Draws::default()).p_value(), 4))
}
