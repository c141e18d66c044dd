//! The tag set: fine tags and the coarse tag of each.

/// Noun classes, which agree in many ways. They are not seen in a word's form alone: some endings are common to all.
pub(super) const GENDERS: usize = 3;
/// Groups of adpositions.
pub(super) const GROUPS: usize = 3;

macro_rules! tags {
    ($($(#[$doc:meta])* $tag:ident $fine:literal $coarse:literal,)*) => {
        /// A fine tag.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(super) enum Tag {
            $($(#[$doc])* $tag,)*
        }

        impl Tag {
            /// All tags.
            pub const ALL: [Tag; [$($fine),*].len()] = [$(Tag::$tag),*];

            /// The name of the tag.
            pub fn fine(self) -> &'static str {
                match self {
                    $(Tag::$tag => $fine,)*
                }
            }

            /// The name of its coarse tag.
            pub fn coarse(self) -> &'static str {
                match self {
                    $(Tag::$tag => $coarse,)*
                }
            }
        }
    };
}

tags! {
    /// Nouns of the three classes.
    NounA "NA" "NOUN",
    NounO "NO" "NOUN",
    NounI "NI" "NOUN",
    /// A name, which has no class.
    Name "NP" "NOUN",
    Pronoun "PR" "PRON",
    /// The word that opens a relative clause.
    Relative "WH" "PRON",
    /// Pronouns that take up a noun of a class from inside its relative clause.
    ResumptiveA "PXA" "PRON",
    ResumptiveO "PXO" "PRON",
    ResumptiveI "PXI" "PRON",
    /// The verb of a main clause.
    Finite "VF" "VERB",
    /// The verb of a subordinate clause.
    Subordinate "VS" "VERB",
    /// The verb of a relative clause.
    RelativeVerb "VR" "VERB",
    Adjective "JJ" "ADJ",
    Adverb "RB" "ADV",
    /// An adverb of degree or focus.
    Degree "RD" "ADV",
    Determiner "DT" "DET",
    /// Adpositions of the three groups.
    GroupX "IX" "ADP",
    GroupY "IY" "ADP",
    GroupZ "IZ" "ADP",
    /// The first half of an adposition that stands around its object.
    Circum "IC" "ADP",
    /// The second half of one, and of the parallel construction.
    Tail "TL" "PART",
    /// Marks the noun before it as a possessor.
    Genitive "GE" "PART",
    /// Opens a parallel.
    Than "TH" "SCONJ",
    /// A closing bracket; opening ones are determiners.
    Bracket "BR" "PART",
    /// Aspect particles.
    AspectA "QA" "PART",
    AspectB "QB" "PART",
    /// Mood particles.
    MoodA "MA" "PART",
    MoodB "MB" "PART",
    /// Particles that close a clause.
    FinalA "FA" "PART",
    FinalB "FB" "PART",
    /// Ideophones.
    IdeophoneA "KA" "PART",
    IdeophoneB "KB" "PART",
    Coordinator "CC" "CCONJ",
    Subordinator "CS" "SCONJ",
    Numeral "CD" "NUM",
    Comma "," "PUNCT",
    Stop "." "PUNCT",
}

impl Tag {
    /// The noun tag of a class.
    pub fn noun(gender: usize) -> Self {
        [Tag::NounA, Tag::NounO, Tag::NounI][gender % GENDERS]
    }

    /// The class of a noun tag.
    pub fn gender(self) -> Option<usize> {
        (0..GENDERS).find(|&g| Tag::noun(g) == self)
    }

    /// The resumptive pronoun of a class.
    pub fn resumptive(gender: usize) -> Self {
        [Tag::ResumptiveA, Tag::ResumptiveO, Tag::ResumptiveI][gender % GENDERS]
    }

    /// The adpositions of a group.
    pub fn adposition(group: usize) -> Self {
        [Tag::GroupX, Tag::GroupY, Tag::GroupZ][group % GROUPS]
    }

    /// The group of an adposition.
    pub fn group(self) -> Option<usize> {
        (0..GROUPS).find(|&g| Tag::adposition(g) == self)
    }

    /// True for verbs.
    pub fn is_verb(self) -> bool {
        matches!(self, Tag::Finite | Tag::Subordinate | Tag::RelativeVerb)
    }

    /// True for nouns with a class.
    pub fn is_noun(self) -> bool {
        self.gender().is_some()
    }
}
