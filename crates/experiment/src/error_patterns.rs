//! Error patterns as files: patterns as CSV, examples as text, and a summary to read at once.

use std::borrow::Cow;
use std::fmt::Write;

use serde::Serialize;

use treebound_core::graph::Word;
use treebound_parser::error_analysis::{Parsed, Pattern, Report, View, attachment};
use treebound_records::number::{counted, fixed, percent};

/// A line of `errors.csv`.
#[derive(Serialize)]
struct Line<'a> {
    view: &'static str,
    rank: u64,
    modifier: Cow<'a, str>,
    head: Cow<'a, str>,
    context: Cow<'a, str>,
    instead: Cow<'a, str>,
    errors: u64,
    class_wrong: u64,
    class_words: u64,
    share_pct: String,
    rate_pct: String,
    lift: String,
}

/// The patterns as CSV: one line of all words first, then by view and rank.
///
/// # Errors
/// None that writing to memory can have.
pub fn csv(report: &Report) -> csv::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let all = report.all;
    writer.serialize(Line {
        view: "all",
        rank: 1,
        modifier: "".into(),
        head: "".into(),
        context: "".into(),
        instead: "".into(),
        errors: all.wrong,
        class_wrong: all.wrong,
        class_words: all.words,
        share_pct: fixed(100.0, 2),
        rate_pct: fixed(percent(all.wrong, all.words).unwrap_or(0.0), 2),
        lift: fixed(1.0, 2),
    })?;
    for p in &report.patterns {
        writer.serialize(Line {
            view: p.view.name(),
            rank: p.rank,
            modifier: no_formula(&p.modifier),
            head: no_formula(&p.head),
            context: no_formula(&p.context),
            instead: no_formula(&p.instead),
            errors: p.errors,
            class_wrong: p.class.wrong,
            class_words: p.class.words,
            share_pct: fixed(p.share(all), 2),
            rate_pct: fixed(p.rate(), 2),
            lift: fixed(p.lift(all), 2),
        })?;
    }
    writer.into_inner().map_err(|e| e.into_error().into())
}

/// A field that a spreadsheet takes for words: what begins a formula is quoted, as it does itself.
fn no_formula(field: &str) -> Cow<'_, str> {
    let is_formula = field.starts_with(['=', '+', '-', '@', '\t', '\r']) && field.chars().count() > 1;
    if is_formula { format!("'{field}").into() } else { field.into() }
}

/// One line for people.
fn title(pattern: &Pattern) -> String {
    let Pattern { view, modifier, head, context, instead, .. } = pattern;
    let parts: Vec<&str> = match view {
        View::Cue | View::Pair => vec![context],
        _ => vec![modifier, "on", head, context],
    };
    let mut title = parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(" ");
    if !instead.is_empty() {
        let _ = write!(title, ", not on {instead}");
    }
    title
}

/// The patterns with their example sentences. The modifier is written `>word<`, its gold head `word/G`, the predicted one
/// `word/P`.
pub fn examples(report: &Report, sentences: &[Parsed]) -> String {
    let mut text = String::new();
    for p in &report.patterns {
        let errors = counted(p.errors, "error", "errors");
        let _ = writeln!(text, "{} {}: {}: {errors}", p.view.name(), p.rank, title(p));
        for &(i, m) in &p.examples {
            let parsed = &sentences[i];
            let _ = writeln!(text, "    {}", sentence(parsed, m));
            let _ = writeln!(text, "        {}", parsed.place);
        }
    }
    text
}

fn sentence(parsed: &Parsed, m: usize) -> String {
    let gold = parsed.gold.head(Word::new(m + 1));
    let predicted = parsed.heads.get(m).copied().unwrap_or(Word::ROOT);
    let mut words: Vec<String> = parsed.tokens.iter().map(|t| t.form.clone()).collect();
    words[m] = format!(">{}<", words[m]);
    let mut rooted = String::new();
    for (head, letter) in [(gold, 'G'), (predicted, 'P')] {
        match words.get_mut(head.ix().wrapping_sub(1)) {
            Some(word) => {
                let _ = write!(word, "/{letter}");
            }
            None => {
                let _ = write!(rooted, "{}/{letter} ", attachment::head_tag(parsed, head));
            }
        }
    }
    rooted + &words.join(" ")
}

/// The counts, and the first `lines` patterns of each view.
pub fn summary(report: &Report, lines: u64) -> String {
    let all = report.all;
    let rate = fixed(percent(all.wrong, all.words).unwrap_or(0.0), 2);
    let words = counted(all.words, "scored word", "scored words");
    let mut text = format!("{} among {words} ({rate} %)\n", counted(all.wrong, "wrong head", "wrong heads"));
    for view in View::ALL {
        let _ = writeln!(text, "\n{:<10} {:>6} {:>7} {:>5}", view.name(), "errors", "rate %", "lift");
        for p in report.patterns.iter().filter(|p| p.view == view && p.rank <= lines) {
            let (rate, lift) = (fixed(p.rate(), 1), fixed(p.lift(all), 1));
            let _ = writeln!(text, "{:>10} {:>6} {rate:>7} {lift:>5}  {}", p.rank, p.errors, title(p));
        }
    }
    text
}
