//! A measure against sentence length: times from timed passes, and calls to the dynamic program.
//!
//! A [`Series`] has a point a length; series that differ in pruning, search and what stands side by side alone stand in one
//! [`Panel`], whose rare lengths are joined into [`Bin`]s.

use std::collections::{BTreeMap, BTreeSet};

use crate::bins::{Bin, bins};
use crate::frame::Frame;
use crate::sentences::Sentences;
use crate::speed::PHASES;
use crate::tables::blocks::{TableOptions, model_labels, placed, way_labels, way_place};
use treebound_records::ReportError;
use treebound_records::number::{median, ratio};

/// Series of several lines, panel by panel.
#[derive(Clone, Debug)]
pub struct Curves {
    /// The lines, a row each.
    pub lines: Frame,
    /// Their series.
    pub panels: Vec<Panel>,
}

/// The measurements of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// The row of the line.
    pub row: usize,
    /// Seeds (calls) or passes (times) that the totals are over.
    pub samples: u64,
    /// The seeds among them.
    pub seeds: u64,
    /// Searches that ended without a proof, where that is known.
    pub unproven: u64,
    /// The measurements, by length, ascending.
    pub points: Vec<Point>,
}

/// The sentences of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Words a sentence.
    pub length: u64,
    /// Sentences of that length in the corpus.
    pub sentences: u64,
    /// Sentences that `total` is over: each once, or once a seed.
    pub decoded: u64,
    /// Calls, or nanoseconds.
    pub total: u64,
}

/// The series of one corpus, part, tags, system, templates, learner, backbone and feature set, or of several where these stand side by
/// side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// The series: by decoder or search, then most candidates first.
    pub series: Vec<Series>,
    /// Sentences of each length in the corpus, ascending by length.
    pub lengths: Vec<(u64, u64)>,
    /// Lengths that share a point.
    pub bins: Vec<Bin>,
}

/// A bin of a series: the mean over its lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// Mean length of the sentences.
    pub length: f64,
    /// Sentences in the corpus.
    pub sentences: u64,
    /// Mean of the measure.
    pub average: f64,
}

impl Series {
    /// The points of a bin as one; none if it has none of them.
    pub fn mean(&self, bin: Bin) -> Option<Mean> {
        let sum = |value: fn(&Point) -> u64| {
            self.points.iter().filter(|point| bin.holds(point.length)).map(value).fold(0, u64::saturating_add)
        };
        let sentences = sum(|point| point.sentences);
        Some(Mean {
            length: ratio(sum(|point| point.sentences.saturating_mul(point.length)), sentences)?,
            sentences,
            average: ratio(sum(|point| point.total), sum(|point| point.decoded))?,
        })
    }
}

impl Panel {
    fn new(series: Vec<Series>) -> Self {
        let mut sentences: BTreeMap<u64, u64> = BTreeMap::new();
        for point in series.iter().flat_map(|series| &series.points) {
            let most = sentences.entry(point.length).or_default();
            *most = point.sentences.max(*most);
        }
        let lengths: Vec<(u64, u64)> = sentences.into_iter().collect();
        let bins = bins(&lengths);
        Self { series, lengths, bins }
    }

    /// Every point with its bin.
    pub fn points(&self) -> impl Iterator<Item = (&Series, &Point, Bin)> {
        self.series.iter().flat_map(move |series| {
            series.points.iter().filter_map(move |point| {
                let bin = *self.bins.iter().find(|bin| bin.holds(point.length))?;
                Some((series, point, bin))
            })
        })
    }
}

/// What the series of a panel share.
const PANEL: [&str; 8] = ["corpus", "split", "tags", "system", "templates", "learner", "backbone", "features"];

/// The order of panels, and behind it that of series.
const PLACE: [(&str, &str); 9] = [
    ("corpus", "corpus.order"),
    ("split", "split.order"),
    ("tags", "tags.order"),
    ("system", "system.place"),
    ("system", "system"),
    ("templates", "templates.order"),
    ("learner", "learner.order"),
    ("backbone", "backbone.order"),
    ("features", "features.order"),
];

