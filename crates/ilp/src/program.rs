//! A program as data: variables, rows and coefficients. All variables are at least 0.

use treebound_core::graph::{ArcId, CountId, FactorId, TreePart, Word};

/// A variable of a [`Program`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ColumnId(pub u32);

impl ColumnId {
    /// The index as a `usize`, for slices.
    #[inline(always)]
    pub const fn ix(self) -> usize {
        self.0 as usize
    }
}

/// A row of a [`Program`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowId(pub u32);

impl RowId {
    /// The index as a `usize`, for slices.
    #[inline(always)]
    pub const fn ix(self) -> usize {
        self.0 as usize
    }
}

/// A side of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Before it.
    Left,
    /// After it.
    Right,
}

impl Side {
    /// Both.
    pub const BOTH: [Side; 2] = [Side::Left, Side::Right];
}

/// The order in which the modifiers of a head on one side are gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    /// From the head outwards: the first is the first child.
    Outwards,
    /// Towards the head: the first is the outermost child.
    Inwards,
}

/// What a variable means. All but the last four kinds are 1 or 0: whether it is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Column {
    /// z_a: the tree has the arc.
    Arc(ArcId),
    /// It has all arcs of the factor (equation 13).
    Factor(FactorId),
    /// z^sibl: it has both arcs, of one head and on one side (equation 14), the inner one first.
    Siblings(ArcId, ArcId),
    /// beta: the modifier of the first arc has a sibling on its side of the head, further out than it and not so far as the
    /// modifier of the second (equation 16). The same for all heads, and therefore of two words and a side of the head.
    SiblingBetween(Word, Word, Side),
    /// gamma: in the order, the head has a modifier on the arc's side before that of the arc (equation 16).
    Earlier(ArcId, Order),
    /// z^first child, or that it is the outermost child: it has the arc, and none before it in the order.
    First(ArcId, Order),
    /// A part of the tree that is made of others (z^next sibl; grandchildren and grand-siblings).
    Part(TreePart),
    /// It has one of the counted arcs or more.
    Or(CountId),
    /// z^val: it has so many of the counted arcs; of the largest number, so many or more (equation 17).
    Count(CountId, u32),
    /// psi: the second word descends from the first (equation 23).
    Descends(Word, Word),
    /// z^np: it has the arc, which is not projective there.
    NonProjective(ArcId),
    /// phi: words that hang on the arc (equations 6 to 8), or 0.
    Flow(ArcId),
    /// phi^k: 1 if the way from the root to the word goes over the arc, or 0 (equations 18 to 22).
    Commodity(ArcId, Word),
    /// By how much the number of arcs exceeds the largest that a count tells apart.
    Excess(CountId),
}

/// Why a row is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// One head a word (equation 4). That the root has none (equation 5) is in the arcs.
    Heads,
    /// One modifier of the root, if the graph wants that.
    OneRoot,
    /// The root sends a unit for each word (equation 6).
    RootFlow,
    /// A word takes one unit (equation 7).
    WordFlow,
    /// Flow goes over arcs of the tree (equation 8).
    FlowOnArcs,
    /// The root sends each word its own unit (equation 18).
    RootCommodity,
    /// A word takes its own unit and no other (equation 19).
    WordCommodity,
    /// Units go over arcs of the tree (equation 20).
    CommodityOnArcs,
    /// As many arcs as words (equation 21).
    Arcs,
    /// Who descends from whom, by flow (equation 23).
    Paths,
    /// Who descends from whom, by arcs: as the head does.
    Descent,
    /// Proposition 1, for the words inside an arc.
    Inside,
    /// Proposition 1, for the words outside an arc.
    Outside,
    /// Proposition 1, for the head of an arc.
    HeadOutside,
    /// A conjunction implies its arcs (equation 13, first line).
    Implies,
    /// Its arcs imply a conjunction (equation 13, second line).
    Implied,
    /// Modifiers of a head as a chain.
    Chain,
    /// Outermost children.
    Outermost,
    /// Siblings between (equation 16).
    Between,
    /// Modifiers before (equation 16).
    Before,
    /// A disjunction.
    Or,
    /// So many arcs (equation 17, first line).
    Count,
    /// One number of arcs (equation 17, second line).
    OneCount,
    /// Arcs beyond the largest number told apart.
    Excess,
    /// At most so many arcs.
    Most,
    /// Arcs that are not projective (section 3.5), or that there are none.
    Projectivity,
}

/// A row: the sum of coefficients times variables lies within bounds, where there are such.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Why it is there.
    pub rule: Rule,
    /// Its least value.
    pub least: Option<i64>,
    /// Its greatest value.
    pub most: Option<i64>,
    /// Whether a solver may leave it out until a point violates it.
    pub is_lazy: bool,
    /// Its variables.
    pub columns: &'a [ColumnId],
    /// Their coefficients.
    pub coefficients: &'a [i64],
}

