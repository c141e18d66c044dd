//! The vocabulary: forms, how frequent they are, and what goes with what.
//!
//! Open classes are long Zipfian lists. A word belongs to a *field*, a hidden class of meaning that no tag and no ending
//! shows; heads prefer modifiers by field, which only a parser that learns about words can use. Beside the list that all
//! parts draw from, every open class has a list that the training part never uses.
//!
//! Some forms belong to words of two classes, as in any language; a tagger has to tell them apart.

use std::collections::HashSet;

use crate::draft::{Draw, Zipf};
use crate::tags::{GENDERS, GROUPS, Tag};

/// Classes of meaning.
pub(super) const FIELDS: usize = 6;
/// Adpositions in a group.
const ADPOSITIONS: usize = 4;
/// Kinds of brackets.
pub(super) const BRACKETS: usize = 4;

/// An open class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Open {
    /// Nouns of a class.
    Noun(usize),
    Name,
    Verb,
    Adjective,
    Adverb,
}

impl Open {
    const ALL: [Open; GENDERS + 4] =
        [Open::Noun(0), Open::Noun(1), Open::Noun(2), Open::Name, Open::Verb, Open::Adjective, Open::Adverb];

    fn index(self) -> usize {
        match self {
            Open::Noun(gender) => gender % GENDERS,
            Open::Name => GENDERS,
            Open::Verb => GENDERS + 1,
            Open::Adjective => GENDERS + 2,
            Open::Adverb => GENDERS + 3,
        }
    }

    /// Words of the class among 100 of the vocabulary.
    fn percent(self) -> usize {
        [15, 15, 15, 15, 15, 17, 8][self.index()]
    }

    /// Endings: one is chosen for each word, unless it is one of few irregular ones. All forms of a word (a verb has
    /// three) are its stem with the endings of one row.
    fn endings(self) -> &'static [&'static [&'static str]] {
        match self {
            Open::Noun(0) => &[&["a"], &["ana"], &["ela"]],
            Open::Noun(1) => &[&["o"], &["uro"], &["ono"]],
            Open::Noun(_) => &[&["i"], &["iri"], &["emi"]],
            Open::Name => &[&["an"], &["or"], &["eth"], &["ia"]],
            Open::Verb => &[&["at", "aten", "atir"], &["ut", "uten", "utir"]],
            Open::Adjective => &[&["ig"], &["osh"], &["ivel"]],
            Open::Adverb => &[&["im"], &["alim"]],
        }
    }

    /// The endings of irregular words, which classes share.
    fn irregular(self) -> &'static [&'static str] {
        match self {
            Open::Verb => &["e", "en", "er"],
            _ => &["e"],
        }
    }
}

/// Irregular words, in ‰.
const IRREGULAR: u32 = 120;

/// A word as it is put into a sentence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'l> {
    /// The form.
    pub form: &'l str,
    /// Its class of meaning.
    pub field: usize,
}

#[derive(Debug)]
struct Lexeme {
    forms: Vec<String>,
    field: usize,
}

/// A Zipfian list of words.
#[derive(Debug)]
struct List {
    words: Vec<Lexeme>,
    zipf: Zipf,
}

/// The vocabulary of a seed.
#[derive(Debug)]
pub(super) struct Lexicon {
    /// By open class: the words of all parts, and those that the training part never uses.
    open: Vec<[List; 2]>,
    /// By tag: the words of closed classes, none for open ones.
    closed: Vec<List>,
    /// By kind of head (0 noun, 1 verb) and field: the group of adpositions it prefers.
    group: [[usize; FIELDS]; 2],
    /// By kind of head, field and group: the adposition of the group that it prefers.
    adposition: [[[usize; GROUPS]; FIELDS]; 2],
    /// By adposition: the field of the objects it prefers.
    object: [[usize; ADPOSITIONS]; GROUPS],
}

/// The streams from which the vocabulary is drawn lie above those of all sentences.
const STREAM: u64 = 1 << 63;

