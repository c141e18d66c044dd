//! What decides claims: lines of the frame that tables show, and what was measured of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use polars::prelude::{DataType, Expr, NULL, col, lit, when};

use super::finding::Part;
use super::{Claim, Metric, Selector, Usual, Verdict};
use crate::bins::{Bin, bins};
use crate::frame::{ABSENT, BASELINE, FIRST_AXES, Frame, GRAPH, USUAL_BACKBONE, line_name};
use crate::measures::Measure;
use crate::sentences::Sentences;
use crate::speed::{self, PHASES};
use treebound_records::ReportError;
use treebound_records::cell_numbers::CellNumbers;
use treebound_records::number::{counted, median, percent};
use treebound_statistics::{CONFIDENCE, ratio_interval};

/// The learner and the pruning of a row whose selector names none: the paper's.
const LEARNER: &str = "perceptron";
const PRUNING: &str = "k=10";

/// Why a claim is not decided.
#[derive(Debug)]
pub(super) enum Lack {
    /// Something was not run or measured, in words.
    Missing(String),
    /// So are sentences of a row that was run.
    Sentences(String),
    /// Rows contradict each other.
    Report(ReportError),
}

impl<E: Into<ReportError>> From<E> for Lack {
    fn from(error: E) -> Self {
        Self::Report(error.into())
    }
}

impl Lack {
    pub fn missing<T>(what: impl Into<String>) -> Result<T, Self> {
        Err(Self::Missing(what.into()))
    }

    /// What is missing leaves a comparison undecided.
    pub fn undecided(self) -> Result<Part, ReportError> {
        match self {
            Self::Missing(what) => Ok(Part { is_missing: true, ..Part::said(Verdict::Undecided, what) }),
            Self::Sentences(what) => Ok(Part { lacks_sentences: true, ..Part::said(Verdict::Undecided, what) }),
            Self::Report(error) => Err(error),
        }
    }
}

/// The results of an experiment.
#[derive(Debug)]
pub struct Evidence {
    /// Rows of `scores.csv`. Cells that are wanted and were not run have a row with an error.
    scores: Frame,
    /// Their means over seeds, with times.
    lines: Frame,
    sentences: Sentences,
    /// Rows of `by_length.csv`.
    lengths: Frame,
    /// Rows of `speed.csv`.
    times: Frame,
    /// Passes over all sentences that were timed.
    passes: Frame,
    /// Rows of `learning.csv`.
    learning: Frame,
    /// The grids that have each line, in the order of the config; none if they are not known.
    grids: Option<BTreeMap<String, Vec<String>>>,
    /// The config, for commands.
    config: String,
    /// What is meant where a claim does not say.
    pub(super) usual: Usual,
}

/// Which corpus, tags and part a claim is held against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The corpus.
    pub corpus: String,
    /// The tags.
    pub tags: String,
    /// The part of rows that name none.
    pub split: String,
}

/// A line that a claim means.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Its row, alone.
    pub row: Frame,
    /// Its name.
    pub name: String,
    /// The seeds that were run, ascending.
    pub seeds: Vec<u64>,
}

impl Line {
    /// A number; none where it is not known.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.row.numbers(name).ok()?.first().copied().flatten()
    }

    /// A count; none where it is not known.
    pub fn count(&self, name: &str) -> Option<u64> {
        self.row.first_count(name).ok().flatten()
    }

    /// The value of an axis.
    pub fn axis(&self, name: &str) -> String {
        self.row.words(name).ok().and_then(|words| words.into_iter().next()).unwrap_or_default()
    }
}

impl Evidence {
    /// The evidence in `scores`, which have rows with an error for what was not run, and in the sentences of others.
    ///
    /// # Errors
    /// If rows do not come from the same data.
    pub fn new(scores: Frame, sentences: Sentences, usual: Usual) -> Result<Self, ReportError> {
        let (lines, none) = (scores.means()?, scores.filtered(lit(false))?);
        let [lengths, times, passes, learning] = [none.clone(), none.clone(), none.clone(), none];
        let config = "CONFIG".to_owned();
        Ok(Self { scores, lines, sentences, lengths, times, passes, learning, grids: None, config, usual })
    }

