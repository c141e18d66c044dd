//! `treebound new`: a config for a treebank of one's own, with comments.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use super::check;
use super::output::print;
use treebound_experiment::config;
use treebound_experiment::data::Treebank;
use treebound_experiment::provenance::shell_word;
use treebound_parser::cell::{Axis, CorpusName, Split};
use treebound_records::file;
use treebound_records::spanned::joined;

/// The folder of configs.
const CONFIGS: &str = "configs";

#[derive(Args)]
pub struct NewArguments {
    /// The name of the treebank: the config is configs/NAME.toml, its results are results/NAME
    name: String,
    /// Files to learn from; may be repeated
    #[arg(long, required = true, value_name = "FILE")]
    train: Vec<PathBuf>,
    /// Files to choose epochs, feature sets and settings by; may be repeated, or left out
    #[arg(long, value_name = "FILE")]
    dev: Vec<PathBuf>,
    /// Files for the tables; may be repeated
    #[arg(long, required = true, value_name = "FILE")]
    test: Vec<PathBuf>,
    /// Their format; by their ending if not given
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Head rules for brackets: english, chinese, or a rule file
    #[arg(long, value_name = "NAME|FILE", required_if_eq("format", "penn"))]
    rules: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// CoNLL-U
    Conllu,
    /// CoNLL-X
    Conllx,
    /// Penn Treebank brackets
    Penn,
}

impl Format {
    /// That of a file, by its ending.
    fn of_file(file: &Path) -> Option<Self> {
        let name = file.to_string_lossy().to_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        Some(match name.rsplit_once('.')?.1 {
            "conllu" => Self::Conllu,
            "conll" | "conllx" => Self::Conllx,
            "mrg" | "fid" | "parse" => Self::Penn,
            _ => return None,
        })
    }

