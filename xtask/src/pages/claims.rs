//! Claims and their verdicts, as `claims.csv` and `speed_claims.csv` have them: what decides most of them, one row a sentence,
//! is not kept with the pages.

use super::blocks::{Arguments, BlockError};
use super::experiment::{Experiment, Experiments};
use treebound_records::sheet;
use treebound_report::claims::Verdict;
use treebound_report::tables::table::Section;

/// A line of the files.
struct Line {
    corpus: String,
    tags: String,
    verdict: String,
    evidence: String,
    text: String,
    rest: [String; REST.len()],
}

/// The other columns, which older files do not have.
const REST: [&str; 15] = [
    "source",
    "unit",
    "published",
    "ours",
    "low",
    "high",
    "p_value",
    "p_two_way",
    "p_holm",
    "detectable_points",
    "sentences_needed",
    "p_sentences",
    "cause",
    "why",
    "shown_by",
];

/// The place of `cause` in them.
const CAUSE: usize = 12;

/// The claims of an experiment, of a corpus and tags if they are asked for. Columns are empty where the files are older than they
/// are.
pub fn claims(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let lines = asked(experiments, arguments)?;
    let rest = |at: usize| lines.iter().map(move |line| line.rest[at].clone());
    let interval = |line: &Line| {
        let [_, _, _, _, low, high, ..] = &line.rest;
        if low.is_empty() { String::new() } else { format!("{low} to {high}") }
    };
    let section = Section::default()
        .left("corpus", lines.iter().map(|line| line.corpus.clone()))
        .left("tags", lines.iter().map(|line| line.tags.clone()))
        .left("claim", lines.iter().map(|line| line.text.clone()))
        .left("source", rest(0))
        .left("verdict", lines.iter().map(|line| line.verdict.clone()))
        .left("evidence", lines.iter().map(|line| line.evidence.clone()))
        .left("unit", rest(1))
        .right("the paper", rest(2))
        .right("ours", rest(3))
        .right("interval", lines.iter().map(interval))
        .right("p", rest(6))
        .right("p over seeds", rest(7))
        .right("p over sentences", rest(11))
        .right("p Holm", rest(8))
        .right("shows from", rest(9))
        .right("sentences needed", rest(10));
    arguments.columns(section, &["claim", "source", "verdict", "evidence"])
}

/// The claims of an experiment that do not hold, and why: those that one thing explains share a line.
pub fn failures(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let mut lines = asked(experiments, arguments)?;
    lines.retain(|line| line.verdict == Verdict::DoesNotHold.name());
    let why = |line: &Line| -> [String; 3] { std::array::from_fn(|at| line.rest[CAUSE + at].clone()) };
    let mut rows: Vec<(Vec<String>, [String; 3])> = Vec::new();
    for line in &lines {
        match rows.iter_mut().find(|(_, of)| *of == why(line) && !of[0].is_empty()) {
            Some((claims, _)) => claims.push(line.text.clone()),
            None => rows.push((vec![line.text.clone()], why(line))),
        }
    }
    let of = |at: usize| rows.iter().map(move |(_, why)| why[at].clone());
    let cause = of(0).map(|cause| if cause.is_empty() { "not explained".to_owned() } else { cause });
    let section = Section::default()
        .left("does not hold", rows.iter().map(|(claims, _)| claims.join(" ")))
        .left("cause", cause)
        .left("why", of(1))
        .left("grids", of(2));
    arguments.columns(section, &["does-not-hold", "cause", "why", "grids"])
}

/// The claims of an experiment, of a corpus and tags if they are asked for.
fn asked(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Vec<Line>, BlockError> {
    let mut lines = read(&*experiments.experiment(arguments.name()?)?)?;
    arguments.retain("corpus", false, &mut lines, |line| line.corpus.clone())?;
    arguments.retain("tags", false, &mut lines, |line| line.tags.clone())?;
    Ok(lines)
}

/// How many claims hold, by experiment, corpus and tags.
pub fn summary(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let mut rows: Vec<(String, Line, [u64; 3])> = Vec::new();
    for name in &arguments.names {
        let begin = rows.len();
        for line in read(&*experiments.experiment(name)?)? {
            let here = |row: &(String, Line, _)| (&row.1.corpus, &row.1.tags) == (&line.corpus, &line.tags);
            let verdict = VERDICTS.iter().position(|verdict| verdict.name() == line.verdict);
            let at = match rows[begin..].iter().position(here) {
                Some(at) => begin + at,
                None => {
                    rows.push(((*name).to_owned(), line, [0; 3]));
                    rows.len() - 1
                }
            };
            if let Some(verdict) = verdict {
                rows[at].2[verdict] += 1;
            }
        }
    }
    let count = |at: usize| rows.iter().map(move |row| row.2[at].to_string());
    let section = Section::default()
        .left("experiment", rows.iter().map(|row| row.0.clone()))
        .left("corpus", rows.iter().map(|row| row.1.corpus.clone()))
        .left("tags", rows.iter().map(|row| row.1.tags.clone()))
        .right("hold", count(0))
        .right("do not hold", count(1))
        .right("undecided", count(2));
    arguments.columns(section, &["experiment", "tags", "hold", "do-not-hold", "undecided"])
}

const VERDICTS: [Verdict; 3] = [Verdict::Holds, Verdict::DoesNotHold, Verdict::Undecided];

/// The lines of both files, those on time behind the others of their corpus and tags.
fn read(experiment: &Experiment) -> Result<Vec<Line>, BlockError> {
    let mut lines = Vec::new();
    for file in ["claims.csv", "speed_claims.csv"] {
        let path = experiment.path(file);
        if !path.exists() {
            // There may be no claims on time.
            if lines.is_empty() {
                return Err(experiment.missing(&format!("{} is not there", path.display()), "claims CONFIG"));
            }
            continue;
        }
        for mut fields in sheet::read(&path, &["corpus", "tags", "verdict", "evidence", "text"])? {
            let mut field = |name: &str| fields.remove(name).unwrap_or_default();
            let [corpus, tags, verdict] = ["corpus", "tags", "verdict"].map(&mut field);
            let [evidence, text] = ["evidence", "text"].map(&mut field);
            lines.push(Line { corpus, tags, verdict, evidence, text, rest: REST.map(&mut field) });
        }
    }
    lines.sort_by(|a, b| (&a.corpus, &a.tags).cmp(&(&b.corpus, &b.tags)));
    Ok(lines)
}
