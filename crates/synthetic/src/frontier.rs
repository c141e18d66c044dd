//! The right frontier: the words on which something behind a phrase can hang, seen from within the phrase.

use super::draft::{Id, Seat};
use super::phrases::{Before, Grower};
use super::places::{adposition, noun};
use super::tags::{GENDERS, GROUPS, Tag};

/// A word on a frontier, and the place at which a new modifier of it stands right behind the phrase.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub head: Id,
    pub place: Seat,
}

impl Grower<'_> {
    /// The frontier at `host`, a noun that nothing follows: itself and the words above it of which it is the rightmost
    /// part, up to the first verb.
    fn frontier(&self, host: Id) -> Vec<Site> {
        let mut sites = vec![Site { head: host, place: noun::PHRASE }];
        let mut at = host;
        while let node = self.draft.nodes[at]
            && matches!(node.place, Seat::Right(_))
            && !node.tag.is_verb()
        {
            let later = |&i: &Id| {
                let other = &self.draft.nodes[i];
                other.tag != Tag::Stop && (other.place, i) > (node.place, at)
            };
            if self.draft.right_of(node.head).any(|i| later(&i)) {
                break;
            }
            at = node.head;
            sites.push(Site { head: at, place: node.place });
        }
        sites
    }

    /// The frontier at some noun, innermost first, as far as no noun is like another in class and no adposition like
    /// another in group. Phrases are added to the noun until at least two words are `wanted`, and with `more` ‰ beyond.
    ///
    /// The frontier is then closed, so that it stays as it is. Returns the sites that are wanted.
    pub fn chain(&mut self, wanted: impl Fn(Tag) -> bool, more: u32) -> Option<Vec<Site>> {
        let host = self.host()?;
        let mut sites = self.frontier(host);
        let tag = |g: &Self, s: &Site| g.draft.nodes[s.head].tag;
        // A second word of one kind ends it: nothing could tell the two apart.
        let alike = |i: &usize| {
            let t = tag(self, &sites[*i]);
            (t.is_noun() || t.group().is_some()) && sites[..*i].iter().any(|s| tag(self, s) == t)
        };
        if let Some(end) = (0..sites.len()).find(alike) {
            sites.truncate(end);
        }
        let count = |g: &Self, sites: &[Site]| sites.iter().filter(|s| wanted(tag(g, s))).count();
        let nouns = |g: &Self, sites: &[Site]| sites.iter().filter(|s| tag(g, s).is_noun()).count();
        while count(self, &sites) < 2 || (nouns(self, &sites) < GENDERS && self.draw.chance(more)) {
            let free = |g: &Self, t: Tag| sites.iter().all(|s| tag(g, s) != t);
            let genders: Vec<usize> = (0..GENDERS).filter(|&x| free(self, Tag::noun(x))).collect();
            let groups: Vec<usize> = (0..GROUPS).filter(|&x| free(self, Tag::adposition(x))).collect();
            let (gender, group) = (self.draw.pick(&genders)?, self.draw.pick(&groups)?);
            let p = self.adposition(sites[0].head, noun::PHRASE, Some(group));
            let n = self.noun(p, adposition::OBJECT, gender, Before::Something);
            sites.insert(0, Site { head: p, place: adposition::OBJECT });
            sites.insert(0, Site { head: n, place: noun::PHRASE });
        }
        for site in &sites {
            if !tag(self, site).is_verb() {
                self.draft.nodes[site.head].open = false;
            }
        }
        sites.retain(|s| wanted(tag(self, s)));
        Some(sites)
    }
}