/// What the series of a panel share where the values of some axes stand side by side.
fn shared(options: &TableOptions) -> Vec<&'static str> {
    PANEL.into_iter().filter(|axis| options.beside.iter().all(|beside| beside != axis)).collect()
}

/// Lines with `model`, the system and what decides its model, for people, and with `way`, the decoder or else what stands for it: the
/// values on further axes.
fn with_ways(lines: Frame, options: &TableOptions) -> Result<Frame, ReportError> {
    let further = way_place(&lines);
    let by: Vec<&str> = ["decoder.order"].into_iter().chain(further.iter().map(String::as_str)).collect();
    let lines = lines.sorted(&by)?;
    let ways = lines.words("decoder")?.into_iter().zip(way_labels(&lines)?);
    let ways = ways.map(|(decoder, way)| Some(if decoder.is_empty() { way } else { decoder })).collect();
    let models = model_labels(&lines, options)?.into_iter().map(Some).collect();
    lines.with_words("model", models)?.with_words("way", ways)?.with_order("way")
}

impl Curves {
    /// The panels of lines with these series by name; those without any are left out.
    fn new(lines: &Frame, mut series: BTreeMap<String, Series>, options: &TableOptions) -> Result<Self, ReportError> {
        let shared = shared(options);
        let (of_panel, of_series): (Vec<_>, Vec<_>) = PLACE.into_iter().partition(|(axis, _)| shared.contains(axis));
        let order: Vec<&str> = of_panel.into_iter().map(|(_, order)| order).collect();
        let within: Vec<&str> = of_series.into_iter().map(|(_, order)| order).collect();
        let order = [&order[..], &["way.order"], &within, &["pruning.order"]].concat();
        let lines = placed(&lines.only("line", |line| series.contains_key(line))?, options)?;
        let lines = with_ways(lines, options)?.sorted(&order)?;
        let names = lines.words("line")?;
        let mut in_order =
            names.iter().enumerate().filter_map(|(row, name)| Some(Series { row, ..series.remove(name)? }));
        let runs = lines.runs(&shared)?;
        let panels = runs.into_iter().map(|run| Panel::new(in_order.by_ref().take(run.len()).collect())).collect();
        drop(in_order);
        Ok(Self { lines, panels })
    }

    /// All series.
    pub fn series(&self) -> impl Iterator<Item = &Series> {
        self.panels.iter().flat_map(|panel| &panel.series)
    }
}

/// Times by length (`speed.csv`), of the lines that were timed so. The time of a length is the median over all passes (repeats and
/// seeds) of that for all its sentences, and the lines of a panel have the same seeds.
///
/// # Errors
/// If the rows are not those of such a file.
pub fn times(rows: &Frame, options: &TableOptions) -> Result<Curves, ReportError> {
    let rows = &rows.of_shared_seeds(&shared(options))?;
    let phases = PHASES[1..].iter().map(|phase| rows.counts(phase)).collect::<Result<Vec<_>, _>>()?;
    let (lines, seeds, repeats) = (rows.words("line")?, rows.counts("seed")?, rows.counts("repeat")?);
    let (lengths, sentences) = (rows.counts("length")?, rows.counts("sentences")?);
    let mut passes: BTreeMap<&str, BTreeSet<[Option<u64>; 2]>> = BTreeMap::new();
    let mut timed: BTreeMap<&str, BTreeMap<u64, Vec<usize>>> = BTreeMap::new();
    for (row, line) in lines.iter().enumerate() {
        let Some(length) = lengths[row] else { continue };
        passes.entry(line).or_default().insert([seeds[row], repeats[row]]);
        timed.entry(line).or_default().entry(length).or_default().push(row);
    }
    let total = |row: usize| phases.iter().filter_map(|phase| phase[row]).fold(0, u64::saturating_add);
    let point = |(length, rows): (u64, Vec<usize>)| {
        let mut times: Vec<u64> = rows.iter().map(|&row| total(row)).collect();
        let sentences = rows.iter().filter_map(|&row| sentences[row]).max().unwrap_or(0);
        Point { length, sentences, decoded: sentences, total: median(&mut times).unwrap_or(0) }
    };
    let series = timed.into_iter().map(|(line, lengths)| {
        let points = lengths.into_iter().map(point).collect();
        let seeds = passes[line].iter().map(|[seed, _]| seed).collect::<BTreeSet<_>>().len() as u64;
        (line.to_owned(), Series { row: 0, samples: passes[line].len() as u64, seeds, unproven: 0, points })
    });
    Curves::new(&rows.lines()?, series.collect(), options)
}

