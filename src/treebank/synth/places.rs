//! The places of modifiers around their heads, outward: 0 stands next to the head.

use super::draft::Place::{self, Left, Right};

/// Beside a noun.
pub(super) mod noun {
    use super::*;
    pub const ADJECTIVE: Place = Left(10);
    pub const COMPOUND: Place = Left(5);
    pub const POSSESSOR: Place = Left(20);
    pub const ADJECTIVE_OUTSIDE: Place = Left(22);
    pub const NUMERAL: Place = Left(25);
    pub const DETERMINER: Place = Left(30);
    pub const OPENING: Place = Left(40);
    pub const NAME: Place = Right(15);
    pub const PHRASE: Place = Right(20);
    pub const CONJUNCT: Place = Right(25);
    pub const IDEOPHONE: Place = Right(35);
    pub const CLAUSE: Place = Right(40);
}

/// Beside a verb.
pub(super) mod verb {
    use super::*;
    pub const MOOD: Place = Left(5);
    pub const ADVERB: Place = Left(20);
    pub const IDEOPHONE_LEFT: Place = Left(29);
    pub const PHRASE_LEFT: Place = Left(28);
    pub const SUBJECT: Place = Left(30);
    pub const ASPECT: Place = Left(35);
    pub const FRONTED: Place = Left(40);
    pub const OPENER: Place = Left(50);
    pub const OBJECT: Place = Right(10);
    pub const IDEOPHONE_RIGHT: Place = Right(12);
    pub const PHRASE: Place = Right(20);
    pub const ADVERB_RIGHT: Place = Right(30);
    pub const CLAUSE: Place = Right(40);
    pub const LATE: Place = Right(45);
    pub const CONJUNCT: Place = Right(50);
    pub const FINAL: Place = Right(60);
    pub const STOP: Place = Right(100);
}

/// Beside an adposition.
pub(super) mod adposition {
    use super::*;
    pub const FOCUS: Place = Left(10);
    pub const OBJECT: Place = Right(10);
    pub const AFTER: Place = Right(15);
    pub const TAIL: Place = Right(20);
}
