//! `treebound eval`: a parsed file against a gold one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use super::output::print;
use super::streams::{self, EncodingFlags};
use treebound_core::shown::shown;
use treebound_parser::error_analysis::{By, Class, Counts, Parsed, breakdown};
use treebound_parser::treebank::{LabelScore, Punctuation, Sentence, SentenceScore, conll};
use treebound_report::evaluation::{Right, header, line, reading};

#[derive(Args)]
pub struct EvalArguments {
    /// The gold treebank, CoNLL-U or CoNLL-X; `-` is standard input, and a name that ends in .gz a compressed file
    gold: PathBuf,
    /// The same sentences with predicted heads
    predicted: PathBuf,
    /// The same sentences with heads of another parser, to compare
    other: Option<PathBuf>,
    /// Words left out of the scores without punctuation, by gold tag: ud (coarse tag PUNCT), ptb (fine tags `` '' : , .),
    /// ctb (fine tag PU), coarse=TAG,TAG or fine=TAG,TAG; by their characters: unicode, the rule of CoNLL-X; or none
    #[arg(long, value_name = "RULE", default_value = "ud", value_parser = punctuation)]
    punctuation: Punctuation,
    #[command(flatten)]
    encoding: EncodingFlags,
    /// UAS without punctuation by class of words, too, and LAS if the files have relations: by sentence-length, arc-length, depth
    /// (arcs from the root), tag, or relation; each by the gold file
    #[arg(long, value_name = "CLASS", value_parser = class)]
    by: Option<By>,
}

fn punctuation(text: &str) -> Result<Punctuation, String> {
    Punctuation::parse(text).ok_or_else(|| format!("it can be {}", Punctuation::EXPECTED))
}

fn class(name: &str) -> Result<By, String> {
    let known = || By::GOLD.map(By::name).join(", ");
    By::GOLD.into_iter().find(|by| by.name() == name).ok_or_else(|| format!("it can be {}", known()))
}

