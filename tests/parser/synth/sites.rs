//! The words on which a word whose head a phenomenon decides could hang, all alike for who sees no more than one arc.

use treebound::graph::Word;
use treebound::treebank::synth::{Config, Generator, Marked, Phenomenon, Rates, Section};
use treebound::treebank::{Sentence, Tree};

/// One decision: a word, its candidate heads from the nearest outward, and which of them is right.
pub struct Decision {
    pub word: Word,
    pub candidates: Vec<Word>,
    pub right: usize,
}

pub fn fine(sentence: &Sentence, word: Word) -> &str {
    if word.is_root() || word.ix() > sentence.len() { "-" } else { &sentence.tokens[word.ix() - 1].fine }
}

pub fn form(sentence: &Sentence, word: Word) -> &str {
    if word.is_root() { "-" } else { &sentence.tokens[word.ix() - 1].form }
}

pub fn tree(sentence: &Sentence) -> &Tree {
    sentence.gold.as_ref().expect("a gold tree")
}

/// The modifiers of `head`, ascending.
pub fn children(sentence: &Sentence, head: Word) -> impl Iterator<Item = Word> {
    let tree = tree(sentence);
    (1..=tree.len()).map(Word::new).filter(move |&m| tree.head(m) == head)
}

pub fn is_verb(tag: &str) -> bool {
    ["VF", "VS", "VR"].contains(&tag)
}

pub fn is_noun(tag: &str) -> bool {
    ["NA", "NO", "NI"].contains(&tag)
}

pub fn is_adposition(tag: &str) -> bool {
    ["IX", "IY", "IZ"].contains(&tag)
}

pub fn is_ideophone(tag: &str) -> bool {
    ["KA", "KB"].contains(&tag)
}

/// Sentences without noise whose only phenomenon this is, with enough of it.
pub fn only(phenomenon: Phenomenon, part: Section) -> Vec<Marked> {
    let mut config = Config { train: 1500, dev: 1, test: 500, head_noise: 0, tag_noise: 0, ..Config::default() };
    config.nonprojective = 0;
    config.phenomena = Rates::NONE;
    *config.phenomena.rate_mut(phenomenon) = 400;
    Generator::new(&config).expect("valid settings").marked(part).expect("trees")
}

/// The decisions of a sentence that leave a choice.
pub fn decisions(phenomenon: Phenomenon, marked: &Marked) -> Vec<Decision> {
    let Marked { sentence, decided } = marked;
    let words = (1..=sentence.len()).map(Word::new).filter(|m| decided[m.ix() - 1] == Some(phenomenon));
    let all = words.filter_map(|word| {
        let candidates = candidates(phenomenon, sentence, word);
        let head = tree(sentence).head(word);
        let right = candidates.iter().position(|&c| c == head)?;
        (candidates.len() > 1).then_some(Decision { word, candidates, right })
    });
    all.collect()
}

/// The right frontier before the phrase of `word`, as far as words on it can be told apart, up to the first verb; for
/// particles that close a clause, its two verbs with a particle of mood.
fn candidates(phenomenon: Phenomenon, sentence: &Sentence, word: Word) -> Vec<Word> {
    let tree = tree(sentence);
    let mut first = word;
    while let Some(left) = children(sentence, first).next().filter(|&c| c < first) {
        first = left;
    }
    // What hangs on the same word as a matter of course.
    let goes_with = |tag: &str| match phenomenon {
        Phenomenon::Ideophones => is_ideophone(tag),
        Phenomenon::Coordination => tag == "," || tag == "CC",
        _ => false,
    };
    let before = |w: Word| Word::new(w.ix() - 1);
    while goes_with(fine(sentence, before(first))) {
        first = before(first);
    }
    let mut found: Vec<Word> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    let concord = phenomenon == Phenomenon::Concord;
    let mut at = before(first);
    while !at.is_root() && found.len() < if concord { 2 } else { usize::MAX } {
        let tag = fine(sentence, at);
        if (is_noun(tag) || is_adposition(tag)) && seen.contains(&tag) && phenomenon != Phenomenon::Coordination {
            break;
        }
        seen.push(tag);
        let wanted = match phenomenon {
            Phenomenon::Brackets | Phenomenon::Resumption => is_noun(tag),
            Phenomenon::Parallel => is_adposition(tag),
            Phenomenon::Circumposition | Phenomenon::Ideophones => is_noun(tag) || is_verb(tag),
            Phenomenon::Coordination => is_adposition(tag) || is_verb(tag),
            Phenomenon::Concord => children(sentence, at).any(|c| ["MA", "MB"].contains(&fine(sentence, c))),
        };
        if wanted {
            found.push(at);
        }
        if is_verb(tag) && !concord {
            break;
        }
        // Beyond the word that governs from the right, nothing can hang here: direction would tell.
        if tree.head(at) > at && phenomenon != Phenomenon::Ideophones {
            break;
        }
        at = tree.head(at);
    }
    found
}
