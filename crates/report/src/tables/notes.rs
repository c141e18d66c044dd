//! Notes under a table: what its numbers are, and what they are not.

use super::blocks::TableOptions;
use crate::frame::{ABSENT, Frame};
use treebound_records::ReportError;
use treebound_records::number::{counted, grouped};

/// What the notes say about how the words were scored and where the paper's figures are from.
///
/// # Errors
/// If lines are no [means](Frame::means).
pub fn scoring(lines: &Frame, punctuation: &str) -> Result<Vec<String>, ReportError> {
    let mut notes = vec![format!(
        "UAS: words with the right head, in percent, without punctuation ({punctuation}). \"all\" counts every word."
    )];
    let scored = lines.counts("tokens")?.into_iter().zip(lines.counts("scored_tokens")?);
    let all = lines.words("corpus")?.into_iter().zip(scored);
    let all = all.filter(|(_, (tokens, scored))| tokens.is_some() && tokens == scored);
    let mut all_scored: Vec<String> = all.map(|(corpus, _)| corpus).collect();
    all_scored.dedup();
    if !all_scored.is_empty() {
        let corpora = all_scored.join(", ");
        notes.push(format!("Caution: the punctuation rule left out no word of {corpora}."));
    }
    Ok(notes)
}

/// What the notes say about proofs.
///
/// # Errors
/// If lines are no [means](Frame::means).
pub fn proofs(lines: &Frame) -> Result<String, ReportError> {
    let (mut searches, mut unproven, mut heuristic, mut others) = (0, 0, false, false);
    for (sentences, proven) in lines.counts("sentences")?.into_iter().zip(lines.counts("proven")?) {
        match (sentences, proven) {
            (Some(_), None) => heuristic = true,
            (Some(sentences), Some(proven)) => {
                others = true;
                searches += sentences;
                unproven += sentences.saturating_sub(proven);
            }
            (None, _) => others = true,
        }
    }
    let mut meaning = "proven: sentences whose tree is proven optimal, over all seeds.".to_owned();
    if heuristic {
        meaning.push_str(" heuristic: a system that proves nothing, by design.");
    }
    if !others {
        return Ok(meaning);
    }
    let searches = counted(searches, "search", "searches");
    if unproven == 0 {
        return Ok(format!("{meaning} All of {searches} ended in a proof."));
    }
    let unproven = grouped(unproven);
    Ok(format!(
        "{meaning} Of {searches}, {unproven} ended at a limit or without a tree; the best tree found was scored."
    ))
}

/// What the notes say about calls.
pub const CALLS: &str = "calls: of the dynamic program; one is a max-product pass over the chart of a sentence.";

/// What the notes say about labels.
pub const LAS: &str = "LAS: words with the right head and relation, subtypes and all, without punctuation; labels: those with the right \
                       relation, whatever the head. LAS, CoNLL: as the official scorer of the CoNLL 2018 shared task has it, of all \
                       words and without subtypes. Over 2nd stage: LAS with labels inside the search less that with labels of a \
                       second stage.";

/// What the notes say about trees that are chosen from a list.
pub const ORACLE: &str = "best=k: the tree is chosen among the k best ones, by weights learnt from the development part; oracle: UAS of the \
                          best of them.";

/// What the notes say about seeds.
///
/// # Errors
/// If lines are no [means](Frame::means).
pub fn seeds(lines: &Frame) -> Result<String, ReportError> {
    let all = lines.words("seed_list")?;
    // Where nothing is learnt by us the seed says nothing.
    let learnt =
        all.iter().zip(lines.words("learner")?).filter(|(seeds, learner)| learner != ABSENT && !seeds.is_empty());
    let mut lists: Vec<&str> = learnt.map(|(seeds, _)| seeds.as_str()).collect();
    lists.sort_unstable();
    lists.dedup();
    Ok(match &lists[..] {
        [] if all.iter().all(String::is_empty) => "No cell has counts.".to_owned(),
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
    })
}

