//! The places of modifiers around their heads, outward: 0 stands next to the head.

use super::draft::Rank::{self, Left, Right};

/// Beside a noun.
pub(super) mod noun {
    use super::*;
    pub const ADJECTIVE: Rank = Left(10);
    pub const COMPOUND: Rank = Left(5);
    pub const POSSESSOR: Rank = Left(20);
    pub const ADJECTIVE_OUTSIDE: Rank = Left(22);
    pub const NUMERAL: Rank = Left(25);
    pub const DETERMINER: Rank = Left(30);
    pub const OPENING: Rank = Left(40);
    pub const NAME: Rank = Right(15);
    pub const PHRASE: Rank = Right(20);
    pub const CONJUNCT: Rank = Right(25);
    pub const IDEOPHONE: Rank = Right(35);
    pub const CLAUSE: Rank = Right(40);
}

/// Beside a verb.
pub(super) mod verb {
    use super::*;
    pub const MOOD: Rank = Left(5);
    pub const ADVERB: Rank = Left(20);
    pub const IDEOPHONE_LEFT: Rank = Left(29);
    pub const PHRASE_LEFT: Rank = Left(28);
    pub const SUBJECT: Rank = Left(30);
    pub const ASPECT: Rank = Left(35);
    pub const FRONTED: Rank = Left(40);
    pub const OPENER: Rank = Left(50);
    pub const OBJECT: Rank = Right(10);
    pub const IDEOPHONE_RIGHT: Rank = Right(12);
    pub const PHRASE: Rank = Right(20);
    pub const ADVERB_RIGHT: Rank = Right(30);
    pub const CLAUSE: Rank = Right(40);
    pub const LATE: Rank = Right(45);
    pub const CONJUNCT: Rank = Right(50);
    pub const FINAL: Rank = Right(60);
    pub const STOP: Rank = Right(100);
}

/// Beside an adposition.
pub(super) mod adposition {
    use super::*;
    pub const FOCUS: Rank = Left(10);
    pub const OBJECT: Rank = Right(10);
    pub const AFTER: Rank = Right(15);
    pub const TAIL: Rank = Right(20);
}
