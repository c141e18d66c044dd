//! What several verbs have in common: flags, threads, and how they end.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::builder::{PathBufValueParser, TypedValueParser};

use super::claims::declared_claims;
use super::filter::FilterFlags;
use super::output::{columns, say};
use treebound_core::decode::Backbone;
use treebound_experiment::config::{self, Config, Shown, nearest};
use treebound_experiment::folders::{Folders, usual_cache};
use treebound_experiment::lock::Lock;
use treebound_experiment::provenance::{own_command_line, shell_word};
use treebound_experiment::store::Store;
use treebound_parser::cell::{FeatureSet, Split};
use treebound_parser::features::Family;
use treebound_records::spanned::{Fault, Faults, listed};
use treebound_report::made::{FIGURES, TABLES};
use treebound_report::tables::table::Table;

/// Threads a core beyond which starting them takes longer than their work.
const MOST_THREADS_A_CORE: usize = 64;

/// How many threads work.
#[derive(clap::Args)]
pub struct JobsFlags {
    /// Threads; one a core if not given
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
}

impl JobsFlags {
    /// The threads.
    pub fn pool(&self) -> Result<rayon::ThreadPool> {
        pool(self.jobs)
    }

    /// Runs `work` on them.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        with_threads(self.jobs, work)
    }
}

/// Runs `work` on so many threads.
pub fn threads<T: Send>(threads: usize, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    with_threads(Some(threads), work)
}

/// An error if the environment asks for more threads than are of any use.
pub fn check_environment() -> Result<()> {
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse().ok());
    asked.map_or(Ok(()), |threads| check_threads("RAYON_NUM_THREADS=", threads))
}

fn check_threads(flag: &str, threads: usize) -> Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let most = cores * MOST_THREADS_A_CORE;
    if threads > most {
        bail!("{flag}{threads}: more than {most} threads gain nothing on {cores} cores");
    }
    Ok(())
}

/// The largest number of passes, sentences and the like of a command line.
const MOST: u64 = 1_000_000;

/// Reads how often something is done, or of how many.
pub fn count(text: &str) -> Result<NonZeroU64, String> {
    let count = text.parse().ok().filter(|count: &NonZeroU64| count.get() <= MOST);
    count.ok_or_else(|| format!("a whole number from 1 to {MOST}"))
}

/// Runs `work` on `jobs` threads, or on one a core.
fn with_threads<T: Send>(jobs: Option<usize>, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    pool(jobs)?.install(work)
}

/// So many threads, or one a core.
fn pool(jobs: Option<usize>) -> Result<rayon::ThreadPool> {
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(jobs) = jobs {
        if jobs == 0 {
            bail!("-j 0: at least one thread is needed");
        }
        check_threads("-j ", jobs)?;
        pool = pool.num_threads(jobs);
    }
    pool.build().context("cannot start the threads; ask for fewer with -j")
}

/// The store of a verb that may work for long: that nothing can be kept is said at once.
pub fn store(folders: &Folders) -> Store {
    let tell = |failure: &str| say!("treebound: {failure}; this goes on, but what it makes will have to be made again");
    Store::telling(folders.cache.clone(), tell)
}

/// Success, unless finished work could not be kept for later.
pub fn unless_unkept(store: &Store) -> ExitCode {
    let Some(failure) = store.failure() else { return ExitCode::SUCCESS };
    say!("treebound: {failure}; what was made is whole, but will have to be made again");
    ExitCode::FAILURE
}

/// How a table is printed.
#[derive(clap::Args, Default)]
pub struct ShapeFlags {
    /// Print Markdown
    #[arg(long)]
    markdown: bool,
    /// Print CSV, as in the file
    #[arg(long, conflicts_with = "markdown")]
    csv: bool,
}

impl ShapeFlags {
    /// A table as it is asked for.
    pub fn print(&self, table: &Table) -> Result<String> {
        Ok(match (self.markdown, self.csv) {
            (true, _) => table.markdown(),
            (_, true) => String::from_utf8(table.csv()?)?,
            _ => columns().map_or_else(|| table.text(), |columns| table.text_within(columns)),
        })
    }

    /// Tables as they are asked for, a blank line between two. One CSV is one table: the first.
    pub fn all(&self, tables: &[Table]) -> Result<String> {
        let shown = if self.csv { &tables[..tables.len().min(1)] } else { tables };
        Ok(shown.iter().map(|table| self.print(table)).collect::<Result<Vec<_>>>()?.join("\n"))
    }

