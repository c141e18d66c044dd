//! The features of states: keys of templates, classes of trees, and scores.
//!
//! A *view* is what a template asks of one word, as a number. A template's key mixes the views of its words. Scores are sums over
//! templates, and most templates see one or two words that other states have, too: their sums are kept for the sentence.

use treebound_core::decode::shift_reduce::{Actions, Partial, State};

use super::templates::{DEPTH, PLACES, Part, StateTemplates};
use crate::features::atoms::{NO_VIEW, Seen, Viewer, hash_text, mix};
use crate::treebank::Token;

/// Most words of a sentence: a class has three words of 21 bits.
pub const MOST_WORDS: usize = (1 << 21) - 2;

/// Most words of a sentence whose sums of two words are kept.
const MOST_KEPT: usize = 400;

/// Which row of a view a place has: the trees' words, then the queue's.
type Rows = [u32; PLACES];

/// A template as places with their views.
#[derive(Clone, Debug)]
struct Template {
    /// Of its text, so that keys do not depend on the order of a set.
    seed: u64,
    /// Places with views.
    views: Vec<(usize, u32)>,
}

/// Templates that see the same words.
#[derive(Clone, Debug)]
struct Group {
    /// Where the words are. All of the queue count as the next one: it decides them.
    words: Vec<usize>,
    templates: Vec<Template>,
}

/// A compiled set.
#[derive(Clone, Debug)]
pub struct StateFeatures {
    viewer: Viewer,
    /// Those of one word, of two, of more.
    groups: [Vec<Group>; 3],
    templates: usize,
    /// By depth and part.
    kernel: [[u32; 3]; DEPTH],
}

/// The number of the first place of the queue.
const QUEUE: usize = 3 * DEPTH;

impl StateFeatures {
    /// Compiles a set.
    pub fn new(set: &StateTemplates) -> Self {
        let mut viewer = Viewer::default();
        let mut groups: [Vec<Group>; 3] = Default::default();
        for (atoms, line) in set.templates().iter().zip(set.to_string().lines()) {
            let mut views = Vec::new();
            let mut words = Vec::new();
            for of_place in atoms.chunk_by(|a, b| a.place == b.place) {
                let place = of_place[0].place.number();
                views.push((place, viewer.view(of_place.iter().map(|atom| atom.question))));
                words.push(place.min(QUEUE));
            }
            words.dedup();
            let template = Template { seed: hash_text(0, line), views };
            let kind = &mut groups[words.len().min(3) - 1];
            match kind.iter_mut().find(|group| group.words == words) {
                Some(group) => group.templates.push(template),
                None => kind.push(Group { words, templates: vec![template] }),
            }
        }
        let kernel = set.kernel();
        let view = |depth, part| viewer.view(kernel.asked(depth, part).iter().copied());
        let mut view = view;
        let kernel = std::array::from_fn(|depth| Part::ALL.map(|part| view(depth, part)));
        Self { viewer, groups, templates: set.templates().len(), kernel }
    }

    /// How many templates there are.
    pub fn templates(&self) -> usize {
        self.templates
    }

    fn all(&self) -> impl Iterator<Item = &Template> {
        self.groups.iter().flatten().flat_map(|group| &group.templates)
    }
}

impl Template {
    #[inline]
    fn key(&self, seen: &Seen, rows: &Rows) -> u64 {
        self.views.iter().fold(self.seed, |key, &(place, view)| mix(key ^ seen.view(view)[rows[place] as usize]))
    }
}

/// One sentence as templates see it; memory is reused.
#[derive(Clone, Debug, Default)]
pub struct Sentence {
    seen: Seen,
    words: u32,
    /// By view, by word: a number that words with the same view share.
    same: Vec<u32>,
    order: Vec<u32>,
}

impl Sentence {
    /// Fills it.
    pub fn fill(&mut self, features: &StateFeatures, tokens: &[Token]) {
        self.seen.fill(&features.viewer, tokens);
        self.words = tokens.len() as u32;
        self.same.clear();
        self.same.resize(self.seen.rows() * (1 + self.views(features)), 0);
        let rows = self.seen.rows();
        for &view in features.kernel.as_flattened() {
            let same = &mut self.same[view as usize * rows..][..rows];
            if view == NO_VIEW || same[1..].first().is_some_and(|&first| first != 0) {
                continue;
            }
            let values = self.seen.view(view);
            self.order.clear();
            self.order.extend(1..=self.words);
            self.order.sort_unstable_by_key(|&word| (values[word as usize], word));
            let of_view = |a: &u32, b: &u32| values[*a as usize] == values[*b as usize];
            for alike in self.order.chunk_by(of_view) {
                alike.iter().for_each(|&word| same[word as usize] = alike[0]);
            }
        }
    }

