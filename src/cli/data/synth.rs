//! `treebound data synth`: a synthetic treebank, into files.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use crate::cli::flags::JobsFlags;
use crate::cli::output::say;
use treebound_experiment::config;
use treebound_files::{input, write_whole};
use treebound_parser::treebank::conll;
use treebound_synthetic as synth;
use treebound_synthetic::{self, Config, Generator, Section};

#[derive(Args)]
pub struct SynthArguments {
    /// Folder for the files train, dev and test; made if absent
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Format of the files
    #[arg(long, value_enum, default_value_t = Format::Conllu)]
    format: Format,
    /// Start from the synthetic corpus of this config instead of the default settings
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Name of that corpus, if the config has several synthetic ones
    #[arg(long, requires = "config")]
    corpus: Option<String>,
    /// Seed: everything that is drawn follows from it [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Training sentences [default: 2000]
    #[arg(long, value_name = "N")]
    train: Option<usize>,
    /// Development sentences [default: 400]
    #[arg(long, value_name = "N")]
    dev: Option<usize>,
    /// Test sentences [default: 600]
    #[arg(long, value_name = "N")]
    test: Option<usize>,
    /// Words of the open classes [default: 20000]
    #[arg(long, value_name = "N")]
    vocabulary: Option<usize>,
    /// Set a rate, in ‰: unknown, head_noise, tag_noise, nonprojective, or a phenomenon (0 switches it off)
    #[arg(long, value_name = "NAME=N", value_parser = rate)]
    rate: Vec<(String, u32)>,
    /// Replace files that are there and differ
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    jobs: JobsFlags,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// CoNLL-U; its last column says which phenomenon decides the head of a word
    Conllu,
    /// CoNLL-X
    Conllx,
}

fn rate(text: &str) -> Result<(String, u32), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=N, such as brackets=0")?;
    let value = value.parse().map_err(|_| format!("`{value}` is not a whole number"))?;
    Ok((name.to_owned(), value))
}

pub fn synth(arguments: &SynthArguments) -> Result<ExitCode> {
    let config = settings(arguments)?;
    let ending = match arguments.format {
        Format::Conllu => "conllu",
        Format::Conllx => "conllx",
    };
    let files = arguments.jobs.install(|| {
        let generator = Generator::new(&config).context("synthetic treebank")?;
        Section::ALL.into_iter().map(|part| made(&generator, part, arguments.format)).collect::<Result<Vec<_>>>()
    })?;
    let path = |part: Section| arguments.out.join(format!("{}.{ending}", part.name()));
    // All files are looked at before the first is written.
    let mut fresh = Vec::new();
    for file in &files {
        let path = path(file.part);
        match there(&path)? {
            Some(bytes) if bytes == file.bytes => continue,
            Some(_) if !arguments.force => {
                bail!("{}: the file is there and differs; --force replaces it", path.display())
            }
            _ => fresh.push((path, file)),
        }
    }
    for (path, file) in &fresh {
        write_whole(path, |out| out.write_all(&file.bytes))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    for file in &files {
        let path = path(file.part);
        let note = if fresh.iter().any(|(p, _)| *p == path) { "" } else { " (was there, the same)" };
        say!("{}: {} sentences, {} words{note}", path.display(), file.sentences, file.words);
    }
    Ok(ExitCode::SUCCESS)
}

/// The settings of the config or the default ones, with what the flags change.
fn settings(arguments: &SynthArguments) -> Result<Config> {
    let mut config = match &arguments.config {
        Some(path) => from_config(path, arguments.corpus.as_deref())?,
        None => Config::default(),
    };
    config.seed = arguments.seed.unwrap_or(config.seed);
    config.train = arguments.train.unwrap_or(config.train);
    config.dev = arguments.dev.unwrap_or(config.dev);
    config.test = arguments.test.unwrap_or(config.test);
    config.vocabulary = arguments.vocabulary.unwrap_or(config.vocabulary);
    for (name, value) in &arguments.rate {
        let Some(rate) = config.rate_mut(name) else {
            let known = Config::rate_names().collect::<Vec<_>>().join(", ");
            bail!("--rate {name}={value}: no such rate; there are {known}");
        };
        *rate = *value;
    }
    Ok(config)
}

fn from_config(path: &Path, name: Option<&str>) -> Result<Config> {
    let config = config::read(path)?;
    let mut synthetic = config.corpora.iter().filter_map(|c| Some((c.name.as_str(), c.synthetic.as_ref()?)));
    let Some(name) = name else {
        return match (synthetic.next(), synthetic.next()) {
            (Some((_, settings)), None) => Ok(settings.clone()),
            (None, _) => bail!("{}: the config has no corpus with format = \"synthetic\"", path.display()),
            _ => bail!("{}: the config has several synthetic corpora; choose one with --corpus", path.display()),
        };
    };
    match synthetic.find(|(n, _)| *n == name) {
        Some((_, settings)) => Ok(settings.clone()),
        None => bail!("{}: the config has no synthetic corpus named `{name}`", path.display()),
    }
}

/// One part as the bytes of its file.
struct Made {
    part: Section,
    sentences: usize,
    words: usize,
    bytes: Vec<u8>,
}

fn made(generator: &Generator, part: Section, format: Format) -> Result<Made> {
    let marked = generator.marked(part)?;
    let mut bytes = Vec::new();
    match format {
        Format::Conllu => synth::write_conllu(part, &marked, &mut bytes)?,
        Format::Conllx => conll::write_conllx(marked.iter().map(|m| &m.sentence), &mut bytes)?,
    }
    let words = marked.iter().map(|m| m.sentence.len()).sum();
    Ok(Made { part, sentences: marked.len(), words, bytes })
}

/// The bytes of a file, if it is there.
fn there(path: &Path) -> Result<Option<Vec<u8>>> {
    match input::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e).with_context(|| format!("cannot read {}", path.display())),
    }
}
