//! `treebound diff`: results against those of a revision or of another folder.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use clap::builder::{PathBufValueParser, StringValueParser, TypedValueParser};

use super::filter::NameFlags;
use super::flags::results_of;
use super::output::{print, print_coloured, say};
use treebound_core::shown::escaped;
use treebound_experiment::provenance::Log;
use treebound_experiment::provenance::git::Git;
use treebound_files::input;
use treebound_records::{ReportError, cell_numbers, file, schema};
use treebound_report::diff::{self, Mark, Side, Times};
use treebound_report::frame::Frame;
use treebound_report::sentences::Sentences;
use treebound_report::tables::table::Table;

/// What stands under the examples.
const READING: &str = "A line is a setting: means over the seeds that both sides have, and p by a paired test over \
sentences where both sides
have theirs. A line is marked `worse` if fewer words are right or fewer sentences proven over these seeds, which may be
chance (see p), and `gone` if the new side lacks a cell. A setting that only the new side has stands beside the one that
it replaced: one that only the old side has and that differs in one thing, such as k. Results of other data, or with
another punctuation rule, are refused. Words per second stand side by side where one machine timed both, and never
make a verdict.";

#[derive(Args)]
#[command(after_help = READING)]
pub struct DiffArguments {
    /// A results folder, its config, or a scores file; all folders of results/ if nothing is given, or a revision in its place
    #[arg(value_parser = PathBufValueParser::new().map(results_of))]
    results: Option<PathBuf>,
    /// A revision to compare with (HEAD if nothing is given), or the folder, config or scores file of the new results
    #[arg(value_name = "REVISION|RESULTS", value_parser = StringValueParser::new().map(revision_or_results))]
    other: Option<String>,
    /// A revision whose results are the new ones
    #[arg(value_name = "REVISION")]
    new: Option<String>,
    /// Show all cells and measures, not only what changed
    #[arg(long)]
    all: bool,
    /// Exit with 1 if a cell got worse: fewer right words, fewer proofs, an error, or gone
    #[arg(long)]
    exit_code: bool,
    /// Print Markdown
    #[arg(long, alias = "md", conflicts_with = "json")]
    markdown: bool,
    /// Print JSON, with counts instead of percentages
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    filter: NameFlags,
}

/// The results folder of a config; any other word is itself.
fn revision_or_results(word: String) -> String {
    results_of(PathBuf::from(&word)).into_os_string().into_string().unwrap_or(word)
}

