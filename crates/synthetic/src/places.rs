//! The places of modifiers around their heads, outward: 0 stands next to the head.

use super::draft::Seat::{self, Left, Right};

/// Beside a noun.
pub(super) mod noun {
    use super::*;
    pub const ADJECTIVE: Seat = Left(10);
    pub const COMPOUND: Seat = Left(5);
    pub const POSSESSOR: Seat = Left(20);
    pub const ADJECTIVE_OUTSIDE: Seat = Left(22);
    pub const NUMERAL: Seat = Left(25);
    pub const DETERMINER: Seat = Left(30);
    pub const OPENING: Seat = Left(40);
    pub const NAME: Seat = Right(15);
    pub const PHRASE: Seat = Right(20);
    pub const CONJUNCT: Seat = Right(25);
    pub const IDEOPHONE: Seat = Right(35);
    pub const CLAUSE: Seat = Right(40);
}

/// Beside a verb.
pub(super) mod verb {
    use super::*;
    pub const MOOD: Seat = Left(5);
    pub const ADVERB: Seat = Left(20);
    pub const IDEOPHONE_LEFT: Seat = Left(29);
    pub const PHRASE_LEFT: Seat = Left(28);
    pub const SUBJECT: Seat = Left(30);
    pub const ASPECT: Seat = Left(35);
    pub const FRONTED: Seat = Left(40);
    pub const OPENER: Seat = Left(50);
    pub const OBJECT: Seat = Right(10);
    pub const IDEOPHONE_RIGHT: Seat = Right(12);
    pub const PHRASE: Seat = Right(20);
    pub const ADVERB_RIGHT: Seat = Right(30);
    pub const CLAUSE: Seat = Right(40);
    pub const LATE: Seat = Right(45);
    pub const CONJUNCT: Seat = Right(50);
    pub const FINAL: Seat = Right(60);
    pub const STOP: Seat = Right(100);
}

/// Beside an adposition.
pub(super) mod adposition {
    use super::*;
    pub const FOCUS: Seat = Left(10);
    pub const OBJECT: Seat = Right(10);
    pub const AFTER: Seat = Right(15);
    pub const TAIL: Seat = Right(20);
}
