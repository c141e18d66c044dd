//! Results as frames: what tables, figures, claims and diffs are queries over.
//!
//! [`Frame::read`] reads a results file by its [schema](treebound_records::schema). A frame has the file's columns under their
//! names, rows in the file's order, which is sorted, and behind them columns that are made of the axes:
//!
//! | column | what it is |
//! | --- | --- |
//! | `cell` | the name of the cell: its axes (further ones as `AXIS=VALUE`) and `seed=N`, joined by slashes |
//! | `line` | the name without the seed: what a line of a table is of |
//! | `backbone`, `decoder` | the parts of `decoding` |
//! | `families` | how many families of non-local features there are |
//! | `is_other` | whether the parser is none of factor graphs |
//! | `AXIS.order` | where the value stands among those of the axis |
//!
//! Axes are words, as many as the file has before `seed`; one that a system lacks is `-`. The order of their values is that of
//! the file, so nothing here knows what they mean; prunings alone are ordered by the heads that they leave.
//!
//! A report filters, groups and joins with the lazy API of polars ([`Frame::lazy`], [`Frame::query`]) and takes columns out for
//! people: [`Frame::words`], [`Frame::counts`], [`Frame::numbers`]. A table's lines are [`Frame::means`]: a row a line, sums
//! over its seeds, and a column for each of the [measures](crate::measures).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use polars::prelude::{
    Column, DataFrame, Expr, IntoLazy, JoinArgs, JoinType, LazyFrame, NULL, SortMultipleOptions, col, lit, when,
};

use crate::measures;
use treebound_records::schema::{self, Kind, Schema};
use treebound_records::table::{KEY, SEED, Table, Values};
use treebound_records::{MixedFault, ReportError};

/// The spelling of an axis that a system does not have.
pub const ABSENT: &str = "-";

/// The dynamic program of the paper, which goes without saying.
pub const USUAL_BACKBONE: &str = "carreras";

/// The feature set without non-local features.
pub const BASELINE: &str = "baseline";

/// The system of factor graphs.
pub const GRAPH: &str = "graph";

/// Rows of results with their axes.
#[derive(Clone, Debug)]
pub struct Frame {
    data: DataFrame,
    axes: Arc<[String]>,
}

impl Frame {
    /// Reads a file; a frame without rows if it is not there.
    ///
    /// # Errors
    /// As [`Table::read`].
    pub fn read(path: &Path, schema: &Schema) -> Result<Self, ReportError> {
        Self::new(Table::read(path, schema)?)
    }

    /// Parses the bytes of a file; `path` is for messages.
    ///
    /// # Errors
    /// As [`Table::parse`].
    pub fn parse(bytes: &[u8], path: &Path, schema: &Schema) -> Result<Self, ReportError> {
        Self::new(Table::parse(bytes, path, schema)?)
    }

    /// A frame of a table without [series](treebound_records::series), which [`Sentences`](crate::sentences::Sentences) have.
    fn new(table: Table) -> Result<Self, ReportError> {
        let mut columns = Vec::new();
        if let Some((_, Values::Counts(seeds))) = table.columns.iter().find(|(name, _)| name == SEED) {
            let seeds: Vec<u64> = seeds.iter().map(|seed| seed.unwrap_or(0)).collect();
            let values = |axis: &String| {
                let of_axis = words(&table, |name| name == axis).into_iter().flatten();
                of_axis.map(|word| word.as_deref().unwrap_or_default()).collect::<Vec<&str>>()
            };
            let axes: Vec<(&str, Vec<&str>)> = table.axes.iter().map(|axis| (axis.as_str(), values(axis))).collect();
            columns = derived(&axes, &seeds, &[]);
        }
        columns.extend(table.columns.into_iter().filter_map(|(name, values)| column(&name, values)));
        Ok(Self { data: DataFrame::new_infer_height(columns)?, axes: table.axes.into() })
    }

