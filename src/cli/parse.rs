//! `treebound parse`: a CoNLL file with heads from a model.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::flags::{JobsFlags, Limit, MemoryFlags};
use super::output::{print, say};
use super::streams::{self, EncodingFlags};
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::{Decoder, Status};
use treebound_experiment::explanation::Page;
use treebound_parser::model::explain::Explanation;
use treebound_parser::model::{FileParser, ParseError, Parser, Scratch, TrainedParser};
use treebound_parser::pruning::Rule;
use treebound_parser::tagger;
use treebound_parser::treebank::conll::{self, ConllFile};
use treebound_parser::treebank::{self, FineTags, Sentence};

#[derive(Args)]
pub struct ParseArguments {
    /// The model, as written by treebound train
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// CoNLL-U, CoNLL-U Plus or CoNLL-X, `-` for standard input, compressed if its name ends in .gz. Heads are replaced, whatever
    /// they are, relations by a model that finds labels, and tags by a model of predicted tags, which looks at the words alone; all
    /// else is kept; without labels a relation too, but `root` of a word that goes to the root and `dep` of one that comes from
    /// there. Above a tree that is not proven to be the
    /// best stands `# proven = no`
    input: PathBuf,
    #[command(flatten)]
    encoding: EncodingFlags,
    /// Where to write, compressed if the name ends in .gz; standard output if not given or `-`
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Whether the model's fine tags are the file's own, or its coarse ones (`fine_tags` of the corpus): own or coarse
    #[arg(long, default_value = "own", value_parser = fine_tags)]
    fine_tags: FineTags,
    /// Keep this many heads a word instead of what the model was trained with
    #[arg(long, conflicts_with = "threshold")]
    k: Option<usize>,
    /// Keep heads at least this times as probable as the best
    #[arg(long)]
    threshold: Option<f64>,
    /// bnb or paper, for models with non-local features (`paper+polyak` and the like are other readings of the paper); or mbr,
    /// the tree with most expected right heads, for a CRF
    #[arg(long, default_value = "bnb")]
    decoder: String,
    /// Stop the search of a sentence at this many calls to the dynamic program (a last fixing of arcs may add one), or `none`
    #[arg(long, value_name = "N", default_value = Limit::USUAL, value_parser = Limit::parse)]
    dp_calls: Limit,
    #[command(flatten)]
    memory: MemoryFlags,
    /// Write the probability of each head into the last column (`HeadProb=0.987654`); the model must be a CRF
    #[arg(long, conflicts_with = "explain")]
    probabilities: bool,
    /// Print instead why the tree of this sentence was chosen, by its number from 1; heads of the input count as the gold tree
    #[arg(long, value_name = "N", conflicts_with = "output")]
    explain: Option<usize>,
    #[command(flatten)]
    jobs: JobsFlags,
}

/// Most words for which a model is mapped as it lies in its file.
const FEW_WORDS: usize = 2000;

fn fine_tags(text: &str) -> Result<FineTags, String> {
    FineTags::ALL.into_iter().find(|tags| tags.name() == text).ok_or_else(|| "own or coarse".to_owned())
}

