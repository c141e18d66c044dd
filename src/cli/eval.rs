//! `treebound eval`: a parsed file against a gold one.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use super::output::print;
use super::streams;
use crate::records::number::{fixed, grouped, percent, signed};
use crate::statistics::significance::{Draws, Paired, randomisation};
use crate::treebank::{Punctuation, Sentence, TagColumn, conll};

#[derive(Args)]
pub struct EvalArguments {
    /// The gold treebank, CoNLL-U or CoNLL-X; `-` is standard input, and a name that ends in .gz a compressed file
    gold: PathBuf,
    /// The same sentences with predicted heads
    predicted: PathBuf,
    /// The same sentences with heads of another parser, to compare
    other: Option<PathBuf>,
    /// Words left out of the scores without punctuation, by gold tag: ud (coarse tag PUNCT), ptb (fine tags `` '' : , .),
    /// ctb (fine tag PU) or none
    #[arg(long, default_value = "ud")]
    punctuation: String,
}

/// What is counted of a sentence.
#[derive(Default)]
struct Counts {
    sentences: u64,
    tokens: u64,
    correct: u64,
    scored_tokens: u64,
    scored_correct: u64,
    root_correct: u64,
    complete: u64,
    scored_complete: u64,
}

pub fn eval(arguments: &EvalArguments) -> Result<ExitCode> {
    let Some(punctuation) = Punctuation::named(&arguments.punctuation) else {
        bail!("--punctuation {}: it can be ud, ptb, ctb or none", arguments.punctuation);
    };
    let read = |path: &PathBuf| -> Result<Vec<Sentence>> {
        Ok(conll::parse_gold(&streams::read(path)?, &streams::name(path))?)
    };
    let gold = read(&arguments.gold)?;
    let counts = |path: &PathBuf| -> Result<Vec<Counts>> {
        let predicted = read(path)?;
        if gold.len() != predicted.len() {
            bail!(
                "{} has {} sentences and {} has {}: they must be the same sentences",
                streams::name(&arguments.gold).display(),
                gold.len(),
                streams::name(path).display(),
                predicted.len()
            );
        }
        gold.iter().zip(&predicted).map(|(gold, predicted)| Counts::of(gold, predicted, &punctuation)).collect()
    };
    let first = counts(&arguments.predicted)?;
    let other = arguments.other.as_ref().map(counts).transpose()?;
    print(&report(&first, other.as_deref(), &punctuation))?;
    Ok(ExitCode::SUCCESS)
}

/// A measure: its name, and what of how much is right.
type Measure = (&'static str, fn(&Counts) -> [u64; 2]);

const MEASURES: [Measure; 5] = [
    ("UAS, all tokens", |c| [c.correct, c.tokens]),
    ("UAS, without punctuation", |c| [c.scored_correct, c.scored_tokens]),
    ("root accuracy", |c| [c.root_correct, c.sentences]),
    ("complete match", |c| [c.complete, c.sentences]),
    ("complete, without punctuation", |c| [c.scored_complete, c.sentences]),
];

/// All measures of a parse, and if there is another, of that, with the difference and the p-value of a paired test.
fn report(first: &[Counts], other: Option<&[Counts]>, punctuation: &Punctuation) -> String {
    let sum = |counts: &[Counts], measure: &Measure| {
        counts.iter().map(measure.1).fold([0, 0], |sum, [right, all]| [sum[0] + right, sum[1] + all])
    };
    let shown = |[right, all]: [u64; 2]| percent(right, all).map_or("-".to_owned(), |percent| fixed(percent, 2));
    let mut text = String::new();
    for measure in &MEASURES {
        let ours @ [right, all] = sum(first, measure);
        text += &format!("{:<32} {:>7}   {right} / {all}", measure.0, shown(ours));
        if let Some(other) = other {
            let theirs @ [right, all] = sum(other, measure);
            text += &format!("   {:>7}   {right} / {all}   {}", shown(theirs), difference(first, other, measure));
        }
        text.push('\n');
    }
    let column = match punctuation.column {
        TagColumn::Fine => "fine",
        TagColumn::Coarse => "coarse",
    };
    if sum(first, &MEASURES[0])[1] == sum(first, &MEASURES[1])[1] {
        text += "no word was left out as punctuation: both UAS are of all tokens\n";
    } else {
        text += &format!("punctuation: gold {column} tag is one of {}\n", punctuation.tags.join(" "));
    }
    if other.is_some() {
        let rounds = Draws::default().rounds;
        text += &format!(
            "second file: its measures, then the first less the second, and p of a paired randomisation test ({} rounds)\n",
            grouped(u64::from(rounds))
        );
    }
    text
}

/// The difference in points, and how probable one as large is by chance.
fn difference(first: &[Counts], other: &[Counts], measure: &Measure) -> String {
    let pairs = || first.iter().map(measure.1).zip(other.iter().map(measure.1));
    let paired = Paired {
        difference: pairs().map(|([a, _], [b, _])| a as i64 - b as i64).collect(),
        scored: pairs().map(|([_, all], _)| all).collect(),
        by_seed: Vec::new(),
    };
    let Some(points) = paired.difference_points() else { return "-".to_owned() };
    format!("{} (p = {})", signed(points, 2), fixed(randomisation(&paired, Draws::default()).p_value(), 4))
}

impl Counts {
    /// Of a sentence.
    fn of(gold: &Sentence, predicted: &Sentence, punctuation: &Punctuation) -> Result<Self> {
        let mut counts = Self::default();
        if gold.len() != predicted.len() {
            bail!(
                "{} has {} words, but {} has {}: they must be the same sentences",
                gold.place,
                gold.len(),
                predicted.place,
                predicted.len()
            );
        }
        let differs = |i: &usize| gold.tokens[*i].form != predicted.tokens[*i].form;
        if let Some(i) = (0..gold.len()).find(differs) {
            bail!(
                "{}: word {} is `{}`, but `{}` in {}: they must be the same sentences",
                gold.place,
                i + 1,
                gold.tokens[i].form,
                predicted.tokens[i].form,
                predicted.place
            );
        }
        let (Some(gold_tree), Some(tree)) = (&gold.gold, &predicted.gold) else { return Ok(counts) };
        for (i, token) in gold.tokens.iter().enumerate() {
            let right = u64::from(gold_tree.heads()[i] == tree.heads()[i]);
            let scored = u64::from(!punctuation.covers(token));
            counts.tokens += 1;
            counts.correct += right;
            counts.scored_tokens += scored;
            counts.scored_correct += right * scored;
        }
        counts.sentences = 1;
        counts.root_correct = u64::from(gold_tree.roots().eq(tree.roots()));
        counts.complete = u64::from(counts.correct == counts.tokens);
        counts.scored_complete = u64::from(counts.scored_correct == counts.scored_tokens);
        Ok(counts)
    }
}