    /// With rows of `by_length.csv` and of `speed.csv`.
    ///
    /// # Errors
    /// If passes of one line did not parse the same sentences.
    pub fn with_measured(mut self, lengths: Frame, times: Frame) -> Result<Self, ReportError> {
        if !times.is_empty() {
            self.passes = speed::passes(&times, &self.scores)?;
            self.lines = self.lines.joined(speed::speeds(&times, &self.scores)?, "line")?;
            self.times = speed::of_first_seeds(&times)?;
        }
        Ok(Self { lengths, ..self })
    }

    /// With the grids of the config that have each line, in the config's order, so that what was not run can name them.
    pub fn with_grids(mut self, lines: impl IntoIterator<Item = (String, Vec<String>)>) -> Self {
        let mut grids: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (line, names) in lines {
            let known = grids.entry(line).or_default();
            for name in names {
                if !known.contains(&name) {
                    known.push(name);
                }
            }
        }
        self.grids = Some(grids);
        self
    }

    /// With rows of `learning.csv`.
    pub fn with_learning(self, learning: Frame) -> Self {
        Self { learning, ..self }
    }

    /// With the file of the config, so that what is missing can say how to make it.
    pub fn with_config(self, config: &Path) -> Self {
        Self { config: config.display().to_string(), ..self }
    }

    /// All corpora of the experiment, with those of its tags that claims are about.
    pub(super) fn scopes(&self) -> Result<Vec<Scope>, ReportError> {
        let tags = &self.usual.tags;
        let places = self.scores.sorted(&["corpus", "tags.order"])?;
        let mut scopes: Vec<Scope> = Vec::new();
        for (corpus, own_tags) in places.words("corpus")?.into_iter().zip(places.words("tags")?) {
            let scope = Scope { corpus, tags: own_tags, split: self.usual.split.clone() };
            if (tags.is_empty() || tags.contains(&scope.tags)) && scopes.last() != Some(&scope) {
                scopes.push(scope);
            }
        }
        Ok(scopes)
    }

    /// The name of the line that a claim means.
    fn name(&self, scope: &Scope, selector: &Selector) -> String {
        let given = |axis: &str, usual: &str| selector.axis(axis).unwrap_or(usual).to_owned();
        let value = |axis: &String| match axis.as_str() {
            "corpus" => scope.corpus.clone(),
            "split" => given("split", &scope.split),
            "tags" => given("tags", &scope.tags),
            "system" => given("system", GRAPH),
            axis if selector.axis("system").is_some() => given(axis, ABSENT),
            "decoding" => {
                let usual = self.usual_decoder(selector.axis("features").unwrap_or(BASELINE));
                format!("{}/{}", given("backbone", USUAL_BACKBONE), given("decoder", usual))
            }
            "templates" => given("templates", self.usual.templates.as_deref().unwrap_or(ABSENT)),
            "learner" => given("learner", LEARNER),
            "pruning" => given("pruning", PRUNING),
            axis => given(axis, ABSENT),
        };
        let is_first = |axis: &&String| FIRST_AXES.contains(&axis.as_str());
        let columns = || self.scores.axes().iter();
        // A further axis has no column where no row has a value on it.
        let further: BTreeSet<&String> =
            columns().chain(selector.own.iter().map(|(axis, _)| axis)).filter(|axis| !is_first(axis)).collect();
        let values: Vec<(&str, String)> =
            columns().filter(is_first).chain(further).map(|axis| (axis.as_str(), value(axis))).collect();
        line_name(values.iter().map(|(axis, value)| (*axis, value.as_str())))
    }

    fn usual_decoder(&self, features: &str) -> &str {
        if features == BASELINE { "dp" } else { &self.usual.decoder }
    }

    /// The line that a claim means, run with all seeds that the experiment has.
    pub(super) fn line(&self, scope: &Scope, selector: &Selector) -> Result<Line, Lack> {
        let name = self.name(scope, selector);
        let row = self.lines.filtered(col("line").eq(lit(name.as_str())))?;
        if row.first_count("seeds")?.unwrap_or(0) == 0 {
            return Err(self.lacks(selector, &name, &format!("not run: {name}")));
        }
        let cells = self.scores.filtered(col("line").eq(lit(name.as_str())))?;
        let failed = cells.filtered(col("error").is_not_null())?.words("cell")?;
        if let Some(cell) = failed.first() {
            return Err(self.lacks(selector, &name, &format!("not run: {cell}")));
        }
        let seeds = cells.counts("seed")?.into_iter().flatten().collect();
        Ok(Line { row, name, seeds })
    }

