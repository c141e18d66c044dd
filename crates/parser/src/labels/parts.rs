//! What a labeller sees of the arcs of a tree: which parts each arc has, and the keys of their features.
//!
//! | kind | parts of the arc from head h to modifier m |
//! | --- | --- |
//! | `arc` | the arc |
//! | `between` and its like | the arc and each distinct word between its ends |
//! | `sibling` | m and the modifier of h next to it on the side of h, or none |
//! | `any-sibling` | m and each other modifier of h, as `s` |
//! | `any-grandchild` | the arc below the head's own: g is the head of h |
//! | `grandchild` | the arc above those to the outermost modifiers of m: its ends are `g` and `h`, and the modifier is `m` |

use super::KINDS;
use crate::features::atoms::mix;
use crate::features::geometry::Geometry;
use crate::features::parts::{self, BetweenWords, Part};
use crate::features::plan::Views;
use crate::features::{Kind, PartList, Plan};
use crate::sequence::key;
use crate::treebank::{Token, Tree};
use crate::weights::KeyBuffers;
use crate::weights::mapped::prefetch;
use crate::weights::table::{Line, home};
use crate::weights::walk::for_each_feature;
use treebound_core::graph::Word;

/// The keys of the arcs of a tree; memory is reused.
#[derive(Debug, Default)]
pub struct ArcKeys {
    views: Views,
    parts: PartList,
    between: BetweenWords,
    buffers: KeyBuffers,
    /// By head: where its modifiers end.
    modifier_ends: Vec<u32>,
    /// The modifiers of all heads, those of each ascending.
    modifiers: Vec<u32>,
    /// Keys in the order in which they are found, each with the word that it is of.
    found: Vec<(u32, u64)>,
    /// By word: where its keys end.
    ends: Vec<u32>,
    keys: Vec<u64>,
}

/// Puts values into an order by groups that keeps the order in each: ends of groups, and values.
pub(super) fn grouped<T: Copy + Default>(values: &[(u32, T)], groups: usize, ends: &mut Vec<u32>, out: &mut Vec<T>) {
    ends.clear();
    ends.resize(groups + 1, 0);
    values.iter().for_each(|(group, _)| ends[*group as usize + 1] += 1);
    (0..groups).for_each(|group| ends[group + 1] += ends[group]);
    out.clear();
    out.resize(values.len(), T::default());
    for &(group, value) in values {
        // Where a group begins becomes where it ends.
        let at = &mut ends[group as usize];
        out[*at as usize] = value;
        *at += 1;
    }
    ends.truncate(groups);
}

/// The values of one group.
pub(super) fn group<'v, T>(ends: &[u32], values: &'v [T], group: usize) -> &'v [T] {
    let start = group.checked_sub(1).map_or(0, |before| ends[before]);
    &values[start as usize..ends[group] as usize]
}

impl ArcKeys {
    /// Finds the keys of the arcs of `tree`, and asks for the `lines` in which their rows begin.
    pub(super) fn fill(&mut self, plan: &Plan, tokens: &[Token], tree: &Tree, lines: &[Line]) {
        let n = tokens.len();
        self.views.fill(plan, tokens);
        let arcs: Vec<(u32, u32)> = tree.heads().iter().zip(1..).map(|(head, word)| (head.0, word)).collect();
        grouped(&arcs, n + 1, &mut self.modifier_ends, &mut self.modifiers);
        self.found.clear();
        for kind in KINDS {
            let Some(kind_plan) = plan.kind(kind) else { continue };
            self.list(kind, tokens, tree);
            let Self { views, parts, buffers, found, .. } = self;
            for_each_feature(kind_plan, views, parts, buffers, |part, feature| {
                // Variants share an address; rows are long, so each begins somewhere else.
                let key = key(mix(feature.0));
                prefetch(&lines[home(key, lines.len())]);
                found.push((parts.target[part], key));
            });
        }
        grouped(&self.found, n, &mut self.ends, &mut self.keys);
    }

    /// Lists the parts of a kind; the target of each is the word of the arc, from 0.
    fn list(&mut self, kind: Kind, tokens: &[Token], tree: &Tree) {
        let n = tokens.len();
        let Self { parts: list, between, modifier_ends, modifiers, .. } = self;
        let of_head = |head: Word| group(modifier_ends, modifiers, head.ix()).iter().map(|&m| Word(m));
        list.clear();
        if kind.told_apart_by().is_some() {
            between.fill(kind, tokens);
        }
        for (target, &h) in tree.heads().iter().enumerate() {
            let m = Word::new(target + 1);
            match kind {
                Kind::Arc => list.push(parts::arc(h, m), target),
                Kind::Sibling => {
                    let nearer = |s: &Word| (h < *s && *s < m) || (m < *s && *s < h);
                    let mut inner = of_head(h).filter(nearer);
                    let s = if h < m { inner.next_back() } else { inner.next() };
                    list.push(parts::sibling(h, s, m, n + 1), target);
                }
                Kind::AnySibling => {
                    for s in of_head(h).filter(|&s| s != m) {
                        let geometry = Geometry::new(&[h < s, h < m], s.ix(), m.ix());
                        list.push(Part::new([h, s, m, Word::ROOT], geometry), target);
                    }
                }
                Kind::AnyGrandchild if !h.is_root() => list.push(parts::grandchild(tree.head(h), h, m), target),
                Kind::Grandchild => {
                    let left = of_head(m).next().filter(|&c| c < m);
                    let right = of_head(m).next_back().filter(|&c| c > m);
                    left.into_iter().chain(right).for_each(|c| list.push(parts::grandchild(h, m, c), target));
                }
                _ if kind.told_apart_by().is_some() => list.push_between(h, m, between, target),
                _ => {}
            }
        }
    }

    /// The modifiers of a head, ascending; words are counted from 1, the root symbol is 0.
    pub fn modifiers(&self, head: usize) -> &[u32] {
        group(&self.modifier_ends, &self.modifiers, head)
    }

    /// The keys of the arc to a word, which is counted from 0.
    pub fn of(&self, word: usize) -> &[u64] {
        group(&self.ends, &self.keys, word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_grouped_in_their_order() {
        let (mut ends, mut out) = (Vec::new(), Vec::new());
        grouped(&[(2, 'a'), (0, 'b'), (2, 'c'), (0, 'd')], 4, &mut ends, &mut out);
        let groups: Vec<&[char]> = (0..4).map(|at| group(&ends, &out, at)).collect();
        assert_eq!(groups, [&['b', 'd'][..], &[], &['a', 'c'], &[]]);
    }
}
