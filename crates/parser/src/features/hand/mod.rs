//! Hand-crafted patterns: words in a row, and the trees over them that are worth a feature (paper, section 4.3).
//!
//! Patterns are data: `english.toml`, and `synthetic.toml` for the treebank that Treebound makes. A template set says
//! which of them it uses (`hand = ["english"]`) and can hold some of its own. A pattern:
//!
//! ```toml
//! [[pattern]]
//! name = "rather-than"
//! words = "A:ADP .. rather than B"
//! same = ["A B l"]
//! trees = ["A>than than>rather than>B", "A>B B>rather rather>than"]
//! ```
//!
//! * `words`, from left to right: a lower-case word or a sign stands for itself, however it is capitalised, and is its own
//!   name; `N=a|b` names a word that is one of several; `N:X|Y` one whose fine or coarse tag is; `N` any word. Neighbours
//!   stand next to each other in the sentence, unless `..` between them lets any number of words pass; `~` does too, but
//!   stops at the first word that fits, so that `( ~ )` is a bracket and the next one that closes.
//! * `same` asks for equal attributes: of `A` and `B` the lower-cased form.
//! * `trees` are sets of arcs, head first; `*` is any word, the same for all arcs of a tree. Each tree is a factor of its
//!   own: treebanks differ in their conventions, and a tree that is typical of a mistake is as good a feature.

mod find;
mod pattern;

pub use find::{Site, Sites};
pub use pattern::{Pattern, PatternWire};

use serde::Deserialize;

use super::geometry::CODES;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileWire {
    pattern: Vec<PatternWire>,
}

/// The patterns of a template set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patterns(Vec<Pattern>);

impl Patterns {
    /// The built-in patterns of that name.
    ///
    /// # Errors
    /// If there are none of that name.
    pub fn built_in(name: &str) -> Result<Vec<Pattern>, String> {
        let text = match name {
            "english" => include_str!("english.toml"),
            "synthetic" => include_str!("synthetic.toml"),
            _ => return Err(format!("hand = `{name}` is not known; patterns are `english` and `synthetic`")),
        };
        let file: FileWire = toml::from_str(text).map_err(|e| e.to_string())?;
        file.pattern.iter().map(Pattern::new).collect()
    }

    /// The set of `patterns`.
    ///
    /// # Errors
    /// If there are more trees than geometry codes, or two patterns of one name.
    pub fn new(patterns: Vec<Pattern>) -> Result<Self, String> {
        if let Some(twice) = patterns.iter().enumerate().find(|(i, p)| patterns[..*i].iter().any(|q| q.name == p.name))
        {
            return Err(format!("the pattern `{}` is given twice", twice.1.name));
        }
        let patterns = Self(patterns);
        let trees = patterns.trees();
        if trees > CODES {
            return Err(format!("the patterns have {trees} trees; at most {CODES} can be told apart"));
        }
        Ok(patterns)
    }

    /// All patterns, in order.
    pub fn all(&self) -> &[Pattern] {
        &self.0
    }

    /// Trees of all patterns.
    pub fn trees(&self) -> usize {
        self.0.iter().map(|p| p.trees.len()).sum()
    }

    /// The pattern and the tree of a number, as parts carry it.
    pub fn name(&self, number: usize) -> String {
        let mut left = number;
        for pattern in &self.0 {
            if let Some(tree) = pattern.trees.get(left) {
                return format!("{}: {}", pattern.name, pattern.show_tree(tree));
            }
            left -= pattern.trees.len();
        }
        format!("pattern {number}")
    }
}

impl std::fmt::Display for Patterns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|p| writeln!(f, "pattern {p}"))
    }
}
