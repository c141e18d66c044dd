//! The kinds of parts, and the roles that words have in them.

use std::fmt;

use serde::Deserialize;

use crate::features::atoms::Attribute;

/// Most roles of any kind.
pub const MAX_ROLES: usize = 4;

/// The kinds of parts that fire features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An arc: roles `h` (head), `m` (modifier).
    Arc,
    /// An arc and a word between its ends: roles `h`, `b`, `m`. Fires once for each distinct fine tag of `b`.
    Between,
    /// As `Between`, once for each distinct coarse tag of `b`.
    BetweenCoarse,
    /// As `Between`, once for each distinct form of `b`.
    BetweenForm,
    /// An arc and the adjacent inner modifier of its head: `h`, `s` (sibling; none for a first modifier), `m`.
    Sibling,
    /// An arc and the outermost child of its modifier on one side: `g` (grandparent), `h`, `m`.
    Grandchild,
    /// An arc, and an arc from its modifier with its adjacent inner sibling: `g`, `h`, `s` (none for a first modifier), `m`.
    /// Only the third-order dynamic program scores it.
    GrandSibling,
    /// Two arcs with one head, anywhere: `h`, `s` (the nearer one if they are on one side, else the left one), `m`.
    AnySibling,
    /// Two arcs in a chain, anywhere: `g`, `h`, `m`.
    AnyGrandchild,
    /// Neighbouring words with one head: `h`, `s` (the first of them), `m` (the last).
    Comb,
    /// Three arcs in a chain: `g`, `h`, `m`, `c`.
    GreatGrandchild,
    /// A tree of a hand-crafted pattern: `a` and `b`, the first and the last word of the pattern, `h` and `m`, the head and
    /// the modifier of the tree's first arc.
    Hand,
    /// Three arcs with one head: `h`, and `s`, `t`, `m` from left to right.
    TriSibling,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 13] = [
        Kind::Arc,
        Kind::Between,
        Kind::BetweenCoarse,
        Kind::BetweenForm,
        Kind::Sibling,
        Kind::Grandchild,
        Kind::GrandSibling,
        Kind::AnySibling,
        Kind::AnyGrandchild,
        Kind::Comb,
        Kind::GreatGrandchild,
        Kind::Hand,
        Kind::TriSibling,
    ];

    /// The roles that templates of this kind may name, in the order in which parts give their words.
    pub fn roles(self) -> &'static str {
        match self {
            Kind::Arc => "hm",
            Kind::Between | Kind::BetweenCoarse | Kind::BetweenForm => "hbm",
            Kind::Sibling | Kind::AnySibling | Kind::Comb => "hsm",
            Kind::Grandchild | Kind::AnyGrandchild => "ghm",
            Kind::GrandSibling => "ghsm",
            Kind::GreatGrandchild => "ghmc",
            Kind::Hand => "abhm",
            Kind::TriSibling => "hstm",
        }
    }

    /// The kinds whose parts score an arc with its modifier's head alone.
    pub const OF_ARCS: [Kind; 4] = [Kind::Arc, Kind::Between, Kind::BetweenCoarse, Kind::BetweenForm];

    /// The kind whose parts look the same to templates, with the same roles and geometry: the features of both lie in the
    /// same lines of the weight table, so that one look-up finds both.
    pub fn twin(self) -> Option<Kind> {
        match self {
            Kind::Sibling => Some(Kind::AnySibling),
            Kind::Grandchild => Some(Kind::AnyGrandchild),
            Kind::AnySibling => Some(Kind::Sibling),
            Kind::AnyGrandchild => Some(Kind::Grandchild),
            _ => None,
        }
    }

    /// Whether the dynamic program scores its parts.
    pub fn is_local(self) -> bool {
        Self::OF_ARCS.contains(&self) || matches!(self, Kind::Sibling | Kind::Grandchild | Kind::GrandSibling)
    }

    /// The kind whose addresses its features have: of twins the local one, else itself.
    pub fn owner_of_address(self) -> Kind {
        self.twin().filter(|twin| twin.is_local()).unwrap_or(self)
    }

    /// The attribute that tells apart the words between the ends of an arc, for the kinds that look at them.
    pub fn told_apart_by(self) -> Option<Attribute> {
        match self {
            Kind::Between => Some(Attribute::Fine),
            Kind::BetweenCoarse => Some(Attribute::Coarse),
            Kind::BetweenForm => Some(Attribute::Form),
            _ => None,
        }
    }

    /// The name in template files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Arc => "arc",
            Kind::Between => "between",
            Kind::BetweenCoarse => "between-coarse",
            Kind::BetweenForm => "between-form",
            Kind::Sibling => "sibling",
            Kind::Grandchild => "grandchild",
            Kind::GrandSibling => "grand-sibling",
            Kind::AnySibling => "any-sibling",
            Kind::AnyGrandchild => "any-grandchild",
            Kind::Comb => "comb",
            Kind::GreatGrandchild => "great-grandchild",
            Kind::Hand => "hand",
            Kind::TriSibling => "tri-sibling",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