    fn views(&self, features: &StateFeatures) -> usize {
        features.kernel.as_flattened().iter().copied().max().unwrap_or(NO_VIEW) as usize
    }

    /// Its length.
    pub fn words(&self) -> u32 {
        self.words
    }

    /// The class of a tree at a depth: what the kernel asks of its words.
    #[inline]
    pub fn class(&self, features: &StateFeatures, depth: usize, tree: Partial) -> u64 {
        let rows = self.seen.rows();
        let number =
            |part: usize, word: u32| u64::from(self.same[features.kernel[depth][part] as usize * rows + word as usize]);
        number(0, tree.head) << 42 | number(1, tree.left) << 21 | number(2, tree.right)
    }

    /// What the kernel asks of the head of s1: the first word of which it is told the same.
    #[inline]
    pub fn kind(&self, features: &StateFeatures, word: u32) -> u32 {
        let rows = self.seen.rows();
        // Where nothing is asked all words are of one kind.
        self.same[features.kernel[1][0] as usize * rows + word as usize].max(1)
    }

    /// Whether sums of two words are kept.
    pub fn is_kept(&self) -> bool {
        self.words as usize <= MOST_KEPT
    }

    #[inline]
    fn rows(&self, state: &State) -> Rows {
        let none = self.words + 1;
        let row = |word: u32| if word == 0 { none } else { word };
        let next = |at: u32| (state.shifted + 1 + at).min(none);
        let [s0, s1, s2] = state.trees;
        [
            row(s0.head),
            row(s0.left),
            row(s0.right),
            row(s1.head),
            row(s1.left),
            row(s1.right),
            row(s2.head),
            row(s2.left),
            row(s2.right),
            next(0),
            next(1),
            next(2),
        ]
    }

    /// Appends the keys of a state: one a template, in the order of the groups.
    pub fn push_keys(&self, features: &StateFeatures, state: &State, keys: &mut Vec<u64>) {
        let rows = self.rows(state);
        keys.extend(features.all().map(|template| template.key(&self.seen, &rows)));
    }
}

/// Scores of a sentence's states; memory is reused.
#[derive(Clone, Debug, Default)]
pub struct Scores {
    /// By group of one word, by row.
    one: Vec<Actions<i64>>,
    /// By group of two words, by both rows, where they are kept.
    two: Vec<Actions<i64>>,
    keys: Vec<u64>,
}

/// A sum that was not made yet.
const UNKNOWN: i64 = i64::MIN;

impl Scores {
    /// Starts a sentence. `add` adds the weights of a key.
    pub fn start(&mut self, features: &StateFeatures, sentence: &Sentence, add: impl Fn(u64, &mut Actions<i64>)) {
        let rows = sentence.seen.rows();
        self.one.clear();
        for group in &features.groups[0] {
            for row in 0..rows as u32 {
                let mut sums = [0; 3];
                let rows = rows_with(group.words[0], row, sentence.words + 1);
                group.templates.iter().for_each(|template| add(template.key(&sentence.seen, &rows), &mut sums));
                self.one.push(sums);
            }
        }
        self.two.clear();
        if sentence.is_kept() {
            self.two.resize(features.groups[1].len() * rows * rows, [UNKNOWN; 3]);
        }
    }

    /// The scores of the actions in a state of the sentence that was started.
    #[inline]
    pub fn score(
        &mut self,
        features: &StateFeatures,
        sentence: &Sentence,
        state: &State,
        add: impl Fn(u64, &mut Actions<i64>),
    ) -> Actions<i64> {
        self.sum(features, sentence, &sentence.rows(state), |_| true, add)
    }

    /// In a state whose s1 is known by its head, and s2 not at all: by how much at most an action scores more than another,
    /// whatever words `hidden` has in the places that are not known.
    pub fn leads(
        &mut self,
        features: &StateFeatures,
        sentence: &Sentence,
        hidden: &Hidden,
        state: &State,
        add: impl Fn(u64, &mut Actions<i64>) + Copy,
    ) -> Actions<Actions<i64>> {
        let mut rows = sentence.rows(state);
        let known = self.sum(features, sentence, &rows, Group::is_known, add);
        let mut leads = known.map(|score| known.map(|other| score - other));
        for group in features.groups.iter().flatten().filter(|group| !group.is_known()) {
            let mut most = [[i64::MIN; 3]; 3];
            hidden.for_each(&group.words, state.shifted, &mut rows, &mut |rows| {
                let mut sums = [0; 3];
                group.templates.iter().for_each(|template| add(template.key(&sentence.seen, rows), &mut sums));
                for (most, score) in most.iter_mut().zip(sums) {
                    most.iter_mut().zip(sums).for_each(|(most, other)| *most = (score - other).max(*most));
                }
            });
            leads.as_flattened_mut().iter_mut().zip(most.as_flattened()).for_each(|(lead, most)| *lead += most);
        }
        leads
    }