pub fn diff(arguments: &DiffArguments) -> Result<ExitCode> {
    let wanted = arguments.filter.names()?;
    let mut fails = false;
    let mut found = Vec::new();
    let asked = Asked::new(arguments)?;
    if let Some(results) = asked.results {
        let (old, new) = asked.sides(results, &wanted)?;
        if arguments.filter.is_given() && old.scores.is_empty() && new.scores.is_empty() {
            bail!("--filter: no cell matches in {} and {}", old.name, new.name);
        }
        found.push(diff::diff(&old, &new)?);
    } else {
        for folder in folders_of_results()? {
            if let Some(old) = asked.lacks(&folder) {
                say!("treebound: {}: new, not in {old}", folder.display());
                continue;
            }
            // One that cannot be read says nothing of the others.
            let sides = asked.sides(&folder, &wanted);
            match sides.and_then(|(old, new)| Ok(diff::diff(&old, &new)?)) {
                Ok(diff) => found.push(diff),
                Err(error) => {
                    say!("treebound: {error:#}");
                    fails = true;
                }
            }
        }
    }
    if arguments.json {
        let all = found.iter().map(|diff| diff.json(arguments.all)).collect::<Result<Vec<_>, _>>()?;
        let one = all.first().filter(|_| asked.results.is_some());
        print(&(one.map_or_else(|| serde_json::to_string_pretty(&all), serde_json::to_string_pretty)? + "\n"))?;
    } else {
        let text = |diff: &diff::Diff| {
            let table = diff.table(arguments.all)?;
            Ok::<String, anyhow::Error>(match arguments.markdown {
                true => escaped(&table.markdown()).into_owned(),
                false => shown(&table),
            })
        };
        print_coloured(&found.iter().map(text).collect::<Result<Vec<_>>>()?.join("\n"))?;
    }
    fails |= arguments.exit_code && found.iter().any(|diff| diff.worse().next().is_some());
    Ok(if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The cells of a results folder against those of another.
pub fn between_folders(
    (old, is_old): (&Path, impl Fn(&str) -> bool),
    (new, is_new): (&Path, impl Fn(&str) -> bool),
) -> Result<diff::Diff> {
    Ok(diff::diff(&Location::new(old).now(&is_old)?, &Location::new(new).now(&is_new)?)?)
}

/// A diff for the terminal: all cells and measures, or what changed.
pub fn shown(table: &Table) -> String {
    let text = table.text();
    let text = escaped(&text);
    if colours() { coloured(&text) } else { text.into_owned() }
}

/// The folders of `results/` that have scores, by name.
fn folders_of_results() -> Result<Vec<PathBuf>> {
    let results = Path::new("results");
    let entries = results.read_dir().context("results: cannot be listed; name a results folder or a scores file")?;
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    // One that cannot be looked into is told when it is read.
    folders.retain(|folder| folder.is_dir() && folder.join("scores.csv").try_exists().unwrap_or(true));
    folders.sort();
    if folders.is_empty() {
        bail!("results: no folder there has scores.csv; name a results folder or a scores file");
    }
    Ok(folders)
}

/// Whether somebody sees colours, and wants them (no-color.org).
fn colours() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Lines with a mark in red.
fn coloured(text: &str) -> String {
    let is_marked =
        |line: &str| [Mark::Gone, Mark::Worse].iter().any(|mark| line.ends_with(&format!(" {}", mark.name())));
    let line = |line: &str| {
        if is_marked(line) { format!("\x1b[31m{line}\x1b[0m\n") } else { format!("{line}\n") }
    };
    text.lines().map(line).collect()
}

/// What is asked for.
struct Asked<'a> {
    /// A folder or a scores file; none for all folders of `results/`.
    results: Option<&'a Path>,
    other: Option<&'a str>,
    new: Option<&'a str>,
}

impl<'a> Asked<'a> {
    /// By the words of the command line: what is no file or folder, but a revision, is asked of all folders.
    fn new(arguments: &'a DiffArguments) -> Result<Self> {
        let (other, new) = (arguments.other.as_deref(), arguments.new.as_deref());
        let results = arguments.results.as_deref();
        let revision = results.filter(|path| !path.exists()).and_then(Path::to_str);
        match revision.filter(|name| Git::in_folder(Path::new(".")).is_revision(name)) {
            Some(old) if new.is_some() => bail!("{old}: two revisions can be compared, not three"),
            Some(old) => Ok(Self { results: None, other: Some(old), new: other }),
            None => Ok(Self { results, other, new }),
        }
    }

    /// The old revision, if it is one without this folder.
    fn lacks(&self, folder: &Path) -> Option<&str> {
        let old = self.other.unwrap_or(HEAD);
        let location = Location::new(folder);
        let above = location.folder();
        let scores = location.scores.strip_prefix(above).unwrap_or(&location.scores);
        let git = Git::in_folder(above);
        (git.is_revision(old) && git.file(old, scores).is_none()).then_some(old)
    }

    /// Both sides of a folder or file, with the cells that are wanted.
    fn sides(&self, results: &Path, wanted: &impl Fn(&str) -> bool) -> Result<(Side, Side)> {
        let location = Location::new(results);
        match (self.other, self.new) {
            (None, _) => Ok((location.at(HEAD, wanted)?, location.now(wanted)?)),
            (Some(other), None) if self.results.is_some() && Path::new(other).exists() => {
                Ok((location.now(wanted)?, Location::new(Path::new(other)).now(wanted)?))
            }
            (Some(old), None) => Ok((location.at(old, wanted)?, location.now(wanted)?)),
            (Some(old), Some(new)) => Ok((location.at(old, wanted)?, location.at(new, wanted)?)),
        }
    }
}

/// What results are held against where nothing is named.
const HEAD: &str = "HEAD";

/// Where results are, now or in a revision.
struct Location<'a> {
    name: &'a Path,
    scores: PathBuf,
}

/// A file of results: its bytes, if it is there, and its name for messages.
type File = (Option<Vec<u8>>, PathBuf);

impl<'a> Location<'a> {
    /// A scores file, or a folder with one.
    fn new(name: &'a Path) -> Self {
        // What is not there now may be a folder or a file of a revision.
        let is_file = name.is_file() || !name.exists() && name.extension().is_some_and(|extension| extension == "csv");
        Self { name, scores: if is_file { name.to_owned() } else { name.join("scores.csv") } }
    }