    /// A frame of cells alone: the values of these axes, and a seed each, sorted.
    ///
    /// # Errors
    /// If the table engine refuses.
    pub fn cells(axes: &[&str], cells: &[(Vec<String>, u64)]) -> Result<Self, ReportError> {
        let values = |at: usize| cells.iter().map(|(values, _)| values[at].as_str()).collect::<Vec<&str>>();
        let named: Vec<(&str, Vec<&str>)> = axes.iter().enumerate().map(|(at, axis)| (*axis, values(at))).collect();
        let seeds: Vec<u64> = cells.iter().map(|(_, seed)| *seed).collect();
        let mut columns = derived(&named, &seeds, &[]);
        columns.extend(named.into_iter().map(|(axis, values)| Column::new(axis.into(), values)));
        columns.push(Column::new(SEED.into(), seeds));
        let axes: Vec<String> = axes.iter().map(ToString::to_string).collect();
        Ok(Self { data: DataFrame::new_infer_height(columns)?, axes: axes.into() })
    }

    /// The rows of several frames of one schema in the order of cells, with a column `of` that has the name of each row's frame.
    /// An axis that one of them lacks is [`ABSENT`] there.
    ///
    /// # Errors
    /// If the table engine refuses.
    pub fn stacked(frames: &[(&str, &Self)]) -> Result<Self, ReportError> {
        let mut axes: Vec<String> = Vec::new();
        for axis in frames.iter().rev().flat_map(|(_, frame)| frame.axes()) {
            if !axes.contains(axis) {
                axes.push(axis.clone());
            }
        }
        let mut values: Vec<Vec<String>> = vec![Vec::new(); axes.len()];
        let (mut seeds, mut sides, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        let mut stacked: Option<DataFrame> = None;
        for (name, frame) in frames.iter().filter(|(_, frame)| !frame.is_empty()) {
            starts.push(seeds.len());
            for (axis, values) in axes.iter().zip(&mut values) {
                let absent = || vec![ABSENT.to_owned(); frame.height()];
                values.extend(if frame.has(axis) { frame.words(axis)? } else { absent() });
            }
            seeds.extend(frame.counts(SEED)?.into_iter().map(|seed| seed.unwrap_or(0)));
            sides.extend(vec![(*name).to_owned(); frame.height()]);
            let is_own = |column: &&str| {
                let is_derived =
                    column.ends_with(".order") || DERIVED.contains(column) || ["cell", "line"].contains(column);
                !is_derived && frame.axes.iter().all(|axis| axis != *column)
            };
            let names = frame.data.get_column_names().into_iter().map(|name| name.as_str());
            let own: Vec<String> = names.filter(is_own).map(str::to_owned).collect();
            let own = frame.data.select(own)?;
            stacked = Some(match stacked {
                None => own,
                Some(above) => above.vstack(&own)?,
            });
        }
        let named = axes.iter().zip(&values);
        let named: Vec<(&str, Vec<&str>)> =
            named.map(|(axis, values)| (axis.as_str(), values.iter().map(String::as_str).collect())).collect();
        let mut columns = derived(&named, &seeds, &starts);
        columns.extend(named.into_iter().map(|(axis, values)| Column::new(axis.into(), values)));
        columns.push(Column::new("of".into(), sides));
        columns.extend(stacked.into_iter().flat_map(|data| data.columns().to_vec()));
        let orders: Vec<String> = axes.iter().map(|axis| format!("{axis}.order")).collect();
        let frame = Self { data: DataFrame::new_infer_height(columns)?, axes: axes.into() };
        let by: Vec<&str> = orders.iter().map(String::as_str).chain([SEED]).collect();
        if frame.is_empty() { Ok(frame) } else { frame.sorted(&by) }
    }

    /// The names of the axes.
    pub fn axes(&self) -> &[String] {
        &self.axes
    }

    /// How many rows it has.
    pub fn height(&self) -> usize {
        self.data.height()
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.height() == 0
    }

    /// Its rows, for a query.
    pub fn lazy(&self) -> LazyFrame {
        self.data.clone().lazy()
    }

    /// What a query over its rows gives.
    ///
    /// # Errors
    /// If the table engine refuses.
    pub fn query(&self, query: impl FnOnce(LazyFrame) -> LazyFrame) -> Result<Self, ReportError> {
        Ok(Self { data: query(self.lazy()).collect()?, axes: self.axes.clone() })
    }

    /// The rows for which an expression is true.
    ///
    /// # Errors
    /// If the table engine refuses.
    pub fn filtered(&self, keep: Expr) -> Result<Self, ReportError> {
        self.query(|rows| rows.filter(keep))
    }

    /// The rows whose [`words`](Self::words) in a column are kept.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn only(&self, name: &str, keep: impl Fn(&str) -> bool) -> Result<Self, ReportError> {
        let kept: Vec<bool> = self.words(name)?.iter().map(|word| keep(word)).collect();
        let kept = Column::new("kept".into(), kept);
        let data = self.data.filter(kept.bool()?)?;
        Ok(Self { data, axes: self.axes.clone() })
    }

