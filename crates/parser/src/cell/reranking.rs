//! Whether a tree is chosen among the best ones, as an axis of the graph system.

use std::fmt;
use std::num::NonZeroUsize;

use serde::{Deserialize, Deserializer};

use crate::cell::Axis;
use crate::cell::axis::deserialize;

/// How many of the best trees there are to choose from, spelt `best=10`; results have no value on this axis where there is
/// nothing to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reranking(pub NonZeroUsize);

const BEST: &str = "best=";

impl fmt::Display for Reranking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{BEST}{}", self.0)
    }
}

impl Axis for Reranking {
    const NAME: &'static str = "reranking";
    const EXPECTED: &'static str = "a number of trees, such as `best=10`, or `-` for no reranking";

    fn parse(text: &str) -> Option<Self> {
        let number: NonZeroUsize = text.strip_prefix(BEST)?.parse().ok()?;
        Some(Self(number)).filter(|value| value.to_string() == text)
    }
}

/// What a config says of it: `none` is a value there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reranked(pub Option<Reranking>);

const NONE: &str = "none";

impl fmt::Display for Reranked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(trees) => trees.fmt(f),
            None => f.write_str(NONE),
        }
    }
}

impl Axis for Reranked {
    const NAME: &'static str = Reranking::NAME;
    const EXPECTED: &'static str = "`none`, or a number of trees, such as `best=10`";

    fn parse(text: &str) -> Option<Self> {
        if text == NONE { Some(Self(None)) } else { Reranking::parse(text).map(|value| Self(Some(value))) }
    }
}

impl serde::Serialize for Reranked {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Reranking {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer)
    }
}

impl<'de> Deserialize<'de> for Reranked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer)
    }
}
