//! Atoms: what a template can ask of one word, as 64-bit hashes.
//!
//! A word that does not exist (before the sentence, after it, the root, "no sibling") has atoms of its own, so that a
//! template always has a value.
//!
//! Views: what templates see of one word, as 64-bit hashes.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::treebank::Token;

/// A property of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Attribute {
    /// `w`: the form.
    Form,
    /// `l`: the form in lower case.
    Lower,
    /// `t`: the fine tag, which is another one under another coarse tag: in some treebanks the one does not decide the other.
    Fine,
    /// `c`: the coarse tag.
    Coarse,
    /// `p1` to `p9`: the first characters of the form.
    Prefix(u8),
    /// `s1` to `s9`: the last characters of the form.
    Suffix(u8),
    /// `n`: the number of characters of the form.
    Length,
    /// `m`: the lemma.
    Lemma,
    /// `f`: the morphological features, all of them.
    Features,
    /// `f:NAME`: the value of one morphological feature, as in `f:Case`.
    Feature(FeatureName),
}

/// The name of a morphological feature, in place, so that an [`Attribute`] is a plain value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureName {
    bytes: [u8; Self::MOST_BYTES],
    len: u8,
}

impl FeatureName {
    /// Longest name in bytes. Universal Dependencies has `Number[psor]` and `InflClass[nominal]`.
    pub const MOST_BYTES: usize = 31;

    /// The name, if it is one word that is not too long and that can be written in a template and in a column of features.
    pub fn parse(name: &str) -> Option<Self> {
        let is_part = |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '|' | '=');
        if name.is_empty() || name.len() > Self::MOST_BYTES || !name.chars().all(is_part) {
            return None;
        }
        let mut bytes = [0; Self::MOST_BYTES];
        bytes[..name.len()].copy_from_slice(name.as_bytes());
        Some(Self { bytes, len: name.len() as u8 })
    }

    /// The name.
    pub fn name(&self) -> &str {
        // It was text once.
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl std::fmt::Debug for FeatureName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.name())
    }
}

impl Attribute {
    /// What is expected of a name, for messages.
    pub const EXPECTED: &str = "w form, l lower case, m lemma, t fine tag, c coarse tag, f features, f:Case and the like one of \
                                them, p1.. prefix, s1.. suffix, n length";

    /// Reads the name used in templates.
    pub fn parse(name: &str) -> Option<Self> {
        let digit = |rest: &str| rest.parse::<u8>().ok().filter(|d| rest.len() == 1 && *d > 0);
        Some(match name {
            "w" => Self::Form,
            "l" => Self::Lower,
            "t" => Self::Fine,
            "c" => Self::Coarse,
            "n" => Self::Length,
            "m" => Self::Lemma,
            "f" => Self::Features,
            _ if name.starts_with("f:") => Self::Feature(FeatureName::parse(&name[2..])?),
            _ if name.starts_with('p') => Self::Prefix(digit(&name[1..])?),
            _ if name.starts_with('s') => Self::Suffix(digit(&name[1..])?),
            _ => return None,
        })
    }

    /// The value of a word, written to `out`.
    pub fn value(self, token: &Token, out: &mut String) {
        out.clear();
        match self {
            Self::Form => out.push_str(&token.form),
            Self::Lower => out.extend(token.form.chars().flat_map(char::to_lowercase)),
            Self::Fine => {
                out.push_str(&token.fine);
                if token.fine != token.coarse {
                    out.push('/');
                    out.push_str(&token.coarse);
                }
            }
            Self::Coarse => out.push_str(&token.coarse),
            Self::Prefix(k) => out.extend(token.form.chars().take(k.into())),
            Self::Suffix(k) => {
                let skip = token.form.chars().count().saturating_sub(k.into());
                out.extend(token.form.chars().skip(skip));
            }
            Self::Length => out.push_str(&token.form.chars().count().to_string()),
            Self::Lemma => out.push_str(&token.lemma),
            Self::Features => out.push_str(&token.feats),
            Self::Feature(name) => out.push_str(token.feature(name.name())),
        }
    }
}

impl std::fmt::Display for Attribute {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Form => f.write_str("w"),
            Self::Lower => f.write_str("l"),
            Self::Fine => f.write_str("t"),
            Self::Coarse => f.write_str("c"),
            Self::Prefix(k) => write!(f, "p{k}"),
            Self::Suffix(k) => write!(f, "s{k}"),
            Self::Length => f.write_str("n"),
            Self::Lemma => f.write_str("m"),
            Self::Features => f.write_str("f"),
            Self::Feature(name) => write!(f, "f:{}", name.name()),
        }
    }
}

/// A place a template can look at: a word, the root, or one of the places around the sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A word, by its 0-based index.
    Word(usize),
    /// The root symbol.
    Root,
    /// Before the root.
    Before,
    /// After the last word.
    After,
    /// No word at all, such as the sibling of a first modifier.
    None,
}

