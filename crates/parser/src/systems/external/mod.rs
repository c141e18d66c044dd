//! Parsers that run by command line: CoNLL in, CoNLL out.
//!
//! Files have ten columns, without comments, ranges or empty nodes, and `_` for the blanks of words: what is at once CoNLL-X and
//! CoNLL-U. Both are read back.
//!
//! A config names the commands; words in braces stand for files of the folder in which a command works: `{train}`, `{dev}` and
//! `{model}` where it learns, `{model}`, `{input}` and `{output}` where it parses, and beside them `{seed}` where it learns and
//! `{config}`, the folder of the config. There is no shell,
//! and nothing of the caller's environment but `PATH`. The parser is given exactly the sentences and tags that every other
//! system is given, learns from the same projective trees, and answers for a whole part at once. What it writes is held
//! against what it was given, word by word: a parser that dies, hangs, leaves sentences out or writes nonsense is a row with
//! its error, and no number.
//!
//! Speed is measured by the same rules as for other systems. What a start costs is measured apart, by parsing the part's
//! first sentence alone; the rest is the time from tokens to trees.

mod process;

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Once, OnceLock};
use std::time::Duration;
use std::{fs, io};

use serde::Serialize;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::answer::{Answer, Clock, Phase, Phases};
use crate::bytes::{BytesReader, BytesWriter, Damaged, hex};
use crate::cell::SystemName;
use crate::child::end_all_within;
use crate::systems::facts::spell_words;
use crate::systems::{Facts, How, Needs, PassRecord, Session, System, SystemError, Task, Trained, Versions};
use crate::treebank::{Sentence, Token, Tree, TreebankError, conll, told_apart};
use treebound_files::input;
use treebound_files::owner;
use treebound_files::remove_left_behind;

pub use process::CommandFault;

/// Raised when files are written or read in another way.
const VERSION: u32 = 1;

/// A parser that runs by command line, as a config describes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct External {
    /// Its name in results.
    pub name: SystemName,
    /// How it learns; none if there is nothing to learn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub train: Option<Vec<String>>,
    /// How it parses.
    pub parse: Vec<String>,
    /// What prints its version, of which the first line counts.
    pub version: Vec<String>,
    /// How long a command may run, in seconds.
    pub time_limit_s: u64,
    /// Variables of its environment, beside `PATH`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
}

/// What stands for the folder of the config.
const CONFIG: &str = "{config}";

/// The paths in the folder of the config that a word names among other things.
fn paths_within(word: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| c.is_whitespace() || "'\";|&()<>`".contains(c);
    word.match_indices(CONFIG).map(move |(at, _)| word[at..].split(ends).next().unwrap_or_default())
}

/// An external parser with the folder of its config.
#[derive(Debug)]
pub struct ExternalSystem {
    settings: External,
    base: PathBuf,
    version: OnceLock<String>,
    /// What [`files`](Self::files) were when they were first asked for: what is kept under that stands for no others.
    files: OnceLock<String>,
    running: process::Running,
}

/// Most bytes of a file that a command writes.
const MOST_WRITTEN: u64 = 16 << 30;
/// Most bytes of what tells a version.
const MOST_OF_VERSION: u64 = 1 << 20;

/// How the folders begin in which commands work, below the system's folder for such.
const FOLDER: &str = "treebound-";

impl ExternalSystem {
    /// The parser that a config in the folder `base` describes.
    pub fn new(settings: External, base: &Path) -> Self {
        // The folder of a config in the working folder has no name, and no path can be made of that.
        let base = if base.as_os_str().is_empty() { Path::new(".") } else { base };
        Self {
            settings,
            base: base.to_owned(),
            version: OnceLock::new(),
            files: OnceLock::new(),
            running: process::Running::default(),
        }
    }

    /// Ends its commands, those that run and those that would be started: for a process that is asked to stop.
    pub fn end(&self) {
        self.running.end_all();
    }

