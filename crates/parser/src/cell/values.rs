//! The values of the axes that a system has: a map from name to value, each with one spelling.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::{self, Display};
use std::sync::Arc;

use super::{ABSENT, Axis, Decoding, FeatureSet, Learner, SystemName, TemplatesName};
use crate::pruning::Rule;
use crate::systems::built_in;
use treebound_core::decode::Backbone;

/// The axes whose columns come first in all results files, in order. Those of other names come behind them, by name.
pub const FIRST: [&str; 5] = [TemplatesName::NAME, Learner::NAME, FeatureSet::NAME, Rule::NAME, Decoding::NAME];

/// A value of an axis whose type this library does not know. Numbers in it count as numbers: `beam=8` comes before `beam=16`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Word(Arc<str>);

impl Word {
    fn parse(text: &str) -> Option<Self> {
        let fits = |c: char| !c.is_control() && !c.is_whitespace();
        (!text.is_empty() && text != ABSENT && text.chars().all(fits)).then(|| Self(text.into()))
    }
}

impl Ord for Word {
    fn cmp(&self, other: &Self) -> Ordering {
        let (mut a, mut b) = (&*self.0, &*other.0);
        while let (Some(first), Some(second)) = (a.chars().next(), b.chars().next()) {
            let ((digits, rest), (other_digits, other_rest)) = (digits(a), digits(b));
            let (order, skip) = if digits.is_empty() || other_digits.is_empty() {
                (first.cmp(&second), (first.len_utf8(), second.len_utf8()))
            } else {
                let [number, other] = [digits, other_digits].map(|digits| digits.trim_start_matches('0'));
                (
                    number.len().cmp(&other.len()).then_with(|| number.cmp(other)),
                    (a.len() - rest.len(), b.len() - other_rest.len()),
                )
            };
            if order.is_ne() {
                return order;
            }
            (a, b) = (&a[skip.0..], &b[skip.1..]);
        }
        // Texts that differ in the zeros before a number.
        a.len().cmp(&b.len()).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Word {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The digits that a text begins with, and what comes behind them.
fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len())
}

impl Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A type of values that [`AxisValue`] keeps as what they are.
pub trait Typed: Axis {
    /// The value, if it is of this type.
    fn in_value(value: &AxisValue) -> Option<&Self>;
}

macro_rules! values {
    ($($type:ident,)*) => {
        /// A value of an axis. Of axes that have a type here it is of that type where its spelling is, and a word otherwise. Its order
        /// follows from the axis and the spelling alone, so reports that know no system have it, too.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum AxisValue {
            $(#[doc = concat!("A value of the type [`", stringify!($type), "`].")] $type($type),)*
            /// Any other.
            Word(Word),
        }

        impl AxisValue {
            /// The value of an axis that is spelt so; none if nothing is.
            pub fn read(axis: &str, text: &str) -> Option<Self> {
                $(if axis == <$type as Axis>::NAME && let Some(value) = <$type as Axis>::parse(text) {
                    return Some(Self::$type(value));
                })*
                Word::parse(text).map(Self::Word)
            }
        }

        impl Display for AxisValue {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$type(value) => value.fmt(f),)*
                    Self::Word(word) => word.fmt(f),
                }
            }
        }

        $(
            impl From<$type> for AxisValue {
                fn from(value: $type) -> Self {
                    Self::$type(value)
                }
            }

            impl Typed for $type {
                fn in_value(value: &AxisValue) -> Option<&Self> {
                    if let AxisValue::$type(value) = value { Some(value) } else { None }
                }
            }
        )*
    };
}

values! { TemplatesName, Learner, FeatureSet, Backbone, Rule, Decoding, }

/// A map from the axes of a system to their values, in the order of their columns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AxisValues(Arc<[(Cow<'static, str>, AxisValue)]>);

/// Where the column of an axis comes.
fn place(axis: &str) -> (usize, &str) {
    (FIRST.iter().position(|first| *first == axis).unwrap_or(FIRST.len()), axis)
}