impl Lexicon {
    /// The vocabulary of `seed`, with `words` words in the open classes of all parts.
    pub fn new(seed: u64, words: usize) -> Self {
        let mut forms = Forms::default();
        let mut draw = Draw::new(seed, STREAM);
        let closed = Tag::ALL.iter().map(|&tag| closed_list(tag, &mut forms, &mut draw)).collect();
        let mut open: Vec<[List; 2]> = Open::ALL
            .iter()
            .map(|&class| {
                let size = (words * class.percent() / 100).max(8);
                [open_list(class, size, &mut forms, &mut draw), open_list(class, size / 4, &mut forms, &mut draw)]
            })
            .collect();
        share_forms(&mut open);
        let mut lexicon = Self {
            open,
            closed,
            group: [[0; FIELDS]; 2],
            adposition: [[[0; GROUPS]; FIELDS]; 2],
            object: [[0; ADPOSITIONS]; GROUPS],
        };
        for kind in 0..2 {
            for field in 0..FIELDS {
                lexicon.group[kind][field] = draw.below(GROUPS);
                for group in 0..GROUPS {
                    lexicon.adposition[kind][field][group] = draw.below(ADPOSITIONS);
                }
            }
        }
        for object in lexicon.object.as_flattened_mut() {
            *object = draw.below(FIELDS);
        }
        lexicon
    }

    /// A word of an open class, in its form `inflection`; `held_out` ones do not occur in the training part.
    pub fn word(&self, class: Open, inflection: usize, held_out: bool, draw: &mut Draw) -> Entry<'_> {
        let list = &self.open[class.index()][usize::from(held_out)];
        list.entry(list.zipf.rank(draw), inflection)
    }

    /// A word of a closed class.
    pub fn closed(&self, tag: Tag, draw: &mut Draw) -> Entry<'_> {
        let list = &self.closed[tag as usize];
        list.entry(list.zipf.rank(draw), 0)
    }

    /// Word `index` of a closed class.
    pub fn nth(&self, tag: Tag, index: usize) -> Entry<'_> {
        self.closed[tag as usize].entry(index, 0)
    }

    /// The opening and the closing half of a kind of bracket.
    pub fn bracket(&self, kind: usize) -> [Entry<'_>; 2] {
        let kind = kind % BRACKETS;
        [self.nth(Tag::Bracket, kind), self.nth(Tag::Bracket, BRACKETS + kind)]
    }

    /// The group of adpositions that a head (a verb or a noun) of `field` prefers.
    pub fn preferred_group(&self, verb: bool, field: usize) -> usize {
        self.group[usize::from(verb)][field % FIELDS]
    }

    /// The adposition of `group`, by index, that a head of `field` prefers.
    pub fn preferred_adposition(&self, verb: bool, field: usize, group: usize) -> usize {
        self.adposition[usize::from(verb)][field % FIELDS][group % GROUPS]
    }

    /// The field of the objects that an adposition prefers.
    pub fn preferred_object(&self, group: usize, index: usize) -> usize {
        self.object[group % GROUPS][index % ADPOSITIONS]
    }

    /// The index of a word drawn from an adposition group.
    pub fn adposition(&self, group: usize, draw: &mut Draw) -> usize {
        self.closed[Tag::adposition(group) as usize].zipf.rank(draw)
    }
}

impl List {
    fn new(words: Vec<Lexeme>) -> Self {
        let zipf = Zipf::new(words.len());
        Self { words, zipf }
    }

    fn entry(&self, index: usize, inflection: usize) -> Entry<'_> {
        let word = self.words.get(index);
        let form = word.and_then(|w| w.forms.get(inflection).or(w.forms.first()));
        Entry { form: form.map_or("?", String::as_str), field: word.map_or(0, |w| w.field) }
    }
}

fn open_list(class: Open, size: usize, forms: &mut Forms, draw: &mut Draw) -> List {
    let words = (0..size).map(|rank| {
        // Frequent words are short.
        let syllables = match rank {
            0..30 => 1,
            30..1000 => 2,
            _ => 3,
        };
        let endings =
            if draw.chance(IRREGULAR) { class.irregular() } else { draw.pick(class.endings()).unwrap_or_default() };
        let stem = forms.stem(syllables, endings, draw);
        let stem = if class == Open::Name { capital(&stem) } else { stem };
        let forms = endings.iter().map(|e| format!("{stem}{e}")).collect();
        Lexeme { forms, field: draw.below(FIELDS) }
    });
    List::new(words.collect())
}