    /// The rows that are of what made the scores of their cell, and those of cells without scores: what was measured of something
    /// else never stands beside them.
    ///
    /// # Errors
    /// If rows have no cells.
    pub fn of_same_keys(&self, scores: &Self) -> Result<Self, ReportError> {
        let keys: HashMap<String, String> = scores.words("cell")?.into_iter().zip(scores.words(KEY)?).collect();
        let own = self.words("cell")?.into_iter().zip(self.words(KEY)?).enumerate();
        let is_same = |cell: &str, key: &str| keys.get(cell).is_none_or(|of_scores| of_scores == key);
        let kept: Vec<usize> = own.filter(|(_, (cell, key))| is_same(cell, key)).map(|(row, _)| row).collect();
        self.rows(&kept)
    }

    /// The rows of the seeds that all lines of a group have, which is those with the same values in some columns: what is drawn
    /// side by side never differs because seeds do. Of a group whose lines share no seed, all rows.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn of_shared_seeds(&self, group: &[&str]) -> Result<Self, ReportError> {
        let groups: Vec<Vec<String>> = group.iter().map(|name| self.words(name)).collect::<Result<_, _>>()?;
        let of_group = |row: usize| groups.iter().map(|words| words[row].as_str()).collect::<Vec<&str>>();
        let (lines, seeds) = (self.words("line")?, self.counts(SEED)?);
        let mut found: BTreeMap<Vec<&str>, BTreeMap<&str, BTreeSet<Option<u64>>>> = BTreeMap::new();
        for (row, line) in lines.iter().enumerate() {
            found.entry(of_group(row)).or_default().entry(line).or_default().insert(seeds[row]);
        }
        let shared = |lines: &BTreeMap<&str, BTreeSet<Option<u64>>>| {
            lines.values().cloned().reduce(|all, own| &all & &own).unwrap_or_default()
        };
        let shared: BTreeMap<&Vec<&str>, BTreeSet<Option<u64>>> =
            found.iter().map(|(group, lines)| (group, shared(lines))).collect();
        let is_shared = |row: &usize| {
            shared.get(&of_group(*row)).is_none_or(|shared| shared.is_empty() || shared.contains(&seeds[*row]))
        };
        self.rows(&(0..self.height()).filter(is_shared).collect::<Vec<_>>())
    }

    /// The rows in the order of some columns; equal ones stay as they are.
    ///
    /// # Errors
    /// If the table engine refuses.
    pub fn sorted(&self, by: &[&str]) -> Result<Self, ReportError> {
        let by: Vec<Expr> = by.iter().map(|name| col(*name)).collect();
        let options = SortMultipleOptions::default().with_maintain_order(true);
        self.query(|rows| rows.sort_by_exprs(by, options))
    }

    /// Runs of rows that have the same values in some columns.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn blocks(&self, by: &[&str]) -> Result<Vec<Self>, ReportError> {
        let slice =
            |run: Range<usize>| Self { data: self.data.slice(run.start as i64, run.len()), axes: self.axes.clone() };
        Ok(self.runs(by)?.into_iter().map(slice).collect())
    }

    /// The places of such runs.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn runs(&self, by: &[&str]) -> Result<Vec<Range<usize>>, ReportError> {
        let keys: Vec<Vec<String>> = by.iter().map(|name| self.words(name)).collect::<Result<_, _>>()?;
        let rows: Vec<usize> = (0..self.height()).collect();
        let is_same = |a: &usize, b: &usize| keys.iter().all(|key| key[*a] == key[*b]);
        Ok(rows.chunk_by(is_same).map(|run| run[0]..run[run.len() - 1] + 1).collect())
    }

    /// A row a line, the first, with its axes and what is made of them alone.
    ///
    /// # Errors
    /// If rows have no axes.
    pub fn lines(&self) -> Result<Self, ReportError> {
        let axes = self.first_of_axes();
        self.query(|rows| rows.group_by_stable([col("line")]).agg(axes))
    }

    /// The rows at some places, in this order.
    ///
    /// # Errors
    /// If a place is beyond the last.
    pub fn rows(&self, places: &[usize]) -> Result<Self, ReportError> {
        let places: Vec<polars::prelude::IdxSize> =
            places.iter().map(|&place| place as polars::prelude::IdxSize).collect();
        let data = self.data.take(&polars::prelude::IdxCa::from_vec("places".into(), places))?;
        Ok(Self { data, axes: self.axes.clone() })
    }

    /// With another column, or another one in the place of that of the same name.
    ///
    /// # Errors
    /// If it is of another height.
    pub fn with(mut self, column: Column) -> Result<Self, ReportError> {
        self.data.with_column(column)?;
        Ok(self)
    }

    /// With the places of a column's values, in the order in which they come first: `NAME.order`.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn with_order(self, name: &str) -> Result<Self, ReportError> {
        let values = self.distinct(name)?;
        let place = |word: &String| values.iter().position(|value| value == word).unwrap_or(0) as u32;
        let places: Vec<u32> = self.words(name)?.iter().map(place).collect();
        self.with(Column::new(format!("{name}.order").into(), places))
    }

    /// With a column of words.
    ///
    /// # Errors
    /// As [`with`](Self::with).
    pub fn with_words(self, name: &str, words: Vec<Option<String>>) -> Result<Self, ReportError> {
        self.with(Column::new(name.into(), words))
    }

    /// With a column of numbers.
    ///
    /// # Errors
    /// As [`with`](Self::with).
    pub fn with_numbers(self, name: &str, numbers: Vec<Option<f64>>) -> Result<Self, ReportError> {
        self.with(Column::new(name.into(), numbers))
    }

    /// With the columns of another frame where the values of a column are the same; without them nothing is known.
    ///
    /// # Errors
    /// If the table engine refuses.
    pub fn joined(&self, other: LazyFrame, on: &str) -> Result<Self, ReportError> {
        // A join may change the order of rows.
        let rows: Vec<u32> = (0..self.height() as u32).collect();
        let own = self.clone().with(Column::new("row".into(), rows))?;
        let how = JoinArgs::new(JoinType::Left);
        let joined = own.query(|rows| rows.join(other, [col(on)], [col(on)], how))?.sorted(&["row"])?;
        Ok(Self { data: joined.data.drop("row")?, ..joined })
    }

    /// Whether it has a column.
    pub fn has(&self, name: &str) -> bool {
        self.data.column(name).is_ok()
    }

    /// The column of words, or of counts as words; empty where nothing is known.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn words(&self, name: &str) -> Result<Vec<String>, ReportError> {
        let column = self.data.column(name)?.as_materialized_series();
        if let Some(words) = column.try_str() {
            return Ok(words.iter().map(|word| word.unwrap_or_default().to_owned()).collect());
        }
        if let Ok(truths) = column.bool() {
            return Ok(truths.iter().map(|truth| truth.map_or_else(String::new, |truth| truth.to_string())).collect());
        }
        Ok(self
            .counts(name)?
            .into_iter()
            .map(|count| count.map_or_else(String::new, |count| count.to_string()))
            .collect())
    }

    /// The column of counts.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn counts(&self, name: &str) -> Result<Vec<Option<u64>>, ReportError> {
        let column = self.data.column(name)?.as_materialized_series().cast(&polars::prelude::DataType::UInt64)?;
        Ok(column.u64()?.iter().collect())
    }

    /// The column of numbers.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn numbers(&self, name: &str) -> Result<Vec<Option<f64>>, ReportError> {
        let column = self.data.column(name)?.as_materialized_series().cast(&polars::prelude::DataType::Float64)?;
        Ok(column.f64()?.iter().collect())
    }

    /// A measure of each row for people.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn shown(&self, name: &str) -> Result<Vec<String>, ReportError> {
        let Some(measure) = measures::named(name) else { return self.words(name) };
        Ok(self.numbers(name)?.into_iter().map(|value| measure.text(value)).collect())
    }

    /// The first known value of a column of counts.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn first_count(&self, name: &str) -> Result<Option<u64>, ReportError> {
        Ok(self.counts(name)?.into_iter().flatten().next())
    }

    /// The sum of what is known of a column of counts.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn sum(&self, name: &str) -> Result<u64, ReportError> {
        Ok(self.counts(name)?.into_iter().flatten().fold(0, u64::saturating_add))
    }

    /// The different values of a column of words, in the order of their first rows.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn distinct(&self, name: &str) -> Result<Vec<String>, ReportError> {
        let mut seen = BTreeSet::new();
        Ok(self.words(name)?.into_iter().filter(|word| seen.insert(word.clone())).collect())
    }

    /// The expressions that keep the axes and what is made of them when rows of one line are grouped.
    pub fn first_of_axes(&self) -> Vec<Expr> {
        let names = self.axes.iter().cloned();
        let derived = self.data.get_column_names().into_iter().map(|name| name.to_string());
        let derived = derived.filter(|name| name.ends_with(".order") || DERIVED.contains(&name.as_str()));
        names.chain(derived).map(|name| col(name).first()).collect()
    }

    /// The lines of tables: a row for each setting of rows of `scores.csv`, in their order, with
    ///
    /// * `seeds` and `failed_seeds`, how many have counts and how many none, and `seed_list`, the first spelt out;
    /// * the sum over seeds of each count, unknown where one of them is, and where every seed failed;
    /// * the [measures](measures::MEASURES) of these sums: every seed parses the same words, so a ratio of sums is a mean;
    /// * `uas_sd_points`, the standard deviation of the UAS over seeds.
    ///
    /// # Errors
    /// If two cells of one corpus and part differ in sentences, words or scored words.
    pub fn means(&self) -> Result<Self, ReportError> {
        self.check_data()?;
        let is_counted = || col("error").is_null();
        let sum = |name: &str| {
            let counted = || col(name).filter(is_counted());
            let is_known = counted().null_count().eq(lit(0)).and(counted().len().gt(lit(0)));
            when(is_known).then(counted().sum()).otherwise(lit(NULL)).alias(name)
        };
        let mut columns = self.first_of_axes();
        columns.push(is_counted().sum().cast(polars::prelude::DataType::UInt64).alias("seeds"));
        columns.push(col("error").is_not_null().sum().cast(polars::prelude::DataType::UInt64).alias("failed_seeds"));
        let is_sum = |kind: Kind| matches!(kind, Kind::Count | Kind::Optional);
        columns
            .extend(schema::SCORES.columns.iter().filter(|column| is_sum(column.kind)).map(|column| sum(column.name)));
        columns.push(measures::UAS.value().std(1).alias("uas_sd_points"));
        let measured: Vec<Expr> = measures::MEASURES.iter().filter_map(|measure| measure.column()).collect();
        let lines = self.query(|rows| rows.group_by_stable([col("line")]).agg(columns).with_columns(measured))?;
        let mut seeds: HashMap<String, Vec<String>> = HashMap::new();
        let counted = self.filtered(is_counted())?;
        for (line, seed) in counted.words("line")?.into_iter().zip(counted.words(SEED)?) {
            seeds.entry(line).or_default().push(seed);
        }
        let lists = lines.words("line")?.iter().map(|line| seeds.get(line).map(|seeds| seeds.join(", "))).collect();
        lines.with_words("seed_list", lists)
    }

    /// Refuses cells of one corpus and part that did not parse and score the same words.
    pub(crate) fn check_data(&self) -> Result<(), ReportError> {
        let columns = ["sentences", "tokens", "scored_tokens"];
        let counts = columns.map(|name| self.counts(name));
        let [corpora, splits, cells] = ["corpus", "split", "cell"].map(|name| self.words(name));
        let (corpora, splits, cells) = match self.axes.is_empty() {
            true => return Ok(()),
            false => (corpora?, splits?, cells?),
        };
        let counts: Vec<Vec<Option<u64>>> = counts.into_iter().collect::<Result<_, _>>()?;
        let mut first: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for row in 0..self.height() {
            if counts[0][row].is_none() {
                continue;
            }
            let expected = *first.entry((&corpora[row], &splits[row])).or_insert(row);
            let differs = |of: &&Vec<Option<u64>>| of[expected] != of[row];
            if let Some(at) = counts.iter().position(|of| differs(&of)) {
                let [first_value, second_value] = [expected, row].map(|row| counts[at][row].unwrap_or(0));
                let [first, second] = [expected, row].map(|row| cells[row].clone());
                let fault = MixedFault::Data { first, second, column: columns[at], first_value, second_value };
                return Err(ReportError::Mixed(fault));
            }
        }
        Ok(())
    }
}

