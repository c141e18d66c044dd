//! Features for people: what a part is, and the values of a template on it.

use super::atoms::Slot;
use super::hand::Patterns;
use super::parts::Part;
use super::template::{Kind, Template};
use crate::treebank::Token;

fn slot(row: u32, offset: i8, words: usize) -> Slot {
    if row as usize > words { Slot::None } else { Slot::at(i64::from(row) + i64::from(offset), words) }
}

/// A part by its kind and the words of its roles, such as `arc h=2:comes m=1:story`; of a hand-crafted pattern, its name
/// and tree too.
pub fn part(kind: Kind, part: Part, tokens: &[Token], patterns: &Patterns) -> String {
    let mut text = kind.to_string();
    for (role, &row) in kind.roles().chars().zip(&part.rows) {
        let name = match slot(row, 0, tokens.len()) {
            Slot::Word(i) => format!("{row}:{}", tokens[i].form),
            other => other.name().to_owned(),
        };
        text += &format!(" {role}={name}");
    }
    if kind == Kind::Hand {
        text += &format!(" {}", patterns.name(part.geometry.code()));
    }
    text
}

/// The feature that a template fires on a part: the values of its atoms and what its variant sees of the geometry.
pub fn feature(template: &Template, part: Part, tokens: &[Token]) -> String {
    let mut value = String::new();
    let mut values = Vec::new();
    for atom in &template.atoms {
        let slot = slot(part.rows[atom.role], atom.offset, tokens.len());
        slot.value(atom.attribute, tokens, &mut value);
        values.push(value.clone());
    }
    let geometry = part.geometry.describe(template.variant, template.kind.directions());
    if !geometry.is_empty() {
        values.push(geometry);
    }
    values.join(" | ")
}