    /// That a system of a claim is in no grid and has no row: it is not available, whatever else is missing.
    pub(super) fn unknown_system(&self, claim: &Claim) -> Result<Option<Part>, ReportError> {
        let Some(grids) = &self.grids else { return Ok(None) };
        let known = self.lines.distinct("system")?;
        let is_known = |system: &&str| {
            let has = |line: &String| line.split('/').nth(3) == Some(*system);
            known.iter().any(|one| one == system) || grids.keys().any(has)
        };
        let mut systems = claim.a.iter().chain(&claim.others).filter_map(|selector| selector.axis("system"));
        let what = "is not available: an [[external]] of that name, and a grid with systems =";
        let said = |system| Part::said(Verdict::Undecided, format!("{system} {what} \"{system}\", would decide it"));
        Ok(systems.find(|system| !is_known(system)).map(said))
    }

    /// What is missing of a line, and which grid would bring it.
    fn lacks(&self, selector: &Selector, line: &str, what: &str) -> Lack {
        let Some(grids) = &self.grids else { return Lack::Missing(what.to_owned()) };
        Lack::Missing(match grids.get(line) {
            Some(names) => format!("{what} (grid {})", names.join(" or ")),
            None => format!("{what} (no grid has it; one with {} would)", selector.keys()),
        })
    }

    fn not_timed(&self, selector: &Selector, line: &Line) -> Lack {
        self.lacks(selector, &line.name, &format!("not timed: {}", line.name))
    }

