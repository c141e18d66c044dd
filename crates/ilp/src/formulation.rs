//! From a graph to its program.
//!
//! ```text
//! trees          flow    one commodity                                   equations 4 to 9
//!                paths   a commodity a word                              equations 18 to 22
//!                spans   projective trees without flow                   Proposition 1
//! z = x and y    z <= x, z <= y, z >= x + y - 1                          equations 13 to 15
//! siblings       beta(j, k') >= beta(j, k), >= sum over i of z^sibl(i, j, k); <= their sum      equation 16
//!                z^next <= z^sibl, <= 1 - beta, >= z^sibl - beta
//! first child    gamma(a') >= gamma(a), >= z(a); <= their sum            equation 16
//!                z^first <= z, <= 1 - gamma, >= z - gamma
//! counts         sum of k z^val(k) = sum of z(a), sum of z^val = 1       equation 17
//! crossing       z^np >= z - psi(i, k), z^np <= z, z^np <= words inside - sum of psi            section 3.5
//! ```
//!
//! [`Rows::Stated`] are these. [`Rows::Needed`] has siblings and outermost children in fewer and tighter rows, which are
//! written out beside the functions that make them.
//!
//! `a'` and `k'` come after `a` and `k` in the order of candidates. The outermost children that a grandchild part is about
//! are first children in the order towards the head. A variable that a part takes from another, and of which nothing but
//! its score is known, needs upper rows if the score is positive, and lower rows if it is negative.

use std::ops::Range;

use treebound_core::graph::{ArcId, CountId, FactorGraph, TreePart, Trees, Word};

use crate::program::{Column, ColumnId, Order, Program, Rule, Side};

/// How a program says what a tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// By a flow of one commodity from the root (section 3.1).
    Flow,
    /// By a flow of one commodity a word (section 3.5). Of another order of size, and tighter.
    Paths,
    /// By what words inside and outside an arc may have as heads (section 3.6); projective trees only.
    Spans,
}

impl Form {
    /// All.
    pub const ALL: [Form; 3] = [Form::Flow, Form::Paths, Form::Spans];

    /// The name on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Form::Flow => "flow",
            Form::Paths => "paths",
            Form::Spans => "spans",
        }
    }

    /// The form of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    /// Whether it knows of such trees.
    pub fn has(self, trees: Trees) -> bool {
        self != Form::Spans || trees == Trees::Projective
    }
}

/// Which of the rows that the paper states a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// All of them, and no other.
    Stated,
    /// Of a variable that nothing but a score pulls at, those that it is pulled against; and rows that have the same whole
    /// points, but fewer others.
    Needed,
}

/// How a graph is written as a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formulation {
    /// What a tree is.
    pub form: Form,
    /// Which rows there are.
    pub rows: Rows,
}

impl Formulation {
    /// That of the smallest programs for such trees.
    pub fn usual(trees: Trees) -> Self {
        let form = match trees {
            Trees::Projective => Form::Spans,
            Trees::NonProjective => Form::Flow,
        };
        Self { form, rows: Rows::Needed }
    }
}

/// Which sides of a variable matter.
#[derive(Clone, Copy, Debug, Default)]
struct Pull {
    /// Something is won if it is large.
    up: bool,
    /// Something is won if it is small.
    down: bool,
}

impl Pull {
    const BOTH: Pull = Pull { up: true, down: true };

    fn any(self) -> bool {
        self.up || self.down
    }

    fn add(&mut self, other: Pull) {
        self.up |= other.up;
        self.down |= other.down;
    }
}

impl Program {
    /// The program of a graph whose points over whole numbers are the graph's trees, and whose best value is that of its best
    /// tree.
    ///
    /// # Panics
    /// If the [form](Form::has) does not know of the graph's trees.
    pub fn new(graph: &FactorGraph, formulation: Formulation) -> Self {
        assert!(formulation.form.has(graph.trees), "{:?} has no rows for {} trees", formulation.form, graph.trees);
        let mut builder = Builder { graph, rows: formulation.rows, program: Program::default(), commodities: None };
        builder.arcs();
        match formulation.form {
            Form::Flow => builder.flow(),
            Form::Paths => builder.paths(),
            Form::Spans => builder.spans(),
        }
        builder.factors();
        builder.siblings();
        builder.grandchildren();
        for c in graph.counts.ids() {
            builder.count(c);
        }
        if formulation.form != Form::Spans {
            builder.projectivity();
        }
        builder.program
    }
}