impl Slot {
    /// What stands at `position` (0 is the root) in a sentence of `words` words.
    pub fn at(position: i64, words: usize) -> Self {
        match position {
            ..0 => Self::Before,
            0 => Self::Root,
            p if p as usize <= words => Self::Word(p as usize - 1),
            _ => Self::After,
        }
    }

    /// The value of a place that is no word; the same for every attribute.
    pub fn name(self) -> &'static str {
        match self {
            Self::Word(_) => "",
            Self::Root => "<root>",
            Self::Before => "<before>",
            Self::After => "<after>",
            Self::None => "<none>",
        }
    }

    /// The value of `attribute` here, written to `out`.
    pub fn value(self, attribute: Attribute, tokens: &[Token], out: &mut String) {
        match self {
            Self::Word(i) => attribute.value(&tokens[i], out),
            other => {
                out.clear();
                out.push_str(other.name());
            }
        }
    }
}

/// Hashes text; the same on every machine and in every version (XXH3 is frozen).
pub fn hash_text(seed: u64, text: &str) -> u64 {
    xxh3_64_with_seed(text.as_bytes(), seed)
}

/// Spreads every input bit over all output bits (the finaliser of SplitMix64).
#[inline(always)]
pub fn mix(mut x: u64) -> u64 {
    x ^= x >> 30;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The number of the view that is 0 for all words; those of the viewer follow it.
pub(crate) const NO_VIEW: u32 = 0;

/// The distinct views of a compiled template set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Viewer {
    attributes: Vec<Attribute>,
    /// Offset and attribute of each atom.
    views: Vec<Vec<(i8, usize)>>,
}

impl Viewer {
    /// The number of the view of some atoms of one word.
    pub fn view(&mut self, atoms: impl Iterator<Item = (i8, Attribute)>) -> u32 {
        let view: Vec<(i8, usize)> = atoms.map(|(offset, attribute)| (offset, self.attribute(attribute))).collect();
        if view.is_empty() {
            return NO_VIEW;
        }
        let ix = self.views.iter().position(|v| *v == view).unwrap_or_else(|| {
            self.views.push(view);
            self.views.len() - 1
        });
        1 + ix as u32
    }

    fn attribute(&mut self, attribute: Attribute) -> usize {
        self.attributes.iter().position(|a| *a == attribute).unwrap_or_else(|| {
            self.attributes.push(attribute);
            self.attributes.len() - 1
        })
    }
}

/// The views of one sentence; memory is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// By view, by row (the root, the words, no word).
    values: Vec<u64>,
    atoms: Vec<u64>,
    text: String,
    words: usize,
}

impl Seen {
    /// Computes the views of `tokens`.
    pub fn fill(&mut self, viewer: &Viewer, tokens: &[Token]) {
        self.words = tokens.len();
        self.fill_atoms(viewer, tokens);
        let attributes = viewer.attributes.len();
        let none = self.words + 5;
        self.values.clear();
        self.values.resize(self.rows(), 0);
        for view in &viewer.views {
            for row in 0..self.words + 2 {
                let mut value = 0x7472_6565_626f_756e_u64;
                for &(offset, attribute) in view {
                    let place = if row > self.words { none } else { (row as i64 + 2 + i64::from(offset)) as usize };
                    let atom = self.atoms[place * attributes + attribute];
                    let code = attribute_code(viewer.attributes[attribute]);
                    let name = code.wrapping_mul(8).wrapping_add((offset + 2) as u64);
                    value = mix(value ^ atom.wrapping_add(name.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
                }
                self.values.push(value);
            }
        }
    }

    /// Hashes of every attribute at places -2 ..= n + 2, then at no place.
    fn fill_atoms(&mut self, viewer: &Viewer, tokens: &[Token]) {
        self.atoms.clear();
        let n = tokens.len() as i64;
        let places = (-2..=n + 2).map(|p| Slot::at(p, tokens.len())).chain([Slot::None]);
        for slot in places {
            for &attribute in &viewer.attributes {
                slot.value(attribute, tokens, &mut self.text);
                // A word that is written `<root>` is not the root.
                let seed = u64::from(!matches!(slot, Slot::Word(_)));
                self.atoms.push(hash_text(seed, &self.text));
            }
        }
    }

    /// Words of the sentence.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Rows of a view.
    pub fn rows(&self) -> usize {
        self.words + 2
    }

    /// The values of a view by row.
    #[inline(always)]
    pub fn view(&self, view: u32) -> &[u64] {
        &self.values[view as usize * self.rows()..][..self.rows()]
    }
}

/// A number that stays the same whatever the template set is, so that models do not depend on its order.
fn attribute_code(attribute: Attribute) -> u64 {
    match attribute {
        Attribute::Form => 1,
        Attribute::Lower => 2,
        Attribute::Fine => 3,
        Attribute::Coarse => 4,
        Attribute::Length => 5,
        Attribute::Lemma => 6,
        Attribute::Features => 7,
        Attribute::Prefix(k) => 16 + u64::from(k),
        Attribute::Suffix(k) => 32 + u64::from(k),
        // Above those of the others.
        Attribute::Feature(name) => hash_text(0, name.name()) | 1 << 32,
    }
}