    /// The sums of some groups.
    #[inline(always)]
    fn sum(
        &mut self,
        features: &StateFeatures,
        sentence: &Sentence,
        rows: &Rows,
        is_asked: impl Fn(&Group) -> bool,
        add: impl Fn(u64, &mut Actions<i64>),
    ) -> Actions<i64> {
        let count = sentence.seen.rows();
        let mut sums = [0; 3];
        let mut more = |others: &Actions<i64>| sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
        for (group, of_group) in
            features.groups[0].iter().zip(self.one.chunks_exact(count)).filter(|(group, _)| is_asked(group))
        {
            more(&of_group[rows[group.words[0]] as usize]);
        }
        self.keys.clear();
        let keys = |group: &Group, keys: &mut Vec<u64>| {
            keys.extend(group.templates.iter().map(|template| template.key(&sentence.seen, rows)));
        };
        if self.two.is_empty() {
            features.groups[1].iter().filter(|group| is_asked(group)).for_each(|group| keys(group, &mut self.keys));
        } else {
            for (group, of_group) in features.groups[1]
                .iter()
                .zip(self.two.chunks_exact_mut(count * count))
                .filter(|(group, _)| is_asked(group))
            {
                let kept = &mut of_group[rows[group.words[0]] as usize * count + rows[group.words[1]] as usize];
                if kept[0] == UNKNOWN {
                    *kept = [0; 3];
                    group.templates.iter().for_each(|template| add(template.key(&sentence.seen, rows), kept));
                }
                more(kept);
            }
        }
        features.groups[2].iter().filter(|group| is_asked(group)).for_each(|group| keys(group, &mut self.keys));
        // All addresses are there before the first is looked at, so that memory is waited for once.
        self.keys.iter().for_each(|&key| add(key, &mut sums));
        sums
    }
}

/// The places that are not known where s1 is known by its head alone.
const HIDDEN: std::ops::Range<usize> = 4..QUEUE;

impl Group {
    fn is_known(&self) -> bool {
        !self.words.iter().any(|place| HIDDEN.contains(place))
    }
}

/// What may stand in the places that are not known: of words that look the same there the first.
#[derive(Clone, Debug, Default)]
pub struct Hidden {
    words: [Vec<u32>; PLACES],
    none: u32,
    views: Vec<u32>,
}

impl Hidden {
    /// Fills it for a sentence.
    pub fn fill(&mut self, features: &StateFeatures, sentence: &Sentence) {
        self.none = sentence.words + 1;
        for place in HIDDEN {
            let of_place = features.all().flat_map(|template| &template.views).filter(|view| view.0 == place);
            self.views.clear();
            self.views.extend(of_place.map(|view| view.1));
            self.views.sort_unstable();
            self.views.dedup();
            let words = &mut self.words[place];
            words.clear();
            for word in 1..self.none {
                let same = |view: &u32, other: u32| {
                    let values = sentence.seen.view(*view);
                    values[word as usize] == values[other as usize]
                };
                if !words.iter().any(|&other| self.views.iter().all(|view| same(view, other))) {
                    words.push(word);
                }
            }
        }
    }

    /// Visits rows with all words before a word, and none, in those of the places that are not known.
    fn for_each(&self, places: &[usize], before: u32, rows: &mut Rows, visit: &mut dyn FnMut(&Rows)) {
        match places.split_first() {
            None => visit(rows),
            Some((place, rest)) if !HIDDEN.contains(place) => self.for_each(rest, before, rows, visit),
            Some((&place, rest)) => {
                let words = self.words[place].iter().copied().take_while(|&word| word < before);
                for word in words.chain([self.none]) {
                    rows[place] = word;
                    self.for_each(rest, before, rows, visit);
                }
            }
        }
    }
}

/// Rows where only one place is asked; of the queue all that follows from it.
fn rows_with(place: usize, row: u32, none: u32) -> Rows {
    let mut rows = [0; PLACES];
    rows[place] = row;
    if place == QUEUE {
        (1..PLACES - QUEUE).for_each(|at| rows[QUEUE + at] = (row + at as u32).min(none));
    }
    rows
}