/// Maximise the constant and the sum of costs times variables, over whole numbers where [`Program::is_integer`] and within
/// rows and bounds.
#[derive(Clone, Debug)]
pub struct Program {
    /// By variable.
    pub(crate) columns: Vec<Column>,
    pub(crate) cost: Vec<i64>,
    pub(crate) most: Vec<i64>,
    pub(crate) integer: Vec<bool>,
    /// What every point has.
    pub(crate) constant: i128,
    /// By row.
    rule: Vec<Rule>,
    bounds: Vec<(Option<i64>, Option<i64>)>,
    lazy: Vec<bool>,
    /// `rows + 1` entries.
    start: Vec<u32>,
    index: Vec<ColumnId>,
    coefficient: Vec<i64>,
}

impl Default for Program {
    fn default() -> Self {
        Self {
            columns: Vec::new(),
            cost: Vec::new(),
            most: Vec::new(),
            integer: Vec::new(),
            constant: 0,
            rule: Vec::new(),
            bounds: Vec::new(),
            lazy: Vec::new(),
            start: vec![0],
            index: Vec::new(),
            coefficient: Vec::new(),
        }
    }
}

impl Program {
    /// What each variable means. The arcs of the graph come first, in their order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// What a unit of a variable is worth.
    pub fn cost(&self, c: ColumnId) -> i64 {
        self.cost[c.ix()]
    }

    /// The greatest value of a variable; the least is 0.
    pub fn most(&self, c: ColumnId) -> i64 {
        self.most[c.ix()]
    }

    /// Whether a variable must be a whole number. Others are so in every point that is best for arcs and numbers of arcs.
    pub fn is_integer(&self, c: ColumnId) -> bool {
        self.integer[c.ix()]
    }

    /// What every point has.
    pub fn constant(&self) -> i128 {
        self.constant
    }

    /// All variables.
    pub fn ids(&self) -> impl Iterator<Item = ColumnId> + use<> {
        (0..self.columns.len() as u32).map(ColumnId)
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = (RowId, Row<'_>)> {
        (0..self.rule.len() as u32).map(|r| (RowId(r), self.row(RowId(r))))
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.rule.len()
    }

    /// Number of coefficients that are not 0.
    pub fn coefficients(&self) -> usize {
        self.coefficient.len()
    }

    /// A row.
    pub fn row(&self, r: RowId) -> Row<'_> {
        let span = self.start[r.ix()] as usize..self.start[r.ix() + 1] as usize;
        let (least, most) = self.bounds[r.ix()];
        Row {
            rule: self.rule[r.ix()],
            least,
            most,
            is_lazy: self.lazy[r.ix()],
            columns: &self.index[span.clone()],
            coefficients: &self.coefficient[span],
        }
    }

    pub(crate) fn push_column(&mut self, column: Column, cost: i64, most: i64, integer: bool) -> ColumnId {
        let id = ColumnId(self.columns.len() as u32);
        self.columns.push(column);
        self.cost.push(cost);
        self.most.push(most);
        self.integer.push(integer);
        id
    }

    /// Adds a row over distinct variables.
    pub(crate) fn push_row(
        &mut self,
        rule: Rule,
        bounds: (Option<i64>, Option<i64>),
        is_lazy: bool,
        entries: impl IntoIterator<Item = (ColumnId, i64)>,
    ) {
        for (column, coefficient) in entries {
            self.index.push(column);
            self.coefficient.push(coefficient);
        }
        self.rule.push(rule);
        self.bounds.push(bounds);
        self.lazy.push(is_lazy);
        self.start.push(self.index.len() as u32);
    }

    /// The value of a point, and whether it lies within bounds and rows.
    pub fn check(&self, point: &[i64]) -> Option<i128> {
        let whole = |&v: &i64, &most: &i64| (0..=most).contains(&v);
        let bounded = point.iter().zip(&self.most).all(|(v, most)| whole(v, most));
        let held = |row: Row<'_>| {
            let terms = row.columns.iter().zip(row.coefficients);
            let value: i64 = terms.map(|(c, coefficient)| coefficient * point[c.ix()]).sum();
            row.least.is_none_or(|least| value >= least) && row.most.is_none_or(|most| value <= most)
        };
        (bounded && self.rows().all(|(_, row)| held(row))).then(|| {
            let terms = point.iter().zip(&self.cost).map(|(&v, &cost)| i128::from(v) * i128::from(cost));
            self.constant + terms.sum::<i128>()
        })
    }
}