    /// Whether all rows that a claim needs were run, and timed if it is about time.
    pub(super) fn has(&self, scope: &Scope, claim: &Claim) -> Result<bool, ReportError> {
        for selector in claim.a.iter().chain(&claim.others) {
            let measured = self.line(scope, selector).and_then(|line| match claim.metric {
                Metric::Time | Metric::LearningTime => self.value(&line, selector, claim.metric).map(|_| ()),
                Metric::Counted(_) | Metric::Proven | Metric::AtRoot => Ok(()),
            });
            match measured {
                Ok(()) => {}
                Err(Lack::Report(error)) => return Err(error),
                Err(_) => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The sentences of a line with some of its seeds, if those of all are here.
    pub(super) fn sentences(&self, line: &Line, seeds: &[u64]) -> Result<Vec<&CellNumbers>, Lack> {
        let numbers = seeds.iter().map(|&seed| self.sentences.cell(&line.name, seed)).collect::<Option<_>>();
        numbers.ok_or_else(|| {
            let grid = self.grids.as_ref().and_then(|grids| grids.get(&line.name)?.first());
            let grid = grid.map_or_else(String::new, |grid| format!(" --grid {grid}"));
            let make = format!("treebound run {}{grid}", self.config);
            let what = format!("not decided: its sentences are not here (of {}); make them with: {make}", line.name);
            Lack::Sentences(what)
        })
    }

    /// Two lines sentence by sentence, on the seeds that both have.
    pub(super) fn paired(&self, lines: [&Line; 2], measure: &Measure) -> Result<treebound_statistics::Paired, Lack> {
        let shared = shared_seeds(lines)?;
        for line in lines {
            self.sentences(line, &shared)?;
        }
        let [a, b] = lines.map(|line| line.name.as_str());
        let paired = self.sentences.pair([(a, &shared), (b, &shared)], measure);
        paired.or_else(|fault| Lack::missing(format!("{a} and {b}: {fault} (by_sentence.csv)")))
    }

    /// A number of each sentence, summed over some seeds of a line.
    pub(super) fn sums(&self, line: &Line, seeds: &[u64], name: &str) -> Result<Vec<u64>, Lack> {
        let cells = self.sentences(line, seeds)?;
        let mut sums: Vec<u64> = Vec::new();
        for cell in cells {
            let Some(values) = cell.values(name) else {
                return Lack::missing(format!("it counts no searches: {}", line.name));
            };
            sums.resize(sums.len().max(values.len()), 0);
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum = sum.saturating_add(value));
        }
        Ok(sums)
    }

    /// Of each sentence of a line, whether its tree is as a metric asks in every seed.
    pub(super) fn proofs(&self, line: &Line, metric: Metric) -> Result<Vec<bool>, Lack> {
        let mut proofs = Vec::new();
        for cell in self.sentences(line, &line.seeds)? {
            let counts = cell.values("proven").zip(if metric == Metric::AtRoot {
                cell.values("nodes")
            } else {
                Some(Vec::new())
            });
            let Some((proven, nodes)) = counts else {
                return Lack::missing(format!("it counts no searches: {}", line.name));
            };
            proofs.resize(proven.len(), true);
            for (at, is) in proofs.iter_mut().enumerate() {
                *is &= proven[at] == 1 && nodes.get(at).is_none_or(|&nodes| nodes <= 1);
            }
        }
        Ok(proofs)
    }

    /// A metric of a line: its value, and the ends of its interval, over sentences at a confidence of 95 %, or of a time over
    /// passes. Without its sentences a value decides nothing: chance alone may have put it where it is.
    pub(super) fn value(&self, line: &Line, selector: &Selector, metric: Metric) -> Result<[f64; 3], Lack> {
        match metric {
            Metric::Counted(measure) => self.counted(line, measure),
            Metric::LearningTime => self.learning_time(line, selector),
            Metric::Time => {
                let ms = |ns: u64| Some(ns as f64 / line.count("timed_sentences").filter(|&all| all > 0)? as f64 / 1e6);
                let passes = self.passes.filtered(col("line").eq(lit(line.name.as_str())));
                let passes: Vec<u64> = passes?.counts("total_ns").unwrap_or_default().into_iter().flatten().collect();
                let ends = [passes.iter().min().copied(), line.count("total_ns"), passes.iter().max().copied()];
                let [low, value, high] = ends.map(|ns| ms(ns?));
                let known = low.zip(value).zip(high).map(|((low, value), high)| [low, value, high]);
                known.ok_or_else(|| self.not_timed(selector, line))
            }
            Metric::Proven | Metric::AtRoot => {
                let proofs = self.proofs(line, metric)?;
                let hits = proofs.iter().filter(|&&is| is).count() as u64;
                let share = percent(hits, proofs.len() as u64);
                share.map(|share| [share; 3]).map_or_else(|| Lack::missing("there are no sentences"), Ok)
            }
        }
    }

    fn counted(&self, line: &Line, measure: &Measure) -> Result<[f64; 3], Lack> {
        let none = || Lack::Missing(format!("no interval over the sentences of {}", line.name));
        let value = line.number(measure.name).ok_or_else(none)?;
        let [part, whole] = measure.pair().ok_or_else(none)?;
        let [parts, wholes] = [part, whole].map(|name| self.sums(line, &line.seeds, name));
        let unit = measure.of.unit();
        let pairs: Vec<(f64, f64)> =
            parts?.into_iter().zip(wholes?).map(|(part, whole)| (unit * part as f64, whole as f64)).collect();
        let (low, high) = ratio_interval(&pairs, self.usual.draws, CONFIDENCE).ok_or_else(none)?;
        Ok([low, value, high])
    }

    /// The least, middle and largest time that a model takes to learn, in seconds, on the threads of a row. Of several seeds all
    /// repeats count.
    fn learning_time(&self, line: &Line, selector: &Selector) -> Result<[f64; 3], Lack> {
        let threads = selector.threads;
        let axes = ["corpus", "tags", "system", "templates", "learner", "features", "backbone"];
        let model = axes.map(|axis| line.axis(axis)).join("/");
        let make = format!("time it with: treebound measure learning {} -j {threads}", self.config);
        let is_meant = col("line").eq(lit(model.as_str())).and(col("threads").eq(lit(threads)));
        let rows = if self.learning.is_empty() { self.learning.clone() } else { self.learning.filtered(is_meant)? };
        if rows.is_empty() {
            return Lack::missing(format!("learning is not timed: {model}, {threads} threads; {make}"));
        }
        // Seeds are as good as repeats.
        let is_several = rows.height() > 1;
        let end = |name: &str| {
            let end = when(col("repeats").gt(lit(1))).then(col(name)).otherwise(lit(NULL));
            if is_several { end.fill_null(col("train_ns")) } else { end }
        };
        let ends = [end("least_ns").min().alias("least_ns"), end("largest_ns").max().alias("largest_ns")];
        let ends = rows.query(|rows| rows.select(ends))?;
        let middle = median(&mut rows.counts("train_ns")?.into_iter().flatten().collect::<Vec<u64>>());
        let times = [ends.first_count("least_ns")?, middle, ends.first_count("largest_ns")?];
        if let [Some(least), Some(middle), Some(largest)] = times {
            return Ok([least, middle, largest].map(|ns| ns as f64 / 1e9));
        }
        let what = format!("learnt once, which does not say how times vary: {model}, {threads} threads");
        Lack::missing(format!("{what}; {make} --repeats 3"))
    }

    /// The counts of one line over those of another on the seeds that both have, with both rows of a sentence drawn as one: the
    /// ratio, and the ends of its interval over sentences at a confidence of 95 %. A search that stopped would have done more, nobody
    /// knows how much: it leaves the ratio open to one side.
    pub(super) fn ratio_of_counts(&self, lines: [&Line; 2], measure: &Measure) -> Result<[f64; 3], Lack> {
        let seeds = shared_seeds(lines)?;
        let count = measure.pair().map_or("", |[part, _]| part);
        let [above, below] = lines.map(|line| self.sums(line, &seeds, count));
        let (above, below) = (above?, below?);
        let [is_open_above, is_open_below] = lines.map(|line| {
            let stopped = self.sums(line, &seeds, "stopped")?;
            Ok::<bool, Lack>(measure.is_effort() && stopped.iter().any(|&stopped| stopped > 0))
        });
        let (is_open_above, is_open_below) = (is_open_above?, is_open_below?);
        if above.len() != below.len() {
            return Lack::missing("the rows have not the same sentences (by_sentence.csv)");
        }
        let pairs: Vec<(f64, f64)> = above.iter().zip(&below).map(|(&a, &b)| (a as f64, b as f64)).collect();
        let (whole, part) = pairs.iter().fold((0.0, 0.0), |(whole, part), (a, b)| (whole + b, part + a));
        match ratio_interval(&pairs, self.usual.draws, CONFIDENCE).filter(|_| whole > 0.0) {
            Some((low, high)) => {
                let ends = [if is_open_below { 0.0 } else { low }, if is_open_above { f64::INFINITY } else { high }];
                Ok([ends[0], part / whole, ends[1]])
            }
            None => Lack::missing(NOTHING_BELOW),
        }
    }

    /// The cells of the paper's system on a corpus and tags, as rows are meant where a claim says no more: by the paper's learner, the
    /// usual templates and the usual decoders. Others are there to be held against it.
    pub(super) fn usual_cells(&self, scope: &Scope) -> Result<Frame, ReportError> {
        let is = |name: &str, value: &str| col(name).eq(lit(value));
        let decoder = &self.usual.decoder;
        let is_usual = is("decoder", "dp")
            .and(is("features", BASELINE))
            .or(is("decoder", decoder).and(is("features", BASELINE).not()));
        let templates = self.usual.templates.iter().map(|templates| is("templates", templates));
        let parts = [is("corpus", &scope.corpus), is("tags", &scope.tags), is("system", GRAPH), is("learner", LEARNER)];
        self.scores.filtered(parts.into_iter().chain(templates).fold(is_usual, Expr::and))
    }

    /// The searches of lines that ended without a proof and whose sentences are here, in words: how many there are, and how long the
    /// sentences.
    pub(super) fn unproven(&self, lines: &[String]) -> Option<String> {
        let cells = lines.iter().filter_map(|line| self.sentences.line(line)).flat_map(BTreeMap::values);
        let unproven = cells.filter_map(|cell| {
            let (tokens, proven) = (cell.values("tokens")?, cell.values("proven")?);
            Some(tokens.into_iter().zip(proven).filter(|(_, proven)| *proven == 0).map(|(tokens, _)| tokens))
        });
        let words: Vec<u64> = unproven.flatten().collect();
        let (shortest, longest) = (words.iter().min()?, words.iter().max()?);
        let length = match shortest == longest {
            true => counted(*longest, "word", "words"),
            false => format!("{shortest} to {longest} words"),
        };
        Some(format!("{} of sentences of {length}", counted(words.len() as u64, "search", "searches")))
    }

    /// The sentences of a line as points: length, a count, in how many seeds the search stopped. Means over seeds.
    pub(super) fn points(&self, line: &Line, measure: &Measure) -> Result<Vec<(f64, f64, u64)>, Lack> {
        let count = measure.pair().map_or("", |[part, _]| part);
        let [lengths, values, stopped] = ["tokens", count, "stopped"].map(|name| self.sums(line, &line.seeds, name));
        let seeds = line.seeds.len() as f64;
        let points = lengths?.into_iter().zip(values?).zip(stopped?);
        let mean = |sum: u64| sum as f64 / seeds;
        Ok(points.map(|((length, value), stopped)| (mean(length), mean(value), stopped)).collect())
    }

    /// The points of a metric by length that stand for enough sentences, as plotted: length, value, sentences.
    pub(super) fn curve(&self, line: &Line, selector: &Selector, metric: Metric) -> Result<Vec<(f64, f64, u64)>, Lack> {
        let real = |column: Expr| column.cast(DataType::Float64);
        let (rows, part, whole) = match metric {
            // The median over all passes of the time of all sentences of a length.
            Metric::Time => {
                let total = PHASES[1..].iter().map(|name| col(*name).fill_null(lit(0))).reduce(|sum, one| sum + one);
                (&self.times, total.map(|total| real(total).median().cast(DataType::UInt64)), col("sentences").max())
            }
            Metric::Counted(measure) => match measure.pair() {
                Some([part, whole]) => (&self.lengths, Some(col(part).sum()), col(whole).sum()),
                None => (&self.lengths, None, lit(NULL)),
            },
            Metric::LearningTime | Metric::Proven | Metric::AtRoot => (&self.lengths, None, lit(NULL)),
        };
        let lacks = || match metric {
            Metric::Time => self.not_timed(selector, line),
            _ => self.sentences(line, &line.seeds).err().unwrap_or(Lack::Missing(format!("no calls: {}", line.name))),
        };
        let part = part.filter(|_| !rows.is_empty()).ok_or_else(lacks)?;
        let is_meant = col("line").eq(lit(line.name.as_str())).and(col("length").is_not_null());
        let columns = [col("sentences").max(), real(part).alias("part"), real(whole).alias("whole")];
        let points = rows.query(|rows| rows.filter(is_meant).group_by_stable([col("length")]).agg(columns))?;
        let points = points.sorted(&["length"])?;
        let whole = |name: &str| Ok::<Vec<u64>, ReportError>(points.counts(name)?.into_iter().flatten().collect());
        let (lengths, sentences) = (whole("length")?, whole("sentences")?);
        let (parts, wholes) = (points.numbers("part")?, points.numbers("whole")?);
        if lengths.is_empty() || parts.iter().any(Option::is_none) {
            return Err(lacks());
        }
        let bins = bins(&lengths.iter().copied().zip(sentences.iter().copied()).collect::<Vec<_>>());
        let mean = |bin: &Bin| {
            let mut sums = [0.0; 4];
            for at in (0..lengths.len()).filter(|&at| bin.holds(lengths[at])) {
                let words = sentences[at] * lengths[at];
                let own = [sentences[at] as f64, words as f64, parts[at].unwrap_or(0.0), wholes[at].unwrap_or(0.0)];
                sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
            }
            (sums[1] / sums[0], sums[2] / sums[3], sums[0] as u64)
        };
        Ok(bins.iter().filter(|bin| !bin.is_thin()).map(mean).collect())
    }
}

/// Why there is no ratio.
pub(super) const NOTHING_BELOW: &str = "there is nothing to divide by";

/// The seeds that both lines have: one may be run with fewer than the other.
pub(super) fn shared_seeds([a, b]: [&Line; 2]) -> Result<Vec<u64>, Lack> {
    let shared: Vec<u64> = a.seeds.iter().copied().filter(|seed| b.seeds.contains(seed)).collect();
    if shared.is_empty() {
        return Lack::missing(format!("{} and {} have no seed in common", a.name, b.name));
    }
    Ok(shared)
}
