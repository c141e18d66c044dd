//! Notes under a table: what its numbers are, and what they are not.

use crate::statistics::average::Averaged;
use treebound_parser::systems::is_external;
use treebound_records::number::{counted, fixed, grouped};

/// What the notes say about how the words were scored and where the paper's figures are from.
pub fn scoring(lines: &[Averaged], punctuation: &str) -> Vec<String> {
    let mut notes = vec![format!(
        "UAS: words with the right head, in percent, without punctuation ({punctuation}). \"all\" counts every word."
    )];
    let mut all_scored: Vec<&str> = lines
        .iter()
        .filter(|line| line.data().is_some_and(|[_, tokens, scored]| tokens == scored))
        .map(|line| line.setting.corpus.as_str())
        .collect();
    all_scored.dedup();
    if !all_scored.is_empty() {
        let corpora = all_scored.join(", ");
        notes.push(format!("Caution: the punctuation rule left out no word of {corpora}."));
    }
    notes
}

/// What the notes say about proofs.
pub fn proofs(lines: &[Averaged]) -> String {
    let searches: u64 = lines.iter().filter(|line| !is_heuristic(line)).map(|line| line.sums.sentences).sum();
    let unproven: u64 = lines.iter().filter_map(Averaged::unproven).sum();
    let mut meaning = "proven: sentences whose tree is proven optimal, over all seeds.".to_owned();
    if lines.iter().any(is_heuristic) {
        meaning.push_str(" heuristic: a system that proves nothing, by design.");
    }
    if lines.iter().all(is_heuristic) {
        return meaning;
    }
    let searches = counted(searches, "search", "searches");
    if unproven == 0 {
        return format!("{meaning} All of {searches} ended in a proof.");
    }
    let unproven = grouped(unproven);
    format!("{meaning} Of {searches}, {unproven} ended at a limit or without a tree; the best tree found was scored.")
}

/// What the notes say about calls.
pub const CALLS: &str = "calls: of the dynamic program; one is a max-product pass over the chart of a sentence.";

/// What the notes say about seeds.
pub fn seeds(lines: &[Averaged]) -> String {
    let list = |line: &Averaged| line.seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    // Where nothing is learnt by us the seed says nothing.
    let learnt = |line: &&Averaged| line.setting.learner.is_some() && !line.seeds.is_empty();
    let mut lists: Vec<String> = lines.iter().filter(learnt).map(list).collect();
    lists.sort();
    lists.dedup();
    match &lists[..] {
        [] if lines.iter().all(|line| line.seeds.is_empty()) => "No cell has counts.".to_owned(),
        [] => "No line is of a model that this program learns, so seeds say nothing.".to_owned(),
        [one] if one.contains(',') => {
            format!(
                "Means over training seeds {one}; sd: standard deviation of the UAS over them, in percentage points."
            )
        }
        [one] => format!("One training seed ({one}), so there is no spread over seeds."),
        several => format!(
            "Caution: lines are means over different training seeds ({}); sd: standard deviation of the UAS over them.",
            several.join("; ")
        ),
    }
}

/// What the notes say about cells that failed.
pub fn failures(lines: &[Averaged]) -> Vec<String> {
    let failed = |line: &Averaged| {
        let setting = line.setting.clone();
        line.failed.clone().into_iter().map(move |(seed, error)| format!("Failed: {setting}/seed={seed}: {error}"))
    };
    lines.iter().flat_map(failed).collect()
}

/// What the notes say about parsers of somebody else.
pub fn external(lines: &[Averaged]) -> Option<String> {
    let is_external = |line: &Averaged| is_external(&line.setting.system);
    lines.iter().any(is_external).then(|| {
        "external: a parser of somebody else, run by its command lines on the same sentences and tags; the time that it takes to \
         start is no part of its words/s."
            .to_owned()
    })
}

/// What the notes say about words per second.
pub const SPEED: &str = "words/s: from speed.csv, on the machine named in its provenance: one thread, from tokens to trees \
    (features, pruning, scoring and search), median of all passes.";

/// A rate for people: whole numbers, but one decimal below 100.
pub fn rate(value: Option<f64>) -> String {
    match value {
        None => String::new(),
        Some(rate) if rate < 99.95 => fixed(rate, 1),
        Some(rate) => grouped(rate.round() as u64),
    }
}

/// The proven sentences; with their total where it is not that of the heading.
pub fn proven(line: &Averaged, total: u64) -> String {
    match (line.sums.sentences, line.sums.proven) {
        (0, _) => String::new(),
        (_, None) => "heuristic".to_owned(),
        (sentences, Some(proven)) if sentences == total => grouped(proven),
        (sentences, Some(proven)) => format!("{}/{}", grouped(proven), grouped(sentences)),
    }
}

/// Whether a system proves nothing, by design.
fn is_heuristic(line: &Averaged) -> bool {
    line.sums.sentences > 0 && line.sums.proven.is_none()
}