    /// The first line that its version command prints; asked once.
    ///
    /// # Errors
    /// If the command fails, or prints nothing.
    pub fn version_line(&self) -> Result<&str, ExternalError> {
        if let Some(line) = self.version.get() {
            return Ok(line);
        }
        let folder = self.folder()?;
        self.run(VERSION_COMMAND, &self.settings.version, folder.path(), &[])?;
        let read = |name| fs::read(folder.path().join(name)).unwrap_or_default();
        let read = |name| String::from_utf8_lossy(&read(name)).into_owned();
        let text = read(process::STDOUT) + &read(process::STDERR);
        let line = text.lines().map(str::trim).find(|line| !line.is_empty());
        let line = line.ok_or_else(|| ExternalError::NoVersion { system: self.settings.name.clone() })?.to_owned();
        Ok(self.version.get_or_init(|| line))
    }

    /// The content of the files of the config's folder that commands name, as it was at first.
    fn files(&self) -> &str {
        self.files.get_or_init(|| self.files_now())
    }

    /// Holds them against what they were: a script may have been edited in place while it worked.
    fn check_files(&self) -> Result<(), ExternalError> {
        let changed = || {
            let now = self.files_now();
            let before: Vec<&str> = self.files().lines().collect();
            let line = now.lines().find(|line| !before.contains(line)).or(before.first().copied());
            line.and_then(|line| line.rsplit_once(' ')).map_or_else(String::new, |(name, _)| name.to_owned())
        };
        match self.files() == self.files_now() {
            true => Ok(()),
            false => Err(ExternalError::Changed { system: self.settings.name.clone(), file: changed() }),
        }
    }

    fn files_now(&self) -> String {
        let External { train, parse, .. } = &self.settings;
        let content = |name: &str| {
            let bytes = input::read(Path::new(&name.replace(CONFIG, &self.base.to_string_lossy()))).ok()?;
            Some(format!("{name} {}", hex(&Sha256::digest(bytes))))
        };
        // A word is a path, or a command for a shell that has some.
        let contents = |word: &String| match content(word) {
            Some(content) => vec![content],
            None => paths_within(word).filter_map(content).collect(),
        };
        let words = train.iter().flatten().chain(parse).filter(|word| word.contains(CONFIG));
        words.flat_map(contents).collect::<Vec<_>>().join("\n")
    }

    fn folder(&self) -> Result<tempfile::TempDir, ExternalError> {
        static CLEARED: Once = Once::new();
        let above = std::env::temp_dir();
        // What a process that was killed has left there, with what still works in it.
        CLEARED.call_once(|| remove_left_behind(&above, FOLDER, end_all_within));
        let folder = tempfile::Builder::new().prefix(&format!("{FOLDER}{}-", owner::tag())).tempdir_in(&above);
        folder.map_err(|source| self.io(&above, source))
    }

    fn io(&self, path: &Path, source: io::Error) -> ExternalError {
        ExternalError::Io { system: self.settings.name.clone(), path: path.to_owned(), source }
    }

    /// Runs a command in `folder`, with `files` in the place of their words.
    fn run(
        &self,
        what: &'static str,
        command: &[String],
        folder: &Path,
        files: &[(&str, &str)],
    ) -> Result<(), ExternalError> {
        // Paths of the config are its own; the command works elsewhere.
        let base = std::path::absolute(&self.base).unwrap_or_else(|_| self.base.clone());
        let filled: Vec<String> = command
            .iter()
            .map(|word| {
                let word = word.replace(CONFIG, &base.to_string_lossy());
                files.iter().fold(word, |word, (name, value)| word.replace(name, value))
            })
            .collect();
        let time = Duration::from_secs(self.settings.time_limit_s);
        let bytes = if what == VERSION_COMMAND { MOST_OF_VERSION } else { MOST_WRITTEN };
        let bounds = process::Bounds { time, bytes };
        process::run(&filled, folder, &self.settings.environment, bounds, &self.running).map_err(|fault| {
            ExternalError::Command {
                system: self.settings.name.clone(),
                what,
                command: filled.first().cloned().unwrap_or_default(),
                fault,
            }
        })
    }