    /// Whether Markdown is asked for, whose cells know no lines.
    pub fn is_markdown(&self) -> bool {
        self.markdown
    }

    /// What stands under a table for people, and in no CSV.
    pub fn prose(&self, text: String) -> String {
        if self.csv { String::new() } else { text }
    }
}

/// Flags of verbs that write rows into the results of an experiment, one at a time.
#[derive(clap::Args)]
pub struct LockFlags {
    /// Wait for whoever is writing these results to end, instead of refusing to run
    #[arg(long)]
    wait: bool,
}

impl LockFlags {
    /// Locks the results.
    pub fn take(&self, folders: &Folders) -> Result<Lock> {
        let wait = |holder: &str| {
            if self.wait {
                say!("waiting for {}, which {holder} is writing", folders.results.display());
            }
            self.wait
        };
        Ok(Lock::take(&folders.results, &own_command_line(), wait)?)
    }
}

/// A limit of a search; none for no limit.
#[derive(Clone, Copy)]
pub struct Limit(pub Option<u64>);

impl Limit {
    /// What searches stop at if nobody says.
    pub const USUAL: &str = "1000";

    /// Reads a number, or `none`.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(calls @ 1..) => Ok(Self(Some(calls))),
            _ if text == "none" => Ok(Self(None)),
            _ => Err("a number from 1 on, or none".to_owned()),
        }
    }
}

/// A limit on the memory of a sentence.
#[derive(Clone, clap::Args)]
pub struct MemoryFlags {
    /// Refuse a sentence whose parts take more than about this many MiB, and stop a search whose nodes do; of each thread, or
    /// `none`
    #[arg(long, value_name = "MIB", default_value = "1024", value_parser = Limit::parse)]
    memory_mib: Limit,
}

impl MemoryFlags {
    /// In bytes.
    pub fn bytes(&self) -> Option<u64> {
        self.memory_mib.0.map(|mib| mib.saturating_mul(1 << 20))
    }
}

/// The config of a verb.
#[derive(Clone, clap::Args)]
pub struct ConfigFlags {
    /// The config, or the folder of its results
    #[arg(value_parser = PathBufValueParser::new().map(config_of))]
    pub config: PathBuf,
    /// Set a value of the config for this time, such as training.epochs=2 or grid.main.seeds=[1]; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

/// The config of a folder of results: `configs/NAME.toml` for `results/NAME`, where there are both. Any other path is itself.
pub fn config_of(path: PathBuf) -> PathBuf {
    let config = || {
        let name = path.file_name()?.to_str()?;
        let root =
            path.parent().filter(|results| results.file_name().is_some_and(|name| name == "results"))?.parent()?;
        Some(root.join("configs").join(format!("{name}.toml"))).filter(|config| path.is_dir() && config.is_file())
    };
    config().unwrap_or(path)
}

/// The folder of the results of a config: `results/NAME` for `configs/NAME.toml`, and for any other `NAME.toml` that of the working
/// folder. Any other path is itself.
pub fn results_of(path: PathBuf) -> PathBuf {
    if path.extension().is_none_or(|ending| ending != "toml") || !path.is_file() {
        return path;
    }
    let above = path.parent().filter(|folder| folder.file_name().is_some_and(|name| name == "configs"));
    let root = above.and_then(Path::parent).unwrap_or(Path::new(""));
    root.join("results").join(path.file_stem().unwrap_or_default())
}

impl ConfigFlags {
    /// Reads it, its claims included.
    pub fn read(&self) -> Result<Config> {
        let config = config::read_with(&self.config, &self.set)?;
        declared_claims(&config)?;
        let tables = TABLES.iter().map(|kind| kind.name);
        let figures = FIGURES.iter().map(|kind| kind.name);
        let faults = [unknown(&config.tables, "table", tables), unknown(&config.figures, "figure", figures)].concat();
        if !faults.is_empty() {
            bail!(Faults::new(faults));
        }
        Ok(config)
    }
}

/// Entries of a config whose table or figure there is not.
fn unknown<'n>(entries: &[Shown], kind: &str, known: impl Iterator<Item = &'n str> + Clone) -> Vec<Fault> {
    let is_unknown = |entry: &&Shown| known.clone().all(|name| name != entry.name);
    let fault = |entry: &Shown| {
        let message = format!("there is no {kind} `{}` of results; there are {}", entry.name, listed(known.clone()));
        Fault { place: entry.place.clone(), message }
    };
    entries.iter().filter(is_unknown).map(fault).collect()
}