/// Gives some words the form of a word of another class, of like frequency.
fn share_forms(open: &mut [[List; 2]]) {
    let pairs = [(Open::Noun(0), Open::Verb), (Open::Noun(1), Open::Adjective), (Open::Adjective, Open::Adverb)];
    for (i, (from, to)) in pairs.into_iter().enumerate() {
        for rank in (i + 3..open[from.index()][0].words.len()).step_by(9) {
            let form = open[from.index()][0].words[rank].forms[0].clone();
            if let Some(word) = open[to.index()][0].words.get_mut(rank) {
                word.forms[0] = form;
            }
        }
    }
}

/// The words of a closed class.
fn closed_list(tag: Tag, forms: &mut Forms, draw: &mut Draw) -> List {
    let fixed: &[&str] = match tag {
        Tag::Comma => &[","],
        Tag::Stop => &[".", "!", "?"],
        _ => &[],
    };
    if !fixed.is_empty() {
        return List::new(fixed.iter().map(|&f| Lexeme { forms: vec![f.to_owned()], field: 0 }).collect());
    }
    let size = match tag {
        Tag::Pronoun => 7,
        Tag::Determiner | Tag::Degree => 6,
        Tag::GroupX | Tag::GroupY | Tag::GroupZ => ADPOSITIONS,
        Tag::Circum | Tag::Tail | Tag::Subordinator | Tag::Coordinator => 3,
        Tag::Bracket => 2 * BRACKETS,
        Tag::Numeral => 40,
        Tag::Than | Tag::Genitive => 1,
        Tag::Relative
        | Tag::ResumptiveA
        | Tag::ResumptiveO
        | Tag::ResumptiveI
        | Tag::AspectA
        | Tag::AspectB
        | Tag::MoodA
        | Tag::MoodB
        | Tag::FinalA
        | Tag::FinalB
        | Tag::IdeophoneA
        | Tag::IdeophoneB => 2,
        _ => 0,
    };
    let words =
        (0..size).map(|i| Lexeme { forms: vec![forms.stem(1 + i / 12, &[""], draw)], field: draw.below(FIELDS) });
    List::new(words.collect())
}

const ONSETS: [&str; 22] = [
    "b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "dr", "kl", "pr", "st", "tr", "sk",
];
const NUCLEI: [&str; 6] = ["a", "e", "i", "o", "u", "ai"];
const CODAS: [&str; 8] = ["", "", "", "", "n", "r", "l", "s"];

/// Makes forms that it has not made before.
#[derive(Debug, Default)]
pub(super) struct Forms {
    made: HashSet<String>,
}

impl Forms {
    /// New stem of about `syllables` syllables such that it is new with each of `endings`.
    pub fn stem(&mut self, syllables: usize, endings: &[&str], draw: &mut Draw) -> String {
        let mut length = syllables;
        loop {
            // A crowded length gives way to the next after a few tries.
            for _ in 0..8 {
                let stem = stem(length, draw);
                if endings.iter().all(|e| !self.made.contains(&format!("{stem}{e}"))) {
                    self.made.extend(endings.iter().map(|e| format!("{stem}{e}")));
                    return stem;
                }
            }
            length += 1;
        }
    }
}

fn stem(syllables: usize, draw: &mut Draw) -> String {
    let mut text = String::new();
    for _ in 0..syllables {
        for part in [&ONSETS[..], &NUCLEI, &CODAS] {
            text.push_str(part[draw.below(part.len())]);
        }
    }
    text
}

/// The form with a capital letter.
pub(super) fn capital(form: &str) -> String {
    let mut letters = form.chars();
    letters.next().map_or_else(String::new, |c| c.to_uppercase().chain(letters).collect())
}