/// What the notes say about cells of the lines that failed.
///
/// # Errors
/// If the rows are not those of `scores.csv`.
pub fn failures(lines: &Frame, scores: &Frame) -> Result<Vec<String>, ReportError> {
    let failed = scores.only("error", |error| !error.is_empty())?;
    let rows: Vec<(String, String, String)> = failed
        .words("line")?
        .into_iter()
        .zip(failed.words("cell")?)
        .zip(failed.words("error")?)
        .map(|((line, cell), error)| (line, cell, error))
        .collect();
    let mut notes = Vec::new();
    for line in lines.words("line")? {
        let own = rows.iter().filter(|(own, ..)| *own == line);
        notes.extend(own.map(|(_, cell, error)| format!("Failed: {cell}: {error}")));
    }
    Ok(notes)
}

/// What the notes say about parsers of somebody else.
///
/// # Errors
/// If lines have no such axis.
pub fn external(lines: &Frame, options: &TableOptions) -> Result<Option<String>, ReportError> {
    Ok(lines.words("system")?.iter().any(|system| options.is_external(system)).then(|| {
        "external: a parser of somebody else, run by its command lines on the same sentences and tags; the time that it takes to \
         start is no part of its words/s."
            .to_owned()
    }))
}

/// What the notes say about words per second.
pub const SPEED: &str = "words/s: from speed.csv, on the machine named in its provenance: one thread, from tokens to trees \
    (features, pruning, scoring and search), median of all passes.";

/// The sentences of one seed, their words and scored words, and what they are called in a heading; nothing if all failed.
///
/// # Errors
/// If lines are no [means](Frame::means).
pub fn data_words(block: &Frame) -> Result<String, ReportError> {
    let sums = ["seeds", "sentences", "tokens", "scored_tokens"].map(|name| block.counts(name));
    let [seeds, sentences, tokens, scored] = sums;
    let (seeds, sentences, tokens, scored) = (seeds?, sentences?, tokens?, scored?);
    let each = |sums: &[Option<u64>], row: usize| sums[row]?.checked_div(seeds[row]?);
    let row = (0..block.height()).find(|&row| each(&sentences, row).is_some());
    let Some([sentences, tokens, scored]) =
        row.map(|row| [&sentences, &tokens, &scored].map(|sums| each(sums, row).unwrap_or(0)))
    else {
        return Ok(String::new());
    };
    let sentences = counted(sentences, "sentence", "sentences");
    let (words, scored) = (counted(tokens, "word", "words"), grouped(scored));
    Ok(format!("; {sentences}, {words} ({scored} scored)"))
}

/// The proven sentences of lines, with their total where it is not that of the heading, and that heading.
///
/// # Errors
/// If lines are no [means](Frame::means).
pub fn proven(lines: &Frame) -> Result<(String, Vec<String>), ReportError> {
    let sentences = lines.counts("sentences")?;
    let total = sentences.iter().flatten().copied().max().unwrap_or(0);
    let text = |(sentences, proven): (Option<u64>, Option<u64>)| match (sentences, proven) {
        (None | Some(0), _) => String::new(),
        (_, None) => "heuristic".to_owned(),
        (Some(sentences), Some(proven)) if sentences == total => grouped(proven),
        (Some(sentences), Some(proven)) => format!("{}/{}", grouped(proven), grouped(sentences)),
    };
    let cells = sentences.iter().copied().zip(lines.counts("proven")?).map(text).collect();
    Ok((format!("proven\nof {}", grouped(total)), cells))
}

/// What the tests of a section are.
pub fn tests_of_sections(options: &TableOptions) -> String {
    format!(
        "95 % interval: paired bootstrap over sentences; p: paired approximate randomisation, two-sided, {} rounds, ten \
         times as many where p is below 0.2; p, Holm: corrected over the lines of a section. Words that are not scored: {}.",
        grouped(options.rounds.into()),
        options.punctuation
    )
}
