//! Templates: the data that says which features a part fires.
//!
//! A template is a list of atoms such as `h.w h.t m-1.t`: role (with an offset in words) and attribute. Its value for a
//! part, together with the part's geometry (direction, distance) where the template's variant asks for it, is a feature.
//! Template sets are TOML files; see docs/METHOD.md, "Parts and templates", for the language.

mod set;

use std::fmt;

use serde::Deserialize;

use crate::features::atoms::Attribute;
use crate::features::families::{Family, with_families};

pub use set::{TemplateError, TemplateSet};

crate::named! {
    /// The geometry that a feature carries beside its atoms.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Variant {
        /// Nothing.
        Plain = "plain",
        /// The directions of the part's arcs.
        Direction = "direction",
        /// The directions, and the distance between the outer words in bins.
        Distance = "distance",
        /// Which tree of which hand-crafted pattern, for parts of kind `hand`.
        Pattern = "pattern",
        /// How many modifiers, for parts of kind `valency`.
        Number = "number",
    }
}

/// One atom of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom {
    /// Index into [`Kind::roles`].
    pub role: usize,
    /// Words to the right of the role's word; negative for the left.
    pub offset: i8,
    /// What of that word.
    pub attribute: Attribute,
}

/// A template with its variant: one feature a part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Template {
    /// The kind of part.
    pub kind: Kind,
    /// The atoms, sorted and distinct.
    pub atoms: Vec<Atom>,
    /// The geometry.
    pub variant: Variant,
}

impl Template {
    /// Parses the atoms of a template.
    ///
    /// # Errors
    /// A message that says what was expected.
    pub fn parse(kind: Kind, variant: Variant, text: &str) -> Result<Self, String> {
        let mut atoms = text.split_whitespace().map(|atom| parse_atom(kind, atom)).collect::<Result<Vec<_>, _>>()?;
        atoms.sort_unstable();
        atoms.dedup();
        if atoms.is_empty() {
            return Err("a template needs at least one atom such as `h.w`".into());
        }
        if (kind == Kind::Hand) != (variant == Variant::Pattern) {
            return Err("hand templates have the variant `pattern`, and no others have it".into());
        }
        if (kind == Kind::Valency) != (variant == Variant::Number) {
            return Err("valency templates have the variant `number`, and no others have it".into());
        }
        let of_class = |a: &Atom| a.role == 0 || (a.offset == 0 && a.attribute == Attribute::Coarse);
        if kind == Kind::Or && !atoms.iter().all(of_class) {
            return Err(format!("`{text}`: of `m` an or template sees `m.c` alone, the class of the modifiers"));
        }
        if let Some(by) = kind.told_apart_by() {
            let between: Vec<_> = atoms.iter().filter(|a| a.role == 1).collect();
            if !matches!(between[..], [a] if a.offset == 0 && a.attribute == by) {
                return Err(format!("`{text}`: a {kind} template needs `b.{by}` and no other atom of `b`"));
            }
        }
        Ok(Self { kind, atoms, variant })
    }
}

impl Template {
    /// The atoms, as a template file has them.
    fn text(&self) -> String {
        let atom = |atom: &Atom| {
            let role = &self.kind.roles()[atom.role..=atom.role];
            match atom.offset {
                0 => format!("{role}.{}", atom.attribute),
                o => format!("{role}{o:+}.{}", atom.attribute),
            }
        };
        self.atoms.iter().map(atom).collect::<Vec<_>>().join(" ")
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())?;
        match self.variant {
            Variant::Plain => Ok(()),
            v => write!(f, " +{}", v.name()),
        }
    }
}

/// The distance of a word's neighbour, from -2 to +2; 0 is not written.
pub(crate) fn parse_offset(text: &str) -> Option<i8> {
    match text {
        "" => Some(0),
        "-2" => Some(-2),
        "-1" => Some(-1),
        "+1" => Some(1),
        "+2" => Some(2),
        _ => None,
    }
}

fn parse_atom(kind: Kind, text: &str) -> Result<Atom, String> {
    let expected = || {
        let roles = kind.roles().chars().map(|c| format!("`{c}`")).collect::<Vec<_>>().join(", ");
        format!(
            "`{text}` is no atom of {kind} templates: expected a role ({roles}), an offset from -2 to +2 or none, a \
             dot and an attribute ({}), as in `h-1.t`",
            Attribute::EXPECTED
        )
    };
    let (place, attribute) = text.split_once('.').ok_or_else(expected)?;
    let role = place.chars().next().and_then(|c| kind.roles().find(c)).ok_or_else(expected)?;
    let offset = parse_offset(&place[1..]).ok_or_else(expected)?;
    let attribute = Attribute::parse(attribute).ok_or_else(expected)?;
    Ok(Atom { role, offset, attribute })
}

/// Most roles of any kind.
pub const MAX_ROLES: usize = 4;

macro_rules! kinds {
    ($($(#[$doc:meta])* $Family:ident = $file:ident, $(kind $Kind:ident)? $(twin $Twin:ident)?;)+) => {
        crate::named! {
            /// The kinds of parts that fire features.
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
            #[serde(rename_all = "kebab-case")]
            pub enum Kind {
                /// An arc: roles `h` (head), `m` (modifier).
                Arc = "arc",
                /// An arc and a word between its ends: roles `h`, `b`, `m`. Fires once for each distinct fine tag of `b`.
                Between = "between",
                /// As `Between`, once for each distinct coarse tag of `b`.
                BetweenCoarse = "between-coarse",
                /// As `Between`, once for each distinct form of `b`.
                BetweenForm = "between-form",
                /// An arc and the adjacent inner modifier of its head: `h`, `s` (sibling; none for a first modifier), `m`.
                Sibling = "sibling",
                /// An arc and the outermost child of its modifier on one side: `g` (grandparent), `h`, `m`.
                Grandchild = "grandchild",
                /// An arc, and an arc from its modifier with its adjacent inner sibling: `g`, `h`, `s` (none for a first
                /// modifier), `m`. Only the third-order dynamic program scores it.
                GrandSibling = "grand-sibling",
                /// Two arcs with one head, anywhere: those of [`Family::Sibling`].
                AnySibling = "any-sibling",
                /// Two arcs in a chain, anywhere: those of [`Family::Grandchild`].
                AnyGrandchild = "any-grandchild",
                $($(
                    #[doc = concat!("The parts of [`Family::", stringify!($Family), "`].")]
                    $Kind = Family::$Family.name(),
                )?)+
            }
        }

        impl Kind {
            /// The roles that templates of this kind may name, and the number of arcs whose directions they see.
            fn shape(self) -> (&'static str, usize) {
                match self {
                    Kind::Arc => ("hm", 1),
                    Kind::Between | Kind::BetweenCoarse | Kind::BetweenForm => ("hbm", 1),
                    Kind::Sibling => ("hsm", 2),
                    Kind::Grandchild => ("ghm", 2),
                    Kind::GrandSibling => ("ghsm", 2),
                    $($(Kind::$Kind)? $(Kind::$Twin)? => {
                        let facts = Family::$Family.facts();
                        (facts.roles, facts.directions)
                    })+
                }
            }
        }
    };
}

with_families!(kinds);

impl Kind {
    /// The roles that templates of this kind may name, in the order in which parts give their words.
    pub fn roles(self) -> &'static str {
        self.shape().0
    }

    /// Number of arcs whose directions a part of this kind tells apart.
    pub fn directions(self) -> usize {
        self.shape().1
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
}