pub fn parse(arguments: &ParseArguments) -> Result<ExitCode> {
    streams::refuse_input(arguments.output.as_deref(), [&arguments.input, &arguments.model])?;
    if let Some(path) = &arguments.output
        && let Some(folder) = path.parent().filter(|p| !p.as_os_str().is_empty())
        && !folder.is_dir()
    {
        bail!("{}: there is no folder {} to write it to", path.display(), folder.display());
    }
    let (bytes, name) = (arguments.encoding.read(&arguments.input)?, streams::name(&arguments.input));
    // Only an explanation looks at the heads that are there.
    let input =
        if arguments.explain.is_some() { conll::parse(&bytes, &name)? } else { conll::parse_words(&bytes, &name)? };
    // A model that is read whole parses faster, and one that is mapped is there at once.
    let is_little =
        input.sentences.iter().map(Sentence::len).sum::<usize>() <= FEW_WORDS || arguments.explain.is_some();
    let open = if is_little { TrainedParser::open } else { TrainedParser::read };
    let trained = arguments.jobs.install(|| Ok(open(&arguments.model)?));
    let trained = trained.map_err(|error| match streams::meant(&arguments.model) {
        meant if meant.is_empty() => error,
        meant => error.context(format!("{}: there is no such file{meant}", arguments.model.display())),
    })?;
    treebank::check_lengths(&input.sentences)?;
    let mut words = input.sentences.iter().flat_map(|sentence| &sentence.tokens);
    if trained.tagger.is_none() && arguments.fine_tags.are_own() && words.all(|word| word.fine == "_") {
        say!(
            "no word has a tag (columns 4 and 5), and this model brings no tagger: where it learnt from tags, tag the words \
             first, or train one with --set 'tags=\"predicted\"'"
        );
    }
    let parser = arguments.parser(&trained)?;
    let file_parser = FileParser {
        parser,
        tagger: trained.tagger.as_ref(),
        fine_tags: arguments.fine_tags,
        has_probabilities: arguments.probabilities,
    };
    if let Some(number) = arguments.explain {
        let text = explained(&file_parser, &input, number, &name.display());
        trained.check_use(&arguments.model)?;
        print(&text?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if (arguments.probabilities || parser.decoder == Decoder::Mbr) && trained.model.log_unit().is_none() {
        return Err(ParseError::NoProbabilities).with_context(|| arguments.model.display().to_string());
    }
    let parsed = arguments.jobs.install(|| Ok(file_parser.parse(&input.sentences)?));
    // Damaged weights may also be why a sentence cannot be parsed.
    trained.check_use(&arguments.model)?;
    let parsed = parsed?;
    let all = parsed.len();
    let stops = [(Status::DpCallLimit, "--dp-calls"), (Status::MemoryLimit, "--memory-mib")];
    let unproven = stops.map(|(status, flag)| (parsed.ended(status), flag));
    let rounded = parsed.ended(Status::Relaxed);
    streams::write(arguments.output.as_deref(), |out| parsed.write(&input, out))?;
    for (unproven, flag) in unproven.into_iter().filter(|(unproven, _)| *unproven > 0) {
        say!("{unproven} of {all} trees are not proven to be the best: the search stopped at its limit ({flag})");
    }
    if rounded > 0 {
        say!(
            "{rounded} of {all} trees are not proven to be the best: they were rounded from relaxations with fractions"
        );
    }
    Ok(ExitCode::SUCCESS)
}

impl ParseArguments {
    /// The parser that is asked for.
    fn parser<'t>(&self, trained: &'t TrainedParser) -> Result<Parser<'t>> {
        let rule = match (self.k, self.threshold) {
            (Some(0), _) => bail!("--k 0: keep at least 1 head a word"),
            (Some(k), _) => Rule::Best(k),
            (None, Some(t)) if !(t > 0.0 && t <= 1.0) => bail!("--threshold {t}: it lies above 0 and is at most 1"),
            (None, Some(t)) => Rule::Threshold(t),
            (None, None) => trained.rule,
        };
        let decoder = match Decoder::parse(&self.decoder) {
            Some(decoder) if decoder.is_search() && !trained.model.needs_search() => Decoder::Dp,
            Some(decoder) if decoder.is_search() || decoder == Decoder::Mbr => decoder,
            _ => bail!("--decoder {}: it can be bnb, paper, mbr, ilp or lp", self.decoder),
        };
        let limits = Limits { dp_calls: self.dp_calls.0, nodes: None, bytes: self.memory.bytes() };
        Ok(Parser { pruner: &trained.pruner, rule, model: &trained.model, decoder, limits })
    }
}

/// Why the tree of a sentence was chosen.
fn explained(file: &FileParser, input: &ConllFile, number: usize, name: &dyn std::fmt::Display) -> Result<String> {
    let Some(sentence) = number.checked_sub(1).and_then(|i| input.sentences.get(i)) else {
        bail!("--explain {number}: {name} has sentences 1 to {}", input.sentences.len());
    };
    let tokens = file.tokens(sentence, &mut tagger::Scratch::default());
    let mut scratch = Scratch::default();
    let found = Explanation::new(&file.parser, &tokens, sentence.gold.as_ref(), None, &mut scratch)
        .with_context(|| sentence.place.to_string())?;
    let page = Page { tokens: &tokens, sentence, found: &found, graph: scratch.graph(), model: file.parser.model };
    Ok(format!("{}\n\n{}", sentence.place, page.text()))
}
