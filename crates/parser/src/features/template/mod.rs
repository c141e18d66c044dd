//! Templates: the data that says which features a part fires.
//!
//! A template is a list of atoms such as `h.w h.t m-1.t`: role (with an offset in words) and attribute. Its value for a
//! part, together with the part's geometry (direction, distance) where the template's variant asks for it, is a feature.
//! Template sets are TOML files; see docs/METHOD.md, "Parts and templates", for the language.

mod kind;
mod print;
mod set;

use std::fmt;

use serde::Deserialize;

use super::atoms::Attribute;

pub use kind::{Kind, MAX_ROLES};
pub use set::{TemplateError, TemplateSet};

/// The geometry that a feature carries beside its atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// Nothing.
    Plain,
    /// The directions of the part's arcs.
    Direction,
    /// The directions, and the distance between the outer words in bins.
    Distance,
    /// Which tree of which hand-crafted pattern, for parts of kind `hand`.
    Pattern,
}

impl Variant {
    /// All variants.
    pub const ALL: [Variant; 4] = [Variant::Plain, Variant::Direction, Variant::Distance, Variant::Pattern];

    /// The name in template files.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Plain => "plain",
            Variant::Direction => "direction",
            Variant::Distance => "distance",
            Variant::Pattern => "pattern",
        }
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

fn parse_atom(kind: Kind, text: &str) -> Result<Atom, String> {
    let expected = || {
        let roles = kind.roles().chars().map(|c| format!("`{c}`")).collect::<Vec<_>>().join(", ");
        format!(
            "`{text}` is no atom of {kind} templates: expected a role ({roles}), an offset from -2 to +2 or none, a \
             dot and an attribute (w form, l lower case, t fine tag, c coarse tag, p1.. prefix, s1.. suffix, n length), \
             as in `h-1.t`"
        )
    };
    let (place, attribute) = text.split_once('.').ok_or_else(expected)?;
    let role = place.chars().next().and_then(|c| kind.roles().find(c)).ok_or_else(expected)?;
    let offset = match &place[1..] {
        "" => 0,
        "-2" => -2,
        "-1" => -1,
        "+1" => 1,
        "+2" => 2,
        _ => return Err(expected()),
    };
    let attribute = Attribute::parse(attribute).ok_or_else(expected)?;
    Ok(Atom { role, offset, attribute })
}
