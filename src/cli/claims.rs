//! `treebound claims`: what is claimed of the results of a config, and what the results say of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ::csv::StringRecord;
use anyhow::{Context, Result, bail};
use clap::Args;

use super::filter::FilterFlags;
use super::flags::{ConfigFlags, OutFlags, ShapeFlags};
use super::output::{print, say};
use super::results::Results;
use super::table::unpaired;
use crate::cell::Split;
use crate::claims::{ClaimTable, DECIDED_BY, Evidence, LISTS, Usual, Verdict};
use crate::decode::Decoder;
use crate::experiment::cell::{Cell, cells as cells_of, grids_of};
use crate::experiment::table_options::table_options;
use crate::records::number::counted;
use crate::records::{ScoreRow, SpeedRow, file};

#[derive(Args)]
pub struct ClaimsArguments {
    /// The config
    #[arg(required_unless_present = "show")]
    config: Option<PathBuf>,
    /// Set a value of the config for this time, such as evaluation.rounds=100; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    out: OutFlags,
    #[command(flatten)]
    shape: ShapeFlags,
    /// Exit with 1 if a claim does not hold
    #[arg(long)]
    exit_code: bool,
    /// Print a list of claims (paper, paper-zh, ma-zhao) as TOML, to be read or copied, instead
    #[arg(long, value_name = "LIST", conflicts_with = "config")]
    show: Option<String>,
}