struct Builder<'a> {
    graph: &'a FactorGraph,
    rows: Rows,
    program: Program,
    /// The first commodity of the first arc, if there are commodities: those of an arc follow each other, by word.
    commodities: Option<ColumnId>,
}

/// The variable of an arc.
fn arc(a: usize) -> ColumnId {
    ColumnId(a as u32)
}

fn ones(arcs: impl IntoIterator<Item = usize>) -> impl Iterator<Item = (ColumnId, i64)> {
    arcs.into_iter().map(|a| (arc(a), 1))
}

impl Builder<'_> {
    fn pull(&self, score: i64) -> Pull {
        match self.rows {
            Rows::Stated => Pull::BOTH,
            Rows::Needed => Pull { up: score > 0, down: score < 0 },
        }
    }

    /// A variable that is 1 or 0, and need not be said to be a whole number since its rows say it.
    fn indicator(&mut self, column: Column, cost: i64) -> ColumnId {
        self.program.push_column(column, cost, 1, false)
    }

    fn equal(&mut self, rule: Rule, value: i64, entries: impl IntoIterator<Item = (ColumnId, i64)>) {
        self.program.push_row(rule, (Some(value), Some(value)), false, entries);
    }

    fn at_most(&mut self, rule: Rule, lazy: bool, value: i64, entries: impl IntoIterator<Item = (ColumnId, i64)>) {
        self.program.push_row(rule, (None, Some(value)), lazy, entries);
    }

    fn at_least(&mut self, rule: Rule, lazy: bool, value: i64, entries: impl IntoIterator<Item = (ColumnId, i64)>) {
        self.program.push_row(rule, (Some(value), None), lazy, entries);
    }

    fn words(&self) -> impl Iterator<Item = Word> + use<> {
        (1..=self.graph.space.words()).map(Word::new)
    }

    fn arcs_into(&self, m: Word) -> impl Iterator<Item = usize> + use<'_> {
        self.graph.space.arcs_into(m).iter().map(|a| a.ix())
    }

    fn arcs(&mut self) {
        let space = &self.graph.space;
        for (a, &score) in self.graph.local.arc.iter().enumerate() {
            self.program.push_column(Column::Arc(ArcId::new(a)), score, 1, true);
        }
        if space.single_root() {
            self.equal(Rule::OneRoot, 1, ones(space.arcs_of(Word::new(0))));
        }
    }

    fn heads(&mut self) {
        let space = &self.graph.space;
        for m in self.words() {
            self.equal(Rule::Heads, 1, ones(space.arcs_into(m).iter().map(|a| a.ix())));
        }
    }

    fn flow(&mut self) {
        self.heads();
        let (space, n) = (&self.graph.space, self.graph.space.words() as i64);
        let first = self.program.columns.len() as u32;
        let flow = |a: usize| ColumnId(first + a as u32);
        for a in 0..space.arcs() {
            self.program.push_column(Column::Flow(ArcId::new(a)), 0, n, false);
        }
        self.equal(Rule::RootFlow, n, space.arcs_of(Word::new(0)).map(|a| (flow(a), 1)));
        for m in self.words() {
            let into = space.arcs_into(m).iter().map(|a| (flow(a.ix()), 1));
            self.equal(Rule::WordFlow, 1, into.chain(space.arcs_of(m).map(|a| (flow(a), -1))));
        }
        for a in 0..space.arcs() {
            self.at_most(Rule::FlowOnArcs, false, 0, [(flow(a), 1), (arc(a), -n)]);
        }
    }

    fn commodity(&self, first: ColumnId, a: usize, k: Word) -> ColumnId {
        ColumnId(first.0 + (a * self.graph.space.words() + k.ix() - 1) as u32)
    }

    fn paths(&mut self) {
        let (space, n) = (&self.graph.space, self.graph.space.words() as i64);
        let first = ColumnId(self.program.columns.len() as u32);
        self.commodities = Some(first);
        for a in 0..space.arcs() {
            for k in self.words() {
                self.program.push_column(Column::Commodity(ArcId::new(a), k), 0, 1, false);
            }
        }
        for k in self.words() {
            let sent: Vec<_> = space.arcs_of(Word::new(0)).map(|a| (self.commodity(first, a, k), 1)).collect();
            self.equal(Rule::RootCommodity, 1, sent);
            for j in self.words() {
                let into = space.arcs_into(j).iter().map(|a| (self.commodity(first, a.ix(), k), 1));
                let out = space.arcs_of(j).map(|a| (self.commodity(first, a, k), -1));
                let kept: Vec<_> = into.chain(out).collect();
                self.equal(Rule::WordCommodity, i64::from(j == k), kept);
            }
            for a in 0..space.arcs() {
                let entries = [(self.commodity(first, a, k), 1), (arc(a), -1)];
                self.at_most(Rule::CommodityOnArcs, false, 0, entries);
            }
        }
        self.equal(Rule::Arcs, n, ones(0..space.arcs()));
    }

    /// Proposition 1, read so that enumeration confirms it: for an arc of the tree (a) each word inside has its head at the
    /// ends or inside, (b) each word outside has its head at the ends or outside, and (c) the head of the arc's head lies
    /// outside. One row each and arc, of the words together; the words one by one are tighter.
    fn spans(&mut self) {
        self.heads();
        let space = &self.graph.space;
        for a in (0..space.arcs()).map(ArcId::new) {
            let (h, m) = (space.head(a), space.modifier(a));
            let (first, last) = (h.min(m), h.max(m));
            let inside = |k: Word| first < k && k < last;
            let outside = |k: Word| k < first || last < k;
            let (within, beyond): (Vec<Word>, Vec<Word>) =
                self.words().filter(|&k| inside(k) || outside(k)).partition(|&k| inside(k));
            self.span(Rule::Inside, a, &within, outside);
            self.span(Rule::Outside, a, &beyond, inside);
            if !h.is_root() {
                let into = self.arcs_into(h).filter(|&b| !outside(space.head(ArcId::new(b)))).collect::<Vec<_>>();
                if !into.is_empty() {
                    self.at_most(Rule::HeadOutside, false, 1, ones([a.ix()].into_iter().chain(into)));
                }
            }
        }
    }

    /// With arc `a`, none of `words` has a head that is `wrong`.
    fn span(&mut self, rule: Rule, a: ArcId, words: &[Word], wrong: impl Fn(Word) -> bool) {
        let space = &self.graph.space;
        let mut all = Vec::new();
        let mut most = 0;
        for &k in words {
            let start = all.len();
            all.extend(self.arcs_into(k).filter(|&b| wrong(space.head(ArcId::new(b)))));
            if all.len() > start {
                most += 1;
                if self.rows == Rows::Needed {
                    let one = all[start..].iter().copied().chain([a.ix()]);
                    self.program.push_row(rule, (None, Some(1)), true, ones(one));
                }
            }
        }
        if most > 0 {
            self.at_most(rule, false, most, ones(all).chain([(arc(a.ix()), most)]));
        }
    }

    /// `z` is whether all of `parts` are 1.
    fn conjunction(&mut self, z: ColumnId, parts: &[ColumnId], pull: Pull) {
        if pull.up {
            for &part in parts {
                self.at_most(Rule::Implies, true, 0, [(z, 1), (part, -1)]);
            }
        }
        if pull.down {
            let all = parts.iter().map(|&part| (part, -1));
            self.at_least(Rule::Implied, true, 1 - parts.len() as i64, all.chain([(z, 1)]));
        }
    }

    fn factors(&mut self) {
        let (space, mut pairs) = (&self.graph.space, Vec::new());
        for (c, arcs, score) in self.graph.factors.iter() {
            match arcs {
                _ if score == 0 => {}
                [] => self.program.constant += i128::from(score),
                [a] => self.program.cost[a.ix()] += score,
                _ => {
                    let z = self.indicator(Column::Factor(c), score);
                    let parts: Vec<_> = arcs.iter().map(|a| arc(a.ix())).collect();
                    let pull = self.pull(score);
                    if let (&[a, b], Rows::Needed, true) = (arcs, self.rows, pull.up) {
                        pairs.push((a.min(b), a.max(b), z));
                    } else {
                        self.conjunction(z, &parts, pull);
                    }
                }
            }
        }
        // A tree has one arc into a word, so of an arc's pairs with different ones it has one. Factors may have the same pair.
        pairs.sort_unstable();
        let mut rows = Vec::new();
        for same in pairs.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
            for (nth, &(a, b, z)) in same.iter().enumerate() {
                rows.extend([(a, space.modifier(b), nth, z), (b, space.modifier(a), nth, z)]);
            }
        }
        rows.sort_unstable();
        for row in rows.chunk_by(|x, y| (x.0, x.1, x.2) == (y.0, y.1, y.2)) {
            let entries = row.iter().map(|entry| (entry.3, 1)).chain([(arc(row[0].0.ix()), -1)]);
            self.at_most(Rule::Implies, true, 0, entries);
        }
    }

    /// First children and consecutive siblings with what grand-siblings make of them.
    fn siblings(&mut self) {
        let (space, local) = (&self.graph.space, &self.graph.local);
        let mut pulls: Vec<Pull> =
            local.sibling.iter().map(|&s| if s == 0 { Pull::default() } else { self.pull(s) }).collect();
        for above in (0..space.arcs()).map(ArcId::new) {
            for part in space.grandchild_parts_of(above) {
                for (sibling, score) in self.graph.grand_siblings.entries(part).filter(|entry| entry.1 != 0) {
                    pulls[sibling].add(self.pull(score));
                }
            }
        }
        let mut parts = vec![None; local.sibling.len()];
        if self.rows == Rows::Needed {
            self.chains(&pulls, &mut parts);
            return self.grand_siblings(&parts);
        }
        let first = |a: ArcId| space.first_modifier_part(a);
        let found = self.first(Order::Outwards, |a| pulls[first(a)], |a| local.sibling[first(a)]);
        for (a, z) in found.into_iter().enumerate() {
            parts[first(ArcId::new(a))] = z;
        }
        for j in self.words() {
            for side in Side::BOTH {
                self.next_siblings(j, side, &pulls, &mut parts);
            }
        }
        self.grand_siblings(&parts);
    }

    /// The modifiers of a head on a side as a chain: each has one inner neighbour, or is the first; each is the inner
    /// neighbour of one at most; one at most is the first. Tighter than equation 16, and not larger.
    fn chains(&mut self, pulls: &[Pull], parts: &mut [Option<ColumnId>]) {
        let (space, local) = (&self.graph.space, &self.graph.local);
        for side in self.sides() {
            let of = |a: ArcId| space.first_modifier_part(a)..space.sibling_parts_of(a).end;
            if !side.clone().map(ArcId::new).flat_map(of).any(|part| pulls[part].any()) {
                continue;
            }
            let mut firsts = Vec::new();
            let mut outer = vec![Vec::new(); side.len()];
            for a in side.clone().map(ArcId::new) {
                let part = space.first_modifier_part(a);
                let first = self.indicator(Column::First(a, Order::Outwards), local.sibling[part]);
                parts[part] = Some(first);
                firsts.push((first, 1));
                let mut before = vec![(first, 1), (arc(a.ix()), -1)];
                for b in space.inner_siblings(a).map(ArcId::new) {
                    let part = space.sibling_part(a, b);
                    let next = self.indicator(Column::Part(TreePart::Sibling(a, Some(b))), local.sibling[part]);
                    parts[part] = Some(next);
                    before.push((next, 1));
                    outer[b.ix() - side.start].push((next, 1));
                }
                self.equal(Rule::Chain, 0, before);
            }
            self.at_most(Rule::Chain, false, 1, firsts);
            for (b, outer) in side.zip(outer).filter(|(_, outer)| !outer.is_empty()) {
                self.at_most(Rule::Chain, false, 0, outer.into_iter().chain([(arc(b), -1)]));
            }
        }
    }

    /// The arcs of each head on each side.
    fn sides(&self) -> Vec<Range<usize>> {
        let space = &self.graph.space;
        let heads = (0..=space.words()).map(Word::new);
        heads.flat_map(|h| [space.left_arcs_of(h), space.right_arcs_of(h)]).filter(|side| !side.is_empty()).collect()
    }

    /// Whether each arc is the first of its head and side in an order, by arc; none where nothing pulls.
    fn first(
        &mut self,
        order: Order,
        pull: impl Fn(ArcId) -> Pull,
        score: impl Fn(ArcId) -> i64,
    ) -> Vec<Option<ColumnId>> {
        let space = &self.graph.space;
        let mut found = vec![None; space.arcs()];
        for side in self.sides() {
            // Left arcs come outermost first.
            let outermost_first = space.modifier(ArcId::new(side.start)) < space.head(ArcId::new(side.start));
            let mut arcs: Vec<usize> = side.collect();
            if outermost_first == (order == Order::Outwards) {
                arcs.reverse();
            }
            let Some(last) = arcs.iter().rposition(|&a| pull(ArcId::new(a)).any()) else { continue };
            let mut before: Option<(usize, Option<ColumnId>)> = None;
            for &a in &arcs[..=last] {
                let gamma = before.map(|(b, earlier)| {
                    let gamma = self.indicator(Column::Earlier(ArcId::new(a), order), 0);
                    self.carry(Rule::Before, gamma, earlier, &[arc(b)]);
                    gamma
                });
                let (pull, score) = (pull(ArcId::new(a)), score(ArcId::new(a)));
                found[a] = match gamma {
                    _ if !pull.any() => None,
                    None => {
                        self.program.cost[a] += score;
                        Some(arc(a))
                    }
                    Some(gamma) => {
                        let z = self.indicator(Column::First(ArcId::new(a), order), score);
                        self.without(Rule::Before, z, arc(a), gamma, pull);
                        Some(z)
                    }
                };
                before = Some((a, gamma));
            }
        }
        found
    }

    /// `later` is whether `earlier` or one of `parts` is 1, of which at most one can be.
    fn carry(&mut self, rule: Rule, later: ColumnId, earlier: Option<ColumnId>, parts: &[ColumnId]) {
        if let Some(earlier) = earlier {
            self.at_least(rule, false, 0, [(later, 1), (earlier, -1)]);
        }
        let minus = || parts.iter().map(|&part| (part, -1));
        self.at_least(rule, false, 0, minus().chain([(later, 1)]));
        self.at_most(rule, false, 0, minus().chain(earlier.map(|earlier| (earlier, -1))).chain([(later, 1)]));
    }

    /// `z` is whether `whole` is 1 and `but` is 0.
    fn without(&mut self, rule: Rule, z: ColumnId, whole: ColumnId, but: ColumnId, pull: Pull) {
        if pull.up {
            self.at_most(rule, true, 0, [(z, 1), (whole, -1)]);
            self.at_most(rule, true, 1, [(z, 1), (but, 1)]);
        }
        if pull.down {
            self.at_least(rule, true, 0, [(z, 1), (whole, -1), (but, 1)]);
        }
    }

    /// The arcs that follow word `j` on a side of its head, with that into `j`, by the distance of their modifiers.
    fn pairs(&self, j: Word, side: Side) -> Vec<(Word, ArcId, ArcId)> {
        let space = &self.graph.space;
        let mut pairs = Vec::new();
        for &inner in space.arcs_into(j) {
            let h = space.head(inner);
            let outer = match side {
                Side::Right if h < j => inner.ix() + 1..space.arcs_of(h).end,
                Side::Left if h > j => space.arcs_of(h).start..inner.ix(),
                _ => continue,
            };
            pairs.extend(outer.map(|b| (space.modifier(ArcId::new(b)), inner, ArcId::new(b))));
        }
        pairs.sort_unstable();
        pairs
    }

    fn next_siblings(&mut self, j: Word, side: Side, pulls: &[Pull], parts: &mut [Option<ColumnId>]) {
        let space = &self.graph.space;
        let mut pairs = self.pairs(j, side);
        let part = |&(_, inner, outer): &(Word, ArcId, ArcId)| space.sibling_part(outer, inner);
        let mut groups: Vec<_> = pairs.chunk_by_mut(|a, b| a.0 == b.0).map(|group| &*group).collect();
        if side == Side::Left {
            groups.reverse();
        }
        let Some(last) = groups.iter().rposition(|group| group.iter().any(|pair| pulls[part(pair)].any())) else {
            return;
        };
        let mut before: Option<(Vec<ColumnId>, Option<ColumnId>)> = None;
        for group in &groups[..=last] {
            let beta = before.map(|(siblings, earlier)| {
                let beta = self.indicator(Column::SiblingBetween(j, group[0].0, side), 0);
                self.carry(Rule::Between, beta, earlier, &siblings);
                beta
            });
            let mut siblings = Vec::new();
            for pair in *group {
                let &(_, inner, outer) = pair;
                let both = self.indicator(Column::Siblings(inner, outer), 0);
                let arcs = [arc(inner.ix()), arc(outer.ix())];
                for part in arcs {
                    self.at_most(Rule::Implies, false, 0, [(both, 1), (part, -1)]);
                }
                self.at_least(Rule::Implied, false, -1, [(both, 1), (arcs[0], -1), (arcs[1], -1)]);
                siblings.push(both);
                let (pull, score) = (pulls[part(pair)], self.graph.local.sibling[part(pair)]);
                parts[part(pair)] = match beta {
                    _ if !pull.any() => None,
                    None => {
                        self.program.cost[both.ix()] += score;
                        Some(both)
                    }
                    Some(beta) => {
                        let next = self.indicator(Column::Part(TreePart::Sibling(outer, Some(inner))), score);
                        self.without(Rule::Between, next, both, beta, pull);
                        Some(next)
                    }
                };
            }
            before = Some((siblings, beta));
        }
    }

    fn grand_siblings(&mut self, parts: &[Option<ColumnId>]) {
        let space = &self.graph.space;
        for above in (0..space.arcs()).map(ArcId::new) {
            for a in space.children(above).map(ArcId::new) {
                for (sibling, score) in self.graph.grand_siblings.entries(space.grandchild_part(above, a)) {
                    let Some(below) = parts[sibling].filter(|_| score != 0) else { continue };
                    let inner = sibling.checked_sub(space.first_modifier_part(a) + 1);
                    let inner = inner.map(|i| ArcId::new(space.inner_siblings(a).start + i));
                    let z = self.indicator(Column::Part(TreePart::GrandSibling(above, a, inner)), score);
                    self.conjunction(z, &[arc(above.ix()), below], self.pull(score));
                }
            }
        }
    }

    fn grandchildren(&mut self) {
        let (space, local) = (&self.graph.space, &self.graph.local);
        let mut pulls = vec![Pull::default(); space.arcs()];
        let parts = |a: ArcId| {
            let scored = space
                .children(a)
                .map(move |b| (ArcId::new(b), local.grandchild[space.grandchild_part(a, ArcId::new(b))]));
            scored.filter(|(_, score)| *score != 0)
        };
        for (b, score) in (0..space.arcs()).map(ArcId::new).flat_map(parts) {
            pulls[b.ix()].add(self.pull(score));
        }
        if self.rows == Rows::Needed {
            return self.outermost(&pulls);
        }
        let outermost = self.first(Order::Inwards, |b| pulls[b.ix()], |_| 0);
        for a in (0..space.arcs()).map(ArcId::new) {
            for (b, score) in parts(a) {
                let Some(last) = outermost[b.ix()] else { continue };
                let z = self.indicator(Column::Part(TreePart::Grandchild(a, b)), score);
                self.conjunction(z, &[arc(a.ix()), last], self.pull(score));
            }
        }
    }

    /// Outermost children, one at most on a side, and grandchild parts with them: of an arc with those of a side, and of an
    /// outermost child with all arcs above it, of which a tree has one. Tighter than conjunctions one by one.
    fn outermost(&mut self, pulls: &[Pull]) {
        let (space, local) = (&self.graph.space, &self.graph.local);
        for side in self.sides().into_iter().filter(|side| side.clone().any(|b| pulls[b].any())) {
            let m = space.head(ArcId::new(side.start));
            let last = |b: usize| Column::First(ArcId::new(b), Order::Inwards);
            let lasts: Vec<_> = side.clone().map(|b| self.indicator(last(b), 0)).collect();
            let right = m < space.modifier(ArcId::new(side.start));
            for (i, b) in side.clone().enumerate() {
                self.at_most(Rule::Outermost, false, 0, [(lasts[i], 1), (arc(b), -1)]);
                let beyond = if right { &lasts[i..] } else { &lasts[..=i] };
                let beyond = beyond.iter().map(|&z| (z, 1)).chain([(arc(b), -1)]);
                self.at_least(Rule::Outermost, false, 0, beyond);
            }
            self.at_most(Rule::Outermost, false, 1, lasts.iter().map(|&z| (z, 1)));
            let mut above = vec![Vec::new(); side.len()];
            for &a in space.arcs_into(m) {
                let mut own = Vec::new();
                for b in space.children(a).filter(|b| side.contains(b)) {
                    let score = local.grandchild[space.grandchild_part(a, ArcId::new(b))];
                    if score != 0 {
                        let z = self.indicator(Column::Part(TreePart::Grandchild(a, ArcId::new(b))), score);
                        above[b - side.start].push((a, z));
                        own.push((z, lasts[b - side.start]));
                    }
                }
                if !own.is_empty() {
                    let parts = || own.iter().map(|&(z, _)| (z, 1)).chain([(arc(a.ix()), -1)]);
                    self.at_most(Rule::Implies, false, 0, parts());
                    self.at_least(Rule::Implied, false, -1, parts().chain(own.iter().map(|&(_, last)| (last, -1))));
                }
            }
            for (above, &last) in above.iter().zip(&lasts).filter(|(above, _)| !above.is_empty()) {
                let parts = || above.iter().map(|&(_, z)| (z, 1)).chain([(last, -1)]);
                self.at_most(Rule::Implies, false, 0, parts());
                let others = space.arcs_into(m).iter().filter(|a| above.iter().all(|(b, _)| b != *a));
                self.at_least(Rule::Implied, false, 0, parts().chain(others.map(|a| (arc(a.ix()), 1))));
            }
        }
    }

    fn count(&mut self, c: CountId) {
        let counts = &self.graph.counts;
        let (arcs, scores, most) = (counts.arcs(c), counts.scores(c), counts.most(c));
        let all = || ones(arcs.iter().map(|a| a.ix()));
        if (most as usize) < arcs.len() {
            self.at_most(Rule::Most, false, i64::from(most), all());
        }
        let Some(&none) = scores.first() else { return };
        if arcs.is_empty() || scores.iter().all(|&score| score == none) {
            self.program.constant += i128::from(none);
        } else if let &[none, some] = scores {
            self.program.constant += i128::from(none);
            let z = self.indicator(Column::Or(c), some - none);
            let pull = self.pull(some - none);
            if pull.up {
                self.at_most(Rule::Or, false, 0, all().map(|(a, one)| (a, -one)).chain([(z, 1)]));
            }
            if pull.down {
                for a in arcs {
                    self.at_least(Rule::Or, false, 0, [(z, 1), (arc(a.ix()), -1)]);
                }
            }
        } else {
            let largest = (scores.len() - 1).min(arcs.len());
            let mut numbers = Vec::new();
            for (k, &score) in scores[..=largest].iter().enumerate() {
                numbers.push(self.program.push_column(Column::Count(c, k as u32), score, 1, true));
            }
            let beyond = (arcs.len() - largest) as i64;
            let excess = (beyond > 0).then(|| self.program.push_column(Column::Excess(c), 0, beyond, false));
            let number = numbers.iter().zip(0..).filter(|&(_, k)| k > 0).map(|(&z, k)| (z, k));
            let entries: Vec<_> = number.chain(excess.map(|e| (e, 1))).chain(all().map(|(a, _)| (a, -1))).collect();
            self.equal(Rule::Count, 0, entries);
            self.equal(Rule::OneCount, 1, numbers.iter().map(|&z| (z, 1)));
            if let Some(excess) = excess {
                self.at_most(Rule::Excess, false, 0, [(excess, 1), (numbers[largest], -beyond)]);
            }
        }
    }

    /// Arcs that are not projective: what they are worth, or that there are none. Arcs from the root are, and those between
    /// neighbours.
    fn projectivity(&mut self) {
        let space = &self.graph.space;
        let inside = |a: ArcId| {
            let (h, m) = (space.head(a), space.modifier(a));
            (h.min(m).ix() + 1..h.max(m).ix()).map(Word::new)
        };
        let score = |a: ArcId| match self.graph.trees {
            Trees::Projective => 0,
            Trees::NonProjective => self.graph.non_projective.get(a.ix()).copied().unwrap_or(0),
        };
        let matters = |a: &ArcId| self.graph.trees == Trees::Projective || score(*a) != 0;
        for h in self.words() {
            let arcs = space.arcs_of(h).map(ArcId::new).filter(|&a| inside(a).next().is_some());
            let arcs: Vec<_> = arcs.filter(matters).collect();
            let mut pull = Pull::default();
            for &a in &arcs {
                // What a negative score or a constraint pulls at is that words descend.
                let of_arc = if self.graph.trees == Trees::Projective { self.pull(-1) } else { self.pull(score(a)) };
                pull.add(Pull { up: of_arc.down, down: of_arc.up });
            }
            if arcs.is_empty() {
                continue;
            }
            let psi = self.descent(h, pull);
            let psi = |k: Word| psi[k.ix()];
            for a in arcs {
                let z = arc(a.ix());
                if self.graph.trees == Trees::Projective {
                    for k in inside(a) {
                        self.at_most(Rule::Projectivity, true, 0, [(z, 1), (psi(k), -1)]);
                    }
                    continue;
                }
                let (score, pull) = (score(a), self.pull(score(a)));
                let crossed = self.indicator(Column::NonProjective(a), score);
                if pull.up {
                    self.at_most(Rule::Projectivity, true, 0, [(crossed, 1), (z, -1)]);
                    let below = inside(a).map(|k| (psi(k), 1));
                    self.at_most(Rule::Projectivity, true, inside(a).count() as i64, below.chain([(crossed, 1)]));
                }
                if pull.down {
                    for k in inside(a) {
                        self.at_least(Rule::Projectivity, true, 0, [(crossed, 1), (z, -1), (psi(k), 1)]);
                    }
                }
            }
        }
    }

    /// Whether each word descends from `h`, by word; those of the root and of `h` stand for nothing. Where there are no
    /// commodities a word descends if its head does: psi(h, k) is psi(h, j) if the tree has j -> k.
    fn descent(&mut self, h: Word, pull: Pull) -> Vec<ColumnId> {
        let space = &self.graph.space;
        let mut psi = vec![ColumnId(u32::MAX); space.words() + 1];
        for k in self.words().filter(|&k| k != h) {
            psi[k.ix()] = self.indicator(Column::Descends(h, k), 0);
        }
        for k in self.words().filter(|&k| k != h) {
            let own = psi[k.ix()];
            if let Some(first) = self.commodities {
                let into: Vec<_> = self.arcs_into(h).map(|a| (self.commodity(first, a, k), -1)).collect();
                self.equal(Rule::Paths, 0, into.into_iter().chain([(own, 1)]));
                continue;
            }
            for &a in space.arcs_into(k) {
                let (j, z) = (space.head(a), arc(a.ix()));
                if j == h {
                    if pull.down {
                        self.at_least(Rule::Descent, true, 0, [(own, 1), (z, -1)]);
                    }
                } else if j.is_root() {
                    if pull.up {
                        self.at_most(Rule::Descent, true, 1, [(own, 1), (z, 1)]);
                    }
                } else {
                    let above = psi[j.ix()];
                    if pull.up {
                        self.at_most(Rule::Descent, true, 1, [(own, 1), (above, -1), (z, 1)]);
                    }
                    if pull.down {
                        self.at_least(Rule::Descent, true, -1, [(own, 1), (above, -1), (z, -1)]);
                    }
                }
            }
        }
        psi
    }
}
