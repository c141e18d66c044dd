//! `treebound data convert`: treebank files to CoNLL-X, which has words alone: no comments, ranges, empty nodes or blanks.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use crate::cli::output::say;
use crate::cli::streams::{self, EncodingFlags};
use treebound_parser::model::{Roots, projectivize};
use treebound_parser::treebank::penn::{self, HeadRules};
use treebound_parser::treebank::{Sentence, TreebankError, check_lengths, conll};
use treebound_records::number::counted;

#[derive(Args)]
pub struct ConvertArguments {
    /// Format of the files
    #[arg(long, value_enum)]
    from: From,
    /// Head rules for brackets: english, chinese, or a rule file
    #[arg(long, value_name = "NAME|FILE", required_if_eq("from", "penn"))]
    rules: Option<String>,
    #[command(flatten)]
    encoding: EncodingFlags,
    /// Replace each tree by the projective tree with one root that keeps most of its arcs
    #[arg(long)]
    projectivize: bool,
    /// Where to write, compressed if the name ends in .gz; standard output if not given or `-`
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Files, converted one after the other; `-` is standard input, and a name that ends in .gz one that is compressed
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum From {
    /// Penn Treebank brackets
    Penn,
    /// CoNLL-U
    Conllu,
    /// CoNLL-X
    Conllx,
}

pub fn convert(arguments: &ConvertArguments) -> Result<ExitCode> {
    streams::refuse_input(arguments.output.as_deref(), &arguments.files)?;
    let rules = arguments.rules.as_deref().map(HeadRules::named).transpose()?;
    if rules.is_some() && arguments.from != From::Penn {
        bail!("--rules: head rules are for brackets, --from penn; CoNLL files have their heads");
    }
    // All is converted before any of it is written: a file that cannot be read leaves no half of an output.
    let (mut out, mut wordless) = (Vec::new(), Vec::new());
    for file in &arguments.files {
        let (bytes, name) = (arguments.encoding.read(file)?, streams::name(file));
        match &rules {
            Some(rules) => {
                let mut read = penn::parse(&bytes, &name, rules)?;
                changed(&mut read.sentences, arguments.projectivize)?;
                conll::write_conllx(&read.sentences, &mut out)?;
                wordless.extend(read.wordless);
            }
            None => {
                let mut file = conll::parse(&bytes, &name)?;
                changed(&mut file.sentences, arguments.projectivize)?;
                file.write_words(&mut out)?;
            }
        }
    }
    streams::write(arguments.output.as_deref(), |file| file.write_all(&out))?;
    if let Some(first) = wordless.first() {
        let count = counted(wordless.len() as u64, "tree without words was", "trees without words were");
        say!("{count} passed over: {first}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Replaces trees, if that is asked for.
fn changed(sentences: &mut [Sentence], is_projectivized: bool) -> Result<(), TreebankError> {
    if is_projectivized {
        // Its time grows with the cube of the length, as that of parsing does.
        check_lengths(sentences)?;
        for sentence in sentences {
            sentence.gold = sentence.gold.as_ref().map(|tree| projectivize(tree, Roots::One));
        }
    }
    Ok(())
}