pub fn claims(arguments: &ClaimsArguments) -> Result<ExitCode> {
    if let Some(name) = &arguments.show {
        let found = LISTS.iter().find(|(list, _)| list == name);
        let names = || LISTS.map(|(list, _)| list).join(", ");
        let (_, text) = found.with_context(|| format!("--show {name}: the lists of claims are {}", names()))?;
        print(text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let flags = ConfigFlags { config: arguments.config.clone().unwrap_or_default(), set: arguments.set.clone() };
    let path = &flags.config;
    let results = Results::open(&flags, &arguments.out, &FilterFlags::default())?;
    if results.config.claims.all().is_empty() {
        bail!("{}: no claims; add claims = \"paper\" (see treebound claims --show paper) or [[claim]]", path.display());
    }
    let (table, incomplete) = judged(&results)?;
    let shown = if arguments.shape.is_markdown() { table.wide_table() } else { table.table() };
    print(&arguments.shape.print(&shown)?)?;
    let path = results.path("claims.csv");
    let (bytes, [kept, lost]) = with_verdicts_before(&table.sheet(false).csv()?, &path)?;
    if let Some(complaint) = incomplete {
        say!("treebound: {complaint}");
        let has_scores = !results.read("scores.csv", |row: &ScoreRow| &row.cell)?.is_empty();
        if lost > 0 || !has_scores {
            say!("treebound: claims.csv not written");
            return Ok(ExitCode::FAILURE);
        }
    }
    file::write(&path, &bytes)?;
    if kept > 0 {
        let verdicts = counted(kept, "verdict stands", "verdicts stand");
        say!("treebound: {verdicts} in {} as before: the sentences that decided are not here", path.display());
    }
    if results.config.claims.all().iter().any(|claim| claim.test.is_timed()) {
        file::write(&results.path("speed_claims.csv"), &table.sheet(true).csv()?)?;
    }
    let fails = arguments.exit_code && table.judged().iter().any(|j| j.verdict == Verdict::DoesNotHold);
    Ok(if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// How the words of a verdict begin that lacks the sentences of cells that were run; then the file, which was another one.
const NO_SENTENCES: &str = "no sentences (";

/// The columns that say which claim a line is about.
const CLAIM: [&str; 6] = ["corpus", "tags", "claim", "kind", "text", "source"];

/// Verdicts with those that stand in the file now, where sentences are missing and were there then: a verdict is not
/// forgotten because they are elsewhere. Says how many, and how many verdicts lack sentences and were not there.
fn with_verdicts_before(verdicts: &[u8], path: &Path) -> Result<(Vec<u8>, [u64; 2])> {
    let before = std::fs::read(path).unwrap_or_default();
    let mut before = ::csv::Reader::from_reader(before.as_slice());
    let mut reader = ::csv::Reader::from_reader(verdicts);
    let columns = reader.headers()?.clone();
    let place = |column: &str| columns.iter().position(|name| name == column);
    let field = |row: &StringRecord, column| place(column).and_then(|at| row.get(at)).unwrap_or("").to_owned();
    let about = |row: &StringRecord| CLAIM.map(|column| field(row, column));
    let mut known = BTreeMap::new();
    let of_old = before.headers()?.clone();
    // Files of an earlier version do not say what decided.
    let without = |columns: &StringRecord| columns.iter().filter(|name| *name != DECIDED_BY).collect::<StringRecord>();
    let is_alike = without(&of_old) == without(&columns);
    let old_place: Vec<Option<usize>> = columns.iter().map(|name| of_old.iter().position(|old| old == name)).collect();
    for row in before.records().filter(|_| is_alike) {
        let row = row?;
        let row: StringRecord = old_place.iter().map(|at| at.and_then(|at| row.get(at)).unwrap_or("")).collect();
        if !field(&row, "evidence").contains(NO_SENTENCES) {
            known.insert(about(&row), row);
        }
    }
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(&columns)?;
    let (mut kept, mut lost) = (0, 0);
    for row in reader.records() {
        let row = row?;
        let lacks = field(&row, "evidence").contains(NO_SENTENCES);
        let decided_by = field(&row, DECIDED_BY);
        let is_alike = |old: &&StringRecord| {
            let before = field(old, DECIDED_BY);
            (before.is_empty() || before == decided_by) && !field(old, "evidence").starts_with("not run")
        };
        let stands = known.get(&about(&row)).filter(|_| lacks).filter(is_alike);
        kept += u64::from(stands.is_some());
        lost += u64::from(lacks && stands.is_none());
        let fields = stands.unwrap_or(&row).iter().zip(&columns);
        writer.write_record(fields.map(|(field, name)| if name == DECIDED_BY { &decided_by } else { field }))?;
    }
    Ok((writer.into_inner()?, [kept, lost]))
}

/// The verdicts on all claims of a config, and what of the results they lack.
pub fn judged(results: &Results) -> Result<(ClaimTable, Option<String>)> {
    let config = &results.config;
    let claims = config.claims.all();
    let scores: Vec<ScoreRow> = results.read("scores.csv", |row: &ScoreRow| &row.cell)?;
    let sentences = results.sentences()?;
    let lengths = results.lengths(&sentences)?;
    let times: Vec<SpeedRow> = results.read("speed.csv", |row: &SpeedRow| &row.cell)?;
    // Without some sentences, or without any results, claims are undecided that need not be.
    let mut incomplete = unpaired(results, &scores, &sentences);
    if scores.is_empty() {
        incomplete = results.missing("scores.csv", "run", []);
    }
    let grid = config.main().context("the config has no grid")?;
    let usual = Usual {
        decoder: grid.decoders.first().copied().unwrap_or(Decoder::Bnb),
        split: grid.splits.last().copied().unwrap_or(Split::Test),
        templates: grid.templates.first().cloned(),
        draws: table_options(config).draws,
    };
    // Cells of grids that are run where they are named are there, or nobody waits for them.
    let cells = results.wanted.iter().chain(scores.iter().map(|row| &*row.cell)).cloned().collect();
    let grids = |cell: &Cell| grids_of(config, cell).iter().map(|grid| grid.name.clone()).collect();
    let grids = cells_of(config).into_iter().map(|cell| (cell.key(config).setting, grids(&cell)));
    let evidence = Evidence::new(cells, &scores, sentences, &lengths, &times, usual)?.with_grids(grids);
    Ok((ClaimTable::new(&claims, &evidence), incomplete))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was decided stays where its sentences are missing now, and nothing else does.
    #[test]
    fn decided_verdicts_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("claims.csv");
        let line = |claim: &str, evidence: &str| format!("a,gold,{claim},better,Text.,here,{evidence}\n");
        let file = |lines: &[(&str, &str)]| {
            let heading = "corpus,tags,claim,kind,text,source,evidence\n".to_owned();
            heading + &lines.iter().map(|(claim, evidence)| line(claim, evidence)).collect::<String>()
        };
        let lacking = "no sentences (by_sentence.csv): a/test";
        let now = file(&[("one", lacking), ("two", lacking), ("three", "\"+0.10, p\""), ("four", lacking)]);
        let kept = |path: &Path| with_verdicts_before(now.as_bytes(), path).expect("lines");
        assert_eq!(kept(&path), (now.clone().into_bytes(), [0, 3]), "there was no file");
        let before = [("one", "\"+0.20, p\""), ("two", "not run: a"), ("three", "\"+0.30, p\""), ("five", "+1")];
        std::fs::write(&path, file(&before)).expect("a file");
        let wanted = file(&[("one", "\"+0.20, p\""), ("two", lacking), ("three", "\"+0.10, p\""), ("four", lacking)]);
        let (found, count) = kept(&path);
        assert_eq!((String::from_utf8(found).expect("text"), count), (wanted, [1, 2]));

        // A claim of the same words that asks for something else has no verdict yet.
        let decided = |by: &str, evidence: &str| format!("corpus,claim,decided_by,evidence\na,one,{by},{evidence}\n");
        std::fs::write(&path, decided("f00", "+0.20")).expect("a file");
        for (by, verdict) in [("f00", "+0.20"), ("ba7", lacking)] {
            let (found, _) = with_verdicts_before(decided(by, lacking).as_bytes(), &path).expect("lines");
            assert_eq!(String::from_utf8(found).expect("text"), decided(by, verdict));
        }
        let older = decided("f00", "+0.20").replace("decided_by,", "").replace("f00,", "");
        std::fs::write(&path, older).expect("a file");
        let (found, _) = with_verdicts_before(decided("ba7", lacking).as_bytes(), &path).expect("lines");
        assert_eq!(String::from_utf8(found).expect("text"), decided("ba7", "+0.20"), "of an earlier version");
    }
}
