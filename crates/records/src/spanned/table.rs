//! The keys of a table, declared once: for the reader, for messages, and for the manual.

use std::sync::Arc;

use serde::de::Deserialize;

use super::{Key, Node, Place, Reader, Source, Value};

/// Declares a table of a config: a struct with a [`Key`] a key, read by serde, and its [`Described`] keys. Each key has a
/// meaning, a type, a default if there is one, and an example, both as a config has them.
///
/// ```
/// treebound_records::table! {
///     /// How the tagger learns.
///     Tagger, "[tagger]", "the tagger" {
///         /// Passes over the training part.
///         epochs: u64 = "10", "5";
///     }
/// }
/// assert_eq!(Tagger::default().epochs.value(), Some(&10));
/// ```
#[macro_export]
macro_rules! table {
    (
        $(#[doc = $about:literal])*
        $name:ident, $header:literal, $spoken:literal {
            $($(#[doc = $meaning:literal])* $key:ident: $type:ty $(= $default:literal)?, $example:literal;)*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, serde::Deserialize)]
        #[serde(default, rename = $spoken)]
        pub struct $name {
            $($(#[doc = $meaning])* pub $key: $crate::spanned::Key<$type>,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($key: $crate::table!(@default $($default)?),)* }
            }
        }

        impl $crate::spanned::Table for $name {
            const HEADER: &'static str = $header;
            const ABOUT: &'static str = concat!($($about),*);
            const KEYS: &'static [$crate::spanned::Described] = &[$($crate::spanned::Described {
                key: stringify!($key),
                meaning: concat!($($meaning),*),
                default: $crate::table!(@text $($default)?),
                example: $example,
                kind: $crate::spanned::Described::expectation::<$type>,
                fits: $crate::spanned::Described::fits_type::<$type>,
            },)*];
        }
    };
    (@text) => { None };
    (@text $default:literal) => { Some($default) };
    (@default) => { $crate::spanned::Key::default() };
    (@default $default:literal) => { $crate::spanned::Key::usual($default) };
}

/// A table of a config.
pub trait Table {
    /// How a file begins it.
    const HEADER: &'static str;
    /// What it is for.
    const ABOUT: &'static str;
    /// Its keys, in the order of the manual.
    const KEYS: &'static [Described];
}

/// A key of a table, for the manual.
#[derive(Clone, Copy, Debug)]
pub struct Described {
    /// The key.
    pub key: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// Its default, as a config has it.
    pub default: Option<&'static str>,
    /// A value that it could have, as a config has it.
    pub example: &'static str,
    /// What its values are.
    pub kind: fn() -> String,
    /// Whether a value is of its type.
    pub fits: fn(&Node) -> bool,
}

impl Described {
    /// What the values of a type are, in the words of the fault of a value that no type has.
    pub fn expectation<T: for<'de> Deserialize<'de>>() -> String {
        let place = Place::whole(&Arc::new(Source::default()));
        let reader = Reader::default();
        reader.read::<Key<T>>("", &Node::new(&place, Value::Date(String::new())));
        let fault = reader.into_faults().pop().map_or_else(String::new, |fault| fault.message);
        let kind = match (fault.split_once("it can be "), fault.strip_suffix(" is needed")) {
            (Some((_, names)), _) => names,
            (None, Some(kind)) => kind.trim_start_matches([' ', '=', ':']).trim_end_matches(','),
            _ if fault.is_empty() => "see its meaning",
            _ => "a table",
        };
        let is_list = Self::fits_type::<T>(&Node::new(&place, Value::List(Vec::new())));
        if is_list && !fault.is_empty() { format!("{kind}; one or a list") } else { kind.to_owned() }
    }

    /// Whether a value is of a type.
    pub fn fits_type<T: for<'de> Deserialize<'de>>(node: &Node) -> bool {
        let reader = Reader::default();
        reader.read::<Key<T>>("", node).is_some() && reader.is_faultless()
    }
}

/// The keys of a table in Markdown: type, default, meaning and an example of each.
pub fn reference<T: Table>() -> String {
    let mut text = format!("### `{}`\n\n{}\n\n", T::HEADER, wrapped(T::ABOUT.trim(), ""));
    for Described { key, meaning, default, example, kind, .. } in T::KEYS {
        let default = default.map_or_else(String::new, |default| format!("; default `{default}`"));
        let (kind, meaning) = (kind(), meaning.trim());
        let entry = format!("* **`{key}`**: {kind}{default}. {meaning} Example: `{key} = {example}`");
        text += &format!("{}\n", wrapped(&entry, "  "));
    }
    text
}

/// Most characters of a line of the manual.
const LONGEST_LINE: usize = 120;

/// A text in lines, those after the first behind an indent.
fn wrapped(text: &str, indent: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let is_full = lines[last].chars().count() + 1 + word.chars().count() > LONGEST_LINE;
        if is_full {
            lines.push(format!("{indent}{word}"));
        } else {
            if !lines[last].is_empty() {
                lines[last].push(' ');
            }
            lines[last].push_str(word);
        }
    }
    lines.join("\n")
}

/// The keys of a table whose example or default is none of their type.
pub fn wrong_examples<T: Table>() -> Vec<&'static str> {
    let place = Place::whole(&Arc::new(Source::default()));
    let is_wrong = |key: &&Described| {
        let mut texts = [Some(key.example), key.default].into_iter().flatten();
        !texts.all(|text| (key.fits)(&Node::from_text(text, &place)))
    };
    T::KEYS.iter().filter(is_wrong).map(|key| key.key).collect()
}
