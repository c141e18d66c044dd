//! Concord: a verb with a mood and an aspect particle, and a particle that closes its clause: of one sort if the two go
//! together, of the other if not. With a subordinate clause that has such particles too, the last particle belongs to
//! either verb; of two particles all pairs are equally common, so only all three tell.

use crate::draft::{Id, verb};
use crate::phenomena::{Grower, Phenomenon};
use crate::tags::Tag;

pub(super) fn grow(g: &mut Grower) -> Option<()> {
    let main = g.site(|d, i| {
        d.nodes[i].tag.is_verb()
            && d.nodes[i].tag != Tag::RelativeVerb
            && !d.has(i, verb::MOOD)
            && !d.has(i, verb::CLAUSE)
    })?;
    let alike = g.draw.chance(500);
    particles(g, main, alike);
    let clause = g.clause(main, verb::CLAUSE, Tag::Subordinate, true);
    g.closed(clause, verb::OPENER, Tag::Subordinator);
    particles(g, clause, !alike);
    if g.draw.chance(400) {
        g.nominal(clause, verb::OBJECT, 200);
    }
    let (head, alike) = if g.draw.chance(500) { (main, alike) } else { (clause, !alike) };
    let last = g.closed(head, verb::FINAL, if alike { Tag::FinalA } else { Tag::FinalB });
    g.draft.nodes[last].decided = Some(Phenomenon::Concord);
    Some(())
}

fn particles(g: &mut Grower, verb: Id, alike: bool) {
    let first = g.draw.chance(500);
    g.closed(verb, verb::MOOD, if first { Tag::MoodA } else { Tag::MoodB });
    g.closed(verb, verb::ASPECT, if first == alike { Tag::AspectA } else { Tag::AspectB });
}
