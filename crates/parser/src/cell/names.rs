//! Axes that are names which a config gives: corpora, systems, template sets.

use std::fmt::{self, Display};
use std::sync::Arc;

use super::{ABSENT, Axis};

/// Whether a word can be part of a cell's name, and of a file's: letters, digits, `_`, `.` and `-` that is not the first.
pub(super) fn is_name(word: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    let is_dots = word.chars().all(|c| c == '.');
    !word.starts_with('-') && !is_dots && word.len() <= LONGEST && word.chars().all(plain)
}

/// The text with `_` for what cannot stand in a name.
fn like(text: &str) -> String {
    let plain = text.chars().map(|c| if c.is_alphanumeric() || matches!(c, '.' | '-') { c } else { '_' });
    let mut name: String = plain.collect();
    if !is_name(&name) || name.is_empty() {
        name.insert(0, '_');
    }
    while name.len() > LONGEST {
        name.pop();
    }
    name
}

/// Most bytes of a name: it becomes part of file names.
const LONGEST: usize = 100;

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident = $column:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $name(Arc<str>);

            impl $name {
                /// As text.
                pub fn as_str(&self) -> &str {
                    &self.0
                }

                /// The name that is most like some text: what cannot stand in a name becomes `_`.
                pub fn like(text: &str) -> Self {
                    Self::parse(text).unwrap_or_else(|| Self(like(text).into()))
                }
            }

            impl Axis for $name {
                const NAME: &'static str = $column;
                const EXPECTED: &'static str = "a name of letters, digits, `_`, `.` and `-`";

                fn parse(text: &str) -> Option<Self> {
                    (text != ABSENT && is_name(text)).then(|| Self(text.into()))
                }
            }

            impl Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(&self.0)
                }
            }

            impl serde::Serialize for $name {
                fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }

            impl<'de> serde::Deserialize<'de> for $name {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    super::axis::deserialize(deserializer)
                }
            }
        )*
    };
}

names! {
    /// The name of a treebank.
    CorpusName = "corpus";
    /// The name of a parser: `graph`, a trivial baseline, or what a config calls an external one.
    SystemName = "system";
    /// The name of a template set: a built-in one, or the name of its file without the ending.
    TemplatesName = "templates";
}

impl SystemName {
    /// The name of a system that a program has.
    pub(crate) fn built_in(name: &'static str) -> Self {
        debug_assert!(is_name(name), "{name}");
        Self(name.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_be_part_of_a_path() {
        for text in ["en_ewt", "zh-gsd", "ptb3.1", "日本語"] {
            assert!(CorpusName::parse(text).is_some(), "{text}");
        }
        let likes = ["a b", "", "-", "-x", "..", "ok"].map(|text| CorpusName::like(text).to_string());
        assert_eq!(likes, ["a_b", "_", "_-", "_-x", "_..", "ok"]);
        let long = CorpusName::like(&"x y".repeat(50));
        assert_eq!(CorpusName::parse(long.as_str()), Some(long));
        for text in ["", "-", "-x", "a/b", "a b", "a\nb", ".", "..", "a\0b", &"x".repeat(101)] {
            assert!(CorpusName::parse(text).is_none(), "{text}");
        }
    }
}