/// What is made of the axes, but for orders.
const DERIVED: [&str; 4] = ["backbone", "decoder", "families", "is_other"];

fn column(name: &str, values: Values) -> Option<Column> {
    match values {
        Values::Words(words) => Some(Column::new(name.into(), words)),
        Values::Counts(counts) => Some(Column::new(name.into(), counts)),
        Values::Signed(numbers) => Some(Column::new(name.into(), numbers)),
        Values::Series(_) => None,
    }
}

/// The axes that every file of cells or models has.
pub(crate) const FIRST_AXES: [&str; 10] =
    ["corpus", "split", "tags", "system", "templates", "learner", "features", "pruning", "decoding", "backbone"];

/// The names of cells and lines.
pub(crate) struct Names {
    /// The axes of each row, joined.
    pub lines: Vec<String>,
    /// The seed of each row.
    pub seeds: Vec<u64>,
}

impl Names {
    /// Those of a table.
    pub fn new(table: &Table) -> Self {
        let axes: Vec<(&str, &Vec<Option<String>>)> = table
            .axes
            .iter()
            .flat_map(|axis| words(table, |name| name == axis).into_iter().map(|of| (axis.as_str(), of)))
            .collect();
        let seeds: Vec<u64> =
            table.columns.iter().find(|(name, _)| name == SEED).map_or_else(Vec::new, |(_, values)| {
                if let Values::Counts(seeds) = values {
                    seeds.iter().map(|seed| seed.unwrap_or(0)).collect()
                } else {
                    Vec::new()
                }
            });
        let values = |row: usize| axes.iter().filter_map(move |(axis, values)| Some((*axis, values[row].as_deref()?)));
        let line = |row: usize| line_name(values(row));
        Self { lines: (0..seeds.len()).map(line).collect(), seeds }
    }
}

