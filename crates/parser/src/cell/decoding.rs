//! How sentences are decoded: a search, and the dynamic program under it.

use std::fmt::{self, Display};

use super::Axis;
use treebound_core::decode::{Backbone, Decoder};

/// A decoder over a dynamic program, spelt `carreras/bnb`. The program alone comes before searches over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decoding {
    /// The dynamic program.
    pub backbone: Backbone,
    /// The search over it.
    pub decoder: Decoder,
}

impl Axis for Backbone {
    const NAME: &'static str = "backbone";
    const EXPECTED: &'static str = "`carreras`, `grand-sibling` or `arborescence`";

    fn parse(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl Axis for Decoding {
    const NAME: &'static str = "decoding";
    const EXPECTED: &'static str = "a dynamic program and a decoder, such as `carreras/bnb`";

    fn parse(text: &str) -> Option<Self> {
        let (backbone, decoder) = text.split_once('/')?;
        Some(Self { backbone: Backbone::parse(backbone)?, decoder: Decoder::parse(decoder)? })
    }
}

impl Display for Decoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.backbone, self.decoder)
    }
}
