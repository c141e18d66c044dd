//! Circumpositions: an adposition in two halves around its object. It hangs on the noun before it that has the class of
//! the object, or on the verb if the object is a pronoun.
//!
//! The object is an inner child of the adposition, before an adverb and the second half, and stands next to neither half:
//! only the chain of head, adposition and object tells.

use crate::draft::{adposition, noun};
use crate::phenomena::{Grower, Phenomenon};
use crate::phrases::Before;
use crate::tags::Tag;

pub(super) fn grow(g: &mut Grower) -> Option<()> {
    let heads = g.chain(|t| t.is_noun() || t.is_verb(), 300)?;
    let site = g.draw.pick(&heads)?;
    let id = g.closed(site.head, site.place, Tag::Circum);
    g.draft.nodes[id].decided = Some(Phenomenon::Circumposition);
    let object = match g.draft.nodes[site.head].tag.gender() {
        Some(gender) => g.noun(id, adposition::OBJECT, gender, Before::Any),
        None => g.closed(id, adposition::OBJECT, Tag::Pronoun),
    };
    g.draft.nodes[object].open = false;
    g.closed(object, noun::OPENING, Tag::Degree);
    g.adverb(id, adposition::AFTER);
    g.closed(id, adposition::TAIL, Tag::Tail);
    Some(())
}
