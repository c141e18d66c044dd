//! `treebound eval`: a parsed file against a gold one.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use super::output::print;
use crate::treebank::{Punctuation, TagColumn};
use crate::treebank::{Sentence, conll};

#[derive(Args)]
pub struct EvalArguments {
    /// The gold treebank, CoNLL-U or CoNLL-X
    gold: PathBuf,
    /// The same sentences with predicted heads
    predicted: PathBuf,
    /// Words left out of the scores without punctuation, by gold tag: ud (coarse tag PUNCT), ptb (fine tags `` '' : , .),
    /// ctb (fine tag PU) or none
    #[arg(long, default_value = "ud")]
    punctuation: String,
}

/// What is counted.
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
    let gold = conll::read_gold(&arguments.gold)?;
    let predicted = conll::read_gold(&arguments.predicted)?;
    if gold.len() != predicted.len() {
        bail!(
            "{} has {} sentences and {} has {}: they must be the same sentences",
            arguments.gold.display(),
            gold.len(),
            arguments.predicted.display(),
            predicted.len()
        );
    }
    let mut counts = Counts::default();
    for (gold, predicted) in gold.iter().zip(&predicted) {
        counts.add(gold, predicted, &punctuation)?;
    }
    print(&counts.report(&punctuation))?;
    Ok(ExitCode::SUCCESS)
}

impl Counts {
    fn add(&mut self, gold: &Sentence, predicted: &Sentence, punctuation: &Punctuation) -> Result<()> {
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
        let (Some(gold_tree), Some(tree)) = (&gold.gold, &predicted.gold) else { return Ok(()) };
        let mut wrong = [0, 0];
        for (i, token) in gold.tokens.iter().enumerate() {
            let right = u64::from(gold_tree.heads()[i] == tree.heads()[i]);
            let scored = u64::from(!punctuation.covers(token));
            self.tokens += 1;
            self.correct += right;
            self.scored_tokens += scored;
            self.scored_correct += right * scored;
            wrong[0] += 1 - right;
            wrong[1] += (1 - right) * scored;
        }
        self.sentences += 1;
        self.root_correct += u64::from(gold_tree.roots().eq(tree.roots()));
        self.complete += u64::from(wrong[0] == 0);
        self.scored_complete += u64::from(wrong[1] == 0);
        Ok(())
    }

    fn report(&self, punctuation: &Punctuation) -> String {
        let line = |name: &str, part: u64, of: u64| {
            let percent = if of == 0 { "-".to_owned() } else { format!("{:.2}", 100.0 * part as f64 / of as f64) };
            format!("{name:<32} {percent:>7}   {part} / {of}\n")
        };
        let mut text = String::new();
        text += &line("UAS, all tokens", self.correct, self.tokens);
        text += &line("UAS, without punctuation", self.scored_correct, self.scored_tokens);
        text += &line("root accuracy", self.root_correct, self.sentences);
        text += &line("complete match", self.complete, self.sentences);
        text += &line("complete, without punctuation", self.scored_complete, self.sentences);
        let column = match punctuation.column {
            TagColumn::Fine => "fine",
            TagColumn::Coarse => "coarse",
        };
        if self.scored_tokens == self.tokens {
            text += "no word was left out as punctuation: both UAS are of all tokens\n";
        } else {
            text += &format!("punctuation: gold {column} tag is one of {}\n", punctuation.tags.join(" "));
        }
        text
    }
}