    fn write<'a>(&self, path: &Path, sentences: impl IntoIterator<Item = &'a Sentence>) -> Result<(), ExternalError> {
        let written = fs::File::create(path).and_then(|file| {
            let mut out = BufWriter::new(file);
            conll::write_conllx(sentences, &mut out)?;
            out.flush()
        });
        written.map_err(|source| self.io(path, source))
    }

    fn learn(&self, task: &Task) -> Result<ModelFiles, ExternalError> {
        let Some(train) = &self.settings.train else { return Ok(ModelFiles::default()) };
        let folder = self.folder()?;
        let at = |name: &str| folder.path().join(name);
        let learnt = task.train.sentences.iter().zip(&task.train.trees);
        let learnt: Vec<Sentence> =
            learnt.map(|(s, tree)| Sentence { gold: Some(tree.clone()), ..s.clone() }).collect();
        self.write(&at(TRAIN), &learnt)?;
        self.write(&at(DEV), task.dev)?;
        let seed = task.seed.to_string();
        self.check_files()?;
        let files = [("{train}", TRAIN), ("{dev}", DEV), ("{model}", MODEL), ("{seed}", &seed)];
        self.run("train", train, folder.path(), &files)?;
        let model = at(MODEL);
        if !model.exists() {
            return Err(ExternalError::NoModel { system: self.settings.name.clone() });
        }
        let files = ModelFiles::read(&model).map_err(|source| self.io(&model, source))?;
        self.check_files()?;
        Ok(files)
    }
}

const VERSION_COMMAND: &str = "version";

const TRAIN: &str = "train.conll";
const DEV: &str = "dev.conll";
const MODEL: &str = "model";
const INPUT: &str = "input.conll";
const OUTPUT: &str = "output.conll";

impl System for std::sync::Arc<ExternalSystem> {
    fn name(&self) -> SystemName {
        self.settings.name.clone()
    }

    fn versions(&self) -> Versions {
        Versions { model: VERSION, answers: VERSION }
    }

    fn facts(&self) -> Result<Facts, SystemError> {
        let External { train, parse, environment, .. } = &self.settings;
        Ok(vec![
            ("version", self.version_line()?.to_owned()),
            ("train", train.as_ref().map_or_else(|| "none".to_owned(), spell_words)),
            ("parse", spell_words(parse)),
            ("environment", spell_words(environment.iter().flat_map(|(name, value)| [name, value]))),
            ("files", self.files().to_owned()),
        ])
    }

    fn needs(&self) -> Needs {
        Needs { pruner: false, whole_parts: true }
    }

    fn passes(&self) -> usize {
        0
    }

    fn train(&self, task: &Task, _: &mut dyn FnMut(&[PassRecord])) -> Result<Box<dyn Trained>, SystemError> {
        Ok(Box::new(ExternalModel { system: self.clone(), files: self.learn(task)? }))
    }

    fn load(&self, from: &mut BytesReader) -> Result<Box<dyn Trained>, Damaged> {
        Ok(Box::new(ExternalModel { system: self.clone(), files: ModelFiles::decode(from)? }))
    }
}

/// An external parser with its model.
struct ExternalModel {
    system: std::sync::Arc<ExternalSystem>,
    files: ModelFiles,
}

impl Trained for ExternalModel {
    fn save(&self, to: &mut BytesWriter) {
        self.files.encode(to);
    }

    fn passes(&self) -> &[PassRecord] {
        &[]
    }

    fn session<'a>(&'a self, _: &How<'a>) -> Result<Box<dyn Session + 'a>, SystemError> {
        let folder = self.system.folder()?;
        let model = folder.path().join(MODEL);
        self.files.write(&model).map_err(|source| self.system.io(&model, source))?;
        Ok(Box::new(ExternalSession { system: &self.system, folder }))
    }
}

/// A folder with a model, in which batches are parsed.
struct ExternalSession<'a> {
    system: &'a ExternalSystem,
    folder: tempfile::TempDir,
}

impl Session for ExternalSession<'_> {
    fn parse(&mut self, sentences: &[&[Token]], clock: &mut dyn Clock) -> Result<Vec<Answer>, SystemError> {
        let Some(first) = sentences.first() else { return Ok(Vec::new()) };
        let mut phases = Phases::default();
        let start = if clock.is_running() {
            let (_, start) = self.timed(&[*first], clock)?;
            phases.set(Phase::Start, Some(start));
            start
        } else {
            0
        };
        let (trees, all) = self.timed(sentences, clock)?;
        phases.set(Phase::Decode, Some(all.saturating_sub(start)));
        // The batch is one stretch of time; its first answer carries it.
        let answer = |(i, tree)| Answer::unscored(tree, if i == 0 { phases } else { Phases::default() });
        Ok(trees.into_iter().enumerate().map(answer).collect())
    }
}