/// A measure: its name, and its count of a sentence.
type Measure = (&'static str, fn(&SentenceScore) -> Right);

const MEASURES: [Measure; 5] = [
    ("UAS, all tokens", |c| [c.correct, c.tokens]),
    ("UAS, without punctuation", |c| [c.scored_correct, c.scored_tokens]),
    ("root accuracy", |c| [c.root_correct, c.sentences]),
    ("complete match", |c| [c.complete, c.sentences]),
    ("complete, without punctuation", |c| [c.scored_complete, c.sentences]),
];

/// A measure of relations.
type LabelMeasure = (&'static str, fn(&SentenceScore, LabelScore) -> Right);

/// Those of files with relations. The first is LAS as the official scorer of the CoNLL 2018 shared task has it.
const LABEL_MEASURES: [LabelMeasure; 4] = [
    ("LAS, all tokens, no subtypes", |c, labels| [labels.labelled_universal, c.tokens]),
    ("LAS, all tokens", |c, labels| [labels.labelled, c.tokens]),
    ("LAS, without punctuation", |c, labels| [labels.scored_labelled, c.scored_tokens]),
    ("label accuracy, without punct.", |c, labels| [labels.scored_relations, c.scored_tokens]),
];

pub fn eval(arguments: &EvalArguments) -> Result<ExitCode> {
    let punctuation = &arguments.punctuation;
    let parses: Vec<&PathBuf> = std::iter::once(&arguments.predicted).chain(&arguments.other).collect();
    let inputs = parses.iter().copied().chain([&arguments.gold]);
    if inputs.filter(|path| path.as_os_str() == "-").count() > 1 {
        bail!("`-`: standard input can be one of the files only");
    }
    let sentences = |path: &Path| -> Result<Vec<Sentence>> {
        Ok(conll::parse_gold(&arguments.encoding.read(path)?, &streams::name(path))?)
    };
    let gold = sentences(&arguments.gold)?;
    let mut parsed = Vec::new();
    let mut scores = Vec::new();
    for path in parses {
        let predicted = sentences(path)?;
        if gold.len() != predicted.len() {
            bail!(
                "{} has {} sentences and {} has {}: they must be the same sentences",
                streams::name(&arguments.gold).display(),
                gold.len(),
                streams::name(path).display(),
                predicted.len()
            );
        }
        let pairs = gold.iter().zip(&predicted);
        scores.push(pairs.map(|(a, b)| SentenceScore::new(a, b, punctuation)).collect::<Result<Vec<_>, _>>()?);
        parsed.push(predicted);
    }
    let measure = |(name, count): &Measure| {
        line(name, &scores.iter().map(|scores| scores.iter().map(count).collect()).collect::<Vec<_>>())
    };
    let has_labels = scores.iter().flatten().all(|score| score.labels.is_some());
    let label_measure = |(name, count): &LabelMeasure| {
        let count = |score: &SentenceScore| count(score, score.labels.unwrap_or_default());
        line(name, &scores.iter().map(|scores| scores.iter().map(count).collect()).collect::<Vec<_>>())
    };
    let mut text = match &arguments.other {
        Some(other) => {
            let names = [&arguments.predicted, other].map(|path| shown(&streams::name(path).display().to_string()));
            header([&names[0], &names[1]])
        }
        None => String::new(),
    };
    text += &MEASURES.iter().map(measure).collect::<String>();
    if has_labels {
        text += &LABEL_MEASURES.iter().map(label_measure).collect::<String>();
    }
    text += &note(&scores[0], punctuation);
    if parsed.len() > 1 {
        text += &reading();
    }
    if let Some(by) = arguments.by {
        text += &by_class(by, &gold, &parsed, punctuation, has_labels);
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// What was left out as punctuation.
fn note(scores: &[SentenceScore], punctuation: &Punctuation) -> String {
    if scores.iter().all(|score| score.scored_tokens == score.tokens) {
        return "no word was left out as punctuation: both UAS are of all tokens\n".to_owned();
    }
    format!("punctuation: {punctuation}\n")
}

/// Measure of a class: its name, and how many of its words are right.
type ClassMeasure = (&'static str, fn(&Counts) -> u64);

/// The accuracy of each class of words.
fn by_class(
    by: By,
    gold: &[Sentence],
    parsed: &[Vec<Sentence>],
    punctuation: &Punctuation,
    has_labels: bool,
) -> String {
    // By sentence, since a difference is tested over sentences.
    let in_sentence = |(gold, predicted): (&Sentence, &Sentence)| -> BTreeMap<Class, Counts> {
        let (Some(tree), Some(heads)) = (&gold.gold, &predicted.gold) else { return BTreeMap::new() };
        let scored = gold.tokens.iter().map(|token| !punctuation.covers(token)).collect();
        let relations = [gold, predicted].map(|sentence| sentence.relations.as_ref());
        let (place, tokens, heads) = (&gold.place, &gold.tokens[..], heads.heads());
        let parsed = Parsed { place, tokens, gold: tree, heads, scored, relations };
        breakdown(&[parsed], by)
    };
    let parses: Vec<Vec<_>> = parsed.iter().map(|parse| gold.iter().zip(parse).map(in_sentence).collect()).collect();
    let all: BTreeSet<&Class> = parses[0].iter().flat_map(BTreeMap::keys).collect();
    let measures: [ClassMeasure; 2] = [("UAS", |counts| counts.correct), ("LAS", |counts| counts.labelled)];
    let section = |&(name, right): &ClassMeasure| {
        let of_class = |class: &Class| {
            let right = |of: &BTreeMap<Class, Counts>| of.get(class).map_or([0, 0], |c| [right(c), c.words]);
            let parses = parses.iter().map(|sentences| sentences.iter().map(right).collect()).collect::<Vec<_>>();
            line(class.name(), &parses)
        };
        let lines = all.iter().map(|class| of_class(class)).collect::<String>();
        format!("\n{name}, without punctuation, by {}\n{lines}", by.label())
    };
    measures[..1 + usize::from(has_labels)].iter().map(section).collect()
}
