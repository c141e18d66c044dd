//! The names of the phenomena.

/// A phenomenon, and the family of factors that can see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phenomenon {
    /// Matched brackets around a head: two siblings, one on each side.
    Brackets,
    /// Lists of many conjuncts that agree with each other and not with their head: distant siblings.
    Coordination,
    /// An adposition that is taken up again, as in `on ... rather than on`: an inner grandchild of the same word.
    Parallel,
    /// An adposition in two halves whose head agrees with the object between them: an inner grandchild.
    Circumposition,
    /// A pronoun in a relative clause that agrees with the clause's noun: a chain of three arcs.
    Resumption,
    /// Three particles of a verb, of which any two tell nothing: triples of siblings.
    Concord,
    /// Runs of particles whose pattern tells their head: combs.
    Ideophones,
}

impl Phenomenon {
    /// All phenomena.
    pub const ALL: [Phenomenon; 7] = [
        Phenomenon::Brackets,
        Phenomenon::Coordination,
        Phenomenon::Parallel,
        Phenomenon::Circumposition,
        Phenomenon::Resumption,
        Phenomenon::Concord,
        Phenomenon::Ideophones,
    ];

    /// The name in configs.
    pub fn name(self) -> &'static str {
        match self {
            Phenomenon::Brackets => "brackets",
            Phenomenon::Coordination => "coordination",
            Phenomenon::Parallel => "parallel",
            Phenomenon::Circumposition => "circumposition",
            Phenomenon::Resumption => "resumption",
            Phenomenon::Concord => "concord",
            Phenomenon::Ideophones => "ideophones",
        }
    }
}

impl std::fmt::Display for Phenomenon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
