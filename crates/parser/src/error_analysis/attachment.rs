//! What can be said of one attachment: where the head stands, what stands between, and where a wrong head is.

use super::Parsed;
use super::lexicon::{Lexicon, lower};
use crate::treebank::Token;
use treebound_core::graph::Word;

/// The tag of a head.
pub fn head_tag(parsed: &Parsed, head: Word) -> String {
    word(parsed, head).map_or_else(|| "ROOT".to_owned(), |t| t.coarse.clone())
}

/// The word at a place; none for the root symbol.
pub fn word<'a>(parsed: &Parsed<'a>, at: Word) -> Option<&'a Token> {
    parsed.tokens.get(at.ix().wrapping_sub(1))
}

/// On which side of `m` its head stands.
pub fn side(m: Word, head: Word) -> &'static str {
    if head < m { "left" } else { "right" }
}

/// Side and distance of a head, in classes.
pub fn distance(m: Word, head: Word) -> String {
    if head.is_root() {
        return String::new();
    }
    let class = match m.ix().abs_diff(head.ix()) {
        0..=1 => "1",
        2 => "2",
        3..=5 => "3-5",
        6..=10 => "6-10",
        _ => "11+",
    };
    format!("{} {class}", side(m, head))
}

/// Where a wrong head stands in the gold tree, seen from `m` and its gold head: `inside` the phrase of `m` itself, `below`
/// the gold head, `above` it, or `elsewhere`.
pub fn relation(parsed: &Parsed, m: Word, wrong: Word) -> &'static str {
    let gold = parsed.gold.head(m);
    match () {
        () if wrong.is_root() || is_below(parsed, gold, wrong) => "above",
        () if is_below(parsed, wrong, m) => "inside",
        () if is_below(parsed, wrong, gold) => "below",
        () => "elsewhere",
    }
}

/// Whether `top` is an ancestor of `w` in the gold tree.
fn is_below(parsed: &Parsed, mut w: Word, top: Word) -> bool {
    while !w.is_root() {
        w = parsed.gold.head(w);
        if w == top {
            return true;
        }
    }
    false
}

/// By word: how a phrase with a marker is called, as in `NOUN(in)`. The marker is the word of a closed class that opens the
/// phrase and hangs on its head, as prepositions and subordinators do where content words are heads.
pub fn marked(parsed: &Parsed, lexicon: &Lexicon) -> Vec<Option<String>> {
    let mut first = vec![None; parsed.tokens.len()];
    for (i, token) in parsed.tokens.iter().enumerate() {
        let head = parsed.gold.head(Word::new(i + 1)).ix();
        if head > i + 1 {
            first[head - 1].get_or_insert((i, token));
        }
    }
    let name = |(token, (i, marker)): (&Token, (usize, &Token))| {
        let opens = lexicon.is_closed(marker) && parsed.scored[i];
        opens.then(|| format!("{}({})", token.coarse, lower(marker)))
    };
    parsed.tokens.iter().zip(first).map(|(token, first)| name((token, first?))).collect()
}

/// What stands between a word and its gold head, and whether the phrase has a parallel: coordination, comma, bracket,
/// quotation mark, colon or dash, joined by `+`.
pub fn structure(parsed: &Parsed, marked: &[Option<String>], m: Word) -> String {
    let head = parsed.gold.head(m);
    let (from, to) = (m.ix().min(head.ix()), m.ix().max(head.ix()));
    // Words are numbered from 1: those strictly between have the indices from..to - 1.
    let between = if head.is_root() { &[][..] } else { &parsed.tokens[from..to - 1] };
    let has = |test: &dyn Fn(&Token) -> bool| between.iter().any(test);
    let form = |forms: &'static [&'static str]| move |t: &Token| forms.contains(&lower(t).as_str());
    let mut found = Vec::new();
    if has(&|t| t.coarse == "CCONJ" || t.fine == "CC") {
        found.push("coordination");
    }
    if has(&form(&[",", "，", "、"])) {
        found.push("comma");
    }
    if has(&form(&["(", ")", "[", "]", "{", "}", "<", ">", "-lrb-", "-rrb-", "-lsb-", "-rsb-", "（", "）"])) {
        found.push("bracket");
    }
    if has(&form(&["\"", "'", "``", "''", "“", "”", "‘", "’", "「", "」"])) {
        found.push("quotation");
    }
    if has(&form(&[":", ";", "-", "--", "–", "—", "...", "/"])) {
        found.push("colon or dash");
    }
    // Another word of the same tag has the same marker.
    let own = &marked[m.ix() - 1];
    if own.is_some() && marked.iter().filter(|other| *other == own).count() > 1 {
        found.push("parallel");
    }
    found.join("+")
}
