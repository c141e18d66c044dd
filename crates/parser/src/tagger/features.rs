//! What the tagger looks at: atoms of one form, and templates that put atoms of neighbouring words together.
//!
//! The templates were chosen on the development part of UD English EWT.

use crate::features::atoms::{Attribute, Slot, hash_text, mix};
use crate::sequence::key;
use crate::treebank::Token;

/// Longest prefix, in characters.
const PREFIXES: usize = 4;
/// Longest suffix, in characters.
const SUFFIXES: usize = 5;

/// The form as written.
const FORM: usize = 0;
/// The form in lower case; prefixes and suffixes are its.
const LOWER: usize = 1;
/// `PREFIX + k`: the first k characters.
const PREFIX: usize = LOWER;
/// `SUFFIX + k`: the last k characters.
const SUFFIX: usize = PREFIX + PREFIXES;
/// Kinds of characters, runs of one kind taken together: `Xx` for `Paris`, `dx` for `90s`.
const SHAPE: usize = SUFFIX + SUFFIXES + 1;
/// Kinds of all characters: `Xxxxx` for `Paris`.
const OUTLINE: usize = SHAPE + 1;
/// What follows the last hyphen, hyphen included, of a form with a hyphen inside.
const TAIL: usize = OUTLINE + 1;
/// The labels of the lower-case twin of a form with capitals.
const TWIN: usize = TAIL + 1;
/// Always the same: a template of it is a label's bias.
const ONE: usize = TWIN + 1;
/// The value of an atom that a form does not have; a template that asks for it is left out.
const ABSENT: u64 = 0;
/// Number of atoms.
const ATOMS: usize = ONE + 1;

/// The atoms of a form, as hashes.
pub type Atoms = [u64; ATOMS];

/// How far templates look to each side.
const REACH: usize = 2;

/// Templates: a word's distance and the atom asked of it.
const TEMPLATES: [&[(isize, usize)]; 36] = [
    &[(0, ONE)],
    &[(0, FORM)],
    &[(0, LOWER)],
    &[(-2, LOWER)],
    &[(-1, LOWER)],
    &[(1, LOWER)],
    &[(2, LOWER)],
    &[(-2, LOWER), (-1, LOWER)],
    &[(-1, LOWER), (0, LOWER)],
    &[(-1, LOWER), (1, LOWER)],
    &[(0, LOWER), (1, LOWER)],
    &[(1, LOWER), (2, LOWER)],
    &[(0, PREFIX + 1)],
    &[(0, PREFIX + 2)],
    &[(0, PREFIX + 3)],
    &[(0, PREFIX + 4)],
    &[(0, SUFFIX + 1)],
    &[(0, SUFFIX + 2)],
    &[(0, SUFFIX + 3)],
    &[(0, SUFFIX + 4)],
    &[(0, SUFFIX + 5)],
    &[(0, PREFIX + 2), (0, SUFFIX + 2)],
    &[(-1, SUFFIX + 3)],
    &[(1, SUFFIX + 3)],
    &[(0, SHAPE)],
    &[(-1, SHAPE)],
    &[(1, SHAPE)],
    &[(-1, SHAPE), (0, SHAPE)],
    &[(0, SHAPE), (1, SHAPE)],
    &[(0, OUTLINE)],
    &[(0, SUFFIX + 2), (0, SHAPE)],
    &[(0, TAIL)],
    &[(0, TWIN)],
    &[(-1, TWIN)],
    &[(1, TWIN)],
    &[(0, TWIN), (0, SHAPE)],
];

/// What is known of the lower-case form of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TwinClass {
    /// A form that was hardly ever seen.
    Unknown,
    /// A form that was seen with certain labels: their hash.
    Labels(u64),
}

/// The atoms of a form. `class` says what is known of its lower-case form; `text` is working memory.
pub fn atoms(form: &str, class: impl FnOnce(&str) -> TwinClass, text: &mut String) -> Atoms {
    let mut atoms = Atoms::default();
    let written = Token { form: form.to_owned(), ..Token::default() };
    Attribute::Lower.value(&written, text);
    let lower = Token { form: text.clone(), ..Token::default() };
    atoms[ONE] = 1;
    atoms[FORM] = hash_text(FORM as u64, form);
    atoms[LOWER] = hash_text(LOWER as u64, &lower.form);
    let prefixes = (1..=PREFIXES).map(|k| (PREFIX + k, Attribute::Prefix(k as u8)));
    let suffixes = (1..=SUFFIXES).map(|k| (SUFFIX + k, Attribute::Suffix(k as u8)));
    for (atom, attribute) in prefixes.chain(suffixes) {
        attribute.value(&lower, text);
        atoms[atom] = hash_text(atom as u64, text);
    }
    shape(form, true, text);
    atoms[SHAPE] = hash_text(SHAPE as u64, text);
    shape(form, false, text);
    atoms[OUTLINE] = hash_text(OUTLINE as u64, text);
    let tail = lower.form.rfind('-').filter(|&at| at > 0);
    atoms[TAIL] = tail.map_or(ABSENT, |at| hash_text(TAIL as u64, &lower.form[at..]));
    atoms[TWIN] = match class(&lower.form) {
        _ if lower.form == form => ABSENT,
        TwinClass::Unknown => 1,
        TwinClass::Labels(hash) => hash,
    };
    atoms
}

fn shape(form: &str, runs: bool, out: &mut String) {
    out.clear();
    let mut last = None;
    for c in form.chars() {
        let kind = match c {
            _ if c.is_uppercase() => 'X',
            _ if c.is_lowercase() => 'x',
            _ if c.is_numeric() => 'd',
            _ if c.is_alphabetic() => 'c',
            _ => c,
        };
        if !runs || last != Some(kind) {
            out.push(kind);
        }
        last = Some(kind);
    }
}

/// The atoms around a sentence: before its first word and after its last.
#[derive(Clone, Copy, Debug)]
pub struct Edges([Atoms; 2]);

impl Default for Edges {
    fn default() -> Self {
        Self([Slot::Before, Slot::After].map(|slot| [hash_text(0, slot.name()); ATOMS]))
    }
}

impl Edges {
    /// Appends the keys of all templates at `word` of a sentence with so many words.
    #[inline]
    pub fn push_keys<'a>(&'a self, words: usize, word: usize, atoms: impl Fn(usize) -> &'a Atoms, keys: &mut Vec<u64>) {
        let window: [&Atoms; 2 * REACH + 1] = std::array::from_fn(|i| match (word + i).checked_sub(REACH) {
            None => &self.0[0],
            Some(at) if at >= words => &self.0[1],
            Some(at) => atoms(at),
        });
        keys.extend(TEMPLATES.iter().enumerate().filter_map(|(number, template)| {
            let values =
                template.iter().map(|&(distance, atom)| window[distance.wrapping_add_unsigned(REACH) as usize][atom]);
            let hash = values.clone().fold(mix(number as u64 + 1), |hash, value| mix(hash ^ value));
            (!values.clone().any(|value| value == ABSENT)).then(|| key(hash))
        }));
    }
}