/// The sentences of one length of a cell.
#[derive(Clone, Copy, Debug, Default)]
struct OfLength {
    sentences: u64,
    dp_calls: u64,
    proven: Option<u64>,
}

/// Calls to the dynamic program by length, over the seeds that all lines of a panel have, of the lines that count them: from
/// sentences, and of cells without these from sums by length (`by_length.csv`). `scores` say which cells there are.
///
/// # Errors
/// If the rows are not those of such files.
pub fn calls(
    scores: &Frame,
    sentences: &Sentences,
    lengths: &Frame,
    options: &TableOptions,
) -> Result<Curves, ReportError> {
    let mut there: BTreeSet<String> = sentences.cells().collect();
    if !lengths.is_empty() {
        there.extend(lengths.words("cell")?);
    }
    let scores = &scores.only("cell", |cell| there.contains(cell))?.of_shared_seeds(&shared(options))?;
    let mut summed: BTreeMap<(String, u64), BTreeMap<u64, OfLength>> = BTreeMap::new();
    if !lengths.is_empty() {
        let columns = ["length", "sentences", "dp_calls", "proven"].map(|name| lengths.counts(name));
        let [of_length, number, calls, proven] = columns;
        let (of_length, number, calls, proven) = (of_length?, number?, calls?, proven?);
        for (row, (line, seed)) in lengths.words("line")?.into_iter().zip(lengths.counts("seed")?).enumerate() {
            let (Some(length), Some(dp_calls)) = (of_length[row], calls[row]) else { continue };
            let own = OfLength { sentences: number[row].unwrap_or(0), dp_calls, proven: proven[row] };
            summed.entry((line, seed.unwrap_or(0))).or_default().insert(length, own);
        }
    }
    let mut found: BTreeMap<String, Vec<BTreeMap<u64, OfLength>>> = BTreeMap::new();
    for (line, seed) in scores.words("line")?.into_iter().zip(scores.counts("seed")?) {
        let seed = seed.unwrap_or(0);
        let own = match sentences.cell(&line, seed) {
            Some(numbers) => numbers.values("tokens").zip(numbers.values("dp_calls")).map(|(lengths, calls)| {
                let proven = numbers.values("proven");
                let mut own: BTreeMap<u64, OfLength> = BTreeMap::new();
                for (at, (length, calls)) in lengths.into_iter().zip(calls).enumerate() {
                    let sum = own.entry(length).or_insert(OfLength { proven: Some(0), ..OfLength::default() });
                    sum.sentences += 1;
                    sum.dp_calls = sum.dp_calls.saturating_add(calls);
                    sum.proven = sum.proven.zip(proven.as_ref()).map(|(sum, proven)| sum + proven[at]);
                }
                own
            }),
            None => summed.remove(&(line.clone(), seed)),
        };
        found.entry(line).or_default().extend(own);
    }
    found.retain(|_, cells| !cells.is_empty());
    let series = found.into_iter().map(|(line, cells)| {
        let mut points: BTreeMap<u64, Point> = BTreeMap::new();
        let mut unproven: u64 = 0;
        for (&length, own) in cells.iter().flatten() {
            let point = points.entry(length).or_insert(Point { length, sentences: 0, decoded: 0, total: 0 });
            point.sentences = point.sentences.max(own.sentences);
            point.decoded = point.decoded.saturating_add(own.sentences);
            point.total = point.total.saturating_add(own.dp_calls);
            let open = own.proven.map_or(0, |proven| own.sentences.saturating_sub(proven));
            unproven = unproven.saturating_add(open);
        }
        let points = points.into_values().collect();
        (line, Series { row: 0, samples: cells.len() as u64, seeds: cells.len() as u64, unproven, points })
    });
    Curves::new(&scores.lines()?, series.collect(), options)
}
