//! Growth: a sentence starts as a small clause and takes on constructions until it is long enough.

use crate::draft::{Draft, Id, Seat, adposition, noun, verb};
use crate::phenomena;
use crate::phenomena::Phenomenon;
use crate::phrases::Grower;
use crate::tags::Tag;

/// Fewest and most words of a sentence.
pub(super) const LENGTHS: std::ops::RangeInclusive<usize> = 3..=60;
/// How far a construction may take a sentence beyond its intended length.
const BEYOND: usize = 5;
/// Steps in a row that come to nothing before a sentence is left as it is.
const PATIENCE: usize = 12;

/// Plain constructions, with how often each is tried.
const PLAIN: [(Plain, u32); 9] = [
    (Plain::Object, 30),
    (Plain::Phrase, 70),
    (Plain::Adverb, 14),
    (Plain::Clause, 8),
    (Plain::Conjunct, 6),
    (Plain::Relative, 8),
    (Plain::Name, 4),
    (Plain::Pair, 14),
    (Plain::Fronted, 6),
];

#[derive(Clone, Copy, Debug)]
enum Plain {
    Object,
    Phrase,
    Adverb,
    Clause,
    Conjunct,
    Relative,
    Name,
    Pair,
    Fronted,
}

/// The intended length of a sentence: mostly around a dozen words, with a long tail.
fn length(grower: &mut Grower) -> usize {
    let draw = &mut grower.draw;
    let mut words = LENGTHS.start() + draw.below(10) + draw.below(11);
    if draw.chance(350) {
        words += draw.below(22);
    }
    if draw.chance(40) {
        words += draw.below(30);
    }
    words.min(*LENGTHS.end())
}

impl<'l> Grower<'l> {
    /// Grows a sentence.
    pub fn sentence(&mut self) {
        let intended = length(self);
        // The smallest clause has three words; a larger one is drawn again until it fits.
        for attempt in 0.. {
            self.draft = Draft::default();
            let root = self.clause(0, Seat::Root, Tag::Finite, attempt < PATIENCE);
            if attempt >= PATIENCE {
                self.closed(root, verb::SUBJECT, Tag::Pronoun);
            }
            self.closed(root, verb::STOP, Tag::Stop);
            if self.draft.len() <= intended {
                break;
            }
        }
        let mut failures = 0;
        while self.draft.len() < intended && failures < PATIENCE {
            let before = self.draft.clone();
            if self.step() && self.draft.len() <= (intended + BEYOND).min(*LENGTHS.end()) {
                failures = 0;
            } else {
                self.draft = before;
                failures += 1;
            }
        }
    }

    /// Adds one construction; false if there was no place for it.
    fn step(&mut self) -> bool {
        let mut at = self.draw.below(1000) as u32;
        for phenomenon in Phenomenon::ALL {
            let rate = self.config.phenomena.rate(phenomenon);
            if at < rate {
                return phenomena::grow(phenomenon, self);
            }
            at -= rate;
        }
        let weights = PLAIN.map(|(_, weight)| weight);
        match PLAIN[self.draw.weighted(&weights)].0 {
            Plain::Object => self.object(),
            Plain::Phrase => self.phrase(),
            Plain::Adverb => self.adverb_somewhere(),
            Plain::Clause => self.subordinate(),
            Plain::Conjunct => self.conjunct(),
            Plain::Relative => self.relative(),
            Plain::Name => self.name(),
            Plain::Pair => self.pair(),
            Plain::Fronted => self.fronted(),
        }
        .is_some()
    }

    /// One of the words that `wanted` lets through.
    pub fn site(&mut self, wanted: impl Fn(&Draft, Id) -> bool) -> Option<Id> {
        let sites: Vec<Id> = (0..self.draft.len()).filter(|&i| wanted(&self.draft, i)).collect();
        self.draw.pick(&sites)
    }

    /// A noun that nothing follows yet and something may.
    pub fn host(&mut self) -> Option<Id> {
        self.site(|d, i| d.nodes[i].tag.is_noun() && d.nodes[i].open && d.right_of(i).next().is_none())
    }

