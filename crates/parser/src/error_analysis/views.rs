//! The views: what makes two attachments alike.

use std::collections::{BTreeMap, BTreeSet};

use super::Parsed;
use super::attachment::{distance, head_tag, relation, side, structure, word};
use super::lexicon::{Lexicon, lower};
use treebound_core::graph::Word;

/// How far apart two cues of a pair may stand.
const PAIR_REACH: usize = 12;
/// How far behind a cue its words may stand.
const BEHIND: usize = 3;

/// What attachments are told apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum View {
    /// Tags of the word and its head, side and distance.
    Tags,
    /// As `Tags` without side and distance, words of closed classes by their form.
    Words,
    /// Phrases by the tag and the word that opens them, such as a preposition, and the tag of the head.
    Marked,
    /// Tags, and what structure stands between: coordination, commas, brackets, parallels.
    Structure,
    /// A word, wherever it is: the attachments of the words from it to three words behind it.
    Cue,
    /// Two words in a row with others between: the attachments of the words from the first to three behind the second.
    Pair,
}

impl View {
    /// All views, in the order of the report.
    pub const ALL: [View; 6] = [View::Tags, View::Words, View::Marked, View::Structure, View::Cue, View::Pair];

    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            View::Tags => "tags",
            View::Words => "words",
            View::Marked => "marked",
            View::Structure => "structure",
            View::Cue => "cue",
            View::Pair => "pair",
        }
    }

    /// Whether patterns say what the parser did instead. Cues are there to find words that errors gather around, and are
    /// ranked by errors beyond what as many other words have.
    pub fn says_what_instead(self) -> bool {
        !matches!(self, View::Cue | View::Pair)
    }
}

/// A class of attachments: modifier, gold head and surroundings, each empty if the view does not look at it.
pub type Class = [String; 3];

/// The class of a word in `view`, one of those that look at one attachment; none if the view passes over it.
///
/// `phrases` are those of [`marked`](super::attachment::marked).
pub fn class(view: View, parsed: &Parsed, lexicon: &Lexicon, phrases: &[Option<String>], m: Word) -> Option<Class> {
    let head = parsed.gold.head(m);
    let modifier = &parsed.tokens[m.ix() - 1];
    let tag = modifier.coarse.clone();
    let named = |at| word(parsed, at).map_or_else(|| "ROOT".to_owned(), |t| lexicon.describe(t));
    match view {
        View::Tags => Some([tag, head_tag(parsed, head), distance(m, head)]),
        View::Words => Some([named(m), named(head), String::new()]),
        View::Marked => Some([phrases[m.ix() - 1].clone()?, head_tag(parsed, head), String::new()]),
        View::Structure => {
            let structure = structure(parsed, phrases, m);
            (!structure.is_empty()).then(|| [tag, head_tag(parsed, head), structure])
        }
        View::Cue | View::Pair => None,
    }
}

/// What the parser did instead, in `view`.
pub fn instead(view: View, parsed: &Parsed, lexicon: &Lexicon, m: Word, wrong: Word) -> String {
    let relation = relation(parsed, m, wrong);
    let tag = head_tag(parsed, wrong);
    match (view, word(parsed, wrong)) {
        (_, None) => tag,
        (View::Tags, _) => format!("{tag} {relation}, {}", side(m, wrong)),
        (View::Words, Some(token)) => format!("{} {relation}", lexicon.describe(token)),
        _ => format!("{tag} {relation}"),
    }
}

/// The cues and pairs of cues of a sentence, each with the places, from 0, of the words whose attachments they are about.
pub fn cues(parsed: &Parsed, lexicon: &Lexicon) -> BTreeMap<(View, String), BTreeSet<usize>> {
    let n = parsed.tokens.len();
    let end = |at: usize| n.min(at + BEHIND + 1);
    let named: Vec<(usize, String)> =
        (0..n).filter(|&i| lexicon.is_named(&parsed.tokens[i])).map(|i| (i, lower(&parsed.tokens[i]))).collect();
    let mut found: BTreeMap<(View, String), BTreeSet<usize>> = BTreeMap::new();
    for (i, (at, cue)) in named.iter().enumerate() {
        found.entry((View::Cue, cue.clone())).or_default().extend(*at..end(*at));
        for (behind, second) in named[i + 1..].iter().take_while(|(b, _)| b - at <= PAIR_REACH) {
            found.entry((View::Pair, format!("{cue} .. {second}"))).or_default().extend(*at..end(*behind));
        }
    }
    found
}
