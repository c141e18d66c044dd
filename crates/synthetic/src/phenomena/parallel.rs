//! Parallels: `A ... rather than A`, where the second adposition repeats the first, however distant, and `than` hangs on
//! the first (paper, figure 3).
//!
//! `than` may hang on any adposition of the frontier. The second adposition, its child, tells which; but it is not its
//! outermost child, since a particle closes the construction, nor does it stand next to it.

use crate::draft::adposition;
use crate::lexicon::Entry;
use crate::phenomena::{Grower, Phenomenon};
use crate::tags::Tag;

pub(super) fn grow(g: &mut Grower) -> Option<()> {
    let adpositions = g.chain(|t| t.group().is_some(), 0)?;
    let first = g.draw.pick(&adpositions)?;
    let than = g.closed(first.head, first.place, Tag::Than);
    g.draft.nodes[than].decided = Some(Phenomenon::Parallel);
    let rather = g.lexicon.nth(Tag::Degree, 0);
    g.draft.add(than, adposition::FOCUS, Tag::Degree, rather);
    let node = g.draft.nodes[first.head];
    let second = g.draft.add(than, adposition::OBJECT, node.tag, Entry { form: node.form, field: node.field });
    g.adverb(second, adposition::FOCUS);
    let object = g.nominal(second, adposition::OBJECT, 100);
    g.draft.nodes[object].open = false;
    g.closed(than, adposition::TAIL, Tag::Tail);
    Some(())
}