    /// The one that is given, or that of the ending of a file.
    pub fn find(given: Option<Self>, file: &Path) -> Result<Self> {
        given.or_else(|| Self::of_file(file)).with_context(|| {
            format!("{}: its ending does not say what it is; add --format conllu, conllx or penn", file.display())
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Conllu => "conllu",
            Self::Conllx => "conllx",
            Self::Penn => "penn",
        }
    }
}

pub fn new(arguments: &NewArguments) -> Result<ExitCode> {
    let name = &arguments.name;
    if CorpusName::parse(name).is_none() {
        bail!("{name}: {} is needed", CorpusName::EXPECTED);
    }
    let path = Path::new(CONFIGS).join(format!("{name}.toml"));
    if path.exists() {
        bail!("{}: there already; take another name, or edit it", path.display());
    }
    let first = arguments.train.first().map_or(Path::new(""), PathBuf::as_path);
    let format = Format::find(arguments.format, first)?;
    if format == Format::Penn && arguments.rules.is_none() {
        bail!("brackets need head rules: add --rules english, chinese or a file");
    }
    // Nothing is written that cannot be used. Paths start in the folder, so it must be there to try them.
    let text = text(arguments, format);
    std::fs::create_dir_all(CONFIGS).with_context(|| CONFIGS.to_owned())?;
    let treebanks = treebanks(&text, &path).inspect_err(|_| {
        // Only an empty folder goes.
        let _ = std::fs::remove_dir(CONFIGS);
    })?;
    file::write(&path, text.as_bytes())?;
    print(&format!("wrote {}\n", path.display()))?;
    let code = check::check(&check::CheckArguments::of_config(&path))?;
    let is_left_out = |treebank: &Treebank| {
        let mut tokens = treebank.part(Split::Test).sentences.iter().flat_map(|sentence| &sentence.tokens);
        tokens.any(|token| treebank.corpus.punctuation.covers(token))
    };
    if !treebanks.iter().any(is_left_out) {
        print(
            "no word of the test part counts as punctuation: if that is wrong, change `punctuation` in the config\n",
        )?;
    }
    print(&format!(
        "next: treebound plan {config}, then treebound run {config}\n",
        config = shell_word(&path.to_string_lossy())
    ))?;
    Ok(code)
}

/// The treebanks of a config, read.
fn treebanks(text: &str, path: &Path) -> Result<Vec<Treebank>> {
    let config = config::parse(text, path)?;
    Ok(config.corpora.iter().map(|corpus| Treebank::read(&config, corpus)).collect::<Result<_, _>>()?)
}

/// The config.
fn text(arguments: &NewArguments, format: Format) -> String {
    let name = &arguments.name;
    let has_dev = !arguments.dev.is_empty();
    let mut text = format!(
        "# The treebank {name}: the second-order parser, and what non-local features add to it. docs/CONFIGURE.md has every key.\n\
         #\n\
         #     treebound check configs/{name}.toml       are config and data as they should be?\n\
         #     treebound plan configs/{name}.toml        what is to be made, and how long does it take?\n\
         #     treebound run configs/{name}.toml         learns and parses; who stops it goes on with the same command\n\
         #     treebound table configs/{name}.toml 2     accuracy of each feature set\n\
         \n\
         # Each parser is learnt once with each seed, which decides the order of sentences.\n\
         seeds = [1, 2]\n\
         # Tags of the files. \"predicted\": those of a tagger that is learnt from the training part.\n\
         tags = \"gold\"\n\n\
         [[corpus]]\n\
         name = {}\n\
         format = \"{}\"\n",
        quoted(name),
        format.name()
    );
    if let Some(rules) = &arguments.rules {
        let is_file = Path::new(rules).is_file();
        let rules = if is_file { from_configs(Path::new(rules)) } else { rules.clone() };
        text += &format!("# What the head of a constituent is.\nrules = {}\n", quoted(&rules));
    }
    text += "# Paths start at this file.\n";
    text += &format!("train = {}\n", files(&arguments.train));
    if has_dev {
        text += &format!("dev = {}\n", files(&arguments.dev));
    }
    text += &format!("test = {}\n", files(&arguments.test));
    let punctuation = if format == Format::Penn { "ptb" } else { "ud" };
    text += &format!(
        "# Words that are not scored. \"ud\": coarse tag PUNCT. Others: \"ptb\", \"ctb\", \"none\", or by tag, as in\n\
         # {{ column = \"fine\", tags = [\"$.\", \"$,\"] }}.\n\
         punctuation = \"{punctuation}\"\n\n\
         [training]\n\
         # \"compact\" has few templates and is learnt in minutes; \"paper\" has as many as the paper, takes about ten times as\n\
         # long, and is more accurate on large treebanks.\n\
         templates = \"compact\"\n\
         # \"perceptron\", as in the paper; \"mira\", which is usually more accurate; \"crf\"; or several: [\"perceptron\", \"mira\"].\n\
         learner = \"perceptron\"\n\
         epochs = 8\n"
    );
    text += if has_dev {
        "# The weights of the pass that parses the development part best. \"last\": of the last one.\nchoose_epoch = \"dev\"\n"
    } else {
        "# Without a development part the weights of the last pass count. With one, choose_epoch = \"dev\" takes the best.\n\
         choose_epoch = \"last\"\n"
    };
    text += "# While learning: ten candidate heads a word, and searches that stop after fifty calls of the dynamic program.\n\
             pruning = \"k=10\"\n\
             dp_calls = 50\n\n\
             [decoding]\n\
             # While parsing. \"none\" prunes nothing, \"t=1e-3\" by probability; [\"k=10\", \"k=5\"] compares.\n\
             pruning = \"k=10\"\n\
             # A search that is stopped here has its best tree so far, which counts as not proven.\n\
             dp_calls = 2000\n\n\
             [evaluation]\n";
    text += if has_dev {
        "# Choose by \"dev\", report \"test\". \"cv\" parses all parts by ten-fold cross-validation.\nsplits = [\"dev\", \"test\"]\n"
    } else {
        "# \"cv\" parses all parts by ten-fold cross-validation, which suits a small treebank.\nsplits = \"test\"\n"
    };
    text += "\n\
             # All combinations of the values of a grid are run; what it leaves out is as above.\n\
             [[grid]]\n\
             name = \"main\"\n\
             # The baseline is always there. \"all\": every combination of the families; \"ablation\": each alone, and the best set\n\
             # without each.\n\
             sets = [\"grandchild\", \"sibling\", \"grandchild+sibling\"]\n";
    text
}

/// A text as TOML has it.
pub(super) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A file, or a list of files.
fn files(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths.iter().map(|path| quoted(&from_configs(path))).collect();
    match &names[..] {
        [one] => one.clone(),
        names => format!("[{}]", names.join(", ")),
    }
}

/// A path from the working folder, as seen from the folder of configs.
fn from_configs(path: &Path) -> String {
    let text = path.to_string_lossy();
    if path.is_absolute() { text.into_owned() } else { joined(Path::new(".."), &text) }
}