impl ExternalSession<'_> {
    /// Parses a batch; the time is that of the command alone, not that of writing and reading files.
    fn timed(&self, batch: &[&[Token]], clock: &mut dyn Clock) -> Result<(Vec<Tree>, u64), ExternalError> {
        let at = |name: &str| self.folder.path().join(name);
        let bare = |tokens: &&[Token]| Sentence { tokens: tokens.to_vec(), ..Sentence::default() };
        let sentences: Vec<Sentence> = batch.iter().map(bare).collect();
        self.system.write(&at(INPUT), &sentences)?;
        let parse = &self.system.settings.parse;
        let files = [("{model}", MODEL), ("{input}", INPUT), ("{output}", OUTPUT)];
        let start = clock.now_ns();
        self.system.run("parse", parse, self.folder.path(), &files)?;
        let time = clock.now_ns() - start;
        let writes_file = parse.iter().any(|word| word.contains("{output}"));
        let path = at(if writes_file { OUTPUT } else { process::STDOUT });
        let trees = self.read(&path, batch)?;
        self.system.check_files()?;
        // The next batch must not find what this one left.
        let _ = fs::remove_file(&path);
        Ok((trees, time))
    }

    fn read(&self, path: &Path, batch: &[&[Token]]) -> Result<Vec<Tree>, ExternalError> {
        let system = || self.system.settings.name.clone();
        let bytes = input::read(path).map_err(|source| self.system.io(path, source))?;
        let name = Path::new("its output");
        let file = conll::parse(&bytes, name).map_err(|source| ExternalError::Output { system: system(), source })?;
        if file.sentences.len() != batch.len() {
            let (found, given) = (file.sentences.len(), batch.len());
            return Err(ExternalError::Sentences { system: system(), found, given });
        }
        let tree = |(i, (written, given)): (usize, (&Sentence, &&[Token]))| {
            let fail = |what| ExternalError::Sentence { system: system(), sentence: i + 1, what };
            if written.len() != given.len() {
                return Err(fail(format!("it has {} words where {} were given", written.len(), given.len())));
            }
            let pairs = written.tokens.iter().zip(*given).enumerate();
            if let Some((m, (w, g))) = pairs.into_iter().find(|(_, (w, g))| w.form != conll::without_blanks(&g.form)) {
                let [wrote, gave] = told_apart(&w.form, &g.form);
                return Err(fail(format!("word {} is {wrote} where {gave} was given", m + 1)));
            }
            written.gold.clone().ok_or_else(|| fail("its words have no heads".to_owned()))
        };
        file.sentences.iter().zip(batch).enumerate().map(tree).collect()
    }
}

/// The files of a model: paths below it and their bytes, sorted. A model that is one file has the empty path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ModelFiles(Vec<(String, Vec<u8>)>);

impl ModelFiles {
    /// Reads a file or folder. A folder without files is an error, and a name that is not UTF-8.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut files = Vec::new();
        collect(path, String::new(), &mut files)?;
        if files.is_empty() {
            return Err(io::Error::other("the model is a folder without files"));
        }
        files.sort();
        Ok(Self(files))
    }

    /// Writes it back; nothing, if there are no files.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        for (name, bytes) in &self.0 {
            let path = if name.is_empty() { path.to_owned() } else { path.join(name) };
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(path, bytes)?;
        }
        Ok(())
    }

    /// Appends the bytes that [`decode`](Self::decode) reads.
    pub fn encode(&self, to: &mut BytesWriter) {
        to.u64(self.0.len() as u64);
        for (name, bytes) in &self.0 {
            to.text(name).bytes(bytes);
        }
    }

    /// Reads what [`encode`](Self::encode) wrote.
    pub fn decode(from: &mut BytesReader) -> Result<Self, Damaged> {
        let files = (0..from.u64()?).map(|_| {
            let name = from.text()?.to_owned();
            // Names that this wrote stay below the model.
            let stays = !name.starts_with('/') && !name.split('/').any(|part| part == "..");
            if stays { Ok((name, from.bytes()?.to_vec())) } else { Err(Damaged) }
        });
        files.collect::<Result<_, _>>().map(Self)
    }
}