/// The name of a line by its axes. A further axis is named, and only where it has a value, so that names do not depend on other rows
/// of the file.
pub fn line_name<'a>(axes: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let named = |(axis, value): (&str, &str)| match FIRST_AXES.contains(&axis) {
        true => Some(value.to_owned()),
        false => Some(format!("{axis}={value}")).filter(|_| value != ABSENT),
    };
    axes.filter_map(named).collect::<Vec<_>>().join("/")
}

fn words(table: &Table, is_meant: impl Fn(&str) -> bool) -> Vec<&Vec<Option<String>>> {
    let meant = table.columns.iter().filter(|(name, _)| is_meant(name));
    meant.filter_map(|(_, values)| if let Values::Words(words) = values { Some(words) } else { None }).collect()
}

/// The columns that are made of the axes and the seed. Rows are sorted from each of some `starts` to the next.
fn derived(axes: &[(&str, Vec<&str>)], seeds: &[u64], starts: &[usize]) -> Vec<Column> {
    let line = |row: usize| line_name(axes.iter().map(|(axis, values)| (*axis, values[row])));
    let lines: Vec<String> = (0..seeds.len()).map(line).collect();
    let cells: Vec<String> = lines.iter().zip(seeds).map(|(line, seed)| format!("{line}/seed={seed}")).collect();
    let mut columns = vec![Column::new("cell".into(), cells), Column::new("line".into(), lines)];
    let mut prefix: Vec<String> = vec![String::new(); seeds.len()];
    for (axis, values) in axes {
        columns.push(order(axis, values, &prefix, starts));
        match *axis {
            "decoding" => {
                let parts = |value: &&str| {
                    value.split_once('/').map_or((None, None), |(a, b)| (Some(a.to_owned()), Some(b.to_owned())))
                };
                let (backbones, decoders): (Vec<Option<String>>, Vec<Option<String>>) =
                    values.iter().map(parts).unzip();
                let spelt = |all: &[Option<String>]| all.iter().map(|one| one.clone().unwrap_or_default()).collect();
                let (first, second): (Vec<String>, Vec<String>) = (spelt(&backbones), spelt(&decoders));
                columns.push(order("backbone", &first.iter().map(String::as_str).collect::<Vec<_>>(), &prefix, starts));
                let longer: Vec<String> =
                    prefix.iter().zip(&first).map(|(prefix, own)| format!("{prefix}/{own}")).collect();
                columns.push(order("decoder", &second.iter().map(String::as_str).collect::<Vec<_>>(), &longer, starts));
                columns.push(Column::new("backbone".into(), backbones));
                columns.push(Column::new("decoder".into(), decoders));
            }
            "features" => {
                let families =
                    |set: &&str| if [BASELINE, ABSENT].contains(set) { 0 } else { set.split('+').count() as u64 };
                columns.push(Column::new("families".into(), values.iter().map(families).collect::<Vec<u64>>()));
            }
            "system" => {
                let is_other: Vec<bool> = values.iter().map(|system| *system != GRAPH).collect();
                columns.push(Column::new("is_other".into(), is_other));
            }
            _ => {}
        }
        prefix.iter_mut().zip(values).for_each(|(prefix, value)| *prefix += &format!("/{value}"));
    }
    columns
}

