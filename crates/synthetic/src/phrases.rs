//! Phrases that everything else is made of: noun phrases, adpositional phrases, clauses.
//!
//! The right frontier: the words on which something behind a phrase can hang, seen from within the phrase.

use crate::config::Config;
use crate::draft::{Draft, Draw, Id, Seat, adposition, noun, verb};
use crate::lexicon::{Entry, FIELDS, Lexicon, Open};
use crate::tags::{GENDERS, GROUPS, Tag};

/// A sentence in the making, with what it is made from.
pub(super) struct Grower<'l> {
    pub config: &'l Config,
    pub lexicon: &'l Lexicon,
    pub draw: Draw,
    pub draft: Draft<'l>,
    /// Whether words that the training part never uses may come up.
    pub held_out: bool,
}

/// What stands before a noun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// Anything, or nothing.
    Any,
    /// At least a determiner, so that the word before the phrase does not stand next to the noun.
    Something,
}

/// How often a head gets the adposition it prefers, group and word, in ‰.
const PREFERRED: u32 = 350;
/// How often a determiner agrees with its noun, in ‰.
const AGREEING: u32 = 750;
/// How often a word is drawn again to suit its head, in ‰, and how many times at most.
const SUITED: u32 = 800;
const TRIES: usize = 4;

impl<'l> Grower<'l> {
    /// A word of an open class.
    fn open_word(&mut self, class: Open, inflection: usize) -> Entry<'l> {
        let held_out = self.held_out && self.draw.chance(self.config.unknown);
        self.lexicon.word(class, inflection, held_out, &mut self.draw)
    }

    /// A word of an open class whose field mostly suits.
    fn suited_word(&mut self, class: Open, inflection: usize, suits: impl Fn(usize) -> bool) -> Entry<'l> {
        let mut word = self.open_word(class, inflection);
        if self.draw.chance(SUITED) {
            for _ in 0..TRIES {
                if suits(word.field) {
                    break;
                }
                word = self.open_word(class, inflection);
            }
        }
        word
    }

    /// Adds a word of a closed class.
    pub fn closed(&mut self, head: Id, place: Seat, tag: Tag) -> Id {
        let entry = self.lexicon.closed(tag, &mut self.draw);
        self.draft.add(head, place, tag, entry)
    }

    /// Adds a noun of class `gender` with what stands before it.
    pub fn noun(&mut self, head: Id, place: Seat, gender: usize, before: Before) -> Id {
        let field = self.draft.nodes.get(head).map_or(0, |n| n.field);
        let word = self.suited_word(Open::Noun(gender), 0, |f| f == field || f == (field + 1) % FIELDS);
        let id = self.draft.add(head, place, Tag::noun(gender), word);
        if before == Before::Something || self.draw.chance(500) {
            self.determiner(id);
        }
        if self.draw.chance(50) {
            self.closed(id, noun::NUMERAL, Tag::Numeral);
        }
        if self.draw.chance(220) {
            self.adjective(id, noun::ADJECTIVE);
        }
        id
    }

    /// Adds a determiner to a noun: one of the two that its class prefers, mostly.
    pub fn determiner(&mut self, head: Id) -> Id {
        let entry = match self.draft.nodes[head].tag.gender() {
            Some(gender) if self.draw.chance(AGREEING) => {
                self.lexicon.nth(Tag::Determiner, gender + GENDERS * self.draw.below(2))
            }
            _ => self.lexicon.closed(Tag::Determiner, &mut self.draw),
        };
        self.draft.add(head, noun::DETERMINER, Tag::Determiner, entry)
    }

    /// Adds an adjective to a noun.
    pub fn adjective(&mut self, head: Id, place: Seat) -> Id {
        let field = self.draft.nodes[head].field;
        let word = self.suited_word(Open::Adjective, 0, |f| f == field);
        let id = self.draft.add(head, place, Tag::Adjective, word);
        if self.draw.chance(180) {
            self.closed(id, Seat::Left(10), Tag::Degree);
        }
        id
    }

    /// Adds a possessor of class `gender` before a noun.
    pub fn possessor(&mut self, head: Id, gender: usize) -> Id {
        let word = self.open_word(Open::Noun(gender), 0);
        let id = self.draft.add(head, noun::POSSESSOR, Tag::noun(gender), word);
        self.draft.nodes[id].open = false;
        self.closed(id, Seat::Right(0), Tag::Genitive);
        id
    }

    /// Adds a nominal of any sort: a noun, mostly; a name; a pronoun, with `pronouns` ‰.
    pub fn nominal(&mut self, head: Id, place: Seat, pronouns: u32) -> Id {
        if self.draw.chance(pronouns) {
            return self.closed(head, place, Tag::Pronoun);
        }
        if self.draw.chance(130) {
            return self.name_of(head, place);
        }
        let gender = self.draw.below(GENDERS);
        let id = self.noun(head, place, gender, Before::Any);
        if self.draw.chance(110) {
            let gender = self.draw.below(GENDERS);
            let possessor = self.possessor(id, gender);
            // Before both: whose determiner and adjective they are, only the words tell.
            if self.draw.chance(500) {
                let (head, place) =
                    if self.draw.chance(500) { (id, noun::ADJECTIVE_OUTSIDE) } else { (possessor, noun::ADJECTIVE) };
                self.adjective(head, place);
            }
            if !self.draft.has(id, noun::DETERMINER) && self.draw.chance(700) {
                self.determiner(possessor);
            }
        }
        if self.draw.chance(60) {
            self.name_of(id, noun::COMPOUND);
        }
        id
    }

    /// Adds a name.
    pub fn name_of(&mut self, head: Id, place: Seat) -> Id {
        let word = self.open_word(Open::Name, 0);
        self.draft.add(head, place, Tag::Name, word)
    }

    /// The group and index of an adposition that suits a head; of `group`, if one is given.
    pub fn choose_adposition(&mut self, head: Id, group: Option<usize>) -> (usize, usize) {
        let node = self.draft.nodes[head];
        let verb = node.tag.is_verb();
        let group = match group {
            Some(group) => group,
            None if self.draw.chance(PREFERRED) => self.lexicon.preferred_group(verb, node.field),
            None => self.draw.below(GROUPS),
        };
        let index = if self.draw.chance(PREFERRED) {
            self.lexicon.preferred_adposition(verb, node.field, group)
        } else {
            self.lexicon.adposition(group, &mut self.draw)
        };
        (group, index)
    }

    /// Adds an adposition of `group`, or of any, that suits `head`.
    pub fn adposition(&mut self, head: Id, place: Seat, group: Option<usize>) -> Id {
        let (group, index) = self.choose_adposition(head, group);
        let tag = Tag::adposition(group);
        let entry = self.lexicon.nth(tag, index);
        let field = self.lexicon.preferred_object(group, index);
        self.draft.add(head, place, tag, Entry { field, ..entry })
    }

    /// Adds a verb with a subject.
    pub fn clause(&mut self, head: Id, place: Seat, tag: Tag, subject: bool) -> Id {
        let inflection = match tag {
            Tag::Subordinate => 1,
            Tag::RelativeVerb => 2,
            _ => 0,
        };
        let word = self.open_word(Open::Verb, inflection);
        let id = self.draft.add(head, place, tag, word);
        if subject {
            self.nominal(id, verb::SUBJECT, 280);
        }
        id
    }

    /// Adds an adverb.
    pub fn adverb(&mut self, head: Id, place: Seat) -> Id {
        let word = self.open_word(Open::Adverb, 0);
        self.draft.add(head, place, Tag::Adverb, word)
    }
}

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