/// As on the command line.
impl std::fmt::Display for ConfigFlags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", shell_word(&self.config.to_string_lossy()))?;
        self.set.iter().try_for_each(|set| write!(f, " --set {}", shell_word(set)))
    }
}

/// What stands side by side in tables and figures.
#[derive(clap::Args, Default)]
pub struct BesideFlags {
    /// Put the values of these axes side by side, such as learner,pruning
    #[arg(long, value_name = "AXES", value_delimiter = ',')]
    pub beside: Vec<String>,
}

impl BesideFlags {
    /// What files have behind their names: these never take the place of those with nothing side by side.
    pub fn suffix(&self) -> String {
        if self.beside.is_empty() { String::new() } else { format!("-by-{}", self.beside.join("+")) }
    }
}

/// Flags that say where an experiment's files go.
#[derive(clap::Args, Default)]
pub struct OutFlags {
    /// Results and figures are below this folder, instead of the working folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// The flag that says where finished work is.
#[derive(clap::Args, Default)]
pub struct CacheFlags {
    /// Keep finished work in this folder [default: TREEBOUND_CACHE, or cache in the working folder]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

impl CacheFlags {
    /// The folder.
    pub fn folder(&self) -> PathBuf {
        self.cache.clone().unwrap_or_else(usual_cache)
    }
}

/// As on the command line, after a blank.
impl std::fmt::Display for CacheFlags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.cache.iter().try_for_each(|cache| write!(f, " --cache {}", shell_word(&cache.to_string_lossy())))
    }
}

/// Flags of verbs that read or write results, and finished work.
#[derive(clap::Args, Default)]
pub struct PlaceFlags {
    #[command(flatten)]
    pub out: OutFlags,
    #[command(flatten)]
    pub cache: CacheFlags,
}

/// As on the command line, each after a blank.
impl std::fmt::Display for PlaceFlags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.out, self.cache)
    }
}

impl PlaceFlags {
    /// The folders of an experiment.
    pub fn folders(&self, config: &Config) -> Folders {
        Folders { cache: self.cache.folder(), ..self.out.folders(config) }
    }
}

/// As on the command line, after a blank.
impl std::fmt::Display for OutFlags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.out.iter().try_for_each(|out| write!(f, " --out {}", shell_word(&out.to_string_lossy())))
    }
}

impl OutFlags {
    /// The folders of an experiment.
    pub fn folders(&self, config: &Config) -> Folders {
        Folders::new(config, self.out.as_deref())
    }
}

/// The backbone of that name.
pub fn backbone(name: &str) -> Result<Backbone> {
    let known = Backbone::ALL.map(Backbone::name).join(", ");
    Backbone::parse(name).with_context(|| format!("--backbone {name}: the backbones are {known}"))
}

/// The feature set of that name.
pub fn feature_set(name: &str) -> Result<FeatureSet> {
    FeatureSet::from_names(name).with_context(|| {
        let unknown = name.split('+').find(|part| Family::parse(part).is_none()).unwrap_or(name);
        let names = Family::ALL.iter().map(|family| family.name());
        let near = nearest(unknown, names.clone().chain(["baseline"]));
        let near = near.map_or_else(String::new, |near| format!(" (did you mean {near}?)"));
        let names = names.collect::<Vec<_>>().join(", ");
        format!("--features {name}: `{unknown}` is not known{near}: write baseline, or some of {names}, joined by +")
    })
}

/// The part of that name.
pub fn split(name: &str) -> Result<Split> {
    let split = Split::PARTS.into_iter().find(|split| split.name() == name);
    split.with_context(|| format!("--split {name}: it can be train, dev or test"))
}

/// Flags of verbs that work on cells of a config, on several threads, and write their rows.
#[derive(clap::Args)]
pub struct WorkArguments {
    #[command(flatten)]
    pub config: ConfigFlags,
    #[command(flatten)]
    pub place: PlaceFlags,
    #[command(flatten)]
    pub filter: FilterFlags,
    #[command(flatten)]
    pub lock: LockFlags,
    #[command(flatten)]
    pub jobs: JobsFlags,
    /// Print no progress
    #[arg(short, long)]
    pub quiet: bool,
}
