//! What makes heads a tree that a parser may give: from the definition, word by word.

use treebound_core::graph::{Trees, Word};
use treebound_parser::model::TreeKind;

/// Why the heads of a sentence are no answer over some candidate arcs, sorted by head and modifier; none if they are one.
///
/// A tree gives each word one head and reaches all words from the root, which has one modifier, or more if the `kind` says so.
/// No two of its arcs cross, if it is projective.
pub fn fault(words: usize, heads: &[Word], candidates: &[(Word, Word)], kind: impl Into<TreeKind>) -> Option<String> {
    let TreeKind { trees, roots } = kind.into();
    let heads: Vec<usize> = heads.iter().map(|head| head.ix()).collect();
    if heads.len() != words {
        return Some(format!("{} heads for {words} words", heads.len()));
    }
    if let Some((i, head)) = heads.iter().enumerate().find(|(_, head)| **head > words) {
        return Some(format!("word {} has head {head}, but there are {words} words", i + 1));
    }
    let on_root: Vec<usize> = (1..=words).filter(|m| heads[m - 1] == 0).collect();
    if !roots.allow(on_root.len()) {
        return Some(format!("{} words are on the root: {on_root:?}", on_root.len()));
    }
    for m in 1..=words {
        // More steps than words go round.
        let mut at = m;
        let steps = (0..=words).take_while(|_| {
            let goes_on = at != 0;
            at = if goes_on { heads[at - 1] } else { 0 };
            goes_on
        });
        if steps.count() > words {
            return Some(format!("word {m} does not reach the root"));
        }
    }
    for (m, &head) in (1..).zip(&heads) {
        for (n, &other) in (1..m).zip(&heads) {
            let ([a, b], [c, d]) = ([head.min(m), head.max(m)], [other.min(n), other.max(n)]);
            let is_crossing = (a < c && c < b && b < d) || (c < a && a < d && d < b);
            if is_crossing && trees == Trees::Projective {
                return Some(format!("the arcs {head} -> {m} and {other} -> {n} cross"));
            }
        }
        let arc = (Word::new(head), Word::new(m));
        if candidates.binary_search(&arc).is_err() {
            return Some(format!("the arc {head} -> {m} was pruned"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use treebound_parser::model::Roots;

    #[test]
    fn only_rooted_projective_trees_over_candidates_are_answers() {
        let words = |heads: &[usize]| heads.iter().map(|&head| Word::new(head)).collect::<Vec<_>>();
        let mut all: Vec<(Word, Word)> =
            (0..=4).flat_map(|h| (1..=4).filter(move |&m| m != h).map(move |m| (Word::new(h), Word::new(m)))).collect();
        let of = |heads: &[usize], arcs: &[(Word, Word)]| fault(4, &words(heads), arcs, Roots::One).unwrap_or_default();
        assert_eq!(of(&[2, 0, 2, 3], &all), "");
        assert_eq!(of(&[2, 0, 2], &all), "3 heads for 4 words");
        assert_eq!(of(&[2, 0, 2, 5], &all), "word 4 has head 5, but there are 4 words");
        assert_eq!(of(&[2, 0, 0, 3], &all), "2 words are on the root: [2, 3]");
        assert_eq!(of(&[2, 3, 2, 3], &all), "0 words are on the root: []");
        assert_eq!(of(&[0, 1, 4, 3], &all), "word 3 does not reach the root");
        assert_eq!(of(&[3, 4, 0, 3], &all), "the arcs 4 -> 2 and 3 -> 1 cross");
        let several = |heads: &[usize]| fault(4, &words(heads), &all, Roots::Several).unwrap_or_default();
        assert_eq!([several(&[2, 0, 0, 3]), several(&[2, 0, 2, 3])], ["", ""]);
        assert_eq!(several(&[2, 3, 2, 3]), "0 words are on the root: []");
        assert_eq!(several(&[3, 0, 0, 3]), "the arcs 0 -> 2 and 3 -> 1 cross");
        // An arc that passes over the word on the root crosses the root's.
        assert_eq!(of(&[3, 0, 2, 2], &all), "the arcs 0 -> 2 and 3 -> 1 cross");
        all.retain(|arc| *arc != (Word::new(3), Word::new(4)));
        assert_eq!(of(&[2, 0, 2, 3], &all), "the arc 3 -> 4 was pruned");
    }
}