    /// The results as they are now.
    fn now(&self, wanted: &impl Fn(&str) -> bool) -> Result<Side> {
        let read = |path: PathBuf| {
            let bytes = match path == self.scores {
                true => Some(input::read(&path).with_context(|| format!("{}: cannot read the file", path.display()))?),
                false => file::bytes_if_there(&path)?,
            };
            Ok((bytes, path))
        };
        self.side(self.name.display().to_string(), read, wanted)
    }

    /// A folder of the checkout that they are in. Their own may be gone by now, but one above it is in the same.
    fn folder(&self) -> &Path {
        let above = self.scores.ancestors().skip(1).find(|folder| folder.is_dir());
        above.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// The results as they were in a revision.
    fn at(&self, revision: &str, wanted: &impl Fn(&str) -> bool) -> Result<Side> {
        let folder = self.folder();
        let git = Git::in_folder(folder);
        let name = self.name.display();
        if revision == HEAD
            && let Err(said) = git.ask(&["rev-parse", "--git-dir"])
        {
            bail!(
                "{name}: in no git checkout that can be asked, so nothing is known of how it was ({said}); two folders are \
                 compared with: treebound diff OTHER {name}"
            );
        }
        if let Err(said) = git.check_revision(revision) {
            bail!("{revision}: neither a file or folder nor a git revision of the checkout of {name} ({said})");
        }
        let name = |path: &Path| format!("{revision}:{}", path.display());
        let read = |path: PathBuf| {
            let bytes = git.file(revision, path.strip_prefix(folder).unwrap_or(&path));
            match bytes {
                None if path == self.scores && !self.name.exists() => {
                    bail!("{}: there is no such file or folder, nor was there one at {revision}", self.name.display())
                }
                None if path == self.scores => bail!(
                    "{}: not in that revision; two folders are compared with: treebound diff OTHER {}",
                    name(&self.scores),
                    self.name.display()
                ),
                bytes => Ok((bytes, PathBuf::from(name(&path)))),
            }
        };
        self.side(name(self.name), read, wanted)
    }

    /// The wanted cells of results whose files are read by a function.
    fn side(
        &self,
        name: String,
        read: impl Fn(PathBuf) -> Result<File>,
        wanted: &impl Fn(&str) -> bool,
    ) -> Result<Side> {
        let beside = |file: &str| read(self.scores.with_file_name(file));
        let (bytes, scores_path) = read(self.scores.clone())?;
        let scores = of_cells(Frame::parse(&bytes.unwrap_or_default(), &scores_path, &schema::SCORES)?, wanted)?;
        let (bytes, path) = beside("config.resolved.toml")?;
        let config = bytes.map(|bytes| table(&bytes, &path.display().to_string())).transpose()?;
        let (bytes, path) = beside(cell_numbers::FILE)?;
        let sentences = match bytes {
            Some(bytes) => Sentences::parse(&bytes, &path)?.only(wanted),
            None => Sentences::default(),
        };
        if let Some(cell) = sentences.contradiction(&scores)? {
            return Err(ReportError::Sums { path, scores: scores_path, cell }.into());
        }
        let (bytes, path) = beside("provenance.toml")?;
        let origins = match bytes {
            Some(bytes) => Log::parse(&String::from_utf8_lossy(&bytes), &path)?,
            None => Log::default(),
        };
        let (bytes, path) = beside("speed.csv")?;
        let speeds = bytes.map(|bytes| Frame::parse(&bytes, &path, &schema::SPEED)).transpose()?;
        let times = match speeds {
            Some(rows) => times(of_cells(rows, wanted)?, &origins)?,
            None => Times::default(),
        };
        Ok(Side { name, scores, config, sentences, treebanks: origins.treebanks(), times })
    }
}

/// The rows of the wanted cells.
fn of_cells(rows: Frame, wanted: &impl Fn(&str) -> bool) -> Result<Frame> {
    Ok(if rows.is_empty() { rows } else { rows.only("cell", wanted)? })
}

/// Times, and who took them.
fn times(rows: Frame, origins: &Log) -> Result<Times> {
    let machine = origins.last("time").map(|entry| format!("{:?}", entry.machine));
    let cells = if rows.is_empty() { Vec::new() } else { rows.words("cell")? };
    let machines = cells.into_iter().filter_map(|cell| Some((cell, [machine.clone()?].into()))).collect();
    Ok(Times { rows: Some(rows), machines })
}

fn table(bytes: &[u8], name: &str) -> Result<toml::Table> {
    let text = std::str::from_utf8(bytes).with_context(|| format!("{name}: not UTF-8"))?;
    text.parse().with_context(|| format!("{name}: not TOML"))
}