    /// A verb without an object.
    pub fn objectless(&mut self) -> Option<Id> {
        self.site(|d, i| d.nodes[i].tag.is_verb() && d.nodes[i].open && !d.has(i, verb::OBJECT))
    }

    fn object(&mut self) -> Option<Id> {
        let head = self.objectless()?;
        Some(self.nominal(head, verb::OBJECT, 120))
    }

    /// An adpositional phrase on a noun or a verb: which, only the words tell.
    fn phrase(&mut self) -> Option<Id> {
        let head = self.site(|d, i| {
            let node = &d.nodes[i];
            let most = if node.tag.is_verb() { 3 } else { 2 };
            node.open && (node.tag.is_verb() || node.tag.is_noun()) && d.right_of(i).count() < most
        })?;
        let place = if self.draft.nodes[head].tag.is_verb() {
            [verb::PHRASE, verb::LATE, verb::PHRASE_LEFT][self.draw.weighted(&[40, 30, 30])]
        } else {
            noun::PHRASE
        };
        let p = self.adposition(head, place, None);
        Some(self.nominal(p, adposition::OBJECT, 80))
    }

    fn adverb_somewhere(&mut self) -> Option<Id> {
        let head = self.site(|d, i| d.nodes[i].tag.is_verb())?;
        let place = [verb::ADVERB, verb::ADVERB_RIGHT, verb::LATE][self.draw.below(3)];
        Some(self.adverb(head, place))
    }

    fn subordinate(&mut self) -> Option<Id> {
        let head = self.site(|d, i| d.nodes[i].tag.is_verb() && !d.has(i, verb::CLAUSE))?;
        let id = self.clause(head, verb::CLAUSE, Tag::Subordinate, true);
        Some(self.closed(id, verb::OPENER, Tag::Subordinator))
    }

    /// A phrase or a clause before the subject, set off by a comma.
    fn fronted(&mut self) -> Option<Id> {
        let head = self.site(|d, i| d.nodes[i].tag == Tag::Finite && !d.has(i, verb::FRONTED))?;
        self.closed(head, verb::FRONTED, Tag::Comma);
        if self.draw.chance(400) {
            let id = self.clause(head, verb::FRONTED, Tag::Subordinate, true);
            return Some(self.closed(id, verb::OPENER, Tag::Subordinator));
        }
        let p = self.adposition(head, verb::FRONTED, None);
        Some(self.nominal(p, adposition::OBJECT, 80))
    }

    /// A second main clause.
    fn conjunct(&mut self) -> Option<Id> {
        let root = self.site(|d, i| d.nodes[i].place == Seat::Root && !d.has(i, verb::CONJUNCT))?;
        if self.draw.chance(400) {
            self.closed(root, verb::CONJUNCT, Tag::Comma);
        }
        self.closed(root, verb::CONJUNCT, Tag::Coordinator);
        let subject = self.draw.chance(700);
        Some(self.clause(root, verb::CONJUNCT, Tag::Finite, subject))
    }

    fn relative(&mut self) -> Option<Id> {
        let head = self.site(|d, i| d.nodes[i].tag.is_noun() && d.nodes[i].open && !d.has(i, noun::CLAUSE))?;
        let id = self.clause(head, noun::CLAUSE, Tag::RelativeVerb, false);
        Some(self.closed(id, verb::OPENER, Tag::Relative))
    }

    /// Two nouns coordinated. The second hangs on the first, which need not be the last noun before it.
    fn pair(&mut self) -> Option<Id> {
        let head = self.site(|d, i| d.nodes[i].tag.is_noun() && d.nodes[i].open && !d.has(i, noun::CONJUNCT))?;
        self.closed(head, noun::CONJUNCT, Tag::Coordinator);
        Some(self.nominal(head, noun::CONJUNCT, 0))
    }

    /// A name in apposition.
    fn name(&mut self) -> Option<Id> {
        let head = self.host()?;
        let id = self.nominal(head, noun::NAME, 0);
        self.draft.nodes[id].open = false;
        Some(id)
    }
}