impl AxisValues {
    /// The map of some axes, each named once.
    pub fn new(values: impl IntoIterator<Item = (Cow<'static, str>, AxisValue)>) -> Self {
        let mut values: Vec<_> = values.into_iter().collect();
        values.sort_by(|a, b| place(&a.0).cmp(&place(&b.0)));
        values.dedup_by(|later, first| later.0 == first.0);
        Self(values.into())
    }

    /// Reads the values of some axes of a system, each named once. One of an axis that a built-in system declares must be one of its
    /// values.
    ///
    /// # Errors
    /// The place of the first that is not spelt as it should be, and what is expected there.
    pub fn read<'a>(
        system: &SystemName,
        texts: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, (usize, &'static str)> {
        let declared = built_in(system).map_or(&[][..], |kind| kind.axes);
        let mut values = Vec::new();
        for (at, (axis, text)) in texts.into_iter().enumerate().filter(|(_, (_, text))| *text != ABSENT) {
            let known = declared.iter().find(|known| known.name == axis);
            let is_fit = known.is_none_or(|known| (known.read)(text).as_deref() == Some(text));
            let value = AxisValue::read(axis, text).filter(|_| is_fit);
            let expected = known.map_or("a word, or `-` for none", |known| known.expected);
            let first = FIRST.iter().find(|first| **first == axis);
            let name = first.map_or_else(|| Cow::Owned(axis.to_owned()), |first| Cow::Borrowed(*first));
            values.push((name, value.ok_or((at, expected))?));
        }
        Ok(Self::new(values))
    }

    /// The value of an axis.
    pub fn get(&self, axis: &str) -> Option<&AxisValue> {
        self.0.iter().find(|(name, _)| *name == axis).map(|(_, value)| value)
    }

    /// The value of the axis with values of that type.
    pub fn typed<A: Typed>(&self) -> Option<&A> {
        self.get(A::NAME).and_then(A::in_value)
    }

    /// How the value of an axis is spelt: [`ABSENT`] without one.
    pub fn spelt(&self, axis: &str) -> String {
        self.get(axis).map_or_else(|| ABSENT.to_owned(), ToString::to_string)
    }

    /// The axes with their values, in the order of their columns.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &AxisValue)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }

    /// The axes that have no column in every results file, with their values.
    pub fn further(&self) -> impl Iterator<Item = (&str, &AxisValue)> {
        self.iter().filter(|(name, _)| !FIRST.contains(name))
    }

    /// Also the values of further axes.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        if self.0.is_empty() {
            return other.clone();
        }
        Self::new(self.0.iter().chain(&*other.0).cloned())
    }

    /// Only the axes that `has` lets through.
    #[must_use]
    pub fn only(&self, has: impl Fn(&str) -> bool) -> Self {
        Self(self.0.iter().filter(|(name, _)| has(name)).cloned().collect())
    }

    /// Another value of the axis with values of that type.
    #[must_use]
    pub fn with<A: Typed + Into<AxisValue>>(&self, value: A) -> Self {
        let others = self.0.iter().filter(|(name, _)| *name != A::NAME).cloned();
        Self::new(others.chain([(Cow::Borrowed(A::NAME), value.into())]))
    }
}

/// The first axis on which two differ decides, in the order of columns; no value comes before any.
impl Ord for AxisValues {
    fn cmp(&self, other: &Self) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) {
            return Ordering::Equal;
        }
        for ((name, value), (other_name, other_value)) in self.0.iter().zip(&*other.0) {
            let order = place(other_name).cmp(&place(name)).then_with(|| value.cmp(other_value));
            if order.is_ne() {
                return order;
            }
        }
        self.0.len().cmp(&other.0.len())
    }
}

impl PartialOrd for AxisValues {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(texts: &[(&'static str, &str)]) -> AxisValues {
        let value =
            |(axis, text): &(&'static str, &str)| (Cow::Borrowed(*axis), AxisValue::read(axis, text).expect("one"));
        AxisValues::new(texts.iter().map(value))
    }

    #[test]
    fn numbers_in_words_count_as_numbers() {
        let mut words = ["dp-beam=16", "dp", "dp-beam=8", "dp-beam=08", "dp-best-first", "ab", "dp-beam=8x"];
        words.sort_by_key(|word| AxisValue::read("search", word));
        assert_eq!(words, ["ab", "dp", "dp-beam=08", "dp-beam=8", "dp-beam=8x", "dp-beam=16", "dp-best-first"]);
        for text in ["", ABSENT, "a b", "a\n"] {
            assert_eq!(AxisValue::read("search", text), None, "{text:?}");
        }
    }

    #[test]
    fn a_value_has_the_type_of_its_axis_where_it_fits() {
        let all = values(&[("search", "beam=8"), ("learner", "mira-long"), ("pruning", "k=3")]);
        assert_eq!(all.typed::<Learner>().map(ToString::to_string), Some("mira-long".to_owned()));
        assert_eq!(all.typed::<Rule>(), Some(&Rule::Best(3)));
        // A learner of another system.
        let other = values(&[("learner", "maxent")]);
        assert_eq!((other.typed::<Learner>(), other.spelt("learner")), (None, "maxent".to_owned()));
        assert!(all < other, "learners that have a type come first");
        assert_eq!(all.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["learner", "pruning", "search"]);
        assert_eq!(all.further().map(|(name, _)| name).collect::<Vec<_>>(), ["search"]);
        assert_eq!(other.and(&all).spelt("learner"), "maxent");
    }

    #[test]
    fn what_is_absent_comes_first() {
        let sorted = [
            values(&[]),
            values(&[("search", "beam=8")]),
            values(&[("pruning", "k=3")]),
            values(&[("pruning", "k=3"), ("search", "beam=8")]),
            values(&[("pruning", "k=3"), ("search", "beam=16")]),
            values(&[("learner", "mira")]),
            values(&[("learner", "mira"), ("zeal", "a")]),
            values(&[("learner", "mira"), ("search", "a")]),
            values(&[("learner", "mira"), ("search", "a"), ("zeal", "a")]),
        ];
        assert!(sorted.is_sorted_by(|a, b| a < b));
    }
}