fn collect(path: &Path, name: String, files: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    if !path.is_dir() {
        files.push((name, input::read_most(path, input::MOST_MODEL)?));
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let below = entry.file_name().into_string();
        let below = below.map_err(|name| io::Error::other(format!("the name {name:?} of the model is not UTF-8")))?;
        let name = if name.is_empty() { below } else { format!("{name}/{below}") };
        collect(&entry.path(), name, files)?;
    }
    Ok(())
}

/// Why an external parser has no result.
#[derive(Debug, Error)]
pub enum ExternalError {
    /// A command failed.
    #[error("{system}: {what} (`{command}`) {fault}")]
    Command {
        /// The system.
        system: SystemName,
        /// `train`, `parse` or `version`.
        what: &'static str,
        /// The program.
        command: String,
        /// How.
        fault: CommandFault,
    },
    /// Files for it or of it cannot be written or read.
    #[error("{system}: {path}: {source}", path = path.display())]
    Io {
        /// The system.
        system: SystemName,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// What a command names was edited while it worked.
    #[error("{system}: {file} has changed since this began, so nothing of it is kept; run again")]
    Changed {
        /// The system.
        system: SystemName,
        /// The file.
        file: String,
    },
    /// The parser does not say which version it is.
    #[error(
        "{system}: version ended well but printed nothing; the first line of what it prints is part of the keys of models"
    )]
    NoVersion {
        /// The system.
        system: SystemName,
    },
    /// The parser made no model.
    #[error("{system}: train ended well but made no model; its command must write to {{model}}")]
    NoModel {
        /// The system.
        system: SystemName,
    },
    /// What it wrote is no treebank.
    #[error("{system}: what it wrote cannot be read: {source}")]
    Output {
        /// The system.
        system: SystemName,
        /// Why.
        source: TreebankError,
    },
    /// The parser wrote other sentences than it was given.
    #[error("{system}: it wrote {found} sentences where {given} were given")]
    Sentences {
        /// The system.
        system: SystemName,
        /// Written.
        found: usize,
        /// Given.
        given: usize,
    },
    /// The parser wrote another sentence than it was given.
    #[error("{system}: sentence {sentence}: {what}")]
    Sentence {
        /// The system.
        system: SystemName,
        /// Its number, from 1.
        sentence: usize,
        /// How it differs.
        what: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_in_commands_for_a_shell() {
        let found = |word| paths_within(word).collect::<Vec<_>>();
        assert_eq!(found("python3 {config}/a.py < '{config}/b c.txt'"), ["{config}/a.py", "{config}/b"]);
        assert_eq!(found("--script={config}/p.py"), ["{config}/p.py"]);
        assert!(found("{model}").is_empty());
    }

    #[test]
    fn a_folder_without_files_is_no_model() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("deep")).expect("a folder");
        assert!(ModelFiles::read(folder.path()).is_err_and(|error| error.to_string().contains("without files")));
    }

    #[test]
    fn files_and_folders_come_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("model/deep")).expect("a folder");
        fs::write(at("model/a"), b"1").expect("written");
        fs::write(at("model/deep/b"), b"22").expect("written");
        fs::write(at("single"), b"333").expect("written");
        for (name, count) in [("model", 2), ("single", 1)] {
            let files = ModelFiles::read(&at(name)).expect("read");
            assert_eq!(files.0.len(), count);
            let mut out = BytesWriter::default();
            files.encode(&mut out);
            let bytes = out.into_bytes();
            let back = ModelFiles::decode(&mut BytesReader::new(&bytes)).expect("decoded");
            assert_eq!(back, files);
            back.write(&at(&format!("{name}-again"))).expect("written");
            assert_eq!(ModelFiles::read(&at(&format!("{name}-again"))).expect("read"), files);
        }
    }
}
