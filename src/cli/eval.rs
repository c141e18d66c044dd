//! `treebound eval`: a parsed file against a gold one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use super::output::print;
use super::streams;
use treebound_parser::treebank::{Punctuation, Sentence, TagColumn, conll};
use treebound_records::number::{fixed, grouped, percent, signed};
use treebound_report::error_analysis::{self as class, By, Class, Parsed, breakdown};
use treebound_report::statistics::significance::{Draws, Paired, randomisation};

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
    /// UAS without punctuation by class of words, too: by sentence-length, arc-length, depth (arcs from the root), or tag; each by
    /// the gold file
    #[arg(long, value_name = "CLASS", value_parser = class)]
    by: Option<By>,
}

fn class(name: &str) -> Result<By, String> {
    let known = || By::GOLD.map(By::name).join(", ");
    By::GOLD.into_iter().find(|by| by.name() == name).ok_or_else(|| format!("it can be {}", known()))
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
    let inputs = [Some(&arguments.gold), Some(&arguments.predicted), arguments.other.as_ref()];
    if inputs.into_iter().flatten().filter(|path| path.as_os_str() == "-").count() > 1 {
        bail!("`-`: standard input can be one of the files only");
    }
    let gold = read(&arguments.gold)?;
    let same_sentences = |path: &PathBuf| -> Result<Vec<Sentence>> {
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
        Ok(predicted)
    };
    let counts = |predicted: &Vec<Sentence>| -> Result<Vec<Counts>> {
        gold.iter().zip(predicted).map(|(gold, predicted)| Counts::of(gold, predicted, &punctuation)).collect()
    };
    let first = same_sentences(&arguments.predicted)?;
    let other = arguments.other.as_ref().map(same_sentences).transpose()?;
    let mut text = report(&counts(&first)?, other.as_ref().map(counts).transpose()?.as_deref(), &punctuation);
    if let Some(by) = arguments.by {
        text += &by_class(by, &gold, &first, other.as_deref(), &punctuation);
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The accuracy of each class of words, and of another parse, with the difference and its p-value.
fn by_class(
    by: By,
    gold: &[Sentence],
    first: &[Sentence],
    other: Option<&[Sentence]>,
    punctuation: &Punctuation,
) -> String {
    // By sentence, since a difference is tested over sentences.
    let classes = |predicted: &[Sentence]| -> Vec<BTreeMap<Class, class::Counts>> {
        let of_sentence = |(gold, predicted): (&Sentence, &Sentence)| {
            let (Some(tree), Some(heads)) = (&gold.gold, &predicted.gold) else { return BTreeMap::new() };
            let scored = gold.tokens.iter().map(|token| !punctuation.covers(token)).collect();
            let parsed = Parsed { place: &gold.place, tokens: &gold.tokens, gold: tree, heads: heads.heads(), scored };
            breakdown(&[parsed], by)
        };
        gold.iter().zip(predicted).map(of_sentence).collect()
    };
    let (first, other) = (classes(first), other.map(classes));
    let all: BTreeSet<&Class> = first.iter().flat_map(BTreeMap::keys).collect();
    let of = |sentences: &[BTreeMap<Class, class::Counts>], class: &Class| -> Vec<[u64; 2]> {
        sentences.iter().map(|of| of.get(class).map_or([0, 0], |counts| [counts.correct, counts.words])).collect()
    };
    let mut text = format!("\nUAS, without punctuation, by {}\n", by.label());
    for class in all {
        let ours = of(&first, class);
        text += &format!("{:<32} {}", class.name(), shown(&ours));
        if let Some(other) = &other {
            let theirs = of(other, class);
            text += &format!("   {}   {}", shown(&theirs), difference(&ours, &theirs));
        }
        text.push('\n');
    }
    text
}

/// What is right of how much, summed.
fn shown(counts: &[[u64; 2]]) -> String {
    let [right, all] = counts.iter().fold([0, 0], |sum, of| [sum[0] + of[0], sum[1] + of[1]]);
    let percent = percent(right, all).map_or("-".to_owned(), |percent| fixed(percent, 2));
    format!("{percent:>7}   {right} / {all}")
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
    let of = |counts: &[Counts], measure: &Measure| counts.iter().map(measure.1).collect::<Vec<_>>();
    let mut text = String::new();
    for measure in &MEASURES {
        let ours = of(first, measure);
        text += &format!("{:<32} {}", measure.0, shown(&ours));
        if let Some(other) = other {
            let theirs = of(other, measure);
            text += &format!("   {}   {}", shown(&theirs), difference(&ours, &theirs));
        }
        text.push('\n');
    }
    let column = match punctuation.column {
        TagColumn::Fine => "fine",
        TagColumn::Coarse => "coarse",
    };
    if first.iter().all(|counts| counts.scored_tokens == counts.tokens) {
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
fn difference(first: &[[u64; 2]], other: &[[u64; 2]]) -> String {
    let pairs = || first.iter().zip(other);
    let paired = Paired {
        difference: pairs().map(|([a, _], [b, _])| *a as i64 - *b as i64).collect(),
        scored: first.iter().map(|[_, all]| *all).collect(),
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
