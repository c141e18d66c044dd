//! Resumption: a relative clause takes its noun up again by a pronoun of the noun's class, two arcs below the clause's
//! verb. Among the nouns before the clause, the chain of three arcs from noun to pronoun tells the right one.

use crate::draft::{adposition, noun, verb};
use crate::phenomena::{Grower, Phenomenon};
use crate::tags::Tag;

pub(super) fn grow(g: &mut Grower) -> Option<()> {
    let nouns = g.chain(Tag::is_noun, 250)?;
    let site = g.draw.pick(&nouns)?;
    let gender = g.draft.nodes[site.head].tag.gender()?;
    let clause = g.clause(site.head, site.place, Tag::RelativeVerb, true);
    g.draft.nodes[clause].open = false;
    g.draft.nodes[clause].decided = Some(Phenomenon::Resumption);
    g.closed(clause, verb::OPENER, Tag::Relative);
    let p = g.adposition(clause, verb::PHRASE, None);
    let pronoun = g.closed(p, adposition::OBJECT, Tag::resumptive(gender));
    // The adposition does not stand next to it.
    g.closed(pronoun, noun::OPENING, Tag::Degree);
    Some(())
}