/// Where each value of an axis stands among the others: a column of its places. Rows are sorted, so of two values that follow each
/// other behind the same axes before them the first comes first; where that leaves it open, the one that is seen first.
fn order(axis: &str, values: &[&str], prefix: &[String], starts: &[usize]) -> Column {
    let mut seen: Vec<&str> = Vec::new();
    let mut behind: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut last: HashMap<&str, usize> = HashMap::new();
    for (row, (value, prefix)) in values.iter().zip(prefix).enumerate() {
        if starts.contains(&row) {
            last.clear();
        }
        let at = seen.iter().position(|known| known == value).unwrap_or_else(|| {
            seen.push(value);
            seen.len() - 1
        });
        if let Some(before) = last.insert(prefix, at).filter(|before| *before != at) {
            behind.insert((before, at));
        }
    }
    let mut left: Vec<usize> = (0..seen.len()).collect();
    if axis == "pruning" {
        left.sort_by(|a, b| heads(seen[*a]).total_cmp(&heads(seen[*b])));
        behind.clear();
    }
    let mut places: HashMap<&str, u32> = HashMap::new();
    while !left.is_empty() {
        let is_free = |at: &usize| !left.iter().any(|other| behind.contains(&(*other, *at)));
        // A file that is not sorted may contradict itself.
        let next = left.iter().position(is_free).unwrap_or(0);
        places.insert(seen[left.remove(next)], places.len() as u32);
    }
    let places: Vec<u32> = values.iter().map(|value| places[value]).collect();
    Column::new(format!("{axis}.order").into(), places)
}

/// A number that is the larger the fewer heads a pruning leaves: none of them, then `k` of them, then those above a threshold.
fn heads(pruning: &str) -> f64 {
    let number = |text: &str| text.parse().unwrap_or(0.0_f64);
    match pruning.split_once('=') {
        Some(("k", heads)) => -number(heads),
        Some(("t", share)) => number(share),
        _ if pruning == ABSENT => f64::NEG_INFINITY,
        _ => f64::MIN,
    }
}
