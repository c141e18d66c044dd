//! Matched brackets: of the nouns of a frontier, one or two have an opening bracket before their phrase and the closing
//! one of the same kind behind it, both hanging on the noun.
//!
//! An opening bracket is a determiner by its tag, as the first half of a demonstrative is, and every noun of the frontier
//! has two determiners; so a closing bracket may hang on any of them. The sibling on the other side of the right one
//! tells.

use crate::draft::noun;
use crate::lexicon::BRACKETS;
use crate::phenomena::{Grower, Phenomenon};
use crate::tags::Tag;

pub(super) fn grow(g: &mut Grower) -> Option<()> {
    let nouns = g.chain(Tag::is_noun, 250)?;
    for site in &nouns {
        if !g.draft.has(site.head, noun::DETERMINER) {
            g.determiner(site.head);
        }
    }
    let mut kinds: Vec<usize> = (0..BRACKETS).collect();
    g.draw.shuffle(&mut kinds);
    // One of two nouns has brackets, one or two of three.
    let mut bracketed: Vec<usize> = (0..nouns.len()).collect();
    g.draw.shuffle(&mut bracketed);
    bracketed.truncate((nouns.len() - 1).min(1 + usize::from(g.draw.chance(350))));
    for (i, site) in nouns.iter().enumerate() {
        let Some(at) = bracketed.iter().position(|&b| b == i) else {
            // As long as a phrase with an opening bracket.
            g.closed(site.head, noun::OPENING, Tag::Determiner);
            continue;
        };
        let [opening, closing] = g.lexicon.bracket(kinds[at]);
        g.draft.add(site.head, noun::OPENING, Tag::Determiner, opening);
        let id = g.draft.add(site.head, site.place, Tag::Bracket, closing);
        g.draft.nodes[id].decided = Some(Phenomenon::Brackets);
    }
    Some(())
}
